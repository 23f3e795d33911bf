#include "three_hinges.h"

namespace kinemorph::urdf_format {
namespace {

// Gepetto's loader simplifies a model before it runs it: three hinges in a row through links of
// almost no mass, whose axes meet, become one ball joint. The same test is made here, so that the
// user hears of coordinates which change their number there.

constexpr double kLight = 1e-5;  // kg
constexpr double kMeet = 1e-6;   // m

struct Line {
  Vector3 point, direction;
};

bool IsLight(const Link& link) { return !link.inertial || link.inertial->mass < kLight; }

// The point nearest to all three lines in the least-squares sense: sum of (I - d d^T) (x - p) = 0.
// They meet if it is on each of them.
bool Meet(const Line (&lines)[3]) {
  Matrix3 A = Matrix3::Zero();
  Vector3 b = Vector3::Zero();
  for (const Line& line : lines) {
    const Matrix3 across = Matrix3::Identity() - line.direction * line.direction.transpose();
    A += across;
    b += across * line.point;
  }
  if (std::abs(A.determinant()) < 1e-9) return false;  // parallel
  const Vector3 point = A.inverse() * b;
  for (const Line& line : lines)
    if ((point - line.point).cross(line.direction).norm() > kMeet) return false;
  return true;
}

}  // namespace

std::vector<std::array<JointId, 3>> HingesThatMeet(const Model& model, const LinkTree& tree) {
  std::vector<std::array<JointId, 3>> found;
  // Zero poses are needed for candidates only, and most robots have none: they are computed at the
  // first.
  std::vector<RigidTransform> X_WL;
  std::vector<bool> taken(model.num_joints(), false);
  const auto hinge_above = [&](LinkId link) {
    const JointId id = tree.parent_joint[Index(link)];
    const bool is_hinge = id != kNoJoint && !taken[Index(id)] &&
                          std::holds_alternative<Revolute>(model.joint(id).kind);
    return is_hinge ? id : kNoJoint;
  };
  // Each link is looked at as the end of a row. Both links inside the row must be light; the one at
  // its end may weigh anything.
  for (const LinkId last : tree.order) {
    const JointId third = hinge_above(last);
    if (third == kNoJoint || !IsLight(model.link(model.predecessor(third)))) continue;
    const JointId second = hinge_above(model.predecessor(third));
    if (second == kNoJoint || !IsLight(model.link(model.predecessor(second)))) continue;
    const JointId first = hinge_above(model.predecessor(second));
    if (first == kNoJoint) continue;
    if (X_WL.empty()) X_WL = ZeroPoses(model, tree);
    // All axes in the world at zero, the only configuration in which the loader compares them.
    Line lines[3];
    const std::array<JointId, 3> joints{first, second, third};
    for (std::size_t i = 0; i < 3; ++i) {
      const Joint& joint = model.joint(joints[i]);
      const RigidTransform X_WF = X_WL[Index(model.predecessor(joints[i]))] * joint.X_PF;
      lines[i] = {X_WF.p, X_WF.R * std::get<Revolute>(joint.kind).axis};
    }
    if (!Meet(lines)) continue;
    // A hinge belongs to one ball joint only: a wrist of six hinges is two, not four overlapping
    // ones.
    for (const JointId id : joints) taken[Index(id)] = true;
    found.push_back(joints);
  }
  return found;
}

}  // namespace kinemorph::urdf_format
