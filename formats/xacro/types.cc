// What expressions ask of types and names: isinstance, issubclass, type, vars.
#include "evaluator.h"

namespace kinemorph::xacro {
namespace {

// A type is a function of its own name here (`float` converts, and is what type(1.0) gives), so
// that a comparison of types is one of names. Only the types of values.h are known: a test against
// any other is refused, because its answer could only be guessed.

// A type that values can be held against; an error where there is none.
bool TypeNamed(const Call& c, const Value& value, std::string& name) {
  const Function* const function = std::get_if<Function>(&value.data);
  if (function == nullptr || function->self)
    return c.machine().Fail("xacro-type", c.name + "(): a type, or a tuple of types, is needed");
  name = function->name;
  return IsType(name) ||
         c.machine().Fail("xacro-unsupported",
                          c.name + "(): '" + name + "' is not a type that is known here");
}

// In Python bool is a class below int, so that isinstance(True, int) holds.
bool IsOfType(std::string_view type, std::string_view name) {
  return type == name || (type == "bool" && name == "int");
}

}  // namespace

bool IsInstance(const Call& c, Value& out) {  // isinstance, issubclass
  if (!c.Takes(2, 2)) return false;
  std::string type(TypeOf(c.arguments[0])), name;
  if (c.name == "issubclass" && !TypeNamed(c, c.arguments[0], type)) return false;
  std::vector<Value> types = {c.arguments[1]};
  if (const Sequence* const tuple = c.arguments[1].Items(); tuple && tuple->form == Form::kTuple)
    types = tuple->items;
  bool is = false;
  for (const Value& each : types) {
    if (!TypeNamed(c, each, name)) return false;
    is = is || IsOfType(type, name);
  }
  out = is;
  return true;
}

bool TypeOfOne(const Call& c, Value& out) {
  if (!c.Takes(1, 1)) return false;
  const std::string name(TypeOf(c.arguments[0]));
  // What load_yaml gives is a class of the program xacro, not dict: its name would be an invention.
  const Dictionary* const dictionary = c.arguments[0].Dict();
  if (!IsType(name) || (dictionary && dictionary->dotted))
    return c.machine().Fail("xacro-unsupported",
                            "the type of a " + name + " of this kind has no name here");
  out = Function{name, nullptr};
  return true;
}

bool Vars(const Call& c, Value& out) {
  if (!c.Takes(0, 0)) return false;
  out = Module{"vars"};
  return true;
}

}  // namespace kinemorph::xacro
