/// What is one sensor in one format and two in another.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
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

/// The two that measure what `sensor` does; it alone where it is no pair.
[[nodiscard]] inline std::vector<Sensor> PartsOf(const Sensor& sensor) {
  for (const SensorPair& pair : kSensorPairs) {
    if (pair.whole != sensor.kind) continue;
    Sensor angular = sensor, linear = sensor;
    angular.kind = pair.angular, angular.name += pair.angular_name, angular.noise.reset();
    linear.kind = pair.linear, linear.name += pair.linear_name, linear.angular_noise.reset();
    angular.orientation = linear.orientation = false;
    return {std::move(angular), std::move(linear)};
  }
  return {sensor};
}

/// The one that measures what the two do; nothing where they are no pair at one place. Of two rates
/// it has none.
[[nodiscard]] inline std::optional<Sensor> WholeOf(const Sensor& a, const Sensor& b) {
  for (const SensorPair& pair : kSensorPairs) {
    const Sensor &angular = a.kind == pair.angular ? a : b, &linear = &angular == &a ? b : a;
    if (angular.kind != pair.angular || linear.kind != pair.linear || a.link != b.link ||
        !(a.X_LS == b.X_LS) || a.native.format != b.native.format)
      continue;
    Sensor whole = a;
    whole.kind = pair.whole, whole.orientation = false;
    whole.angular_noise = angular.angular_noise, whole.noise = linear.noise;
    if (a.update_rate != b.update_rate) whole.update_rate.reset();
    // "imu" of "imu_gyro" and "imu_accel".
    const std::size_t same = static_cast<std::size_t>(
        std::mismatch(a.name.begin(), a.name.end(), b.name.begin(), b.name.end()).first -
        a.name.begin());
    const std::size_t last = a.name.substr(0, same).find_last_not_of("_-");
    if (last != std::string::npos) whole.name = a.name.substr(0, last + 1);
    return whole;
  }
  return std::nullopt;
}

}  // namespace kinemorph
