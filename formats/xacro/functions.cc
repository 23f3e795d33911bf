// Functions that expressions can call by name, but those of mathematics.
#include <algorithm>
#include <array>
#include <cmath>

#include "evaluator.h"

// One handler for each function; several names share one where only a detail differs, which the
// handler reads from the name. The table below says which are known by their bare name and which
// only behind `python.`: the program xacro exposes just the safe part of Python, and a file that
// needs more would not run there. All iterators (map, zip, enumerate ...) are made at once; only
// that they give their items once is kept.

namespace kinemorph::xacro {
namespace {

using Handler = bool (*)(const Call& call, Value& out);

bool Round(const Call& c, Value& out) {
  return c.Takes(1, 2, {"number", "ndigits"}) &&
         RoundNumber(c.machine(), *c.At(0, "number"), c.At(1, "ndigits"), out);
}

bool Absolute(const Call& c, Value& out) {
  if (!c.Takes(1, 1)) return false;
  const Value& a = c.arguments[0];
  if (a.Float()) {
    out = std::fabs(*a.Float());
    return true;
  }
  if (!a.IsInteger())
    return c.machine().Fail("xacro-type",
                            "bad operand type for abs(): '" + std::string(TypeOf(a)) + "'");
  return ApplySign(c.machine(), a.Integer() < 0 ? "-" : "+", a, out);
}

bool ToInteger(const Call& c, Value& out) {
  if (!c.Takes(c.words.empty() ? 0 : 1, 2, {"", "base"})) return false;
  if (c.arguments.empty()) {
    out = std::int64_t{0};
    return true;
  }
  const Value& a = c.arguments[0];
  const Value* const base = c.At(1, "base");
  // int(5, 2) is an error in Python: only a text has a base.
  if (base && (!base->IsInteger() || !a.Text()))
    return c.machine().Fail("xacro-type", "int(): a base goes with a text");
  if (a.IsInteger()) {
    out = a.Integer();
    return true;
  }
  if (a.Text() && !c.machine().Step(a.Text()->size() / 8)) return false;
  if (a.Float()) {
    // Towards zero: int(-3.9) is -3, unlike floor.
    const double whole = std::trunc(*a.Float());
    if (std::isnan(whole) || std::isinf(whole))
      return c.machine().Fail("xacro-type", "int(): " + FloatText(whole) + " is not an integer");
    if (whole < -0x1p63 || whole >= 0x1p63)
      return c.machine().Fail("xacro-overflow", "int(): the value does not fit 64 bits");
    out = static_cast<std::int64_t>(whole);
    return true;
  }
  if (!a.Text())
    return c.machine().Fail("xacro-type",
                            "int(): a text or a number is needed, not " + std::string(TypeOf(a)));
  const std::int64_t radix = base ? base->Integer() : 10;
  if (radix < 2 || radix > 36)
    return c.machine().Fail("xacro-unsupported", "int(): the base is not between 2 and 36");
  std::int64_t value = 0;
  switch (ParseInteger(*a.Text(), value, static_cast<int>(radix))) {
    case Parsed::kDone:
      out = value;
      return true;
    case Parsed::kTooLarge:
      return c.machine().Fail("xacro-overflow", "int(): '" + *a.Text() + "' does not fit 64 bits");
    case Parsed::kNot:
      break;
  }
  return c.machine().Fail("xacro-type", "int(): '" + *a.Text() + "' is not an integer");
}

bool ToFloat(const Call& c, Value& out) {
  if (!c.Takes(0, 1)) return false;
  if (c.arguments.empty()) {
    out = 0.0;
    return true;
  }
  const Value& a = c.arguments[0];
  double value = 0;
  if (a.IsNumber()) {
    out = a.Number();
    return true;
  }
  if (!a.Text())
    return c.machine().Fail("xacro-type",
                            "float(): a text or a number is needed, not " + std::string(TypeOf(a)));
  if (!c.machine().Step(a.Text()->size() / 8)) return false;
  if (!ParseFloat(*a.Text(), value))
    return c.machine().Fail("xacro-type", "float(): '" + *a.Text() + "' is not a number");
  out = value;
  return true;
}

bool ToText(const Call& c, Value& out) {
  if (!c.Takes(0, 1)) return false;
  std::string text;
  if (!c.arguments.empty() && !(c.name == "repr" ? c.machine().Represent(c.arguments[0], text)
                                                 : c.machine().Print(c.arguments[0], text)))
    return false;
  if (!c.machine().MakeText(text.size())) return false;
  out = std::move(text);
  return true;
}

bool ToTruth(const Call& c, Value& out) {
  if (!c.Takes(0, 1)) return false;
  out = !c.arguments.empty() && IsTrue(c.arguments[0]);
  return true;
}

bool Length(const Call& c, Value& out) {
  if (!c.Takes(1, 1)) return false;
  const Value& a = c.arguments[0];
  if (const std::string* const text = a.Text()) {
    if (!c.machine().Pass(text->size())) return false;
    out = static_cast<std::int64_t>(
        std::count_if(text->begin(), text->end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
  } else if (a.Items() && a.Items()->form != Form::kIterator) {
    out = static_cast<std::int64_t>(a.Items()->items.size());
  } else if (a.Dict()) {
    out = static_cast<std::int64_t>(a.Dict()->items.size());
  } else {
    return c.machine().Fail("xacro-type",
                            "object of type '" + std::string(TypeOf(a)) + "' has no len()");
  }
  return true;
}

bool Collect(const Call& c, Value& out) {  // list, tuple, set, frozenset
  if (!c.Takes(0, 1)) return false;
  std::vector<Value> items;
  const bool set = c.name == "set" || c.name == "frozenset";
  if (!c.arguments.empty() && !c.machine().Iterate(c.arguments[0], items, !set)) return false;
  if (set) return c.machine().MakeSet(c.name == "set" ? Form::kSet : Form::kFrozenSet, items, out);
  return c.machine().Make(c.name == "list" ? Form::kList : Form::kTuple, std::move(items), out);
}

bool ToDictionary(const Call& c, Value& out) {
  if (c.positional() > 1)
    return c.machine().Fail("xacro-type", "dict() takes at most 1 argument without a name");
  auto made = std::make_shared<Dictionary>();
  // From another dictionary, from pairs, and from names: dict({'a': 1}, b=2). Later ones win.
  if (c.positional() == 1) {
    if (const Dictionary* const other = c.arguments[0].Dict()) {
      for (const auto& [key, value] : other->items)
        if (!c.machine().Put(*made, key, value)) return false;
    } else {
      std::vector<Value> pairs, pair;
      if (!c.machine().Iterate(c.arguments[0], pairs)) return false;
      for (const Value& each : pairs) {
        if (!c.machine().Iterate(each, pair)) return false;
        if (pair.size() != 2)
          return c.machine().Fail("xacro-type", "dict(): an item is not a pair");
        if (!c.machine().Put(*made, pair[0], pair[1])) return false;
      }
    }
  }
  for (std::size_t i = 0; i < c.words.size(); ++i)
    if (!c.machine().Put(*made, c.words[i], c.arguments[c.positional() + i])) return false;
  out = std::move(made);
  return true;
}

bool Extreme(const Call& c, Value& out) {  // min, max
  if (!c.words.empty())
    return c.machine().Fail("xacro-unsupported",
                            c.name + "() with key or default is not supported");
  std::vector<Value> items = c.arguments;
  if (items.size() == 1 && !c.machine().Iterate(c.arguments[0], items, false)) return false;
  if (items.empty())
    return c.machine().Fail("xacro-type", c.name + "(): there is nothing to choose from");
  // The first of equal items is chosen; the order of the comparison is that of Python, so that
  // errors name the same sign.
  const bool least = c.name == "min";
  std::size_t best = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    bool better = false;
    if (!c.machine().Less(items[least ? i : best], items[least ? best : i], better,
                          least ? "<" : ">"))
      return false;
    if (better) best = i;
  }
  const Value chosen = items[best];
  out = chosen;
  return true;
}

bool Sum(const Call& c, Value& out) {
  if (!c.Takes(1, 2, {"", "start"})) return false;
  std::vector<Value> items;
  if (!c.machine().Iterate(c.arguments[0], items)) return false;
  // Python refuses texts because this way takes time in the square of their length.
  Value total = c.At(1, "start") ? *c.At(1, "start") : Value(std::int64_t{0});
  if (total.Text()) return c.machine().Fail("xacro-type", "sum() joins no texts: ''.join(...)");
  for (const Value& item : items) {
    Value next;
    if (!Operate(c.machine(), "+", total, item, next)) return false;
    total = std::move(next);
  }
  out = std::move(total);
  return true;
}

bool Quantify(const Call& c, Value& out) {  // all, any
  std::vector<Value> items;
  if (!c.Takes(1, 1) || !c.machine().Iterate(c.arguments[0], items, false)) return false;
  out = c.name == "all" ? std::all_of(items.begin(), items.end(), IsTrue)
                        : std::any_of(items.begin(), items.end(), IsTrue);
  return true;
}

bool Range(const Call& c, Value& out) {
  if (!c.Takes(1, 3)) return false;
  std::int64_t bounds[3] = {0, 0, 1};
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (!c.Integer(i, bounds[i])) return false;
  // range(n) counts from 0. Items are made at once, and are bounded like any collection.
  if (c.arguments.size() == 1) bounds[1] = bounds[0], bounds[0] = 0;
  const auto [begin, end, step] = bounds;
  if (step == 0) return c.machine().Fail("xacro-type", "range(): the step is 0");
  std::vector<Value> items;
  for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
    if (items.size() >= Machine::kLongestSequence) return c.machine().MakeItems(items.size() + 1);
    items.emplace_back(i);
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return c.machine().Make(Form::kRange, std::move(items), out);
}

bool Sorted(const Call& c, Value& out) {
  std::vector<Value> items;
  if (!c.Takes(1, 1, {"", "reverse"}) || !c.machine().Iterate(c.arguments[0], items, false))
    return false;
  const Value* const reverse = c.At(1, "reverse");
  return c.machine().Sort(items, reverse && IsTrue(*reverse)) &&
         c.machine().Make(Form::kList, std::move(items), out);
}

bool Zip(const Call& c, Value& out) {
  if (!c.Takes(0, 1000)) return false;
  std::vector<std::vector<Value>> columns(c.arguments.size());
  std::size_t rows = c.arguments.empty() ? 0 : Machine::kLongestSequence + 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!c.machine().Iterate(c.arguments[i], columns[i])) return false;
    rows = std::min(rows, columns[i].size());
  }
  std::vector<Value> items(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Value> parts;
    for (const std::vector<Value>& column : columns) parts.push_back(column[row]);
    if (!c.machine().Make(Form::kTuple, std::move(parts), items[row])) return false;
  }
  return c.machine().Make(Form::kIterator, std::move(items), out);
}

bool Enumerate(const Call& c, Value& out) {
  std::vector<Value> items;
  if (!c.Takes(1, 2, {"", "start"}) || !c.machine().Iterate(c.arguments[0], items)) return false;
  const Value* const start = c.At(1, "start");
  if (start && !start->IsInteger())
    return c.machine().Fail("xacro-type", "enumerate(): start is not an integer");
  std::int64_t number = start ? start->Integer() : 0;
  for (Value& item : items) {
    Value pair;
    if (!c.machine().Make(Form::kTuple, {Value(number), item}, pair)) return false;
    item = std::move(pair);
    if (__builtin_add_overflow(number, 1, &number))
      return c.machine().Fail("xacro-overflow", "enumerate(): does not fit 64 bits");
  }
  return c.machine().Make(Form::kIterator, std::move(items), out);
}

bool Map(const Call& c, Value& out) {  // map, filter
  if (!c.Takes(2, c.name == "filter" ? 2 : 1000)) return false;
  const Function* const function = std::get_if<Function>(&c.arguments[0].data);
  if (function == nullptr)
    return c.machine().Fail("xacro-type", c.name + "(): the first argument is not a function");
  std::vector<std::vector<Value>> columns(c.arguments.size() - 1);
  std::size_t rows = Machine::kLongestSequence + 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!c.machine().Iterate(c.arguments[i + 1], columns[i])) return false;
    rows = std::min(rows, columns[i].size());
  }
  std::vector<Value> items;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Value> arguments;
    for (const std::vector<Value>& column : columns) arguments.push_back(column[row]);
    Value result;
    if (!c.evaluator.CallFunction(*function, std::move(arguments), {}, result)) return false;
    if (c.name == "map")
      items.push_back(std::move(result));
    else if (IsTrue(result))
      items.push_back(columns[0][row]);
  }
  return c.machine().Make(Form::kIterator, std::move(items), out);
}

