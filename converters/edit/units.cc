#include "edit/units.h"

#include <utility>

#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {

bool IsAngular(const JointKind& kind, std::size_t axis) {
  if (std::holds_alternative<Prismatic>(kind)) return false;
  if (std::holds_alternative<Planar>(kind)) return axis == 2;
  if (std::holds_alternative<Cylindrical>(kind)) return axis == 0;
  return true;
}

std::string_view UnitOf(Feature feature, bool angular) {
  using enum Feature;
  struct Unit {
    Feature feature;
    std::string_view angular, linear;
  };
  static constexpr Unit kUnits[] = {
      {kPositionLimit, "rad", "m"},
      {kOneSidedLimit, "rad", "m"},
      {kPositionOffset, "rad", "m"},
      {kInitialPosition, "rad", "m"},
      {kEffortLimit, "N m", "N"},
      {kAsymmetricEffortLimit, "N m", "N"},
      {kFriction, "N m", "N"},
      {kVelocityLimit, "rad/s", "m/s"},
      {kAccelerationLimit, "rad/s^2", "m/s^2"},
      {kJerkLimit, "rad/s^3", "m/s^3"},
      {kDamping, "N m s/rad", "N s/m"},
      {kSpring, "N m/rad", "N/m"},
      {kArmature, "kg m^2", "kg"},
  };
  for (const Unit& unit : kUnits)
    if (unit.feature == feature) return angular ? unit.angular : unit.linear;
  return {};
}

std::string WithUnit(double value, Feature feature, bool angular) {
  const std::string_view unit = UnitOf(feature, angular);
  std::string text = FormatNumber(value);
  if (!unit.empty()) text += " ";
  text += unit;
  return text;
}

namespace {

using Value = std::optional<double> JointAxis::*;
struct Said {
  Value value;
  std::string_view name;
  Feature feature;
  bool zero_is_nothing = false;
};
constexpr Said kSaid[] = {
    {&JointAxis::lower, "lower limit", Feature::kPositionLimit},
    {&JointAxis::upper, "upper limit", Feature::kPositionLimit},
    {&JointAxis::effort, "effort limit", Feature::kEffortLimit},
    {&JointAxis::effort_lower, "lower effort limit", Feature::kEffortLimit},
    {&JointAxis::velocity, "velocity limit", Feature::kVelocityLimit},
    {&JointAxis::acceleration, "acceleration limit", Feature::kAccelerationLimit},
    {&JointAxis::deceleration, "deceleration limit", Feature::kAccelerationLimit},
    {&JointAxis::jerk, "jerk limit", Feature::kJerkLimit},
    {&JointAxis::damping, "damping", Feature::kDamping, true},
    {&JointAxis::friction, "friction", Feature::kFriction, true},
    {&JointAxis::spring_stiffness, "spring stiffness", Feature::kSpring, true},
    {&JointAxis::spring_reference, "spring reference", Feature::kPositionLimit},
    {&JointAxis::armature, "armature", Feature::kArmature, true},
    {&JointAxis::limit_stiffness, "limit stiffness", Feature::kSpring},
    {&JointAxis::limit_dissipation, "limit dissipation", Feature::kDamping},
    {&JointAxis::initial_position, "initial position", Feature::kInitialPosition, true}};

}  // namespace

std::string AxesText(const Joint& joint) {
  std::string text;
  const auto add = [&](std::string item, std::size_t axis) {
    text += (text.empty() ? "" : ", ") + std::move(item);
    if (joint.axes.size() > 1) text += " (coordinate " + std::to_string(axis + 1) + ")";
  };
  for (std::size_t i = 0; i < joint.axes.size(); ++i) {
    const JointAxis& axis = joint.axes[i];
    for (const Said& said : kSaid) {
      const auto& value = axis.*said.value;
      if (value && (*value != 0 || !said.zero_is_nothing))
        add(std::string(said.name) + " " + WithUnit(*value, said.feature, IsAngular(joint.kind, i)),
            i);
    }
    if (axis.safety) add("safety controller", i);
    if (axis.calibration) add("calibration", i);
  }
  return text;
}

}  // namespace kinemorph
