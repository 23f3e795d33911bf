// Properties: definition, scopes, and their value when it is read.
#include <algorithm>

#include "expander.h"

// A property that holds an expression is lazy: its text is stored, and evaluated when it is read
// first, in the scope that holds it and not in that of the reader. The value then stays, even where
// a property that it was made of changes later. This is why a file may define a property before
// those that it depends on, and why circles have to be noticed.

namespace kinemorph::xacro {

bool Expander::IsVisible(const std::string& name) {
  for (const Scope* scope = scope_; scope && machine_.Step(); scope = scope->parent)
    if (scope->properties.contains(name) || scope->spaces.contains(name)) return true;
  Value built_in;
  return FindBuiltIn(name, built_in);
}

bool Expander::DefineProperty(const Node& node) {
  const Attribute* const name = Need(node, "name");
  std::string text;
  if (!name || !SubstituteText(name->value, Here(node, *name), text)) return false;
  // The name is evaluated before it is checked: it may be made of other properties.
  WarnOfOthers(node, {"name", "value", "default", "remove", "scope", "lazy_eval"});
  if (!IsIdentifier(text) || text.starts_with("__"))
    return Fail("xacro-name",
                {"property", text,
                 "is not a name: a name has letters, digits and _, and begins with neither a digit "
                 "nor two _"},
                Here(node, *name));
  const Attribute *const value = node.Find("value"), *const otherwise = node.Find("default"),
                         *const removal = node.Find("remove");
  bool remove = false;
  if (removal && !Truth(*removal, node, remove)) return false;
  if ((value && otherwise) || (remove && (value || otherwise)))
    return Fail("xacro-attribute-missing",
                {"property", text, "value, default and remove exclude each other"}, Here(node));
  if (remove) {
    RemoveProperty(text);
    return true;
  }
  // default= gives way to a property of that name in any scope around this one.
  if (otherwise && IsVisible(text)) return true;
  if (value || otherwise) return StoreProperty(node, text, value ? *value : *otherwise);
  if (removal) return true;
  // No value at all: the children are the value, for xacro:insert_block, evaluated at each
  // insertion. They are kept by reference: the source lives as long as the expansion.
  if (!Keep(sizeof(Property) + text.size(), Here(node))) return false;
  scope_->blocks["**" + text] = {&node.children, nullptr};
  return true;
}

void Expander::RemoveProperty(const std::string& name) {
  for (Scope* scope = scope_; scope && machine_.Step(); scope = scope->parent) {
    // In all scopes around: otherwise the property would shine through from one further out.
    scope->properties.erase(name);
    scope->blocks.erase("**" + name);
  }
}

bool Expander::StoreProperty(const Node& node, const std::string& name, const Attribute& text) {
  const Attribute *const where = node.Find("scope"), *const lazy = node.Find("lazy_eval");
  Scope* scope = scope_;
  bool eager = false;
  if (where && where->value == "global") {
    scope = &root_;
    // A value that leaves its scope is evaluated at once: its names may be unknown outside. This is
    // also the way to run a function for its side effect.
    eager = true;
  } else if (where && where->value == "parent") {
    eager = true;
    // From inside a macro the caller's scope is meant, and the namespace of the macro, which lies
    // between, is skipped. In an include with ns= the parent is that of the includer.
    const bool in_call = !scope_->space;
    scope = scope_->parent;
    while (in_call && scope && scope->space) scope = scope->parent;
    if (!scope)
      return Fail("xacro-name", {"property", name, "no scope surrounds this one"},
                  Here(node, *where));
  } else if (where) {
    return Fail("xacro-name",
                {"property", name, "scope '" + where->value + "' is neither parent nor global"},
                Here(node, *where));
  }
  if (lazy) {
    bool is_lazy = true;
    if (!Truth(*lazy, node, is_lazy)) return false;
    eager = eager || !is_lazy;
  }
  const XacroPlace place = Here(node, text);
  if (eager) {
    Value value;
    return Substitute(text.value, place, value) && Store(*scope, name, std::move(value), place);
  }
  // Text without an expression has its type at once: there is nothing to wait for.
  Value value;
  if (!Literally(text.value, value)) return false;
  const bool is_lazy = value.Text() && value.Text()->find('$') != std::string::npos;
  return Store(*scope, name, std::move(value), place, is_lazy);
}

// A text becomes what it reads as, unless it is evaluated later.
bool Expander::Store(Scope& scope, const std::string& name, Value value, XacroPlace place,
                     bool lazy) {
  constexpr std::size_t kOfProperty = 8;                // operations that it takes
  constexpr std::size_t kBytes = 2 * sizeof(Property);  // with its place in the table
  if (!machine_.Step(kOfProperty) || !Keep(kBytes + 2 * name.size(), place)) return false;
  // Legal, and common for pi; but a macro's parameter called `range` or `min` breaks expressions
  // that need the function.
  Value built_in;
  if (!scope.properties.contains(name) && FindBuiltIn(name, built_in) && told_.insert(name).second)
    Say(Severity::kWarning, "xacro-builtin-redefined",
        {"property", name, "hides what the name means in expressions"}, place);
  if (value.Text() && !lazy) {
    const Value text = value;
    if (!Literally(*text.Text(), value)) return false;
  }
  scope.properties[name] = {std::move(value), lazy, false, place};
  return true;
}

Answer Expander::Read(const void* space, const std::string& name, Value& out) {
  // Inside of $(eval ...), whose names are arguments: their texts have types as well.
  if (argument_names_) {
    const auto argument = arguments_.find(name);
    if (argument == arguments_.end()) return Answer::kUnknown;
    AskFor(name);
    return Literally(argument->second, out) ? Answer::kFound : Answer::kFailed;
  }
  // Evaluator knows a namespace only as an address that Space gave to it.
  Scope* scope = space ? const_cast<Scope*>(static_cast<const Scope*>(space)) : scope_;
  const bool compared = former_ != nullptr && space == nullptr && scope == former_->caller &&
                        reading_.size() == former_->reading;
  for (; scope; scope = scope->parent) {
    if (!machine_.Step()) return Answer::kFailed;
    const auto found = scope->properties.find(name);
    if (found == scope->properties.end()) continue;
    Property& property = found->second;
    // Evaluated on the first read, in the scope that holds it, and never again.
    if (property.lazy && !Evaluate(*scope, name, property)) return Answer::kFailed;
    out = property.value;
    if (compared) CompareFormer(name, &property);
    return Answer::kFound;
  }
  if (compared) CompareFormer(name, nullptr);
  return Answer::kUnknown;
}

// Keeps a name that had another value before xacro 2.1, which read it in the macro's namespace. A
// property that was not read yet may turn out to be the same: it is told all the same.
void Expander::CompareFormer(const std::string& name, const Property* here) {
  for (const Scope* scope = former_->space; scope && machine_.Step(); scope = scope->parent) {
    const auto there = scope->properties.find(name);
    if (there == scope->properties.end()) continue;
    bool same = here == &there->second;
    if (!same && here && !there->second.lazy &&
        !machine_.Equal(here->value, there->second.value, same))
      return;
    if (!same) former_->names.insert(name);
    return;
  }
}

const void* Expander::Space(const void* space, const std::string& name) {
  const Scope* scope = space ? static_cast<const Scope*>(space) : scope_;
  for (; scope && machine_.Step(); scope = scope->parent) {
    // A property hides a namespace of the same name further out, and the other way round.
    if (scope->properties.contains(name)) return nullptr;
    const auto found = scope->spaces.find(name);
    if (found != scope->spaces.end()) return found->second.get();
  }
  return nullptr;
}

bool Expander::Evaluate(Scope& holder, const std::string& name, Property& property) {
  // The chain of names that led here, from the first time this one was read.
  if (property.busy) {
    const auto first = std::find(reading_.begin(), reading_.end(), name);
    std::string chain;
    for (auto each = first; each != reading_.end(); ++each) chain += *each + " -> ";
    notes_.push_back("lazy_eval=\"false\" evaluates a property where it is defined");
    return Fail("xacro-circular", {"property", name, "depends on itself: " + chain + name},
                property.place);
  }
  if (reading_.size() >= kMostReads)
    return Fail(
        "xacro-too-deep",
        {"property", name,
         "more than " + std::to_string(kMostReads) + " properties depend on each other in a row"},
        property.place);
  // The text sees what was visible where it was defined, with today's values. Relative names in it
  // stay relative to the file that is expanded now, as in the program xacro.
  Scope* const before = scope_;
  const XacroPlace at = at_;
  const std::string text = *property.value.Text();
  property.busy = true;
  reading_.push_back(name);
  scope_ = &holder;
  Value value;
  const bool done = Substitute(text, property.place, value);
  scope_ = before;
  at_ = at;
  reading_.pop_back();
  property.busy = false;
  if (!done) {
    // The notes tell from inside out which property asked; a long chain needs only its end.
    if (notes_.size() < 8) notes_.push_back("property '" + name + "' is read at " + Text(at));
    return false;
  }
  property.value = value;
  property.lazy = false;
  // The result is read as a literal once more: a text of digits becomes a number.
  return !value.Text() || Literally(*value.Text(), property.value);
}

}  // namespace kinemorph::xacro
