// URDF and URDF+: one reader for every spelling, and two writers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// Reads URDF 1.0 to 1.2 and URDF+ (loops, couplings, independent) in every known spelling; each
/// foreign spelling gives one warning (code `dialect`). `Model::format` is "urdf+" when the text
/// has a loop, a coupling or an independent attribute, else "urdf".
[[nodiscard]] std::optional<Model> ReadUrdf(std::string_view text, const ReadOptions& options,
                                            Diagnostics& diagnostics);

/// Plain URDF: a tree with mimic joints. Loops, other couplings and independent coordinates are
/// errors.
[[nodiscard]] Bundle WriteUrdf(const Model& model, const WriteOptions& options,
                               Diagnostics& diagnostics);

/// URDF+ in its canonical form; a comment before the root says which profile was used.
[[nodiscard]] Bundle WriteUrdfPlus(const Model& model, const WriteOptions& options,
                                   Diagnostics& diagnostics);

/// Their profiles.
[[nodiscard]] Format UrdfFormat();
[[nodiscard]] Format UrdfPlusFormat();

}  // namespace kinemorph
