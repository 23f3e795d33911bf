#include "missing_files.h"

#include <algorithm>

#include "kinemorph/formats/lfs_pointer.h"

namespace kinemorph::xml {

// A robot whose package is not found lacks all its meshes for one reason: files are told in groups,
// by package, model or folder, each with one example and a count. Each name is looked for once, and
// only the start of a file is read, which is enough to tell a pointer of Git LFS from a mesh.

namespace {

std::string GroupOf(std::string_view uri) {
  // Nothing of a package is found: its name is the reason. Other names are grouped by their folder.
  if (const std::size_t scheme = uri.find("://"); scheme != std::string_view::npos) {
    const std::string_view rest = uri.substr(scheme + 3);
    const std::string_view kind = uri.substr(0, scheme);
    const std::string name(rest.substr(0, rest.find('/')));
    if (kind == "package" || kind == "model")
      return std::string(kind) + (name.empty() ? " without a name" : " '" + name + "'");
  }
  const std::size_t slash = uri.find_last_of("/\\");
  return slash == std::string_view::npos ? "folder '.'"
                                         : "folder '" + std::string(uri.substr(0, slash)) + "'";
}

}  // namespace

void MissingFiles::Look(const std::string& uri, SourceLocation where, const std::string& from) {
  if (options_.resolver == nullptr || uri.empty() || !looked_.insert(uri).second) return;
  std::string why, why_beside;
  // Relative to the file that names it, and to the main file: tools disagree on which one is meant
  // in an included file.
  auto file = options_.resolver->OpenStart(uri, from.empty() ? options_.file_name : from, why);
  if (!file && !from.empty() && from != options_.file_name)
    file = options_.resolver->OpenStart(uri, options_.file_name, why_beside);
  if (!file)
    Add(uri, where, why);
  else if (IsLfsPointer(file->content))
    Add(pointers_, uri, where, "");
}

void MissingFiles::LookForAll(const Model& model) {
  if (options_.resolver == nullptr) return;
  // A shape without a place of its own (made while reading) is told at its link.
  const auto look = [&](const Shape& shape, SourceLocation where, SourceLocation owner) {
    if (const auto* mesh = std::get_if<Mesh>(&shape); mesh && !mesh->content)
      Look(mesh->uri, where.line > 0 ? where : owner, model.FileName(owner));
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    const Link& link = model.link(LinkId{v});
    for (const Visual& visual : link.visuals) {
      look(visual.shape, visual.where, link.where);
      if (visual.material && visual.material->texture)
        Look(*visual.material->texture, visual.material->where, model.FileName(link.where));
    }
    for (const Collision& collision : link.collisions)
      look(collision.shape, collision.where, link.where);
  }
}

void MissingFiles::Add(const std::string& uri, SourceLocation where, const std::string& why) {
  missing_.insert(uri);
  Add(groups_, uri, where, why);
}

void MissingFiles::Add(std::vector<Group>& groups, const std::string& uri, SourceLocation where,
                       const std::string& why) {
  const std::string name = GroupOf(uri);
  auto group =
      std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
  if (group == groups.end()) group = groups.insert(group, {name, uri, why, where, 0});
  ++group->count;
}

void MissingFiles::Report(const Model& model, Diagnostics& diagnostics) const {
  for (const Group& group : groups_) {
    const bool one = group.count == 1;
    // "not found" says nothing more; a fence or a missing package does. Reasons come before names,
    // of which a line may hold only the start.
    const std::string why = group.why.empty() || group.why == "not found" ? "" : ": " + group.why;
    std::string what =
        one ? "file '" + group.first + "' is not found" + why + "; its name is kept as written"
            : std::to_string(group.count) + " files are not found" + why + "; the first is '" +
                  group.first + "'; their names are kept as written";
    diagnostics.Add(MessageAt(model, group.where, Severity::kWarning, "resource-not-found",
                              {group.name, std::move(what)}));
  }
  for (const Group& group : pointers_) {
    const bool one = group.count == 1;
    diagnostics.Add(MessageAt(
        model, group.where, Severity::kWarning, "resource-not-fetched",
        {group.name, (one ? "file '" + group.first + "' is a Git LFS pointer and holds no mesh"
                          : std::to_string(group.count) +
                                " files are Git LFS pointers and hold no meshes, the first is '" +
                                group.first + "'") +
                         "; run \"git lfs pull\" in their repository"}));
  }
}

}  // namespace kinemorph::xml
