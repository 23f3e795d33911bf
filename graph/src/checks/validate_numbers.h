// The checks of numbers that belong to Validate: finite, unit axes, rotations, signs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

/// Adds diagnostics that point at one element of the model.
class Reporter {
 public:
  /// Of all that is wrong or odd in what an author wrote; with `greatest`, of what no file can hold
  /// in what passes made of it: numbers up to there are written.
  Reporter(const Model& model, Diagnostics& diagnostics, std::optional<double> greatest = {})
      : model_(model), diagnostics_(diagnostics), greatest_(greatest) {}
  [[nodiscard]] const std::optional<double>& greatest() const { return greatest_; }
  void Error(std::string_view code, SourceLocation where, const std::string& subject,
             const std::string& message, std::vector<Quantity> quantities = {}) const {
    Add(Severity::kError, code, where, {subject, message, std::move(quantities)});
  }
  void Warning(std::string_view code, SourceLocation where, const std::string& subject,
               const std::string& message, std::vector<Quantity> quantities = {}) const {
    if (!greatest_) Add(Severity::kWarning, code, where, {subject, message, std::move(quantities)});
  }

 private:
  void Add(Severity severity, std::string_view code, SourceLocation where,
           Statement statement) const {
    diagnostics_.Add(MessageAt(model_, where, severity, std::string(code), std::move(statement)));
  }
  const Model& model_;
  Diagnostics& diagnostics_;
  std::optional<double> greatest_;
};

/// Masses, tensors and joint data of the whole model; shapes, frames, sensors.
void ValidateNumbers(const Model& model, const Reporter& report);

/// "link 'shank'", "joint 'knee'", "loop joint 'l'".
[[nodiscard]] std::string Named(const Model& model, LinkId id);
[[nodiscard]] std::string Named(const Model& model, JointId id);
[[nodiscard]] std::string Named(const Coupling& coupling, std::size_t index);

}  // namespace kinemorph
