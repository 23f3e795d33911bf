// Visual shapes: MBS cylinders and cones stand along y, angles are current-frame Rx Ry Rz, colours
// 0 to 255.
#pragma once

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/geometry.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

/// Scales are folded into sizes; a cylinder or cone squeezed to an elliptic one stays a
/// NativeShape.
[[nodiscard]] Visual ToVisual(const FileShape& shape);

/// Nothing when MBS has no such shape (capsule, plane, polyline, submesh, shapes of other formats).
/// An ellipsoid is a scaled sphere.
[[nodiscard]] std::optional<FileShape> ToShape(const Visual& visual,
                                               const std::string& fallback_name);

}  // namespace kinemorph::mbs
