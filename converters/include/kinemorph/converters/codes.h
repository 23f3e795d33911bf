// What each diagnostic code means. Codes are stable: scripts hold on to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinemorph {

/// What the documentation says of a code.
struct CodeEntry {
  std::string code;     ///< kebab-case, as in Diagnostic::code
  std::string meaning;  ///< what was found
  std::string remedy;   ///< what to do about it; empty: nothing need be done
  std::string example;  ///< a message with it; may be empty
  std::string area;     ///< a word of CodeAreas()
  std::string why;      ///< why it matters; may be empty
  std::string ignore;   ///< when it does not; may be empty
};

/// A group of codes.
struct CodeArea {
  std::string_view word;   ///< "losses"
  std::string_view about;  ///< what its codes are about
};
/// The areas, those first that most people meet.
[[nodiscard]] const std::vector<CodeArea>& CodeAreas();

/// Every code, sorted; `loss-*` and `target-refuses-*` come from the capability table.
[[nodiscard]] const std::vector<CodeEntry>& AllCodes();

/// The codes whose name or text has every word of `words`, in any case of letters.
[[nodiscard]] std::vector<const CodeEntry*> CodesWith(std::string_view words);

/// Null when there is no such code.
[[nodiscard]] const CodeEntry* FindCode(std::string_view code);

}  // namespace kinemorph
