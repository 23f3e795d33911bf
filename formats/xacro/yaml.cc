// YAML 1.1 as load_yaml needs it: block and flow collections, scalars of all styles, anchors, merge
// keys and tags of units. Complex keys, directives, several documents and other tags are errors.
#include "yaml.h"

#include <algorithm>
#include <map>

#include "characters.h"
#include "expander.h"
#include "kinemorph/graph/base/text.h"

// A recursive parser that follows columns: a collection lasts while its lines begin in its own
// column, and a value lies deeper than `outer`, the column of what holds it. Inside [ ] and { }
// (level_ > 0) columns mean nothing, and commas and brackets end a word. Values are made at once,
// without events or a tree between; an alias shares the value of its anchor, so that repeated
// aliases take no memory.

namespace kinemorph::xacro {
namespace {

// Tags are computed with what is built in, not with properties.
class NoNames : public Names {
 public:
  explicit NoNames(Machine& machine) : machine_(machine) {}
  Answer Read(const void* /*space*/, const std::string& /*name*/, Value& /*out*/) override {
    return Answer::kUnknown;
  }
  const void* Space(const void* /*space*/, const std::string& /*name*/) override { return nullptr; }
  bool CallXacro(const Call& call, Value& /*out*/) override {
    return machine_.Fail("xacro-unsupported", call.name + "() cannot be called here");
  }

 private:
  Machine& machine_;
};

class Yaml : private YamlText {
 public:
  using YamlText::YamlText;

  bool Whole(Value& out) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    bool control = false;
    at_ = std::min(xml::FirstBadByte(text_, control), text_.size());
    if (at_ < text_.size())
      return Wrong(control ? "the text has a control character" : "the text is not UTF-8");
    at_ = 0;
    if (!Skip()) return false;
    if (Peek() == '%') return Wrong("directives (%) are not supported");
    if (text_.substr(at_, 3) == "---" && IsBlankAt(at_ + 3)) {
      at_ += 3;
      if (!Skip()) return false;
    }
    if (!Block(-1, out) || !Skip()) return false;
    if (text_.substr(at_, 3) == "..." && IsBlankAt(at_ + 3)) {
      at_ += 3;
      if (!Skip()) return false;
    }
    if (at_ == text_.size()) return true;
    return Wrong(AtMarker() ? "several documents in one file are not supported"
                            : "the indentation fits nothing above it");
  }
  [[nodiscard]] std::uint32_t line() const {
    return static_cast<std::uint32_t>(
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

 private:
  [[nodiscard]] int Column() const {
    const std::size_t begin = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
    return static_cast<int>(begin == std::string_view::npos ? at_ : at_ - begin - 1);
  }
  [[nodiscard]] bool AtMarker() const {
    const std::string_view three = text_.substr(at_, 3);
    return (three == "---" || three == "...") && IsBlankAt(at_ + 3) && Column() == 0;
  }

  // To the next thing that is neither blank nor a comment.
  bool Skip() {
    // YAML forbids tabs in front of a line, because no one knows how wide they are.
    bool fresh = at_ == 0 || text_[at_ - 1] == '\n';
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        fresh = true;
      } else if (c == '\t' && fresh) {
        return Wrong("the indentation has a tab");
      } else if (c == '#' && (fresh || at_ == 0 || IsSpace(text_[at_ - 1]))) {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      } else if (!IsSpace(c)) {
        return true;
      }
      ++at_;
    }
    return true;
  }
  [[nodiscard]] bool AtItem() const { return Peek() == '-' && IsBlankAt(at_ + 1); }

  struct Properties {
    std::string anchor, tag;
  };
  bool ReadProperties(Properties& properties) {
    while (Peek() == '&' || Peek() == '!') {
      std::string& word = Peek() == '&' ? properties.anchor : properties.tag;
      if (!word.empty()) return Wrong("two tags or anchors on one value");
      const std::size_t begin = at_;
      while (!IsBlankAt(at_) && (level_ == 0 || Peek() != ',')) ++at_;
      word = text_.substr(begin, at_ - begin);
      Blanks();
    }
    return true;
  }

  // The value that stands here or below, deeper than the column `outer`.
  bool Block(int outer, Value& out) {
    out = Value();
    if (!machine_.Step() || !Skip()) return false;
    // Nothing deeper follows: an empty value, which is None.
    if (at_ == text_.size() || AtMarker() || Column() <= outer) return true;
    if (++depth_ > Machine::kDeepest) return Wrong("collections are nested too deeply");
    const bool done = BlockValue(outer, Column(), out);
    --depth_;
    return done;
  }

