// What a target's library would refuse is changed or left out, and said: chains of massless links,
// static models, tensors, native text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinemorph/graph/checks/nearest_inertia.h"
#include "native_xml.h"
#include "small_model.h"

namespace kinemorph::test {
namespace {

const Vector3 kX = Vector3::UnitX(), kY = Vector3::UnitY(), kZ = Vector3::UnitZ();

TEST(FoldChains, AJointThatWasFoldedIsNotFoldedAgain) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), one = m.AddLink("one", 0), two = m.AddLink("two", 0),
               tip = m.AddLink("tip");
  for (const auto& [name, from, to, axis] :
       {std::tuple{"a", base, one, kX}, std::tuple{"b", one, two, kY},
        std::tuple{"c", two, tip, kZ}}) {
    const JointId id = m.AddJoint(name, from, to, Revolute{axis});
    m.model.joint(id).axes[0].lower = -1,
    m.model.joint(id).axes[0].upper = 1;  // a ball joint could not hold them
  }
  PassRun run("sdf");
  run.Run("fold_chains", m.model);
  ASSERT_EQ(m.model.num_joints(), 2u);
  EXPECT_TRUE(std::holds_alternative<Universal>(JointNamed(m.model, "a").kind));
  const JointId c = *m.model.FindJoint("c");
  EXPECT_EQ(m.model.link(m.model.predecessor(c)).name, "two");
  EXPECT_EQ(m.model.link(m.model.successor(c)).name, "tip");
}

TEST(FoldChains, AnInertiaWithoutMassIsNotFoldedAway) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), rotor = m.AddLink("rotor"), tip = m.AddLink("tip");
  m.model.link(rotor).inertial->mass = 0;
  m.AddJoint("a", base, rotor, Revolute{kX});
  m.AddJoint("b", rotor, tip, Revolute{kY});
  PassRun run("sdf");
  run.Run("fold_chains", m.model);
  EXPECT_EQ(m.model.num_joints(), 2u);
}

TEST(StaticModels, InnerJointsAreLockedAndOneFixedJointHoldsEachPart) {
  SmallModel m;
  Scope scope;
  scope.name = "shelf";
  scope.is_static = true;
  m.model.scopes.push_back(scope);
  const LinkId base = m.AddLink("base"), door = m.AddLink("door"), box = m.AddLink("box");
  for (const LinkId link : {base, door, box}) m.model.link(link).scope = ScopeId{0};
  m.AddJoint("hinge", base, door, Revolute{kZ});
  PassRun run("urdf+");
  run.Run("static_models", m.model);
  EXPECT_FALSE(m.model.scopes[0].is_static);
  EXPECT_TRUE(std::holds_alternative<Fixed>(JointNamed(m.model, "hinge").kind));
  EXPECT_EQ(m.model.num_joints(),
            3u);  // the hinge, and one joint from the world for each of the two parts
  EXPECT_TRUE(m.model.FindJoint("base_to_world") || m.model.FindJoint("door_to_world"));
  EXPECT_TRUE(m.model.FindJoint("box_to_world"));
}

// A block says it of the whole robot; in a target without such blocks its joints are locked.
TEST(StaticModels, StayStaticWhereTheTargetSaysItOfAllOfThem) {
  for (const bool whole : {true, false}) {
    for (const char* target : {"urdf+", "mjcf"}) {
      SmallModel m;
      Scope scope;
      scope.name = "shelf";
      scope.is_static = true;
      m.model.scopes.push_back(scope);
      const LinkId base = m.AddLink("base"), door = m.AddLink("door");
      m.model.link(base).scope = ScopeId{0};
      if (whole) m.model.link(door).scope = ScopeId{0};
      m.AddJoint("hinge", base, door, Revolute{kZ});
      PassRun run(target);
      run.Run("static_models", m.model);
      const bool stays = whole && target == std::string_view("urdf+");
      EXPECT_EQ(m.model.scopes[0].is_static, stays) << target << whole;
      EXPECT_EQ(std::holds_alternative<Fixed>(JointNamed(m.model, "hinge").kind), !stays && whole)
          << target << whole;
    }
  }
}

TEST(PhysicalInertia, TheNearestTensorHasNoNegativeSecondMoment) {
  const Matrix3 I = Vector3(1, 1, 4).asDiagonal();  // second moments 2, 2 and -1
  const Matrix3 nearest = NearestPhysicalInertia(I);
  EXPECT_NEAR(nearest(0, 0), 2, 1e-5);
  EXPECT_NEAR(nearest(1, 1), 2, 1e-5);
  EXPECT_NEAR(nearest(2, 2), 4, 1e-5);
  EXPECT_GT(nearest(0, 0) + nearest(1, 1), nearest(2, 2));
  const Matrix3 body = Vector3(1, 2, 2.5).asDiagonal();
  EXPECT_TRUE(NearestPhysicalInertia(body).isApprox(body, 1e-12));
  EXPECT_EQ(NearestPhysicalInertia(-1e-19 * Matrix3::Identity()).norm(), 0);
}

