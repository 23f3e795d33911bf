// How wide a terminal is.
#pragma once

#include <cstddef>

namespace kinemorph::tools {

/// Columns of the terminal behind this stream (STDOUT_FILENO, STDERR_FILENO), by COLUMNS where that
/// is set; 0 where the stream is a file or a pipe.
[[nodiscard]] std::size_t TerminalColumns(int stream);

/// Columns of help: those of COLUMNS or of the terminal, at most 100.
[[nodiscard]] std::size_t HelpColumns();

}  // namespace kinemorph::tools
