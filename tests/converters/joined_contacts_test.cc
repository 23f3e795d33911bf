// Links that a joint holds together stay out of contact in MuJoCo, which exempts a moving body and
// its parent only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_model.h"

namespace kinemorph::test {
namespace {

using testing::UnorderedElementsAre;

//   base (fixed to the world) -- crank -- coupler -- rocker -- base, the last one the loop joint; a
//   pad is fixed to the crank.
struct Linkage : SmallModel {
  LinkId base = AddLink("base"), crank = AddLink("crank"), pad = AddLink("pad"),
         coupler = AddLink("coupler"), rocker = AddLink("rocker");
  Linkage() {
    model.format = "urdf+";
    AddJoint("foot", kWorld, base, Fixed{});
    AddJoint("a", base, crank, Revolute{});
    AddJoint("glue", crank, pad, Fixed{});
    AddJoint("b", crank, coupler, Revolute{});
    AddJoint("c", coupler, rocker, Revolute{});
    AddJoint("d", base, rocker, Revolute{}, Vector3::Zero(), JointRole::kLoop);
    for (const LinkId id : Links(model)) {
      Collision collision;
      collision.shape = Sphere{1};
      model.link(id).collisions.push_back(collision);
    }
  }
  [[nodiscard]] std::vector<std::string> Exclusions(const std::string& target) {
    PassRun run(target);
    run.Run("joined_contacts", model);
    std::vector<std::string> pairs;
    for (const ContactExclusion& e : model.contact_exclusions)
      pairs.push_back(model.link(e.a).name + " " + model.link(e.b).name);
    return pairs;
  }
};

TEST(JoinedContacts, LoopsAndTheJointsOfAStandingBaseAreExcluded) {
  EXPECT_THAT(Linkage().Exclusions("mjcf"),
              UnorderedElementsAre("base crank", "base pad", "base rocker"));
}

TEST(JoinedContacts, ABaseThatMovesLeavesItToTheTargetsOwnRule) {
  Linkage linkage;
  linkage.model.joint(*linkage.model.FindJoint("foot")).kind = Free{};
  EXPECT_THAT(linkage.Exclusions("mjcf"), UnorderedElementsAre("base rocker"));
}

TEST(JoinedContacts, WhatDoesNotCollideOrIsExcludedAlreadyNeedsNothing) {
  Linkage linkage;
  linkage.model.link(linkage.pad).collisions.clear();
  linkage.model.contact_exclusions.push_back({linkage.rocker, linkage.base, {}});
  EXPECT_THAT(linkage.Exclusions("mjcf"), UnorderedElementsAre("rocker base", "base crank"));
}

TEST(JoinedContacts, AModelOfTheTargetsOwnFormatAndOtherTargetsAreLeftAlone) {
  Linkage linkage;
  linkage.model.format = "mjcf";
  EXPECT_TRUE(linkage.Exclusions("mjcf").empty());
  EXPECT_TRUE(Linkage().Exclusions("sdf").empty());
  EXPECT_TRUE(Linkage().Exclusions("urdf+").empty());
}

}  // namespace
}  // namespace kinemorph::test
