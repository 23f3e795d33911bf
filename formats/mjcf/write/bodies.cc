// Nested bodies: pose, inertial, joints, geoms, sites.
#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/model/fields.h"
#include "write/writer.h"

namespace kinemorph::mjcf {

// MJCF nests a body in its parent, so the tree of bodies is the nesting of the file. Links that
// several joints of one body needed are folded into it (body_tree.cc).
void MjcfWriter::WriteBodies() {
  out_.Open("worldbody");
  // Depth first without recursion; a node is closed when its last child is.
  struct Event {
    std::size_t node;
    bool close;
  };
  std::vector<Event> stack;
  const auto push_children = [&](std::size_t node) {
    const std::vector<std::size_t>& children = tree_.nodes[node].children;
    for (auto it = children.rbegin(); it != children.rend(); ++it) {
      stack.push_back({*it, true});
      stack.push_back({*it, false});
    }
  };
  WriteContents(tree_.nodes.front());
  push_children(0);
  while (!stack.empty()) {
    const Event event = stack.back();
    stack.pop_back();
    if (event.close) {
      out_.Close();
      continue;
    }
    OpenBody(tree_.nodes[event.node]);
    WriteContents(tree_.nodes[event.node]);
    push_children(event.node);
  }
  out_.Close();
}

void MjcfWriter::WriteAttributes(const AttributeList& attributes) {
  for (const auto& [name, value] : attributes) out_.Attribute(name, value);
}

void MjcfWriter::WritePose(const RigidTransform& X) {
  if (X.p != Vector3::Zero()) out_.Attribute("pos", X.p);
  WriteRotation(X.R);
}

void MjcfWriter::WriteRotation(const Matrix3& R) {
  if (R == Matrix3::Identity()) return;
  const Eigen::Vector4d q = QuaternionFromRotation(R);
  out_.Attribute("quat", std::span(q.data(), 4));
}

void MjcfWriter::OpenBody(const BodyNode& node) {
  out_.Open("body").Attribute("name", body_names_[Index(node.link)]);
  WritePose(node.X_PB);
  // gravcomp="1" is Link::gravity; any other share is among the native attributes.
  if (model_.link(node.link).gravity == false) out_.Attribute("gravcomp", 1.0);
  WriteAttributes(NativeAttributes(model_.link(node.link).native, "body"));
}

void MjcfWriter::WriteContents(const BodyNode& node) {
  const Link& link = model_.link(node.link);
  if (node.link != kWorld) WriteInertial(link);
  for (const FoldedJoint& joint : node.joints) WriteJoint(joint);
  WriteGeoms(link);
  for (const Frame* frame : sites_of_[Index(node.link)]) {
    out_.Open("site").Attribute("name", site_names_of_.at(frame));
    WritePose(frame->X_LF);
    const AttributeList attributes = NativeAttributes(frame->native, "site");
    // Frames of other formats are not to be looked at: viewers hide group 3.
    if (frame->native_type != "site") out_.Attribute("group", "3");
    WriteAttributes(attributes);
    out_.Close();
  }

  // Ends of open loops and places of sensors, which the source does not have.
  for (const AddedSite& site : added_sites_[node.link]) {
    out_.Open("site").Attribute("name", site.name).Attribute("pos", site.X_L.p);
    WriteRotation(site.X_L.R);
    out_.Attribute("group", "4").Close();
  }
  for (const Sensor* camera : cameras_of_[Index(node.link)]) WriteCamera(*camera);
  for (const NativeData& native : link.native)
    if (native.format == "mjcf" && native.element != "body") out_.Native(native.content);
}

void MjcfWriter::WriteCamera(const Sensor& sensor) {
  const RigidTransform X_LC = PlaceOf(sensor);
  NativeElement camera = sensor.native.content;
  SetAttribute(camera.attributes, "pos", xml::VectorText(X_LC.p));
  if (X_LC.R != Matrix3::Identity())
    SetAttribute(camera.attributes, "quat", QuaternionText(X_LC.R));
  out_.Native(camera);
}

// Geoms keep the order of the visuals; a collision that is drawn stands for its visual twin, others
// come as early as their order allows.
void MjcfWriter::WriteGeoms(const Link& link) {
  const std::vector<const Visual*> twins =
      model_.format == "mjcf" ? TwinsOf(link)
                              : std::vector<const Visual*>(link.collisions.size(), nullptr);
  std::size_t next = 0;
  const auto write_hidden = [&] {
    for (; next < twins.size() && twins[next] == nullptr; ++next)
      WriteCollision(link.collisions[next], nullptr);
  };
  write_hidden();
  for (const Visual& visual : link.visuals) {
    if (next == twins.size() || twins[next] != &visual) {
      WriteVisual(visual);
      continue;
    }
    WriteCollision(link.collisions[next++], &visual);
    write_hidden();
  }
}

// A body whose shapes weigh nothing says so: Drake, Pinocchio and older MuJoCo refuse to find that
// out.
bool MjcfWriter::SaysInertia(const Link& link) {
  return link.inertial || !link.visuals.empty() || !link.collisions.empty();
}

// Always in principal axes, with a quaternion: those that MuJoCo finds itself from fullinertia are
// good to 8 digits only.
void MjcfWriter::WriteInertial(const Link& link) {
  if (!SaysInertia(link)) return;
  const Inertial inertial = link.inertial.value_or(Inertial());
  Matrix3 R_LI = inertial.X_LI.R;
  Vector3 moments = inertial.I_I.diagonal();
  // A tensor that is diagonal keeps its axes: turning them for nothing would change the digits.
  if (!IsDiagonal(inertial.I_I)) {
    const PrincipalAxes principal(inertial.I_I);
    moments = principal.moments;
    Matrix3 axes = principal.axes;
    // Axes of an eigenvector solver may form a mirror; a quaternion cannot.
    if (axes.determinant() < 0) axes.col(2) *= -1;
    R_LI = R_LI * axes;
  }
  out_.Open("inertial").Attribute("pos", inertial.X_LI.p);
  WritePose({R_LI, Vector3::Zero()});
  out_.Attribute("mass", inertial.mass).Attribute("diaginertia", moments).Close();
}

void MjcfWriter::WriteJoint(const FoldedJoint& folded) {
  const Joint& joint = model_.joint(folded.id);
  const char* type = std::holds_alternative<Prismatic>(joint.kind) ? "slide"
                     : std::holds_alternative<Ball>(joint.kind)    ? "ball"
                     : std::holds_alternative<Free>(joint.kind)    ? "free"
                                                                   : "hinge";
  out_.Open("joint").Attribute("name", joint_names_[Index(folded.id)]).Attribute("type", type);
  if (!std::holds_alternative<Free>(joint.kind) && folded.X_BM.p != Vector3::Zero())
    out_.Attribute("pos", folded.X_BM.p);
  // The frame of the joint may be turned in the body; axis and pos count in the body.
  const std::vector<Vector3> axes = AxesOf(joint.kind);
  if (!axes.empty()) out_.Attribute("axis", Vector3(folded.X_BM.R * axes.front()));
  const AttributeList rest = NativeAttributes(joint.native, "joint");
  if (!joint.axes.empty()) WriteJointAxis(joint, joint.axes.front(), rest);
  WriteAttributes(rest);
  out_.Close();
}

// Limits and spring references are displacements from zero; MuJoCo counts from -ref. What `rest`
// says is not said twice.
void MjcfWriter::WriteJointAxis(const Joint& joint, const JointAxis& axis,
                                const AttributeList& rest) {
  const auto own = [&](std::string_view name) {
    return std::none_of(rest.begin(), rest.end(), [&](const auto& a) { return a.first == name; });
  };
  const bool scalar =
      std::holds_alternative<Revolute>(joint.kind) || std::holds_alternative<Prismatic>(joint.kind);
  const double ref = axis.position_offset;
  if (scalar && ref != 0) out_.Attribute("ref", ref);
  if (scalar && (axis.lower || axis.upper)) {
    double lower = axis.lower ? *axis.lower + ref : -FormatLimits::kNone;
    double upper = axis.upper ? *axis.upper + ref : FormatLimits::kNone;
    if (lower > upper)
      Error("mjcf-limits-reversed", joint.where,
            {"joint", joint.name, "the lower limit is above the upper one"});
    // MuJoCo refuses an empty range.
    if (lower == upper) upper = EndOfLock(lower, ref);
    out_.Attribute("limited", "true").Attribute("range", {lower, upper});
  } else if (std::holds_alternative<Ball>(joint.kind) && axis.upper && *axis.upper > 0) {
    out_.Attribute("limited", "true").Attribute("range", {0, *axis.upper});
  } else if (!std::holds_alternative<Free>(joint.kind) && own("limited")) {
    // "auto" would take a range that only says where a drive counts from for a limit.
    out_.Attribute("limited", "false");
  }
  // An open end is out of all reach.
  const double most = axis.effort.value_or(FormatLimits::kNone),
               least = axis.effort_lower.value_or(-most);
  if (scalar && (axis.effort || axis.effort_lower) && most > least) {
    out_.Attribute("actuatorfrclimited", "true");
    out_.Attribute("actuatorfrcrange", {least, most});
  }
  // A polynomial in `rest` has the linear coefficient as its first number.
  if (axis.spring_stiffness && own("stiffness"))
    out_.Attribute("stiffness", *axis.spring_stiffness);
  if (scalar && axis.spring_reference && *axis.spring_reference + ref != 0)
    out_.Attribute("springref", *axis.spring_reference + ref);
  if (axis.damping && own("damping")) out_.Attribute("damping", *axis.damping);
  if (axis.friction) out_.Attribute("frictionloss", *axis.friction);
  if (axis.armature) out_.Attribute("armature", *axis.armature);
}

}  // namespace kinemorph::mjcf
