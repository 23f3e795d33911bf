#include "independent_dynamics.h"

#include <algorithm>

#include "base/index.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "mechanics/armature.h"
#include "mechanics/articulated_inertia.h"
#include "mechanics/elimination.h"
#include "mechanics/uplift.h"

namespace kinemorph {
namespace {

// An entry of y (a number, or all of a quaternion's joint) and where it stands in q.
struct Entry {
  int y = 0, q = 0, count = 0;
};

struct Part {              // of an aggregate
  int y = 0, columns = 0;  // first velocity in yd, and how many
  bool closed = false;     // some coordinates depend
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  std::vector<int> actuators;  // positions in the list of actuated velocities
  std::vector<int> rows;       // and their columns in the aggregate
};

}  // namespace

struct IndependentDynamics::Impl {
  const Mechanism& m;
  ExplicitClosures closures;
  ConstraintEmbeddingDynamics embedding;
  JointCache joints;
  std::vector<Part> parts;
  std::vector<Entry> entries;
  std::vector<int> independent, actuated;
  std::vector<int> with_bias;  // bodies: of armatures
  int num_positions = 0;
  bool mixed = false;  // a ball or free joint that depends in part: no y to speak of
  GammaStatus closure = GammaStatus::kOk;
  int fault = -1;
  Eigen::VectorXd q, v, qdd, tau;
  std::vector<RigidInertia> inertia;  // by body, in its frame
  std::vector<Vector6> V, A, F;
  const bool weightless;      // some body is
  std::vector<Vector6> lift;  // of those
  std::vector<double> tableau;
  std::vector<int> order;

  Impl(const Mechanism& mechanism, const Coordinates& coordinates,
       const ExplicitClosureOptions& options, std::vector<int> motors)
      : m(mechanism),
        closures(m, coordinates, options),
        embedding(m, coordinates),
        joints(m),
        actuated(std::move(motors)),
        with_bias(BodiesWithArmatureBias(m)),
        q(coordinates.assembled),
        v(Eigen::VectorXd::Zero(m.nv)),
        qdd(v),
        tau(v),
        inertia(m.bodies.size()),
        V(m.bodies.size(), Vector6::Zero()),
        A(V),
        F(V),
        weightless(AnyWeightless(m)) {
    for (std::size_t b = 0; b < m.bodies.size(); ++b) inertia[b].Set(m.bodies[b].inertia, {});
    for (std::size_t a = 0; a < m.aggregates.size(); ++a)
      AddPart(m.aggregates[a], coordinates.aggregates[a]);
    if (actuated.empty()) actuated = independent;
    for (std::size_t a = 0; a < m.aggregates.size(); ++a) AddActuators(m.aggregates[a], parts[a]);
  }

  void AddPart(const Aggregate& g, const AggregateCoordinates& c) {
    Part& part = parts.emplace_back();
    part.y = static_cast<int>(independent.size());
    part.columns = static_cast<int>(c.independent.size());
    part.closed = !c.dependent.empty();
    for (const int column : c.independent) independent.push_back(g.velocity[U(column)]);
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      const Body& body = m.bodies[U(g.bodies[i])];
      const auto first = std::lower_bound(c.independent.begin(), c.independent.end(), g.column[i]);
      const auto last =
          std::lower_bound(c.independent.begin(), c.independent.end(), g.column[i] + body.nv);
      if (body.nq == body.nv) {
        for (auto it = first; it != last; ++it) Add(body.q + *it - g.column[i], 1);
      } else if (last - first == body.nv) {
        Add(body.q, body.nq);
      } else {
        mixed = true;
      }
    }
  }
  void Add(int position, int count) {
    entries.push_back({num_positions, position, count});
    num_positions += count;
  }
  void AddActuators(const Aggregate& g, Part& part) {
    for (std::size_t u = 0; u < actuated.size(); ++u) {
      const auto at = std::find(g.velocity.begin(), g.velocity.end(), actuated[u]);
      if (at == g.velocity.end()) continue;
      part.actuators.push_back(static_cast<int>(u));
      part.rows.push_back(static_cast<int>(at - g.velocity.begin()));
    }
  }

