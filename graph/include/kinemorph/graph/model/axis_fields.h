/// The numbers that are said of one coordinate, listed once: what prints, compares, checks, drops
/// and counts them goes through this list.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Magnitudes that stand for "no limit", for every format.
struct FormatLimits {
  /// Readers take this and more for none; writers give it where a format wants a number.
  static constexpr double kNone = 1e16;
  /// Authors give both bounds of a range where only one counts: readers of ranges take numbers from
  /// here on for none, and such limits are not compared.
  static constexpr double kHuge = 1e15;
};

/// Which values mean the same as none at all.
enum class Silence {
  kAbsent,  ///< none: every number says something
  kZero,    ///< zero
  kHuge,    ///< FormatLimits::kNone and more, of either sign
};

/// One number of a JointAxis.
struct AxisField {
  std::optional<double> JointAxis::*value;  ///< where it stands, in the units of JointAxis
  std::string_view key;                     ///< "spring_stiffness", for files and dumps
  std::string_view name;                    ///< "spring stiffness", for sentences
  Silence silence = Silence::kAbsent;       ///< what means the same as nothing
  bool magnitude = false;                   ///< never below zero
};

/// All of them but `position_offset`, which is never absent.
inline constexpr std::array<AxisField, 16> kAxisFields = {{
    {&JointAxis::lower, "lower", "lower limit", Silence::kHuge},
    {&JointAxis::upper, "upper", "upper limit", Silence::kHuge},
    {&JointAxis::effort, "effort", "effort limit", Silence::kHuge, true},
    {&JointAxis::effort_lower, "effort_lower", "lower effort limit", Silence::kHuge},
    {&JointAxis::velocity, "velocity", "velocity limit", Silence::kHuge, true},
    {&JointAxis::acceleration, "acceleration", "acceleration limit", Silence::kHuge, true},
    {&JointAxis::deceleration, "deceleration", "deceleration limit", Silence::kHuge, true},
    {&JointAxis::jerk, "jerk", "jerk limit", Silence::kHuge, true},
    {&JointAxis::damping, "damping", "damping", Silence::kZero, true},
    {&JointAxis::friction, "friction", "friction", Silence::kZero, true},
    {&JointAxis::spring_stiffness, "spring_stiffness", "spring stiffness", Silence::kZero},
    {&JointAxis::spring_reference, "spring_reference", "spring reference"},
    {&JointAxis::armature, "armature", "armature", Silence::kZero, true},
    {&JointAxis::limit_stiffness, "limit_stiffness", "limit stiffness"},
    {&JointAxis::limit_dissipation, "limit_dissipation", "limit dissipation"},
    {&JointAxis::initial_position, "initial_position", "initial position", Silence::kZero},
}};

/// What the axis says there; nothing where its value means the same as none, as the rest position
/// of a spring does without the spring.
[[nodiscard]] inline std::optional<double> Said(const JointAxis& axis, const AxisField& field) {
  const std::optional<double>& value = axis.*field.value;
  if (field.value == &JointAxis::spring_reference && axis.spring_stiffness.value_or(0) == 0)
    return std::nullopt;
  const bool silent = !value || (field.silence == Silence::kZero && *value == 0) ||
                      (field.silence == Silence::kHuge && std::abs(*value) >= FormatLimits::kNone);
  return silent ? std::nullopt : value;
}

/// Whether nothing is written of the coordinate but where it starts.
[[nodiscard]] inline bool IsPassive(const JointAxis& axis) {
  for (const AxisField& field : kAxisFields)
    if ((axis.*field.value) && field.value != &JointAxis::initial_position) return false;
  return !axis.safety && !axis.calibration;
}
/// The same of all coordinates of a joint.
[[nodiscard]] inline bool IsPassive(const Joint& joint) {
  for (const JointAxis& axis : joint.axes)
    if (!IsPassive(axis)) return false;
  return true;
}

}  // namespace kinemorph
