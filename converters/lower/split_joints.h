// Pass `split_joints`: joints of several coordinates become chains of joints of one coordinate
// through massless links.
#pragma once

#include <unordered_map>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "model_edit.h"
#include "pass.h"

namespace kinemorph {

/// The joints of one coordinate that make up a joint, predecessor first. Their product is the
/// joint's X_FM(q); for Ball and Free the three angles turn about x, y and z in that order
/// (singular where the second is +-pi/2). Empty for kinds of one coordinate.
[[nodiscard]] std::vector<JointKind> PiecesOf(const JointKind& kind);

/// Requires: roles decided, joints oriented. Ensures: no tree joint has a kind that the table gives
/// to this pass. Joint `j` becomes `j_1` .. `j_n` through massless synthetic links `j_link1` ..
/// `j_link<n-1>`; limits, dynamics and couplings follow their coordinate. A screw gets a coupling
/// of its rotation and its displacement.
void SplitJoints(Model& model, PassContext& context);

/// Splits joints one after the other; the graph's edges are put in place once, by Finish.
class Splitter {
 public:
  Splitter(Model& model, PassContext& context);
  /// Returns the joints of the chain, `id` first.
  std::vector<JointId> Split(JointId id);
  void Finish();

 private:
  Model& model_;
  PassContext& context_;
  NameSet links_, joints_;
  std::unordered_map<JointId, LinkId> successor_;  // new ends of the first joints of chains
};

/// The table's row of a joint by its kind.
[[nodiscard]] Feature TreeFeature(const Joint& joint);
[[nodiscard]] Feature LoopFeature(const JointKind& kind);

}  // namespace kinemorph
