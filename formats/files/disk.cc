#include "disk.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace kinemorph {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostSeen = 200'000;  // then everything is looked at again

#ifdef _WIN32
constexpr std::size_t kRoot = 3;  // "C:/"

std::string Slashed(std::string_view path) {
  std::string slashed(path);
  std::ranges::replace(slashed, '\\', '/');
  return slashed;
}

// Where an absolute path begins; one without a drive is on that of `from`.
std::string RootOf(std::string_view path, const std::string& from) {
  const bool drive = path.size() >= kRoot && path[1] == ':' && path[2] == '/';
  if (drive) return std::string(path.substr(0, kRoot));
  return path.starts_with('/') ? from.substr(0, kRoot) : "";
}

// A name that the system would take for another one, for a stream of a file or for a device.
bool IsOdd(std::string_view name) {
  constexpr std::array kDevices = {"CON", "PRN", "AUX", "NUL", "COM", "LPT", "CONIN$", "CONOUT$"};
  if (name.ends_with('.') || name.ends_with(' ')) return true;
  if (name.find_first_of(":*?\"<>|") != std::string_view::npos) return true;
  std::string stem(name.substr(0, name.find('.')));
  while (stem.ends_with(' ')) stem.pop_back();
  for (char& c : stem) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto is_device = [&](std::string_view device) {
    const bool numbered = device == "COM" || device == "LPT";  // some take superscripts for digits
    return numbered ? stem.size() > 3 && stem.size() < 6 && stem.starts_with(device)
                    : stem == device;
  };
  return std::ranges::any_of(kDevices, is_device);
}
#else
constexpr std::size_t kRoot = 1;

std::string_view Slashed(std::string_view path) { return path; }

std::string RootOf(std::string_view path, const std::string&) {
  return std::string(path.starts_with('/') ? "/" : "");
}

bool IsOdd(std::string_view) { return false; }
#endif

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
  return path.substr(0, std::max(path.find_last_of('/'), kRoot));
}

Disk::Place Look(std::string path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  // A link is resolved as a whole, with all links in what it names; a circle of links leads
  // nowhere.
  if (error || !fs::is_symlink(status)) return {std::move(path), KindOf(status)};
  const fs::path real = fs::canonical(path, error);
  if (error) return {std::move(path), Disk::Kind::kNothing};  // a circle, or it leads nowhere
  return {real.generic_string(), KindOf(fs::status(real, error))};
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

Disk::Place Disk::Find(const std::string& from, std::string_view named) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto slashed = Slashed(named);
  std::string_view path = slashed;
  const std::string root = RootOf(path, from);
  Place at = {root.empty() ? from : root, Kind::kFolder};
  if (path.starts_with(root)) path.remove_prefix(root.size());
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (name.empty() || name == ".") continue;
    // Below what is no folder there is nothing.
    if (at.kind != Kind::kFolder || (name != ".." && IsOdd(name)))
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
