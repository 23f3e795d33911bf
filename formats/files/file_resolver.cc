// Finding other files on disk: packages, relative uris, and the fence around them.
#include "kinemorph/formats/file_resolver.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

#include "../package_name.h"
#include "disk.h"
#include "kinemorph/formats/read_whole.h"

namespace kinemorph {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 30;
constexpr int kLevelsOfModels = 2;  // above the file: a model.config, and folders of packages
constexpr int kLevelsOfPackages = 10;

// Splits "package/rest".
void SplitPackage(std::string_view path, std::string& package, std::string& rest) {
  const std::size_t slash = path.find('/');
  package = std::string(path.substr(0, slash));
  rest = slash == std::string_view::npos ? "" : std::string(path.substr(slash + 1));
}

// Of absolute paths without links.
bool Inside(std::string_view path, std::string_view root) {
  if (!path.starts_with(root)) return false;
  return path.size() == root.size() || root.ends_with('/') || path[root.size()] == '/';
}

std::string ParentOf(const std::string& folder) { return fs::path(folder).parent_path().string(); }

std::string NameOf(const std::string& folder) { return fs::path(folder).filename().string(); }

// The file system's root, and what lies directly in it, is no package and holds none.
bool IsTop(const std::string& folder) { return std::count(folder.begin(), folder.end(), '/') < 2; }

// The name that a package.xml gives; empty where it gives none.
std::string NameIn(const std::string& package_xml) {
  return PackageNameIn(ReadStart(package_xml));  // the name stands at the top
}

}  // namespace

std::shared_ptr<Disk> MakeDisk() { return std::make_shared<Disk>(); }

// A model may name any file, and comes from anybody. So a file is opened only inside the fence: the
// folders around the model, its package, and those that the user has named or in which a package
// was found. Paths are compared after all links are resolved. Where a package is not known by name,
// folders are searched that are called so.

// Folders of packages that were found, in any thread.
struct FoundPackages {
  std::mutex mutex;
  std::set<std::string> folders;
};

FileResolver::FileResolver(const std::string& main_file, FileAccess access)
    : access_(std::move(access)),
      here_(fs::current_path().generic_string()),
      found_(std::make_shared<FoundPackages>()) {
  if (!access_.disk) access_.disk = MakeDisk();
  const std::string folder = FolderOf(main_file);
  // How far up the search for folders of packages goes.
  ceiling_ = folder;
  for (int level = 0; level < kLevelsOfModels && !IsTop(ParentOf(ceiling_)); ++level)
    ceiling_ = ParentOf(ceiling_);
  AddRoots(folder);
  for (const std::string& other : access_.also) AddRoots(FolderOf(other));
  for (const auto& [name, package] : access_.packages)
    roots_.push_back(access_.disk->Find(here_, package).path);
}

// The folder of a file and the one above it; the nearest folder at or above with a package.xml, or
// not so far above with a model.config. Of the first the beginning is read, for its name.
void FileResolver::AddRoots(const std::string& folder) {
  roots_.push_back(IsTop(ParentOf(folder)) ? folder : ParentOf(folder));
  // The nearest package.xml decides the package that the model is in, and its parent is taken for
  // the workspace in which sister packages lie.
  std::string up = folder;
  for (int level = 0; level < kLevelsOfPackages && !IsTop(up); ++level, up = ParentOf(up)) {
    const auto has = [&](const char* manifest) {  // not through a link: it may lead anywhere
      const Disk::Place place = access_.disk->Find(up, manifest);
      return place.kind == Disk::Kind::kFile && Inside(place.path, up);
    };
    const bool package = has("package.xml");
    if (!package && (level > kLevelsOfModels || !has("model.config"))) continue;
    const std::string name = package ? NameIn(up + "/package.xml") : NameOf(up);
    if (name.empty()) return;
    access_.packages.try_emplace(name, up);
    roots_.push_back(up);
    if (workspace_.empty() && !IsTop(ParentOf(up))) workspace_ = ParentOf(up);
    return;
  }
}

std::string FileResolver::FolderOf(std::string_view file) const {
  const std::string path(file.empty() || file == "-" ? "stdin" : file);
  return ParentOf(access_.disk->Find(here_, path).path);
}

bool FileResolver::HasManifest(const std::string& folder) const {
  return access_.disk->Find(folder, "package.xml").kind == Disk::Kind::kFile ||
         access_.disk->Find(folder, "model.config").kind == Disk::Kind::kFile;
}

bool FileResolver::Allowed(const std::string& path) const {
  return access_.outside || std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
           return Inside(path, root);
         });
}

std::vector<FileResolver::Candidate> FileResolver::InPackage(const std::string& package,
                                                             const std::string& rest,
                                                             const std::string& folder) const {
  std::vector<Candidate> found;
  if (package.empty() || package == "." || package == "..") return found;
  const auto take = [&](const std::string& from, const std::string& name, bool root) {
    const Disk::Place place = access_.disk->Find(from, name);
    if (place.kind == Disk::Kind::kFolder)  // not through a link: it may lead anywhere
      found.push_back(
          {place.path, rest, root || (Inside(place.path, from) && HasManifest(place.path))});
  };
  // First around the file that asks, from the inside outwards; then the workspace; then what the
  // user named for searching, where packages lie directly, in share/ or models/, or one repository
  // deeper.
  for (std::string up = folder;; up = ParentOf(up)) {
    if (NameOf(up) == package) take(up, "", false);
    take(up, package, false);
    take(up, "models/" + package, false);
    if (up == ceiling_ || IsTop(up)) break;
  }
  if (!workspace_.empty()) take(workspace_, package, false);
  for (const std::string& each : access_.search) {
    const std::string holder = access_.disk->Find(here_, each).path;
    for (const char* below : {"", "share/", "models/"}) take(holder, below + package, true);
    for (const std::string& repository : access_.disk->FoldersIn(holder))
      take(holder, repository + "/" + package, true);
  }
  return found;
}

