// A joint of several coordinates as a chain of joints of one coordinate through massless links.
#pragma once

#include <unordered_map>
#include <vector>

#include "edit/model_edit.h"
#include "plan/pass.h"

namespace kinemorph {

/// The joints of one coordinate that make up a joint, predecessor first. Their product is the
/// joint's X_FM(q); for Ball and Free the three angles turn about x, y and z in that order
/// (singular where the second is +-pi/2). Empty for kinds of one coordinate.
[[nodiscard]] std::vector<JointKind> PiecesOf(const JointKind& kind);

/// Splits joints one after the other; the graph's edges are put in place once, by Finish.
class Splitter {
 public:
  Splitter(Model& model, PassContext& context);
  /// Returns the joints of the chain, `id` first.
  std::vector<JointId> Split(JointId id);
  /// The same into given pieces, whose product can be any X_FM that the joint has.
  std::vector<JointId> Split(JointId id, const std::vector<JointKind>& pieces);
  void Finish();

 private:
  /// What is said of a ball or free joint as a whole has no single coordinate to go to.
  void LoseDrives(JointId id);
  void LoseWhole(Joint joint);
  Model& model_;
  PassContext& context_;
  UniqueNames links_, joints_;
  std::unordered_map<JointId, LinkId> successor_;  // new ends of the first joints of chains
};

}  // namespace kinemorph
