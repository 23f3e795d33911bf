// What a format can hold, and what it demands of a model: the profile that stands beside its reader
// and writer.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/checks/feature.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// How well a target holds a feature.
enum class Support {
  kNative,   ///< the format has it
  kLowered,  ///< expressed exactly by the pass named
  kPartial,  ///< the pass named keeps it where that is exact and reports the rest
  kLost,     ///< dropped and reported
  kRefused,  ///< an error: the target would take the model for another one; nothing is written
};

/// What becomes of a feature.
struct Capability {
  Support support = Support::kLost;  ///< how well the target holds it
  /// Name of the lowering pass for kLowered and kPartial, else empty.
  std::string_view pass;
  /// What becomes of it, or why it is lost; one short phrase.
  std::string_view note;
  /// False: what is kept of it is kept as another feature, and a file never holds it.
  bool as_itself = true;
  /// False: what is kept of it is a remark, which nothing but user code enforces.
  bool enforced = true;
};

/// How names must look.
enum class NameRule {
  /// Any text; links, joints and frames are separate spaces (URDF, MJCF).
  kPerClass,
  /// One space for links, joints and frames of a model; "::", "__x__" and "world" are reserved
  /// (SDFormat).
  kShared,
  /// [A-Za-z_][A-Za-z0-9_]*, one space for everything (MBS: names become C macros).
  kIdentifiers,
  /// [A-Za-z_][A-Za-z0-9_]*; links, joints and frames are separate spaces (USD).
  kPrims,
};

/// What a link without mass becomes.
enum class MasslessRule {
  /// Written as it is (URDF, MBS).
  kLegal,
  /// No home: rigidly attached ones become frames (SDFormat assumes 1 kg where nothing is written).
  kFrames,
  /// Legal only when welded, or inside a chain of joints of one body (MJCF).
  kChains,
};

/// Where coordinates must be declared independent or dependent.
enum class Natures {
  /// The format has no such word.
  kNever,
  /// Where the model has loops or couplings and its author declared nothing.
  kWithConstraints,
  /// Every coordinate.
  kAlways,
};

/// Reports what a model breaks, as errors.
using ModelRules = void (*)(const Model& model, Diagnostics& diagnostics);

/// What a target demands of a whole model, beside the features.
struct TargetTraits {
  // What is kept as text.

  /// Family whose NativeData it takes: "urdf", "sdf", "mjcf", "mbs".
  std::string_view native_format;
  /// Another family it takes in blocks of links, joints and the model (`<gazebo>`).
  std::string_view block_format;
  /// Such a block says one thing for all visuals, and one for all collisions, of a link, and passes
  /// over those whose name does not begin with the link's.
  bool blocks_speak_for_all_parts = false;
  /// The file of materials whose names stand in such a block without their colours.
  std::string_view block_materials;
  /// In it a number that is zero says the same as none at all.
  bool native_zeros_say_nothing = false;

  // Numbers.

  /// The largest magnitude it holds; squares of what is written are numbers still.
  double greatest_number = 1e150;

  // Names.

  /// How names must look.
  NameRule names = NameRule::kPerClass;
  /// "a::b" may stand in a name.
  bool names_keep_scope_marks = false;
  /// No element but the world itself is called "world".
  bool world_is_reserved = true;

  // Links.

  /// What a link without mass becomes.
  MasslessRule massless = MasslessRule::kLegal;
  /// kg and kg m^2 that a moving body must have.
  double least_inertia = 0;
  /// What a consumer makes of a link that stays without mass.
  std::string_view massless_consequence;
  /// Geometry and frames can stand on the world itself.
  bool world_has_content = true;

  // The base.

  /// A single root link, hence one robot per file.
  bool one_root = false;
  /// Fixed or free: the format has no "unspecified".
  bool base_must_be_decided = false;
  /// A base that stands still is the root link itself, with its frame on the world's.
  bool base_is_root = false;
  /// A free joint is legal only from the world.
  bool free_joint_at_base_only = false;
  /// A model that nothing ties to the world is free, and cannot say so with a joint.
  bool free_base_is_implicit = false;

  /// Only a side-car holds them, and kinemorph does not read that side-car back.
  std::vector<Feature> side_car_alone;

  /// It is said of all that the file holds, or of nothing, that it is static.
  bool all_or_nothing_is_static = false;

  // Joints.

