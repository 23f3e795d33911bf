// Layers -> the one layer that they make together.
#pragma once

#include <deque>
#include <string>

#include "compose/layers.h"

namespace kinemorph::usd {

/// A stage without arcs, but for those that could not be followed.
struct Composed {
  Layer layer;
  std::deque<std::string> made;  ///< values that no layer has so: the layer looks into them
};

/// Composes the stage of the main file: sublayers, inherits, variants, references and payloads,
/// lists edited, paths and names of files as the main file would write them. Below prims that are
/// not defined, or not active, nothing is composed. What makes it fail is an error of `report`.
[[nodiscard]] Composed Compose(Layers& layers, const Reporter& report);

}  // namespace kinemorph::usd
