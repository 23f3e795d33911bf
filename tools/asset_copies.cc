#include "asset_copies.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "asset_kinds.h"
#include "files.h"
#include "kinemorph/graph/base/text.h"
#include "sha256.h"
#include "working.h"

namespace kinemorph::tools {
namespace fs = std::filesystem;
namespace {

fs::path Canonical(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

}  // namespace

AssetCopies::AssetCopies(std::string folder, const std::string& prefix, const std::string& out,
                         std::set<std::string> ours, const ResourceResolver& files,
                         Diagnostics& said)
    : folder_(std::move(folder)),
      prefix_(prefix),
      ours_(std::move(ours)),
      files_(files),
      said_(said) {
  if (!prefix_.empty()) {
    while (prefix_.size() > 1 && prefix_.back() == '/') prefix_.pop_back();
    return;
  }
  const fs::path to = Canonical(folder_), from = Canonical(fs::path(out)).parent_path();
  prefix_ = to.lexically_relative(from).generic_string();
  if (prefix_ == ".") prefix_.clear();
}

std::string AssetCopies::NameOf(const std::string& path) {
  const std::string name = Plan(path);
  return name.empty() || prefix_.empty() ? name : prefix_ + "/" + name;
}

bool AssetCopies::Taken(const std::string& name, const std::string& sha256) const {
  if (assets_.count(name) > 0) return true;
  const fs::path there = fs::path(folder_) / name;
  std::error_code error;
  if (!fs::exists(fs::symlink_status(there, error))) return false;
  return ours_.count(there.string()) == 0 && Sha256OfFile(there.string()) != sha256;
}

// The name of the copy in the folder; empty where there is none.
std::string AssetCopies::Plan(const std::string& path) {
  if (const auto known = name_by_path_.find(path); known != name_by_path_.end())
    return known->second;
  std::string& planned = name_by_path_[path];  // empty: one that names itself ends here
  std::string why;
  const std::optional<std::string> bytes = ReadWhole(path, why);
  if (bytes) why = WhyNoAsset(path, *bytes);
  if (!why.empty()) {
    said_.Add({Severity::kWarning,
               "asset-not-copied",
               path,
               0,
               "",
               "'" + path + "' is not copied: " + why,
               {}});
    return "";
  }
  const fs::path file(path);
  const std::string extension = file.extension().string();
  Asset asset{path, "", WithNamesOfCopies(path, *bytes)};
  if (ExtensionOf(path) == ".obj" && LibrariesOfObj(*bytes).empty()) PlanLibraryBeside(path);
  asset.sha256 = Sha256(asset.text.empty() ? *bytes : asset.text);
  const auto [same, fresh] = name_by_hash_.try_emplace(asset.sha256 + extension);
  if (fresh) {
    // Nothing else is written over, and least of all what is still to be copied.
    std::string name = file.filename().string();
    for (int n = 2; Taken(name, asset.sha256); ++n)
      name = file.stem().string() + "_" + std::to_string(n) + extension;
    same->second = name;
    assets_[name] = std::move(asset);
  }
  return planned = same->second;
}

// Some readers take the library of an OBJ file's own name, though the file names none.
void AssetCopies::PlanLibraryBeside(const std::string& path) {
  const std::string found =
      Found(fs::path(path).filename().replace_extension(".mtl").string(), path);
  if (!found.empty()) static_cast<void>(Plan(found));
}

std::string AssetCopies::Found(std::string_view name, const std::string& from) const {
  std::string why, plain(name);
  if (const auto found = files_.Locate(plain, from, why)) return *found;
  std::replace(plain.begin(), plain.end(), '\\', '/');
  return files_.Locate(plain, from, why).value_or("");
}

// What an OBJ file or a material library names is copied too. Empty where nothing has to change.
std::string AssetCopies::WithNamesOfCopies(const std::string& path, const std::string& text) {
  const std::string extension = ExtensionOf(path);
  const std::vector<NamedFile> names = extension == ".obj"   ? LibrariesOfObj(text)
                                       : extension == ".mtl" ? PicturesOfMtl(text)
                                                             : std::vector<NamedFile>();
  std::string out;
  std::size_t done = 0;
  bool changed = false;
  const auto put = [&](std::size_t at, std::size_t size) {
    const std::string name = text.substr(at, size), found = Found(name, path);
    const std::string copy = found.empty() ? "" : Plan(found);
    out.append(text, done, at - done).append(copy.empty() ? name : copy);
    changed = changed || (!copy.empty() && copy != name);
    done = at + size;
    return !found.empty();
  };
  for (const NamedFile& named : names) {
    const std::string_view line = std::string_view(text).substr(named.at, named.size);
    if (extension == ".mtl" || line.find(' ') == line.npos || !Found(line, path).empty()) {
      put(named.at, named.size);
      continue;
    }
    for (std::size_t at = 0; at < line.size();) {  // several libraries
      const std::size_t end = std::min(line.find(' ', at), line.size());
      if (end > at) put(named.at + at, end - at);
      at = end + 1;
    }
  }
  out.append(text, done);
  return changed ? out : "";
}

std::string AssetCopies::Copy() {
  if (assets_.empty()) return "";
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return "the folder '" + folder_ + "' cannot be made: " + error.message();
  std::size_t count = 0;
  for (const auto& [name, asset] : assets_) {
    Working::On("copying meshes to '" + folder_ + "': " + std::to_string(++count) + " of " +
                std::to_string(assets_.size()));
    const std::string to = (fs::path(folder_) / name).string();
    if (Sha256OfFile(to) == asset.sha256) continue;
    std::string why;
    std::optional<std::string> bytes = asset.text;
    if (asset.text.empty()) bytes = ReadWhole(asset.source, why);
    if (!bytes) return "'" + asset.source + "' cannot be copied: " + why;
    if (Sha256(*bytes) != asset.sha256)
      return "'" + asset.source + "' cannot be copied: the file changes meanwhile";
    ++made_;
    why = WriteWhole(to, *bytes);
    if (!why.empty()) return why;
  }
  return "";
}

std::vector<WrittenFile> AssetCopies::Copies() const {
  std::vector<WrittenFile> made;
  for (const auto& [name, asset] : assets_)
    made.push_back({(fs::path(folder_) / name).string(), asset.sha256});
  return made;
}

}  // namespace kinemorph::tools
