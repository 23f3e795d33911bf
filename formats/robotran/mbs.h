// Robotran MBS (MBsysPad XML, root mbsDescR7): reader and writer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// Reads an `.mbs` text. Conventions: q = 0 of the model is q = 0 in Robotran and `initialvalue/q`
/// is kept as JointAxis::initial_position, except for a T1 T2 T3 R. R. R. chain, which is one Free
/// joint drawn at its initial pose. Driven joints are constants (a warning when user code may move
/// them). The source's spelling and 2D diagram stay in Model::native ("diagram"), so that an
/// unchanged part is written back as it was.
[[nodiscard]] std::optional<Model> ReadMbs(std::string_view text, const ReadOptions& options,
                                           Diagnostics& diagnostics);

/// Writes a model with legal names and no joint that points against the tree. Errors in
/// `diagnostics` leave the text empty; what MBS has no place for (collisions, sensors of other
/// formats, foreign native data) is left out with a warning (code `not-written`). Where couplings
/// or screw joints must be enforced by user code, its C file goes with the text.
[[nodiscard]] Bundle WriteMbs(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics);

/// Why WriteMbs cannot put back a kept MBS element (a force element whose body is gone); empty: it
/// can.
[[nodiscard]] std::string MbsRefuses(const Model& model, const NativeData& native,
                                     const Joint* owner, const WriteOptions& options);

/// Its profile.
[[nodiscard]] Format MbsFormat();

/// Its table of weights.
[[nodiscard]] const std::vector<ContentWeight>* MbsContentWeights();

}  // namespace kinemorph
