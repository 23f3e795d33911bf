// Who collides with whom, by the rules of SDFormat and of MuJoCo (the latter measured with MuJoCo
// 3.14 and overlapping spheres).
#include "kinemorph/graph/checks/contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinemorph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Link Ball(const std::string& name) {
  Link link;
  link.name = name;
  link.scope = ScopeId{0};
  Collision collision;
  collision.shape = Sphere{1};
  link.collisions.push_back(collision);
  return link;
}

//   base -- crank -- coupler -- rocker -- base, the last one the loop joint; a pad is fixed to the
//   crank; the base stands on the world or is free.
struct Linkage {
  Model model;
  LinkId base, crank, pad, coupler, rocker;
  explicit Linkage(ContactRule rule, bool stands = true) {
    model.contact_rule = rule;
    model.scopes.emplace_back();
    base = model.AddLink(Ball("base"));
    crank = model.AddLink(Ball("crank"));
    pad = model.AddLink(Ball("pad"));
    coupler = model.AddLink(Ball("coupler"));
    rocker = model.AddLink(Ball("rocker"));
    Join(kWorld, base, stands ? JointKind(Fixed{}) : JointKind(Free{}));
    Join(base, crank, Revolute{});
    Join(crank, pad, Fixed{});
    Join(crank, coupler, Revolute{});
    Join(coupler, rocker, Revolute{});
    Join(base, rocker, Revolute{}, JointRole::kLoop);
  }
  void Join(LinkId p, LinkId s, JointKind kind, JointRole role = JointRole::kTree) {
    Joint joint;
    joint.kind = std::move(kind);
    joint.role = role;
    model.AddJoint(p, s, std::move(joint));
  }
  [[nodiscard]] std::vector<std::string> Pairs() const {
    std::vector<std::string> names;
    for (const auto& [a, b] : CollidingPairs(model))
      names.push_back(model.link(a).name + " " + model.link(b).name);
    return names;
  }
};

TEST(Contacts, WithoutAWordNoLinkOfAModelCollidesWithAnother) {
  EXPECT_THAT(Linkage(ContactRule::kUnlessJoined).Pairs(), IsEmpty());
}

TEST(Contacts, AModelThatCollidesWithItselfSparesWhatAnyJointJoins) {
  Linkage linkage(ContactRule::kUnlessJoined);
  linkage.model.scopes[0].self_collide = true;
  EXPECT_THAT(linkage.Pairs(), UnorderedElementsAre("base pad", "base coupler", "crank rocker",
                                                    "pad coupler", "pad rocker"));
}

TEST(Contacts, OneOfTwoLinksIsEnoughAndALinkMayRefuse) {
  Linkage linkage(ContactRule::kUnlessJoined);
  linkage.model.link(linkage.pad).self_collide = true;
  EXPECT_THAT(linkage.Pairs(), UnorderedElementsAre("base pad", "pad coupler", "pad rocker"));
  linkage.model.scopes[0].self_collide = true;
  for (const LinkId id : {linkage.base, linkage.crank, linkage.coupler, linkage.rocker})
    linkage.model.link(id).self_collide = false;
  EXPECT_THAT(linkage.Pairs(), UnorderedElementsAre("base pad", "pad coupler", "pad rocker"));
}

TEST(Contacts, TwoModelsCollideWhateverTheySayOfThemselves) {
  Linkage linkage(ContactRule::kUnlessJoined);
  linkage.model.scopes.emplace_back();
  Link other = Ball("other");
  other.scope = ScopeId{1};
  const LinkId id = linkage.model.AddLink(other);
  linkage.Join(kWorld, id, Free{});
  EXPECT_EQ(linkage.Pairs().size(), 5U);
  linkage.model.scopes[1].parent = ScopeId{0};  // a part of the same model
  EXPECT_THAT(linkage.Pairs(), IsEmpty());
  linkage.model.scopes[0].is_world = true;  // the world is no model
  EXPECT_EQ(linkage.Pairs().size(), 5U);
  linkage.model.scopes[1].is_static = true;
  EXPECT_EQ(linkage.Pairs().size(), 4U);  // the base and the other stand still
}

TEST(Contacts, ABodyAndWhatHangsOnItDoNotCollideUnlessItStandsOnTheWorld) {
  EXPECT_THAT(Linkage(ContactRule::kUnlessParent, false).Pairs(),
              UnorderedElementsAre("base coupler", "base rocker", "crank rocker", "pad rocker"));
  EXPECT_THAT(Linkage(ContactRule::kUnlessParent).Pairs(),
              UnorderedElementsAre("base crank", "base pad", "base coupler", "base rocker",
                                   "crank rocker", "pad rocker"));
  EXPECT_EQ(Linkage(ContactRule::kAll, false).Pairs().size(), 9U);  // but for crank and pad
}

