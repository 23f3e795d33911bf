// Joints of a body: attributes, checks, and the chain of massless links that several joints in one
// body stand for.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "kinemorph/graph/model/fields.h"
#include "native.h"
#include "read/orientation.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// Zero of the model is qpos0, where a hinge or slide stands at ref; what MJCF counts in qpos
// (range, springref) becomes a displacement from there. Angles are in radians from here on. What a
// <flag> switches off is no data of the joint, but its text is kept (SwitchedOff), so that MJCF
// comes out as it was.

// MuJoCo's three-valued switches: true, false, or "auto": limited when a range is written.
bool IsLimited(const Attributes& attributes, const char* flag, const char* range_name,
               const std::array<double, 2>& range, bool autolimits) {
  const std::string limited = attributes.Text(flag, "auto");
  if (limited == "true") return true;
  if (limited == "false") return false;
  if (limited != "auto")
    attributes.element().Error("bad-keyword", "attribute '" + std::string(flag) + "' is '" +
                                                  limited + "', expected true, false or auto");
  const bool has_range = range[0] != 0 || range[1] != 0;
  if (has_range && !autolimits) {
    attributes.element().Error(
        "limited-missing",
        {"", attributes.element().path(),
         std::string("'") + range_name + "' is written but autolimits is false and '" + flag +
             "' is missing; write " + flag + "=\"true\" or \"false\""});
  }
  // A range that is equal or reversed is none under "auto"; under "true" it is an error, as the
  // caller says.
  return range[0] < range[1];
}

std::array<double, 2> ReadRange(const Attributes& attributes, const char* name) {
  const auto range = attributes.Numbers(name, 2, 2);
  return range ? std::array<double, 2>{(*range)[0], (*range)[1]} : std::array<double, 2>{0, 0};
}

// MuJoCo 3.7 allows polynomials; only the linear coefficient has a place elsewhere.
std::optional<double> LinearCoefficient(const Attributes& attributes, const char* name) {
  const auto numbers = attributes.Numbers(name, 1, 3);
  return numbers ? std::optional<double>(numbers->front()) : std::nullopt;
}

bool IsCurved(const Attributes& attributes, const char* name) {
  if (xml::SplitWords(attributes.Text(name).value_or("")).size() < 2) return false;
  const auto numbers = attributes.Numbers(name, 1, 3);
  return numbers &&
         std::any_of(numbers->begin() + 1, numbers->end(), [](double c) { return c != 0; });
}

}  // namespace

void Reader::ReadJointLimits(const Attributes& attributes, double ref, bool angular,
                             Joint& joint) const {
  JointAxis& axis = joint.axes.front();
  const bool ball = std::holds_alternative<Ball>(joint.kind);
  std::array<double, 2> range = ReadRange(attributes, "range");
  if (IsLimited(attributes, "limited", "range", range, compiler_.autolimits)) {
    if (ball && range[0] != 0)
      attributes.element().Error("ball-range", {"ball joint", joint.name, "range must start at 0"});
    if (!ball && range[0] >= range[1]) {
      attributes.element().Error(
          "limits-reversed",
          {"joint", joint.name, "the first number of range must be smaller than the second"});
    }
    if (angular)
      for (double& limit : range) limit = Angle(limit, compiler_);
    // Such a range holds the joint: the model has equal limits for that (EndOfLock).
    if (range[1] == EndOfLock(range[0], ref)) range[1] = range[0];
    // MJCF has no range with one end; 1e16 stands for the open one.
    constexpr double none = FormatLimits::kHuge;
    if (!ball && range[0] > -none && !IsOff("limit")) axis.lower = range[0] - ref;
    if (range[1] < none && !IsOff("limit")) axis.upper = range[1] - ref;
  }
  if (ball) return;

  // A joint's own bound of the force of all its actuators. It is said by its upper end, and by both
  // where they are not the same (README).
  const std::array<double, 2> effort = ReadRange(attributes, "actuatorfrcrange");
  if (!IsLimited(attributes, "actuatorfrclimited", "actuatorfrcrange", effort,
                 compiler_.autolimits))
    return;
  if (effort[0] >= effort[1]) {
    attributes.element().Error(
        "limits-reversed",
        {"joint", joint.name,
         "the first number of actuatorfrcrange must be smaller than the second"});
    return;
  }
  axis.effort = effort[1];
  if (effort[0] != -effort[1]) axis.effort_lower = effort[0];
}

