// Pass `split_joints`: joints of several coordinates become chains of joints of one coordinate
// through massless links.
#include "edit/split.h"
#include "edit/whole_joint.h"
#include "lower/passes.h"

namespace kinemorph {

void SplitJoints(Model& model, PassContext& context) {
  // Where joints of several coordinates carry no limits or dynamics, a chain keeps what the joint
  // would lose.
  std::vector<bool> coupled(model.num_joints(), false);
  for (const Coupling& c : model.couplings)
    for (const CouplingTerm& t : c.terms) coupled[Index(t.coordinate.joint)] = true;
  const auto says_more = [&](JointId id) {
    const Joint& joint = model.joint(id);
    const bool by_axis =
        NumAxes(joint.kind) == NumVelocities(joint.kind) && NumVelocities(joint.kind) > 1;
    return !context.traits.several_axes_have_data && by_axis &&
           (!IsPassive(joint) || coupled[Index(id)]);
  };
  std::vector<JointId> wanted;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role != JointRole::kLoop &&
        (context.Mine(TreeFeature(joint)) || says_more(id) ||
         !IsHeldInOnePiece(joint.kind, joint.axes, coupled[Index(id)], context.traits)))
      wanted.push_back(id);
  }
  Splitter splitter(model, context);
  for (const JointId id : wanted) splitter.Split(id);
  splitter.Finish();
}

}  // namespace kinemorph
