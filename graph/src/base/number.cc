// Numbers as text: the shortest digits that read back exactly, whatever the locale.
#include "kinemorph/graph/base/number.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace kinemorph {
namespace {

// A positive number: d.ddd * 10^exponent.
struct Decimal {
  std::array<char, 32> buffer;
  std::string_view digits;
  int exponent = 0;
};

// Numbers of few decimals, which are most, without the general algorithm: two decimals of 15 digits
// never give the same double.
bool FewDigits(double value, Decimal& decimal) {
  if (!(value < 1e6)) return false;
  // Below 1e6 there are at most 15 digits, within what a double holds exactly; the division tells
  // whether the number is this decimal.
  const auto billionths = static_cast<std::uint64_t>(value * 1e9 + 0.5);
  if (static_cast<double>(billionths) / 1e9 != value) return false;
  const char* end = std::to_chars(decimal.buffer.data(),
                                  decimal.buffer.data() + decimal.buffer.size(), billionths)
                        .ptr;
  decimal.digits = {decimal.buffer.data(), static_cast<std::size_t>(end - decimal.buffer.data())};
  decimal.exponent = static_cast<int>(decimal.digits.size()) - 10;
  decimal.digits.remove_suffix(decimal.digits.size() - 1 - decimal.digits.find_last_not_of('0'));
  return true;
}

void ShortestDigits(double value, Decimal& decimal) {
  char* const text = decimal.buffer.data();
  const char* const end =
      std::to_chars(text, text + decimal.buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view all(text, static_cast<std::size_t>(end - text));
  const std::size_t e = all.find('e');
  const char* const sign = text + e + 1;
  std::from_chars(*sign == '+' ? sign + 1 : sign, end, decimal.exponent);
  if (e > 1) text[1] = text[0];  // over the point
  decimal.digits = e > 1 ? all.substr(1, e - 1) : all.substr(0, 1);
}

void AppendFixed(std::string& out, const Decimal& decimal) {
  const std::string_view digits = decimal.digits;
  const int point = decimal.exponent + 1;  // digits before it
  if (point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else {
    const auto whole = static_cast<std::size_t>(point);
    out += digits.substr(0, whole);
    if (digits.size() <= whole) {
      out.append(whole - digits.size(), '0');
    } else {
      out += '.';
      out += digits.substr(whole);
    }
  }
}

}  // namespace

// Scientific form only where it is clearly shorter: 0.0001 and 100000 stay plain, 1e-06 and 1e+20
// do not.
void AppendNumber(std::string& out, double value) {
  if (value == 0) {  // also -0
    out += '0';
    return;
  }
  const double magnitude = std::abs(value);
  if (magnitude >= 1e-6 && magnitude < 1e15) {  // false for nan
    Decimal decimal;
    if (!FewDigits(magnitude, decimal)) ShortestDigits(magnitude, decimal);
    // Both lengths are counted before either is printed; two characters more are worth a plain
    // number.
    const int n = static_cast<int>(decimal.digits.size());
    const int scientific = n + (n > 1 ? 1 : 0) + 4;  // point, e-05
    const int fixed = decimal.exponent < 0       ? n + 1 - decimal.exponent
                      : n > decimal.exponent + 1 ? n + 1
                                                 : decimal.exponent + 1;
    if (fixed <= scientific + 2) {
      if (value < 0) out += '-';
      AppendFixed(out, decimal);
      return;
    }
  }
  std::array<char, 32> scientific{}, whole{};
  const auto text = [](std::array<char, 32>& buffer, double number, std::chars_format format) {
    const char* const end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format).ptr;
    return std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  };
  std::string_view shorter = text(scientific, value, std::chars_format::scientific);
  if (magnitude >= 1e15 && magnitude < 1e21) {
    const std::string_view fixed = text(whole, value, std::chars_format::fixed);
    if (fixed.size() <= shorter.size() + 2) shorter = fixed;
  }
  out += shorter;
}

std::string FormatNumber(double value) {
  std::string text;
  AppendNumber(text, value);
  return text;
}

double NearDecimal(double value, int digits) {
  static constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  // Powers of ten up to 1e22 are doubles without error.
  const double decimals = digits - 1 - std::floor(std::log10(std::abs(value)));
  if (decimals >= 0 && decimals < 23) {
    const double power = kPowers[static_cast<std::size_t>(decimals)];
    const double scaled = value * power, whole = std::nearbyint(scaled);
    // Unless the product's own rounding could decide: a quotient of two exact numbers is the double
    // nearest to that decimal.
    if (0.5 - std::abs(scaled - whole) > 2e-16 * std::abs(scaled)) return whole / power;
  }
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  double rounded = value;
  ParseDouble(text.data(), end, rounded);
  return rounded;
}

#if defined(__cpp_lib_to_chars)
std::from_chars_result ParseDouble(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}
#else
// strtod in a program that never leaves the "C" locale (WebAssembly), held to the grammar of
// from_chars: no white space, no "+", no hexadecimal.
std::from_chars_result ParseDouble(const char* first, const char* last, double& value) {
  const char* at = first;
  if (at != last && *at == '-') ++at;
  const bool digit = at != last && ((*at >= '0' && *at <= '9') || *at == '.');
  const bool word =
      at != last && (*at == 'i' || *at == 'I' || *at == 'n' || *at == 'N');  // inf, nan
  if (!digit && !word) return {first, std::errc::invalid_argument};
  const bool hexadecimal = last - at > 1 && *at == '0' && (at[1] == 'x' || at[1] == 'X');
  const std::string text(first, hexadecimal ? at + 1 : last);
  char* end = nullptr;
  errno = 0;
  const double parsed = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, std::errc::invalid_argument};
  const char* const stop = first + (end - text.c_str());
  if (errno == ERANGE && (parsed == 0 || std::isinf(parsed)))
    return {stop, std::errc::result_out_of_range};
  value = parsed;
  return {stop, std::errc()};
}
#endif

}  // namespace kinemorph
