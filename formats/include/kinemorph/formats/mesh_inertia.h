// Volume, centre of mass and inertia of a triangle mesh, by MuJoCo's choices.
#pragma once

#include <optional>
#include <string>

#include "kinemorph/formats/mesh_file.h"

namespace kinemorph {

/// What of a mesh weighs.
enum class MeshInertia {
  kLegacy,  ///< every tetrahedron counts positive (MuJoCo's default)
  kExact,   ///< signed ones
  kShell,   ///< area instead of volume
  kConvex,  ///< the hull
};

/// What a mesh weighs at unit density.
struct MeshProperties {
  double volume = 0;                  ///< m^3; m^2 for a shell
  Vector3 com = Vector3::Zero();      ///< in mesh coordinates
  Matrix3 inertia = Matrix3::Zero();  ///< about com, for unit density (kg m^2 per kg/m^3)
};

/// Reasons for nothing (in `why`): no area, no or negative volume, faces of an exact mesh that
/// disagree on their orientation.
[[nodiscard]] std::optional<MeshProperties> ComputeMeshProperties(const Triangles& mesh,
                                                                  MeshInertia method,
                                                                  std::string& why);

}  // namespace kinemorph
