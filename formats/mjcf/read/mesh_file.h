// Triangles of a mesh file: STL (binary and text), OBJ and MuJoCo's own MSH. Nothing but positions
// and faces is read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::mjcf {

struct Triangles {
  std::vector<Vector3> vertices;  ///< single precision values, as MuJoCo keeps them
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< counter-clockwise seen from outside
};

/// Decodes `content` by the extension of `name`. On failure nothing, and the reason in `why`.
[[nodiscard]] std::optional<Triangles> DecodeMesh(std::string_view name, std::string_view content,
                                                  std::string& why);

}  // namespace kinemorph::mjcf
