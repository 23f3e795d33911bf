#include "export/ros2.h"

#include <algorithm>
#include <string_view>

#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

// The package around the exported C: a relay in plain C that keeps the loops closed, and a node
// that feeds it from JointState messages. The relay knows nothing of ROS, so that other programs
// may use it. All files are patterns with three words to be filled in.

// NAME and UPPER, the robot's; PACKAGE.
std::string Filled(std::string_view pattern, const Equations& e) {
  // Macros are in upper case, by ASCII only: the name is an identifier already.
  std::string upper = e.name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  // REP 144: names of packages are of lower-case letters, digits and '_', and begin with a letter.
  std::string package = LowerCase(e.name) + "_relay";
  package.erase(0, package.find_first_not_of('_'));
  if (package.front() >= '0' && package.front() <= '9') package = "robot_" + package;
  std::string out(pattern);
  for (const auto& [word, text] :
       {std::pair("@NAME@", e.name), std::pair("@UPPER@", upper), std::pair("@PACKAGE@", package)})
    for (std::size_t at = out.find(word); at != std::string::npos;
         at = out.find(word, at + text.size()))
      out.replace(at, std::string_view(word).size(), text);
  return out;
}

// The header and the state: where the loops are closed, and what was asked for.
constexpr std::string_view kHeader = R"(/*
 * Joint positions of '@NAME@' with its loops closed, written by kinemorph.
 *
 * The independent joints are set; the others follow by the closure in @NAME@.c.
 */
#ifndef @UPPER@_RELAY_H_INCLUDED
#define @UPPER@_RELAY_H_INCLUDED

#include "@NAME@.h"

#ifdef __cplusplus
extern "C" {
#endif

/* q: where the loops are closed; target: what was asked for (rad or m). */
typedef struct {
  double q[@UPPER@_NQ];
  double target[@UPPER@_NQ];
} @NAME@_relay;

/* Joints of one coordinate, as indices into q, and whether each is independent; -1 ends them. */
extern const int @NAME@_relay_joints[@UPPER@_NQ + 1];
extern const int @NAME@_relay_is_independent[@UPPER@_NQ + 1];

/* Stands where the loops are closed. */
void @NAME@_relay_reset(@NAME@_relay *relay);
/* 0: it will go there; 1: no independent joint of one coordinate has this name, or `position` is
 * not finite. */
int @NAME@_relay_set(@NAME@_relay *relay, const char *joint, double position);
/* Goes to what was set, in steps small enough to stay on the branch. 0: it stands there; 1: the
 * loops can follow so far only, and it stands at the last closed position. */
int @NAME@_relay_close(@NAME@_relay *relay);

#ifdef __cplusplus
}
#endif

#endif
)";

// The relay goes in steps of at most 0.05 rad or m per independent joint, near enough for "close" to
// know the branch. One step may fall on a singular posture, and the next goes beyond it; where two
// fail, the last closed posture stands. Steps are bounded in number too, as a message may hold any
// value. NQ + 1: an array in C must have an entry, even for a robot without joints.
constexpr std::string_view kSource = R"(
void @NAME@_relay_reset(@NAME@_relay *relay) {
  memcpy(relay->q, @NAME@_q0, sizeof(relay->q));
  memcpy(relay->target, @NAME@_q0, sizeof(relay->target));
}

int @NAME@_relay_set(@NAME@_relay *relay, const char *joint, double position) {
  int i;
  if (!isfinite(position)) return 1;
  for (i = 0; @NAME@_relay_joints[i] >= 0; ++i) {
    const int at = @NAME@_relay_joints[i];
    if (!@NAME@_relay_is_independent[i] || strcmp(@NAME@_q_names[at], joint) != 0) continue;
    relay->target[at] = position;
    return 0;
  }
  return 1;
}

int @NAME@_relay_close(@NAME@_relay *relay) {
  double start[@UPPER@_NQ], guess[@UPPER@_NQ], q[@UPPER@_NQ], far = 0;
  int i, k, steps, missed = 0;
  memcpy(start, relay->q, sizeof(start));
  for (i = 0; @NAME@_relay_joints[i] >= 0; ++i) {
    const int at = @NAME@_relay_joints[i];
    if (@NAME@_relay_is_independent[i] && fabs(relay->target[at] - start[at]) > far)
      far = fabs(relay->target[at] - start[at]);
  }
  steps = far > 50 ? 1000 : 1 + (int)(far / 0.05);
  for (k = 1; k <= steps && missed < 2; ++k) {
    memcpy(guess, relay->q, sizeof(guess));
    for (i = 0; @NAME@_relay_joints[i] >= 0; ++i) {
      const int at = @NAME@_relay_joints[i];
      if (@NAME@_relay_is_independent[i])
        guess[at] = start[at] + (relay->target[at] - start[at]) * k / steps;
    }
    missed = @NAME@_close(guess, q) == 0 ? 0 : missed + 1;
    if (!missed) memcpy(relay->q, q, sizeof(q));
  }
  return missed > 0;
}
)";

// robot_state_publisher reads joint_states and knows only the tree: the user's source of
// independent positions must publish under another name, to which the launch file maps
// joint_states.
constexpr std::string_view kNode =
    R"(// Publishes all joints of '@NAME@' from its independent ones, written by kinemorph.
#include <cstddef>
#include <memory>

#include "@NAME@_relay.h"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/joint_state.hpp"

class Relay : public rclcpp::Node {
 public:
  Relay() : rclcpp::Node("@PACKAGE@") {
    @NAME@_relay_reset(&relay_);
    publisher_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", 10);
    subscription_ = create_subscription<sensor_msgs::msg::JointState>(
        "joint_states_independent", 10,
        [this](const sensor_msgs::msg::JointState &message) { Take(message); });
  }

