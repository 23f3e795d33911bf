// Passes on joints, couplings, links and names: split_joints, fold_chains, couplings,
// massless_links, frames, names, shapes, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "conversion.h"
#include "edit/split.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/model/field_text.h"
#include "lower/couplings.h"
#include "small_model.h"

namespace kinemorph::test {
namespace {

const Vector3 kX = Vector3::UnitX(), kY = Vector3::UnitY(), kZ = Vector3::UnitZ();

TEST(PiecesOf, TheirProductIsTheJoint) {
  const std::vector<std::pair<JointKind, std::vector<double>>> kinds = {
      {Universal{kX, Vector3(0, 0.6, 0.8)}, {0.3, -0.5}},
      {Planar{Vector3(0.6, 0, 0.8)}, {0.1, 0.2, 0.7}},
      {Cylindrical{kY}, {0.4, 0.2}}};
  for (const auto& [kind, q] : kinds) {
    RigidTransform product;
    const std::vector<JointKind> pieces = PiecesOf(kind);
    ASSERT_EQ(pieces.size(), q.size());
    for (std::size_t i = 0; i < q.size(); ++i) product = product * JointTransform(pieces[i], &q[i]);
    EXPECT_TRUE((JointTransform(kind, q.data()).inverse() * product).IsNearIdentity(1e-15))
        << KindName(kind);
  }
}

TEST(SplitJoints, AUniversalJointKeepsTheDataOfEachAxis) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  const JointId wrist = m.AddJoint("wrist", a, b, Universal{kX, kY}, {0, 0, 1}, JointRole::kTree,
                                   RigidTransform::Translation({0, 0, 0.5}));
  m.model.joint(wrist).axes[0].lower = -1;
  m.model.joint(wrist).axes[1].damping = 0.2;
  m.Couple("c", CouplingForm::kTendon, {{wrist, 1}});
  m.model.couplings[0].terms[0].coordinate.axis = 1;
  PassRun run("urdf+");
  run.Run("split_joints", m.model);
  EXPECT_EQ(EndsOf(m.model, "wrist_1"), "a -> wrist_link1");
  EXPECT_EQ(EndsOf(m.model, "wrist_2"), "wrist_link1 -> b");
  EXPECT_EQ(JointNamed(m.model, "wrist_1").axes[0].lower, -1);
  EXPECT_EQ(JointNamed(m.model, "wrist_2").axes[0].damping, 0.2);
  EXPECT_TRUE(m.model.link(*m.model.FindLink("wrist_link1")).synthetic);
  EXPECT_EQ(m.model.couplings[0].terms[0].coordinate,
            (Coordinate{*m.model.FindJoint("wrist_2"), 0}));
  ASSERT_EQ(run.report.lowerings.size(), 1U);
  EXPECT_EQ(run.report.lowerings[0].what,
            "split into 'wrist_1' .. 'wrist_2' through massless link 'wrist_link1'");
}

TEST(SplitJoints, AScrewIsARevoluteAPrismaticAndAMimic) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  m.AddJoint("spindle", a, b, Screw{kZ, 0.002});
  PassRun("urdf").Run("split_joints", m.model);
  ASSERT_EQ(m.model.couplings.size(), 1U);
  EXPECT_EQ(EquationText(m.model, m.model.couplings[0]),
            "q('spindle_2') - 0.002 q('spindle_1') = 0");
}

TEST(FoldChains, UndoesASplit) {
  const std::vector<JointKind> kinds = {Universal{kX, kY}, Ball{}, Screw{kZ, 0.002}};
  for (const JointKind& kind : kinds) {
    SmallModel m;
    const LinkId a = m.AddLink("a"), b = m.AddLink("b");
    m.AddJoint("j", a, b, kind, {0.1, 0.2, 0.3}, JointRole::kTree,
               RigidTransform::Translation({0, 0, 0.5}));
    const Model before = m.model;
    PassRun("urdf").Run("split_joints", m.model);
    ASSERT_GT(m.model.num_links(), before.num_links()) << KindName(kind);
    PassRun("sdf").Run("fold_chains", m.model);
    EXPECT_EQ(m.model.num_links(), before.num_links()) << KindName(kind);
    EXPECT_EQ(CompareInWorld(before, m.model, NameMap()), "") << KindName(kind);
  }
}

