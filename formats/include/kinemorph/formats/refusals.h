// What a format has a place for, but its writer cannot put there.
#pragma once

#include <string>
#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// Why the writer of `format` cannot put back an item of its own family, in `model` as it will be
/// written; empty: it can.
[[nodiscard]] std::string WhyRefused(const Format& format, const Model& model,
                                     const NativeData& data);

/// The ends of the names of textures that readers of `format` take, ".png .ktx"; empty: any.
[[nodiscard]] std::string_view TextureFiles(const Format& format);

}  // namespace kinemorph
