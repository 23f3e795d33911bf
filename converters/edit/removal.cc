#include "edit/removal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "edit/native_text.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/references.h"

namespace kinemorph {
namespace {

// A joint or a link is never removed alone. Sensors, actuators, couplings, frames, exclusions and
// kept text refer to it by id, and Model::RemoveJoints and RemoveLinks take those with it. The
// receipt is therefore made before: every pass that removes must hand it to Lose, or move things
// elsewhere first. What is in neither is found by the conservation law (plan/accounting.h) as an
// internal error.
using Gone = std::vector<bool>;

// Everything that stands on, or refers to, what goes. `links` may be empty.
std::vector<Removed::Item> Items(const Model& model, const Gone& joints, Gone links) {
  links.resize(model.num_links(), false);
  std::vector<Removed::Item> items;
  const auto native = [&](const std::vector<NativeData>& list, const Subject& owner) {
    for (const NativeData& data : list)
      items.push_back({Feature::kNativeData, SubjectOf(data, owner),
                       ContentText(data) + " is not written", data.idle});
  };
  for (const LinkId id : Links(model))
    if (links[Index(id)]) native(model.link(id).native, SubjectOf(model.link(id)));
  for (const JointId id : Joints(model))
    if (joints[Index(id)]) native(model.joint(id).native, SubjectOf(model.joint(id)));

  // An item goes as soon as one of its ends goes: half a coupling or half an exclusion says
  // nothing.
  const auto on_link = [&](const auto& item) {
    bool gone = false;
    VisitLinks(item, [&](LinkId id, const RigidTransform*) { gone = gone || links[Index(id)]; });
    return gone;
  };
  const auto on_joint = [&](const auto& item) {
    bool gone = false;
    VisitJoints(item, [&](JointId id) { gone = gone || joints[Index(id)]; });
    return gone;
  };
  for (const Sensor& s : model.sensors)
    if (on_joint(s) || on_link(s)) items.push_back({Feature::kSensor, SubjectOf(model, s)});
  for (const Actuator& a : model.actuators)
    if (on_joint(a)) items.push_back({DriveFeature(a), SubjectOf(model, a)});
  for (const Coupling& c : model.couplings)
    if (on_joint(c) || on_link(c)) items.push_back({CouplingFeature(c), SubjectOf(model, c)});
  for (const Frame& f : model.frames)
    if (on_link(f)) items.push_back({Feature::kFrame, SubjectOf(f)});
  for (const ContactExclusion& e : model.contact_exclusions)
    if (on_link(e)) items.push_back({Feature::kContactExclusion, SubjectOf(model, e)});
  return items;
}

}  // namespace

Removed TakeJoints(Model& model, const std::function<bool(JointId)>& remove) {
  Gone gone(model.num_joints(), false);
  for (const JointId id : Joints(model)) gone[Index(id)] = remove(id);
  Removed removed;
  removed.items = Items(model, gone, {});
  removed.joints = model.RemoveJoints([&](JointId id) { return gone[Index(id)]; });
  return removed;
}

Removed TakeLinks(Model& model, const std::function<bool(LinkId)>& remove) {
  Gone gone(model.num_links(), false), joints(model.num_joints(), false);
  for (const LinkId id : Links(model)) gone[Index(id)] = remove(id);

  // An edge of the graph needs both ends, so that joints go with either link, and are on the same
  // receipt. Joints go first: their native text must be read while they are there.
  for (const JointId id : Joints(model))
    joints[Index(id)] = gone[Index(model.predecessor(id))] || gone[Index(model.successor(id))];
  Removed removed;
  removed.items = Items(model, joints, gone);
  removed.joints = model.RemoveJoints([&](JointId id) { return joints[Index(id)]; });
  removed.links = model.RemoveLinks([&](LinkId id) { return gone[Index(id)]; });
  return removed;
}

void Lose(const Model& model, const Removed& removed, const std::string& why,
          PassContext& context) {
  for (const Removed::Item& item : removed.items)
    if (item.idle)
      context.Lowered(item.subject, item.what + ": without effect");
    else
      context.Lose(model, item.feature, item.subject, item.what, why);
}

std::vector<LinkId> MergeLinks(Model& model, const std::vector<Merger>& mergers,
                               const std::string& why, PassContext& context) {
  if (context.Lost(Feature::kCollision)) return MergeLinks(model, mergers);
  constexpr std::size_t kMost = 1000;
  const Contacts wanted(model);
  std::vector<Subject> links;
  for (std::uint32_t v = 0; v < model.num_links(); ++v)  // the world too
    links.push_back(SubjectOf(model.link(LinkId{v})));
  std::vector<LinkId> now = MergeLinks(model, mergers);
  const ContactDifferences left = wanted.Compare(Contacts(model), now, kMost);
  const auto tell = [&](const std::vector<LinkPair>& pairs, const std::string& what) {
    for (const auto& [a, b] : pairs)
      if (now[Index(a)] != now[Index(b)])  // a joint that is gone already held them together
        context
            .Lose(model, Feature::kSelfCollision, links[Index(a)],
                  what + "'" + links[Index(b)].name + "'", why)
            .others = {links[Index(b)].name};
  };
  tell(left.only_a, "no longer collides with ");
  tell(left.only_b, "may collide with ");
  if (!left.all)
    context.Lose(model, Feature::kSelfCollision, SubjectOf(model),
                 "too many pairs of links collide differently to list them", "");
  return now;
}

void Became(const Subject& subject, const std::string& what, std::vector<Subject> into,
            PassContext& context) {
  context.Lowered(subject, what);
  // Accounting reads the pieces from `into`: an element of the source that was split has several
  // heirs.
  context.report.lowerings.back().into = std::move(into);
}

bool IsSaidByJoint(const NativeData& data, const Subject& owner, PassContext& context) {
  if (!SaysOnlyWeld(data)) return false;
  context.Lowered(SubjectOf(data, owner), "a joint that is there from the start");
  // The target has a joint of the loop's own for what a DetachableJoint plugin of gz sim welds at
  // run time.
  return true;
}

void LoseOffsets(Model& model, JointId id, const std::string& what, const std::string& why,
                 PassContext& context) {
  for (JointAxis& axis : model.joint(id).axes) {
    if (axis.position_offset == 0) continue;
    context
        .Lose(model, Feature::kPositionOffset, SubjectOf(model.joint(id)),
              what + " has no zero for its coordinate", why)
        .source = FormatNumber(axis.position_offset);
    axis.position_offset = 0;
  }
}

void TellLostNumber(const Model& model, const Joint& joint, std::size_t axis,
                    const NumberField<JointAxis>& field, const std::string& why,
                    PassContext& context, const std::string& of) {
  // In the unit of the joint (per rad or per m), as the report has a number and its unit for
  // people, and as `source` for those who compare.
  if (const auto said = Said(joint.axes[axis], field)) {
    const std::string text = WithUnit(*said, field.units, IsAngular(joint.kind, axis));
    context
        .Lose(model, field.feature, SubjectOf(joint),
              std::string(field.words) + " " + text + of + " is not written", why)
        .source = text;
  }
}

void LoseNumber(const Model& model, Joint& joint, std::size_t axis,
                const NumberField<JointAxis>& field, const std::string& why, PassContext& context,
                const std::string& of) {
  TellLostNumber(model, joint, axis, field, why, context, of);
  (joint.axes[axis].*field.member).reset();
}

void LoseAxisData(const Model& model, const Joint& loop, PassContext& context,
                  const std::string& why) {
  const std::string said = AxesText(loop);
  if (said.empty()) return;
  context
      .Lose(model, Feature::kLoopAxisData, SubjectOf(loop),
            "limits and dynamics of the loop joint are not written: " + said, why)
      .source = said;
}

void MoveJointContent(Model& model, JointId from, JointId to) {
  for (Sensor& sensor : model.sensors)
    if (sensor.joint == from) sensor.joint = to;
  for (Actuator& actuator : model.actuators)
    if (actuator.joint == from) actuator.joint = to;
  std::vector<NativeData>& native = model.joint(from).native;
  std::move(native.begin(), native.end(), std::back_inserter(model.joint(to).native));
  native.clear();
}

}  // namespace kinemorph
