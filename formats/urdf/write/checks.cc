// What a model must be before it can be written as URDF or URDF+: errors name what a pass should
// have lowered.
#include <algorithm>
#include <cmath>
#include <map>

#include "write/frame_pairs.h"
#include "write/submechanisms.h"
#include "write/writer.h"

namespace kinemorph::urdf_format {

// Each check names the pass that should have done its work by its code (..._not_lowered). A user
// sees these errors only where a pass was left out or failed, or where the model did not come from
// the converter.
std::string_view LoopType(const JointKind& kind) {
  if (std::holds_alternative<Revolute>(kind)) return "revolute";
  if (std::holds_alternative<Prismatic>(kind)) return "prismatic";
  if (std::holds_alternative<Planar>(kind)) return "planar";
  if (std::holds_alternative<Fixed>(kind)) return "fixed";
  if (std::holds_alternative<Universal>(kind)) return "universal";
  if (std::holds_alternative<Ball>(kind)) return "spherical";
  return {};
}

std::string_view JointType(const Joint& joint) {
  if (std::holds_alternative<Free>(joint.kind)) return "floating";
  // A hinge without position limits: "revolute" would demand them.
  if (std::holds_alternative<Revolute>(joint.kind) && !joint.axes.empty() && !joint.axes[0].lower &&
      !joint.axes[0].upper)
    return "continuous";
  return LoopType(joint.kind);
}

bool IsReferenceType(const JointKind& kind) {
  return !std::holds_alternative<Universal>(kind) && !std::holds_alternative<Ball>(kind);
}

void RobotWriter::Check() {
  CheckNames();
  CheckTree();
  for (const JointId id : Joints(model_)) {
    if (!IsWritten(id)) continue;
    if (model_.joint(id).role == JointRole::kLoop)
      CheckLoop(id);
    else
      CheckJoint(id);
  }
  CheckCouplings();
  for (const Frame& frame : model_.frames)
    if (!gazebo_ || detachable_ || !model_.format.starts_with("urdf"))
      Refuse("frame-not-lowered", frame.where,
             {"frame", frame.name, "URDF has no frames beside links"});
  for (const ContactExclusion& exclusion : model_.contact_exclusions) {
    if (srdf_ || drake_) break;  // these say it
    Refuse("contact-exclusion-not-lowered", exclusion.where,
           {"links '" + LinkName(exclusion.a) + "' and '" + LinkName(exclusion.b) + "'",
            "URDF cannot say that two links do not collide"});
  }
}

void RobotWriter::CheckNames() {
  // Links and joints have names of their own in URDF; loops and couplings share a third space, and
  // a loop may not be called as a joint is, because our reader makes a joint of it.
  std::unordered_set<std::string> links, joints;
  if (world_link_) links.insert("world");
  const auto check = [&](std::unordered_set<std::string>& names, const std::string& name,
                         const std::string& what, SourceLocation where) {
    if (name.empty())
      Refuse("name-missing", where, {what, name, "URDF needs a name"});
    else if (!names.insert(name).second)
      Refuse("name-duplicate", where, {what, name, "the name is used already"});
  };
  for (const LinkId id : Links(model_))
    check(links, model_.link(id).name, "link", model_.link(id).where);
  for (const JointId id : Joints(model_))
    if (IsWritten(id)) check(joints, model_.joint(id).name, "joint", model_.joint(id).where);
  std::unordered_set<std::string> constraints;
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role == JointRole::kLoop && IsWritten(id))
      constraints.insert(model_.joint(id).name);
  for (const Coupling& coupling : model_.couplings) {
    if (coupling.form == CouplingForm::kRatio)
      check(constraints, coupling.name, "coupling", coupling.where);
  }
}

void RobotWriter::CheckTree() {
  if (model_.num_links() == 1)
    Refuse("no-links", SourceLocation{0, 1},
           {"robot", model_.name,
            std::string("has no link") +
                (model_.format == "mjcf"
                     ? "; MJCF without a body is a fragment: convert the file that includes it"
                     : "")});
  const Link& world = model_.link(kWorld);
  if (!world_link_ && (!world.visuals.empty() || !world.collisions.empty())) {
    Refuse("world-geometry", world.where,
           "link 'world': has geometry, but no joint of the robot is connected to this link");
  }
  // The implicit joint of a free base is not written, which makes its link a root.
  std::size_t roots = world_link_ ? 1 : 0;
  for (const LinkId id : TreeLinks()) {
    const JointId joint = tree_.parent_joint[Index(id)];
    if (joint != kNoJoint && IsWritten(joint)) continue;
    if (++roots == 2)
      Refuse("several-roots", model_.link(id).where,
             {"link", model_.link(id).name, "is a second root, but a robot has one"});
  }
  for (const LinkId id : Links(model_)) {
    if (tree_.reached[Index(id)]) continue;
    Refuse("joint-cycle", model_.link(id).where,
           {"link", model_.link(id).name, "lies on a cycle of joints without a loop joint"});
    break;
  }
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    if (joint.role == JointRole::kLoop || tree_.parent_joint[Index(model_.successor(id))] == id)
      continue;
    Refuse("link-two-parents", joint.where,
           {"joint", joint.name,
            "leads to link '" + LinkName(model_.successor(id)) +
                "', which has a parent joint already"});
  }
}

