#include "java_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace kinemorph::mbs {

// As Double.toString writes it: plain from 1e-3 to below 1e7, else with one digit before the point
// and E without a plus. The editor writes so, and a file read and written should not differ.
std::string JavaNumber(double value) {
  if (value == 0) return "0.0";
  std::array<char, 64> text{};
  const double magnitude = std::abs(value);
  if (magnitude < 1e7 && value == std::trunc(value))
    return std::to_string(static_cast<int>(value)) + ".0";
  const bool plain = magnitude >= 1e-3 && magnitude < 1e7;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value, format).ptr;
  const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = digits.find('e');
  std::string out(digits.substr(0, e));
  if (out.find('.') == std::string::npos) out += ".0";
  if (e == std::string_view::npos) return out;
  std::string_view exponent = digits.substr(e + 1);  // "+07", "-04"
  out += 'E';
  if (exponent.front() == '-') out += '-';
  exponent.remove_prefix(1);
  while (exponent.size() > 1 && exponent.front() == '0') exponent.remove_prefix(1);
  out += exponent;
  return out;
}

}  // namespace kinemorph::mbs
