// Values as text, as Python prints them, and texts as values.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"
#include "value.h"

// What a value prints decides the digits of the expanded robot, so this follows CPython to the
// letter: repr() of floats is the shortest text that reads back, an integer has no point, a truth
// is True. The other half reads texts by Python's int() and float(), which take blanks around,
// underscores between digits and words like "inf", and by xacro's own rule for the values of
// properties (Literal).

namespace kinemorph::xacro {

std::string FloatText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // The digits come from the shortest scientific form; only where the point goes is Python's
  // choice: plain from 1e-4 up to below 1e16, with ".0" where there is no fraction, else with an
  // exponent of at least two digits, which is to_chars' form as well.
  std::array<char, 40> buffer{};
  const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                        std::chars_format::scientific)
                              .ptr;
  const std::string_view all(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = all.find('e');
  int exponent = 0;
  const char* const sign = buffer.data() + e + 1;
  std::from_chars(*sign == '+' ? sign + 1 : sign, end, exponent);
  if (exponent < -4 || exponent >= 16) return std::string(all);
  const bool negative = all[0] == '-';
  std::string digits;
  for (const char c : all.substr(0, e))
    if (IsDigit(c)) digits += c;
  std::string out = negative ? "-" : "";
  if (exponent < 0)
    return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole + 1) digits.resize(whole + 1, '0');
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

bool IsAscii(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Bytes that are no UTF-8 (of a YAML file, say) give some character, and never a read behind the
// end.
std::u32string Decoded(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t n = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = n == 1 ? lead : lead & (0x7FU >> n);
    for (std::size_t k = 1; k < n && i + k < text.size(); ++k)
      c = (c << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    out += c;
    i += n;
  }
  return out;
}

std::string Encoded(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xC0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xE0 | (c >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | (c >> 18));
      tail(12), tail(6), tail(0);
    }
  }
  return out;
}

bool AddCharacter(std::string_view hex, std::string& text) {
  std::uint32_t code = 0;
  const char* const last = hex.data() + hex.size();
  const auto [end, error] = std::from_chars(hex.data(), last, code, 16);
  // A surrogate is no character: alone it has no form in UTF-8.
  if (error != std::errc() || end != last || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return false;
  const auto point = static_cast<char32_t>(code);
  text += Encoded(std::u32string_view(&point, 1));
  return true;
}

namespace {

void AppendQuoted(std::string_view text, std::string& out) {
  // Single quotes, unless the text holds one and no double quote.
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"'
                                                                                            : '\'';
  out += quote;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7F) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += quote;
}

}  // namespace

bool Machine::Represent(const Value& value, std::string& out, int depth) {
  if (!Step()) return false;
  // A list that holds itself ends here; Python would print [...].
  if (depth > kDeepest || out.size() > kLongestText)
    return Fail("xacro-too-large", "a collection is too large to be printed");
  const auto list = [&](char open, const std::vector<Value>& items, char close) {
    out += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ", ";
      if (!Represent(items[i], out, depth + 1)) return false;
    }
    // A tuple of one keeps its comma: (1,).
    if (close == ')' && items.size() == 1) out += ',';
    out += close;
    return true;
  };
  if (value.Text()) {
    AppendQuoted(*value.Text(), out);
    return Pass(value.Text()->size());
  }
  if (const Sequence* const sequence = value.Items()) {
    switch (sequence->form) {
      case Form::kList:
        return list('[', sequence->items, ']');
      case Form::kTuple:
        return list('(', sequence->items, ')');
      case Form::kRange:
        return Fail("xacro-unsupported", "a range has no text here: write list(range(...))");
      case Form::kIterator:
      case Form::kView:
        return Fail("xacro-unsupported", "an iterator has no text: write list(...) around it");
      case Form::kSet:
      case Form::kFrozenSet: {
        const bool frozen = sequence->form == Form::kFrozenSet;
        std::vector<Value> items;
        if (!Ordered(*sequence, items)) return false;
        if (items.empty()) {
          out += frozen ? "frozenset()" : "set()";
          return true;
        }
        out += frozen ? "frozenset(" : "";
        if (!list('{', items, '}')) return false;
        out += frozen ? ")" : "";
        return true;
      }
    }
  }
  if (const Dictionary* const dictionary = value.Dict()) {
    out += '{';
    bool first = true;
    for (const auto& [key, item] : dictionary->items) {
      if (!first) out += ", ";
      first = false;
      if (!Represent(key, out, depth + 1)) return false;
      out += ": ";
      if (!Represent(item, out, depth + 1)) return false;
    }
    out += '}';
    return true;
  }
  if (value.IsNone()) {
    out += "None";
  } else if (const bool* const truth = std::get_if<bool>(&value.data)) {
    out += *truth ? "True" : "False";
  } else if (value.IsInteger()) {
    out += std::to_string(value.Integer());
  } else if (value.Float()) {
    out += FloatText(*value.Float());
  } else if (const Function* const type = std::get_if<Function>(&value.data);
             type && !type->self && IsType(type->name)) {
    out += "<class '" + type->name + "'>";
  } else {
    return Fail("xacro-unsupported",
                "a " + std::string(TypeOf(value)) + " has no text: it is called, name(...)");
  }
  return true;
}

