#include "write/body_tree.h"

#include <algorithm>
#include <string>

#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/model/references.h"
#include "kinemorph/graph/model/subject.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

constexpr double kClosed = 1e-9;  // m and rad
constexpr std::uint32_t kMaxNesting =
    96;  // tinyxml2 reads 99 levels; mujoco, worldbody and the geom take three

// Joints are sorted into the tree and the loops, then walked from the world. A chain of synthetic
// links without mass, shapes or other joints becomes the joints of one body, as the reader or a
// pass made it of one. What MJCF cannot say is an error here, before a line is written: a pass
// should have taken it away.
class Builder {
 public:
  Builder(const Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {}

  BodyTree Build() {
    SortJoints();
    CountUses();
    Nest();
    tree_.open.assign(model_.num_joints(), false);
    for (const JointId id : tree_.loops) CheckLoop(id);
    return std::move(tree_);
  }

 private:
  void Report(Severity severity, const char* code, SourceLocation where, Statement statement) {
    diagnostics_.Add(MessageAt(model_, where, severity, code, std::move(statement)));
  }
  void JointError(JointId id, const char* code, std::string what) {
    const Joint& joint = model_.joint(id);
    Report(Severity::kError, code, joint.where, {"joint", joint.name, std::move(what)});
  }

  // Tree and loop joints; the one tree joint above each link.
  void SortJoints() {
    above_.assign(model_.num_links(), kNoJoint);
    below_.resize(model_.num_links());
    for (const JointId id : Joints(model_)) {
      const Joint& joint = model_.joint(id);
      const bool loop = joint.role == JointRole::kLoop;
      const bool legal = std::visit(
          Overloaded{[](const Fixed&) { return true; }, [](const Revolute&) { return true; },
                     [](const Ball&) { return true; }, [loop](const Prismatic&) { return !loop; },
                     [loop](const Free&) { return !loop; }, [](const auto&) { return false; }},
          joint.kind);
      if (!legal)
        JointError(id, "mjcf-joint-kind",
                   std::string(loop ? "a loop joint" : "a joint") + " of kind '" +
                       std::string(KindName(joint.kind)) +
                       "' has no equivalent in MJCF; kinemorph must lower it first");
      if (loop) {
        tree_.loops.push_back(id);
        continue;
      }
      const LinkId child = model_.successor(id);
      if (child == kWorld) {
        JointError(id, "mjcf-reversed-joint",
                   "the world is its successor; kinemorph must reverse it first");
      } else if (above_[Index(child)] != kNoJoint) {
        JointError(id, "mjcf-two-parents",
                   "link '" + model_.link(child).name + "' already has joint '" +
                       model_.joint(above_[Index(child)]).name +
                       "'; one of them must be a loop joint");
      } else {
        above_[Index(child)] = id;
        below_[Index(model_.predecessor(id))].push_back(id);
      }
    }
  }

  // Links that something other than one joint below stands on cannot be folded away.
  void CountUses() {
    used_.assign(model_.num_links(), false);
    VisitAllLinks(model_, [&](LinkId id, const RigidTransform*) { used_[Index(id)] = true; });
    for (const JointId id : tree_.loops)
      used_[Index(model_.predecessor(id))] = used_[Index(model_.successor(id))] = true;
  }

  [[nodiscard]] bool Folds(LinkId id) const {
    const Link& link = model_.link(id);
    if (!link.synthetic || link.inertial || !link.visuals.empty() || !link.collisions.empty() ||
        !link.native.empty() || used_[Index(id)])
      return false;
    if (below_[Index(id)].size() != 1) return false;

    // A weld or a free joint is alone in its body in MJCF.
    const auto moves = [this](JointId joint) {
      return !std::holds_alternative<Fixed>(model_.joint(joint).kind) &&
             !std::holds_alternative<Free>(model_.joint(joint).kind);
    };
    return moves(above_[Index(id)]) && moves(below_[Index(id)].front());
  }

  void Nest() {
    tree_.X_WL.resize(model_.num_links());
    tree_.nodes.push_back({});
    std::vector<bool> reached(model_.num_links(), false);
    reached[0] = true;
    // (parent node, joint): depth first, so that nodes are in the order they are written.
    std::vector<std::pair<std::size_t, JointId>> stack;
    const auto push = [&](std::size_t node, LinkId link) {
      const std::vector<JointId>& joints = below_[Index(link)];
      for (auto it = joints.rbegin(); it != joints.rend(); ++it) stack.emplace_back(node, *it);
    };
    const auto run = [&] {
      while (!stack.empty()) {
        const auto [parent, joint] = stack.back();
        stack.pop_back();
        const std::size_t node = AddNode(parent, joint, reached);
        push(node, tree_.nodes[node].link);
      }
    };
    push(0, kWorld);
    run();
    // Roots without a joint to the world hang on it rigidly.
    // SDFormat and others have robots that stand nowhere; as bodies of the world without joints
    // they stay where they are drawn.
    for (const LinkId id : Links(model_)) {
      if (reached[Index(id)] || above_[Index(id)] != kNoJoint) continue;
      Report(Severity::kWarning, "mjcf-root-welded", model_.link(id).where,
             {"link", model_.link(id).name,
              "no joint connects the link to the world; kinemorph writes it fixed to the world"});
      reached[Index(id)] = true;
      tree_.nodes.front().children.push_back(tree_.nodes.size());
      BodyNode root;
      root.link = id;
      root.depth = 1;
      tree_.nodes.push_back(std::move(root));
      push(tree_.nodes.size() - 1, id);
      run();
    }
    // Each link has at most one tree joint above it, so what is not reached hangs on itself.
    for (const LinkId id : Links(model_)) {
      if (!reached[Index(id)])
        Report(Severity::kError, "mjcf-cycle", model_.link(id).where,
               {"link", model_.link(id).name, "its tree joints form a cycle"});
    }
  }

  // Follows the chain of foldable links below `joint` and makes one body of its end.
  std::size_t AddNode(std::size_t parent, JointId joint, std::vector<bool>& reached) {
    BodyNode node;
    node.depth = tree_.nodes[parent].depth + 1;
    std::vector<JointId> chain = {joint};
    node.link = model_.successor(joint);
    const LinkId parent_link = tree_.nodes[parent].link;
    // Poses at zero are carried along the chain: its inner links have none of their own in the
    // file.
    tree_.X_WL[Index(node.link)] = tree_.X_WL[Index(parent_link)] * PoseAtZero(model_.joint(joint));
    reached[Index(node.link)] = true;
    while (Folds(node.link)) {
      const JointId next = below_[Index(node.link)].front();
      tree_.X_WL[Index(model_.successor(next))] =
          tree_.X_WL[Index(node.link)] * PoseAtZero(model_.joint(next));
      node.link = model_.successor(next);
      reached[Index(node.link)] = true;
      chain.push_back(next);
    }
    const RigidTransform X_BW = tree_.X_WL[Index(node.link)].inverse();
    // Of a single joint the pose is taken as it is, so that no digit changes on the way through the
    // world.
    node.X_PB = chain.size() == 1
                    ? PoseAtZero(model_.joint(joint))
                    : tree_.X_WL[Index(parent_link)].inverse() * tree_.X_WL[Index(node.link)];
    int dofs = 0;

    // Frames M of all joints of the chain, in the body: at zero the inner links lie where their
    // joints have them.
    for (const JointId id : chain) {
      const Joint& j = model_.joint(id);
      if (std::holds_alternative<Fixed>(j.kind)) continue;
      const LinkId successor = model_.successor(id);
      node.joints.push_back(
          {id, successor == node.link ? j.X_SM : X_BW * tree_.X_WL[Index(successor)] * j.X_SM});
      dofs += NumVelocities(j.kind);
      if (std::holds_alternative<Free>(j.kind) && node.depth > 1)
        JointError(id, "mjcf-free-below-top",
                   "only a body of the world can have a free joint in MJCF");
    }
    if (dofs > 6)
      JointError(joint, "mjcf-too-many-dofs",
                 "the joints folded into body '" + model_.link(node.link).name +
                     "' have more than 6 degrees of freedom");

    // Reported at the first body that is too deep, once for each branch.
    if (node.depth == kMaxNesting + 1) {
      Report(Severity::kError, "mjcf-nesting", model_.link(node.link).where,
             {"link", model_.link(node.link).name,
              "more than " + std::to_string(kMaxNesting) +
                  " bodies inside each other, which no reader of MJCF opens: MuJoCo's stops at 99 "
                  "levels of elements"});
    }
    tree_.nodes[parent].children.push_back(tree_.nodes.size());
    tree_.nodes.push_back(std::move(node));
    return tree_.nodes.size() - 1;
  }

  // A connect by bodies takes its second anchor from qpos0 and would weld an open loop together at
  // the wrong place; between sites it does not, nor does a weld, which says its pose.
  void CheckLoop(JointId id) {
    const Joint& joint = model_.joint(id);
    const RigidTransform X_WF = tree_.X_WL[Index(model_.predecessor(id))] * joint.X_PF;
    const RigidTransform X_WM = tree_.X_WL[Index(model_.successor(id))] * joint.X_SM;
    double gap = (X_WF.p - X_WM.p).norm();
    if (const Revolute* revolute = std::get_if<Revolute>(&joint.kind))
      gap = std::max(gap, (X_WF.R * revolute->axis - X_WM.R * revolute->axis).norm());
    const bool weld = std::holds_alternative<Fixed>(joint.kind);
    if (weld) gap = std::max(gap, (X_WF.R - X_WM.R).norm());
    if (gap <= kClosed) return;
    tree_.open[Index(id)] = !weld;
    // Who drew it so in MJCF knows.
    const bool drawn = model_.format == "mjcf";
    Report(drawn ? Severity::kNote : Severity::kWarning, "mjcf-open-loop", joint.where,
           {"joint", joint.name,
            "the loop is open at the zero configuration (by " + xml::NumberText(gap) +
                " m or rad); MuJoCo pulls at it from the first step: `kinemorph lint` says why no "
                "posture closes it" +
                (weld ? ""
                      : "; kinemorph writes it between sites, which MuJoCo before 3.2.3 does not "
                        "read")});
  }

  const Model& model_;
  Diagnostics& diagnostics_;
  BodyTree tree_;
  std::vector<JointId> above_;
  std::vector<std::vector<JointId>> below_;
  std::vector<bool> used_;
};

}  // namespace

BodyTree MakeBodyTree(const Model& model, Diagnostics& diagnostics) {
  return Builder(model, diagnostics).Build();
}

}  // namespace kinemorph::mjcf