void RobotWriter::CheckJoint(JointId id) {
  const Joint& joint = model_.joint(id);
  const std::string subject = About("joint", joint.name);
  const bool retyped = gepetto_ && !RetypedAs(joint.kind).empty();
  if (JointType(joint).empty() || (!paper_ && !retyped && !IsReferenceType(joint.kind))) {
    Refuse("joint-type-not-lowered", joint.where,
           {subject, "URDF has no joint of kind '" + std::string(KindName(joint.kind)) + "'"});
  }
  if (!joint.X_SM.IsNearIdentity(1e-12)) {
    Refuse("joint-frame-not-lowered", joint.where,
           {subject, "its frame is not the frame of link '" + LinkName(model_.successor(id)) +
                         "', as URDF demands"});
  }
  if (!plus_ && !hyrodyn_ && !gepetto_ && !srdf_ && joint.independent)
    Refuse("independent-not-lowered", joint.where,
           {subject, "plain URDF cannot say which joints are independent"});
}

void RobotWriter::CheckLoop(JointId id) {
  const Joint& joint = model_.joint(id);
  const std::string subject = About("loop", joint.name);
  // Where loops stand decides what they may be: each side-car, block or dialect has rules of its
  // own.
  if (hyrodyn_) return CheckLoopFrame(id);
  if (gepetto_) return CheckPair(id);
  if (gazebo_) return CheckGazeboLoop(id);
  if (!plus_ && !drake_) {
    Refuse("loop-not-lowered", joint.where, {subject, "plain URDF has no loops; write URDF+"});
    return;
  }
  if (drake_) CheckDrakeLoop(joint);
  const bool points = drake_ || (grbda_ && std::holds_alternative<Ball>(joint.kind));
  if (LoopType(joint.kind).empty() || (!paper_ && !points && !IsReferenceType(joint.kind))) {
    Refuse("loop-type-not-lowered", joint.where,
           {subject, std::string("URDF+ (") + (paper_ ? "paper" : "reference") +
                         ") has no loop of kind '" + std::string(KindName(joint.kind)) + "'"});
  }
  // A damping, friction or spring of 0 is the same as none; a limit or an effort of 0 is not.
  const auto speaks = [](const JointAxis& a) {
    return a.lower || a.upper || a.effort || a.velocity || a.damping.value_or(0) != 0 ||
           a.friction.value_or(0) != 0 || a.spring_stiffness.value_or(0) != 0 ||
           a.armature.value_or(0) != 0;
  };
  if (std::any_of(joint.axes.begin(), joint.axes.end(), speaks)) {
    Refuse("loop-axis-data-not-lowered", joint.where,
           {subject, "a loop has no limits, damping, friction or springs"});
  }
  // The paper allows this, and Drake joins any two bodies; the reference parser reads past the end
  // of a list.
  const LinkId P = model_.predecessor(id), S = model_.successor(id);
  if (paper_ || drake_ || !tree_.reached[Index(P)] || !tree_.reached[Index(S)]) return;
  const LinkId ancestor = CommonAncestor(tree_, P, S);
  if (ancestor == P || ancestor == S) {
    Refuse(
        "loop-ancestor-not-lowered", joint.where,
        {subject, "link '" + LinkName(ancestor) + "' is an ancestor of link '" +
                      LinkName(ancestor == P ? S : P) +
                      "', which the reference parser cannot read; cut another joint of the loop"});
  }
}

// submechanisms.yml has no frames: a loop stands where a joint leads to a link.
void RobotWriter::CheckLoopFrame(JointId id) {
  const Joint& joint = model_.joint(id);
  if (RowsOfLoop(joint.kind).empty())
    Refuse("loop-type-not-lowered", joint.where,
           {"loop", joint.name,
            "submechanisms.yml has no rows for a loop of kind '" +
                std::string(KindName(joint.kind)) + "'"});
  if (!FrameOfLoop(model_, tree_, id))
    Refuse("loop-frame-not-lowered", joint.where,
           {"loop", joint.name,
            "is not in the frame of a link that a joint leads to, as submechanisms.yml needs"});
}

