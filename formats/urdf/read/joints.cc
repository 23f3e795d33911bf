// Joints of the tree: ends, kinds, limits, dynamics, mimic.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/model_dump.h"
#include "read/reader.h"

namespace kinemorph::urdf_format {
namespace {

// ReadJoint reads one joint and adds it even where a value in it is wrong, so that later elements
// find its name. ChooseParents then makes loop joints of second parents, and ReadMimics, when all
// joints are there, makes couplings of <mimic>. Angles are in rad, lengths in m; a joint's frame is
// its child's.

const std::vector<std::string>& JointTypes() {
  static const std::vector<std::string> kTypes{"revolute",  "continuous", "prismatic",  "fixed",
                                               "floating",  "planar",     "spherical",  "ball",
                                               "universal", "screw",      "cylindrical"};
  return kTypes;
}

// A number that is written where one is demanded and there is no limit.
std::optional<double> Finite(std::optional<double> limit) {
  return limit && std::abs(*limit) >= FormatLimits::kNone ? std::nullopt : limit;
}

}  // namespace

std::string RobotReader::ReadJointName(const xml::Element& joint) {
  std::string name = joint.Attribute("name", "");
  if (!name.empty()) return name;
  name = UnusedName("joint");
  Dialect("joint-name", joint,
          {"joint", name,
           "has no name in the file; this name was made up (others refuse this: write <joint "
           "name=\"...\">)"},
          "name-made-up");
  return name;
}

LinkId RobotReader::ReadJointEnd(const xml::Element& joint, const char* end,
                                 const std::string& subject) {
  const std::string code = std::string("joint-") + end;
  // link= is URDF's attribute, name= the paper's. Both may be there if they agree.
  const xml::Element element = joint.Child(end);
  if (!element) {
    joint.Error(code + "-missing", {subject, std::string("has no <") + end + " link=\"...\"/>"});
    return kNoLink;
  }
  const auto by_link = element.Attribute("link"), by_name = element.Attribute("name");
  if (by_link && by_name && *by_link != *by_name) {
    element.Error("two-links-named",
                  {subject, std::string("its ") + end + " says link '" + std::string(*by_link) +
                                "' and name '" + std::string(*by_name) + "'; write link alone"});
    return kNoLink;
  }
  if (!by_link && by_name) {
    Dialect(
        "joint-end-name", element,
        {subject, "<" + std::string(end) +
                      " name=...> is the spelling of the paper; kinemorph reads it, but write <" +
                      end + " link=\"" + std::string(*by_name) + "\"/>"});
  }
  if (!by_link && !by_name) {
    element.Error(code + "-missing",
                  {subject, std::string("its <") + end + "> names no link; write <" + end +
                                " link=\"...\"/>"});
    return kNoLink;
  }
  const std::string name(by_link ? *by_link : *by_name);
  // Each missing name is told once: it is one mistake, however many joints lead there.
  const LinkId link = FindLink(name, element);
  if (link == kNoLink && !duplicate_link_ && undefined_links_.insert(name).second) {
    Diagnostic& error = element.Error(
        code + "-undefined", {subject, std::string(end) + " link '" + name + "' is not defined"});
    error.suggestion = NearestName(name, LinkNames());
  }
  return link;
}

std::optional<JointKind> RobotReader::ReadUniversal(const xml::Element& joint,
                                                    const char* second_tag,
                                                    const std::optional<Vector3>& first,
                                                    const std::string& subject) {
  // Both axes are in the frame of the joint. The second turns with the first; only at zero are
  // these its coordinates.
  const auto second = ReadAxis(joint, second_tag, Vector3::UnitY(), subject);
  if (!first || !second) return std::nullopt;
  if (first->cross(*second).norm() > 1e-9) return Universal{*first, *second};
  joint.Error("axes-parallel", {subject,
                                "its two axes are parallel; write <axis2 xyz=\"...\"/> across the "
                                "first (the default is 0 1 0)"});
  return std::nullopt;
}

void RobotReader::RefuseJointType(const xml::Element& joint, const std::string& subject,
                                  const std::string& type) const {
  // Two errors: no type, and a type nobody knows. Of universal joints the note says what to write.
  if (!joint.Has("type")) {
    joint.Error(
        "joint-type-missing",
        {subject,
         "has no type; write type=\"revolute\", continuous, prismatic, fixed, floating or planar"});
    return;
  }
  Diagnostic& error = joint.Error(
      "joint-type-unknown", {subject, "type '" + type +
                                          "' is not a URDF joint type; write revolute, "
                                          "continuous, prismatic, fixed, floating or planar"});
  if (type == "universal") {
    error.notes.push_back(
        "a universal joint is two revolute joints with a link between them, or an extension of "
        "URDF+ with <axis> and <axis2>");
    return;
  }
  error.suggestion = NearestName(LowerCase(type), JointTypes());
}

std::optional<JointKind> RobotReader::ReadJointKind(const xml::Element& joint,
                                                    const std::string& subject,
                                                    const std::string& type) {
  // Only what has an axis may report a bad one: an exporter's zero axis of a fixed joint is
  // harmless.
  const auto axis = [&] { return ReadAxis(joint, "axis", Vector3::UnitX(), subject); };
  const auto extension = [&] {
    if (!paper_) {
      Dialect("joint-type-" + type, joint,
              {subject, "type '" + type + "' is an extension that most URDF readers refuse"});
    }
  };
  if (type == "fixed") return Fixed{};
  if (type == "floating") return Free{};
  if (type == "revolute" || type == "continuous") {
    const auto a = axis();
    return a ? std::optional<JointKind>(Revolute{*a}) : std::nullopt;
  }
  if (type == "prismatic") {
    const auto a = axis();
    return a ? std::optional<JointKind>(Prismatic{*a}) : std::nullopt;
  }
  if (type == "planar") {
    const auto a = axis();
    return a ? std::optional<JointKind>(Planar{*a}) : std::nullopt;
  }
  if (type == "spherical" || type == "ball") {
    extension();
    return Ball{};
  }
  // In a plain URDF file a universal joint is more likely a mistake; URDF+ (the paper) has it.
  if (type == "universal" && (looks_plus_ || paper_ || joint.HasChild("axis2"))) {
    const auto kind = ReadUniversal(joint, "axis2", axis(), subject);
    if (kind) extension();
    return kind;
  }
  if (type == "cylindrical") {
    extension();
    const auto a = axis();
    return a ? std::optional<JointKind>(Cylindrical{*a}) : std::nullopt;
  }
  if (type == "screw") {
    extension();
    const auto a = axis();
    // Drake's element in metres per turn; the model has metres per radian.
    xml::Element pitch = joint.Child("drake:screw_thread_pitch");
    if (!pitch) pitch = joint.Child("screw_thread_pitch");
    const auto metres_per_turn = pitch.Number(pitch.Has("value") ? "value" : "screw_thread_pitch");
    if (!metres_per_turn) {
      (pitch ? pitch : joint)
          .Error("screw-pitch-missing", {subject,
                                         "a screw needs <drake:screw_thread_pitch value=\"...\"/> "
                                         "(metres per turn, right-handed)"});
      return std::nullopt;
    }
    return a ? std::optional<JointKind>(Screw{*a, *metres_per_turn / (2 * std::numbers::pi)})
             : std::nullopt;
  }
  RefuseJointType(joint, subject, type);
  return std::nullopt;
}

void RobotReader::ReadJoint(const xml::Element& element) {
  element.Consume();
  Joint joint;
  joint.where = element.where();
  joint.role = JointRole::kTree;
  joint.scope = ScopeId{0};
  joint.name = ReadJointName(element);
  joint.native_type = element.Attribute("type", "");
  const std::string subject = About("joint", joint.name);
  const JointId* const found = joints_.Find(joint.name);
  if (found) {
    duplicate_joint_ = true;
    element.Error("duplicate-joint", {subject, "is defined twice, first in line " +
                                                   std::to_string(model_.joint(*found).where.line) +
                                                   "; give one of them another name"});
  }
  // A joint of unknown kind is added as a fixed one, so that the tree holds together and only the
  // first mistake is told.
  const std::optional<JointKind> kind = ReadJointKind(element, subject, joint.native_type);
  if (kind) {
    joint.kind = *kind;
  } else {
    element.ConsumeAll();  // one error is enough
    faulty_joints_.insert(joint.name);
  }
  const LinkId parent = ReadJointEnd(element, "parent", subject),
               child = ReadJointEnd(element, "child", subject);
  joint.X_PF = ReadPose(element.Child("origin"));
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  // Limits and dynamics are those of one coordinate. On joints of several, nothing says which one
  // they would mean, and the elements are told as not read.
  if (NumVelocities(joint.kind) == 1)
    ReadJointAxis(element, subject, joint.native_type, joint.axes[0]);
  if (element.Has("independent")) joint.independent = ReadIndependent(element, subject);
  const xml::Element mimic = element.Child("mimic");
  if (kind) KeepIdle(element, joint);
  KeepUnknown(
      element,
      {"parent", "child", "origin", "axis", "axis2", "limit", "dynamics", "mimic",
       "safety_controller", "calibration", "screw_thread_pitch", "drake:screw_thread_pitch"},
      joint.native);
  if (child != kNoLink) named_as_child_[Index(child)] = true;
  // What is wrong with the ends is told once; joints that name this one later are not to be told of
  // again.
  const bool joins = parent != kNoLink && child != kNoLink && parent != child && child != kWorld;
  if (!joins || found) {
    element.ConsumeAll();
    if (!found) faulty_joints_.insert(joint.name);
  }
  if (parent == kNoLink || child == kNoLink || found) return;
  if (parent == child) {
    element.Error("self-joint", {subject, "joins link '" + model_.link(child).name +
                                              "' to itself; parent and child must differ"});
    return;
  }
  if (child == kWorld) {
    element.Error(
        "joint-child-undefined",
        {subject,
         "child link 'world' is not defined; the world cannot be a child, write it as the parent"});
    return;
  }
  const std::string name = joint.name;
  const JointId id = model_.AddJoint(parent, child, std::move(joint));
  // The first joint to a link is its parent until ChooseParents has seen all of them.
  if (joint_to_[Index(child)] == kNoJoint)
    joint_to_[Index(child)] = id;
  else
    further_parents_[child].push_back(id);
  joints_.Add(name, id);
  if (mimic && kind) mimics_.emplace_back(mimic, id);
}

// Exporters write axes and limits for joints that have no use for them.
void RobotReader::KeepIdle(const xml::Element& element, Joint& joint) {
  const auto keep = [&](const char* name) {
    if (const xml::Element child = element.Child(name)) {
      joint.native.push_back(child.Native());
      joint.native.back().idle = true;
    }
  };
  const bool fixed = std::holds_alternative<Fixed>(joint.kind);
  if (fixed || std::holds_alternative<Free>(joint.kind) || std::holds_alternative<Ball>(joint.kind))
    keep("axis");
  if (!fixed) return;
  for (const char* name : {"limit", "dynamics", "safety_controller", "calibration"}) keep(name);
}

// The reference parser takes every other word for false, silently. A word with two letters swapped
// ("fasle" is in public files) can only mean one thing.
std::optional<bool> RobotReader::ReadIndependent(const xml::Element& joint,
                                                 const std::string& subject) {
  plus_ = declares_ = true;
  // URDF+ takes "true" and "True", and everything else is false to it. "1" and "TRUE" are read as
  // they are meant, with a warning.
  const std::string spelling = joint.Attribute("independent", "");
  const std::string word = LowerCase(xml::Trimmed(spelling));
  std::string letters = word;
  std::sort(letters.begin(), letters.end());
  if (word == "true" || word == "1") {
    if (spelling != "true" && spelling != "True") {
      Dialect("independent", joint,
              {subject,
               "independent=\"" + spelling +
                   "\" was read as true, but the reference parser reads false; write \"true\""});
    }
    return true;
  }
  if (word == "false" || word == "0") return false;
  if (letters == "aefls" || letters == "ertu") {
    const bool value = letters == "ertu";
    joint.Warn("independent-misspelt",
               {subject, "independent=\"" + spelling + "\" is misspelt; read as " +
                             (value ? "true" : "false")});
    return value;
  }
  joint.Error("bad-boolean",
              {subject, "independent is '" + spelling.substr(0, 60) + "', expected true or false"});
  return std::nullopt;
}

// A link to which several joints lead hangs on the one whose name comes last, as in urdfdom, which
// takes the joints in the order of their names; the others close loops. Where the link would then
// hang below itself, it hangs on the last one that the root reaches.
void RobotReader::ChooseParents() {
  if (further_parents_.empty()) return;
  const auto earlier = [&](JointId a, JointId b) {
    return model_.joint(a).name < model_.joint(b).name;
  };
  // Exactly one of the joints to a link is in the tree, the others close loops.
  const auto hang = [&](LinkId child, JointId on) {
    joint_to_[Index(child)] = on;
    for (const JointId id : further_parents_[child])
      model_.joint(id).role = id == on ? JointRole::kTree : JointRole::kLoop;
  };
  for (auto& [child, parents] : further_parents_) {
    parents.push_back(joint_to_[Index(child)]);
    std::sort(parents.begin(), parents.end(), earlier);
    hang(child, parents.back());
  }
  // By name alone a link may come to hang below itself. Each round rehangs one such link on a
  // parent that the root reaches, and builds the tree anew; each makes at least one link more
  // reached, so that it ends.
  for (bool changed = true; changed;) {
    changed = false;
    const LinkTree tree = BuildLinkTree(model_);
    for (const auto& [child, parents] : further_parents_) {
      if (tree.reached[Index(child)]) continue;
      const auto reached = std::find_if(parents.rbegin(), parents.rend(), [&](JointId id) {
        return tree.reached[Index(model_.predecessor(id))];
      });
      if (reached == parents.rend()) continue;
      hang(child, *reached);
      changed = true;
      break;  // what hangs below is reached now
    }
  }
  for (const auto& [child, parents] : further_parents_)
    for (const JointId id : parents)
      if (id != joint_to_[Index(child)]) TellFurtherParent(id, joint_to_[Index(child)]);
}

void RobotReader::TellFurtherParent(JointId loop, JointId tree) {
  const Joint &joint = model_.joint(loop), &kept = model_.joint(tree);
  const std::string P = model_.link(model_.predecessor(loop)).name,
                    S = model_.link(model_.successor(loop)).name;
  // A floating joint constrains nothing: as a loop joint it would be no constraint at all.
  const bool holds = !std::holds_alternative<Free>(joint.kind);
  const std::string why =
      joint.name < kept.name ? "urdfdom takes the name that comes last" : "the root reaches it";
  Diagnostic message =
      MakeDiagnostic(holds ? Severity::kWarning : Severity::kError, "link-two-parents",
                     options_.file_name, joint.where.line, "robot/joint[" + joint.name + "]",
                     {"joint", joint.name,
                      "leads to link '" + S + "', as joint '" + kept.name + "' in line " +
                          std::to_string(kept.where.line) + " does; " +
                          (holds ? "'" + kept.name + "' is read as the joint of the tree (" + why +
                                       "), and this one as a loop joint"
                                 : "a floating joint holds nothing there; remove one of them")});
  if (holds)
    message.notes.push_back("write it as a loop: <loop name=\"" + joint.name + "\" type=\"" +
                            joint.native_type + "\"> <predecessor link=\"" + P +
                            "\"> <origin xyz=\"...\" rpy=\"...\"/> </predecessor> <successor "
                            "link=\"" +
                            S + "\"/> </loop>");
  robot_.context().diagnostics->Add(std::move(message));
}

void RobotReader::ReadJointAxis(const xml::Element& joint, const std::string& subject,
                                const std::string& type, JointAxis& axis) {
  const xml::Element limit = joint.Child("limit");
  if (limit) {
    ReadLimit(limit, subject, type, axis);
  } else if (type == "revolute" || type == "prismatic") {
    Dialect("limit-missing", joint,
            {subject, "type '" + type + "' demands a <limit>; taken as unlimited" +
                          (type == "revolute" ? " (write type=\"continuous\" for that)" : "")},
            "limit-missing");
  }
  if (const xml::Element dynamics = joint.Child("dynamics")) {
    axis.damping = dynamics.Number("damping");
    axis.friction = dynamics.Number("friction");
  }
  // The position controller's soft limits; urdfdom demands k_velocity, the others default to 0. Every
  // writer says one.
  if (const xml::Element controller = joint.Child("safety_controller")) {
    axis.safety =
        Safety{controller.Number("soft_lower_limit"), controller.Number("soft_upper_limit"),
               controller.Number("k_position"), controller.Number("k_velocity", 0)};
  }
  if (const xml::Element flag = joint.Child("calibration")) {
    axis.calibration = Calibration{flag.Number("rising"), flag.Number("falling"),
                                   flag.Number("reference_position")};
  }
}

void RobotReader::ReadLimit(const xml::Element& limit, const std::string& subject,
                            const std::string& type, JointAxis& axis) {
  // Magnitudes for both directions. Exporters write -1 for "none", as SDFormat does.
  const auto magnitude = [&](const char* name) {
    const auto value = limit.Number(name);
    if (value && *value < 0) {
      limit.Warn("limit-negative", {subject, std::string("its ") + name + " limit is " +
                                                 std::string(*limit.Attribute(name)) +
                                                 ", which limits nothing; taken as unlimited"});
      return std::optional<double>();
    }
    return Finite(value);
  };
  // Read whatever the type, so that words that are no numbers are told in any case.
  const auto lower = limit.Number("lower"), upper = limit.Number("upper");
  axis.effort = magnitude("effort");
  axis.velocity = magnitude("velocity");
  axis.acceleration =
      magnitude(limit.Has("drake:acceleration") ? "drake:acceleration" : "acceleration");
  axis.deceleration = magnitude("deceleration");
  axis.jerk = magnitude("jerk");
  if (type == "continuous") {
    if (lower.value_or(0) < upper.value_or(0) && (Finite(lower) || Finite(upper))) {
      limit.Warn("limit-on-continuous",
                 {subject,
                  "type 'continuous' has no position limits, lower and upper are not used; write "
                  "type=\"revolute\" to keep them"});
    }
    return;
  }
  // urdfdom refuses the whole robot where one of the two is missing.
  const bool bounded = type == "revolute" || type == "prismatic";
  if (bounded && (!limit.Has("effort") || !limit.Has("velocity"))) {
    Dialect("limit-incomplete", limit,
            {subject, std::string("its <limit> lacks ") +
                          (limit.Has("effort") ? "velocity" : "effort") +
                          "; taken as unlimited (other readers refuse this)"},
            "limit-incomplete");
  }
  axis.lower = Finite(lower);
  axis.upper = Finite(upper);
  // URDF 1.0 and 1.1: what is not written is zero.
  if (bounded && minor_version_ < 2 && !(limit.Has("lower") && limit.Has("upper"))) {
    const bool no_lower = !limit.Has("lower"), no_upper = !limit.Has("upper");
    if (no_lower) axis.lower = 0;
    if (no_upper) axis.upper = 0;
    const bool locked = no_lower && no_upper;
    limit.Warn("limit-default-zero", {subject, std::string("its <limit> lacks ") +
                                                   (locked     ? "lower and upper"
                                                    : no_lower ? "lower"
                                                               : "upper") +
                                                   ", which means 0 in URDF 1.0" +
                                                   (locked ? ": the joint is locked" : "")});
  }
  // libsdformat's reader of URDF exchanges them: exporters of mirrored joints write such limits.
  if (!bounded || !axis.lower || !axis.upper || *axis.lower <= *axis.upper) return;
  limit.Warn("limits-exchanged",
             {subject, "its lower limit " + FormatNumber(*axis.lower) +
                           " is above its upper limit " + FormatNumber(*axis.upper) +
                           "; read as if they were exchanged, as Gazebo does"});
  std::swap(axis.lower, axis.upper);
}

void RobotReader::ReadMimics() {
  // A mimic is the row q_follower - multiplier q_leader = offset. Its leader may stand further down
  // in the file, which is why all joints come first.
  std::vector<JointId> leader_of(model_.num_joints(), kNoJoint);
  for (const auto& [mimic, follower] : mimics_) {
    const Joint& joint = model_.joint(follower);
    const std::string subject = About("joint", joint.name);
    const std::string leader_name = mimic.Attribute("joint", "");
    const double multiplier = mimic.Number("multiplier", 1), offset = mimic.Number("offset", 0);
    if (IsToldOf(leader_name)) continue;
    const JointId* const leader = joints_.Find(leader_name);
    if (!leader && leader_name.empty()) {
      mimic.Error("mimic-undefined",
                  {subject, "its <mimic> names no joint; write <mimic joint=\"...\"/>"});
      continue;
    }
    if (!leader) {  // no other reader of URDF looks for it
      Diagnostic& warning = mimic.Warn(
          "mimic-undefined",
          {subject, "mimics joint '" + leader_name +
                        "', which is not defined; kinemorph leaves the <mimic> out, and the joint "
                        "moves by itself"});
      warning.suggestion = NearestName(leader_name, JointNames());
      continue;
    }
    if (*leader == follower) {
      mimic.Error("mimic-self", {subject, "mimics itself; name another joint"});
      continue;
    }
    if (NumVelocities(joint.kind) == 0) {
      Dialect("mimic-on-fixed", mimic,
              {subject,
               "mimics joint '" + leader_name +
                   "', but is fixed and does not move; the <mimic> has no effect, and kinemorph "
                   "keeps it as text"},
              "mimic-on-fixed");
      model_.joint(follower).native.push_back(mimic.Native());
      model_.joint(follower).native.back().idle = true;
      continue;
    }
    // Both need exactly one coordinate: a ball has none that could be multiplied.
    const Joint* several = NumVelocities(joint.kind) != 1                   ? &joint
                           : NumVelocities(model_.joint(*leader).kind) != 1 ? &model_.joint(*leader)
                                                                            : nullptr;
    if (several) {
      mimic.Error(
          "mimic-not-scalar",
          {subject, "mimics joint '" + leader_name + "', but joint '" + several->name +
                        "' of type '" + several->native_type + "' has no single coordinate"});
      continue;
    }
    leader_of[Index(follower)] = *leader;
    Coupling coupling;
    coupling.name = joint.name;
    coupling.form = CouplingForm::kMimic;
    coupling.native_type = "mimic";
    coupling.where = mimic.where();
    coupling.terms = {{{follower, 0}, {1, 0, 0, 0}}, {{*leader, 0}, {-multiplier, 0, 0, 0}}};
    coupling.constant = offset;
    model_.couplings.push_back(std::move(coupling));
  }
  // Each joint has at most one leader: a walk along leaders that meets itself is a cycle.
  std::vector<std::uint32_t> walk(model_.num_joints(), 0);
  for (std::size_t m = 0; m < mimics_.size(); ++m) {
    const std::uint32_t number = static_cast<std::uint32_t>(m + 1);
    JointId id = mimics_[m].second;
    while (id != kNoJoint && walk[Index(id)] == 0) {
      walk[Index(id)] = number;
      id = leader_of[Index(id)];
    }
    if (id == kNoJoint || walk[Index(id)] != number) continue;
    mimics_[m].first.Error("mimic-cycle",
                           {"joint", model_.joint(id).name,
                            "mimics joint '" + model_.joint(leader_of[Index(id)]).name +
                                "', which in turn mimics it; one of them must move by itself"});
  }
}

}  // namespace kinemorph::urdf_format
