// Pass `weld_halves`: loop joints for simulators that know trees, and welds made when they start.
#include <algorithm>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "lower/massless_links.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// A link that weighs so much less than the other end is nothing to take a part of.
constexpr double kTooLight = 1e-3;

// gz sim loads trees, and its DetachableJoint plugin welds two links when it starts. A loop joint
// therefore becomes a tree joint to a part of its successor (`_half`), and a second part (`_tip`),
// fixed to the whole at the joint's frame, is what the plugin welds the half to: the weld is closed
// at zero by both frames' being one. Whole, halves and tips share mass and tensor evenly, at the
// same places, so that their sum is the link.
class HalvesWelding {
 public:
  HalvesWelding(Model& model, const LeastInertia& least, PassContext& context)
      : model_(model),
        least_(least),
        context_(context),
        loops_(TreeOf(model).loop_joints),
        links_(LinkNames(model)),
        joints_(JointNames(model)) {
    for (const JointId id : Joints(model_))
      ends_.emplace_back(model_.predecessor(id), model_.successor(id));
  }

  void Run() {
    std::vector<std::size_t> parts(model_.num_links(), 1);
    for (const JointId id : loops_) {
      // The successor is the end that is split: the world cannot be, and a link with next to no mass
      // should not.
      auto& [p, s] = ends_[Index(id)];
      if (s == kWorld || (p != kWorld && MassOf(s) < kTooLight * MassOf(p))) {
        FlipJoint(model_.joint(id));
        std::swap(p, s);
      }
      // Two parts per loop, and the rest: each gets an equal share of mass and inertia, since light
      // helper links let loops drift open in many engines. Together they are the link.
      parts[Index(s)] += 2;
    }
    const std::size_t whole = model_.num_links();
    for (const JointId id : loops_) {
      const LinkId s = ends_[Index(id)].second;
      Split(id, s, 1.0 / static_cast<double>(parts[Index(s)]));
    }
    // The link itself is scaled when all its parts have been taken.
    for (std::size_t v = 1; v < whole; ++v) {
      Link& link = model_.link(LinkId{static_cast<std::uint32_t>(v)});
      if (parts[v] == 1 || !link.inertial) continue;
      ForgetComputedInertia(link);
      Scale(*link.inertial, 1.0 / static_cast<double>(parts[v]));
    }
    model_.Reconnect([&](JointId id) { return ends_[Index(id)]; });

    // Parts that are lighter than what the simulator keeps get as much, told as an added inertia.
    std::vector<LinkId> light;
    for (std::size_t v = whole; v < model_.num_links(); ++v) {
      const LinkId id{static_cast<std::uint32_t>(v)};
      if (MassOf(id) < least_.mass) light.push_back(id);
    }
    if (!light.empty()) GiveInertia(model_, light, least_, context_);
  }

 private:
  [[nodiscard]] double MassOf(LinkId id) const {
    const Link& link = model_.link(id);
    return id != kWorld && link.inertial ? link.inertial->mass : 0;
  }
  static void Scale(Inertial& inertial, double share) {
    inertial.mass *= share;
    inertial.I_I *= share;
  }

  LinkId AddPart(const std::string& name, const Joint& loop, LinkId of, double share) {
    Link part;
    part.name = links_.Take(name);
    part.scope = model_.link(of).scope;
    part.gravity = model_.link(of).gravity;
    part.synthetic = true;
    part.where = loop.where;
    if (model_.link(of).inertial) {
      part.inertial = model_.link(of).inertial;
      part.inertial->native.clear();
      Scale(*part.inertial, share);
      // A part's frame is the loop joint's, its inertia that of the whole link, scaled, at the same
      // place.
      RebaseInertial(*part.inertial, loop.X_SM.inverse());
    }
    return model_.AddLink(std::move(part));
  }

  JointId Weld(const std::string& name, const Joint& loop, LinkId p, LinkId s, JointRole role,
               const RigidTransform& X_PF) {
    Joint weld;
    weld.name = joints_.Take(name);
    weld.kind = Fixed{};
    weld.role = role;
    weld.X_PF = X_PF;
    weld.scope = loop.scope;
    weld.where = loop.where;
    ends_.emplace_back(p, s);
    if (role == JointRole::kLoop)
      context_.authored_loops.insert(weld.where.origin);  // no cut is chosen
    return model_.AddJoint(p, s, std::move(weld));
  }

  void Split(JointId id, LinkId s, double share) {
    const Joint loop = model_.joint(id);
    const LinkId p = ends_[Index(id)].first;
    const std::string stem = NameBeside(model_.link(s), loop);
    const LinkId half = AddPart(stem + "_half", loop, s, share),
                 tip = AddPart(stem + "_tip", loop, s, share);
    // Frames of both parts stand where the loop joint stands on its successor (X_SM).
    Weld(model_.link(tip).name + "_joint", loop, s, tip, JointRole::kTree, loop.X_SM);
    Weld(model_.link(half).name + "_weld", loop, tip, half, JointRole::kLoop, {});
    Joint& joint = model_.joint(id);
    std::erase_if(joint.native, [&](const NativeData& data) {
      if (!IsWeldPlugin(data)) return false;
      if (!IsSaidByJoint(data, SubjectOf(loop), context_))
        context_
            .Lose(model_, Feature::kNativeData, SubjectOf(data, SubjectOf(loop)),
                  "its topics are not written", "another weld stands for it")
            .weight = Weight::kInterface;
      return true;
    });
    joint.role = JointRole::kTree;
    joint.X_SM = RigidTransform();
    ends_[Index(id)] = {p, half};
    context_.Lowered(SubjectOf(loop), "leads to '" + model_.link(half).name + "', a part of '" +
                                          model_.link(s).name +
                                          "' that is welded to it when the simulation starts");
  }

  Model& model_;
  const LeastInertia& least_;
  PassContext& context_;
  const std::vector<JointId> loops_;
  UniqueNames links_, joints_;
  std::vector<std::pair<LinkId, LinkId>> ends_;  // by joint
};

}  // namespace

void WeldHalves::operator()(Model& model, PassContext& context) const {
  HalvesWelding(model, least, context).Run();
}

}  // namespace kinemorph
