// Texts of YAML in quotes, and those of several lines behind | and >.
#include <algorithm>
#include <vector>

#include "kinemorph/graph/base/text.h"
#include "yaml.h"

// The two styles of texts that cannot be read word by word: quoted ones, which may run over several
// lines, and block texts, whose indentation is content. What is supported is what YAML 1.1 says of
// them, but for line ends that are escaped.

namespace kinemorph::xacro {

bool YamlText::IsBlankAt(std::size_t i) const { return i >= text_.size() || IsSpace(text_[i]); }

void YamlText::Blanks() {
  while (Peek() == ' ' || Peek() == '\t') ++at_;
}

bool YamlText::LineEnds() const {
  // A '#' begins a comment only behind a blank: a#b is a word.
  return at_ >= text_.size() || Peek() == '\n' || Peek() == '\r' ||
         (Peek() == '#' && at_ > 0 && IsSpace(text_[at_ - 1]));
}

bool YamlText::EndOfLine() {
  Blanks();
  return LineEnds() || Wrong("the line has more text after the value");
}

bool YamlText::Quoted(std::string& text) {
  const char quote = text_[at_++];
  while (true) {
    if (at_ >= text_.size()) return Wrong("a text in quotes does not end");
    const char c = text_[at_++];
    if (c == quote) {
      // In single quotes a quote is written twice, and nothing else is special.
      if (quote == '"' || Peek() != '\'') break;
      text += text_[at_++];
    } else if (c == '\\' && quote == '"') {
      if (!Escape(text)) return false;
    } else if (c == '\n') {  // a line end is a blank, an empty line a line end
      while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
      std::size_t empty = 0;
      for (; at_ < text_.size() && IsSpace(text_[at_]); ++at_) empty += text_[at_] == '\n' ? 1 : 0;
      text += empty > 0 ? std::string(empty, '\n') : " ";
    } else {
      text += c;
    }
  }
  return machine_.MakeText(text.size());
}

bool YamlText::Escape(std::string& text) {
  const char c = Peek();
  // Letters of YAML's escapes, and the bytes that they stand for in the same order; \_ is the
  // no-break space, which has two bytes, and is treated apart.
  constexpr std::string_view kLetters = "0abtnvfre \"/\\_",
                             kMeant("\0\a\b\t\n\v\f\r\x1b \"/\\", 13);
  const std::size_t known = kLetters.find(c);
  if (c == '_' || (known != std::string_view::npos && known < kMeant.size())) {
    text += c == '_' ? std::string("\xC2\xA0") : std::string(1, kMeant[known]);
    ++at_;
    return true;
  }
  const std::size_t count = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  const std::string_view hex = text_.substr(std::min(at_ + 1, text_.size()), count);
  if (count == 0 || hex.size() != count || !AddCharacter(hex, text))
    return Wrong("the escape \\" + std::string(1, c) + " is not supported");
  at_ += 1 + count;
  return true;
}

bool YamlText::BlockText(int outer, std::string& text) {
  // The header behind | or >: an indentation as a digit, and how the end is treated: '-' cuts all
  // line ends, '+' keeps them all, else one stays.
  const bool folded = text_[at_++] == '>';
  char chomp = ' ';
  int indent = -1;
  for (; !LineEnds() && !IsSpace(Peek()); ++at_) {
    if (Peek() == '+' || Peek() == '-')
      chomp = Peek();
    else if (Peek() >= '1' && Peek() <= '9')
      indent = std::max(outer, 0) + (Peek() - '0');
    else
      return Wrong("the text after | or > is not supported");
  }
  if (!EndOfLine()) return false;
  at_ = std::min(text_.find('\n', at_), text_.size());
  // Lines up to the first that is less indented. The first one with text sets the indentation where
  // the header does not; empty lines belong to the text whatever their own is.
  std::vector<std::string> lines;
  while (at_ < text_.size()) {
    const std::size_t begin = at_ + 1, end = std::min(text_.find('\n', begin), text_.size());
    if (begin >= text_.size()) break;
    std::string_view line = text_.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t word = line.find_first_not_of(' ');
    if (!machine_.MakeText(line.size())) return false;
    if (word != std::string_view::npos) {
      if (indent < 0) indent = static_cast<int>(word);
      if (indent <= outer || static_cast<int>(word) < indent) break;
      lines.emplace_back(line.substr(static_cast<std::size_t>(indent)));
    } else {
      lines.emplace_back();
    }
    at_ = end;
  }
  // Trailing empty lines are not content, but what '+' keeps. In a folded text a line end between
  // two lines of plain text is a blank, one before an empty line is swallowed by it, and those next
  // to a line that is further indented stay.
  std::size_t kept = lines.size();
  while (kept > 0 && lines[kept - 1].empty()) --kept;
  for (std::size_t i = 0; i < kept; ++i) {
    const bool joins = folded && i + 1 < kept && !lines[i].empty() && lines[i][0] != ' ' &&
                       (lines[i + 1].empty() || lines[i + 1][0] != ' ');
    text += lines[i];
    if (i + 1 == kept) break;
    text += !joins ? "\n" : lines[i + 1].empty() ? "" : " ";
  }
  if (kept > 0 && chomp != '-') text += '\n';
  if (chomp == '+') text += std::string(lines.size() - kept, '\n');
  return machine_.MakeText(text.size());
}

}  // namespace kinemorph::xacro
