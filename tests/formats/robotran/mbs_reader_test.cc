// Reading MBS: what each element means, one test per fact.
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "mbs_test_support.h"
#include "native_xml.h"

namespace kinemorph::test {
namespace {

const Joint& JointNamed(const Model& model, const std::string& name) {
  const auto id = model.FindJoint(name);
  EXPECT_TRUE(id) << name;
  return model.joint(id.value_or(JointId{0}));
}
const Link& LinkNamed(const Model& model, const std::string& name) {
  const auto id = model.FindLink(name);
  EXPECT_TRUE(id) << name;
  return model.link(id.value_or(kWorld));
}

TEST(MbsReader, HeaderGravityAndAFlatBodyTree) {
  const Model model = Read(File(BodyXml("a", "base", "origin", JointXml("ja", "R3")) +
                                BodyXml("b", "a", "origin", JointXml("jb", "T1"))));
  EXPECT_EQ(model.name, "robot");
  EXPECT_EQ(model.format, "mbs");
  EXPECT_EQ(model.format_version, "1.30.0");
  EXPECT_EQ(model.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(model.num_links(), 3u);
  EXPECT_EQ(model.predecessor(*model.FindJoint("ja")), kWorld);
  EXPECT_EQ(model.predecessor(*model.FindJoint("jb")), *model.FindLink("a"));
  EXPECT_EQ(std::get<Revolute>(JointNamed(model, "ja").kind).axis, Vector3::UnitZ());
  EXPECT_EQ(std::get<Prismatic>(JointNamed(model, "jb").kind).axis, Vector3::UnitX());
}

TEST(MbsReader, AComGivenInsideGravityOrComAfterACommentIsStillRead) {
  std::string text = File(BodyXml("a", "base", "origin", JointXml("ja", "R3"),
                                  "<mass>2.0</mass><com><!--c--><coordinates><x>1.0</x><y>2.0</"
                                  "y><z>3.0</z></coordinates></com>"));
  EXPECT_EQ(LinkNamed(Read(text), "a").inertial->X_LI.p, Vector3(1, 2, 3));
}

TEST(MbsReader, InertiaIsAboutTheCentreOfMassInBodyAxesWithTensorSigns) {
  const Model model = Read(File(
      BodyXml("a", "base", "origin", JointXml("ja", "R3"),
              "<mass>2.0</mass><com><coordinates><x>0.5</x><y>0.0</y><z>0.0</z></coordinates></com>"
              "<inertia><Ixx>1.0</Ixx><Ixy>-0.25</Ixy><Iyy>2.0</Iyy><Iyz>0.125</Iyz><Izz>3.0</"
              "Izz></inertia>")));
  const Inertial& inertial = *LinkNamed(model, "a").inertial;
  Matrix3 wanted;
  wanted << 1, -0.25, 0, -0.25, 2, 0.125, 0, 0.125, 3;
  EXPECT_EQ(inertial.I_I, wanted);
  EXPECT_EQ(inertial.X_LI, RigidTransform::Translation({0.5, 0, 0}));
}

TEST(MbsReader, ABodyWithoutMassComAndInertiaIsMassless) {
  EXPECT_FALSE(LinkNamed(Read(File(BodyXml("a", "base", "origin", JointXml("ja", "R3"), ""))), "a")
                   .inertial);
}

TEST(MbsReader, OriginIsAPointOfEveryBodyAndTheBase) {
  const Model model = Read(File(BodyXml("a", "base", "origin", JointXml("ja", "R3")) +
                                BodyXml("b", "a", "origin", JointXml("jb", "R3"))));
  EXPECT_EQ(JointNamed(model, "jb").X_PF, RigidTransform());
}

TEST(MbsReader, TheBodyFrameStandsAtTheEndOfTheChain) {
  // base -- T1 2 (driven) -- R3 (real) -- T1 0.5 (driven): the real joint turns about a point 0.5
  // behind the body frame.
  const Model model = Read(
      File(BodyXml("a", "base", "origin",
                   DrivenXml("d1", "T1", 2) + JointXml("ja", "R3") + DrivenXml("d2", "T1", 0.5))));
  const Joint& joint = JointNamed(model, "ja");
  EXPECT_EQ(joint.X_PF, RigidTransform::Translation({2, 0, 0}));
  EXPECT_EQ(joint.X_SM, RigidTransform::Translation({-0.5, 0, 0}));
}

TEST(MbsReader, JointsComposeLeftToRightInTheCurrentFrame) {
  const Model model =
      Read(File(BodyXml("a", "base", "origin", JointXml("j1", "R3") + JointXml("j2", "R1"))));
  ASSERT_EQ(model.num_links(), 3u);
  const Link& between = model.link(LinkId{1});
  EXPECT_TRUE(between.synthetic);
  EXPECT_EQ(between.name, "j1_link");
  EXPECT_FALSE(between.inertial);
  EXPECT_EQ(model.predecessor(*model.FindJoint("j2")), LinkId{1});
  EXPECT_EQ(model.link(model.successor(*model.FindJoint("j2"))).name, "a");
}

TEST(MbsReader, DrivenJointsAroundAJointMakeItsAxis) {
  // R3(psi) R1(q) R3(-psi): URDF axis (cos psi, sin psi, 0), no joint origin rotation.
  const double psi = 0.6435;
  const Joint joint =
      JointNamed(Read(File(BodyXml("a", "base", "origin",
                                   DrivenXml("d1", "R3", psi) + JointXml("ja", "R1") +
                                       DrivenXml("d2", "R3", -psi)))),
                 "ja");
  EXPECT_EQ(joint.X_PF.R, Matrix3(Matrix3::Identity()));
  EXPECT_NEAR(
      (std::get<Revolute>(joint.kind).axis - Vector3(std::cos(psi), std::sin(psi), 0)).norm(), 0,
      1e-15);
}

TEST(MbsReader, HalfTurnsAroundAJointReverseItExactly) {
  const std::string pi = "3.141592653589793";
  const auto half = [&](const std::string& name, const std::string& q) {
    return JointXml(name, "R3", "driven",
                    "<initialvalue><q>" + q + "</q></initialvalue><symbols><q/></symbols>");
  };
  const Joint joint =
      JointNamed(Read(File(BodyXml("a", "base", "origin",
                                   half("d1", pi) + JointXml("ja", "R1") + half("d2", "-" + pi)))),
                 "ja");
  EXPECT_EQ(std::get<Revolute>(joint.kind).axis, Vector3(-1, 0, 0));
  EXPECT_EQ(joint.X_PF, RigidTransform());
}

TEST(MbsReader, AbsentCoordinatesAreZero) {
  const std::string point =
      "<point><pointname>p</pointname><coordinates><y>2</y></coordinates></point>";
  const Model model = Read(File(BodyXml("b", "base", "p", JointXml("jb", "R3")), "", point));
  EXPECT_EQ(JointNamed(model, "jb").X_PF.p, Vector3(0, 2, 0));
}

TEST(MbsReader, ABodyWithDrivenJointsOnlyIsFixed) {
  const Model model = Read(File(
      BodyXml("a", "base", "origin", DrivenXml("ja_rz", "R3", 0.25) + DrivenXml("ja", "T1", 2))));
  const Joint& joint = JointNamed(model, "ja");
  EXPECT_TRUE(std::holds_alternative<Fixed>(joint.kind));
  EXPECT_NEAR(Distance(joint.X_PF, RigidTransform::Rotation(RotationFromRpy({0, 0, 0.25})) *
                                       RigidTransform::Translation({2, 0, 0})),
              0, 1e-15);
}

TEST(MbsReader, ADrivenJointThatUserCodeMayMoveIsFrozenWithAWarning) {
  const ReadResult result =
      TryRead(File(BodyXml("a", "base", "origin",
                           JointXml("ja", "R3", "driven", "<symbols><q/><qd/><qdd/></symbols>"))));
  EXPECT_THAT(result.messages(),
              ::testing::HasSubstr("'ja': user code may move this driven joint"));
  EXPECT_FALSE(result.diagnostics.has_errors());
  EXPECT_TRUE(std::holds_alternative<Fixed>(JointNamed(*result.model, "ja").kind));
  EXPECT_THAT(
      TryRead(File(BodyXml("a", "base", "origin", JointXml("ja", "R3", "driven")))).messages(),
      ::testing::HasSubstr("driven-joint-frozen"));
}

TEST(MbsReader, ZeroIsRobotransZeroAndInitialValuesAreKept) {
  const Joint joint = JointNamed(
      Read(File(
          BodyXml("a", "base", "origin",
                  JointXml("ja", "R3", "independent", "<initialvalue><q>0.3</q></initialvalue>")))),
      "ja");
  EXPECT_EQ(joint.X_PF, RigidTransform());
  EXPECT_EQ(joint.axes.at(0).initial_position, 0.3);
}

std::string FloatingChain(const std::string& prefix, const std::string& nature = "independent") {
  return JointXml(prefix + "T1", "T1", nature) + JointXml(prefix + "T2", "T2", nature) +
         JointXml(prefix + "T3", "T3", nature, "<initialvalue><q>0.9</q></initialvalue>") +
         JointXml(prefix + "R1", "R1", nature) + JointXml(prefix + "R2", "R2", nature) +
         JointXml(prefix + "R3", "R3", nature, "<initialvalue><q>0.5</q></initialvalue>");
}

TEST(MbsReader, SixJointsFromTheBaseAreOneFreeJointAtItsInitialPose) {
  const Model model = Read(File(BodyXml("trunk", "base", "origin", FloatingChain("FJ_"))));
  ASSERT_EQ(model.num_joints(), 1u);
  const Joint& joint = JointNamed(model, "FJ");
  EXPECT_TRUE(std::holds_alternative<Free>(joint.kind));
  EXPECT_NEAR(Distance(joint.X_PF, {RotationFromRpy({0, 0, 0.5}), Vector3(0, 0, 0.9)}), 0, 1e-15);
  EXPECT_EQ(
      Read(File(BodyXml("trunk", "base", "origin", FloatingChain("")))).joint(JointId{0}).name,
      "trunk_free");
}

// In either order of the two: what the slide does follows from the turn.
TEST(MbsReader, TheCoordinateOfAScrewIsItsTurn) {
  const auto at = [](const std::string& q) {
    return "<initialvalue><q>" + q + "</q></initialvalue>";
  };
  const auto number = [](const std::string& name, const std::string& value) {
    return "<parameter><name>" + name + "</name><type>scalar</type><value>" + value +
           "</value></parameter>";
  };
  const ReadResult read = TryRead(File(BodyXml("b", "base", "origin",
                                               JointXml("j_1", "T3", "dependent", at("0.2")) +
                                                   JointXml("j_2", "R3", "independent", at("0.4"))),
                                       "<user_models><user_model><name>joint_data_j</name>" +
                                           number("kind_screw", "1.0") + number("pitch", "0.5") +
                                           "</user_model></user_models>"));
  ASSERT_TRUE(read.model) << read.messages();
  const Joint& joint = JointNamed(*read.model, "j");
  ASSERT_TRUE(std::holds_alternative<Screw>(joint.kind));
  EXPECT_EQ(std::get<Screw>(joint.kind).axis, Vector3::UnitZ());
  EXPECT_EQ(joint.axes[0].initial_position, 0.4);
  EXPECT_NE(joint.independent, false);
}

TEST(MbsReader, SixJointsOfDifferentNaturesStaySix) {
  std::string chain = FloatingChain("FJ_");
  chain.replace(chain.find("independent"), 11, "dependent");
  EXPECT_EQ(Read(File(BodyXml("trunk", "base", "origin", chain))).num_joints(), 6u);
}

// A crank that is independent, a coupler that is not, and an arm beside the loop.
TEST(MbsReader, NaturesOnALoopDeclareTheIndependentCoordinates) {
  const Model model = Read(
      File(BodyXml("crank", "base", "origin", JointXml("j1", "R3")) +
               BodyXml("coupler", "crank", "origin", JointXml("j2", "R3", "dependent")) +
               BodyXml("arm", "base", "origin", JointXml("j3", "R3")),
           "<cuts>" + CutXml("ball", "loop", "coupler", "origin", "base", "origin") + "</cuts>"));
  EXPECT_EQ(JointNamed(model, "j1").independent, true);
  EXPECT_EQ(JointNamed(model, "j2").independent, false);
  EXPECT_EQ(JointNamed(model, "j3").independent, true);
}

TEST(MbsReader, WithoutALoopOnlyDependentIsADeclaration) {
  const Model model = Read(File(BodyXml("a", "base", "origin", JointXml("j1", "R3")) +
                                BodyXml("b", "a", "origin", JointXml("j2", "R3", "dependent"))));
  EXPECT_EQ(JointNamed(model, "j1").independent, std::nullopt);
  EXPECT_EQ(JointNamed(model, "j2").independent, false);
}

TEST(MbsReader, ABallCutIsABallLoopJointBetweenPoints) {
  const Model model =
      Read(File(BodyXml("a", "base", "origin", JointXml("j1", "R3"), PointXml("tip", 1, 0, 0)) +
                    BodyXml("b", "base", "origin", JointXml("j2", "R3"), PointXml("end", 0, 2, 0)),
                "<cuts>" + CutXml("ball", "loop", "a", "tip", "b", "end") + "</cuts>"));
  const Joint& loop = JointNamed(model, "loop");
  EXPECT_TRUE(std::holds_alternative<Ball>(loop.kind));
  EXPECT_EQ(loop.role, JointRole::kLoop);
  EXPECT_EQ(loop.X_PF, RigidTransform::Translation({1, 0, 0}));
  EXPECT_EQ(loop.X_SM, RigidTransform::Translation({0, 2, 0}));
  EXPECT_EQ(model.link(model.predecessor(*model.FindJoint("loop"))).name, "a");
  EXPECT_TRUE(model.frames.empty());  // both points belong to the cut
}

TEST(MbsReader, ASolidCutJoinsTwoBodyFrames) {
  const Model model =
      Read(File(BodyXml("a", "base", "origin", JointXml("j1", "R3"),
                        "<mass>1.0</mass>" + PointXml("tip", 1, 0, 0)) +
                    BodyXml("b", "base", "origin", JointXml("j2", "R3")),
                "<cuts>" + CutXml("solid", "weld", "a", "tip", "b", "origin") + "</cuts>"));
  const Joint& loop = JointNamed(model, "weld");
  EXPECT_TRUE(std::holds_alternative<Fixed>(loop.kind));
  EXPECT_EQ(loop.X_PF, RigidTransform::Translation({1, 0, 0}));
}

// The real idiom for a spatial revolute: a massless copy hangs on one side, a solid cut binds it to
// the other.
TEST(MbsReader, AMasslessCopyAndASolidCutAreOneLoopJoint) {
  const Model model = Read(File(
      BodyXml("a", "base", "origin", JointXml("j1", "R3"),
              "<mass>1.0</mass>" + PointXml("tip", 1, 0, 0)) +
          BodyXml("copy", "a", "tip",
                  DrivenXml("d1", "R1", 0.5) + JointXml("split", "R2", "dependent",
                                                        "<initialvalue><q>-1.0</q></initialvalue>"),
                  "") +
          BodyXml("b", "base", "origin", JointXml("j2", "R3"),
                  "<mass>1.0</mass>" + PointXml("end", 0, 0, 3)),
      "<cuts>" + CutXml("solid", "loop", "copy", "origin", "b", "end") + "</cuts>"));
  EXPECT_EQ(model.num_links(), 3u);
  EXPECT_FALSE(model.FindLink("copy"));
  const Joint& loop = JointNamed(model, "loop");
  EXPECT_EQ(std::get<Revolute>(loop.kind).axis, Vector3::UnitY());
  EXPECT_NEAR(Distance(loop.X_PF, {RotationFromRpy({0.5, 0, 0}), Vector3(1, 0, 0)}), 0, 1e-15);
  EXPECT_EQ(loop.X_SM, RigidTransform::Translation({0, 0, 3}));
  EXPECT_EQ(loop.axes.at(0).initial_position, -1);
  EXPECT_EQ(loop.independent, std::nullopt);
  EXPECT_EQ(model.link(model.predecessor(*model.FindJoint("loop"))).name, "a");
  EXPECT_EQ(model.link(model.successor(*model.FindJoint("loop"))).name, "b");
}

std::string_view CopyKind(const std::string& joints) {
  static Model model;
  model =
      Read(File(BodyXml("copy", "base", "origin", joints, "") +
                    BodyXml("b", "base", "origin", JointXml("j2", "R3")),
                "<cuts>" + CutXml("solid", "loop", "b", "origin", "copy", "origin") + "</cuts>"));
  return KindName(JointNamed(model, "loop").kind);
}

TEST(MbsReader, CopiesWithSeveralJointsAreTheJointKindsTheyMake) {
  const auto dependent = [](const std::string& name, const std::string& type) {
    return JointXml(name, type, "dependent");
  };
  EXPECT_EQ(CopyKind(DrivenXml("d", "R1", 0.5)), "fixed");
  EXPECT_EQ(CopyKind(dependent("c1", "T2")), "prismatic");
  EXPECT_EQ(CopyKind(dependent("c1", "R1") + dependent("c2", "R2")), "universal");
  EXPECT_EQ(CopyKind(dependent("c1", "R1") + dependent("c2", "T1")), "cylindrical");
  EXPECT_EQ(CopyKind(dependent("c1", "T1") + dependent("c2", "T2") + dependent("c3", "R3")),
            "planar");
  EXPECT_EQ(CopyKind(dependent("c1", "R1") + dependent("c2", "R2") + dependent("c3", "R3")),
            "ball");
}

TEST(MbsReader, ACopyThatIsNoSingleJointStaysABody) {
  const Model model =
      Read(File(BodyXml("copy", "base", "origin",
                        JointXml("c1", "R1", "dependent") + JointXml("c2", "T2", "dependent"), "") +
                    BodyXml("b", "base", "origin", JointXml("j2", "R3")),
                "<cuts>" + CutXml("solid", "loop", "copy", "origin", "b", "origin") + "</cuts>"));
  EXPECT_TRUE(model.FindLink("copy"));
  EXPECT_TRUE(std::holds_alternative<Fixed>(JointNamed(model, "loop").kind));
}

// A rod of length 2 between (0 0 0) and a point at distance 3: one constraint, drawn towards its
// other end.
TEST(MbsReader, ARodIsAMasslessLinkBetweenAUniversalAndABallJoint) {
  const Model model = Read(
      File(BodyXml("b", "base", "origin", JointXml("j", "T2"),
                   "<mass>1.0</mass>" + PointXml("end", 0, 3, 0)),
           "<cuts>" + CutXml("rod", "tie", "base", "origin", "b", "end", "<length>2.0</length>") +
               "</cuts>"));
  ASSERT_TRUE(model.FindLink("tie"));
  EXPECT_FALSE(LinkNamed(model, "tie").inertial);
  const Joint &universal = JointNamed(model, "tie_universal"),
              &ball = JointNamed(model, "tie_ball");
  EXPECT_EQ(universal.role, JointRole::kTree);
  EXPECT_EQ(universal.independent, false);
  EXPECT_EQ(ball.role, JointRole::kLoop);
  EXPECT_EQ(NumConstraints(ball.kind) - NumVelocities(universal.kind), 1);
  const Vector3 tip = universal.X_PF * ball.X_PF.p;
  EXPECT_NEAR((tip - Vector3(0, 2, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(ball.X_SM.p, Vector3(0, 3, 0));
}

TEST(MbsReader, PointsNobodyRefersToAreFrames) {
  const Model model =
      Read(File(BodyXml("a", "base", "origin", JointXml("ja", "R3"),
                        PointXml("used", 1, 0, 0) + PointXml("tool", 0, 0, 2)) +
                BodyXml("b", "a", "used", JointXml("jb", "R3"), PointXml("P", 1, 0, 0)) +
                BodyXml("c", "a", "used", JointXml("jc", "R3"), PointXml("P", 2, 0, 0))));
  ASSERT_EQ(model.frames.size(), 3u);
  EXPECT_EQ(model.frames[0].name, "tool");
  EXPECT_EQ(model.frames[0].X_LF.p, Vector3(0, 0, 2));
  EXPECT_EQ(model.frames[1].name, "b_P");  // two points of this name
  EXPECT_EQ(model.frames[2].name, "c_P");
}

TEST(MbsReader, SensorsForcesAndActuatorsAreKept) {
  const Model model = Read(
      File(BodyXml("a", "base", "origin", JointXml("ja", "R3", "independent", "<actuated/>"),
                   PointXml("origin", 0, 0, 0, "<sensor name=\"S\" Pos=\"true\" Vit=\"true\"/>") +
                       PointXml("wheel", 0, 0, 1, "<extforce name=\"F\" Pos=\"true\"/>"))));
  ASSERT_EQ(model.sensors.size(), 1u);
  EXPECT_EQ(model.sensors[0].name, "S");
  EXPECT_EQ(model.sensors[0].native.element, "sensor");
  EXPECT_THAT(Xml(model.sensors[0].native), ::testing::HasSubstr("Vit=\"true\""));
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.frames[0].name, "wheel");
  EXPECT_EQ(model.frames[0].native.at(0).element, "extforce");
  ASSERT_EQ(model.actuators.size(), 1u);
  EXPECT_EQ(model.actuators[0].joint, *model.FindJoint("ja"));
}

TEST(MbsReader, ForceLinksAndUserDataAreNative) {
  const Model model =
      Read(File(BodyXml("a", "base", "origin", JointXml("ja", "R3")),
                "<links>" + CutXml("link", "spring", "base", "origin", "a", "origin") +
                    "</links>"
                    "<user_models><user_model><name>motor</name><parameter><name>K</"
                    "name><type>scalar</type><value>2.0</value></"
                    "parameter></user_model></user_models>"
                    "<user_variables><user_variable><varname>u</varname><type>in</type><size>3</"
                    "size></user_variable></user_variables>"));
  std::vector<std::string> elements;
  for (const NativeData& native : model.native) elements.push_back(native.element);
  EXPECT_THAT(elements, ::testing::ElementsAre("link", "user_model", "user_variable", "diagram"));
}

TEST(MbsReader, AUserConstraintWithoutNumbersIsReportedAsCode) {
  const ReadResult result =
      TryRead(File(BodyXml("a", "base", "origin", JointXml("ja", "R3")) +
                       BodyXml("b", "base", "origin", JointXml("jb", "R3", "dependent")),
                   "<user_constraints><user_constraint><name>gear</name><joints><jointname>ja</"
                   "jointname><jointname>jb</jointname></joints>"
                   "</user_constraint></user_constraints>"));
  EXPECT_THAT(result.messages(),
              ::testing::HasSubstr("'gear': the equation between 'ja', 'jb' is in user code"));
  EXPECT_TRUE(result.model->couplings.empty());
  EXPECT_EQ(JointNamed(*result.model, "ja").independent, true);
}

std::string ShapeXml(const std::string& kind, const std::string& rotation, const std::string& scale,
                     const std::string& size) {
  const auto xyz = [](const std::string& tag, const std::string& v) {
    return "<" + tag + "><x>" + v.substr(0, 3) + "</x><y>" + v.substr(4, 3) + "</y><z>" +
           v.substr(8, 3) + "</z></" + tag + ">";
  };
  return "<graphics><x3D><x3D_shapes><" + kind + "><name>Shape_0</name>" +
         xyz("position", "0.1 0.2 0.3") + xyz("scale", scale) + rotation +
         "<color R=\"255\" G=\"0\" B=\"51\"/><transparency>0.5</transparency>" + size + "</" +
         kind + "></x3D_shapes></x3D></graphics>";
}
Visual ReadVisual(const std::string& shape) {
  const Model model = Read(File(BodyXml("a", "base", "origin", JointXml("ja", "R3"), shape)));
  return LinkNamed(model, "a").visuals.at(0);
}
const char* kNoRotation = "<rotation><x>0.0</x><y>0.0</y><z>0.0</z></rotation>";

TEST(MbsReader, ColoursAreHeldBetween0And255AndAbsentChannelsAreDark) {
  const auto color = [](const std::string& attributes) {
    std::string text = ShapeXml("sphere", kNoRotation, "1.0 1.0 1.0", "<radius>1.0</radius>");
    const std::string before = "R=\"255\" G=\"0\" B=\"51\"";
    text.replace(text.find(before), before.size(), attributes);
    return *ReadVisual(text).material->diffuse;
  };
  EXPECT_EQ(color("R=\"300\" G=\"-4\" B=\"0\""), Rgba(1, 0, 0, 1));
  EXPECT_EQ(color("G=\"255\""), Rgba(0, 1, 0, 1));
  EXPECT_EQ(color("R=\"999999999999\" G=\"-1e300\""), Rgba(1, 0, 0, 1));
}

TEST(MbsReader, ShapesHaveFullExtentsColoursOf255AndTransparency) {
  const Visual box = ReadVisual(
      ShapeXml("box", kNoRotation, "1.0 2.0 1.0", "<size><x>1.0</x><y>2.0</y><z>3.0</z></size>"));
  EXPECT_EQ(std::get<Box>(box.shape).size, Vector3(1, 4, 3));
  EXPECT_EQ(box.X_LG, RigidTransform::Translation({0.1, 0.2, 0.3}));
  EXPECT_EQ(*box.material->diffuse, Rgba(1, 0, 0.2, 1));
  EXPECT_EQ(box.transparency, 0.5);
  EXPECT_EQ(
      std::get<Sphere>(
          ReadVisual(ShapeXml("sphere", kNoRotation, "2.0 2.0 2.0", "<radius>3.0</radius>")).shape)
          .radius,
      6);
  EXPECT_EQ(
      std::get<Ellipsoid>(
          ReadVisual(ShapeXml("sphere", kNoRotation, "1.0 2.0 3.0", "<radius>2.0</radius>")).shape)
          .radii,
      Vector3(2, 4, 6));
  const Visual mesh =
      ReadVisual(ShapeXml("inline", kNoRotation, "1.0 1.0 2.0", "<url>PRJPATH/a.wrl</url>"));
  EXPECT_EQ(std::get<Mesh>(mesh.shape).uri, "PRJPATH/a.wrl");
  EXPECT_EQ(std::get<Mesh>(mesh.shape).scale, Vector3(1, 1, 2));
}

TEST(MbsReader, CylindersAndConesStandAlongY) {
  const std::string size = "<radius>0.5</radius><height>2.0</height>";
  for (const char* kind : {"cylinder", "cone"}) {
    const Visual visual = ReadVisual(ShapeXml(kind, kNoRotation, "1.0 1.0 1.0", size));
    EXPECT_EQ(visual.X_LG.R * Vector3::UnitZ(), Vector3::UnitY());
  }
  EXPECT_EQ(
      std::get<Cylinder>(ReadVisual(ShapeXml("cylinder", kNoRotation, "2.0 3.0 2.0", size)).shape)
          .length,
      6);
  EXPECT_TRUE(std::holds_alternative<NativeShape>(
      ReadVisual(ShapeXml("cylinder", kNoRotation, "1.0 1.0 2.0", size)).shape));
}

TEST(MbsReader, ShapeAnglesAreCurrentFrameXyz) {
  const Visual visual =
      ReadVisual(ShapeXml("box", "<rotation><x>0.3</x><y>0.4</y><z>0.5</z></rotation>",
                          "1.0 1.0 1.0", "<size><x>1.0</x></size>"));
  const Matrix3 wanted =
      (Eigen::AngleAxisd(0.3, Vector3::UnitX()) * Eigen::AngleAxisd(0.4, Vector3::UnitY()) *
       Eigen::AngleAxisd(0.5, Vector3::UnitZ()))
          .toRotationMatrix();
  EXPECT_NEAR((visual.X_LG.R - wanted).norm(), 0, 1e-15);
}

TEST(MbsReader, ReadsWhatTheEditorWrote) {
  // CRLF line ends, comments first in every section, unknown elements are named.
  std::string text = File("<!--this is the body tree-->\r\n" +
                          BodyXml("a", "base", "origin", JointXml("ja", "R3")));
  EXPECT_TRUE(TryRead(text).model);
  const ReadResult odd = TryRead(File(BodyXml(
      "a", "base", "origin", JointXml("ja", "R3", "independent", "<stiffness>1.0</stiffness>"))));
  EXPECT_THAT(odd.messages(), ::testing::HasSubstr("stiffness"));
  EXPECT_FALSE(odd.diagnostics.has_errors());
}

}  // namespace
}  // namespace kinemorph::test
