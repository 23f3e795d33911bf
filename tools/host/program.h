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

/// A program that answers one question after another on its standard streams, for what takes long
/// to start. It is started at the first question, and again where it has ended. A question is its
/// words, a zero byte behind each and one behind all; an answer is a line `EXIT_CODE BYTES` and so
/// many bytes. A fork of this process starts one of its own.
class StandingProgram {
 public:
  explicit StandingProgram(std::vector<std::string> command);
  ~StandingProgram();  ///< it is killed
  StandingProgram(const StandingProgram&) = delete;
  StandingProgram& operator=(const StandingProgram&) = delete;

  /// Bounded as in RunProgram; a program that is killed for it gives no later answer.
  [[nodiscard]] std::optional<ProgramResult> Ask(const std::vector<std::string>& words,
                                                 double seconds);

 private:
  bool Start();
  void End();

  std::vector<std::string> command_;
  int starter_ = -1, process_ = -1;  // who started it, and what it is
  int in_ = -1, out_ = -1;
};

/// The program of this name that stands beside this one; empty where there is none.
[[nodiscard]] std::string ProgramBeside(const std::string& name);

/// A file name as an argument that no program takes for an option.
[[nodiscard]] std::string AsArgument(const std::string& path);

}  // namespace kinemorph::tools
