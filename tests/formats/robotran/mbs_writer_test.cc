// Writing MBS: what each part of a model becomes, one test per fact, and what is refused.
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "loader_rules.h"
#include "mbs_test_support.h"

namespace kinemorph::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Maker {
  Model model;
  Maker() {
    model.name = "robot";
    model.gravity = Vector3(0, 0, -9.81);
  }
  LinkId Link(const std::string& name, double mass = 1) {
    kinemorph::Link link;
    link.name = name;
    if (mass > 0) {
      link.inertial.emplace();
      link.inertial->mass = mass;
      link.inertial->I_I = Vector3(1, 2, 3).asDiagonal();
    }
    return model.AddLink(std::move(link));
  }
  JointId Joint(const std::string& name, LinkId from, LinkId to, JointKind kind,
                RigidTransform X_PF = {}, RigidTransform X_SM = {}) {
    kinemorph::Joint joint;
    joint.name = name;
    joint.kind = std::move(kind);
    joint.X_PF = X_PF;
    joint.X_SM = X_SM;
    joint.role = JointRole::kTree;
    return model.AddJoint(from, to, std::move(joint));
  }
  JointId Loop(const std::string& name, LinkId from, LinkId to, JointKind kind,
               RigidTransform X_PF = {}, RigidTransform X_SM = {}) {
    const JointId id = Joint(name, from, to, std::move(kind), X_PF, X_SM);
    model.joint(id).role = JointRole::kLoop;
    return id;
  }
};

// The joints of link 'a' hung on the world by one joint.
std::vector<std::string> ChainOf(const JointKind& kind, const RigidTransform& X_PF = {},
                                 const RigidTransform& X_SM = {}) {
  Maker make;
  make.Joint("j", kWorld, make.Link("a"), kind, X_PF, X_SM);
  const std::string text = Write(make.model);
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
  return JointsOf(Parsed(text), "a");
}

TEST(MbsWriter, OneJointWhereTheAxisIsACoordinateAxis) {
  EXPECT_THAT(ChainOf(Revolute{Vector3::UnitX()}), ElementsAre("j R1 independent"));
  EXPECT_THAT(ChainOf(Revolute{Vector3::UnitY()}), ElementsAre("j R2 independent"));
  EXPECT_THAT(ChainOf(Prismatic{Vector3::UnitZ()}), ElementsAre("j T3 independent"));
}

TEST(MbsWriter, DrivenJointsAroundAnObliqueOrNegativeAxis) {
  EXPECT_THAT(ChainOf(Revolute{-Vector3::UnitX()}).size(), 3u);
  EXPECT_THAT(ChainOf(Revolute{Vector3(0.6, 0, 0.8)}).size(), 3u);
  EXPECT_THAT(ChainOf(Prismatic{Vector3(1, 1, 1).normalized()}).size(), 5u);
}

TEST(MbsWriter, AJointOriginRotationIsDrivenR3R2R1WithTheAuthorsAngles) {
  EXPECT_THAT(ChainOf(Revolute{Vector3::UnitZ()},
                      RigidTransform::Rotation(RotationFromRpy({0.1, 0.2, 0.3}))),
              ElementsAre("j_rz R3 driven 0.3", "j_ry R2 driven 0.2", "j_rx R1 driven 0.1",
                          "j R3 independent"));
  EXPECT_THAT(ChainOf(Revolute{Vector3::UnitY()},
                      RigidTransform::Rotation(RotationFromRpy({0, 0, 0.3491}))),
              ElementsAre("j_rz R3 driven 0.3491", "j R2 independent"));
}

TEST(MbsWriter, AFixedJointIsADrivenJointOfItsName) {
  EXPECT_THAT(ChainOf(Fixed{}), ElementsAre("j T3 driven"));
  EXPECT_THAT(ChainOf(Fixed{}, RigidTransform::Rotation(RotationFromRpy({0, 0.2, 0.3}))),
              ElementsAre("j_rz R3 driven 0.3", "j R2 driven 0.2"));
}

