// What people read: a conversion on one screen. The whole of it is in the report and the messages.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/converters/conversion.h"

namespace kinemorph {

/// Line `line` (from 1) of a file, for the excerpt below an error.
using SourceLine =
    std::function<std::optional<std::string>(const std::string& file, unsigned line)>;

/// How much is shown, and how.
struct ScreenOptions {
  bool verbose = false;      ///< every message in full
  bool errors_only = false;  ///< nothing else
  bool colour = false;       ///< escape sequences of a terminal
  /// Of a terminal; 0, of a file or a pipe: kFileColumns, and rows have one line.
  std::size_t columns = 0;
  std::size_t most_lines = 0;   ///< of MessagesScreen, errors apart; 0: as many as there are
  std::vector<Feature> silent;  ///< losses that were asked for
  /// Notes and warnings that are known and accepted; none: none are.
  std::function<bool(const Diagnostic& message)> hides = {};
  SourceLine source_line;               ///< none: no excerpts
  std::vector<std::string> hints = {};  ///< what to do next; lines after the summary
};

inline constexpr std::size_t kFileColumns = 200;  ///< of a line in a file or a pipe

/// A path of at most so many characters: "..." and its last folders, or else the name of the file.
[[nodiscard]] std::string ShortPath(const std::string& path, std::size_t columns);

/// Every line of `text` in lines of at most `columns` characters, those after the first of it
/// indented by `indent`. Breaks are at spaces, but neither between an option and its value nor in a
/// command in backticks, unless no line is long enough; longer words are broken. 0 columns are
/// kFileColumns. Each line ends with a line feed.
[[nodiscard]] std::string Folded(std::string_view text, std::size_t columns, std::size_t indent);

/// The messages of a command: errors in full, the rest one row per code with its first subjects.
[[nodiscard]] std::string MessagesScreen(const std::vector<Diagnostic>& messages,
                                         const ScreenOptions& options);

/// What a conversion did: what was read and written, then its losses by weight and what was chosen,
/// one row per code, then the verdict of a proof, and a closing line with totals, which count what
/// has no room; of at most 20 lines, errors apart. `written`
/// names what is in place now; empty: nothing was written.
[[nodiscard]] std::string ConversionScreen(const ConversionResult& result, const std::string& in,
                                           const std::string& written,
                                           const ScreenOptions& options);

/// What differs between two descriptions, a line each with what was found; then what could not be
/// compared. Empty where they are the same.
[[nodiscard]] std::vector<std::string> DifferenceLines(const VerifyResult& result);

/// Numbers with a fraction or an exponent get four digits; names in quotes and whole numbers stay.
[[nodiscard]] std::string ForPeople(std::string_view text);

}  // namespace kinemorph
