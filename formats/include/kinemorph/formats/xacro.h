// xacro: the macro language in which most robots of ROS are written, expanded to the URDF or
// SDFormat text that the readers take.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph {

/// What an expansion is told beside the text. Nothing is read from the environment, the working
/// folder or a disk but through these.
struct XacroOptions {
  /// Of the main file, for messages, and the base of relative names.
  std::string file_name = "<text>";
  /// Opens includes and YAML files, and finds packages; none: there are no other files.
  const ResourceResolver* resolver = nullptr;
  /// `$(arg NAME)`: goes before the defaults in the file.
  std::map<std::string, std::string> arguments;
  /// `$(find NAME)`: folders of packages that are known; others are looked for by the resolver.
  std::map<std::string, std::string> packages;
  /// `$(env NAME)`; none, or nothing returned: not set.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  /// Names of what lies in a folder, for includes with `*`, `?` or `[`; none: they match nothing.
  std::function<std::vector<std::string>(const std::string& folder)> names_in;
  /// `$(cwd)`.
  std::string working_folder;
};

/// A place in the files that were expanded.
struct XacroPlace {
  std::uint32_t file = 0;  ///< index into XacroExpansion::files
  std::uint32_t line = 0;  ///< from 1
  std::uint32_t call = 0;  ///< index into XacroExpansion::calls; 0: in no macro
};

/// A call of a macro.
struct XacroCall {
  std::string macro;      ///< its name
  XacroPlace where = {};  ///< of the call; its own `call` is the call around it
};

/// The expanded text, and where each line of it comes from.
struct XacroExpansion {
  std::string text;  ///< XML: a declaration, two blanks for each level, one element a line
  /// Readers are to be told this name of the file: messages about it can then be translated.
  std::string name;
  std::vector<std::string> files;               ///< the main file, then those that it includes
  std::vector<XacroCall> calls;                 ///< [0] is none
  std::vector<XacroPlace> lines;                ///< of each line of `text`
  std::map<std::string, std::string> packages;  ///< folders that `$(find NAME)` gave

  /// The same message about the files that were expanded, with a note for each macro call that it
  /// came through; unchanged where it is not about `name`.
  [[nodiscard]] Diagnostic Translated(Diagnostic message) const;
  /// All of them.
  [[nodiscard]] Diagnostics Translated(const Diagnostics& messages) const;
};

/// Whether a text is a xacro program: a directive, or an expression under the prefix `xacro`.
[[nodiscard]] bool LooksLikeXacro(std::string_view text);

/// Expands `text`. Nothing, with one error of file, line and the macro calls around it, where that
/// fails: the first mistake ends it. Warnings and the file's own messages go to `diagnostics` too.
/// Time and memory are bounded whatever the text says.
[[nodiscard]] std::optional<XacroExpansion> ExpandXacro(std::string_view text,
                                                        const XacroOptions& options,
                                                        Diagnostics& diagnostics);

}  // namespace kinemorph
