// The one table that says what each format can hold: feature x format. The lowering plan, `check`,
// the loss report and the README's table are all computed from it, and a parameterised test proves
// every cell on a fixture.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {

enum class Support {
  kNative,   ///< the format has it
  kLowered,  ///< expressed exactly by the pass named
  kPartial,  ///< the pass named keeps it where that is exact and reports the rest
  kLost,     ///< dropped and reported
  kRefused,  ///< an error: the target would take the model for another one, so nothing is written
};

struct Capability {
  Support support = Support::kLost;
  std::string_view pass;  ///< name of the lowering pass for kLowered and kPartial, else empty
  std::string_view note;  ///< what becomes of it, or why it is lost; one short phrase
};

/// A column of the table: format, version and profile together decide.
struct Target {
  const Format* format = nullptr;
  WriteOptions options;
};

[[nodiscard]] Capability CapabilityOf(Feature feature, const Target& target);

/// The columns shown by `kinemorph formats`: urdf, urdf+ (reference), urdf+ (paper), urdf+ (grbda),
/// sdf@1.9, sdf@1.11, mjcf, mbs.
struct TableColumn {
  std::string_view title;
  Target target;
};
[[nodiscard]] std::vector<TableColumn> TableColumns();

/// How names must look.
enum class NameRule {
  kPerClass,  ///< any text; links, joints and frames are separate spaces (URDF, MJCF)
  kShared,    ///< one space for links, joints and frames of a model; "::", "__x__" and "world" are
              ///< reserved (SDFormat)
  kIdentifiers,  ///< [A-Za-z_][A-Za-z0-9_]*, one space for everything (MBS: names become C macros)
};

/// What a link without mass becomes.
enum class MasslessRule {
  kLegal,   ///< written as it is (URDF, MBS)
  kFrames,  ///< no home: rigidly attached ones become frames (SDFormat assumes 1 kg where nothing
            ///< is written)
  kChains,  ///< legal only when welded, or inside a chain of joints of one body (MJCF)
};

enum class Natures {
  kNever,
  kWithConstraints,  ///< where the model has loops or couplings and its author declared nothing
  kAlways,           ///< every coordinate
};

/// Reports what a model breaks, as errors.
using ModelRules = void (*)(const Model& model, Diagnostics& diagnostics);

/// What a target demands of a whole model, beside the features.
struct TargetTraits {
  std::string_view
      native_format;  ///< family whose NativeData it takes: "urdf", "sdf", "mjcf", "mbs"
  std::string_view native_refusal;  ///< why its library refuses NativeData with "::" in a name or a
                                    ///< colour beyond 1; empty: it takes them
  std::string_view block_format;    ///< another family it takes in blocks of links, joints and the
                                    ///< model (<gazebo>)
  bool actuators_on_joints = false;    ///< a drive on a joint of any format can be written
  bool several_axes_have_data = true;  ///< joints of several coordinates carry limits and dynamics
  bool ball_has_limits = true;         ///< a ball joint carries a limit
  NameRule names = NameRule::kPerClass;
  bool names_keep_scope_marks = false;  ///< "a::b" may stand in a name
  bool world_is_reserved = true;        ///< no element but the world itself is called "world"
  MasslessRule massless = MasslessRule::kLegal;
  double least_inertia = 0;  ///< kg and kg m^2 that a moving body must have
  std::string_view
      massless_consequence;  ///< what a consumer makes of a link that stays without mass
  bool loops_are_marked =
      true;               ///< loop joints are written apart from tree joints, so the cut matters
  bool one_root = false;  ///< a single root link, hence one robot per file
  bool base_must_be_decided = false;     ///< fixed or free: the format has no "unspecified"
  bool free_joint_at_base_only = false;  ///< a free joint is legal only from the world
  bool free_base_is_implicit =
      false;  ///< a model that nothing ties to the world is free, and cannot say so with a joint
  bool loops_closed_at_zero =
      false;  ///< one loop frame is taken from the zero configuration, which must be assembled
  bool open_loops_allowed = false;  ///< ... unless both loop frames are given, which holds a loop
                                    ///< that no configuration closes exactly
  bool world_has_content = true;    ///< geometry and frames can stand on the world itself
  bool limits_need_both_sides = false;    ///< a limit is a pair of finite numbers
  bool zero_effort_is_unlimited = false;  ///< an effort limit of 0 cannot be said
  bool prismatic_needs_limit = false;     ///< a prismatic joint without limits does not exist
  std::string_view
      mesh_files;  ///< ends of the names of meshes it reads, ".stl .obj"; empty: not its business
  std::string_view unread_mesh;     ///< what becomes of another mesh whose name is written all the
                                    ///< same; empty: it is left out
  bool planes_stand_still = false;  ///< a plane is legal only on what is fixed to the world
  bool joined_links_touch =
      false;  ///< links on a loop joint, or on a joint of a base that stands still, may collide
  bool shapes_need_size = false;  ///< a shape without extent does not exist
  Natures natures =
      Natures::kNever;  ///< where coordinates must be declared independent or dependent
  bool base_is_root =
      false;  ///< a base that stands still is the root link itself, with its frame on the world's
  bool fixed_joints_merge = false;    ///< no fixed joints: the links on them become one
  bool axes_are_coordinates = false;  ///< every joint axis is +x, +y or +z of its link, and planar
                                      ///< loops lie in coordinate planes
  bool loops_join_points =
      false;                   ///< a loop joint is the coincidence of two points, whatever its type
  ModelRules rules = nullptr;  ///< what the library that will run the file demands of it; errors
                               ///< name element and rule
};

[[nodiscard]] TargetTraits TraitsOf(const Target& target);

}  // namespace kinemorph
