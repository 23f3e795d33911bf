// Links of one class (outermost model, self-collision, masks) touch the same others, so that rules
// are asked once for two classes, never for two links, and masks once for two sets of them, of
// which there are few however many models a world has. Beside that there are exceptions: groups
// that cannot move against each other, parents (MJCF), pairs joined (SDFormat, URDF), exclusions
// and pairs in so many words. Compare looks only where classes, groups or exceptions of two models
// differ: a robot of a thousand links has half a million pairs, of which few are of interest.
#include "kinemorph/graph/checks/contacts.h"

#include <algorithm>

#include "kinemorph/graph/base/disjoint_sets.h"

namespace kinemorph {
namespace {

// The link's own word, else that of the nearest model round it; unsaid is no in SDFormat.
bool SaysSelfCollision(const Model& model, const Link& link) {
  if (link.self_collide) return *link.self_collide;
  for (ScopeId s = link.scope; s != kNoScope && Index(s) < model.scopes.size();
       s = model.scopes[Index(s)].parent)
    if (model.scopes[Index(s)].self_collide) return *model.scopes[Index(s)].self_collide;
  return false;
}

bool StandsStill(const Model& model, const Link& link) {
  for (ScopeId s = link.scope; s != kNoScope && Index(s) < model.scopes.size();
       s = model.scopes[Index(s)].parent)
    if (model.scopes[Index(s)].is_static) return true;
  return false;
}

std::vector<ContactMask> MasksOf(const Model& model, LinkId id, const Contacts& contacts,
                                 const Contacts::Counts& counts) {
  const std::vector<Collision>& collisions = model.link(id).collisions;
  std::vector<ContactMask> masks;
  for (std::size_t i = 0; i < collisions.size(); ++i)
    if (!counts || counts(id, i)) masks.push_back(contacts.MaskOf(collisions[i]));
  std::sort(masks.begin(), masks.end());
  masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
  return masks;
}

// Links that fixed joints hold together, and all that stand on the world.
std::vector<std::uint32_t> Groups(const Model& model, bool by_loops) {
  DisjointSets sets(model.num_links());
  for (const LinkId id : Links(model))
    if (StandsStill(model, model.link(id)) || IsWorld(model, id))
      sets.Unite(Index(kWorld), Index(id));
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if ((by_loops || joint.role != JointRole::kLoop) && std::holds_alternative<Fixed>(joint.kind))
      sets.Unite(Index(model.predecessor(id)), Index(model.successor(id)));
  }
  std::vector<std::uint32_t> groups(model.num_links());
  for (std::uint32_t v = 0; v < groups.size(); ++v) groups[v] = sets.Find(v);
  return groups;
}

}  // namespace

std::vector<std::uint32_t> OutermostModels(const Model& model) {
  std::vector<std::uint32_t> outermost(model.scopes.size());
  for (std::uint32_t s = 0; s < outermost.size(); ++s) {  // parents stand first
    const ScopeId parent = model.scopes[s].parent;
    const bool top = parent == kNoScope || model.scopes[Index(parent)].is_world;
    outermost[s] = top ? s : outermost[Index(parent)];
  }
  return outermost;
}

bool IsWorld(const Model& model, LinkId id) {
  return id == kWorld ||
         (model.link(id).name == "world" && boost::in_degree(Index(id), model.graph()) == 0);
}

// Where no mask is written SDFormat sets all bits, MuJoCo the lowest one.
Contacts::Contacts(const Model& model, ContactRule rule, bool welds_hold, const Counts& counts)
    : rule_(rule),
      unwritten_(rule == ContactRule::kUnlessJoined ? ContactMask{0xffff, 0xffff} : ContactMask{}),
      has_masks_(rule != ContactRule::kUnlessTreeJoined) {
  Classify(model, counts);
  // Two partitions: what cannot move against each other at all, and what one body of the simulator
  // is. A weld makes the former only.
  group_ = Groups(model, welds_hold);
  body_ = Groups(model, false);
  members_.resize(model.num_links());
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    if (class_[v] != kNoClass) members_[body_[v]].push_back(LinkId{v});
  if (rule == ContactRule::kUnlessParent) FindParents(model);
  const bool by_tree = rule == ContactRule::kUnlessTreeJoined;
  if (rule == ContactRule::kUnlessJoined || by_tree) {
    // A loop that ends on frames which no file names joins what these are welded to.
    std::vector<LinkId> stands_for(model.num_links());
    for (std::uint32_t v = 0; v < model.num_links(); ++v) stands_for[v] = LinkId{v};
    for (const JointId id : Joints(model))
      if (model.joint(id).role != JointRole::kLoop &&
          std::holds_alternative<Fixed>(model.joint(id).kind) &&
          model.link(model.successor(id)).synthetic)
        stands_for[Index(model.successor(id))] = model.predecessor(id);
    for (const JointId id : Joints(model)) {
      const bool loop = model.joint(id).role == JointRole::kLoop;
      const LinkId p = model.predecessor(id), s = model.successor(id);
      if (std::holds_alternative<Free>(model.joint(id).kind) || (by_tree && loop)) continue;
      never_.insert(std::minmax(p, s));
      if (loop) never_.insert(std::minmax(stands_for[Index(p)], stands_for[Index(s)]));
    }
  }
  for (const ContactExclusion& e : model.contact_exclusions) never_.insert(std::minmax(e.a, e.b));
  for (const ContactPair& pair : model.contact_pairs) always_.insert(std::minmax(pair.a, pair.b));
}

