#include "emit/names.h"

#include <algorithm>

#include "kinemorph/graph/base/text.h"

namespace kinemorph::emit {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsPrintable(char c) { return c >= 0x20 && c < 0x7f; }

// Words that are no name in C, and file names that Windows keeps to itself.
// Compared without regard to capitals: Windows does not distinguish CON.h from con.h.
constexpr std::string_view kReserved[] = {
    "auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
    "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
    "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
    "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile", "while",  "con",    "prn",      "aux",      "nul",      "com1",     "com2",
    "com3",     "com4",   "com5",   "com6",     "com7",     "com8",     "com9",     "lpt1",
    "lpt2",     "lpt3",   "lpt4",   "lpt5",     "lpt6",     "lpt7",     "lpt8",     "lpt9",
    "function", "end",    "fmi2",   "fmi3",     "main",     "readme"};

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
  if (std::find(std::begin(kReserved), std::end(kReserved), lower) != std::end(kReserved))
    out += '_';
  return out;
}

// Question marks too: "??/" is a trigraph of C, a backslash.
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

// Other characters by their codes: how MATLAB reads bytes beyond ASCII in a file depends on its
// version and the machine.
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

std::string UniqueNames::Add(std::string_view text) {
  const std::string name = Identifier(text);
  std::string unique = name;
  for (int i = 2; !used_.insert(LowerCase(unique)).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

}  // namespace kinemorph::emit
