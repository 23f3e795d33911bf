// The constraint-embedding articulated-body algorithm on the compiled mechanism: three sweeps over
// aggregates.
#include "kinemorph/graph/mechanics/constraint_embedding.h"

#include "kinemorph/graph/base/linear_algebra.h"
#include "mechanics/armature.h"
#include "mechanics/embedding_cluster.h"
#include "mechanics/embedding_single.h"
#include "mechanics/uplift.h"

namespace kinemorph {

using embedding::Cluster;
using embedding::Recursion;
using embedding::SingleBody;

struct ConstraintEmbeddingDynamics::Impl {
  // One aggregate: a body alone, or a cluster. Parents come first.
  struct Step {
    int single = -1, cluster = -1;  // index into singles or clusters
  };
  Recursion recursion;
  std::vector<SingleBody> singles;
  std::vector<Cluster> clusters;
  std::vector<Step> steps;
  std::vector<int> with_bias;  // bodies: of armatures
  Eigen::VectorXd without;     // tau but for their share
  int fault = -1;
  const bool weightless;  // some body is
  ExternalForces lifted;  // the forces given, and what holds up such bodies

  Impl(const Mechanism& m, const Coordinates* coordinates)
      : recursion(m), with_bias(BodiesWithArmatureBias(m)), weightless(AnyWeightless(m)) {
    const std::size_t count = coordinates == nullptr ? m.bodies.size() : m.aggregates.size();
    for (std::size_t a = 0; a < count; ++a) {
      const bool alone = coordinates == nullptr || (m.aggregates[a].bodies.size() == 1 &&
                                                    coordinates->aggregates[a].rank == 0);
      const int body =
          coordinates == nullptr ? static_cast<int>(a) : m.aggregates[a].bodies.front();
      if (alone && body == 0) continue;
      const int parent = coordinates == nullptr ? m.bodies[a].parent : m.aggregates[a].parent;
      if (parent > 0) recursion.node(parent).has_children = true;
      Step& step = steps.emplace_back();
      if (alone) {
        step.single = static_cast<int>(singles.size());
        singles.emplace_back(body);
      } else {
        step.cluster = static_cast<int>(clusters.size());
        clusters.emplace_back(m, m.aggregates[a], coordinates->aggregates[a]);
      }
    }
  }
  SingleBody& single(const Step& step) { return singles[static_cast<std::size_t>(step.single)]; }
  Cluster& cluster(const Step& step) { return clusters[static_cast<std::size_t>(step.cluster)]; }

  DynamicsStatus Fault(DynamicsStatus status, const Step& step) {
    fault = step.cluster < 0 ? single(step).body() : cluster(step).aggregate().bodies.front();
    return status;
  }

  DynamicsStatus Complete(const double* q, double* v, double* gap) {
    fault = -1;
    UpdateJoints(recursion.m, q, nullptr, recursion.joints);
    for (const Step& step : steps) {
      if (step.cluster < 0) continue;
      const DynamicsStatus status = cluster(step).Complete(recursion, q, v, gap);
      if (status != DynamicsStatus::kOk) return Fault(status, step);
    }
    return DynamicsStatus::kOk;
  }

  // What the joints do with v, after their poses.
  void UpdateRates(const double* q, const double* v) {
    for (int b = 1; b < static_cast<int>(recursion.m.bodies.size()); ++b)
      if (!recursion.m.bodies[static_cast<std::size_t>(b)].constant_subspace)
        UpdateJoint(recursion.m, b, q, v, recursion.joints);
  }

  DynamicsStatus VelocitiesAndInertias(const double* q, const double* v, const double* tau,
                                       const ExternalForces* forces, bool completed) {
    fault = -1;
    if (forces != nullptr && forces->empty()) forces = nullptr;
    if (completed)
      UpdateRates(q, v);
    else
      UpdateJoints(recursion.m, q, v, recursion.joints);
    if (weightless) {
      if (forces != nullptr)
        lifted = *forces;
      else
        lifted.clear();
      AddUplift(recursion.m, recursion.joints, lifted);
      forces = &lifted;
    }
    for (const Step& step : steps) {
      if (step.cluster < 0) {
        single(step).Velocity(recursion, v, forces);
      } else if (completed) {
        cluster(step).Move(recursion, q, v, forces);
      } else if (const DynamicsStatus status = cluster(step).Velocity(recursion, q, v, forces);
                 status != DynamicsStatus::kOk) {
        return Fault(status, step);
      }
    }
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const bool ok = step->cluster < 0 ? single(*step).Inertia(recursion, tau)
                                        : cluster(*step).Inertia(recursion, tau);
      if (!ok) return Fault(DynamicsStatus::kSingularMass, *step);
    }
    return DynamicsStatus::kOk;
  }

  DynamicsStatus Run(const double* q, const double* v, const double* tau, double* qdd,
                     const ExternalForces* forces, bool completed) {
    if (!with_bias.empty()) {
      without = Eigen::Map<const Eigen::VectorXd>(tau, recursion.m.nv);
      for (const int b : with_bias) AddArmatureBias(recursion.m, b, v, -1, without);
      tau = without.data();
    }
    const DynamicsStatus status = VelocitiesAndInertias(q, v, tau, forces, completed);
    if (status != DynamicsStatus::kOk) return status;
    recursion.node(0).a << Vector3::Zero(), -recursion.m.gravity;
    for (const Step& step : steps) {
      if (step.cluster < 0) {
        single(step).Acceleration(recursion, qdd);
      } else {
        cluster(step).Acceleration(recursion, qdd);
      }
    }
    return DynamicsStatus::kOk;
  }
};

