#include "characters.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "kinemorph/graph/base/text.h"

// Prescan asks these of the whole text, so the common case (ASCII without control characters) is
// decided for eight bytes at once, and only other blocks byte by byte.

namespace kinemorph::xml {
namespace {

// Length of the UTF-8 sequence at text[i], 0 when it is not valid (overlong forms and surrogates
// included).
std::size_t Utf8Length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return 1;
  // 0xC0 and 0xC1 would begin overlong forms of ASCII; 0xF5 and above lie beyond U+10FFFF.
  const std::size_t n = lead >= 0xC2 && lead <= 0xDF   ? 2
                        : (lead & 0xF0) == 0xE0        ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  if (n == 0 || i + n > text.size()) return 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  // The rest of the overlong forms, the surrogates (U+D800 to U+DFFF), and what is beyond U+10FFFF
  // again.
  if (lead == 0xE0 && byte(i + 1) < 0xA0) return 0;
  if (lead == 0xED && byte(i + 1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(i + 1) < 0x90) return 0;
  if (lead == 0xF4 && byte(i + 1) > 0x8F) return 0;
  return n;
}

bool IsControl(unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

// U+FFFE and U+FFFF, which XML has not.
bool IsNoCharacter(std::string_view text) {
  return text == "\xEF\xBF\xBE" || text == "\xEF\xBF\xBF";
}

constexpr std::size_t kBlock = sizeof(std::uint64_t);

// ASCII without control characters, eight bytes at a time.
bool IsPlain(const char* block) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t word = 0;
  std::memcpy(&word, block, kBlock);
  // A byte below 0x20 sets its high bit in the difference. A borrow may set that of its neighbour
  // too, so the answer "some" is checked, and only "none" is taken as it is.
  if ((word & (0x80 * kOnes)) != 0) return false;
  if (((word - 0x20 * kOnes) & (0x80 * kOnes)) == 0) return true;  // none below 0x20
  return std::none_of(block, block + kBlock,
                      [](char c) { return IsControl(static_cast<unsigned char>(c)); });
}

}  // namespace

std::size_t FirstBadByte(std::string_view text, bool& control) {
  control = false;
  for (std::size_t block = 0; block < text.size();) {
    const std::size_t end = std::min(block + kBlock, text.size());
    std::size_t i = end - block == kBlock && IsPlain(text.data() + block) ? end : block;
    while (i < end) {
      control = IsControl(static_cast<unsigned char>(text[i])) || IsNoCharacter(text.substr(i, 3));
      const std::size_t n = control ? 0 : Utf8Length(text, i);
      if (n == 0) return i;
      i += n;
    }
    block = i;
  }
  return std::string_view::npos;
}

std::string Latin1ToUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::string DeclaredEncoding(std::string_view declaration) {
  const std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return "";
  const std::size_t open = declaration.find_first_of("'\"", at);
  if (open == std::string_view::npos) return "";
  const std::size_t close = declaration.find(declaration[open], open + 1);
  return close == std::string_view::npos
             ? ""
             : LowerCase(declaration.substr(open + 1, close - open - 1));
}

bool IsCharacter(std::string_view reference) {
  const bool hex = reference.starts_with("#x");
  const std::string_view digits =
      reference.substr(std::min<std::size_t>(hex ? 2 : 1, reference.size()));
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return false;
  // XML 1.0, production [2] Char, also for references: an &#0; is as wrong as the byte.
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
}

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool IsBlank(std::string_view text, std::size_t at) {
  return at < text.size() && kBlanks.find(text[at]) != std::string_view::npos;
}

// ": " or " #" stands somewhere.
bool SpeaksYaml(std::string_view text) {
  for (std::size_t at = 0; (at = text.find(':', at)) != std::string_view::npos; ++at)
    if (IsBlank(text, at + 1)) return true;
  for (std::size_t at = 1; (at = text.find('#', at)) != std::string_view::npos; ++at)
    if (IsBlank(text, at - 1)) return true;
  return false;
}

}  // namespace

std::string TextToYaml(std::string xml) {
  if (!SpeaksYaml(xml)) return xml;
  constexpr std::string_view kNoBreak = "\xC2\xA0";
  std::string out;
  out.reserve(xml.size());
  bool comment = false, verbatim = false;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    comment = comment ? xml.compare(i, 3, "-->") != 0 : xml.compare(i, 4, "<!--") == 0;
    verbatim = verbatim ? xml.compare(i, 3, "]]>") != 0 : xml.compare(i, 9, "<![CDATA[") == 0;
    const bool maps = xml[i] == ':' && IsBlank(xml, i + 1);
    const bool ends = xml[i] == '#' && i > 0 && IsBlank(xml, i - 1);
    if ((!maps && !ends) || verbatim) {
      out += xml[i];
    } else if (!comment) {
      out += maps ? "&#58;" : "&#35;";
    } else if (maps) {
      out.append(1, ':').append(kNoBreak);
      if (xml[i + 1] == ' ') ++i;
    } else {
      if (out.back() == ' ') out.pop_back();
      out.append(kNoBreak).append(1, '#');
    }
  }
  return out;
}

}  // namespace kinemorph::xml
