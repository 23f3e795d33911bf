// Shapes, visuals, collisions and materials. All sizes are full sizes in metres (MJCF half sizes
// are converted on reading).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kinemorph/graph/base/source_location.h"
#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/model/native_data.h"

namespace kinemorph {

struct Box {
  Vector3 size = Vector3::Ones();
};  ///< full extents
struct Sphere {
  double radius = 0;
};
struct Cylinder {
  double radius = 0, length = 0;
};  ///< axis z, centred
struct Capsule {
  double radius = 0, length = 0;
};  ///< length of the cylindrical part, caps excluded
struct Cone {
  double radius = 0, length = 0;
};  ///< axis z, centred, apex at +z
struct Ellipsoid {
  Vector3 radii = Vector3::Ones();
};
struct Plane {
  Vector3 normal = Vector3::UnitZ();
  Eigen::Vector2d size = Eigen::Vector2d::Zero();
};  ///< size 0: infinite
struct Mesh {
  std::string uri;  ///< as written
  Vector3 scale = Vector3::Ones();
  std::optional<std::string> submesh;
  bool center_submesh = false;
  std::string name;  ///< asset name (MJCF), else empty
};
struct Polyline {
  std::vector<std::vector<Eigen::Vector2d>> polylines;
  double height = 0;
};
/// A shape of one format that no other format has (heightmap, image, sdf plugin ...): kept as text.
struct NativeShape {
  std::string type;
  NativeData data;
};

using Shape = std::variant<Box, Sphere, Cylinder, Capsule, Cone, Ellipsoid, Plane, Mesh, Polyline,
                           NativeShape>;

using Rgba = Eigen::Vector4d;

struct Material {
  std::string name;  ///< empty: anonymous
  std::optional<Rgba> diffuse, ambient, specular, emissive;
  std::optional<std::string> texture;  ///< file name or uri as written
  std::vector<NativeData> native;
  SourceLocation where;
};

struct Visual {
  std::string name;     ///< may be empty
  RigidTransform X_LG;  ///< pose of the shape in the link
  Shape shape;
  std::optional<Material> material;    ///< resolved (references looked up by the reader)
  std::optional<double> transparency;  ///< 0 opaque .. 1
  std::vector<NativeData> native;
  SourceLocation where;
};

struct Collision {
  std::string name;
  RigidTransform X_LG;
  Shape shape;
  /// Coulomb coefficients where a format gives them: first and second direction, torsional,
  /// rolling.
  std::optional<double> mu, mu2, torsional, rolling;
  std::vector<NativeData> native;
  SourceLocation where;
};

}  // namespace kinemorph
