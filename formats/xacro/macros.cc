// Macros: their parameters, and their calls.
#include <algorithm>

#include "expander.h"
#include "kinemorph/graph/base/text.h"

// A call binds its parameters in a new scope, then expands the body in it. Scopes are dynamic: the
// new one lies below the caller's, not below the definition, so a macro sees the caller's variables
// and blocks. Arguments, blocks and defaults are all evaluated where the call stands, before the
// body's scope is entered; blocks are evaluated once more where they are inserted.

namespace kinemorph::xacro {
namespace {

// What stands after := up to the next blank: one ${...} or $(...), or text with quoted parts.
std::string_view DefaultAt(std::string_view text) {
  for (const char* pair : {"{}", "()"}) {
    if (!text.starts_with(std::string("$") + pair[0])) continue;
    const std::size_t end = text.find(pair[1]);
    if (end == std::string_view::npos) break;
    if (end + 1 == text.size() || IsSpace(text[end + 1])) return text.substr(0, end + 1);
    break;
  }
  std::size_t i = 0;
  // A quoted part may hold blanks; a quote without a partner is a character.
  while (i < text.size() && !IsSpace(text[i])) {
    const std::size_t close =
        text[i] == '\'' || text[i] == '"' ? text.find(text[i], i + 1) : std::string_view::npos;
    i = close == std::string_view::npos ? i + 1 : close + 1;
  }
  return text.substr(0, i);
}

}  // namespace

std::vector<Parameter> ParseParameters(std::string_view text) {
  std::vector<Parameter> parameters;
  std::size_t i = 0;
  // Parameters are parted by blanks. Each is name, *name, **name, name:=default, name=default,
  // name:=^ or name:=^|default; blanks around := are allowed.
  const auto blanks = [&](std::size_t at) {
    while (at < text.size() && IsSpace(text[at])) ++at;
    return at;
  };
  while ((i = blanks(i)) < text.size()) {
    const std::size_t begin = i;
    while (i < text.size() && !IsSpace(text[i]) && text[i] != '=' && text.substr(i, 2) != ":=") ++i;
    Parameter& parameter = parameters.emplace_back();
    parameter.name = text.substr(begin, i - begin);
    std::size_t sign = blanks(i);
    const std::size_t length = text.substr(sign, 2) == ":="  ? 2
                               : text.substr(sign, 1) == "=" ? 1
                                                             : 0;
    if (length == 0) continue;
    i = sign + length;
    if (const std::size_t after = blanks(i); after < text.size()) {
      // A blank after the sign belongs to it only where a default follows on the same parameter.
      const bool spaced = after != i;
      const std::size_t next = spaced ? text.find_first_of(" \t\r\n", after) : after;
      const std::string_view word = text.substr(after, next - after);
      if (!spaced || word.find('=') == std::string_view::npos) i = after;
    }
    // ^ takes the property of the same name that is visible in the call, ^| falls back on the
    // default.
    if (text.substr(i, 1) == "^") {
      parameter.forward = true;
      ++i;
      if (text.substr(i, 1) != "|") continue;
      ++i;
    }
    const std::string_view otherwise = DefaultAt(text.substr(i));
    if (!otherwise.empty()) parameter.otherwise = std::string(otherwise);
    i += otherwise.size();
  }
  return parameters;
}

bool Expander::DefineMacro(const Node& node) {
  const Attribute *const name = Need(node, "name"), *const parameters = node.Find("params");
  WarnOfOthers(node, {"name", "params"});
  if (!name) return false;
  auto macro = std::make_shared<Macro>();
  macro->name = name->value;
  // Written by those who take the prefix for a part of the name; it is still called by xacro:NAME.
  if (macro->name.starts_with("xacro:")) {
    macro->name.erase(0, 6);
    Say(Severity::kWarning, "xacro-macro-prefix",
        {"macro", macro->name, "the prefix xacro: is not part of its name"}, Here(node, *name));
  }
  if (macro->name.empty() || macro->name == "call" || macro->name.find('.') != std::string::npos)
    return Fail("xacro-name",
                {"macro", macro->name, "a name is not empty, has no dot and is not 'call'"},
                Here(node, *name));
  // Each definition that is met makes them anew.
  constexpr std::size_t kOfParameter = 2 * sizeof(Parameter) + 100;
  if (parameters) {
    // The end of each default ${...} is looked for.
    const std::string& text = parameters->value;
    const auto defaults = static_cast<std::size_t>(std::count(text.begin(), text.end(), '$'));
    if (!machine_.Step(text.size() + defaults * text.size() / 512)) return false;
    macro->parameters = ParseParameters(text);
    if (!Keep(text.size() + macro->parameters.size() * kOfParameter, Here(node))) return false;
  }
  // A name that is listed twice is an error of the call, not of the definition, as in the program
  // xacro.
  for (const Parameter& parameter : macro->parameters)
    if (!macro->places.emplace(parameter.name, macro->places.size()).second)
      macro->twice = parameter.name;
  // A pointer into the document, which outlives all macros.
  macro->body = &node;
  if (!Keep(sizeof(Macro) + 2 * macro->name.size(), Here(node))) return false;
  // A later definition replaces the former from here on. Calls that are running hold on to theirs.
  scope_->macros[macro->name] = std::move(macro);
  return true;
}

// The macro, and the scope that the body's own is to lie below: the caller's, or for a.b.name the
// namespace b, which an include with ns= has made.
std::shared_ptr<const Macro> Expander::FindMacro(const std::string& name, Scope*& outer) {
  outer = scope_;
  std::string_view rest = name;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    const std::string space(rest.substr(0, dot));
    Scope* scope = outer;
    while (scope && machine_.Step() && !scope->spaces.contains(space)) scope = scope->parent;
    if (!scope || machine_.failed()) return nullptr;
    outer = scope->spaces[space].get();
    rest.remove_prefix(dot + 1);
  }
  for (Scope* scope = outer; scope && machine_.Step(); scope = scope->parent) {
    const auto found = scope->macros.find(std::string(rest));
    if (found != scope->macros.end()) return found->second;
  }
  return nullptr;
}

