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

}  // namespace

void RebaseAssets(Model& model, const std::string& in, const std::string& source_folder,
                  const std::string& target_folder, const ResourceResolver& resolver,
                  bool plain_files) {
  const bool same_folder = source_folder == target_folder;
  std::unordered_map<std::string, std::string> known;
  const auto rebase = [&](std::string& file) {
    const bool address = file.find("://") != std::string::npos;
    if (file.empty() || file[0] == '/' || (address ? !plain_files : same_folder)) return;
    const auto [entry, fresh] = known.emplace(file, file);
    if (fresh) {
      std::string why;
      const auto found = resolver.Locate(file, in, why);
      if (found) entry->second = Relative(*found, target_folder);
    }
    file = entry->second;
  };
  const auto rebase_shape = [&](Shape& shape) {
    if (auto* mesh = std::get_if<Mesh>(&shape)) rebase(mesh->uri);
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    for (Collision& collision : link.collisions) rebase_shape(collision.shape);
    for (Visual& visual : link.visuals) {
      rebase_shape(visual.shape);
      if (visual.material && visual.material->texture) rebase(*visual.material->texture);
    }
  }
}

}  // namespace kinemorph
