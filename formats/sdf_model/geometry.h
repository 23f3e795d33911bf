// Shapes, materials and surfaces of SDFormat.
#pragma once

#include "kinemorph/graph/model/geometry.h"
#include "sdf_model/description.h"

namespace kinemorph::sdformat {

/// The shape in the <geometry> of a visual or collision. Nothing (after a warning) when there is
/// none.
[[nodiscard]] std::optional<Shape> ReadGeometry(const xml::Element& owner);

[[nodiscard]] Material ReadMaterial(const xml::Element& material);

/// Friction of a <surface>; whatever else it says is kept as it is.
void ReadSurface(const xml::Element& surface, Collision& collision);

/// True when `element` holds the boolean or number that its absence means, so that dropping it
/// loses nothing.
[[nodiscard]] bool IsDefault(const xml::Element& element);

}  // namespace kinemorph::sdformat
