// What a simulation leaves behind: a table of samples and a summary.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kinemorph/gateway/coordinates.h"
#include "kinemorph/graph/motion/simulation.h"

namespace kinemorph {

/// Columns t, q.JOINT, v.JOINT, tau.JOINT, phi, energy, phase, and by foot height.LINK,
/// force.LINK.x .y .z (world axes).
class MotionTable {
 public:
  /// Begins with the header line.
  MotionTable(const std::vector<JointPlace>& joints, const Mechanism& mechanism,
              const std::vector<Foot>& feet, const Ground& ground);
  /// Nothing is added, and false returned, where a number of it is none (inf, nan).
  [[nodiscard]] bool Add(const MotionSample& sample);
  /// What was added since.
  [[nodiscard]] std::string Take() { return std::exchange(text_, {}); }
  /// Bytes that were added and not taken.
  [[nodiscard]] std::size_t size() const { return text_.size(); }

 private:
  struct Column {
    int index = 0;
    bool held = false;
  };
  const Ground ground_;
  struct Coordinate {
    int index = 0;
    double offset = 0;
  };
  std::vector<Coordinate> q_;
  std::vector<Column> v_;
  std::string text_;
};

/// By foot: its link, with a number where a link has several.
[[nodiscard]] std::vector<std::string> FootNames(const std::vector<Foot>& feet);

/// Of what a summary tells beside the result.
struct SummaryContext {
  std::string name,                        ///< of the model
      format;                              ///< that it was read from
  const MotionSystem& system;              ///< what was integrated
  const std::vector<JointPlace>& joints;   ///< whose last values are told
  SimulationOptions options;               ///< as they were given
  std::vector<std::string> not_simulated;  ///< what the dynamics leave out, for people
};
/// As JSON.
[[nodiscard]] std::string SummaryOf(const SimulationResult& result, const SummaryContext& context);

}  // namespace kinemorph
