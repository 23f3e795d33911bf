// Words about robots that can be read: what `lint` says, and `check` of several files.
#pragma once

#include <string>
#include <vector>

#include "session.h"

namespace kinemorph::tools {

struct LintRequest {
  Input input;                     ///< but for the path
  std::vector<std::string> paths;  ///< files and folders
  std::vector<std::string> include,
      exclude;      ///< globs of paths below a folder; none: all, none
  std::string to;   ///< losses of a conversion to this format are told too
  std::string fix;  ///< "certain", or codes with commas; empty: nothing is fixed
  std::string out;  ///< takes the fixed text
};

/// --include and --exclude.
void AddGlobOptions(CLI::App& command, LintRequest& request);

/// Reads every file and says what is to be said of it; a line per file and the fixes go to standard
/// output.
[[nodiscard]] int LintFiles(const LintRequest& request);

}  // namespace kinemorph::tools
