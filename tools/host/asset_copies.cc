#include "host/asset_copies.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "host/asset_kinds.h"
#include "host/files.h"
#include "host/sha256.h"
#include "host/uri_names.h"
#include "host/working.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::tools {
namespace fs = std::filesystem;
namespace {

// Two steps. While the description is converted, NameOf plans: a file is opened, and so is what it
// names (libraries of materials, their pictures, buffers), from the inside out, so that the text of
// each copy can name the copies inside of it. When the description is written, Copy puts them in
// place. Equal content has one copy, by its hash.

fs::path Canonical(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

}  // namespace

AssetCopies::AssetCopies(std::string folder, const std::string& prefix, const std::string& out,
                         std::set<std::string> ours,
                         std::function<bool(const std::string& path)> is_output,
                         const ResourceResolver& files, Diagnostics& said)
    : folder_(std::move(folder)),
      prefix_(prefix),
      ours_(std::move(ours)),
      is_output_(std::move(is_output)),
      files_(files),
      said_(said) {
  if (!prefix_.empty()) {
    // "package://NAME/" is written as its user means it.
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
  const fs::path there = fs::path(folder_) / name;
  if (taken_.count(NameWithoutCase(name)) > 0 || is_output_(there.string())) return true;
  std::error_code error;
  // What an earlier run made may be replaced; what is there with the content that it shall have is
  // the copy.
  if (!fs::exists(fs::symlink_status(there, error))) return false;
  return ours_.count(there.string()) == 0 && Sha256OfFile(there.string()) != sha256;
}

// The name of the copy in the folder; empty where there is none. What a file names comes before it,
// because its own text holds their names. Files may name each other to any depth and in circles.
std::string AssetCopies::Plan(const std::string& path) {
  // A stack of files that wait for the files they name. A file is looked at twice: to be read, and
  // to be kept once all that it names has its name.
  std::vector<Opened> open{{path, {}, {}}};
  while (!open.empty()) {
    if (open.back().bytes) {  // and all that it names has its name
      const Opened file = std::move(open.back());
      open.pop_back();
      name_by_path_[file.path] = Keep(file);
      continue;
    }
    const std::string next = open.back().path;
    // Also the mark of what was looked at: nobody looks twice.
    const bool fresh = name_by_path_.try_emplace(next).second;  // empty: a circle ends here
    if (fresh) open.back().bytes = BytesOf(next);
    if (!open.back().bytes) {
      open.pop_back();
      continue;
    }
    open.back().names = NamesIn(next, *open.back().bytes);
    std::vector<std::string> wanted;
    for (const Named& named : open.back().names) wanted.push_back(named.file);
    wanted.push_back(LibraryBeside(next, *open.back().bytes));
    // Backwards, so that names are given in the order of the text.
    for (auto each = wanted.rbegin(); each != wanted.rend(); ++each)
      if (!each->empty() && name_by_path_.count(*each) == 0) open.push_back({*each, {}, {}});
  }
  return name_by_path_.at(path);
}

// Nothing is copied for its name alone: a description could name any file of the user, and the copy
// would be given away.
// Of a mesh or a picture; nothing, and a warning, for other files.
std::optional<std::string> AssetCopies::BytesOf(const std::string& path) {
  std::string why;
  std::optional<std::string> bytes = ReadWhole(path, why);
  const auto buffer = buffers_.find(path);
  if (bytes)
    why = buffer == buffers_.end() ? WhyNoAsset(path, *bytes)
                                   : WhyNoBuffer(path, *bytes, buffer->second);
  if (why.empty()) return bytes;
  SayNotCopied(path, why);
  return std::nullopt;
}

void AssetCopies::SayNotCopied(const std::string& path, const std::string& why) {
  said_.Add(MakeDiagnostic(Severity::kWarning, "asset-not-copied", path, 0, "",
                           {About("", path), " is not copied: " + why}));
}

// Gives a file its name in the folder: the one that other files of its content have.
std::string AssetCopies::Keep(const Opened& file) {
  const fs::path path(file.path);
  const std::string extension = path.extension().string();
  Asset asset{file.path, "", WithNamesOfCopies(file)};
  asset.sha256 = Sha256(asset.text.empty() ? *file.bytes : asset.text);
  // With the extension: readers tell kinds of files by it.
  const auto [same, fresh] = name_by_hash_.try_emplace(asset.sha256 + extension);
  if (fresh) {
    // Nothing else is written over, and least of all what is still to be copied.
    std::string name = path.filename().string();
    for (int n = 2; Taken(name, asset.sha256); ++n)
      name = path.stem().string() + "_" + std::to_string(n) + extension;
    same->second = name;
    taken_.insert(NameWithoutCase(name));
    assets_[name] = std::move(asset);
  }
  return same->second;
}

// Some readers take the library of an OBJ file's own name, though the file names none.
std::string AssetCopies::LibraryBeside(const std::string& path, std::string_view text) const {
  if (ExtensionOf(path) != ".obj" || !LibrariesOfObj(text).empty()) return "";
  return Found(fs::path(path).filename().replace_extension(".mtl").string(), path);
}

std::string AssetCopies::Found(std::string_view name, const std::string& from) const {
  std::string why, plain(name);
  if (const auto found = files_.Locate(plain, from, why)) return *found;
  std::replace(plain.begin(), plain.end(), '\\', '/');
  return files_.Locate(plain, from, why).value_or("");
}

// What a glTF or COLLADA file names by its address, and cannot do without.
std::vector<AssetCopies::Named> AssetCopies::AddressesIn(const std::string& path,
                                                         std::string_view text) {
  std::vector<Named> names;
  for (const NamedAddress& each :
       ExtensionOf(path) == ".gltf" ? AddressesInGltf(text) : AddressesInDae(text)) {
    std::string file = Found(each.name, path);
    if (file.empty())
      SayNotCopied(each.name, "'" + path + "' names the file, but the file was not found");
    // How long a buffer is stands in the glTF alone, and tells whether the file is one.
    if (each.buffer) buffers_[file] = *each.buffer;
    names.push_back({each.at, each.size, std::move(file), true});
  }
  return names;
}

// What a mesh or a material library names, in its order.
std::vector<AssetCopies::Named> AssetCopies::NamesIn(const std::string& path,
                                                     std::string_view text) {
  const std::string extension = ExtensionOf(path);
  if (extension == ".gltf" || extension == ".dae") return AddressesIn(path, text);
  const std::vector<NamedFile> written = extension == ".obj"   ? LibrariesOfObj(text)
                                         : extension == ".mtl" ? PicturesOfMtl(text)
                                                               : std::vector<NamedFile>();
  std::vector<Named> names;
  for (const NamedFile& each : written) {
    const std::string_view line = text.substr(each.at, each.size);
    if (std::string whole = Found(line, path);
        // Names may have spaces, and so may lists of names: the whole line is tried first.
        extension == ".mtl" || line.find(' ') == line.npos || !whole.empty()) {
      names.push_back({each.at, each.size, std::move(whole)});
      continue;
    }
    for (std::size_t at = 0; at < line.size();) {  // several libraries
      const std::size_t end = std::min(line.find(' ', at), line.size());
      if (end > at)
        names.push_back({each.at + at, end - at, Found(line.substr(at, end - at), path)});
      at = end + 1;
    }
  }
  return names;
}

// The text with the names of the copies; empty where nothing has to change.
std::string AssetCopies::WithNamesOfCopies(const Opened& file) const {
  const std::string_view text = *file.bytes;
  std::string out;
  std::size_t done = 0;
  for (const Named& named : file.names) {
    // Names stand in the order of the text, so one walk replaces them all.
    const auto planned = name_by_path_.find(named.file);
    if (planned == name_by_path_.end() || planned->second.empty()) continue;
    const std::string name = named.address ? AddressOf(planned->second) : planned->second;
    if (name == text.substr(named.at, named.size)) continue;
    out.append(text, done, named.at - done).append(name);
    done = named.at + named.size;
  }
  return done == 0 ? "" : out.append(text, done);
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
    // Between planning and copying the description was proved; another content would not be what
    // was proved.
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