  bool BlockValue(int outer, int column, Value& out) {
    const std::size_t begin = at_;
    Properties properties;
    if (AtItem()) return List(column, out);
    if (Peek() == '?' && IsBlankAt(at_ + 1)) return Wrong("complex keys (?) are not supported");
    if (KeyFollows()) return Map(column, out);
    if (!ReadProperties(properties)) return false;
    if (at_ != begin && LineEnds()) {  // its value stands below
      Value below;
      if (!Skip()) return false;
      // A list may stand at the column of its key.
      // "key: &a" with the list below it in the column of the key, which YAML allows for lists
      // only.
      if (!Block(AtItem() && Column() == outer ? outer - 1 : outer, below)) return false;
      return Finish(properties, std::move(below), false, out);
    }
    return Inline(outer, properties, out);
  }

  // Whether a key and a colon stand here: "a:", "'a b':", not "a:b".
  [[nodiscard]] bool KeyFollows() const {
    std::size_t i = at_;
    // A key cannot begin with a collection or a block text here: complex keys are refused.
    if (Peek() == '[' || Peek() == '{' || Peek() == '|' || Peek() == '>') return false;
    if (Peek() == '"' || Peek() == '\'') {
      const char quote = text_[i++];
      while (i < text_.size() && text_[i] != quote && text_[i] != '\n')
        i += text_[i] == '\\' && quote == '"' ? 2 : 1;
      ++i;
      while (i < text_.size() && text_[i] == ' ') ++i;
      return i < text_.size() && text_[i] == ':' && IsBlankAt(i + 1);
    }
    // In a plain key a colon counts only where a blank follows: "package://x" is a value.
    for (; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == ':' && IsBlankAt(i + 1)) return true;
      if (text_[i] == '#' && i > 0 && IsSpace(text_[i - 1])) return false;
    }
    return false;
  }

  bool List(int column, Value& out) {
    std::vector<Value> items;
    while (AtItem() && Column() == column && !AtMarker()) {
      ++at_;
      if (items.size() >= Machine::kLongestSequence) return machine_.MakeItems(items.size() + 1);
      if (!machine_.Take(2 * sizeof(Value))) return false;
      if (!Block(column, items.emplace_back()) || !Skip()) return false;
    }
    return machine_.Make(Form::kList, std::move(items), out);
  }

  bool Map(int column, Value& out) {
    std::vector<std::pair<Value, Value>> pairs;
    while (at_ < text_.size() && Column() == column && !AtMarker()) {
      if (!KeyFollows()) return Wrong("a key and a colon are expected");
      if (!machine_.Take(4 * sizeof(Value))) return false;
      Value key, value;
      Properties properties;
      // A key is a scalar in one line, with its type: 1 is an integer as a key too.
      if (!ReadProperties(properties) || !Scalar(column, true, properties, key)) return false;
      Blanks();
      if (Peek() != ':') return Wrong("a colon is expected after the key");
      ++at_;
      Blanks();
      if (LineEnds()) {
        if (!Skip()) return false;
        // The value stands below, or is empty; a list may stand in the column of its key.
        if (!Block(AtItem() && Column() == column ? column - 1 : column, value)) return false;
      } else {
        // "key: - a" is no YAML, though it looks like it.
        if (AtItem()) return Wrong("a list begins in the line of its key");
        if (!Anchored(column, value)) return false;
      }
      if (!Skip()) return false;
      pairs.emplace_back(std::move(key), std::move(value));
      if (pairs.size() > Machine::kLongestSequence) return machine_.MakeItems(pairs.size());
    }
    if (at_ < text_.size() && Column() > column && !AtMarker())
      return Wrong("the indentation fits nothing above it");
    return Dictionary(std::move(pairs), out);
  }

  // A value in the line of its key.
  bool Anchored(int column, Value& out) {
    Properties properties;
    if (!ReadProperties(properties)) return false;
    if (!LineEnds()) {
      // "a: b: c" is ambiguous, and PyYAML refuses it too.
      if (KeyFollows()) return Wrong("the line has a second key: quote the text");
      return Inline(column, properties, out);
    }
    Value below;
    if (!Skip() || !Block(AtItem() && Column() == column ? column - 1 : column, below))
      return false;
    return Finish(properties, std::move(below), false, out);
  }