TEST(MbsWriter, KindsWithSeveralCoordinates) {
  EXPECT_THAT(ChainOf(Universal{}), ElementsAre("j_1 R1 independent", "j_2 R2 independent"));
  EXPECT_THAT(ChainOf(Ball{}),
              ElementsAre("j_1 R1 independent", "j_2 R2 independent", "j_3 R3 independent"));
  EXPECT_THAT(ChainOf(Planar{}),
              ElementsAre("j_1 T1 independent", "j_2 T2 independent", "j_3 R3 independent"));
  EXPECT_THAT(ChainOf(Cylindrical{}), ElementsAre("j_1 R3 independent", "j_2 T3 independent"));
  EXPECT_THAT(ChainOf(Screw{Vector3::UnitZ(), 0.1}),
              ElementsAre("j_1 R3 independent", "j_2 T3 dependent"));
}

TEST(MbsWriter, AFloatingBaseIsT1T2T3R1R2R3FromItsDrawnPose) {
  EXPECT_THAT(ChainOf(Free{}, {RotationFromRpy({0, 0, 0.5}), Vector3(0, 0, 0.9)}),
              ElementsAre("j_T1 T1 independent", "j_T2 T2 independent", "j_T3 T3 independent 0.9",
                          "j_R1 R1 independent", "j_R2 R2 independent", "j_R3 R3 independent 0.5"));
}

TEST(MbsWriter, ALinkWithoutAJointIsWeldedToTheBase) {
  Maker make;
  make.Link("a");
  EXPECT_THAT(JointsOf(Parsed(Write(make.model)), "a"), ElementsAre("a_weld T3 driven"));
}

TEST(MbsWriter, ASuccessorFrameOffTheAxisNeedsDrivenTranslations) {
  EXPECT_THAT(ChainOf(Revolute{Vector3::UnitZ()}, {}, RigidTransform::Translation({-0.5, 0, 0})),
              ElementsAre("j R3 independent", "j_tx T1 driven 0.5"));
}

TEST(MbsWriter, NaturesComeFromTheDeclaredIndependence) {
  Maker make;
  const LinkId a = make.Link("a"), b = make.Link("b"), c = make.Link("c");
  make.model.joint(make.Joint("ja", kWorld, a, Revolute{})).independent = true;
  make.model.joint(make.Joint("jb", a, b, Revolute{})).independent = false;
  make.Joint("jc", b, c, Revolute{});
  const Parsed parsed(Write(make.model));
  EXPECT_THAT(JointsOf(parsed, "a"), ElementsAre("ja R3 independent"));
  EXPECT_THAT(JointsOf(parsed, "b"), ElementsAre("jb R3 dependent"));
  EXPECT_THAT(JointsOf(parsed, "c"), ElementsAre("jc R3 independent"));
}

TEST(MbsWriter, InitialPositionsAreWrittenAndZeroIsLeftOut) {
  Maker make;
  const JointId j = make.Joint("j", kWorld, make.Link("a"), Revolute{});
  make.model.joint(j).axes[0].initial_position = 0.25;
  EXPECT_THAT(JointsOf(Parsed(Write(make.model)), "a"), ElementsAre("j R3 independent 0.25"));
  make.model.joint(j).axes[0].initial_position = 0;
  EXPECT_THAT(JointsOf(Parsed(Write(make.model)), "a"), ElementsAre("j R3 independent"));
}

TEST(MbsWriter, InertiaIsRotatedIntoTheBodyFrameWithoutNoise) {
  Maker make;
  const LinkId a = make.Link("a", 2);
  make.model.link(a).inertial->X_LI = {RotationFromRpy({0, 0, std::acos(-1.0) / 6}),
                                       Vector3(0.1, 6e-17, 0)};
  make.Joint("j", kWorld, a, Revolute{});
  const Parsed parsed(Write(make.model));
  const auto* body = FindBody(parsed, "a");
  EXPECT_EQ(TextOf(body, "mass"), "2.0");
  const auto* inertia = body->FirstChildElement("inertia");
  EXPECT_NEAR(NumberOf(inertia, "Ixx"), 1.25, 1e-15);
  EXPECT_NEAR(NumberOf(inertia, "Iyy"), 1.75, 1e-15);
  EXPECT_NEAR(NumberOf(inertia, "Ixy"), -std::sqrt(3) / 4, 1e-15);
  EXPECT_EQ(inertia->FirstChildElement("Ixz"), nullptr);
  EXPECT_EQ(TextOf(body->FirstChildElement("com")->FirstChildElement("coordinates"), "y"), "0.0");
}