  /// A drive on a joint of any format can be written.
  bool actuators_on_joints = false;
  /// A motor is a drive that can be asked for: its control is a force, by its gear.
  bool motors = false;
  /// Joints of several coordinates carry limits and dynamics.
  bool several_axes_have_data = true;
  /// What is said of dynamics (damping, friction, armature, velocity limit) is said of all
  /// coordinates of a joint at once, and of angles apart from lengths.
  bool axes_share_dynamics = false;
  /// A loop joint carries dynamics too.
  bool loops_have_dynamics = true;
  /// An effort limit, and a spring, is that of the one drive that a coordinate may have; loop
  /// joints and balls have none.
  bool efforts_need_drives = false;
  /// Joints of several coordinates of which nothing is said are retyped by name: balls, and
  /// universal joints whose axes are two of +x, +y, +z of their frame.
  bool retypes_joints = false;
  /// An armature is that of the rotor of a drive.
  bool armatures_need_drives = false;
  /// The two axes of a universal joint are perpendicular.
  bool universals_are_square = false;
  /// A coupling is between joints of one coordinate each.
  bool single_axes_couple = false;
  /// A polynomial is said by the one joint that follows, as a mimic is.
  bool polynomials_stand_on_followers = false;
  /// Both joints of a mimic turn, or both slide.
  bool mimics_join_one_kind = false;
  /// A ball joint carries a limit.
  bool ball_has_limits = true;
  /// Joints of several coordinates turn up to a limit, from zero, and know no effort limit.
  bool whole_joints_turn_up_to = false;
  /// A limit is a pair of finite numbers.
  bool limits_need_both_sides = false;
  /// An effort limit of 0 cannot be said.
  bool zero_effort_is_unlimited = false;
  /// A prismatic joint without limits does not exist.
  bool prismatic_needs_limit = false;
  /// No fixed joints: the links on them become one.
  bool fixed_joints_merge = false;
  /// Every joint axis is +x, +y or +z of its link, and planar loops lie in coordinate planes.
  bool axes_are_coordinates = false;
  /// Where coordinates are declared independent or dependent.
  Natures natures = Natures::kNever;
  /// The native type of a linear coupling that it takes as it was written; empty: none.
  std::string_view linear_coupling;

  // Loops.

  /// Loop joints are written apart from tree joints, so the cut matters.
  bool loops_are_marked = true;
  /// One loop frame is taken from the zero configuration, which must be assembled ...
  bool loops_closed_at_zero = false;
  /// ... unless both loop frames are given, which holds a loop that no configuration closes
  /// exactly, and one that its author drew open in this format.
  bool open_loops_allowed = false;
  /// A loop joint stands at the origin of the frame of one of its links, to which a joint leads.
  bool loops_at_link_frames = false;
  /// A loop joint is a pair of frames, each a link of its own, that coincide or whose origins do.
  bool loops_pair_frames = false;
  /// A loop joint is the coincidence of two points, whatever its type.
  bool loops_join_points = false;
  /// What the points of two links hold together is one loop joint when it is read.
  bool points_hold_together = false;
  /// WriteOptions::loops can be chosen.
  bool loops_can_be_chosen = false;
  /// A loop in which each joint follows one other is written as mimics.
  bool linear_loops_are_mimics = false;
  /// A joint of several coordinates is better a loop joint, because a tree needs massless links for
  /// it, which the readers of the loops leave out.
  bool loops_hold_whole_joints = false;
  /// Of this tree joint the readers of the loops make its two links one, by the name of the
  /// predecessor. Loops then end on links that stay. Null: no such readers.
  bool (*merges)(const Model& model, JointId id) = nullptr;
  /// The readers of the loops leave out a link that weighs less (kg): no moving body does.
  double least_loop_mass = 0;
  /// A loop joint becomes a tree joint to a half of its successor, and a weld of that half.
  bool loops_weld_halves = false;
  /// A fixed loop joint is written as three points too.
  bool points_hold_fixed = false;

  // Shapes.

  /// Ends of the names of meshes it reads, ".stl .obj"; empty: not its business.
  std::string_view mesh_files;
  /// Faces of an STL file it reads, which is then binary and not without any; 0: it reads them all.
  std::size_t most_stl_faces = 0;
  /// What becomes of another mesh whose name is written all the same; empty: it is left out.
  std::string_view unread_mesh;
  /// An address such as package:// can stand for the name of a file.
  bool opens_addresses = true;
  /// Ends of the names of textures it reads, ".png .ktx"; empty: any.
  std::string_view texture_files;
  /// Sliding friction has one coefficient for all directions.
  bool one_friction = false;
  /// There is no other friction than sliding.
  bool only_sliding_friction = false;
  /// Which links collide where nothing is written.
  ContactRule contact_rule = ContactRule::kUnlessJoined;
  /// Bits of a shape's contact masks; 0: it has none.
  int contact_bits = 0;
  /// An inertial of its own format that is computed from shapes is written as such.
  bool computes_inertia = false;
  /// A plane is legal only on what is fixed to the world.
  bool planes_stand_still = false;
  /// A shape without extent does not exist.
  bool shapes_need_size = false;
  /// A colour with a number below 0 or above 1 is refused.
  bool colors_in_unit_range = false;

  /// A scene (floor, light, camera) can stand around the robot, in a file that includes it.
  bool scenes = false;
  /// It can be written with the attributes of PhysX (WriteOptions::physx).
  bool physx = false;

  /// What the library that will run the file demands of it; errors name element and rule.
  ModelRules rules = nullptr;
};

}  // namespace kinemorph
