// The door: one include for whoever uses kinemorph as a library, a page or a language binding.
//
//   Loaded loaded = LoadFile("robot.sdf");             // or LoadText, from memory
//   ConversionResult result = ConvertRobot(*loaded.robot, request);
//   Inspection what = InspectRobot(*loaded.robot, {}, messages);
//   Articulation arm(loaded.robot->model);             // coordinates, the loops kept closed
//
// Values go in and come out. Nothing throws, prints, or starts a thread; only LoadFile touches a
// disk (library kinemorph::files). Options (kinemorph/gateway/options.h) and results have a JSON form
// for those who pass texts.
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
#include "kinemorph/gateway/motion.h"
#include "kinemorph/gateway/options.h"
#include "kinemorph/graph/draw/graphviz.h"
#include "kinemorph/graph/emit/equations.h"

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

/// One of the three graphs.
enum class GraphKind {
  kConnectivity,          ///< links, tree joints and loop joints
  kConstraintDependency,  ///< the digraph of URDF+'s Algorithm 3
  kLoopAggregated,        ///< aggregate links and the joints between them
};
/// "cg", "cdd", "lacg"; nothing for another name.
[[nodiscard]] std::optional<GraphKind> GraphKindNamed(std::string_view name);

/// A link, or an aggregate link.
struct GraphNode {
  std::string name;                ///< of a link; of an aggregate link the names of its links
  std::vector<std::string> links;  ///< one, or those of an aggregate link in tree order
  int mobility = 0;                ///< of an aggregate link with loops or couplings
};
/// A joint, or a dependency.
struct GraphEdge {
  std::size_t from = 0,  ///< index of a node
      to = 0;            ///< index of a node
  std::string name,      ///< of the joint; empty for a dependency
      type;              ///< of the joint, as KindName says
  bool loop = false;     ///< a loop joint, or a dependency that a loop or coupling makes
};
/// A graph as data: what a page draws.
struct GraphView {
  std::vector<GraphNode> nodes;  ///< the world first, parents before children
  std::vector<GraphEdge> edges;  ///< of the tree first
};
/// The graph of a model along its default spanning tree.
[[nodiscard]] GraphView GraphOf(const Model& model, GraphKind kind);
/// The same as Graphviz text.
[[nodiscard]] std::string DrawGraph(const Model& model, GraphKind kind,
                                    const PictureOptions& options = {});

/// Code in one of these languages.
enum class ExportLanguage {
  kC,       ///< C99 that needs only <math.h>
  kMatlab,  ///< functions for MATLAB and Octave
  kFmu,     ///< what stands in an FMU but for binaries, to be zipped
  kRos2,    ///< kC, and a package of ROS 2 that publishes all joints from the independent ones
};
/// "c", "matlab", "fmu", "ros2"; nothing for another name.
[[nodiscard]] std::optional<ExportLanguage> ExportLanguageNamed(std::string_view name);
/// Equations of motion as source code.
struct ExportedEquations {
  std::string name;                 ///< of the robot, as an identifier
  std::vector<ExportedFile> files;  ///< to be written, or of an FMU to be zipped into NAME.fmu
};
/// How equations of motion shall be written.
struct ExportRequest {
  ExportLanguage language = ExportLanguage::kC;  ///< which
  std::vector<std::string> armatures = {};       ///< "JOINT=VALUE", kg m^2 or kg
  std::optional<FmiVersion> fmi = {};            ///< of kFmu; none: kFmi2
  std::vector<std::string> binaries = {};        ///< of kFmu, for those who compile: platforms
  std::vector<std::string> output_frames = {};   ///< of kFmu: links and frames, outputs then
  std::vector<std::string> feet = {};            ///< "LINK:X,Y,Z" (m), not of kFmu: feet, impact
};
/// Nothing, with errors, where a robot has no equations of motion, or not what is asked of.
[[nodiscard]] std::optional<ExportedEquations> ExportEquations(const Robot& robot,
                                                               const ExportRequest& request,
                                                               Diagnostics& diagnostics);

// -- texts

/// `{"end": 0, "source": {...}, "target": {...}, "text": "...", "files": [...], "report": {...},
/// "proof": {...}, "messages": [...]}`.
[[nodiscard]] std::string ConversionJson(const ConversionResult& result);
/// `{"nodes": [...], "edges": [...]}`.
[[nodiscard]] std::string GraphJson(const GraphView& graph);
/// Links with shapes, colours and poses in their links, joints, loops: what a page shows. Poses are
/// 16 numbers, row by row.
[[nodiscard]] std::string SceneJson(const Model& model);
/// Formats with their titles, extensions and versions, and the capability table.
[[nodiscard]] std::string FormatsJson();
/// All codes of messages with meaning, example and remedy.
[[nodiscard]] std::string CodesJson();
/// Messages as an array.
[[nodiscard]] std::string MessagesJson(const Diagnostics& diagnostics);

}  // namespace kinemorph
