#include "xml_writer.h"

#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph::xml {

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

void AppendEscaped(std::string& out, std::string_view text) {
  std::size_t plain = 0;  // from here on nothing is written yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view entity = EntityOf(text[i]);
    if (entity.empty()) continue;
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

}  // namespace

std::string NumberText(double value) { return FormatNumber(value); }

std::string VectorText(const Vector3& value) {
  std::string text;
  AppendNumbers(text, std::span(value.data(), 3));
  return text;
}

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
  out_ += ">\n";
  tag_open_ = false;
}

void Writer::Indent() { out_.append(2 * open_.size(), ' '); }

Writer& Writer::Open(std::string_view element) {
  FinishTag();
  Indent();
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
  for (std::size_t i = 0; i < text.size(); ++i) {
    out_ += text[i];
    if (text[i] == '-' && i + 1 < text.size() && text[i + 1] == '-') out_ += ' ';
  }
  out_ += " -->\n";
  return *this;
}

// The first line is indented here; further lines shift by the same amount, so that verbatim content
// stays readable.
Writer& Writer::Raw(std::string_view xml) {
  FinishTag();
  Indent();
  const bool keep_lines = xml.find("<![CDATA[") != std::string_view::npos;
  for (std::size_t end = keep_lines ? xml.npos : xml.find('\n'); end != xml.npos;
       end = xml.find('\n')) {
    out_ += xml.substr(0, end + 1);
    Indent();
    xml.remove_prefix(end + 1);
  }
  out_ += xml;
  out_ += '\n';
  return *this;
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

std::string Writer::text() && { return std::move(out_); }

}  // namespace kinemorph::xml
