// Drake's tags beside URDF's. Those for loops: points that coincide. One between two links is a ball, two are a revolute
// joint about their line, three that are not in line hold all.
#include <cmath>
#include <map>
#include <set>

#include "kinemorph/graph/model/point_joint.h"
#include "read/reader.h"

namespace kinemorph::urdf_format {

void RobotReader::ReadBallConstraint(const xml::Element& element) {
  element.Consume();
  const std::string tag = "drake:ball_constraint";
  BallConstraint ball;
  ball.element = element;
  ball.name = element.Attribute("name", "");
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
  model_.dialect = "drake";
  if (X_WL_.empty()) X_WL_ = ZeroPoses(model_, tree_);
  for (PointJoint& held : JointsOfPoints(points, [&](LinkId A, LinkId B) -> Matrix3 {
         return X_WL_[Index(B)].R.transpose() * X_WL_[Index(A)].R;
       })) {
    const xml::Element& element = balls_[held.points.front()].element;
    Joint joint;
    joint.name = balls_[held.points.front()].name;
    if (joint.name.empty() || joints_.Find(joint.name)) joint.name = UnusedName("loop");
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

// lower <= sum of a q + offset <= upper: a coupling where both limits are one and nothing gives.
bool RobotReader::ReadTendonConstraint(const xml::Element& element) {
  const std::string tag = "drake:tendon_constraint";
  const auto value = [&](const char* part) {
    return element.Child(tag + "_" + part).Number("value");
  };
  const auto lower = value("lower_limit"), upper = value("upper_limit"),
             stiffness = value("stiffness");
  Coupling coupling;
  std::string wrong;
  const std::string joint_tag = tag + "_joint";
  for (const xml::Element child : element.Children(joint_tag)) {
    const std::string name = child.Attribute("name", "");
    const JointId* const found = joints_.Find(name);
    if (!found)
      wrong = "joint '" + name + "' is not defined";
    else if (model_.joint(*found).role == JointRole::kLoop ||
             NumVelocities(model_.joint(*found).kind) != 1)
      wrong = "joint '" + name + "' has no single coordinate";
    else
      coupling.terms.push_back({{*found, 0}, {child.Number("a", 1), 0, 0, 0}});
  }
  if (wrong.empty() && coupling.terms.empty()) wrong = "it names no joint";
  if (wrong.empty() && (!lower || !upper || *lower != *upper))
    wrong = "its length may change between two limits, which no coupling says";
  if (wrong.empty() && stiffness && std::isfinite(*stiffness))
    wrong = "it has a stiffness and gives way, which no coupling does";
  if (!wrong.empty()) {
    element.Warn("drake-not-read", "'" + tag + "': " + wrong + "; it is kept as text");
    return false;
  }
  element.ConsumeAll();
  coupling.name = element.Attribute("name", "");
  if (coupling.name.empty()) coupling.name = UnusedName("tendon");
  coupling.form = CouplingForm::kTendon;
  coupling.native_type = tag;
  coupling.constant = *lower - value("offset").value_or(0);
  coupling.where = element.where();
  model_.couplings.push_back(std::move(coupling));
  model_.dialect = "drake";
  return true;
}

// All groups or none: one names another.
bool RobotReader::ReadFilterGroups() {
  if (groups_read_) return *groups_read_;
  groups_read_ = false;
  constexpr std::size_t kMostPairs = 10'000;
  struct Group {
    xml::Element element;
    std::vector<LinkId> members;
    std::vector<std::string> ignored;
  };
  std::map<std::string, Group> groups;
  for (const xml::Element element : robot_.Children("drake:collision_filter_group")) {
    Group group;
    group.element = element;
    for (const xml::Element child : element.Children()) {
      if (child.name() == "drake:member") {
        const LinkId* const link = links_.Find(child.Attribute("link", ""));
        if (!link) return false;
        group.members.push_back(*link);
      } else if (child.name() == "drake:ignored_collision_filter_group") {
        group.ignored.push_back(child.Attribute("name", ""));
      } else {
        return false;
      }
    }
    const std::string name = element.Attribute("name", "");
    if (group.members.empty() || element.Has("ignore") || !groups.emplace(name, group).second)
      return false;
  }
  std::map<std::pair<LinkId, LinkId>, SourceLocation> pairs;
  for (const auto& [name, group] : groups) {
    for (const std::string& other : group.ignored) {
      const auto found = groups.find(other);
      if (found == groups.end()) return false;
      for (const LinkId a : group.members)
        for (const LinkId b : found->second.members) {
          if (a != b) pairs.emplace(std::minmax(a, b), group.element.where());
          if (pairs.size() > kMostPairs) return false;
        }
    }
  }
  for (const auto& [pair, where] : pairs)
    model_.contact_exclusions.push_back({pair.first, pair.second, where});
  for (const auto& [name, group] : groups) group.element.ConsumeAll();
  model_.dialect = "drake";
  groups_read_ = true;
  return true;
}

void RobotReader::ReadRotor(const xml::Element& motor, Actuator& actuator) {
  const auto inertia = motor.Child("drake:rotor_inertia").Number("value");
  const double ratio = motor.Child("drake:gear_ratio").Number("value", 1);
  Joint& joint = model_.joint(actuator.joint);
  if (!inertia || joint.axes.size() != 1) return;
  joint.axes[0].armature = joint.axes[0].armature.value_or(0) + ratio * ratio * *inertia;
  if (NativeElement* const kept = actuator.native.content.Child("actuator"))
    std::erase_if(kept->children, [](const NativeElement& child) {
      return child.name == "drake:rotor_inertia" || child.name == "drake:gear_ratio";
    });
  model_.dialect = "drake";
}

}  // namespace kinemorph::urdf_format
