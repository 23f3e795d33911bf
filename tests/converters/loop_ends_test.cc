// Passes for loops that stand apart from the tree of a URDF: cut_whole_joints, loop_ends, split_link.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/checks/contacts.h"
#include "small_model.h"

namespace kinemorph::test {
namespace {

const Vector3 kX = Vector3::UnitX(), kY = Vector3::UnitY();

//   base -- crank -- coupler -- rocker -- base, cut at c, with `kind` at b.
SmallModel Ring(const JointKind& kind) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), crank = m.AddLink("crank"), coupler = m.AddLink("coupler"),
               rocker = m.AddLink("rocker");
  m.AddJoint("a", base, crank, Revolute{kY}, {0, 0, 0});
  m.AddJoint("b", crank, coupler, kind, {0, 0, 1});
  m.AddJoint("d", base, rocker, Revolute{kY}, {2, 0, 0});
  m.AddJoint("c", coupler, rocker, Revolute{kY}, {2, 0, 0}, JointRole::kLoop,
             RigidTransform::Translation({0, 0, 1}));
  for (const JointId id : Joints(m.model))
    m.model.joint(id).axes.resize(static_cast<std::size_t>(NumAxes(m.model.joint(id).kind)));
  return m;
}
JointRole RoleOf(const SmallModel& m, const char* name) { return JointNamed(m.model, name).role; }

TEST(CutWholeJoints, ABallInTheTreeBecomesTheLoopJoint) {
  for (const JointKind& kind : {JointKind(Ball{}), JointKind(Universal{kX, kY})}) {
    SmallModel m = Ring(kind);
    PassRun("urdf").Run("cut_whole_joints", m.model);
    EXPECT_EQ(RoleOf(m, "b"), JointRole::kLoop);
    EXPECT_EQ(RoleOf(m, "c"), JointRole::kTree);
  }
}

TEST(CutWholeJoints, LeavesWhatIsBoundAskedForOrHeldInTheTree) {
  SmallModel driven = Ring(Ball{});
  Actuator motor;
  motor.joint = *driven.model.FindJoint("b");
  driven.model.actuators.push_back(motor);
  PassRun("urdf").Run("cut_whole_joints", driven.model);
  EXPECT_EQ(RoleOf(driven, "b"), JointRole::kTree);

  SmallModel asked = Ring(Ball{});
  PassRun run("urdf");
  run.options.cut = {"c"};
  run.Run("cut_whole_joints", asked.model);
  EXPECT_EQ(RoleOf(asked, "b"), JointRole::kTree);

  for (const char* target : {"urdf none", "urdf+", "sdf", "mjcf"})
    EXPECT_FALSE(Has(RecipeOf(TargetNamed(target)), "cut_whole_joints")) << target;
  // A universal joint keeps its limits as a loop joint.
  SmallModel limited = Ring(Universal{kX, kY});
  limited.model.joint(*limited.model.FindJoint("b")).axes[0].lower = -1;
  PassRun("urdf").Run("cut_whole_joints", limited.model);
  EXPECT_EQ(RoleOf(limited, "b"), JointRole::kLoop);
}

// The chain of fixed joints: coupler -- wrist -- hand, where the loop ends.
SmallModel WithHand(double mass = 1) {
  SmallModel m = Ring(Revolute{kY});
  const LinkId wrist = m.AddLink("wrist", mass), hand = m.AddLink("hand", mass);
  const LinkId coupler = *m.model.FindLink("coupler"), rocker = *m.model.FindLink("rocker");
  m.AddJoint("w", coupler, wrist, Fixed{}, {1, 0, 0});
  m.AddJoint("h", wrist, hand, Fixed{}, {0.5, 0, 0});
  const JointId c = *m.model.FindJoint("c");
  m.model.joint(c).X_PF = RigidTransform::Translation({0.5, 0, 0});
  m.model.Reconnect([&](JointId id) {
    return id == c ? std::pair(hand, rocker)
                   : std::pair(m.model.predecessor(id), m.model.successor(id));
  });
  return m;
}

TEST(LoopEnds, MoveToTheLinkThatStays) {
  for (const double mass : {0.0, 1.0}) {
    SmallModel m = WithHand(mass);
    PassRun run("urdf");
    run.Run("loop_ends", m.model);
    EXPECT_EQ(EndsOf(m.model, "c"), "coupler -> rocker");
    EXPECT_EQ(JointNamed(m.model, "c").X_PF.p, Vector3(2, 0, 0));
    EXPECT_TRUE(run.report.losses.empty()) << "what is fixed to a link with mass needs none";
  }
  EXPECT_FALSE(Has(RecipeOf(TargetNamed("urdf none")), "loop_ends"));
}

TEST(LoopEnds, StayWhereTheSourceKeepsTheLinksApart) {
  SmallModel m = WithHand();
  NativeData block;
  block.format = "urdf", block.element = "gazebo";
  block.content = {.name = "gazebo"};
  block.content.Add("preserveFixedJoint", "true");
  m.model.joint(*m.model.FindJoint("h")).native.push_back(block);
  PassRun("urdf").Run("loop_ends", m.model);
  EXPECT_EQ(EndsOf(m.model, "c"), "hand -> rocker");
  // ... as SDFormat does by itself.
  SmallModel sdf = WithHand();
  sdf.model.format = "sdf";
  PassRun("urdf").Run("loop_ends", sdf.model);
  EXPECT_EQ(EndsOf(sdf.model, "c"), "hand -> rocker");
}

