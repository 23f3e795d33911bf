#include <algorithm>
#include <vector>

#include "kinemorph/converters/screen.h"
#include "report/columns.h"

namespace kinemorph {
namespace {

// Folding must keep what is to be copied: an option with its value, a command in backticks,
// `kinemorph` with its subcommand are parts that no line breaks, unless they are longer than any
// line.
std::string_view WithoutOpening(std::string_view word) {
  while (!word.empty() && (word[0] == '(' || word[0] == '`' || word[0] == '\'' || word[0] == '['))
    word.remove_prefix(1);
  return word;
}

bool Closes(std::string_view word) {
  return word.empty() || std::string_view(",;.:)`'").find(word.back()) != std::string_view::npos;
}

// An option whose value is the next word.
bool AsksForValue(std::string_view word) {
  const std::string_view option = WithoutOpening(word);
  // "-x", "--cut": but not "--cut=JOINT", which has its value, nor "--cut," at the end of a phrase.
  return option.size() > 1 && option[0] == '-' && !Closes(option) &&
         (option[1] == '-' || (option[1] >= 'a' && option[1] <= 'z')) &&
         option.find('=') == std::string_view::npos;
}

// Where what stays together with the word at `i` ends: an option and its value, a command in
// backticks, `kinemorph` and its subcommand.
std::size_t EndOfPart(std::string_view line, std::size_t i) {
  bool more = true, code = false;
  while (i < line.size() && (more || code)) {
    i = std::min(line.find_first_not_of(' ', i), line.size());
    const std::size_t end = std::min(line.find(' ', i), line.size());
    const std::string_view word = line.substr(i, end - i);
    // An odd number of backticks opens or closes a command.
    if (std::count(word.begin(), word.end(), '`') % 2 == 1) code = !code;
    more = AsksForValue(word) || WithoutOpening(word) == "kinemorph";
    i = end;
  }
  return i;
}

// The parts of a line that stay together; of a part that no line holds the words, and of a word
// that no line holds pieces.
std::vector<std::string_view> PartsToKeep(std::string_view line, std::size_t most) {
  std::vector<std::string_view> parts;
  for (std::size_t i = 0; i < line.size();) {
    std::string_view part = line.substr(i, EndOfPart(line, i) - i);
    if (Characters(part) > most) part = part.substr(0, part.find(' ', 1));
    part = part.substr(0, BytesOf(part, most));
    parts.push_back(part);
    i = std::min(line.find_first_not_of(' ', i + part.size()), line.size());
  }
  return parts;
}

}  // namespace

std::string Folded(std::string_view text, std::size_t columns, std::size_t indent) {
  if (columns == 0) columns = kFileColumns;
  std::string out;
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    text.remove_prefix(std::min(line_end + 1, text.size()));
    if (Characters(line) <= columns) {
      out.append(line) += '\n';
      continue;
    }

    // The line's own indentation stays; lines after the first get that of the caller.
    const std::size_t lead = std::min(line.find_first_not_of(' '), line.size());
    out.append(lead, ' ');
    std::size_t at = lead, start = lead;  // the column, and the one where this line's text begins
    const std::size_t room = columns > indent ? columns - indent : 1;
    const char* before = line.data() + lead;  // where the last part ends
    for (const std::string_view part : PartsToKeep(line.substr(lead), room)) {
      const std::size_t width = Characters(part),
                        gap = static_cast<std::size_t>(part.data() - before);
      before = part.data() + part.size();
      if (at > start && at + gap + width > columns) {
        out += '\n';
        out.append(indent, ' ');
        // GitHub's log takes a line that begins with "::" for a command of the workflow; text of a
        // file must not be one.
        if (part.starts_with("::")) out += "| ";  // no command to what runs a build
        at = start = indent;
      } else {
        out.append(gap, ' ');
        at += gap;
      }
      out += part;
      at += width;
    }
    out += '\n';
  }
  return out;
}

}  // namespace kinemorph
