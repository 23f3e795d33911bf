// Files of meshes: what kind a file is, and the triangles of STL (binary and text), OBJ and MuJoCo's
// own MSH. Nothing but positions and faces is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

/// A surface of triangles.
struct Triangles {
  std::vector<Vector3> vertices;  ///< single precision values, as MuJoCo keeps them
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< counter-clockwise seen from outside
};

/// Decodes `content` by the extension of `name`. On failure nothing, and the reason in `why`.
[[nodiscard]] std::optional<Triangles> DecodeMesh(std::string_view name, std::string_view content,
                                                  std::string& why);

/// An OBJ file of these triangles.
[[nodiscard]] std::string ObjText(const Triangles& mesh);

/// The box around a mesh, in metres where the file names its unit, else in its numbers. Nothing
/// where it cannot be decoded or has no vertices.
[[nodiscard]] std::optional<Eigen::AlignedBox3d> BoundsOfMesh(std::string_view name,
                                                              std::string_view content);

/// What a mesh has in space.
enum class MeshExtent {
  kNothing,   ///< no area
  kTriangle,  ///< less than four corners
  kPlane,     ///< more of them in one plane, to the last digit: it has no convex hull
  kShell,     ///< an area, and next to no volume
  kBody,      ///< a volume, or nobody can read it
};
/// Of the file `uri` times `scale`; most are told by their beginning, and not read further. The
/// borders are those of MuJoCo 4.0's compiler (measured).
[[nodiscard]] MeshExtent ExtentOfMesh(const ResourceResolver& files, const std::string& uri,
                                      const Vector3& scale);

/// Whether an STL file that begins so is written as text. Some binary ones begin with "solid" too.
[[nodiscard]] bool IsTextStl(std::string_view start);

/// How many triangles a binary STL file that begins so says that it has; nothing where it is too
/// short.
[[nodiscard]] std::optional<std::uint32_t> FacesOfBinaryStl(std::string_view start);
/// In bytes.
[[nodiscard]] std::size_t SizeOfBinaryStl(std::uint32_t faces);

}  // namespace kinemorph
