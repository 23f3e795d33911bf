// Which prims of which layers speak about one prim of the stage, and who is stronger: OpenUSD's
// order of local layers, inherits, variants, references and payloads, each arc with its own arcs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compose/layers.h"

namespace kinemorph::usd {

/// What a layer says about a prim; kNoPrim: the root of the layer.
struct Spec {
  LayerId layer;
  PrimId prim;
};

/// By which arc a node came, from strong to weak.
enum class NodeKind : std::uint8_t { kLocal, kInherit, kVariant, kReference, kPayload };

/// Paths in the layers of a node as the stage calls them.
struct PathMap {
  std::string from, to;  ///< of the arc alone: the prim that it brings, and the prim that has it
  /// All arcs up to the stage: what stands in the first stands in the second there. Empty paths are
  /// the root: other paths stay as they are.
  std::vector<std::pair<std::string, std::string>> pairs;
};

/// A prim of one stack of layers that the prim of the stage is made of.
struct Node {
  NodeKind kind = NodeKind::kLocal;
  bool implied = false;                     ///< a class of that name that outer layers may have
  bool direct = false;                      ///< it came with this prim, not with one above
  std::uint32_t parent = 0;                 ///< the node that has the arc
  LayerId stack = 0;                        ///< the strongest of its layers
  std::string path = {};                    ///< in those, variants left out
  std::size_t depth = 0;                    ///< of the prim that has the arc: deeper is stronger
  std::size_t order = 0;                    ///< among arcs of one kind and depth
  int nesting = 0;                          ///< arcs up to the stage
  std::vector<Spec> specs = {};             ///< from strong to weak
  std::shared_ptr<const PathMap> map = {};  ///< null: it is the stage's own
  /// One of its paths on the stage; nothing: it leads out of what the arcs bring.
  [[nodiscard]] std::optional<std::string> OnStage(std::string_view target) const;
};

/// The nodes of a prim, each behind its parent; the first is that of the stage's own layers.
using PrimIndex = std::vector<Node>;

/// All nodes at and below `top`, from strong to weak.
[[nodiscard]] std::vector<std::uint32_t> ByStrength(const PrimIndex& nodes, std::uint32_t top = 0);

/// Memory that a stage may take: small where its files are.
class Budget {
 public:
  Budget(const Layers& layers, const Reporter& report) : layers_(layers), report_(report) {}
  /// Bytes that are kept; false, and an error, where there are too many.
  bool Take(std::uint64_t bytes);
  [[nodiscard]] bool exceeded() const { return exceeded_; }

 private:
  const Layers& layers_;
  const Reporter& report_;
  std::uint64_t taken_ = 0;
  bool exceeded_ = false;
};

/// Follows the arcs of prims. Circles of arcs are errors.
class Indexer {
 public:
  Indexer(Layers& layers, const Reporter& report)
      : layers_(layers), report_(report), work_(layers, report) {}
  /// Of the stage itself.
  [[nodiscard]] PrimIndex Root();
  /// Of a child.
  [[nodiscard]] PrimIndex Child(const PrimIndex& parent, std::string_view name);
  /// The arcs that could not be followed since the last call.
  [[nodiscard]] std::vector<Arc> TakeFailures() { return std::exchange(failures_, {}); }
  /// What was said is an error; the rest is not composed.
  [[nodiscard]] bool failed() const { return failed_ || work_.exceeded(); }

 private:
  struct Target;
  [[nodiscard]] const Prim& PrimOf(const Spec& spec) const {
    return layers_[spec.layer].prims[spec.prim];
  }
  void Descend(PrimIndex& nodes, std::uint32_t top, std::string_view name) const;
  void KeepOfInstance(PrimIndex& nodes, std::uint32_t top) const;
  void FollowArcs(PrimIndex& nodes, std::uint32_t at);
  [[nodiscard]] std::vector<Target> Targets(const Node& node, std::string_view field) const;
  void Inherit(PrimIndex& nodes, std::uint32_t at, const Target& target, std::size_t order);
  void Bring(PrimIndex& nodes, std::uint32_t at, NodeKind kind, const Target& target,
             std::size_t order);
  bool Graft(PrimIndex& nodes, Node node, const std::string& path, bool identity,
             const Target& target);
  void ChooseVariants(PrimIndex& nodes, std::uint32_t top);
  bool ChooseOneVariant(PrimIndex& nodes, std::uint32_t top,
                        std::set<std::pair<std::uint32_t, std::string>>& asked);
  [[nodiscard]] std::string Selected(const PrimIndex& nodes,
                                     const std::vector<std::uint32_t>& order,
                                     std::string_view set) const;
  bool AddVariant(PrimIndex& nodes, std::uint32_t at, std::string_view set,
                  std::string_view variant, std::size_t order);
  void Fail(const Target& target, const std::string& why);

  Layers& layers_;
  const Reporter& report_;
  Budget work_;  // nodes that are made and thrown away
  std::uint32_t top_ = 0;
  std::vector<Arc> failures_;
  bool failed_ = false;
};

/// Edits of one layer have an order of their own, whatever that of the text: all of it, then what is
/// deleted, added, put in front, put behind.
[[nodiscard]] constexpr int RankOf(std::string_view edit) {
  return edit.empty() ? 0 : edit == "delete" ? 1 : edit == "add" ? 2 : edit == "prepend" ? 3 : 4;
}

/// All that a prim says of a list, in that order.
template <class Use>
void ForEachEdit(const Prim& prim, std::string_view field, const Use& use) {
  for (int rank = 0; rank <= RankOf("append"); ++rank)
    for (const Edit& said : prim.edits)
      if (said.field == field && RankOf(said.edit) == rank) use(said);
}

/// Applies a list edit of a stronger opinion to the list of the weaker ones.
template <class T>
void ApplyEdit(std::string_view edit, const std::vector<T>& items, std::vector<T>& list) {
  if (edit == "reorder") return;
  if (edit.empty()) list.clear();
  std::set<T> known;
  if (edit == "add") {
    known.insert(list.begin(), list.end());
  } else {
    const std::set<T> moved(items.begin(), items.end());
    std::erase_if(list, [&](const T& one) { return moved.contains(one); });
  }
  if (edit == "delete") return;
  std::vector<T> fresh;
  for (const T& item : items)
    if (known.insert(item).second) fresh.push_back(item);
  list.insert(edit == "prepend" ? list.begin() : list.end(), fresh.begin(), fresh.end());
}

}  // namespace kinemorph::usd
