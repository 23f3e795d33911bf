#include "asset_copies.h"

#include <filesystem>

#include "files.h"
#include "sha256.h"

namespace kinemorph::tools {
namespace fs = std::filesystem;
namespace {

fs::path Canonical(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

// Counts what was not there yet.
std::string CopyOne(const std::string& from, const std::string& to, std::size_t& made) {
  std::string why;
  const std::optional<std::string> bytes = ReadWhole(from, why);
  if (!bytes) return "'" + from + "' cannot be copied: " + why;
  if (SameFile(from, to) || ReadWhole(to, why) == bytes) return "";
  ++made;
  return WriteWhole(to, *bytes);
}

}  // namespace

AssetCopies::AssetCopies(std::string folder, const std::string& prefix, const std::string& out,
                         bool own)
    : folder_(std::move(folder)), prefix_(prefix), own_(own) {
  if (!prefix_.empty()) {
    while (prefix_.size() > 1 && prefix_.back() == '/') prefix_.pop_back();
    return;
  }
  const fs::path to = Canonical(folder_), from = Canonical(fs::path(out)).parent_path();
  prefix_ = to.lexically_relative(from).generic_string();
  if (prefix_ == ".") prefix_.clear();
}

std::string AssetCopies::NameOf(const std::string& path) {
  const auto named = [&](const std::string& name) {
    return prefix_.empty() ? name : prefix_ + "/" + name;
  };
  if (const auto known = name_by_path_.find(path); known != name_by_path_.end())
    return named(known->second);
  const fs::path file(path);
  const std::string sum = Sha256OfFile(path), extension = file.extension().string();
  const auto [same, fresh] = name_by_hash_.try_emplace(sum + extension);
  if (fresh) {
    // Nothing else is written over, and least of all what is still to be copied.
    const auto taken = [&](const std::string& name) {
      const fs::path there = fs::path(folder_) / name;
      std::error_code error;
      return sources_.count(name) > 0 ||
             (!own_ && fs::exists(there, error) && Sha256OfFile(there.string()) != sum);
    };
    std::string name = file.filename().string();
    for (int n = 2; taken(name); ++n)
      name = file.stem().string() + "_" + std::to_string(n) + extension;
    same->second = name;
    sources_[name] = path;
  }
  name_by_path_[path] = same->second;
  return named(same->second);
}

std::string AssetCopies::Copy() {
  if (sources_.empty()) return "";
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return "the folder '" + folder_ + "' cannot be made: " + error.message();
  for (const auto& [name, path] : sources_) {
    std::string why = CopyOne(path, (fs::path(folder_) / name).string(), made_);
    const std::string library = LibraryOf(path);
    if (why.empty() && !library.empty())
      why = CopyOne(library, (fs::path(folder_) / fs::path(library).filename()).string(), made_);
    if (!why.empty()) return why;
  }
  return "";
}

std::string AssetCopies::LibraryOf(const std::string& path) {
  const fs::path library = fs::path(path).replace_extension(".mtl");
  std::error_code error;
  return fs::path(path).extension() == ".obj" && fs::is_regular_file(library, error)
             ? library.string()
             : "";
}

std::vector<WrittenFile> AssetCopies::Copies() const {
  std::set<std::string> paths;
  for (const auto& [name, path] : sources_) {
    paths.insert((fs::path(folder_) / name).string());
    if (const std::string library = LibraryOf(path); !library.empty())
      paths.insert((fs::path(folder_) / fs::path(library).filename()).string());
  }
  std::vector<WrittenFile> made;
  for (const std::string& path : paths) made.push_back({path, Sha256OfFile(path)});
  return made;
}

}  // namespace kinemorph::tools
