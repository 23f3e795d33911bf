// Rows of loop joints and couplings: phi, K, k (Featherstone, ch. 8, made exact off closure).
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string_view>

#include "base/index.h"
#include "kinemorph/graph/base/overloaded.h"
#include "mechanics/loop_rows.h"

namespace kinemorph {
namespace {

// Each kind of loop joint is a list of rows (WriteRows), and each row a covector W on the relative
// twist with its value phi and bias k. StateOf gathers what rows need of the two bodies; K is W on
// the columns of the paths, minus on the predecessor's. Values are such that dphi/dt = K v off
// closure as well; for solving, the angular ones may instead be rotation vectors, which do not
// flatten far from closure (a sine has the same value at 30 and 150 degrees).

// A loop joint at a state; all vectors in axes of the aggregate's parent body.
struct LoopState {
  Matrix3 F;                   // row axes as they stand in F (columns x, y, z)
  const Matrix3 *R_pS, *R_SB;  // and in M
  Vector3 p_M, d;              // Mo, and Mo - Fo
  Vector3 w = Vector3::Zero(), alpha = Vector3::Zero(),
          a = Vector3::Zero();  // of M in F: angular velocity and bias accelerations
  bool moving = false;
  Residual residual = Residual::kExact;

  [[nodiscard]] Vector3 M(int axis) const { return *R_pS * R_SB->col(axis); }
};

struct RowWriter : LoopRows {
  void Angular(const LoopState& s, double value, const Vector3& direction, const Vector3& rate) {
    W.col(n) << direction, Vector3::Zero();
    phi[U(n)] = value;
    k[U(n)] = s.moving ? -(rate.dot(s.w) + direction.dot(s.alpha)) : 0;
    angular = ++n;
  }
  void Linear(const LoopState& s, const Vector3& direction) {
    W.col(n) << s.p_M.cross(direction), direction;
    phi[U(n)] = direction.dot(s.d);
    k[U(n)] = s.moving ? -direction.dot(s.a) : 0;
    ++n;
  }
};

// wx, wy: the z axis of M stays along the z axis of F.
void Tilt(const LoopState& s, RowWriter& rows) {
  const Vector3 fx = s.F.col(0), fy = s.F.col(1), mz = s.M(2);
  double x = -fy.dot(mz), y = fx.dot(mz);
  if (s.residual == Residual::kRotation) {
    const double square = x * x + y * y, cosine = s.F.col(2).dot(mz);
    const double sine = std::sqrt(square);
    if (cosine > 0 && square < 1e-8) {
      x *= 1 + square / 6, y *= 1 + square / 6;  // the arc sine of a small angle
    } else if (sine > 1e-12) {
      const double angle = std::atan2(sine, cosine);
      x *= angle / sine, y *= angle / sine;
    } else {
      // Opposite axes: every direction leads back; any is better than the sine, which is zero.
      x = std::numbers::pi;
    }
  }
  const Vector3 mz_rate = s.w.cross(mz);
  rows.Angular(s, x, fy.cross(mz), fy.cross(mz_rate));
  rows.Angular(s, y, mz.cross(fx), mz_rate.cross(fx));
}

// wx, wy, wz: M does not turn in F.
void Orientation(const LoopState& s, RowWriter& rows) {
  const int first = rows.n;
  const Vector3 fy = s.F.col(1), mx = s.M(0);
  Tilt(s, rows);
  rows.Angular(s, fy.dot(mx), mx.cross(fy), s.w.cross(mx).cross(fy));
  if (s.residual == Residual::kRotation) {
    const Eigen::AngleAxisd turn(Matrix3(s.F.transpose() * *s.R_pS * *s.R_SB));
    for (int i = 0; i < 3; ++i) rows.phi[U(first + i)] = turn.angle() * turn.axis()[i];
  }
}

// vz - pitch wz, with the turn chosen that is nearest.
void Thread(const LoopState& s, double pitch, RowWriter& rows) {
  // The angle about the axis from both axes across it, so that it is right also when the axes of F
  // and M are not aligned; its derivative is that of an arc tangent, numerator over square.
  const Vector3 fx = s.F.col(0), fy = s.F.col(1), mx = s.M(0), my = s.M(1);
  const double sine = fy.dot(mx) - fx.dot(my), cosine = fx.dot(mx) + fy.dot(my);
  const Vector3 d_sine = mx.cross(fy) - my.cross(fx), d_cosine = mx.cross(fx) + my.cross(fy);
  const Vector3 mx_rate = s.w.cross(mx), my_rate = s.w.cross(my);
  const Vector3 d_sine_rate = mx_rate.cross(fy) - my_rate.cross(fx),
                d_cosine_rate = mx_rate.cross(fx) + my_rate.cross(fy);
  const double square = sine * sine + cosine * cosine;
  const double sine_rate = d_sine.dot(s.w), cosine_rate = d_cosine.dot(s.w);
  const Vector3 numerator = cosine * d_sine - sine * d_cosine;
  const Vector3 numerator_rate =
      cosine_rate * d_sine + cosine * d_sine_rate - sine_rate * d_cosine - sine * d_cosine_rate;
  const double square_rate = 2 * (sine * sine_rate + cosine * cosine_rate);
  const Vector3 direction = -pitch / square * numerator;
  const Vector3 rate =
      -pitch * (numerator_rate / square - numerator * (square_rate / (square * square)));
  rows.Linear(s, s.F.col(2));
  const int row = rows.n - 1;
  rows.W.col(row).head<3>() += direction;
  if (s.moving) rows.k[U(row)] -= rate.dot(s.w) + direction.dot(s.alpha);
  double value = rows.phi[U(row)] - pitch * std::atan2(sine, cosine);
  // A screw is closed at every whole turn.
  const double turn = 2 * std::numbers::pi * std::abs(pitch);
  if (turn > 0) value -= turn * std::nearbyint(value / turn);
  rows.phi[U(row)] = value;
}

// The axes of a universal joint keep their angle.
void AxisAngle(const LoopState& s, const Universal& kind, RowWriter& rows) {
  // Divided by the sine of the angle between the axes, so that the row is one of unit moment
  // however they stand; parallel axes constrain nothing.
  const Vector3 axis1 = s.F * kind.axis1, axis2 = *s.R_pS * (*s.R_SB * kind.axis2);
  const double sine = kind.axis1.cross(kind.axis2).norm(), cosine = kind.axis1.dot(kind.axis2);
  const double scale = sine > 1e-9 ? 1 / sine : 0;
  double value = -(axis1.dot(axis2) - cosine) * scale;
  if (s.residual == Residual::kRotation)
    value = std::atan2(axis1.cross(axis2).norm(), axis1.dot(axis2)) - std::atan2(sine, cosine);
  rows.Angular(s, value, scale * axis1.cross(axis2), scale * axis1.cross(s.w.cross(axis2)));
}

void WriteRows(const JointKind& kind, const LoopState& s, RowWriter& rows) {
  const auto linear = [&](std::initializer_list<int> axes) {
    for (const int i : axes) rows.Linear(s, s.F.col(i));
  };
  std::visit(Overloaded{[&](const Fixed&) {
                          Orientation(s, rows), linear({0, 1, 2});
                        },
                        [&](const Revolute&) {
                          Tilt(s, rows), linear({0, 1, 2});
                        },
                        [&](const Prismatic&) {
                          Orientation(s, rows), linear({0, 1});
                        },
                        [&](const Screw& k) {
                          Tilt(s, rows), linear({0, 1}), Thread(s, k.pitch, rows);
                        },
                        [&](const Universal& k) {
                          AxisAngle(s, k, rows), linear({0, 1, 2});
                        },
                        [&](const Ball&) {
                          linear({0, 1, 2});
                        },
                        [&](const Planar&) { Tilt(s, rows), linear({2}); },
                        [&](const Cylindrical&) {
                          Tilt(s, rows), linear({0, 1});
                        },
                        [](const Free&) {}},
             kind);
}

LoopState StateOf(const LoopConstraint& loop, const AggregateKinematics& kinematics, bool moving,
                  Residual residual) {
  static const RigidTransform kIdentity;
  static const Vector6 kStill = Vector6::Zero();
  const RigidTransform& X_pP = loop.predecessor < 0 ? kIdentity : kinematics.X[U(loop.predecessor)];
  const RigidTransform& X_pS = loop.successor < 0 ? kIdentity : kinematics.X[U(loop.successor)];
  LoopState s;
  const Vector3 p_F = X_pP * loop.X_PF.p;
  s.p_M = X_pS * loop.X_SM.p;
  s.d = s.p_M - p_F;
  s.F.noalias() = X_pP.R * loop.R_PB;
  s.R_pS = &X_pS.R, s.R_SB = &loop.R_SB;
  s.moving = moving, s.residual = residual;
  if (!moving) return s;
  const Vector6& V_P = loop.predecessor < 0 ? kStill : kinematics.V[U(loop.predecessor)];
  const Vector6& V_S = loop.successor < 0 ? kStill : kinematics.V[U(loop.successor)];
  const Vector6& A_P = loop.predecessor < 0 ? kStill : kinematics.A[U(loop.predecessor)];
  const Vector6& A_S = loop.successor < 0 ? kStill : kinematics.A[U(loop.successor)];
  // Velocity and bias accelerations of Mo as seen from F, which turns with P: relative acceleration
  // less Euler, centrifugal and Coriolis parts. With them k = -(rate of W) . (twist) - W . (bias).
  const Vector3 w_P = V_P.head<3>(), w_S = V_S.head<3>(), alpha_P = A_P.head<3>();
  const Vector3 v_F = V_P.tail<3>() + w_P.cross(p_F), v_M = V_S.tail<3>() + w_S.cross(s.p_M);
  const Vector3 a_F = A_P.tail<3>() + alpha_P.cross(p_F) + w_P.cross(v_F);
  const Vector3 a_M = A_S.tail<3>() + A_S.head<3>().cross(s.p_M) + w_S.cross(v_M);
  const Vector3 v = v_M - v_F - w_P.cross(s.d);
  s.w = w_S - w_P;
  s.alpha = A_S.head<3>() - alpha_P - w_P.cross(w_S);
  s.a = a_M - a_F - alpha_P.cross(s.d) - w_P.cross(w_P.cross(s.d)) - 2 * w_P.cross(v);
  return s;
}

void AddColumns(const Mechanism& m, const Aggregate& aggregate,
                const AggregateKinematics& kinematics, const std::vector<int>& path, double sign,
                const LoopConstraint& loop, const LoopRows& rows, Eigen::MatrixXd& K) {
  for (const int position : path) {
    const int nv = m.bodies[U(aggregate.bodies[U(position)])].nv;
    for (int c = aggregate.column[U(position)]; c < aggregate.column[U(position)] + nv; ++c) {
      const Vector6 S = sign * kinematics.S.col(c);
      for (int r = 0; r < rows.angular; ++r)
        K(loop.row + r, c) = rows.W.col(r).head<3>().dot(S.head<3>());
      for (int r = rows.angular; r < loop.rows; ++r) K(loop.row + r, c) = rows.W.col(r).dot(S);
    }
  }
}

void CouplingRow(const Mechanism& m, const Aggregate& aggregate, const CouplingConstraint& coupling,
                 const double* q, const double* v, ConstraintRows& rows) {
  double value = -coupling.constant, bias = 0;
  rows.K.row(coupling.row).setZero();
  for (const CouplingConstraint::Term& term : coupling.terms) {
    const Body& body = m.bodies[U(aggregate.bodies[U(term.body)])];
    const Quartic at(term.c, q[body.q + term.axis]);
    value += at.value;
    rows.K(coupling.row, term.column) += at.slope;
    if (v != nullptr) bias += at.curvature * v[body.v + term.axis] * v[body.v + term.axis];
  }
  rows.phi[coupling.row] = value;
  rows.k[coupling.row] = -bias;
}

}  // namespace

LoopRows RowsOf(const LoopConstraint& loop, const AggregateKinematics& kinematics, bool moving,
                Residual residual) {
  RowWriter writer;
  WriteRows(loop.kind, StateOf(loop, kinematics, moving, residual), writer);
  return writer;
}

void ComputeConstraints(const Mechanism& m, const Aggregate& aggregate,
                        const AggregateKinematics& kinematics, const double* q, const double* v,
                        Residual residual, ConstraintRows& rows) {
  for (const LoopConstraint& loop : aggregate.loops) {
    const LoopRows own = RowsOf(loop, kinematics, v != nullptr, residual);
    for (int r = 0; r < loop.rows; ++r) {
      rows.phi[loop.row + r] = own.phi[U(r)];
      rows.k[loop.row + r] = own.k[U(r)];
    }
    AddColumns(m, aggregate, kinematics, loop.predecessor_path, -1, loop, own, rows.K);
    AddColumns(m, aggregate, kinematics, loop.successor_path, +1, loop, own, rows.K);
  }
  for (const CouplingConstraint& coupling : aggregate.couplings)
    CouplingRow(m, aggregate, coupling, q, v, rows);
}

namespace {

// Those that begin with v are of lengths.
using RowKinds = std::span<const std::string_view>;

// Names in the order in which WriteRows makes the rows.
RowKinds KindsOf(const JointKind& kind) {
  static constexpr std::string_view kFixed[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  static constexpr std::string_view kRevolute[] = {"wx", "wy", "vx", "vy", "vz"};
  static constexpr std::string_view kScrew[] = {"wx", "wy", "vx", "vy", "vz-pitch*wz"};
  static constexpr std::string_view kPlanar[] = {"wx", "wy", "vz"};
  const RowKinds all(kFixed), hinge(kRevolute);
  return std::visit(
      Overloaded{[&](const Fixed&) { return all; }, [&](const Revolute&) { return hinge; },
                 [&](const Prismatic&) { return all.first(5); },
                 [&](const Screw&) { return RowKinds(kScrew); },
                 [&](const Universal&) { return all.last(4); },
                 [&](const Ball&) { return all.last(3); },
                 [&](const Planar&) { return RowKinds(kPlanar); },
                 [&](const Cylindrical&) { return hinge.first(4); },
                 [&](const Free&) { return RowKinds(); }},
      kind);
}

}  // namespace

std::vector<bool> IsLengthRow(const Mechanism& m, const Aggregate& aggregate) {
  std::vector<bool> length(U(aggregate.rows), false);
  for (const LoopConstraint& loop : aggregate.loops) {
    const RowKinds kinds = KindsOf(loop.kind);
    for (int r = 0; r < loop.rows; ++r) length[U(loop.row + r)] = kinds[U(r)].starts_with('v');
  }
  for (const CouplingConstraint& coupling : aggregate.couplings) {  // the unit of its first term
    if (coupling.terms.empty()) continue;
    const CouplingConstraint::Term& term = coupling.terms.front();
    const Body& body = m.bodies[U(aggregate.bodies[U(term.body)])];
    length[U(coupling.row)] = body.S.col(term.axis).head<3>().isZero(0);
  }
  return length;
}

std::vector<std::string> RowNames(const Aggregate& aggregate) {
  std::vector<std::string> names(U(aggregate.rows));
  for (const LoopConstraint& loop : aggregate.loops) {
    const RowKinds kinds = KindsOf(loop.kind);
    for (int r = 0; r < loop.rows; ++r)
      names[U(loop.row + r)] = loop.name + "." + std::string(kinds[U(r)]);
  }
  for (const CouplingConstraint& coupling : aggregate.couplings)
    names[U(coupling.row)] = coupling.name;
  return names;
}

}  // namespace kinemorph
