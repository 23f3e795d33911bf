// Finding other files on disk: packages, relative uris, and the fence around them.
#include "kinemorph/formats/file_resolver.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace kinemorph {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 30;

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Splits "scheme://package/rest" after the scheme.
void SplitPackage(std::string_view path, std::string& package, std::string& rest) {
  const std::size_t slash = path.find('/');
  package = std::string(path.substr(0, slash));
  rest = slash == std::string_view::npos ? "" : std::string(path.substr(slash + 1));
}

fs::path Canonical(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

bool Inside(const fs::path& path, const fs::path& root) {
  const auto mismatch = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return mismatch.first == root.end() ||
         (std::next(mismatch.first) == root.end() && mismatch.first->empty());
}

// The outermost folder that relative uris of a file may reach: two above its own, but never the
// file system's root or a folder directly below it.
fs::path Fence(const fs::path& folder) {
  fs::path fence = folder;
  for (int level = 0; level < 2; ++level) {
    const fs::path parent = fence.parent_path();
    if (parent == fence || std::distance(parent.begin(), parent.end()) < 3) break;
    fence = parent;
  }
  return fence;
}

// The folder above the file that has a package.xml, and the name that it gives.
struct OwnPackage {
  fs::path folder;
  std::string name;
};

std::optional<OwnPackage> PackageAbove(const fs::path& folder) {
  constexpr int kLevels = 10;
  fs::path up = folder;
  for (int level = 0; level < kLevels; ++level, up = up.parent_path()) {
    std::error_code error;
    if (!fs::is_regular_file(up / "package.xml", error)) continue;
    std::ifstream stream(up / "package.xml", std::ios::binary);
    std::string text(std::size_t{1} << 16, '\0');  // the name stands at the top
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    const std::size_t start = text.find("<name>"), end = text.find("</name>");
    if (start == std::string::npos || end == std::string::npos || end < start) return std::nullopt;
    std::string name = text.substr(start + 6, end - start - 6);
    name.erase(0, name.find_first_not_of(" \t\r\n"));
    name.erase(name.find_last_not_of(" \t\r\n") + 1);
    if (name.empty()) return std::nullopt;
    return OwnPackage{up, std::move(name)};
  }
  return std::nullopt;
}

}  // namespace

FileResolver::FileResolver(std::string main_file, std::map<std::string, std::string> packages,
                           std::vector<std::string> search)
    : search_(std::move(search)), packages_(std::move(packages)) {
  const fs::path file =
      Canonical(fs::absolute(main_file.empty() || main_file == "-" ? "stdin" : main_file));
  roots_.push_back(Fence(file.parent_path()).string());
  if (const std::optional<OwnPackage> own = PackageAbove(file.parent_path())) {
    packages_.try_emplace(own->name, own->folder.string());
    const fs::path parent = own->folder.parent_path();
    if (std::distance(parent.begin(), parent.end()) >= 3) workspace_ = parent.string();
  }
  for (const auto& [name, folder] : packages_)
    roots_.push_back(Canonical(fs::absolute(folder)).string());
}

std::vector<std::string> FileResolver::Found(const std::string& package) const {
  std::vector<std::string> found;
  if (package.empty() || package == "." || package == "..") return found;
  std::error_code error;
  const auto take = [&](const fs::path& folder) {
    if (fs::is_directory(folder, error)) found.push_back(Canonical(folder).string());
  };
  if (!workspace_.empty() &&
      fs::is_regular_file(fs::path(workspace_) / package / "package.xml", error))
    take(fs::path(workspace_) / package);
  for (const std::string& each : search_) {
    const fs::path folder = fs::absolute(each, error);
    for (const char* below : {"", "share", "models"}) take(folder / below / package);
    std::vector<fs::path> repositories;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.is_directory(error)) repositories.push_back(entry.path());
    std::sort(repositories.begin(), repositories.end());
    for (const fs::path& repository : repositories) take(repository / package);
  }
  return found;
}

std::optional<std::string> FileResolver::Locate(std::string_view uri, std::string_view from,
                                                std::string& why) const {
  std::vector<fs::path> candidates;
  std::vector<std::string> roots = roots_;
  const fs::path folder =
      Canonical(fs::absolute(std::string(from.empty() || from == "-" ? "stdin" : from)))
          .parent_path();
  if (StartsWith(uri, "package://") || StartsWith(uri, "model://")) {
    std::string package, rest;
    SplitPackage(uri.substr(uri.find("://") + 3), package, rest);
    if (const auto known = packages_.find(package); known != packages_.end()) {
      candidates.push_back(fs::path(known->second) / rest);
    } else {
      // A folder of the package's name at or above the file, inside the fence.
      for (fs::path up = folder;; up = up.parent_path()) {
        if (up.filename() == package) candidates.push_back(up / rest);
        candidates.push_back(up / package / rest);
        candidates.push_back(up / "models" / package / rest);
        if (up == fs::path(roots_.front()) || up == up.parent_path()) break;
      }
      for (const std::string& found : Found(package)) {
        candidates.push_back(fs::path(found) / rest);
        roots.push_back(found);
      }
      why = "package '" + package + "' is not known: name its folder with --package " + package +
            "=DIR";
    }
  } else if (uri.find("://") != std::string_view::npos && !StartsWith(uri, "file://")) {
    why =
        "there is no network access to '" + std::string(uri.substr(0, uri.find("://"))) + "' uris";
    return std::nullopt;
  } else {
    const fs::path path = StartsWith(uri, "file://") ? fs::path(std::string(uri.substr(7)))
                                                     : fs::path(std::string(uri));
    candidates.push_back(path.is_absolute() ? path : folder / path);
  }
  for (const fs::path& candidate : candidates) {
    const fs::path real = Canonical(fs::absolute(candidate));
    if (std::none_of(roots.begin(), roots.end(),
                     [&](const std::string& root) { return Inside(real, root); })) {
      why = "it leaves the model's folder (allow it with --package NAME=DIR)";
      continue;
    }
    std::error_code error;
    const fs::file_status status = fs::status(real, error);
    if (fs::is_regular_file(status)) return real.string();
    if (fs::exists(status)) why = "it is not a file";  // a pipe would be waited for
  }
  if (why.empty()) why = "not found";
  return std::nullopt;
}

std::optional<Resource> FileResolver::Open(std::string_view uri, std::string_view from,
                                           std::string& why) const {
  const std::optional<std::string> path = Locate(uri, from, why);
  if (!path) return std::nullopt;
  std::error_code error;
  if (!fs::is_regular_file(*path, error)) {
    why = "it is not a file";
    return std::nullopt;
  }
  if (fs::file_size(*path, error) > kMaxBytes || error) {
    why = "it is larger than 1 GiB";
    return std::nullopt;
  }
  std::ifstream stream(*path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) {
    why = "it cannot be read";
    return std::nullopt;
  }
  return Resource{*path, std::move(content).str()};
}

}  // namespace kinemorph
