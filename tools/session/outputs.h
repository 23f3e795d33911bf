// What a command may write over: never what it reads, and beside its output only what it wrote
// itself.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::tools {

/// Throws UsageError where an output is one of the files that are read, by any name or link. "-",
/// empty names and files that are not there are passed over.
void RefuseInputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Throws UsageError where the name of an output ends in something else than one of `endings`:
/// "--plot: 'x.png'". Names without an ending may be anything, as /dev/null.
void RequireEnding(const std::string& option, const std::string& out,
                   const std::vector<std::string>& endings);

/// Throws UsageError where two outputs of one command are one file, by any name or link, or where
/// capital letters are taken for small ones. Empty names and the null device are passed over.
void RefuseClashes(const std::vector<std::string>& outputs);

/// True when what stands at `path` may be replaced by a side output: nothing, an empty file, the
/// same text, or a file with the `mark` that is in all that this command writes there.
[[nodiscard]] bool MayReplace(const std::string& path, std::string_view text,
                              std::string_view mark);

/// Throws UsageError where a file stands at `path` that is not empty and has no such mark. Asked
/// before work begins.
void RefuseForeign(const std::string& path, std::string_view mark);

/// Throws UsageError where a file stands at `path` that is not empty and of which `ours` says no.
void RefuseForeign(const std::string& path,
                   const std::function<bool(const std::string& text)>& ours);

/// In what is written for people to look at, or to build upon.
inline constexpr std::string_view kWrittenMark = "ritten by kinemorph";

}  // namespace kinemorph::tools
