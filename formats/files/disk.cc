#include "disk.h"

#include <algorithm>
#include <filesystem>

namespace kinemorph {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostSeen = 200'000;  // then everything is looked at again

Disk::Kind KindOf(const fs::file_status& status) {
  return fs::is_regular_file(status) ? Disk::Kind::kFile
         : fs::is_directory(status)  ? Disk::Kind::kFolder
         : fs::exists(status)        ? Disk::Kind::kOther
                                     : Disk::Kind::kNothing;
}

std::string Joined(const std::string& folder, std::string_view name) {
  std::string path = folder;
  if (path.empty() || path.back() != '/') path += '/';
  return path.append(name);
}

// Of a path without links.
std::string Above(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

Disk::Place Look(std::string path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  // A link is resolved as a whole, with all links in what it names; a circle of links leads
  // nowhere.
  if (error || !fs::is_symlink(status)) return {std::move(path), KindOf(status)};
  const fs::path real = fs::canonical(path, error);
  if (error) return {std::move(path), Disk::Kind::kNothing};  // a circle, or it leads nowhere
  return {real.string(), KindOf(fs::status(real, error))};
}

}  // namespace

// What is where is asked once and kept, for thousands of robots of a batch ask for the same
// folders. Paths are followed name by name, so that links are resolved where they stand: "a/../b"
// is not "b" if a is a link.
Disk::Place Disk::Entry(const std::string& folder, std::string_view name) {
  if (seen_.size() > kMostSeen) seen_.clear();
  std::string path = Joined(folder, name);
  if (const auto known = seen_.find(path); known != seen_.end()) return known->second;
  return seen_.emplace(path, Look(path)).first->second;
}

Disk::Place Disk::Find(const std::string& from, std::string_view path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Place at = {path.substr(0, 1) == "/" ? "/" : from, Kind::kFolder};
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (name.empty() || name == ".") continue;
    // Below what is no folder there is nothing.
    if (at.kind != Kind::kFolder)
      at = {name == ".." ? Above(at.path) : Joined(at.path, name), Kind::kNothing};
    else if (name == "..")
      at.path = Above(at.path);
    else
      at = Entry(at.path, name);
  }
  return at;
}

std::vector<std::string> Disk::FoldersIn(const std::string& folder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, fresh] = folders_.try_emplace(folder);
  if (!fresh) return known->second;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  // A folder that cannot be read has no folders in it, which is kept, too. Sorted, since the disk
  // gives names in any order.
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (std::error_code unknown; entry->is_directory(unknown))
      known->second.push_back(entry->path().filename().string());
  std::sort(known->second.begin(), known->second.end());
  return known->second;
}

}  // namespace kinemorph
