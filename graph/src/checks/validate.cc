// Checks that hold for every format; the codes are listed in graph/README.md. What no format would
// take is an error, what is hardly meant a warning. Numbers are in validate_numbers.cc; what
// depends on the tree is checked on the tree that everyone else gets, whose own errors (cycles,
// loops between unconnected trees) are reported while it is chosen.
#include "kinemorph/graph/checks/validate.h"

#include "checks/validate_numbers.h"
#include "kinemorph/graph/base/name_map.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"

namespace kinemorph {
namespace {

// Links are unique among links, joints (loop joints too) among joints, couplings among couplings
// and loop joints.
void CheckNames(const Model& model, const Reporter& report) {
  // Namespaces of URDF and URDF+, where loops and couplings share one. The single namespace of
  // SDFormat is a feature (name-clash), which a pass can settle.
  using Seen = NameMap<SourceLocation, std::string_view>;
  const auto line = [](SourceLocation where) {
    return where.line > 0 ? " in line " + std::to_string(where.line) : std::string();
  };
  Seen links, joints, constraints;
  links.Reserve(model.num_links()), joints.Reserve(model.num_joints());
  for (const LinkId id : Links(model)) {
    const Link& link = model.link(id);
    if (link.name.empty()) {
      report.Error("empty-name", link.where, "link ''", "the element has no name; write a name");
    } else if (const auto [first, fresh] = links.Add(link.name, link.where); !fresh) {
      report.Error("duplicate-link", link.where, Named(model, id),
                   "another link has this name" + line(first) + "; rename one of them");
    }
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.name.empty()) {
      if (!joint.implicit)
        report.Error("empty-name", joint.where, "joint ''",
                     "the element has no name; write a name");
      continue;
    }
    if (const auto [first, fresh] = joints.Add(joint.name, joint.where); !fresh) {
      report.Error("duplicate-joint", joint.where, Named(model, id),
                   "another joint has this name" + line(first) + "; rename one of them");
    }
    if (joint.role == JointRole::kLoop) constraints.Add(joint.name, joint.where);
  }
  for (std::size_t i = 0; i < model.couplings.size(); ++i) {
    const Coupling& coupling = model.couplings[i];
    if (coupling.name.empty() || coupling.form == CouplingForm::kMimic)
      continue;  // a mimic goes by its joint's name
    if (const auto [first, fresh] = constraints.Add(coupling.name, coupling.where); !fresh) {
      report.Error(
          "duplicate-coupling", coupling.where, Named(coupling, i),
          "another coupling or loop joint has this name" + line(first) + "; rename one of them");
    }
  }
}

void CheckConnectivity(const Model& model, const SpanningTree& tree, const Reporter& report) {
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (p == s)
      report.Error("self-joint", model.joint(id).where, Named(model, id),
                   "the joint connects link '" + model.link(p).name + "' to itself");
  }
  for (const JointId id : tree.loop_joints) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    const Joint& joint = model.joint(id);
    if (p == s || joint.role == JointRole::kTree)
      continue;  // an authored tree joint left over: its cycle is reported already
    if (std::holds_alternative<Free>(joint.kind)) {
      report.Warning("loop-free", joint.where, Named(model, id),
                     "a free joint constrains nothing where its links are connected already");
      continue;
    }
    // Two joints between one pair of links: legal, but a hinge beside a hinge of another axis locks
    // it, which is seldom meant.
    const LinkId child = tree.parent[Index(s)] == p ? s : tree.parent[Index(p)] == s ? p : kNoLink;
    if (child == kNoLink || tree.parent_joint[Index(child)] == kNoJoint) continue;
    report.Warning("loop-parallel", joint.where, Named(model, id),
                   "the joint connects the same links as joint '" +
                       model.joint(tree.parent_joint[Index(child)]).name +
                       "' and constrains it further");
  }
}

