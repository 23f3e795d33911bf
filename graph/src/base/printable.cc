#include "kinemorph/graph/base/printable.h"

#include <cstdint>

namespace kinemorph {
// A description comes from anywhere, and its names end up on terminals and in build logs: escape
// sequences could hide or repaint lines, marks of direction turn them round, and lines that begin
// with :: are commands to some build servers. So what is printed of a file passes here. Bytes that
// are no UTF-8 are shown by their value.
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

// One character of UTF-8 at the start of `text`; size 0 where there is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;
};

Character FirstOf(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  // 0xC0, 0xC1 and above 0xF4 begin no character; codes that fit into fewer bytes, surrogates and
  // what is beyond U+10FFFF are errors too (RFC 3629).
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return {};
  std::uint32_t code = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, size};
}

bool IsControl(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// Turns the direction of writing, or ends a line.
bool IsMark(std::uint32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

void AppendHex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHexDigits[value >> shift & 15];
}

bool StartsCommand(std::string_view text) {
  return text.starts_with("##[") || text.starts_with("##vso[");
}

}  // namespace

std::string Printable(std::string_view text, LineEnds ends) {
  std::string out;
  out.reserve(text.size());
  bool at_start = true;  // of a line, or behind its spaces
  while (!text.empty()) {
    const Character c = FirstOf(text);
    if (c.size == 0) {
      out += "\\x";
      AppendHex(out, static_cast<unsigned char>(text[0]), 2);
    } else if (c.code == '\n') {
      out += ends == LineEnds::kEscaped ? "\\n" : ends == LineEnds::kKept ? "\n" : "\n    ";
    } else if (IsControl(c.code)) {
      out += "\\x";
      AppendHex(out, c.code, 2);
    } else if (IsMark(c.code)) {
      out += "\\u";
      AppendHex(out, c.code, 4);
    } else if (at_start && text.starts_with("::")) {
      out += "\\x3a";
    } else if (StartsCommand(text)) {
      out += "\\x23";
    } else {
      out.append(text.substr(0, c.size));
    }
    // Spaces before :: do not disarm it.
    at_start = c.code == '\n' ? ends != LineEnds::kEscaped : at_start && c.code == ' ';
    text.remove_prefix(c.size == 0 ? 1 : c.size);
  }
  return out;
}

std::string XmlText(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character c = FirstOf(text);
    const std::size_t size = c.size == 0 ? 1 : c.size;
    if (c.size == 0 || IsControl(c.code) || c.code == 0xFFFE || c.code == 0xFFFF)
      out += '_';
    else if (c.code == '&')
      out += "&amp;";
    else if (c.code == '<')
      out += "&lt;";
    else if (c.code == '>')
      out += "&gt;";
    else if (c.code == '"')
      out += "&quot;";
    else
      out += text.substr(0, size);
    text.remove_prefix(size);
  }
  return out;
}

std::string PrintableJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const Character c = FirstOf(json);
    // C0 is escaped by whoever made the JSON; C1, marks and commands of build servers are legal
    // there and are escaped here, inside strings, where alone they can stand.
    const std::size_t size = c.size == 0 ? 1 : c.size;
    if (c.size > 0 && ((IsControl(c.code) && c.code >= 0x7F) || IsMark(c.code))) {
      out += "\\u";
      AppendHex(out, c.code, 4);
    } else if (StartsCommand(json)) {
      out += "\\u0023";
    } else {
      out.append(json.substr(0, size));
    }
    json.remove_prefix(size);
  }
  return out;
}

}  // namespace kinemorph
