// A message as a JSON value, of which reports are made.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph {

/// Severity, code, file, line, element, message and, where there are any, notes.
[[nodiscard]] nlohmann::ordered_json MessageValue(const Diagnostic& message);

}  // namespace kinemorph
