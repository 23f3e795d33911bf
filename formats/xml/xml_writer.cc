#include "xml_writer.h"

#include <array>
#include <charconv>

#include "kinemorph/graph/model_dump.h"

namespace kinemorph::xml {

void AppendNumber(std::string& out, double value) { out += FormatNumber(value); }
std::string NumberText(double value) { return FormatNumber(value); }

std::string VectorText(const Vector3& value) {
  return FormatNumber(value.x()) + " " + FormatNumber(value.y()) + " " + FormatNumber(value.z());
}

std::string Escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += c;
    }
  }
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
  out_ += element;
  open_.emplace_back(element);
  tag_open_ = true;
  inline_text_ = false;
  return *this;
}

Writer& Writer::Attribute(std::string_view name, std::string_view value) {
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
  out_ += Escaped(value);
  out_ += '"';
  return *this;
}

Writer& Writer::Attribute(std::string_view name, double value) { return Attribute(name, std::string_view(FormatNumber(value))); }
Writer& Writer::Attribute(std::string_view name, const Vector3& value) { return Attribute(name, std::string_view(VectorText(value))); }

Writer& Writer::Attribute(std::string_view name, const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + FormatNumber(value);
  return Attribute(name, std::string_view(text));
}

Writer& Writer::Text(std::string_view text) {
  if (tag_open_) out_ += '>';
  tag_open_ = false;
  inline_text_ = true;
  out_ += Escaped(text);
  return *this;
}

Writer& Writer::Text(double value) { return Text(std::string_view(FormatNumber(value))); }

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

// The first line is indented here; further lines shift by the same amount, so that verbatim content stays readable.
Writer& Writer::Raw(std::string_view xml) {
  FinishTag();
  Indent();
  const std::string shift(2 * open_.size(), ' ');
  const bool keep_lines = xml.find("<![CDATA[") != std::string_view::npos;
  for (const char c : xml) {
    out_ += c;
    if (c == '\n' && !keep_lines) out_ += shift;
  }
  out_ += '\n';
  return *this;
}

Writer& Writer::Close() {
  const std::string element = std::move(open_.back());
  open_.pop_back();
  if (tag_open_) {
    out_ += "/>\n";
  } else {
    if (!inline_text_) Indent();
    out_ += "</" + element + ">\n";
  }
  tag_open_ = false;
  inline_text_ = false;
  return *this;
}

Writer& Writer::Leaf(std::string_view element, std::string_view text) { return Open(element).Text(text).Close(); }
Writer& Writer::Leaf(std::string_view element, double value) { return Open(element).Text(value).Close(); }

std::string Writer::text() && { return std::move(out_); }

}  // namespace kinemorph::xml
