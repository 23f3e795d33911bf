/// What is one sensor in one format and several in another, and where it measures.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A kind that measures what two others measure at one place, with their names behind its own.
struct SensorPair {
  SensorKind whole;          ///< the one
  SensorKind angular;        ///< of the two, what measures angles or torques
  SensorKind linear;         ///< the other
  const char* angular_name;  ///< "_gyro"
  const char* linear_name;   ///< "_accel"
};
/// All of them.
inline constexpr SensorPair kSensorPairs[] = {
    {SensorKind::kImu, SensorKind::kGyroscope, SensorKind::kAccelerometer, "_gyro", "_accel"},
    {SensorKind::kForceTorque, SensorKind::kTorque, SensorKind::kForce, "_torque", "_force"}};

/// Those that measure what `sensor` does, a third one how an imu is turned; it alone where it is no
/// pair.
[[nodiscard]] inline std::vector<Sensor> PartsOf(const Sensor& sensor) {
  for (const SensorPair& pair : kSensorPairs) {
    if (pair.whole != sensor.kind) continue;
    std::vector<Sensor> parts(3, sensor);
    Sensor &angular = parts[0], &linear = parts[1], &turn = parts[2];
    angular.kind = pair.angular, angular.name += pair.angular_name, angular.noise.reset();
    linear.kind = pair.linear, linear.name += pair.linear_name, linear.angular_noise.reset();
    angular.orientation = linear.orientation = SensedTurn::kUnsaid;
    turn.kind = SensorKind::kOrientation, turn.name += "_quat";
    turn.noise.reset(), turn.angular_noise.reset();
    if (turn.orientation == SensedTurn::kUnsaid) parts.pop_back();
    return parts;
  }
  return {sensor};
}

/// The one that measures what the others do at one place (`angular`, `linear`, and `turn` where it is
/// not null); nothing where they are none. Of two rates it has none.
[[nodiscard]] inline std::optional<Sensor> WholeOf(const Sensor& angular, const Sensor& linear,
                                                   const Sensor* turn) {
  for (const SensorPair& pair : kSensorPairs) {
    if (angular.kind != pair.angular || linear.kind != pair.linear) continue;
    Sensor whole = angular;
    whole.kind = pair.whole, whole.noise = linear.noise;
    if (turn != nullptr) whole.orientation = turn->orientation;
    if (angular.update_rate != linear.update_rate ||
        (turn != nullptr && turn->update_rate != angular.update_rate))
      whole.update_rate.reset();
    // "imu" of "imu_gyro" and "imu_accel".
    const std::string &a = angular.name, &b = linear.name;
    const auto same = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
    const std::size_t last = a.substr(0, static_cast<std::size_t>(same)).find_last_not_of("_-");
    if (last != std::string::npos) whole.name = a.substr(0, last + 1);
    return whole;
  }
  return std::nullopt;
}

/// Whether it measures what a joint transmits.
[[nodiscard]] inline bool MeasuresForces(SensorKind kind) {
  return kind == SensorKind::kForceTorque || kind == SensorKind::kForce ||
         kind == SensorKind::kTorque;
}

/// A sensor on a joint as one on the link that the joint carries, in its own axes, at the joint's
/// origin; nothing where no place of that link measures the same. One on a link stays.
[[nodiscard]] inline std::optional<Sensor> OnLink(const Model& model, const Sensor& sensor) {
  if (sensor.joint == kNoJoint) return sensor;
  const Joint& joint = model.joint(sensor.joint);
  const bool turns_with_parent =
      sensor.axes == SensorAxes::kParent && !std::holds_alternative<Fixed>(joint.kind);
  Sensor on_link = sensor;
  on_link.joint = kNoJoint, on_link.link = model.successor(sensor.joint);
  if (!MeasuresForces(sensor.kind) || joint.role == JointRole::kLoop || turns_with_parent ||
      model.link(on_link.link).synthetic)
    return std::nullopt;
  Matrix3 R = Matrix3::Identity();  // of the child's axes
  if (sensor.axes == SensorAxes::kOwn) R = joint.X_SM.R * sensor.X_LS.R;
  if (sensor.axes == SensorAxes::kParent) R = joint.X_SM.R * joint.X_PF.R.transpose();
  on_link.X_LS = {R, joint.X_SM.p};
  on_link.axes = SensorAxes::kOwn;
  return on_link;
}

/// The joint whose forces a sensor measures, which is the one above its link in a tree
/// (`parent_joint`: by link); kNoJoint: none.
[[nodiscard]] inline JointId MeasuredJoint(const Sensor& sensor,
                                           const std::vector<JointId>& parent_joint) {
  if (sensor.joint != kNoJoint || !MeasuresForces(sensor.kind) || sensor.link == kNoLink)
    return sensor.joint;
  return parent_joint[Index(sensor.link)];
}

}  // namespace kinemorph
