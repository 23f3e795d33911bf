// What a format can hold, and what it is beside that: the profile that stands beside its reader and
// writer.
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

/// Reports what a model breaks, as errors.
using ModelRules = void (*)(const Model& model, Diagnostics& diagnostics);

/// What a target is beside its features, for all who ask. What a single pass asks stands in the
/// recipe of the target (converters/targets/).
struct TargetTraits {
  /// Family whose NativeData it takes: "urdf", "sdf", "mjcf", "mbs", "usd".
  std::string_view native_format;
  /// In native text a number that is zero says the same as none at all.
  bool native_zeros_say_nothing = false;
  /// The largest magnitude it holds; squares of what is written are numbers still.
  double greatest_number = 1e150;
  /// Which links collide where nothing is written.
  ContactRule contact_rule = ContactRule::kUnlessJoined;
  /// A single root link, hence one robot per file.
  bool one_root = false;
  /// A motor is a drive that can be asked for: its control is a force, by its gear.
  bool motors = false;
  /// WriteOptions::loops can be chosen.
  bool loops_can_be_chosen = false;
  /// An address such as package:// can stand for the name of a mesh or a texture.
  bool opens_addresses = true;
  /// A scene (floor, light, camera) can stand around the robot, in a file that includes it.
  bool scenes = false;
  /// A stage of USD: WriteOptions::physx can be chosen, and the triangles of a mesh stand in the file
  /// itself, those that the source held (Mesh::content) always, those of files by
  /// WriteOptions::mesh_points.
  bool is_stage = false;
  /// Only a side-car holds them, and kinemorph does not read that side-car back.
  std::vector<Feature> side_car_alone;
  /// What the library that will run the file demands of it; errors name element and rule.
  ModelRules rules = nullptr;
};

}  // namespace kinemorph
