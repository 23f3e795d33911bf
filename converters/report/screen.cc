#include "kinemorph/converters/screen.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/field_text.h"
#include "report/columns.h"

namespace kinemorph {
namespace {

// Thousands of messages must fit on a screen: one row for each code, with the first subjects and a
// count; errors in full, up to a number. A conversion has few lines. What changes the motion keeps
// its sentences while there is room; the rest gets one line each, and then is named by its codes, or
// counted where a terminal is narrow. Whatever is cut stands whole in the report and under
// --verbose. Text of files is made printable before it is shown, since it may hold escape sequences.
constexpr std::size_t kIndent = 6;          // of the further lines of a message
constexpr std::size_t kRowLines = 3;        // of a message on a terminal, where there is room
constexpr std::size_t kFewLines = 11;       // of a conversion, where its remarks can be cut to that
constexpr std::size_t kMostLines = 20;      // of a conversion, of kUsual columns or more
constexpr std::size_t kUsual = 80;          // what has fewer columns has more lines
constexpr std::size_t kLeastWords = 48;     // of a row, however narrow the terminal is
constexpr std::size_t kLeastBefore = 24;    // of a row of one line, before its remedy
constexpr std::size_t kMostNamed = 4;       // other subjects of a row, in place of their count
constexpr std::size_t kShortPath = 40;      // on a terminal a longer one gives way to words
constexpr std::size_t kLongPath = 60;       // in a file
constexpr std::size_t kLongSubject = 80;    // behind a longer one no count is put
constexpr std::size_t kErrorsPerCode = 10;  // in full; the rest is counted

// One line: all that was said under one code.
struct Row {
  Diagnostic first;  // of those that are said
  std::size_t count = 0;
  bool whole_robot = false;              // the first is about the robot, not about an element of it
  std::vector<std::string> others = {};  // subjects after the first, up to kMostNamed
  bool differs = false;                  // what is said of them is not what is said of the first
};

// Those before kInterface are remarks and looks, which give way first; the judge and the verdict
// stay.
enum class Rank { kJudge, kChosen, kInput, kLooks, kProof, kInterface, kMotion, kVerdict };

struct Group {
  Rank rank;
  std::string_view loses = "";  // what its losses change; none: it holds no losses
  std::vector<Row> rows = {};
  std::size_t lines = kRowLines;  // of each row
};

// Of an element, as "joint 'j'", not of a file, as "'leg.sdf'".
bool IsOfElement(const Diagnostic& message) {
  const std::size_t quote = message.subject.find('\'');
  return quote != std::string::npos && quote > 0 && message.message.starts_with(message.subject);
}

// What is said, without of whom and without names.
std::string Said(const Diagnostic& message) {
  const std::string& all = message.message;
  std::string said;
  bool name = false;
  for (std::size_t i = all.starts_with(message.subject) ? message.subject.size() : 0;
       i < all.size(); ++i) {
    if (all[i] == '\'')
      name = !name;
    else if (!name)
      said += all[i];
  }
  return said;
}

void Put(std::vector<Row>& rows, const Diagnostic& message, bool whole_robot) {
  // Codes on a screen are few: a list in the order of first appearance needs no index.
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
    return each.first.code == message.code && each.first.severity == message.severity;
  });
  if (row == rows.end()) {
    rows.push_back({message, 1, whole_robot});
    return;
  }
  ++row->count;
  row->differs = row->differs || (IsOfElement(message) && Said(message) != Said(row->first));
  // What is about the robot as a whole stands for the row, as its element would mislead.
  const bool leads = whole_robot && !row->whole_robot;
  const std::string& other = leads ? row->first.subject : message.subject;
  const bool told =
      other == row->first.subject || std::ranges::find(row->others, other) != row->others.end();
  if (!other.empty() && (leads || !told) && row->others.size() <= kMostNamed)
    row->others.push_back(other);
  if (!leads) return;
  row->first = message;
  row->whole_robot = true;
}

// Where others have other numbers than those of the first, which stand there.
std::string OfOthers(const Row& row) { return row.differs ? " with other values)" : ")"; }

// " (and 7 more)".
std::string AndCount(const Row& row) {
  return row.count < 2 ? "" : " (and " + std::to_string(row.count - 1) + " more" + OfOthers(row);
}

