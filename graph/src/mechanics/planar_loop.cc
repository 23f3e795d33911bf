// Two tests at q = 0: where axes are parallel or meet in one point, a hinge says no more than a
// ball, and formats that know only the latter lose nothing. Both want all moving joints of the loop
// to be hinges. A slider across parallel axes would keep the plane as well, but is not looked for.
#include "kinemorph/graph/mechanics/planar_loop.h"

#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {
namespace {

// Whether all tree joints of a loop that move are hinges, and `fits(joint, its axis in its frame)`
// holds for each.
template <class Fits>
bool AllAreHinges(const Model& model, const SpanningTree& tree, JointId loop, const Fits& fits) {
  const LinkId p = model.predecessor(loop), s = model.successor(loop),
               nca = NearestCommonAncestor(tree, p, s);
  for (const LinkId end : {p, s}) {
    for (const LinkId link : PathSubchain(tree, nca, end)) {
      const JointId id = tree.parent_joint[Index(link)];
      if (id == kNoJoint || std::holds_alternative<Fixed>(model.joint(id).kind)) continue;
      const auto* hinge = std::get_if<Revolute>(&model.joint(id).kind);
      if (hinge == nullptr || !fits(id, hinge->axis)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Vector3> PlaneNormal(const Model& model, const SpanningTree& tree,
                                   const std::vector<RigidTransform>& X_WL, JointId loop) {
  constexpr double kParallel = 1e-9;
  std::optional<Vector3> normal;
  const auto is_parallel = [&](JointId id, const Vector3& axis_F) {
    const Vector3 axis_W = X_WL[Index(model.predecessor(id))].R * model.joint(id).X_PF.R * axis_F;
    if (!normal) normal = axis_W;
    return normal->cross(axis_W).norm() <= kParallel;
  };
  if (!AllAreHinges(model, tree, loop, is_parallel)) return std::nullopt;
  if (!normal) return std::nullopt;
  if (const auto* hinge = std::get_if<Revolute>(&model.joint(loop).kind))
    return is_parallel(loop, hinge->axis) ? normal : std::nullopt;
  return std::holds_alternative<Ball>(model.joint(loop).kind) ? normal : std::nullopt;
}

std::optional<Vector3> SphereCentre(const Model& model, const SpanningTree& tree,
                                    const std::vector<RigidTransform>& X_WL, JointId loop,
                                    double length) {
  // Least squares over all axes: the point p with the least sum of squared distances solves (sum of
  // P_i) p = sum of P_i x_i, P_i the projector across axis i. Parallel axes leave the matrix
  // singular.
  struct Line {
    Vector3 point;
    Matrix3 across;  ///< takes the part along the line away
  };
  std::vector<Line> lines;
  const auto add = [&](JointId id, const Vector3& axis_F) {
    const RigidTransform X_WF = X_WL[Index(model.predecessor(id))] * model.joint(id).X_PF;
    const Vector3 axis = X_WF.R * axis_F;
    lines.push_back({X_WF.p, Matrix3::Identity() - axis * axis.transpose()});
    return true;
  };
  const auto* own = std::get_if<Revolute>(&model.joint(loop).kind);
  if (own == nullptr || !AllAreHinges(model, tree, loop, add)) return std::nullopt;
  add(loop, own->axis);
  Matrix3 A = Matrix3::Zero();
  Vector3 b = Vector3::Zero();
  for (const Line& line : lines) {
    A += line.across;
    b += line.across * line.point;
  }
  const SymmetricFactors factors(A);
  if (factors.LeastPivot() <= 1e-9) return std::nullopt;
  const Vector3 centre = factors.Solve(Eigen::VectorXd(b));
  for (const Line& line : lines)
    // The nearest point is a centre only where every axis goes through it.
    if ((line.across * (line.point - centre)).norm() > 1e-9 * length) return std::nullopt;
  return centre;
}

}  // namespace kinemorph
