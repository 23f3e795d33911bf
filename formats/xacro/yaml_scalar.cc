// What a plain word of YAML 1.1 stands for.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/base/text.h"
#include "yaml.h"

// The types that PyYAML's safe loader gives to words, in YAML 1.1 and not 1.2: yes and off are
// truths, 010 is eight, 1:30 is ninety. Files beside robots were written for that loader, and their
// numbers must come out the same. Dates would be objects of Python, and are refused.

namespace kinemorph::xacro {
namespace {

bool Only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}
constexpr std::string_view kDigits = "0123456789_";

std::string WithoutUnderscore(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

// 1:30 is 90, 1:30.5 is 90.5: sixties.
bool Sixties(std::string_view number, std::string_view sign, Value& out) {
  const std::size_t colon = number.find(':');
  if (colon == std::string_view::npos || colon == 0 || !Only(number, "0123456789_:.")) return false;
  double total = 0;
  const bool whole = number.find('.') == std::string_view::npos;
  if (whole && number[0] == '0') return false;
  bool first = true;
  // Each part but the first is below sixty, and only the last may have a fraction.
  for (std::size_t begin = 0; begin <= number.size(); first = false) {
    const std::size_t end = std::min(number.find(':', begin), number.size());
    const std::string part = WithoutUnderscore(number.substr(begin, end - begin));
    double value = 0;
    if (part.empty() || !IsDigit(part[0]) || !ParseFloat(part, value)) return false;
    if (!first && (value >= 60 || part.substr(0, part.find('.')).size() > 2)) return false;
    if (end != number.size() && part.find('.') != std::string::npos) return false;
    total = total * 60 + value;
    begin = end + 1;
  }
  if (sign == "-") total = -total;
  // Beyond 2^53 the sum of doubles is not exact any more: then it is a word.
  if (whole && std::fabs(total) > 0x1p53) return false;
  out = whole ? Value(static_cast<std::int64_t>(total)) : Value(total);
  return true;
}

// digits "." digits (e sign digits)?: an exponent without a sign makes no number.
// PyYAML's pattern asks for the point and for the sign of the exponent: 1e-3 is a text there,
// 1.0e-3 a number, 1.0e3 a text again. Robots with such values see texts in the program xacro as
// well.
bool IsFloat(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || !Only(text.substr(0, point), kDigits)) return false;
  if (point == 0 ? (text.size() < 2 || !IsDigit(text[1])) : !IsDigit(text[0])) return false;
  std::string_view rest = text.substr(point + 1);
  const std::size_t e = rest.find_first_of("eE");
  if (e == std::string_view::npos) return Only(rest, kDigits);
  const std::string_view exponent = rest.substr(e + 1);
  return Only(rest.substr(0, e), kDigits) && exponent.size() > 1 &&
         (exponent[0] == '+' || exponent[0] == '-') && Only(exponent.substr(1), "0123456789");
}

// YYYY-MM-DD with or without a time.
bool IsDate(std::string_view text) {
  return text.size() >= 8 && Only(text.substr(0, 4), "0123456789") && text[4] == '-' &&
         Only(text, "0123456789-:.TtZ+ ") && std::count(text.begin(), text.end(), '-') >= 2;
}

bool Number(std::string_view text, Value& out, bool& too_large) {
  std::string_view sign = text.substr(0, 1), number = text;
  if (sign == "+" || sign == "-")
    number.remove_prefix(1);
  else
    sign = "";
  if (number.empty() || (!IsDigit(number[0]) && number[0] != '.')) return false;
  if (IsFloat(number)) {
    double value = 0;
    if (!ParseFloat(WithoutUnderscore(text), value)) return false;
    out = value;
    return true;
  }
  if (number == ".inf" || number == ".Inf" || number == ".INF") {
    out = sign == "-" ? -HUGE_VAL : HUGE_VAL;
    return true;
  }
  if (sign.empty() && (number == ".nan" || number == ".NaN" || number == ".NAN")) {
    out = std::nan("");
    return true;
  }
  // 0x, 0b and a leading 0 set the base. 08 has a digit too many for an octal number and stays a
  // text.
  int base = 10;
  std::string_view digits = number, allowed = kDigits;
  if (number.starts_with("0x")) {
    base = 16, digits.remove_prefix(2), allowed = "0123456789abcdefABCDEF_";
  } else if (number.starts_with("0b")) {
    base = 2, digits.remove_prefix(2), allowed = "01_";
  } else if (number.size() > 1 && number[0] == '0') {
    base = 8, digits.remove_prefix(1), allowed = "01234567_";
  }
  if (digits.empty() || !Only(digits, allowed)) return Sixties(number, sign, out);
  std::int64_t value = 0;
  const std::string word = std::string(sign == "-" ? "-" : "") + WithoutUnderscore(digits);
  const Parsed parsed = ParseInteger(word, value, base);
  too_large = parsed == Parsed::kTooLarge;
  out = value;
  return parsed == Parsed::kDone;
}

}  // namespace

bool YamlScalar(std::string_view text, Machine& machine, Value& out) {
  constexpr std::array<std::string_view, 9> kTrue = {"yes",  "Yes", "YES", "true", "True",
                                                     "TRUE", "on",  "On",  "ON"},
                                            kFalse = {"no",    "No",  "NO",  "false", "False",
                                                      "FALSE", "off", "Off", "OFF"};
  const auto in = [&](const auto& words) {
    return !text.empty() && std::find(words.begin(), words.end(), text) != words.end();
  };
  bool too_large = false;
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    out = Value();
  } else if (in(kTrue) || in(kFalse)) {
    out = in(kTrue);
  } else if (IsDate(text)) {
    return machine.Fail("xacro-unsupported",
                        "the date '" + std::string(text) + "' is not supported: quote it");
  } else if (!Number(text, out, too_large)) {
    if (too_large)
      return machine.Fail("xacro-overflow", "'" + std::string(text) + "' does not fit 64 bits");
    out = std::string(text);
  }
  return true;
}

}  // namespace kinemorph::xacro