// package:///meshes/a.stl, as Gepetto's robots write: beside the robot, or in a folder of packages.
std::vector<FileResolver::Candidate> FileResolver::WithoutPackage(const std::string& rest,
                                                                  const std::string& folder) const {
  std::vector<Candidate> found{{folder, rest}};
  for (const std::string& each : access_.search)
    found.push_back({access_.disk->Find(here_, each).path, rest, true});
  return found;
}

std::optional<std::string> FileResolver::Locate(std::string_view uri, std::string_view from,
                                                std::string& why) const {
  std::vector<Candidate> candidates;
  const std::string folder = FolderOf(from);
  if (uri.starts_with("package://") || uri.starts_with("model://")) {
    std::string package, rest;
    SplitPackage(uri.substr(uri.find("://") + 3), package, rest);
    if (package.empty()) {
      candidates = WithoutPackage(rest, folder);
      why =
          "its name has no package; the file is neither beside the robot nor in a folder of "
          "--package-path";
      // The user's own word for a package ends the search for it.
    } else if (const auto known = access_.packages.find(package); known != access_.packages.end()) {
      candidates.push_back({access_.disk->Find(here_, known->second).path, rest, true});
    } else {
      candidates = InPackage(package, rest, folder);
      const std::string remedy = "with --package " + package + "=DIR";
      // One that only has the name of the package may be meant all the same.
      why = candidates.empty() ? "package '" + package + "' is not known: name its folder " + remedy
                               : "not found in " + candidates.front().folder +
                                     ", which has the name of package '" + package +
                                     "': name another folder " + remedy;
    }
  } else if (uri.find("://") != std::string_view::npos && !uri.starts_with("file://")) {
    why =
        "there is no network access to '" + std::string(uri.substr(0, uri.find("://"))) + "' uris";
    return std::nullopt;
  } else {
    candidates.push_back({folder, std::string(uri.starts_with("file://") ? uri.substr(7) : uri)});
  }
  // The first candidate that has the file wins. `why` keeps the reason of the last one that failed.
  for (const Candidate& candidate : candidates) {
    const Disk::Place place = access_.disk->Find(candidate.folder, candidate.rest);
    if (!Allowed(place.path) && !(candidate.root && Inside(place.path, candidate.folder))) {
      why =
          "the file is outside the folder of the model (--allow-outside or --package NAME=DIR "
          "allows this)";
      continue;
    }
    if (place.kind == Disk::Kind::kFile) {
      const std::lock_guard<std::mutex> lock(found_->mutex);
      if (candidate.root) found_->folders.insert(candidate.folder);
      return place.path;
    }
    if (place.kind != Disk::Kind::kNothing)
      why = "this is not a file";  // a pipe is waited for
    else if (candidate.root)
      why = "not found in the folder of its package, " + candidate.folder;
  }
  if (why.empty()) why = "not found";
  return std::nullopt;
}

std::vector<std::string> FileResolver::Fence() const {
  if (access_.outside) return {"/"};
  std::vector<std::string> folders = roots_;
  const std::lock_guard<std::mutex> lock(found_->mutex);
  folders.insert(folders.end(), found_->folders.begin(), found_->folders.end());
  return folders;
}

std::vector<std::string> FileResolver::NamesIn(const std::string& folder) const {
  const std::string place = access_.disk->Find(here_, folder).path;
  std::vector<std::string> names;
  {
    // Names of a folder outside the fence are not told either.
    const std::lock_guard<std::mutex> lock(found_->mutex);
    const bool found = std::any_of(found_->folders.begin(), found_->folders.end(),
                                   [&](const std::string& each) { return Inside(place, each); });
    if (!found && !Allowed(place)) return names;
  }
  std::error_code error;
  for (fs::directory_iterator it(place, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  return names;
}

std::optional<Resource> FileResolver::Open(std::string_view uri, std::string_view from,
                                           std::string& why) const {
  const std::optional<std::string> path = Locate(uri, from, why);
  if (!path) return std::nullopt;
  std::error_code error;
  if (!fs::is_regular_file(*path, error)) {
    why = "this is not a file";
    return std::nullopt;
  }
  if (fs::file_size(*path, error) > kMaxBytes || error) {
    why = "the file is larger than 1 GiB";
    return std::nullopt;
  }
  std::string reason;
  std::optional<std::string> content = ReadWhole(*path, reason);
  if (!content) {
    why = "the file cannot be read";
    return std::nullopt;
  }
  return Resource{*path, *std::move(content)};
}

std::optional<Resource> FileResolver::OpenStart(std::string_view uri, std::string_view from,
                                                std::string& why) const {
  const std::optional<std::string> path = Locate(uri, from, why);  // of a file, not of a pipe
  if (!path) return std::nullopt;
  return Resource{*path, ReadStart(*path, kStartOfFile)};
}

}  // namespace kinemorph
