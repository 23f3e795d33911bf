// Values of xacro expressions: what Python's would be, of the kinds that descriptions of robots
// use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::xacro {

struct Value;

/// How a collection behaves and prints.
enum class Form { kList, kTuple, kRange, kIterator, kView, kSet, kFrozenSet };

[[nodiscard]] constexpr bool HasPlaces(Form form) {  // for [index]
  return form == Form::kList || form == Form::kTuple || form == Form::kRange;
}

[[nodiscard]] constexpr bool IsSet(Form form) {
  return form == Form::kSet || form == Form::kFrozenSet;
}

/// Shared by all values that refer to the same collection, as in Python.
struct Sequence {
  Form form = Form::kList;
  std::vector<Value> items;
  int depth = 1;           ///< collections inside each other
  bool exhausted = false;  ///< an iterator gives its items once
};

/// A dictionary in order of insertion.
struct Dictionary {
  std::vector<std::pair<Value, Value>> items;
  std::unordered_map<std::string, std::size_t> places;  ///< by KeyOf
  bool dotted = false;  ///< d.key is d['key']: what load_yaml and dotify give
  int depth = 1;
};

/// "str" or "math.sin"; with `self`, a method of it.
struct Function {
  std::string name;
  std::shared_ptr<const Value> self;
};

/// "math", "python" or "xacro": names behind a dot. "vars": all names, for `in` and [].
struct Module {
  std::string_view name;
};

/// One value. None is std::monostate. A copy shares what it refers to, texts too, so that it takes
/// neither time nor memory.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::shared_ptr<const std::string>,
               std::shared_ptr<Sequence>, std::shared_ptr<Dictionary>, Function, Module>
      data;

  Value() = default;
  template <class T>
  Value(T*) = delete;                         // would be a bool
  Value(bool value) : data(value) {}          // NOLINT: a value is one of these
  Value(std::int64_t value) : data(value) {}  // NOLINT
  Value(double value) : data(value) {}        // NOLINT
  Value(std::string value)                    // NOLINT
      : data(std::make_shared<const std::string>(std::move(value))) {}
  Value(const char* value) : Value(std::string(value)) {}               // NOLINT
  Value(std::shared_ptr<Sequence> value) : data(std::move(value)) {}    // NOLINT
  Value(std::shared_ptr<Dictionary> value) : data(std::move(value)) {}  // NOLINT
  Value(Function value) : data(std::move(value)) {}                     // NOLINT
  Value(Module value) : data(value) {}                                  // NOLINT

  [[nodiscard]] bool IsNone() const { return data.index() == 0; }
  [[nodiscard]] const std::string* Text() const {
    const auto* const found = std::get_if<std::shared_ptr<const std::string>>(&data);
    return found ? found->get() : nullptr;
  }
  [[nodiscard]] const double* Float() const { return std::get_if<double>(&data); }
  [[nodiscard]] Sequence* Items() const {
    const auto* const found = std::get_if<std::shared_ptr<Sequence>>(&data);
    return found ? found->get() : nullptr;
  }
  [[nodiscard]] Dictionary* Dict() const {
    const auto* const found = std::get_if<std::shared_ptr<Dictionary>>(&data);
    return found ? found->get() : nullptr;
  }
  /// An int or a bool, which is one.
  [[nodiscard]] bool IsInteger() const { return data.index() == 1 || data.index() == 2; }
  [[nodiscard]] bool IsNumber() const { return IsInteger() || data.index() == 3; }
  [[nodiscard]] std::int64_t Integer() const {  ///< of what IsInteger
    const auto* const found = std::get_if<bool>(&data);
    return found ? static_cast<std::int64_t>(*found) : std::get<std::int64_t>(data);
  }
  [[nodiscard]] double Number() const {  ///< of what IsNumber
    return Float() ? *Float() : static_cast<double>(Integer());
  }
};

/// What one expansion may use, and what went wrong first. Whatever its input decides the size of,
/// be it a value, an element, a call or a printed line, is charged here before it is made, so that
/// time and memory are bounded for every input. What is charged is never given back. Nothing here
/// throws: whatever fails returns Fail(...), and its callers return false in turn.
class Machine {
 public:
  static constexpr std::size_t kMostSteps = 20'000'000;     ///< operations, of some 100 ns each
  static constexpr std::size_t kMostBytes = 192 << 20;      ///< of all that is made
  static constexpr std::size_t kLongestText = 1 << 20;      ///< bytes of one text
  static constexpr std::size_t kLongestSequence = 100'000;  ///< items of one collection
  static constexpr int kDeepest = 100;                      ///< collections, parentheses
  static constexpr int kDeepestExpressions = 1500;  ///< in each other, with those of properties
  static constexpr std::size_t kLongestExpression = 4096;  ///< bytes

