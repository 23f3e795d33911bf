#include "fragment.h"

#include <algorithm>

namespace kinemorph::xml {
namespace {

// Paths of names, without numbers: of several elements of one name LeafText gives the first. An
// element with attributes is listed too, but is not plain, so that nobody takes its text for all of
// it.
void Collect(const NativeElement& element, const std::string& path, std::vector<Leaf>& leaves) {
  for (const NativeElement& child : element.children) {
    if (!child.IsElement()) continue;
    const std::string here = (path.empty() ? "" : path + "/") + child.name;
    const bool plain = child.attributes.empty();
    const bool leaf = std::none_of(child.children.begin(), child.children.end(),
                                   [](const NativeElement& c) { return c.IsElement(); });
    const std::string_view text = leaf ? child.Text() : std::string_view();
    if (!plain || !text.empty()) leaves.push_back({here, std::string(text), plain && leaf});
    if (!leaf) Collect(child, here, leaves);
  }
}

}  // namespace

std::vector<Leaf> LeavesOf(const NativeElement& piece) {
  std::vector<Leaf> leaves;
  Collect(piece, "", leaves);
  return leaves;
}

std::string LeafText(const std::vector<Leaf>& leaves, std::string_view path) {
  for (const Leaf& leaf : leaves)
    if (leaf.path == path) return leaf.text;
  return "";
}

void SetLeaf(NativeElement& piece, std::string_view path, std::string_view text) {
  NativeElement* at = &piece;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    NativeElement* const next = at->Child(name);
    at = next != nullptr ? next : &at->Add(name);
  }
  at->text = text;
}

}  // namespace kinemorph::xml
