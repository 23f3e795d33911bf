// What losing content of URDF means, `<gazebo>` blocks included.
#include "gazebo_libraries.h"
#include "urdf.h"

namespace kinemorph {
namespace {

using enum Weight;
using enum ContentRole;

// What no row names moves bodies.
const std::vector<ContentWeight>* UrdfRows() {
  static const std::vector<ContentWeight> kRows = WithGazeboLibraries({
      // How programs talk to the robot: its motion under given forces does not change without it.
      {"ros2_control", kInterface},
      {"transmission", kInterface},
      {"sensor", kInterface},
      {"safety_controller", kInterface},
      {"calibration", kInterface},
      {"verbose", kInterface},
      {"joint_properties", kInterface},  // of 2009; no reader of today obeys it
      // Attributes that only name or describe their element, wherever it stands.
      {"@version", kInterface},
      {"@name", kInterface},
      {"@reference", kInterface},
      // Words that say to which part something belongs, or where on it: the model has them in
      // fields, so that they are not lost when the text around them goes.
      {"gazebo@reference", kInterface, {}, kOwner},
      {"sensor/parent", kInterface, {}, kOwner},
      {"sensor/origin", kInterface, {}, kPlace},
      {"visual", kLooks},
      {"material", kLooks},
      // What Gazebo reads of a block and what moves no body.
      {"gazebo/plugin@filename", kInterface},
      {"gazebo/plugin@name", kInterface},
      {"provideFeedback", kInterface},
      {"laserRetro", kInterface},
      {"canonicalBody", kInterface},
  });
  return &kRows;
}

}  // namespace

const std::vector<ContentWeight>* UrdfContentWeights() { return UrdfRows(); }

}  // namespace kinemorph
