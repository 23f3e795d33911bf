// Meshes of several colours for formats in which a mesh has one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/model/geometry.h"

namespace kinemorph {

/// The faces of a mesh that have one colour.
struct ColouredPart {
  std::string obj;             ///< an OBJ file of triangles, without normals
  std::optional<Rgba> colour;  ///< none: its material has a texture, or nothing says which
};

/// The parts of an OBJ file by the colours (Kd, d) of its material library, in the order of their
/// first faces. A mesh of more than 32 colours is its only part, without a colour, and so is what is
/// no good OBJ file. Each part has four vertices at least, which MuJoCo asks for. Without normals, which MuJoCo multiplies vertices by: it then finds that some
/// meshes have no volume.
[[nodiscard]] std::vector<ColouredPart> PartsByColour(std::string_view obj,
                                                      std::string_view library);

}  // namespace kinemorph
