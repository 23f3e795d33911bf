// Which joints make up the spanning tree: a maximum spanning forest under the house policy
// (Kruskal).
//
// Every joint has a preference to stay (Keep). Among equals, a joint at the link through which the
// root enters the loop stays (cut, it would join a link to its own ancestor), then one that few
// formats have as a loop joint, then one near the root, then the earlier. Distances are
// breadth-first from the roots, so that equal joints give the breadth-first tree: short branches.
#pragma once

#include <cstdint>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/actuation.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Strongest first.
enum class Keep : std::uint8_t {
  kAuthored,  ///< authored as a tree joint
  kDriven,    ///< actuated, independent or in a coupling
  kLimited,   ///< has an effort limit above 0: somebody may drive it
  kEquipped,  ///< has limits, dynamics, springs or a sensor: data that a loop joint cannot carry
              ///< everywhere
  kPassive,
  kFree,    ///< imposes nothing when cut
  kHinted,  ///< the author asks for the cut
  kAuthoredLoop,
  kRequested,  ///< --cut
};

class TreeChoice {
 public:
  TreeChoice(const Model& model, const SpanningTreeOptions& options, Diagnostics& diagnostics);

  /// Fills in_tree().
  void Choose();
  /// Lets the loops around the given loop joints be cut anywhere but at the link the root reaches
  /// them through: first with the preferences that remain, `strictly` without any. True when there
  /// is something to choose anew.
  bool Relax(const std::vector<JointId>& loop_joints, bool strictly);

  [[nodiscard]] const std::vector<bool>& in_tree() const { return in_tree_; }
  /// Links that hang on the world without a joint: the first of their component without a
  /// predecessor.
  [[nodiscard]] const std::vector<LinkId>& roots() const { return roots_; }
  [[nodiscard]] Keep KeepOf(JointId id) const;
  [[nodiscard]] bool IsRequested(JointId id) const {
    return !requested_.empty() && requested_[Index(id)];
  }
  /// Authored tree joints that close a cycle of tree joints.
  [[nodiscard]] const std::vector<JointId>& cycle_closers() const { return cycle_closers_; }

 private:
  enum class Freedom : std::uint8_t { kAuthored, kRelaxed, kBreadthFirst };
  struct Candidate;
  void ReadCuts(const SpanningTreeOptions& options, Diagnostics& diagnostics);
  void FindComponents(Diagnostics& diagnostics);
  void FindBlocks();
  [[nodiscard]] bool MayJoin(JointId id) const;
  [[nodiscard]] std::uint32_t BlockOf(JointId id);
  [[nodiscard]] Candidate Rank(JointId id);
  [[nodiscard]] Keep KeepByData(JointId id) const;
  [[nodiscard]] bool HasEffort(JointId id) const;

  const Model& model_;
  const Actuations actuations_;
  std::vector<bool> coupled_;  // by joint
  std::vector<bool> sensed_;
  std::vector<bool> requested_;  // by joint; empty without --cut
  bool loops_may_join_ =
      false;  // an authored tree joint is to be cut: authored loop joints may take its place
  bool has_spare_ = false;      // some joint that is not an authored loop joint closes a cycle
  std::vector<bool> stranded_;  // by joint: loop joint between unconnected trees, cannot join
  std::vector<LinkId> roots_;
  std::vector<bool> in_tree_;
  std::vector<JointId> cycle_closers_;
  // Blocks (biconnected components): joints whose cycles overlap. A joint's block is found at its
  // end farther from the root.
  bool has_blocks_ = false;
  std::vector<std::uint32_t> distance_;  // by link, from the roots
  DisjointSets blocks_{0};        // of links, each standing for the breadth-first joint above it
  std::vector<LinkId> entry_;     // by block: the link through which the root reaches it
  std::vector<Freedom> freedom_;  // by block
};

}  // namespace kinemorph
