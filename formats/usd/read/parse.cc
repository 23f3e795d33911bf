// USD's text -> Layer: what the words mean, and nothing of what they stand for.
#include <algorithm>

#include "read/layer.h"
#include "read/lexer.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

constexpr int kDeepestPrim = 100;  // simulators' own stages have ten levels
constexpr int kDeepestValue = 32;  // dictionaries in dictionaries

bool IsListWord(const Token& t) {
  return t.Is("prepend") || t.Is("append") || t.Is("add") || t.Is("delete") || t.Is("reorder");
}

// What composition asks of a prim: where else it takes its content from, and what is listed.
bool IsComposed(std::string_view field) {
  return field == "references" || field == "payload" || field == "inherits" ||
         field == "specializes" || field == "relocates" || field == "variantSets" ||
         field == "variants" || field == "apiSchemas";
}

// A recursive descent over words of the lexer, which checks the grammar but keeps only what
// composition and a robot's physics need. Values stay as views of the text; whoever asks for one
// reads it (values.h). So a mesh of a million points costs one pass and no copy.
class Parser {
 public:
  Parser(std::string_view text, const Reporter& report)
      : text_(text), report_(report), lexer_(text, report.sources.back().first + 1) {}

  std::optional<Layer> Run() {
    Step();
    if (t_.Is('(') && !Metadata(nullptr)) return std::nullopt;
    // "reorder rootPrims = [...]" may stand between prims.
    while (t_.kind != TokenKind::kEnd) {
      if (t_.Is(';')) {
        Step();
      } else if (t_.Is("reorder")) {
        Step(), Step();
        if (!Expect('=') || !Value(0)) return std::nullopt;
      } else if (!OnePrim(kNoPrim, 0)) {
        return std::nullopt;
      }
    }
    if (failed_) return std::nullopt;
    return std::move(layer_);
  }

 private:
  // The end of the former word is where a value's text ends.
  void Step() {
    last_end_ = t_.end;
    t_ = lexer_.Next();
    if (t_.kind == TokenKind::kWrong) Fail(Shown(t_) + " " + lexer_.complaint());
  }