  struct Error {
    std::string code;
    Statement statement = "";
  };
  ~Machine();

  /// Keeps the first error; false.
  bool Fail(std::string_view code, Statement statement);
  [[nodiscard]] bool failed() const { return !error_.code.empty(); }
  [[nodiscard]] const Error& error() const { return error_; }
  /// Puts the subject before the error, where it has none yet.
  void NameSubject(const std::string& subject) {
    if (!named_) error_.statement = {subject, error_.statement.Sentence()};
    named_ = true;
  }

  /// Operations more; false, with an error, where there were too many.
  bool Step(std::size_t count = 1);
  /// Bytes of memory more; likewise.
  bool Take(std::size_t bytes);
  /// So many bytes are about to be looked at or copied.
  bool Pass(std::size_t bytes) { return Step(1 + bytes / 64); }
  /// A text of so many bytes is about to be made.
  bool MakeText(std::size_t bytes);
  /// A collection of so many items is about to be made.
  bool MakeItems(std::size_t count);

  /// A collection of these; false where there are too many or they are too deep.
  bool Make(Form form, std::vector<Value> items, Value& out);
  /// dictionary[key] = value; `kind` as in Python's error.
  bool Put(Dictionary& dictionary, Value key, Value value);
  /// Adds to a list that others may refer to: it may come to hold itself.
  bool Append(const Value& list, Value item);

  /// str(value) and repr(value), at the end of `out`.
  bool Print(const Value& value, std::string& out);
  bool Represent(const Value& value, std::string& out, int depth = 0);

  bool Equal(const Value& a, const Value& b, bool& out, int depth = 0);
  /// a < b; fails for kinds that have no order. For the signs > and >= it is b > a.
  bool Less(const Value& a, const Value& b, bool& out, std::string_view sign = "<", int depth = 0);
  /// Fails for kinds that have no order, and where only some pairs have one.
  bool Sort(std::vector<Value>& items, bool down = false);
  /// The items that a loop over `value` gives. A set has an order only where `ordered` asks for one.
  bool Iterate(const Value& value, std::vector<Value>& items, bool ordered = true);
  /// The items in Python's order where that is sure, else sorted, which is told.
  bool Ordered(const Sequence& set, std::vector<Value>& items);
  /// A set of these, each once.
  bool MakeSet(Form form, const std::vector<Value>& items, Value& out);
  /// Whether a set was sorted since this was asked last.
  [[nodiscard]] bool TakeSorted() { return std::exchange(sorted_, false); }

  /// The same text for equal keys only; an error where the value can be no key.
  bool KeyOf(const Value& value, std::string& key);
  /// The value of a key, or null; null with an error where that can be no key.
  const Value* Find(const Dictionary& dictionary, const Value& key);

 private:
  /// Whether all items of `a` are in `b`.
  bool IsSubset(const Sequence& a, const Sequence& b, bool& out);

  Error error_;
  bool named_ = false, sorted_ = false;
  bool partial_ = false;  ///< Less met nan or a set
  std::size_t steps_ = 0, bytes_ = 0;
  std::vector<std::shared_ptr<Sequence>> changed_;
};

/// "int", "float", "str", ... as Python calls its type.
[[nodiscard]] std::string_view TypeOf(const Value& value);
[[nodiscard]] bool IsTrue(const Value& value);
/// Whether a function of this name is a type whose values are known to be of it: "float".
[[nodiscard]] bool IsType(std::string_view name);
/// -1, 0, 1 or 2 (one is nan), exactly.
[[nodiscard]] int CompareNumbers(const Value& a, const Value& b);

/// A number as Python's repr: shortest digits that read back.
[[nodiscard]] std::string FloatText(double value);
/// int(text), as far as it fits 64 bits: 0 done, 1 no integer, 2 too large.
enum class Parsed { kDone, kNot, kTooLarge };
[[nodiscard]] Parsed ParseInteger(std::string_view text, std::int64_t& out, int base = 10);
/// float(text).
[[nodiscard]] bool ParseFloat(std::string_view text, double& out);
/// What a property's or argument's text stands for: 5, 0.5, True, or the text itself.
[[nodiscard]] Value Literal(const std::string& text);

/// Code points of UTF-8, and back.
[[nodiscard]] std::u32string Decoded(std::string_view text);
[[nodiscard]] std::string Encoded(std::u32string_view text);
[[nodiscard]] bool IsAscii(std::string_view text);
/// Adds the character that these hexadecimal digits number; false: there is none.
[[nodiscard]] bool AddCharacter(std::string_view hex, std::string& text);

}  // namespace kinemorph::xacro
