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
};

/// Every code, sorted; `loss-*` and `target-refuses-*` come from the capability table.
[[nodiscard]] const std::vector<CodeEntry>& AllCodes();

/// Null when there is no such code.
[[nodiscard]] const CodeEntry* FindCode(std::string_view code);

}  // namespace kinemorph
