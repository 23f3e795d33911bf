// Joints: ends, frames, axes, limits, dynamics, and mimic couplings.
#include <array>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/fields.h"
#include "sdf_model/builder.h"
#include "sdf_model/geometry.h"

namespace kinemorph::sdformat {

// In SDFormat a joint has one frame, on the child (M of the model), whose pose is given in the
// child's frame; the parent's frame F is where M stands at zero. So X_SM is what the file says, and
// X_PF follows from the poses of both links. Axes are in that frame unless the file says otherwise,
// and that depends on its version.

namespace {

// A limit: a number, where inf, 1e16 and beyond mean that there is none.
// 1e16 is what libsdformat writes for a limit that was not given; a negative effort or velocity
// means that there is none, too.
std::optional<double> ReadBound(const xml::Element& limit, const char* child, bool magnitude) {
  const xml::Element element = limit.Child(child);
  if (!element || element.Text().empty()) return std::nullopt;
  const std::optional<double> value = xml::ParseNumber(element.Text());
  // The text may be "inf", which a checked number refuses.
  if (value && std::isinf(*value)) return std::nullopt;
  const std::optional<double> finite = element.TextNumber();  // reports what is no number
  if (!finite || std::abs(*finite) >= FormatLimits::kNone || (magnitude && *finite < 0))
    return std::nullopt;
  return finite;
}

constexpr std::string_view kDrakeMimic = "drake:mimic";

bool IsRotor(const xml::Element& child) {
  return child.name() == "drake:rotor_inertia" || child.name() == "drake:gear_ratio";
}

bool NeedsAxis(const std::string& type) { return type != "fixed" && type != "ball"; }
bool NeedsTwoAxes(const std::string& type) { return type == "universal" || type == "revolute2"; }

// It will be told as what nobody uses.
bool HasMisspeltAxis(const xml::Element& joint) {
  for (const xml::Element child : joint.Children())
    if (child.name() != "axis" && child.name() != "axis2" &&
        !NearestName(child.name(), {"axis", "axis2"}).empty())
      return true;
  return false;
}

}  // namespace

JointAxis ReadAxisProperties(const xml::Element& axis) {
  JointAxis out;
  const xml::Element limit = axis.Child("limit");
  out.lower = ReadBound(limit, "lower", false);
  out.upper = ReadBound(limit, "upper", false);
  // As libsdformat's reader of URDF reads them, whose mirrored joints come from there.
  if (out.lower && out.upper && *out.lower > *out.upper) {
    limit.Warn("limits-exchanged", "'" + limit.path() + "': its lower limit " +
                                       FormatNumber(*out.lower) + " is above its upper limit " +
                                       FormatNumber(*out.upper) +
                                       "; read as if they were exchanged");
    std::swap(out.lower, out.upper);
  }
  out.effort = ReadBound(limit, "effort", true);
  out.velocity = ReadBound(limit, "velocity", true);
  out.acceleration = ReadBound(limit, "drake:acceleration", true);
  out.limit_stiffness = limit.ChildNumber("stiffness");
  out.limit_dissipation = limit.ChildNumber("dissipation");
  const xml::Element dynamics = axis.Child("dynamics");
  out.damping = dynamics.ChildNumber("damping");
  out.friction = dynamics.ChildNumber("friction");
  out.spring_stiffness = dynamics.ChildNumber("spring_stiffness");
  out.spring_reference = dynamics.ChildNumber("spring_reference");
  out.initial_position = axis.ChildNumber("initial_position");
  return out;
}

// A node of the frame graph, since an end may be a link, frame, model or joint (1.8). The world may
// only be the parent.
NodeId Builder::ReadEnd(const JointItem& item, const std::string& name, const char* which) {
  const std::string subject = About("joint", Shown(item.model, item.name));
  const std::string code = std::string("joint-") + which;
  if (name.empty()) {
    item.element.Error(code + "-missing", {subject, std::string(" has no <") + which + ">"});
    return kNoNode;
  }
  // A model may have a link called "world" in old files, which is then meant.
  const NodeId node = frames_.Find(item.model, name);
  const bool is_world = name == "world" && (node == kNoNode || node == frames_.world());
  if (is_world && std::string_view(which) == "parent") return frames_.world();
  if (is_world) {
    item.element.Error("joint-child-world",
                       {subject, "the child may not be the world; swap parent and child"});
    return kNoNode;
  }
  if (node == kNoNode && !frames_.has_duplicates()) {
    Diagnostic& error = item.element.Error(
        code + "-undefined", {subject, std::string(which) + " '" + name + "' is not defined"});
    error.suggestion = frames_.Nearest(item.model, name);
  }
  return node;
}

std::optional<Builder::Ends> Builder::ReadEnds(const JointItem& item) {
  if (!item.parent.empty() && item.parent == item.child) {
    item.element.Error(
        "joint-self", {"joint", Shown(item.model, item.name),
                       "parent and child are both '" + item.parent + "'; a joint joins two links"});
    return std::nullopt;
  }
  // Found again by its place in the list: a link may have the same name in old files.
  if (!item.parent.empty() && item.parent == item.name &&
      frames_.Find(item.model, item.name) ==
          frames_.of_joint(static_cast<std::size_t>(&item - description_.joints.data()))) {
    item.element.Error("joint-self", {"joint", Shown(item.model, item.name),
                                      "its parent is the joint itself; a joint joins two links"});
    return std::nullopt;
  }
  const Ends ends{ReadEnd(item, item.parent, "parent"), ReadEnd(item, item.child, "child")};
  if (ends.parent == kNoNode || ends.child == kNoNode) return std::nullopt;
  return ends;
}

Vector3 Builder::ReadAxisVector(const JointItem& item, NodeId joint, const xml::Element& axis) {
  const Version version = description_.model(item.model).version;
  const std::string subject = About("joint", Shown(item.model, item.name));
  if (!axis) {
    if (!HasMisspeltAxis(item.element))
      item.element.Warn("axis-missing", {subject, " has no <axis>; kinemorph uses 0 0 1"});
    return Vector3::UnitZ();
  }
  // Nothing written is (0, 0, 1), unlike in URDF, where it is (1, 0, 0).
  const xml::Element xyz = axis.Child("xyz");
  Vector3 vector = Vector3::UnitZ();
  if (const auto n = xyz.TextNumbers(3, 3)) {
    vector << (*n)[0], (*n)[1], (*n)[2];
  } else if (!xyz || xyz.Text().empty()) {
    axis.Warn("axis-missing", {subject, "the axis has no <xyz>; kinemorph uses 0 0 1"});
  }
  if (vector.norm() < 1e-9) {
    axis.Error("axis-zero", {subject, "the axis has zero length; kinemorph uses 0 0 1"});
    vector = Vector3::UnitZ();
  }
  // Up to 1.4 in the model frame; in 1.5 and 1.6 there if use_parent_model_frame; otherwise in
  // expressed_in or the joint frame.
  NodeId frame = joint;
  const std::string expressed_in = xyz.Attribute("expressed_in", "");
  const bool in_model = version < Version{1, 7} &&
                        (axis.Child("use_parent_model_frame").TextBoolean().value_or(false) ||
                         version < Version{1, 5});
  if (in_model) {
    frame = frames_.of_model(item.model);
  } else if (!expressed_in.empty()) {
    const NodeId found = frames_.Find(item.model, expressed_in);
    if (found != kNoNode) {
      frame = found;
    } else {
      Diagnostic& error = axis.Error(
          "frame-unknown", {subject, "expressed_in names '" + expressed_in +
                                         "', which is not a link, joint, frame or model here"});
      error.suggestion = frames_.Nearest(item.model, expressed_in);
    }
  }
  // From the frame that was named into the joint's, both at zero. Lengths do not matter: a unit
  // vector stays as it was written.
  if (frame != joint) vector = frames_.Relative(joint, frame).R * vector;
  return vector.squaredNorm() == 1 ? vector : Vector3(vector.stableNormalized());
}

// Pitch in metres per radian, right-handed. screw_thread_pitch (1.10) is metres per turn,
// right-handed; thread_pitch is radians per metre, left-handed (thread_pitch = -2 pi /
// screw_thread_pitch).
double Builder::ReadScrewPitch(const JointItem& item) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const std::string subject = About("joint", Shown(item.model, item.name));
  const auto per_turn = item.element.ChildNumber("screw_thread_pitch");
  const auto per_metre = item.element.ChildNumber("thread_pitch");
  // Metres per turn over a turn in radians.
  if (per_turn) return *per_turn / kTurn;
  if (per_metre) {
    // Radians per metre and left-handed: the inverse, with the other sign.
    if (*per_metre != 0) return -1 / *per_metre;
    item.element.Error(
        "screw-pitch",
        {subject, "thread_pitch is 0; its unit is radians per metre, so zero is impossible"});
    return 1 / kTurn;
  }
  if (description_.model(item.model).version < Version{1, 10}) {
    item.element.Warn("screw-pitch", {subject,
                                      " has no thread_pitch; kinemorph uses 1 rad/m, left-handed "
                                      "(the default before SDFormat 1.10)"});
    return -1;
  }
  item.element.Warn(
      "screw-pitch",
      {subject,
       " has no screw_thread_pitch; kinemorph uses 1 m per turn (the default of SDFormat)"});
  return 1 / kTurn;
}