ConstraintEmbeddingDynamics::ConstraintEmbeddingDynamics(const Mechanism& mechanism,
                                                         const Coordinates& coordinates)
    : impl_(std::make_unique<Impl>(mechanism, &coordinates)) {}
ConstraintEmbeddingDynamics::ConstraintEmbeddingDynamics(const Mechanism& mechanism)
    : impl_(std::make_unique<Impl>(mechanism, nullptr)) {}
ConstraintEmbeddingDynamics::~ConstraintEmbeddingDynamics() = default;
int ConstraintEmbeddingDynamics::body_at_fault() const { return impl_->fault; }

DynamicsStatus ConstraintEmbeddingDynamics::Run(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                const Eigen::VectorXd& tau, Eigen::VectorXd& qdd,
                                                const ExternalForces* forces, bool completed) {
  qdd.resize(impl_->recursion.m.nv);
  DynamicsStatus status = DynamicsStatus::kNotFinite;
  if (q.allFinite() && v.allFinite() && tau.allFinite())
    status = impl_->Run(q.data(), v.data(), tau.data(), qdd.data(), forces, completed);
  if (status == DynamicsStatus::kOk && !qdd.allFinite()) status = DynamicsStatus::kNotFinite;
  if (status != DynamicsStatus::kOk) qdd.setZero();
  return status;
}

DynamicsStatus ConstraintEmbeddingDynamics::ForwardDynamics(const Eigen::VectorXd& q,
                                                            const Eigen::VectorXd& v,
                                                            const Eigen::VectorXd& tau,
                                                            Eigen::VectorXd& qdd,
                                                            const ExternalForces* forces) {
  return Run(q, v, tau, qdd, forces, false);
}

DynamicsStatus ConstraintEmbeddingDynamics::Complete(const Eigen::VectorXd& q, Eigen::VectorXd& v,
                                                     Eigen::VectorXd& gap) {
  gap.setZero(impl_->recursion.m.nv);
  if (!q.allFinite() || !v.allFinite()) return DynamicsStatus::kNotFinite;
  return impl_->Complete(q.data(), v.data(), gap.data());
}

DynamicsStatus ConstraintEmbeddingDynamics::CompletedDynamics(const Eigen::VectorXd& q,
                                                              const Eigen::VectorXd& v,
                                                              const Eigen::VectorXd& tau,
                                                              Eigen::VectorXd& qdd,
                                                              const ExternalForces* forces) {
  return Run(q, v, tau, qdd, forces, true);
}

Eigen::MatrixXd MassFactorization::Inverse() const {
  return F * SymmetricFactors(D).Solve(Eigen::MatrixXd(F.transpose()));
}

// Every aggregate reacts to the acceleration of the body it hangs on: ydd = nu - D^-1 U^T a_p.
// Column k of F is the answer to nu = e_k.
MassFactorization ConstraintEmbeddingDynamics::Factorize(const Eigen::VectorXd& q) {
  Impl& w = *impl_;
  const Mechanism& m = w.recursion.m;
  MassFactorization out;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(m.nv);
  out.status = w.VelocitiesAndInertias(q.data(), zero.data(), zero.data(), nullptr, false);
  if (out.status != DynamicsStatus::kOk) return out;
  const auto freedoms = [&](const Impl::Step& step) -> Eigen::Index {
    return step.cluster < 0 ? m.bodies[static_cast<std::size_t>(w.single(step).body())].nv
                            : w.cluster(step).mobility();
  };
  Eigen::Index size = 0, first = 0;
  for (const Impl::Step& step : w.steps) size += freedoms(step);
  out.D = Eigen::MatrixXd::Zero(size, size), out.F = Eigen::MatrixXd::Zero(size, size);
  std::vector<Matrix6X> a(m.bodies.size(), Matrix6X::Zero(6, size));  // of every body
  const auto in_body = [size](const RigidTransform& X, const Matrix6X& a_p) {
    Matrix6X a_b(6, size);
    for (Eigen::Index k = 0; k < size; ++k) a_b.col(k) = InverseTransformMotion(X, a_p.col(k));
    return a_b;
  };
  for (const Impl::Step& step : w.steps) {
    const Eigen::Index n = freedoms(step);
    auto ydd = out.F.middleRows(first, n);
    ydd.middleCols(first, n).setIdentity();
    if (step.cluster < 0) {
      const SingleBody& single = w.single(step);
      const std::size_t b = static_cast<std::size_t>(single.body());
      a[b] = in_body(w.recursion.joints.X_PB[b], a[static_cast<std::size_t>(m.bodies[b].parent)]);
      ydd -= single.W(m.bodies[b].nv).transpose() * a[b];
      a[b] += w.recursion.joints.S.middleCols(m.bodies[b].v, n) * ydd;
      out.D.block(first, first, n, n) = single.D(m.bodies[b].nv);
    } else {
      const Cluster& cluster = w.cluster(step);
      const Aggregate& g = cluster.aggregate();
      const Matrix6X& a_p = a[static_cast<std::size_t>(std::max(g.parent, 0))];
      ydd -= cluster.W().transpose() * a_p;
      for (std::size_t i = 0; i < g.bodies.size(); ++i)
        a[static_cast<std::size_t>(g.bodies[i])] = in_body(cluster.X(i), a_p + cluster.J(i) * ydd);
      out.D.block(first, first, n, n) = cluster.D();
    }
    first += n;
  }
  return out;
}

}  // namespace kinemorph
