#include "motion/passive_forces.h"

#include "mechanics/joint_forces.h"

namespace kinemorph::motion {

// Springs and soft limits store energy, dampers and friction take it; only the power of the latter
// goes into the work that the balance counts. Limits of quaternion joints do not exist: x is null
// there.
void ComputePassive(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    Passive& out) {
  out.force.setZero(m.nv), out.energy = out.power = 0;
  for (const Body& body : m.bodies) {
    for (int i = 0; i < body.nv; ++i) {
      const std::size_t at = static_cast<std::size_t>(body.v + i);
      const double rate = v[body.v + i];
      const double* const x = body.nq == body.nv ? q.data() + body.q + i : nullptr;
      const Resistance<double> more = FrictionAndLimits(m, at, x, rate);
      const double lost = more.lost - m.damping[at] * rate;
      out.force[body.v + i] = more.kept + lost;
      out.power += lost * rate;
      out.energy += more.energy;
    }
    out.energy += AddSprings(m, body, q.data(), out.force);
  }
}

}  // namespace kinemorph::motion