// Axes in the joint frame. revolute2 is a universal joint whose axes need not be perpendicular: one
// kind here, the name stays in native_type.
std::optional<JointKind> Builder::ReadKind(const JointItem& item, NodeId joint) {
  const xml::Element axis = item.element.Child("axis"), axis2 = item.element.Child("axis2");
  const std::string& type = item.type;
  if (type == "fixed") return Fixed{};
  if (type == "ball") return Ball{};
  if (type == "revolute" || type == "continuous")
    return Revolute{ReadAxisVector(item, joint, axis)};
  if (type == "prismatic") return Prismatic{ReadAxisVector(item, joint, axis)};
  if (type == "screw") return Screw{ReadAxisVector(item, joint, axis), ReadScrewPitch(item)};
  if (NeedsTwoAxes(type)) {
    // axis turns the parent's side, axis2 the child's: q1 about axis1, then q2 about axis2.
    const Universal kind{ReadAxisVector(item, joint, axis), ReadAxisVector(item, joint, axis2)};
    if (kind.axis1.cross(kind.axis2).norm() < 1e-6) {
      item.element.Warn("axes-parallel",
                        {"joint", Shown(item.model, item.name),
                         "the two axes of the " + type +
                             " joint are parallel, so the joint turns about one line only"});
    }
    return kind;
  }
  Diagnostic& error = item.element.Error(
      "joint-type",
      {"joint", Shown(item.model, item.name), "'" + type + "' is not a joint type of SDFormat"});
  error.suggestion = NearestName(type, {"ball", "continuous", "fixed", "gearbox", "prismatic",
                                        "revolute", "revolute2", "screw", "universal"});
  if (error.suggestion.empty())
    error.notes.push_back(
        "use ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw or universal");
  item.element.ConsumeAll();
  return std::nullopt;
}

