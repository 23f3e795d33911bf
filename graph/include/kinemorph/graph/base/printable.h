/// Names and words of a file, on a terminal and in the log of a build.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph {

/// What becomes of the ends of lines.
enum class LineEnds {
  kEscaped,   ///< written as \n: a name
  kIndented,  ///< the next line is indented, so that it cannot pass for a message of its own
  kKept,      ///< as they are
};

/// `text` without what steers a terminal or hides what it says: control characters (C0, DEL and C1)
/// and bytes that are no UTF-8 are written as `\xNN`, marks of writing direction and separators of
/// lines as `\uNNNN`. Nor does a line of it start with `::`, or hold `##[`: those are commands to
/// what runs a build.
[[nodiscard]] std::string Printable(std::string_view text, LineEnds ends = LineEnds::kEscaped);

/// `text` as an attribute's value or as text of XML: what XML has no character for, and control
/// characters, become `_`.
[[nodiscard]] std::string XmlText(std::string_view text);

/// JSON text that means the same, in which the same characters are written as `\uNNNN`.
[[nodiscard]] std::string PrintableJson(std::string_view json);

}  // namespace kinemorph
