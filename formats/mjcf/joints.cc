// Joints of a body: attributes, checks, and the chain of massless links that several joints in one body stand for.
#include <array>
#include <cmath>

#include "native.h"
#include "orientation.h"
#include "reader.h"

namespace kinemorph::mjcf {
namespace {

constexpr double kTiny = 1e-14;

// MuJoCo's three-valued switches: true, false, or "auto": limited when a range is written.
bool IsLimited(const Attributes& attributes, const char* flag, const char* range_name, const std::array<double, 2>& range,
               bool autolimits) {
  const std::string limited = attributes.Text(flag, "auto");
  if (limited == "true") return true;
  if (limited == "false") return false;
  if (limited != "auto")
    attributes.element().Error("bad-keyword", "attribute '" + std::string(flag) + "' is '" + limited + "', expected true, false or auto");
  const bool has_range = range[0] != 0 || range[1] != 0;
  if (has_range && !autolimits) {
    attributes.element().Error("limited-missing", "'" + attributes.element().path() + "': '" + range_name +
                                                      "' is written but autolimits is false and '" + flag + "' is missing; write " + flag +
                                                      "=\"true\" or \"false\"");
  }
  return range[0] < range[1];
}

std::array<double, 2> ReadRange(const Attributes& attributes, const char* name) {
  const auto range = attributes.Numbers(name, 2, 2);
  return range ? std::array<double, 2>{(*range)[0], (*range)[1]} : std::array<double, 2>{0, 0};
}

// The linear coefficient; MuJoCo 3.7 allows polynomials, of which nothing else holds the rest.
std::optional<double> LinearCoefficient(const Attributes& attributes, const char* name) {
  const auto numbers = attributes.Numbers(name, 1, 3);
  if (!numbers) return std::nullopt;
  for (std::size_t i = 1; i < numbers->size(); ++i) {
    if ((*numbers)[i] == 0) continue;
    attributes.element().Warn("nonlinear-" + std::string(name),
                              "'" + attributes.element().path() + "': only the linear coefficient of " + name + " is kept");
    break;
  }
  return numbers->front();
}

}  // namespace

void Reader::ReadJointLimits(const Attributes& attributes, double ref, bool angular, Joint& joint) const {
  JointAxis& axis = joint.axes.front();
  const bool ball = std::holds_alternative<Ball>(joint.kind);
  std::array<double, 2> range = ReadRange(attributes, "range");
  if (IsLimited(attributes, "limited", "range", range, compiler_.autolimits)) {
    if (ball && range[0] != 0) attributes.element().Error("ball-range", "ball joint '" + joint.name + "': range must start at 0");
    if (!ball && range[0] >= range[1]) {
      attributes.element().Error("limits-reversed",
                                 "joint '" + joint.name + "': the first number of range must be smaller than the second");
    }
    if (angular)
      for (double& limit : range) limit = Angle(limit, compiler_);
    // Huge numbers are how authors write "no limit" where both must be given.
    constexpr double kUnlimited = 1e15;
    if (!ball && range[0] > -kUnlimited) axis.lower = range[0] - ref;
    if (range[1] < kUnlimited) axis.upper = range[1] - ref;
  }
  if (ball) return;
  const std::array<double, 2> effort = ReadRange(attributes, "actuatorfrcrange");
  if (!IsLimited(attributes, "actuatorfrclimited", "actuatorfrcrange", effort, compiler_.autolimits)) return;
  if (effort[0] >= effort[1]) {
    attributes.element().Error("limits-reversed",
                               "joint '" + joint.name + "': the first number of actuatorfrcrange must be smaller than the second");
    return;
  }
  axis.effort = effort[1];
  if (effort[0] != -effort[1]) axis.effort_lower = effort[0];
}

void Reader::ReadJointDynamics(const Attributes& attributes, double ref, bool angular, Joint& joint) const {
  JointAxis& axis = joint.axes.front();
  axis.damping = LinearCoefficient(attributes, "damping");
  axis.spring_stiffness = LinearCoefficient(attributes, "stiffness");
  axis.armature = attributes.Number("armature");
  axis.friction = attributes.Number("frictionloss");
  const bool scalar = std::holds_alternative<Revolute>(joint.kind) || std::holds_alternative<Prismatic>(joint.kind);
  const double springref = attributes.Number("springref", 0);
  if (scalar && axis.spring_stiffness.value_or(0) != 0) axis.spring_reference = (angular ? Angle(springref, compiler_) : springref) - ref;
  if (const auto springdamper = attributes.Numbers("springdamper", 2, 2); springdamper && (*springdamper)[0] != 0) {
    attributes.element().Warn(
        "springdamper",
        "joint '" + joint.name + "': springdamper is kept for MJCF only; elsewhere stiffness and damping are those written");
  }
}

BodyJoint Reader::ReadJoint(const Item& item) {
  const xml::Element& element = item.element;
  element.Consume();
  // A freejoint takes no defaults.
  const bool freejoint = element.name() == "freejoint";
  const Attributes attributes =
      freejoint ? Attributes(element) : Attributes(element, defaults_.ClassOf(element, "class", item.childclass), "joint");
  BodyJoint result;
  Joint& joint = result.joint;
  joint.role = JointRole::kTree;
  joint.where = element.where();
  joint.name = element.Attribute("name", "");
  if (!joint.name.empty()) joint.name += item.suffix;
  const std::string type = freejoint ? "free" : attributes.Text("type", "hinge");
  joint.native_type = type;
  const bool angular = type == "hinge" || type == "ball";
  Vector3 axis = attributes.Vector("axis").value_or(Vector3(0, 0, 1));
  if (type == "hinge" || type == "slide") {
    if (axis.norm() < kTiny) {
      element.Error("zero-axis", "joint '" + joint.name + "': the axis is zero");
      axis = Vector3::UnitZ();
    }
    axis = item.X_BF.R * axis.normalized();
  }
  if (type == "hinge")
    joint.kind = Revolute{axis};
  else if (type == "slide")
    joint.kind = Prismatic{axis};
  else if (type == "ball")
    joint.kind = Ball{};
  else if (type == "free")
    joint.kind = Free{};
  else
    element.Error("joint-type-unknown", "joint '" + joint.name + "': type '" + type + "' is none of free, ball, slide, hinge");
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  const bool free = type == "free";
  result.p_BJ = item.X_BF * attributes.Vector("pos").value_or(Vector3(0, 0, 0));
  if (joint.axes.empty()) return result;
  double ref = type == "hinge" || type == "slide" ? attributes.Number("ref", 0) : 0;
  if (type == "hinge") ref = Angle(ref, compiler_);
  joint.axes.front().position_offset = ref;
  if (!free) ReadJointLimits(attributes, ref, angular, joint);
  if (!freejoint) ReadJointDynamics(attributes, ref, angular, joint);
  if (freejoint && element.Attribute("align", "auto") == "true") {
    element.Note("freejoint-align", "freejoint of '" + element.path() + "': align is not applied; the body frame stays as drawn");
  }
  const AttributeList rest = AttributesOnly(attributes, {"group", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
                                                         "margin", "springdamper", "actuatorgravcomp", "user"});
  if (!rest.empty()) joint.native.push_back(MakeNative(element, "joint", rest));
  return result;
}

void Reader::CheckJoints(const Body& body, const std::vector<BodyJoint>& joints) {
  const std::string who = "body '" + model_.link(body.link).name + "'";
  int dofs = 0;
  bool ball = false;
  for (const BodyJoint& j : joints) {
    dofs += NumVelocities(j.joint.kind);
    const bool is_ball = std::holds_alternative<Ball>(j.joint.kind);
    if (ball && (is_ball || std::holds_alternative<Revolute>(j.joint.kind))) {
      body.element.Error("rotation-after-ball", who + ": joint '" + j.joint.name + "' turns after a ball joint, which MuJoCo refuses");
    }
    ball = ball || is_ball;
  }
  if (dofs > 6)
    body.element.Error("too-many-dofs", who + ": its joints have " + std::to_string(dofs) + " degrees of freedom, at most 6 are possible");
}

// P --J1-- (massless) --J2-- ... --Jn-- B: the first joint is nearest the parent, and at qpos0 every link in between lies on B.
void Reader::Connect(const Body& body, LinkId parent, std::vector<BodyJoint> joints) {
  if (joints.empty()) {
    Joint weld;
    weld.kind = Fixed{};
    weld.role = JointRole::kTree;
    weld.X_PF = body.X_PB;
    weld.implicit = true;
    weld.where = body.element.where();
    weld.scope = ScopeId{0};
    static_cast<void>(model_.AddJoint(parent, body.link, std::move(weld)));
    return;
  }
  LinkId predecessor = parent;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    LinkId successor = body.link;
    if (k + 1 < joints.size()) {
      Link between;
      between.synthetic = true;
      between.scope = ScopeId{0};
      between.where = joints[k].joint.where;
      successor = model_.AddLink(std::move(between));
      X_WL_.push_back(X_WL_[Index(body.link)]);
    }
    Joint& joint = joints[k].joint;
    joint.scope = ScopeId{0};
    joint.X_PF = k == 0 ? body.X_PB : RigidTransform();
    if (!std::holds_alternative<Free>(joint.kind)) {
      joint.X_SM = RigidTransform::Translation(joints[k].p_BJ);
      joint.X_PF = joint.X_PF * joint.X_SM;
    }
    const std::string name = joint.name;
    const JointId id = model_.AddJoint(predecessor, successor, std::move(joint));
    if (!name.empty()) joints_by_name_[name] = id;
    predecessor = successor;
  }
}

}  // namespace kinemorph::mjcf
