// Formats that know only points in common (MJCF connect, ball cuts) write a hinge as two of them
// and a weld as three. AddJoints collects the points of a pair of links that can belong to one
// joint, JointOf makes the joint and its frames.
#include "kinemorph/graph/model/point_joint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {
namespace {

constexpr double kSame = 1e-6;  // share of a distance within which two are one

// The least rotation from one direction to another (Eigen's takes seconds to compile); between
// opposite ones half a turn about some axis across.
Matrix3 LeastRotation(const Vector3& from, const Vector3& to) {
  const Vector3 a = from.normalized(), b = to.normalized();
  const double cosine = std::max(b.dot(a), -1.0);
  Eigen::Quaterniond q;
  if (cosine < -1 + 1e-12) {
    Eigen::Matrix<double, 3, 2> both;
    both << a, b;
    const Vector3 axis = OrthogonalComplement(both / both.cwiseAbs().maxCoeff());
    q.w() = std::sqrt((1 + cosine) / 2);
    q.vec() = std::sqrt(1 - (1 + cosine) / 2) * axis;
  } else {
    q.w() = std::sqrt((1 + cosine) * 2) / 2;
    q.vec() = a.cross(b) * (1 / std::sqrt((1 + cosine) * 2));
  }
  return q.toRotationMatrix();
}

// A frame at p with z along `direction`, otherwise as near to R as can be.
RigidTransform AxisFrame(const Matrix3& R, const Vector3& p, const Vector3& direction) {
  return {LeastRotation(R.col(2), direction) * R, p};
}

bool KeepDistance(const PointPair& a, const PointPair& b) {
  // Two points that are apart by other distances on either link cannot be rigid together: they hold
  // at different postures, each for itself. In one place, they would give no line.
  const double in_A = (a.p_A - b.p_A).norm(), in_B = (a.p_B - b.p_B).norm();
  return in_A > 1e-9 && std::abs(in_A - in_B) <= kSame * std::max(in_A, in_B);
}

bool InLine(const PointPair& a, const PointPair& b, const PointPair& c) {
  // A third point on the line of two says nothing more.
  const Vector3 first = b.p_A - a.p_A, second = c.p_A - a.p_A;
  return first.cross(second).norm() <= kSame * first.norm() * std::max(first.norm(), second.norm());
}

// Where the axes meet on which three points stand equally far out, in this order about them: so a
// weld is written whose own origin no motion could part.
std::optional<Vector3> CornerOf(const Vector3& p, const Vector3& q, const Vector3& r) {
  const Vector3 first = q - p, second = r - p;
  const double side = first.norm();
  if (std::abs(second.norm() - side) > kSame * side ||
      std::abs((second - first).norm() - side) > kSame * side)
    return std::nullopt;
  // Rounding at an origin is no length.
  const Vector3 corner = (p + q + r) / 3 - first.cross(second).normalized() * side / std::sqrt(6.0);
  return corner.unaryExpr([&](double x) { return std::abs(x) < 1e-12 * side ? 0 : x; });
}

PointJoint JointOf(const std::vector<PointPair>& all, std::vector<std::size_t> points,
                   const Matrix3& R_BA) {
  const PointPair& base = all[points[0]];
  // One point: where the frames turn against each other is free, so that M is turned as the links
  // are drawn, and q = 0 is the drawing.
  PointJoint joint{base.A,           base.B, Ball{}, RigidTransform::Translation(base.p_A),
                   {R_BA, base.p_B}, {}};
  // Two points: z along their line on either link. F is turned least from A, and M from where F
  // stands in B, so that the angle is zero in the drawing.
  if (points.size() > 1) {
    const PointPair& second = all[points[1]];
    joint.kind = Revolute{Vector3::UnitZ()};
    joint.X_AF = AxisFrame(Matrix3::Identity(), base.p_A, (second.p_A - base.p_A).normalized());
    joint.X_BM = AxisFrame(R_BA * joint.X_AF.R, base.p_B, (second.p_B - base.p_B).normalized());
  }
  if (points.size() > 2) {
    // The third point settles the turn about the line.
    const Vector3 in_F = joint.X_AF.inverse() * all[points[2]].p_A,
                  in_M = joint.X_BM.inverse() * all[points[2]].p_B;
    const double turn = std::atan2(in_M.y(), in_M.x()) - std::atan2(in_F.y(), in_F.x());
    if (std::abs(std::remainder(turn, 2 * std::numbers::pi)) > kSame)
      joint.X_BM.R = joint.X_BM.R * RotationFromAxisAngle(Vector3::UnitZ(), turn);
    joint.kind = Fixed{};
    const PointPair &q = all[points[1]], &r = all[points[2]];
    const auto in_A = CornerOf(base.p_A, q.p_A, r.p_A), in_B = CornerOf(base.p_B, q.p_B, r.p_B);
    if (in_A && in_B) joint.X_AF.p = *in_A, joint.X_BM.p = *in_B;
  }
  joint.points = std::move(points);
  return joint;
}

// Those of one pair of links, by their places in `points`.
void AddJoints(const std::vector<PointPair>& points, const std::vector<std::size_t>& group,
               const Matrix3& R_BA, std::vector<PointJoint>& joints) {
  std::vector<bool> taken(group.size(), false);
  for (std::size_t first = 0; first < group.size(); ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> held = {group[first]};
    // Greedy in document order, up to three: what does not fit begins a joint of its own.
    for (std::size_t i = first + 1; i < group.size() && held.size() < 3; ++i) {
      const PointPair& next = points[group[i]];
      const bool fits = !taken[i] && std::all_of(held.begin(), held.end(), [&](std::size_t k) {
        return KeepDistance(points[k], next);
      });
      const bool repeats = held.size() == 2 && InLine(points[held[0]], points[held[1]], next);
      if (!fits || repeats) continue;
      held.push_back(group[i]);
      taken[i] = true;
    }
    joints.push_back(JointOf(points, std::move(held), R_BA));
  }
}

}  // namespace

std::vector<PointJoint> JointsOfPoints(const std::vector<PointPair>& points,
                                       const std::function<Matrix3(LinkId, LinkId)>& R_BA) {
  std::vector<PointPair> turned = points;  // as the first of their two links
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::pair<LinkId, LinkId>, std::size_t> group_of;
  for (std::size_t i = 0; i < turned.size(); ++i) {
    PointPair& point = turned[i];
    const auto [entry, fresh] = group_of.try_emplace(std::minmax(point.A, point.B), groups.size());
    if (fresh) groups.emplace_back();
    std::vector<std::size_t>& group = groups[entry->second];
    if (!group.empty() && turned[group.front()].A != point.A)
      point = {point.B, point.A, point.p_B, point.p_A};
    group.push_back(i);
  }
  std::vector<PointJoint> joints;
  for (const std::vector<std::size_t>& group : groups) {
    const PointPair& first = turned[group.front()];
    AddJoints(turned, group, R_BA(first.A, first.B), joints);
  }
  return joints;
}

}  // namespace kinemorph