bool Reversed(const Call& c, Value& out) {
  std::vector<Value> items;
  if (!c.Takes(1, 1) || !c.machine().Iterate(c.arguments[0], items)) return false;
  std::reverse(items.begin(), items.end());
  return c.machine().Make(Form::kIterator, std::move(items), out);
}

bool Ordinal(const Call& c, Value& out) {
  if (!c.Takes(1, 1)) return false;
  if (c.arguments[0].Text() && !c.machine().Pass(c.arguments[0].Text()->size() * 4)) return false;
  const std::u32string points =
      c.arguments[0].Text() ? Decoded(*c.arguments[0].Text()) : std::u32string();
  if (points.size() != 1)
    return c.machine().Fail("xacro-type", "ord(): a text of one character is needed");
  out = static_cast<std::int64_t>(points[0]);
  return true;
}

bool DivMod(const Call& c, Value& out) {
  Value quotient, rest;
  return c.Takes(2, 2) && Operate(c.machine(), "//", c.arguments[0], c.arguments[1], quotient) &&
         Operate(c.machine(), "%", c.arguments[0], c.arguments[1], rest) &&
         c.machine().Make(Form::kTuple, {quotient, rest}, out);
}

struct BuiltIn {
  std::string_view name;
  Handler handler;
  bool direct;  // without "python." before it
};
constexpr std::array<BuiltIn, 31> kBuiltIns = {{
    {"abs", Absolute, false},
    {"all", Quantify, false},
    {"any", Quantify, false},
    {"bool", ToTruth, true},
    {"dict", ToDictionary, true},
    {"divmod", DivMod, false},
    {"enumerate", Enumerate, false},
    {"filter", Map, false},
    {"float", ToFloat, true},
    {"frozenset", Collect, false},
    {"int", ToInteger, true},
    {"isinstance", IsInstance, false},
    {"issubclass", IsInstance, false},
    {"len", Length, true},
    {"list", Collect, true},
    {"map", Map, true},
    {"max", Extreme, true},
    {"min", Extreme, true},
    {"ord", Ordinal, false},
    {"range", Range, true},
    {"repr", ToText, false},
    {"reversed", Reversed, false},
    {"round", Round, true},
    {"set", Collect, false},
    {"sorted", Sorted, true},
    {"str", ToText, true},
    {"sum", Sum, false},
    {"tuple", Collect, false},
    {"type", TypeOfOne, false},
    {"vars", Vars, false},
    {"zip", Zip, false},
}};

