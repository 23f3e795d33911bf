#include "kinemorph/formats/mesh_inertia.h"

#include <algorithm>
#include <cmath>

#include "convex_hull.h"

namespace kinemorph {
namespace {

// A mesh is a sum of tetrahedra over its triangles with one common tip, or of the triangles
// themselves for a shell. MuJoCo puts the tip at the centroid of the surface; with signed volumes
// any tip gives the same sum, with the positive ones of "legacy" it does not, so its choice has to
// be followed to get its numbers.

constexpr double kSmall = 1e-15;  // MuJoCo's mjMINVAL

// Area, unit normal and centre of a triangle; slivers count as nothing.
struct Facet {
  double area = 0;
  Vector3 normal = Vector3::Zero(), center = Vector3::Zero();
};

Facet FacetOf(const Vector3& a, const Vector3& b, const Vector3& c) {
  Facet facet;
  facet.center = (a + b + c) / 3;
  const Vector3 normal = (b - a).cross(c - a);
  const double length = normal.norm();
  if (length < kSmall) return facet;
  facet.normal = normal / length;
  facet.area = length / 2;
  return facet;
}

// Area-weighted mean of the triangle centres: the tip of the tetrahedra that add up to the volume.
std::optional<Vector3> FaceCentroid(const Triangles& mesh) {
  Vector3 sum = Vector3::Zero();
  double area = 0;
  for (const auto& f : mesh.faces) {
    const Facet facet = FacetOf(mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]);
    sum += facet.area * facet.center;
    area += facet.area;
  }
  if (area < kSmall) return std::nullopt;
  return Vector3(sum / area);
}

// How much a triangle and the point `tip` count for.
double FacetWeight(const Facet& facet, const Vector3& tip, MeshInertia method) {
  if (method == MeshInertia::kShell) return facet.area;
  // Height over the base times its area by three: positive where the normal points away from the
  // tip.
  const double volume = (facet.center - tip).dot(facet.normal) * facet.area / 3;
  return method == MeshInertia::kLegacy ? std::abs(volume) : volume;
}

// Second moments of a tetrahedron (with the origin) or a triangle, per weight: integral of x y over
// it.
// Over a tetrahedron of volume V with a corner at the origin the integral of x x^T is V/20 of this
// sum, over a triangle of area A it is A/12 of it.
Matrix3 SecondMoments(const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 sum = a + b + c;
  return sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose();
}

// Two faces that run along an edge in the same direction disagree on what is outside.
bool OrientationsAgree(const Triangles& mesh) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(3 * mesh.faces.size());
  for (const auto& f : mesh.faces) {
    if (FacetOf(mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]).area <=
        std::sqrt(kSmall))
      continue;
    for (std::size_t i = 0; i < 3; ++i) edges.emplace_back(f[i], f[(i + 1) % 3]);
  }
  std::sort(edges.begin(), edges.end());
  return std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

}  // namespace

std::optional<MeshProperties> ComputeMeshProperties(const Triangles& given, MeshInertia method,
                                                    std::string& why) {
  Triangles hull;
  // Points alone have no inside but their hull.
  const bool use_hull = method == MeshInertia::kConvex || given.faces.empty();
  if (use_hull) {
    hull = {given.vertices, ConvexHull(given.vertices)};
    if (hull.faces.empty())
      return why = "has no convex hull (its vertices lie in a plane)", std::nullopt;
  }
  const Triangles& mesh = use_hull ? hull : given;
  // Signed volumes of triangles that disagree would cancel.
  if (method == MeshInertia::kExact && !OrientationsAgree(mesh))
    return why = "has faces of inconsistent orientation", std::nullopt;
  const auto tip = FaceCentroid(given.faces.empty() ? mesh : given);
  if (!tip) return why = "has no surface", std::nullopt;

  MeshProperties result;
  double weight = 0;
  for (const auto& f : mesh.faces) {
    const Facet facet = FacetOf(mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]);
    const double w = FacetWeight(facet, *tip, method);
    weight += w;
    // The centre of a tetrahedron lies three quarters of the way from its tip to its base.
    result.com += w * (0.75 * facet.center + 0.25 * *tip);
  }
  if (weight < 0) return why = "has negative volume (its triangles point inwards)", std::nullopt;
  if (weight < kSmall) return why = "has no volume (try inertia=\"shell\")", std::nullopt;
  result.com /= weight;

  // Again about the centre of mass; in legacy mode the volume depends on the point, and this is the
  // one that counts.
  Matrix3 moments = Matrix3::Zero();
  for (const auto& f : mesh.faces) {
    const Vector3 a = mesh.vertices[f[0]] - result.com, b = mesh.vertices[f[1]] - result.com,
                  c = mesh.vertices[f[2]] - result.com;
    const double w = FacetWeight(FacetOf(a, b, c), Vector3::Zero(), method);
    result.volume += w;
    moments += w / (method == MeshInertia::kShell ? 12 : 20) * SecondMoments(a, b, c);
  }
  // From second moments to the tensor of inertia: I = tr(S) 1 - S.
  result.inertia = moments.trace() * Matrix3::Identity() - moments;
  return result;
}

}  // namespace kinemorph
