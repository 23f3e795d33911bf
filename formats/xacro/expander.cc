#include "expander.h"

#include <algorithm>

// One pass in document order, depth first, that copies the source into a new tree: nothing is
// hoisted, so a macro or an argument must come before its use. Plain elements are copied with their
// texts evaluated; directives (`xacro:...`) act, and leave nothing behind or more elements. The
// state of the pass (scope, file, macro call, target of xacro:attribute) is kept in members that
// each construct sets and restores. The first error stops everything, so what is not restored after
// one does not matter.

namespace kinemorph::xacro {

Expander::Expander(const XacroOptions& options, Diagnostics& diagnostics)
    : options_(options),
      diagnostics_(diagnostics),
      evaluator_(machine_, *this),
      arguments_(options.arguments) {
  out_.files.push_back(options.file_name);
  out_.calls.emplace_back();
  out_.packages = options.packages;
}

std::optional<XacroExpansion> Expander::Run(std::string_view text) {
  const std::unique_ptr<Document> source =
      ParseDocument(text, options_.file_name, 0, machine_, diagnostics_);
  if (!source) {
    at_.line = 1;
    Report();
    return std::nullopt;
  }
  Document made;
  Node around;
  made.before = source->before;
  made.after = source->after;
  const Node& root = source->root;
  bool done = false;
  // The root's name is kept whatever it is; but it must be there once, which no directive promises.
  if (root.text.starts_with("xacro:"))
    Fail("xacro-name", {"", root.text, "the root element is a directive"}, Here(root));
  else
    done = Plain(root, root.text, around);
  if (!done || machine_.failed() || !missing_.empty()) {
    if (!failed_at_ && at_.line == 0) failed_at_ = Here(root);
    Report();
    return std::nullopt;
  }
  made.root = std::move(around.children.front());
  // What becomes the default namespace of the result; a plain xmlns would count for the source as
  // well.
  if (const Attribute* const target = root.Find("xacro:targetNamespace"))
    made.root.Set("xmlns", target->value);
  // A name of its own, so that messages about the expanded text can be told from those about the
  // file.
  out_.name = options_.file_name + " (expanded)";
  if (!PrintDocument(made, machine_, out_.text, out_.lines, at_)) {
    Report();
    return std::nullopt;
  }
  WarnOfUnasked();
  return std::move(out_);
}

void Expander::WarnOfUnasked() {
  std::vector<std::string> names;
  for (const auto& [name, value] : arguments_) names.push_back(name);
  for (const auto& [name, value] : options_.arguments) {
    if (asked_.contains(name)) continue;
    std::erase(names, name);
    Diagnostic message = MessageAt(
        Severity::kWarning, "xacro-arg-unknown",
        {"argument", name, "the file does not ask for an argument of this name"}, {0, 1, 0});
    message.suggestion = NearestName(name, names);
    diagnostics_.Add(std::move(message));
  }
}

bool Expander::Fail(std::string_view code, Statement statement, XacroPlace place) {
  // The innermost place stays: it is set first, while the failure comes up through the callers.
  if (!failed_at_) failed_at_ = place;
  return machine_.Fail(code, std::move(statement));
}

std::string Expander::Text(XacroPlace place) const {
  return out_.files[place.file] + ":" + std::to_string(place.line);
}

Diagnostic Expander::MessageAt(Severity severity, std::string_view code, Statement statement,
                               XacroPlace place) const {
  Diagnostic message = MakeDiagnostic(severity, std::string(code), out_.files[place.file],
                                      place.line, "", std::move(statement));
  // The calls from inside out, so that a reader sees how the text came to be; a few are enough in a
  // recursion.
  for (std::uint32_t call = place.call, shown = 0; call != 0 && shown < 8; ++shown) {
    const XacroCall& each = out_.calls[call];
    message.notes.push_back("in macro '" + each.macro + "', called at " + Text(each.where));
    call = each.where.call;
  }
  return message;
}

void Expander::Say(Severity severity, std::string_view code, Statement statement,
                   XacroPlace place) {
  constexpr std::size_t kOfMessage = 100;  // operations that a message takes
  // After a missing argument all values are in doubt: messages of the file would mislead.
  if (!missing_.empty() || !machine_.Step(kOfMessage)) return;
  diagnostics_.Add(MessageAt(severity, code, std::move(statement), place));
}

void Expander::Report() {
  if (!missing_.empty()) {
    ReportMissing();
    return;
  }
  if (!machine_.failed()) return;
  // An error of the whole (too large, too many) has no subject of its own.
  if (machine_.error().statement.subject.empty())
    machine_.NameSubject("'" + options_.file_name + "'");
  Diagnostic error = MessageAt(Severity::kError, machine_.error().code, machine_.error().statement,
                               failed_at_.value_or(at_));
  // Notes of the failure go before those of the calls, which are the same for all.
  error.notes.insert(error.notes.begin(), notes_.begin(), notes_.end());
  error.suggestion = suggestion_;
  diagnostics_.Add(std::move(error));
}

namespace {

// What may stand between a comment and the directive that it is taken away with.
bool IsNextLine(const Node& before, const Node& after) {
  return after.place.line <= before.last_line + 1;
}

bool TakesComments(const Node& node) {
  return node.kind == Node::Kind::kElement && node.text.starts_with("xacro:") &&
         node.text != "xacro:insert_block" && node.text != "xacro:element" &&
         node.text != "xacro:attribute";
}

}  // namespace

bool Expander::Children(const std::vector<Node>& nodes, Node& parent) {
  if (!machine_.Step(nodes.size())) return false;
  // Comments right before a directive belong to it.
  // The program xacro takes them away with it: they explain the directive, and not the result. A
  // blank line in between protects a comment. Looked at from the end, so that a run of them goes as
  // one.
  std::vector<bool> belongs;
  const bool comments = std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return node.kind == Node::Kind::kComment;
  });
  if (comments) {
    belongs.resize(nodes.size());
    for (std::size_t i = nodes.size() - 1; i-- > 0;)
      belongs[i] = nodes[i].kind == Node::Kind::kComment && IsNextLine(nodes[i], nodes[i + 1]) &&
                   (TakesComments(nodes[i + 1]) || belongs[i + 1]);
  }
  bool evaluate = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    switch (node.kind) {
      case Node::Kind::kElement:
        evaluate = false;
        if (!Element(node, node.text, parent)) return false;
        break;
      case Node::Kind::kText: {
        if (!Count(node)) return false;
        std::string text;
        if (!SubstituteText(node.text, Here(node), text)) return false;
        if (text.find_first_not_of(" \t\r\n") != std::string::npos ||
            node.text.find_first_not_of(" \t\r\n") != std::string::npos)
          evaluate = false;
        if (text.empty()) break;
        if (!Keep(text.size(), Here(node))) return false;
        Node& made = parent.children.emplace_back();
        made.kind = Node::Kind::kText;
        made.text = std::move(text);
        made.place = Here(node);
        break;
      }
      case Node::Kind::kComment:
        if ((belongs.empty() || !belongs[i]) && !Comment(node, evaluate, parent)) return false;
        break;
      // CDATA and instructions are never evaluated; their copy only learns in which call it was
      // made.
      case Node::Kind::kData:
      case Node::Kind::kInstruction:
        if (!Count(node) || !Keep(node.text.size(), Here(node))) return false;
        parent.children.push_back(node);
        parent.children.back().place.call = call_;
        break;
    }
  }
  return true;
}

