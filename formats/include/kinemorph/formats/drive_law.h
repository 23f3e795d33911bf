// How hard a drive of a description pulls, for what is asked of it.
#pragma once

#include <optional>
#include <string>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// effort = gain u + bias + by_length l + by_rate l' + gain_by_length u l + gain_by_rate u l', with
/// the control u inside its range, l = gear q, l' = gear v (MuJoCo, "Actuation model"); the joint
/// feels gear times the effort, which is kept inside Actuator::effort_lower and effort_upper.
struct DriveLaw {
  double gain = 1,         ///< of the control
      gain_by_length = 0,  ///< of the control times the length
      gain_by_rate = 0,    ///< of the control times its rate
      bias = 0,            ///< whatever is asked for
      by_length = 0,       ///< of the length
      by_rate = 0;         ///< of its rate
  /// by_rate is -2 damping_ratio sqrt(gain M) instead, M the diagonal of the mass matrix at zero
  /// over gear^2 (MuJoCo's dampratio).
  std::optional<double> damping_ratio;
  std::optional<double> control_lower,  ///< absent: any control
      control_upper;                    ///< as `control_lower`
};

/// The law of an actuator of a joint of the model: that of its format, or of its fields where that says
/// none, effort = control of a motor. Nothing, and why, where it has states of its own or is of a kind unknown here.
[[nodiscard]] std::optional<DriveLaw> DriveLawOf(const Model& model, const Actuator& actuator,
                                                 std::string& why);

/// The same drive with a gear of 1: its efforts are those of its joint.
[[nodiscard]] Actuator AtJoint(Actuator drive);

}  // namespace kinemorph