// " (and 'knee', 'hip')" behind "joint 'ankle'", where the others are few; else their count.
std::string AndOthers(const Row& row) {
  if (row.count < 2) return "";
  const std::string& subject = row.first.subject;
  const std::string kind = subject.substr(0, subject.find('\''));
  std::string names;
  for (const std::string& other : row.others)
    names +=
        (names.empty() ? "" : ", ") + (other.starts_with(kind) ? other.substr(kind.size()) : other);
  const bool all = row.others.size() + 1 == row.count && row.others.size() <= kMostNamed;
  return all && Characters(names) <= kLongSubject / 2 ? " (and " + names + OfOthers(row)
                                                      : AndCount(row);
}

bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Where a number that starts at `i` ends; `i` itself where none does. `exact`: no fraction, no
// exponent.
std::size_t EndOfNumber(std::string_view text, std::size_t i, bool& exact) {
  const std::size_t start = i;
  if (i < text.size() && text[i] == '-') ++i;
  const std::size_t digits = i;
  while (i < text.size() && IsDigit(text[i])) ++i;
  if (i == digits) return start;
  exact = true;
  if (i + 1 < text.size() && text[i] == '.' && IsDigit(text[i + 1])) {
    exact = false;
    for (++i; i < text.size() && IsDigit(text[i]);) ++i;
  }
  if (i < text.size() && text[i] == 'e') {
    std::size_t j = i + 1;
    if (j < text.size() && (text[j] == '-' || text[j] == '+')) ++j;
    if (j < text.size() && IsDigit(text[j])) {
      exact = false;
      for (i = j; i < text.size() && IsDigit(text[i]);) ++i;
    }
  }
  // "1.9.2" and "2dof" are no numbers; rounding them would change a name.
  const bool more =
      i < text.size() &&
      (IsWord(text[i]) || (text[i] == '.' && i + 1 < text.size() && IsDigit(text[i + 1])));
  return more ? start : i;  // a version, or part of a name
}

std::string FourDigits(std::string_view number) {
  double value = 0;
  const char* const last = number.data() + number.size();
  const auto [end, error] = ParseDouble(number.data(), last, value);
  if (error != std::errc() || end != last) return std::string(number);
  const double near = NearDecimal(value, 4);
  const std::string rounded = FormatNumber(near);  // where that changes it: 1.10 may be a version
  return near != value && rounded.size() < number.size() ? rounded : std::string(number);
}

std::size_t LinesOf(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// Without the end; the cut goes back to a space where one is near.
std::string Cut(std::string text, std::size_t columns) {
  if (Characters(text) <= columns) return text;
  std::size_t end = BytesOf(text, columns > 3 ? columns - 3 : 0);
  const std::size_t space = text.rfind(' ', end);
  if (space != std::string::npos && space + 24 > end) end = space;
  text.resize(end);
  return text + "...";
}

// As "visual 'lbr_iiwa_link...'": a quote that was opened is closed.
std::string CutName(std::string text, std::size_t columns) {
  text.resize(BytesOf(text, columns - 4));
  return text + (std::ranges::count(text, '\'') % 2 == 1 ? "...'" : "...");
}

const char* ColourOf(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "\033[36m";
    case Severity::kWarning:
      return "\033[33m";
    case Severity::kError:
      return "\033[31m";
  }
  return "";
}

std::string Painted(std::string text, const std::string& part, const char* colour) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return text;
  text.insert(at + part.size(), "\033[0m");
  return text.insert(at, colour);
}

// The words that stand in quotes, in order.
std::vector<std::string> Quoted(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t i = text.find('\''); i != std::string::npos;) {
    const std::size_t end = text.find('\'', i + 1);
    if (end == std::string::npos) break;
    words.push_back(text.substr(i + 1, end - i - 1));
    i = text.find('\'', end + 1);
  }
  return words;
}