TEST(FoldChains, LeavesAxesThatDoNotMeetAndLinksThatCarrySomething) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), mid = m.AddLink("mid", 0), b = m.AddLink("b");
  m.AddJoint("j1", a, mid, Revolute{kX});
  m.AddJoint("j2", mid, b, Revolute{kY}, {0, 0, 0.1});
  PassRun("sdf").Run("fold_chains", m.model);
  EXPECT_EQ(m.model.num_joints(), 2U);
}

TEST(FoldChains, TellsTheZeroOfAHingeThatAJointTakes) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  m.AddJoint("j", a, b, Ball{});
  PassRun("urdf").Run("split_joints", m.model);
  m.model.joint(*m.model.FindJoint("j_2")).axes[0].position_offset = 0.5;
  PassRun run("sdf");
  run.Run("fold_chains", m.model);
  ASSERT_EQ(run.report.losses.size(), 1U);
  EXPECT_EQ(run.report.losses[0].feature, Feature::kPositionOffset);
}

TEST(MasslessLinks, ARigidOneBecomesAFrameAndHandsOverWhatHungOnIt) {
  //   base --fixed--> plate (massless, with a visual) --revolute--> arm
  SmallModel m;
  const LinkId base = m.AddLink("base"), plate = m.AddLink("plate", 0), arm = m.AddLink("arm");
  m.AddJoint("mount", base, plate, Fixed{}, {0, 0, 1});
  m.AddJoint("shoulder", plate, arm, Revolute{kZ}, {0, 0, 0.5});
  Visual visual;
  visual.shape = Sphere{0.1};
  m.model.link(plate).visuals.push_back(visual);
  const Model before = m.model;
  PassRun run("sdf");
  run.Run("massless_links", m.model);
  EXPECT_EQ(EndsOf(m.model, "shoulder"), "base -> arm");
  ASSERT_EQ(m.model.frames.size(), 1U);
  EXPECT_EQ(m.model.frames[0].name, "plate");
  EXPECT_EQ(m.model.frames[0].X_LF.p, Vector3(0, 0, 1));
  EXPECT_EQ(CompareInWorld(before, m.model, NameMap()), "");
  EXPECT_TRUE(run.report.losses.empty());
}

// As in libsdformat's conversion of URDF: the robot keeps its root link.
TEST(MasslessLinks, AMasslessRootTakesTheFirstMassThatIsFixedToIt) {
  //   base_link (massless) --fixed--> mount (massless) --fixed--> body, --fixed--> box, --> arm
  SmallModel m;
  const LinkId root = m.AddLink("base_link", 0), mount = m.AddLink("mount", 0),
               body = m.AddLink("body", 5), box = m.AddLink("box"), arm = m.AddLink("arm");
  m.model.link(body).inertial->I_I.setZero();  // a point mass is no massless link
  m.model.joint(m.AddJoint("w", kWorld, root, Free{})).implicit = true;
  m.AddJoint("fix", root, mount, Fixed{}, {0, 0, 1});
  m.AddJoint("fix2", mount, body, Fixed{}, {0, 0, 1});
  m.AddJoint("fix3", mount, box, Fixed{}, {0, 0, 3});
  m.AddJoint("j", body, arm, Revolute{kZ}, {1, 0, 0});
  const Model before = m.model;
  PassRun("sdf").Run("massless_links", m.model);
  EXPECT_EQ(EndsOf(m.model, "j"), "base_link -> arm");
  EXPECT_EQ(EndsOf(m.model, "fix3"), "base_link -> box");
  EXPECT_EQ(m.model.num_links(), 4U);  // the world is one
  EXPECT_EQ(m.model.link(*m.model.FindLink("base_link")).inertial->mass, 5);
  ASSERT_EQ(m.model.frames.size(), 2U);
  EXPECT_EQ(m.model.frames[1].name, "body");
  EXPECT_EQ(m.model.frames[1].X_LF.p, Vector3(0, 0, 2));
  EXPECT_EQ(CompareInWorld(before, m.model, NameMap()), "");
}

