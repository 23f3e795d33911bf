// Pass `joined_contacts`: links that a joint keeps from touching, where the target has no such joint.
#include <set>

#include "kinemorph/graph/checks/contacts.h"
#include "lower/passes.h"

namespace kinemorph {

// An engine filters what its joints join. Where a loop is a constraint, and a joint of several
// coordinates a chain through links without shapes, the pair has to be said.
void JoinedContacts(Model& model, PassContext& context) {
  if (context.Lost(Feature::kCollision)) return;
  const Contacts wanted(model);
  std::set<LinkPair> said;
  for (const ContactExclusion& pair : model.contact_exclusions)
    said.insert(std::minmax(pair.a, pair.b));
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    const LinkId a = model.predecessor(id), b = model.successor(id);
    const bool joins = joint.role != JointRole::kLoop && context.Native(TreeFeature(joint));
    const bool touch = !wanted.HasShapes(a) || !wanted.HasShapes(b) || wanted.Collide(a, b);
    if (joins || touch || a == kWorld || b == kWorld || wanted.GroupOf(a) == wanted.GroupOf(b))
      continue;
    if (!said.insert(std::minmax(a, b)).second) continue;
    model.contact_exclusions.push_back({a, b, {}});
    context.Lowered(SubjectOf(joint), "the links that it joins are excluded from touching");
  }
}

}  // namespace kinemorph
