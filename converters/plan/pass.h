// What a pass is: a named function on the Model that asks the capability table, never the name of a
// format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kinemorph/converters/convert.h"
#include "kinemorph/graph/model/actuation.h"
#include "plan/accounting.h"

namespace kinemorph {

/// What every pass is given beside the model: the request, the target's table column, and where to
/// report.
struct PassContext {
  PassContext(const ConvertOptions& request, LossReport& loss_report, Diagnostics& messages)
      : options(request),
        traits(TraitsOf(request.target)),
        report(loss_report),
        diagnostics(messages) {}

  const ConvertOptions& options;
  const TargetTraits traits;
  LossReport& report;
  Diagnostics& diagnostics;
  std::string_view pass;           ///< the pass that runs, for the report
  Inventory* inventory = nullptr;  ///< what must be accounted for at the end
  /// @{
  /// By the origin of a joint: the author made it a loop joint; why it became one, where the author
  /// did not; what was declared of it, where other coordinates are asked for; what the source says
  /// of who moves its coordinates (lower/natures.h), and that it follows from others there; why it
  /// is independent, where nobody declared that.
  std::unordered_set<std::uint32_t> authored_loops;
  std::unordered_map<std::uint32_t, std::string> cut_reasons;
  std::unordered_map<std::uint32_t, std::optional<bool>> declared;
  std::unordered_map<std::uint32_t, std::vector<Actuation>> actuation;
  std::unordered_set<std::uint32_t> dependent;
  std::unordered_map<std::uint32_t, std::string_view> choice_reasons;
  /// @}
  bool masks_are_authored = false;  ///< the source itself says with bit masks what collides
  bool natures_chosen = false;      ///< independent coordinates were chosen, not declared

  [[nodiscard]] Capability Of(Feature feature) const {
    return CapabilityOf(feature, options.target);
  }
  [[nodiscard]] bool Native(Feature feature) const {
    return Of(feature).support == Support::kNative;
  }
  [[nodiscard]] bool Lost(Feature feature) const { return Of(feature).support == Support::kLost; }
  /// The table gives `feature` to the running pass.
  [[nodiscard]] bool Mine(Feature feature) const { return Of(feature).pass == pass; }

  /// Reports something that is gone; `why` is the table's note when left empty.
  /// Values can be added to what is returned.
  Loss& Lose(const Model& model, Feature feature, Subject subject, std::string what,
             std::string why = {});
  /// Reports an exact change.
  void Lowered(Subject subject, std::string what) {
    report.lowerings.push_back({std::string(pass), std::move(subject), std::move(what)});
  }
  /// `where`: of the element.
  void Renamed(SubjectKind kind, SourceLocation where, std::string from, std::string to) {
    report.names.push_back({kind, std::move(from), std::move(to), where.origin});
  }
  /// Adds a diagnostic at a place in the source.
  Diagnostic& Report(Severity severity, const Model& model, SourceLocation where, std::string code,
                     Statement statement);
};

/// What PassContext::Lose and those without a context report.
Loss& AddLoss(LossReport& report, const Model& model, Feature feature, Subject subject,
              std::string what, std::string why, std::string_view pass);

using PassFunction = void (*)(Model&, PassContext&);

enum class PassRuns {
  kAlways,     ///< looks by itself for what to do
  kWhenNamed,  ///< when the table names it for a feature that is used, or that an earlier pass of
               ///< the plan may introduce
};

struct PassEntry {
  std::string_view name;
  PassFunction run;
  PassRuns runs;
  std::string_view summary;         ///< one sentence, for the report and the README
  std::vector<Feature> introduces;  ///< features the model may use only after this pass
};

/// Every pass, in the one order in which passes run.
[[nodiscard]] const std::vector<PassEntry>& AllPasses();

/// The passes of a conversion of a model that uses `used`, in order.
[[nodiscard]] std::vector<const PassEntry*> PlanLowering(const FeatureSet& used,
                                                         const ConvertOptions& options);

/// Runs one pass by name, as tests do. False when there is no such pass.
bool RunPass(std::string_view name, Model& model, PassContext& context);

}  // namespace kinemorph
