// '%5.2f' % value.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "evaluator.h"
#include "kinemorph/graph/base/text.h"

// Two ways to format: '%5.2f' % x, and '{:5.2f}'.format(x), which is translated to a directive of
// the first. The digits are made by to_chars with an explicit precision, which rounds the exact
// value as CPython does. Widths and precisions are bounded, or a short text could ask for a long
// one.

namespace kinemorph::xacro {
namespace {

// %[flags][width][.precision]kind; a precision below zero was not given.
struct Directive {
  bool left = false, plus = false, blank = false, zero = false, other = false;
  std::int64_t width = 0, precision = -1;
  char kind = 's';
};

class Formatter {
 public:
  Formatter(Machine& machine, const Value& arguments) : machine_(machine) {
    // Only a tuple is a list of arguments; a list is one argument.
    if (arguments.Items() && arguments.Items()->form == Form::kTuple)
      arguments_ = arguments.Items()->items;
    else
      arguments_ = {arguments};
    // 'text' % [1] and 'text' % {...} are allowed to use nothing.
    optional_ = arguments.Dict() || (arguments.Items() && arguments.Items()->form != Form::kTuple);
  }

  bool All(std::string_view pattern, Value& out) {
    if (!machine_.Pass(pattern.size()) || !machine_.MakeItems(arguments_.size())) return false;
    for (std::size_t i = 0; i < pattern.size();) {
      if (pattern[i] != '%') {
        made_ += pattern[i++];
      } else if (!One(pattern, ++i)) {
        return false;
      }
    }
    // Python insists that all are used, unless the right side could be asked by name.
    if (used_ < arguments_.size() && !optional_)
      return Wrong("not all arguments converted during string formatting");
    if (!machine_.MakeText(made_.size())) return false;
    out = std::move(made_);
    return true;
  }

 private:
  bool Wrong(const std::string& why) { return machine_.Fail("xacro-type", why); }
  const Value* Next() {
    if (used_ < arguments_.size()) return &arguments_[used_++];
    Wrong("not enough arguments for format string");
    return nullptr;
  }

  bool Number(std::string_view pattern, std::size_t& i, std::int64_t& out) {
    out = 0;
    // Python takes the width from an argument: rare, and a way around the bound.
    if (i < pattern.size() && pattern[i] == '*')
      return machine_.Fail("xacro-unsupported", "a width of * is not supported");
    for (; i < pattern.size() && IsDigit(pattern[i]); ++i) {
      out = out * 10 + (pattern[i] - '0');
      if (out > 1000) return machine_.Fail("xacro-too-large", "a width of more than 1000");
    }
    return true;
  }

  bool One(std::string_view pattern, std::size_t& i) {
    Directive d;
    for (; i < pattern.size(); ++i) {
      if (pattern[i] == '-')
        d.left = true;
      else if (pattern[i] == '+')
        d.plus = true;
      else if (pattern[i] == ' ')
        d.blank = true;
      else if (pattern[i] == '0')
        d.zero = true;
      else if (pattern[i] == '#')
        d.other = true;
      else
        break;
    }
    if (!Number(pattern, i, d.width)) return false;
    if (i < pattern.size() && pattern[i] == '.' && !Number(pattern, ++i, d.precision)) return false;
    if (i >= pattern.size()) return Wrong("incomplete format");
    d.kind = pattern[i++];
    if (d.kind == '%') {
      made_ += '%';
      return true;
    }
    if (d.kind == '(' || d.other)
      return machine_.Fail("xacro-unsupported",
                           "this form of a format, %" + std::string(1, d.kind) +
                               (d.other ? " with #" : "") + ", is not supported");
    const Value* const value = Next();
    return value && Append(d, *value);
  }

