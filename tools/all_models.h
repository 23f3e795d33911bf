// Every model of a world, each to a file of its own.
#pragma once

#include <string>
#include <vector>

#include "batch_plan.h"
#include "conversion.h"

namespace kinemorph::tools {

/// The names of the models of a description that holds several models or a world; none where it is
/// one robot or cannot be read (converting it tells why).
[[nodiscard]] std::vector<std::string> ModelsIn(const Input& input);

/// Names as file names, each of its own: what is no letter, digit, '_', '-' or '.' becomes '_', and
/// one that is taken gets a number.
[[nodiscard]] std::vector<std::string> FileNamesOf(const std::vector<std::string>& models);

/// The models of each of `sources`, read as `like` says: in worker processes within `limits`, so
/// that a hostile world takes nothing with it. A signal ends the process.
[[nodiscard]] std::vector<ModelsFound> FindModels(const std::vector<std::string>& sources,
                                                  const Input& like, int workers,
                                                  WorkLimits limits);

/// --all-models: Input's models to OUT/NAME.EXTENSION, OUT being a folder. Those that fail are told,
/// the others are written; the exit code is the worst.
[[nodiscard]] int ConvertAllModels(const ConversionOptions& options);

}  // namespace kinemorph::tools