// In so many columns. What is to be typed stays, with the clause that it is in: what stands before
// that is cut to no less than `least`, and what follows it goes. Without a remedy the end is cut.
std::string CutToFit(const std::string& words, std::size_t columns, std::size_t least) {
  if (Characters(words) <= columns) return words;
  const std::size_t mark = std::min(words.find("--"), words.find('`'));
  if (mark == std::string::npos) return Cut(words, columns);
  std::size_t begin = 0;
  for (const char* const clause : {" (", ": ", "; "})
    if (const std::size_t at = words.rfind(clause, mark); at != std::string::npos)
      begin = std::max(begin, at);
  const std::size_t dashes = words.rfind("--"), tick = words.rfind('`');  // npos + 1 is 0
  const std::size_t last = std::max(dashes + 1, tick + 1);
  const std::size_t end = std::min(words.find_first_of(");", last), words.size() - 1);
  std::string remedy = words.substr(begin, end + 1 - begin);
  if (remedy.ends_with(';')) remedy.pop_back();
  // In one line of a terminal the option or the command alone, where the clause is too long.
  const bool alone = least < kLeastWords && words[begin + 1] != '(' && mark > 0;
  if (alone && Characters(remedy) + least > columns) {
    const bool command = words[mark] == '`';
    begin = mark - 1;
    remedy = words.substr(begin, (command ? tick : end) + 1 - begin);
    if (remedy.ends_with(';')) remedy.pop_back();
  }
  const std::size_t used = std::min(columns, Characters(remedy));
  return Cut(words.substr(0, begin), std::max(least, columns - used)) + remedy;
}