// `xacro:eval-comments` turns the evaluation of the comments after it on, `:off` off.
bool Expander::Comment(const Node& node, bool& evaluate, Node& parent) {
  std::string_view text = node.text;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos) {
    const std::string_view word = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
    if (word == "xacro:eval-comments" || word == "xacro:eval-comments:on" ||
        word == "xacro:eval-comments:off") {
      evaluate = word != "xacro:eval-comments:off";
      return true;
    }
  }
  if (!Count(node)) return false;
  Node made;
  made.kind = Node::Kind::kComment;
  made.place = Here(node);
  made.text = node.text;
  if (evaluate && !SubstituteText(node.text, Here(node), made.text)) return false;
  if (!Keep(made.text.size(), Here(node))) return false;
  parent.children.push_back(std::move(made));
  return true;
}

bool Expander::Count(const Node& node) {
  if (++nodes_ > kMostNodes)
    return Fail("xacro-too-large",
                {"", node.text.substr(0, 200),
                 "the expansion makes more than " + std::to_string(kMostNodes) + " elements"},
                Here(node));
  constexpr std::size_t kOfElement = 4;  // operations that it takes
  return machine_.Step(kOfElement + node.attributes.size()) && Keep(2 * sizeof(Node), Here(node));
}

bool Expander::Keep(std::size_t bytes, XacroPlace place) {
  if (machine_.Pass(bytes) && machine_.Take(bytes)) return true;
  if (!failed_at_) failed_at_ = place;
  return false;
}