  bool Append(const Directive& d, const Value& value) {
    switch (d.kind) {
      case 's':
      case 'r': {
        std::string text;
        if (!(d.kind == 's' ? machine_.Print(value, text) : machine_.Represent(value, text)))
          return false;
        // A precision cuts a text after so many characters, not bytes.
        if (d.precision >= 0)
          text = Encoded(
              std::u32string_view(Decoded(text)).substr(0, static_cast<std::size_t>(d.precision)));
        return Pad(d, "", text, false);
      }
      case 'd':
      case 'i':
      case 'u':
        return AppendInteger(d, value);
      // Python truncates a float for %d, but not for %x and %o.
      case 'x':
      case 'X':
      case 'o':
        if (!value.IsInteger()) return Wrong(Needs(d, "an integer is required", value));
        return AppendInteger(d, value);
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
        if (!value.IsNumber()) return Wrong(Needs(d, "must be real number", value));
        return AppendFloat(d, value.Number());
      default:
        return machine_.Fail("xacro-unsupported",
                             "the format %" + std::string(1, d.kind) + " is not supported");
    }
  }

  static std::string Needs(const Directive& d, const char* what, const Value& value) {
    return "%" + std::string(1, d.kind) + " format: " + what + ", not " +
           std::string(TypeOf(value));
  }

  bool AppendInteger(const Directive& d, const Value& value) {
    std::int64_t number = 0;
    if (value.IsInteger()) {
      number = value.Integer();
    } else if (value.Float()) {
      const double whole = std::trunc(*value.Float());
      if (!(whole >= -0x1p63 && whole < 0x1p63))
        return machine_.Fail("xacro-overflow", "%d: the value is not an integer of 64 bits");
      number = static_cast<std::int64_t>(whole);
    } else {
      return Wrong(Needs(d, "a number is required", value));
    }
    std::array<char, 80> text{};
    const int base = d.kind == 'x' || d.kind == 'X' ? 16 : d.kind == 'o' ? 8 : 10;
    const auto size =
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), size, base).ptr;
    std::string digits(static_cast<const char*>(text.data()), end);
    if (d.kind == 'X')
      for (char& c : digits)
        if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    // The precision of an integer is the least number of its digits.
    if (d.precision > static_cast<std::int64_t>(digits.size()))
      digits.insert(0, static_cast<std::size_t>(d.precision) - digits.size(), '0');
    return Pad(d, Sign(d, number < 0), digits, true);
  }

  bool AppendFloat(const Directive& d, double number) {
    const bool negative = std::signbit(number) && !std::isnan(number);
    if (!std::isfinite(number)) {
      std::string word = std::isnan(number) ? "nan" : "inf";
      if (d.kind < 'a') word = word == "nan" ? "NAN" : "INF";
      return Pad(d, Sign(d, negative), word, true);
    }
    const char kind = d.kind >= 'a' ? d.kind : static_cast<char>(d.kind - 'A' + 'a');
    std::array<char, 1600> text{};
    int precision = d.precision < 0 ? 6 : static_cast<int>(d.precision);
    // %g has at least one significant digit, as in C.
    if (kind == 'g' && precision == 0) precision = 1;
    const auto format = kind == 'f'   ? std::chars_format::fixed
                        : kind == 'e' ? std::chars_format::scientific
                                      : std::chars_format::general;
    const char* const end =
        std::to_chars(text.data(), text.data() + text.size(), std::fabs(number), format, precision)
            .ptr;
    std::string digits(static_cast<const char*>(text.data()), end);
    if (d.kind < 'a')
      for (char& c : digits)
        if (c == 'e') c = 'E';
    return Pad(d, Sign(d, negative), digits, true);
  }

  static std::string Sign(const Directive& d, bool negative) {
    return negative ? "-" : d.plus ? "+" : d.blank ? " " : "";
  }

  // Width counts characters with the sign; zeros go behind the sign, blanks before it.
  bool Pad(const Directive& d, const std::string& sign, const std::string& text, bool number) {
    const auto size = static_cast<std::int64_t>(sign.size() + Decoded(text).size());
    const auto room = static_cast<std::size_t>(d.width > size ? d.width - size : 0);
    if (d.left)
      made_ += sign + text + std::string(room, ' ');
    else if (d.zero && number)
      made_ += sign + std::string(room, '0') + text;
    else
      made_ += std::string(room, ' ') + sign + text;
    return made_.size() <= Machine::kLongestText || machine_.MakeText(made_.size());
  }

  Machine& machine_;
  std::vector<Value> arguments_;
  std::size_t used_ = 0;
  bool optional_ = false;
  std::string made_;
};

}  // namespace

