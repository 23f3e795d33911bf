// Canonical text of a model: stable order, shortest round-trip numbers. Two equal models give equal text.
#pragma once

#include <string>

#include "kinemorph/graph/model.h"

namespace kinemorph {

[[nodiscard]] std::string DumpModel(const Model& model);
/// Shortest decimal that reads back as the same double; never locale-dependent, never "-0".
[[nodiscard]] std::string FormatNumber(double value);
void AppendNumber(std::string& out, double value);
/// `value` to that many significant decimal digits, as printed and read back.
[[nodiscard]] double NearDecimal(double value, int digits);

}  // namespace kinemorph
