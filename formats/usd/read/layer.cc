#include "read/layer.h"

#include <algorithm>

namespace kinemorph::usd {

bool Prim::Has(std::string_view api) const {
  return std::find(apis.begin(), apis.end(), api) != apis.end();
}

// Looking up is reading: what is never looked up is told at the end.
const Property* Prim::Find(std::string_view property) const {
  const auto found = std::lower_bound(
      properties.begin(), properties.end(), property,
      [](const Property& one, std::string_view wanted) { return one.name < wanted; });
  if (found == properties.end() || found->name != property) return nullptr;
  found->used = true;
  return &*found;
}

// Two prims of one name under one parent would be one prim to USD, and the file is wrong.
bool Layer::Add(Prim prim) {
  const auto id = static_cast<PrimId>(prims.size());
  if (!by_name_.emplace(Key{prim.parent, prim.name}, id).second) return false;
  PrimId& last = prim.parent == kNoPrim ? last_root_ : prims[prim.parent].last;
  if (last != kNoPrim)
    prims[last].next = id;
  else if (prim.parent != kNoPrim)
    prims[prim.parent].first = id;
  last = id;
  prims.push_back(std::move(prim));
  return true;
}

PrimId Layer::AddVariant(PrimId prim, std::string_view set, Prim content) {
  const auto id = static_cast<PrimId>(prims.size());
  prims[prim].variants.push_back({set, content.name, id});
  prims.push_back(std::move(content));
  return id;
}

PrimId Layer::FindChild(PrimId parent, std::string_view name) const {
  const auto found = by_name_.find({parent, name});
  return found == by_name_.end() ? kNoPrim : found->second;
}

// A property behind a dot is none of its business.
// Relative paths start at the prim that names them.
PrimId Layer::FindPath(std::string_view path, PrimId from) const {
  PrimId at = path.starts_with('/') ? kNoPrim : from;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name == "..") {
      if (at == kNoPrim) return kNoPrim;
      at = prims[at].parent;
      continue;
    }
    if (name == ".") name = {};
    name = name.substr(0, name.find('.'));
    if (name.empty()) continue;
    at = FindChild(at, name);
    if (at == kNoPrim) return kNoPrim;
  }
  return at;
}

std::string Layer::PathOf(PrimId prim) const {
  std::vector<std::string_view> names;
  for (; prim != kNoPrim; prim = prims[prim].parent) names.push_back(prims[prim].name);
  std::string path;
  for (auto name = names.rbegin(); name != names.rend(); ++name) path.append("/").append(*name);
  return path;
}

std::pair<std::uint32_t, std::uint32_t> Reporter::PlaceOf(std::uint32_t line) const {
  const auto behind =
      std::upper_bound(sources.begin(), sources.end(), line,
                       [](std::uint32_t wanted, const Source& one) { return wanted < one.first; });
  if (behind == sources.begin()) return {0, line};
  const Source& source = *std::prev(behind);
  return {static_cast<std::uint32_t>(&source - sources.data()),
          source.lines ? line - source.first : 0};
}

Diagnostic& Reporter::Say(Severity severity, const char* code, std::uint32_t line,
                          Statement statement) const {
  const auto [source, own_line] = PlaceOf(line);
  return diagnostics.Add(MakeDiagnostic(severity, code,
                                        source < sources.size() ? sources[source].file : file,
                                        own_line, "", std::move(statement)));
}

std::string FlattenCommand(const std::string& file) {
  // In the folder of the file, beside it, so that relative names of meshes stay true.
  const std::size_t dot = file.find_last_of("./\\");
  const bool extension = dot != std::string::npos && file[dot] == '.';
  return "usdcat --flatten " + file + " -o " + (extension ? file.substr(0, dot) : file) +
         "_flat.usda";
}

}  // namespace kinemorph::usd
