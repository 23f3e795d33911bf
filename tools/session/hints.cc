#include "session/hints.h"

#include <algorithm>
#include <cctype>

#include "kinemorph/converters/screen.h"
#include "kinemorph/graph/base/text.h"
#include "pictures/view_page.h"

namespace kinemorph::tools {
namespace {

// At most one hint and one next step after a conversion: what users of a new file ask next. They
// say options of this command only, or programs that open the file as it is.

// "urdf" of "urdf@1.1": one family of formats.
std::string FamilyOf(const ModelFacts& facts) {
  return facts.format.substr(0, facts.format.find('@'));
}

// A word of a command line, in quotes where a shell would take it apart.
std::string AsTyped(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./+=:@,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool IsForDrake(const ConversionOptions& options) {
  return options.options.target.options.profile == "drake";
}

// ROS opens package:// and file:// addresses; model:// is Gazebo's, and bare paths are nobody's.
std::string MeshHint(const ConversionResult& result, const ConversionOptions& options) {
  if (FamilyOf(result.target) != "urdf" || !options.mesh_uri.empty() || IsForDrake(options))
    return "";
  const auto& meshes = result.target.meshes;
  const auto bad = std::find_if(meshes.begin(), meshes.end(), [](const std::string& file) {
    return !file.starts_with("package://") && !file.starts_with("file://") &&
           !file.starts_with("http");
  });
  if (bad == meshes.end()) return "";
  const std::string hint = "hint: ROS does not open meshes such as '" + *bad + "': add ";
  if (!options.copy_assets.empty()) return hint + "--mesh-uri package://NAME/meshes";
  return hint + "--copy-assets meshes --mesh-uri package://NAME/meshes, or --package-out NAME";
}

// What would become OBJ files, were there a place for them.
std::string ConvertHint(const ConversionResult& result, const ConversionOptions& options) {
  if (options.out == "-" && !options.convert_meshes)
    return UnopenedMeshHint(result, options,
                            "convert to a file, and OBJ files are written beside it");
  return MakesMeshes(options) ? "" : UnopenedMeshHint(result, options, "add --convert-meshes");
}

// An effort limit in the source says that the joint was meant to be driven.
std::string ActuatorHint(const ConversionResult& result, const ConversionOptions& options) {
  const std::string family = FamilyOf(result.target);
  if ((family != "mjcf" && !(IsForDrake(options) && family == "urdf")) || options.options.motors ||
      result.target.drives > 0 || result.source.effort_limits == 0)
    return "";
  return "hint: no actuators, so nothing drives the robot: add --actuators motor";
}

// The default engine of gz sim leaves joints of the written SDFormat out, which a note told.
bool GzSimLeavesOut(const ConversionResult& result) {
  const auto& said = result.diagnostics.items();
  return std::any_of(said.begin(), said.end(),
                     [](const Diagnostic& item) { return item.code.starts_with("gazebo-drops-"); });
}

// Who reads loops: of URDF+ none of the usual readers, of URDF Gazebo Classic through <gazebo>, of
// SDFormat Gazebo Classic too, and not gz sim's default engine.
std::string LoopHint(const ConversionResult& result, const ConversionOptions& options) {
  if (result.target.loops == 0) return "";
  const std::string family = FamilyOf(result.target);
  if (family == "urdf+")
    return "hint: ROS and Gazebo read URDF+ without its loops: add --to urdf for Gazebo";
  const auto& loops = options.options.target.options.loops;
  if (family == "sdf" && !loops && GzSimLeavesOut(result) && !IsForDrake(options))
    return "hint: gz sim leaves the loops of this file out: add --loops detachable for gz sim" +
           std::string(result.target.format == "sdf@1.7" ? ""
                                                         : ", or --to sdf@1.7 for Gazebo Classic");
  if (family == "urdf" && !loops && options.options.target.options.side_cars.empty() &&
      options.options.target.options.profile.empty())
    return "hint: only Gazebo Classic reads the loops of this URDF: add --loops detachable for gz "
           "sim";
  return "";
}

std::string MeshHintOfFile(const ConversionResult& result, const ConversionOptions& options) {
  const auto& said = result.diagnostics.items();
  const bool missing = std::any_of(said.begin(), said.end(), [](const Diagnostic& item) {
    return item.code == "resource-not-found";
  });
  return missing && !result.target.meshes.empty()
             ? MissingMeshHint(FamilyOf(result.target), options)
             : "";
}

// First the proof, then a program that shows the file; ours only where no losses are to be read.
std::string NextStep(const ConversionResult& result, const ConversionOptions& options) {
  if (!options.verify && options.input.path != "-")
    return "next: add --verify to prove that both files move alike";
  const std::string out = AsTyped(options.scene ? SceneOf(options.out) : options.out);
  const std::string family = FamilyOf(result.target);
  if (family == "mjcf") return "next: python3 -m mujoco.viewer --mjcf=" + out;
  if (IsForDrake(options)) return "next: python3 -m pydrake.visualization.model_visualizer " + out;
  if (family == "sdf" && !GzSimLeavesOut(result)) return "next: gz sim " + out;
  if (!result.report.losses.empty()) return "";
  return (PageFile().empty() ? "next: kinemorph inspect " : "next: kinemorph view ") + out;
}

}  // namespace

std::string MissingMeshHint(std::string_view family, const ConversionOptions& options) {
  const bool drake = IsForDrake(options);
  const std::vector<Feature>& dropped = options.options.drop;
  if ((!drake && family != "mjcf") ||
      std::ranges::find(dropped, Feature::kShapeMesh) != dropped.end())
    return "";
  return std::string("hint: ") + (drake ? "Drake" : "MuJoCo") +
         " stops at missing meshes: --package NAME=DIR, or --drop shape-mesh";
}

std::string UnopenedMeshHint(const ConversionResult& result, const ConversionOptions& options,
                             const std::string& remedy) {
  const bool drake = IsForDrake(options);
  if (!drake && FamilyOf(result.target) != "mjcf") return "";
  if (std::ranges::none_of(result.report.losses,
                           [](const Loss& loss) { return loss.feature == Feature::kShapeMesh; }))
    return "";
  const std::string_view opened = drake ? " .obj .vtk .gltf " : " .stl .obj .msh ";
  const auto& meshes = result.source.meshes;
  const auto other = std::ranges::find_if(meshes, [&](const std::string& file) {
    return opened.find(" " + ExtensionOf(file) + " ") == std::string_view::npos;
  });
  if (other == meshes.end()) return "";
  return std::string("hint: ") + (drake ? "Drake does not collide with" : "MuJoCo does not open") +
         " meshes such as '" + *other + "': " + remedy;
}

std::vector<std::string> HintsFor(const ConversionResult& result, const ConversionOptions& options,
                                  const std::string& written) {
  if (written.empty() || options.input.quiet) return {};
  if (written == "-") {
    const std::string line = ConvertHint(result, options);
    return line.empty() ? std::vector<std::string>() : std::vector{line};
  }
  std::vector<std::string> lines;
  for (auto* hint : {MeshHintOfFile, MeshHint, ConvertHint, ActuatorHint, LoopHint})
    if (std::string line = hint(result, options); !line.empty()) {
      lines.push_back(std::move(line));
      break;
    }
  // A program that would stop is no next step.
  const bool stops = options.verify && !MeshHintOfFile(result, options).empty();
  if (std::string next = NextStep(result, options); !stops && !next.empty())
    lines.push_back(std::move(next));
  return lines;
}

}  // namespace kinemorph::tools
