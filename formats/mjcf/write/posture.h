// How low a written robot reaches where it starts.
#pragma once

#include <Eigen/Geometry>
#include <limits>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/mechanics/start_posture.h"
#include "write/body_tree.h"

namespace kinemorph::mjcf {

using Room = Eigen::AlignedBox3d;  ///< m, world axes

/// What moves without the rest of the world: bodies of the world joined by loops, as one.
struct Movable {
  std::vector<std::size_t> roots;  ///< nodes below the world
  bool free = true;                ///< each of them floats
  Room room;  ///< of all shapes on links that move; empty where there is nothing
};
/// Shapes are boxed exactly, meshes by their vertices where `files` finds them (a mesh that is not
/// found, or no STL, OBJ or MSH, does not count). A link of which
/// no shape is known counts by its origin.
[[nodiscard]] std::vector<Movable> MovablesOf(const Model& model, const BodyTree& tree,
                                              const StartPosture& posture,
                                              const ResourceResolver* files);

}  // namespace kinemorph::mjcf
