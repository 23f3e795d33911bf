// kinemorph.toml: what a team writes once for `check` and `lint`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::tools {

/// The file of the working folder that holds them.
inline constexpr const char* kSettingsFile = "kinemorph.toml";

/// What `text` of kinemorph.toml says for a subcommand, as words of a command line:
/// "--exclude=vendor". Keys before the first section are for every subcommand, those of a section
/// are for one and count instead. Throws UsageError with the line of what is none of its keys, or no
/// TOML.
[[nodiscard]] std::vector<std::string> SettingsIn(std::string_view text,
                                                  const std::string& command);

/// The same of the working folder for a command line, without the options that `words` hold. None
/// where there is no file, or where the subcommand takes none.
[[nodiscard]] std::vector<std::string> SettingsFor(const std::vector<std::string>& words);

}  // namespace kinemorph::tools
