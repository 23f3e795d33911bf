// Zero configuration of the text to be written: where every link is, and joints turned the way
// SDFormat wants them.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/model_dump.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "write/plan.h"

namespace kinemorph::sdformat {

// SDFormat has no joint frame on the parent: poses of links at zero say it. So links are placed
// first, along tree joints; then each joint is turned so that the world is not its child, and each
// loop is checked against the poses that the tree gave.

namespace {

constexpr double kClosed =
    1e-6;  // metres and radians; a loop that is open by more is not what would be written

// The same joint seen from the other side: X_SP(q) = X_SM X_FM(q)^-1 X_PF^-1.
JointKind Reversed(const JointKind& kind) {
  return std::visit(
      Overloaded{[](const Revolute& k) -> JointKind { return Revolute{-k.axis}; },
                 [](const Prismatic& k) -> JointKind { return Prismatic{-k.axis}; },
                 [](const Screw& k) -> JointKind {
                   return Screw{-k.axis, k.pitch};
                 },
                 [](const Universal& k) -> JointKind {
                   return Universal{-k.axis2, -k.axis1};
                 },
                 [](const Cylindrical& k) -> JointKind { return Cylindrical{-k.axis}; },
                 [](const auto& k) -> JointKind { return k; }},
      kind);
}

}  // namespace

// Breadth first from the world, then from every link that is not reached; loop joints place
// nothing.
void WritePlan::PlaceLinks() {
  const std::size_t n = model_.num_links();
  X_W_.resize(n);
  parent_.assign(n, kNoLink);
  up_.assign(n, kNoJoint);
  depth_.assign(n, 0);
  std::vector<char> placed(n, 0);
  std::vector<std::vector<JointId>> incident(n);
  for (const JointId id : Joints(model_)) {
    if (model_.joint(id).role == JointRole::kLoop) continue;
    incident[Index(model_.predecessor(id))].push_back(id);
    incident[Index(model_.successor(id))].push_back(id);
  }
  std::vector<LinkId> queue;
  for (std::size_t root = 0; root < n; ++root) {
    if (placed[root]) continue;
    placed[root] = 1;
    queue.assign(1, LinkId{static_cast<std::uint32_t>(root)});
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const LinkId at = queue[i];
      for (const JointId id : incident[Index(at)]) {
        const bool forward = model_.predecessor(id) == at;
        const LinkId next = forward ? model_.successor(id) : model_.predecessor(id);
        if (placed[Index(next)]) continue;
        const RigidTransform X_PS = PoseAtZero(model_.joint(id));
        X_W_[Index(next)] = X_W_[Index(at)] * (forward ? X_PS : X_PS.inverse());
        // The world is no link that a pose could be relative to.
        if (at != kWorld) parent_[Index(next)] = at;
        up_[Index(next)] = id;
        depth_[Index(next)] = depth_[Index(at)] + 1;
        placed[Index(next)] = 1;
        queue.push_back(next);
      }
    }
  }
}

RigidTransform WritePlan::PoseInParent(LinkId link) const {
  const JointId id = up_[Index(link)];
  const RigidTransform X_PS = PoseAtZero(model_.joint(id));
  return model_.successor(id) == link ? X_PS : X_PS.inverse();
}

// Of joints that turn, for the angles of gearboxes; fixed joints and slides add nothing.
std::map<std::uint32_t, double> WritePlan::Way(LinkId from, LinkId to) const {
  std::map<std::uint32_t, double> way;
  const auto step = [&](LinkId& at, double sign) {
    const JointId id = up_[Index(at)];
    if (id == kNoJoint) return false;
    const bool forward = model_.successor(id) == at;
    if (!std::holds_alternative<Fixed>(model_.joint(id).kind) &&
        !std::holds_alternative<Prismatic>(model_.joint(id).kind) &&
        !AxesOf(model_.joint(id).kind).empty()) {
      way[static_cast<std::uint32_t>(Index(id))] = forward ? sign : -sign;
    }
    at = forward ? model_.predecessor(id) : model_.successor(id);
    return true;
  };
  while (from != to) {
    const bool stepped = depth_[Index(to)] >= depth_[Index(from)] ? step(to, 1) : step(from, -1);
    if (!stepped) return {};
  }
  return way;
}