// <physics>: the wish to cut here is read; the rest is for one engine and kept as it is.
// must_be_loop_joint is Simbody's word, and the only place of SDFormat where an author can say
// which joint of a loop is to be cut.
void Builder::ReadJointPhysics(const JointItem& item, Joint& joint) {
  const xml::Element physics = item.element.Child("physics");
  if (!physics) return;
  const xml::Element simbody = physics.Child("simbody");
  joint.cut_hint = simbody.Child("must_be_loop_joint").TextBoolean().value_or(false);
  bool more = false;
  for (const xml::Element child : physics.Children()) {
    if (child.name() == "provide_feedback" && IsDefault(child)) continue;
    if (child.name() != "simbody") more = true;
  }
  bool more_of_simbody = false;
  for (const xml::Element child : simbody.Children())
    if (child.name() != "must_be_loop_joint") more_of_simbody = true;
  if (!more && !more_of_simbody) return;
  NativeData native = NativeOf(physics);
  if (!more_of_simbody) native.content.Erase("simbody");  // cut_hint
  joint.native.push_back(std::move(native));
}

void Builder::BuildJoint(const JointItem& item, std::size_t index) {
  const NodeId node = frames_.of_joint(index);
  const std::optional<Ends> ends = ReadEnds(item);
  const std::optional<JointKind> kind = ReadKind(item, node);
  if (!ends || !kind) return;
  const LinkId predecessor = LinkOf(ends->parent), successor = LinkOf(ends->child);
  const std::string subject = About("joint", Shown(item.model, item.name));
  if (predecessor == successor) {
    item.element.Error(
        "joint-self",
        {subject, "'" + item.parent + "' and '" + item.child + "' both belong to " +
                      (successor == kWorld ? std::string("the world")
                                           : "link '" + model_.link(successor).name + "'") +
                      "; a joint joins two links"});
    return;
  }

  Joint joint;
  joint.name = Shown(item.model, item.name);
  joint.kind = *kind;
  joint.native_type = item.type;
  joint.scope = scope_ids_[static_cast<std::size_t>(item.model)];
  joint.where = item.element.where();
  // The joint frame M lies on the successor; F is where M is at zero.
  const auto frame_of = [&](LinkId link) {
    return link == kWorld ? frames_.world() : frames_.of_link(Index(link) - 1);
  };
  joint.X_SM = frames_.Relative(frame_of(successor), node);
  joint.X_PF = frames_.Relative(frame_of(predecessor), node);
  const xml::Element axis = item.element.Child("axis"), axis2 = item.element.Child("axis2");
  const std::size_t axes = static_cast<std::size_t>(NumAxes(*kind));
  if (axes > 0) joint.axes.push_back(ReadAxisProperties(axis));
  if (axes > 1) joint.axes.push_back(ReadAxisProperties(axis2));
  if (axis && axes == 0)
    axis.ConsumeAll();  // written by many tools for fixed joints; it means nothing
  // A ball has no direction, but limits and damping may be written in its <axis>.
  if (std::holds_alternative<Ball>(*kind)) axis.Child("xyz").ConsumeAll();
  if (item.type == "continuous") {
    if (joint.axes[0].lower || joint.axes[0].upper)
      axis.Warn("continuous-limit",
                {subject, " is continuous; its lower and upper limits are not used"});
    joint.axes[0].lower.reset();
    joint.axes[0].upper.reset();
  }
  ReadJointPhysics(item, joint);
  const bool rotor = axes == 1 && NumVelocities(*kind) == 1;
  if (rotor) ReadDrakeRotor(item, joint);
  for (const xml::Element child : item.element.Children())
    if ((IsForeign(child) && child.name() != kDrakeMimic && !(rotor && IsRotor(child))) ||
        child.Is("plugin")) {
      TellWeldOf(child, joint.name);
      joint.native.push_back(NativeOf(child));
    }
  joint_ids_[index] = model_.AddJoint(predecessor, successor, std::move(joint));
  for (const xml::Element sensor : item.element.Children("sensor"))
    ReadSensor(sensor, item.model, node, kNoLink, joint_ids_[index]);
}