TEST(WorldLink, TheMassOfALinkCalledWorldIsALoss) {
  for (const double mass : {0.0, 0.01}) {
    SmallModel m;
    m.AddJoint("fix", m.AddLink("world", mass), m.AddLink("arm"), Fixed{});
    PassRun run("sdf");
    run.Run("bind_world_link", m.model);
    EXPECT_EQ(m.model.num_links(), 2U);
    ASSERT_EQ(run.report.losses.size(), mass > 0 ? 1U : 0U);
    if (mass == 0) continue;
    EXPECT_EQ(run.report.losses[0].subject.name, "world");
    EXPECT_EQ(run.report.losses[0].source, "0.01 kg");
  }
}

TEST(WorldLink, ALinkCalledWorldBelowAJointOrWithoutAnyIsALink) {
  SmallModel below, alone;
  below.AddJoint("fix", below.AddLink("arm"), below.AddLink("world"), Fixed{});
  alone.AddLink("world");
  for (SmallModel* const m : {&below, &alone}) {
    const std::size_t links = m->model.num_links();
    PassRun run("sdf");
    run.Run("bind_world_link", m->model);
    EXPECT_EQ(m->model.num_links(), links);
    EXPECT_TRUE(run.report.losses.empty());
  }
}

TEST(MasslessLinks, AMovingOneGetsAVeryLittleInertiaOrAMassOnRequest) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), tip = m.AddLink("tip", 0);
  m.AddJoint("j", base, tip, Revolute{kZ});
  PassRun run("sdf");
  Model plain = m.model;
  run.Run("massless_links", plain);
  ASSERT_EQ(run.report.losses.size(), 1U);
  EXPECT_EQ(run.report.losses[0].feature, Feature::kMasslessLink);
  EXPECT_THAT(run.report.losses[0].why, testing::HasSubstr("1 kg"));
  EXPECT_EQ(plain.link(tip).inertial->mass, 1e-7) << "of the robot's 1 kg";
  EXPECT_GT(plain.link(tip).inertial->I_I(0, 0), 0);
  PassRun asked("sdf");
  asked.options.massless = 1e-6;
  asked.Run("massless_links", m.model);
  ASSERT_EQ(asked.report.losses.size(), 1U);
  EXPECT_TRUE(asked.report.losses[0].asked);
  EXPECT_EQ(asked.report.losses[0].target, "1e-06 kg");
  EXPECT_EQ(m.model.link(tip).inertial->mass, 1e-6);
}

TEST(MasslessLinks, EachRobotOfAWorldIsMeasuredByItsOwnMass) {
  SmallModel m;
  const LinkId heavy = m.AddLink("heavy", 1000), light = m.AddLink("light", 0.001);
  for (const auto& [base, name] :
       {std::pair(heavy, "a"), std::pair(light, "b"), std::pair(light, "c")})
    m.AddJoint(std::string("j") + name, base, m.AddLink(name, 0), Revolute{kZ});
  PassRun("sdf").Run("massless_links", m.model);
  const auto mass = [&](const char* name) {
    return m.model.link(*m.model.FindLink(name)).inertial->mass;
  };
  EXPECT_DOUBLE_EQ(mass("a"), 1e-4);
  EXPECT_DOUBLE_EQ(mass("b"), 5e-11);
  EXPECT_DOUBLE_EQ(mass("c"), 5e-11);
}