  static std::string Shown(const Token& t) {
    std::string shown(t.text.substr(0, std::min(t.text.find('\n'), std::size_t{40})));
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < ' ') c = '?';
    return "'" + shown + "'";
  }

  // The first error is the last: what follows from it is noise.
  bool Fail(const std::string& message) {
    if (!failed_) report_.Say(Severity::kError, "usd-syntax", t_.line, message);
    failed_ = true;
    t_.kind = TokenKind::kEnd;
    return false;
  }
  bool Unexpected(const char* wanted) {
    if (failed_) return false;
    return Fail(t_.kind == TokenKind::kEnd
                    ? std::string("the text ends where ") + wanted + " was expected"
                    : Shown(t_) + " was found where " + wanted + " was expected");
  }
  bool Expect(char mark) {
    if (!t_.Is(mark)) {
      const char wanted[] = {'\'', mark, '\'', 0};
      return Unexpected(wanted);
    }
    Step();
    return !failed_;
  }

  // A value and what may stand behind the name of a file: a path in it, and in metadata how its
  // times are moved.
  // One function for all kinds of values: which kind an attribute has does not matter to the
  // grammar, and types of values are checked where they are used.
  bool Value(int depth, bool metadata = false) {
    if (depth > kDeepestValue) return Fail("values nest more than 32 levels deep");
    const TokenKind kind = t_.kind;
    const bool names = kind == TokenKind::kAsset || kind == TokenKind::kPath;
    if (names || kind == TokenKind::kNumber || kind == TokenKind::kString ||
        kind == TokenKind::kName) {
      Step();
      if (kind == TokenKind::kAsset && t_.kind == TokenKind::kPath) Step();
      if (names && metadata && t_.Is('(')) return Value(depth + 1, true);
      return !failed_;
    }
    if (t_.Is('[')) return List(']', depth, metadata);
    if (t_.Is('(')) return List(')', depth, metadata);
    if (t_.Is('{')) return Dictionary(depth);
    return Unexpected("a value");
  }

  // Lists, tuples, and the times of a sublayer: "(offset = 1; scale = 2)".
  bool List(char end, int depth, bool metadata) {
    Step();
    while (!t_.Is(end)) {
      if (!Value(depth + 1, metadata)) return false;
      if (metadata && t_.Is('=')) {
        Step();
        if (!Value(depth + 1, metadata)) return false;
      }
      if (t_.Is(',') || (metadata && t_.Is(';')))
        Step();
      else if (!t_.Is(end) && !metadata)
        return Unexpected(end == ']' ? "',' or ']'" : "',' or ')'");
    }
    Step();
    return !failed_;
  }

  // Of metadata ("string author = ..."), of samples ("1: 2"), of moved paths ("<a>: <b>").
  // Keys are names or strings, after a type ("string author", "double[] x"); those of samples are
  // times, those of relocates paths.
  bool Dictionary(int depth) {
    Step();
    while (!t_.Is('}')) {
      if (t_.Is(',') || t_.Is(';')) {
        Step();
        continue;
      }
      if (t_.kind == TokenKind::kNumber || t_.kind == TokenKind::kPath) {
        Step();
        if (!Expect(':')) return false;
      } else {
        if (t_.kind != TokenKind::kName && t_.kind != TokenKind::kString)
          return Unexpected("an entry of a dictionary");
        Step();
        if (t_.Is('[')) {
          Step();
          if (!Expect(']')) return false;
        }
        if (t_.kind == TokenKind::kName || t_.kind == TokenKind::kString) Step();
        if (t_.Is(':'))
          Step();
        else if (!Expect('='))
          return false;
      }
      if (!Value(depth + 1)) return false;
    }
    Step();
    return !failed_;
  }

  // The bytes of a value, read over.
  bool Taken(std::string_view& value, bool metadata = false) {
    const std::size_t begin = t_.begin;
    if (!Value(0, metadata)) return false;
    value = text_.substr(begin, last_end_ - begin);
    return true;
  }

  // In parentheses: of the layer (no prim), of a prim.
  bool Metadata(Prim* prim) {
    Step();
    while (!t_.Is(')')) {
      // A string alone is the remark of the layer or prim; separators may stand between entries.
      if (t_.kind == TokenKind::kString || t_.Is(';') || t_.Is(',')) {  // a remark
        Step();
        continue;
      }
      std::string_view edit;
      if (IsListWord(t_)) edit = t_.text, Step();
      if (t_.kind != TokenKind::kName) return Unexpected("the name of a piece of metadata");
      const Token field = t_;
      Step();
      std::string_view value;
      if (!Expect('=') || !Taken(value, true)) return false;
      const Edit said{field.text, edit, value, field.line};
      if (prim == nullptr)
        OfLayer(said);
      else
        OfPrim(*prim, said);
    }
    Step();
    return !failed_;
  }

  void OfLayer(const Edit& said) {
    const auto [field, edit, value, line] = said;
    if (field == "defaultPrim") layer_.default_prim = StringIn(value).value_or("");
    if (field == "upAxis") layer_.up_axis = StringIn(value).value_or("?");
    if (field == "subLayers" || field == "relocates") layer_.edits.push_back(said);
    // Zero, negative or endless units would make every length useless.
    for (auto [name, unit] : {std::pair{"metersPerUnit", &layer_.metres},
                              std::pair{"kilogramsPerUnit", &layer_.kilograms}}) {
      if (field != name) continue;
      const std::optional<double> number = NumberIn(value);
      if (number && *number > 0 && *number < 1e30)
        *unit = number;
      else
        report_.Say(Severity::kError, "bad-number", line,
                    {"", std::string(name),
                     "'" + std::string(value.substr(0, 40)) + "' is not a positive number"});
    }
  }

  // What is composed; of the rest what names and switches a prim.
  static void OfPrim(Prim& prim, const Edit& said) {
    if (IsComposed(said.field))
      prim.edits.push_back(said);
    else if (said.field == "displayName")
      prim.display_name = StringIn(said.value).value_or("");
    else if (said.field == "active")
      prim.active = BooleanIn(said.value);
    else if (said.field == "instanceable")
      prim.instanceable = BooleanIn(said.value);
    else if (said.field == "customData")
      prim.custom_data = true;
  }

  // Ids are given in the order of the text, a prim before its children: all passes over the stage
  // rely on it.
  bool OnePrim(PrimId parent, int depth) {
    if (depth > kDeepestPrim) return Fail("prims nest more than 100 levels deep");
    if (!t_.Is("def") && !t_.Is("over") && !t_.Is("class"))
      return Unexpected("'def', 'over' or 'class'");
    Prim prim;
    prim.specifier = t_.text, prim.line = t_.line, prim.parent = parent;
    Step();
    if (t_.kind == TokenKind::kName) {
      prim.type = t_.text;
      Step();
    }
    if (t_.kind != TokenKind::kString || t_.text.empty() ||
        t_.text.find_first_of("/<>.\"'\\ \n[]{}()@") != std::string_view::npos)
      return Unexpected("the name of a prim in quotes");
    prim.name = t_.text;
    Step();
    if (t_.Is('(') && !Metadata(&prim)) return false;
    // The name is reported at its own line, not where its metadata ends.
    const std::uint32_t line = prim.line;
    const std::string shown = "'" + std::string(prim.name) + "'";
    const auto id = static_cast<PrimId>(layer_.prims.size());
    if (!layer_.Add(std::move(prim))) {
      t_.line = line;
      return Fail(shown + ": two prims of one parent have this name");
    }
    return Expect('{') && Body(id, depth);
  }

  bool Body(PrimId id, int depth) {
    std::vector<Property> properties;
    while (!t_.Is('}')) {
      if (t_.Is(';')) {
        Step();
      } else if (t_.Is("def") || t_.Is("over") || t_.Is("class")) {
        if (!OnePrim(id, depth + 1)) return false;
      } else if (t_.Is("variantSet")) {
        if (!Variants(id, depth)) return false;
      } else if (!OneProperty(properties)) {
        return false;
      }
    }
    Step();
    // Properties are sorted once, for look-ups by name; of one name the order of the text stays.
    std::stable_sort(properties.begin(), properties.end(),
                     [](const Property& a, const Property& b) { return a.name < b.name; });
    properties.shrink_to_fit();
    layer_.prims[id].properties = std::move(properties);
    return !failed_;
  }

  // The content of each variant is a prim of its own.
  bool Variants(PrimId id, int depth) {
    if (depth + 1 > kDeepestPrim) return Fail("prims nest more than 100 levels deep");
    Step();
    if (t_.kind != TokenKind::kString) return Unexpected("the name of a set of variants");
    const std::string_view set = t_.text;
    Step();
    if (!Expect('=') || !Expect('{')) return false;
    while (!t_.Is('}')) {
      if (t_.kind != TokenKind::kString) return Unexpected("the name of a variant");
      Prim content;
      content.specifier = "over", content.name = t_.text, content.line = t_.line;
      Step();
      if (t_.Is('(') && !Metadata(&content)) return false;
      const PrimId variant = layer_.AddVariant(id, set, std::move(content));
      if (!Expect('{') || !Body(variant, depth + 1)) return false;
    }
    Step();
    return !failed_;
  }

  // [prepend] [custom] [uniform] (rel | type[]) name[.timeSamples|.connect] [= value] [(metadata)]
  bool OneProperty(std::vector<Property>& properties) {
    Property p;
    const bool listed = IsListWord(t_);
    if (listed) p.edit = t_.text, Step();
    while (t_.Is("custom") || t_.Is("uniform") || t_.Is("varying") || t_.Is("config")) Step();
    if (t_.kind != TokenKind::kName) return Unexpected("a property or a prim");
    p.line = t_.line;
    if (!t_.Is("rel")) p.type = t_.text;
    Step();
    if (t_.Is('=') && listed) {  // "reorder nameChildren = [...]"
      Step();
      return Value(0);
    }
    if (t_.Is('[')) {
      Step();
      if (!Expect(']')) return false;
    }
    if (t_.kind != TokenKind::kName) return Unexpected("the name of a property");
    p.name = t_.text;
    Step();
    // ".timeSamples", ".connect" and ".spline" are statements of the same attribute.
    const std::size_t dot = p.name.rfind('.');
    const std::string_view suffix = dot == std::string_view::npos ? "" : p.name.substr(dot);
    p.name = p.name.substr(0, dot);
    if (t_.Is('=')) {
      Step();
      std::string_view value;
      if (!Taken(value)) return false;
      if (suffix == ".connect")
        p.connect = value;
      else if (suffix == ".timeSamples" || suffix == ".spline")
        p.samples = true;
      else if (suffix.empty())
        p.value = value;
      else
        return Fail("'" + std::string(suffix) + "' is not part of a property");
    }
    Prim ignored;
    if (t_.Is('(') && !Metadata(&ignored)) return false;
    properties.push_back(p);
    return true;
  }

  std::string_view text_;
  const Reporter& report_;
  Lexer lexer_;
  Token t_;
  std::size_t last_end_ = 0;
  bool failed_ = false;
  Layer layer_;
};

}  // namespace

std::optional<Layer> ParseLayer(std::string_view text, const Reporter& report) {
  return Parser(text, report).Run();
}

}  // namespace kinemorph::usd
