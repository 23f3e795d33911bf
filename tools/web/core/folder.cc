#include "folder.h"

#include <cstdint>
#include <set>

namespace kinemorph::web {
namespace {

// A folder as bytes: for each file the length of its path and of its content (32 bits, low byte
// first), then both. The page and Node pack it; the files are then found as on a disk.

// The number at the start of the bytes, which are taken; nothing where there are too few.
std::optional<std::size_t> TakeNumber(std::string_view& bytes) {
  if (bytes.size() < 4) return std::nullopt;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  bytes.remove_prefix(4);
  return number;
}

std::string Above(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// What MemoryResolver finds; and package://NAME and model://NAME in a folder NAME, or models/NAME,
// seen from the folder that asks or from one above it, whether it has a manifest or not.
class FolderResolver : public ResourceResolver {
 public:
  explicit FolderResolver(const std::map<std::string, std::string>& files) : files_(files) {}
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override {
    if (std::optional<std::string> found = files_.Locate(uri, from, why)) return found;
    const bool package = uri.starts_with("package://") || uri.starts_with("model://");
    if (!package) return std::nullopt;
    const std::string rest(uri.substr(uri.find("://") + 3));
    // From the folder that asks upwards, as FileResolver searches a disk.
    for (std::string up = Above(std::string(from));; up = Above(up)) {
      const std::string here = up.empty() ? "" : up + "/";
      for (const std::string& path : {here + rest, here + "models/" + rest})
        if (std::string ignored; files_.Locate(path, "", ignored)) return path;
      if (up.empty()) return std::nullopt;
    }
  }
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override {
    const std::optional<std::string> path = Locate(uri, from, why);
    return path ? files_.Open(*path, "", why) : std::nullopt;
  }
  [[nodiscard]] std::optional<Resource> OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const override {
    const std::optional<std::string> path = Locate(uri, from, why);
    return path ? files_.OpenStart(*path, "", why) : std::nullopt;
  }

 private:
  MemoryResolver files_;
};

}  // namespace

std::vector<std::string> Folder::NamesIn(const std::string& folder) const {
  const std::string prefix = folder.empty() || folder == "." ? "" : folder + "/";
  // The part of each path up to the next slash: a file or a folder.
  std::set<std::string> names;
  for (const auto& [path, bytes] : files)
    if (path.starts_with(prefix))
      names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
  return {names.begin(), names.end()};
}

std::optional<Folder> FolderIn(std::string_view bytes, std::string& why) {
  Folder folder;
  while (!bytes.empty()) {
    const std::optional<std::size_t> path = TakeNumber(bytes), content = TakeNumber(bytes);
    // Compared by subtraction, because a sum of two lengths could overflow.
    if (!path || !content || *path > bytes.size() || *content > bytes.size() - *path) {
      why = "the folder ends in the middle of a file";
      return std::nullopt;
    }
    folder.files.insert_or_assign(std::string(bytes.substr(0, *path)),
                                  std::string(bytes.substr(*path, *content)));
    bytes.remove_prefix(*path + *content);
  }
  folder.resolver = std::make_shared<FolderResolver>(folder.files);
  return folder;
}

}  // namespace kinemorph::web
