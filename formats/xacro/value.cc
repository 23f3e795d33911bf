// Equality, order and truth of values, and the bounds of an evaluation.
#include "value.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

// A Machine is the one account of an expansion. Step counts time, Take counts memory, and the
// functions Make... charge both before they allocate. The rest of the file gives values Python's
// meaning of ==, <, in, hash() and iteration, so that an expression has the same result as in the
// program xacro. Each walk counts its own depth: a list that was appended to may be deeper than the
// lists around it remember, and may even hold itself.

namespace kinemorph::xacro {

Machine::~Machine() {
  // A list may hold itself by now.
  for (const std::shared_ptr<Sequence>& list : changed_) list->items.clear();
}

bool Machine::Fail(std::string_view code, Statement statement) {
  // What fails first is the cause; the callers that stop because of it may say more, which is
  // dropped.
  if (!failed()) error_ = {std::string(code), std::move(statement)};
  return false;
}

bool Machine::Step(std::size_t count) {
  // A count beyond the limit is cut, so that the sum cannot wrap around.
  steps_ = count > kMostSteps ? kMostSteps + 1 : steps_ + count;
  return steps_ <= kMostSteps ||
         Fail("xacro-too-large",
              "the expansion takes more than " + std::to_string(kMostSteps) + " operations");
}

bool Machine::Take(std::size_t bytes) {
  bytes_ = bytes > kMostBytes ? kMostBytes + 1 : bytes_ + bytes;
  return bytes_ <= kMostBytes ||
         Fail("xacro-too-large", "the expansion takes more than " +
                                     std::to_string(kMostBytes >> 20) + " MiB of memory");
}

bool Machine::MakeText(std::size_t bytes) {
  constexpr std::size_t kAround = 64;  // what holds and counts it
  // The limit of one text is far below that of the memory: texts that double in a loop end here.
  if (bytes > kLongestText)
    return Fail("xacro-too-large",
                "a text of more than " + std::to_string(kLongestText) + " bytes is made");
  return Pass(bytes) && Take(bytes + kAround);
}

bool Machine::MakeItems(std::size_t count) {
  if (count > kLongestSequence)
    return Fail("xacro-too-large",
                "a collection of more than " + std::to_string(kLongestSequence) + " items is made");
  return Step(count / 8) && Take(count * sizeof(Value) + sizeof(Sequence));
}

namespace {

int DepthOf(const Value& value) {
  if (const Sequence* const sequence = value.Items()) return sequence->depth;
  if (const Dictionary* const dictionary = value.Dict()) return dictionary->depth;
  return 0;
}

}  // namespace

bool Machine::Make(Form form, std::vector<Value> items, Value& out) {
  if (!MakeItems(items.size())) return false;
  auto sequence = std::make_shared<Sequence>();
  sequence->form = form;
  // Depth is counted bottom up when a collection is made, which is all that tuples need: they never
  // change.
  for (const Value& item : items) sequence->depth = std::max(sequence->depth, DepthOf(item) + 1);
  if (sequence->depth > kDeepest)
    return Fail("xacro-too-deep", "collections lie more than " + std::to_string(kDeepest) +
                                      " levels inside each other");
  sequence->items = std::move(items);
  out = std::move(sequence);
  return true;
}

bool Machine::Append(const Value& list, Value item) {
  // Append, insert and extend all come here: they alone can make a collection hold itself. Past the
  // limit MakeItems is called for its error.
  const auto& sequence = std::get<std::shared_ptr<Sequence>>(list.data);
  if (sequence->items.size() >= kLongestSequence) return MakeItems(sequence->items.size() + 1);
  if (!MakeItems(2)) return false;  // a vector that grows, and the list of what changed
  sequence->depth = std::max(sequence->depth, DepthOf(item) + 1);
  if (sequence->depth > kDeepest)
    return Fail("xacro-too-deep", "collections lie more than " + std::to_string(kDeepest) +
                                      " levels inside each other");
  sequence->items.push_back(std::move(item));
  // The list stays alive up to the end of the machine, which empties it. This breaks circles of
  // shared pointers, and no destructor runs through a long chain of lists.
  changed_.push_back(sequence);
  return true;
}

bool Machine::Put(Dictionary& dictionary, Value key, Value value) {
  std::string place;
  // Six values stand for the pair, its node in the table of places and the growth of both.
  if (!KeyOf(key, place) || !MakeItems(6) || !Take(place.size())) return false;
  dictionary.depth = std::max(dictionary.depth, DepthOf(value) + 1);
  if (dictionary.depth > kDeepest)
    return Fail("xacro-too-deep", "collections lie more than " + std::to_string(kDeepest) +
                                      " levels inside each other");
  // As in Python a key that is set again keeps its place and its first spelling: {1: 'a'} with
  // [1.0] = 'b' is {1: 'b'}.
  const auto [found, fresh] = dictionary.places.try_emplace(std::move(place), 0);
  if (!fresh) {
    dictionary.items[found->second].second = std::move(value);
    return true;
  }
  found->second = dictionary.items.size();
  dictionary.items.emplace_back(std::move(key), std::move(value));
  return true;
}

std::string_view TypeOf(const Value& value) {
  if (const Sequence* const sequence = value.Items()) {
    switch (sequence->form) {
      case Form::kList:
        return "list";
      case Form::kTuple:
        return "tuple";
      case Form::kRange:
        return "range";
      case Form::kIterator:
        return "iterator";
      case Form::kView:
        return "view of a dict";
      case Form::kSet:
        return "set";
      case Form::kFrozenSet:
        return "frozenset";
    }
  }
  // In the order of the variant in Value, after the sequences, whose names depend on their form.
  constexpr std::string_view kNames[] = {"NoneType", "bool", "int",      "float", "str",
                                         "list",     "dict", "function", "module"};
  return kNames[value.data.index()];
}

bool IsType(std::string_view name) {
  constexpr std::string_view kTypes[] = {"NoneType", "bool", "int",   "float", "str",
                                         "list",     "dict", "tuple", "set",   "frozenset"};
  return std::find(std::begin(kTypes), std::end(kTypes), name) != std::end(kTypes);
}

bool IsTrue(const Value& value) {
  if (value.IsNone()) return false;
  if (value.IsInteger()) return value.Integer() != 0;
  if (value.Float()) return *value.Float() != 0;
  if (value.Text()) return !value.Text()->empty();
  if (const Sequence* const sequence = value.Items())
    return sequence->form == Form::kIterator || !sequence->items.empty();
  if (value.Dict()) return !value.Dict()->items.empty();
  return true;
}

// An integer of 64 bits and a double are compared without a conversion of the integer, which would
// round it: 2**53 + 1 is more than 2.0**53.
int CompareNumbers(const Value& a, const Value& b) {
  const auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (a.IsInteger() && b.IsInteger()) return order(a.Integer(), b.Integer());
  if (a.Float() && b.Float())
    return std::isnan(*a.Float()) || std::isnan(*b.Float()) ? 2 : order(*a.Float(), *b.Float());
  if (b.IsInteger()) {
    const int turned = CompareNumbers(b, a);
    return turned == 2 ? 2 : -turned;
  }
  const std::int64_t integer = a.Integer();
  const double number = *b.Float();
  if (std::isnan(number)) return 2;
  // Doubles of this size are integers beyond 64 bits; below, the cast of the whole part is exact.
  if (number >= 0x1p63) return -1;
  if (number < -0x1p63) return 1;
  const double whole = std::trunc(number);
  const int first = order(integer, static_cast<std::int64_t>(whole));
  return first != 0 ? first : order(0.0, number - whole);
}

bool Machine::KeyOf(const Value& value, std::string& key) {
  if (!Step()) return false;
  if (value.Text()) {
    key = "s" + *value.Text();
    return Pass(key.size());
  }
  if (value.IsNone()) {
    key = "N";
    return true;
  }
  if (value.IsInteger()) {
    key = "i" + std::to_string(value.Integer());
    return true;
  }
  if (value.Float()) {
    const double number = *value.Float();
    key = number == std::trunc(number) && number >= -0x1p63 && number < 0x1p63
              ? "i" + std::to_string(static_cast<std::int64_t>(number))
              : "f" + FloatText(number);
    return true;
  }
  const Sequence* const sequence = value.Items();
  if (sequence == nullptr || sequence->form != Form::kTuple)
    return Fail("xacro-type", "unhashable type: '" + std::string(TypeOf(value)) + "'");
  key = "t";
  // Each part goes with its length before it, so that ('a', 'b') and ('ab',) differ.
  for (const Value& item : sequence->items) {
    std::string part;
    if (!KeyOf(item, part)) return false;
    key += std::to_string(part.size()) + ":" + part;
    if (key.size() > kLongestText) return MakeText(key.size());
  }
  return Pass(key.size());
}

const Value* Machine::Find(const Dictionary& dictionary, const Value& key) {
  std::string place;
  if (!KeyOf(key, place)) return nullptr;
  const auto found = dictionary.places.find(place);
  return found == dictionary.places.end() ? nullptr : &dictionary.items[found->second].second;
}

bool Machine::MakeSet(Form form, const std::vector<Value>& items, Value& out) {
  // The first of equal items stays, as in Python: set([1, True]) is {1}.
  std::unordered_set<std::string> keys;
  std::vector<Value> once;
  for (const Value& item : items) {
    std::string key;
    if (!KeyOf(item, key)) return false;
    if (keys.insert(std::move(key)).second) once.push_back(item);
  }
  return Make(form, std::move(once), out);
}

bool Machine::Ordered(const Sequence& set, std::vector<Value>& items) {
  items = set.items;
  if (!MakeItems(items.size())) return false;
  // Python keeps an integer at its own place of a table of at least this size, so that smaller
  // integers come in order. All else depends on the hash.
  std::size_t table = 8;
  while (items.size() * 5 >= (table - 1) * 3) table *= 2;
  const bool sure =
      items.size() < 2 || std::all_of(items.begin(), items.end(), [&](const Value& v) {
        return v.IsInteger() && v.Integer() >= 0 && static_cast<std::uint64_t>(v.Integer()) < table;
      });
  sorted_ = sorted_ || !sure;
  // Only numbers among themselves, or texts among themselves, can be sorted.
  for (const Value& item : items)
    if (items.size() > 1 && item.data.index() != items[0].data.index() &&
        !(item.IsNumber() && items[0].IsNumber()))
      return Fail("xacro-unsupported",
                  "a set of several types has no order: it can be asked with 'in' and len()");
  return Sort(items);
}

bool Machine::Sort(std::vector<Value>& items, bool down) {
  partial_ = false;
  // Stable, also downwards. Once a comparison fails all others give false, so that the sort ends.
  std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
    bool less = false;
    if (failed() || !Less(down ? b : a, down ? a : b, less)) return false;
    return partial_ ? Fail("xacro-unsupported", "nan and sets have no order to be sorted by")
                    : less;
  });
  return !failed();
}