 private:
  void Take(const sensor_msgs::msg::JointState &message) {
    for (std::size_t i = 0; i < message.name.size() && i < message.position.size(); ++i)
      @NAME@_relay_set(&relay_, message.name[i].c_str(), message.position[i]);
    if (@NAME@_relay_close(&relay_) != 0)
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 2000,
                           "the loops cannot follow that far: the last closed posture stands");
    sensor_msgs::msg::JointState all;
    all.header = message.header;
    for (int i = 0; @NAME@_relay_joints[i] >= 0; ++i) {
      all.name.push_back(@NAME@_q_names[@NAME@_relay_joints[i]]);
      all.position.push_back(relay_.q[@NAME@_relay_joints[i]]);
    }
    publisher_->publish(all);
  }

  @NAME@_relay relay_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr publisher_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr subscription_;
};

int main(int argc, char **argv) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Relay>());
  rclcpp::shutdown();
  return 0;
}
)";

// libm is a library of its own on Unix only.
constexpr std::string_view kCmake = R"(# Written by kinemorph.
cmake_minimum_required(VERSION 3.8)
project(@PACKAGE@ C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(ament_cmake REQUIRED)
find_package(rclcpp REQUIRED)
find_package(sensor_msgs REQUIRED)
add_executable(relay relay_node.cpp @NAME@_relay.c @NAME@.c)
target_include_directories(relay PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
ament_target_dependencies(relay rclcpp sensor_msgs)
if(UNIX)
  target_link_libraries(relay m)
endif()
install(TARGETS relay DESTINATION lib/${PROJECT_NAME})
install(FILES relay.launch.py DESTINATION share/${PROJECT_NAME})
ament_package()
)";

// Format 3 of package.xml (REP 149) demands a maintainer and a license, which nobody here can know.
constexpr std::string_view kPackage = R"(<?xml version="1.0"?>
<!-- Written by kinemorph. -->
<package format="3">
  <name>@PACKAGE@</name>
  <version>0.0.0</version>
  <description>Publishes all joints of @NAME@ from its independent ones, the loops closed.</description>
  <maintainer email="nobody@example.com">TODO</maintainer>
  <license>TODO</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <depend>rclcpp</depend>
  <depend>sensor_msgs</depend>
  <exec_depend>launch_ros</exec_depend>
  <export>
    <build_type>ament_cmake</build_type>
  </export>
</package>
)";

constexpr std::string_view kLaunch = R"(# Written by kinemorph.
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    return LaunchDescription([
        Node(package='@PACKAGE@', executable='relay', output='screen'),
        # Sliders for the independent joints; robot_state_publisher takes what the relay publishes.
        Node(package='joint_state_publisher_gui', executable='joint_state_publisher_gui',
             remappings=[('joint_states', 'joint_states_independent')]),
    ])
)";

constexpr std::string_view kReadme = R"(
As a package of ROS 2:

  cp -r . WORKSPACE/src/@PACKAGE@ && cd WORKSPACE && colcon build --packages-select @PACKAGE@
  ros2 launch @PACKAGE@ relay.launch.py

The node takes positions of independent joints from joint_states_independent and publishes those of
all joints of one coordinate on joint_states, with the loops closed. What closes them stands in
@NAME@_relay.c and @NAME@.c, which need nothing of ROS. Of joints of several coordinates (balls, free
bases) nothing is published: a JointState has no place for them.
)";

// Joints of one coordinate: their position is called as their velocity.
// A coordinate that is a joint's only one has the joint's name as position and as velocity; one of
// a ball or a free base has an index in it, and no place in a JointState.
std::string Tables(const Equations& e) {
  std::string joints, independent;
  for (std::size_t q = 0; q < e.positions.size(); ++q) {
    const std::string& name = e.positions[q].name;
    // The relay sets positions and asks which are independent, which is known of velocities.
    const auto v = std::find_if(e.velocities.begin(), e.velocities.end(),
                                [&](const ExportedScalar& each) { return each.name == name; });
    if (v == e.velocities.end() || name != e.positions[q].joint) continue;
    const int index = static_cast<int>(v - e.velocities.begin());
    const bool free =
        std::find(e.independent.begin(), e.independent.end(), index) != e.independent.end();
    joints += std::to_string(q) + ", ";
    independent += free ? "1, " : "0, ";
  }
  return "const int @NAME@_relay_joints[@UPPER@_NQ + 1] = {" + joints +
         "-1};\nconst int @NAME@_relay_is_independent[@UPPER@_NQ + 1] = {" + independent + "0};\n";
}

}  // namespace

std::vector<ExportedFile> ExportRos2(const Equations& e) {
  std::vector<ExportedFile> files = ExportC(e);
  // The exported C has a README already: the package's part stands behind it.
  for (ExportedFile& file : files)
    if (file.name == "README.txt") file.text += Filled(kReadme, e);
  const auto add = [&](const std::string& name, const std::string& pattern) {
    files.push_back({name, Filled(pattern, e)});
  };
  add(e.name + "_relay.h", std::string(kHeader));
  add(e.name + "_relay.c",
      "/* Written by kinemorph; @NAME@_relay.h says what it is. */\n#include "
      "\"@NAME@_relay.h\"\n\n#include <math.h>\n#include <string.h>\n\n" +
          Tables(e) + std::string(kSource));
  add("relay_node.cpp", std::string(kNode));
  add("relay.launch.py", std::string(kLaunch));
  add("package.xml", std::string(kPackage));
  add("CMakeLists.txt", std::string(kCmake));
  return files;
}

}  // namespace kinemorph