// A speck's moments are as small as the noise of a robot's.
TEST(MbsWriter, InertiaOfASpeckIsKept) {
  Maker make;
  const LinkId a = make.Link("a", 1e-7);
  make.Joint("j", kWorld, a, Revolute{});
  make.model.link(a).inertial->I_I = Vector3(3e-22, 3e-22, 5e-22).asDiagonal();
  make.model.link(a).inertial->I_I(0, 1) = make.model.link(a).inertial->I_I(1, 0) = 1e-22;
  const std::string text = Write(make.model);
  for (const char* entry : {"<Ixx>3.0E-22</Ixx>", "<Ixy>1.0E-22</Ixy>", "<Izz>5.0E-22</Izz>"})
    EXPECT_THAT(text, HasSubstr(entry));
}

TEST(MbsWriter, MasslessBodiesHaveNoMassComOrInertia) {
  Maker make;
  const LinkId a = make.Link("a", 0), b = make.Link("b");
  make.Joint("ja", kWorld, a, Revolute{});
  make.Joint("jb", a, b, Revolute{});
  const Parsed parsed(Write(make.model));
  for (const char* tag : {"mass", "com", "inertia"})
    EXPECT_EQ(FindBody(parsed, "a")->FirstChildElement(tag), nullptr);
}

TEST(MbsWriter, SyntheticLinksBecomePartOfOneChain) {
  Maker make;
  const LinkId mid = make.Link("mid", 0), a = make.Link("a");
  make.model.link(mid).synthetic = true;
  make.Joint("j1", kWorld, mid, Revolute{Vector3::UnitX()}, RigidTransform::Translation({0, 0, 1}));
  make.Joint("j2", mid, a, Revolute{Vector3::UnitY()}, RigidTransform::Translation({0, 0, 2}));
  const std::string text = Write(make.model);
  EXPECT_THAT(BodyNames(Parsed(text)), ElementsAre("a"));
  EXPECT_THAT(JointsOf(Parsed(text), "a"),
              ElementsAre("j1 R1 independent", "j2_tz T3 driven 2.0", "j2 R2 independent"));
}

TEST(MbsWriter, BodiesAreInDepthFirstPreorderBySiblingAnchor) {
  Maker make;
  const LinkId a = make.Link("a"), b = make.Link("b"), c = make.Link("c"), d = make.Link("d"),
               e = make.Link("e");
  make.Joint("ja", kWorld, a, Revolute{});
  make.Joint("jb", a, b, Revolute{}, RigidTransform::Translation({1, 0, 0}));
  make.Joint("jc", b, c, Revolute{}, RigidTransform::Translation({1, 0, 0}));
  make.Joint("jd", a, d, Revolute{}, RigidTransform::Translation({2, 0, 0}));
  make.Joint("je", a, e, Revolute{});  // at the origin: before the others
  const std::string text = Write(make.model);
  EXPECT_THAT(BodyNames(Parsed(text)), ElementsAre("a", "e", "b", "c", "d"));
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
}

TEST(MbsWriter, AnchorsAreSnappedToExactZeros) {
  Maker make;
  const LinkId a = make.Link("a"), b = make.Link("b");
  make.Joint("ja", kWorld, a, Revolute{});
  make.Joint("jb", a, b, Revolute{}, {RotationFromRpy({0, 0, 6e-17}), Vector3(1, 6e-17, 0)});
  const std::string text = Write(make.model);
  EXPECT_THAT(JointsOf(Parsed(text), "b"), ElementsAre("jb R3 independent"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("E-17")));
}

std::string Cut(const Maker& make, const char* kind) {
  const std::string text = Write(make.model);
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
  const Parsed parsed(text);
  const auto* cut = parsed.root()->FirstChildElement("cuts")->FirstChildElement(kind);
  if (!cut) return "no " + std::string(kind);
  std::string out = TextOf(cut, "name");
  for (const char* end : {"endpoint1", "endpoint2"})
    out += " " + TextOf(cut->FirstChildElement(end), "bodyname") + "/" +
           TextOf(cut->FirstChildElement(end), "pointname");
  return out;
}

Maker TwoArms() {
  Maker make;
  make.Joint("ja", kWorld, make.Link("a"), Revolute{});
  make.Joint("jb", kWorld, make.Link("b"), Revolute{}, RigidTransform::Translation({1, 0, 0}));
  return make;
}

