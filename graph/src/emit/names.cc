#include "emit/names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "kinemorph/graph/base/text.h"

namespace kinemorph::emit {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsPrintable(char c) { return c >= 0x20 && c < 0x7f; }

// Words that are no name in C, and file names that Windows keeps to itself.
constexpr std::array<std::string_view, 50> kReserved = {
    "auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
    "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
    "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
    "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile", "while",  "con",    "prn",      "aux",      "nul",      "com1",     "com2",
    "com3",     "com4",   "lpt1",   "lpt2",     "lpt3",     "function", "end",      "fmi2",
    "main",     "readme"};

// Length of the UTF-8 character that starts here; 0 where there is none that XML may hold.
std::size_t CharacterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first > 0xf4 || at + length > text.size()) return 0;
  std::uint32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool no_character = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
                            code == 0xfffe || code == 0xffff || (code >= 0x80 && code < 0xa0);
  return too_long || no_character ? 0 : length;
}

}  // namespace

std::string Identifier(std::string_view text) {
  std::string out;
  for (const char c : text) out += IsLetter(c) || IsDigit(c) ? c : '_';
  return out.empty() ? "_" : out;
}

std::string ModelIdentifier(std::string_view text) {
  std::string out = Identifier(text.substr(0, 40));
  if (out.find_first_not_of('_') == std::string::npos) out = "model";
  if (!IsLetter(out[0])) out.insert(0, "m_");
  const std::string lower = LowerCase(out);
  if (std::find(kReserved.begin(), kReserved.end(), lower) != kReserved.end()) out += '_';
  return out;
}

std::string CString(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\', out += c;
    } else if (IsPrintable(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
    }
  }
  return out;
}

std::string MatlabString(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), IsPrintable)) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + "'";
  }
  std::string out = "char([";
  for (const char c : text) out += std::to_string(static_cast<unsigned char>(c)) + " ";
  out.back() = ']';
  return out + ")";
}

std::string PlainText(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += IsPrintable(c) && c != '*' && c != '/' && c != '\\' && c != '?' ? c : '_';
  return out;
}

std::string XmlText(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = CharacterAt(text, i);
    const char c = text[i];
    if (length == 0 || c == 0x7f || (c >= 0 && c < 0x20)) {
      out += '_';
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += text.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string UniqueNames::Add(std::string_view text) {
  const std::string name = Identifier(text);
  std::string unique = name;
  for (int i = 2; !used_.insert(LowerCase(unique)).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

}  // namespace kinemorph::emit
