#include "ros/ros_package.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "host/files.h"
#include "host/program.h"
#include "kinemorph/gateway.h"
#include "session/outputs.h"

namespace kinemorph::tools {
namespace {

// A package of ROS 2 around one URDF: folder/urdf/NAME.urdf, meshes, a launch file and a view for
// RViz. The parts below are templates with @WORDS@; all of them carry the mark of kinemorph, so
// that a second run may replace them and nobody else's file is lost.

namespace fs = std::filesystem;

constexpr std::string_view kPackageXml = R"(<?xml version="1.0"?>
<!-- Written by kinemorph. -->
<package format="3">
  <name>@NAME@</name>
  <version>0.0.0</version>
  <description>A robot description.</description>
  <maintainer email="nobody@example.com">TODO</maintainer>
  <license>TODO</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <exec_depend>joint_state_publisher_gui</exec_depend>
  <exec_depend>launch_ros</exec_depend>
  <exec_depend>robot_state_publisher</exec_depend>
  <exec_depend>rviz2</exec_depend>
  <export>
    <build_type>ament_cmake</build_type>
  </export>
</package>
)";

constexpr std::string_view kCmake = R"(# Written by kinemorph.
cmake_minimum_required(VERSION 3.8)
project(@NAME@ NONE)
find_package(ament_cmake REQUIRED)
foreach(folder urdf meshes config launch)
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION share/${PROJECT_NAME})
  endif()
endforeach()
ament_package()
)";

// The text goes to robot_state_publisher as it is read, without xacro.
constexpr std::string_view kLaunch = R"(# Written by kinemorph.
import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = get_package_share_directory('@NAME@')
    with open(os.path.join(share, 'urdf', '@FILE@')) as file:
        description = file.read()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='joint_state_publisher_gui', executable='joint_state_publisher_gui'),
        Node(package='rviz2', executable='rviz2',
             arguments=['-d', os.path.join(share, 'config', 'display.rviz')]),
    ])
)";

constexpr std::string_view kView = R"(# Written by kinemorph.
Visualization Manager:
  Class: ""
  Displays:
    - Class: rviz_default_plugins/Grid
      Name: Grid
      Enabled: true
    - Class: rviz_default_plugins/RobotModel
      Name: RobotModel
      Enabled: true
      Description Source: Topic
      Description Topic:
        Value: /robot_description
    - Class: rviz_default_plugins/TF
      Name: TF
      Enabled: false
  Global Options:
    Fixed Frame: "@ROOT@"
)";

struct Part {
  const char* path;
  std::string_view text;
};
constexpr Part kParts[] = {{"package.xml", kPackageXml},
                           {"CMakeLists.txt", kCmake},
                           {"launch/display.launch.py", kLaunch},
                           {"config/display.rviz", kView}};

fs::path FolderOf(const ConversionOptions& request) {
  return fs::path(request.out).parent_path().parent_path();  // of urdf/robot.urdf
}

void Replace(std::string& text, std::string_view word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

// Names of files and links may hold anything; a line end would end the line of YAML.
// Between quotation marks of Python or YAML.
std::string Quotable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// RViz shows everything from one fixed frame: the root of the tree as ROS sees it.
std::string RootOf(const std::string& urdf) {
  const Loaded loaded = LoadText(urdf, "robot.urdf", nullptr, {"urdf", {}, false});
  if (!loaded.robot) return {};
  const Model& model = loaded.robot->model;
  std::vector<bool> hangs(model.num_links(), false);
  for (const JointId id : Joints(model))
    if (const Joint& joint = model.joint(id); joint.role != JointRole::kLoop && !joint.implicit)
      hangs[Index(model.successor(id))] = true;
  for (const LinkId id : Links(model))
    if (!hangs[Index(id)]) return model.link(id).name;
  return {};
}

}  // namespace

// Folders that this run has made, and into which nothing came in the end, go again.
MadeFolders::~MadeFolders() {
  std::error_code not_empty;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
    fs::remove(*folder, not_empty);
}

void MadeFolders::Make(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::exists(folder, error)) return;
  Make(folder.parent_path());
  if (fs::create_directory(folder, error)) made_.push_back(folder);
}

// Before the conversion: OUT, meshes and their addresses are turned towards the package. ament
// takes names of small letters, digits and single underscores.
void AimAtPackage(const std::string& name, ConversionOptions& request, MadeFolders& made) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool legal = name.size() > 1 && name.size() < 200 && name.front() >= 'a' &&
                     name.front() <= 'z' && std::all_of(name.begin(), name.end(), is_part) &&
                     name.find("__") == std::string::npos && name.back() != '_';
  if (!legal)
    throw UsageError(
        "--package-out: '" + name +
        "' is not a name of a package: small letters, digits and single underscores, a "
        "letter first");
  if (fs::path(request.out).extension() != ".urdf")
    throw UsageError("--package-out: the package describes a URDF, and '" + request.out +
                     "' does not end in .urdf");
  if (!request.copy_assets.empty())
    throw UsageError("--package-out: meshes go into its folder: leave --copy-assets out");
  const fs::path out(request.out), folder = out.parent_path() / name;
  for (const Part& part : kParts) RefuseForeign((folder / part.path).string(), kWrittenMark);
  request.out = (folder / "urdf" / out.filename()).string();
  request.copy_assets = (folder / "meshes").string();
  request.mesh_uri = "package://" + name + "/meshes";
  made.Make(folder / "urdf");
}

// After the conversion, when the root is known.
bool WritePackage(const std::string& name, const ConversionOptions& request, Outcome& outcome) {
  const fs::path folder = FolderOf(request);
  const std::string root = RootOf(outcome.result.files.text);
  for (const Part& part : kParts) {
    std::string text(part.text);
    Replace(text, "@NAME@", name);
    Replace(text, "@FILE@", Quotable(fs::path(request.out).filename().string()));
    Replace(text, "@ROOT@", Quotable(root));
    const fs::path path = folder / part.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const std::string why = WriteWhole(path.string(), text);
    if (why.empty()) continue;
    outcome.result.diagnostics.Add(
        {Severity::kError, "file-unwritable", path.string(), 0, "", why, {}});
    return false;
  }
  outcome.result.diagnostics.Add(MakeDiagnostic(
      Severity::kNote, "package-written", folder.string(), 0, "",
      {"", folder.string(),
       "a package for ROS 2: colcon build, then ros2 launch " + name + " display.launch.py"}));
  return true;
}

}  // namespace kinemorph::tools
