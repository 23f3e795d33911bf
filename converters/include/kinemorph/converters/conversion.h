// A model that was read in; the files, a typed report, messages and a proof out. ConvertRobot of
// kinemorph/gateway.h is the door to it, for the command, a batch and bindings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/converters/convert.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph {

/// How a conversion ended. The numbers are the exit codes of the command.
enum class ConversionEnd : int {
  kDone = 0,       ///< the files can be written
  kBadInput = 1,   ///< the input has errors, or the proof failed
  kWrongUse = 2,   ///< the request makes no sense
  kWouldLose = 3,  ///< something that must not be lost would be
  kInternal = 4,   ///< a defect of kinemorph
};

/// What a description holds, for one line about it.
struct ModelFacts {
  std::string format;      ///< "urdf+", "sdf@1.9"
  std::string name;        ///< of the model
  std::size_t links = 0;   ///< of the file, without the world
  std::size_t joints = 0;  ///< of the tree, without those that nobody wrote
  std::size_t loops = 0,   ///< loop joints, authored or cut
      couplings = 0;       ///< of any form, mimics too
  std::size_t drives = 0,  ///< actuators, on joints, tendons or others
      effort_limits = 0;   ///< joints of one coordinate that --actuators motor gives a motor
  std::vector<std::string> meshes = {};  ///< their files as the model names them, each once
};
/// Of a file of that format; null: of the model's own. Linear.
[[nodiscard]] ModelFacts FactsOf(const Model& model, const Format* format = nullptr);
/// "urdf+, 4 links, 3 joints, 1 loop".
[[nodiscard]] std::string Text(const ModelFacts& facts);

/// Asked whether the library that will read what is written accepts it. False, with an error, when
/// not.
using Judge =
    std::function<bool(const Target& target, const Bundle& written, Diagnostics& diagnostics)>;

/// Adds to a model that was read from a text what stands beside that in these side-cars. False, with
/// errors, where that cannot be.
using WrittenSideCarReader =
    std::function<bool(Model& model, const std::vector<SideFile>& files, Diagnostics& diagnostics)>;

/// The name that the target shall use for a mesh or texture that was found at this path; empty: its
/// own.
using AssetName = std::function<std::string(const std::string& path)>;

/// A file in place of a mesh.
struct MadeMesh {
  SideFile file;               ///< the name that the target shall use, and its bytes
  std::optional<Rgba> colour;  ///< of all of it; none: it has several, or nobody knows
};

/// What takes the place of the mesh that was found at this path; nothing where none can be made.
/// `by_colour`: as meshes of one colour each.
using AssetMaker = std::function<std::vector<MadeMesh>(const std::string& path, bool by_colour)>;

/// What a conversion shall do.
struct ConversionRequest {
  std::string in = "<text>";     ///< name of the source, for messages and the files beside it
  std::string out;               ///< name of the target, for messages and where `to` is empty
  std::string to;                ///< "urdf+", "sdf@1.11"; empty: from the extension of `out`
  ConvertOptions options;        ///< the format and version of its target are found here
  std::optional<Weight> strict;  ///< losses as heavy as this forbid the conversion, but for those
                                 ///< that `options` ask for
  bool verify = false;           ///< prove the result, and ask `judge`
  const ResourceResolver* resolver = nullptr;         ///< files beside the source; none: no others
  const ResourceResolver* target_resolver = nullptr;  ///< files beside the target
  /// Absolute; with both, relative names of meshes and textures are kept true.
  std::optional<std::string> source_folder,
      target_folder;     ///< as `source_folder`
  AssetName asset_name;  ///< in place of those: every file that is found gets this name
  /// How the names of meshes begin that the source held itself: "package://arm/meshes/"; absent:
  /// with a folder of the target's own, "arm_meshes/".
  std::optional<std::string> mesh_folder;
  AssetMaker convert_mesh;  ///< for meshes that the target cannot open; none: they are lost
  bool scene = false;  ///< a scene around the robot goes with `files`, where the target has scenes
  Judge judge;         ///< asked after the proof, with `verify`; none: nobody is
  WrittenSideCarReader written_side_cars;  ///< to prove with; none: the text is all
};

/// What a conversion did.
struct ConversionResult {
  /// Unless kDone, `diagnostics` or `forbidden` say why.
  ConversionEnd end = ConversionEnd::kBadInput;
  ModelFacts source,                  ///< what was read; empty where it came not so far
      target;                         ///< what was written, its format with the version
  Bundle files;                       ///< what to write; empty unless `end` is kDone
  LossReport report;                  ///< empty where lowering or writing failed
  std::size_t forbidden = 0;          ///< losses that the request forbids
  Diagnostics diagnostics;            ///< without the losses: LossMessages are those
  std::optional<VerifyResult> proof;  ///< with `verify`, where what was written can be read back
};

/// Lowers, writes, proves. Never throws, opens files through the resolvers only.
[[nodiscard]] ConversionResult ConvertModel(Model source, const ConversionRequest& request);

/// The format that a name says ("mujoco", "sdformat" and "robotran" are understood too), with its
/// version; null with the reason, and the nearest known name, in `why`.
[[nodiscard]] const Format* FormatNamed(std::string_view name, std::string& version,
                                        std::string& why);

/// The target of a request for `source`: a model with loops in a .urdf file is URDF+. Nothing, and
/// the reason in `why`, where the request names none.
[[nodiscard]] std::optional<Target> TargetFor(const ConversionRequest& request, const Model& source,
                                              std::string& why);

/// How many losses the request forbids.
[[nodiscard]] std::size_t CountForbidden(const LossReport& report,
                                         const ConversionRequest& request);

/// The losses as warnings, code `loss-<feature>`.
[[nodiscard]] std::vector<Diagnostic> LossMessages(const LossReport& report);

/// The models that stand directly in a world, any of which ConvertOptions::model can choose; none
/// where the text is one robot.
[[nodiscard]] std::vector<std::string> ModelNames(const Model& model);

}  // namespace kinemorph
