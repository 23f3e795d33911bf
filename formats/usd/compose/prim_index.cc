#include "compose/prim_index.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "read/lexer.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

constexpr int kMostNested = 64;  // arcs in arcs
constexpr std::size_t kMostNodes = 500;
// What a stage may take beside what its texts take: a small one 24 MB.
constexpr std::uint64_t kStageFree = 24'000'000, kStageTimes = 64;
constexpr std::uint64_t kNodeBytes = 100;  // of work: that of a prim is 20 times that

// `path` is `above`, or stands in it.
bool Within(std::string_view path, std::string_view above) {
  return path.starts_with(above) &&
         (path.size() == above.size() || path[above.size()] == '/' || path[above.size()] == '.');
}

// "<../x>" of "/a/b" is "/a/x".
std::string Absolute(std::string_view path, std::string_view prim) {
  if (path.starts_with('/')) return std::string(path);
  while (path.starts_with("..")) {
    prim = prim.substr(0, std::min(prim.rfind('/'), prim.size()));
    path.remove_prefix(path.starts_with("../") ? 3 : 2);
  }
  return std::string(prim) + (path.empty() || path[0] == '.' ? "" : "/") + std::string(path);
}

std::vector<std::string_view> ElementsOf(std::string_view path) {
  std::vector<std::string_view> elements;
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    elements.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return elements;
}

std::size_t DepthOf(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
}

using PathPairs = std::vector<std::pair<std::string, std::string>>;

// By the pair that fits closest. Nothing where none does, or where another prim has the place.
std::optional<std::string> Mapped(const PathPairs& pairs, std::string_view path, bool back) {
  const auto from = [&](const auto& pair) { return back ? pair.second : pair.first; };
  const auto to = [&](const auto& pair) { return back ? pair.first : pair.second; };
  const std::pair<std::string, std::string>* best = nullptr;
  for (const auto& pair : pairs)
    if (Within(path, from(pair)) && (best == nullptr || from(pair).size() > from(*best).size()))
      best = &pair;
  if (best == nullptr) return std::nullopt;
  std::string out = to(*best) + std::string(path.substr(from(*best).size()));
  for (const auto& pair : pairs)
    if (Within(out, to(pair)) && to(pair).size() > to(*best).size()) return std::nullopt;
  return out;
}

// First the inner one.
PathPairs Joined(const PathPairs& inner, const PathPairs& outer) {
  PathPairs pairs;
  const auto add = [&](std::string from, std::string to) {
    const std::pair pair(std::move(from), std::move(to));
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  };
  for (const auto& [from, to] : inner)
    if (auto there = Mapped(outer, to, false)) add(from, std::move(*there));
  for (const auto& [from, to] : outer)
    if (auto there = Mapped(inner, from, true)) add(std::move(*there), to);
  return pairs;
}

// { string Physics = "on" }: what is chosen of a set.
std::optional<std::string> ChoiceIn(std::string_view value, std::string_view set) {
  Lexer lexer(value);
  std::string_view key;
  for (Token t = lexer.Next(); t.kind != TokenKind::kEnd; t = lexer.Next()) {
    if (t.Is('=')) {
      const Token chosen = lexer.Next();
      if (key == set && chosen.kind == TokenKind::kString) return std::string(chosen.text);
    } else if (t.kind == TokenKind::kName || t.kind == TokenKind::kString) {
      key = t.text;
    }
  }
  return std::nullopt;
}

}  // namespace

// What an arc names, with where it is written.
struct Indexer::Target {
  AssetName name;
  std::string_view field;
  LayerId layer;
  std::uint32_t line;
  std::string key;  // the same for all layers
  friend bool operator<(const Target& a, const Target& b) { return a.key < b.key; }
};

std::optional<std::string> Node::OnStage(std::string_view target) const {
  std::string at = Absolute(target, path);
  return map == nullptr ? std::optional(at) : Mapped(map->pairs, at, false);
}

