// The operators of numbers, texts and collections.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "evaluator.h"

// Operate sorts the operands out: integers (bool is one) stay exact in 64 bits or fail; with a
// float among them all is double; then texts, lists and sets. Python's integers have no bound, but
// an expansion must have one, and a result that overflows silently would be a wrong robot. Division
// follows Python: / is always a float, // and % go with floor, unlike those of C++.

namespace kinemorph::xacro {
namespace {

bool Overflow(Machine& machine, const char* op) {
  return machine.Fail("xacro-overflow",
                      "the integer that " + std::string(op) + " gives does not fit 64 bits");
}

bool ByZero(Machine& machine, const char* what) {
  return machine.Fail("xacro-type", std::string(what) + " by zero");
}

bool WrongKinds(Machine& machine, const std::string& op, const Value& a, const Value& b) {
  if (op == "+" && (a.Text() || b.Text()))
    return machine.Fail("xacro-type", "can only join a text with a text, not '" +
                                          std::string(TypeOf(a)) + "' with '" +
                                          std::string(TypeOf(b)) + "': write str(...)");
  return machine.Fail("xacro-type", "unsupported operand types for " + op + ": '" +
                                        std::string(TypeOf(a)) + "' and '" +
                                        std::string(TypeOf(b)) + "'");
}

// The double nearest to a / b, of integers that a double may not hold.
// Up to 2^53 the doubles are exact, and IEEE division rounds once. Above, a long division in 128
// bits does the same: the quotient keeps 63 bits, and one more (`rest`) says whether something was
// cut off, so that the conversion to double rounds correctly.
double ExactQuotient(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (a > -kExact && a < kExact && b > -kExact && b < kExact)
    return static_cast<double>(a) / static_cast<double>(b);
  const auto magnitude = [](std::int64_t n) {
    return n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  };
  using Wide = unsigned __int128;
  Wide wide = magnitude(a);
  const Wide divisor = magnitude(b);
  if (wide == 0) return b < 0 ? -0.0 : 0.0;
  int shift = 0;
  for (; (wide >> 126) == 0; ++shift) wide <<= 1;
  Wide quotient = wide / divisor;
  bool rest = wide % divisor != 0;
  for (; (quotient >> 63) != 0; --shift, quotient >>= 1) rest = rest || (quotient & 1) != 0;
  const auto rounded = static_cast<double>(static_cast<std::uint64_t>(quotient) | (rest ? 1U : 0U));
  const double value = std::ldexp(rounded, -shift);
  return (a < 0) != (b < 0) ? -value : value;
}

bool OperateIntegers(Machine& machine, char op, std::int64_t a, std::int64_t b, Value& out) {
  std::int64_t result = 0;
  switch (op) {
    case '+':
      if (__builtin_add_overflow(a, b, &result)) return Overflow(machine, "a sum");
      break;
    case '-':
      if (__builtin_sub_overflow(a, b, &result)) return Overflow(machine, "a difference");
      break;
    case '*':
      if (__builtin_mul_overflow(a, b, &result)) return Overflow(machine, "a product");
      break;
    case '/':
      if (b == 0) return ByZero(machine, "division");
      out = ExactQuotient(a, b);
      return true;
    case 'd':
    case '%': {
      if (b == 0) return ByZero(machine, "integer division or modulo");
      // The smallest integer by -1 traps on some processors, and overflows in all.
      if (b == -1) {
        if (op == 'd' && __builtin_sub_overflow(std::int64_t{0}, a, &result))
          return Overflow(machine, "a quotient");
        break;  // of '%': 0
      }
      // C++ cuts towards zero; Python's rest has the sign of the divisor.
      std::int64_t quotient = a / b, rest = a % b;
      if (rest != 0 && (rest < 0) != (b < 0)) --quotient, rest += b;
      result = op == 'd' ? quotient : rest;
      break;
    }
    case '|':
      result = a | b;
      break;
    case '^':
      result = a ^ b;
      break;
    case '&':
      result = a & b;
      break;
    case '<':
      if (b < 0) return machine.Fail("xacro-type", "negative shift count");
      // 2^63 is no integer of 64 bits any more; zero stays zero however far it is shifted.
      if (a == 0) break;
      if (b > 62 || __builtin_mul_overflow(a, std::int64_t{1} << b, &result))
        return Overflow(machine, "a shift");
      break;
    default:  // >>
      if (b < 0) return machine.Fail("xacro-type", "negative shift count");
      result = a >> std::min<std::int64_t>(b, 63);
  }
  out = result;
  return true;
}

bool OperateFloats(Machine& machine, char op, double a, double b, Value& out) {
  switch (op) {
    case '+':
      out = a + b;
      return true;
    case '-':
      out = a - b;
      return true;
    case '*':
      out = a * b;
      return true;
    case '/':
      if (b == 0) return ByZero(machine, "float division");
      out = a / b;
      return true;
    default:
      break;
  }
  // CPython's way: the rest is exact, and the quotient is corrected by it, since a plain floor of a
  // / b may be off by one. A rest of zero has the sign of the divisor.
  if (b == 0) return ByZero(machine, op == '%' ? "float modulo" : "float floor division");
  double rest = std::fmod(a, b), quotient = (a - rest) / b;
  if (rest != 0) {
    if ((b < 0) != (rest < 0)) rest += b, quotient -= 1;
  } else {
    rest = std::copysign(0.0, b);
  }
  if (op == '%') {
    out = rest;
    return true;
  }
  // The quotient lies within rounding of an integer: the nearest one is meant.
  if (quotient != 0) {
    double whole = std::floor(quotient);
    if (quotient - whole > 0.5) whole += 1;
    out = whole;
  } else {
    out = std::copysign(0.0, a / b);
  }
  return true;
}

bool Repeat(Machine& machine, const Value& what, std::int64_t times, Value& out) {
  // Less than no repetition is none. The size is known before anything is made, and one beyond the
  // limit stands for all that is more.
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 0));
  const std::uint64_t size = what.Text() ? what.Text()->size() : what.Items()->items.size();
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(size, count, &product) || product > Machine::kLongestText)
    product = Machine::kLongestText + 1;
  const auto total = static_cast<std::size_t>(product);
  if (const std::string* const text = what.Text()) {
    if (!machine.MakeText(total)) return false;
    std::string made;
    made.reserve(total);
    for (std::uint64_t i = 0; size > 0 && i < count; ++i) made += *text;
    out = std::move(made);
    return true;
  }
  if (total > Machine::kLongestSequence) return machine.MakeItems(total);
  std::vector<Value> items;
  for (std::uint64_t i = 0; size > 0 && i < count; ++i)
    items.insert(items.end(), what.Items()->items.begin(), what.Items()->items.end());
  return machine.Make(what.Items()->form, std::move(items), out);
}

