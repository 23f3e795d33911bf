// Bytes of a text: what is UTF-8, what is Latin-1, which characters XML 1.0 has, and YAML trips over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinemorph::xml {

/// Position of the first byte that is no UTF-8 or, with `control`, a control character or one of
/// the two that XML has not (U+FFFE, U+FFFF); npos when all is well.
[[nodiscard]] std::size_t FirstBadByte(std::string_view text, bool& control);

[[nodiscard]] std::string Latin1ToUtf8(std::string_view text);

/// The value of encoding="..." in a declaration, lower-case; empty when there is none.
[[nodiscard]] std::string DeclaredEncoding(std::string_view declaration);

/// What the reference &#N; or &#xN; may stand for: a character of XML 1.0 that a text file could
/// hold as well. `reference` begins with '#'.
[[nodiscard]] bool IsCharacter(std::string_view reference);

/// The same document, as a text to readers of YAML too: a launch file of ROS 2 takes the output of a
/// command for YAML, where a colon before a blank makes a mapping of it, and a hash behind one a
/// comment of its rest. Both become references; a comment has none, and gets a blank that does not
/// break.
[[nodiscard]] std::string TextToYaml(std::string xml);

}  // namespace kinemorph::xml