bool Machine::Print(const Value& value, std::string& out) {
  // print() of a text is the text, of all else its repr(). The charge comes after the text is
  // there, which Represent keeps below the limit on its way.
  const std::size_t before = out.size();
  if (value.Text())
    out += *value.Text();
  else if (!Represent(value, out))
    return false;
  return MakeText(out.size() - before);
}

namespace {

// The text without underscores, which stand alone between two digits, as in Python.
// With `letters` these are digits too, for the sake of bases above ten.
bool WithoutUnderscores(std::string_view text, bool letters, std::string& digits) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && (IsDigit(text[i]) || (letters && text[i] >= 'a' && text[i] <= 'z'));
  };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '_')
      digits += text[i];
    else if (i == 0 || !digit(i - 1) || !digit(i + 1))
      return false;
  return true;
}

std::string_view Stripped(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Parsed ParseInteger(std::string_view text, std::int64_t& out, int base) {
  std::string lower = LowerCase(Stripped(text)), digits;
  bool negative = false;
  std::string_view rest = lower;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  const std::string_view prefix = base == 16 ? "0x" : base == 8 ? "0o" : base == 2 ? "0b" : "";
  if (!prefix.empty() && rest.starts_with(prefix)) {
    rest.remove_prefix(2);
    if (rest.starts_with('_')) rest.remove_prefix(1);
  }
  if (!WithoutUnderscores(rest, true, digits) || digits.empty() || digits[0] == '+' ||
      digits[0] == '-')
    return Parsed::kNot;
  // The sign goes back to the digits, for only with it does the smallest integer fit.
  if (negative) digits.insert(0, "-");
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, base);
  if (end != digits.data() + digits.size()) return Parsed::kNot;
  if (error == std::errc::result_out_of_range) return Parsed::kTooLarge;
  return error == std::errc() ? Parsed::kDone : Parsed::kNot;
}

bool ParseFloat(std::string_view text, double& out) {
  const std::string lower = LowerCase(Stripped(text));
  std::string number;
  std::string_view rest = lower;
  bool negative = false;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  if (rest == "inf" || rest == "infinity" || rest == "nan") {
    out = rest == "nan" ? std::nan("") : HUGE_VAL;
    if (negative) out = -out;
    return true;
  }
  // Checked by hand: Python's float() takes none of the other spellings that a parser of C knows.
  if (rest.empty() || !(IsDigit(rest[0]) || rest[0] == '.') ||
      rest.find_first_not_of("0123456789._e+-") != std::string_view::npos ||
      !WithoutUnderscores(rest, false, number))
    return false;
  // from_chars takes no "e" without digits, but ends before it.
  double value = 0;
  const char* const last = number.data() + number.size();
  const auto [end, error] = ParseDouble(number.data(), last, value);
  if (end != last) return false;
  if (error == std::errc::result_out_of_range) {  // 1e400 is inf, 1e-400 is 0
    const std::size_t e = number.find('e');
    const bool tiny = e != std::string::npos ? number[e + 1] == '-'
                                             : number.find_first_of("123456789") > number.find('.');
    value = tiny ? 0.0 : HUGE_VAL;
  } else if (error != std::errc()) {
    return false;
  }
  out = negative ? -value : value;
  return true;
}

// The order is that of the program xacro, and matters: quotes make a text (a property is read
// twice, so that '5' is a number there and ''5'' a text), a text with an underscore is never a
// number (1_000, though int() takes it), integers go before floats, and True and False are
// recognised in these spellings only. A property of "0.10" prints 0.1 therefore.
Value Literal(const std::string& text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
    return text.substr(1, text.size() - 2);
  if (text.empty() || text.find('_') != std::string::npos) return text;
  std::int64_t integer = 0;
  switch (ParseInteger(text, integer)) {
    case Parsed::kDone:
      return integer;
    case Parsed::kTooLarge:
      return text;  // prints as it is; who computes with it is told of a text
    case Parsed::kNot:
      break;
  }
  double number = 0;
  if (ParseFloat(text, number)) return number;
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return text;
}

}  // namespace kinemorph::xacro
