// <gazebo> blocks: SDFormat's own elements in them are kept as such, joints between links of the
// robot are loops, the rest is text.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/axis_fields.h"
#include "read/reader.h"

namespace kinemorph::urdf_format {
namespace {

// What SDFormat has under a link, a joint or a model by the same name, elements of its users' name
// spaces among it: Gazebo's URDF converter copies them as they are. The rest of a block are tags of
// that converter, or of a Gazebo before SDFormat ("controller:...").
bool IsSdformat(std::string_view name) {
  constexpr std::array<std::string_view, 6> kParts = {
      "sensor", "plugin", "light", "projector", "audio_source", "particle_emitter"};
  constexpr std::array<std::string_view, 8> kSettings = {
      "allow_auto_disable", "battery",           "enable_wind",  "gravity",
      "kinematic",          "must_be_base_link", "self_collide", "velocity_decay"};
  return std::find(kParts.begin(), kParts.end(), name) != kParts.end() ||
         std::find(kSettings.begin(), kSettings.end(), name) != kSettings.end() ||
         name.starts_with("gz:") || name.starts_with("ignition:") || name.starts_with("drake:");
}

bool IsOfModel(std::string_view name) { return IsSdformat(name) && name != "sensor"; }

// "x y z roll pitch yaw"; the identity where it is missing.
RigidTransform ReadSdformatPose(const xml::Element& pose) {
  RigidTransform X;
  if (const auto numbers = pose.TextNumbers(6, 6)) {
    X.p = Vector3((*numbers)[0], (*numbers)[1], (*numbers)[2]);
    X.R = RotationFromRpy(Vector3((*numbers)[3], (*numbers)[4], (*numbers)[5]));
  }
  return X;
}

NativeData AsSdformat(const xml::Element& element) {
  NativeData data = element.Native();
  data.format = "sdf";
  return data;
}

}  // namespace

NativeData RobotReader::GazeboBlock(const std::string& reference,
                                    const std::vector<xml::Element>& children, bool idle) {
  NativeData block = children.front().Native();
  block.element = "gazebo";
  block.content = {.name = "gazebo"};
  if (!reference.empty()) block.content.attributes = {{"reference", reference}};
  for (const xml::Element& child : children)
    block.content.children.push_back(child.Native().content);
  block.idle = idle;
  return block;
}

// What a block says of a link or joint, or of both where they have one name.
void RobotReader::ReadGazeboOf(const xml::Element& gazebo, LinkId link, JointId joint) {
  std::vector<NativeData>& native =
      link != kNoLink ? model_.link(link).native : model_.joint(joint).native;
  const std::string reference(*gazebo.Attribute("reference"));
  std::vector<xml::Element> rest, idle;
  bool whole = true;  // all of it stays text
  // libsdformat knows nothing of URDF+'s loops: what is said of one is SDFormat as it stands.
  const bool of_loop = link == kNoLink && model_.joint(joint).role == JointRole::kLoop;
  for (const xml::Element child : gazebo.Children()) {
    if (link != kNoLink) link_tags_[link].of = reference;
    if (joint != kNoJoint) joint_tags_[joint].of = reference;
    if ((link != kNoLink && TakeGazeboTag(child, link_tags_[link], true)) ||
        (joint != kNoJoint && !of_loop && TakeGazeboTag(child, joint_tags_[joint], false))) {
      whole = false;
    } else if (of_loop && child.name() == "physics") {
      native.push_back(AsSdformat(child));
      whole = false;
    } else if (HasNoEffect(child.name(), link != kNoLink)) {
      idle.push_back(child);
    } else if (!IsSdformat(child.name())) {
      if (child.name() == "joint")
        child.Warn("gazebo-joint-reference",
                   {"joint", std::string(child.Attribute("name", "")),
                    "in <gazebo reference=\"" + reference +
                        "\">, where libsdformat ignores it; remove the reference"});
      rest.push_back(child);
    } else if (child.name() != "sensor") {
      native.push_back(AsSdformat(child));
      whole = false;
    } else {
      ReadSdfSensor(child, link, link == kNoLink ? joint : kNoJoint);
      whole = false;
    }
  }
  if (whole && (rest.empty() || idle.empty())) {  // as it stands, comments and all
    native.push_back(gazebo.Native());
    native.back().idle = rest.empty();
    return;
  }
  if (!rest.empty()) native.push_back(GazeboBlock(reference, rest, false));
  if (!idle.empty()) native.push_back(GazeboBlock(reference, idle, true));
}

void RobotReader::ReadSdfSensor(const xml::Element& element, LinkId link, JointId joint) {
  Sensor sensor;
  sensor.name = element.Attribute("name", "");
  sensor.type = element.Attribute("type", "");
  sensor.link = link, sensor.joint = joint;
  sensor.X_LS = ReadSdformatPose(element.Child("pose"));
  sensor.native = AsSdformat(element);
  sensor.where = element.where();
  model_.sensors.push_back(std::move(sensor));
}

void RobotReader::ReadGazebo(const xml::Element& gazebo) {
  gazebo.Consume();
  const auto reference = gazebo.Attribute("reference");
  if (!reference || reference->empty()) return ReadGazeboOfRobot(gazebo);
  const std::string name(*reference);
  const LinkId* const link = links_.Find(name);
  const JointId* const joint = joints_.Find(name);
  if (link || joint) return ReadGazeboOf(gazebo, link ? *link : kNoLink, joint ? *joint : kNoJoint);
  if (!IsToldOf(name)) {
    std::vector<std::string> names = LinkNames();
    names.insert(names.end(), JointNames().begin(), JointNames().end());
    Diagnostic& warning = gazebo.Warn(
        "gazebo-reference-unknown",
        {"gazebo", name, "no link or joint has this name; kinemorph keeps the block as text"});
    warning.suggestion = NearestName(name, names);
  }
  model_.native.push_back(gazebo.Native());
  model_.native.back().idle = true;
}

// Of the model itself. libsdformat passes over the tags of links and joints here; up to 12.6, a
// further block without reference that does not say so makes a static model movable again.
void RobotReader::ReadGazeboOfRobot(const xml::Element& gazebo) {
  std::vector<xml::Element> rest, idle;
  bool whole = true, says_static = false;
  Scope& scope = model_.scopes[0];
  for (const xml::Element child : gazebo.Children()) {
    const std::string_view name = child.name();
    if (name == "static") {
      says_static = true;
      GazeboTags tags;
      tags.of = model_.name;
      scope.is_static = GazeboBoolean(child, tags);
      static_ = scope.is_static ? child : xml::Element();
      if (scope.is_static)
        child.ConsumeAll(), whole = false;
      else
        idle.push_back(child);
    } else if (name == "self_collide" && !scope.self_collide) {
      const std::string word = LowerCase(child.Text());
      child.ConsumeAll();
      scope.self_collide = word == "true" || word == "1";
      whole = false;
    } else if (IsGazeboTag(name) && name != "gravity" && name != "self_collide") {
      idle.push_back(child);
      child.Warn("gazebo-tag-idle", "<" + std::string(name) +
                                        ">: in a <gazebo> without reference, where libsdformat "
                                        "ignores it; name the link or joint");
    } else if (name == "plugin" && ReadWeld(child)) {
      whole = false;
    } else if (IsOfModel(name)) {
      scope.native.push_back(AsSdformat(child));
      whole = false;
    } else if ((name == "joint" && ReadGazeboJoint(child)) ||
               (name == "frame" && ReadFloatingFrame(child))) {
      whole = false;
    } else {
      rest.push_back(child);
    }
  }
  if (static_ && !says_static)
    static_.Warn("gazebo-static-forgotten",
                 {"<static> of", model_.name,
                  "libsdformat before 12.7 forgets it at the <gazebo> in line " +
                      std::to_string(gazebo.where().line) +
                      ", which does not say it again; the model is read as static"});
  if (whole && (rest.empty() || idle.empty())) {
    model_.native.push_back(gazebo.Native());
    model_.native.back().idle = rest.empty();
    return;
  }
  for (const xml::Element& child : rest) model_.native.push_back(GazeboBlock("", {child}, false));
  if (!idle.empty()) model_.native.push_back(GazeboBlock("", idle, true));
}

// Joints that no file names hold a static model: one for every group of links on fixed joints, as
// SDFormat's have them.
void RobotReader::HoldStill() {
  if (!model_.scopes[0].is_static) return;
  const std::vector<RigidTransform> X_WL = ZeroPoses(model_, tree_);
  DisjointSets rigid(model_.num_links());
  for (const LinkId root : tree_.roots)
    if (model_.link(root).name == "world") rigid.Unite(Index(root), 0);
  for (const JointId id : Joints(model_))
    if (std::holds_alternative<Fixed>(model_.joint(id).kind))
      rigid.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)));
  for (const LinkId id : Links(model_)) {
    if (!rigid.Unite(0, Index(id))) continue;
    Joint joint;
    joint.name = "world_to_" + model_.link(id).name;
    if (joints_.Has(joint.name) || constraints_.Has(joint.name))
      joint.name = UnusedName(joint.name);
    joint.kind = Fixed{};
    joint.X_PF = X_WL[Index(id)];
    joint.implicit = true;
    joint.role = joint_to_[Index(id)] == kNoJoint ? JointRole::kTree : JointRole::kLoop;
    joint.scope = ScopeId{0};
    joint.where = model_.link(id).where;
    model_.AddJoint(kWorld, id, std::move(joint));
  }
}

