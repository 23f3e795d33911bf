#include "motion/pressing_impact.h"

#include <cmath>

namespace kinemorph::motion {
namespace {

constexpr double kNoImpulse = 1e-12;  // of the weight (s)
constexpr double kSinking = 1e-9;     // m/s

// The ground only pushes. Which feet take part in an impact is a complementarity problem; it is
// solved by leaving out the foot that is pulled most, until none is. That may end in a foot that
// sinks. The one consistent answer without restitution is then that all feet come to rest.

// The foot that is pulled most; as many as there are feet: none.
std::size_t MostPulled(const MotionSystem& system, const ImpactResult& impact,
                       const std::vector<bool>& standing, double weight) {
  std::size_t worst = standing.size();
  double least = -kNoImpulse * weight;
  for (std::size_t f = 0; f < standing.size(); ++f) {
    const double normal = system.options().ground.normal.dot(impact.impulse[f]);
    if (standing[f] && normal < least) least = normal, worst = f;
  }
  return worst;
}

// Some foot on the ground goes into it.
bool AnySinks(const MotionSystem& system, Eigen::VectorXd x, const ImpactResult& impact) {
  x.segment(system.mechanism().nq, system.mechanism().nv) = impact.v;
  for (std::size_t f = 0; f < impact.impulse.size(); ++f)
    if (std::abs(system.FootHeight(x, f)) <= kOnGround && system.FootRate(x, f) < -kSinking)
      return true;
  return false;
}

}  // namespace

ImpactResult ImpactOfAll(MotionSystem& system, const Eigen::VectorXd& x,
                         const std::vector<bool>& standing, bool& divided) {
  divided = system.Divide(system.Position(x), standing);
  return divided ? system.Impact(x) : ImpactResult{};
}

ImpactResult PressingImpact(MotionSystem& system, const Eigen::VectorXd& x, double weight,
                            std::vector<bool>& standing, bool& divided) {
  const std::vector<bool> down = standing;
  ImpactResult impact = ImpactOfAll(system, x, standing, divided);
  while (impact.ok) {
    const std::size_t pulled = MostPulled(system, impact, standing, weight);
    if (pulled == standing.size()) break;
    standing[pulled] = false;
    impact = ImpactOfAll(system, x, standing, divided);
  }
  if (!impact.ok || !AnySinks(system, x, impact)) return impact;
  standing = down;
  return ImpactOfAll(system, x, standing, divided);
}

}  // namespace kinemorph::motion
