// One conversion from file to file: what `convert`, `check` and `batch` share.
#pragma once

#include "inputs.h"
#include "session.h"

namespace kinemorph::tools {

struct ConversionRequest {
  Input input;
  std::string out;  ///< "-" is standard output
  std::string to;   ///< format name, with @version; empty: from the extension of `out`
  std::string
      strict;  ///< "any", "interface" or "motion": what may not be lost; empty: anything may
  bool verify = false;
  std::vector<std::string> drop, cut, independent;
  std::string base = "auto", profile = "reference", root = "world", frames = "keep", fixed = "keep",
              actuators = "keep";
  std::string model;
  std::optional<double> massless;
  std::string loss_report;    ///< FILE.json or FILE.md
  bool fingerprints = false;  ///< hash what was read and written, for the report of a batch
  bool keep_same = false;     ///< leave OUT alone where it has the right bytes already
};

/// What a conversion did, as far as it came.
struct Outcome {
  LossReport report;
  std::string from, to;  ///< format names
  std::string verdict;   ///< of --verify
  std::string source_sha256, out_sha256;
  std::vector<Asked> inputs;  ///< other files that were looked for
  bool unchanged = false;     ///< OUT had these bytes already and was left alone
};

/// --cut and --independent: which joints close loops, and which coordinates are independent.
void AddChoiceOptions(CLI::App& command, ConversionRequest& request);

/// Options of the conversion itself (not where it is written).
void AddConversionOptions(CLI::App& command, ConversionRequest& request);

/// The features of these names; another name is a usage error of `option`.
[[nodiscard]] std::vector<Feature> FeaturesNamed(const std::vector<std::string>& names,
                                                 const std::string& option);

/// The library's options for a source model. Usage errors are thrown.
[[nodiscard]] ConvertOptions OptionsFor(const ConversionRequest& request, const Model& source);

/// What a conversion that gave nothing exits with: 4 for a defect of ours, 1 for errors of the
/// input.
[[nodiscard]] int FailureCode(const Diagnostics& diagnostics);

/// The losses as warnings, code `loss-<feature>`.
void AddLosses(const LossReport& report, Diagnostics& diagnostics);

/// How many losses --strict objects to: those as heavy as it says that were not asked for by
/// --drop.
[[nodiscard]] std::size_t CountForbidden(const LossReport& report,
                                         const ConversionRequest& request);

/// The report as Markdown or JSON, by the extension of `path`.
[[nodiscard]] std::string ReportFor(const std::string& path, const LossReport& report);

/// Reads, converts, proves if asked to, and writes. Messages go to `diagnostics`. Throws UsageError
/// where OUT is IN, or a file that IN needs.
[[nodiscard]] int RunConversion(const ConversionRequest& request, Diagnostics& diagnostics,
                                Outcome& outcome);

}  // namespace kinemorph::tools
