#include "kinemorph/graph/model/point_joint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kinemorph {
namespace {

constexpr double kSame = 1e-6;  // share of a distance within which two are one

// A frame at p with z along `direction`, otherwise as near to R as can be.
RigidTransform AxisFrame(const Matrix3& R, const Vector3& p, const Vector3& direction) {
  return {Eigen::Quaterniond::FromTwoVectors(R.col(2), direction).toRotationMatrix() * R, p};
}

bool KeepDistance(const PointPair& a, const PointPair& b) {
  const double in_A = (a.p_A - b.p_A).norm(), in_B = (a.p_B - b.p_B).norm();
  return in_A > 1e-9 && std::abs(in_A - in_B) <= kSame * std::max(in_A, in_B);
}

bool InLine(const PointPair& a, const PointPair& b, const PointPair& c) {
  const Vector3 first = b.p_A - a.p_A, second = c.p_A - a.p_A;
  return first.cross(second).norm() <= kSame * first.norm() * std::max(first.norm(), second.norm());
}

PointJoint JointOf(const std::vector<PointPair>& all, std::vector<std::size_t> points,
                   const Matrix3& R_BA) {
  const PointPair& base = all[points[0]];
  PointJoint joint{Ball{}, RigidTransform::Translation(base.p_A), {R_BA, base.p_B}, {}};
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
  }
  joint.points = std::move(points);
  return joint;
}

}  // namespace

std::vector<PointJoint> JointsOfPoints(const std::vector<PointPair>& points, const Matrix3& R_BA) {
  std::vector<PointJoint> joints;
  std::vector<bool> taken(points.size(), false);
  for (std::size_t first = 0; first < points.size(); ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> held = {first};
    for (std::size_t next = first + 1; next < points.size() && held.size() < 3; ++next) {
      const bool fits = !taken[next] && std::all_of(held.begin(), held.end(), [&](std::size_t i) {
        return KeepDistance(points[i], points[next]);
      });
      const bool repeats =
          held.size() == 2 && InLine(points[held[0]], points[held[1]], points[next]);
      if (fits && !repeats) held.push_back(next);
    }
    for (const std::size_t i : held) taken[i] = true;
    joints.push_back(JointOf(points, std::move(held), R_BA));
  }
  return joints;
}

}  // namespace kinemorph
