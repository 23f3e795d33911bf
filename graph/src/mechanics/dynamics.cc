// Newton-Euler, composite rigid bodies, and the embedding of independent coordinates.
#include "kinemorph/graph/mechanics/dynamics.h"

#include <cmath>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "mechanics/armature.h"
#include "mechanics/joint_forces.h"
#include "mechanics/uplift.h"

namespace kinemorph {
// The dense way: recursions over the tree (inverse dynamics, mass matrix, energy), then G and g of
// all aggregates around them. It is of cubic cost and has no cleverness to go wrong, so that the
// recursion of constraint_embedding.h is tested against it. 6-vectors are about body origins in
// body axes.
namespace {

Matrix6 InertiaOf(const Body& body) { return body.inertia.AsMatrix(); }

// I_P = X^-T I_B X^-1: the same inertia about the parent's origin.
Matrix6 InertiaInParent(const RigidTransform& X_PB, const Matrix6& I) {
  Matrix6 half;  // columns transformed, then rows
  for (int c = 0; c < 6; ++c) half.col(c) = TransformForce(X_PB, I.col(c));
  Matrix6 result;
  for (int r = 0; r < 6; ++r)
    result.row(r) = TransformForce(X_PB, half.row(r).transpose()).transpose();
  return result;
}

}  // namespace

std::string_view Name(DynamicsStatus status) {
  switch (status) {
    case DynamicsStatus::kOk:
      return "ok";
    case DynamicsStatus::kSingularMass:
      return "singular mass matrix";
    case DynamicsStatus::kSingularPosture:
      return "singular posture";
    case DynamicsStatus::kInconsistent:
      return "inconsistent constraints";
    case DynamicsStatus::kNotClosed:
      return "loops not closed";
    case DynamicsStatus::kNotFinite:
      return "not finite";
  }
  return "";
}

Eigen::VectorXd InverseDynamics(const Mechanism& m, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v, const Eigen::VectorXd& qdd,
                                const ExternalForces& forces) {
  // Recursive Newton-Euler in body frames. Gravity enters as an acceleration of the world upwards,
  // so that no body needs a force of its own; a body that gravity spares is lifted by what it would
  // weigh.
  JointCache joints(m);
  UpdateJoints(m, q.data(), v.data(), joints);
  const std::size_t n = m.bodies.size();
  std::vector<Vector6> V(n, Vector6::Zero()), A(n, Vector6::Zero()), F(n, Vector6::Zero());
  A[0].tail<3>() = -m.gravity;
  ExternalForces lift;
  if (AnyWeightless(m)) AddUplift(m, joints, lift);
  for (std::size_t b = 1; b < n; ++b) {
    const Body& body = m.bodies[b];
    V[b] = InverseTransformMotion(joints.X_PB[b], V[U(body.parent)]);
    A[b] = InverseTransformMotion(joints.X_PB[b], A[U(body.parent)]);
    if (body.nv > 0) {
      const auto S = joints.S.middleCols(body.v, body.nv);
      const Vector6 S_v = S * v.segment(body.v, body.nv);
      V[b] += S_v;
      A[b] += S * qdd.segment(body.v, body.nv) + CrossMotion(V[b], S_v) + joints.S_rate_v[b];
    }
    const Matrix6 I = InertiaOf(body);
    // Equation of motion of one body: I a + v x* I v, less the forces from outside.
    F[b] = I * A[b] + CrossForce(V[b], I * V[b]);
    if (b < forces.size()) F[b] -= forces[b];
    if (!lift.empty()) F[b] -= lift[b];
  }
  Eigen::VectorXd tau(m.nv);
  for (std::size_t b = n - 1; b > 0; --b) {
    const Body& body = m.bodies[b];
    if (body.nv > 0)
      tau.segment(body.v, body.nv) = joints.S.middleCols(body.v, body.nv).transpose() * F[b];
    F[U(body.parent)] += TransformForce(joints.X_PB[b], F[b]);
  }
  // Armature is a rotor behind a gear: it resists its coordinate, and turns with no body.
  for (int i = 0; i < m.nv; ++i) tau[i] += m.armature[U(i)] * qdd[i];
  for (const int b : BodiesWithArmatureBias(m)) AddArmatureBias(m, b, v.data(), 1, tau);
  return tau;
}

Eigen::VectorXd Bias(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     const ExternalForces& forces) {
  return InverseDynamics(m, q, v, Eigen::VectorXd::Zero(m.nv), forces);
}

Eigen::MatrixXd MassMatrix(const Mechanism& m, const Eigen::VectorXd& q) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), nullptr, joints);
  // Composite rigid bodies, from the tips inwards: the column of a coordinate is the force that
  // moves all beyond it, carried towards the root and felt at every joint on the way.
  std::vector<Matrix6> I(m.bodies.size());
  for (std::size_t b = 0; b < m.bodies.size(); ++b) I[b] = InertiaOf(m.bodies[b]);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(m.nv, m.nv);
  for (int b = static_cast<int>(m.bodies.size()) - 1; b > 0; --b) {
    const Body& body = m.bodies[U(b)];
    I[U(body.parent)] += InertiaInParent(joints.X_PB[U(b)], I[U(b)]);
    for (int c = body.v; c < body.v + body.nv; ++c) {
      Vector6 F = I[U(b)] * joints.S.col(c);
      for (int r = body.v; r < body.v + body.nv; ++r) M(r, c) = joints.S.col(r).dot(F);
      int child = b;
      for (int a = body.parent; a > 0; a = m.bodies[U(a)].parent) {
        F = TransformForce(joints.X_PB[U(child)], F);
        const Body& ancestor = m.bodies[U(a)];
        for (int r = ancestor.v; r < ancestor.v + ancestor.nv; ++r)
          M(r, c) = M(c, r) = joints.S.col(r).dot(F);
        child = a;
      }
    }
  }
  for (int i = 0; i < m.nv; ++i) M(i, i) += m.armature[U(i)];
  return M;
}

