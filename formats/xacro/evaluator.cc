#include "evaluator.h"

#include <algorithm>

// A walk over the tree of an expression, in Python's order of evaluation. Each node costs one
// operation of the machine, and the depth is counted through the properties that a name reads:
// these are evaluated by the same evaluator, called back through Names. Names are looked up when
// they are met, never before: an expression that is not evaluated may name anything.

namespace kinemorph::xacro {

bool Evaluator::Evaluate(const Expression& e, Value& out) {
  if (!machine_.Step()) return false;
  if (depth_ >= Machine::kDeepestExpressions)
    return machine_.Fail("xacro-too-deep",
                         "expressions and the properties that they read are nested more than " +
                             std::to_string(Machine::kDeepestExpressions) + " levels deep");
  ++depth_;
  const bool done = ValueOf(e, out);
  --depth_;
  return done;
}

bool Evaluator::ValueOf(const Expression& e, Value& out) {
  switch (e.shape) {
    case Shape::kConstant:
      out = e.constant;
      return true;
    case Shape::kName:
      return Name(e.name, out);
    case Shape::kChain:
      return Chain(e, out);
    case Shape::kCompare:
      return Compare(e, out);
    // Both give the operand that decides and no truth: `0 or 3` is 3. What follows it is not
    // evaluated, so that `'x' in d and d['x']` is safe.
    case Shape::kAnd:
    case Shape::kOr:
      for (const auto& part : e.parts) {
        if (!Evaluate(*part, out)) return false;
        if (IsTrue(out) == (e.shape == Shape::kOr)) break;
      }
      return true;
    case Shape::kNot:
      if (!Evaluate(*e.parts[0], out)) return false;
      out = !IsTrue(out);
      return true;
    case Shape::kSign: {
      Value operand;
      return Evaluate(*e.parts[0], operand) && ApplySign(machine_, e.name, operand, out);
    }
    case Shape::kPower: {
      Value base, exponent;
      return Evaluate(*e.parts[0], base) && Evaluate(*e.parts[1], exponent) &&
             RaiseTo(machine_, base, exponent, out);
    }
    case Shape::kConditional: {
      Value condition;
      // Only the branch that is taken is evaluated: `a / b if b else 0`.
      return Evaluate(*e.parts[1], condition) && Evaluate(*e.parts[IsTrue(condition) ? 0 : 2], out);
    }
    case Shape::kIndex:
      return Index(e, out);
    case Shape::kSlice:
      return Slice(e, out);
    case Shape::kAttribute:
      return Attribute(e, out);
    case Shape::kCall:
      return CallOf(e, out);
    case Shape::kList:
    case Shape::kTuple:
    case Shape::kComprehension:
      return Collection(e, out);
  }
  return false;
}

bool Evaluator::Name(const std::string& name, Value& out) {
  // From inside out: the variables of comprehensions, the properties of the document (which may
  // hide what is built in: many files define their own M_PI or pi), then what is built in.
  if (!machine_.Step(locals_.size() / 8)) return false;
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local) {
    if (local->first != name) continue;
    out = local->second;
    return true;
  }
  switch (names_.Read(nullptr, name, out)) {
    case Answer::kFound:
      return true;
    case Answer::kFailed:
      return false;
    case Answer::kUnknown:
      break;
  }
  if (FindBuiltIn(name, out)) return true;
  // The remaining ways to be unknown each get their own advice.
  if (names_.Space(nullptr, name) != nullptr)
    return machine_.Fail(
        "xacro-unsupported",
        "'" + name + "' is the namespace of an include and no value: write " + name + ".PROPERTY");
  Value in_python;
  if (FindInModule("python", name, in_python))
    return machine_.Fail("xacro-undefined",
                         "name '" + name + "' is not defined: write python." + name);
  return machine_.Fail("xacro-undefined",
                       "name '" + name + "' is not defined" + names_.Suggestion(name));
}

