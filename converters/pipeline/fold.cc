#include <algorithm>
#include <vector>

#include "kinemorph/converters/screen.h"

namespace kinemorph {
namespace {

std::size_t Characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

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
  return option.size() > 1 && option[0] == '-' && !Closes(option) &&
         (option[1] == '-' || (option[1] >= 'a' && option[1] <= 'z')) &&
         option.find('=') == std::string_view::npos;
}

// The parts of a line that stay together: words, an option with its value, a command in backticks,
// `kinemorph` with its subcommand. Of a part that no line holds the words.
std::vector<std::string_view> PartsToKeep(std::string_view line, std::size_t most) {
  std::vector<std::string_view> parts;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i, together = 1;
    bool code = false;
    while (end < line.size() && (together > 0 || code)) {
      while (end < line.size() && line[end] == ' ') ++end;
      const std::size_t next = std::min(line.find(' ', end), line.size());
      const std::string_view word = line.substr(end, next - end);
      if (std::count(word.begin(), word.end(), '`') % 2 == 1) code = !code;
      if (together > 0) --together;
      if (AsksForValue(word)) together = std::max<std::size_t>(together, 1);
      if (WithoutOpening(word) == "kinemorph") together = 1;
      if (Closes(word)) together = 0;
      end = next;
    }
    std::string_view part = line.substr(i, end - i);
    if (Characters(part) > most && part.find(' ', 1) != std::string_view::npos)
      part = part.substr(0, part.find(' ', 1));
    parts.push_back(part);
    i += part.size();
    while (i < line.size() && line[i] == ' ') ++i;
  }
  return parts;
}

}  // namespace

std::string Folded(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    text.remove_prefix(std::min(line_end + 1, text.size()));
    if (columns == 0 || Characters(line) <= columns) {
      out.append(line) += '\n';
      continue;
    }
    const std::size_t lead = std::min(line.find_first_not_of(' '), line.size());
    out.append(lead, ' ');
    std::size_t at = lead, start = lead;  // the column, and the one where this line's text begins
    const std::size_t room = columns > indent ? columns - indent : 1;
    for (const std::string_view part : PartsToKeep(line.substr(lead), room)) {
      const std::size_t width = Characters(part);
      if (at > start && at + 1 + width > columns) {
        out += '\n';
        out.append(indent, ' ');
        if (part.starts_with("::")) out += "| ";  // no command to what runs a build
        at = start = indent;
      } else if (at > start) {
        out += ' ';
        ++at;
      }
      out += part;
      at += width;
    }
    out += '\n';
  }
  return out;
}

}  // namespace kinemorph
