// Reading, lowering, writing: the conversion as a library. Lower is one loop over the recipe of the
// target.
#include "kinemorph/converters/convert.h"

#include "edit/actuation.h"
#include "kinemorph/formats/capability_table.h"
#include "kinemorph/graph/checks/validate.h"
#include "kinemorph/graph/model/elements.h"
#include "pipeline/version_choice.h"
#include "plan/pass.h"
#include "targets/recipe.h"

namespace kinemorph {
namespace {

// After lowering, only what the target holds may be left: the table is the judge. A leftover is a
// bug of a pass, never the user's.
void CheckLegal(const Model& model, PassContext& context) {
  const FeatureSet illegal = FeaturesWhere([&](Feature feature) {
    // Native: the target has it. Partial: it has some of it, and the writer knows which. Of all
    // else nothing may be in use after the passes.
    const Support support = context.Of(feature).support;
    return support != Support::kNative && support != Support::kPartial;
  });
  for (const FeatureUse& use : FeaturesUsed(model, illegal)) {
    const Capability cell = context.Of(use.feature);
    if (cell.support == Support::kRefused) {
      context.Report(Severity::kError, model, use.subject.where,
                     "target-refuses-" + std::string(FeatureName(use.feature)),
                     {Text(use.subject), "refused: " + std::string(cell.note)});
      continue;
    }
    context.Report(Severity::kError, model, use.subject.where, "internal-not-lowered",
                   {Text(use.subject), "'" + std::string(FeatureName(use.feature)) +
                                           "' is still in use after lowering for " +
                                           std::string(context.options.target.format->name) +
                                           "; this is a defect of kinemorph, nothing is written"});
  }
}

// The conservation law: a pass that takes something out without a word is a defect, and nothing is
// written.
void CheckAccounts(const Inventory& inventory, const Model& model, PassContext& context) {
  for (const Inventory::Item& item : inventory.Unaccounted(model, context.report))
    context.Report(Severity::kError, model, item.where, "internal-unaccounted",
                   {Text(item),
                    "neither in the target model nor in the report; this is a defect of kinemorph, "
                    "nothing is written"});
}

// In the version that the request names, or the default one.
std::optional<Lowered> LowerOnce(Model source, const ConvertOptions& options,
                                 Diagnostics& diagnostics) {
  std::optional<Lowered> lowered(std::in_place);
  lowered->model = std::move(source);
  const std::size_t errors_before = diagnostics.num_errors();
  // NumberElements gives each element its origin, by which accounts, losses and renamings know it
  // after names changed. The inventory and the drives are taken before any pass.
  NumberElements(lowered->model);
  PassContext context(options, lowered->report, diagnostics);
  Inventory inventory(lowered->model);
  context.inventory = &inventory;
  RememberActuation(lowered->model, context);
  // An error ends the recipe: later passes rely on what earlier ones ensure.
  for (const RecipeStep& step : RecipeOf(options.target).steps) {
    context.pass = step.pass;
    step.run(lowered->model, context);
    if (diagnostics.num_errors() > errors_before) return std::nullopt;
  }

  // The judges: the table, the accounts, and rules of the format that no single cell can say (two
  // features that exclude each other).
  CheckLegal(lowered->model, context);
  CheckAccounts(inventory, lowered->model, context);
  if (context.traits.rules != nullptr && diagnostics.num_errors() == errors_before)
    context.traits.rules(lowered->model, diagnostics);
  if (diagnostics.num_errors() > errors_before) return std::nullopt;
  return lowered;
}

}  // namespace

std::optional<Lowered> Lower(Model source, const ConvertOptions& options,
                             Diagnostics& diagnostics) {
  if (options.target.format == nullptr) {
    diagnostics.Add({Severity::kError, "no-target", "", 0, "", "no target format is given", {}});
    return std::nullopt;
  }
  const std::vector<std::string_view> newer = NewerVersions(options);
  if (newer.empty()) return LowerOnce(std::move(source), options, diagnostics);

  // Newer versions hold more and are read by fewer programs: the default stays unless a newer one
  // loses less motion, and then it is the oldest such. Each is tried by a whole lowering, since no
  // table could say what a recipe makes of a model. Messages of the version that is chosen are the
  // only ones told.
  Diagnostics said;
  std::optional<Lowered> best = LowerOnce(source, options, said);
  if (!best) {
    diagnostics.Append(said);
    return best;
  }
  const VersionFaults by_default = FaultsOf(*best, options);
  VersionFaults least = by_default;
  for (const std::string_view version : newer) {
    if (least.empty()) break;
    Diagnostics other_said;
    std::optional<Lowered> other = LowerOnce(source, InVersion(options, version), other_said);
    if (!other) continue;
    VersionFaults faults = FaultsOf(*other, options);
    if (!(faults < least)) continue;
    least = std::move(faults);
    best = std::move(other), best->version = version, said = std::move(other_said);
  }
  diagnostics.Append(said);
  if (!best->version.empty())
    SayVersion(source, by_default, least, options, best->version, diagnostics);
  return best;
}

std::optional<Converted> Write(Lowered lowered, const ConvertOptions& options,
                               Diagnostics& diagnostics) {
  WriteOptions write = options.target.options;
  if (!lowered.version.empty()) write.version = lowered.version;
  const std::size_t errors_before = diagnostics.num_errors();
  // Numbers that are legal in a model may be none in a file (infinite, or too large for the
  // reader).
  ValidateForWriting(lowered.model, TraitsOf(options.target).greatest_number, diagnostics);
  if (diagnostics.num_errors() > errors_before) return std::nullopt;
  Bundle bundle = options.target.format->write(lowered.model, write, diagnostics);
  if (diagnostics.num_errors() > errors_before) return std::nullopt;
  for (const SideFile& file : bundle.side_files)
    if (file.kind == SideFileKind::kCode) lowered.report.user_code += file.text;
  return Converted{std::move(bundle), std::move(lowered)};
}

std::optional<Converted> Convert(Model source, const ConvertOptions& options,
                                 Diagnostics& diagnostics) {
  std::optional<Lowered> lowered = Lower(std::move(source), options, diagnostics);
  if (!lowered) return std::nullopt;
  return Write(std::move(*lowered), options, diagnostics);
}

std::optional<LossReport> Check(Model source, const ConvertOptions& options,
                                Diagnostics& diagnostics) {
  // The same engine, so that the prediction is what happens; a writer may refuse, thus it runs too.
  std::optional<Converted> converted = Convert(std::move(source), options, diagnostics);
  if (!converted) return std::nullopt;
  return std::move(converted->lowered.report);
}

std::optional<Model> ReadModel(std::string_view text, const Format* format,
                               const ReadOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.num_errors();
  if (format == nullptr) format = DetectFormat(text, options.file_name, diagnostics);
  if (format == nullptr) return std::nullopt;
  if (format->read == nullptr) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError, "format-write-only", options.file_name, 0, "",
        {"", options.file_name, std::string(format->name) + " is written, not read"}));
    return std::nullopt;
  }
  std::optional<Model> model = format->read(text, options, diagnostics);
  // Errors of the reader make a model that cannot be judged; Validate looks at whole ones only.
  if (model && diagnostics.num_errors() == errors_before) Validate(*model, diagnostics);
  if (model) NumberElements(*model);
  if (diagnostics.num_errors() > errors_before) return std::nullopt;
  return model;
}

}  // namespace kinemorph
