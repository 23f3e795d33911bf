// What feet need of the ground's friction.
#pragma once

#include <optional>
#include <vector>

#include "kinemorph/graph/motion/simulation.h"

namespace kinemorph::motion {

/// Looks at the forces of standing feet, sample by sample; what they need goes into the result.
class FootLoads {
 public:
  /// `friction` of the ground; negative: anything.
  FootLoads(const MotionSystem& system, double friction);

  /// The forces jump where a foot comes down or leaves.
  void Forget();
  void Note(const MotionSample& now, SimulationResult& out);
  /// An event, once per contact, where the foot needs more than the ground has: with the time at
  /// which it first does, and the most that it needs.
  void CheckCone(double t, std::size_t foot, double needed, SimulationResult& out);
  /// Length of what is along the ground.
  [[nodiscard]] double Tangential(const Vector3& force) const;
  /// Of all bodies with weight (N).
  [[nodiscard]] double weight() const { return weight_; }

 private:
  void NoteFriction(double t, std::size_t foot, Vector3 force, SimulationResult& out);

  const std::vector<Foot>& feet_;
  const Ground& ground_;
  double friction_, weight_ = 0;
  std::vector<std::optional<std::size_t>> event_;  // by foot, of this contact: in the result
  std::vector<std::optional<Vector3>> last_;       // by foot, since the last contact event
};

}  // namespace kinemorph::motion
