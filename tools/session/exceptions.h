// Messages that a user knows and accepts: --ignore, comments in files; and --fail-on.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::tools {

/// What `check` and `lint` leave out, and what makes them end with 1.
struct Exceptions {
  std::vector<std::string> ignore;      ///< codes
  Severity fail_on = Severity::kError;  ///< and everything worse
};

/// --ignore and --fail-on.
void AddExceptionOptions(CLI::App& command, Exceptions& exceptions);

/// Without notes and warnings that --ignore names, or a comment `kinemorph: ignore CODE` in their
/// file: on the line of the message or on the line before, or `kinemorph: ignore-file CODE`
/// anywhere. Errors stay.
[[nodiscard]] std::vector<Diagnostic> WithoutExceptions(const std::vector<Diagnostic>& said,
                                                        const Exceptions& exceptions);

/// Warns about codes in such comments that no message has. A file that cannot be read has none.
void TellUnknownCodes(const std::string& file, Diagnostics& said);

/// Whether any of these ends the command with 1.
[[nodiscard]] bool Fails(const std::vector<Diagnostic>& said, const Exceptions& exceptions);

}  // namespace kinemorph::tools
