#include "motion/foot_loads.h"

#include <algorithm>
#include <utility>

namespace kinemorph::motion {
namespace {

constexpr double kLightForce = 0.1;  // of the weight: lighter feet say nothing of friction

}  // namespace

FootLoads::FootLoads(const MotionSystem& system, double friction)
    : feet_(system.options().feet), ground_(system.options().ground), friction_(friction) {
  const Mechanism& m = system.mechanism();
  for (const Body& body : m.bodies)
    if (!body.weightless) weight_ += body.inertia.mass * m.gravity.norm();
  Forget();
}

void FootLoads::Forget() {
  event_.assign(feet_.size(), std::nullopt);
  last_.assign(feet_.size(), std::nullopt);
}

void FootLoads::Note(const MotionSample& now, SimulationResult& out) {
  for (std::size_t f = 0; f < feet_.size(); ++f)
    if (now.standing[f]) NoteFriction(now.t, f, now.force[f], out);
}

// What a foot needs that bears a tenth of the weight. The ratio has no bound where a foot lifts
// off, for the tangential force does not fade with the normal one: between a sample above that
// tenth and one below, it is taken at the tenth itself, so that it does not depend on the steps.
void FootLoads::NoteFriction(double t, std::size_t foot, Vector3 force, SimulationResult& out) {
  const Vector3& n = ground_.normal;
  const double least = kLightForce * weight_, normal = n.dot(force);
  const std::optional<Vector3> last = std::exchange(last_[foot], force);
  if (last && least > 0 && (n.dot(*last) > least) != (normal > least))
    force += (least - normal) / (n.dot(*last) - normal) * (*last - force);
  else if (!(normal > least))
    return;
  const double needed = Tangential(force) / n.dot(force);
  out.friction_stance = std::max(out.friction_stance, needed);
  CheckCone(t, foot, needed, out);
}

// Once for each contact: a foot that slips would have an event at every step.
void FootLoads::CheckCone(double t, std::size_t foot, double needed, SimulationResult& out) {
  if (friction_ < 0 || needed <= friction_) return;
  if (!event_[foot]) {
    event_[foot] = out.events.size();
    out.events.push_back({t, "friction-cone", feet_[foot].link});
  }
  double& most = out.events[*event_[foot]].needed_friction;
  most = std::max(most, needed);
}

double FootLoads::Tangential(const Vector3& force) const {
  return (force - ground_.normal.dot(force) * ground_.normal).norm();
}

}  // namespace kinemorph::motion