bool Machine::IsSubset(const Sequence& a, const Sequence& b, bool& out) {
  std::unordered_set<std::string> keys;
  std::string key;
  for (const Value& item : b.items)
    if (!KeyOf(item, key))
      return false;
    else
      keys.insert(key);
  out = true;
  for (const Value& item : a.items) {
    if (!KeyOf(item, key)) return false;
    out = out && keys.contains(key);
  }
  return true;
}

bool Machine::Equal(const Value& a, const Value& b, bool& out, int depth) {
  if (!Step()) return false;
  if (depth > kDeepest) return Fail("xacro-too-deep", "a comparison goes too deep");
  out = false;
  // Numbers are compared across kinds; everything else is equal only to its own kind.
  if (a.IsNumber() && b.IsNumber()) {
    out = CompareNumbers(a, b) == 0;
    return true;
  }
  if (a.data.index() != b.data.index()) return true;
  if (a.IsNone()) {
    out = true;
  } else if (a.Text()) {
    out = *a.Text() == *b.Text();
    return Pass(a.Text()->size());
  } else if (const Sequence* const x = a.Items()) {
    const Sequence* const y = b.Items();
    // Sets have no order: they are equal where one holds the other, and their sizes are equal.
    if (IsSet(x->form) && IsSet(y->form)) {
      if (!IsSubset(*x, *y, out)) return false;
      out = out && x->items.size() == y->items.size();
      return true;
    }
    if (x->form == Form::kView || y->form == Form::kView)
      return Fail("xacro-unsupported",
                  "comparing the keys(), values() or items() of a dict is not supported: write "
                  "list(...) around them");
    // An iterator is only equal to itself: to compare its items would use them up.
    if (x->form == Form::kIterator || y->form == Form::kIterator) {
      out = x == y;
      return true;
    }
    if (x->form != y->form || x->items.size() != y->items.size()) return true;
    for (std::size_t i = 0; i < x->items.size(); ++i)
      if (!Equal(x->items[i], y->items[i], out, depth + 1))
        return false;
      else if (!out)
        return true;
    out = true;
  } else if (const Dictionary* const d = a.Dict()) {
    const Dictionary* const e = b.Dict();
    if (d->items.size() != e->items.size()) return true;
    for (const auto& [key, value] : d->items) {
      const Value* const other = Find(*e, key);
      if (other == nullptr) return true;
      if (!Equal(value, *other, out, depth + 1)) return false;
      if (!out) return true;
    }
    out = true;
  } else if (const Function* const f = std::get_if<Function>(&a.data), * const g =
                                                                           std::get_if<Function>(
                                                                               &b.data);
             f && g && !f->self && !g->self) {
    out = f->name == g->name;
  } else {
    return Fail("xacro-unsupported", "comparing methods or modules is not supported");
  }
  return true;
}

