// Other programs, bounded.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kinemorph::tools {

struct ProgramResult {
  int exit_code = 0;       ///< 128 + signal when it was killed
  bool timed_out = false;  ///< it was killed because it did not end in time
  std::string output;
};

/// Runs a program with `input` on its standard input and returns its standard output and error
/// together; nothing when it cannot be started. It is killed after `seconds`, when its output
/// exceeds 64 MiB, and when this process dies; it gains no rights that this one has not.
[[nodiscard]] std::optional<ProgramResult> RunProgram(const std::vector<std::string>& command,
                                                      const std::string& input, double seconds);

/// The program of this name that stands beside this one; empty where there is none.
[[nodiscard]] std::string ProgramBeside(const std::string& name);

/// A file name as an argument that no program takes for an option.
[[nodiscard]] std::string AsArgument(const std::string& path);

}  // namespace kinemorph::tools