std::string Expander::DidYouMean(const std::string& name, bool macro) const {
  // A directive without its prefix explains best why a name is unknown.
  const std::string kind = macro ? "macro" : "property";
  if (const auto bare = bare_.find({kind, name}); bare != bare_.end())
    return "; the <" + kind + "> at " + Text(bare->second) + " lacks the prefix xacro:";
  std::vector<std::string> names;
  for (const Scope* scope = scope_; scope != nullptr; scope = scope->parent) {
    for (const auto& [known, unused] : scope->macros)
      if (macro) names.push_back(known);
    for (const auto& [known, unused] : scope->properties)
      if (!macro) names.push_back(known);
  }
  std::sort(names.begin(), names.end());
  const std::string nearest = NearestName(name, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

bool Expander::CallMacro(const Node& node, const std::string& name, Node& parent) {
  Scope* outer = nullptr;
  const std::shared_ptr<const Macro> macro = FindMacro(name, outer);
  if (!macro)
    return Fail("xacro-macro-unknown",
                {"macro", name, "is not defined here" + DidYouMean(name, true)}, Here(node));
  // A macro may call itself under a condition: only the depth is bounded, not the repetition.
  if (++macros_deep_ > kMostMacros)
    return Fail(
        "xacro-too-deep",
        {"macro", name,
         "macros call each other more than " + std::to_string(kMostMacros) + " levels deep"},
        Here(node));
  if (out_.calls.size() > kMostCalls)
    return Fail("xacro-too-large",
                {"macro", name, "more than " + std::to_string(kMostCalls) + " calls"}, Here(node));
  constexpr std::size_t kOfCall = 10;  // operations that it takes
  if (!machine_.Step(kOfCall + macro->parameters.size()) ||
      !Keep(2 * sizeof(XacroCall) + macro->name.size(), Here(node)))
    return false;
  Scope local;
  local.parent = outer;
  // For a macro of a namespace a record is kept of what an older xacro would have read differently.
  FormerScope former{scope_, outer, reading_.size(), {}};
  FormerScope* const before = std::exchange(former_, outer == scope_ ? nullptr : &former);
  const bool bound = Bind(node, *macro, local);
  former_ = before;
  if (!former.names.empty()) WarnOfFormer(node, name, former.names);
  if (!bound) return false;
  // From here on new nodes belong to this call. An attribute set in the body must not land on the
  // element around the call.
  out_.calls.push_back({macro->name, Here(node)});
  Scope* const scope = scope_;
  const std::uint32_t call = call_;
  Node* const target = attribute_target_;
  scope_ = &local;
  call_ = static_cast<std::uint32_t>(out_.calls.size() - 1);
  attribute_target_ = nullptr;
  // The file stays that of the caller: relative names in a macro's body are relative to the file
  // that is being expanded, not to the one that defines it.
  const bool done = Children(macro->body->children, parent);
  if (done) LiftNamespaces(*macro->body, parent);
  scope_ = scope;
  call_ = call;
  attribute_target_ = target;
  --macros_deep_;
  return done;
}

bool Expander::Bind(const Node& node, const Macro& macro, Scope& local) {
  return BindArguments(node, macro, local) && BindBlocks(node, macro, local) &&
         BindDefaults(node, macro, local);
}

void Expander::WarnOfFormer(const Node& node, const std::string& name,
                            const std::set<std::string>& differing) {
  const std::string space = name.substr(0, name.rfind('.'));
  std::string listed;
  for (const std::string& each : differing) listed += (listed.empty() ? "'" : ", '") + each + "'";
  // Where the binding failed, the change of xacro 2.1 may be the reason: a note. Else a warning,
  // once.
  if (machine_.failed()) {
    notes_.push_back("before xacro 2.1 a call read " + listed + " in the namespace '" + space +
                     "': write " + space + "." + *differing.begin());
    return;
  }
  if (told_.size() < 1000 && told_.insert("former " + name + Text(node.place)).second)
    Say(Severity::kWarning, "xacro-namespace-scope",
        {"macro", name,
         "what the call gives to it reads " + listed +
             " where the call stands, as xacro does since 2.1; before, xacro read another value in "
             "the namespace '" +
             space + "': give one of them another name"},
        Here(node));
}

bool Expander::BindArguments(const Node& node, const Macro& macro, Scope& local) {
  if (!macro.twice.empty())
    return Fail("xacro-parameter",
                {"macro", macro.name, "parameter '" + macro.twice + "' is listed twice"},
                Here(*macro.body));
  for (const Attribute& attribute : node.attributes) {
    if ((node.text == "xacro:call" && attribute.name == "macro") ||
        (node.text == "xacro:element" && attribute.name == "xacro:name"))
      continue;
    const bool known = macro.places.contains(attribute.name);
    if (!known || attribute.name.starts_with("*")) {
      std::vector<std::string> names;
      for (const Parameter& parameter : macro.parameters) names.push_back(parameter.name);
      suggestion_ = NearestName(attribute.name, names);
      notes_.push_back("the macro is defined at " + Text(macro.body->place));
      return Fail("xacro-parameter",
                  {"macro", macro.name, "has no parameter '" + attribute.name + "'"},
                  Here(node, attribute));
    }
    // Values keep their type: a text "1" becomes an integer here, and prints as one.
    Value value;
    if (!Substitute(attribute.value, Here(node, attribute), value) ||
        !Store(local, attribute.name, std::move(value), Here(node, attribute)))
      return false;
  }
  return true;
}

// The elements in the call are evaluated where it stands, then given to the parameters in order.
bool Expander::BindBlocks(const Node& node, const Macro& macro, Scope& local) {
  // Evaluated as children of a node that is dropped: text and comments in a call mean nothing.
  Node made;
  std::vector<Node> elements;
  Node* const target = attribute_target_;
  attribute_target_ = nullptr;
  const bool done = Children(node.children, made);
  attribute_target_ = target;
  if (!done) return false;
  for (Node& child : made.children)
    if (child.kind == Node::Kind::kElement) elements.push_back(std::move(child));
  std::size_t used = 0;
  // Each *name takes the next element whole, each **name its children, in the order of the
  // parameters.
  for (const Parameter& parameter : macro.parameters) {
    if (!parameter.name.starts_with("*")) continue;
    if (used == elements.size()) {
      notes_.push_back("the macro is defined at " + Text(macro.body->place));
      return Fail("xacro-block",
                  {"macro", macro.name,
                   "the element for its block '" + parameter.name + "' is missing in the call"},
                  Here(node));
    }
    auto nodes = std::make_shared<std::vector<Node>>();
    if (parameter.name.starts_with("**"))
      *nodes = std::move(elements[used].children);
    else
      nodes->push_back(std::move(elements[used]));
    ++used;
    local.blocks[parameter.name] = {nodes.get(), nodes};
  }
  if (used == elements.size()) return true;
  notes_.push_back("the macro is defined at " + Text(macro.body->place));
  return Fail("xacro-block",
              {"macro", macro.name,
               "takes " + std::to_string(used) + " blocks, and the call has " +
                   std::to_string(elements.size()) + " elements"},
              Here(node));
}

bool Expander::BindDefaults(const Node& node, const Macro& macro, Scope& local) {
  const Attribute* const parameters = macro.body->Find("params");
  std::string missing;
  for (const Parameter& parameter : macro.parameters) {
    // A default does not see the other parameters: it is evaluated in the scope of the call.
    if (parameter.name.starts_with("*") || local.properties.contains(parameter.name)) continue;
    Value value;
    const Answer forwarded =
        parameter.forward ? Read(nullptr, parameter.name, value) : Answer::kUnknown;
    bool done = forwarded != Answer::kFailed;
    if (forwarded == Answer::kUnknown && parameter.otherwise)
      done = Substitute(*parameter.otherwise, Here(*macro.body, *parameters), value);
    if (!done) {
      notes_.push_back("in the default of parameter '" + parameter.name + "' of macro '" +
                       macro.name + "', called at " + Text(Here(node)));
      return false;
    }
    if (forwarded == Answer::kUnknown && !parameter.otherwise)
      missing += (missing.empty() ? "'" : ", '") + parameter.name + "'";
    else if (!Store(local, parameter.name, std::move(value), Here(node)))
      return false;
  }
  if (missing.empty()) return true;
  notes_.push_back("the macro is defined at " + Text(macro.body->place));
  return Fail("xacro-parameter", {"macro", macro.name, "the call gives no value for " + missing},
              Here(node));
}

}  // namespace kinemorph::xacro
