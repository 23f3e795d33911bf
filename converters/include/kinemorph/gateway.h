// The door: one include for whoever uses kinemorph as a library, a page or a language binding.
//
//   Loaded loaded = LoadFile("robot.sdf");             // or LoadText, from memory
//   ConversionResult result = ConvertRobot(*loaded.robot, request);
//   Inspection what = InspectRobot(*loaded.robot, {}, messages);
//   Articulation arm(loaded.robot->model);             // coordinates, the loops kept closed
//
// Values go in and come out. Nothing throws, prints, or starts a thread; only LoadFile touches a
// disk (library kinemorph::files). Results have a JSON form for those who pass texts. Beside it stand
// kinemorph/simulate.h (motion), kinemorph/export.h (equations as code), kinemorph/views.h (graphs and
// scenes) and kinemorph/options.h (the options of requests), each a library of that name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/converters/codes.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/inspection.h"
#include "kinemorph/converters/recipe.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/formats/xacro.h"
#include "kinemorph/gateway/articulation.h"
#include "kinemorph/gateway/mechanics.h"

namespace kinemorph {

/// A description that was read, with what later questions need of it.
struct Robot {
  Model model;       ///< as authored, with what side-cars add
  std::string file;  ///< name of the text: for messages, and the base of what it names
  std::string text;  ///< as it was read
  std::shared_ptr<const ResourceResolver> resolver;  ///< finds other files; null: there are none
  std::vector<std::string> read;  ///< the text's own name, then every other file that was read
  std::shared_ptr<const XacroExpansion>
      expansion;  ///< that `text` comes from; null: it is no xacro
};

/// A robot, or the errors that stand against it.
struct Loaded {
  std::optional<Robot> robot;  ///< none where `diagnostics` has errors
  Diagnostics diagnostics;     ///< of reading
};

/// What stands beside a description and says what it cannot.
struct SideCarText {
  std::string name,  ///< for messages, and the base of what it names
      text;          ///< all of it
};

/// A side-car of this name and without text: the names of frames say which close loops.
inline constexpr std::string_view kFramesByName = "frames";

/// How a description is read.
struct LoadOptions {
  std::string from;               ///< its format; empty: told by the content, then by the name
  std::vector<SideCarText> with;  ///< submechanisms.yml, robot.yaml ..., or kFramesByName
  bool look_beside = true;        ///< where `with` is empty: one beside the file is read too
};

/// How a file on disk is read, and what it may reach.
struct FileOptions : LoadOptions {
  std::map<std::string, std::string> packages;  ///< folder by package or model name
  std::vector<std::string> package_path;        ///< folders that hold packages or models
  bool environment = true;     ///< ROS_PACKAGE_PATH, AMENT_PREFIX_PATH ... are looked through too
  bool allow_outside = false;  ///< files outside of the robot's folder and packages may be opened
  std::map<std::string, std::string> xacro_args;  ///< `$(arg NAME)` of a .xacro file
  bool xacro = true;                              ///< .xacro files are expanded
  std::optional<std::string> text;  ///< in place of what stands in the file; none: it is read
};

/// Reads a text called `file`. `resolver` finds meshes, includes and side-cars; null: there are no
/// other files.
[[nodiscard]] Loaded LoadText(std::string text, std::string file,
                              std::shared_ptr<const ResourceResolver> resolver = nullptr,
                              const LoadOptions& options = {});

/// Folders that ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH,
/// SDF_PATH and PRJPATH name.
[[nodiscard]] std::vector<std::string> PackageFoldersOfEnvironment();

/// Reads a file on disk, behind the fence of FileResolver.
[[nodiscard]] Loaded LoadFile(const std::string& path, const FileOptions& options = {});

/// Adds to a model that was read back what the side-cars written with its text say. False, with
/// errors, where they do not fit: ConversionRequest::written_side_cars.
[[nodiscard]] bool AddWrittenSideCars(Model& model, const std::vector<SideFile>& files,
                                      Diagnostics& diagnostics);

/// Converts a robot: `in` and `resolver` of the request are the robot's, and side-cars that are
/// written are read back for the proof. The messages of reading are not repeated.
[[nodiscard]] ConversionResult ConvertRobot(Robot robot, ConversionRequest request);

/// VerifyEquivalent, with the files of meshes that either robot names.
[[nodiscard]] VerifyResult VerifyRobots(const Robot& a, const Robot& b, VerifyOptions options);

/// Moves messages and losses to their places in the files that xacro expanded, with the macro calls
/// that made them. ConvertRobot has done it where the robot has its expansion.
void TranslateResult(const XacroExpansion& expansion, ConversionResult& result);

/// How InspectRobot looks.
struct InspectOptions {
  std::vector<std::string> cut;          ///< joints that shall close loops
  std::vector<std::string> independent;  ///< joints whose coordinates shall be independent
  bool compare_closures = false;         ///< hold closed forms against Newton, which takes longer
};
/// Nothing, with errors, where joints of the options are not there.
[[nodiscard]] std::optional<Inspection> InspectRobot(const Robot& robot,
                                                     const InspectOptions& options,
                                                     Diagnostics& diagnostics);

// -- texts

/// `{"end": 0, "source": {...}, "target": {...}, "text": "...", "files": [...], "report": {...},
/// "proof": {...}, "messages": [...]}`.
[[nodiscard]] std::string ConversionJson(const ConversionResult& result);
/// Formats with their titles, extensions and versions, and the capability table.
[[nodiscard]] std::string FormatsJson();
/// All codes of messages with meaning, example and remedy.
[[nodiscard]] std::string CodesJson();
/// Messages as an array.
[[nodiscard]] std::string MessagesJson(const Diagnostics& diagnostics);

}  // namespace kinemorph