bool Expander::Element(const Node& node, const std::string& name, Node& parent) {
  if (++levels_ > kMostLevels)
    return Fail("xacro-too-deep",
                {"", name,
                 "elements, macros and conditions are nested more than " +
                     std::to_string(kMostLevels) + " levels deep"},
                Here(node));
  if (!Count(node)) return false;
  // The prefix decides, as text: which URI it is bound to is not looked at, as in the program
  // xacro.
  const bool done = name.starts_with("xacro:") ? Directive(node, name.substr(6), parent)
                                               : Plain(node, name, parent);
  --levels_;
  if (!done && !failed_at_) failed_at_ = Here(node);
  return done;
}

bool Expander::Directive(const Node& node, const std::string& name, Node& parent) {
  // Directives win over macros of the same name, so that a macro called "if" can never be reached.
  if (name == "property") return DefineProperty(node);
  if (name == "macro") return DefineMacro(node);
  if (name == "arg") return Argument(node);
  if (name == "include") return Include(node, parent);
  if (name == "if" || name == "unless") return If(node, name == "unless", parent);
  if (name == "insert_block") return InsertBlock(node, parent);
  if (name == "element") return Renamed(node, parent);
  if (name == "attribute") return SetAttribute(node);
  if (name != "call") return CallMacro(node, name, parent);
  const Attribute* const macro = Need(node, "macro");
  std::string called;
  if (!macro || !SubstituteText(macro->value, Here(node, *macro), called)) return false;
  return CallMacro(node, called, parent);
}

bool Expander::Attributes(const Node& node, Node& made) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name == "xmlns:xacro" || attribute.name.starts_with("xacro:")) continue;
    std::string value;
    if (!SubstituteText(attribute.value, Here(node, attribute), value) ||
        !Keep(2 * sizeof(Attribute) + value.size(), Here(node, attribute)))
      return false;
    made.attributes.push_back({attribute.name, std::move(value), attribute.line});
  }
  return true;
}

bool Expander::Plain(const Node& node, const std::string& name, Node& parent) {
  // In old files directives had no prefix. These are plain elements now, but a reader of "unknown
  // property" will want to hear of them.
  if (name == "property" || name == "macro") {
    if (const Attribute* const given = node.Find("name"))
      bare_.emplace(std::pair(name, given->value), Here(node));
  }
  Node made;
  made.text = name;
  made.place = Here(node);
  // Attributes go before children, in their order: an argument that a child defines comes too late.
  if (!Attributes(node, made)) return false;
  // Attributes that children set go to this element; conditions around it do not count inside of
  // it.
  Node* const before = attribute_target_;
  const int conditions = std::exchange(conditions_, 0);
  attribute_target_ = &made;
  const bool done = Children(node.children, made);
  attribute_target_ = before;
  conditions_ = conditions;
  if (done) parent.children.push_back(std::move(made));
  return done;
}

bool Expander::If(const Node& node, bool unless, Node& parent) {
  const Attribute* const value = Need(node, "value");
  WarnOfOthers(node, {"value"});
  bool holds = false;
  if (!value || !Truth(*value, node, holds)) return false;
  // What is not taken is never evaluated: it may hold unknown macros and files that are not there.
  if (holds == unless) return true;
  // Inside a condition the attribute would land on the condition, which is taken away; it is told.
  Node* const before = attribute_target_;
  attribute_target_ = nullptr;
  ++conditions_;
  const bool done = Children(node.children, parent);
  --conditions_;
  attribute_target_ = before;
  return done;
}

bool Expander::Truth(const Attribute& attribute, const Node& node, bool& out) {
  Value value;
  if (!Substitute(attribute.value, Here(node, attribute), value)) return false;
  // A value that was computed has Python's truth. Text is either a word or an integer: neither
  // "1.0" nor "yes" nor an empty text is accepted, as in the program xacro.
  const std::string* const text = value.Text();
  if (!text) {
    out = IsTrue(value);
    return true;
  }
  std::int64_t number = 0;
  if (*text == "true" || *text == "True") {
    out = true;
  } else if (*text == "false" || *text == "False") {
    out = false;
  } else if (ParseInteger(*text, number) == Parsed::kDone) {
    out = number != 0;
  } else {
    return Fail("xacro-condition",
                {"", node.text, "'" + *text + "' is neither true nor false nor an integer"},
                Here(node, attribute));
  }
  return true;
}

bool Expander::InsertBlock(const Node& node, Node& parent) {
  const Attribute* const name = Need(node, "name");
  WarnOfOthers(node, {"name"});
  if (!name) return false;
  for (const char* prefix : {"**", "*"}) {
    const std::string key = prefix + name->value;
    for (const Scope* scope = scope_; scope; scope = scope->parent) {
      if (!machine_.Step()) return false;
      const auto found = scope->blocks.find(key);
      if (found == scope->blocks.end()) continue;
      // Evaluated here, with the values of this place and not of where it was written.
      const Block block = found->second;  // a redefinition inside may take it away
      return Children(*block.nodes, parent);
    }
  }
  return Fail("xacro-block", {"", "insert_block", "there is no block '" + name->value + "' here"},
              Here(node, *name));
}

