// Mesh and texture files, as the folder of the target sees them.
#include <unordered_map>

#include "kinemorph/converters/conversion.h"
#include "kinemorph/formats/native_weight.h"
#include "pipeline/asset_names.h"

namespace kinemorph {
namespace {

// A model names its files as the source does, relative to the source. Written elsewhere, each name
// is changed so that the target's folder finds the same file; names are changed once, after all
// passes, and until then everybody asks by the old ones. Made files (a converted mesh) have names
// of the target from the start.
std::vector<std::string_view> Parts(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    // "a/../b" is "b", but leading ".." stay: nothing is known above.
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else if (!part.empty() && part != ".")
      parts.push_back(part);
  }
  return parts;
}

// `file` as `folder` sees it; both absolute.
std::string Relative(std::string_view file, std::string_view folder) {
  const std::vector<std::string_view> to = Parts(file), from = Parts(folder);
  std::size_t same = 0;
  while (same < to.size() && same < from.size() && to[same] == from[same]) ++same;
  std::string path;
  for (std::size_t i = same; i < from.size(); ++i) path += path.empty() ? ".." : "/..";
  for (std::size_t i = same; i < to.size(); ++i) path.append(path.empty() ? "" : "/").append(to[i]);
  return path;
}

// What names a file in kept elements of its format.
template <class Visit>
void VisitKeptFiles(NativeData& native, const Visit& visit) {
  ForEachIn(native.content, [&](NativeElement& element) {
    for (auto& [name, value] : element.attributes)
      if (NamesFile(native.format, name)) visit(value);
  });
}

// Each file name of meshes and textures, and of kept elements, through `rename`; a name twice is
// asked for once.
template <class Rename>
void ForEachAsset(Model& model, const Rename& rename) {
  std::unordered_map<std::string, std::string> known;
  const auto visit = [&](std::string& file) {
    if (file.empty()) return;
    const auto [entry, fresh] = known.emplace(file, file);
    if (fresh) rename(entry->second);
    file = entry->second;
  };
  const auto visit_shape = [&](Shape& shape) {
    if (auto* mesh = std::get_if<Mesh>(&shape)) visit(mesh->uri);
    if (auto* kept = std::get_if<NativeShape>(&shape)) VisitKeptFiles(kept->data, visit);
  };
  for (NativeData& native : model.native) VisitKeptFiles(native, visit);
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    for (Collision& collision : link.collisions) visit_shape(collision.shape);
    for (Visual& visual : link.visuals) {
      visit_shape(visual.shape);
      if (visual.material && visual.material->texture) visit(*visual.material->texture);
    }
  }
}

// The name that a file gets where it stays, seen from the folder of the target.
std::string Rebased(const std::string& file, const std::string& in,
                    const std::string& source_folder, const std::string& target_folder,
                    const ResourceResolver& resolver, const TargetTraits& target,
                    bool same_format) {
  // An absolute path, an address that the target opens, and anything in the same folder stay: a
  // name that works is not touched. What is not found stays as its author wrote it. A name of no
  // package leads from the robot's own folder, as one without an address, but no other format has
  // it.
  const bool nameless = file.starts_with("package:///");
  const bool address = file.find("://") != std::string::npos && !nameless;
  const bool stays = source_folder == target_folder && (!nameless || same_format);
  if (file[0] == '/' || (address ? target.opens_addresses : stays)) return file;
  std::string why;
  const auto found = resolver.Locate(file, in, why);
  return found ? Relative(*found, target_folder) : file;
}

// Empty where it is not found, or gets no other name.
std::string Renamed(const std::string& file, const std::string& in,
                    const ResourceResolver& resolver, const AssetName& asset_name) {
  std::string why;
  const auto found = resolver.Locate(file, in, why);
  return found ? asset_name(*found) : "";
}

}  // namespace

void AssetNames::Hold(Model& model) {
  const std::string& stem = request_.options.target.options.stem;
  const std::string folder =
      request_.mesh_folder.value_or((stem.empty() ? "robot" : stem) + "_meshes/");
  const auto hold = [&](Shape& shape) {
    auto* const mesh = std::get_if<Mesh>(&shape);
    if (mesh == nullptr || !mesh->content) return;
    const std::string name = folder + mesh->uri;
    made_.try_emplace(name, SideFile{name, *mesh->content, SideFileKind::kMesh});
    mesh->uri = std::string(kMadeHere) + name;
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    for (Visual& visual : model.link(LinkId{v}).visuals) hold(visual.shape);
    for (Collision& collision : model.link(LinkId{v}).collisions) hold(collision.shape);
  }
}

