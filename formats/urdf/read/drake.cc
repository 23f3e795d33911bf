// Drake's tags beside URDF's. Those for loops: points that coincide. One between two links is a ball, two are a revolute
// joint about their line, three that are not in line hold all.
#include "drake.h"

#include "kinemorph/graph/model/point_joint.h"
#include "read/reader.h"

namespace kinemorph::urdf_format {

// Balls are collected while the file is read and become joints in AddBallConstraints, when all are
// known: what two or three of them hold together is another joint than each alone.
void RobotReader::ReadBallConstraint(const xml::Element& element) {
  element.Consume();
  const std::string tag = "drake:ball_constraint";
  BallConstraint ball;
  ball.element = element;
  ball.name = element.Attribute("name", "");
  bool complete = true;
  // Points are in the frames of their bodies, in m. Every mistake of both ends is told.
  const auto read_end = [&](const char* side, const char* point, LinkId& link, Vector3& p) {
    const xml::Element body = element.Child(tag + "_body_" + side),
                       place = element.Child(tag + "_" + point);
    const std::string name = body.Attribute("name", "");
    const auto value = place.Vector("value");
    link = FindLink(name, body ? body : element);
    if (link == kNoLink) {
      Diagnostic& error =
          (body ? body : element)
              .Error("loop-link-undefined",
                     {"", tag, std::string("body ") + side + " '" + name + "' is not defined"});
      error.suggestion = NearestName(name, LinkNames());
    } else if (!value && !place.Has("value")) {
      element.Error("loop-end-missing",
                    {"", tag, "has no <" + tag + "_" + point + " value=\"x y z\"/>"});
    }
    complete = complete && link != kNoLink && value;
    if (value) p = *value;
  };
  read_end("A", "p_AP", ball.A, ball.p_A);
  read_end("B", "p_BQ", ball.B, ball.p_B);
  if (!complete) return;
  if (ball.A == ball.B) {
    element.Error("self-joint", {"", tag,
                                 "joins link '" + model_.link(ball.A).name +
                                     "' to itself; the bodies must differ"});
    return;
  }
  balls_.push_back(std::move(ball));
}

void RobotReader::AddBallConstraints() {
  if (balls_.empty()) return;
  std::vector<PointPair> points;
  for (const BallConstraint& ball : balls_) points.push_back({ball.A, ball.B, ball.p_A, ball.p_B});
  model_.dialect = "drake";
  // A hinge through two points needs one axis in both links: it is compared in the zero
  // configuration, where the loop is taken to be closed.
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
    // One message per joint tells of the foreign spelling, at its first point.
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

bool RobotReader::ReadTendonConstraint(const xml::Element& element) {
  // A tendon is a weighted sum of joint positions between two bounds. With equal bounds it is a
  // linear coupling; with others it is no constraint of the mechanism and stays text.
  xml::DrakeTendon tendon = xml::ReadDrakeTendon(element, xml::DrakeForm::kAttributes, model_,
                                                 [&](const std::string& name) {
                                                   const JointId* const found = joints_.Find(name);
                                                   return found ? *found : kNoJoint;
                                                 });
  if (!tendon.wrong.empty()) {
    element.Warn("drake-not-read",
                 {"", std::string(element.name()), tendon.wrong + "; kinemorph keeps it as text"});
    return false;
  }
  element.ConsumeAll();
  if (tendon.coupling.name.empty()) tendon.coupling.name = UnusedName("tendon");
  model_.couplings.push_back(std::move(tendon.coupling));
  model_.dialect = "drake";
  return true;
}

// All groups or none: one names another.
bool RobotReader::ReadFilterGroups() {
  if (groups_read_) return *groups_read_;
  std::vector<xml::DrakeGroup> groups;
  for (const xml::Element group : robot_.Children("drake:collision_filter_group"))
    groups.push_back({group});
  const auto pairs = xml::ReadDrakeGroups(groups, xml::DrakeForm::kAttributes,
                                          [&](const xml::DrakeGroup&, const std::string& name) {
                                            const LinkId* const link = links_.Find(name);
                                            return link ? *link : kNoLink;
                                          });
  model_.dialect = "drake";
  groups_read_ = pairs.has_value();
  if (!pairs) return false;
  model_.contact_exclusions.insert(model_.contact_exclusions.end(), pairs->begin(), pairs->end());
  for (const xml::DrakeGroup& group : groups) group.element.ConsumeAll();
  return true;
}

void RobotReader::ReadProximity(const xml::Element& element, Collision& collision) {
  if (!element) return;
  model_.dialect = "drake";
  if (auto rest = xml::ReadDrakeProximity(element, xml::DrakeForm::kAttributes, collision))
    collision.native.push_back(std::move(*rest));
}

void RobotReader::ReadRotor(const xml::Element& motor, Actuator& actuator) {
  // Reflected inertia: seen from the joint, a rotor behind a gear of ratio r weighs r^2 as much.
  // Several drives of one joint add up.
  const auto inertia = motor.Child("drake:rotor_inertia").Number("value");
  const double ratio = motor.Child("drake:gear_ratio").Number("value", 1);
  Joint& joint = model_.joint(actuator.joint);
  if (!inertia || joint.axes.size() != 1) return;
  joint.axes[0].armature = joint.axes[0].armature.value_or(0) + ratio * ratio * *inertia;
  // The writer says it anew from the joint: twice would double it.
  if (NativeElement* const kept = actuator.native.content.Child("actuator"))
    std::erase_if(kept->children, [](const NativeElement& child) {
      return child.name == "drake:rotor_inertia" || child.name == "drake:gear_ratio";
    });
  model_.dialect = "drake";
}

}  // namespace kinemorph::urdf_format