bool Evaluator::Chain(const Expression& e, Value& out) {
  Value left, right;
  if (!Evaluate(*e.parts[0], left)) return false;
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    if (!Evaluate(*e.parts[i + 1], right)) return false;
    Value result;
    if (!Operate(machine_, e.operators[i], left, right, result)) return false;
    left = std::move(result);
  }
  out = std::move(left);
  return true;
}

namespace {

// `is`, for the kinds of which Python promises that there is one object: None, truths, built-in
// functions, and collections, which are shared by reference.
bool IsSame(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (a.IsNone()) return true;
  if (a.Items()) return a.Items() == b.Items();
  if (a.Dict()) return a.Dict() == b.Dict();
  if (const auto* const f = std::get_if<Function>(&a.data); f && !f->self)
    return f->name == std::get<Function>(b.data).name && !std::get<Function>(b.data).self;
  return std::holds_alternative<bool>(a.data) && a.Integer() == b.Integer();
}

}  // namespace

namespace {

// vars() is no dictionary here: it is asked for one name at a time, in the scopes as they stand.
bool IsVars(const Value& value) {
  const Module* const module = std::get_if<Module>(&value.data);
  return module != nullptr && module->name == "vars";
}

}  // namespace

bool Evaluator::Compare(const Expression& e, Value& out) {
  Value left, right;
  // a < b < c is a < b and b < c with b evaluated once; the first comparison that fails ends it.
  if (!Evaluate(*e.parts[0], left)) return false;
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    if (!Evaluate(*e.parts[i + 1], right)) return false;
    const std::string& op = e.operators[i];
    bool holds = false;
    if (op == "==" || op == "!=") {
      if (!machine_.Equal(left, right, holds)) return false;
      holds = holds == (op == "==");
    } else if ((op == "in" || op == "not in") && IsVars(right) && left.Text()) {
      holds = names_.IsVisible(*left.Text()) == (op == "in");
    } else if (op == "in" || op == "not in") {
      if (!Contains(machine_, right, left, holds)) return false;
      holds = holds == (op == "in");
    } else if (op == "is" || op == "is not") {
      // Between equal kinds of numbers or texts, CPython's answer depends on which objects it
      // happens to share.
      const bool identity = !(left.IsNumber() || left.Text()) || left.data.index() == 1 ||
                            left.data.index() != right.data.index();
      if (!identity)
        return machine_.Fail("xacro-unsupported",
                             "'is' between numbers or texts is not supported: write ==");
      holds = IsSame(left, right) == (op == "is");
    } else if (op == "<" || op == ">") {
      const bool less = op == "<";
      if (!machine_.Less(less ? left : right, less ? right : left, holds, op)) return false;
    } else {  // <= and >=: less, or equal
      const bool less = op == "<=";
      if (!machine_.Less(less ? left : right, less ? right : left, holds, op)) return false;
      if (!holds && !machine_.Equal(left, right, holds)) return false;
    }
    if (!holds) {
      out = false;
      return true;
    }
    left = std::move(right);
  }
  out = true;
  return true;
}

namespace {

bool IndexOf(Machine& machine, const Value& at, std::size_t size, std::string_view what,
             std::size_t& place) {
  if (!at.IsInteger())
    return machine.Fail("xacro-type", std::string(what) + " indices must be integers, not " +
                                          std::string(TypeOf(at)));
  std::int64_t index = at.Integer();
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size))
    return machine.Fail("xacro-type", std::string(what) +
                                          " index out of range: " + std::to_string(at.Integer()) +
                                          " of " + std::to_string(size));
  place = static_cast<std::size_t>(index);
  return true;
}

}  // namespace