std::vector<SideFile> AssetNames::Held(const Model& model) const {
  std::map<std::string, SideFile> files;
  const auto take = [&](const Shape& shape) {
    const auto* const mesh = std::get_if<Mesh>(&shape);
    if (mesh == nullptr) return;
    const auto made = made_.find(mesh->uri);
    if (made != made_.end() && made->second.kind == SideFileKind::kMesh) files.insert(*made);
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    for (const Visual& visual : model.link(LinkId{v}).visuals) take(visual.shape);
    for (const Collision& collision : model.link(LinkId{v}).collisions) take(collision.shape);
  }
  std::vector<SideFile> held;
  for (auto& [name, file] : files) held.push_back(std::move(file));
  return held;
}

MeshConverter AssetNames::Converter() {
  if (!request_.convert_mesh || request_.resolver == nullptr) return {};
  return [this](const std::string& mesh, bool by_colour) {
    std::string why;
    const auto found = request_.resolver->Locate(mesh, request_.in, why);
    std::vector<ConvertedMesh> converted;
    if (!found) return converted;
    for (MadeMesh& made : request_.convert_mesh(*found, by_colour)) {
      converted.push_back({std::string(kMadeHere) + made.file.name, made.colour});
      made_[made.file.name] = std::move(made.file);
    }
    return converted;
  };
}

void AssetNames::Rename(Model& model, const TargetTraits& target) {
  named_ = true;
  const bool same_format = model.format.starts_with(target.native_format);
  ForEachAsset(model, [&](std::string& file) {
    if (file.starts_with(kMadeHere)) {
      file.erase(0, kMadeHere.size());
      return;
    }
    if (request_.resolver == nullptr) return;
    const ResourceResolver& files = *request_.resolver;
    const std::string before = file;
    std::string renamed;
    if (request_.asset_name) renamed = Renamed(file, request_.in, files, request_.asset_name);
    if (!renamed.empty())
      file = renamed;
    else if (request_.source_folder && request_.target_folder)
      file = Rebased(file, request_.in, *request_.source_folder, *request_.target_folder, files,
                     target, same_format);
    // Both directions are kept: for the resolver, where of two files with one name the first
    // counts, and for the report, which tells a proof that the two names are one file.
    source_of_.emplace(file, before);
    if (file != before) renamed_.emplace(file, before);
  });
}

// Empty where there is no such file, and why.
std::string AssetNames::NameInSource(std::string_view uri, std::string& why) const {
  why = "not found";
  if (request_.resolver == nullptr) return "";
  if (!named_) return std::string(uri);
  const auto source = source_of_.find(std::string(uri));
  return source == source_of_.end() ? "" : source->second;
}

std::optional<Resource> AssetNames::Open(std::string_view uri, std::string_view,
                                         std::string& why) const {
  const std::string name(uri.starts_with(kMadeHere) ? uri.substr(kMadeHere.size()) : uri);
  if (const auto made = made_.find(name); made != made_.end())
    return Resource{name, made->second.text};
  const std::string source = NameInSource(uri, why);
  if (source.empty()) return std::nullopt;
  return request_.resolver->Open(source, request_.in, why);
}

std::optional<Resource> AssetNames::OpenStart(std::string_view uri, std::string_view from,
                                              std::string& why) const {
  const std::string source = NameInSource(uri, why);
  if (source.empty() || uri.starts_with(kMadeHere) || made_.contains(std::string(uri)))
    return Open(uri, from, why);
  return request_.resolver->OpenStart(source, request_.in, why);
}

std::optional<std::string> AssetNames::Locate(std::string_view uri, std::string_view,
                                              std::string& why) const {
  if (uri.starts_with(kMadeHere) || made_.contains(std::string(uri))) return std::string(uri);
  const std::string source = NameInSource(uri, why);
  if (source.empty()) return std::nullopt;
  return request_.resolver->Locate(source, request_.in, why);
}

}  // namespace kinemorph
