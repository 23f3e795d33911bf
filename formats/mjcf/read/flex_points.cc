#include "read/flex_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "read/compiler.h"

namespace kinemorph::mjcf {
namespace {

// The points in the order in which MuJoCo numbers them: pins, elements and the names of the bodies
// count on it. Grids run with z fastest; discs and solids bend a grid onto the round shape.

// From the middle of a row of `count` points.
double Along(int i, int count, double spacing) { return spacing * (i - 0.5 * (count - 1)); }

std::vector<Vector3> Row(const FlexShape& shape) {
  const int count = shape.count[0];
  std::vector<Vector3> points;
  if (shape.type != "circle") {
    for (int i = 0; i < count; ++i) points.emplace_back(Along(i, count, shape.spacing[0]), 0, 0);
    return points;
  }

  // count includes the point that closes the circle; the spacing is the chord between neighbours.
  const double step = 2 * std::numbers::pi / (count - 1);
  const double radius = shape.spacing[0] / std::sin(step / 2) / 2;
  for (int i = 0; i + 1 < count; ++i)  // the last is the first
    points.emplace_back(radius * std::cos(step * i), radius * std::sin(step * i), 0);
  return points;
}

std::vector<Vector3> Grid(const FlexShape& shape) {
  const std::array<int, 3>& n = shape.count;
  std::vector<Vector3> points;
  for (int x = 0; x < n[0]; ++x)
    for (int y = 0; y < n[1]; ++y)
      for (int z = 0; z < (shape.dim == 3 ? n[2] : 1); ++z)
        points.emplace_back(Along(x, n[0], shape.spacing[0]), Along(y, n[1], shape.spacing[1]),
                            shape.dim == 3 ? Along(z, n[2], shape.spacing[2]) : 0);
  return points;
}

// `v` with its first `n` coordinates on the unit circle or sphere; as it is at the middle.
Vector3 Projected(Vector3 v, int n) {
  const double square = v.head(n).squaredNorm();
  if (square >= kTiny) v.head(n) /= std::sqrt(square);
  return v;
}

std::vector<Vector3> Disc(const FlexShape& shape) {
  // As MuJoCo has it: the direction of the grid point, at the half side times the larger of its
  // coordinates.
  std::vector<Vector3> points = Grid(shape);
  for (Vector3& p : points) {
    const double out = std::max(std::abs(p.x()), std::abs(p.y()));
    p = Projected(p, 2);
    for (int k = 0; k < 2; ++k)
      p[k] *= 0.5 * shape.spacing[k] * (shape.count[static_cast<std::size_t>(k)] - 1) * out;
  }
  return points;
}

// The surface of a box, by sides; with a point in the middle where it is solid, and without the
// side z = max where it is a shell.
std::vector<Vector3> Surface(const FlexShape& shape) {
  const std::array<int, 3>& n = shape.count;
  const bool solid = shape.dim == 3;
  std::vector<Vector3> points;
  if (*std::min_element(n.begin(), n.end()) < 2) return points;
  if (solid) points.emplace_back(0, 0, 0);
  const auto add = [&](int x, int y, int z) {
    const Vector3 half = 0.5 * shape.spacing.cwiseProduct(Vector3(n[0] - 1, n[1] - 1, n[2] - 1));
    Vector3 p(2.0 * x / (n[0] - 1) - 1, 2.0 * y / (n[1] - 1) - 1, 2.0 * z / (n[2] - 1) - 1);
    if (shape.type == "cylinder") {
      const double out = std::max(std::abs(p.x()), std::abs(p.y()));
      p = Projected(p, 2);
      p.head(2) *= out;
    } else if (shape.type == "ellipsoid") {
      p = Projected(p, 3);
    }
    points.emplace_back(p.cwiseProduct(half));
  };
  const auto between = [&](int z) { return z > 0 && (!solid || z < n[2] - 1); };
  for (const int z : {0, n[2] - 1})
    for (int x = 0; x < n[0] && (solid || z == 0); ++x)
      for (int y = 0; y < n[1]; ++y) add(x, y, z);
  for (const int y : {0, n[1] - 1})
    for (int x = 0; x < n[0]; ++x)
      for (int z = 0; z < n[2]; ++z)
        if (between(z)) add(x, y, z);
  for (const int x : {0, n[0] - 1})
    for (int y = 1; y < n[1] - 1; ++y)
      for (int z = 0; z < n[2]; ++z)
        if (between(z)) add(x, y, z);
  return points;
}

}  // namespace

std::vector<Vector3> FlexPoints(const FlexShape& shape) {
  if (shape.type == "grid" || shape.type == "circle")
    return shape.dim == 1 ? Row(shape) : Grid(shape);
  if (shape.type == "square") return Grid(shape);
  if (shape.type == "disc") return Disc(shape);
  return Surface(shape);
}

}  // namespace kinemorph::mjcf
