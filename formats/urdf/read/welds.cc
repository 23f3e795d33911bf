// Loops as gz sim has them in URDF: a joint to a part of a link, and a plugin that welds the part to
// the rest of it when the simulation starts.
#include <algorithm>

#include "detachable.h"
#include "lumping.h"
#include "read/reader.h"

namespace kinemorph::urdf_format {

// A weld within this robot that nobody is told how to undo; any other plugin is kept as text.
bool RobotReader::ReadWeld(const xml::Element& plugin) {
  const std::string name(plugin.Attribute("name", ""));
  if (name != xml::kDetachable && name != "ignition::gazebo::systems::DetachableJoint")
    return false;
  std::string tip, half, model;
  for (const xml::Element child : plugin.Children()) {
    std::string* const word = child.name() == "parent_link"   ? &tip
                              : child.name() == "child_link"  ? &half
                              : child.name() == "child_model" ? &model
                                                              : nullptr;
    if (word == nullptr && !(child.name().ends_with("_topic") && xml::IsWeldTopic(child.Text())))
      return false;
    if (word != nullptr) *word = child.Text();
  }
  const LinkId *const T = links_.Find(tip), *const H = links_.Find(half);
  if (T == nullptr || H == nullptr || *T == *H || (model != model_.name && model != xml::kOwnModel))
    return false;
  plugin.ConsumeAll();
  welds_.push_back({*T, *H, plugin});
  return true;
}

void RobotReader::JoinHalves() {
  if (welds_.empty()) return;
  X_WL_ = ZeroPoses(model_, tree_);
  std::vector<bool> joined(model_.num_links(), false);
  for (const Weld& weld : welds_) {
    // That the links to be welded must be there goes without saying.
    for (const LinkId end : {weld.tip, weld.half})
      if (const JointId up = joint_to_[Index(end)]; up != kNoJoint)
        std::erase_if(model_.joint(up).native, [](const NativeData& data) {
          return data.element == "gazebo" && data.content.children.size() == 1 &&
                 data.content.Child(kPreserve) != nullptr;
        });
    joined[Index(weld.half)] = JoinHalf(weld.tip, weld.half, weld.plugin);
  }
  static_cast<void>(model_.RemoveLinks([&](LinkId id) { return joined[Index(id)]; }));
}

// A part at the end of the tree is one with the link that it is welded to, and the joint that leads
// to it closes the loop; else the weld itself is the loop joint. Whether the part is to go.
bool RobotReader::JoinHalf(LinkId tip, LinkId half, const xml::Element& plugin) {
  const JointId up = joint_to_[Index(half)];
  Link& part = model_.link(half);
  bool leaf = up != kNoJoint && part.visuals.empty() && part.collisions.empty() &&
              part.native.empty() && model_.predecessor(up) != tip;
  for (const JointId id : Joints(model_))
    leaf = leaf && (id == up || (model_.predecessor(id) != half && model_.successor(id) != half));
  for (const Sensor& sensor : model_.sensors) leaf = leaf && sensor.link != half;
  for (const Actuator& actuator : model_.actuators) leaf = leaf && actuator.joint != up;
  for (const Coupling& coupling : model_.couplings)
    for (const CouplingTerm& term : coupling.terms) leaf = leaf && term.coordinate.joint != up;
  const RigidTransform X_TH = X_WL_[Index(tip)].inverse() * X_WL_[Index(half)];
  if (!leaf) {
    Joint weld;
    weld.name = UnusedName(part.name + "_weld");
    weld.kind = Fixed{};
    weld.native_type = "fixed";
    weld.role = JointRole::kLoop;
    weld.X_PF = X_TH;
    weld.scope = ScopeId{0};
    weld.where = plugin.where();
    model_.AddJoint(tip, half, std::move(weld));
    return false;
  }
  Joint& joint = model_.joint(up);
  joint.role = JointRole::kLoop;
  joint.X_SM = X_TH.IsNearIdentity(1e-12) ? joint.X_SM : X_TH * joint.X_SM;
  if (part.inertial) {
    std::optional<Inertial>& inertial = model_.link(tip).inertial;
    if (!inertial) inertial.emplace();
    Inertial moved = *part.inertial;
    moved.X_LI = X_TH * moved.X_LI;
    const SpatialInertia sum =
        inertial->mass > 0 ? inertial->InLink() + moved.InLink() : moved.InLink();
    inertial->mass = sum.mass;
    inertial->X_LI = RigidTransform::Translation(sum.p_BoBcm);
    inertial->I_I = sum.I_BBcm;
  }
  model_.Reconnect([&](JointId id) {
    return id == up ? std::pair(model_.predecessor(id), tip)
                    : std::pair(model_.predecessor(id), model_.successor(id));
  });
  return true;
}

}  // namespace kinemorph::urdf_format
