// <gazebo> blocks: SDFormat's own elements in them are kept as such, joints between links of the
// robot are loops, the rest is text.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/model/axis_fields.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::urdf_format {
namespace {

std::string Indented(const std::string& xml) {
  std::string text = "\n    ";
  for (const char c : xml) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return text;
}

// A child of a block as a block of its own.
NativeData Wrapped(NativeData child) {
  child.xml = "<gazebo>" + Indented(child.xml) + "\n</gazebo>";
  child.element = "gazebo";
  return child;
}

// What SDFormat has under a link, a joint or a model by the same name, elements of its users' name
// spaces among it: Gazebo's URDF converter copies them as they are. The rest of a block are tags of
// that converter, or of a Gazebo before SDFormat ("controller:...").
bool IsSdformat(std::string_view name) {
  constexpr std::array<std::string_view, 6> kParts = {
      "sensor", "plugin", "light", "projector", "audio_source", "particle_emitter"};
  constexpr std::array<std::string_view, 9> kSettings = {
      "allow_auto_disable", "battery", "enable_wind",  "gravity",       "kinematic",
      "must_be_base_link",  "physics", "self_collide", "velocity_decay"};
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

// What a block says of a link or joint.
void RobotReader::ReadGazeboOf(const xml::Element& gazebo, LinkId link, JointId joint) {
  std::vector<NativeData>& native =
      link != kNoLink ? model_.link(link).native : model_.joint(joint).native;
  const auto is_sdformat = [](const xml::Element& child) { return IsSdformat(child.name()); };
  std::vector<xml::Element> children;
  for (const xml::Element child : gazebo.Children()) children.push_back(child);
  if (std::none_of(children.begin(), children.end(), is_sdformat)) {
    native.push_back(gazebo.Native());
    return;
  }
  NativeData rest = gazebo.Native();
  rest.xml = "<gazebo reference=\"" + xml::Escaped(*gazebo.Attribute("reference")) + "\">";
  for (const xml::Element& child : children) {
    if (!is_sdformat(child)) {
      rest.xml += Indented(child.Native().xml);
    } else if (child.name() != "sensor") {
      native.push_back(AsSdformat(child));
    } else {
      Sensor sensor;
      sensor.name = child.Attribute("name", "");
      sensor.type = child.Attribute("type", "");
      sensor.link = link, sensor.joint = joint;
      sensor.X_LS = ReadSdformatPose(child.Child("pose"));
      sensor.native = AsSdformat(child);
      sensor.where = child.where();
      model_.sensors.push_back(std::move(sensor));
    }
  }
  rest.xml += "\n</gazebo>";
  if (!std::all_of(children.begin(), children.end(), is_sdformat))
    native.push_back(std::move(rest));
}

void RobotReader::ReadGazebo(const xml::Element& gazebo) {
  gazebo.Consume();
  if (const auto reference = gazebo.Attribute("reference"); reference && !reference->empty()) {
    const std::string name(*reference);
    if (const LinkId* const link = links_.Find(name)) {
      ReadGazeboOf(gazebo, *link, kNoJoint);
    } else if (const JointId* const joint = joints_.Find(name)) {
      ReadGazeboOf(gazebo, kNoLink, *joint);
    } else {
      std::vector<std::string> names = LinkNames();
      names.insert(names.end(), JointNames().begin(), JointNames().end());
      Diagnostic& warning = gazebo.Warn(
          "gazebo-reference-unknown",
          "gazebo '" + name + "': no link or joint has this name; the block is kept as text");
      const std::string nearest = NearestName(name, names);
      if (!nearest.empty()) warning.notes.push_back("did you mean '" + nearest + "'?");
      model_.native.push_back(gazebo.Native());
    }
    return;
  }
  bool only_tags = true;
  for (const xml::Element child : gazebo.Children())
    only_tags = only_tags && child.name() != "joint" && !IsOfModel(child.name());
  if (only_tags) {
    model_.native.push_back(gazebo.Native());
    return;
  }
  for (const xml::Element child : gazebo.Children()) {
    if (IsOfModel(child.name())) {
      model_.scopes[0].native.push_back(AsSdformat(child));
    } else if (child.name() != "joint" || !ReadGazeboJoint(child)) {
      model_.native.push_back(Wrapped(child.Native()));
    }
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

void RobotReader::ReadGazeboAxis(const xml::Element& axis, JointAxis& out) {
  const auto finite = [](std::optional<double> x) {
    return x && std::abs(*x) >= kUnlimited ? std::nullopt : x;
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

// SDFormat semantics: <pose> is in the child link's frame, the axis in the joint's frame; the joint
// is assembled at zero.
bool RobotReader::ReadGazeboJoint(const xml::Element& element) {
  element.Consume();
  Joint joint;
  joint.where = element.where();
  joint.scope = ScopeId{0};
  joint.role = JointRole::kLoop;
  joint.name = element.Attribute("name", "");
  joint.native_type = element.Attribute("type", "");
  const std::string subject = "joint '" + joint.name + "'";
  const std::string parent(element.Child("parent").Text()), child(element.Child("child").Text());
  const auto find = [&](const std::string& name) {
    const LinkId* const found = links_.Find(name);
    return found ? *found : name == "world" ? kWorld : kNoLink;
  };
  const LinkId P = find(parent), S = find(child);
  if (P == kNoLink || S == kNoLink || P == S) {
    element.Warn("gazebo-joint-foreign",
                 subject + ": in <gazebo>, joins '" + parent + "' and '" + child +
                     "', which are not two links of this robot; it is kept as text");
    return false;
  }
  const std::string& type = joint.native_type;
  const bool known = type == "revolute" || type == "continuous" || type == "prismatic" ||
                     type == "ball" || type == "fixed" || type == "universal";
  if (!known || joint.name.empty() || joints_.Has(joint.name) || constraints_.Has(joint.name)) {
    element.Warn("gazebo-joint-kept",
                 known ? subject + ": in <gazebo>, has no name of its own; it is kept as text"
                       : subject + ": in <gazebo>, is of type '" + type +
                             "', which is not read here; it is kept as text");
    return false;
  }
  Dialect("gazebo-joint", element,
          subject + ": a <joint> inside <gazebo> is read as a loop joint; write <loop name=\"" +
              joint.name + "\" type=\"" + type + "\">");
  if (X_WL_.empty()) X_WL_ = ZeroPoses(model_, tree_);
  const xml::Element pose = element.Child("pose");
  const RigidTransform X_given = ReadSdformatPose(pose);
  const std::string relative_to = pose.Attribute("relative_to", pose.Attribute("frame", ""));
  const RigidTransform &X_WS = X_WL_[Index(S)], &X_WP = X_WL_[Index(P)];
  const auto X_WBase = PoseOfFrame(relative_to, P, S, X_WS);
  if (!X_WBase) {
    pose.Error("frame-undefined", subject + ": its pose is relative to '" + relative_to +
                                      "', which is no frame of this robot");
    return true;
  }
  const RigidTransform X_WM = relative_to.empty() ? X_WS * X_given : *X_WBase * X_given;
  joint.X_SM = relative_to.empty() ? X_given : X_WS.inverse() * X_WM;
  joint.X_PF = X_WP.inverse() * X_WM;
  bool failed = false;
  const auto read_axis = [&](const char* tag, const Vector3& fallback) {
    const xml::Element axis = element.Child(tag), xyz = axis.Child("xyz");
    const auto numbers = xyz.TextNumbers(3, 3);
    if (!numbers) return fallback;
    Vector3 direction((*numbers)[0], (*numbers)[1], (*numbers)[2]);
    if (!(direction.norm() > 1e-12)) {
      xyz.Error("zero-axis",
                subject + ": its axis is zero and gives no direction; write a unit vector");
      failed = true;
      return fallback;
    }
    direction.normalize();
    const std::string expressed_in = xyz.Attribute("expressed_in", "");
    const bool in_model = axis.Child("use_parent_model_frame").TextBoolean().value_or(false);
    const auto X_WE = PoseOfFrame(in_model ? "__model__" : expressed_in, P, S, X_WM);
    if (!X_WE) {
      xyz.Error("frame-undefined", subject + ": its axis is expressed in '" + expressed_in +
                                       "', which is no frame of this robot");
      failed = true;
      return fallback;
    }
    return in_model || !expressed_in.empty() ? Vector3(X_WM.R.transpose() * (X_WE->R * direction))
                                             : direction;
  };
  if (type == "fixed") joint.kind = Fixed{};
  if (type == "ball") joint.kind = Ball{};
  if (type == "revolute" || type == "continuous")
    joint.kind = Revolute{read_axis("axis", Vector3::UnitZ())};
  if (type == "prismatic") joint.kind = Prismatic{read_axis("axis", Vector3::UnitZ())};
  if (type == "universal") {
    const Vector3 first = read_axis("axis", Vector3::UnitX());
    joint.kind = Universal{first, read_axis("axis2", Vector3::UnitY())};
  }
  if (failed) return true;
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  if (NumVelocities(joint.kind) >= 1 && type != "ball")
    ReadGazeboAxis(element.Child("axis"), joint.axes[0]);
  if (type == "universal") ReadGazeboAxis(element.Child("axis2"), joint.axes[1]);
  for (const xml::Element other : element.Children()) {
    const std::string_view name = other.name();
    if (name == "parent" || name == "child" || name == "pose" || name == "axis" || name == "axis2")
      continue;
    if (IsSdformat(name)) {
      joint.native.push_back(AsSdformat(other));
      continue;
    }
    // Nothing that SDFormat has there: it stays a remark of this file.
    NativeData rest = other.Native();
    rest.element = "gazebo";
    rest.xml = "<gazebo reference=\"" + xml::Escaped(joint.name) + "\">" + Indented(rest.xml) +
               "\n</gazebo>";
    joint.native.push_back(std::move(rest));
  }
  // A joint from the world to the root fixes the base; it closes nothing.
  if (P == kWorld && joint_to_[Index(S)] == kNoJoint) {
    joint.role = JointRole::kTree;
    joint_to_[Index(S)] = JointId{static_cast<std::uint32_t>(model_.num_joints())};
  }
  constraints_.Add(joint.name, element.where().line);
  const std::string name = joint.name;
  joints_.Add(name, model_.AddJoint(P, S, std::move(joint)));
  return true;
}

}  // namespace kinemorph::urdf_format