void Reader::ReadJointDynamics(const Attributes& attributes, double ref, bool angular,
                               Joint& joint) const {
  JointAxis& axis = joint.axes.front();
  axis.armature = attributes.Number("armature");
  if (const auto damping = LinearCoefficient(attributes, "damping"); !IsOff("damper"))
    axis.damping = damping;
  if (const auto friction = attributes.Number("frictionloss"); !IsOff("frictionloss"))
    axis.friction = friction;
  const auto stiffness = LinearCoefficient(attributes, "stiffness");
  // With springs off stiffness and reference mean nothing; SwitchedOff keeps them.
  if (IsOff("spring")) return;
  axis.spring_stiffness = stiffness;
  const bool scalar =
      std::holds_alternative<Revolute>(joint.kind) || std::holds_alternative<Prismatic>(joint.kind);
  const double springref = attributes.Number("springref", 0);
  // Without a stiffness it still says where tendons are at rest.
  if (scalar &&
      (axis.spring_stiffness.value_or(0) != 0 || attributes.Has("springdamper") || springref != 0))
    axis.spring_reference = (angular ? Angle(springref, compiler_) : springref) - ref;
}

// What a flag or its own word switches off, as it would be written; and what is in the same units.
AttributeList Reader::SwitchedOff(const Attributes& attributes, bool angular) const {
  const auto in_radians = [&](const char* name) {
    std::string text;
    for (const double number : attributes.Numbers(name, 1, 2).value_or(xml::NumberList()))
      text +=
          (text.empty() ? "" : " ") + xml::NumberText(angular ? Angle(number, compiler_) : number);
    return text;
  };
  AttributeList off;
  const auto given = [&](const char* range) {
    const std::array<double, 2> numbers = ReadRange(attributes, range);
    return numbers[0] != 0 || numbers[1] != 0;
  };
  // A range that does not limit still says where a drive or a sensor counts from.
  const bool limited = attributes.Text("limited", "auto") != "false";
  if (given("range") && !limited)  // MuJoCo takes the numbers as they stand, also in degrees
    off = {{"limited", "false"}, {"range", attributes.Text("range", "")}};
  else if (given("range") && IsOff("limit"))
    off = {{"limited", "false"}, {"range", in_radians("range")}};
  if (given("actuatorfrcrange") && attributes.Text("actuatorfrclimited") == "false")
    off.insert(off.end(), {{"actuatorfrclimited", "false"},
                           {"actuatorfrcrange", attributes.Text("actuatorfrcrange", "")}});
  if (attributes.Has("springyield")) off.emplace_back("springyield", in_radians("springyield"));
  if (IsOff("spring") && attributes.Has("springref"))
    off.emplace_back("springref", in_radians("springref"));
  const auto keep = [&](const char* mechanics, const char* name) {
    if (const auto text = attributes.Text(name); text && IsOff(mechanics))
      off.emplace_back(name, *text);
  };
  keep("spring", "stiffness");
  keep("damper", "damping");
  keep("frictionloss", "frictionloss");
  if (IsOff("spring") || IsOff("damper")) {
    if (const auto text = attributes.Text("springdamper")) off.emplace_back("springdamper", *text);
  }
  return off;
}