TEST(MbsWriter, ABallLoopIsABallCut) {
  Maker make = TwoArms();
  make.Loop("loop", LinkId{1}, LinkId{2}, Ball{}, RigidTransform::Translation({0.5, 0, 0}),
            RigidTransform::Translation({0, 0.5, 0}));
  EXPECT_EQ(Cut(make, "ball"), "loop a/loop_predecessor b/loop_successor");
}

TEST(MbsWriter, AFixedLoopOfParallelFramesIsASolidCut) {
  Maker make = TwoArms();
  const Matrix3 R = RotationFromRpy({0.1, 0.2, 0.3});
  make.Loop("loop", LinkId{1}, LinkId{2}, Fixed{}, {R, Vector3(0.5, 0, 0)},
            RigidTransform::Rotation(R));
  EXPECT_EQ(Cut(make, "solid"), "loop a/loop_predecessor b/origin");
}

TEST(MbsWriter, AFixedLoopOfTurnedFramesHasACopyBodyWithDrivenJoints) {
  Maker make = TwoArms();
  make.Loop("loop", LinkId{1}, LinkId{2}, Fixed{},
            {RotationFromRpy({0, 0, 0.3}), Vector3(0.5, 0, 0)});
  EXPECT_EQ(Cut(make, "solid"), "loop loop_copy/origin b/origin");
  EXPECT_THAT(JointsOf(Parsed(Write(make.model)), "loop_copy"),
              ElementsAre("loop_joint R3 driven 0.3"));
}

TEST(MbsWriter, OtherLoopsAreSplitIntoAMasslessCopyAndASolidCut) {
  Maker make = TwoArms();
  make.Loop("loop", LinkId{1}, LinkId{2}, Revolute{Vector3::UnitY()},
            RigidTransform::Translation({0.5, 0, 0}), RigidTransform::Translation({0, 0.5, 0}));
  EXPECT_EQ(Cut(make, "solid"), "loop loop_copy/origin b/loop_successor");
  const Parsed parsed(Write(make.model));
  EXPECT_THAT(JointsOf(parsed, "loop_copy"), ElementsAre("loop_joint R2 dependent"));
  EXPECT_EQ(FindBody(parsed, "loop_copy")->FirstChildElement("mass"), nullptr);
  EXPECT_EQ(TextOf(FindBody(parsed, "loop_copy")->FirstChildElement("parent"), "bodyname"), "a");
}

TEST(MbsWriter, ALoopToTheWorldEndsOnABasePoint) {
  Maker make = TwoArms();
  make.Loop("loop", LinkId{1}, kWorld, Ball{}, RigidTransform::Translation({0.5, 0, 0}),
            RigidTransform::Translation({2, 0, 0}));
  EXPECT_EQ(Cut(make, "ball"), "loop a/loop_predecessor base/loop_successor");
}

TEST(MbsWriter, ACouplingIsADependentNatureAUserConstraintAndItsNumbers) {
  Maker make = TwoArms();
  Coupling mimic;
  mimic.name = "gear";
  mimic.form = CouplingForm::kMimic;
  mimic.terms = {{{JointId{1}, 0}, {1, 0, 0, 0}}, {{JointId{0}, 0}, {-2, 0, 0, 0}}};
  mimic.constant = 0.5;
  make.model.couplings.push_back(mimic);
  const std::string text = Write(make.model);
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
  const Parsed parsed(text);
  EXPECT_THAT(JointsOf(parsed, "b"), ElementsAre("jb R3 dependent"));
  const auto* constraint =
      parsed.root()->FirstChildElement("user_constraints")->FirstChildElement("user_constraint");
  EXPECT_EQ(TextOf(constraint, "name"), "gear");
  EXPECT_STREQ(constraint->FirstChildElement("joints")->FirstChildElement()->GetText(), "jb");
  const Model again = Read(text);
  ASSERT_EQ(again.couplings.size(), 1u);
  EXPECT_EQ(again.couplings[0].form, CouplingForm::kMimic);
  EXPECT_EQ(again.couplings[0].constant, 0.5);
  EXPECT_EQ(again.couplings[0].terms[1].coefficients[0], -2);
  EXPECT_EQ(again.couplings[0].terms[1].coordinate.joint, *again.FindJoint("ja"));
}