void Builder::BuildJoints() {
  joint_ids_.assign(description_.joints.size(), kNoJoint);
  for (std::size_t i = 0; i < description_.joints.size(); ++i) {
    if (!description_.joints[i].element)
      joint_ids_[i] = JointId{static_cast<std::uint32_t>(i)};
    else if (description_.joints[i].type == "gearbox")
      gearboxes_.push_back(i);
    else
      BuildJoint(description_.joints[i], i);
  }
}

JointId Builder::JointIdOf(NodeId node) const {
  const NodeId first = frames_.of_joint(0);
  const bool is_joint =
      node >= first && node < first + static_cast<int>(description_.joints.size());
  return is_joint ? joint_ids_[static_cast<std::size_t>(node - first)] : kNoJoint;
}

// q = multiplier * (q_leader - reference) + offset (SDFormat 1.11).
void Builder::BuildMimic(const JointItem& item, std::size_t index, int axis,
                         const xml::Element& mimic) {
  const std::string subject = About("joint", Shown(item.model, item.name));
  const std::string leader_name = mimic.Attribute("joint", "");
  const std::string leader_axis = mimic.Attribute("axis", "axis");
  // Drake's tag has attributes.
  // In Drake's own tag the numbers are attributes, in SDFormat's children.
  const auto number = [&](const char* name, double fallback) {
    return mimic.Has(name) ? mimic.Number(name, fallback)
                           : mimic.ChildNumber(name).value_or(fallback);
  };
  const double multiplier = number("multiplier", 1), offset = number("offset", 0);
  const double reference = mimic.ChildNumber("reference").value_or(0);
  const JointId leader_id = JointIdOf(frames_.Find(item.model, leader_name));
  if (leader_id == kNoJoint) {
    Diagnostic& error =
        mimic.Error("mimic-joint-undefined",
                    {subject, " mimics '" + leader_name + "', which is not a joint here"});
    error.suggestion = frames_.Nearest(item.model, leader_name);
    return;
  }
  const int leader_index = leader_axis == "axis2" ? 1 : 0;
  if ((leader_axis != "axis" && leader_axis != "axis2") ||
      leader_index >= NumAxes(model_.joint(leader_id).kind) ||
      std::holds_alternative<Ball>(model_.joint(leader_id).kind)) {
    mimic.Error("mimic-axis", {subject, " mimics '" + leader_axis + "' of '" + leader_name +
                                            "', which does not have this axis"});
    return;
  }
  if (leader_id == joint_ids_[index] && leader_index == axis) {
    mimic.Error("mimic-self", {subject, " mimics itself"});
    return;
  }
  Coupling coupling;
  coupling.name = model_.joint(joint_ids_[index]).name + (axis == 1 ? "_axis2" : "");
  coupling.form = CouplingForm::kMimic;
  coupling.terms = {{{joint_ids_[index], axis}, {1, 0, 0, 0}},
                    {{leader_id, leader_index}, {-multiplier, 0, 0, 0}}};
  // Without the reference: offset - multiplier * reference is the constant of the coupling.
  coupling.constant = offset - multiplier * reference;
  coupling.native_type = "mimic";
  coupling.where = mimic.where();
  if (mimic.name() == kDrakeMimic) model_.dialect = "drake";
  model_.couplings.push_back(std::move(coupling));
}

void Builder::BuildMimics() {
  for (std::size_t i = 0; i < description_.joints.size(); ++i) {
    const JointItem& item = description_.joints[i];
    if (joint_ids_[i] == kNoJoint || !item.element || !NeedsAxis(item.type)) continue;
    if (const xml::Element mimic = item.element.Child("axis").Child("mimic"))
      BuildMimic(item, i, 0, mimic);
    if (const xml::Element mimic = item.element.Child(kDrakeMimic)) BuildMimic(item, i, 0, mimic);
    if (!NeedsTwoAxes(item.type)) continue;
    if (const xml::Element mimic = item.element.Child("axis2").Child("mimic"))
      BuildMimic(item, i, 1, mimic);
  }
}

}  // namespace kinemorph::sdformat
