// Files that are texts in memory.
#include <algorithm>
#include <filesystem>

#include "kinemorph/formats/resources.h"
#include "package_name.h"

// A file system for tests, bindings and the web page: names are compared as they are, with . and ..
// taken out, and nothing outside of the map can be reached. Packages are found as on a disk, by a
// package.xml or model.config in their folder.

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

std::string FolderOf(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string Below(const std::string& folder, std::string_view rest) {
  return (fs::path(folder) / std::string(rest)).lexically_normal().generic_string();
}

}  // namespace

MemoryResolver::MemoryResolver(std::map<std::string, std::string> files)
    : files_(std::move(files)) {
  for (const auto& [path, text] : files_) {
    const std::string file = fs::path(path).filename().string();
    if (file != "package.xml" && file != "model.config") continue;
    const std::string folder = FolderOf(path);
    // Known by its folder's name and by the name in package.xml, of which the latter wins.
    packages_.emplace(fs::path(folder).filename().string(), folder);
    if (const std::string name = PackageNameIn(text); file == "package.xml" && !name.empty())
      packages_.insert_or_assign(name, folder);
  }
}

std::optional<std::string> MemoryResolver::Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const {
  if (files_.count(std::string(uri))) return std::string(uri);
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::string_view path = uri.substr(scheme.size());
    const std::string_view name = path.substr(0, path.find('/'));
    const auto package = packages_.find(std::string(name));
    const std::string there =
        package == packages_.end()
            ? ""
            : Below(package->second, path.substr(std::min(path.size(), name.size() + 1)));
    if (files_.count(there)) return there;
    why = "not found";
    return std::nullopt;
  }
  // Anything without a scheme is relative to the file that names it.
  const std::string relative = Below(FolderOf(std::string(from)), uri);
  if (files_.count(relative)) return relative;
  why = "not found";
  return std::nullopt;
}

std::optional<Resource> MemoryResolver::Open(std::string_view uri, std::string_view from,
                                             std::string& why) const {
  const std::optional<std::string> path = Locate(uri, from, why);
  return path ? std::optional<Resource>({*path, files_.at(*path)}) : std::nullopt;
}

std::optional<Resource> MemoryResolver::OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const {
  const std::optional<std::string> path = Locate(uri, from, why);
  return path ? std::optional<Resource>({*path, files_.at(*path).substr(0, kStartOfFile)})
              : std::nullopt;
}

}  // namespace kinemorph
