#include "dense_dynamics.h"

#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {
namespace {

bool Finite(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& c) {
  return a.allFinite() && b.allFinite() && c.allFinite();
}

// The first body whose joint's row of M shows no inertia at all; -1 otherwise.
int BodyWithoutInertia(const Mechanism& m, const Eigen::MatrixXd& M) {
  const double scale = M.size() == 0 ? 0 : M.diagonal().cwiseAbs().maxCoeff();
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    for (int v = m.bodies[b].v; v < m.bodies[b].v + m.bodies[b].nv; ++v) {
      if (!(M(v, v) > 1e-12 * scale)) return static_cast<int>(b);
    }
  }
  return -1;
}

// x of G^T M G x = b when that is symmetric positive definite to working precision; false
// otherwise. In units in which its diagonal is one: a lead screw's is a million times that of the
// slide it moves.
bool SolveMass(const Eigen::MatrixXd& G, const Eigen::MatrixXd& M, const Eigen::VectorXd& b,
               Eigen::VectorXd& x) {
  constexpr double kRounding = 1e-14;
  if (G.cols() == 0) {
    x.resize(0);
    return true;
  }
  const Eigen::MatrixXd M_y = G.transpose() * M * G,
                        terms = G.cwiseAbs().transpose() * M.cwiseAbs() * G.cwiseAbs();
  if ((M_y.diagonal().array() <= kRounding * terms.diagonal().array()).any()) return false;
  const Eigen::VectorXd unit = M_y.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd A = unit.asDiagonal() * M_y * unit.asDiagonal();
  const SymmetricFactors factors(A);
  if (!factors.IsPositive(kRounding)) return false;
  const auto solve = [&](const Eigen::VectorXd& right) -> Eigen::VectorXd {
    return unit.cwiseProduct(factors.Solve(Eigen::VectorXd(unit.cwiseProduct(right))));
  };
  x = solve(b);
  x += solve(b - M_y * x);  // one step of refinement
  return x.allFinite();
}

}  // namespace

Accelerations ForwardDynamicsKkt(const Mechanism& m, const Coordinates& coordinates,
                                 const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& tau, const ExternalForces& forces) {
  Accelerations out;
  out.qdd = Eigen::VectorXd::Zero(m.nv), out.lambda = Eigen::VectorXd::Zero(m.rows);
  if (!Finite(q, v, tau)) {
    out.status = DynamicsStatus::kNotFinite;
    return out;
  }
  const Embedding basis = Embed(m, coordinates, q, v);
  if (basis.status != DynamicsStatus::kOk) {
    out.status = basis.status;
    return out;
  }
  const ConstraintRows rows = Constraints(m, q, v);
  const Eigen::Index r = static_cast<Eigen::Index>(basis.rows.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m.nv + r, m.nv + r);
  Eigen::VectorXd b(m.nv + r);
  A.topLeftCorner(m.nv, m.nv) = MassMatrix(m, q);
  b.head(m.nv) = tau - Bias(m, q, v, forces);
  for (Eigen::Index i = 0; i < r; ++i) {
    const int row = basis.rows[static_cast<std::size_t>(i)];
    A.row(m.nv + i).head(m.nv) = rows.K.row(row);
    A.col(m.nv + i).head(m.nv) = rows.K.row(row).transpose();
    b[m.nv + i] = rows.k[row];
  }
  if (!A.allFinite() || !b.allFinite()) {
    out.status = DynamicsStatus::kNotFinite;
    return out;
  }
  if (A.rows() == 0) return out;
  // M alone may be singular (a massless coupler of a loop); what counts is M on the null space of
  // K.
  Eigen::VectorXd unused;
  if (!SolveMass(basis.G, A.topLeftCorner(m.nv, m.nv), Eigen::VectorXd::Zero(basis.G.cols()),
                 unused)) {
    out.status = DynamicsStatus::kSingularMass,
    out.body = BodyWithoutInertia(m, A.topLeftCorner(m.nv, m.nv));
    return out;
  }
  const SquareFactors factors(A);
  Eigen::VectorXd x = factors.Solve(b);
  x += factors.Solve(Eigen::VectorXd(b - A * x));
  if (!x.allFinite()) {
    out.status = DynamicsStatus::kSingularMass;
    return out;
  }
  out.qdd = x.head(m.nv);
  for (Eigen::Index i = 0; i < r; ++i)
    out.lambda[basis.rows[static_cast<std::size_t>(i)]] = -x[m.nv + i];
  return out;
}

Eigen::VectorXd InverseDynamicsIndependent(const Mechanism& m, const Coordinates& coordinates,
                                           const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                           const Eigen::VectorXd& ydd,
                                           const ExternalForces& forces) {
  const Embedding e = Embed(m, coordinates, q, v);
  return e.G.transpose() * InverseDynamics(m, q, v, e.G * ydd + e.g, forces);
}

Accelerations ForwardDynamicsProjected(const Mechanism& m, const Coordinates& coordinates,
                                       const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                       const Eigen::VectorXd& tau, const ExternalForces& forces) {
  Accelerations out;
  out.qdd = Eigen::VectorXd::Zero(m.nv);
  if (!Finite(q, v, tau)) {
    out.status = DynamicsStatus::kNotFinite;
    return out;
  }
  const Embedding e = Embed(m, coordinates, q, v);
  if (e.status != DynamicsStatus::kOk) {
    out.status = e.status;
    return out;
  }
  const Eigen::MatrixXd M = MassMatrix(m, q);
  const Eigen::VectorXd right = e.G.transpose() * (tau - Bias(m, q, v, forces) - M * e.g);
  if (!M.allFinite() || !right.allFinite()) {
    out.status = DynamicsStatus::kNotFinite;
    return out;
  }
  Eigen::VectorXd ydd;
  if (!SolveMass(e.G, M, right, ydd)) {
    out.status = DynamicsStatus::kSingularMass, out.body = BodyWithoutInertia(m, M);
    return out;
  }
  out.qdd = e.G * ydd + e.g;
  return out;
}

}  // namespace kinemorph
