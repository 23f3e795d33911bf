// The door to the sweeps (embedding_sweeps.h), which read raw arrays: what is not finite is refused
// here, since one such number would spread over the whole tree and comparisons with it are all
// false.
#include "kinemorph/graph/mechanics/constraint_embedding.h"

#include "mechanics/embedding_sweeps.h"

namespace kinemorph {

struct ConstraintEmbeddingDynamics::Impl : embedding::Sweeps {
  using Sweeps::Sweeps;
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
  // Finite input may still overflow on the way; and no caller gets half of a result.
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

}  // namespace kinemorph