bool Evaluator::Index(const Expression& e, Value& out) {
  Value object, at;
  if (!Evaluate(*e.parts[0], object) || !Evaluate(*e.parts[1], at)) return false;
  // vars()['name'] is the name itself.
  if (IsVars(object) && at.Text()) return Name(*at.Text(), out);
  std::size_t place = 0;
  if (const Sequence* const sequence = object.Items(); sequence && HasPlaces(sequence->form)) {
    if (!IndexOf(machine_, at, sequence->items.size(), TypeOf(object), place)) return false;
    out = sequence->items[place];
    return true;
  }
  if (const Dictionary* const dictionary = object.Dict()) {
    // A missing key is an error as in Python; d.get(key) is the way to ask.
    if (const Value* const value = machine_.Find(*dictionary, at)) {
      const Value found = *value;  // `out` may hold the dictionary
      out = found;
      return true;
    }
    std::string key;
    if (machine_.failed() || !machine_.Represent(at, key)) return false;
    return machine_.Fail("xacro-type", "key " + key + " is not in the dictionary");
  }
  if (const std::string* const text = object.Text()) {
    // Characters are counted, not bytes. ASCII, the common case, needs no decoding for that.
    if (!machine_.Pass(text->size())) return false;
    if (IsAscii(*text)) {
      if (!IndexOf(machine_, at, text->size(), "string", place)) return false;
      out = std::string(1, (*text)[place]);
      return true;
    }
    const std::u32string points = Decoded(*text);
    if (!IndexOf(machine_, at, points.size(), "string", place)) return false;
    out = Encoded(std::u32string_view(points).substr(place, 1));
    return machine_.Step(points.size());
  }
  return machine_.Fail("xacro-type",
                       "'" + std::string(TypeOf(object)) + "' object is not subscriptable");
}

bool Evaluator::Slice(const Expression& e, Value& out) {
  Value object;
  if (!Evaluate(*e.parts[0], object)) return false;
  const Sequence* const sequence = object.Items();
  if (object.Text() && !machine_.Step(object.Text()->size() / 8)) return false;
  const std::u32string points = object.Text() ? Decoded(*object.Text()) : std::u32string();
  if (!object.Text() && (!sequence || !HasPlaces(sequence->form)))
    return machine_.Fail("xacro-type",
                         "'" + std::string(TypeOf(object)) + "' object cannot be sliced");
  const auto size =
      static_cast<std::int64_t>(object.Text() ? points.size() : sequence->items.size());
  Value bounds[3];
  for (std::size_t i = 0; i < 3; ++i) {
    if (!e.parts[i + 1]) continue;
    if (!Evaluate(*e.parts[i + 1], bounds[i])) return false;
    if (!bounds[i].IsNone() && !bounds[i].IsInteger())
      return machine_.Fail("xacro-type", "slice indices must be integers");
  }
  // The rules of Python's slice.indices: bounds are counted from the end where negative, then cut
  // to the ends, and a negative step runs from the last item to before the first.
  const std::int64_t step = bounds[2].IsNone() ? 1 : bounds[2].Integer();
  if (step == 0) return machine_.Fail("xacro-type", "slice step cannot be zero");
  const auto clamp = [&](const Value& bound, std::int64_t otherwise) {
    if (bound.IsNone()) return otherwise;
    std::int64_t at = bound.Integer();
    if (at < 0) at = at < -size ? -1 : at + size;
    if (step < 0) return std::clamp<std::int64_t>(at, -1, size - 1);
    return std::clamp<std::int64_t>(at, 0, size);
  };
  const std::int64_t begin = clamp(bounds[0], step < 0 ? size - 1 : 0);
  const std::int64_t end = clamp(bounds[1], step < 0 ? -1 : size);
  if (!machine_.Step(static_cast<std::size_t>(size) / 8)) return false;
  std::vector<Value> items;
  std::u32string text;
  for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
    if (object.Text())
      text += points[static_cast<std::size_t>(i)];
    else
      items.push_back(sequence->items[static_cast<std::size_t>(i)]);
    // A large step may run over the end of 64 bits.
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  if (!object.Text()) {
    const Form form = sequence->form;
    return machine_.Make(form, std::move(items), out);
  }
  std::string encoded = Encoded(text);
  if (!machine_.MakeText(encoded.size())) return false;
  out = std::move(encoded);
  return true;
}