TEST(MasslessLinks, MujocoGetsAVeryLittleForWhatMoves) {
  //   base --j1--> rotor (inertia without mass)     base --j2--> bare (no inertial) --weld--> tool
  //   base --j3--> point (no inertia)
  SmallModel m;
  const LinkId base = m.AddLink("base"), rotor = m.AddLink("rotor", 0), bare = m.AddLink("bare", 0),
               tool = m.AddLink("tool"), point = m.AddLink("point");
  m.AddJoint("fix", kWorld, base, Fixed{});
  m.AddJoint("j1", base, rotor, Revolute{kZ});
  m.AddJoint("j2", base, bare, Revolute{kZ});
  m.AddJoint("weld", bare, tool, Fixed{});
  m.AddJoint("j3", base, point, Revolute{kZ});
  m.model.link(rotor).inertial.emplace().I_I = 1e-4 * Matrix3::Identity();
  m.model.link(point).inertial->I_I.setZero();
  PassRun run("mjcf");
  run.Run("massless_links", m.model);
  const double little = 3e-7 / 2;  // of three links of 1 kg, for two in need
  EXPECT_DOUBLE_EQ(m.model.link(rotor).inertial->mass, little);
  EXPECT_EQ(m.model.link(rotor).inertial->I_I, Matrix3(1e-4 * Matrix3::Identity()));
  EXPECT_FALSE(m.model.link(bare).inertial) << "the tool welded to it weighs for it";
  EXPECT_EQ(m.model.link(point).inertial->mass, 1);
  EXPECT_TRUE(
      m.model.link(point).inertial->I_I.isApprox(Matrix3(little * 0.01 * Matrix3::Identity())))
      << "the size is 1 m";
  ASSERT_EQ(run.report.losses.size(), 2U);
  EXPECT_THAT(
      run.report.losses[0].what,
      testing::HasSubstr("1 link has no inertia ('point'): 1.5e-09 kg m^2 are written for each"));
  EXPECT_THAT(run.report.losses[1].what,
              testing::HasSubstr("1 link has no mass ('rotor'): 1.5e-07 kg and 0 kg m^2"));
}

TEST(MasslessLinks, AChainVanishesIntoOneBodyOnlyWhenItEndsInMassAndFits) {
  // Seven hinges through massless links: the last six fit one body.
  SmallModel m;
  LinkId parent = kWorld;
  for (int i = 1; i <= 7; ++i) {
    const LinkId link = m.AddLink("l" + std::to_string(i), i < 7 ? 0 : 1);
    m.AddJoint("j" + std::to_string(i), parent, link, Revolute{kZ});
    parent = link;
  }
  Model massless = m.model;
  PassRun("mjcf").Run("massless_links", m.model);
  EXPECT_FALSE(m.model.link(LinkId{1}).synthetic);
  for (std::uint32_t i = 2; i < 7; ++i) EXPECT_TRUE(m.model.link(LinkId{i}).synthetic) << i;
  // Where nothing weighs, every link stays.
  massless.link(LinkId{7}).inertial.reset();
  PassRun("mjcf").Run("massless_links", massless);
  for (const LinkId id : Links(massless)) EXPECT_FALSE(massless.link(id).synthetic);
}

TEST(Shapes, WhatWouldKeepMujocoFromLoadingIsLeftOutWithALoss) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), arm = m.AddLink("arm");
  m.AddJoint("fix", kWorld, base, Fixed{});
  m.AddJoint("j", base, arm, Revolute{kZ});
  const auto add = [&](LinkId link, Shape shape) {
    m.model.link(link).visuals.emplace_back().shape = std::move(shape);
  };
  Mesh mesh;
  mesh.uri = "meshes/arm.STL";
  add(arm, mesh);
  mesh.uri = "meshes/arm.dae";
  add(arm, mesh);
  add(arm, Cylinder{0.1, 0});
  add(base, Plane{});
  add(arm, Plane{});
  PassRun run("mjcf");
  run.Run("shapes", m.model);
  ASSERT_EQ(m.model.link(arm).visuals.size(), 1U);
  EXPECT_EQ(std::get<Mesh>(m.model.link(arm).visuals[0].shape).uri, "meshes/arm.STL");
  EXPECT_EQ(m.model.link(base).visuals.size(), 1U) << "a plane on what stands still is legal";
  ASSERT_EQ(run.report.losses.size(), 3U);
  EXPECT_EQ(run.report.losses[0].what, "mesh 'meshes/arm.dae' is not written");
  EXPECT_EQ(run.report.losses[1].what, "the shape without extent is not written");
  EXPECT_EQ(run.report.losses[2].what, "the plane is not written");
}

