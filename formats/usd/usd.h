// USD (text, .usda) from the connectivity model: UsdPhysics, with the attributes of Newton or of
// PhysX.
#pragma once

#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// Writes one robot as one stage that needs no other file but its meshes and textures: bodies side
/// by side below the default prim, at a closed start posture within the limits; loop joints are
/// excluded from the articulation. Legal: tree joints Fixed, Revolute, Prismatic, Ball, Planar,
/// Cylindrical, Universal with perpendicular axes, and Free from the world; loop joints of the same
/// kinds but Universal and Free. Anything else is an error.
[[nodiscard]] Bundle WriteUsd(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics);

/// Its profile.
[[nodiscard]] Format UsdFormat();

/// The side-car with the names and start positions of the joints, for Isaac Lab.
inline constexpr std::string_view kIsaacLab = "isaaclab";

}  // namespace kinemorph
