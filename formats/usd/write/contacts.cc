// What collides with what, in the words of UsdPhysics: the articulation with itself or not, and
// filtered pairs.
#include "kinemorph/graph/checks/contacts.h"

#include <algorithm>

#include "write/writer.h"

namespace kinemorph::usd {
namespace {

bool Meet(const Collision& a, const Collision& b) {
  const ContactMask x = a.contact_mask.value_or(ContactMask{}),
                    y = b.contact_mask.value_or(ContactMask{});
  return (x.type & y.affinity) != 0 || (y.type & x.affinity) != 0;
}

}  // namespace

// A simulator lets all bodies collide that no joint joins, unless the articulation is told not to;
// a joint can be told that its bodies do.
void UsdWriter::FindContacts() {
  const Contacts contacts(model_);
  std::vector<LinkId> solid;
  for (std::uint32_t i = 0; i < model_.num_links(); ++i)
    if (!model_.link(LinkId{i}).collisions.empty()) solid.push_back(LinkId{i});
  const std::vector<LinkPair> pairs = contacts.Pairs();
  // If no two links of the robot touch each other, the articulation's switch says it for all pairs;
  // only pairs with the world are left to filter.
  const std::set<LinkPair> collide(pairs.begin(), pairs.end());
  self_collision_ = std::any_of(pairs.begin(), pairs.end(),
                                [](const LinkPair& pair) { return pair.first != kWorld; });
  std::set<LinkPair> joined;
  for (const JointId id : Joints(model_)) {
    const LinkPair pair = std::minmax(model_.predecessor(id), model_.successor(id));
    const bool free = std::holds_alternative<Free>(model_.joint(id).kind);
    if (!free && pair.first != kWorld) joined.insert(pair);
    joined_collide_[Index(id)] = !free && pair.first != kWorld && collide.contains(pair);
  }
  const auto path = [&](LinkId id) { return robot_ + "/" + link_names_[Index(id)]; };
  // What an author excludes is said even where nothing could touch.
  std::set<LinkPair> said;
  const auto stands = [&](LinkId id) {
    return id != kWorld || !model_.link(id).visuals.empty() ||
           !model_.link(id).collisions.empty() || !frames_of_[0].empty();
  };
  for (const ContactExclusion& e : model_.contact_exclusions)
    if (!(e.where == SourceLocation()) && e.a != e.b && stands(e.a) && stands(e.b) &&
        said.insert(std::minmax(e.a, e.b)).second)
      Exclude(path(e.a), path(e.b));
  // Pairs of bodies first; where two bodies may meet, pairs of their shapes that their masks keep
  // apart.
  for (std::size_t i = 0; i < solid.size(); ++i) {
    for (std::size_t k = i + 1; k < solid.size(); ++k) {
      const LinkId a = solid[i], b = solid[k];
      // The articulation says it.
      const bool alone =
          !self_collision_ && a != kWorld && tree_of_[Index(a)] == tree_of_[Index(b)];
      if (!collide.contains({a, b})) {
        if (!alone && !joined.contains({a, b}) && !said.contains({a, b}) &&
            contacts.GroupOf(a) != contacts.GroupOf(b))
          Exclude(path(a), path(b));
        continue;
      }
      const std::vector<Collision>&x = model_.link(a).collisions, &y = model_.link(b).collisions;
      const auto meets = [&](const Collision& one) {
        return std::any_of(y.begin(), y.end(), [&](const Collision& c) { return Meet(one, c); });
      };
      if (std::none_of(x.begin(), x.end(), meets)) continue;  // a pair of the author, masks or not
      for (std::size_t m = 0; m < x.size(); ++m)
        for (std::size_t n = 0; n < y.size(); ++n)
          if (!Meet(x[m], y[n]))
            Exclude(path(a) + "/" + shape_names_[Index(a)][m],
                    path(b) + "/" + shape_names_[Index(b)][n]);
    }
  }
}

void UsdWriter::WriteFilter(const std::string& prim) {
  if (const auto found = filtered_.find(prim); found != filtered_.end())
    out_.Relate("physics:filteredPairs", found->second);
}

}  // namespace kinemorph::usd