std::optional<RigidTransform> RobotReader::PoseOfFrame(const std::string& name, LinkId parent,
                                                       LinkId child,
                                                       const RigidTransform& fallback) const {
  if (name.empty()) return fallback;
  if (name == "__model__") return RigidTransform();
  if (name == "world") return RigidTransform();
  if (name == "parent") return X_WL_[Index(parent)];
  if (name == "child") return X_WL_[Index(child)];
  if (const LinkId* const link = links_.Find(name)) return X_WL_[Index(*link)];
  if (const JointId* const joint = joints_.Find(name))
    return X_WL_[Index(model_.successor(*joint))] * model_.joint(*joint).X_SM;
  return std::nullopt;
}

// The frame of a floating joint, which libsdformat asks for and makes no joint of.
bool RobotReader::ReadFloatingFrame(const xml::Element& frame) {
  const JointId* const joint = joints_.Find(std::string(frame.Attribute("name", "")));
  if (joint == nullptr || !std::holds_alternative<Free>(model_.joint(*joint).kind)) return false;
  frame.ConsumeAll();
  return true;
}

void RobotReader::ReadGazeboAxis(const xml::Element& axis, JointAxis& out) {
  const auto finite = [](std::optional<double> x) {
    return x && std::abs(*x) >= FormatLimits::kNone ? std::nullopt : x;
  };
  const auto positive = [&](std::optional<double> x) {
    return x && *x < 0 ? std::nullopt : finite(x);
  };
  if (const xml::Element limit = axis.Child("limit")) {
    out.lower = finite(limit.ChildNumber("lower"));
    out.upper = finite(limit.ChildNumber("upper"));
    out.effort = positive(limit.ChildNumber("effort"));  // SDFormat: -1 is unlimited
    out.velocity = positive(limit.ChildNumber("velocity"));
  }
  if (const xml::Element dynamics = axis.Child("dynamics")) {
    out.damping = dynamics.ChildNumber("damping");
    out.friction = dynamics.ChildNumber("friction");
    out.spring_stiffness = dynamics.ChildNumber("spring_stiffness");
    out.spring_reference = dynamics.ChildNumber("spring_reference");
  }
}

