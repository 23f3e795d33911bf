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
      if (const std::string nearest = NearestName(name, LinkNames()); !nearest.empty())
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

void RobotReader::AddBallConstraints() {
  if (balls_.empty()) return;
  std::vector<PointPair> points;
  for (const BallConstraint& ball : balls_) points.push_back({ball.A, ball.B, ball.p_A, ball.p_B});
  if (X_WL_.empty()) X_WL_ = ZeroPoses(model_, tree_);
  for (PointJoint& held : JointsOfPoints(points, [&](LinkId A, LinkId B) -> Matrix3 {
         return X_WL_[Index(B)].R.transpose() * X_WL_[Index(A)].R;
       })) {
    const xml::Element& element = balls_[held.points.front()].element;
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
    constraints_.Add(joint.name, element.where().line);
    const std::string name = joint.name;
    joints_.Add(name, model_.AddJoint(held.A, held.B, std::move(joint)));
  }
}

}  // namespace kinemorph::urdf_format
