#include "edit/align.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/mechanics/joint_motion.h"

namespace kinemorph {
namespace {

double Distance(const RigidTransform& X) {
  const double angle = Eigen::AngleAxisd(X.R).angle();
  return std::max(X.p.norm(), std::abs(angle));
}

// sum over k of c_k (q + s)^k, as coefficients of powers of q; the constant part is returned.
double ShiftPolynomial(std::array<double, 4>& c, double s) {
  const std::array<double, 4> old = c;
  static constexpr double kBinomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  double constant = 0;
  c = {};
  for (int k = 1; k <= 4; ++k) {
    double power = 1;  // s^(k - j), from j = k downwards
    for (int j = k; j >= 0; --j, power *= s) {
      const double term = old[static_cast<std::size_t>(k - 1)] * kBinomial[k][j] * power;
      if (j == 0)
        constant += term;
      else
        c[static_cast<std::size_t>(j - 1)] += term;
    }
  }
  return constant;
}

}  // namespace

void ShiftCoordinate(Model& model, Coordinate coordinate, double shift) {
  if (shift == 0) return;
  JointAxis& axis = model.joint(coordinate.joint).axes[static_cast<std::size_t>(coordinate.axis)];
  if (axis.lower) *axis.lower -= shift;
  if (axis.upper) *axis.upper -= shift;
  if (axis.spring_reference || axis.spring_stiffness)
    axis.spring_reference = axis.spring_reference.value_or(0) - shift;
  axis.position_offset += shift;
  for (Coupling& coupling : model.couplings) {
    for (CouplingTerm& term : coupling.terms) {
      if (term.coordinate == coordinate)
        coupling.constant -= ShiftPolynomial(term.coefficients, shift);
    }
  }
}

double AlignToZero(Model& model, JointId id, const RigidTransform& X_PS, double tolerance,
                   bool keep_gap) {
  Joint& joint = model.joint(id);
  const RigidTransform X_FM =
      joint.X_PF.inverse() * X_PS * joint.X_SM;  // what the drawing asks of the joint
  if (X_FM.IsNearIdentity(1e-12)) return 0;
  std::array<double, 7> q{};
  PositionFromTransform(joint.kind, X_FM, q.data());
  const RigidTransform X_made = JointTransform(joint.kind, q.data());
  const double residual = Distance(X_made.inverse() * X_FM);
  if (!(residual <= tolerance)) return residual;
  // Planar: Trans(p) Rot(t) = Trans(p0) [Trans(p - p0) Rot(t - t0)] Rot(t0), so that its
  // coordinates only shift.
  const RigidTransform X_FF = std::holds_alternative<Planar>(joint.kind)
                                  ? RigidTransform::Translation(X_made.p)
                                  : RigidTransform{};
  joint.X_PF = joint.X_PF * X_FF;
  joint.X_SM = keep_gap && residual > kMaxLoopGap ? joint.X_SM * X_made.inverse() * X_FF
                                                  : X_PS.inverse() * joint.X_PF;
  // Universal: Rot(a1,q0) Rot(a2,q1) X_made^-1 = Rot(a1, q0 - u) Rot(Rot(a1,u) a2, q1 - v).
  if (auto* universal = std::get_if<Universal>(&joint.kind))
    universal->axis2 = RotationFromAxisAngle(universal->axis1, q[0]) * universal->axis2;
  const bool scalar =
      !std::holds_alternative<Ball>(joint.kind) && !std::holds_alternative<Free>(joint.kind);
  for (std::size_t a = 0; scalar && a < joint.axes.size(); ++a) {
    if (std::abs(q[a]) > kMaxLoopGap)
      ShiftCoordinate(model, {id, static_cast<int>(a)}, q[a]);  // rounding is no displacement
  }
  return residual;
}

}  // namespace kinemorph