BodyJoint Reader::ReadJoint(const Item& item) {
  const xml::Element& element = item.element;
  element.Consume();
  // A freejoint takes no defaults.
  const bool freejoint = element.name() == "freejoint";
  const Attributes attributes =
      freejoint
          ? Attributes(element)
          : Attributes(element, defaults_.ClassOf(element, "class", item.childclass), "joint");
  BodyJoint result;
  Joint& joint = result.joint;
  joint.role = JointRole::kTree;
  joint.where = element.where();
  joint.name = element.Attribute("name", "");
  if (!joint.name.empty()) joint.name += item.suffix;
  const std::string type = freejoint ? "free" : attributes.Text("type", "hinge");
  joint.native_type = type;
  const bool angular = type == "hinge" || type == "ball";
  // A zero axis would spoil every pose below it, so the reading goes on with z.
  Vector3 axis = attributes.Vector("axis").value_or(Vector3(0, 0, 1));
  if (type == "hinge" || type == "slide") {
    if (axis.norm() < kTiny) {
      element.Error("zero-axis", {"joint", joint.name, "the axis is zero; write a unit vector"});
      axis = Vector3::UnitZ();
    }
    // Frames around the joint turn its axis. Their turn cannot go into the joint's frame: it is
    // that of the body, which axis and pos count in.
    axis = item.X_BF.R * axis.stableNormalized();
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
    ReportUnknown(element, "joint-type-unknown",
                  {"joint", joint.name, "type '" + type + "' is none of free, ball, slide, hinge"},
                  type, {"free", "ball", "slide", "hinge"});
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  const bool free = type == "free";
  result.p_BJ = item.X_BF * attributes.Vector("pos").value_or(Vector3(0, 0, 0));
  if (joint.axes.empty()) return result;
  double ref = type == "hinge" || type == "slide" ? attributes.Number("ref", 0) : 0;
  if (type == "hinge") ref = Angle(ref, compiler_);
  joint.axes.front().position_offset = ref;
  if (!free)
    ReadJointLimits(attributes, ref, angular, joint);
  else if (element.Attribute("limited") != "true")
    static_cast<void>(attributes.Text("limited"));  // a free joint has no limits anyway
  if (!freejoint) ReadJointDynamics(attributes, ref, angular, joint);
  if (free) result.aligned = IsAligned(attributes);
  AttributeList rest = KeptAttributes(attributes, "joint");
  for (auto& off : SwitchedOff(attributes, angular)) {
    const bool scalar = off.first == "range" || off.first == "limited" ||
                        off.first == "springyield" || off.first.starts_with("actuatorfrc");
    if (!free || !scalar) rest.push_back(std::move(off));
  }

  // Of stiffness and damping the model holds the first number. Where there are more, the whole list
  // is kept, which the writer prefers.
  for (const auto& [name, mechanics] :
       {std::pair{"stiffness", "spring"}, std::pair{"damping", "damper"}}) {
    if (!IsCurved(attributes, name) || IsOff(mechanics)) continue;
    for (auto& polynomial : AttributesOnly(attributes, {name}))
      rest.push_back(std::move(polynomial));
  }

  // Both have to be positive for MuJoCo, and both mechanics on; it is resolved when all masses are
  // known.
  const bool passive = !IsOff("spring") && !IsOff("damper");
  if (const auto s = attributes.Numbers("springdamper", 2, 2);
      passive && s && (*s)[0] > 0 && (*s)[1] > 0)
    result.springdamper = SpringDamper{(*s)[0], (*s)[1], element};
  if (!rest.empty()) joint.native.push_back(MakeNative(element, "joint", rest));
  return result;
}

// The frame of such a body is that of its inertia, where it has no other body below it.
bool Reader::IsAligned(const Attributes& free_joint) const {
  const std::string align = free_joint.element().Attribute("align", "auto");
  return align == "true" || (align == "auto" && compiler_.alignfree);
}

void Reader::CheckJoints(const Body& body, const std::vector<BodyJoint>& joints) {
  // These are errors of MuJoCo's compiler, that would otherwise come up only in its simulator.
  const std::string who = About("body", model_.link(body.link).name);
  int dofs = 0;
  bool ball = false;
  for (const BodyJoint& j : joints) {
    dofs += NumVelocities(j.joint.kind);
    const bool is_ball = std::holds_alternative<Ball>(j.joint.kind);
    if (ball && (is_ball || std::holds_alternative<Revolute>(j.joint.kind))) {
      body.element.Error(
          "rotation-after-ball",
          {who, "joint '" + j.joint.name + "' turns after a ball joint, which MuJoCo refuses"});
    }
    ball = ball || is_ball;
  }
  if (dofs > 6)
    body.element.Error("too-many-dofs", {who, "its joints have " + std::to_string(dofs) +
                                                  " degrees of freedom, at most 6 are possible"});
}

// P --J1-- (massless) --J2-- ... --Jn-- B: the first joint is nearest the parent, and at qpos0
// every link in between lies on B.
void Reader::Connect(const Body& body, LinkId parent, std::vector<BodyJoint> joints) {
  // No joint is a weld in MJCF. It is a joint of the model that nobody has written.
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

    // An anchor at p_BJ in the body: M is moved there, and F with it, as they coincide at zero. A
    // free joint has no anchor: its coordinates are the pose of the body itself.
    Joint& joint = joints[k].joint;
    joint.scope = ScopeId{0};
    joint.X_PF = k == 0 ? body.X_PB : RigidTransform();
    if (!std::holds_alternative<Free>(joint.kind)) {
      joint.X_SM = RigidTransform::Translation(joints[k].p_BJ);
      joint.X_PF = joint.X_PF * joint.X_SM;
    }
    const std::string name = joint.name;
    const JointId id = model_.AddJoint(predecessor, successor, std::move(joint));
    if (joints[k].springdamper) springdampers_.emplace_back(id, *joints[k].springdamper);
    if (!name.empty()) joints_by_name_[name] = id;
    predecessor = successor;
  }
}