// The line of the source with a caret below what the message names.
std::string Excerpt(const Diagnostic& message, const SourceLine& source_line, std::size_t columns) {
  if (!source_line || message.line == 0) return {};
  std::optional<std::string> line = source_line(message.file, message.line);
  if (!line) return {};
  // A tab is one column in the text and several on a screen, so that the caret would stand
  // elsewhere.
  std::replace_if(
      line->begin(), line->end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  *line = Printable(*line);
  const std::size_t indent = line->find_first_not_of(' ');
  if (indent == std::string::npos) return {};
  std::size_t at = indent, length = 1;
  // The last one that stands there is what is wrong: "joint 'knee': type 'revolut' is no ...".
  for (const std::string& quoted : Quoted(message.message)) {
    const std::string word = Printable(quoted);
    const std::size_t found = word.empty() ? std::string::npos : line->find(word);
    if (found == std::string::npos) continue;
    at = found;
    length = Characters(word);
  }

  // On a narrow screen a window around the word is shown: two fifths of it before the word.
  const std::size_t widest = columns == 0 ? 100 : std::clamp<std::size_t>(columns, 24, 104) - 4;
  const std::string rest = line->substr(indent);
  std::size_t before = Characters(rest.substr(0, at - indent));
  const std::size_t hidden = before > widest * 3 / 5 ? before - widest * 2 / 5 : 0;
  const std::string shown = Cut(rest.substr(BytesOf(rest, hidden)), widest);
  before -= hidden;
  const std::size_t room = std::max(Characters(shown), before + 1) - before;
  return "    " + shown + "\n    " + std::string(before, ' ') + "^" +
         std::string(std::min(length, room) - 1, '~') + "\n";
}

// The text of one screen as it grows, folded and painted; whoever asked for it prints it. Each kind
// of line has its own function: a plain one, a message in full, a row that stands for several, the
// verdict of a proof.
class Screen {
 public:
  explicit Screen(const ScreenOptions& options) : options_(options) {}

  void Line(const std::string& text) { text_ += Fold(Printable(text)); }

  // "read  robot.urdf: urdf, 8 links": on one line, where the path can be shortened to that.
  void FileLine(const std::string& verb, const std::string& path, const std::string& what) {
    const std::string rest = ": " + what;
    const std::size_t beside = Characters(verb + rest);
    Line(verb + ShortPath(path, columns_ - std::min(columns_, beside)) + rest);
  }

  // The message without its notes, then the line of the source, then the notes: what is wrong,
  // where, and what to do.
  void Full(const Diagnostic& message) {
    Diagnostic said = message;
    LeaveOutFile(said);
    said.notes.clear(), said.suggestion.clear();
    if (!options_.verbose) ShortenFile(said);
    text_ += Coloured(Fold(Render(said)), said.severity);
    text_ += Excerpt(message, options_.source_line, options_.columns);
    Help(message, "    ");
  }

  // Of a proof that did not succeed: all of it, in lines of the width.
  void Verdict(Diagnostic message) {
    if (!message.brief.empty()) message.message = message.brief, message.subject.clear();
    LeaveOutFile(message);
    ShortenFile(message);
    text_ += Coloured(Fold(Render(message)), message.severity);
  }

  void Errors(const std::vector<Diagnostic>& messages) {
    std::vector<Row> rows;
    for (const Diagnostic& message : messages) {
      // Rows only count here: messages come in their order, and the count decides whether one is in
      // full.
      if (message.severity != Severity::kError) continue;
      Put(rows, message, false);
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
        return each.first.code == message.code;
      });
      if (!options_.verbose && message.code == "verify-failed")
        Verdict(message);
      else if (options_.verbose || row->count <= kErrorsPerCode)
        Full(message);
    }
    if (options_.verbose) return;
    for (const Row& row : rows) {
      if (row.count > kErrorsPerCode)
        Line("and " + std::to_string(row.count - kErrorsPerCode) + " more errors [" +
             row.first.code + "] (--verbose lists all)");
    }
  }

  void Rows(const Group& group) {
    if (group.rows.empty()) return;
    // In a file losses have a title, as their rows say "warning"; on a terminal a mark in each row.
    const bool titled = options_.columns == 0 && !group.loses.empty();
    if (titled) text_ += "changes the " + std::string(group.loses) + ":\n";
    row_lines_ = group.lines;
    mark_ = options_.columns == 0 ? "" : group.loses;
    for (const Row& row : group.rows) RowLine(row, titled ? "  " : "");
  }

  // All rows of a conversion, beside so many other lines. What stands for rows that were left out is
  // a line with their codes, or, with `counted`, their number, which is returned.
  std::size_t Rows(std::span<Group> groups, std::size_t other_lines, bool counted = false) {
    for (Group& group : groups)
      // Within a group, what concerns the whole robot first.
      std::stable_sort(group.rows.begin(), group.rows.end(),
                       [](const Row& a, const Row& b) { return a.whole_robot && !b.whole_robot; });
    std::string text = Together(groups), codes;
    std::size_t hidden = 0;
    const auto too_long = [&](std::size_t lines) {
      return LinesOf(text) + other_lines + (codes.empty() || counted ? 0 : 1) > lines;
    };
    const auto shorten = [&](Rank last, std::size_t lines) {
      for (Group& group : groups)
        if (group.rank <= last) group.lines = std::min(group.lines, lines);
      text = Together(groups);
    };
    // The last row of a rank goes, but for its code; false where none is left. What was chosen for
    // the whole robot is `heavy`.
    const auto hide = [&](Rank rank, bool heavy = true, std::size_t least = 0) {
      const auto group = std::ranges::find_if(
          groups, [&](const Group& each) { return each.rank == rank && !each.rows.empty(); });
      if (group == groups.end() || group->rows.size() <= least ||
          (group->rows.back().whole_robot && !heavy))
        return false;
      codes = " [" + group->rows.back().first.code + "]" + codes;
      hidden += group->rows.back().count;
      group->rows.pop_back();
      text = Together(groups);
      return true;
    };

    // Few lines by cutting remarks, then by leaving out the lightest; never more than a screen has.
    const std::size_t most = kMostLines * kUsual / std::min(kUsual, columns_);
    for (const std::size_t lines : {2, 1})
      if (too_long(kFewLines)) shorten(Rank::kProof, lines);
    for (const std::size_t lines : {2, 1})
      if (too_long(kFewLines)) shorten(Rank::kInterface, lines);
    if (too_long(kFewLines)) shorten(Rank::kVerdict, 2);
    for (const Rank rank : {Rank::kChosen, Rank::kLooks, Rank::kProof})
      while (too_long(kFewLines) && hide(rank, false)) {}
    // Beside losses of motion one of the interface stands for all, else two.
    const bool moves = std::ranges::any_of(groups, [](const Group& group) {
      return group.rank == Rank::kMotion && !group.rows.empty();
    });
    while (too_long(kFewLines) && hide(Rank::kInterface, false, moves ? 1 : 2)) {}
    while (too_long(kFewLines) && hide(Rank::kInput, false)) {}
    for (const bool heavy : {false, true})
      for (const Rank rank : {Rank::kChosen, Rank::kInput, Rank::kLooks, Rank::kProof})
        while (too_long(most) && hide(rank, heavy)) {}
    if (too_long(most)) shorten(Rank::kMotion, 1);
    for (const Rank rank : {Rank::kInterface, Rank::kMotion})
      while (too_long(most) && hide(rank)) {}
    const auto is_last = [](const Group& group) {
      return group.rank == Rank::kJudge || group.rank == Rank::kVerdict;
    };
    for (const Group& group : groups)
      if (!is_last(group)) Rows(group);
    if (hidden > 0 && !counted)
      Line(
          Cut("and " + std::to_string(hidden) + " more, which --verbose lists:" + codes, columns_));
    for (const Group& group : groups)
      if (is_last(group)) Rows(group);
    return hidden;
  }

  // Every line begins with the file: where it is about the file, that is said.
  static void LeaveOutFile(Diagnostic& message) {
    const std::size_t name = message.subject.size();
    if (message.file.empty() || name != message.file.size() + 2 ||
        message.subject.compare(1, message.file.size(), message.file) != 0)
      return;
    const bool goes_on = message.message.compare(name, 1, " ") == 0;  // else with ": "
    message.message = message.message.substr(name + (goes_on ? 1 : 2));
    message.subject.clear();
  }

  [[nodiscard]] std::size_t Columns() const { return columns_; }
  [[nodiscard]] std::size_t Lines() const { return LinesOf(text_); }
  [[nodiscard]] std::string Take() { return std::exchange(text_, {}); }

 private:
  [[nodiscard]] std::string Fold(const std::string& text) const {
    return Folded(text, columns_, kIndent);
  }

  [[nodiscard]] std::string Coloured(std::string line, Severity severity,
                                     std::string_view mark = "") const {
    if (!options_.colour) return line;
    const std::string word(mark.empty() ? Name(severity) : mark);
    return Painted(std::move(line), word + ":", ColourOf(severity));
  }

  [[nodiscard]] std::string Together(std::span<const Group> groups) const {
    Screen rows(options_);
    for (const Group& group : groups) rows.Rows(group);
    return rows.Take();
  }

  // The path gives way to the words: a terminal gets the name of its file, a file or pipe the path
  // as it was typed, or its last folders where it is very long. One file is always named alike.
  void ShortenFile(Diagnostic& message) const {
    const bool terminal = options_.columns > 0;
    if (Characters(message.file) > (terminal ? kShortPath : kLongPath))
      message.file = ShortPath(message.file, terminal ? 0 : kLongPath);
  }

  // `file:line: severity: subject (and N more): what [code]`, cut to the lines of a row.
  void RowLine(const Row& row, const std::string& indent) {
    Diagnostic said = row.first;
    LeaveOutFile(said);
    said.notes.clear(), said.suggestion.clear();
    // The others stand behind the subject.
    const std::size_t subject = said.subject.size();
    const bool behind = subject > 0 && subject < kLongSubject;
    const std::string text = said.message.substr(subject);
    const std::string what = ForPeople(text.substr(0, text.find('\n')));
    const auto words = [&](const std::string& more) {
      return said.subject + (behind ? more + what : what + more);
    };
    said.message.clear();
    ShortenFile(said);
    // What happened is worth more than the names of others, and in one line than the place.
    const bool narrow = options_.columns > 0 && row_lines_ == 1;
    const auto beside = [&] { return Characters(indent + Marked(said)); };
    if (narrow && subject > 0 && beside() + Characters(words(AndCount(row))) > columns_)
      said.file.clear();
    const std::size_t room = RoomFor(beside());
    std::string all = words(AndOthers(row));
    if (Characters(all) > room) all = words(AndCount(row));
    // In one line the count is a number, the robot needs no name, and a long name leaves room for
    // what is said of it.
    if (Characters(all) > room && narrow) {
      const bool robot = row.count < 2 && said.subject.starts_with("model '");
      const std::size_t half = room / 2;
      if (behind && what.find("--") == std::string::npos && Characters(said.subject) > half)
        said.subject = CutName(said.subject, half);
      all = robot && what.starts_with(": ")
                ? what.substr(2)
                : words(row.count < 2 ? "" : " (+" + std::to_string(row.count - 1) + ")");
    }
    said.message = CutToFit(all, room, narrow ? kLeastBefore : kLeastWords);
    text_ += Coloured(Fold(indent + Marked(said)), said.severity, mark_);
    // Where a row has one line, `explain` says what else can be done about a note.
    if (row_lines_ > 1 || said.severity != Severity::kNote) Help(row.first, indent + "  ");
  }

  // As Render, but with the mark of its group, if that has one, in place of its severity.
  [[nodiscard]] std::string Marked(const Diagnostic& said) const {
    std::string text = Render(said);
    if (mark_.empty()) return text;
    const std::string_view severity = Name(said.severity);
    return text.replace(text.find(severity, Printable(said.file).size()), severity.size(), mark_);
  }

  // Of the words of a row, beside so many characters. Further lines are indented, and a line may end
  // before a long word.
  [[nodiscard]] std::size_t RoomFor(std::size_t beside) const {
    const std::size_t lines = options_.columns > 0 ? row_lines_ : 1;
    const std::size_t all = lines * columns_, used = beside + (lines - 1) * 2 * kIndent;
    return std::max(lines == 1 ? kLeastBefore : kLeastWords, all - std::min(all, used));
  }

  void Help(const Diagnostic& message, const std::string& indent) {
    for (const std::string& line : LinesBelow(message))
      text_ += Fold(indent + "help: " + Printable(line, LineEnds::kIndented));
  }

  const ScreenOptions& options_;
  std::size_t columns_ = options_.columns > 0 ? options_.columns : kFileColumns;
  std::size_t row_lines_ = kRowLines;
  std::string_view mark_;  // of rows, in place of their severity
  std::string text_;
};

