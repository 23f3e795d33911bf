// Who touches whom.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kinemorph/graph/checks/contacts.h"
#include "verify/shapes.h"

namespace kinemorph::verify {
namespace {

// Formats say in different ways who touches whom: by masks, words of models and links, joints and
// pairs. What they mean is a set of pairs of links (graph/checks/contacts.h), and the two sets are
// compared where both have the same shapes: what another shape touches is told of that shape.
// In one format shapes have masks of their own on both sides, and are compared pair by pair too.
class ContactComparison : Compared {
 public:
  ContactComparison(const Compared& sides, const std::vector<SameCollision>& shapes)
      : Compared(sides), shapes_(shapes) {
    for (const SameCollision& shape : shapes) matches_.emplace(shape.link_a, shape.link_b);
    counts_a_ = Counted(a_.model, &SameCollision::link_a, &SameCollision::a);
    counts_b_ = Counted(b_.model, &SameCollision::link_b, &SameCollision::b);
  }

  void Run(std::vector<Worst>& checks) {
    CompareLinks();
    if (!Converted()) CompareNames();
    AddMade({&contacts_, &names_}, checks);
  }

 private:
  // The most pairs that are looked at, and told: a robot that lost self-collision altogether would
  // fill pages.
  static constexpr std::size_t kMostContacts = 100'000, kMostTold = 50;
  using Counts = std::vector<std::vector<bool>>;  // by link and collision

  Counts Counted(const Model& model, LinkId SameCollision::*link,
                 const Collision* SameCollision::*shape) const {
    Counts counts(model.num_links());
    for (const SameCollision& same : shapes_) {
      const LinkId id = same.*link;
      const std::vector<Collision>& all = model.link(id).collisions;
      counts[Index(id)].resize(all.size());
      counts[Index(id)][static_cast<std::size_t>(same.*shape - all.data())] = true;
    }
    return counts;
  }

  // MuJoCo lets what its welds hold collide; to others they are one body, which nothing moves.
  [[nodiscard]] Contacts ContactsOf(const Model& model, const Contacts::Counts& counts = {}) const {
    const bool welds_hold =
        !excuses_.same_format() || model.contact_rule == ContactRule::kUnlessJoined;
    return {model, model.contact_rule, welds_hold, counts};
  }

  // Without shapes that the other side does not have, and without what is lost: a loop keeps its
  // links apart, and that it is lost is told of the loop.
  [[nodiscard]] Contacts LeftOf(const Model& model, const Counts& counts) const {
    return ContactsOf(model, [&](LinkId id, std::size_t i) {
      return i < counts[Index(id)].size() && counts[Index(id)][i];
    });
  }

  void CompareLinks() {
    const Contacts in_a = ContactsOf(*a_.original), in_b = ContactsOf(*b_.original);
    const ContactDifferences found = in_a.Compare(in_b, matches_, kMostContacts);
    if (!found.only_a.empty() || !found.only_b.empty()) {
      const Contacts left_a = LeftOf(a_.model, counts_a_), left_b = LeftOf(b_.model, counts_b_);
      const auto tell = [&](const std::vector<LinkPair>& pairs, bool touch_in_a) {
        for (const LinkPair& pair : pairs)
          if (contacts_.failed().size() < kMostTold && Differs(pair, left_a, left_b))
            Tell(pair, touch_in_a);
      };
      tell(found.only_a, true), tell(found.only_b, false);
    }
    if (excuses_.same_format()) ComparePairsOfShapes(in_a, in_b);
    contacts_.Add(0, a_.model.name);
  }

  // Links of B that stand for one of A.
  [[nodiscard]] std::vector<LinkId> InB(LinkId id) const {
    std::vector<LinkId> links;
    for (auto at = matches_.lower_bound({id, LinkId{0}}); at != matches_.end() && at->first == id;
         ++at)
      links.push_back(at->second);
    return links;
  }

  [[nodiscard]] bool Differs(const LinkPair& pair, const Contacts& in_a,
                             const Contacts& in_b) const {
    const bool touch = in_a.Collide(pair.first, pair.second);
    for (const LinkId x : InB(pair.first))
      for (const LinkId y : InB(pair.second))
        if (in_b.Collide(x, y) != touch) return true;
    return false;
  }

  [[nodiscard]] std::vector<std::string> NamesOf(LinkId id) const {
    std::vector<std::string> names = {a_.model.link(id).name};
    for (const LinkId other : InB(id)) names.push_back(b_.model.link(other).name);
    return names;
  }

  void Tell(const LinkPair& pair, bool touch_in_a, const std::string& how = {}) {
    const std::string &x = a_.model.link(pair.first).name, &y = a_.model.link(pair.second).name;
    const std::string text =
        (touch_in_a ? "link '" + x + "' no longer touches '" : "'" + x + "' now touches '") + y +
        "'" + how;
    const bool excused = excuses_.TakeContact(NamesOf(pair.first), NamesOf(pair.second));
    if (!excused || ++told_ <= kMostTold) contacts_.Differ(excused, x, text);
  }

  // Links that touch on both sides may do so with other shapes: by masks, which are few.
  void ComparePairsOfShapes(const Contacts& in_a, const Contacts& in_b) {
    std::map<std::pair<ContactMask, ContactMask>, std::vector<const SameCollision*>> buckets;
    for (const SameCollision& shape : shapes_)
      buckets[{in_a.MaskOf(*shape.a), in_b.MaskOf(*shape.b)}].push_back(&shape);
    std::set<LinkPair> told;
    const auto check = [&](const SameCollision& x, const SameCollision& y, bool touch_in_a) {
      const LinkPair pair = std::minmax(x.link_a, y.link_a);
      if (in_a.Collide(x.link_a, y.link_a) && in_b.Collide(x.link_b, y.link_b) &&
          told.insert(pair).second)
        Tell(pair, touch_in_a, " with each of its shapes");
      return told.size() < kMostTold;
    };
    for (auto x = buckets.begin(); x != buckets.end(); ++x)
      for (auto y = x; y != buckets.end(); ++y) {
        const bool touch = Meet(x->first.first, y->first.first);
        if (touch == Meet(x->first.second, y->first.second)) continue;
        for (const SameCollision* one : x->second)
          for (const SameCollision* other : y->second)
            if (!check(*one, *other, touch)) return;
      }
  }

  // What an author calls an exclusion.
  void CompareNames() {
    std::map<LinkPair, std::string> names;
    for (const ContactExclusion& e : b_.model.contact_exclusions)
      names.emplace(std::minmax(e.a, e.b), e.name);
    for (const ContactExclusion& e : a_.model.contact_exclusions) {
      const LinkId first = match_.b_of_a[Index(e.a)], second = match_.b_of_a[Index(e.b)];
      const auto found = names.find(std::minmax(first, second));
      if (found != names.end() && found->second != e.name)
        names_.Miss(a_.model.link(e.a).name,
                    Text(SubjectOf(a_.model, e)) + " is called '" + found->second + "'");
    }
  }

  const std::vector<SameCollision>& shapes_;
  std::set<LinkMatch> matches_;
  Counts counts_a_, counts_b_;
  std::size_t told_ = 0;  // of what is excused
  Worst contacts_{"contacts", 0}, names_{"names of contact exclusions", 0};
};

}  // namespace

void CompareContacts(const Compared& sides, const std::vector<SameCollision>& shapes,
                     std::vector<Worst>& checks) {
  ContactComparison(sides, shapes).Run(checks);
}

}  // namespace kinemorph::verify
