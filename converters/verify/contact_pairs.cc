// Who collides with whom.
#include <map>
#include <optional>
#include <string>

#include "kinemorph/graph/checks/contacts.h"
#include "verify/content.h"

namespace kinemorph::verify {
namespace {

class ContactPairs : Compared {
 public:
  explicit ContactPairs(const Compared& sides) : Compared(sides) {}

  void Run(std::vector<Worst>& checks) {
    CompareExclusions();
    AddMade({&exclusions_}, checks);
  }

 private:
  // Pairs of links that shall not collide, where both sides have both links.
  void CompareExclusions() {
    const auto compare = [&](const Model& of, const std::vector<LinkId>& counterpart,
                             const Model& other, bool in_a) {
      // As pairs without order: who is first says nothing.
      std::map<std::pair<LinkId, LinkId>, std::string> pairs;
      for (const ContactExclusion& e : other.contact_exclusions)
        pairs.emplace(std::minmax(e.a, e.b), e.name);
      for (const ContactExclusion& e : of.contact_exclusions) {
        const LinkId first = counterpart[Index(e.a)], second = counterpart[Index(e.b)];
        if (first == kNoLink || second == kNoLink) continue;
        const std::string element = of.link(e.a).name + " and " + of.link(e.b).name;
        const auto found = pairs.find(std::minmax(first, second));
        const Subject subject = SubjectOf(of, e);
        if (found != pairs.end()) {
          exclusions_.Add(0, element);
          if (in_a && !Converted() && found->second != e.name)
            exclusions_.Miss(element, Text(subject) + " is called '" + found->second + "'");
        } else if (in_a ? excuses_.Take(Feature::kContactExclusion, subject)
                        : TakeExclusionOfB(e, subject)) {
          if (in_a) exclusions_.Except(Text(subject) + " is missing");
        } else {
          exclusions_.Miss(element, Text(subject) + (in_a ? " is not in B" : " is not in A"));
        }
      }
    };
    // In the words of another dialect a pair may go without saying.
    if (!excuses_.same_format() || a_.model.dialect != b_.model.dialect) return CompareContacts();
    compare(a_.model, match_.b_of_a, b_.model, true);
    compare(b_.model, match_.a_of_b, a_.model, false);
  }

  // Formats say in different ways who collides with whom: the pairs of links that do are compared.
  void CompareContacts() {
    // A robot that lost self-collision altogether would fill pages: the first fifty pairs are
    // enough to fail.
    constexpr std::size_t kMost = 50;
    const ContactDifferences found =
        Contacts(*a_.original).Compare(Contacts(*b_.original), match_.b_of_a, kMost);
    // A loop keeps its links apart; that it is lost is told of the loop.
    const auto without = [&](const Side& side) {
      return found.only_a.empty() && found.only_b.empty() ? std::optional<Contacts>()
                                                          : std::optional<Contacts>(side.model);
    };
    const std::optional<Contacts> in_a = without(a_), in_b = without(b_);
    const auto by_loops = [&](const LinkPair& pair) {
      const auto b = [&](LinkId link) { return match_.b_of_a[Index(link)]; };
      return in_a->Collide(pair.first, pair.second) == in_b->Collide(b(pair.first), b(pair.second));
    };
    const auto tell = [&](const LinkPair& pair, const char* side) {
      const Link &x = a_.model.link(pair.first), &y = a_.model.link(pair.second);
      const std::string told = "'" + x.name + "' and '" + y.name + "' collide in " + side + " only";
      exclusions_.Differ(TakeContact(pair) || by_loops(pair), x.name, told);
    };
    for (const LinkPair& pair : found.only_a) tell(pair, "A");
    for (const LinkPair& pair : found.only_b) tell(pair, "B");
    exclusions_.Add(0, a_.model.name);
  }

  // A loss of either side, of one of the links or of the exclusion itself.
  [[nodiscard]] bool TakeContact(const LinkPair& pair) {
    const LinkId first = match_.b_of_a[Index(pair.first)],
                 second = match_.b_of_a[Index(pair.second)];
    const auto exclusion = [](const Model& model, LinkId a, LinkId b) {
      return SubjectOf(model, ContactExclusion{a, b, {}, {}});
    };
    const Model &a = a_.model, &b = b_.model;
    const auto take = [&](Feature feature, const Subject& of_a, const Subject& of_b) {
      return excuses_.TakeEither(feature, of_a, of_b);
    };
    return take(Feature::kContactExclusion, exclusion(a, pair.first, pair.second),
                exclusion(b, first, second)) ||
           take(Feature::kContactExclusion, exclusion(a, pair.second, pair.first),
                exclusion(b, second, first)) ||
           take(Feature::kSelfCollision, SubjectOf(a.link(pair.first)), SubjectOf(b.link(first))) ||
           take(Feature::kSelfCollision, SubjectOf(a.link(pair.second)), SubjectOf(b.link(second)));
  }

  // Exclusions that the conversion itself wrote down, for pairs that A keeps apart by other means.
  bool TakeExclusionOfB(const ContactExclusion& e, const Subject& subject) {
    if (const Model* written = excuses_.written()) {
      for (const ContactExclusion& added : written->contact_exclusions) {
        const std::string &a = b_.model.link(e.a).name, &b = b_.model.link(e.b).name;
        const std::string &x = written->link(added.a).name, &y = written->link(added.b).name;
        if ((a == x && b == y) || (a == y && b == x))
          return excuses_.SkipOfB(Feature::kContactExclusion, subject);
      }
    }
    return excuses_.TakeOfB(Feature::kContactExclusion, subject);
  }

  Worst exclusions_{"contact exclusions", 0};
};

}  // namespace

void CompareContactPairs(const Compared& sides, std::vector<Worst>& checks) {
  ContactPairs(sides).Run(checks);
}

}  // namespace kinemorph::verify