// In metres per radian, right-handed; SDFormat's default is a thread_pitch of 1.
double RobotReader::ReadGazeboPitch(const xml::Element& joint, const std::string& subject) {
  if (const auto per_turn = joint.ChildNumber("screw_thread_pitch"))
    return *per_turn / (2 * std::numbers::pi);
  const double per_metre = joint.ChildNumber("thread_pitch").value_or(1);
  if (per_metre != 0) return -1 / per_metre;
  joint.Error("screw-pitch-missing",
              {subject, "thread_pitch is 0; its unit is radians per metre, so zero is impossible"});
  return 1;
}

// <pose> is in the child link's frame, or in the one that it names.
bool RobotReader::PlaceGazeboJoint(GazeboJoint& at) {
  if (X_WL_.empty()) X_WL_ = ZeroPoses(model_, tree_);
  const xml::Element pose = at.element.Child("pose");
  at.X_given = ReadSdformatPose(pose);
  at.relative_to = pose.Attribute("relative_to", pose.Attribute("frame", ""));
  const RigidTransform &X_WS = X_WL_[Index(at.S)], &X_WP = X_WL_[Index(at.P)];
  const auto X_WBase = PoseOfFrame(at.relative_to, at.P, at.S, X_WS);
  if (!X_WBase) {
    pose.Error("frame-undefined", {at.subject, "its pose is relative to '" + at.relative_to +
                                                   "', which is not a frame of this robot"});
    return false;
  }
  at.X_WM = *X_WBase * at.X_given;
  // What the file gives is not computed anew.
  at.joint.X_SM = at.relative_to.empty() ? at.X_given : X_WS.inverse() * at.X_WM;
  at.joint.X_PF =
      at.relative_to == at.element.Child("parent").Text() ? at.X_given : X_WP.inverse() * at.X_WM;
  return true;
}

