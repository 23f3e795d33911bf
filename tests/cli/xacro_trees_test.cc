// Real robots' xacro trees, expanded: the same elements, attributes and texts as the program xacro
// makes of them, to the last digit. KINEMORPH_XACRO_TREES names a folder of checkouts, each in a
// folder of its repository's name; the sums are of what the reference program made of these commits.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "command.h"

namespace kinemorph::test {
namespace {

struct Tree {
  const char* repository;
  const char* commit;
  const char* main;
  const char* arguments;  // NAME:=VALUE ...
  const char* packages;   // NAME=FOLDER, below the folder of checkouts ...
  const char* sha1;
};

const Tree kTrees[] = {
    {"xacro", "70457542a2", "test/robots/pr2/pr2.urdf.xacro", "", "xacro=xacro",
     "de1c05f5a464420d219c6e557ed44d47f992517b"},
    {"Universal_Robots_ROS2_Description", "2221ec0f72", "urdf/ur.urdf.xacro",
     "name:=ur ur_type:=ur5e", "ur_description=Universal_Robots_ROS2_Description",
     "a73358aad8d331375e3cbaec75528513e16630ee"},
    {"Universal_Robots_ROS2_Description", "2221ec0f72", "urdf/ur.urdf.xacro",
     "name:=ur ur_type:=ur10 tf_prefix:=left_ safety_limits:=true",
     "ur_description=Universal_Robots_ROS2_Description",
     "10772f7f94059a3601da9aa346d66f7e2dc0beea"},
    {"franka_description", "b299b39d96", "robots/fr3/fr3.urdf.xacro", "",
     "franka_description=franka_description", "579ad8b099227248f9411e9ce7e6030e96086c11"},
    {"franka_description", "b299b39d96", "robots/fr3/fr3.urdf.xacro",
     "ros2_control:=true with_sc:=true", "franka_description=franka_description",
     "725378bc2ce8ff6a4b5369fab75fcb24dfb6cd83"},
    {"franka_description", "b299b39d96", "robots/multi_arm/multi_arm.urdf.xacro", "",
     "franka_description=franka_description", "6e8b1912a9b12144231b43e05e4f656c0ee4a492"},
    {"ros2_kortex", "1fdbef3459", "kortex_description/robots/gen3.xacro", "dof:=7",
     "kortex_description=ros2_kortex/kortex_description",
     "d68900046d082c8f8755a5bc3bf624e7645e0626"},
    {"uuv_simulator", "bfb40cb153", "uuv_descriptions/robots/rexrov_default.xacro",
     "namespace:=rexrov",
     "uuv_descriptions=uuv_simulator/uuv_descriptions "
     "uuv_gazebo_ros_plugins=uuv_simulator/uuv_gazebo_plugins/uuv_gazebo_ros_plugins "
     "uuv_sensor_ros_plugins=uuv_simulator/uuv_sensor_plugins/uuv_sensor_ros_plugins",
     "93efc4c34e6e4f004b5acd22fe937657ac4093ef"},
    {"subt", "083c6a8acb",
     "submitted_models/csiro_data61_spot_sensor_config_1/urdf/spot.urdf.xacro", "",
     "csiro_data61_spot_sensor_config_1=subt/submitted_models/csiro_data61_spot_sensor_config_1 "
     "bosdyn_spot=subt/submitted_models/bosdyn_spot",
     "215e4c5ffa9beb1e4e1b486f2023e9de232e8a80"},
    {"generalized_rbda", "45fa7c460f", "robot-models/jvrc1_humanoid.xacro", "", "",
     "0e00b59346ac42977bb22b7b0b317e18d21e5faa"},
    {"StrandbeestRobot.jl", "2137db3a5d", "data/Strandbeest.xacro", "", "",
     "13c9f393c95ed39b0940993ffbde9ac7f02f6b71"},
    {"models", "4723170e1c", "tri_homecart/homecart_bimanual.urdf.xacro", "", "",
     "f8c2e75e0ea98bc084420b0430d0ace012b09069"},
    {"vrx", "93ae8d07a8", "vrx_urdf/wamv_gazebo/urdf/wamv_gazebo.urdf.xacro", "",
     "wamv_gazebo=vrx/vrx_urdf/wamv_gazebo wamv_description=vrx/vrx_urdf/wamv_description",
     "3a3cc8663e9188db1b8da99a82d22719e3e5b404"},
    {"rotors_simulator", "cd813b7a8c", "rotors_description/urdf/mav_generic_odometry_sensor.gazebo",
     "mav_name:=firefly namespace:=firefly enable_mavlink_interface:=true "
     "enable_ground_truth:=true enable_logging:=false log_file:=x wait_to_record_bag:=false "
     "rotor_velocity_slowdown_sim:=10",
     "rotors_description=rotors_simulator/rotors_description",
     "60b89f950068274bc6e63d35885ea6627b7889f0"},
};

// The text of an element without that of its children, its white space collapsed.
std::string TextIn(const tinyxml2::XMLElement& element) {
  std::string words;
  for (const tinyxml2::XMLNode* node = element.FirstChild(); node; node = node->NextSibling())
    if (node->ToText() != nullptr) words += node->Value();
  std::istringstream in(words);
  std::string text;
  for (std::string word; in >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

// A line for each element and each text, in document order, attributes by name.
void Write(const tinyxml2::XMLElement& element, int depth, std::string& out) {
  std::map<std::string, std::string> attributes;
  for (const auto* each = element.FirstAttribute(); each; each = each->Next())
    attributes[each->Name()] = each->Value();
  out += std::to_string(depth) + " " + element.Name();
  for (const auto& [name, value] : attributes) out += " " + name + "=\"" + value + "\"";
  out += "\n";
  if (const std::string text = TextIn(element); !text.empty())
    out += std::to_string(depth) + " #" + text + "\n";
  for (const auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    Write(*child, depth + 1, out);
}

std::string Canonical(const std::string& text, const std::string& root) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.c_str()) != tinyxml2::XML_SUCCESS) return document.ErrorStr();
  std::string out;
  Write(*document.RootElement(), 0, out);
  for (std::size_t at = out.find(root); at != std::string::npos; at = out.find(root, at))
    out.replace(at, root.size(), "@");
  return out;
}

std::string Words(const std::string& option, const std::string& words, const std::string& before) {
  std::istringstream in(words);
  std::string text;
  for (std::string word; in >> word;) {
    const std::size_t equal = word.find('=');
    text += " " + option + " '" +
            (before.empty() ? word
                            : word.substr(0, equal + 1) + before + "/" + word.substr(equal + 1)) +
            "'";
  }
  return text;
}

TEST(XacroTrees, ExpandToWhatTheProgramMakesOfThem) {
  const char* const trees = std::getenv("KINEMORPH_XACRO_TREES");
  if (trees == nullptr)
    GTEST_SKIP() << "KINEMORPH_XACRO_TREES names no folder of checkouts of real robots";
  const TemporaryFolder folder;
  std::size_t same = 0, there = 0;
  for (const Tree& tree : kTrees) {
    const std::string root = std::string(trees) + "/" + tree.repository;
    if (!fs::exists(root + "/" + tree.main)) {
      std::cout << "not there: " << tree.repository << " at " << tree.commit << "\n";
      continue;
    }
    ++there;
    const CommandResult result =
        Shell(std::string(KINEMORPH_COMMAND) + " expand '" + root + "/" + tree.main +
                  "' --allow-outside" + Words("--xacro-arg", tree.arguments, "") +
                  Words("--package", tree.packages, trees),
              folder.path());
    EXPECT_EQ(result.exit_code, 0) << tree.main << "\n" << result.err;
    WriteFile(folder / "canonical", Canonical(result.out, root));
    const std::string sum = Shell("sha1sum < canonical", folder.path()).out.substr(0, 40);
    EXPECT_EQ(sum, tree.sha1) << tree.main << " " << tree.arguments;
    same += sum == tree.sha1 ? 1 : 0;
  }
  std::cout << same << " of " << there << " trees of real robots as the program has them\n";
  EXPECT_GT(there, 0u) << trees << " holds none of them";
}

}  // namespace
}  // namespace kinemorph::test
