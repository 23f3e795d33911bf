// Every model of a world, each to a file of its own.
#pragma once

#include <string>
#include <vector>

#include "session/conversion.h"

namespace kinemorph::tools {

/// The names of the models of a description that holds several models or a world; none where it is
/// one robot or cannot be read (converting it tells why).
[[nodiscard]] std::vector<std::string> ModelsIn(const Input& input);

/// Names as file names, each of its own: what is no letter, digit, '_', '-' or '.' becomes '_', and
/// one that is taken gets a number.
[[nodiscard]] std::vector<std::string> FileNamesOf(const std::vector<std::string>& models);

/// --all-models: Input's models to OUT/NAME.EXTENSION, OUT being a folder. Those that fail are told,
/// the others are written; the exit code is the worst.
[[nodiscard]] int ConvertAllModels(const ConversionOptions& options);

}  // namespace kinemorph::tools
