// Pass `joined_contacts`: links that a joint keeps from touching, where the target has no such joint.
#include <map>
#include <set>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/checks/contacts.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// Groups of links cannot name the world. Its own shapes will be those of a link (WorldContent), but
// not those of a link that stands for it.
void LosePairsWithWorld(Model& model, const Contacts& wanted, PassContext& context) {
  std::erase_if(model.contact_exclusions, [&](const ContactExclusion& pair) {
    const bool first = IsWorld(model, pair.a);
    if (!first && !IsWorld(model, pair.b)) return false;
    const LinkId link = first ? pair.b : pair.a, world = first ? pair.a : pair.b;
    const bool apart = wanted.HasShapes(world) && wanted.HasShapes(link);
    if (apart && world == kWorld) return false;
    if (apart)
      context.Lose(model, Feature::kContactExclusion, SubjectOf(model, pair),
                   "link '" + model.link(link).name + "' touches the world",
                   "groups of links in the target cannot name the world");
    else
      Became(SubjectOf(model, pair), "keeps nothing apart: one of the two has no shapes", {},
             context);
    return true;
  });
}

// What masks keep from the world's shapes has to be said: they will be those of another link. Where
// joints keep links apart, nothing is said of those that hang on the world.
void AddPairsWithWorld(Model& model, const Contacts& wanted, PassContext& context) {
  if (model.link(kWorld).collisions.empty()) return;
  std::set<LinkId> left_out;
  for (const ContactExclusion& pair : model.contact_exclusions)
    if (pair.a == kWorld || pair.b == kWorld) left_out.insert(pair.a == kWorld ? pair.b : pair.a);
  if (model.contact_rule == ContactRule::kUnlessJoined)
    for (const JointId id : Joints(model))
      if (model.predecessor(id) == kWorld || model.successor(id) == kWorld)
        left_out.insert({model.predecessor(id), model.successor(id)});
  for (const LinkId id : Links(model)) {
    const Link& link = model.link(id);
    if (link.collisions.empty() || left_out.contains(id) || wanted.Collide(kWorld, id) ||
        wanted.GroupOf(id) == wanted.GroupOf(kWorld))
      continue;
    model.contact_exclusions.push_back({kWorld, id, link.where});
    context.Lowered(SubjectOf(link), "it is excluded from touching the world");
  }
}

}  // namespace

// An engine filters what its joints join, and what is welded in its tree. Where a loop is a
// constraint, and a joint of several coordinates a chain through links without shapes, the pair has
// to be said.
void JoinedContacts(Model& model, PassContext& context) {
  if (context.Lost(Feature::kCollision)) return;
  const Contacts wanted(model, model.contact_rule, false);
  LosePairsWithWorld(model, wanted, context);
  AddPairsWithWorld(model, wanted, context);
  const SpanningTree tree = TreeOf(model);
  std::map<LinkPair, std::size_t> said;
  for (std::size_t i = 0; i < model.contact_exclusions.size(); ++i)
    said.emplace(std::minmax(model.contact_exclusions[i].a, model.contact_exclusions[i].b), i);
  // The link, or the next one towards the base that has shapes.
  std::vector<LinkId> with_shapes(model.num_links(), kWorld);
  for (const LinkId link : tree.order)
    if (link != kWorld)
      with_shapes[Index(link)] =
          wanted.HasShapes(link) ? link : with_shapes[Index(tree.parent[Index(link)])];
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    const bool loop = joint.role == JointRole::kLoop;
    const LinkId a = with_shapes[Index(model.predecessor(id))],
                 b = with_shapes[Index(model.successor(id))];
    const bool joins = !loop && context.Native(TreeFeature(joint)) && a == model.predecessor(id);
    if (joins || a == b || a == kWorld || b == kWorld || wanted.Collide(a, b)) continue;
    if (!loop && wanted.GroupOf(a) == wanted.GroupOf(b)) continue;
    const auto [known, fresh] = said.emplace(std::minmax(a, b), model.contact_exclusions.size());
    if (fresh) model.contact_exclusions.push_back({a, b, {}});
    // With a place it stays, whatever words of models say of self-collision: Drake reads none.
    SourceLocation& where = model.contact_exclusions[known->second].where;
    if (where == SourceLocation()) where = model.link(b).where;
    if (!fresh) continue;
    context.Lowered(SubjectOf(joint), "the links that it joins are excluded from touching");
  }
}

}  // namespace kinemorph
