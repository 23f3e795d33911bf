// The checks of numbers that belong to Validate: finite, unit axes, rotations, signs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

/// What a look at a model is for.
enum class Purpose {
  kReading,  ///< all that is wrong or odd in what an author wrote
  kWriting,  ///< what no file can hold, in what passes made of it
};

/// Adds diagnostics that point at one element of the model.
class Reporter {
 public:
  Reporter(const Model& model, Diagnostics& diagnostics, Purpose purpose = Purpose::kReading)
      : model_(model), diagnostics_(diagnostics), purpose_(purpose) {}
  [[nodiscard]] Purpose purpose() const { return purpose_; }
  void Error(std::string_view code, SourceLocation where, const std::string& subject,
             const std::string& message, std::vector<Quantity> quantities = {}) const {
    Add(Severity::kError, code, where, {subject, message, std::move(quantities)});
  }
  void Warning(std::string_view code, SourceLocation where, const std::string& subject,
               const std::string& message, std::vector<Quantity> quantities = {}) const {
    if (purpose_ == Purpose::kReading)
      Add(Severity::kWarning, code, where, {subject, message, std::move(quantities)});
  }

 private:
  void Add(Severity severity, std::string_view code, SourceLocation where,
           Statement statement) const {
    diagnostics_.Add(MessageAt(model_, where, severity, std::string(code), std::move(statement)));
  }
  const Model& model_;
  Diagnostics& diagnostics_;
  Purpose purpose_;
};

/// Masses, tensors and joint data of the whole model; shapes, frames, sensors.
void ValidateNumbers(const Model& model, const Reporter& report);

/// "link 'shank'", "joint 'knee'", "loop joint 'l'".
[[nodiscard]] std::string Named(const Model& model, LinkId id);
[[nodiscard]] std::string Named(const Model& model, JointId id);
[[nodiscard]] std::string Named(const Coupling& coupling, std::size_t index);

}  // namespace kinemorph