bool Machine::Less(const Value& a, const Value& b, bool& out, std::string_view sign, int depth) {
  if (!Step()) return false;
  if (depth > kDeepest) return Fail("xacro-too-deep", "a comparison goes too deep");
  if (a.IsNumber() && b.IsNumber()) {
    const int order = CompareNumbers(a, b);
    partial_ = partial_ || order == 2;
    out = order == -1;
    return true;
  }
  if (a.Text() && b.Text()) {  // UTF-8 sorts as its code points do
    out = *a.Text() < *b.Text();
    return Pass(std::min(a.Text()->size(), b.Text()->size()));
  }
  const Sequence *const x = a.Items(), *const y = b.Items();
  // A set is less than another that holds it and more.
  if (x && y && IsSet(x->form) && IsSet(y->form)) {
    partial_ = true;
    if (!IsSubset(*x, *y, out)) return false;
    out = out && x->items.size() < y->items.size();
    return true;
  }
  // Lists and tuples are ordered by the first pair that differs, and the shorter one comes first.
  const bool ordered =
      x && y && x->form == y->form && (x->form == Form::kList || x->form == Form::kTuple);
  const bool turned = sign == ">" || sign == ">=";
  if (!ordered)
    return Fail("xacro-type", "'" + std::string(sign) + "' not supported between '" +
                                  std::string(TypeOf(turned ? b : a)) + "' and '" +
                                  std::string(TypeOf(turned ? a : b)) + "'");
  for (std::size_t i = 0; i < std::min(x->items.size(), y->items.size()); ++i) {
    bool same = false;
    if (!Equal(x->items[i], y->items[i], same, depth + 1)) return false;
    if (!same) return Less(x->items[i], y->items[i], out, sign, depth + 1);
  }
  out = x->items.size() < y->items.size();
  return true;
}