std::vector<std::uint32_t> ByStrength(const PrimIndex& nodes, std::uint32_t top) {
  std::vector<std::vector<std::uint32_t>> children(nodes.size());
  for (auto i = top + 1; i < nodes.size(); ++i) children[nodes[i].parent].push_back(i);
  std::vector<std::uint32_t> order, waiting = {top};
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    order.push_back(node);
    // The strongest child comes next, with all below it.
    std::vector<std::uint32_t>& below = children[node];
    std::sort(below.begin(), below.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto rank = [](const Node& n) {
        return std::tuple(n.kind, -static_cast<long>(n.depth), n.implied, n.order);
      };
      return rank(nodes[b]) < rank(nodes[a]);
    });
    waiting.insert(waiting.end(), below.begin(), below.end());
  }
  return order;
}

bool Budget::Take(std::uint64_t bytes) {
  taken_ += bytes;
  if (taken_ <= kStageFree + kStageTimes * layers_.size()) return true;
  if (!exceeded_)
    report_.Say(Severity::kError, "usd-too-large", 0,
                {"", report_.file,
                 "its references repeat prims so often that it would take more memory than files "
                 "of this size may"});
  exceeded_ = true;
  return false;
}

PrimIndex Indexer::Root() {
  Node root;
  for (const LayerId layer : layers_.StackOf(0)) root.specs.push_back({layer, kNoPrim});
  return {root};
}

// Below an instance only what came with its own arcs counts.
void Indexer::KeepOfInstance(PrimIndex& nodes, std::uint32_t top) const {
  std::vector<bool> counts(nodes.size());
  for (auto i = top + 1; i < nodes.size(); ++i)
    counts[i] = nodes[i].direct || counts[nodes[i].parent];
  if (std::find(counts.begin(), counts.end(), true) == counts.end()) return;
  for (const std::uint32_t i : ByStrength(nodes, top)) {
    for (const Spec& spec : nodes[i].specs) {
      if (spec.prim == kNoPrim || !PrimOf(spec).instanceable) continue;
      if (!*PrimOf(spec).instanceable) return;
      for (auto k = top; k < nodes.size(); ++k)
        if (!counts[k]) nodes[k].specs.clear();
      return;
    }
  }
}

PrimIndex Indexer::Child(const PrimIndex& parent, std::string_view name) {
  PrimIndex all = parent;
  KeepOfInstance(all, 0);
  Descend(all, 0, name);
  // What says nothing here says nothing further down.
  std::vector<bool> needed(all.size());
  needed[0] = true;
  for (auto i = static_cast<std::uint32_t>(all.size()); i-- > 1;)
    if (needed[i] || !all[i].specs.empty()) needed[i] = needed[all[i].parent] = true;
  PrimIndex nodes;
  std::vector<std::uint32_t> place(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!needed[i]) continue;
    place[i] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(std::move(all[i]));
    nodes.back().parent = place[nodes.back().parent];
  }
  FollowArcs(nodes, 0);
  ChooseVariants(nodes, 0);
  return nodes;
}

void Indexer::Descend(PrimIndex& nodes, std::uint32_t top, std::string_view name) const {
  for (auto i = top; i < nodes.size(); ++i) {
    Node& node = nodes[i];
    node.direct = false;
    node.path.append("/").append(name);
    std::vector<Spec> specs;
    for (const Spec& spec : node.specs)
      if (const PrimId child = layers_[spec.layer].FindChild(spec.prim, name); child != kNoPrim)
        specs.push_back({spec.layer, child});
    node.specs = std::move(specs);
  }
}

// Of the nodes from `at` on, and of those that come with the arcs.
void Indexer::FollowArcs(PrimIndex& nodes, std::uint32_t at) {
  for (; at < nodes.size() && !failed(); ++at) {
    if (!work_.Take(kNodeBytes)) return;
    const bool any = std::any_of(nodes[at].specs.begin(), nodes[at].specs.end(),
                                 [&](const Spec& spec) { return !PrimOf(spec).edits.empty(); });
    if (!any) continue;
    for (const char* const field : {"specializes", "relocates"})
      for (const Target& target : Targets(nodes[at], field))
        Fail(target, "which kinemorph does not compose");
    std::size_t order = 0;
    for (const Target& target : Targets(nodes[at], "inherits")) Inherit(nodes, at, target, order++);
    for (const Target& target : Targets(nodes[at], "references"))
      Bring(nodes, at, NodeKind::kReference, target, order++);
    for (const Target& target : Targets(nodes[at], "payload"))
      Bring(nodes, at, NodeKind::kPayload, target, order++);
  }
}

