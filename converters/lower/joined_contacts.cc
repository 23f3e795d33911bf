#include "lower/joined_contacts.h"

#include <algorithm>
#include <set>

#include "edit/model_edit.h"
#include "kinemorph/graph/base/disjoint_sets.h"

namespace kinemorph {
namespace {

// Links held together by fixed tree joints, the world left out.
class RigidGroups {
 public:
  explicit RigidGroups(const Model& model)
      : sets_(model.num_links()), members_(model.num_links()), still_(model.num_links(), false) {
    for (const JointId id : Joints(model)) {
      if (!IsRigid(model.joint(id))) continue;
      const LinkId p = model.predecessor(id), s = model.successor(id);
      if (p != kWorld && s != kWorld) sets_.Unite(Index(p), Index(s));
    }
    for (const LinkId id : Links(model))
      if (!model.link(id).collisions.empty()) members_[sets_.Find(Index(id))].push_back(id);
    for (const JointId id : Joints(model)) {
      if (!IsRigid(model.joint(id))) continue;
      for (const LinkId link : {model.predecessor(id), model.successor(id)})
        if (model.predecessor(id) == kWorld || model.successor(id) == kWorld)
          still_[sets_.Find(Index(link))] = true;
    }
  }
  std::size_t Of(LinkId link) { return sets_.Find(Index(link)); }
  /// Links of the group that collide.
  [[nodiscard]] const std::vector<LinkId>& Members(std::size_t group) const {
    return members_[group];
  }
  /// Fixed to the world.
  [[nodiscard]] bool StandsStill(std::size_t group) const { return still_[group]; }

 private:
  static bool IsRigid(const Joint& joint) {
    return joint.role != JointRole::kLoop && std::holds_alternative<Fixed>(joint.kind);
  }
  DisjointSets sets_;
  std::vector<std::vector<LinkId>> members_;
  std::vector<bool> still_;
};

}  // namespace

void JoinedContacts(Model& model, PassContext& context) {
  const std::vector<Feature>& dropped = context.options.drop;
  if (context.traits.contact_rule != ContactRule::kUnlessParent || model.format == context.traits.native_format ||
      std::find(dropped.begin(), dropped.end(), Feature::kContactExclusion) != dropped.end())
    return;
  std::set<std::pair<LinkId, LinkId>> known;
  for (const ContactExclusion& e : model.contact_exclusions) known.insert(std::minmax(e.a, e.b));
  RigidGroups groups(model);
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (p == kWorld || s == kWorld || std::holds_alternative<Free>(joint.kind)) continue;
    const std::size_t a = groups.Of(p), b = groups.Of(s);
    if (a == b ||
        (joint.role != JointRole::kLoop && !groups.StandsStill(a) && !groups.StandsStill(b)))
      continue;
    std::size_t added = 0;
    for (const LinkId first : groups.Members(a))
      for (const LinkId second : groups.Members(b)) {
        if (!known.insert(std::minmax(first, second)).second) continue;
        model.contact_exclusions.push_back({first, second, joint.where});
        ++added;
      }
    if (added > 0)
      context.Lowered(SubjectOf(joint), "the links it joins do not touch: " +
                                            std::to_string(added) + " contact exclusion(s)");
  }
}

}  // namespace kinemorph
