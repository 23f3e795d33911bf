// The entry to xacro, and the way of a message back to the files that were expanded.
#include <algorithm>

#include "expander.h"
#include "kinemorph/formats/xacro.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"

// The expansion keeps one place for each line of its text: file, line and macro call. The readers
// of formats know nothing of xacro: they read the expanded text under a name of its own, and what
// they say about that name is translated here. Element paths in messages stay as they are, since
// they name the robot and not the file.

namespace kinemorph {
namespace {

constexpr std::size_t kMostCallNotes = 8;

// "... in line 12 ...", a place in the same text.
void TranslateLines(const XacroExpansion& expansion, std::string& message) {
  constexpr std::string_view kLine = "in line ";
  // A message may name several lines. The replaced text is not searched again from its start: it
  // has no "in line ".
  for (std::size_t at = message.find(kLine); at != std::string::npos;
       at = message.find(kLine, at + 1)) {
    std::size_t end = at + kLine.size();
    std::size_t line = 0;
    for (; end < message.size() && IsDigit(message[end]) && line < expansion.lines.size(); ++end)
      line = line * 10 + static_cast<std::size_t>(message[end] - '0');
    if (line == 0 || line > expansion.lines.size()) continue;
    const XacroPlace& place = expansion.lines[line - 1];
    const std::string text = "at " + expansion.files[place.file] + ":" + std::to_string(place.line);
    message.replace(at, end - at, text);
  }
}

}  // namespace

Diagnostic XacroExpansion::Translated(Diagnostic message) const {
  if (message.file != name) return message;
  message.file = files.front();
  TranslateLines(*this, message.message), TranslateLines(*this, message.subject);
  for (std::string& note : message.notes) TranslateLines(*this, note);
  if (message.line == 0 || message.line > lines.size()) {
    message.line = 0;
    return message;
  }
  const XacroPlace& place = lines[message.line - 1];
  message.file = files[place.file];
  message.line = place.line;
  std::size_t shown = 0;
  // The chain of calls, from inside out, like that of the expander's own messages.
  for (std::uint32_t call = place.call; call != 0 && shown < kMostCallNotes; ++shown) {
    const XacroCall& each = calls[call];
    message.notes.push_back("in macro '" + each.macro + "', called at " + files[each.where.file] +
                            ":" + std::to_string(each.where.line));
    call = each.where.call;
  }
  return message;
}

Diagnostics XacroExpansion::Translated(const Diagnostics& messages) const {
  Diagnostics translated;
  for (const Diagnostic& message : messages.items()) translated.Add(Translated(message));
  return translated;
}

bool LooksLikeXacro(std::string_view text) {
  // A directive is the sure sign. Without one, a file that declares the prefix and has ${} or $()
  // in it is meant to be expanded too: many such files do not end in .xacro, so the name is not
  // asked.
  if (text.find("xacro:") != std::string_view::npos)
    for (auto tag = NextTag(text); tag; tag = NextTag(text, tag->end))
      if (tag->name.starts_with("xacro:")) return true;
  const bool declared = text.find("xmlns:xacro") != std::string_view::npos;
  return declared && (text.find("${") != std::string_view::npos ||
                      text.find("$(arg ") != std::string_view::npos ||
                      text.find("$(find ") != std::string_view::npos);
}

std::optional<XacroExpansion> ExpandXacro(std::string_view text, const XacroOptions& options,
                                          Diagnostics& diagnostics) {
  return xacro::Expander(options, diagnostics).Run(text);
}

}  // namespace kinemorph
