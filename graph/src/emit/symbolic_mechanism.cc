// Joints, poses and velocities.
#include "emit/symbolic_mechanism.h"

#include "base/index.h"
#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph::emit {
namespace {

// Rodrigues' formula, with the constant parts multiplied out first: an axis along x, y or z leaves
// zeros and ones, which vanish from the formulas.
Matrix3E AboutAxis(const Vector3& axis, const Expression& angle) {
  const Matrix3 along = axis * axis.transpose();
  return along.cast<Expression>() + Matrix3(Skew(axis)).cast<Expression>() * Sine(angle) +
         Matrix3(Matrix3::Identity() - along).cast<Expression>() * Cosine(angle);
}

// Of a quaternion (w, x, y, z) of any length.
// A division by the square of the length, so that a quaternion that an integrator has left a little
// long is no scaling of space.
Matrix3E OfQuaternion(const Expression* q) {
  const Expression two = Expression(2) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const Expression x = two * q[1], y = two * q[2], z = two * q[3];
  const Expression xx = x * q[1], yy = y * q[2], zz = z * q[3];
  const Expression xy = x * q[2], xz = x * q[3], yz = y * q[3];
  const Expression wx = x * q[0], wy = y * q[0], wz = z * q[0];
  Matrix3E R;
  R << Expression(1) - (yy + zz), xy - wz, xz + wy,  //
      xy + wz, Expression(1) - (xx + zz), yz - wx,   //
      xz - wy, yz + wx, Expression(1) - (xx + yy);
  return R;
}

Vector6E Stacked(const Vector3E& angular, const Vector3E& linear) {
  Vector6E out;
  out << angular, linear;
  return out;
}

Pose Inverse(const Pose& X) { return {X.R.transpose(), -(X.R.transpose() * X.p)}; }

// X_FM of the kinds that CompileOneDof leaves out.
Pose JointPose(const JointKind& kind, const Expression* q) {
  Pose X;
  std::visit(Overloaded{[&](const Universal& k) {
                          X.R = AboutAxis(k.axis1, q[0]) * AboutAxis(k.axis2, q[1]);
                        },
                        [&](const Ball&) { X.R = OfQuaternion(q); },
                        [&](const Planar& k) {
                          const Matrix3 B = PlanarBasis(k.normal);
                          X.R = AboutAxis(k.normal, q[2]);
                          for (int i = 0; i < 3; ++i)
                            X.p[i] = Expression(B(i, 0)) * q[0] + Expression(B(i, 1)) * q[1];
                        },
                        [&](const Cylindrical& k) {
                          X.R = AboutAxis(k.axis, q[0]);
                          for (int i = 0; i < 3; ++i) X.p[i] = Expression(k.axis[i]) * q[1];
                        },
                        [&](const Free&) {
                          X.R = OfQuaternion(q);
                          X.p << q[4], q[5], q[6];
                        },
                        [](const auto&) {}},
             kind);
  return X;
}

}  // namespace

Pose Constant(const RigidTransform& X) { return {X.R.cast<Expression>(), X.p.cast<Expression>()}; }
Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.R * X_BC.p + X_AB.p};
}
Vector6E TransformMotion(const Pose& X_AB, const Vector6E& V_B) {
  const Vector3E w = X_AB.R * V_B.head<3>();
  return Stacked(w, X_AB.R * V_B.tail<3>() + X_AB.p.cross(w));
}
Vector6E InverseTransformMotion(const Pose& X_AB, const Vector6E& V_A) {
  const Vector3E w = V_A.head<3>();
  return Stacked(X_AB.R.transpose() * w, X_AB.R.transpose() * (V_A.tail<3>() - X_AB.p.cross(w)));
}
Vector6E TransformForce(const Pose& X_AB, const Vector6E& F_B) {
  const Vector3E f = X_AB.R * F_B.tail<3>();
  return Stacked(X_AB.R * F_B.head<3>() + X_AB.p.cross(f), f);
}
Vector6E CrossMotion(const Vector6E& V, const Vector6E& M) {
  const Vector3E w = V.head<3>(), v = V.tail<3>(), m = M.head<3>(), n = M.tail<3>();
  return Stacked(w.cross(m), v.cross(m) + w.cross(n));
}
Vector6E CrossForce(const Vector6E& V, const Vector6E& F) {
  const Vector3E w = V.head<3>(), v = V.tail<3>(), n = F.head<3>(), f = F.tail<3>();
  return Stacked(w.cross(n) + v.cross(f), w.cross(f));
}

