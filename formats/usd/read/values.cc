#include "read/values.h"

#include <charconv>
#include <limits>

#include "kinemorph/graph/base/number.h"
#include "read/lexer.h"

namespace kinemorph::usd {
namespace {

std::optional<double> NumberOf(const Token& t) {
  if (t.kind != TokenKind::kNumber && t.kind != TokenKind::kName) return std::nullopt;
  std::string_view word = t.text;
  const bool minus = word.starts_with('-');
  if (minus || word.starts_with('+')) word.remove_prefix(1);
  if (word == "inf")
    return minus ? -std::numeric_limits<double>::infinity()
                 : std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (t.kind == TokenKind::kName) return std::nullopt;
  double value = 0;
  const auto [end, error] = ParseDouble(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return std::nullopt;
  // from_chars does not say which way it is out of range: a negative power is too small, anything
  // else too large.
  if (error == std::errc::result_out_of_range) {  // too large, or too small to be told from zero
    const std::size_t power = word.find_first_of("eE");
    const bool small = power != std::string_view::npos && word[power + 1] == '-';
    value = small ? 0 : std::numeric_limits<double>::infinity();
  } else if (error != std::errc()) {
    return std::nullopt;
  }
  return minus ? -value : value;
}

// Behind a backslash: a letter that means a control character, the number of a byte (x and up to two
// digits to base 16, or up to three to base 8), or a character that means itself.
std::string Unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "abfnrtv", kMeant = "\a\b\f\n\r\t\v";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    const bool hex = c == 'x';
    const std::string_view digits = text.substr(hex ? i + 1 : i, hex ? 2 : 3);
    unsigned byte = 0;
    const char* const end =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, hex ? 16 : 8).ptr;
    const std::size_t letter = kLetters.find(c);
    if (end != digits.data()) {
      out += static_cast<char>(byte);
      i = static_cast<std::size_t>(end - text.data()) - 1;
    } else {
      out += letter == std::string_view::npos ? c : kMeant[letter];
    }
  }
  return out;
}

// Three marks in a name have a backslash before them; another backslash stands for itself.
std::string FileNamed(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!text.substr(i).starts_with("\\@@@")) out += text[i];
  return out;
}

}  // namespace

std::optional<double> NumberIn(std::string_view value) {
  Lexer lexer(value);
  const std::optional<double> number = NumberOf(lexer.Next());
  return lexer.Next().kind == TokenKind::kEnd ? number : std::nullopt;
}

// Brackets and commas are let pass: (1, 2), [(1, 2)] and [1, 2] have the same numbers.
std::optional<std::vector<double>> NumbersIn(std::string_view value, std::size_t most) {
  std::vector<double> numbers;
  Lexer lexer(value);
  for (Token t = lexer.Next(); t.kind != TokenKind::kEnd; t = lexer.Next()) {
    if (t.kind == TokenKind::kMark) continue;
    const std::optional<double> number = NumberOf(t);
    if (!number || numbers.size() == most) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<bool> BooleanIn(std::string_view value) {
  if (value == "true" || value == "1" || value == "True") return true;
  if (value == "false" || value == "0" || value == "False") return false;
  return std::nullopt;
}

std::optional<std::string> StringIn(std::string_view value) {
  Lexer lexer(value);
  const Token t = lexer.Next();
  if (t.kind != TokenKind::kString) return std::nullopt;
  return Unescaped(t.text);
}

std::vector<std::string> StringsIn(std::string_view value) {
  std::vector<std::string> strings;
  Lexer lexer(value);
  for (Token t = lexer.Next(); t.kind != TokenKind::kEnd; t = lexer.Next())
    if (t.kind == TokenKind::kString) strings.push_back(Unescaped(t.text));
  return strings;
}

std::vector<std::string> PathsIn(std::string_view value) {
  std::vector<std::string> paths;
  Lexer lexer(value);
  for (Token t = lexer.Next(); t.kind != TokenKind::kEnd; t = lexer.Next())
    if (t.kind == TokenKind::kPath) paths.emplace_back(t.text);
  return paths;
}

std::vector<AssetName> AssetsIn(std::string_view value) {
  std::vector<AssetName> names;
  Lexer lexer(value);
  bool file = false;  // the last word: a path behind it is of it
  for (Token t = lexer.Next(); t.kind != TokenKind::kEnd; t = lexer.Next()) {
    if (t.kind == TokenKind::kAsset) {
      names.push_back({FileNamed(t.text), ""});
    } else if (t.kind == TokenKind::kPath) {
      if (!file) names.emplace_back();
      names.back().prim = t.text;
    }
    file = t.kind == TokenKind::kAsset;
  }
  return names;
}

}  // namespace kinemorph::usd