namespace {

// "{:>6.2f}" of a value, of which `spec` is ">6.2f", as the directive of % that means the same.
bool FormatField(const Call& c, std::string_view spec, const Value& value, std::string& made) {
  Machine& machine = c.machine();
  if (spec.empty()) return machine.Print(value, made);
  // Numbers, and truths among them, stand on the right and texts on the left, where nothing else is
  // said.
  const bool aligned = spec[0] == '<' || spec[0] == '>';
  const char align = aligned ? spec[0] : value.IsNumber() ? '>' : '<';
  if (aligned) spec.remove_prefix(1);
  const std::size_t digits = std::min(spec.find_first_not_of("0123456789."), spec.size());
  std::string type(spec.substr(digits));
  const bool precise = spec.find('.') < digits;
  Value shown = value;
  // Where no type is given an integer is %d, a text %s, and a float without a precision prints like
  // str().
  if (type.empty() && value.Text()) type = "s";
  if (type.empty() && value.IsInteger() && !precise) type = "d";
  if (type.empty() && value.Float() && !precise && !spec.starts_with('0')) {
    shown = FloatText(*value.Float());
    type = "s";
  }
  const std::string_view allowed = value.Float()       ? "feEgGF"
                                   : value.IsInteger() ? "dfeEgGFxXo"
                                                       : "s";
  const bool known = type.size() == 1 && (type == "s" ? shown.Text() != nullptr
                                                      : allowed.find(type) != std::string::npos);
  // What the two ways do differently (^, =, thousands, a precision without a type, zeros on the side
  // that is named) is refused, not guessed.
  if (!known || ((type == "s" || aligned) && spec.starts_with('0')))
    return machine.Fail("xacro-unsupported", ".format(): the form '" + std::string(spec) +
                                                 "' of a " + std::string(TypeOf(value)) +
                                                 " is not supported");
  const std::string directive =
      std::string(align == '<' ? "%-" : "%") + std::string(spec.substr(0, digits)) + type;
  Value tuple, text;
  return machine.Make(Form::kTuple, {shown}, tuple) &&
         FormatText(machine, directive, tuple, text) && machine.Print(text, made);
}

}  // namespace

bool FormatFields(const Call& c, const std::string& pattern, Value& out) {
  Machine& machine = c.machine();
  std::string made;
  std::size_t next = 0;
  if (!machine.Pass(pattern.size())) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    // A brace that is doubled stands for itself; the last character has no neighbour.
    const bool twice = pattern[i] == pattern[std::min(i + 1, pattern.size() - 1)];
    if ((pattern[i] != '{' && pattern[i] != '}') || (twice && i + 1 < pattern.size())) {
      made += pattern[i];
      if (pattern[i] == '{' || pattern[i] == '}') ++i;  // {{ is a brace
      continue;
    }
    const std::size_t end = pattern.find('}', i);
    if (pattern[i] == '}' || end == std::string::npos)
      return machine.Fail("xacro-type",
                          ".format(): a single '" + pattern.substr(i, 1) + "' is in the text");
    const std::string field = pattern.substr(i + 1, end - i - 1);
    const std::string name = field.substr(0, field.find(':'));
    const std::string spec = field.substr(std::min(name.size() + 1, field.size()));
    const bool digits = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    if (name.find_first_of(".[!{") != std::string::npos || name.size() > 100)
      return machine.Fail("xacro-unsupported",
                          ".format(): the field '" + name + "' is not supported");
    const Value* const value = name.empty() ? c.At(next++)
                               : digits ? c.At(name.size() > 6 ? SIZE_MAX / 2 : std::stoul(name))
                                        : c.At(SIZE_MAX / 2, name);
    if (value == nullptr)
      return machine.Fail("xacro-type", ".format(): there is no argument for '{" + name + "}'");
    if (!FormatField(c, spec, *value, made)) return false;
    if (made.size() > Machine::kLongestText) return machine.MakeText(made.size());
    i = end;
  }
  if (!machine.MakeText(made.size())) return false;
  out = std::move(made);
  return true;
}

bool FormatText(Machine& machine, const std::string& pattern, const Value& arguments, Value& out) {
  return Formatter(machine, arguments).All(pattern, out);
}

}  // namespace kinemorph::xacro
