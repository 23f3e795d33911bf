// A reader keeps the zero of a joint where its file has it. After another cut is chosen, or a loop
// was drawn open, the zero configuration is another posture: a joint that becomes a tree joint must
// then have X_FM(0) = 1 at that posture. The new zero goes into the frame on the successor, and
// whatever is measured in the coordinate (limits, springs, couplings) is moved by the same amount.
#include "edit/align.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

// In metres or radians, whichever is larger: one number to compare with a tolerance of closure.
double Distance(const RigidTransform& X) {
  const double angle = Eigen::AngleAxisd(X.R).angle();
  return std::max(X.p.norm(), std::abs(angle));
}

// sum over k of c_k (q + s)^k, as coefficients of powers of q; the constant part is returned.
// The binomial theorem, for k up to 4: a coupling of MJCF is a polynomial of degree four
// (polycoef), whose coefficients of degree 1 to 4 are kept here and whose constant is the
// coupling's.
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
  CountFrom(shift, axis);
  axis.position_offset += shift;

  // sum p(q) = constant, with q = q' + s: what p has without q' goes to the other side.
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
  // At q = 0: X_PS = X_PF X_FM X_SM^-1.
  const RigidTransform X_FM =
      joint.X_PF.inverse() * X_PS * joint.X_SM;  // what the drawing asks of the joint
  if (X_FM.IsNearIdentity(1e-12)) return 0;

  // The coordinates nearest to that, and the pose that they make: the rest is what the joint cannot
  // do, as the gap of a loop that was drawn with few digits.
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

  // Either the successor frame is put where the links really stand, which closes the gap, or only
  // where the joint can bring it, so that the gap stays in the model as the author drew it.
  joint.X_SM = keep_gap && residual > kMaxLoopGap ? joint.X_SM * X_made.inverse() * X_FF
                                                  : X_PS.inverse() * joint.X_PF;
  // Universal: Rot(a1,q0) Rot(a2,q1) X_made^-1 = Rot(a1, q0 - u) Rot(Rot(a1,u) a2, q1 - v).
  if (auto* universal = std::get_if<Universal>(&joint.kind))
    universal->axis2 = RotationFromAxisAngle(universal->axis1, q[0]) * universal->axis2;

  // Orientations of ball and free joints are no sums of coordinates; what is said of such a joint
  // is said of it as a whole, and nothing is measured from its zero.
  const bool scalar =
      !std::holds_alternative<Ball>(joint.kind) && !std::holds_alternative<Free>(joint.kind);
  for (std::size_t a = 0; scalar && a < joint.axes.size(); ++a) {
    if (std::abs(q[a]) > kMaxLoopGap)
      ShiftCoordinate(model, {id, static_cast<int>(a)}, q[a]);  // rounding is no displacement
  }
  return residual;
}

}  // namespace kinemorph
