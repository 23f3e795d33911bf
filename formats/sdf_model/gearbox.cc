// Gearbox joints: no edges of the graph but couplings of the angles that two links turn against a
// reference body.
//
//   theta_1: from the reference body to the parent link, about <axis>;  theta_2: from it to the
//   child link, about <axis2>; theta_2 = -gearbox_ratio * theta_1.
//
// The angles are sums over the joints between the links where all of them turn about parallel axes.
#include <algorithm>
#include <cmath>
#include <map>

#include "sdf_model/builder.h"

namespace kinemorph::sdformat {

// A spanning forest over the explicit joints, found breadth first, with the world as a vertex like
// the links.
struct Builder::Forest {
  std::vector<JointId> up;  // joint to the parent
  std::vector<LinkId> parent;
  std::vector<int> depth, tree;
  std::vector<Matrix3> R_WF;  // by joint: its frame's axes in the world at zero

  explicit Forest(const Model& model)
      : up(model.num_links(), kNoJoint),
        parent(model.num_links(), kNoLink),
        depth(model.num_links(), 0),
        tree(model.num_links(), -1) {
    std::vector<std::vector<JointId>> incident(model.num_links());
    for (const JointId joint : Joints(model)) {
      incident[Index(model.predecessor(joint))].push_back(joint);
      incident[Index(model.successor(joint))].push_back(joint);
    }
    std::vector<LinkId> queue;
    // Links that hang on the world are in its tree; a floating robot is a tree of its own.
    for (std::size_t root = 0; root < model.num_links(); ++root) {
      if (tree[root] >= 0) continue;
      tree[root] = static_cast<int>(root);
      queue.assign(1, LinkId{static_cast<std::uint32_t>(root)});
      for (std::size_t i = 0; i < queue.size(); ++i) {
        const LinkId at = queue[i];
        for (const JointId joint : incident[Index(at)]) {
          const LinkId next =
              model.predecessor(joint) == at ? model.successor(joint) : model.predecessor(joint);
          if (tree[Index(next)] >= 0) continue;
          tree[Index(next)] = static_cast<int>(root);
          up[Index(next)] = joint;
          parent[Index(next)] = at;
          depth[Index(next)] = depth[Index(at)] + 1;
          queue.push_back(next);
        }
      }
    }
  }
};

namespace {

// The angle of `to` against `from` about the world direction d, as coefficients of joint
// coordinates. Fails with the joint that is in the way.
struct Angle {
  std::map<std::uint32_t, double> terms;
  JointId obstacle = kNoJoint;
  bool connected = true;
};

template <class Forest>
Angle AngleBetween(const Model& model, const Forest& forest, LinkId from, LinkId to,
                   const Vector3& d) {
  // The coordinates on the way between the two links, each with the sign by which it turns `to`
  // against `from`. The way goes up from the deeper end until both ends meet.
  Angle angle;
  if (forest.tree[Index(from)] != forest.tree[Index(to)]) {
    angle.connected = false;
    return angle;
  }
  const auto step = [&](LinkId& at, double sign) {
    const JointId id = forest.up[Index(at)];
    const Joint& joint = model.joint(id);
    // Going up from `at`: the joint turns it positively when it is the successor.
    const double direction = model.successor(id) == at ? sign : -sign;
    const bool turns =
        std::holds_alternative<Revolute>(joint.kind) || std::holds_alternative<Screw>(joint.kind);
    // A hinge counts where its axis is parallel to d, in either direction; joints that do not turn
    // (fixed, slides) change no angle; any other one is in the way.
    if (turns) {
      const double along = (forest.R_WF[Index(id)] * AxesOf(joint.kind)[0]).dot(d);
      if (std::abs(std::abs(along) - 1) > 1e-9)
        angle.obstacle = id;
      else
        angle.terms[static_cast<std::uint32_t>(Index(id))] += direction * (along > 0 ? 1 : -1);
    } else if (!std::holds_alternative<Fixed>(joint.kind) &&
               !std::holds_alternative<Prismatic>(joint.kind)) {
      angle.obstacle = id;
    }
    at = forest.parent[Index(at)];
  };
  while (from != to) {
    if (forest.depth[Index(to)] >= forest.depth[Index(from)])
      step(to, 1);
    else
      step(from, -1);
  }
  return angle;
}

}  // namespace

void Builder::BuildGearboxes() {
  if (gearboxes_.empty()) return;
  Forest forest(model_);
  forest.R_WF.resize(model_.num_joints());
  for (std::size_t i = 0; i < joint_ids_.size(); ++i) {
    if (joint_ids_[i] != kNoJoint)
      forest.R_WF[Index(joint_ids_[i])] = frames_.InWorld(frames_.of_joint(i)).R;
  }
  for (const std::size_t index : gearboxes_)
    BuildGearbox(description_.joints[index], index, forest);
}

void Builder::BuildGearbox(const JointItem& item, std::size_t index, const Forest& forest) {
  const std::string subject = About("gearbox", Shown(item.model, item.name));
  const std::optional<Ends> ends = ReadEnds(item);
  const double ratio = item.element.ChildNumber("gearbox_ratio").value_or(1);
  const std::string reference_name = item.element.ChildText("gearbox_reference_body").value_or("");
  const auto keep_as_text = [&] { KeepInScope(item.model, item.element); };
  if (!ends) return;
  if (ratio == 0) {
    item.element.Error(
        "gearbox-ratio",
        {subject,
         "the ratio is 0, which says that the child does not turn; use a fixed joint for that"});
    return;
  }
  if (reference_name.empty()) {
    item.element.Warn("gearbox-reference", {subject,
                                            " has no <gearbox_reference_body>, so the gearbox "
                                            "couples nothing; kinemorph keeps it as text only"});
    keep_as_text();
    return;
  }
  const NodeId reference =
      reference_name == "world" ? frames_.world() : frames_.Find(item.model, reference_name);
  if (reference == kNoNode) {
    Diagnostic& error = item.element.Error(
        "gearbox-reference", {subject, "reference body '" + reference_name + "' is not defined"});
    error.suggestion = frames_.Nearest(item.model, reference_name);
    return;
  }

  const NodeId node = frames_.of_joint(index);
  const Matrix3& R_WJ = frames_.InWorld(node).R;
  const xml::Element axis = item.element.Child("axis"), axis2 = item.element.Child("axis2");
  // axis and axis2 are given in the joint's frame; both angles are compared in the world at zero.
  // Without axis2 the two are the same.
  const Vector3 d1 = R_WJ * ReadAxisVector(item, node, axis);
  const Vector3 d2 = axis2 ? Vector3(R_WJ * ReadAxisVector(item, node, axis2)) : d1;

  Coupling coupling;
  coupling.name = Shown(item.model, item.name);
  coupling.form = CouplingForm::kGearbox;
  coupling.ratio = ratio;
  coupling.predecessor = LinkOf(ends->parent);
  coupling.successor = LinkOf(ends->child);
  coupling.reference = LinkOf(reference);
  coupling.native_type = "gearbox";
  coupling.where = item.element.where();
  // theta_1 turns the parent and theta_2 the child, both against the reference body.
  const Angle theta1 = AngleBetween(model_, forest, coupling.reference, coupling.predecessor, d1);
  const Angle theta2 = AngleBetween(model_, forest, coupling.reference, coupling.successor, d2);
  const auto refuse = [&](const std::string& why) {
    item.element.Warn("gearbox-lost",
                      {subject, " cannot be written as a sum of joint angles because " + why +
                                    "; kinemorph keeps it as text only"});
    keep_as_text();
  };
  for (const Angle* angle : {&theta1, &theta2}) {
    if (!angle->connected) return refuse("no joints lead from the reference body to its links");
    if (angle->obstacle != kNoJoint)
      return refuse("joint '" + model_.joint(angle->obstacle).name +
                    "' between them does not turn about a parallel axis");
  }
  // theta_2 + ratio theta_1 = 0, collected by joint: a joint on both ways appears once.
  std::map<std::uint32_t, double> sum = theta2.terms;
  for (const auto& [joint, sign] : theta1.terms) sum[joint] += ratio * sign;
  for (const auto& [joint, coefficient] : sum) {
    // A joint that turns both links cancels where the ratio is -1.
    if (coefficient != 0) coupling.terms.push_back({{JointId{joint}, 0}, {coefficient, 0, 0, 0}});
  }
  if (coupling.terms.empty()) return refuse("its angles cancel out");
  // Limits and dynamics of a gearbox's axes have no coordinate to belong to.
  for (const xml::Element a : {axis, axis2}) {
    for (const char* child : {"limit", "dynamics"}) a.Child(child).ConsumeAll();
  }
  item.element.Child("physics").ConsumeAll();
  model_.couplings.push_back(std::move(coupling));
}

}  // namespace kinemorph::sdformat
