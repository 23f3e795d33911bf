// What a format is to the rest of the gateway: a name, a reader, a writer and a profile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/drive_law.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/formats/profile.h"
#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// What a reader is told beside the text.
struct ReadOptions {
  /// For messages, and the base of relative uris.
  std::string file_name = "<text>";
  /// None: nothing else can be opened, which is reported where it matters.
  const ResourceResolver* resolver = nullptr;
};

/// What becomes of the loops in plain URDF, which is a tree; of SDFormat the first two can be asked
/// for, too.
enum class LoopChoice {
  kGazebo,      ///< joints of SDFormat, in URDF in a `<gazebo>` block
  kDetachable,  ///< tree joints to half links, and plugins that weld those when Gazebo starts
  kNone,        ///< they are lost, but those that a mimic says
};

/// What a writer is told beside the model; the capability table depends on it too.
struct WriteOptions {
  /// E.g. "1.9" for sdf; empty: the format's default.
  std::string version = {};
  /// The name of a profile of the format (a Dialect has it): "grbda" of URDF+, "portable" of MJCF;
  /// empty: its default.
  std::string profile = {};
  /// Name of the file that is written, where a scene around the robot shall go with it; empty:
  /// none.
  std::string scene_of = {};
  /// Where the files that the model names are looked into for that; none: nowhere.
  const ResourceResolver* files = nullptr;
  /// Side-cars that hold what the file itself cannot, by name: "hyrodyn" (submechanisms.yml).
  std::vector<std::string> side_cars = {};
  /// The class that drives the joints, for the side-car "ros2_control", which has none of its own.
  std::string hardware_plugin = {};
  /// What their names begin with: that of the file, without its extension.
  std::string stem = {};
  /// Of USD only: attributes of PhysX in place of Newton's.
  bool physx = false;
  /// Of USD only: whether the triangles of mesh files (STL, OBJ, MSH) that can be opened stand in the
  /// stage, or the names of the files; absent: they do.
  std::optional<bool> mesh_points = {};
  /// Of plain URDF and SDFormat only; absent: kGazebo.
  std::optional<LoopChoice> loops = {};
};

/// What a file is for that goes with the written one. All but code name it, or are named by one that
/// does: they must stand beside it.
enum class SideFileKind {
  kCode,     ///< what the written file only announces, to be compiled in
  kScene,    ///< a scene around it
  kSideCar,  ///< what it cannot hold
  kMesh,     ///< a mesh that the source held, or that was made of one: begins with kObjMark
  kLoops,    ///< its loops and coordinates, which it cannot hold: begins with kLoopsMark
};
/// By which a file of kMesh is known again.
inline constexpr std::string_view kObjMark = "# an OBJ file, written by kinemorph\n";
/// By which a file of kLoops is known again.
inline constexpr std::string_view kLoopsMark = "# The loops and coordinates of ";

/// A file that must go with the written one, because the format only announces what it does, or
/// because it was asked for.
struct SideFile {
  std::string name;                         ///< of the file, "user_cons_hJ.c"
  std::string text;                         ///< all of it
  SideFileKind kind = SideFileKind::kCode;  ///< what it is for
};

/// What a writer gives back: the text of the file and of those that go with it.
struct Bundle {
  std::string text;                  ///< of the file; empty after an error
  std::vector<SideFile> side_files;  ///< may be empty
};

/// The scene around the robot in `file`: "robot_scene.xml" of "robot.xml".
[[nodiscard]] inline std::string SceneName(const std::string& file) {
  const std::size_t dot = file.find_last_of('.');
  return file.substr(0, dot) + "_scene" + (dot == std::string::npos ? "" : file.substr(dot));
}

/// Reads `text`; messages go to `diagnostics`. Nothing is returned when no model can be built at
/// all; a partial model may come with errors. Files it wanted but could not open are reported.
using ReadFunction = std::optional<Model> (*)(std::string_view text, const ReadOptions& options,
                                              Diagnostics& diagnostics);

/// Writes a model that is legal for the format (after lowering). A model that is not legal is a
/// programming error and is reported as an error diagnostic; the bundle is then empty.
using WriteFunction = Bundle (*)(const Model& model, const WriteOptions& options,
                                 Diagnostics& diagnostics);

/// How sure a format is that a text is its own, from its first lines.
enum class Likeness {
  kForeign,  ///< another root element
  kItsOwn,   ///< its root element
  kMarked,   ///< its own, with what only this one of several alike has
};

/// The target in one version and profile: a column of the capability table.
struct Dialect {
  std::string_view title;  ///< "urdf+ (paper)"
  WriteOptions options;    ///< that make it
  /// Of a profile: for whom it is written, as `--help` says it.
  std::string_view about = {};
  /// A source that is written so stays so in its own format, unless another profile is asked for.
  bool stays = false;
};