void Contacts::Classify(const Model& model, const Counts& counts) {
  const std::vector<std::uint32_t> outermost = OutermostModels(model);
  std::map<Class, std::uint32_t> known;
  std::map<std::vector<ContactMask>, std::uint32_t> known_masks;
  class_.assign(model.num_links(), kNoClass);
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    const Link& link = model.link(LinkId{v});
    const std::vector<ContactMask> masks = MasksOf(model, LinkId{v}, *this, counts);
    if (masks.empty()) continue;
    const auto [at, unseen] = known_masks.emplace(masks, static_cast<std::uint32_t>(masks_.size()));
    if (unseen) masks_.push_back(masks);
    Class c{kNone, false, at->second};
    if (rule_ == ContactRule::kUnlessJoined && !IsWorld(model, LinkId{v})) {
      const bool scoped = link.scope != kNoScope && Index(link.scope) < outermost.size();
      c.model = scoped ? outermost[Index(link.scope)] : 0;
      c.self = SaysSelfCollision(model, link);
    }
    const auto [entry, fresh] = known.emplace(c, static_cast<std::uint32_t>(classes_.size()));
    if (fresh) classes_.push_back(c);
    class_[v] = entry->second;
  }
}

// What a body hangs on. One of links that no file names is no body: the next one counts.
void Contacts::FindParents(const Model& model) {
  parent_.assign(model.num_links(), kNone);
  std::vector<bool> named(model.num_links(), false);
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    if (!model.link(LinkId{v}).synthetic) named[body_[v]] = true;
  for (const JointId id : Joints(model)) {
    const std::uint32_t p = body_[Index(model.predecessor(id))],
                        s = body_[Index(model.successor(id))];
    if (model.joint(id).role != JointRole::kLoop && p != s) parent_[s] = p;
  }

  // Up over bodies that exist in no file; the count bounds the climb where joints run in a circle.
  const std::uint32_t world = body_[Index(kWorld)];
  const std::vector<std::uint32_t> next = parent_;
  for (std::uint32_t& parent : parent_) {
    for (std::size_t i = 0; i < next.size() && parent != kNone && !named[parent]; ++i)
      parent = next[parent];
    if (parent == world) parent = kNone;  // what stands on the world is no parent
  }
}

bool Contacts::MasksMeet(std::uint32_t a, std::uint32_t b) const {
  for (const ContactMask& x : masks_[a])
    for (const ContactMask& y : masks_[b])
      if (Meet(x, y)) return true;
  return false;
}

// Two links of one model touch only if one of them is said to collide with its own.
bool Contacts::ClassesCollide(const Class& a, const Class& b) const {
  const bool quiet = Quiet(a) != kNone && Quiet(a) == Quiet(b);
  return !quiet && MasksMeet(a.masks, b.masks);
}

bool Contacts::Collide(LinkId a, LinkId b) const {
  const std::uint32_t g = group_[Index(a)], h = group_[Index(b)];
  if (g == h || !HasShapes(a) || !HasShapes(b)) return false;
  const LinkPair pair = std::minmax(a, b);
  // A pair in so many words outweighs parents, exclusions and masks (MJCF `pair`), not rigidity.
  if (always_.contains(pair)) return true;
  const std::uint32_t x = body_[Index(a)], y = body_[Index(b)];
  if (!parent_.empty() && (parent_[x] == y || parent_[y] == x)) return false;
  return !never_.contains(pair) && ClassesCollide(ClassOf(a), ClassOf(b));
}

std::vector<LinkPair> Contacts::Pairs(std::size_t most) const {
  std::vector<std::vector<LinkId>> buckets(classes_.size());
  for (std::uint32_t v = 0; v < class_.size(); ++v)
    if (class_[v] != kNoClass) buckets[class_[v]].push_back(LinkId{v});
  std::set<LinkPair> pairs;
  const auto add = [&](LinkId a, LinkId b) {
    if (a != b && Collide(a, b)) pairs.insert(std::minmax(a, b));
    return pairs.size() < most;
  };
  const auto done = [&] { return std::vector<LinkPair>(pairs.begin(), pairs.end()); };
  if (most == 0) return {};
  for (const LinkPair& pair : always_)
    if (!add(pair.first, pair.second)) return done();
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    for (std::size_t j = i; j < buckets.size(); ++j) {
      if (!ClassesCollide(classes_[i], classes_[j])) continue;
      for (const LinkId a : buckets[i])
        for (const LinkId b : buckets[j])
          if ((i != j || a < b) && !add(a, b)) return done();
    }
  }
  return done();
}

