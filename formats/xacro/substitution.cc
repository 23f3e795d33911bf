// ${...} and $(...) in texts.
#include <algorithm>

#include "expander.h"
#include "kinemorph/graph/base/text.h"

// A text is a row of pieces: literal text, ${expression} and $(command). One piece alone keeps the
// type of its value, which is how a list or a number gets into a property; several are printed and
// joined. The lexer knows no nesting: the first } or ) ends a piece, whatever quotes are around it,
// as in the program xacro. Errors are told in the line that at_ counts along.

namespace kinemorph::xacro {
namespace {

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && !IsSpace(text[end])) ++end;
    if (end > i) words.emplace_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Joins the pieces of a text: the value of one alone, a text of several.
class Joined {
 public:
  explicit Joined(Machine& machine) : machine_(machine) {}
  bool Add(Value value) {
    if (count_++ == 0) {
      single_ = std::move(value);
      return true;
    }
    if (count_ == 2 && !machine_.Print(single_, text_)) return false;
    return machine_.Print(value, text_) &&
           (text_.size() <= Machine::kLongestText || machine_.MakeText(text_.size()));
  }
  [[nodiscard]] Value Take() {
    return count_ == 0 ? Value("") : count_ == 1 ? std::move(single_) : Value(std::move(text_));
  }

 private:
  Machine& machine_;
  std::size_t count_ = 0;
  Value single_;
  std::string text_;
};

}  // namespace

bool Expander::Substitute(const std::string& text, XacroPlace place, Value& out) {
  if (!machine_.Pass(text.size())) return false;
  if (text.find('$') == std::string::npos) {
    out = text;
    return Keep(sizeof(Value) + text.size(), place);
  }
  // at_ is set back on success only: after a failure it says where.
  const XacroPlace before = at_;
  at_ = place;
  if (!Pieces(text, place, out)) {
    if (!failed_at_) failed_at_ = at_;
    return false;
  }
  TellOfSets(place);
  at_ = before;
  return true;
}

bool Expander::SubstituteText(const std::string& text, XacroPlace place, std::string& out) {
  // Most texts have no '$', and are copied as they are, without a value of an expression between.
  if (text.find('$') == std::string::npos) {
    out = text;
    return Keep(sizeof(Value) + text.size(), place);
  }
  Value value;
  if (!Substitute(text, place, value)) return false;
  out.clear();
  if (machine_.Print(value, out)) {
    TellOfSets(place);
    return true;
  }
  if (!failed_at_) failed_at_ = place;
  machine_.NameSubject("text '" + text.substr(0, 200) + "'");
  return false;
}

bool Expander::Literally(const std::string& text, Value& out) {
  if (!machine_.Step(1 + text.size() / 16) || !machine_.Take(text.size() + sizeof(Value)))
    return false;
  out = Literal(text);
  return true;
}

// Python's order of a set of texts is another one each time it runs.
void Expander::TellOfSets(XacroPlace place) {
  if (machine_.TakeSorted() && told_.insert("set " + Text(place)).second)
    Say(Severity::kWarning, "xacro-set-order",
        "'set': its items have no order that Python promises, and are sorted here: write "
        "sorted(...) around the set",
        place);
}

