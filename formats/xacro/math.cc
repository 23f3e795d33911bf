// The functions of Python's module math, and round().
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "evaluator.h"
#include "kinemorph/graph/base/number.h"

// The tables say which functions there are; CallMath finds the function and checks its arguments.
// Results are those of CPython to the last digit where the C library agrees, and so are the errors:
// C's nan of a finite argument is "math domain error", its infinity "math range error". Integers
// stay exact: they are never turned into doubles and back.

namespace kinemorph::xacro {
namespace {

using Unary = double (*)(double);
struct Named {
  std::string_view name;
  Unary function;
};
// The factors as CPython has them: x * (pi / 180), not x * pi / 180, which differs in the last
// digit.
constexpr double kDegree = 3.14159265358979323846 / 180.0,
                 kPerRadian = 180.0 / 3.14159265358979323846;

constexpr std::array<Named, 22> kUnary = {{
    {"acos", [](double x) { return std::acos(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"degrees", [](double x) { return x * kPerRadian; }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"fabs", [](double x) { return std::fabs(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"radians", [](double x) { return x * kDegree; }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
}};
constexpr std::array<std::string_view, 17> kOthers = {
    "atan2",   "ceil",     "copysign", "factorial", "floor", "fmod", "fsum", "gcd",  "hypot",
    "isclose", "isfinite", "isinf",    "isnan",     "log",   "pow",  "prod", "trunc"};

bool DomainError(const Call& c) {
  return c.machine().Fail("xacro-type", c.name + "(): math domain error");
}
bool RangeError(const Call& c) {
  return c.machine().Fail("xacro-type", c.name + "(): math range error");
}

// A result of finite arguments: a value, a number out of the domain or out of range.
bool Result(const Call& c, double value, bool finite, Value& out) {
  if (std::isnan(value) && finite) return DomainError(c);
  if (std::isinf(value) && finite) {
    const bool pole = c.name == "log" || c.name == "log2" || c.name == "log10" ||
                      c.name == "log1p" || c.name == "atanh";
    return pole ? DomainError(c) : RangeError(c);
  }
  out = value;
  return true;
}

bool ToWhole(const Call& c, Value& out) {  // floor, ceil, trunc
  double x = 0;
  if (!c.Takes(1, 1) || !c.Number(0, x)) return false;
  // An integer is its own whole part; by way of a double it would lose digits from 2^53 on.
  if (c.arguments[0].IsInteger()) {
    out = c.arguments[0].Integer();
    return true;
  }
  x = c.name == "floor" ? std::floor(x) : c.name == "ceil" ? std::ceil(x) : std::trunc(x);
  if (std::isnan(x) || std::isinf(x))
    return c.machine().Fail("xacro-type", c.name + "(): " + FloatText(x) + " is not an integer");
  if (x < -0x1p63 || x >= 0x1p63)
    return c.machine().Fail("xacro-overflow", c.name + "(): the value does not fit 64 bits");
  out = static_cast<std::int64_t>(x);
  return true;
}

// Shewchuk's sum: partial sums that do not overlap hold the exact value.
bool ExactSum(const Call& c, Value& out) {
  std::vector<Value> items;
  if (!c.Takes(1, 1) || !c.machine().Iterate(c.arguments[0], items)) return false;
  // The partial sums do not overlap and grow in size. Each new item is added to all of them by
  // Dekker's exact sum of two doubles, of which high is the rounded sum and low the error.
  std::vector<double> partials;
  double special = 0, infinite = 0;
  for (const Value& item : items) {
    if (!item.IsNumber())
      return c.machine().Fail("xacro-type",
                              "fsum(): must be a number, not " + std::string(TypeOf(item)));
    double x = item.Number();
    if (!std::isfinite(x)) {
      special += x;
      if (std::isinf(x)) infinite += x;
      continue;
    }
    std::size_t kept = 0;
    for (double y : partials) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0) partials[kept++] = low;
      x = high;
    }
    if (std::isinf(x)) return RangeError(c);
    partials.resize(kept);
    partials.push_back(x);
    if (!c.machine().Step(partials.size())) return false;
  }
  // Infinities and nan decide the sum alone; inf and -inf have none.
  if (std::isnan(infinite)) return DomainError(c);
  if (special != 0 || std::isnan(special)) return Result(c, special, false, out);
  double total = 0, low = 0;
  while (!partials.empty() && low == 0) {
    const double x = total, y = partials.back();
    partials.pop_back();
    total = x + y;
    low = y - (total - x);
  }
  // Half way between two doubles: what remains decides.
  if (low != 0 && !partials.empty() && (low < 0) == (partials.back() < 0)) {
    const double twice = low * 2, next = total + twice;
    if (twice == next - total) total = next;
  }
  out = total;
  return true;
}

bool Product(const Call& c, Value& out) {
  std::vector<Value> items;
  if (!c.Takes(1, 1, {"", "start"}) || !c.machine().Iterate(c.arguments[0], items)) return false;
  Value total = c.At(9, "start") ? *c.At(9, "start") : Value(std::int64_t{1});
  for (const Value& item : items) {
    Value next;
    if (!Operate(c.machine(), "*", total, item, next)) return false;
    total = std::move(next);
  }
  out = std::move(total);
  return true;
}

bool Divisor(const Call& c, Value& out) {
  if (!c.Takes(0, SIZE_MAX)) return false;
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    std::int64_t n = 0;
    if (!c.Integer(i, n)) return false;
    const std::uint64_t size =
        n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    common = std::gcd(common, size);
  }
  if (common > INT64_MAX) return c.machine().Fail("xacro-overflow", "gcd(): beyond 64 bits");
  out = static_cast<std::int64_t>(common);
  return true;
}

bool Factorial(const Call& c, Value& out) {
  std::int64_t n = 0, product = 1;
  if (!c.Takes(1, 1) || !c.Integer(0, n)) return false;
  if (n < 0) return c.machine().Fail("xacro-type", "factorial() of a negative number");
  for (std::int64_t i = 2; i <= n; ++i)
    if (__builtin_mul_overflow(product, i, &product))
      return c.machine().Fail("xacro-overflow", "factorial(): does not fit 64 bits");
  out = product;
  return true;
}

bool Hypotenuse(const Call& c, Value& out) {
  if (!c.Takes(0, SIZE_MAX)) return false;
  // With more digits than a double has, so that squares neither overflow nor lose the last digit.
  long double squares = 0;
  bool infinite = false, finite = true;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    double x = 0;
    if (!c.Number(i, x)) return false;
    infinite = infinite || std::isinf(x);
    finite = finite && std::isfinite(x);
    squares += static_cast<long double>(x) * x;
  }
  if (infinite) {
    out = HUGE_VAL;
    return true;
  }
  const double value = c.arguments.size() == 1 ? std::fabs(c.arguments[0].Number())
                                               : static_cast<double>(std::sqrt(squares));
  return Result(c, value, finite, out);
}

bool IsClose(const Call& c, Value& out) {
  double a = 0, b = 0;
  if (!c.Takes(2, 2, {"", "", "rel_tol", "abs_tol"}) || !c.Number(0, a) || !c.Number(1, b))
    return false;
  const auto tolerance = [&](std::string_view word, double otherwise) {
    const Value* const given = c.At(9, word);
    return given && given->IsNumber() ? given->Number() : otherwise;
  };
  const double relative = tolerance("rel_tol", 1e-9), absolute = tolerance("abs_tol", 0);
  if (relative < 0 || absolute < 0)
    return c.machine().Fail("xacro-type", "isclose(): tolerances must be non-negative");
  const double distance = std::fabs(a - b);
  // Equal infinities are close; an infinity and a number are not, whatever the tolerance.
  out = a == b || (std::isfinite(a) && std::isfinite(b) &&
                   (distance <= relative * std::fabs(a) || distance <= relative * std::fabs(b) ||
                    distance <= absolute));
  return true;
}

bool OfTwo(const Call& c, Value& out) {  // atan2, copysign, fmod, pow
  double a = 0, b = 0;
  if (!c.Takes(2, 2) || !c.Number(0, a) || !c.Number(1, b)) return false;
  if (c.name == "atan2" || c.name == "copysign") {
    out = c.name == "atan2" ? std::atan2(a, b) : std::copysign(a, b);
    return true;
  }
  const bool finite = std::isfinite(a) && std::isfinite(b);
  // The remainder by an infinity is the number itself; C says so too, but not every library does.
  if (c.name == "fmod") {
    if (std::isfinite(a) && std::isinf(b)) {
      out = a;
      return true;
    }
    return Result(c, std::fmod(a, b), !std::isnan(a) && !std::isnan(b), out);
  }
  if (a == 0 && b < 0 && finite) return DomainError(c);
  return Result(c, std::pow(a, b), finite, out);
}

bool Logarithm(const Call& c, Value& out) {
  double x = 0, base = 0;
  if (!c.Takes(1, 2) || !c.Number(0, x)) return false;
  Value top, bottom;
  if (!Result(c, std::log(x), !std::isnan(x) && !(std::isinf(x) && x > 0), top)) return false;
  if (c.arguments.size() == 1) {
    out = top;
    return true;
  }
  return c.Number(1, base) &&
         Result(c, std::log(base), !std::isnan(base) && !(std::isinf(base) && base > 0), bottom) &&
         Operate(c.machine(), "/", top, bottom, out);
}

// `value` to a multiple of 10^-digits, halves to the even one, exactly.
bool RoundInteger(Machine& machine, std::int64_t value, std::int64_t digits, Value& out) {
  if (digits >= 0) {
    out = value;
    return true;
  }
  if (digits < -19) {  // all are less than half of 10^20
    out = std::int64_t{0};
    return true;
  }
  // Without its sign: a half and its neighbours are the same on both sides of zero, and 10^19 fits.
  std::uint64_t unit = 1;
  for (std::int64_t i = digits; i < 0; ++i) unit *= 10;
  const std::uint64_t size =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const std::uint64_t rest = size % unit;
  const bool even = (size / unit) % 2 == 0;
  const bool up = rest > unit - rest || (rest == unit - rest && !even);
  const std::uint64_t rounded = size - rest + (up ? unit : 0);
  if (rounded > INT64_MAX) return machine.Fail("xacro-overflow", "round(): does not fit 64 bits");
  out = static_cast<std::int64_t>(value < 0 ? 0 - rounded : rounded);
  return true;
}

}  // namespace

// round(x) is an integer, round(x, n) a float. Halves go to the even neighbour; a half is a matter
// of the exact value of the double, so that round(2.675, 2) is 2.67: 2.675 is stored a little
// below.
bool RoundNumber(Machine& machine, const Value& number, const Value* digits, Value& out) {
  if (digits && digits->IsNone()) digits = nullptr;
  if (!number.IsNumber() || (digits && !digits->IsInteger()))
    return machine.Fail("xacro-type", "round(): must be a number, and digits an integer");
  if (number.IsInteger())
    return RoundInteger(machine, number.Integer(), digits ? digits->Integer() : 0, out);
  const double x = *number.Float();
  if (!digits) {
    if (std::isnan(x) || std::isinf(x))
      return machine.Fail("xacro-type", "round(): " + FloatText(x) + " is not an integer");
    const double whole = std::nearbyint(x);
    if (whole < -0x1p63 || whole >= 0x1p63)
      return machine.Fail("xacro-overflow", "round(): the value does not fit 64 bits");
    out = static_cast<std::int64_t>(whole);
    return true;
  }
  // Beyond these places a double has no digits left, or is smaller than half a unit: bounds of
  // CPython.
  const std::int64_t places = digits->Integer();
  if (!std::isfinite(x) || places > 322) {
    out = x;
    return true;
  }
  if (places < -308) {
    out = std::copysign(0.0, x);
    return true;
  }
  if (places >= 0) {
    // Printing rounds the exact value in decimal, reading gives the nearest double: CPython's way
    // as well.
    std::array<char, 700> text{};
    const auto printed = std::to_chars(text.data(), text.data() + text.size(), x,
                                       std::chars_format::fixed, static_cast<int>(places));
    double rounded = x;
    ParseDouble(text.data(), printed.ptr, rounded);
    out = rounded;
    return true;
  }
  // An integer that a double holds exactly, and what is below it.
  const double whole = std::trunc(x);
  if (whole < -0x1p62 || whole > 0x1p62 || places < -18)
    return machine.Fail("xacro-unsupported", "round() of so large a number is not supported");
  std::int64_t unit = 1;
  for (std::int64_t i = places; i < 0; ++i) unit *= 10;
  const auto size = static_cast<std::int64_t>(std::fabs(whole));
  const std::int64_t rest = size % unit, down = size - rest;
  // A fraction below the unit breaks a tie upwards.
  const bool beyond = x != whole, even = (down / unit) % 2 == 0;
  const bool up = rest > unit - rest || (rest == unit - rest && (beyond || !even));
  const auto rounded = static_cast<double>(down + (up ? unit : 0));
  out = std::copysign(rounded, x);
  return true;
}

bool IsMath(std::string_view name) {
  return !name.empty() && (std::any_of(kUnary.begin(), kUnary.end(),
                                       [&](const Named& each) { return each.name == name; }) ||
                           std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end());
}

bool CallMath(const Call& c, Value& out) {
  const std::string& name = c.name;
  const auto unary = std::find_if(kUnary.begin(), kUnary.end(),
                                  [&](const Named& each) { return each.name == name; });
  double x = 0;
  if (unary != kUnary.end()) {
    if (!c.Takes(1, 1) || !c.Number(0, x)) return false;
    // degrees(1e308) is inf in CPython, without an error; the trigonometric functions of inf are
    // errors.
    const bool of_finite =
        std::isfinite(x) || ((name == "sin" || name == "cos" || name == "tan") && std::isinf(x));
    const double value = unary->function(x);
    if (std::isinf(x) && std::isnan(value)) return DomainError(c);
    return Result(c, value, of_finite && name != "degrees", out);
  }
  if (name == "floor" || name == "ceil" || name == "trunc") return ToWhole(c, out);
  if (name == "fsum") return ExactSum(c, out);
  if (name == "prod") return Product(c, out);
  if (name == "gcd") return Divisor(c, out);
  if (name == "factorial") return Factorial(c, out);
  if (name == "hypot") return Hypotenuse(c, out);
  if (name == "isclose") return IsClose(c, out);
  if (name == "log") return Logarithm(c, out);
  if (name == "isnan" || name == "isinf" || name == "isfinite") {
    if (!c.Takes(1, 1) || !c.Number(0, x)) return false;
    out = name == "isnan" ? std::isnan(x) : name == "isinf" ? std::isinf(x) : std::isfinite(x);
    return true;
  }
  return OfTwo(c, out);
}

}  // namespace kinemorph::xacro