// MuJoCo's rule: with I the inertia that a joint moves at qpos0, stiffness = I / (time constant *
// damping ratio)^2 and damping = 2 I / time constant. I is the harmonic mean over the coordinates:
// their number by the trace of their block of M^-1.
void Reader::ApplySpringDampers() {
  if (springdampers_.empty()) return;
  const bool more = HasMoreInertia();
  const std::optional<Mechanism> mechanism = KnownMechanism();
  Eigen::MatrixXd M_inverse;
  bool known = mechanism.has_value();
  if (known) {
    M_inverse.resize(mechanism->nv, mechanism->nv);
    known = InvertPositive(MassMatrix(*mechanism, mechanism->ZeroPosition()), 0, M_inverse);
  }
  for (const auto& [id, springdamper] : springdampers_) {
    Joint& joint = model_.joint(id);
    const std::vector<kinemorph::Body> none;
    const std::vector<kinemorph::Body>& bodies = known ? mechanism->bodies : none;
    const auto moved = std::find_if(
        bodies.begin(), bodies.end(),
        [joint_id = id](const auto& body) { return body.nv > 0 && body.joint == joint_id; });
    if (moved == bodies.end()) {
      springdamper.element.Warn("springdamper", {"joint", joint.name,
                                                 std::string("springdamper is ") +
                                                     (more ? "kept for MJCF only" : "not read") +
                                                     ": the inertia that the joint moves is not "
                                                     "known"});

      // With MuJoCo both terms can still be computed from the same file; no other format gets them.
      const AttributeList says = {
          {"springdamper", xml::NumberText(springdamper.time_constant) + " " +
                               xml::NumberText(springdamper.damping_ratio)}};
      if (more) {
        AttributeList rest = NativeAttributes(joint.native, "joint");
        rest.push_back(says.front());
        joint.native = {MakeNative(springdamper.element, "joint", rest)};
      } else {  // what is written has an inertia, and would make another spring of it
        joint.native.push_back(MakeNative(springdamper.element, "joint", says));
        joint.native.back().format.clear();
      }
      continue;
    }
    const double inertia = moved->nv / M_inverse.diagonal().segment(moved->v, moved->nv).sum();
    JointAxis& axis = joint.axes.front();
    axis.spring_stiffness =
        inertia / std::pow(springdamper.time_constant * springdamper.damping_ratio, 2);
    axis.damping = 2 * inertia / springdamper.time_constant;
  }
}

// What adds to M beside the bodies is not in the mass matrix of the model.
bool Reader::HasMoreInertia() const {
  const auto adds_inertia = [](const NativeData& native) {
    bool adds = false;
    ForEachIn(native.content, [&](const NativeElement& element) {
      adds = adds || element.Attribute("armature") != nullptr;
    });
    return adds;
  };
  return std::any_of(model_.actuators.begin(), model_.actuators.end(),
                     [&](const Actuator& a) { return adds_inertia(a.native); }) ||
         std::any_of(model_.native.begin(), model_.native.end(), [&](const NativeData& n) {
           return n.element.rfind("tendon/", 0) == 0 && adds_inertia(n);
         });
}

// With a mass that is not known, or bodies that are not read, the mass matrix would be another one.
std::optional<Mechanism> Reader::KnownMechanism() const {
  const bool known = !HasMoreInertia() && !incomplete_ && unweighed_.empty();
  return known ? std::optional(Compile(model_)) : std::nullopt;
}

// A dampratio needs the inertia that a joint moves by itself at qpos0, all others held: of so many
// coordinates that the matrix has a place.
void Reader::TakeDriveLaws() {
  constexpr int kMost = 2000;
  std::unordered_map<std::size_t, double> inertias;  // by joint
  bool asked = false;
  for (Actuator& drive : model_.actuators)
    TakeDriveLaw(model_, drive, [&] {
      if (const std::optional<Mechanism> m = asked ? std::nullopt : KnownMechanism();
          m && m->nv <= kMost) {
        const Eigen::VectorXd M = MassMatrix(*m, m->ZeroPosition()).diagonal();
        for (const auto& body : m->bodies)
          if (body.nv == 1) inertias[Index(body.joint)] = M[body.v];
      }
      asked = true;
      return inertias.contains(Index(drive.joint)) ? inertias[Index(drive.joint)] : 0.0;
    });
}

}  // namespace kinemorph::mjcf