bool Expander::Renamed(const Node& node, Node& parent) {
  const Attribute* const name = Need(node, "xacro:name");
  std::string text;
  // The new name may be anything but must keep the XML well-formed. It may even be a directive,
  // which is carried out then.
  if (!name || !SubstituteText(name->value, Here(node, *name), text)) return false;
  if (text.empty() || text.find_first_of(" \t\r\n<>&\"'/=") != std::string::npos)
    return Fail("xacro-name", {"", "xacro:element", "'" + text + "' is not a name of an element"},
                Here(node, *name));
  return Element(node, text, parent);
}

bool Expander::SetAttribute(const Node& node) {
  const Attribute *const name = Need(node, "name"), *const value = Need(node, "value");
  WarnOfOthers(node, {"name", "value"});
  std::string name_text, value_text;
  if (!name || !value || !SubstituteText(name->value, Here(node, *name), name_text) ||
      !SubstituteText(value->value, Here(node, *value), value_text))
    return false;
  if (name_text.empty() || name_text.find_first_of(" \t\r\n<>&\"'/=") != std::string::npos)
    return Fail("xacro-name",
                {"", "xacro:attribute", "'" + name_text + "' is not a name of an attribute"},
                Here(node, *name));
  if (attribute_target_) {
    if (!machine_.Step(attribute_target_->attributes.size()) ||
        !Keep(2 * sizeof(Attribute) + name_text.size() + value_text.size(), Here(node)))
      return false;
    attribute_target_->Set(name_text, std::move(value_text));
  } else {
    Say(Severity::kWarning, "xacro-attribute-lost",
        "'xacro:attribute': attribute '" + name_text +
            "' is lost inside a condition, as the program xacro loses it: set it outside",
        Here(node));
  }
  return true;
}

bool Expander::Argument(const Node& node) {
  const Attribute *const name = Need(node, "name"), *const value = Need(node, "default");
  WarnOfOthers(node, {"name", "default"});
  std::string text;
  // The default is evaluated even where a value was given, so that its errors do not depend on how
  // the file is called. The first definition of a name wins, and a value from outside wins over
  // all.
  if (!name || !value || !SubstituteText(value->value, Here(node, *value), text) ||
      !Keep(sizeof(Property) + text.size(), Here(node)))
    return false;
  arguments_.try_emplace(name->value, std::move(text));
  AskFor(name->value);
  return true;
}

// Those inside a condition end at its element, which is taken away.
void Expander::LiftNamespaces(const Node& node, Node& parent) {
  if (conditions_ > 0) return;
  for (const Attribute& attribute : node.attributes) {
    // A namespace that a library declares on its root, or a macro on its own element, must be
    // declared where its content ends up.
    if (!attribute.name.starts_with("xmlns:") || attribute.name == "xmlns:xacro") continue;
    if (!machine_.Step(parent.attributes.size())) return;
    const Attribute* const known = parent.Find(attribute.name);
    if (!known && !parent.text.empty())
      parent.Set(attribute.name, attribute.value);
    else if (known && known->value != attribute.value && told_.insert(attribute.name).second)
      Say(Severity::kWarning, "xacro-namespace-conflict",
          {"", attribute.name, "is '" + known->value + "' around it already, which stays"},
          Here(node, attribute));
  }
}

const Attribute* Expander::Need(const Node& node, std::string_view name) {
  const Attribute* const found = node.Find(name);
  if (!found)
    Fail("xacro-attribute-missing",
         {"", node.text, "attribute '" + std::string(name) + "' is missing"}, Here(node));
  return found;
}

void Expander::WarnOfOthers(const Node& node, std::initializer_list<std::string_view> known) {
  for (const Attribute& attribute : node.attributes) {
    if (std::find(known.begin(), known.end(), attribute.name) != known.end() ||
        attribute.name.starts_with("xmlns") || attribute.name.starts_with("xacro:"))
      continue;
    // Once for each place, however often a macro is called; beyond a thousand nobody reads on.
    const std::string key = node.text + "/" + attribute.name + Text(node.place);
    if (told_.size() < 1000 && told_.insert(key).second)
      Say(Severity::kWarning, "xacro-attribute-unknown",
          {"", node.text, "attribute '" + attribute.name + "' means nothing here"},
          Here(node, attribute));
  }
}

}  // namespace kinemorph::xacro