// In the joint's frame, or in the one that it names.
std::optional<Vector3> RobotReader::ReadGazeboDirection(const GazeboJoint& at, const char* tag,
                                                        const Vector3& fallback) const {
  const xml::Element axis = at.element.Child(tag), xyz = axis.Child("xyz");
  const auto numbers = xyz.TextNumbers(3, 3);
  if (!numbers) return fallback;
  Vector3 direction((*numbers)[0], (*numbers)[1], (*numbers)[2]);
  if (!(direction.norm() > 1e-12)) {
    xyz.Error("zero-axis",
              {at.subject, "its axis is zero and gives no direction; write a unit vector"});
    return std::nullopt;
  }
  direction.normalize();
  const std::string expressed_in = xyz.Attribute("expressed_in", "");
  const bool in_model = axis.Child("use_parent_model_frame").TextBoolean().value_or(false);
  if (!in_model && expressed_in.empty()) return direction;
  if (!in_model && expressed_in == at.relative_to)
    return Vector3(at.X_given.R.transpose() * direction);
  const auto X_WE = PoseOfFrame(in_model ? "__model__" : expressed_in, at.P, at.S, at.X_WM);
  if (X_WE) return Vector3(at.X_WM.R.transpose() * (X_WE->R * direction));
  xyz.Error("frame-undefined", {at.subject, "its axis is expressed in '" + expressed_in +
                                                "', which is not a frame of this robot"});
  return std::nullopt;
}

std::optional<JointKind> RobotReader::ReadGazeboKind(const GazeboJoint& at) const {
  const std::string& type = at.joint.native_type;
  if (type == "fixed") return Fixed{};
  if (type == "ball") return Ball{};
  const bool universal = type == "universal";
  const auto first =
      ReadGazeboDirection(at, "axis", universal ? Vector3::UnitX() : Vector3::UnitZ());
  const auto second =
      universal ? ReadGazeboDirection(at, "axis2", Vector3::UnitY()) : std::optional(Vector3());
  if (!first || !second) return std::nullopt;
  if (type == "revolute" || type == "continuous") return Revolute{*first};
  if (type == "prismatic") return Prismatic{*first};
  if (type == "screw") return Screw{*first, ReadGazeboPitch(at.element, at.subject)};
  return Universal{*first, *second};
}

