// Drake's tags for loops: points that coincide. One between two links is a ball, two are a revolute
// joint about their line, three that are not in line hold all.
#include <algorithm>
#include <cmath>

#include "read/reader.h"

namespace kinemorph::urdf_format {
namespace {

constexpr double kSame =
    1e-6;  // share of their distance within which points of two links fit each other

struct PointPair {
  Vector3 p_A, p_B;
};

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

}  // namespace

void RobotReader::ReadBallConstraint(const xml::Element& element) {
  element.Consume();
  const std::string tag = "drake:ball_constraint";
  BallConstraint ball;
  ball.element = element;
  bool complete = true;
  const auto read_end = [&](const char* side, const char* point, LinkId& link, Vector3& p) {
    const xml::Element body = element.Child(tag + "_body_" + side),
                       place = element.Child(tag + "_" + point);
    const std::string name = body.Attribute("name", "");
    const auto value = place.Vector("value");
    link = FindLink(name, body ? body : element);
    if (link == kNoLink) {
      Diagnostic& error = (body ? body : element)
                              .Error("loop-link-undefined", "'" + tag + "': body " + side + " '" +
                                                                name + "' is not defined");
      if (const std::string nearest = NearestName(name, link_names_); !nearest.empty())
        error.notes.push_back("did you mean '" + nearest + "'?");
    } else if (!value && !place.Has("value")) {
      element.Error("loop-end-missing",
                    "'" + tag + "': has no <" + tag + "_" + point + " value=\"x y z\"/>");
    }
    complete = complete && link != kNoLink && value;
    if (value) p = *value;
  };
  read_end("A", "p_AP", ball.A, ball.p_A);
  read_end("B", "p_BQ", ball.B, ball.p_B);
  if (!complete) return;
  if (ball.A == ball.B) {
    element.Error("self-joint", "'" + tag + "': joins link '" + model_.link(ball.A).name +
                                    "' to itself; the bodies must differ");
    return;
  }
  balls_.push_back(std::move(ball));
}

// All points between one pair of links together.
void RobotReader::AddBallConstraints() {
  std::vector<bool> done(balls_.size(), false);
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    if (done[i]) continue;
    const LinkId A = balls_[i].A, B = balls_[i].B;
    std::vector<PointPair> points;
    for (std::size_t k = i; k < balls_.size(); ++k) {
      const BallConstraint& ball = balls_[k];
      const bool turned = ball.A == B && ball.B == A;
      if (done[k] || (!turned && (ball.A != A || ball.B != B))) continue;
      const PointPair next = turned ? PointPair{ball.p_B, ball.p_A} : PointPair{ball.p_A, ball.p_B};
      const bool fits = points.size() < 3 &&
                        std::all_of(points.begin(), points.end(),
                                    [&](const PointPair& p) { return KeepDistance(p, next); });
      if (!fits && !points.empty()) continue;  // a joint of its own
      if (points.size() == 2 && InLine(points[0], points[1], next)) {
        done[k] = true;  // says again what the line says
        continue;
      }
      points.push_back(next);
      done[k] = true;
    }
    if (X_WL_.empty()) X_WL_ = ZeroPoses(model_, tree_);
    const Matrix3 R_BA = X_WL_[Index(B)].R.transpose() * X_WL_[Index(A)].R;
    Joint joint;
    joint.name = UnusedName("loop");
    joint.where = balls_[i].element.where();
    joint.role = JointRole::kLoop;
    joint.scope = ScopeId{0};
    joint.native_type = "drake:ball_constraint";
    joint.kind = Ball{};
    joint.X_PF = RigidTransform::Translation(points[0].p_A);
    joint.X_SM = {R_BA, points[0].p_B};
    if (points.size() > 1) {
      const Vector3 axis_A = (points[1].p_A - points[0].p_A).normalized(),
                    axis_B = (points[1].p_B - points[0].p_B).normalized();
      joint.kind = Revolute{Vector3::UnitZ()};
      joint.X_PF = AxisFrame(Matrix3::Identity(), points[0].p_A, axis_A);
      joint.X_SM = AxisFrame(R_BA * joint.X_PF.R, points[0].p_B, axis_B);
    }
    if (points.size() > 2) {
      // The third point settles the turn about the line.
      const Vector3 in_F = joint.X_PF.inverse() * points[2].p_A,
                    in_M = joint.X_SM.inverse() * points[2].p_B;
      const double turn = std::atan2(in_M.y(), in_M.x()) - std::atan2(in_F.y(), in_F.x());
      joint.X_SM.R = joint.X_SM.R * RotationFromAxisAngle(Vector3::UnitZ(), turn);
      joint.kind = Fixed{};
    }
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    Dialect("ball_constraint", balls_[i].element,
            "'drake:ball_constraint': is Drake's way to close a loop; " +
                std::to_string(points.size()) + (points.size() == 1 ? " point is" : " points are") +
                " read as the loop joint '" + joint.name + "'; write <loop name=\"" + joint.name +
                "\" type=\"...\">");
    constraints_.emplace(joint.name, balls_[i].element.where().line);
    const std::string name = joint.name;
    joints_.emplace(name, model_.AddJoint(A, B, std::move(joint)));
  }
}

}  // namespace kinemorph::urdf_format
