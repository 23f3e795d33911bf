#include "kinemorph/graph/motion/start_velocity.h"

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {

Posture FindVelocity(MotionSystem& system, const Eigen::VectorXd& q,
                     const std::vector<GivenCoordinate>& given) {
  const Mechanism& m = system.mechanism();
  Posture out;
  out.q = Eigen::VectorXd::Zero(m.nv);
  if (given.empty()) {
    out.ok = true;
    return out;
  }
  Eigen::VectorXd x = system.StateOf(q, out.q);
  if (!system.Settle(x)) {
    out.why = system.Why();
    return out;
  }
  // Velocities that the loops allow are rho yd. The rows of rho that belong to the given rates are
  // the equations for yd; the least solution leaves at rest what nobody spoke of.
  const Eigen::MatrixXd rho = system.Rho();
  const Eigen::Index n = static_cast<Eigen::Index>(given.size());
  Eigen::MatrixXd A(n, rho.cols());
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const GivenCoordinate& g = given[static_cast<std::size_t>(i)];
    A.row(i) = rho.row(m.bodies[U(g.body)].v + g.index);
    b[i] = g.value;
  }
  const Eigen::VectorXd yd = ShortestLeastSquares(A, b);
  const Eigen::VectorXd miss = A * yd - b;
  Eigen::Index worst = 0;
  const double largest = miss.cwiseAbs().maxCoeff(&worst);
  if (!(largest <= 1e-9 * (1 + b.cwiseAbs().maxCoeff()))) {
    out.why = "the loops do not allow a rate of " + FormatNumber(NearDecimal(b[worst], 4)) +
              " of " + given[static_cast<std::size_t>(worst)].name + " here";
    return out;
  }
  out.q = rho * yd, out.ok = true;
  return out;
}

}  // namespace kinemorph
