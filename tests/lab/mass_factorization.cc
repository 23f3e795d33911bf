#include "mass_factorization.h"

#include "kinemorph/graph/base/linear_algebra.h"
#include "mechanics/embedding_sweeps.h"

namespace kinemorph {

Eigen::MatrixXd MassFactorization::Inverse() const {
  return F * SymmetricFactors(D).Solve(Eigen::MatrixXd(F.transpose()));
}

// Every aggregate reacts to the acceleration of the body it hangs on: ydd = nu - D^-1 U^T a_p.
// Column k of F is the answer to nu = e_k.
MassFactorization Factorize(const Mechanism& m, const Coordinates& coordinates,
                            const Eigen::VectorXd& q) {
  embedding::Sweeps w(m, &coordinates);
  MassFactorization out;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(m.nv);
  out.status = w.VelocitiesAndInertias(q.data(), zero.data(), zero.data(), nullptr, false);
  if (out.status != DynamicsStatus::kOk) return out;
  const auto freedoms = [&](const embedding::Sweeps::Step& step) -> Eigen::Index {
    return step.cluster < 0 ? m.bodies[static_cast<std::size_t>(w.single(step).body())].nv
                            : w.cluster(step).mobility();
  };
  Eigen::Index size = 0, first = 0;
  for (const embedding::Sweeps::Step& step : w.steps) size += freedoms(step);
  out.D = Eigen::MatrixXd::Zero(size, size), out.F = Eigen::MatrixXd::Zero(size, size);
  std::vector<Matrix6X> a(m.bodies.size(), Matrix6X::Zero(6, size));  // of every body
  const auto in_body = [size](const RigidTransform& X, const Matrix6X& a_p) {
    Matrix6X a_b(6, size);
    for (Eigen::Index k = 0; k < size; ++k) a_b.col(k) = InverseTransformMotion(X, a_p.col(k));
    return a_b;
  };
  for (const embedding::Sweeps::Step& step : w.steps) {
    const Eigen::Index n = freedoms(step);
    auto ydd = out.F.middleRows(first, n);
    ydd.middleCols(first, n).setIdentity();
    if (step.cluster < 0) {
      const embedding::SingleBody& single = w.single(step);
      const std::size_t b = static_cast<std::size_t>(single.body());
      a[b] = in_body(w.recursion.joints.X_PB[b], a[static_cast<std::size_t>(m.bodies[b].parent)]);
      ydd -= single.W(m.bodies[b].nv).transpose() * a[b];
      a[b] += w.recursion.joints.S.middleCols(m.bodies[b].v, n) * ydd;
      out.D.block(first, first, n, n) = single.D(m.bodies[b].nv);
    } else {
      const embedding::Cluster& cluster = w.cluster(step);
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
