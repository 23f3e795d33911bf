#include "convex_hull.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kinemorph {
namespace {

using Face = std::array<std::uint32_t, 3>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

// A hull face with the points that see it and are not on the hull yet.
struct HullFace {
  Face corners;
  Vector3 normal = Vector3::Zero();
  double offset = 0;
  std::vector<std::uint32_t> outside;
  bool alive = true;
};

// Quickhull (Barber, Dobkin, Huhdanpaa 1996). Every face keeps the points that lie beyond it, each
// point at one face only; the farthest of them becomes a corner, and the faces that it sees are
// replaced by a fan from their outline. A point with no face it lies beyond is inside for good.
class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vector3>& points) : points_(points) {
    double extent = 0;
    for (const Vector3& p : points) extent = std::max(extent, p.cwiseAbs().maxCoeff());
    // What is nearer to a face than rounding can tell lies on it.
    tolerance_ = 1e-12 * extent;
  }

  std::vector<Face> Run() {
    if (!Start()) return {};
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      // Faces are only ever appended; a face with points outside is opened at its farthest one.
      if (faces_[i].alive && !faces_[i].outside.empty()) AddPoint(i);
    }
    std::vector<Face> result;
    for (const HullFace& face : faces_)
      if (face.alive) result.push_back(face.corners);
    return result;
  }

 private:
  double Height(const HullFace& face, std::uint32_t point) const {
    return face.normal.dot(points_[point]) - face.offset;
  }

  std::size_t AddFace(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    HullFace face;
    face.corners = {a, b, c};
    face.normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
    const double length = face.normal.norm();
    if (length > 0) face.normal /= length;
    face.offset = face.normal.dot(points_[a]);
    faces_.push_back(std::move(face));
    const std::size_t id = faces_.size() - 1;
    for (std::size_t i = 0; i < 3; ++i)
      owner_[{faces_[id].corners[i], faces_[id].corners[(i + 1) % 3]}] = id;
    return id;
  }

  // A tetrahedron of extreme points: each corner is as far as possible from the ones before, so
  // that rounding does not turn a normal. Too flat in one of these directions, and there is no hull
  // with a volume.
  bool Start() {
    const auto n = static_cast<std::uint32_t>(points_.size());
    if (n < 4) return false;
    const std::uint32_t a = 0;  // any point does
    std::uint32_t b = 0, c = 0, d = 0;
    double best = 0;
    const auto pick = [&](std::uint32_t& chosen, const auto& measure) {
      best = -1;
      for (std::uint32_t i = 0; i < n; ++i)
        if (const double m = measure(points_[i]); m > best) best = m, chosen = i;
      return best > tolerance_;
    };
    if (!pick(b, [&](const Vector3& p) { return (p - points_[a]).norm(); })) return false;
    const Vector3 line = (points_[b] - points_[a]).normalized();
    if (!pick(c, [&](const Vector3& p) { return line.cross(p - points_[a]).norm(); })) return false;
    const Vector3 normal = line.cross(points_[c] - points_[a]).normalized();
    if (!pick(d, [&](const Vector3& p) { return std::abs(normal.dot(p - points_[a])); }))
      return false;
    // Counterclockwise from outside: the normals of AddFace point away from the fourth corner.
    if (normal.dot(points_[d] - points_[a]) > 0) std::swap(b, c);
    const std::array<std::size_t, 4> start = {AddFace(a, b, c), AddFace(a, d, b), AddFace(b, d, c),
                                              AddFace(c, d, a)};
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < n; ++i)
      if (i != a && i != b && i != c && i != d) all.push_back(i);
    Distribute(all, {start.begin(), start.end()});
    return true;
  }

  void Distribute(const std::vector<std::uint32_t>& loose, const std::vector<std::size_t>& faces) {
    for (const std::uint32_t point : loose) {
      for (const std::size_t f : faces) {
        if (Height(faces_[f], point) <= tolerance_) continue;
        faces_[f].outside.push_back(point);
        break;
      }
    }
  }

  void AddPoint(std::size_t first) {
    const std::vector<std::uint32_t>& seen_from = faces_[first].outside;
    const std::uint32_t tip = *std::max_element(
        seen_from.begin(), seen_from.end(), [&](std::uint32_t p, std::uint32_t q) {
          return Height(faces_[first], p) < Height(faces_[first], q);
        });
    // All faces that the tip sees go; the horizon is where a seen face meets an unseen one.
    std::vector<std::size_t> seen = {first};
    std::vector<std::uint32_t> loose;
    std::vector<Edge> horizon;
    faces_[first].alive = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Face corners = faces_[seen[i]].corners;
      for (const std::uint32_t p : faces_[seen[i]].outside)
        if (p != tip) loose.push_back(p);
      for (std::size_t k = 0; k < 3; ++k) {
        const Edge edge = {corners[k], corners[(k + 1) % 3]};
        // Every edge runs once in each direction, along the two faces that share it.
        const auto across = owner_.find({edge.second, edge.first});
        if (across == owner_.end()) continue;
        HullFace& neighbour = faces_[across->second];
        if (!neighbour.alive) continue;
        if (Height(neighbour, tip) > tolerance_) {
          neighbour.alive = false;
          seen.push_back(across->second);
        } else {
          horizon.push_back(edge);
        }
      }
    }
    std::vector<std::size_t> fresh;

    // The fan keeps the direction of the outline, so it closes the hull with the same orientation.
    for (const Edge& edge : horizon) fresh.push_back(AddFace(edge.first, edge.second, tip));
    Distribute(loose, fresh);
  }

  const std::vector<Vector3>& points_;
  double tolerance_ = 0;
  std::vector<HullFace> faces_;
  std::map<Edge, std::size_t> owner_;  // directed edge -> the face on its left
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> ConvexHull(const std::vector<Vector3>& points) {
  return Quickhull(points).Run();
}

}  // namespace kinemorph