/// The sensors of a format, in its words and in fields.
struct SensorWords {
  /// Takes from an element what a Sensor has fields for: its type and kind, how often and how well
  /// it measures. What is left of the element comes back, without its name and its place.
  NativeElement (*read)(NativeElement element, Sensor& sensor) = nullptr;
  /// The element that says the fields of a sensor, but for its place; nothing: the format has no such
  /// sensor there.
  std::optional<NativeElement> (*write)(const Sensor& sensor,
                                        const WriteOptions& options) = nullptr;
  /// Makes the element of a sensor on a joint say the same of that joint turned round. Null: sensors
  /// of forces stand on links.
  void (*turn)(NativeElement& element) = nullptr;
};

/// The drives of a format, in its words and in fields.
struct DriveWords {
  /// What is left of the element of a drive, where its fields are known, beside them and its names;
  /// null: all of it.
  NativeElement (*rest)(NativeElement element) = nullptr;
  /// A drive as the format holds it: its element, and those of its fields that the element says.
  /// Nothing: the format has no such drive.
  std::optional<Actuator> (*write)(const Model& model, const Actuator& drive,
                                   const WriteOptions& options) = nullptr;
  bool one_a_joint = false;  ///< a second one has no place
  bool has_gears = true;     ///< false: efforts are those of the joint
  bool says_all = false;     ///< a joint that no drive names has none
};

/// A row of the registry.
struct Format {
  std::string_view name;   ///< "urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"
  std::string_view title;  ///< "URDF+ (URDF with loops)"
  /// With the dot, preferred first.
  std::vector<std::string_view> extensions;
  /// Writable versions; default first; empty when the format has none.
  std::vector<std::string_view> versions;
  /// Side-cars that its writer knows; WriteOptions::side_cars may name them.
  std::vector<std::string_view> side_cars = {};

  /// Whether a text is of this format; null: none is recognised.
  Likeness (*likeness)(std::string_view text) = nullptr;
  ReadFunction read = nullptr;    ///< null: it is a target only
  WriteFunction write = nullptr;  ///< never null

  /// Its columns of the capability table; the default comes first.
  std::vector<Dialect> dialects;
  /// What becomes of a feature towards this format; never null.
  Capability (*capability)(Feature feature, const WriteOptions& options) = nullptr;
  /// What it is beside its features; never null.
  TargetTraits (*traits)(const WriteOptions& options) = nullptr;
  /// Why the writer cannot put back a kept item of its own family, in `model` as it will be
  /// written; empty: it can. `owner`: the joint that it belongs to, or null. Null: it always can.
  std::string (*refuses)(const Model& model, const NativeData& native, const Joint* owner,
                         const WriteOptions& options) = nullptr;
  /// The part of another family's content that it has words for as well, as it comes back; empty:
  /// none of it. Null: it has none of any.
  NativeElement (*takes)(const NativeData& data, SubjectKind owner,
                         const WriteOptions& options) = nullptr;
  SensorWords sensors = {};  ///< null: its sensors are text to everyone
  DriveWords drives = {};    ///< null: its drives are
  /// What losing content of its own family means; never null, lives as long as the program.
  const std::vector<ContentWeight>* (*content_weights)() = nullptr;
  /// Brings an element of its own family, whose words are canonical, to one of the spellings that
  /// say the same. Null: there is one only.
  void (*respell)(NativeElement& element) = nullptr;
  /// DriveLawOf, of an actuator of its own family. Null: it says none.
  std::optional<DriveLaw> (*drive_law)(const Model& model, const Actuator& actuator,
                                       std::string& why) = nullptr;
  /// Where a file of it asks joints to start, as far as these do not say so themselves: the position of
  /// one with one coordinate (rad, m), of a free base the pose of its link in the world. Null: it has
  /// no such word.
  std::vector<std::pair<JointId, std::variant<double, RigidTransform>>> (*start)(
      const Model& model) = nullptr;
  /// The gravity (m/s^2) of a file that states none; nothing where the format has no gravity.
  std::optional<Vector3> silent_gravity = {};
  /// Only a world has gravity, and a model outside of one says nothing of it.
  bool gravity_is_of_worlds = false;
  /// A side-car that lies beside its file belongs to it, and is read too.
  bool looks_beside = false;
  /// A link may hang on several joints in a row: what a model has between them is no link of a file.
  bool joints_in_a_row = false;
  /// A file of it without links is a part that others include.
  bool has_parts = false;
};

}  // namespace kinemorph