Energy EnergyOf(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), v.data(), joints);
  std::vector<RigidTransform> X_WB;
  ComputePoses(m, joints, X_WB);
  const std::vector<Vector6> V = Velocities(m, joints, v);
  Energy energy;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    energy.kinetic += 0.5 * V[b].dot(InertiaOf(m.bodies[b]) * V[b]);
    if (m.bodies[b].weightless) continue;
    energy.potential -=
        m.bodies[b].inertia.mass * m.gravity.dot(X_WB[b] * m.bodies[b].inertia.p_BoBcm);
  }
  for (int i = 0; i < m.nv; ++i) energy.kinetic += 0.5 * m.armature[U(i)] * v[i] * v[i];
  return energy;
}

MassCentre CentreOfMass(const Mechanism& m, const Eigen::VectorXd& q) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), nullptr, joints);
  std::vector<RigidTransform> X_WB;
  ComputePoses(m, joints, X_WB);
  // From the tips inwards: a joint moves the mass of all beyond it as one body, about the origin of
  // its own.
  std::vector<double> mass(m.bodies.size());
  std::vector<Vector3> moment(m.bodies.size());  // mass times place, world axes
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    mass[b] = b == 0 ? 0 : m.bodies[b].inertia.mass;
    moment[b] = mass[b] * (X_WB[b] * m.bodies[b].inertia.p_BoBcm);
  }
  MassCentre all;
  all.J = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, m.nv);
  for (std::size_t b = m.bodies.size() - 1; b > 0; --b) {
    const Body& body = m.bodies[b];
    for (int c = body.v; c < body.v + body.nv; ++c) {
      const Vector3 omega = X_WB[b].R * joints.S.col(c).head<3>(),
                    velocity = X_WB[b].R * joints.S.col(c).tail<3>();
      all.J.col(c) = mass[b] * velocity + omega.cross(moment[b] - mass[b] * X_WB[b].p);
    }
    mass[U(body.parent)] += mass[b], moment[U(body.parent)] += moment[b];
  }
  all.mass = mass[0];
  if (all.mass > 0) all.p = moment[0] / all.mass, all.J /= all.mass;
  return all;
}

Eigen::VectorXd PassiveForces(const Mechanism& m, const Eigen::VectorXd& q,
                              const Eigen::VectorXd& v) {
  Eigen::VectorXd tau(m.nv);
  for (const Body& body : m.bodies) {
    for (int i = body.v; i < body.v + body.nv; ++i) tau[i] = -m.damping[U(i)] * v[i];
    static_cast<void>(AddSprings(m, body, q.data(), tau));
  }
  return tau;
}

Embedding Embed(const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
                const Eigen::VectorXd& v) {
  // Block by block: aggregates share no coordinate, so that G and g of the whole are theirs side by
  // side. A contradiction of rows is reported but leaves the result, which may be good to the
  // frames' digits.
  Embedding all;
  all.G = Eigen::MatrixXd::Zero(m.nv, coordinates.mobility);
  all.g = Eigen::VectorXd::Zero(m.nv);
  JointCache joints(m);
  UpdateJoints(m, q.data(), v.data(), joints);
  AggregateKinematics kinematics;
  ConstraintRows rows;
  int column = 0;
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const Aggregate& g = m.aggregates[a];
    const AggregateCoordinates& c = coordinates.aggregates[a];
    kinematics.Resize(g), rows.Resize(g);
    if (g.rows > 0) {
      ComputeAggregateKinematics(m, g, joints, v.data(), kinematics);
      ComputeConstraints(m, g, kinematics, q.data(), v.data(), Residual::kExact, rows);
    }
    const ExplicitConstraint e = MakeExplicit(rows.K, rows.k, c.independent, c.dependent);
    if (e.singular) {
      all.status = DynamicsStatus::kSingularPosture;
      return all;
    }
    if (e.inconsistency > kContradiction * (1 + rows.k.lpNorm<Eigen::Infinity>()))
      all.status = DynamicsStatus::kInconsistent;
    for (int i = 0; i < g.nv; ++i) {
      all.G.row(g.velocity[U(i)]).segment(column, e.G.cols()) = e.G.row(i);
      all.g[g.velocity[U(i)]] = e.g[i];
    }
    for (const int i : c.independent) all.independent.push_back(g.velocity[U(i)]);
    for (const int r : e.rows) all.rows.push_back(g.row + r);
    column += static_cast<int>(e.G.cols());
  }
  return all;
}

ReducedDynamics Reduce(const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
                       const Eigen::VectorXd& v, const ExternalForces& forces) {
  // M_y = G^T M G and G^T (h + M g), h the bias of the tree: the constraint forces drop out, since
  // K G = 0.
  const Embedding e = Embed(m, coordinates, q, v);
  ReducedDynamics reduced;
  reduced.status = e.status;
  const Eigen::MatrixXd M = MassMatrix(m, q);
  reduced.M = e.G.transpose() * M * e.G;
  reduced.bias = e.G.transpose() * (Bias(m, q, v, forces) + M * e.g);
  return reduced;
}

}  // namespace kinemorph