std::vector<Indexer::Target> Indexer::Targets(const Node& node, std::string_view field) const {
  std::vector<Target> list;
  for (auto spec = node.specs.rbegin(); spec != node.specs.rend(); ++spec) {
    ForEachEdit(PrimOf(*spec), field, [&](const Edit& said) {
      std::vector<Target> items;
      for (AssetName& name : AssetsIn(said.value)) {
        const std::string key = layers_.Seen(name.file, spec->layer) + "<" + name.prim;
        items.push_back({std::move(name), field, spec->layer, said.line, key});
      }
      ApplyEdit(said.edit, items, list);
    });
  }
  return list;
}

void Indexer::Fail(const Target& target, const std::string& why) {
  failures_.push_back({target.field, layers_.Seen(target.name.file, target.layer), target.name.prim,
                       why, target.line});
}

// A class, and what outer layers know of a class of its name.
void Indexer::Inherit(PrimIndex& nodes, std::uint32_t at, const Target& target, std::size_t order) {
  std::string path = target.name.prim;
  Node node{.kind = NodeKind::kInherit, .parent = at, .stack = nodes[at].stack, .order = order};
  Graft(nodes, node, path, true, target);
  node.implied = true;
  for (std::uint32_t i = at; i != top_ && !failed(); i = nodes[i].parent) {
    if (nodes[i].kind == NodeKind::kVariant) continue;
    const PathMap& map = *nodes[i].map;
    const bool moved = Within(path, map.from);
    if (moved) path = map.to + path.substr(map.from.size());
    node.parent = nodes[i].parent, node.stack = nodes[node.parent].stack;
    if (moved || node.stack != nodes[i].stack) Graft(nodes, node, path, true, target);
  }
}

// A reference or payload: a prim of another file, or of the same layers.
void Indexer::Bring(PrimIndex& nodes, std::uint32_t at, NodeKind kind, const Target& target,
                    std::size_t order) {
  const auto& [file, prim] = target.name;
  Node node{.kind = kind, .parent = at, .stack = nodes[at].stack, .order = order};
  if (!file.empty()) {
    std::string why;
    std::optional<LayerId> layer;
    if (IsLayerName(file))
      layer = layers_.Open(file, target.layer, why);
    else
      why = "it is not a file of USD";
    if (!layer && why.empty()) failed_ = true;  // its bytes are wrong, which is told
    if (!layer && !why.empty()) Fail(target, "which cannot be read: " + why);
    if (!layer) return;
    node.stack = *layer;
  }
  std::string path = prim.empty() ? layers_[node.stack].default_prim : prim;
  if (path.empty()) return Fail(target, "which has no default prim");
  if (path[0] != '/') path.insert(0, 1, '/');
  if (!Graft(nodes, node, path, node.stack == nodes[at].stack, target) && !failed())
    Fail(target, "where there is no prim '" + path + "'");
}