TEST(MbsWriter, JointLimitsAndTheLikeLiveInAUserModel) {
  Maker make;
  const JointId j = make.Joint("j", kWorld, make.Link("a"), Universal{});
  JointAxis& first = make.model.joint(j).axes[0];
  first.lower = -1;
  first.effort = 20;
  first.safety = Safety{-0.9, std::nullopt, 5, std::nullopt};
  make.model.joint(j).axes[1].damping = 0.1;
  make.model.joint(j).axes[1].upper = 2;
  const Model again = Read(Write(make.model));
  const JointAxis &a = again.joint(JointId{0}).axes.at(0), &b = again.joint(JointId{0}).axes.at(1);
  EXPECT_EQ(a.lower, -1);
  EXPECT_EQ(a.upper, std::nullopt);
  EXPECT_EQ(a.effort, 20);
  EXPECT_EQ(a.safety->soft_lower, -0.9);
  EXPECT_EQ(a.safety->k_position, 5);
  EXPECT_EQ(a.safety->soft_upper, std::nullopt);
  EXPECT_EQ(b.damping, 0.1);
  EXPECT_EQ(b.upper, 2);
  EXPECT_EQ(b.lower, std::nullopt);
}

TEST(MbsWriter, AFrameIsAPointAndItsRotationAUserModel) {
  Maker make;
  const LinkId a = make.Link("a");
  make.Joint("j", kWorld, a, Revolute{});
  Frame straight{"straight", a, RigidTransform::Translation({1, 2, 3}), "frame", kNoScope, {}, {}};
  Frame turned{"turned", a, {RotationFromRpy({0.1, 0.2, 0.3}), Vector3(0, 0, 1)}, "frame", kNoScope,
               {},       {}};
  make.model.frames = {straight, turned};
  const std::string text = Write(make.model);
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
  const Model again = Read(text);
  ASSERT_EQ(again.frames.size(), 2u);
  EXPECT_EQ(again.frames[0].name, "straight");
  EXPECT_EQ(again.frames[0].X_LF, straight.X_LF);
  EXPECT_NEAR(Distance(again.frames[1].X_LF, turned.X_LF), 0, 1e-15);
}

Visual MakeVisual(Shape shape, const RigidTransform& X_LG = {}) {
  Visual visual;
  visual.name = "look";
  visual.shape = std::move(shape);
  visual.X_LG = X_LG;
  visual.material.emplace();
  visual.material->diffuse = Rgba(0.8, 0.8, 0, 1);
  return visual;
}
Visual ThroughMbs(const Visual& visual) {
  Maker make;
  const LinkId a = make.Link("a");
  make.model.link(a).visuals.push_back(visual);
  make.Joint("j", kWorld, a, Revolute{});
  const std::string text = Write(make.model);
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
  const Model again = Read(text);
  return again.link(LinkId{1}).visuals.at(0);
}

TEST(MbsWriter, ShapesComeBackWithPoseSizeAndColour) {
  const RigidTransform X{RotationFromRpy({std::acos(-1.0) / 2, 0.4, 0.3}), Vector3(1, 2, 3)};
  const Visual box = ThroughMbs(MakeVisual(Box{{1, 2, 3}}, X));
  EXPECT_EQ(std::get<Box>(box.shape).size, Vector3(1, 2, 3));
  EXPECT_NEAR(Distance(box.X_LG, X), 0, 2e-15);
  EXPECT_EQ(*box.material->diffuse, Rgba(0.8, 0.8, 0, 1));
  const Visual cylinder = ThroughMbs(MakeVisual(Cylinder{0.1, 0.5}, X));
  EXPECT_EQ(std::get<Cylinder>(cylinder.shape).length, 0.5);
  EXPECT_NEAR(Distance(cylinder.X_LG, X), 0, 2e-15);
  EXPECT_EQ(std::get<Cone>(ThroughMbs(MakeVisual(Cone{0.1, 0.5})).shape).radius, 0.1);
  EXPECT_EQ(std::get<Sphere>(ThroughMbs(MakeVisual(Sphere{0.1})).shape).radius, 0.1);
  EXPECT_EQ(std::get<Ellipsoid>(ThroughMbs(MakeVisual(Ellipsoid{{1, 2, 3}})).shape).radii,
            Vector3(1, 2, 3));
  Mesh mesh;
  mesh.uri = "PRJPATH/animationR/vrml/a.wrl";
  mesh.scale = Vector3(0.001, 0.001, 0.001);
  EXPECT_EQ(std::get<Mesh>(ThroughMbs(MakeVisual(mesh)).shape).scale, mesh.scale);
}

