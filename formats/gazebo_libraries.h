// Plugins of Gazebo that move nothing by themselves.
#pragma once

#include <array>

#include "kinemorph/formats/native_weight.h"

namespace kinemorph {

/// Rows of a table of weights: libraries that are the simulator itself or its window, that measure
/// and publish, or that wait for commands of a controller.
inline constexpr std::array kGazeboLibraries = std::to_array<std::string_view>({
    // gz sim
    "plugin=gz-sim-physics-system",
    "plugin=gz-sim-user-commands-system",
    "plugin=gz-sim-scene-broadcaster-system",
    "plugin=gz-sim-sensors-system",
    "plugin=gz-sim-air-pressure-system",
    "plugin=gz-sim-air-speed-system",
    "plugin=gz-sim-altimeter-system",
    "plugin=gz-sim-camera-video-recorder-system",
    "plugin=gz-sim-contact-system",
    "plugin=gz-sim-forcetorque-system",
    "plugin=gz-sim-imu-system",
    "plugin=gz-sim-joint-state-publisher-system",
    "plugin=gz-sim-label-system",
    "plugin=gz-sim-log-record-system",
    "plugin=gz-sim-log-system",
    "plugin=gz-sim-logical-camera-system",
    "plugin=gz-sim-magnetometer-system",
    "plugin=gz-sim-navsat-system",
    "plugin=gz-sim-odometry-publisher-system",
    "plugin=gz-sim-particle-emitter-system",
    "plugin=gz-sim-performer-detector-system",
    "plugin=gz-sim-pose-publisher-system",
    "plugin=gz-sim-shader-param-system",
    "plugin=gz-sim-thermal-sensor-system",
    "plugin=gz-sim-thermal-system",
    "plugin=gz-sim-touchplugin-system",
    "plugin=gz-sim-triggered-publisher-system",
    "plugin=gz_ros2_control-system",
    "plugin=ign_ros2_control-system",
    // Gazebo Classic
    "plugin=gazebo_ros2_control",
    "plugin=gazebo_ros_block_laser",
    "plugin=gazebo_ros_bumper",
    "plugin=gazebo_ros_camera",
    "plugin=gazebo_ros_control",
    "plugin=gazebo_ros_depth_camera",
    "plugin=gazebo_ros_f3d",
    "plugin=gazebo_ros_factory",
    "plugin=gazebo_ros_ft_sensor",
    "plugin=gazebo_ros_gps_sensor",
    "plugin=gazebo_ros_gpu_laser",
    "plugin=gazebo_ros_imu",
    "plugin=gazebo_ros_imu_sensor",
    "plugin=gazebo_ros_init",
    "plugin=gazebo_ros_joint_state_publisher",
    "plugin=gazebo_ros_laser",
    "plugin=gazebo_ros_multicamera",
    "plugin=gazebo_ros_openni_kinect",
    "plugin=gazebo_ros_p3d",
    "plugin=gazebo_ros_prosilica",
    "plugin=gazebo_ros_range",
    "plugin=gazebo_ros_ray_sensor",
    "plugin=gazebo_ros_state",
    "plugin=hector_gazebo_ros_gps",
    "plugin=hector_gazebo_ros_imu",
    "plugin=hector_gazebo_ros_magnetic",
    "plugin=hector_gazebo_ros_sonar",
});

/// The rows of a family, and those libraries.
[[nodiscard]] inline std::vector<ContentWeight> WithGazeboLibraries(
    std::vector<ContentWeight> rows) {
  for (const std::string_view library : kGazeboLibraries)
    rows.push_back({library, Weight::kInterface});
  return rows;
}

}  // namespace kinemorph