TEST(Frames, BecomeMasslessLinksOrAreLeftOutOnRequest) {
  SmallModel m;
  const LinkId base = m.AddLink("base");
  m.model.frames.push_back(
      {"tool", base, RigidTransform::Translation({0, 0, 1}), "frame", kNoScope, {}, {}});
  Model kept = m.model;
  PassRun("urdf").Run("frames", kept);
  EXPECT_EQ(EndsOf(kept, "tool_joint"), "base -> tool");
  EXPECT_TRUE(kept.frames.empty());
  PassRun dropping("urdf");
  dropping.options.keep_frames = false;
  dropping.Run("drop_requested", m.model);
  EXPECT_TRUE(m.model.frames.empty());
  ASSERT_EQ(dropping.report.losses.size(), 1U);
  EXPECT_EQ(dropping.report.losses[0].why, "left out on request");
}

// Two branches of a belt: motor on the thigh, shank and foot in series.
struct Belt : SmallModel {
  JointId motor, shank, foot;
  Belt() {
    const LinkId thigh = AddLink("thigh"), m = AddLink("motor"), s = AddLink("shank"),
                 f = AddLink("foot");
    motor = AddJoint("motor_joint", thigh, m, Revolute{kY});
    shank = AddJoint("shank_joint", thigh, s, Revolute{kY}, {0, 0, 1});
    foot = AddJoint("foot_joint", s, f, Revolute{kY}, {0, 0, 1});
  }
};

TEST(Couplings, ALinearRelationOfTwoBranchesIsARatioInUrdfPlus) {
  Belt m;
  m.Couple("belt", CouplingForm::kTendon, {{m.motor, -1}, {m.shank, 6}, {m.foot, 6}});
  PassRun run("urdf+");
  run.Run("couplings", m.model);
  ASSERT_EQ(m.model.couplings.size(), 1U);
  const Coupling& c = m.model.couplings[0];
  EXPECT_EQ(c.form, CouplingForm::kRatio);
  EXPECT_TRUE(run.report.losses.empty());
  // sum over the successor's branch = ratio * sum over the predecessor's
  const bool motor_follows = m.model.link(c.successor).name == "motor";
  EXPECT_DOUBLE_EQ(c.ratio, motor_follows ? 6 : 1.0 / 6);
}

TEST(Couplings, TheSameIsAGearboxInSdformat) {
  Belt m;
  m.Couple("belt", CouplingForm::kRatio, {{m.motor, 1}, {m.shank, -6}, {m.foot, -6}});
  m.model.couplings[0].predecessor = *m.model.FindLink("foot");
  m.model.couplings[0].successor = *m.model.FindLink("motor");
  m.model.couplings[0].ratio = 6;
  PassRun("sdf").Run("couplings", m.model);
  ASSERT_EQ(m.model.couplings.size(), 1U);
  EXPECT_EQ(m.model.couplings[0].form, CouplingForm::kGearbox);
  EXPECT_EQ(m.model.couplings[0].ratio, -6);
  EXPECT_EQ(m.model.link(m.model.couplings[0].reference).name, "thigh");
}

TEST(Couplings, AMimicWithAnOffsetHasNoHomeInSdformat19) {
  Belt m;
  m.Couple("m", CouplingForm::kMimic, {{m.motor, 1}, {m.shank, -2}}, 0.5);
  PassRun run("sdf@1.9");
  run.Run("couplings", m.model);
  EXPECT_TRUE(m.model.couplings.empty());
  ASSERT_EQ(run.report.losses.size(), 1U);
  EXPECT_EQ(
      run.report.losses[0].what,
      "q('motor_joint') - 2 q('shank_joint') = 0.5 is not written; the joints move on their own");
  Belt again;
  again.Couple("m", CouplingForm::kMimic, {{again.motor, 1}, {again.shank, -2}}, 0.5);
  PassRun newer("sdf@1.11");
  newer.Run("couplings", again.model);
  EXPECT_EQ(again.model.couplings.size(), 1U);
  EXPECT_TRUE(newer.report.losses.empty());
}

