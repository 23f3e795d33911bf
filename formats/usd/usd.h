// USD from and to the connectivity model: layers as text or binary and packages are read, text is
// written; UsdPhysics, with the attributes of Newton or of PhysX.
#pragma once

#include <optional>
#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// It begins as USD does, as text or in a binary form.
[[nodiscard]] bool IsUsd(std::string_view text);

/// Reads a stage, whose layers are text or binary, beside each other or in a package: rigid bodies,
/// joints, masses, limits, drives, mimics, filtered pairs, shapes. Lengths in metres, z up. Layers
/// are composed. One that cannot be opened is an error where bodies and joints could be in it, else
/// it is passed over and said; so are points of meshes and what no schema here knows. Elements of a
/// binary layer have no line, and a damaged one is an error that names the byte.
[[nodiscard]] std::optional<Model> ReadUsd(std::string_view bytes, const ReadOptions& options,
                                           Diagnostics& diagnostics);

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
