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
  constexpr std::array<std::string_view, 9> kWords = {"y",  "n",   "yes",   "no",  "true",
                                                      "on", "off", "false", "null"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

}  // namespace

std::string Quoted(std::string_view text) {
  const bool plain =
      !text.empty() && IsLetter(text.front()) && !IsWord(text) &&
      std::all_of(text.begin(), text.end(), [](char c) {
        return IsLetter(c) || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-';
      });
  if (plain) return std::string(text);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (byte < 0x20 || byte == 0x7f)
      out += "\\x", out += kHex[byte >> 4], out += kHex[byte & 15];
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace kinemorph::urdf_format::yaml