// Its links are held by fixed joints up to the world: then a frame of the world may be written in
// the model.
bool WritePlan::HoldsStill(int scope) const {
  const PlannedScope& planned = scopes_[static_cast<std::size_t>(scope)];
  if (planned.id != kNoScope && model_.scopes[Index(planned.id)].is_static) return true;
  std::optional<LinkId> link =
      planned.id == kNoScope ? std::nullopt : model_.scopes[Index(planned.id)].canonical_link;
  if (!link && !planned.links.empty()) link = planned.links.front();
  if (!link) return false;
  for (LinkId at = *link; at != kWorld;) {
    const JointId id = up_[Index(at)];
    if (id == kNoJoint || !std::holds_alternative<Fixed>(model_.joint(id).kind)) return false;
    at = model_.successor(id) == at ? model_.predecessor(id) : model_.successor(id);
  }
  return true;
}

void WritePlan::PlanJoints() {
  written_.resize(model_.num_joints());
  for (const JointId id : Joints(model_)) PlanJoint(id);
}

void WritePlan::PlanJoint(JointId id) {
  const Joint& joint = model_.joint(id);
  WrittenJoint& written = written_[Index(id)];
  written = {
      model_.predecessor(id), model_.successor(id), joint.X_PF, joint.X_SM, joint.kind, joint.axes};
  if (std::holds_alternative<Free>(joint.kind) && written.parent == kWorld) return;
  if (std::holds_alternative<Planar>(joint.kind) ||
      std::holds_alternative<Cylindrical>(joint.kind) || std::holds_alternative<Free>(joint.kind)) {
    Refuse(joint.where, {"joint", joint.name,
                         "SDFormat has no " + std::string(KindName(joint.kind)) + " joint"});
    return;
  }
  if (IsDrakeLoop(id)) return;    // its points are given on both links
  if (written.child == kWorld) {  // the world may only be a parent
    written.exchanged = true;
    std::swap(written.parent, written.child);
    std::swap(written.X_PF, written.X_SM);
    written.kind = Reversed(written.kind);
    std::reverse(written.axes.begin(), written.axes.end());
  }
  CheckClosed(joint, written);
}

// SDFormat derives X_PF from the poses at zero, so a loop must be closed there; coordinates that are
// not zero then count from there.
void WritePlan::CheckClosed(const Joint& joint, WrittenJoint& written) {
  const RigidTransform X_FM =
      (PoseOf(written.parent) * written.X_PF).inverse() * PoseOf(written.child) * written.X_SM;
  if (X_FM.IsNearIdentity(1e-12)) return;
  std::array<double, 7> q{};
  PositionFromTransform(written.kind, X_FM, q.data());
  const RigidTransform made = JointTransform(written.kind, q.data());
  const double gap =
      std::max((X_FM.p - made.p).norm(), Eigen::AngleAxisd(made.R.transpose() * X_FM.R).angle());
  // Far away the last digit of a place is larger.
  const double far = std::max({PoseOf(written.parent).p.norm(), PoseOf(written.child).p.norm(),
                               written.X_PF.p.norm(), written.X_SM.p.norm()});
  if (gap > kClosed + 1e-15 * far) {
    Refuse(joint.where,
           {"joint", joint.name,
            " closes a loop that is open by " + FormatNumber(gap) +
                " at the zero configuration; SDFormat can only say loops that are closed there"});
  }
  if (auto* universal = std::get_if<Universal>(&written.kind))
    universal->axis1 = X_FM.R.transpose() * universal->axis1;
  for (std::size_t i = 0; i < AxesOf(written.kind).size(); ++i) {
    if (std::abs(q[i]) <= 1e-12) continue;
    written.zero[i] = q[i];
    if (i < written.axes.size()) CountFrom(q[i], written.axes[i]);
  }
}

}  // namespace kinemorph::sdformat
