#include "write/yaml_text.h"

#include <algorithm>
#include <array>

#include "kinemorph/graph/base/text.h"

namespace kinemorph::urdf_format::yaml {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Words that are truth values, or nothing at all.
bool IsWord(std::string_view text) {
  const std::string lower = LowerCase(text);
  // YAML 1.1 has more of them than 1.2: readers of both kinds must get a text.
  constexpr std::array<std::string_view, 9> kWords = {"y",  "n",   "yes",   "no",  "true",
                                                      "on", "off", "false", "null"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// Bytes at the start of a text that are one character which YAML refuses, or takes for an end of
// line or for nothing: C1 controls, separators of lines, marks of byte order. Its number, and how
// many bytes; 0 where it is none of them.
struct Unfit {
  unsigned code = 0;
  std::size_t bytes = 0;
};
Unfit UnfitAt(std::string_view text) {
  // UTF-8 in two bytes for U+0080 to U+009F, in three for the others.
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return {byte(1), 2};
  const unsigned code = (byte(0) & 0xfU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
  const bool unfit = code == 0x2028 || code == 0x2029 || code == 0xfeff || code >= 0xfffe;
  return byte(0) >> 4U == 0xe && unfit ? Unfit{code, 3} : Unfit{};
}

}  // namespace

std::string Quoted(std::string_view text) {
  // Names begin with a letter and hold no marks of YAML: such lists stay readable. A digit first
  // might be a number.
  const bool plain =
      !text.empty() && IsLetter(text.front()) && !IsWord(text) &&
      std::all_of(text.begin(), text.end(), [](char c) {
        return IsLetter(c) || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-';
      });
  if (plain) return std::string(text);
  constexpr std::string_view kHex = "0123456789abcdef";
  // Double quotes are the one style of YAML that has escapes.
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (const Unfit unfit = UnfitAt(text.substr(i)); unfit.bytes > 0) {
      out += "\\u";
      for (unsigned shift = 16; shift > 0; shift -= 4) out += kHex[unfit.code >> (shift - 4) & 15U];
      i += unfit.bytes - 1;
    } else if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (byte < 0x20 || byte == 0x7f)
      out += "\\x", out += kHex[byte >> 4], out += kHex[byte & 15];
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace kinemorph::urdf_format::yaml
