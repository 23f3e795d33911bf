#include "document.h"

#include <tinyxml2.h>

#include <algorithm>

#include "prescan.h"
#include "xml_writer.h"

// Between tinyxml2 and the tree that is expanded: ParseDocument copies the parsed text into nodes
// that own their words, since macros are expanded after the parser is gone; PrintDocument writes
// the result in the layout of the program xacro, so that both can be compared line by line, and
// notes for each line the place that it came from. Reading a message back to that place needs
// nothing more.

namespace kinemorph::xacro {
namespace {

std::uint32_t LineOf(int line) { return static_cast<std::uint32_t>(std::max(line, 1)); }

std::uint32_t NewLines(std::string_view text) {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

// XML takes line ends and tabs in an attribute for blanks.
std::string AttributeText(const char* value) {
  std::string text = value;
  for (char& c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  return text;
}

// Levels are bounded by Prescan, so that the recursion is. False: a node that the result has no use
// for (the XML declaration, which is written anew, and document types).
bool Convert(const tinyxml2::XMLNode& from, std::uint32_t file, Node& to) {
  to.place = {file, LineOf(from.GetLineNum()), 0};
  const char* const value = from.Value();
  to.text = value ? value : "";
  to.last_line = to.place.line + NewLines(to.text);
  if (const tinyxml2::XMLText* const text = from.ToText()) {
    to.kind = text->CData() ? Node::Kind::kData : Node::Kind::kText;
    return true;
  }
  if (from.ToComment()) {
    to.kind = Node::Kind::kComment;
    return true;
  }
  if (from.ToDeclaration()) {
    to.kind = Node::Kind::kInstruction;
    return !to.text.starts_with("xml ") && to.text != "xml";
  }
  const tinyxml2::XMLElement* const element = from.ToElement();
  if (!element) return false;
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a; a = a->Next())
    to.attributes.push_back({a->Name(), AttributeText(a->Value()), LineOf(a->GetLineNum())});
  for (const tinyxml2::XMLNode* child = from.FirstChild(); child; child = child->NextSibling())
    if (!Convert(*child, file, to.children.emplace_back())) to.children.pop_back();
  return true;
}

// The messages of the common mistakes, in the words that the readers of formats use for them.
void Malformed(const tinyxml2::XMLDocument& parsed, const std::string& file_name,
               Diagnostics& diagnostics) {
  const tinyxml2::XMLError error = parsed.ErrorID();
  const char* const kind = tinyxml2::XMLDocument::ErrorIDToName(error);
  std::string message = "the text is not well-formed XML (" + std::string(kind ? kind : "?") + ")";
  if (error == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT)
    message = "an element is not closed by its own end tag";
  else if (error == tinyxml2::XML_ERROR_PARSING_ATTRIBUTE)
    message = "an attribute is malformed or repeated";
  diagnostics.Add({Severity::kError,
                   "xml-malformed",
                   file_name,
                   LineOf(parsed.ErrorLineNum()),
                   "",
                   std::move(message),
                   {}});
}

// Keeps `lines_` in step with `text_`: Begin notes the place of the line that starts, End one for
// each line end inside of what was written.
class Printer {
 public:
  Printer(Machine& machine, std::string& text, std::vector<XacroPlace>& lines)
      : machine_(machine), text_(text), lines_(lines) {}

  // False where the machine allows no more text.
  bool Line(const Node& node, std::size_t depth) {
    Begin(node, depth);
    switch (node.kind) {
      case Node::Kind::kElement:
        if (!Element(node, depth)) return false;
        break;
      case Node::Kind::kText: {
        const std::size_t begin = node.text.find_first_not_of(" \t\r\n");
        const std::size_t end = node.text.find_last_not_of(" \t\r\n");
        text_ += xml::Escaped(std::string_view(node.text).substr(begin, end - begin + 1));
        break;
      }
      case Node::Kind::kData:
      case Node::Kind::kComment:
      case Node::Kind::kInstruction:
        Other(node);
    }
    return End(node);
  }
  [[nodiscard]] const XacroPlace& place() const { return lines_.back(); }

 private:
  static bool IsBlank(const Node& node) {
    return node.kind == Node::Kind::kText &&
           node.text.find_first_not_of(" \t\r\n") == std::string::npos;
  }
  void Begin(const Node& node, std::size_t depth) {
    lines_.push_back(node.place);
    text_.append(2 * depth, ' ');
    from_ = text_.size();
  }
  // What was written may have had lines of its own.
  bool End(const Node& node) {
    lines_.insert(lines_.end(), NewLines(std::string_view(text_).substr(from_)), node.place);
    text_ += '\n';
    from_ = text_.size();
    return Charged();
  }
  // The text doubles its room as it grows, and who reads it copies it.
  bool Charged() {
    const std::size_t told = std::exchange(charged_, text_.size());
    const std::size_t lines = std::exchange(counted_, lines_.size());
    return machine_.Pass(text_.size() - told) &&
           machine_.Take(3 * (text_.size() - told) +
                         2 * sizeof(XacroPlace) * (lines_.size() - lines));
  }
  void Other(const Node& node) {
    if (node.kind == Node::Kind::kComment) {
      text_ += "<!--" + node.text + "-->";
    } else if (node.kind == Node::Kind::kInstruction) {
      text_ += "<?" + node.text + "?>";
    } else {
      text_ += "<![CDATA[" + node.text + "]]>";
    }
  }
  bool Element(const Node& node, std::size_t depth) {
    text_ += '<' + node.text;
    // The program xacro sorts attributes by name: the result does not depend on how they were
    // written.
    std::vector<const Attribute*> attributes;
    for (const Attribute& attribute : node.attributes) attributes.push_back(&attribute);
    std::sort(attributes.begin(), attributes.end(),
              [](const Attribute* a, const Attribute* b) { return a->name < b->name; });
    for (const Attribute* attribute : attributes) {
      text_ += ' ' + attribute->name + "=\"" + xml::Escaped(attribute->value) + '"';
      if (!Charged()) return false;
    }
    // Blank text between tags is layout of the source, and is not kept.
    if (std::all_of(node.children.begin(), node.children.end(), IsBlank)) {
      text_ += "/>";
      return true;
    }
    text_ += '>';
    // An element of texts only stays on one line: blanks put around them would change its text. Any
    // other child gets a line of its own.
    const bool texts = std::all_of(node.children.begin(), node.children.end(), [](const Node& n) {
      return n.kind == Node::Kind::kText || n.kind == Node::Kind::kData;
    });
    if (texts) {
      for (const Node& child : node.children) {
        if (child.kind == Node::Kind::kText)
          text_ += xml::Escaped(child.text);
        else
          Other(child);
        if (!Charged()) return false;
      }
    } else {
      if (!End(node)) return false;
      for (const Node& child : node.children)
        if (!IsBlank(child) && !Line(child, depth + 1)) return false;
      Begin(node, depth);
    }
    text_ += "</" + node.text + '>';
    return true;
  }

  Machine& machine_;
  std::string& text_;
  std::vector<XacroPlace>& lines_;
  std::size_t from_ = 0, charged_ = 0, counted_ = 0;
};

// What the elements and attributes of a text take, and what its parser takes meanwhile, which is
// given back when the next charge comes.
bool Charge(Machine& machine, std::size_t bytes, const xml::Census& census) {
  constexpr std::size_t kElement = 2 * sizeof(Node), kAttribute = 2 * sizeof(Attribute);
  return machine.Step(bytes / 8) &&
         machine.Take(3 * bytes + census.elements * kElement + census.attributes * kAttribute);
}

}  // namespace

void Node::Set(const std::string& name, std::string value) {
  for (Attribute& attribute : attributes) {
    if (attribute.name != name) continue;
    attribute.value = std::move(value);
    return;
  }
  attributes.push_back({name, std::move(value), place.line});
}

std::unique_ptr<Document> ParseDocument(std::string_view text, const std::string& file_name,
                                        std::uint32_t file, Machine& machine,
                                        Diagnostics& diagnostics) {
  // A limit before the parser sees the text: its own memory is not charged.
  if (text.size() > kMostBytes) {
    diagnostics.Add({Severity::kError,
                     "xacro-too-large",
                     file_name,
                     1,
                     "",
                     "'" + file_name + "' is larger than 16 MiB",
                     {}});
    return nullptr;
  }
  std::string mended;
  std::string_view clean;
  // The prescan refuses what the parser would take too much time or memory for, mends what a
  // lenient reader takes, and counts what is to be charged.
  xml::Census census;
  const xml::Context context{
      .diagnostics = &diagnostics, .file_name = file_name, .format = "xacro"};
  if (!xml::Prescan(text, context, mended, clean, census) || !Charge(machine, text.size(), census))
    return nullptr;
  tinyxml2::XMLDocument parsed;
  if (parsed.Parse(clean.data(), clean.size()) != tinyxml2::XML_SUCCESS) {
    Malformed(parsed, file_name, diagnostics);
    return nullptr;
  }
  auto document = std::make_unique<Document>();
  bool rooted = false;
  for (const tinyxml2::XMLNode* node = parsed.FirstChild(); node; node = node->NextSibling()) {
    if (node->ToElement() && rooted) {
      diagnostics.Add({Severity::kError,
                       "xml-malformed",
                       file_name,
                       LineOf(node->GetLineNum()),
                       "",
                       "a second root element follows the first",
                       {}});
      return nullptr;
    }
    Node made;
    if (!Convert(*node, file, made)) continue;
    if (node->ToElement()) {
      document->root = std::move(made);
      rooted = true;
    } else {
      (rooted ? document->after : document->before).push_back(std::move(made));
    }
  }
  if (rooted) return document;
  diagnostics.Add(
      {Severity::kError, "xml-no-element", file_name, 1, "", "the text has no XML element", {}});
  return nullptr;
}

bool PrintDocument(const Document& document, Machine& machine, std::string& text,
                   std::vector<XacroPlace>& lines, XacroPlace& place) {
  text = "<?xml version=\"1.0\" ?>\n";
  lines = {document.root.place};
  Printer printer(machine, text, lines);
  const auto print = [&](const Node& node) {
    if (printer.Line(node, 0)) return true;
    place = printer.place();
    return false;
  };
  return std::all_of(document.before.begin(), document.before.end(), print) &&
         print(document.root) && std::all_of(document.after.begin(), document.after.end(), print);
}

}  // namespace kinemorph::xacro
