#include "verify/attachments.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/checks/contacts.h"

namespace kinemorph::verify {
namespace {

// Which links hang together, whatever their joints are: a joint that went leaves all poses at zero
// as they were, and links that both float would stand alike. Parts are sets of links that anything
// but a free joint joins, a coupling too. Two links of one part on one side must be of one part on
// the other, and the world must hold the part on both sides or on neither.

// How a part hangs on the world, as far as the file says.
enum class Hold { kUnsaid, kFree, kHeld };

struct Parts {
  std::vector<std::size_t> of;  // by link: the part it belongs to
  // The same without the links of a base that only this side has: the other calls them the world.
  std::vector<std::size_t> without_base;
  std::map<std::size_t, Hold> hold;
};

// Of each joint, whether it joins nothing: it is free, or one of the row that a free joint of the
// other side became, through links that only this side has.
std::vector<bool> FreeJoints(const Side& side, const Side& there,
                             const std::vector<LinkId>& other) {
  const Model& model = side.model;
  std::vector<bool> free(model.num_joints(), false);
  std::set<std::pair<LinkId, LinkId>> ends;  // of the free joints there
  for (const JointId id : Joints(there.model))
    if (std::holds_alternative<Free>(there.model.joint(id).kind))
      ends.emplace(there.model.predecessor(id), there.model.successor(id));
  std::vector<std::vector<JointId>> at(model.num_links());
  for (const JointId id : Joints(model))
    for (const LinkId link : {model.predecessor(id), model.successor(id)})
      at[Index(link)].push_back(id);
  const auto is_inner = [&](LinkId link) {
    return link != kWorld && other[Index(link)] == kNoLink && at[Index(link)].size() == 2;
  };
  const auto counterpart = [&](LinkId link) {
    return link == side.world_link ? kWorld : other[Index(link)];
  };
  for (const JointId first : Joints(model)) {
    free[Index(first)] =
        free[Index(first)] || std::holds_alternative<Free>(model.joint(first).kind);
    if (ends.empty() || is_inner(model.predecessor(first))) continue;
    // A free joint of the other side may be split here: up to six joints through links of this side
    // alone, with six velocities in all, between the two links that it is between.
    std::vector<JointId> row{first};
    int velocities = NumVelocities(model.joint(first).kind);
    LinkId link = model.successor(first);
    while (is_inner(link) && row.size() < 6) {
      const JointId next = at[Index(link)][at[Index(link)].front() == row.back() ? 1 : 0];
      row.push_back(next);
      velocities += NumVelocities(model.joint(next).kind);
      link = model.predecessor(next) == link ? model.successor(next) : model.predecessor(next);
    }
    const bool same = ends.contains({counterpart(model.predecessor(first)), counterpart(link)});
    if (row.size() < 2 || velocities < 6 || !same) continue;
    for (const JointId id : row) free[Index(id)] = true;
  }
  return free;
}

Parts PartsOf(const Side& side, const Side& there, const std::vector<LinkId>& other,
              const std::vector<int>& group) {
  const Model& model = side.model;
  const auto is_world = [&](LinkId id) {
    return id == kWorld || id == side.world_link || other[Index(id)] == kWorld;
  };
  const auto is_base = [&](LinkId id) {
    return other[Index(id)] == kNoLink && group[U(side.m.body_of[Index(id)])] == 0;
  };
  const std::vector<bool> free = FreeJoints(side, there, other);
  const Contacts rigid(model, model.contact_rule, false);
  DisjointSets all(model.num_links()), rest(model.num_links());
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    // Where fixed joints of the tree hold both links, on the world too, a loop joint holds nothing.
    const bool idle =
        model.joint(id).role == JointRole::kLoop && rigid.GroupOf(p) == rigid.GroupOf(s);
    if (is_world(p) || is_world(s) || free[Index(id)] || idle) continue;
    all.Unite(Index(p), Index(s));
    if (!is_base(p) && !is_base(s)) rest.Unite(Index(p), Index(s));
  }
  // A coupling joins what moves by it: the other side may have a loop there.
  for (const Coupling& coupling : model.couplings) {
    LinkId first = kNoLink;
    for (const CouplingTerm& term : coupling.terms) {
      const LinkId moved = model.successor(term.coordinate.joint);
      if (is_world(moved)) continue;
      if (first != kNoLink)
        all.Unite(Index(first), Index(moved)), rest.Unite(Index(first), Index(moved));
      first = moved;
    }
  }
  Parts parts;
  for (std::size_t i = 0; i < model.num_links(); ++i)
    parts.of.push_back(all.Find(i)), parts.without_base.push_back(rest.Find(i));
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (is_world(p) == is_world(s) && !free[Index(id)]) continue;
    Hold& hold = parts.hold[parts.of[Index(is_world(s) ? p : s)]];
    hold = std::max(hold, free[Index(id)] ? Hold::kFree : Hold::kHeld);
  }
  return parts;
}

Hold HoldOf(const Parts& parts, std::size_t part) {
  const auto found = parts.hold.find(part);
  return found == parts.hold.end() ? Hold::kUnsaid : found->second;
}

}  // namespace

void CompareAttachments(const Side& a, const Side& b, const Correspondence& match,
                        const RigidGroups& groups, std::vector<Worst>& checks) {
  Worst check("connected parts", 0);
  const Parts in_a = PartsOf(a, b, match.b_of_a, groups.a.group),
              in_b = PartsOf(b, a, match.a_of_b, groups.b.group);
  // Of the links that are one part on one side, the first, by link of that side.
  std::map<std::size_t, std::pair<LinkId, LinkId>> first_a, first_b;
  const auto compare = [&](auto& first, const Parts& here, const Parts& there, LinkId link,
                           LinkId other, const char* side) {
    // Each link against the first one of its part: being joined is transitive.
    const auto [known, fresh] = first.try_emplace(here.of[Index(link)], link, other);
    const std::string &name = (&here == &in_a ? a : b).model.link(link).name,
                      &joined = (&here == &in_a ? a : b).model.link(known->second.first).name;
    const std::size_t part = there.of[Index(other)], with = there.of[Index(known->second.second)];
    // A base that only one side has (a root link fixed to the world) joins parts that the other
    // side holds to the world one by one.
    const bool by_base =
        here.without_base[Index(link)] != here.without_base[Index(known->second.first)];
    const bool held = HoldOf(there, part) == Hold::kHeld && HoldOf(there, with) == Hold::kHeld;
    if (fresh || part == with || (by_base && held)) return check.Add(0, name);
    check.Miss(name, "is joined to '" + joined + "' in " + side + " only");
  };
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || id == a.world_link || a.model.link(id).synthetic)
      continue;
    compare(first_a, in_a, in_b, id, other, "A");
    compare(first_b, in_b, in_a, other, id, "B");
    const Hold x = HoldOf(in_a, in_a.of[Index(id)]), y = HoldOf(in_b, in_b.of[Index(other)]);
    if (x == y || x == Hold::kUnsaid || y == Hold::kUnsaid) continue;
    check.Miss(a.model.link(id).name, std::string("is connected to the world in ") +
                                          (x == Hold::kHeld ? "A" : "B") + " only");
  }
  if (check.made()) checks.push_back(check);
}

}  // namespace kinemorph::verify
