// Passes that choose and turn: choose_tree, orient_joints, lower_loops, rebase_link_frames,
// axis_aligned_frames, base, assemble.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edit/align.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "small_model.h"

namespace kinemorph::test {
namespace {

const Vector3 kX = Vector3::UnitX(), kY = Vector3::UnitY(), kZ = Vector3::UnitZ();

// Pose of the joint's successor in its predecessor at q, from the joint alone.
RigidTransform PoseAt(const Joint& joint, std::vector<double> q) {
  return joint.X_PF * JointTransform(joint.kind, q.data()) * joint.X_SM.inverse();
}

//   base -- crank -- coupler -- rocker -- base: every joint is undecided, as SDFormat has it.
SmallModel FourBar() {
  SmallModel m;
  const LinkId base = m.AddLink("base"), crank = m.AddLink("crank"), coupler = m.AddLink("coupler"),
               rocker = m.AddLink("rocker");
  m.AddJoint("a", base, crank, Revolute{kY}, {0, 0, 0}, JointRole::kUndecided);
  m.AddJoint("b", crank, coupler, Revolute{kY}, {0, 0, 1}, JointRole::kUndecided);
  m.AddJoint("c", coupler, rocker, Revolute{kY}, {2, 0, 0}, JointRole::kUndecided,
             RigidTransform::Translation({0, 0, 1}));
  m.AddJoint("d", base, rocker, Revolute{kY}, {2, 0, 0}, JointRole::kUndecided);
  return m;
}

TEST(ChooseTree, GivesEveryJointARole) {  // which joint it cut is said once the last pass has run:
                                          // coordinates_report_test.cc
  SmallModel m = FourBar();
  PassRun run("urdf+");
  run.options.cut = {"c"};
  run.Run("choose_tree", m.model);
  EXPECT_EQ(JointNamed(m.model, "c").role, JointRole::kLoop);
  for (const char* name : {"a", "b", "d"})
    EXPECT_EQ(JointNamed(m.model, name).role, JointRole::kTree);
}

TEST(ChooseTree, MovesACutThatJoinsALinkToItsAncestor) {
  // The author closed the loop on the base: the reference parser cannot read that.
  SmallModel m = FourBar();
  for (const char* name : {"a", "b", "c"})
    m.model.joint(*m.model.FindJoint(name)).role = JointRole::kTree;
  m.model.joint(*m.model.FindJoint("d")).role = JointRole::kLoop;
  PassRun run("urdf+");
  run.Run("choose_tree", m.model);
  EXPECT_EQ(JointNamed(m.model, "d").role, JointRole::kTree);
  int loops = 0;
  for (const JointId id : Joints(m.model))
    loops += m.model.joint(id).role == JointRole::kLoop ? 1 : 0;
  EXPECT_EQ(loops, 1);
}

TEST(AlignToZero, MeasuresALoopJointFromTheDrawing) {
  // The loop stands at 0.5 rad in the drawing; the limit 0.2 .. 1.2 becomes -0.3 .. 0.7, and all
  // other positions move alike.
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  const JointId id = m.AddJoint("j", a, b, Revolute{kZ}, {1, 0, 0}, JointRole::kLoop);
  m.model.joint(id).axes[0].lower = 0.2;
  m.model.joint(id).axes[0].upper = 1.2;
  m.model.joint(id).axes[0].initial_position = 0.6;
  m.model.joint(id).axes[0].safety.emplace().soft_upper = 1.1;
  const RigidTransform X_ab = RigidTransform::Translation({1, 0, 0}) *
                              RigidTransform::Rotation(RotationFromAxisAngle(kZ, 0.5));
  EXPECT_LT(AlignToZero(m.model, id, X_ab, 1e-9), 1e-12);
  const Joint& joint = m.model.joint(id);
  EXPECT_TRUE((joint.X_PF * joint.X_SM.inverse() * X_ab.inverse()).IsNearIdentity(1e-14));
  EXPECT_NEAR(*joint.axes[0].lower, -0.3, 1e-14);
  EXPECT_NEAR(*joint.axes[0].upper, 0.7, 1e-14);
  EXPECT_NEAR(*joint.axes[0].initial_position, 0.1, 1e-14);
  EXPECT_NEAR(*joint.axes[0].safety->soft_upper, 0.6, 1e-14);
  EXPECT_NEAR(joint.axes[0].position_offset, 0.5, 1e-14);
}

TEST(AlignToZero, LeavesAnOpenLoopAlone) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  const JointId id = m.AddJoint("j", a, b, Revolute{kZ}, {1, 0, 0}, JointRole::kLoop);
  EXPECT_NEAR(AlignToZero(m.model, id, RigidTransform::Translation({1, 0.3, 0}), 1e-9), 0.3, 1e-12);
  EXPECT_TRUE(m.model.joint(id).X_SM.IsExactlyIdentity());
}

TEST(OrientJoints, KeepsTheMotionOfEveryKind) {
  const std::vector<std::pair<JointKind, std::vector<double>>> kinds = {
      {Revolute{kY}, {0.3}},
      {Prismatic{kX}, {0.3}},
      {Screw{kZ, 0.1}, {0.7}},
      {Cylindrical{kX}, {0.4, 0.2}},
      {Universal{kX, Vector3(0, 0.6, 0.8)}, {0.3, -0.5}}};
  for (const auto& [kind, q] : kinds) {
    // world -> root, and root <- tip: the joint points from the tip to the root.
    SmallModel m;
    const LinkId root = m.AddLink("root"), tip = m.AddLink("tip");
    m.AddJoint("ground", kWorld, root, Fixed{});
    m.AddJoint("j", tip, root, kind, {0.1, 0.2, 0.3}, JointRole::kTree,
               {RotationFromRpy({0.1, 0.2, 0.3}), {0.5, 0, 0}});
    const RigidTransform X_tip_root = PoseAt(JointNamed(m.model, "j"), q);
    PassRun run("urdf+");
    run.Run("orient_joints", m.model);
    EXPECT_EQ(EndsOf(m.model, "j"), "root -> tip");
    std::vector<double> same = q;
    if (std::holds_alternative<Universal>(kind)) std::swap(same[0], same[1]);
    const RigidTransform X_root_tip = PoseAt(JointNamed(m.model, "j"), same);
    EXPECT_TRUE((X_root_tip * X_tip_root).IsNearIdentity(1e-14)) << KindName(kind);
  }
}

TEST(OrientJoints, AUniversalJointsLimitsAndCouplingsChangePlaces) {
  SmallModel m;
  const LinkId root = m.AddLink("root"), tip = m.AddLink("tip");
  m.AddJoint("ground", kWorld, root, Fixed{});
  const JointId j = m.AddJoint("j", tip, root, Universal{kX, kY});
  m.model.joint(j).axes[0].upper = 1;
  m.Couple("c", CouplingForm::kTendon, {{j, 1}});
  PassRun("urdf+").Run("orient_joints", m.model);
  EXPECT_FALSE(m.model.joint(j).axes[0].upper);
  EXPECT_EQ(m.model.joint(j).axes[1].upper, 1);
  EXPECT_EQ(m.model.couplings[0].terms[0].coordinate.axis, 1);
}

TEST(RebaseLinkFrames, EverythingOnTheLinkFollows) {
  SmallModel m;
  const LinkId base = m.AddLink("base"), arm = m.AddLink("arm"), tip = m.AddLink("tip");
  const RigidTransform X_SM{RotationFromRpy({0.3, 0.2, 0.1}), Vector3(0.1, 0.2, 0.3)};
  m.AddJoint("shoulder", base, arm, Revolute{kY}, {0, 0, 1}, JointRole::kTree, X_SM);
  m.AddJoint("elbow", arm, tip, Revolute{kX}, {0, 0, 2});
  Visual visual;
  visual.shape = Box{{1, 2, 3}};
  visual.X_LG.p = Vector3(0.4, 0, 0);
  m.model.link(arm).visuals.push_back(visual);
  m.model.frames.push_back(
      {"tool", arm, RigidTransform::Translation({0, 1, 0}), "frame", kNoScope, {}, {}});
  const Model before = m.model;
  PassRun run("urdf+");
  run.Run("rebase_link_frames", m.model);
  for (const JointId id : Joints(m.model)) EXPECT_TRUE(m.model.joint(id).X_SM.IsExactlyIdentity());
  EXPECT_EQ(CompareInWorld(before, m.model, NameMap()), "");
  ASSERT_EQ(run.report.frames.size(), 1U);
  EXPECT_EQ(run.report.frames[0].link, "arm");
  EXPECT_EQ(run.report.frames[0].X_old_new, X_SM);
  const auto X_before = PosesAtZero(before, ChooseSpanningTree(before)),
             X_after = PosesAtZero(m.model, ChooseSpanningTree(m.model));
  EXPECT_TRUE((X_before[Index(arm)] * before.frames[0].X_LF *
               (X_after[Index(arm)] * m.model.frames[0].X_LF).inverse())
                  .IsNearIdentity(1e-14));
  EXPECT_TRUE((X_before[Index(arm)] * X_SM * X_after[Index(arm)].inverse()).IsNearIdentity(1e-14));
}

// A crank of one planar loop that bears another, in an oblique plane: it turns about its own axis,
// as the links of its loop do, until the other plane's normal is a coordinate axis too.
TEST(AxisAlignedFrames, ALinkOfOneLoopThatBearsAnother) {
  const Vector3 n(0, 0.6, 0.8), across(0, -0.8, 0.6);
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b"), c = m.AddLink("c"), d = m.AddLink("d"),
               e = m.AddLink("e"), f = m.AddLink("f");
  m.AddJoint("to_a", kWorld, a, Revolute{kX});
  m.AddJoint("to_b", a, b, Revolute{kX}, {0, 0, 1});
  m.AddJoint("to_c", kWorld, c, Revolute{kX}, {0, 2, 0});
  m.AddJoint("x_loop", c, b, Revolute{kX}, {0, 0, 1}, JointRole::kLoop,
             RigidTransform::Translation({0, 2, 0}));
  m.AddJoint("to_d", a, d, Revolute{n});
  m.AddJoint("to_e", d, e, Revolute{n}, {1, 0, 0});
  m.AddJoint("to_f", a, f, Revolute{n}, across);
  m.AddJoint("y_loop", f, e, Revolute{n}, {1, 0, 0}, JointRole::kLoop,
             RigidTransform::Translation(across));
  const Model before = m.model;
  PassRun run("urdf+ grbda");
  run.Run("axis_aligned_frames", m.model);
  EXPECT_EQ(CompareInWorld(before, m.model, NameMap()), "");
  const auto axis = [&](const char* name) {
    return std::get<Revolute>(JointNamed(m.model, name).kind).axis;
  };
  for (const char* name : {"to_a", "to_b", "to_c", "x_loop"}) EXPECT_EQ(axis(name), kX) << name;
  for (const char* name : {"to_d", "to_e", "to_f", "y_loop"}) EXPECT_EQ(axis(name), kY) << name;
}

// The hinge that takes the loop out of the plane.
void Tilt(Model& model) {
  model.joint(*model.FindJoint("d")).kind = Revolute{Vector3(0, 0.8, 0.6)};
}

TEST(LowerLoops, TheBallOfAPlanarLoopBecomesAHinge) {
  SmallModel m = FourBar();
  for (const char* name : {"a", "b", "d"})
    m.model.joint(*m.model.FindJoint(name)).role = JointRole::kTree;
  Joint& c = m.model.joint(*m.model.FindJoint("c"));
  c.kind = Ball{};
  c.X_SM.R = RotationFromAxisAngle(Vector3::UnitX(), 1);  // a ball may be drawn at any angle
  c.axes.assign(1, {});
  c.role = JointRole::kLoop;
  PassRun run("urdf+");
  run.Run("lower_loops", m.model);
  EXPECT_EQ(KindName(c.kind), "revolute");
  EXPECT_EQ(c.role, JointRole::kLoop);
  const auto X = PosesAtZero(m.model, ChooseSpanningTree(m.model));
  const JointId loop = *m.model.FindJoint("c");
  EXPECT_TRUE((X[Index(m.model.predecessor(loop))] * c.X_PF *
               (X[Index(m.model.successor(loop))] * c.X_SM).inverse())
                  .IsNearIdentity(1e-14));
  EXPECT_TRUE(run.report.losses.empty());
}

TEST(LowerLoops, ABallLoopIsCutAtAPassiveRevoluteJointOfTheSameLoop) {
  SmallModel m = FourBar();
  Tilt(m.model);
  for (const char* name : {"a", "b", "d"})
    m.model.joint(*m.model.FindJoint(name)).role = JointRole::kTree;
  Joint& c = m.model.joint(*m.model.FindJoint("c"));
  c.kind = Ball{};
  c.axes.assign(1, {});
  c.role = JointRole::kLoop;
  m.model.joint(*m.model.FindJoint("a")).axes[0].effort = 10;  // the motor stays in the tree
  m.model.joint(*m.model.FindJoint("d")).axes[0].lower = -1;
  PassRun run("urdf+");
  run.Run("lower_loops", m.model);
  EXPECT_EQ(JointNamed(m.model, "c").role, JointRole::kTree);
  EXPECT_EQ(JointNamed(m.model, "b").role, JointRole::kLoop);
  EXPECT_TRUE(run.report.losses.empty());
}

TEST(LowerLoops, WithoutAnotherCutABallBecomesTwoRevolutesAndARevoluteLoop) {
  SmallModel m = FourBar();
  Tilt(m.model);
  for (const char* name : {"a", "b", "d"}) {
    Joint& joint = m.model.joint(*m.model.FindJoint(name));
    joint.role = JointRole::kTree;
    joint.axes[0].damping = 0.1;
  }
  Joint& c = m.model.joint(*m.model.FindJoint("c"));
  c.kind = Ball{};
  c.axes.assign(1, {});
  c.role = JointRole::kLoop;
  PassRun run("urdf+");
  run.Run("lower_loops", m.model);
  EXPECT_EQ(EndsOf(m.model, "c_1"), "coupler -> c_link1");
  EXPECT_EQ(EndsOf(m.model, "c_2"), "c_link1 -> c_link2");
  EXPECT_EQ(EndsOf(m.model, "c"), "c_link2 -> rocker");
  EXPECT_EQ(KindName(JointNamed(m.model, "c").kind), "revolute");
  EXPECT_EQ(JointNamed(m.model, "c").role, JointRole::kLoop);
  const auto X = PosesAtZero(m.model, ChooseSpanningTree(m.model));
  const JointId loop = *m.model.FindJoint("c");
  EXPECT_TRUE((X[Index(m.model.predecessor(loop))] * m.model.joint(loop).X_PF *
               (X[Index(m.model.successor(loop))] * m.model.joint(loop).X_SM).inverse())
                  .IsNearIdentity(1e-14));
}

// Constraints of engines give way to a light body: a chain of massless links would let the loop open.
TEST(LowerLoops, WithoutAnotherCutALinkIsSplitWhereAnEngineHoldsTheLoop) {
  SmallModel m = FourBar();
  for (const char* name : {"a", "b", "d"}) {
    Joint& joint = m.model.joint(*m.model.FindJoint(name));
    joint.role = JointRole::kTree;
    joint.axes[0].damping = 0.1;
  }
  Joint& c = m.model.joint(*m.model.FindJoint("c"));
  c.kind = Prismatic{kX};
  c.axes[0].damping = 0.3;
  c.role = JointRole::kLoop;
  // The successor, where it is about as heavy and as wide as the other link.
  Inertial& rocker = m.model.link(*m.model.FindLink("rocker")).inertial.emplace();
  rocker.mass = 3, rocker.I_I = 3 * Matrix3::Identity();
  SmallModel slim = m;
  slim.model.link(*slim.model.FindLink("rocker")).inertial->I_I *= 1e-3;
  PassRun run("mjcf"), other("mjcf");
  other.Run("lower_loops", slim.model);
  EXPECT_EQ(EndsOf(slim.model, "c"), "coupler_half -> rocker");
  run.Run("lower_loops", m.model);
  EXPECT_EQ(EndsOf(m.model, "c"), "coupler -> rocker_half");
  EXPECT_EQ(JointNamed(m.model, "c").role, JointRole::kTree);
  EXPECT_EQ(JointNamed(m.model, "c").axes[0].damping, 0.3) << "a joint of the tree keeps all";
  EXPECT_EQ(EndsOf(m.model, "c_weld"), "rocker_half -> rocker");
  EXPECT_EQ(KindName(JointNamed(m.model, "c_weld").kind), "fixed");
  for (const char* half : {"rocker", "rocker_half"})
    EXPECT_EQ(m.model.link(*m.model.FindLink(half)).inertial->mass, 1.5) << half;
  EXPECT_TRUE(run.report.losses.empty());
}

TEST(LowerLoops, TwoJointsBetweenOnePairOfLinksGetAnAnchorLink) {
  // A second revolute joint on the same axis: the loop joins base to its own child, and there is no
  // other joint to cut.
  SmallModel m;
  const LinkId base = m.AddLink("base"), door = m.AddLink("door");
  m.AddJoint("upper", base, door, Revolute{kZ}, {0, 0, 1});
  m.AddJoint("lower", base, door, Revolute{kZ}, {0, 0, 0}, JointRole::kLoop,
             RigidTransform::Translation({0, 0, -1}));
  PassRun run("urdf+");
  run.Run("lower_loops", m.model);
  EXPECT_EQ(EndsOf(m.model, "lower"), "lower_anchor -> door");
  EXPECT_EQ(EndsOf(m.model, "lower_anchor_joint"), "base -> lower_anchor");
  EXPECT_EQ(KindName(JointNamed(m.model, "lower_anchor_joint").kind), "fixed");
}

// A pass looks whether the model uses what the table gives to it, and else leaves all as it is.
TEST(SplitLoops, AWeldThatNothingButTextIsSaidOfStaysALoop) {
  SmallModel m = FourBar();
  for (const char* name : {"a", "b", "d"})
    m.model.joint(*m.model.FindJoint(name)).role = JointRole::kTree;
  Joint& c = m.model.joint(*m.model.FindJoint("c"));
  c.kind = Fixed{};
  c.axes.clear();
  c.role = JointRole::kLoop;
  c.native.push_back({"sdf", "plugin", {.name = "plugin"}, {}});
  const std::size_t links = m.model.num_links();
  PassRun run("urdf");
  run.options.target.options.side_cars = {"gepetto"};
  run.Run("split_loops", m.model);
  EXPECT_EQ(m.model.num_links(), links);
  EXPECT_EQ(JointNamed(m.model, "c").role, JointRole::kLoop);
}

TEST(FreeJoints, LeadFromTheWorldWhereOneIsBetweenLinks) {
  for (const bool between : {false, true}) {
    SmallModel m;
    const LinkId a = m.AddLink("a"), b = m.AddLink("b");
    m.AddJoint("turned", a, kWorld, Free{});
    if (between) m.AddJoint("free", a, b, Free{}, {1, 0, 0});
    PassRun("mjcf").Run("free_joints", m.model);
    EXPECT_EQ(m.model.successor(*m.model.FindJoint("turned")) == kWorld, !between);
    if (!between) continue;
    EXPECT_EQ(m.model.predecessor(*m.model.FindJoint("free")), kWorld);
    EXPECT_EQ(JointNamed(m.model, "free").X_PF.p, Vector3(1, 0, 0));
  }
}

TEST(Base, AskedForOrLeftAsTheSourceSaysIt) {
  const auto joint_of = [](const std::string& target, BaseChoice choice,
                           std::optional<JointKind> said) {
    SmallModel m;
    const LinkId body = m.AddLink("body");
    if (said) m.model.joint(m.AddJoint("w", kWorld, body, *said)).implicit = true;
    PassRun run(target);
    run.options.base = choice;
    run.Run("base", m.model);
    if (m.model.num_joints() == 0) return std::string("unsaid");
    const Joint& joint = m.model.joint(JointId{0});
    return std::string(KindName(joint.kind)) + (joint.implicit ? ", implicit" : "");
  };
  using enum BaseChoice;
  EXPECT_EQ(joint_of("urdf", kAuto, std::nullopt), "unsaid");
  EXPECT_EQ(joint_of("urdf", kAuto, Free{}), "unsaid");
  EXPECT_EQ(joint_of("urdf", kFixed, Free{}), "fixed");
  EXPECT_EQ(joint_of("urdf", kFloating, std::nullopt), "free");
  EXPECT_EQ(joint_of("sdf", kAuto, std::nullopt), "free, implicit");
  EXPECT_EQ(joint_of("sdf", kFixed, std::nullopt), "fixed");
  EXPECT_EQ(joint_of("mjcf", kAuto, std::nullopt), "fixed, implicit");
  EXPECT_EQ(joint_of("mjcf", kAuto, Free{}), "free");
  EXPECT_EQ(joint_of("mjcf", kFloating, Fixed{}), "free");
}

TEST(Assemble, MovesTheZeroToAClosedConfigurationAndKeepsTheCoordinates) {
  // The rocker is drawn 0.1 rad away from closing.
  SmallModel m = FourBar();
  for (const char* name : {"a", "b", "d"})
    m.model.joint(*m.model.FindJoint(name)).role = JointRole::kTree;
  m.model.joint(*m.model.FindJoint("c")).role = JointRole::kLoop;
  const JointId a = *m.model.FindJoint("a"), d = *m.model.FindJoint("d");
  m.model.joint(d).X_PF.R = RotationFromAxisAngle(kY, 0.1);
  m.model.joint(a).axes[0].lower = -1;
  m.model.joint(a).axes[0].upper = 2;
  PassRun run("sdf");
  run.Run("assemble", m.model);
  ASSERT_FALSE(run.diagnostics.has_errors()) << Rendered(run.diagnostics);
  const auto X = PosesAtZero(m.model, ChooseSpanningTree(m.model));
  const JointId c = *m.model.FindJoint("c");
  const RigidTransform gap = (X[Index(m.model.predecessor(c))] * m.model.joint(c).X_PF).inverse() *
                             X[Index(m.model.successor(c))] * m.model.joint(c).X_SM;
  EXPECT_TRUE(gap.IsNearIdentity(1e-9));
  const JointAxis& axis = m.model.joint(a).axes[0];
  EXPECT_NEAR(*axis.lower + axis.position_offset, -1, 1e-12);
  EXPECT_NEAR(*axis.upper + axis.position_offset, 2, 1e-12);
}

// Two chains of three bars on a base, whose ends a hinge joins: drawn open, mobility 4.
SmallModel OpenChains(bool base_is_said) {
  SmallModel m;
  const LinkId base = m.AddLink("base");
  m.model.link(base).inertial->X_LI.p.z() = 0.7;
  LinkId ends[2];
  for (const int side : {0, 1}) {
    LinkId& last = ends[side] = base;
    for (int i = 0; i < 3; ++i) {
      const std::string number = std::to_string(3 * side + i);
      const LinkId next = m.AddLink("link" + number);
      m.AddJoint("joint" + number, last, next, Revolute{kY},
                 i == 0 ? Vector3(0.2 * side, 0, 0) : Vector3(0, 0, 0.2));
      last = next;
    }
  }
  m.AddJoint("loop", ends[0], ends[1], Revolute{kY}, {0, 0, 0.2}, JointRole::kLoop,
             RigidTransform::Translation({0, 0, 0.1}));
  if (base_is_said) m.AddJoint("world_to_base", kWorld, base, Fixed{});
  return m;
}

// Where the loops leave that free, the solver's way decides: it must not depend on the base.
TEST(Assemble, EndsWhereTheAnalysisOfTheSourceDoes) {
  const SmallModel source = OpenChains(false);
  const Mechanism mechanism = Compile(source.model);
  const Eigen::VectorXd q = AnalyseCoordinates(mechanism).assembled;
  SmallModel m = OpenChains(true);
  PassRun("sdf").Run("assemble", m.model);
  for (const Body& body : mechanism.bodies) {
    if (body.joint == kNoJoint) continue;
    const Joint& joint = JointNamed(m.model, source.model.joint(body.joint).name);
    EXPECT_NEAR(joint.axes[0].position_offset, q[body.q], 1e-12) << joint.name;
  }
}

// Two links 2 m apart, held by joints of one kind, with a ball joint between them that is open by 1
// m.
SmallModel OpenPair(const JointKind& kind) {
  SmallModel m;
  const LinkId a = m.AddLink("a"), b = m.AddLink("b");
  m.AddJoint("ja", kWorld, a, kind);
  m.AddJoint("jb", kWorld, b, kind, {2, 0, 0});
  m.AddJoint("loop", a, b, Ball{}, {1, 0, 0}, JointRole::kLoop);
  return m;
}

double GapOfPair(const Model& model) {
  const auto X = PosesAtZero(model, ChooseSpanningTree(model));
  const JointId loop = *model.FindJoint("loop");
  return (X[Index(model.predecessor(loop))] * model.joint(loop).X_PF.p -
          X[Index(model.successor(loop))] * model.joint(loop).X_SM.p)
      .norm();
}

TEST(Assemble, FreeBasesMoveWhereALoopClosesOnlyThenAndMust) {
  SmallModel m = OpenPair(Free{});
  PassRun("sdf").Run("assemble", m.model);
  ASSERT_TRUE(m.model.FindJoint("loop"));
  EXPECT_LT(GapOfPair(m.model), 1e-9);
  m = OpenPair(Free{});
  PassRun("mjcf").Run("assemble", m.model);  // holds open loops between sites
  EXPECT_EQ(GapOfPair(m.model), 1);
}

// Micrometres of a drawing are said as soon as a proof would notice them.
TEST(Assemble, WhatStaysOpenAndIsMovedIsSaid) {
  for (const double gap : {0.0, 5e-9, 5e-8}) {
    SmallModel m = FourBar();
    for (const char* name : {"a", "b", "d"})
      m.model.joint(*m.model.FindJoint(name)).role = JointRole::kTree;
    Joint& c = m.model.joint(*m.model.FindJoint("c"));
    c.role = JointRole::kLoop;
    c.X_SM.p += gap * kY;
    PassRun run("sdf");
    run.Run("assemble", m.model);
    EXPECT_EQ(run.report.losses.size(), gap > 0 ? 1U : 0U) << gap;
  }
}

TEST(Assemble, WhatNothingClosesIsLeftOutOrStaysOpen) {
  SmallModel m = OpenPair(Fixed{});
  PassRun sdf("sdf");
  sdf.Run("assemble", m.model);
  EXPECT_FALSE(m.model.FindJoint("loop"));
  EXPECT_EQ(sdf.report.losses.size(), 1u);
  m = OpenPair(Fixed{});
  PassRun mjcf("mjcf");
  mjcf.Run("assemble", m.model);
  EXPECT_TRUE(m.model.FindJoint("loop"));
  EXPECT_TRUE(mjcf.report.losses.empty());
  EXPECT_EQ(GapOfPair(m.model), 1);
}

}  // namespace
}  // namespace kinemorph::test
