#include "kinemorph/graph/connectivity/base.h"

#include <utility>

namespace kinemorph {

// A root stands by nothing, by a fixed or by a free joint. What hangs on the world by a hinge or a
// slider has no base to choose: that joint is one of the mechanism's own.
std::vector<RobotBase> BasesOf(const Model& model, const SpanningTree& tree) {
  std::vector<RobotBase> bases;
  for (const LinkId link : tree.order) {
    if (link == kWorld || tree.parent[Index(link)] != kWorld) continue;
    const JointId joint = tree.parent_joint[Index(link)];
    const bool is_base = joint == kNoJoint ||
                         std::holds_alternative<Fixed>(model.joint(joint).kind) ||
                         std::holds_alternative<Free>(model.joint(joint).kind);
    if (is_base) bases.push_back({link, joint});
  }
  return bases;
}

// Axes hold limits, dynamics and initial values of single coordinates; none of them has a meaning
// for the coordinates of another kind, nor has the name that the source format gave the old kind.
void BecomeBase(Joint& joint, const JointKind& kind) {
  if (joint.kind.index() == kind.index()) return;
  joint.kind = kind;
  joint.axes.assign(static_cast<std::size_t>(NumAxes(kind)), JointAxis());
  joint.native_type.clear();
}

Joint& SetBase(Model& model, const RobotBase& base, const JointKind& kind,
               const std::string& name) {
  if (base.joint != kNoJoint) {
    BecomeBase(model.joint(base.joint), kind);
    return model.joint(base.joint);
  }
  Joint joint;
  joint.name = name;
  joint.kind = kind;
  joint.axes.resize(static_cast<std::size_t>(NumAxes(kind)));
  joint.role = JointRole::kTree;
  joint.scope = model.link(base.link).scope;
  return model.joint(model.AddJoint(kWorld, base.link, std::move(joint)));
}

}  // namespace kinemorph
