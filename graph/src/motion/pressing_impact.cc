#include "motion/pressing_impact.h"

#include <cmath>

namespace kinemorph::motion {
namespace {

constexpr double kNoImpulse = 1e-12;  // of the weight (s)
constexpr double kSinking = 1e-9;     // m/s

}  // namespace

ImpactResult ImpactOfAll(MotionSystem& system, const Eigen::VectorXd& x,
                         const std::vector<bool>& standing, bool& divided) {
  divided = system.Divide(system.Position(x), standing);
  return divided ? system.Impact(x) : ImpactResult{};
}

ImpactResult PressingImpact(MotionSystem& system, const Eigen::VectorXd& x, double weight,
                            std::vector<bool>& standing, bool& divided) {
  const Vector3& n = system.options().ground.normal;
  const Eigen::Index nq = system.mechanism().nq, nv = system.mechanism().nv;
  const std::size_t feet = standing.size();
  std::vector<bool> needed(feet, false);
  ImpactResult impact;
  for (std::size_t round = 0; round <= 2 * feet; ++round) {
    impact = ImpactOfAll(system, x, standing, divided);
    if (!impact.ok) return impact;
    std::size_t pulled = feet, sinks = feet;
    double least = -kNoImpulse * weight;
    for (std::size_t f = 0; f < feet; ++f) {
      const double normal = n.dot(impact.impulse[f]);
      if (standing[f] && !needed[f] && normal < least) least = normal, pulled = f;
    }
    if (pulled < feet) {
      standing[pulled] = false;
      continue;
    }
    Eigen::VectorXd after = x;
    after.segment(nq, nv) = impact.v;
    double fastest = -kSinking;
    for (std::size_t f = 0; f < feet; ++f) {
      if (standing[f] || std::abs(system.FootHeight(after, f)) > kOnGround) continue;
      const double rate = system.FootRate(after, f);
      if (rate < fastest) fastest = rate, sinks = f;
    }
    if (sinks == feet) return impact;
    standing[sinks] = needed[sinks] = true;
  }
  return impact;
}

}  // namespace kinemorph::motion
