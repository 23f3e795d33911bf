#include "xml_writer.h"

#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph::xml {

// Two ways to print: elements that a writer opens and closes, one for each line, and trees that
// were kept (Native), whose text must come out with the blanks that it had. The state is one flag
// for a tag that has no '>' yet and one for text in the line: an element without content closes as
// <a/>, one with text in its own line.

namespace {

std::string_view EntityOf(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    case '\t':
      return "&#9;";
    default:
      return {};
  }
}

// What a file cannot hold as it is, in text and in values; there, lines stay lines.
constexpr std::string_view kInText = "&<>", kInValue = "&<>\"";

// In an attribute a line end has to be a reference, or readers make a blank of it.
void AppendEscaped(std::string& out, std::string_view text,
                   std::string_view which = "&<>\"\n\r\t") {
  std::size_t plain = 0;  // from here on nothing is written yet
  for (std::size_t i = text.find_first_of(which); i < text.size();
       i = text.find_first_of(which, i + 1)) {
    const std::string_view entity = EntityOf(text[i]);
    out += text.substr(plain, i - plain);
    out += entity;
    plain = i + 1;
  }
  out += text.substr(plain);
}

void AppendNumbers(std::string& out, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ' ';
    AppendNumber(out, values[i]);
  }
}

// What else a prefix stood for, nobody reads: any name will do.
std::string NamespaceOf(std::string_view prefix) {
  return prefix == "drake" ? "http://drake.mit.edu" : "urn:" + std::string(prefix);
}

}  // namespace

std::string NumberText(double value) { return FormatNumber(value); }

std::string NumbersText(std::span<const double> values) {
  std::string text;
  AppendNumbers(text, values);
  return text;
}
std::string VectorText(const Vector3& value) { return NumbersText(std::span(value.data(), 3)); }

std::string Escaped(std::string_view text) {
  std::string out;
  AppendEscaped(out, text);
  return out;
}

Writer::Writer(bool declaration) {
  if (declaration) out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
}

void Writer::FinishTag() {
  if (!tag_open_) return;
  if (open_.size() == 1 && root_ == 0) root_ = out_.size();
  out_ += ">\n";
  tag_open_ = false;
}

// "drake" of "drake:joint"; `xml` and `xmlns` are XML's own.
void Writer::NotePrefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos && colon > 0 && !name.starts_with("xml"))
    prefixes_.emplace(name.substr(0, colon));
}

void Writer::Indent() { out_.append(2 * open_.size(), ' '); }

Writer& Writer::Open(std::string_view element) {
  FinishTag();
  Indent();
  NotePrefix(element);
  // The name is remembered as its place in the text, and copied from there for the end tag.
  out_ += '<';
  open_.push_back({out_.size(), element.size()});
  out_ += element;
  tag_open_ = true;
  inline_text_ = false;
  return *this;
}

void Writer::OpenAttribute(std::string_view name) {
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
}

Writer& Writer::Attribute(std::string_view name, std::string_view value) {
  OpenAttribute(name);
  AppendEscaped(out_, value);
  out_ += '"';
  return *this;
}

Writer& Writer::Attribute(std::string_view name, std::span<const double> values) {
  OpenAttribute(name);
  AppendNumbers(out_, values);
  out_ += '"';
  return *this;
}

Writer& Writer::Attribute(std::string_view name, double value) {
  return Attribute(name, std::span(&value, 1));
}
Writer& Writer::Attribute(std::string_view name, const Vector3& value) {
  return Attribute(name, std::span(value.data(), 3));
}

void Writer::StartText() {
  if (tag_open_) out_ += '>';
  tag_open_ = false;
  inline_text_ = true;
}

Writer& Writer::Text(std::string_view text) {
  StartText();
  AppendEscaped(out_, text);
  return *this;
}

Writer& Writer::Text(std::span<const double> values) {
  StartText();
  AppendNumbers(out_, values);
  return *this;
}

Writer& Writer::Comment(std::string_view text) {
  FinishTag();
  Indent();
  out_ += "<!-- ";
  // "--" may not stand in a comment: a blank goes between.
  for (std::size_t i = 0; i < text.size(); ++i) {
    out_ += text[i];
    if (text[i] == '-' && i + 1 < text.size() && text[i + 1] == '-') out_ += ' ';
  }
  out_ += " -->\n";
  return *this;
}

Writer& Writer::Native(const NativeElement& element, std::size_t step) {
  FinishTag();
  Indent();
  PrintNative(element, 2 * open_.size(), step, false);
  out_ += '\n';
  return *this;
}

void Writer::PrintNative(const NativeElement& element, std::size_t indent, std::size_t step,
                         bool flows) {
  // Layout may be added only where no text is: a blank beside text would become part of it.
  NotePrefix(element.name);
  out_ += '<';
  out_ += element.name;
  for (const auto& [name, value] : element.attributes) {
    NotePrefix(name);
    OpenAttribute(name);
    AppendEscaped(out_, value, kInValue);
    out_ += '"';
  }
  if (element.text.empty() && element.children.empty()) {
    out_ += "/>";
    return;
  }
  out_ += '>';
  AppendEscaped(out_, element.text, kInText);
  flows = flows || !element.text.empty();
  const auto new_line = [&](std::size_t spaces) {
    if (flows) return;
    out_ += '\n';
    out_.append(spaces, ' ');
  };
  for (const NativeElement& child : element.children) {
    switch (child.kind) {
      case NativeElement::Kind::kElement:
        new_line(indent + step);
        PrintNative(child, indent + step, step, flows);
        break;
      case NativeElement::Kind::kComment:
        new_line(indent + step);
        out_ += "<!--" + child.text + "-->";
        break;
      case NativeElement::Kind::kText:
        flows = true;
        AppendEscaped(out_, child.text, kInText);
        break;
      case NativeElement::Kind::kCData:
        flows = true;
        out_ += "<![CDATA[" + child.text + "]]>";
    }
  }
  new_line(indent);
  out_ += "</" + element.name + ">";
}

std::string TextOf(const NativeElement& element) {
  Writer writer(false);
  writer.Native(element);
  std::string text = std::move(writer).text();
  text.pop_back();
  return text;
}

Writer& Writer::Close() {
  const auto [begin, length] = open_.back();
  open_.pop_back();
  if (tag_open_) {
    out_ += "/>\n";
  } else {
    if (!inline_text_) Indent();
    out_ += "</";
    out_.append(out_, begin, length);
    out_ += ">\n";
  }
  tag_open_ = false;
  inline_text_ = false;
  return *this;
}

Writer& Writer::Leaf(std::string_view element, std::string_view text) {
  return Open(element).Text(text).Close();
}
Writer& Writer::Leaf(std::string_view element, std::span<const double> values) {
  return Open(element).Text(values).Close();
}
Writer& Writer::Leaf(std::string_view element, double value) {
  return Leaf(element, std::span(&value, 1));
}

std::string Writer::text() && {
  std::string declared;
  if (root_ == 0) return std::move(out_);
  for (const std::string& prefix : prefixes_)
    declared += " xmlns:" + prefix + "=\"" + NamespaceOf(prefix) + '"';
  out_.insert(root_, declared);
  return std::move(out_);
}

}  // namespace kinemorph::xml
