// Pass `partly_independent`: joints of which only some coordinates are independent.
#include <algorithm>

#include "edit/actuation.h"
#include "edit/split.h"
#include "lower/natures.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

struct Partly {
  JointId joint = kNoJoint;
  std::vector<bool> dependent;  // by coordinate
};

// In an order that does not depend on what is split first.
std::vector<Partly> PartlyIndependentJoints(const Model& model, Natures natures,
                                            PassContext& context) {
  const Mechanism mechanism = CompileAsDriven(model, context);
  const Coordinates coordinates = AnalyseCoordinates(mechanism);
  if (!ChoosesNatures(model, coordinates, natures, context)) return {};
  const std::vector<bool> dependent = DependentCoordinates(model, mechanism, coordinates);
  std::vector<Partly> found;
  for (const Body& body : mechanism.bodies) {
    if (body.nv < 2 || body.joint == kNoJoint) continue;
    const auto first = dependent.begin() + body.v;
    const auto count = std::count(first, first + body.nv, true);
    if (count > 0 && count < body.nv) found.push_back({body.joint, {first, first + body.nv}});
  }
  return found;
}

// The turns that follow from the others first: the last one turns about an axis of the successor,
// whatever the posture.
std::vector<JointKind> Pieces(const Joint& joint, const std::vector<bool>& dependent) {
  std::vector<JointKind> pieces = PiecesOf(joint.kind);
  const bool free = std::holds_alternative<Free>(joint.kind);
  if (!free && !std::holds_alternative<Ball>(joint.kind)) return pieces;
  auto turn = pieces.end() - 3;
  for (const bool wanted : {true, false}) {
    for (int k = 0; k < 3; ++k)
      if (dependent[static_cast<std::size_t>(k)] == wanted) *turn++ = Revolute{Vector3::Unit(k)};
  }
  return pieces;
}

}  // namespace

void PartlyIndependent::operator()(Model& model, PassContext& context) const {
  const SpanningTree tree = TreeOf(model);
  if (tree.loop_joints.empty() && model.couplings.empty()) return;
  bool any = false;
  for (const JointId id : Joints(model))
    any = any || (!tree.IsLoop(id) && NumVelocities(model.joint(id).kind) > 1);
  if (!any) return;
  // Fewer joints of several coordinates are left each time: the choice is made anew.
  for (;;) {
    const std::vector<Partly> partly = PartlyIndependentJoints(model, natures, context);
    if (partly.empty()) return;
    Splitter splitter(model, context);
    for (const Partly& each : partly)
      splitter.Split(each.joint, Pieces(model.joint(each.joint), each.dependent));
    splitter.Finish();
  }
}

}  // namespace kinemorph
