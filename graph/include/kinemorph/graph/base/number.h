// Numbers as text and back, whatever the locale.
#pragma once

#include <charconv>
#include <string>

namespace kinemorph {

/// Shortest decimal that reads back as the same double; never locale-dependent, never "-0".
[[nodiscard]] std::string FormatNumber(double value);
/// FormatNumber at the end of `out`.
void AppendNumber(std::string& out, double value);
/// `value` to that many significant decimal digits, as printed and read back.
[[nodiscard]] double NearDecimal(double value, int digits);
/// What std::from_chars(first, last, value) is, on standard libraries that lack it for double too.
std::from_chars_result ParseDouble(const char* first, const char* last, double& value);

}  // namespace kinemorph
