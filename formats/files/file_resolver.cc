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

}  // namespace

FileResolver::FileResolver(std::string main_file, std::map<std::string, std::string> packages)
    : packages_(std::move(packages)) {
  const fs::path file =
      Canonical(fs::absolute(main_file.empty() || main_file == "-" ? "stdin" : main_file));
  roots_.push_back(Fence(file.parent_path()).string());
  for (const auto& [name, folder] : packages_)
    roots_.push_back(Canonical(fs::absolute(folder)).string());
}

std::optional<std::string> FileResolver::Locate(std::string_view uri, std::string_view from,
                                                std::string& why) const {
  std::vector<fs::path> candidates;
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
    if (std::none_of(roots_.begin(), roots_.end(),
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