bool Machine::Iterate(const Value& value, std::vector<Value>& items, bool ordered) {
  items.clear();
  // An iterator hands its items over and is empty from then on, like one of Python.
  if (Sequence* const sequence = value.Items()) {
    if (sequence->form == Form::kIterator) {
      items.swap(sequence->items);
      sequence->exhausted = true;
      return Step(items.size());
    }
    if (ordered && IsSet(sequence->form)) return Ordered(*sequence, items);
    if (!MakeItems(sequence->items.size())) return false;
    items = sequence->items;
  } else if (const Dictionary* const dictionary = value.Dict()) {
    if (!MakeItems(dictionary->items.size())) return false;
    // A loop over a dictionary gives its keys, one over a text its characters (code points, not
    // bytes).
    for (const auto& [key, unused] : dictionary->items) items.push_back(key);
  } else if (value.Text()) {
    constexpr std::size_t kOfOne = 80;  // a text of one letter, with what holds it
    if (value.Text()->size() > kLongestSequence || !Take(value.Text()->size() * kOfOne))
      return MakeItems(value.Text()->size());
    for (const char32_t c : Decoded(*value.Text()))
      items.emplace_back(Encoded(std::u32string_view(&c, 1)));
  } else {
    return Fail("xacro-type", "'" + std::string(TypeOf(value)) + "' object is not iterable");
  }
  return Step(items.size());
}

}  // namespace kinemorph::xacro