  bool Dictionary(std::vector<std::pair<Value, Value>> pairs, Value& out) {
    // What a YAML file gives is read by dots, d.key, everywhere in the program xacro.
    auto made = std::make_shared<xacro::Dictionary>();
    made->dotted = true;
    for (const auto& [key, value] : pairs) {  // what is merged goes first
      if (!key.Text() || *key.Text() != "<<") continue;
      // Of several merged maps the first wins, so they are put in from the last on; the map's own
      // keys come after all and win over them.
      std::vector<Value> sources = {value};
      if (value.Items()) sources = value.Items()->items;
      for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
        if (!source->Dict()) return Wrong("<< needs a map, or a list of maps");
        for (const auto& [name, item] : source->Dict()->items)
          if (!machine_.Put(*made, name, item)) return false;
      }
    }
    for (auto& [key, value] : pairs)
      if ((!key.Text() || *key.Text() != "<<") &&
          !machine_.Put(*made, std::move(key), std::move(value)))
        return false;
    out = std::move(made);
    return true;
  }

  // A scalar, an alias or a flow collection, which begins here.
  bool Inline(int outer, const Properties& properties, Value& out) {
    if (Peek() == '*') {
      const std::size_t begin = ++at_;
      while (!IsBlankAt(at_) && std::string_view(",]}").find(Peek()) == std::string_view::npos)
        ++at_;
      const auto found = anchors_.find(std::string(text_.substr(begin, at_ - begin)));
      if (found == anchors_.end()) return Wrong("an alias (*) of no anchor before it");
      out = found->second;
    } else if (Peek() == '[' || Peek() == '{') {
      Value made;
      if (!Flow(made) || !Finish(properties, std::move(made), false, out)) return false;
    } else {
      return Scalar(outer, false, properties, out) && (level_ > 0 || EndOfLine());
    }
    return level_ > 0 || EndOfLine();
  }
  bool Flow(Value& out) {
    if (++level_ > Machine::kDeepest) return Wrong("collections are nested too deeply");
    const bool map = Peek() == '{';
    const char close = map ? '}' : ']';
    std::vector<Value> items;
    std::vector<std::pair<Value, Value>> pairs;
    // Line ends and comments are blanks up to the closing bracket.
    ++at_;
    if (!Skip()) return false;
    while (Peek() != close) {
      if (at_ >= text_.size()) return Wrong("a bracket is not closed");
      if (!machine_.Step() || !machine_.Take(4 * sizeof(Value))) return false;
      Value item, value;
      Properties properties;
      if (!ReadProperties(properties) || !Inline(-1, properties, item) || !Skip()) return false;
      // In braces a key with its value, or a key alone; a pair inside square brackets would be a
      // map of one.
      const bool pair = Peek() == ':' && at_ < text_.size();
      if (pair) {
        ++at_;
        if (!Skip()) return false;
        Properties of_value;
        if (Peek() != ',' && Peek() != close &&
            (!ReadProperties(of_value) || !Inline(-1, of_value, value) || !Skip()))
          return false;
      }
      if (map) {
        pairs.emplace_back(std::move(item), std::move(value));
      } else if (pair) {
        return Wrong("a key in a list of brackets is not supported");
      } else {
        items.push_back(std::move(item));
      }
      if (items.size() + pairs.size() > Machine::kLongestSequence)
        return machine_.MakeItems(items.size() + pairs.size());
      if (Peek() == ',') {
        ++at_;
        if (!Skip()) return false;
      } else if (Peek() != close) {
        return Wrong("a comma or a bracket is expected");
      }
    }
    ++at_;
    --level_;
    return map ? Dictionary(std::move(pairs), out)
               : machine_.Make(Form::kList, std::move(items), out);
  }

  bool Scalar(int outer, bool key, const Properties& properties, Value& out) {
    std::string text;
    const char first = Peek();
    if (first == '\'' || first == '"') {
      if (!Quoted(text)) return false;
      return Finish(properties, Value(std::move(text)), false, out);
    }
    if ((first == '|' || first == '>') && level_ == 0 && !key) {
      if (!BlockText(outer, text)) return false;
      return Finish(properties, Value(std::move(text)), false, out);
    }
    if (std::string_view("@`%{}[],&*!|>").find(first) != std::string_view::npos)
      return Wrong("'" + std::string(1, first) + "' begins no value");
    if (!PlainLine(text)) return false;
    // A plain text goes on in the lines below that are deeper, joined by blanks. A key among them
    // is a sign of wrong indentation.
    while (level_ == 0 && !key && Continues(outer)) {
      if (!Skip()) return false;
      if (KeyFollows()) return Wrong("a text of several lines has a key in it");
      text += ' ';
      if (!PlainLine(text)) return false;
      if (text.size() > Machine::kLongestText) return machine_.MakeText(text.size());
    }
    return Finish(properties, Value(std::move(text)), true, out);
  }

  // Whether the next line continues a plain text: it is not empty, and deeper than `outer`.
  [[nodiscard]] bool Continues(int outer) const {
    if (Peek() != '\n' && Peek() != '\r') return false;
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return false;
    const std::size_t word = text_.find_first_not_of(' ', end + 1);
    return word != std::string_view::npos && !IsSpace(text_[word]) && text_[word] != '#' &&
           static_cast<int>(word - end - 1) > outer &&
           !(word == end + 1 && (text_.substr(word, 3) == "---" || text_.substr(word, 3) == "..."));
  }

  bool PlainLine(std::string& text) {
    const std::size_t begin = at_;
    std::size_t end = at_;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      // A colon with a blank and a '#' behind one end a plain text everywhere, brackets and commas
      // inside brackets.
      const char c = text_[at_];
      if (c == ':' &&
          (IsBlankAt(at_ + 1) ||
           (level_ > 0 && std::string_view(",[]{}").find(Peek(1)) != std::string_view::npos)))
        break;
      if (c == '#' && at_ > begin && IsSpace(text_[at_ - 1])) break;
      if (level_ > 0 && std::string_view(",[]{}").find(c) != std::string_view::npos) break;
      if (!IsSpace(c)) end = at_ + 1;
    }
    if (!machine_.MakeText(end - begin)) return false;
    text += text_.substr(begin, end - begin);
    at_ = end;
    return true;
  }

  // Gives a value its tag and its anchor. `plain`: a word without quotes.
  bool Finish(const Properties& properties, Value value, bool plain, Value& out) {
    const std::string& tag = properties.tag;
    // Tags decide before types: !!str and ! keep the word a text; the tags of units compute a
    // number.
    if (tag.empty() && plain) {
      const std::string text = *value.Text();
      if (!YamlScalar(text, machine_, value)) return false;
    } else if (!tag.empty() && tag != "!!str" && tag != "!" && !Unit(tag, value)) {
      return false;
    } else if (!tag.empty() && !value.Text() && !value.Float()) {
      return Wrong("the tag " + tag + " is not supported here");
    }
    if (!properties.anchor.empty()) anchors_[properties.anchor.substr(1)] = value;
    out = std::move(value);
    return true;
  }

  bool Unit(const std::string& tag, Value& value) {
    struct Known {
      std::string_view tag;
      double factor;
    };
    // Units of the program xacro, to SI units: rad and m. Degrees have no factor, since radians()
    // has to give the same last digit as in expressions.
    constexpr Known kUnits[] = {{"!radians", 1},         {"!degrees", 0},   {"!meters", 1},
                                {"!millimeters", 0.001}, {"!foot", 0.3048}, {"!inches", 0.0254}};
    const auto* const known = std::find_if(std::begin(kUnits), std::end(kUnits),
                                           [&](const Known& unit) { return unit.tag == tag; });
    if (known == std::end(kUnits) || !value.Text())
      return Wrong("the tag " + tag + " is not supported" + (value.Text() ? "" : " here"));
    // The text of a tag is an expression (!radians pi/2), of built-in names only: a file of data
    // cannot see properties.
    NoNames names(machine_);
    Evaluator evaluator(machine_, names);
    const std::string text = *value.Text();
    const auto expression = ParseExpression(text, machine_);
    Value result;
    if (!expression || !evaluator.Evaluate(*expression, result)) {
      machine_.NameSubject("'" + tag + " " + text + "'");
      return false;
    }
    std::vector<Value> arguments = {result};
    if (!evaluator.CallFunction({"float", nullptr}, arguments, {}, result)) return false;
    if (known->factor != 0) {
      value = result.Number() * known->factor;
      return true;
    }
    return evaluator.CallFunction({"radians", nullptr}, {result}, {}, value);
  }

  int depth_ = 0, level_ = 0;
  std::map<std::string, Value> anchors_;
};

}  // namespace

bool ReadYaml(std::string_view text, Evaluator& evaluator, Value& out, std::uint32_t& line) {
  Yaml yaml(text, evaluator.machine());
  if (evaluator.machine().Step(text.size() / 4) && yaml.Whole(out)) return true;
  line = yaml.line();
  return false;
}

}  // namespace kinemorph::xacro
