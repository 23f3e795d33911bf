#include "kinemorph/formats/mesh_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "collada.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"
#include "lines.h"
#include "xml_reader.h"

namespace kinemorph {
namespace {

// Meshes are decoded where their size or volume matters, and where they are written as files of
// another form. Only triangles matter then; normals, colours, groups and materials are passed over.
// Sizes that a header claims are checked against the bytes that are there before anything is
// reserved.

// Mesh files are little-endian, as every machine we build for; memcpy because nothing is aligned.
template <class T>
T Load(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Vector3 LoadVector(std::string_view bytes, std::size_t offset) {
  return {Load<float>(bytes, offset), Load<float>(bytes, offset + 4),
          Load<float>(bytes, offset + 8)};
}

void AddTriangle(Triangles& mesh, const std::array<Vector3, 3>& corners) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vector3& corner : corners) mesh.vertices.push_back(corner);
  mesh.faces.push_back({first, first + 1, first + 2});
}

constexpr std::size_t kHeader = 84, kFacet = 50;  // bytes of a binary STL file

std::optional<Triangles> DecodeBinaryStl(std::string_view bytes, std::string& why) {
  if (bytes.size() < kHeader) return why = "is too short for an STL file", std::nullopt;
  const std::size_t count = Load<std::uint32_t>(bytes, 80);
  if (count > (bytes.size() - kHeader) / kFacet) return why = "is cut short (STL)", std::nullopt;
  Triangles mesh;
  mesh.vertices.reserve(3 * count);
  mesh.faces.reserve(count);
  // The facet's normal is passed over: the order of the corners says it.
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t facet = kHeader + i * kFacet + 12;
    AddTriangle(mesh, {LoadVector(bytes, facet), LoadVector(bytes, facet + 12),
                       LoadVector(bytes, facet + 24)});
  }
  return mesh;
}

std::optional<Vector3> ParseVertex(const std::vector<std::string_view>& words) {
  if (words.size() < 4) return std::nullopt;
  Vector3 v;
  for (int i = 0; i < 3; ++i) {
    const auto number = xml::ParseNumber(words[static_cast<std::size_t>(i) + 1]);
    if (!number) return std::nullopt;
    // As a binary file would hold it, so that the text form of a mesh has the same vertices.
    v[i] = static_cast<double>(static_cast<float>(*number));
  }
  return v;
}

// Whether it begins with "solid", in whatever case, behind white space and the mark of UTF-8.
bool IsSolid(std::string_view start) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF", kSolid = "solid";
  if (start.starts_with(kMark)) start.remove_prefix(kMark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  return LowerCase(start.substr(0, kSolid.size())) == kSolid;
}

std::optional<Triangles> DecodeTextStl(std::string_view text, std::string& why) {
  Triangles mesh;
  std::vector<Vector3> corners;
  const bool good = ForEachLine(text, [&](std::string_view line) {
    if (LowerCase(line.substr(0, 6)) != "vertex") return true;
    const auto v = ParseVertex(xml::SplitWords(line));
    if (!v) return false;
    corners.push_back(*v);
    if (corners.size() == 3) {
      AddTriangle(mesh, {corners[0], corners[1], corners[2]});
      corners.clear();
    }
    return true;
  });
  if (!good || !corners.empty()) return why = "has a bad vertex (STL)", std::nullopt;
  return mesh;
}

std::optional<Triangles> DecodeStl(std::string_view bytes, std::string& why) {
  // "solid" opens text files, and the header of careless binary ones: those have exactly the size
  // their count says.
  const std::optional<std::uint32_t> count = FacesOfBinaryStl(bytes);
  const bool exact = count && bytes.size() == SizeOfBinaryStl(*count);
  return IsSolid(bytes) && !exact ? DecodeTextStl(bytes, why) : DecodeBinaryStl(bytes, why);
}

// Faces of more corners become fans around the first one. A corner is "vertex/texture/normal"; the
// first number counts.
std::optional<Triangles> DecodeObj(std::string_view text, std::string& why) {
  Triangles mesh;
  const bool good = ForEachLine(text, [&](std::string_view line) {
    if (line.substr(0, 2) == "v " || line.substr(0, 2) == "v\t") {
      const auto v = ParseVertex(xml::SplitWords(line));
      if (v) mesh.vertices.push_back(*v);
      return v.has_value();
    }
    if (line.substr(0, 2) != "f " && line.substr(0, 2) != "f\t") return true;
    std::vector<std::uint32_t> corners;
    const auto words = xml::SplitWords(line);
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto number = xml::ParseNumber(words[i].substr(0, words[i].find('/')));
      if (!number) return false;
      // 1-based; negative counts from the end.
      const double index =
          *number < 0 ? static_cast<double>(mesh.vertices.size()) + *number : *number - 1;
      if (!(index >= 0) || index >= 4e9) return false;
      corners.push_back(static_cast<std::uint32_t>(index));
    }
    for (std::size_t i = 2; i < corners.size(); ++i)
      mesh.faces.push_back({corners[0], corners[i - 1], corners[i]});
    return corners.size() >= 3;
  });
  if (!good) return why = "has a bad vertex or face (OBJ)", std::nullopt;
  return mesh;
}

