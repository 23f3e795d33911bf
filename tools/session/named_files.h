// Files, and the descriptions below folders: what `lint` and `check` take, and what of a folder a
// batch leaves out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::tools {

/// Globs as in .gitignore: one without a slash is of a file or folder of this name anywhere, one with
/// a slash is of a path below the folder that is read or below the working folder. A folder stands
/// for all that is in it.
struct Globs {
  std::vector<std::string> include,  ///< none: all
      exclude;                       ///< none: none
  /// Of a file: by its path below the folder, and by the one as it was typed.
  [[nodiscard]] bool Take(const std::string& relative, const std::string& typed) const;
};

/// --include and --exclude.
void AddGlobOptions(CLI::App& command, Globs& globs);

/// A description below a folder.
struct Description {
  std::string relative;   ///< its path below the folder
  std::string path;       ///< by which it is opened
  bool left_out = false;  ///< by globs
};

struct Descriptions {
  std::vector<Description> all;         ///< sorted by `relative`, byte by byte
  std::vector<std::string> unreadable;  ///< what could not be listed, and why
};

/// Every file below `folder` whose extension is of a format that is read. Pipes and broken links are
/// among them (reading them fails and says so); linked folders are not entered, and links to files
/// elsewhere are not read unless `allow_outside`.
[[nodiscard]] Descriptions DescriptionsBelow(const std::string& folder, const Globs& globs,
                                             bool allow_outside);

/// Whether a file of this name is xacro.
[[nodiscard]] bool IsXacro(std::string_view name);

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
