// Pass `split_joints`: joints of several coordinates become chains of joints of one coordinate
// through massless links.
#include "edit/split.h"
#include "edit/whole_joint.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

bool IsAskedFor(const Joint& joint, const PassContext& context) {
  return context.options.balls_as_hinges && std::holds_alternative<Ball>(joint.kind);
}

// A right angle to the digits of a file is one to the last digit: Drake refuses others.
void MakeSquare(Universal& universal) {
  const double cosine = universal.axis1.dot(universal.axis2);
  if (cosine != 0) universal.axis2 = (universal.axis2 - cosine * universal.axis1).normalized();
}

}  // namespace

void SplitJoints::operator()(Model& model, PassContext& context) const {
  // A chain keeps what a joint that is not held in one piece would lose.
  std::vector<bool> coupled(model.num_joints(), false);
  for (const Coupling& c : model.couplings)
    for (const CouplingTerm& t : c.terms) coupled[Index(t.coordinate.joint)] = true;
  std::vector<JointId> wanted;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (joint.role != JointRole::kLoop &&
        (context.Mine(TreeFeature(joint)) || IsAskedFor(joint, context) ||
         !IsHeldInOnePiece(joint.kind, joint.axes, coupled[Index(id)], whole)))
      wanted.push_back(id);
    else if (auto* universal = std::get_if<Universal>(&joint.kind);
             universal != nullptr && whole.universals_are_square)
      MakeSquare(*universal);
  }
  // The links of a chain's ends are joined by no joint any more, where that kept them apart.
  if (model.contact_rule == ContactRule::kUnlessJoined)
    for (const JointId id : wanted)
      if (const LinkId p = model.predecessor(id), s = model.successor(id);
          p != kWorld && s != kWorld)
        model.contact_exclusions.push_back({p, s, {}});
  Splitter splitter(model, context);
  for (const JointId id : wanted) {
    const bool asked = IsAskedFor(model.joint(id), context);
    const Feature of_ball = TreeFeature(model.joint(id));
    const std::size_t before = context.report.losses.size();
    splitter.Split(id);
    if (!asked) continue;
    context.report.lowerings.back().what +=
        ": as asked, the angles turn about x, y and z in this order";
    for (std::size_t i = before; i < context.report.losses.size(); ++i)
      if (context.report.losses[i].feature == of_ball) context.report.losses[i].asked = true;
  }
  splitter.Finish();
}

}  // namespace kinemorph
