// Volume and inertia of MuJoCo's primitive geoms, solid or shell. Sizes are MuJoCo's: radii and
// half lengths.
#pragma once

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::mjcf {

enum class GeomType {
  kPlane,
  kHeightField,
  kSphere,
  kCapsule,
  kEllipsoid,
  kCylinder,
  kBox,
  kMesh,
  kSdf
};

/// Volume (m^3), or area (m^2) of a shell; 0 for planes.
[[nodiscard]] double GeomVolume(GeomType type, const Vector3& size, bool shell);
/// Principal moments (kg m^2) about the centre for this mass.
[[nodiscard]] Vector3 GeomMoments(GeomType type, const Vector3& size, bool shell, double mass);

}  // namespace kinemorph::mjcf
