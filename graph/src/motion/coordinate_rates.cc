#include "motion/coordinate_rates.h"

#include <algorithm>

#include "base/index.h"

namespace kinemorph::motion {
namespace {

// Q' of a quaternion (w, x, y, z) that turns with w in its own axes.
void QuaternionRate(const double* Q, const double* w, double* rate) {
  rate[0] = -0.5 * (Q[1] * w[0] + Q[2] * w[1] + Q[3] * w[2]);
  rate[1] = 0.5 * (Q[0] * w[0] + Q[2] * w[2] - Q[3] * w[1]);
  rate[2] = 0.5 * (Q[0] * w[1] + Q[3] * w[0] - Q[1] * w[2]);
  rate[3] = 0.5 * (Q[0] * w[2] + Q[1] * w[1] - Q[2] * w[0]);
}

}  // namespace

// q' = N(q) v. Scalar joints have q' = v; of ball and free joints v is angular first, in axes of
// the moving frame M, so a free joint's translation is turned into the axes of F, where q has it.
void WriteCoordinateRates(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& w,
                          double* rate) {
  for (const Body& body : m.bodies) {
    const double *velocity = w.data() + body.v, *Q = q.data() + body.q;
    double* out = rate + body.q;
    if (body.nv == 0) {
      std::fill(out, out + body.nq, 0.0);
    } else if (body.nq == body.nv) {
      std::copy(velocity, velocity + body.nv, out);
    } else {
      QuaternionRate(Q, velocity, out);
      if (body.nq != 7) continue;
      const Vector3 p = RotationFromQuaternion(Q[0], Q[1], Q[2], Q[3]) *
                        Vector3(velocity[3], velocity[4], velocity[5]);
      std::copy(p.data(), p.data() + 3, out + 4);
    }
  }
}

// Angles and quaternions as they are; lengths by the size of the mechanism. The work, the last
// entry of x, must not make steps shorter: it is a by-product.
Eigen::VectorXd Tolerances(const Mechanism& m, double rtol) {
  Eigen::VectorXd absolute = Eigen::VectorXd::Constant(m.nq + m.nv + 1, rtol);
  const std::vector<bool> linear = IsLinearVelocity(m);
  for (const Body& body : m.bodies) {
    for (int i = 0; i < body.nv; ++i) {
      if (!linear[U(body.v + i)]) continue;
      absolute[m.nq + body.v + i] *= m.length;
      if (body.nq == body.nv) absolute[body.q + i] *= m.length;
    }
  }
  absolute[m.nq + m.nv] = 1e300;
  return absolute;
}

}  // namespace kinemorph::motion