// Readers find moments to 8 digits; what is exact to the last one is given where they need not look.
TEST(PhysicalInertia, ARodOrAPlateThatIsTurnedIsGivenInItsPrincipalAxes) {
  const Matrix3 turn = RotationFromRpy({0.3, -0.7, 1.1});
  const auto lowered = [&](const Vector3& moments) {
    SmallModel m;
    m.AddLink("body");
    Inertial& inertial = *m.model.link(LinkId{1}).inertial;
    inertial.X_LI.R = RotationFromRpy({1, 2, 3});
    inertial.I_I = turn * moments.asDiagonal() * turn.transpose();
    const Matrix3 before = inertial.InLink().I_BBcm;
    PassRun run("sdf");
    run.Run("physical_inertia", m.model);
    EXPECT_TRUE(inertial.InLink().I_BBcm.isApprox(before, 1e-12));
    EXPECT_TRUE(run.report.losses.empty());
    EXPECT_EQ(run.report.lowerings.empty(), !inertial.I_I.isDiagonal(0));
    return inertial.I_I;
  };
  const Matrix3 rod = lowered({0, 0.7, 0.7});
  EXPECT_TRUE(rod.isDiagonal(0));
  EXPECT_NEAR(rod(0, 0), 0, 1e-12);
  EXPECT_EQ(rod(1, 1), rod(2, 2));
  const Matrix3 plate = lowered({0.3, 0.7, 1});
  EXPECT_TRUE(plate.isDiagonal(0));
  EXPECT_GE(plate(0, 0) + plate(1, 1), plate(2, 2));
  EXPECT_TRUE(lowered({1e-9, 0.7, 0.7}).isDiagonal(0));
  EXPECT_FALSE(lowered({1e-5, 0.7, 0.7}).isDiagonal(0));
  EXPECT_FALSE(lowered({0.3, 0.5, 0.7}).isDiagonal(0));
}

TEST(NativeData, WhatLibsdformatRefusesIsALossWithTheReason) {
  SmallModel m;
  const LinkId base = m.AddLink("base");
  m.model.link(base).native = {
      {"sdf",
       "plugin",
       Tree("<plugin name=\"gz::A\" filename=\"a.so\"><api name=\"ns::Class\"/></plugin>"),
       {}},
      {"sdf", "projector", Tree("<projector name=\"ns::p\"/>"), {}},
      {"sdf", "light", Tree("<light name=\"l\"><diffuse>220 210 175 1</diffuse></light>"), {}},
      {"sdf", "script", Tree("<script><name>Gazebo/Blue</name></script>"), {}},
      {"sdf", "script", Tree("<script><name>Blue</name><uri>m.material</uri></script>"), {}},
      {"sdf", "plugin", Tree("<plugin name=\"b\" filename=\"b.so\"/>"), {}}};
  PassRun run("sdf");
  run.Run("native_data", m.model);
  ASSERT_EQ(m.model.link(base).native.size(), 3u);  // it does not look into plugins
  EXPECT_THAT(Xml(m.model.link(base).native[0]), testing::HasSubstr("gz::A"));
  EXPECT_THAT(Xml(m.model.link(base).native[1]), testing::HasSubstr("m.material"));
  EXPECT_EQ(Xml(m.model.link(base).native[2]), "<plugin name=\"b\" filename=\"b.so\"/>");
  ASSERT_EQ(run.report.losses.size(), 3u);
  for (const Loss& loss : run.report.losses)
    EXPECT_THAT(loss.why, testing::HasSubstr("libsdformat refuses"));
}

// A key that is commented out fits nothing, and need not.
TEST(NativeData, OnlyKeysOfAKeyframeMustFit) {
  const auto losses = [](const char* keyframe) {
    SmallModel m;
    m.model.native = {{"mjcf", "keyframe", Tree(keyframe), {}}};
    PassRun run("mjcf");
    run.Run("native_data", m.model);
    return run.report.losses.size();
  };
  EXPECT_EQ(losses("<keyframe><key qpos=\"\"/><!-- <key qpos=\"0 1\"/> --></keyframe>"), 0u);
  EXPECT_EQ(losses("<keyframe><key qpos=\"0 1\"/></keyframe>"), 1u);
}

}  // namespace
}  // namespace kinemorph::test