// a | b, a & b, a - b, a ^ b of sets: as the kind of a.
bool OperateSets(Machine& machine, char op, const Sequence& a, const Sequence& b, Value& out) {
  std::unordered_set<std::string> in_a, in_b;
  std::string key;
  std::vector<Value> items;
  for (const auto& [set, keys] : {std::pair(&a, &in_a), std::pair(&b, &in_b)})
    for (const Value& item : set->items) {
      if (!machine.KeyOf(item, key) || !machine.Take(key.size() + sizeof(Value))) return false;
      keys->insert(key);
    }
  for (const Value& item : a.items) {
    if (!machine.KeyOf(item, key)) return false;
    if (op == '|' || in_b.contains(key) == (op == '&')) items.push_back(item);
  }
  for (const Value& item : b.items) {
    if (!machine.KeyOf(item, key)) return false;
    if ((op == '|' || op == '^') && !in_a.contains(key)) items.push_back(item);
  }
  return machine.Make(a.form, std::move(items), out);
}

bool IsRepeatable(const Value& value) {
  return value.Text() || (value.Items() && (value.Items()->form == Form::kList ||
                                            value.Items()->form == Form::kTuple));
}

bool Join(Machine& machine, const Value& a, const Value& b, Value& out) {
  if (a.Text() && b.Text()) {
    if (!machine.MakeText(a.Text()->size() + b.Text()->size())) return false;
    out = *a.Text() + *b.Text();
    return true;
  }
  if (a.Items() && b.Items() && a.Items()->form == b.Items()->form && IsRepeatable(a)) {
    std::vector<Value> items = a.Items()->items;
    items.insert(items.end(), b.Items()->items.begin(), b.Items()->items.end());
    return machine.Make(a.Items()->form, std::move(items), out);
  }
  return WrongKinds(machine, "+", a, b);
}

// By squares. The last square is not taken: it could overflow where the power does not.
bool PowerOfIntegers(Machine& machine, std::int64_t base, std::int64_t exponent, Value& out) {
  std::int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
      return Overflow(machine, "a power");
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base))
      return Overflow(machine, "a power");
  }
  out = result;
  return true;
}

}  // namespace