// A loss of the model (gravity, say), in contrast to one of an element.
bool AboutTheRobot(SubjectKind kind) {
  return kind == SubjectKind::kModel || kind == SubjectKind::kWorldModel;
}

bool StartsWith(const std::string& text, std::string_view start) {
  return text.rfind(start, 0) == 0;
}

// What can be done about what is told; empty where all of it stands on a screen.
std::string Meaning(const LossReport& report) {
  if (!report.losses.empty()) return "All: --verbose; meaning: kinemorph explain CODE";
  return report.names.size() + report.lowerings.size() > 0 ? "All: --verbose" : "";
}

std::string Counted(std::size_t count, const char* word, const char* words) {
  return std::to_string(count) + " " + (count == 1 ? word : words);
}

// "7 losses: 2 of motion, 5 of interface; 3 names changed"; where that fits, also what is rewritten.
std::string Closing(const ConversionResult& result, std::size_t silent, std::size_t columns) {
  const LossReport& report = result.report;
  const LossCounts counts = CountLosses(report);
  const std::size_t all = report.losses.size();
  std::string text = all == 0 ? "nothing is lost" : Counted(all, "loss: ", "losses: ");
  auto part = [&, any = false](std::size_t count, const std::string& what) mutable {
    if (count == 0) return;
    text += (any ? ", " : "") + std::to_string(count) + " " + what;
    any = true;
  };
  if (all > 0) {
    part(counts.motion, "of motion");
    part(counts.interface, "of interface");
    part(counts.looks, "of looks");
  }
  if (silent > 0) text += " (" + std::to_string(silent) + " as asked)";
  if (!report.names.empty())
    text += "; " + Counted(report.names.size(), "name changed", "names changed");
  // Where no loss shows what is meant, an example does.
  if (!report.names.empty() && all == 0)
    text += " ('" + report.names[0].from + "' to '" + report.names[0].to +
            (report.names.size() > 1 ? "', ...)" : "')");
  const std::string rewritten =
      "; " + std::to_string(report.lowerings.size()) + " rewritten exactly";
  if (!report.lowerings.empty() && Characters(text + rewritten) <= columns) text += rewritten;
  return text;
}

}  // namespace