void CheckCoordinate(const Model& model, const SpanningTree& tree, const Coupling& coupling,
                     const std::string& subject, const Coordinate& coordinate,
                     const Reporter& report) {
  if (coordinate.joint == kNoJoint) return;
  const Joint& joint = model.joint(coordinate.joint);
  // Polynomials are of numbers: a quaternion has none that could be coupled.
  const int scalars =
      std::holds_alternative<Ball>(joint.kind) || std::holds_alternative<Free>(joint.kind)
          ? 0
          : NumVelocities(joint.kind);
  if (coordinate.axis < 0 || coordinate.axis >= scalars) {
    report.Error("coupling-coordinate", coupling.where, subject,
                 std::string(KindName(joint.kind)) + " joint '" + joint.name +
                     "' has no scalar coordinate " + std::to_string(coordinate.axis + 1) +
                     " to couple");
  } else if (tree.IsLoop(coordinate.joint)) {
    report.Error("coupling-on-loop", coupling.where, subject,
                 "joint '" + joint.name +
                     "' is a loop joint and has no coordinate of its own; cut another joint of its "
                     "loop with --cut JOINT");
  }
}

void CheckCouplings(const Model& model, const SpanningTree& tree, const Reporter& report) {
  for (std::size_t i = 0; i < model.couplings.size(); ++i) {
    const Coupling& coupling = model.couplings[i];
    const std::string subject = Named(coupling, i);
    for (const CouplingTerm& term : coupling.terms)
      CheckCoordinate(model, tree, coupling, subject, term.coordinate, report);
    const LinkId p = coupling.predecessor, s = coupling.successor;
    if ((coupling.form == CouplingForm::kRatio || coupling.form == CouplingForm::kGearbox) &&
        coupling.ratio == 0) {
      report.Error("coupling-ratio-zero", coupling.where, subject,
                   "the ratio is 0; write the ratio of successor to predecessor motion");
    }
    // The sums of URDF+ run over the joints of both paths below the nearest common ancestor: with
    // one link above the other, one sum is empty and the coupling locks the other path.
    if (coupling.form == CouplingForm::kRatio && p != kNoLink && s != kNoLink) {
      const LinkId c = NearestCommonAncestor(tree, p, s);
      if (p == s) {
        report.Error("coupling-self", coupling.where, subject,
                     "the coupling connects link '" + model.link(p).name + "' to itself");
      } else if (c == p || c == s) {
        report.Error("coupling-ancestor", coupling.where, subject,
                     "link '" + model.link(c).name + "' is an ancestor of link '" +
                         model.link(c == p ? s : p).name +
                         "': one side of the coupling has no joints; couple links on two branches");
      }
    } else if (coupling.terms.empty()) {
      report.Error("coupling-empty", coupling.where, subject, "the coupling names no coordinates");
    } else if (coupling.form == CouplingForm::kMimic && coupling.terms.size() == 2 &&
               coupling.terms[0].coordinate == coupling.terms[1].coordinate) {
      report.Error(
          "coupling-self", coupling.where, subject,
          "joint '" + model.joint(coupling.terms[0].coordinate.joint).name + "' mimics itself");
    }
  }
}

// URDF+ joints are independent unless declared otherwise: a model may by mistake declare every one
// dependent.
void CheckIndependent(const Model& model, const SpanningTree& tree, const Reporter& report) {
  // One joint that is not denied is enough: rank and count of the declaration are for the analysis
  // of coordinates, which needs the mechanism.
  JointId first = kNoJoint;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (tree.IsLoop(id) || NumVelocities(joint.kind) == 0) continue;
    if (joint.independent != false) return;
    if (first == kNoJoint) first = id;
  }
  if (first == kNoJoint) return;
  report.Warning("no-independent-coordinate", model.joint(first).where, About("model", model.name),
                 "every joint is declared dependent; declare as many independent as the mechanism "
                 "has degrees of freedom");
}

}  // namespace

void Validate(const Model& model, Diagnostics& diagnostics) {
  const Reporter report(model, diagnostics);
  CheckNames(model, report);
  ValidateNumbers(model, report);
  const SpanningTree tree = ChooseSpanningTree(model, {}, diagnostics);
  CheckConnectivity(model, tree, report);
  CheckCouplings(model, tree, report);
  CheckIndependent(model, tree, report);
}

void ValidateForWriting(const Model& model, double greatest, Diagnostics& diagnostics) {
  ValidateNumbers(model, Reporter(model, diagnostics, greatest));
}

}  // namespace kinemorph