bool Operate(Machine& machine, const std::string& op, const Value& a, const Value& b, Value& out) {
  // Truths are integers, but | ^ & of two of them give a truth.
  const bool numbers = a.IsNumber() && b.IsNumber();
  const bool bits = op == "|" || op == "^" || op == "&" || op == "<<" || op == ">>";
  if (numbers && a.IsInteger() && b.IsInteger()) {
    const bool truths = a.data.index() == 1 && b.data.index() == 1;
    if (!OperateIntegers(machine, op == "//" ? 'd' : op[0], a.Integer(), b.Integer(), out))
      return false;
    if (truths && (op == "|" || op == "^" || op == "&")) out = out.Integer() != 0;
    return true;
  }
  if (numbers && !bits)
    return OperateFloats(machine, op == "//" ? 'd' : op[0], a.Number(), b.Number(), out);
  if (op == "%" && a.Text()) return FormatText(machine, *a.Text(), b, out);
  if (op == "*" && IsRepeatable(a) && b.IsInteger()) return Repeat(machine, a, b.Integer(), out);
  if (op == "*" && IsRepeatable(b) && a.IsInteger()) return Repeat(machine, b, a.Integer(), out);
  if (op == "+") return Join(machine, a, b, out);
  const bool sets = a.Items() && b.Items() && IsSet(a.Items()->form) && IsSet(b.Items()->form);
  if (sets && (op == "|" || op == "&" || op == "-" || op == "^"))
    return OperateSets(machine, op[0], *a.Items(), *b.Items(), out);
  if (op == "|" && a.Dict() && b.Dict())
    return machine.Fail("xacro-unsupported", "joining dictionaries with | is not supported");
  return WrongKinds(machine, op, a, b);
}

bool ApplySign(Machine& machine, const std::string& sign, const Value& a, Value& out) {
  if (a.Float() && sign != "~") {
    out = sign == "-" ? -*a.Float() : *a.Float();
    return true;
  }
  if (!a.IsInteger())
    return machine.Fail("xacro-type",
                        "bad operand type for sign " + sign + ": '" + std::string(TypeOf(a)) + "'");
  std::int64_t result = sign == "~" ? ~a.Integer() : a.Integer();
  if (sign == "-" && __builtin_sub_overflow(std::int64_t{0}, a.Integer(), &result))
    return Overflow(machine, "a sign");
  out = result;
  return true;
}

bool RaiseTo(Machine& machine, const Value& a, const Value& b, Value& out) {
  if (!a.IsNumber() || !b.IsNumber()) return WrongKinds(machine, "**", a, b);
  // Integers stay integers for exponents from 0 on; 2 ** -1 is 0.5.
  if (a.IsInteger() && b.IsInteger() && b.Integer() >= 0)
    return PowerOfIntegers(machine, a.Integer(), b.Integer(), out);
  const double base = a.Number(), exponent = b.Number();
  if (base == 0 && exponent < 0)
    return machine.Fail("xacro-type", "0.0 cannot be raised to a negative power");
  // Python gives a complex number here, which no robot can use.
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) &&
      exponent != std::trunc(exponent))
    return machine.Fail("xacro-unsupported",
                        "a root of a negative number is complex, which is not supported");
  const double result = std::pow(base, exponent);
  // Python calls this an error, where C gives an infinity.
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
    return machine.Fail("xacro-type", "the result of ** is out of range");
  out = result;
  return true;
}

bool Contains(Machine& machine, const Value& container, const Value& item, bool& out) {
  if (container.Text()) {
    if (!item.Text())
      return machine.Fail("xacro-type",
                          "'in <string>' requires a string, not " + std::string(TypeOf(item)));
    const std::size_t size = container.Text()->size();
    if (!machine.Pass(size + size * item.Text()->size() / 16)) return false;
    out = container.Text()->find(*item.Text()) != std::string::npos;
    return true;
  }
  if (const Dictionary* const dictionary = container.Dict()) {
    out = machine.Find(*dictionary, item) != nullptr;
    return !machine.failed();
  }
  std::vector<Value> items;
  if (!container.Items())
    return machine.Fail(
        "xacro-type", "argument of type '" + std::string(TypeOf(container)) + "' is not iterable");
  // Even an item that is not in it must be one that a set can hold.
  if (std::string key; IsSet(container.Items()->form) && !machine.KeyOf(item, key)) return false;
  if (!machine.Iterate(container, items, false)) return false;
  out = false;
  for (const Value& each : items) {
    if (!machine.Equal(each, item, out)) return false;
    if (out) break;
  }
  return true;
}

}  // namespace kinemorph::xacro
