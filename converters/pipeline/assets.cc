// Mesh and texture files, as the folder of the target sees them.
#include <unordered_map>

#include "kinemorph/converters/conversion.h"

namespace kinemorph {
namespace {

std::vector<std::string_view> Parts(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
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

// Each file name of meshes and textures, through `rename`; a name twice is asked for once.
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
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    for (Collision& collision : link.collisions) visit_shape(collision.shape);
    for (Visual& visual : link.visuals) {
      visit_shape(visual.shape);
      if (visual.material && visual.material->texture) visit(*visual.material->texture);
    }
  }
}

}  // namespace

void RebaseAssets(Model& model, const std::string& in, const std::string& source_folder,
                  const std::string& target_folder, const ResourceResolver& resolver,
                  bool plain_files) {
  const bool same_folder = source_folder == target_folder;
  ForEachAsset(model, [&](std::string& file) {
    const bool address = file.find("://") != std::string::npos;
    if (file[0] == '/' || (address ? !plain_files : same_folder)) return;
    std::string why;
    if (const auto found = resolver.Locate(file, in, why)) file = Relative(*found, target_folder);
  });
}

void RenameAssets(Model& model, const std::string& in, const ResourceResolver& resolver,
                  const AssetName& asset_name) {
  ForEachAsset(model, [&](std::string& file) {
    std::string why;
    if (const auto found = resolver.Locate(file, in, why)) file = asset_name(*found);
  });
}

}  // namespace kinemorph