const BuiltIn* BuiltInNamed(std::string_view name) {
  const auto found = std::find_if(kBuiltIns.begin(), kBuiltIns.end(),
                                  [&](const BuiltIn& b) { return b.name == name; });
  return found == kBuiltIns.end() ? nullptr : &*found;
}

bool FindConstant(std::string_view name, Value& out) {
  if (name == "pi")
    out = 3.14159265358979323846;
  else if (name == "e")
    out = 2.71828182845904523536;
  else if (name == "tau")
    out = 6.28318530717958647692;
  else if (name == "inf")
    out = HUGE_VAL;
  else if (name == "nan")
    out = std::nan("");
  else
    return false;
  return true;
}

// In the program xacro these stand in the name `xacro`; three of them are also known directly,
// which is deprecated but in use.
constexpr std::array<std::string_view, 10> kXacro = {
    "load_yaml", "abs_filename", "dotify",         "arg",     "message", "warning",
    "error",     "fatal",        "print_location", "tokenize"};

}  // namespace

bool FindBuiltIn(const std::string& name, Value& out) {
  if (FindConstant(name, out)) return true;
  const BuiltIn* const known = BuiltInNamed(name);
  if ((known && known->direct) || IsMath(name)) {
    out = Function{name, nullptr};
  } else if (name == "load_yaml" || name == "abs_filename" || name == "dotify") {
    out = Function{"xacro." + name, nullptr};
  } else if (name == "math" || name == "python" || name == "xacro") {
    out = Module{name == "math" ? "math" : name == "python" ? "python" : "xacro"};
  } else {
    return false;
  }
  return true;
}

