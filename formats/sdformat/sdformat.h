// SDFormat 1.4 to 1.12: text <-> Model.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// Reads an SDFormat file (1.4 to 1.12; older ones with a warning): one model, or the first world
/// with all its models.
///
/// Poses are resolved to the zero configuration, includes are opened through `options.resolver`,
/// and every model that is neither static nor joined to the world gets one implicit Free joint per
/// connected part. All joints have the role kUndecided,
/// but for Drake's ball constraints, which are loop joints.
[[nodiscard]] std::optional<Model> ReadSdf(std::string_view text, const ReadOptions& options,
                                           Diagnostics& diagnostics);

/// Writes SDFormat `options.version` ("1.4" to "1.12", default "1.9"). What that version cannot say
/// (a planar joint, a capsule in 1.7, a mimic before 1.11, an open loop) is an error with code
/// `sdf-not-legal`, and the text is then empty.
[[nodiscard]] Bundle WriteSdf(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics);

/// Why WriteSdf does not put back a kept element: libsdformat would refuse the whole file for it.
/// Empty: it does.
[[nodiscard]] std::string SdfRefuses(const Model& model, const NativeData& native,
                                     const Joint* owner, const WriteOptions& options);

/// Its profile.
[[nodiscard]] Format SdfFormat();

/// Its table of weights.
[[nodiscard]] const std::vector<ContentWeight>* SdfContentWeights();

}  // namespace kinemorph
