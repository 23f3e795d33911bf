// The spanning tree is free to run along a joint from its successor to its predecessor; formats
// that write a link below its parent cannot say that. Joints that the tree runs along backwards are
// turned round, which is exact for every kind but the planar one. The tree is found again after a
// change of the graph, because ids of links that a chain brings are new.
#include "edit/roots.h"

#include "edit/model_edit.h"
#include "edit/split.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/checks/units.h"

namespace kinemorph {

namespace {

// What a sensor says of a joint's child it then says of the parent.
void TurnSensors(Model& model, const std::vector<bool>& reversed) {
  for (Sensor& sensor : model.sensors) {
    const Format* const format = FindFormat(sensor.native.format);
    if (sensor.joint == kNoJoint || !reversed[Index(sensor.joint)] || format == nullptr ||
        format->sensors.turn == nullptr)
      continue;
    format->sensors.turn(sensor.native.content);
    static_cast<void>(format->sensors.read(sensor.native.content, sensor));
  }
}

}  // namespace

void TurnAgainst(SpanningTree tree, Model& model, PassContext& context) {
  std::vector<bool> reversed(model.num_joints(), false);
  const auto mark = [&] {
    reversed.assign(model.num_joints(), false);
    for (const LinkId link : tree.order) {
      const JointId up = tree.parent_joint[Index(link)];
      if (up != kNoJoint && tree.reversed[Index(link)]) reversed[Index(up)] = true;
    }
  };
  mark();
  // A planar joint's x and y change meaning when it is turned; where something is said about them
  // it becomes a chain first.
  std::vector<JointId> split;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (reversed[Index(id)] && std::holds_alternative<Planar>(joint.kind) &&
        !(IsPassive(joint.axes[0]) && IsPassive(joint.axes[1])))
      split.push_back(id);
  }
  if (!split.empty()) {
    Splitter splitter(model, context);
    for (const JointId id : split) splitter.Split(id);
    splitter.Finish();
    tree = TreeOf(model);
    mark();
  }

  // The sign rules are FlipJoint's. A universal joint that is turned has its two coordinates in the
  // other order, so that every coupling of the first must then name the second.
  std::vector<JointId> swapped;
  bool any = false;
  for (const JointId id : Joints(model)) {
    if (!reversed[Index(id)]) continue;
    any = true;
    Joint& joint = model.joint(id);
    const bool changed_places = FlipJoint(joint).swapped;
    if (changed_places) swapped.push_back(id);
    context.Lowered(SubjectOf(joint),
                    "reversed: the joint leads from '" + model.link(model.successor(id)).name +
                        "' to '" + model.link(model.predecessor(id)).name + "', " +
                        (changed_places ? "its axes are negated and swapped: the first coordinate "
                                          "(_1 in a chain) was the second"
                                        : "its axis is negated"));
  }
  if (!any) return;
  TurnSensors(model, reversed);
  model.Reconnect([&](JointId id) {
    const auto ends = std::pair(model.predecessor(id), model.successor(id));
    return reversed[Index(id)] ? std::pair(ends.second, ends.first) : ends;
  });
  for (const JointId id : swapped) {
    for (Coupling& coupling : model.couplings) {
      for (CouplingTerm& term : coupling.terms)
        if (term.coordinate.joint == id) term.coordinate.axis = 1 - term.coordinate.axis;
    }
  }
}

// Such a link has no edge to the world: the tree gives it the world as parent, and no joint.
std::vector<LinkId> UntiedRoots(const SpanningTree& tree) {
  std::vector<LinkId> roots;
  for (std::uint32_t v = 1; v < tree.parent.size(); ++v) {
    if (tree.parent[v] == kWorld && tree.parent_joint[v] == kNoJoint) roots.push_back(LinkId{v});
  }
  return roots;
}

void KeepRoots(Model& model, PassContext& context, const std::vector<LinkId>& roots) {
  if (UntiedRoots(TreeOf(model)) == roots) return;
  // Tied to the world for a moment, the roots stay where they are and show which joints point at
  // them.
  const std::size_t count = model.num_joints();
  for (const LinkId root : roots) {
    Joint tie;
    tie.kind = Free{};
    tie.role = JointRole::kTree;
    tie.implicit = true;
    model.AddJoint(kWorld, root, std::move(tie));
  }
  const SpanningTree tree = TreeOf(model);
  static_cast<void>(model.RemoveJoints([&](JointId id) { return Index(id) >= count; }));
  TurnAgainst(tree, model, context);
}

void LeaveUnsaid(Model& model, JointId id, PassContext& context) {
  Joint& joint = model.joint(id);
  // `implicit` joints are known to the model only: writers leave them out, the accounting takes the
  // lowering above as the receipt.
  if (!joint.implicit)
    context.Lowered(SubjectOf(joint), "free in the world: the target has no joint for this");
  joint.implicit = true;
  const std::string said = AxesText(joint);
  if (said.empty()) return;
  context
      .Lose(model, Feature::kJointFree, SubjectOf(joint), "its data are not written: " + said,
            "the target has no joint for this")
      .source = said;
  // What was lost must not be found again by the table's last look.
  joint.axes.assign(static_cast<std::size_t>(NumAxes(joint.kind)), JointAxis());
}

}  // namespace kinemorph
