// What losing content of SDFormat means (1.4 to 1.12; which terms move a body was measured).
#include "gazebo_libraries.h"
#include "sdformat.h"

namespace kinemorph {
namespace {

using enum Weight;
using enum ContentRole;

// What no row names moves bodies.
// A path is looked up by its longest end. kActs: it moves bodies in a way that the dynamics of
// kinemorph do not obey.
const std::vector<ContentWeight>* SdfRows() {
  static const std::vector<ContentWeight> kRows = WithGazeboLibraries({
      // The world.
      {"physics", kInterface},
      {"magnetic_field", kInterface},
      {"spherical_coordinates", kInterface},
      {"state", kInterface},
      {"frame", kInterface},
      {"actor", kInterface},
      {"physics/max_contacts", kMotion},
      {"physics/ode/constraints", kMotion},
      {"physics/ode/solver/friction_model", kMotion},
      {"physics/bullet/constraints", kMotion},
      {"physics/simbody/contact", kMotion},
      {"physics/dart/collision_detector", kMotion},
      {"physics/ode/friction_model", kMotion},
      {"physics/gravity", kMotion},
      {"scene", kLooks},
      {"gui", kLooks},
      {"light", kLooks},
      {"road", kLooks},
      {"audio", kLooks},
      // A model.
      {"allow_auto_disable", kInterface},
      {"namespace", kInterface},
      {"ros2_control", kInterface},
      {"model_state", kInterface},
      {"joint_state", kInterface},
      {"link_state", kInterface},
      // The value that means nothing has two spellings in SDFormat, so there are two rows.
      {"enable_wind", kMotion, "false", kActs},
      {"enable_wind", kMotion, "0"},
      {"self_collide", kMotion, "false"},
      {"self_collide", kMotion, "0"},
      // A link.
      {"sensor", kInterface},
      {"sensor/pose", kInterface, {}, kPlace},
      {"battery", kInterface},
      {"audio_sink", kInterface},
      {"audio_source", kInterface},
      {"kinematic", kMotion, "false", kActs},
      {"kinematic", kMotion, "0"},
      {"must_be_base_link", kMotion, "false", kActs},
      {"must_be_base_link", kMotion, "0"},
      {"gravity", kMotion, "true"},
      {"gravity", kMotion, "1"},
      {"fluid_added_mass", kMotion, {}, kActs},
      {"velocity_decay", kMotion, {}, kActs},
      {"velocity_decay/linear", kMotion, "0"},
      {"velocity_decay/angular", kMotion, "0"},
      {"visual", kLooks},
      {"projector", kLooks},
      {"particle_emitter", kLooks},
      // A collision.
      {"laser_retro", kInterface},
      {"max_contacts", kInterface},
      // Of a surface, friction and bounce are the robot's; how softly a contact is held is the
      // solver's, and each engine has a law of its own.
      {"surface", kInterface},
      {"surface/soft_contact", kMotion},
      {"surface/contact/collide_without_contact", kMotion, "false"},
      {"surface/contact/collide_bitmask", kMotion, {}, kInField},
      {"surface/contact/category_bitmask", kMotion, {}, kInField},
      {"surface/bounce/restitution_coefficient", kMotion, "0"},
      {"surface/friction/ode/mu", kMotion, {}, kInField},
      {"surface/friction/ode/mu2", kMotion, {}, kInField},
      {"surface/friction/ode/fdir1", kMotion, "0 0 0"},
      {"surface/friction/ode/slip1", kMotion, "0"},
      {"surface/friction/ode/slip2", kMotion, "0"},
      {"surface/friction/torsional", kMotion},
      {"surface/friction/torsional/coefficient", kMotion, {}, kInField},
      {"surface/friction/torsional/use_patch_radius", kInterface},
      {"collide_without_contact_bitmask", kInterface},
      // A visual.
      {"visual/laser_retro", kInterface},
      {"visibility_flags", kInterface},
      {"material", kLooks},
      {"cast_shadows", kLooks},
      {"transparency", kLooks},
      {"meta", kLooks},
      // A joint.
      {"must_be_loop_joint", kInterface},
      {"provide_feedback", kInterface},
  });
  return &kRows;
}

}  // namespace

const std::vector<ContentWeight>* SdfContentWeights() { return SdfRows(); }

}  // namespace kinemorph