// The namespace that an expression N or N.M stands for: of an include with ns="N". It is no value,
// so the tree is asked before anything is evaluated.
const void* Evaluator::SpaceOf(const Expression& e) {
  if (e.shape == Shape::kName) {
    for (const auto& [name, unused] : locals_)
      if (name == e.name) return nullptr;
    return names_.Space(nullptr, e.name);
  }
  if (e.shape != Shape::kAttribute) return nullptr;
  const void* const space = SpaceOf(*e.parts[0]);
  return space ? names_.Space(space, e.name) : nullptr;
}

bool Evaluator::Attribute(const Expression& e, Value& out) {
  // The order in which a dot is understood: namespace, module, method, key. A method goes before a
  // key of the same name, as in the program xacro: d.items is the method even where the file has a
  // key 'items'.
  if (const void* const space = SpaceOf(*e.parts[0])) {
    switch (names_.Read(space, e.name, out)) {
      case Answer::kFound:
        return true;
      case Answer::kFailed:
        return false;
      case Answer::kUnknown:
        break;
    }
    return machine_.Fail("xacro-undefined", "the namespace has no property '" + e.name + "'");
  }
  Value object;
  if (!Evaluate(*e.parts[0], object)) return false;
  if (const Module* const module = std::get_if<Module>(&object.data)) {
    const std::string_view name = module->name;
    if (FindInModule(name, e.name, out)) return true;
    const std::string whole = std::string(name) + "." + e.name;
    if (IsKnownElsewhere(e.name))
      return machine_.Fail("xacro-unsupported", "'" + whole + "' is not supported");
    return machine_.Fail("xacro-undefined", "'" + whole + "' is not defined");
  }
  if (HasMethod(object, e.name)) {
    out = Function{e.name, std::make_shared<const Value>(std::move(object))};
    return true;
  }
  // Only dictionaries of load_yaml and dotify: those of dict() have no such access in Python.
  if (const Dictionary* const dictionary = object.Dict(); dictionary && dictionary->dotted) {
    if (const Value* const found = machine_.Find(*dictionary, e.name)) {
      const Value copy = *found;
      out = copy;
      return true;
    }
    return machine_.Fail("xacro-undefined", "the dictionary has no key '" + e.name + "'");
  }
  if (object.Text() || object.Items() || object.Dict())
    return machine_.Fail("xacro-unsupported", "'" + std::string(TypeOf(object)) + "." + e.name +
                                                  "' is unknown or not supported" +
                                                  (object.Dict() ? ": write d['key'], or "
                                                                   "xacro.dotify(d).key"
                                                                 : ""));
  return machine_.Fail("xacro-type", "'" + std::string(TypeOf(object)) +
                                         "' object has no attribute '" + e.name + "'");
}

bool Evaluator::CallOf(const Expression& e, Value& out) {
  Value function;
  if (!Evaluate(*e.parts[0], function)) return false;
  std::vector<Value> arguments;
  arguments.reserve(e.parts.size() - 1);
  for (std::size_t i = 1; i < e.parts.size(); ++i)
    if (!Evaluate(*e.parts[i], arguments.emplace_back())) return false;
  const Function* const called = std::get_if<Function>(&function.data);
  if (called == nullptr)
    return machine_.Fail("xacro-type",
                         "'" + std::string(TypeOf(function)) + "' object is not callable");
  return CallFunction(*called, std::move(arguments), e.words, out);
}

bool Evaluator::CallFunction(const Function& function, std::vector<Value> arguments,
                             const std::vector<std::string>& words, Value& out) {
  // Names with the prefix "xacro." come back to the document: they open files and say messages.
  const Call call{*this, function.name, arguments, words, function.self.get()};
  if (function.self) return CallMethod(call, out);
  if (function.name.starts_with("xacro.")) return names_.CallXacro(call, out);
  return IsMath(function.name) ? CallMath(call, out) : CallBuiltIn(call, out);
}