bool Expander::Pieces(std::string_view text, XacroPlace place, Value& out) {
  Joined joined(machine_);
  std::size_t counted = 0;  // lines up to here are in at_
  for (std::size_t i = 0; i < text.size();) {
    // The line of a piece: a text may run over several lines, an attribute has only one.
    at_.line +=
        static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                              text.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
    counted = i;
    if (text[i] != '$') {
      const std::size_t end = std::min(text.find('$', i), text.size());
      if (!joined.Add(std::string(text.substr(i, end - i)))) return false;
      i = end;
      continue;
    }
    // Of a row of '$' before a bracket one is dropped and the rest is literal: $${x} is ${x}.
    const std::size_t next = text.find_first_not_of('$', i);
    const char mark = next == std::string_view::npos ? '\0' : text[next];
    const bool opens = mark == '{' || mark == '(';
    if (next != std::string_view::npos && next > i + 1 && opens) {  // $${ is a literal ${
      if (!joined.Add(std::string(text.substr(i + 1, next - i)))) return false;
      i = next + 1;
      continue;
    }
    if (next == i + 1 && opens) {
      // The first closing mark, even inside quotes: a dictionary in braces cannot be written in
      // ${}.
      const std::size_t end = text.find(mark == '{' ? '}' : ')', next);
      if (end == std::string_view::npos)
        return Fail(
            "xacro-syntax",
            {"", std::string(text.substr(i, 60)), "a $" + std::string(1, mark) + " is not closed"},
            at_);
      const std::string_view inside = text.substr(next + 1, end - next - 1);
      Value value;
      if (!(mark == '{' ? Compute(inside, value) : ComputeArgument(inside, value)) ||
          !joined.Add(std::move(value)))
        return false;
      i = end + 1;
      continue;
    }
    // A $ before anything else is itself; two in a row are nothing.
    if (next != i + 1 && i + 1 != text.size())
      return Fail("xacro-syntax",
                  {"", std::string(text.substr(i, 60)), "$$ has a meaning only before { or ("},
                  at_);
    if (!joined.Add("$")) return false;
    ++i;
  }
  at_ = place;
  out = joined.Take();
  return true;
}

// ${inside}: what stands in it in turn is put in as text first.
// $(arg n) inside of ${} is put in as text, not as a value: '$(arg n)' has to be quoted to be a
// text.
bool Expander::Compute(std::string_view inside, Value& out) {
  if (!machine_.Pass(8 * inside.size())) return false;
  std::string text(WithoutBlanks(inside));
  const bool nested = text.find('$') != std::string::npos;
  if (nested) {
    const XacroPlace at = at_;
    Value value;
    std::string spliced;
    if (!Pieces(text, at, value) || !machine_.Print(value, spliced)) return false;
    at_ = at;
    text = std::string(WithoutBlanks(spliced));
  }
  std::unique_ptr<Expression> made;
  const Expression* expression = nullptr;
  // Macros evaluate the same texts over and over: their trees are kept, up to a bound. Texts that
  // were spliced together differ each time, and are not worth it.
  const auto known = expressions_.find(text);
  if (known != expressions_.end()) {
    expression = known->second.get();
  } else if (machine_.Step(2 * text.size())) {
    made = ParseExpression(text, machine_);
    expression = made.get();
    if (made && !nested && kept_bytes_ + text.size() <= kMostKept) {
      kept_bytes_ += text.size();
      expressions_.emplace(text, std::move(made));
    }
  }
  if (expression && evaluator_.Evaluate(*expression, out)) return true;
  machine_.NameSubject("expression '" + text.substr(0, 200) + "'");
  return false;
}

// $(arg ${x}) works since the inside is evaluated first; the result is the text of a command.
bool Expander::ComputeArgument(std::string_view inside, Value& out) {
  std::string text(inside);
  if (text.find('$') != std::string::npos) {
    const XacroPlace at = at_;
    Value value;
    text.clear();
    if (!Pieces(inside, at, value) || !machine_.Print(value, text)) return false;
    at_ = at;
  }
  if (Command(text, out)) return true;
  machine_.NameSubject("'$(" + text.substr(0, 200) + ")'");
  return false;
}

bool Expander::ArgumentNamed(const std::string& name, std::string& out) {
  const auto found = arguments_.find(name);
  if (found != arguments_.end()) {
    AskFor(name);
    out = found->second;
    return machine_.Pass(out.size()) && machine_.Take(out.size());
  }
  // The first missing argument does not end the expansion: with a value that fits most places it
  // goes on, so that all that are missing can be told at once. Nothing else that it says is kept.
  out = "0";  // which is good where a number is needed, and a text, and a condition
  const bool known = std::any_of(missing_.begin(), missing_.end(),
                                 [&](const auto& each) { return each.first == name; });
  if (!known) missing_.emplace_back(name, at_);
  return machine_.Step(missing_.size()) && missing_.size() < kMostMissing;
}

