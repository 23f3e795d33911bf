/// What is one sensor in one format and two in another.
#pragma once

#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A kind that measures what two others measure at one place, with their names behind its own.
struct SensorPair {
  SensorKind whole,          ///< the one
      angular, linear;       ///< the two
  const char *angular_name,  ///< "_gyro"
      *linear_name;          ///< "_accel"
};
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

}  // namespace kinemorph