TEST(Couplings, AJointFollowsOneOtherOnly) {
  Belt m;
  m.Couple("one", CouplingForm::kMimic, {{m.foot, 1}, {m.shank, -2}});
  m.Couple("two", CouplingForm::kMimic, {{m.foot, 1}, {m.motor, -3}});
  PassRun run("urdf");
  run.Run("couplings", m.model);
  EXPECT_EQ(m.model.couplings.size(), 1U);
  EXPECT_EQ(run.report.losses.size(), 1U);
}

// MJCF welds a body to its parent without a name; SDFormat needs one, without "::".
TEST(Names, AWeldThatNobodyNamedGetsALegalOne) {
  SmallModel m;
  const LinkId a = m.AddLink("arm"), b = m.AddLink("c::d");
  const JointId weld = m.AddJoint("c::d_fixed", a, b, Fixed{});
  m.model.joint(weld).implicit = true;
  PassRun("mjcf").Run("names", m.model);
  EXPECT_EQ(m.model.joint(weld).name, "c::d_fixed") << "not written there";
  PassRun("sdf").Run("names", m.model);
  EXPECT_EQ(m.model.joint(weld).name, "c__d_fixed");
}

TEST(Names, SdformatHasOneSpaceAndReservedWords) {
  SmallModel m;
  const LinkId arm = m.AddLink("arm"), hand = m.AddLink("a::b"), odd = m.AddLink("__x__");
  m.AddJoint("arm", arm, hand, Revolute{kX});
  m.AddJoint("ok", arm, odd, Revolute{kX});
  m.model.frames.push_back({"arm", arm, {}, "frame", kNoScope, {}, {}});
  PassRun run("sdf");
  run.Run("names", m.model);
  EXPECT_EQ(m.model.link(arm).name, "arm");
  EXPECT_EQ(m.model.joint(JointId{0}).name, "arm_joint");
  EXPECT_EQ(m.model.frames[0].name, "arm_frame");
  EXPECT_EQ(m.model.link(hand).name, "a__b");
  EXPECT_EQ(m.model.link(odd).name, "x__x___link");
  EXPECT_EQ(m.model.name, "model") << "it had none";
  EXPECT_EQ(run.report.names.size(), 5U);
}

TEST(Names, MbsHasIdentifiers) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), arm = m.AddLink("left arm-2");
  m.AddJoint("left_arm_2", base, arm, Revolute{kX});
  PassRun("mbs").Run("names", m.model);
  EXPECT_EQ(m.model.link(base).name, "base_link");
  EXPECT_EQ(m.model.link(arm).name, "left_arm_2");
  EXPECT_EQ(m.model.joint(JointId{0}).name, "left_arm_2_joint");
}

TEST(Shapes, ACapsuleIsACylinderAndTwoSpheres) {
  SmallModel m;
  const LinkId a = m.AddLink("a");
  Collision collision;
  collision.name = "c";
  collision.shape = Capsule{0.1, 1};
  m.model.link(a).collisions.push_back(collision);
  PassRun("urdf").Run("shapes", m.model);
  const std::vector<Collision>& parts = m.model.link(a).collisions;
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(ShapeText(parts[0].shape), "cylinder 0.1 1");
  EXPECT_EQ(ShapeText(parts[1].shape), "sphere 0.1");
  EXPECT_EQ(parts[1].X_LG.p, Vector3(0, 0, 0.5));
  EXPECT_EQ(parts[2].X_LG.p, Vector3(0, 0, -0.5));
}

TEST(Limits, WhatIsSaidOfAWholeFloatingJointIsOneLossEach) {
  SmallModel m;
  const JointId j = m.AddJoint("float", kWorld, m.AddLink("a"), Free{});
  m.model.joint(j).axes.assign(1, JointAxis());
  m.model.joint(j).axes[0].damping = 0.5;
  m.model.joint(j).axes[0].friction = 0.1;
  PassRun run("urdf");
  run.Run("limits", m.model);
  ASSERT_EQ(run.report.losses.size(), 2U);
  EXPECT_EQ(run.report.losses[0].feature, Feature::kDamping);
  EXPECT_EQ(run.report.losses[1].feature, Feature::kFriction);
}