TEST(Contacts, ALinkThatNoFileNamesIsNoParent) {
  Linkage linkage(ContactRule::kUnlessParent, false);
  Link inner;
  inner.synthetic = true;
  const LinkId knuckle = linkage.model.AddLink(inner);
  const LinkId tip = linkage.model.AddLink(Ball("tip"));
  linkage.Join(linkage.rocker, knuckle, Revolute{});
  linkage.Join(knuckle, tip, Revolute{});
  EXPECT_FALSE(Contacts(linkage.model).Collide(linkage.rocker, tip));
  EXPECT_TRUE(Contacts(linkage.model).Collide(linkage.coupler, tip));
}

TEST(Contacts, MasksAndExclusionsSpareAndPairsDoNot) {
  Linkage linkage(ContactRule::kUnlessParent, false);
  linkage.model.link(linkage.coupler).collisions[0].contact_mask = ContactMask{2, 0};
  linkage.model.contact_exclusions.push_back({linkage.rocker, linkage.base, {}});
  EXPECT_THAT(linkage.Pairs(), UnorderedElementsAre("crank rocker", "pad rocker"));
  linkage.model.link(linkage.base).collisions[0].contact_mask = ContactMask{0, 2};
  EXPECT_THAT(linkage.Pairs(), UnorderedElementsAre("base coupler", "crank rocker", "pad rocker"));
  linkage.model.contact_pairs.push_back({linkage.base, linkage.crank, {}});
  linkage.model.contact_pairs.push_back({linkage.base, linkage.rocker, {}});
  EXPECT_THAT(linkage.Pairs(), UnorderedElementsAre("base crank", "base coupler", "base rocker",
                                                    "crank rocker", "pad rocker"));
}

TEST(Contacts, WhatIsNotWrittenIsEveryBitOrTheLowest) {
  for (const bool every : {true, false}) {
    Linkage linkage(every ? ContactRule::kUnlessJoined : ContactRule::kAll);
    linkage.model.scopes[0].self_collide = true;
    linkage.model.link(linkage.pad).collisions[0].contact_mask = ContactMask{4, 4};
    EXPECT_EQ(Contacts(linkage.model).Collide(linkage.pad, linkage.rocker), every);
  }
}

TEST(Contacts, DifferencesAreThoseOfThePairs) {
  std::uint32_t random = 1;
  const auto next = [&](std::uint32_t n) { return (random = random * 1664525U + 1013904223U) % n; };
  for (int run = 0; run < 200; ++run) {
    const auto make = [&] {
      Linkage linkage(static_cast<ContactRule>(next(3)), next(2) == 0);
      if (next(2) == 0) linkage.model.scopes[0].self_collide = true;
      linkage.model.scopes.emplace_back();  // a second model, which some links are of
      for (const LinkId id : Links(linkage.model)) {
        linkage.model.link(id).scope = ScopeId{next(3) / 2};
        if (next(4) == 0) linkage.model.link(id).self_collide = next(2) == 0;
        if (next(4) == 0)
          linkage.model.link(id).collisions[0].contact_mask = ContactMask{next(4), next(4)};
        if (next(4) == 0) linkage.model.contact_exclusions.push_back({id, LinkId{1 + next(5)}, {}});
        if (next(6) == 0) linkage.model.contact_pairs.push_back({id, LinkId{1 + next(5)}, {}});
      }
      if (next(3) == 0) linkage.model.joint(JointId{3}).kind = Fixed{};
      return linkage;
    };
    const Linkage a = make(), b = make();
    const std::vector<LinkPair> in_a = CollidingPairs(a.model), in_b = CollidingPairs(b.model);
    std::vector<LinkPair> only_a, only_b;
    std::set_difference(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                        std::back_inserter(only_a));
    std::set_difference(in_b.begin(), in_b.end(), in_a.begin(), in_a.end(),
                        std::back_inserter(only_b));
    const ContactDifferences found = Contacts(a.model).Compare(Contacts(b.model));
    EXPECT_EQ(found.only_a, only_a) << run;
    EXPECT_EQ(found.only_b, only_b) << run;
    EXPECT_TRUE(found.all);
  }
}

TEST(Contacts, AHugeModelIsComparedInLinearTime) {
  const auto make = [](bool self) {
    Linkage linkage(ContactRule::kUnlessJoined);
    if (self) linkage.model.scopes[0].self_collide = true;
    LinkId last = linkage.rocker;
    for (int i = 0; i < 10'000; ++i) {
      const LinkId id = linkage.model.AddLink(Ball("link"));
      linkage.Join(last, id, Revolute{});
      last = id;
    }
    return linkage;
  };
  const Linkage a = make(false), b = make(false), c = make(true), d = make(true);
  EXPECT_THAT(Contacts(a.model).Pairs(), IsEmpty());
  EXPECT_THAT(Contacts(a.model).Compare(Contacts(b.model)).only_a, IsEmpty());
  EXPECT_THAT(Contacts(c.model).Compare(Contacts(d.model)).only_a, IsEmpty());
  EXPECT_EQ(Contacts(c.model).Pairs(7).size(), 7U);
  const ContactDifferences some = Contacts(a.model).Compare(Contacts(c.model), 10);
  EXPECT_EQ(some.only_b.size(), 10U);
  EXPECT_FALSE(some.all);
}

}  // namespace
}  // namespace kinemorph