void RobotReader::ReadGazeboRest(GazeboJoint& at) {
  for (const xml::Element other : at.element.Children()) {
    const std::string_view name = other.name();
    if (name == "parent" || name == "child" || name == "pose" || name == "axis" ||
        name == "axis2" || name == "thread_pitch" || name == "screw_thread_pitch")
      continue;
    if (name == "sensor")
      ReadSdfSensor(other, kNoLink, JointId{static_cast<std::uint32_t>(model_.num_joints())});
    else if (IsSdformat(name) || name == "physics")
      at.joint.native.push_back(AsSdformat(other));
    else  // nothing that SDFormat has there: it stays a remark of this file
      at.joint.native.push_back(GazeboBlock(at.joint.name, {other}, false));
  }
}

// Whether the joint is one that is read here; else it is kept as text, with a warning.
bool RobotReader::KnowsGazeboJoint(GazeboJoint& at) const {
  const Joint& joint = at.joint;
  const std::string parent(at.element.Child("parent").Text()),
      child(at.element.Child("child").Text()), &type = joint.native_type;
  const auto find = [&](const std::string& name) {
    const LinkId* const found = links_.Find(name);
    return found ? *found : name == "world" ? kWorld : kNoLink;
  };
  at.P = find(parent), at.S = find(child);
  if (at.P == kNoLink || at.S == kNoLink || at.P == at.S) {
    at.element.Warn(
        "gazebo-joint-foreign",
        {at.subject,
         "in <gazebo>, joins '" + parent + "' and '" + child +
             "', which are not two links of this robot; kinemorph keeps the joint as text"});
    return false;
  }
  const bool known = type == "revolute" || type == "continuous" || type == "prismatic" ||
                     type == "ball" || type == "fixed" || type == "universal" || type == "screw";
  if (known && !joint.name.empty() && !joints_.Has(joint.name) && !constraints_.Has(joint.name))
    return true;
  at.element.Warn("gazebo-joint-kept",
                  known ? at.subject +
                              ": in <gazebo>, has no name of its own; kinemorph keeps the joint "
                              "as text"
                        : at.subject + ": in <gazebo>, is of type '" + type +
                              "', which kinemorph does not read here and keeps as text");
  return false;
}

// SDFormat semantics; the joint is assembled at zero.
bool RobotReader::ReadGazeboJoint(const xml::Element& element) {
  element.Consume();
  GazeboJoint at{element, {}, kNoLink, kNoLink, {}, {}, {}, {}};
  Joint& joint = at.joint;
  joint.where = element.where();
  joint.scope = ScopeId{0};
  joint.role = JointRole::kLoop;
  joint.name = element.Attribute("name", "");
  joint.native_type = element.Attribute("type", "");
  at.subject = "joint '" + joint.name + "'";
  if (!KnowsGazeboJoint(at)) return false;
  if (!PlaceGazeboJoint(at)) return true;
  const std::optional<JointKind> kind = ReadGazeboKind(at);
  if (!kind) return true;
  joint.kind = *kind;
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  if (NumVelocities(joint.kind) >= 1 && !std::holds_alternative<Ball>(joint.kind))
    ReadGazeboAxis(element.Child("axis"), joint.axes[0]);
  if (std::holds_alternative<Universal>(joint.kind))
    ReadGazeboAxis(element.Child("axis2"), joint.axes[1]);
  ReadGazeboRest(at);
  // A joint from the world to the root fixes the base; it closes nothing.
  if (at.P == kWorld && joint_to_[Index(at.S)] == kNoJoint) {
    joint.role = JointRole::kTree;
    joint_to_[Index(at.S)] = JointId{static_cast<std::uint32_t>(model_.num_joints())};
  }
  constraints_.Add(joint.name, element.where().line);
  const std::string name = joint.name;
  joints_.Add(name, model_.AddJoint(at.P, at.S, std::move(joint)));
  return true;
}

}  // namespace kinemorph::urdf_format