// Newton and others read single precision, and refuse a range without width.
TEST(Limits, ThoseThatSinglePrecisionTakesForOneAreOne) {
  const auto upper_of = [](const char* target, double lower, double upper) {
    SmallModel m;
    const JointId j = m.AddJoint("j", m.AddLink("a"), m.AddLink("b"), Revolute{kX});
    m.model.joint(j).axes[0].lower = lower, m.model.joint(j).axes[0].upper = upper;
    PassRun(target).Run("limits", m.model);
    return m.model.joint(j).axes[0].upper.value_or(NAN);
  };
  EXPECT_EQ(upper_of("mjcf", 1, 1 + 1e-8), 1);
  EXPECT_EQ(upper_of("mjcf", 1, 1 + 1e-6), 1 + 1e-6);
  EXPECT_EQ(upper_of("mjcf", -1e-12, 1e-12), 1e-12);
  EXPECT_EQ(upper_of("usda", -1e-12, 1e-12), -1e-12);  // as narrow as the lock that is written
  EXPECT_EQ(upper_of("sdf", 1, 1 + 1e-8), 1 + 1e-8);
}

TEST(Limits, TheOpenSideOfALimitIsWrittenAndReadAsUnlimited) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  const JointId j = m.AddJoint("j", a, b, Revolute{kX});
  m.model.joint(j).axes[0].lower = -1;
  PassRun("urdf").Run("limits", m.model);
  EXPECT_EQ(m.model.joint(j).axes[0].upper, 1e16);
  PassRun("urdf").Run("unlimited", m.model);
  EXPECT_FALSE(m.model.joint(j).axes[0].upper);
}

TEST(DropUnsupported, EveryLossNamesItsFeatureTheElementAndTheReason) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  const JointId j = m.AddJoint("knee", a, b, Revolute{kX});
  m.model.joint(j).axes[0].armature = 0.01;
  PassRun run("urdf");
  run.Run("drop_unsupported", m.model);
  ASSERT_EQ(run.report.losses.size(), 1U);
  EXPECT_EQ(
      LossReportText(run.report),
      "lost: joint 'knee': armature 0.01 is not written (URDF has no place for it) [armature]\n");
}

TEST(DropJointData, ASafetyControllerIsLostWithItsNumbers) {
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(
      R"(<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/>
  <safety_controller soft_lower_limit="-0.5" k_position="2" k_velocity="3"/></joint></robot>)",
      "/tmp/safety.urdf", diagnostics);
  ASSERT_TRUE(model) << Rendered(diagnostics);
  ConvertOptions options;
  options.target = TargetNamed("sdf");
  const std::optional<Converted> converted = Convert(*model, options, diagnostics);
  ASSERT_TRUE(converted) << Rendered(diagnostics);
  std::string lost;
  for (const Loss& loss : converted->lowered.report.losses)
    if (loss.feature == Feature::kSafety) lost += Text(loss.subject) + ": " + loss.source;
  EXPECT_EQ(lost, "joint 'j': soft lower limit -0.5 rad, k position 2, k velocity 3");
}

// As many names as a plugin has words: each is looked for once.
TEST(Names, WordsOfAPluginAreLookedForAmongManyNames) {
  constexpr int kMany = 20'000;
  SmallModel m;
  NativeElement plugin{.name = "plugin"};
  const LinkId base = m.AddLink("base");
  for (int i = 0; i < kMany; ++i) {
    const std::string n = std::to_string(i);
    m.AddJoint("arm::j-" + n, base, m.AddLink("l-" + n), Revolute{Vector3::UnitX()});
    plugin.Add("joint_or_link", i % 2 == 0 ? "j-" + n : "l-" + n);
  }
  m.model.native.push_back({"sdf", "plugin", plugin, {}});
  const auto start = std::chrono::steady_clock::now();
  PassRun run("mbs");
  run.Run("names", m.model);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  ASSERT_EQ(run.report.losses.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(run.report.losses[0].what, "names joint 'j-0', which is called '" +
                                           m.model.joint(JointId{0}).name + "' in the target");
  EXPECT_EQ(run.report.losses[1].what, "names link 'l-1', which is called 'l_1' in the target");
}

}  // namespace
}  // namespace kinemorph::test