bool FindInModule(std::string_view module, const std::string& name, Value& out) {
  if (module == "math") {
    if (FindConstant(name, out)) return true;
    if (!IsMath(name)) return false;
    out = Function{name, nullptr};
    return true;
  }
  if (module == "python") {
    if (!BuiltInNamed(name)) return false;
    out = Function{name, nullptr};
    return true;
  }
  if (module != "xacro" || std::find(kXacro.begin(), kXacro.end(), name) == kXacro.end())
    return false;
  out = Function{"xacro." + name, nullptr};
  return true;
}

// Legal Python that is not here: the message says so, and does not send the author to look for a
// typing error.
bool IsKnownElsewhere(std::string_view name) {
  constexpr std::array<std::string_view, 19> kNames = {
      "complex",   "hash",  "slice",     "comb", "dist",  "erf",    "erfc",
      "frexp",     "gamma", "isqrt",     "lcm",  "ldexp", "lgamma", "modf",
      "nextafter", "perm",  "remainder", "ulp",  "cbrt"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool CallBuiltIn(const Call& call, Value& out) {
  const BuiltIn* const known = BuiltInNamed(call.name);
  return known ? known->handler(call, out)
               : call.machine().Fail("xacro-undefined", "'" + call.name + "' is not defined");
}

// A copy whose dictionaries answer to dots. Lists are copied too, because dictionaries may lie in
// them; other values are shared.
bool Dotified(Machine& machine, const Value& value, Value& out, int depth) {
  if (depth > Machine::kDeepest) return machine.Fail("xacro-too-deep", "dotify() goes too deep");
  if (const Dictionary* const dictionary = value.Dict()) {
    auto made = std::make_shared<Dictionary>();
    made->dotted = true;
    for (const auto& [key, item] : dictionary->items) {
      Value below;
      if (!machine.Step() || !Dotified(machine, item, below, depth + 1) ||
          !machine.Put(*made, key, below))
        return false;
    }
    out = std::move(made);
    return true;
  }
  if (const Sequence* const sequence = value.Items(); sequence && sequence->form == Form::kList) {
    if (!machine.MakeItems(sequence->items.size())) return false;
    std::vector<Value> items(sequence->items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!machine.Step() || !Dotified(machine, sequence->items[i], items[i], depth + 1))
        return false;
    return machine.Make(Form::kList, std::move(items), out);
  }
  out = value;
  return true;
}

}  // namespace kinemorph::xacro
