// Joint types, axes, limits, couplings, and the joints that no file names.
#include <cmath>
#include <numbers>

#include "sdf_text.h"

namespace kinemorph::test {
namespace {

const std::string kTwoLinks = LinkText("p") + LinkText("c");

std::string JointText(const std::string& type, const std::string& content,
                      const std::string& name = "j") {
  return "<joint name='" + name + "' type='" + type + "'><parent>p</parent><child>c</child>" +
         content + "</joint>";
}
Joint ReadJoint(const std::string& type, const std::string& content,
                const std::string& version = "1.9") {
  const Model m = Read(InModel(kTwoLinks + JointText(type, content), version));
  return m.joint(JointNamed(m, "j"));
}
const std::string kX = "<axis><xyz>1 0 0</xyz></axis>", kY2 = "<axis2><xyz>0 1 0</xyz></axis2>";

TEST(SdfJoints, EveryType) {
  EXPECT_TRUE(std::holds_alternative<Fixed>(ReadJoint("fixed", "").kind));
  EXPECT_TRUE(std::holds_alternative<Ball>(ReadJoint("ball", "").kind));
  EXPECT_EQ(std::get<Revolute>(ReadJoint("revolute", kX).kind).axis, Vector3::UnitX());
  EXPECT_EQ(std::get<Revolute>(ReadJoint("continuous", kX).kind).axis, Vector3::UnitX());
  EXPECT_EQ(std::get<Prismatic>(ReadJoint("prismatic", kX).kind).axis, Vector3::UnitX());
  const Joint universal = ReadJoint("universal", kX + kY2);
  EXPECT_EQ(std::get<Universal>(universal.kind).axis2, Vector3::UnitY());
  EXPECT_EQ(universal.axes.size(), 2u);
  const Joint revolute2 = ReadJoint("revolute2", kX + kY2);
  EXPECT_TRUE(std::holds_alternative<Universal>(revolute2.kind));
  EXPECT_EQ(revolute2.native_type, "revolute2");
}

TEST(SdfJoints, ImplicitOnesTakeNamesThatAreFree) {
  const Model m = Read(InModel(kTwoLinks + JointText("revolute", kX, "world_to_p") + LinkText("q") +
                               LinkText("r") +
                               "<joint name='world_to_p_2' type='fixed'><parent>q</parent>"
                               "<child>r</child></joint>"));
  EXPECT_TRUE(m.joint(JointNamed(m, "world_to_p_3")).implicit);
  EXPECT_TRUE(m.joint(JointNamed(m, "world_to_q")).implicit);
}

TEST(SdfJoints, ScrewPitchInBothConventions) {
  // 2 mm per turn, right-handed.
  EXPECT_NEAR(
      std::get<Screw>(
          ReadJoint("screw", kX + "<screw_thread_pitch>0.002</screw_thread_pitch>", "1.10").kind)
          .pitch,
      0.002 / (2 * std::numbers::pi), 1e-18);
  // thread_pitch counts radians per metre, positive for a left-handed thread.
  EXPECT_NEAR(std::get<Screw>(
                  ReadJoint("screw", kX + "<thread_pitch>-3141.592653589793</thread_pitch>").kind)
                  .pitch,
              0.002 / (2 * std::numbers::pi), 1e-18);
  EXPECT_EQ(Warnings(InModel(kTwoLinks + JointText("screw", kX))),
            "m.sdf:4: warning: joint 'j' has no thread_pitch; kinemorph uses 1 rad/m, left-handed "
            "(the default before SDFormat 1.10) [screw-pitch]\n");
}

TEST(SdfJoints, AxisFramesByVersion) {
  // The joint is turned by 90 degrees about z, so that x of the model is -y of the joint.
  const std::string turned = "<pose>0 0 0 0 0 1.5707963267948966</pose>";
  const auto axis = [&](const std::string& version, const std::string& xyz) {
    return std::get<Revolute>(
               ReadJoint("revolute", turned + "<axis>" + xyz + "</axis>", version).kind)
        .axis;
  };
  EXPECT_EQ(axis("1.4", "<xyz>1 0 0</xyz>"), -Vector3::UnitY());
  EXPECT_EQ(axis("1.5", "<xyz>1 0 0</xyz>"), Vector3::UnitX());
  EXPECT_EQ(axis("1.5", "<xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame>"),
            -Vector3::UnitY());
  EXPECT_EQ(axis("1.6", "<xyz>1 0 0</xyz><use_parent_model_frame>0</use_parent_model_frame>"),
            Vector3::UnitX());
  EXPECT_EQ(axis("1.7", "<xyz>1 0 0</xyz>"), Vector3::UnitX());
  EXPECT_EQ(axis("1.7", "<xyz expressed_in='__model__'>1 0 0</xyz>"), -Vector3::UnitY());
  EXPECT_EQ(axis("1.9", "<xyz expressed_in='p'>0 0 2</xyz>"), Vector3::UnitZ());
  EXPECT_TRUE(axis("1.9", "<xyz>1e308 0 0.6e308</xyz>").isApprox(Vector3(1, 0, 0.6).normalized()));
}

TEST(SdfJoints, LimitsThatMeanNoLimitAreAbsent) {
  const auto limits = [](const std::string& text) {
    return ReadJoint("revolute", "<axis><xyz>1 0 0</xyz><limit>" + text + "</limit></axis>")
        .axes[0];
  };
  const JointAxis given = limits(
      "<lower>-1</lower><upper>2</upper><effort>0</effort><velocity>4</velocity><stiffness>7</"
      "stiffness><dissipation>8</dissipation>");
  EXPECT_EQ(given.lower, -1.0);
  EXPECT_EQ(given.upper, 2.0);
  EXPECT_EQ(given.effort, 0.0);  // zero is a limit
  EXPECT_EQ(given.velocity, 4.0);
  EXPECT_EQ(given.limit_stiffness, 7.0);
  EXPECT_EQ(given.limit_dissipation, 8.0);
  for (const char* text :
       {"", "<lower>-1e16</lower><upper>1e16</upper><effort>-1</effort><velocity>-1</velocity>",
        "<lower>-inf</lower><upper>inf</upper><effort>inf</effort><velocity>inf</velocity>"}) {
    const JointAxis none = limits(text);
    EXPECT_FALSE(none.lower || none.upper || none.effort || none.velocity) << text;
  }
}

TEST(SdfJoints, DynamicsAndInitialPosition) {
  const Joint j = ReadJoint("prismatic",
                            "<axis><initial_position>0.5</initial_position><xyz>1 0 "
                            "0</xyz><dynamics><damping>1</damping><friction>2</friction>"
                            "<spring_stiffness>3</spring_stiffness><spring_reference>4</"
                            "spring_reference></dynamics></axis>",
                            "1.6");
  EXPECT_EQ(j.axes[0].damping, 1.0);
  EXPECT_EQ(j.axes[0].friction, 2.0);
  EXPECT_EQ(j.axes[0].spring_stiffness, 3.0);
  EXPECT_EQ(j.axes[0].spring_reference, 4.0);
  EXPECT_EQ(j.axes[0].initial_position, 0.5);
}

TEST(SdfJoints, MustBeLoopJointIsACutHint) {
  const Joint j = ReadJoint(
      "revolute",
      kX + "<physics><simbody><must_be_loop_joint>true</must_be_loop_joint></simbody></physics>");
  EXPECT_TRUE(j.cut_hint);
  EXPECT_TRUE(j.native.empty());
  EXPECT_EQ(j.role, JointRole::kUndecided);
  const Joint more = ReadJoint("revolute", kX + "<physics><ode><erp>0.3</erp></ode></physics>");
  EXPECT_FALSE(more.cut_hint);
  ASSERT_EQ(more.native.size(), 1u);
  EXPECT_EQ(more.native[0].element, "physics");
}

TEST(SdfJoints, MimicIsACoupling) {
  const Model m =
      Read(InModel(kTwoLinks + LinkText("d") + JointText("revolute", kX, "leader") +
                       "<joint name='follower' "
                       "type='revolute'><parent>c</parent><child>d</child><axis><xyz>1 0 0</xyz>"
                       "<mimic "
                       "joint='leader'><multiplier>2</multiplier><offset>0.5</"
                       "offset><reference>0.25</reference></mimic></axis></joint>",
                   "1.11"));
  ASSERT_EQ(m.couplings.size(), 1u);
  const Coupling& c = m.couplings[0];
  EXPECT_EQ(c.form, CouplingForm::kMimic);
  EXPECT_EQ(m.joint(c.terms[0].coordinate.joint).name, "follower");
  EXPECT_EQ(c.terms[1].coefficients[0], -2);
  EXPECT_EQ(c.constant, 0.0);  // 0.5 - 2 * 0.25
}

// p --j1--> a,  p --j2--> b, gearbox between a and b measured from p.
TEST(SdfJoints, GearboxCouplesAnglesAgainstTheReferenceBody) {
  const std::string text =
      LinkText("p") + LinkText("a") + LinkText("b") +
      "<joint name='j1' type='revolute'><parent>p</parent><child>a</child><axis><xyz>0 0 "
      "1</xyz></axis></joint>"
      "<joint name='j2' type='revolute'><parent>b</parent><child>p</child><axis><xyz>0 0 "
      "1</xyz></axis></joint>"
      "<joint name='g' "
      "type='gearbox'><parent>a</parent><child>b</child><gearbox_ratio>3</gearbox_ratio>"
      "<gearbox_reference_body>p</gearbox_reference_body><axis><xyz>0 0 "
      "-1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>";
  const Model m = Read(InModel(text));
  EXPECT_FALSE(m.FindJoint("g")) << "a gearbox constrains no frames";
  ASSERT_EQ(m.couplings.size(), 1u);
  const Coupling& c = m.couplings[0];
  EXPECT_EQ(c.form, CouplingForm::kGearbox);
  EXPECT_EQ(c.ratio, 3);
  EXPECT_EQ(m.link(c.reference).name, "p");
  // theta_1 = -q1 about -z; theta_2 = -q2, for j2 points from b to p. theta_2 + 3 theta_1 = 0.
  ASSERT_EQ(c.terms.size(), 2u);
  EXPECT_EQ(c.terms[0].coefficients[0], -3);
  EXPECT_EQ(c.terms[1].coefficients[0], -1);
}

TEST(SdfJoints, GearboxAcrossSkewAxesIsKeptAsTextAndReported) {
  const std::string text =
      LinkText("p") + LinkText("a") + LinkText("b") +
      "<joint name='j1' type='revolute'><parent>p</parent><child>a</child><axis><xyz>0 1 "
      "0</xyz></axis></joint>"
      "<joint name='j2' type='revolute'><parent>p</parent><child>b</child><axis><xyz>0 0 "
      "1</xyz></axis></joint>\n"
      "<joint name='g' "
      "type='gearbox'><parent>a</parent><child>b</child><gearbox_reference_body>p</"
      "gearbox_reference_body>"
      "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>";
  const ReadResult r = ReadText(InModel(text));
  EXPECT_EQ(r.Messages(Severity::kWarning),
            "m.sdf:6: warning: gearbox 'g' cannot be written as a sum of joint angles because "
            "joint 'j1' between them does not turn "
            "about a parallel axis; kinemorph keeps it as text only [gearbox-lost]\n");
  ASSERT_EQ(r.model->scopes[0].native.size(), 1u);
  EXPECT_TRUE(r.model->couplings.empty());
}

TEST(SdfJoints, AFreeModelFloatsAtItsCanonicalLink) {
  const Model m =
      Read(InModel(LinkText("a", "1 0 0 0 0 0") + LinkText("c", "2 0 0 0 0 0") +
                       "<joint name='j' type='fixed'><parent>c</parent><child>a</child></joint>",
                   "1.9", " canonical_link='c'"));
  ASSERT_EQ(m.num_joints(), 2u);
  const Joint& free = m.joint(JointId{1});
  EXPECT_TRUE(std::holds_alternative<Free>(free.kind) && free.implicit);
  EXPECT_EQ(m.predecessor(JointId{1}), kWorld);
  EXPECT_EQ(m.link(m.successor(JointId{1})).name, "c");
  EXPECT_EQ(free.X_PF.p, Vector3(2, 0, 0));
}

TEST(SdfJoints, OnlyTheCanonicalLinkOfTheWholeModelDecidesWhatFloats) {
  // The canonical link of the whole is a child; of the two tops the first floats, whatever a model
  // inside, or inside that, calls its own canonical link.
  const auto nested = [](const std::string& name, const std::string& inside) {
    return "<model name='" + name + "'>" + inside + "</model>";
  };
  const auto floats = [](const std::string& inside, const std::string& b) {
    const Model m = Read(InModel(LinkText("a") + LinkText("c") + inside +
                                     "<joint name='j' type='fixed'><parent>a</parent>"
                                     "<child>c</child></joint><joint name='k' type='fixed'>"
                                     "<parent>" +
                                     b + "</parent><child>c</child></joint>",
                                 "1.9", " canonical_link='c'"));
    if (m.num_joints() != 3 || !std::holds_alternative<Free>(m.joint(JointId{2}).kind))
      return std::string("no third joint that is free");
    return m.link(m.successor(JointId{2})).name;
  };
  EXPECT_EQ(floats(nested("n", LinkText("b")), "n::b"), "a");
  EXPECT_EQ(floats(nested("n", nested("o", LinkText("b"))), "n::o::b"), "a");
}

TEST(SdfJoints, EachPartOfAModelFloatsOnItsOwn) {
  const Model m = Read(InModel(LinkText("a") + LinkText("b")));
  ASSERT_EQ(m.num_joints(), 2u);
  for (const JointId id : Joints(m)) EXPECT_TRUE(std::holds_alternative<Free>(m.joint(id).kind));
}

TEST(SdfJoints, AStaticModelIsHeldAndAJointToTheWorldIsEnough) {
  const Model fixed = Read(InModel("<static>true</static>" + LinkText("a")));
  ASSERT_EQ(fixed.num_joints(), 1u);
  EXPECT_TRUE(std::holds_alternative<Fixed>(fixed.joint(JointId{0}).kind) &&
              fixed.joint(JointId{0}).implicit);
  EXPECT_TRUE(fixed.scopes[0].is_static);
  const Model hinged = Read(InModel(
      LinkText("a") + "<joint name='j' type='revolute'><parent>world</parent><child>a</child>" +
      kX + "</joint>"));
  ASSERT_EQ(hinged.num_joints(), 1u);
  EXPECT_EQ(hinged.predecessor(JointId{0}), kWorld);
}

// Drake's example of a four-bar closes its loop so.
TEST(SdfJoints, DrakesBallConstraintIsALoopJoint) {
  const auto ball = [](const std::string& a, const std::string& b, const std::string& y = "2") {
    return "<drake:ball_constraint xmlns:drake='http://drake.mit.edu'>"
           "<drake:ball_constraint_body_A>" +
           a +
           "</drake:ball_constraint_body_A>"
           "<drake:ball_constraint_p_AP>1 " +
           y +
           " 3</drake:ball_constraint_p_AP>"
           "<drake:ball_constraint_body_B>" +
           b +
           "</drake:ball_constraint_body_B>"
           "<drake:ball_constraint_p_BQ>0 " +
           std::to_string(std::stod(y) - 2) +
           " 1</drake:ball_constraint_p_BQ>"
           "</drake:ball_constraint>";
  };
  const std::string links = LinkText("p") + LinkText("c", "1 2 2 0 0 0");
  const ReadResult read = ReadText(InModel(links + ball("p", "c")));
  EXPECT_THAT(read.Messages(Severity::kWarning),
              ::testing::HasSubstr("read as the loop joint 'loop'"));
  const Model& m = *read.model;
  const JointId id = JointNamed(m, "loop");
  const Joint& j = m.joint(id);
  EXPECT_TRUE(std::holds_alternative<Ball>(j.kind));
  EXPECT_EQ(j.role, JointRole::kLoop);
  EXPECT_EQ(m.link(m.predecessor(id)).name, "p");
  EXPECT_EQ(m.link(m.successor(id)).name, "c");
  EXPECT_TRUE(Near(j.X_PF.p, Vector3(1, 2, 3)));
  EXPECT_TRUE(Near(j.X_SM.p, Vector3(0, 0, 1)));
  // A second point makes it a hinge about their line.
  const ReadResult two = ReadText(InModel(links + ball("p", "c") + ball("p", "c", "2.5")));
  const JointId hinge = JointNamed(*two.model, "loop");
  const Joint& h = two.model->joint(hinge);
  EXPECT_TRUE(std::holds_alternative<Revolute>(h.kind));
  EXPECT_TRUE(Near(h.X_PF.R * std::get<Revolute>(h.kind).axis, Vector3::UnitY()));
  EXPECT_TRUE(Near(h.X_SM.R * std::get<Revolute>(h.kind).axis, Vector3::UnitY()));
  EXPECT_FALSE(two.model->FindJoint("loop_2"));
  EXPECT_THAT(Errors(InModel(links + ball("p", "d"))),
              ::testing::HasSubstr("body B 'd' is not defined"));
  EXPECT_THAT(Errors(InModel(links + ball("p", "p"))),
              ::testing::HasSubstr("joins a body to itself"));
}

}  // namespace
}  // namespace kinemorph::test
