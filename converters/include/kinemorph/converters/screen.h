// What people read: a conversion on one screen. The whole of it is in the report and the messages.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/converters/conversion.h"

namespace kinemorph {

/// Line `line` (from 1) of a file, for the excerpt below an error.
using SourceLine =
    std::function<std::optional<std::string>(const std::string& file, unsigned line)>;

/// How much is shown, and how.
struct ScreenOptions {
  bool verbose = false;         ///< every message in full
  bool errors_only = false;     ///< nothing else
  bool colour = false;          ///< escape sequences of a terminal
  std::vector<Feature> silent;  ///< losses that were asked for
  SourceLine source_line;       ///< none: no excerpts
};

/// The messages of a command: errors in full, the rest one line per code with its count and first
/// subject, in at most 160 columns.
[[nodiscard]] std::string MessagesScreen(const Diagnostics& diagnostics,
                                         const ScreenOptions& options);

/// What a conversion did: what was read and written, then its losses by weight and what was chosen,
/// one line per code, and a closing line with totals. `written` names what is in place now; empty:
/// nothing was written.
[[nodiscard]] std::string ConversionScreen(const ConversionResult& result, const std::string& in,
                                           const std::string& written,
                                           const ScreenOptions& options);

/// What differs between two descriptions, a line each with what was found; then what could not be
/// compared. Empty where they are the same.
[[nodiscard]] std::vector<std::string> DifferenceLines(const VerifyResult& result);

/// Numbers with a fraction or an exponent get four digits; names in quotes and whole numbers stay.
[[nodiscard]] std::string ForPeople(std::string_view text);

}  // namespace kinemorph