// As UpdateJoint: X_PB = const + s R1 - c R2 + q terms where there is one coordinate.
void SymbolicMechanism::Joint(const Body& body, Pose& X_PB) {
  const Expression* const q = q_.data() + body.q;
  // Constant S first; a joint whose S turns with q overwrites it below.
  for (int i = 0; i < body.nv; ++i) S_[U(body.v + i)] = body.S.col(i).cast<Expression>();
  if (body.nq == 0) {
    X_PB = Constant(body.X_PJ * body.X_JB);
  } else if (body.nq == 1 && !body.fast.rotates) {
    X_PB.R = body.fast.R0.cast<Expression>();
    X_PB.p = body.fast.p0.cast<Expression>() + body.fast.p3.cast<Expression>() * q[0];
  } else if (body.nq == 1) {
    const Body::OneDof& f = body.fast;
    // (1 - c) R2 = R2 - c R2, and R0 + R2 is the part along the axis: exact zeros stay zeros.
    const Vector3 axis = AxesOf(body.kind).front();
    const Matrix3 along = body.X_PJ.R * (axis * axis.transpose());
    const Expression s = Sine(q[0]), c = Cosine(q[0]);
    X_PB.R = Matrix3(along * body.X_JB.R).cast<Expression>() + f.R1.cast<Expression>() * s -
             f.R2.cast<Expression>() * c;
    X_PB.p = Vector3(along * body.X_JB.p + body.X_PJ.p).cast<Expression>() +
             f.p1.cast<Expression>() * s - f.p2.cast<Expression>() * c +
             f.p3.cast<Expression>() * q[0];
  } else {
    const Pose X_FM = JointPose(body.kind, q);
    X_PB = Constant(body.X_PJ) * (body.reversed ? Inverse(X_FM) : X_FM) * Constant(body.X_JB);
    if (!body.constant_subspace && body.nv > 0) TurningSubspace(body, X_FM);
  }
}

// S of the kinds whose S changes in the body's frame.
// The universal joint's first axis as it stands after the second turn, and planar translations as
// they stand after the turn. A reversed joint moves its parent instead: S is seen through X_FM,
// with the other sign.
void SymbolicMechanism::TurningSubspace(const Body& body, const Pose& X_FM) {
  const Expression* const q = q_.data() + body.q;
  std::vector<Vector6E> S;
  const Vector3E zero = Vector3E::Zero();
  if (const auto* universal = std::get_if<Universal>(&body.kind)) {
    const Vector3E axis1 =
        AboutAxis(universal->axis2, q[1]).transpose() * universal->axis1.cast<Expression>();
    S = {Stacked(axis1, zero), Stacked(universal->axis2.cast<Expression>(), zero)};
  } else if (const auto* planar = std::get_if<Planar>(&body.kind)) {
    const Matrix3E B = AboutAxis(planar->normal, q[2]).transpose() *
                       PlanarBasis(planar->normal).cast<Expression>();
    S = {Stacked(zero, B.col(0)), Stacked(zero, B.col(1)),
         Stacked(planar->normal.cast<Expression>(), zero)};
  } else {
    for (int i = 0; i < body.nv; ++i) S.push_back(Vector6(Vector6::Unit(i)).cast<Expression>());
  }
  const Pose X_JB = Constant(body.X_JB);
  for (int i = 0; i < body.nv; ++i) {
    const Vector6E column = body.reversed ? TransformMotion(X_FM, S[U(i)]) : S[U(i)];
    const Vector6E in_body = emit::InverseTransformMotion(X_JB, column);
    S_[U(body.v + i)] = body.reversed ? Vector6E(-in_body) : in_body;
  }
}

void SymbolicMechanism::Positions(Tape& tape, const std::vector<Expression>& q) {
  tape_ = &tape, q_ = q;
  X_PB_.resize(m_.bodies.size());
  S_.assign(U(m_.nv), Vector6E::Zero());
  S_rate_v_.assign(m_.bodies.size(), Vector6E::Zero());
  for (std::size_t b = 1; b < m_.bodies.size(); ++b) Joint(m_.bodies[b], X_PB_[b]);
  // Aggregates are walked from their own parent, not from the world: what moves a whole loop does
  // not matter to its rows.
  aggregates_.resize(m_.aggregates.size());
  for (std::size_t a = 0; a < aggregates_.size(); ++a)
    AggregatePositions(m_.aggregates[a], aggregates_[a]);
}

void SymbolicMechanism::AggregatePositions(const Aggregate& g, SymbolicAggregate& out) const {
  out.X.resize(g.bodies.size());
  out.S.resize(U(g.nv));
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m_.bodies[U(g.bodies[i])];
    const Pose& X_PB = X_PB_[U(g.bodies[i])];
    out.X[i] = g.parent_in[i] < 0 ? X_PB : out.X[U(g.parent_in[i])] * X_PB;
    for (int c = 0; c < body.nv; ++c)
      out.S[U(g.column[i] + c)] = TransformMotion(out.X[i], S_[U(body.v + c)]);
  }
}

