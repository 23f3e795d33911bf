// Shapes, visuals, collisions and materials. All sizes are full sizes in metres (MJCF half sizes
// are converted on reading).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kinemorph/graph/base/source_location.h"
#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/model/native_data.h"

namespace kinemorph {

/// Centred, edges along the axes.
struct Box {
  Vector3 size = Vector3::Ones();  ///< full extents along x, y, z
};
/// Centred.
struct Sphere {
  double radius = 0;  ///< m
};
/// Axis z, centred.
struct Cylinder {
  double radius = 0,  ///< m
      length = 0;     ///< along z (m)
};
/// A cylinder with half a sphere on each end; axis z, centred.
struct Capsule {
  double radius = 0,  ///< of cylinder and caps (m)
      length = 0;     ///< of the cylindrical part, caps excluded (m)
};
/// Axis z, centred, apex at +z.
struct Cone {
  double radius = 0,  ///< of the base at -z (m)
      length = 0;     ///< from base to apex (m)
};
/// Centred.
struct Ellipsoid {
  Vector3 radii = Vector3::Ones();  ///< half axes along x, y, z (m)
};
/// A half-space or a rectangle through the origin.
struct Plane {
  Vector3 normal = Vector3::UnitZ();               ///< unit
  Eigen::Vector2d size = Eigen::Vector2d::Zero();  ///< full extents (m); 0: infinite
};
/// A file with triangles, or a mesh asset.
struct Mesh {
  std::string uri;                     ///< as written
  Vector3 scale = Vector3::Ones();     ///< factor along x, y, z of the file
  std::optional<std::string> submesh;  ///< the part that is meant; absent: all of it
  bool center_submesh = false;         ///< the part is moved to the origin (SDFormat)
  std::string name;                    ///< asset name (MJCF), else empty
  /// The file itself, an OBJ, where the source holds it (USD); else null. `uri` is what it shall be
  /// called then, without a folder.
  std::shared_ptr<const std::string> content = {};
};
/// Outlines in the plane of x and y, extruded along z (SDFormat).
struct Polyline {
  std::vector<std::vector<Eigen::Vector2d>> polylines;  ///< points (m), outline after outline
  double height = 0;                                    ///< m
};
/// A shape of one format that no other format has (heightmap, image, sdf plugin ...): kept as text.
struct NativeShape {
  std::string type;  ///< element or type name of the shape in its format
  NativeData data;   ///< the shape itself
};

/// Every shape; visited exhaustively.
using Shape = std::variant<Box, Sphere, Cylinder, Capsule, Cone, Ellipsoid, Plane, Mesh, Polyline,
                           NativeShape>;

using Rgba = Eigen::Vector4d;  ///< red, green, blue, alpha; 0 .. 1

/// How a visual looks. Absent = not written.
struct Material {
  std::string name;                    ///< empty: anonymous
  std::optional<Rgba> diffuse,         ///< the colour, where there is but one (URDF, MJCF)
      ambient,                         ///< in ambient light
      specular,                        ///< of highlights
      emissive;                        ///< of its own light
  std::optional<std::string> texture;  ///< file name or uri as written
  std::vector<NativeData> native;      ///< what only its own format has
  SourceLocation where;                ///< of its element
};

/// What is drawn of a link.
struct Visual {
  std::string name;                    ///< may be empty
  RigidTransform X_LG;                 ///< pose of the shape in the link
  Shape shape;                         ///< in its own frame G
  std::optional<Material> material;    ///< resolved (references looked up by the reader)
  std::optional<double> transparency;  ///< 0 opaque .. 1; absent: not written
  std::vector<NativeData> native;      ///< what only its own format has
  SourceLocation where;                ///< of its element
};

/// Bits that say what a shape collides with: two shapes do where a bit of one's `type` is in the
/// other's `affinity`, either way round (SDFormat category_bitmask and collide_bitmask, MJCF
/// contype and conaffinity).
struct ContactMask {
  std::uint32_t type = 1,  ///< what it is
      affinity = 1;        ///< what it collides with
  /// The same bits.
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 stumbles over what is generated
  friend auto operator<=>(const ContactMask&, const ContactMask&) = default;
};

/// What of a link collides.
struct Collision {
  std::string name;     ///< may be empty
  RigidTransform X_LG;  ///< pose of the shape in the link
  Shape shape;          ///< in its own frame G
  /// Coulomb coefficients as the author wrote them, in the convention of the format (MJCF gives
  /// torsional and rolling in m): first direction.
  std::optional<double> mu,
      mu2,        ///< second direction
      torsional,  ///< against spinning about the normal
      rolling;    ///< against rolling
  /// Absent: not written; then it is as Model::contact_rule has it: 16 bits each where links
  /// collide unless they are joined, else the lowest bit.
  std::optional<ContactMask> contact_mask;
  std::vector<NativeData> native;  ///< what only its own format has
  SourceLocation where;            ///< of its element
};

}  // namespace kinemorph