template <class Visit>
void Contacts::VisitExceptions(Visit&& visit) const {
  for (const LinkPair& pair : never_) visit(pair.first, pair.second);
  for (const LinkPair& pair : always_) visit(pair.first, pair.second);
  for (std::size_t g = 0; g < parent_.size(); ++g) {
    if (parent_[g] == kNone) continue;
    for (const LinkId a : members_[g])
      for (const LinkId b : members_[parent_[g]]) visit(a, b);
  }
}

ContactDifferences Contacts::Compare(const Contacts& b, std::size_t most) const {
  std::vector<LinkId> same(class_.size());
  for (std::uint32_t v = 0; v < same.size(); ++v) same[v] = LinkId{v};
  return Compare(b, same, most);
}

ContactDifferences Contacts::Compare(const Contacts& b, const std::vector<LinkId>& b_of_a,
                                     std::size_t most) const {
  std::set<LinkMatch> matches;
  for (std::uint32_t v = 0; v < class_.size() && v < b_of_a.size(); ++v)
    if (b_of_a[v] != kNoLink) matches.emplace(LinkId{v}, b_of_a[v]);
  return Compare(b, matches, most);
}

ContactDifferences Contacts::Compare(const Contacts& b, const std::set<LinkMatch>& matches,
                                     std::size_t most) const {
  ContactDifferences found;
  std::set<LinkPair> only_a, only_b;
  const auto enough = [&] { return only_a.size() + only_b.size() >= most; };
  const auto check = [&](const LinkMatch& x, const LinkMatch& y) {
    if (x.first == y.first || enough()) return;
    const bool here = Collide(x.first, y.first), there = b.Collide(x.second, y.second);
    if (here != there) (here ? only_a : only_b).insert(std::minmax(x.first, y.first));
  };

  // Links with shapes in both, by what the two models make of them: their masks, their groups, and
  // of links that leave each other alone in one model, their classes in the other.
  using Matches = std::vector<LinkMatch>;
  using Parts = std::map<std::uint32_t, std::map<std::uint32_t, Matches>>;
  std::vector<Matches> of_a(class_.size()), of_b(b.class_.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, Matches> masks;
  Parts groups, groups_b, quiet, quiet_b;
  for (const LinkMatch& match : matches) {
    const auto [x, y] = match;
    if (!HasShapes(x) || !b.HasShapes(y)) continue;
    of_a[Index(x)].push_back(match), of_b[Index(y)].push_back(match);
    masks[{ClassOf(x).masks, b.ClassOf(y).masks}].push_back(match);
    groups[GroupOf(x)][b.GroupOf(y)].push_back(match);
    groups_b[b.GroupOf(y)][GroupOf(x)].push_back(match);
    quiet[Quiet(ClassOf(x))][b.class_[Index(y)]].push_back(match);
    quiet_b[Quiet(b.ClassOf(y))][class_[Index(x)]].push_back(match);
  }
  const auto cross = [&](const Matches& x, const Matches& y) {
    for (auto first = x.begin(); first != x.end() && !enough(); ++first)
      for (const LinkMatch& second : y) check(*first, second);
  };
  const auto cross_some = [&](const auto& parts, const auto& differ) {
    for (auto x = parts.begin(); x != parts.end(); ++x)
      for (auto y = x; y != parts.end(); ++y)
        if (differ(x->first, y->first)) cross(x->second, y->second);
  };
  cross_some(masks, [&](const auto& x, const auto& y) {
    return MasksMeet(x.first, y.first) != b.MasksMeet(x.second, y.second);
  });
  // One group here that is several there.
  for (const Parts* parts : {&groups, &groups_b})
    for (const auto& [group, others] : *parts)
      cross_some(others, [](std::uint32_t x, std::uint32_t y) { return x != y; });
  const auto cross_quiet = [&](const Parts& parts, const Contacts& other) {
    for (const auto& [part, others] : parts)
      if (part != kNone)
        cross_some(others, [&](std::uint32_t x, std::uint32_t y) {
          return other.ClassesCollide(other.classes_[x], other.classes_[y]);
        });
  };
  cross_quiet(quiet, b), cross_quiet(quiet_b, *this);
  // Exceptions of either model are looked at one by one.
  VisitExceptions([&](LinkId x, LinkId y) { cross(of_a[Index(x)], of_a[Index(y)]); });
  b.VisitExceptions([&](LinkId x, LinkId y) { cross(of_b[Index(x)], of_b[Index(y)]); });
  found.only_a.assign(only_a.begin(), only_a.end());
  found.only_b.assign(only_b.begin(), only_b.end());
  found.all = !enough();
  return found;
}

}  // namespace kinemorph
