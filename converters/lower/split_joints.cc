// Pass `split_joints`: joints of several coordinates become chains of joints of one coordinate
// through massless links.
#include "edit/split.h"
#include "edit/whole_joint.h"
#include "lower/passes.h"

namespace kinemorph {

void SplitJoints::operator()(Model& model, PassContext& context) const {
  // A chain keeps what a joint that is not held in one piece would lose.
  std::vector<bool> coupled(model.num_joints(), false);
  for (const Coupling& c : model.couplings)
    for (const CouplingTerm& t : c.terms) coupled[Index(t.coordinate.joint)] = true;
  std::vector<JointId> wanted;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role != JointRole::kLoop &&
        (context.Mine(TreeFeature(joint)) ||
         !IsHeldInOnePiece(joint.kind, joint.axes, coupled[Index(id)], whole)))
      wanted.push_back(id);
  }
  // The links of a chain's ends are joined by no joint any more, where that kept them apart.
  if (model.contact_rule == ContactRule::kUnlessJoined)
    for (const JointId id : wanted)
      if (const LinkId p = model.predecessor(id), s = model.successor(id);
          p != kWorld && s != kWorld)
        model.contact_exclusions.push_back({p, s, {}});
  Splitter splitter(model, context);
  for (const JointId id : wanted) splitter.Split(id);
  splitter.Finish();
}

}  // namespace kinemorph