// MuJoCo's own form: four counts, then the arrays one after the other, in single precision.
std::optional<Triangles> DecodeMsh(std::string_view bytes, std::string& why) {
  if (bytes.size() < 16) return why = "is too short for an MSH file", std::nullopt;
  std::array<std::int64_t, 4> n{};  // vertices, normals, texture coordinates, faces
  for (std::size_t i = 0; i < 4; ++i) n[i] = Load<std::int32_t>(bytes, 4 * i);
  const bool sane = std::all_of(n.begin(), n.end(), [](std::int64_t k) { return k >= 0; });
  if (!sane || static_cast<std::int64_t>(bytes.size()) !=
                   16 + 12 * n[0] + 12 * n[1] + 8 * n[2] + 12 * n[3]) {
    return why = "has not the size its header says (MSH)", std::nullopt;
  }
  Triangles mesh;
  for (std::int64_t i = 0; i < n[0]; ++i)
    mesh.vertices.push_back(LoadVector(bytes, static_cast<std::size_t>(16 + 12 * i)));
  const std::int64_t faces = 16 + 12 * n[0] + 12 * n[1] + 8 * n[2];
  for (std::int64_t i = 0; i < n[3]; ++i) {
    const auto at = static_cast<std::size_t>(faces + 12 * i);
    mesh.faces.push_back({Load<std::uint32_t>(bytes, at), Load<std::uint32_t>(bytes, at + 4),
                          Load<std::uint32_t>(bytes, at + 8)});
  }
  return mesh;
}

// The corners that stand whole in the beginning of a file.
std::vector<Vector3> CornersIn(std::string_view name, std::string_view start) {
  std::vector<Vector3> corners;
  if (ExtensionOf(name) == ".stl" && !IsTextStl(start)) {
    for (std::size_t facet = kHeader; facet + kFacet <= start.size(); facet += kFacet)
      for (const std::size_t corner : {12, 24, 36})
        corners.push_back(LoadVector(start, facet + corner));
  } else if (ExtensionOf(name) == ".obj" && start.find('\n') != std::string_view::npos) {
    static_cast<void>(
        ForEachLine(start.substr(0, start.find_last_of('\n')), [&](std::string_view line) {
          const auto v = line.starts_with("v ") ? ParseVertex(xml::SplitWords(line))
                                                : std::optional<Vector3>();
          if (v) corners.push_back(*v);
          return true;
        }));
  }
  return corners;
}

// How far points reach.
struct Spread {
  double length = 0;  // from the first to the one farthest off
  double area = 0;    // of the largest parallelogram with that line as a side
  double width = 0;   // from the plane of that parallelogram
};
Spread SpreadOf(const std::vector<Vector3>& points) {
  Spread spread;
  if (points.empty()) return spread;
  const Vector3& origin = points.front();
  Vector3 along = Vector3::Zero(), normal = Vector3::Zero();
  for (const Vector3& point : points)
    if ((point - origin).squaredNorm() > along.squaredNorm()) along = point - origin;
  for (const Vector3& point : points) {
    const Vector3 across = along.cross(point - origin);
    if (across.squaredNorm() > normal.squaredNorm()) normal = across;
  }
  spread.length = along.norm(), spread.area = normal.norm();
  normal.normalize();
  for (const Vector3& point : points)
    spread.width = std::max(spread.width, std::abs(normal.dot(point - origin)));
  return spread;
}

std::vector<Vector3> Scaled(std::vector<Vector3> points, const Vector3& scale) {
  for (Vector3& point : points) point = point.cwiseProduct(scale);
  return points;
}

constexpr double kThin = 1e-6;   // of the length: what single precision leaves of a plane
constexpr double kFlat = 1e-14;  // of the length: what double precision leaves of it

// A volume below what MuJoCo takes (1e-15 m3), by a box around it.
bool IsShell(const Spread& spread) {
  return spread.area * spread.width <= 1e-12 || spread.width <= kThin * spread.length;
}