// robot.yaml has frames and two types.
void RobotWriter::CheckPair(JointId id) {
  const Joint& joint = model_.joint(id);
  if (!std::holds_alternative<Fixed>(joint.kind) && !std::holds_alternative<Ball>(joint.kind))
    Refuse(
        "loop-type-not-lowered", joint.where,
        {"loop", joint.name,
         "robot.yaml has no type for a loop of kind '" + std::string(KindName(joint.kind)) + "'"});
  if (!joint.X_PF.IsExactlyIdentity() || !joint.X_SM.IsExactlyIdentity())
    Refuse("loop-frame-not-lowered", joint.where,
           {"loop", joint.name, "is not between two links, as robot.yaml needs"});
}

void RobotWriter::CheckCouplings() {
  std::unordered_set<std::uint32_t> followers;
  for (const Coupling& coupling : model_.couplings) {
    const std::string subject = About("coupling", coupling.name);
    // Polynomials of one coordinate each, of which only the linear part may be there.
    const auto scalar = [&](const CouplingTerm& term) {
      return term.coordinate.axis == 0 &&
             NumVelocities(model_.joint(term.coordinate.joint).kind) == 1 &&
             term.coefficients[0] != 0 && term.coefficients[1] == 0 && term.coefficients[2] == 0 &&
             term.coefficients[3] == 0;
    };
    if (coupling.form == CouplingForm::kMimic) {
      if (coupling.terms.size() != 2 || !scalar(coupling.terms[0])) {
        Refuse("mimic-not-expressible", coupling.where,
               {subject, "is not of the form follower = multiplier * leader + offset"});
      } else if (!followers.insert(static_cast<std::uint32_t>(coupling.terms[0].coordinate.joint))
                      .second) {
        Refuse("mimic-twice", coupling.where,
               {subject, "joint '" + model_.joint(coupling.terms[0].coordinate.joint).name +
                             "' mimics another joint already"});
      }
    } else if (IsLinearTransmission(coupling) || IsDrakeTendon(coupling)) {
      if (coupling.terms.size() < (drake_ ? 1U : 2U) ||
          !std::all_of(coupling.terms.begin(), coupling.terms.end(), scalar))
        Refuse("coupling-not-expressible", coupling.where,
               {subject, "is not a sum of joints with one coordinate"});
    } else if (coupling.form == CouplingForm::kRatio && plus_) {
      if (coupling.predecessor == kNoLink || coupling.successor == kNoLink || coupling.ratio == 0 ||
          coupling.constant != 0) {
        Refuse("coupling-not-expressible", coupling.where,
               {subject, "URDF+ couples two links by a ratio and no offset"});
        continue;
      }
      if (!tree_.reached[Index(coupling.predecessor)] || !tree_.reached[Index(coupling.successor)])
        continue;
      // The row that a reader will derive from the two links must be this row.
      // Their difference, joint by joint: a row over other joints, or with another factor, would be
      // another mechanism in silence.
      std::map<std::uint32_t, double> difference;
      for (const CouplingTerm& t :
           TermsOfRatio(model_, tree_, coupling.predecessor, coupling.successor, coupling.ratio)
               .terms) {
        difference[static_cast<std::uint32_t>(t.coordinate.joint)] += t.coefficients[0];
      }
      const std::size_t joints = difference.size();
      for (const CouplingTerm& t : coupling.terms)
        difference[static_cast<std::uint32_t>(t.coordinate.joint)] -= t.coefficients[0];
      const bool same = joints == coupling.terms.size() && difference.size() == joints &&
                        std::all_of(difference.begin(), difference.end(), [&](const auto& d) {
                          return std::abs(d.second) <= 1e-9 * (1 + std::abs(coupling.ratio));
                        });
      if (!same) {
        Refuse("coupling-not-expressible", coupling.where,
               {subject, "its row is not the one between links '" + LinkName(coupling.predecessor) +
                             "' and '" + LinkName(coupling.successor) + "' in this tree"});
      }
    } else {
      Refuse(
          "coupling-not-lowered", coupling.where,
          {subject, std::string(plus_ ? "URDF+" : "plain URDF") + " has no coupling of this form"});
    }
  }
}

}  // namespace kinemorph::urdf_format
