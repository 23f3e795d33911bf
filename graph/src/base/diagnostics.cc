// Messages as data (Statement, Diagnostic), as lines (Render), and the collector that keeps them
// within bounds whatever the input: 4096 bytes each, a thousand of a code. Text of a file is made
// printable only here, at the edge: in the diagnostic it stays as it was.
#include "kinemorph/graph/base/diagnostics.h"

#include <algorithm>
#include <utility>

#include "kinemorph/graph/base/printable.h"

namespace kinemorph {

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

namespace {

constexpr std::size_t kMaxMessage = 4096;

// Cut between characters.
void Shorten(std::string& text) {
  if (text.size() <= kMaxMessage) return;
  std::size_t end = kMaxMessage;
  // A byte 10xxxxxx goes on a character of UTF-8: half of one would make the whole text invalid.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  text += "...";
}

}  // namespace

std::string About(std::string_view kind, std::string_view name) {
  std::string subject;
  subject.reserve(kind.size() + name.size() + 3);
  return subject.append(kind).append(kind.empty() ? "'" : " '").append(name).append("'");
}

Statement::Statement(std::string_view kind, std::string_view name, std::string said,
                     std::vector<Quantity> numbers)
    : subject(About(kind, name)), what(std::move(said)), quantities(std::move(numbers)) {}

std::string Statement::Sentence() const {
  const bool goes_on = subject.empty() || what.starts_with(' ');
  return subject + (goes_on ? "" : ": ") + what;
}

Diagnostic MakeDiagnostic(Severity severity, std::string code, std::string file, std::uint32_t line,
                          std::string element, Statement statement) {
  std::string message = statement.Sentence();
  return {.severity = severity,
          .code = std::move(code),
          .file = std::move(file),
          .line = line,
          .element = std::move(element),
          .message = std::move(message),
          .notes = {},
          .subject = std::move(statement.subject),
          .quantities = std::move(statement.quantities)};
}

std::vector<std::string> LinesBelow(const Diagnostic& diagnostic) {
  std::vector<std::string> lines;
  if (!diagnostic.suggestion.empty())
    lines.push_back("did you mean '" + diagnostic.suggestion + "'?");
  lines.insert(lines.end(), diagnostic.notes.begin(), diagnostic.notes.end());
  return lines;
}

std::string Render(const Diagnostic& diagnostic) {
  std::string out;
  if (!diagnostic.file.empty()) {
    out += Printable(diagnostic.file);
    if (diagnostic.line > 0) out += ':', out += std::to_string(diagnostic.line);
    out += ": ";
  }
  out += std::string(Name(diagnostic.severity)) + ": " +
         Printable(diagnostic.message, LineEnds::kIndented) + " [" + diagnostic.code + "]";
  for (const std::string& line : LinesBelow(diagnostic))
    out += "\n    " + Printable(line, LineEnds::kIndented);
  return out;
}

Diagnostic& Diagnostics::Add(Diagnostic diagnostic) {
  Shorten(diagnostic.message);
  // Screens bold the subject at the start of the message: it must be a part of what was left.
  if (diagnostic.subject.size() > diagnostic.message.size()) diagnostic.subject.clear();
  if (diagnostic.severity == Severity::kError) ++errors_;
  auto it = std::find_if(per_code_.begin(), per_code_.end(),
                         [&](const auto& entry) { return entry.first == diagnostic.code; });
  if (it == per_code_.end()) it = per_code_.insert(per_code_.end(), {diagnostic.code, 0});
  if (++it->second > kMaxPerCode) {
    // The last kept item of this code says that more were found.
    if (it->second == kMaxPerCode + 1) {
      items_.push_back({Severity::kNote,
                        "more-of-the-same",
                        diagnostic.file,
                        0,
                        "",
                        "more than " + std::to_string(kMaxPerCode) + " messages [" +
                            diagnostic.code + "]: the rest is not listed",
                        {}});
    }
    // The caller may still add notes to what it got; they are lost with it.
    overflow_ = std::move(diagnostic);
    return overflow_;
  }
  return items_.emplace_back(std::move(diagnostic));
}

void Diagnostics::Append(const Diagnostics& other) {
  for (const Diagnostic& item : other.items_) Add(item);
  // What the other did not keep still counts.
  const std::size_t kept = static_cast<std::size_t>(
      std::count_if(other.items_.begin(), other.items_.end(),
                    [](const Diagnostic& item) { return item.severity == Severity::kError; }));
  errors_ += other.errors_ - kept;
}

std::string NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  // One third of the letters, rounded up, and at least one: beyond that a suggestion is a guess.
  std::size_t best_distance = std::max<std::size_t>(1, (name.size() + 1) / 3) + 1;
  if (name.size() > 200 || candidates.size() > 20000) return best;
  std::vector<std::size_t> before, previous, current;
  for (const std::string& candidate : candidates) {
    // At least so many letters must be added or removed: most candidates end here.
    const std::size_t difference = candidate.size() > name.size() ? candidate.size() - name.size()
                                                                  : name.size() - candidate.size();
    if (difference >= best_distance) continue;
    // Levenshtein distance, where two neighbours that changed places are one step: three rows.
    before.resize(candidate.size() + 1);
    previous.resize(candidate.size() + 1);
    current.resize(candidate.size() + 1);
    for (std::size_t j = 0; j <= candidate.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      current[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        current[j] = std::min({previous[j] + 1, current[j - 1] + 1,
                               previous[j - 1] + (name[i - 1] == candidate[j - 1] ? 0 : 1)});
        if (i > 1 && j > 1 && name[i - 1] == candidate[j - 2] && name[i - 2] == candidate[j - 1])
          current[j] = std::min(current[j], before[j - 2] + 1);
      }
      std::swap(before, previous);
      std::swap(previous, current);
    }
    if (previous[candidate.size()] < best_distance) {
      best_distance = previous[candidate.size()];
      best = candidate;
    }
  }
  // Else a name that begins so, the shortest: "velocity" for "velocity-limit".
  if (best.empty() && name.size() >= 4)
    for (const std::string& candidate : candidates)
      if (candidate.starts_with(name) && (best.empty() || candidate.size() < best.size()))
        best = candidate;
  return best;
}

}  // namespace kinemorph