  DynamicsStatus Move(const Eigen::VectorXd& y, const Eigen::VectorXd& yd) {
    closure = mixed ? GammaStatus::kNotExplicit : GammaStatus::kOk, fault = -1;
    if (mixed) return DynamicsStatus::kNotClosed;
    if (!y.allFinite() || !yd.allFinite()) return DynamicsStatus::kNotFinite;
    for (const Entry& entry : entries)
      for (int i = 0; i < entry.count; ++i) q[entry.q + i] = y[entry.y + i];
    for (std::size_t i = 0; i < independent.size(); ++i)
      v[independent[i]] = yd[static_cast<Eigen::Index>(i)];
    for (std::size_t a = 0; a < parts.size(); ++a) {
      Part& part = parts[a];
      if (!part.closed) continue;
      const int index = static_cast<int>(a);
      closure = closures.State(index, q, v, part.G, part.g);
      if (closure == GammaStatus::kOk) continue;
      fault = index;
      return closure == GammaStatus::kSingular ? DynamicsStatus::kSingularPosture
                                               : DynamicsStatus::kNotClosed;
    }
    UpdateJoints(m, q.data(), v.data(), joints);
    return DynamicsStatus::kOk;
  }

  void Accelerate(const Eigen::VectorXd& ydd) {
    for (std::size_t a = 0; a < parts.size(); ++a) {
      const Part& part = parts[a];
      const std::vector<int>& velocity = m.aggregates[a].velocity;
      for (std::size_t c = 0; c < velocity.size(); ++c) {
        if (!part.closed) {
          qdd[velocity[c]] = ydd[part.y + static_cast<Eigen::Index>(c)];
          continue;
        }
        double sum = part.g[static_cast<Eigen::Index>(c)];
        for (int j = 0; j < part.columns; ++j)
          sum += part.G(static_cast<Eigen::Index>(c), j) * ydd[part.y + j];
        qdd[velocity[c]] = sum;
      }
    }
  }

  // Recursive Newton-Euler.
  void NewtonEuler(const ExternalForces* forces) {
    A[0] << Vector3::Zero(), -m.gravity;
    lift.clear();
    if (weightless) AddUplift(m, joints, lift);
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      const Body& body = m.bodies[b];
      V[b] = InverseTransformMotion(joints.X_PB[b], V[U(body.parent)]);
      A[b] = InverseTransformMotion(joints.X_PB[b], A[U(body.parent)]);
      Vector6 S_v = Vector6::Zero();
      for (int i = body.v; i < body.v + body.nv; ++i) {
        S_v += joints.S.col(i) * v[i];
        A[b] += joints.S.col(i) * qdd[i];
      }
      if (body.nv > 0) V[b] += S_v, A[b] += CrossMotion(V[b], S_v);
      if (!body.constant_subspace) A[b] += joints.S_rate_v[b];
      F[b] = inertia[b] * A[b] + inertia[b].VelocityProduct(V[b]);
      if (forces != nullptr && b < forces->size()) F[b] -= (*forces)[b];
      if (weightless) F[b] -= lift[b];
    }
    for (std::size_t b = m.bodies.size() - 1; b > 0; --b) {
      const Body& body = m.bodies[b];
      for (int i = body.v; i < body.v + body.nv; ++i)
        tau[i] = joints.S.col(i).dot(F[b]) + m.armature[U(i)] * qdd[i];
      F[U(body.parent)] += TransformForce(joints.X_PB[b], F[b]);
    }
    for (const int b : with_bias) AddArmatureBias(m, b, v, 1, tau);
  }

  void Project(Eigen::VectorXd& tau_y) const {
    tau_y.resize(static_cast<Eigen::Index>(independent.size()));
    for (std::size_t a = 0; a < parts.size(); ++a) {
      const Part& part = parts[a];
      const std::vector<int>& velocity = m.aggregates[a].velocity;
      for (int j = 0; j < part.columns; ++j) {
        double sum = part.closed ? 0 : tau[velocity[U(j)]];
        for (std::size_t c = 0; part.closed && c < velocity.size(); ++c)
          sum += part.G(static_cast<Eigen::Index>(c), j) * tau[velocity[c]];
        tau_y[part.y + j] = sum;
      }
    }
  }

  // (Q G)^T u = tau_y of one aggregate.
  bool Actuate(const Part& part, const Eigen::VectorXd& tau_y, Eigen::VectorXd& tau_u) {
    const int n = part.columns, width = n + 1;
    tableau.resize(U(n * width)), order.resize(U(n));
    for (int i = 0; i < n; ++i) {
      order[U(i)] = i;
      double* row = tableau.data() + i * width;
      for (int j = 0; j < n; ++j) {
        const int r = part.rows[U(j)];
        row[j] = part.closed ? part.G(r, i) : (r == i ? 1 : 0);
      }
      row[n] = tau_y[part.y + i];
    }
    if (EliminateColumns(tableau.data(), width, n, n, width, order.data()) == 0) return false;
    for (int j = 0; j < n; ++j) tau_u[part.actuators[U(j)]] = tableau[U(order[U(j)] * width + n)];
    return true;
  }
};

