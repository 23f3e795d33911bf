// The variables of an FMU, in the order of the value references that fmu_core.inc knows.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/emit/equations.h"

namespace kinemorph::emit {

/// What a variable of an FMU is.
enum class FmuRole {
  kState,       ///< an output too
  kDerivative,  ///< of the state FmuVariable::derivative_of
  kOutput,      ///< a number that follows from states
  kInput,       ///< a force
  kParameter,   ///< tunable
  kLimit,       ///< a whole number: where a limited position stands
  kIndicator,   ///< of events; a variable in FMI 3 alone
};

/// Its value reference is its place in the list.
struct FmuVariable {
  std::string name, description;
  std::string unit;   ///< "1": none
  std::string start;  ///< empty: calculated
  FmuRole role = FmuRole::kState;
  std::size_t derivative_of = 0;  ///< value reference
  bool not_negative = false;      ///< values below 0 are refused
};

[[nodiscard]] std::vector<FmuVariable> FmuVariables(const Equations& equations);

/// Where a position meets one of its limits: zero there, negative beyond.
struct FmuIndicator {
  std::size_t position = 0,  ///< index into q
      limit = 0;             ///< which of the limited positions
  int side = 1;              ///< 1: the lower limit, -1: the upper one
  double at = 0;             ///< rad, m
};
[[nodiscard]] std::vector<FmuIndicator> FmuIndicators(const Equations& equations);

/// causality, variability and initial, as both standards have them.
[[nodiscard]] const char* FmuAttributes(FmuRole role);

/// Units, categories of messages and the default experiment, as both standards have them.
extern const char* const kFmuUnits;

/// modelDescription.xml of FMI 2.0 and of FMI 3.0.
[[nodiscard]] std::string Fmi2Description(const Equations& equations, const std::string& guid);
[[nodiscard]] std::string Fmi3Description(const Equations& equations, const std::string& guid);

}  // namespace kinemorph::emit