std::string ShortPath(const std::string& path, std::size_t columns) {
  constexpr const char* kSeparators = "/\\";
  const std::size_t name = path.find_last_of(kSeparators);
  if (Characters(path) <= columns || name == std::string::npos) return path;
  for (std::size_t i = path.find_first_of(kSeparators); i < name;
       i = path.find_first_of(kSeparators, i + 1))
    if (Characters(path.substr(i)) + 3 <= columns) return "..." + path.substr(i);
  return path.substr(name + 1);
}

std::string ForPeople(std::string_view text) {
  // Names are copied as they stand, quotes and all: digits in them are no numbers.
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char before = i == 0 ? ' ' : text[i - 1];
    if (text[i] == '\'' && !IsWord(before)) {
      const std::size_t end = text.find('\'', i + 1);
      const std::size_t next = end == std::string_view::npos ? text.size() : end + 1;
      out.append(text.substr(i, next - i));
      i = next;
      continue;
    }
    bool exact = true;
    // A digit behind a letter, '.', '/' or '-' belongs to a name, a version, a path or an option.
    const bool may_start = !IsWord(before) && before != '.' && before != '/' && before != '-';
    const std::size_t end = may_start ? EndOfNumber(text, i, exact) : i;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::string_view number = text.substr(i, end - i);
    out += exact ? std::string(number) : FourDigits(number);
    i = end;
  }
  return out;
}

