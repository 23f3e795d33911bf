// .xacro files: expanded here, or by the program xacro where that is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/inputs.h"
#include "session/session.h"

namespace kinemorph::tools {

/// Whether IN is to be expanded before it is read: by its name, or because --xacro says so.
[[nodiscard]] bool IsToBeExpanded(const Input& input);

/// --xacro-arg as names and values; empty values are none, as for the program xacro. Throws
/// UsageError where one is of another form.
[[nodiscard]] std::map<std::string, std::string> XacroArguments(const Input& input);

/// Expands `text`, which `input` holds, and keeps the expansion there. False with an error. `asked`
/// gets the files that were looked for.
bool ExpandHere(const Input& input, const std::string& text, Diagnostics& diagnostics,
                std::vector<Asked>* asked);

/// What the program xacro makes of the file; nothing, with an error, where that fails.
[[nodiscard]] std::optional<std::string> ExpandedByProgram(const Input& input,
                                                           Diagnostics& diagnostics);

/// The result's messages and losses at their places in the files that were expanded.
void TranslateResult(const Input& input, ConversionResult& result);

}  // namespace kinemorph::tools