TEST(MbsWriter, AZCylinderIsAYCylinderTurnedAboutX) {
  Maker make;
  const LinkId a = make.Link("a");
  make.model.link(a).visuals.push_back(MakeVisual(Cylinder{0.03, 0.222}));
  make.Joint("j", kWorld, a, Revolute{});
  EXPECT_THAT(Write(make.model), HasSubstr("<x>1.5707963267948966</x>"));
}

TEST(MbsWriter, AlphaAndTransparencyAreOneNumber) {
  Visual visual = MakeVisual(Sphere{1});
  visual.material->diffuse = Rgba(1, 1, 1, 0.5);
  EXPECT_EQ(ThroughMbs(visual).transparency, 0.5);
  visual.transparency = 0.5;
  EXPECT_EQ(ThroughMbs(visual).transparency, 0.75);
}

std::string Refused(const Model& model) {
  Diagnostics diagnostics;
  EXPECT_EQ(WriteMbs(model, {}, diagnostics).text, "");
  return Messages(diagnostics);
}

TEST(MbsWriter, RefusesNamesThatCannotBeMacros) {
  for (const char* name : {"left arm", "1st", "a::b", "a-b", "", "\xC3\xA9"}) {
    Maker make;
    make.Joint("j", kWorld, make.Link(name), Revolute{});
    EXPECT_THAT(Refused(make.model),
                HasSubstr("link '" + std::string(name) + "': an MBS name is made of letters"))
        << name;
  }
  Maker make;
  make.Joint("j", kWorld, make.Link("base"), Revolute{});
  EXPECT_THAT(Refused(make.model),
              HasSubstr("link 'base': MBS uses this name for the inertial frame"));
}

TEST(MbsWriter, RefusesTwoJointsOfOneName) {
  Maker make;
  make.Joint("j", kWorld, make.Link("a"), Revolute{});
  make.Joint("j", kWorld, make.Link("b"), Revolute{});
  EXPECT_THAT(Refused(make.model), HasSubstr("joint 'j': MBS needs different names"));
}

TEST(MbsWriter, HelperNamesAvoidNamesInUse) {
  Maker make;
  make.Joint("j", kWorld, make.Link("a"), Revolute{},
             RigidTransform::Rotation(RotationFromRpy({0, 0.5, 0})));
  make.Joint("j_ry", kWorld, make.Link("b"), Revolute{});
  make.Joint("j_ry_2", kWorld, make.Link("c"), Fixed{},
             RigidTransform::Rotation(RotationFromRpy({0, 0.5, 0})));
  const std::string text = Write(make.model);
  EXPECT_THAT(LoaderRules::Check(text), IsEmpty());
  EXPECT_THAT(JointsOf(Parsed(text), "a"), ElementsAre("j_ry_3 R2 driven 0.5", "j R3 independent"));
}

TEST(MbsWriter, WhatHasNoPlaceIsRefusedNotLeftOut) {
  Maker make;
  const LinkId a = make.Link("a");
  make.Joint("j", kWorld, a, Revolute{});
  make.model.link(a).collisions.push_back({"c", {}, Sphere{1}, {}, {}, {}, {}, {}, {}, {}});
  make.model.link(a).visuals.push_back(MakeVisual(Capsule{1, 2}));
  kinemorph::Sensor camera;
  camera.name = "eye";
  camera.link = a;
  make.model.sensors.push_back(camera);
  Diagnostics diagnostics, rest;
  EXPECT_EQ(WriteMbs(make.model, {}, diagnostics).text, "");
  EXPECT_THAT(Messages(diagnostics), HasSubstr("link 'a': MBS has no collision geometry"));
  make.model.link(a).collisions.clear();
  EXPECT_EQ(WriteMbs(make.model, {}, rest).text, "");
  EXPECT_THAT(Messages(rest), HasSubstr("visual 'look' of link 'a': MBS does not have this shape"));
  EXPECT_THAT(Messages(rest), HasSubstr("sensor 'eye': MBS has kinematic sensors only"));
}

TEST(MbsWriter, GravityIsAssumedWithANote) {
  Maker make;
  make.Joint("j", kWorld, make.Link("a"), Revolute{});
  make.model.gravity.reset();
  Diagnostics diagnostics;
  EXPECT_THAT(WriteMbs(make.model, {}, diagnostics).text, HasSubstr("<z>-9.81</z>"));
  EXPECT_THAT(Messages(diagnostics), HasSubstr("no gravity is given"));
}