void Expander::ReportMissing() {
  std::string names, options;
  for (const auto& [name, place] : missing_) {
    names += (names.empty() ? "'" : ", '") + name + "'";
    options += " --xacro-arg " + name + ":=VALUE";
  }
  const auto& [first, place] = missing_.front();
  const bool one = missing_.size() == 1;
  Diagnostic error = MessageAt(Severity::kError, "xacro-arg-missing",
                               {one ? "argument " + names : "arguments " + names,
                                one ? " has no value: give it by" + options +
                                          ", or a default by <xacro:arg> before this place"
                                    : " have no value: give them by" + options +
                                          ", or defaults by <xacro:arg> before their first use"},
                               place);
  // Backwards into the front, which leaves them in the order of their use, before the notes of the
  // calls.
  for (std::size_t i = missing_.size(); i-- > 1;)
    error.notes.insert(error.notes.begin(),
                       "'" + missing_[i].first + "' is used at " + Text(missing_[i].second));
  diagnostics_.Add(std::move(error));
}

bool Expander::Command(std::string_view text, Value& out) {
  const std::vector<std::string> words = WordsOf(text);
  if (words.empty()) {
    out = "$(" + std::string(text) + ")";
    return true;
  }
  const std::string& command = words[0];
  const auto takes = [&](std::size_t least, std::size_t most) {
    return (words.size() > least && words.size() <= most + 1) ||
           machine_.Fail("xacro-syntax", "'" + command + "' takes " + std::to_string(least) +
                                             (most > least ? " words or more" : " word"));
  };
  if (command == "arg") {
    std::string value;
    if (!takes(1, 1) || !ArgumentNamed(words[1], value)) return false;
    out = std::move(value);
    return true;
  }
  if (command == "find") {
    if (!takes(1, 1)) return false;
    std::optional<std::string> folder = FindPackage(words[1]);
    if (!folder) return false;
    out = std::move(*folder);
    return true;
  }
  // The environment is only seen through what the caller gave: a conversion can be made the same
  // everywhere.
  if (command == "env" || command == "optenv") {
    const bool optional = command == "optenv";
    if (!takes(1, optional ? text.size() : 1)) return false;
    std::optional<std::string> value;
    if (options_.environment) value = options_.environment(words[1]);
    if (!value && !optional)
      return machine_.Fail(
          "xacro-env",
          "environment variable '" + words[1] + "' " +
              (options_.environment ? "is not set"
                                    : "is not given to the file (--no-env): write $(optenv " +
                                          words[1] + " DEFAULT)"));
    std::string otherwise;
    for (std::size_t i = 2; i < words.size(); ++i) otherwise += (i > 2 ? " " : "") + words[i];
    out = value ? std::move(*value) : std::move(otherwise);
    return true;
  }
  // $(dirname) fails in the program xacro, though it is documented: here it is what it is meant to
  // be.
  if (command == "cwd" || command == "dirname") {
    out = command == "cwd" ? options_.working_folder : FolderHere();
    return true;
  }
  if (command == "eval") {
    // The names in $(eval ...) are those of arguments, with their own types, and no properties.
    // Since the first ) ends it, no function can be called in it.
    const std::size_t begin = text.find("eval") + 4;
    const bool before = argument_names_;
    argument_names_ = true;
    const std::unique_ptr<Expression> expression =
        machine_.Step(2 * text.size())
            ? ParseExpression(WithoutBlanks(text.substr(begin)), machine_)
            : nullptr;
    Value value;
    std::string printed;
    const bool done =
        expression && evaluator_.Evaluate(*expression, value) && machine_.Print(value, printed);
    argument_names_ = before;
    if (done) out = std::move(printed);
    return done;
  }
  return machine_.Fail("xacro-unsupported",
                       command == "anon" ? "'anon' makes a random name, which is not supported"
                                         : "'" + command + "' is not a command");
}

}  // namespace kinemorph::xacro