std::string MessagesScreen(const std::vector<Diagnostic>& messages, const ScreenOptions& options) {
  Screen screen(options);
  Group rest{Rank::kInput};
  for (const Diagnostic& message : messages) {
    if (message.severity == Severity::kError || options.errors_only) continue;
    if (options.verbose)
      screen.Full(message);
    else
      Put(rest.rows, message, true);  // which gives way only where a screen is full
  }
  if (options.most_lines > 0)
    screen.Rows({&rest, 1}, kMostLines - std::min(kMostLines, options.most_lines));
  else
    screen.Rows(rest);
  screen.Errors(messages);
  return screen.Take();
}

std::string ConversionScreen(const ConversionResult& result, const std::string& in,
                             const std::string& written, const ScreenOptions& options) {
  Screen screen(options), end(options);
  const std::vector<Diagnostic>& messages = result.diagnostics.items();
  // A conversion that ended early has no target to tell of.
  const bool came_far = !result.target.format.empty();
  if (!options.errors_only && !result.source.format.empty())
    screen.FileLine("read  ", in, Text(result.source));
  if (!options.errors_only && !written.empty())
    screen.FileLine("wrote ", written, Text(result.target));
  std::size_t silent = 0;
  std::array groups = {Group{Rank::kInput},
                       Group{Rank::kMotion},
                       Group{Rank::kMotion, "motion"},
                       Group{Rank::kInterface, "interface"},
                       Group{Rank::kLooks, "looks"},
                       Group{Rank::kChosen},
                       Group{Rank::kProof},
                       Group{Rank::kVerdict},
                       Group{Rank::kJudge}};
  auto& [input, held, motion, interface, looks, chosen, proof, verdict, judge] = groups;
  if (!options.errors_only) {
    // Losses by what they weigh, motion first; then what was chosen, then the proof.
    // The i-th message is of the i-th loss: weights stand in the report alone.
    const std::vector<Diagnostic> losses = LossMessages(result.report);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const Loss& loss = result.report.losses[i];
      const auto& asked = options.silent;
      if (std::find(asked.begin(), asked.end(), loss.feature) != asked.end() ||
          (options.hides && options.hides(losses[i]))) {
        ++silent;
        continue;
      }
      if (options.verbose) {
        screen.Full(losses[i]);
        continue;
      }

      // The reason of a loss is left to the report and to `explain`: one line tells what is gone.
      Diagnostic brief = losses[i];
      brief.subject = Text(loss.subject);
      brief.message = brief.subject + ": " + loss.what;
      brief.notes.clear();
      Group& group = loss.weight == Weight::kMotion      ? motion
                     : loss.weight == Weight::kInterface ? interface
                                                         : looks;
      Put(group.rows, brief, AboutTheRobot(loss.subject.kind));
    }
    if (options.verbose) {
      for (const NameChange& name : result.report.names)
        screen.Line("renamed: " + std::string(Name(name.kind)) + " '" + name.from + "' to '" +
                    name.to + "'");
      for (const Lowering& lowering : result.report.lowerings)
        screen.Line("rewritten exactly: " + Text(lowering.subject) + ": " + lowering.what);
      for (const FrameChange& frame : result.report.frames)
        screen.Line("link frame moved: '" + frame.link + "' to " + ValueText(frame.X_old_new) +
                    " in its old frame");
    }
    for (const Diagnostic& message : messages) {
      if (message.severity == Severity::kError || (options.hides && options.hides(message)))
        continue;
      if (options.verbose) {
        screen.Full(message);
        continue;
      }
      // The verdict goes last: it is what a reader of --verify looks for. So do motors that
      // were asked for and are none.
      const bool beside = message.code == "verify-skipped" || message.code == "verify-not-judged";
      const bool of_proof = StartsWith(message.code, "verify-") && !beside;
      if (of_proof && message.severity == Severity::kWarning) {
        end.Verdict(message);
        continue;
      }
      if (of_proof || message.code == "motors-none") {
        Group& last = message.code == "verify-accepted" ? judge : verdict;
        last.rows.push_back({message, 1});
        Diagnostic& said = last.rows.back().first;
        if (!said.brief.empty()) said.message = said.brief, said.subject.clear();
        Screen::LeaveOutFile(said);
        if (options.columns > 0) said.file.clear();  // which stands in the line of what was written
        continue;
      }
      // A loop that the target tears, or that no line fits, is no remark; nor is a joint that seems
      // to move and stands still.
      const bool of_loop = message.code == "mjcf-open-loop" || message.code == "mimic-no-fit";
      const bool still =
          message.code == "driven-joint-frozen" || message.code == "limit-default-zero";
      Group& group = message.severity == Severity::kWarning ? (of_loop ? motion
                                                               : still ? held
                                                                       : input)
                     : beside                               ? proof
                                                            : chosen;
      // What holds for the whole robot comes first.
      const bool whole = message.code == "base-fixed" || message.code == "base-free" ||
                         message.code == "base-place" || message.code == "natures-chosen" ||
                         message.code == "side-car-found" ||
                         StartsWith(message.code, "resource-not-");
      Put(group.rows, message, whole);
    }
  }
  end.Errors(messages);
  const std::string verdicts = end.Take();
  // After an error nobody shall read that nothing is lost.
  const bool sound = !result.diagnostics.has_errors() || !result.report.losses.empty();
  std::string totals, meaning;
  if (!options.errors_only && came_far && sound) {
    meaning = Meaning(result.report);
    const std::size_t room = screen.Columns();
    totals = Closing(result, silent, room - std::min(room, Characters(meaning) + 2));
    for (const std::string& hint : options.hints) end.Line(hint);
  }
  // Rows take what room the rest leaves. Where the totals have no room for the meaning, they count
  // what was left out, if there is room for that.
  const std::string hints = end.Take(), all = "All: --verbose";
  const auto fits = [&](const std::string& more) {
    return Characters(totals + more) + 2 <= screen.Columns();
  };
  const bool narrow = !fits(meaning);
  const std::size_t lines = totals.empty() ? 0 : fits(all) ? 1 : 2;
  const std::size_t hidden =
      screen.Rows(groups, screen.Lines() + LinesOf(verdicts + hints) + lines, narrow);
  const std::string counted = "Not shown: " + std::to_string(hidden) + " (--verbose)";
  if (narrow) meaning = hidden > 0 && fits(counted) ? counted : all;
  if (!meaning.empty()) totals += ". " + meaning;
  Screen closing(options);
  if (!totals.empty()) closing.Line(totals);
  return screen.Take() + verdicts + closing.Take() + hints;
}