MeshExtent ExtentOf(const Triangles& mesh, const Vector3& scale) {
  std::vector<Vector3> corners;  // up to four different ones
  for (const Vector3& v : mesh.vertices) {
    if (corners.size() == 4) break;
    if (std::ranges::find(corners, v) == corners.end()) corners.push_back(v);
  }
  const std::vector<Vector3> vertices = Scaled(mesh.vertices, scale);
  const Spread spread = SpreadOf(vertices);
  const auto area_of = [&](const auto& face) {
    return (vertices[face[1]] - vertices[face[0]])
        .cross(vertices[face[2]] - vertices[face[0]])
        .norm();
  };
  // Where a file has no faces, MuJoCo takes those of the convex hull.
  const double area =
      std::transform_reduce(mesh.faces.begin(), mesh.faces.end(),
                            mesh.faces.empty() ? spread.area : 0.0, std::plus(), area_of);
  if (area <= 4e-15 || spread.area <= kThin * spread.length * spread.length)
    return MeshExtent::kNothing;
  if (corners.size() < 4) return MeshExtent::kTriangle;
  const Spread unscaled = SpreadOf(mesh.vertices);
  if (unscaled.width <= kFlat * unscaled.length)
    return mesh.faces.empty() ? MeshExtent::kNothing : MeshExtent::kPlane;
  return IsShell(spread) ? MeshExtent::kShell : MeshExtent::kBody;
}

}  // namespace

MeshExtent ExtentOfMesh(const ResourceResolver& files, const std::string& uri,
                        const Vector3& scale) {
  std::string why;
  const std::optional<Resource> start = files.OpenStart(uri, "", why);
  if (!start || !IsShell(SpreadOf(Scaled(CornersIn(start->path, start->content), scale))))
    return MeshExtent::kBody;
  const std::optional<std::string> whole = BytesOf(&files, uri, "");
  const std::optional<Triangles> mesh = whole ? DecodeMesh(start->path, *whole, why) : std::nullopt;
  return mesh ? ExtentOf(*mesh, scale) : MeshExtent::kBody;
}

std::optional<Triangles> DecodeMesh(std::string_view name, std::string_view content,
                                    std::string& why) {
  const std::string extension = ExtensionOf(name);
  std::optional<Triangles> mesh;
  if (extension == ".stl")
    mesh = DecodeStl(content, why);
  else if (extension == ".obj")
    mesh = DecodeObj(content, why);
  else if (extension == ".msh")
    mesh = DecodeMsh(content, why);
  else
    why = "is neither STL, OBJ nor MSH";
  if (!mesh) return std::nullopt;
  // Whatever the form: a number that is none, or a face beyond the vertices, would reach a
  // computation.
  for (const Vector3& v : mesh->vertices)
    if (!v.allFinite()) return why = "has a vertex that is not finite", std::nullopt;
  for (const auto& face : mesh->faces) {
    for (const std::uint32_t corner : face)
      if (corner >= mesh->vertices.size())
        return why = "has a face with an unknown vertex", std::nullopt;
  }
  return mesh;
}

std::string ObjText(const Triangles& mesh) {
  std::string text;
  for (const Vector3& v : mesh.vertices)
    text +=
        "v " + FormatNumber(v.x()) + " " + FormatNumber(v.y()) + " " + FormatNumber(v.z()) + "\n";
  for (const auto& face : mesh.faces) {
    text += "f";
    for (const std::uint32_t corner : face) text += " " + std::to_string(corner + 1);
    text += "\n";
  }
  return text;
}

std::optional<Eigen::AlignedBox3d> BoundsOfMesh(std::string_view name, std::string_view content) {
  if (ExtensionOf(name) == ".dae") return BoundsOfCollada(content);
  std::string why;
  Eigen::AlignedBox3d bounds;
  if (const auto mesh = DecodeMesh(name, content, why))
    for (const Vector3& vertex : mesh->vertices) bounds.extend(vertex);
  return bounds.isEmpty() ? std::nullopt : std::optional(bounds);
}

std::optional<std::uint32_t> FacesOfBinaryStl(std::string_view start) {
  if (start.size() < kHeader) return std::nullopt;
  return Load<std::uint32_t>(start, 80);
}

std::size_t SizeOfBinaryStl(std::uint32_t faces) { return kHeader + kFacet * faces; }

bool IsTextStl(std::string_view start) {
  // Binary files have zeros soon: their count of facets, or the attributes of these.
  return IsSolid(start) && start.find('\0') == std::string_view::npos &&
         LowerCase(start).find("facet") != std::string::npos;
}

}  // namespace kinemorph