TEST(MbsWriter, TheDiagramPutsChildrenBelowAndSiblingsToTheRight) {
  Maker make;
  const LinkId a = make.Link("a"), b = make.Link("b"), c = make.Link("c"), d = make.Link("d");
  make.Joint("ja", kWorld, a, Revolute{});
  make.Joint("jb", a, b, Revolute{});
  make.Joint("jc", b, c, Revolute{});
  make.Joint("jd", a, d, Revolute{});
  const Parsed parsed(Write(make.model));
  const auto at = [&](const char* body) {
    const auto* position = FindBody(parsed, body)
                               ->FirstChildElement("joint")
                               ->FirstChildElement("graphics")
                               ->FirstChildElement("x2D")
                               ->FirstChildElement("position");
    return Eigen::Vector2d(NumberOf(position, "x"), NumberOf(position, "y"));
  };
  EXPECT_EQ(at("a").x(), at("b").x());
  EXPECT_EQ(at("b").x(), at("c").x());
  EXPECT_LT(at("a").y() + 40, at("b").y());
  EXPECT_LT(at("b").y() + 40, at("c").y());
  EXPECT_EQ(at("d").y(), at("b").y());
  EXPECT_GT(at("d").x(), at("b").x() + 80);
}

TEST(MbsWriter, AJointThatACouplingNamesTwiceHasOneColumn) {
  Maker make = TwoArms();
  Coupling poly;
  poly.name = "cam";
  poly.form = CouplingForm::kPolynomial;
  poly.terms = {{{JointId{1}, 0}, {1, 2, 3, 4}},
                {{JointId{0}, 0}, {-2, 0, 0, 0}},
                {{JointId{1}, 0}, {4, 3, 2, 1}}};
  make.model.couplings.push_back(poly);
  Diagnostics diagnostics;
  const Bundle bundle = WriteMbs(make.model, {}, diagnostics);
  ASSERT_EQ(bundle.side_files.size(), 1u);
  EXPECT_THAT(bundle.side_files[0].text,
              HasSubstr("Jac[1][jb_id] = 5.0 + 10.0 * s->q[jb_id] + 15.0 * s->q[jb_id] * "
                        "s->q[jb_id] + 20.0 * s->q[jb_id] * s->q[jb_id] * s->q[jb_id];"));
}

TEST(MbsWriter, UserCodeForCouplingsAndScrews) {
  Maker make = TwoArms();
  Coupling poly;
  poly.name = "cam";
  poly.form = CouplingForm::kPolynomial;
  poly.terms = {{{JointId{1}, 0}, {1, 0, 0, 0}}, {{JointId{0}, 0}, {-2, -3, 0, 0}}};
  poly.constant = 0.5;
  make.model.couplings.push_back(poly);
  make.Joint("lead", LinkId{1}, make.Link("nut"), Screw{Vector3::UnitZ(), 0.25});
  Diagnostics diagnostics;
  const Bundle bundle = WriteMbs(make.model, {}, diagnostics);
  ASSERT_EQ(bundle.side_files.size(), 1u);
  EXPECT_EQ(bundle.side_files[0].name, "user_cons_hJ.c");
  const std::string& code = bundle.side_files[0].text;
  EXPECT_THAT(code, HasSubstr("mbs_set_nb_userc(mbs_data, 2)"));
  EXPECT_THAT(
      code,
      HasSubstr(
          "h[1] = 1.0 * s->q[jb_id] - 2.0 * s->q[ja_id] - 3.0 * s->q[ja_id] * s->q[ja_id] - 0.5;"));
  EXPECT_THAT(code, HasSubstr("Jac[1][ja_id] = -2.0 - 6.0 * s->q[ja_id];"));
  EXPECT_THAT(code, HasSubstr("jdqd[1] = -6.0 * s->qd[ja_id] * s->qd[ja_id];"));
  EXPECT_THAT(code, HasSubstr("h[2] = 1.0 * s->q[lead_2_id] - 0.25 * s->q[lead_1_id];"));
  EXPECT_TRUE(WriteMbs(TwoArms().model, {}, diagnostics).side_files.empty());
}

}  // namespace
}  // namespace kinemorph::test