IndependentDynamics::IndependentDynamics(const Mechanism& mechanism, const Coordinates& coordinates,
                                         const ExplicitClosureOptions& options,
                                         std::vector<int> actuated)
    : impl_(std::make_unique<Impl>(mechanism, coordinates, options, std::move(actuated))) {}
IndependentDynamics::~IndependentDynamics() = default;

int IndependentDynamics::num_positions() const { return impl_->num_positions; }
int IndependentDynamics::num_velocities() const {
  return static_cast<int>(impl_->independent.size());
}
const std::vector<int>& IndependentDynamics::independent() const { return impl_->independent; }
const Eigen::VectorXd& IndependentDynamics::q() const { return impl_->q; }
const Eigen::VectorXd& IndependentDynamics::v() const { return impl_->v; }
GammaStatus IndependentDynamics::closure_status() const { return impl_->closure; }
int IndependentDynamics::aggregate_at_fault() const { return impl_->fault; }

void IndependentDynamics::PositionOf(const Eigen::VectorXd& q, Eigen::VectorXd& y) const {
  y.resize(impl_->num_positions);
  for (const Entry& entry : impl_->entries)
    for (int i = 0; i < entry.count; ++i) y[entry.y + i] = q[entry.q + i];
}

DynamicsStatus IndependentDynamics::Move(const Eigen::VectorXd& y, const Eigen::VectorXd& yd) {
  return impl_->Move(y, yd);
}

DynamicsStatus IndependentDynamics::InverseDynamics(const Eigen::VectorXd& y,
                                                    const Eigen::VectorXd& yd,
                                                    const Eigen::VectorXd& ydd,
                                                    Eigen::VectorXd& tau_y,
                                                    const ExternalForces* forces) {
  tau_y.setZero(num_velocities());
  if (!ydd.allFinite()) return DynamicsStatus::kNotFinite;
  const DynamicsStatus status = impl_->Move(y, yd);
  if (status != DynamicsStatus::kOk) return status;
  impl_->Accelerate(ydd);
  impl_->NewtonEuler(forces);
  impl_->Project(tau_y);
  if (tau_y.allFinite()) return DynamicsStatus::kOk;
  tau_y.setZero();
  return DynamicsStatus::kNotFinite;
}

DynamicsStatus IndependentDynamics::ActuatorForces(const Eigen::VectorXd& tau_y,
                                                   Eigen::VectorXd& tau_u) {
  tau_u.setZero(static_cast<Eigen::Index>(impl_->actuated.size()));
  for (const Part& part : impl_->parts) {
    if (part.actuators.size() != U(part.columns) || part.columns == 0) continue;
    if (!impl_->Actuate(part, tau_y, tau_u)) return DynamicsStatus::kSingularPosture;
  }
  return DynamicsStatus::kOk;
}

DynamicsStatus IndependentDynamics::ForwardDynamics(const Eigen::VectorXd& y,
                                                    const Eigen::VectorXd& yd,
                                                    const Eigen::VectorXd& tau_y,
                                                    Eigen::VectorXd& ydd,
                                                    const ExternalForces* forces) {
  ydd.setZero(num_velocities());
  DynamicsStatus status = impl_->Move(y, yd);
  if (status != DynamicsStatus::kOk) return status;
  impl_->tau.setZero();  // G^T tau = tau_y: the rows of independent coordinates in G are unit rows
  for (int i = 0; i < num_velocities(); ++i) impl_->tau[independent()[U(i)]] = tau_y[i];
  status = impl_->embedding.ForwardDynamics(impl_->q, impl_->v, impl_->tau, impl_->qdd, forces);
  if (status != DynamicsStatus::kOk) return status;
  for (int i = 0; i < num_velocities(); ++i) ydd[i] = impl_->qdd[independent()[U(i)]];
  return DynamicsStatus::kOk;
}

}  // namespace kinemorph
