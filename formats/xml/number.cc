// Numbers, words and white space of XML text, independent of any locale.
#include "kinemorph/graph/base/number.h"

#include <cmath>
#include <limits>

#include "kinemorph/graph/base/text.h"
#include "xml_reader.h"

namespace kinemorph::xml {

// XML has decimal numbers with a point whatever the locale says. from_chars reads these; the rest
// is about what it does not take (a leading plus) and what it calls out of range.

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    if (IsSpace(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !IsSpace(text[end])) ++end;
    words.push_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

std::optional<double> ParseNumber(std::string_view text) {
  text = Trimmed(text);
  // "+-1" is no number, though the plus alone is.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = ParseDouble(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range) return std::nullopt;
  // Out of range: too small is a legal zero or denormal, too large is not finite. The exponent's
  // sign tells them apart.
  const std::size_t exponent = text.find_first_of("eE");
  // Without an exponent: a digit that is not zero before the point makes it large.
  const bool tiny = exponent != std::string_view::npos
                        ? text[exponent + 1] == '-'
                        : text.find_first_of("123456789") > text.find('.');
  const double magnitude = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -magnitude : magnitude;
}

std::optional<std::vector<double>> ParseNumbers(std::string_view text, std::size_t max) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (IsSpace(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !IsSpace(text[end])) ++end;
    const std::optional<double> number = ParseNumber(text.substr(i, end - i));
    if (!number || numbers.size() == max) return std::nullopt;
    numbers.push_back(*number);
    i = end;
  }
  return numbers;
}

}  // namespace kinemorph::xml