namespace {

// Poses, motions and accelerations are compared without values that a reader could use: where a
// number of the files differs they follow from that, most often.
bool HasNoValues(const Diagnostic& item) {
  return item.code == "verify-differs" &&
         (item.message.ends_with(" differ") || item.message.ends_with(" differs"));
}

std::string FollowingLine(const std::vector<Diagnostic>& items) {
  std::vector<std::pair<std::string, std::string>> names_of;  // by what differs
  for (const Diagnostic& item : items) {
    if (!HasNoValues(item)) continue;
    const std::size_t begin = item.subject.empty() ? 0 : item.subject.size() + 2;
    const std::string what = item.message.substr(begin, item.message.rfind(" differ") - begin);
    auto found = std::ranges::find(names_of, what, &std::pair<std::string, std::string>::first);
    if (found == names_of.end()) found = names_of.insert(found, {what, ""});
    found->second += (found->second.empty() ? "" : ", ") + item.subject;
  }
  std::string line;
  for (const auto& [what, names] : names_of)
    line += (line.empty() ? "what may follow from that: " : "; ") + what + " of " + names;
  return line;
}

}  // namespace

std::vector<std::string> DifferenceLines(const VerifyResult& result) {
  std::vector<std::string> lines, without;
  for (const Diagnostic& item : result.diagnostics.items())
    if (item.severity == Severity::kError || item.code == "more-of-the-same")
      (HasNoValues(item) ? without : lines).push_back(ForPeople(item.message));
  if (lines.empty())
    lines = without;
  else if (!without.empty())
    lines.push_back(ForPeople(FollowingLine(result.diagnostics.items())));
  // Exceptions differ too, for someone who asks for differences.
  for (const VerifyCheck& check : result.checks)
    for (const std::string& item : check.excepted)
      lines.push_back(check.what + ": " + ForPeople(item));
  for (const VerifySkipped& skipped : result.skipped)
    lines.push_back("not compared: " + Text(skipped));
  return lines;
}

}  // namespace kinemorph