// (dS/dt) v, as UpdateJoint has it, then velocities within the aggregates.
void SymbolicMechanism::Velocities(const std::vector<Expression>& v) {
  v_ = v;
  for (std::size_t b = 1; b < m_.bodies.size(); ++b) {
    const Body& body = m_.bodies[b];
    if (body.constant_subspace || body.nv == 0) continue;
    // The rate of S in axes of M: the first axis of a universal joint turns with the second, planar
    // translations turn with the plane.
    const Expression* const q = q_.data() + body.q;
    const Expression* const rate = v_.data() + body.v;
    Vector6E column = Vector6E::Zero();
    if (const auto* universal = std::get_if<Universal>(&body.kind)) {
      const Vector3E axis1 =
          AboutAxis(universal->axis2, q[1]).transpose() * universal->axis1.cast<Expression>();
      column.head<3>() = axis1.cross(universal->axis2.cast<Expression>()) * (rate[0] * rate[1]);
    } else if (const auto* planar = std::get_if<Planar>(&body.kind)) {
      const Matrix3E B = AboutAxis(planar->normal, q[2]).transpose() *
                         PlanarBasis(planar->normal).cast<Expression>();
      const Vector3E velocity = B.col(0) * rate[0] + B.col(1) * rate[1];
      column.tail<3>() = velocity.cross(planar->normal.cast<Expression>()) * rate[2];
    }
    if (body.reversed) column = TransformMotion(JointPose(body.kind, q), column);
    column = emit::InverseTransformMotion(Constant(body.X_JB), column);
    S_rate_v_[b] = body.reversed ? Vector6E(-column) : column;
  }
  for (std::size_t a = 0; a < aggregates_.size(); ++a)
    AggregateVelocities(m_.aggregates[a], aggregates_[a]);
}

// A is the acceleration at qdd = 0 of a chain on a parent at rest: velocity products alone.
void SymbolicMechanism::AggregateVelocities(const Aggregate& g, SymbolicAggregate& out) const {
  out.V.assign(g.bodies.size(), Vector6E::Zero());
  out.A.assign(g.bodies.size(), Vector6E::Zero());
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m_.bodies[U(g.bodies[i])];
    Vector6E S_v = Vector6E::Zero();
    for (int c = 0; c < body.nv; ++c) S_v += out.S[U(g.column[i] + c)] * v_[U(body.v + c)];
    out.V[i] = S_v;
    if (g.parent_in[i] >= 0) {
      const std::size_t parent = U(g.parent_in[i]);
      out.V[i] += out.V[parent];
      out.A[i] = out.A[parent] + CrossMotion(out.V[parent], S_v);
    }
    if (!body.constant_subspace) out.A[i] += TransformMotion(out.X[i], S_rate_v_[U(g.bodies[i])]);
  }
}

MatrixE SymbolicMechanism::PointJacobian(const Foot& foot, const std::vector<Pose>& X_WB) const {
  MatrixE J = MatrixE::Zero(3, m_.nv);
  const Pose& X_foot = X_WB[U(foot.body)];
  const Vector3E p_W = X_foot.R * foot.p_B.cast<Expression>() + X_foot.p;
  // Only joints between the foot and the root move it.
  for (int b = foot.body; b > 0; b = m_.bodies[U(b)].parent) {
    const Body& body = m_.bodies[U(b)];
    const Matrix3E& R = X_WB[U(b)].R;
    const Vector3E p_B = R.transpose() * (p_W - X_WB[U(b)].p);
    for (int v = body.v; v < body.v + body.nv; ++v) {
      const Vector3E turn = S_[U(v)].head<3>(), slide = S_[U(v)].tail<3>();
      J.col(v) = R * Vector3E(slide + turn.cross(p_B));
    }
  }
  return J;
}

std::vector<Pose> SymbolicMechanism::WorldPoses() const {
  std::vector<Pose> X_WB(m_.bodies.size());
  for (std::size_t b = 1; b < X_WB.size(); ++b) X_WB[b] = X_WB[U(m_.bodies[b].parent)] * X_PB_[b];
  return X_WB;
}

std::vector<Expression> SymbolicMechanism::PositionRates(const std::vector<Expression>& v,
                                                         const Expression& rate) const {
  std::vector<Expression> qd(U(m_.nq));
  for (const Body& body : m_.bodies) {
    const Expression* const q = q_.data() + body.q;
    const Expression* const w = v.data() + body.v;
    Expression* const out = qd.data() + body.q;
    if (body.nq == body.nv || body.nv == 0) {
      for (int i = 0; i < body.nv; ++i) out[i] = w[i];
      continue;
    }
    // 1/2 Q (0, omega), omega in axes of M.
    // The pull to unit length belongs to the integration only: Q' would keep the length by itself,
    // but for the error of the steps.
    const Expression half(0.5);
    const Expression pull =
        rate * (Expression(1) - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    out[0] = pull * q[0] - half * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    out[1] = pull * q[1] + half * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[2] = pull * q[2] + half * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[3] = pull * q[3] + half * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    if (body.nq != 7) continue;
    const Vector3E velocity = OfQuaternion(q) * Vector3E(w[3], w[4], w[5]);
    for (int i = 0; i < 3; ++i) out[4 + i] = velocity[i];
  }
  return qd;
}

}  // namespace kinemorph::emit
