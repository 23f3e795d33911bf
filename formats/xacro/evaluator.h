// What an expression is worth.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax.h"
#include "value.h"

namespace kinemorph::xacro {

/// An answer about a name.
enum class Answer { kFound, kUnknown, kFailed };

/// What expressions ask of the document around them.
class Names {
 public:
  virtual ~Names() = default;
  /// The property of that name; in the namespace `space`, or the nearest one.
  virtual Answer Read(const void* space, const std::string& name, Value& out) = 0;
  /// The namespace of that name (of an include); null: there is none, or a property is nearer.
  virtual const void* Space(const void* space, const std::string& name) = 0;
  /// xacro.function(...).
  virtual bool CallXacro(const struct Call& call, Value& out) = 0;
  /// Whether there is a property of that name, or anything else that it stands for.
  virtual bool IsVisible(const std::string& /*name*/) { return false; }
  /// What a name that is not there may be meant to be, as the end of a message.
  [[nodiscard]] virtual std::string Suggestion(const std::string& /*name*/) { return {}; }
};

class Evaluator {
 public:
  Evaluator(Machine& machine, Names& names) : machine_(machine), names_(names) {}

  /// False with an error of the machine.
  bool Evaluate(const Expression& expression, Value& out);
  bool CallFunction(const Function& function, std::vector<Value> arguments,
                    const std::vector<std::string>& words, Value& out);
  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] Names& names() { return names_; }

 private:
  bool ValueOf(const Expression& expression, Value& out);
  bool Name(const std::string& name, Value& out);
  bool Chain(const Expression& expression, Value& out);
  bool Compare(const Expression& expression, Value& out);
  bool Index(const Expression& expression, Value& out);
  bool Slice(const Expression& expression, Value& out);
  bool Attribute(const Expression& expression, Value& out);
  bool CallOf(const Expression& expression, Value& out);
  bool Collection(const Expression& expression, Value& out);
  bool Comprehension(const Expression& expression, std::size_t clause, std::vector<Value>& items);
  [[nodiscard]] const void* SpaceOf(const Expression& expression);

  Machine& machine_;
  Names& names_;
  int depth_ = 0;  ///< expressions in each other, also through properties that they read
  std::vector<std::pair<std::string, Value>> locals_;  ///< of comprehensions, innermost last
};

/// A call of a function that is built in: positional arguments, then those with names.
struct Call {
  Evaluator& evaluator;
  const std::string& name;
  std::vector<Value>& arguments;
  const std::vector<std::string>& words;  ///< of the last arguments
  const Value* self = nullptr;            ///< of a method

  [[nodiscard]] Machine& machine() const { return evaluator.machine(); }
  /// The argument at a position or of a name, or null.
  [[nodiscard]] const Value* At(std::size_t position, std::string_view word = "") const;
  [[nodiscard]] std::size_t positional() const { return arguments.size() - words.size(); }
  /// Whether there are at most so many arguments in positions, and all of the least number there or
  /// by name; an error otherwise. `names` are those of the positions from the first on ("" has
  /// none), and from `most` on names only.
  bool Takes(std::size_t least, std::size_t most,
             std::initializer_list<std::string_view> names = {}) const;
  /// The number at a position; an error where there is none.
  bool Number(std::size_t position, double& out) const;
  bool Integer(std::size_t position, std::int64_t& out) const;
};

/// a op b, of a chain, a power or a sign (a alone).
bool Operate(Machine& machine, const std::string& op, const Value& a, const Value& b, Value& out);
bool ApplySign(Machine& machine, const std::string& sign, const Value& a, Value& out);
bool RaiseTo(Machine& machine, const Value& a, const Value& b, Value& out);
bool Contains(Machine& machine, const Value& container, const Value& item, bool& out);
/// pattern % arguments.
bool FormatText(Machine& machine, const std::string& pattern, const Value& arguments, Value& out);
/// pattern.format(arguments), with {}, {0}, {name} and their widths, precisions and types.
bool FormatFields(const Call& call, const std::string& pattern, Value& out);

/// What a name means without any property: a constant, a function or a module. False: nothing.
[[nodiscard]] bool FindBuiltIn(const std::string& name, Value& out);
/// A name of `math` or `python`; false: unknown there.
[[nodiscard]] bool FindInModule(std::string_view module, const std::string& name, Value& out);
/// A name that Python knows here and this evaluator does not.
[[nodiscard]] bool IsKnownElsewhere(std::string_view name);
bool CallBuiltIn(const Call& call, Value& out);
/// false: the name is none of mathematics.
[[nodiscard]] bool IsMath(std::string_view name);
bool CallMath(const Call& call, Value& out);
/// isinstance and issubclass; type(value); vars(), of which `in` and [] can be asked.
/// @{
bool IsInstance(const Call& call, Value& out);
bool TypeOfOne(const Call& call, Value& out);
bool Vars(const Call& call, Value& out);
/// @}
/// Whether values of this kind have such a method.
[[nodiscard]] bool HasMethod(const Value& value, std::string_view name);
bool CallMethod(const Call& call, Value& out);
/// round(number, digits) as Python does.
bool RoundNumber(Machine& machine, const Value& number, const Value* digits, Value& out);
/// A dictionary, and all below it, whose items are read by d.key too.
bool Dotified(Machine& machine, const Value& value, Value& out, int depth = 0);

}  // namespace kinemorph::xacro
