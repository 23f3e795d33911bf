// What kept content says, in a few words.
#pragma once

#include <string>

#include "kinemorph/graph/model/native_data.h"

namespace kinemorph {

/// Its start tag and what stands in it, as far as it is short:
/// "<gazebo reference="arm"> (mu1 0.2, kp 1e6)", "<kinematic> (true)".
[[nodiscard]] std::string ContentText(const NativeData& data);
/// The name of the element, or of those in it that say something where it only wraps them:
/// "<mu1>, <kp>".
[[nodiscard]] std::string TagsText(const NativeData& data);

}  // namespace kinemorph
