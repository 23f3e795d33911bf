// What a pass is: a function on the Model, or a small struct of what a target asks of it that is called
// as one. It asks its own members and the capability table, never the name of a format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "kinemorph/converters/convert.h"
#include "kinemorph/graph/model/actuation.h"
#include "plan/accounting.h"

namespace kinemorph {

/// What every pass is given beside the model: the request, the target's column of the table, and
/// where to report.
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
  /// ... and the model uses one such feature.
  [[nodiscard]] bool HasWork(const Model& model) const;

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

/// A pass of which no target asks anything.
using PassFunction = void (*)(Model&, PassContext&);

/// What is asked of another, for people: of each pair the text, where it is so.
using AskedWords = std::vector<std::pair<bool, std::string>>;

}  // namespace kinemorph
