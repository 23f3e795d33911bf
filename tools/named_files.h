// Files, and the descriptions below folders: what `lint` and `check` take, and what of a folder a
// batch leaves out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kinemorph::tools {

/// Globs of paths below a folder, or of names: `*.urdf`, `arms/*`.
struct Globs {
  std::vector<std::string> include,  ///< none: all
      exclude;                       ///< none: none
  [[nodiscard]] bool Take(const std::string& path) const;
};

/// --include and --exclude.
void AddGlobOptions(CLI::App& command, Globs& globs);

struct NamedFiles {
  std::vector<std::string> files;
  bool all = true;  ///< nothing of a folder was left out but by globs
};

/// `paths` as they are where they name files; the descriptions below those that are folders, which
/// `globs` take, sorted by name. What cannot be listed, and links that leave their folder unless
/// `allow_outside`, are said on standard error.
[[nodiscard]] NamedFiles FilesNamed(const std::vector<std::string>& paths, const Globs& globs,
                                    bool allow_outside);

}  // namespace kinemorph::tools