TEST(LoopEnds, ALoopInsideARigidBodyRestrainsNothing) {
  SmallModel m = WithHand();
  m.AddJoint("idle", *m.model.FindLink("hand"), *m.model.FindLink("coupler"), Fixed{}, {-1.5, 0, 0},
             JointRole::kLoop);
  PassRun run("urdf");
  run.Run("loop_ends", m.model);
  EXPECT_FALSE(m.model.FindJoint("idle"));
  ASSERT_EQ(run.report.losses.size(), 1u);
  EXPECT_EQ(run.report.losses[0].weight, Weight::kInterface);
}

TEST(LoopEnds, TheWorldIsNoChildAndNamesAreOfOneSpace) {
  SmallModel m = Ring(Revolute{kY});
  m.AddJoint("rocker", *m.model.FindLink("coupler"), kWorld, Revolute{kY}, {0, 0, 0},
             JointRole::kLoop, RigidTransform::Translation({0, 0, 1}));
  PassRun run("urdf");
  run.Run("loop_ends", m.model);
  EXPECT_EQ(EndsOf(m.model, "rocker_loop"), "world -> coupler");
  EXPECT_EQ(std::get<Revolute>(JointNamed(m.model, "rocker_loop").kind).axis, Vector3(-kY));
  ASSERT_EQ(run.report.names.size(), 1u);
  EXPECT_EQ(run.report.names[0].to, "rocker_loop");
}

TEST(LoopEnds, OnlyWhatCarriesSomethingIsGivenAMass) {
  SmallModel m = Ring(Revolute{kY});
  m.model.link(*m.model.FindLink("coupler")).inertial.reset();
  const LinkId leaf = m.AddLink("leaf", 0);
  m.AddJoint("l", *m.model.FindLink("rocker"), leaf, Revolute{kY}, {0, 0, 1});
  PassRun run("urdf");
  run.Run("loop_ends", m.model);
  ASSERT_EQ(run.report.losses.size(), 1u);
  EXPECT_EQ(run.report.losses[0].feature, Feature::kMasslessLink);
  EXPECT_GE(m.model.link(*m.model.FindLink("coupler")).inertial->mass, 2e-6);
  EXPECT_FALSE(m.model.link(leaf).inertial);
}

// The parts together are the link.
TEST(SplitLink, MakesATreeJointAndAWeldOfCoincidentFrames) {
  SmallModel m = Ring(Revolute{kY});
  Joint& c = m.model.joint(*m.model.FindJoint("c"));
  c.axes[0].lower = -1, c.axes[0].upper = 2, c.axes[0].damping = 0.1;
  const Inertial whole = *m.model.link(*m.model.FindLink("rocker")).inertial;
  PassRun run("urdf detachable");
  run.Run("weld_halves", m.model);
  EXPECT_EQ(EndsOf(m.model, "c"), "coupler -> c_half");
  EXPECT_EQ(RoleOf(m, "c"), JointRole::kTree);
  EXPECT_EQ(JointNamed(m.model, "c").axes[0].damping, 0.1);
  EXPECT_EQ(EndsOf(m.model, "c_tip_joint"), "rocker -> c_tip");
  EXPECT_EQ(EndsOf(m.model, "c_half_weld"), "c_tip -> c_half");
  EXPECT_EQ(RoleOf(m, "c_half_weld"), JointRole::kLoop);
  const auto X = PosesAtZero(m.model, ChooseSpanningTree(m.model));
  const LinkId half = *m.model.FindLink("c_half"), tip = *m.model.FindLink("c_tip");
  EXPECT_TRUE((X[Index(half)].inverse() * X[Index(tip)]).IsNearIdentity(1e-14));
  const LinkId rocker = *m.model.FindLink("rocker");
  double mass = 0;
  Matrix3 I = Matrix3::Zero();
  for (const LinkId id : {rocker, half, tip}) {
    const Inertial& part = *m.model.link(id).inertial;
    mass += part.mass, I += part.I_I;
    EXPECT_TRUE((X[Index(id)] * part.X_LI).p.isApprox((X[Index(rocker)] * whole.X_LI).p, 1e-14));
  }
  EXPECT_NEAR(mass, whole.mass, 1e-15);
  EXPECT_TRUE(I.isApprox(whole.I_I, 1e-14));
  const Contacts contacts(m.model);
  EXPECT_FALSE(contacts.Collide(*m.model.FindLink("coupler"), rocker)) << "still joined";
}

TEST(SplitLink, TakesPartsOfTheEndThatWeighs) {
  SmallModel m = Ring(Revolute{kY});
  m.model.link(*m.model.FindLink("rocker")).inertial->mass = 1e-9;
  PassRun("urdf detachable").Run("weld_halves", m.model);
  EXPECT_EQ(EndsOf(m.model, "c"), "rocker -> c_half");
  EXPECT_EQ(EndsOf(m.model, "c_tip_joint"), "coupler -> c_tip");
  // Two loops at one link: five parts of it.
  SmallModel two = Ring(Revolute{kY});
  two.AddJoint("e", *two.model.FindLink("crank"), *two.model.FindLink("rocker"), Ball{}, {2, 0, 0},
               JointRole::kLoop);
  PassRun("urdf detachable").Run("weld_halves", two.model);
  EXPECT_NEAR(two.model.link(*two.model.FindLink("rocker")).inertial->mass, 0.2, 1e-15);
}

}  // namespace
}  // namespace kinemorph::test
