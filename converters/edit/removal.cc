#include "edit/removal.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kinemorph {
namespace {

using Gone = std::vector<bool>;

bool Has(const Gone& gone, JointId id) { return id != kNoJoint && gone[Index(id)]; }
bool Has(const Gone& gone, LinkId id) { return id != kNoLink && gone[Index(id)]; }

// Everything that stands on, or refers to, what goes. `links` may be empty.
std::vector<Removed::Item> Items(const Model& model, const Gone& joints, Gone links) {
  links.resize(model.num_links(), false);
  std::vector<Removed::Item> items;
  const auto native = [&](const std::vector<NativeData>& list, const Subject& owner) {
    for (const NativeData& data : list)
      items.push_back({Feature::kNativeData, SubjectOf(data, owner)});
  };
  for (const LinkId id : Links(model))
    if (links[Index(id)]) native(model.link(id).native, SubjectOf(model.link(id)));
  for (const JointId id : Joints(model))
    if (joints[Index(id)]) native(model.joint(id).native, SubjectOf(model.joint(id)));
  for (const Sensor& s : model.sensors)
    if (Has(joints, s.joint) || Has(links, s.link))
      items.push_back({Feature::kSensor, SubjectOf(model, s)});
  for (const Actuator& a : model.actuators)
    if (Has(joints, a.joint)) items.push_back({Feature::kActuator, SubjectOf(model, a)});
  for (const Coupling& c : model.couplings) {
    const bool by_term = std::any_of(c.terms.begin(), c.terms.end(), [&](const CouplingTerm& t) {
      return Has(joints, t.coordinate.joint);
    });
    if (by_term || Has(links, c.predecessor) || Has(links, c.successor) || Has(links, c.reference))
      items.push_back({CouplingFeature(c), SubjectOf(model, c)});
  }
  for (const Frame& f : model.frames)
    if (Has(links, f.link)) items.push_back({Feature::kFrame, SubjectOf(f)});
  for (const ContactExclusion& e : model.contact_exclusions)
    if (Has(links, e.a) || Has(links, e.b))
      items.push_back({Feature::kContactExclusion, SubjectOf(model, e)});
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
  for (const JointId id : Joints(model))
    joints[Index(id)] = Has(gone, model.predecessor(id)) || Has(gone, model.successor(id));
  Removed removed;
  removed.items = Items(model, joints, gone);
  removed.joints = model.RemoveJoints([&](JointId id) { return joints[Index(id)]; });
  removed.links = model.RemoveLinks([&](LinkId id) { return gone[Index(id)]; });
  return removed;
}

void Lose(const Model& model, const Removed& removed, const std::string& why,
          PassContext& context) {
  for (const Removed::Item& item : removed.items)
    context.Lose(model, item.feature, item.subject, "not written", why);
}

void Became(const Subject& subject, const std::string& what, std::vector<std::string> into,
            PassContext& context) {
  context.Lowered(subject, what);
  context.report.lowerings.back().into = std::move(into);
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
