// One conversion from file to file: what `convert`, `check` and `batch` share.
#pragma once

#include <set>

#include "host/asset_copies.h"
#include "host/inputs.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/screen.h"
#include "session/session.h"

namespace kinemorph::tools {

/// What the library is asked for, `out` "-" being standard output, and what goes on around it.
struct ConversionOptions : ConversionRequest {
  Input input;
  std::string loss_report;    ///< FILE.json or FILE.md
  bool fingerprints = false;  ///< hash what was read and written, for the report of a batch
  std::string copy_assets;    ///< folder that takes meshes and textures; empty: none do
  std::string mesh_uri;       ///< what their names begin with then
  /// Takes what goes with OUT besides copies; empty: OUT's folder does.
  std::string own_folder;
  std::set<std::string> ours;   ///< what an earlier run wrote beside OUT: it may be replaced
  bool convert_meshes = false;  ///< those that the target cannot open, into `copy_assets`
  bool one_of_many = false;     ///< of a batch: no mesh is converted that is not asked for
  bool keep_same = false;       ///< leave OUT alone where it has the right bytes already
  /// OneName of OUT of each robot of the command: nothing else goes there.
  std::shared_ptr<const std::set<std::string>> targets;
};

/// What a conversion did, as far as it came.
struct Outcome {
  ConversionResult result;
  std::string source_sha256, out_sha256;
  std::vector<Asked> inputs;      ///< other files that were looked for
  std::vector<WrittenFile> also;  ///< what was written beside OUT, with `fingerprints`
  bool unchanged = false;         ///< all that was to be written was there already
};

/// The file of the scene that --scene writes beside `out`.
[[nodiscard]] std::string SceneOf(const std::string& out);
/// The names of `targets`. Throws UsageError where the scene of one would be another one.
[[nodiscard]] std::shared_ptr<const std::set<std::string>> TargetsOf(
    const std::vector<std::string>& outs, bool scenes);

/// --loss-report.
void AddReportOption(CLI::App& command, ConversionOptions& request);
/// --copy-assets, --mesh-uri and --convert-meshes.
void AddAssetOptions(CLI::App& command, ConversionOptions& request);
/// Throws UsageError where they make no sense together.
void CheckAssetOptions(const ConversionOptions& request);

/// The library's request; what makes no sense for the target is a usage error.
[[nodiscard]] ConversionRequest RequestFor(const ConversionOptions& options);

/// The library's options for a source model. Usage errors are thrown.
[[nodiscard]] ConvertOptions OptionsFor(const ConversionOptions& options, const Model& source);

/// The report as Markdown or JSON, by the extension of `path`.
[[nodiscard]] std::string ReportFor(const std::string& path, const LossReport& report);

/// What such a report begins with.
[[nodiscard]] std::string_view LossReportMark(const std::string& path);

/// All messages of a conversion, the losses among them.
[[nodiscard]] std::vector<Diagnostic> AllMessages(const ConversionResult& result);

/// Whether the program assimp turns meshes that the target cannot open into ones that it can: into
/// points of a stage, or into files beside OUT. Of many robots only where that is asked for.
[[nodiscard]] bool MakesMeshes(const ConversionOptions& options);

/// Prints what a conversion did, in the way `input` asks for. `written`: what is in place now.
void PrintConversion(const ConversionResult& result, const ConversionOptions& options,
                     const std::string& written);

/// Reads, converts, proves if asked to, and writes. Throws UsageError where OUT is IN, a file that IN
/// needs, or another output.
[[nodiscard]] int ConvertFile(const ConversionOptions& options, Outcome& outcome);

}  // namespace kinemorph::tools
