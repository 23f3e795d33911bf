// Drake's tags for loops: points that coincide. One between two links is a ball, two are a revolute
// joint about their line, three that are not in line hold all.
#include "kinemorph/graph/model/point_joint.h"
#include "read/reader.h"

namespace kinemorph::urdf_format {

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
    std::vector<std::size_t> ball_of;
    for (std::size_t k = i; k < balls_.size(); ++k) {
      const BallConstraint& ball = balls_[k];
      const bool turned = ball.A == B && ball.B == A;
      if (!turned && (ball.A != A || ball.B != B)) continue;
      points.push_back(turned ? PointPair{ball.p_B, ball.p_A} : PointPair{ball.p_A, ball.p_B});
      ball_of.push_back(k);
      done[k] = true;
    }
    if (X_WL_.empty()) X_WL_ = ZeroPoses(model_, tree_);
    const Matrix3 R_BA = X_WL_[Index(B)].R.transpose() * X_WL_[Index(A)].R;
    for (PointJoint& held : JointsOfPoints(points, R_BA)) {
      const xml::Element& element = balls_[ball_of[held.points.front()]].element;
      Joint joint;
      joint.name = UnusedName("loop");
      joint.where = element.where();
      joint.role = JointRole::kLoop;
      joint.scope = ScopeId{0};
      joint.native_type = "drake:ball_constraint";
      joint.kind = std::move(held.kind);
      joint.X_PF = held.X_AF;
      joint.X_SM = held.X_BM;
      joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
      const std::size_t count = held.points.size();
      Dialect("ball_constraint", element,
              "'drake:ball_constraint': is Drake's way to close a loop; " + std::to_string(count) +
                  (count == 1 ? " point is" : " points are") + " read as the loop joint '" +
                  joint.name + "'; write <loop name=\"" + joint.name + "\" type=\"...\">");
      constraints_.emplace(joint.name, element.where().line);
      const std::string name = joint.name;
      joints_.emplace(name, model_.AddJoint(A, B, std::move(joint)));
    }
  }
}

}  // namespace kinemorph::urdf_format