bool Evaluator::Collection(const Expression& e, Value& out) {
  std::vector<Value> items;
  // An iterator is a list that was made at once, and gives its items once. Python would make each
  // when it is asked for, which only a function with side effects could tell.
  if (e.shape == Shape::kComprehension) {
    const std::size_t before = locals_.size();
    const bool done = Comprehension(e, 0, items);
    locals_.resize(before);
    return done && machine_.Make(e.iterator ? Form::kIterator : Form::kList, std::move(items), out);
  }
  items.reserve(e.parts.size());
  for (const auto& part : e.parts)
    if (!Evaluate(*part, items.emplace_back())) return false;
  return machine_.Make(e.shape == Shape::kList ? Form::kList : Form::kTuple, std::move(items), out);
}

bool Evaluator::Comprehension(const Expression& e, std::size_t index, std::vector<Value>& items) {
  if (index == e.clauses.size()) {
    if (items.size() >= Machine::kLongestSequence) return machine_.MakeItems(items.size() + 1);
    return Evaluate(*e.parts[0], items.emplace_back());
  }
  const Expression::Clause& clause = e.clauses[index];
  Value source;
  std::vector<Value> values;
  if (!Evaluate(*clause.items, source) || !machine_.Iterate(source, values)) return false;
  const std::size_t before = locals_.size();
  for (const Value& value : values) {
    if (!machine_.Step()) return false;
    // The variables of this clause and of those inside it go before each turn, also after a turn
    // that a condition skipped.
    locals_.resize(before);
    if (clause.names.size() == 1) {
      locals_.emplace_back(clause.names[0], value);
    } else {
      // for a, b in pairs: each value is taken apart, and must have as many parts as there are
      // names.
      std::vector<Value> parts;
      if (!machine_.Iterate(value, parts)) return false;
      if (parts.size() != clause.names.size())
        return machine_.Fail("xacro-type", "cannot unpack " + std::to_string(parts.size()) +
                                               " values into " +
                                               std::to_string(clause.names.size()) + " names");
      for (std::size_t i = 0; i < parts.size(); ++i)
        locals_.emplace_back(clause.names[i], parts[i]);
    }
    bool taken = true;
    for (const auto& condition : clause.conditions) {
      Value truth;
      if (!Evaluate(*condition, truth)) return false;
      taken = IsTrue(truth);
      if (!taken) break;
    }
    if (taken && !Comprehension(e, index + 1, items)) return false;
  }
  return true;
}

// An argument with a name is looked for behind those with positions. Where a function takes it only
// by name, callers give a position that no call has.
const Value* Call::At(std::size_t position, std::string_view word) const {
  if (position < positional()) return &arguments[position];
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!word.empty() && words[i] == word) return &arguments[positional() + i];
  return nullptr;
}

bool Call::Takes(std::size_t least, std::size_t most,
                 std::initializer_list<std::string_view> names) const {
  std::size_t given = positional();
  for (const std::string& word : words) {
    const auto named = std::find(names.begin(), names.end(), word);
    if (named == names.end())
      return machine().Fail("xacro-type", name + "() takes no argument named '" + word + "'");
    const auto position = static_cast<std::size_t>(named - names.begin());
    if (position < positional())
      return machine().Fail("xacro-type", name + "(): the argument '" + word + "' is given twice");
    given += position < least ? 1 : 0;
  }
  if (given >= least && positional() <= most) return true;
  return machine().Fail("xacro-type", name + "() takes " + std::to_string(least) +
                                          (most > 1000    ? " or more"
                                           : most > least ? " to " + std::to_string(most)
                                                          : "") +
                                          " arguments" + (words.empty() ? "" : " without a name") +
                                          ", not " + std::to_string(given));
}

bool Call::Number(std::size_t position, double& out) const {
  if (!arguments[position].IsNumber())
    return machine().Fail("xacro-type", name + "(): must be a number, not " +
                                            std::string(TypeOf(arguments[position])));
  out = arguments[position].Number();
  return true;
}

bool Call::Integer(std::size_t position, std::int64_t& out) const {
  if (!arguments[position].IsInteger())
    return machine().Fail("xacro-type", name + "(): '" + std::string(TypeOf(arguments[position])) +
                                            "' object cannot be interpreted as an integer");
  out = arguments[position].Integer();
  return true;
}

}  // namespace kinemorph::xacro
