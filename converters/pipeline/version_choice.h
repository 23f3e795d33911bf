// Which version of the target's format is written where nobody names one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/converters/convert.h"

namespace kinemorph {

/// Versions of the target's format after its default one, the lowest first, each of which may hold
/// more of a model with `present`, even as the passes change it, than all before it. None where the
/// request names a version.
[[nodiscard]] std::vector<std::string_view> NewerVersions(const FeatureSet& present,
                                                          const ConvertOptions& options);

/// `options` with that version of the target's format.
[[nodiscard]] ConvertOptions InVersion(ConvertOptions options, std::string_view version);

/// The losses of motion that nobody asked for.
[[nodiscard]] std::vector<const Loss*> MotionLost(const LossReport& report,
                                                  const ConvertOptions& options);

/// Says that `version` is written, and what the default one would lose more.
void SayVersion(const Model& model, const LossReport& by_default, const LossReport& chosen,
                const ConvertOptions& options, std::string_view version, Diagnostics& diagnostics);

}  // namespace kinemorph