// Adds the node of an arc, with all that the prims above its own bring. False, and nothing is
// added, where nobody speaks of it.
bool Indexer::Graft(PrimIndex& nodes, Node node, const std::string& path, bool identity,
                    const Target& target) {
  const std::vector<std::string_view> elements = ElementsOf(path);
  if (elements.empty()) return false;  // the root of a layer is no prim
  const auto top = static_cast<std::uint32_t>(nodes.size());
  node.nesting = nodes[node.parent].nesting + 1;
  std::string wrong = node.nesting > kMostNested ? "leads through more than 64 arcs"
                      : top >= kMostNodes        ? "is one of more than 500 arcs to one prim"
                                                 : "";
  for (std::uint32_t i = node.parent;; i = nodes[i].parent) {
    if (nodes[i].stack == node.stack &&
        (Within(path, nodes[i].path) || Within(nodes[i].path, path))) {
      if (node.implied) return false;
      wrong = "leads in a circle: '" + path + "' is brought into itself";
    }
    if (i == 0) break;
  }
  if (!wrong.empty()) {
    report_.Say(Severity::kError, "usd-arcs", target.line,
                {"prim", nodes[0].path, "'" + std::string(target.field) + "' " + wrong});
    failed_ = true;
    return false;
  }
  const Node& holder = nodes[node.parent];
  node.depth = DepthOf(holder.path);
  PathPairs pairs = {{path, holder.path}};
  if (identity) pairs.emplace_back("", "");
  if (holder.map != nullptr) pairs = Joined(pairs, holder.map->pairs);
  node.map = std::make_shared<PathMap>(PathMap{path, holder.path, std::move(pairs)});
  for (const LayerId layer : layers_.StackOf(node.stack)) node.specs.push_back({layer, kNoPrim});
  nodes.push_back(std::move(node));
  const std::uint32_t outer = std::exchange(top_, top);
  for (std::size_t i = 0; i < elements.size() && !failed(); ++i) {
    if (i > 0) FollowArcs(nodes, top), ChooseVariants(nodes, top), KeepOfInstance(nodes, top);
    Descend(nodes, top, elements[i]);
  }
  top_ = outer;
  nodes[top].direct = true;
  const bool any = std::any_of(nodes.begin() + top, nodes.end(),
                               [](const Node& one) { return !one.specs.empty(); });
  if (!any || failed()) nodes.resize(top);
  return any && !failed();
}

// Last of all, since a choice is the strongest opinion over all arcs. A variant may have arcs and
// further sets.
void Indexer::ChooseVariants(PrimIndex& nodes, std::uint32_t top) {
  std::set<std::pair<std::uint32_t, std::string>> asked;
  while (!failed() && ChooseOneVariant(nodes, top, asked)) {}
}

bool Indexer::ChooseOneVariant(PrimIndex& nodes, std::uint32_t top,
                               std::set<std::pair<std::uint32_t, std::string>>& asked) {
  const auto has_sets = [&](const Node& node) {
    return std::any_of(node.specs.begin(), node.specs.end(),
                       [&](const Spec& spec) { return !PrimOf(spec).variants.empty(); });
  };
  if (std::none_of(nodes.begin() + top, nodes.end(), has_sets)) return false;
  const std::vector<std::uint32_t> order = ByStrength(nodes, top);
  for (const std::uint32_t node : order) {
    if (!has_sets(nodes[node])) continue;
    std::vector<std::string> sets;
    for (auto spec = nodes[node].specs.rbegin(); spec != nodes[node].specs.rend(); ++spec)
      ForEachEdit(PrimOf(*spec), "variantSets",
                  [&](const Edit& said) { ApplyEdit(said.edit, StringsIn(said.value), sets); });
    for (std::size_t i = 0; i < sets.size(); ++i) {
      // What is not chosen now may be by a variant that comes yet.
      const std::string choice = Selected(nodes, order, sets[i]);
      if (!choice.empty() && asked.emplace(node, sets[i]).second &&
          AddVariant(nodes, node, sets[i], choice, i))
        return true;
    }
  }
  return false;
}

std::string Indexer::Selected(const PrimIndex& nodes, const std::vector<std::uint32_t>& order,
                              std::string_view set) const {
  for (const std::uint32_t node : order)
    for (const Spec& spec : nodes[node].specs)
      for (const Edit& said : PrimOf(spec).edits)
        if (said.field == "variants")
          if (const std::optional<std::string> choice = ChoiceIn(said.value, set)) return *choice;
  return {};
}

bool Indexer::AddVariant(PrimIndex& nodes, std::uint32_t at, std::string_view set,
                         std::string_view variant, std::size_t order) {
  Node node = nodes[at];
  node.kind = NodeKind::kVariant, node.implied = false, node.direct = true;
  node.parent = at, node.depth = DepthOf(node.path), node.order = order;
  node.specs.clear();
  for (const Spec& spec : nodes[at].specs)
    for (const Variant& one : PrimOf(spec).variants)
      if (one.set == set && one.name == variant) node.specs.push_back({spec.layer, one.content});
  if (node.specs.empty()) return false;
  nodes.push_back(std::move(node));
  FollowArcs(nodes, static_cast<std::uint32_t>(nodes.size() - 1));
  return true;
}

}  // namespace kinemorph::usd
