#include "motion/passive_forces.h"

#include <cmath>

#include "mechanics/springs.h"

namespace kinemorph::motion {

void ComputePassive(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    Passive& out) {
  out.force.setZero(m.nv), out.energy = out.power = 0;
  for (const Body& body : m.bodies) {
    for (int i = 0; i < body.nv; ++i) {
      const std::size_t at = static_cast<std::size_t>(body.v + i);
      const double rate = v[body.v + i];
      double lost = -m.damping[at] * rate;
      if (m.friction[at] != 0) lost -= m.friction[at] * std::tanh(rate / kFrictionSpeed);
      double kept = 0;
      if (body.nq == body.nv) {
        const double x = q[body.q + i];
        const double beyond = x > m.upper[at]   ? x - m.upper[at]
                              : x < m.lower[at] ? x - m.lower[at]
                                                : 0;
        if (beyond != 0 && m.limit_stiffness[at] > 0) {
          kept -= m.limit_stiffness[at] * beyond;
          lost -= m.limit_dissipation[at] * rate;
          out.energy += 0.5 * m.limit_stiffness[at] * beyond * beyond;
        }
      }
      out.force[body.v + i] = kept + lost;
      out.power += lost * rate;
    }
    out.energy += AddSprings(m, body, q.data(), out.force);
  }
}

}  // namespace kinemorph::motion
