// The writer: literal text, version differences, and what comes back on reading.
#include "native_xml.h"
#include "sdf_text.h"

namespace kinemorph::test {
namespace {

const std::string kX = "<axis><xyz>1 0 0</xyz></axis>";

TEST(SdfWriter, ALoopOfTwoLinks) {
  Model m = Read(
      InModel(LinkText("a", "0 0 1 0 0 0") + LinkText("b", "0 0 1.5 0 0 0") +
              "<joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>"
              "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 "
              "0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>"
              "<joint name='k' type='ball'><pose>0 0 -0.5 0 0 "
              "0</pose><parent>a</parent><child>b</child></joint>"));
  m.joint(JointNamed(m, "k")).role = JointRole::kLoop;
  EXPECT_EQ(Write(m), R"(<?xml version="1.0" encoding="UTF-8"?>
<sdf version="1.9">
  <model name="m">
    <link name="a">
      <pose>0 0 1 0 0 0</pose>
      <inertial>
        <mass>1</mass>
        <inertia>
          <ixx>1</ixx>
          <ixy>0</ixy>
          <ixz>0</ixz>
          <iyy>1</iyy>
          <iyz>0</iyz>
          <izz>1</izz>
        </inertia>
      </inertial>
    </link>
    <link name="b">
      <pose relative_to="a">0 0 0.5 0 0 0</pose>
      <inertial>
        <mass>1</mass>
        <inertia>
          <ixx>1</ixx>
          <ixy>0</ixy>
          <ixz>0</ixz>
          <iyy>1</iyy>
          <iyz>0</iyz>
          <izz>1</izz>
        </inertia>
      </inertial>
    </link>
    <joint name="w" type="fixed">
      <parent>world</parent>
      <child>a</child>
    </joint>
    <joint name="j" type="revolute">
      <parent>a</parent>
      <child>b</child>
      <axis>
        <xyz>0 1 0</xyz>
        <limit>
          <lower>-1</lower>
          <upper>1</upper>
        </limit>
      </axis>
    </joint>
    <joint name="k" type="ball">
      <pose>0 0 -0.5 0 0 0</pose>
      <parent>a</parent>
      <child>b</child>
      <physics>
        <simbody>
          <must_be_loop_joint>true</must_be_loop_joint>
        </simbody>
      </physics>
    </joint>
  </model>
</sdf>
)");
  EXPECT_TRUE(Read(Write(m)).joint(JointNamed(m, "k")).cut_hint);
}

// Reading what was written gives the same mechanism, in every version.
class SdfRoundTrip : public ::testing::TestWithParam<const char*> {
 protected:
  static void Check(const std::string& text) {
    const Model first = Read(text);
    const Model second = Read(Write(first, GetParam()));
    const std::vector<RigidTransform> X1 = Poses(first), X2 = Poses(second);
    ASSERT_EQ(X1.size(), X2.size());
    for (const LinkId id : Links(first)) {
      EXPECT_EQ(second.link(id).name, first.link(id).name);
      EXPECT_TRUE(Near(X2[Index(id)].p, X1[Index(id)].p));
      EXPECT_TRUE(Near(X2[Index(id)].R, X1[Index(id)].R));
    }
    ASSERT_EQ(first.num_joints(), second.num_joints());
    for (const JointId id : Joints(first)) {
      const Joint &a = first.joint(id), &b = second.joint(id);
      EXPECT_EQ(b.name, a.name);
      EXPECT_EQ(b.kind.index(), a.kind.index());
      EXPECT_TRUE(Near(b.X_SM.p, a.X_SM.p));
      const std::vector<Vector3> axes_a = AxesOf(a.kind), axes_b = AxesOf(b.kind);
      for (std::size_t i = 0; i < axes_a.size(); ++i)
        EXPECT_TRUE(Near(b.X_SM.R * axes_b[i], a.X_SM.R * axes_a[i])) << a.name;
      if (const auto* screw = std::get_if<Screw>(&a.kind)) {
        EXPECT_NEAR(std::get<Screw>(b.kind).pitch, screw->pitch, 1e-15);
      }
    }
  }
};

TEST_P(SdfRoundTrip, JointsOfEveryType) {
  std::string text = "<pose>1 2 3 0.1 0.2 0.3</pose>" + LinkText("l0", "0 0 0 0.5 0 0");
  int n = 0;
  for (const char* joint :
       {"revolute'>%<axis><xyz>1 2 "
        "3</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort></"
        "limit><dynamics><damping>0.1</damping></dynamics></axis>",
        "prismatic'>%<axis><xyz>0 1 0</xyz></axis>",
        "screw'>%<axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.01</screw_thread_pitch>",
        "ball'>%", "fixed'>%",
        "universal'>%<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>",
        "revolute2'>%<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 1</xyz></axis2>",
        "revolute'>%<axis><xyz>0 0 1</xyz></axis>"}) {
    const std::string parent = "l" + std::to_string(n), child = "l" + std::to_string(n + 1);
    text += LinkText(child, "0." + std::to_string(n) + " 0 1 0 0.3 0." + std::to_string(n));
    std::string j = "<joint name='j" + std::to_string(n++) + "' type='" + joint + "</joint>\n";
    j.replace(
        j.find('%'), 1,
        "<pose>0.1 0 0 0 0 0.7</pose><parent>" + parent + "</parent><child>" + child + "</child>");
    text += j;
  }
  Check(InModel(text, "1.10"));
}

TEST_P(SdfRoundTrip, GearboxAndNestedModels) {
  const std::string arm =
      "<model name='arm'><pose>0 0 1 0 0 0</pose>" + LinkText("upper") +
      LinkText("lower", "0 0 1 0 0 0") +
      "<joint name='elbow' type='revolute'><parent>upper</parent><child>lower</child>" + kX +
      "</joint></model>";
  Check(InModel(
      LinkText("base") + arm +
      "<joint name='shoulder' type='revolute'><parent>base</parent><child>arm::upper</child>" + kX +
      "</joint>"));
  const std::string gear =
      LinkText("p") + LinkText("a") + LinkText("b") +
      "<joint name='j1' type='revolute'><parent>p</parent><child>a</child>" + kX +
      "</joint>"
      "<joint name='j2' type='revolute'><parent>a</parent><child>b</child><axis><xyz>-1 0 "
      "0</xyz></axis></joint>"
      "<joint name='g' "
      "type='gearbox'><parent>a</parent><child>b</child><gearbox_ratio>3</gearbox_ratio>"
      "<gearbox_reference_body>p</gearbox_reference_body><axis><xyz>-1 0 "
      "0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint>";
  Check(InModel(gear));
  const Model first = Read(InModel(gear)), second = Read(Write(first, GetParam()));
  ASSERT_EQ(second.couplings.size(), 1u);
  ASSERT_EQ(second.couplings[0].terms.size(), first.couplings[0].terms.size());
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(second.couplings[0].terms[i].coefficients, first.couplings[0].terms[i].coefficients);
}

INSTANTIATE_TEST_SUITE_P(Versions, SdfRoundTrip,
                         ::testing::Values("1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11",
                                           "1.12"),
                         [](const auto& version) {
                           return "V1_" + std::string(version.param + 2);
                         });

TEST(SdfWriter, AuthoredNumbersComeBackToTheDigit) {
  const std::string text =
      InModel("<pose>1 2 3 0.1 0.2 0.3</pose>" + LinkText("l0", "0 0 0.7 0.5 0 0") +
              "<link name='l1'><pose relative_to='l0'>0.1 0.2 0.3 0.4 0.5 0.6</pose></link>"
              "<link name='l2'><pose relative_to='l1'>0.11 0.22 0.33 1.4 -0.5 2.6</pose></link>"
              "<joint name='j0' type='revolute'><pose>0.3 0 0 0 0.7 "
              "0</pose><parent>l0</parent><child>l1</child>" +
              kX +
              "</joint>"
              "<joint name='j1' type='ball'><pose>0 0.7 0.9 0 0 "
              "0.1</pose><parent>l1</parent><child>l2</child></joint>");
  const std::string once = Write(Read(text));
  EXPECT_NE(once.find("<pose relative_to=\"l1\">0.11 0.22 0.33 1.4 -0.5 2.6</pose>"),
            std::string::npos)
      << once;
  EXPECT_EQ(Write(Read(once)), once);
}

TEST(SdfWriter, WorldsKeepTheirModelsGravityAndLights) {
  const std::string text =
      "<sdf version='1.9'><world name='w'><gravity>0 0 -1.6</gravity><light name='sun' "
      "type='directional'/>"
      "<model name='a'>" +
      LinkText("l") + "</model><model name='b'><static>true</static>" +
      LinkText("l", "1 0 0 0 0 0") + "</model></world></sdf>";
  const Model m = Read(Write(Read(text)));
  EXPECT_EQ(*m.gravity, Vector3(0, 0, -1.6));
  EXPECT_EQ(m.scopes.size(), 3u);
  EXPECT_TRUE(m.scopes[2].is_static);
  EXPECT_EQ(m.scopes[0].native.at(0).element, "light");
  EXPECT_EQ(Read(Write(Read(text), "1.5")).gravity->z(), -1.6);
}

TEST(SdfWriter, GravityOfAModelWithoutWorldGetsAWorld) {
  Model m = Read(InModel(LinkText("l")));
  m.gravity = Vector3(0, 0, -2);
  const Model back = Read(Write(m));
  EXPECT_EQ(*back.gravity, Vector3(0, 0, -2));
  EXPECT_EQ(back.name, "m");
  EXPECT_TRUE(back.FindLink("l"));
}

TEST(SdfWriter, SensorsFollowTheirLink) {
  Model m =
      Read(InModel("<link name='l'><sensor name='s' type='imu'><pose relative_to='f'>0 0 1 0 0 "
                   "0</pose><update_rate>5</update_rate></sensor></link>"
                   "<frame name='f' attached_to='l'><pose>1 0 0 0 0 0</pose></frame>"));
  m.sensors[0].X_LS.p.y() = 7;  // as if the link had been re-based
  const std::string text = Write(m);
  EXPECT_NE(text.find("<pose>1 7 1 0 0 0</pose>"), std::string::npos) << text;
  EXPECT_EQ(Read(text).sensors[0].X_LS.p, Vector3(1, 7, 1));
}

TEST(SdfWriter, ABallKeepsTheLimitsThatNeedNoAxis) {
  const Model m = Read(InModel(
      "<link name='p'/><link name='c'/><joint name='j' type='ball'><parent>p</parent><child>c"
      "</child><axis><xyz>0 0 1</xyz><limit><effort>3</effort><velocity>4</velocity></limit>"
      "</axis></joint>"));
  const Model back = Read(Write(m));
  const Joint& joint = back.joint(*back.FindJoint("j"));
  EXPECT_EQ(joint.axes.at(0).effort, 3);
  EXPECT_EQ(joint.axes.at(0).velocity, 4);
}

// Its text is in its link as well, so that it compares equal wherever the frame went.
TEST(SdfWriter, TheTextOfASensorIsInItsLink) {
  const std::string frame = "<frame name='f' attached_to='l'><pose>1 0 0 0 0 0</pose></frame>";
  const auto text = [&](const std::string& pose) {
    return Xml(Read(InModel("<link name='l'><sensor name='s' type='imu'>" + pose +
                            "</sensor></link>" + frame))
                   .sensors[0]
                   .native);
  };
  EXPECT_EQ(text("<pose relative_to='f'>0 0 1 0 0 0</pose>"), text("<pose>1 0 1 0 0 0</pose>"));
}

TEST(SdfWriter, AModelOfAnotherFormatNeedsNoScopes) {
  Model m;
  m.name = "r";
  m.format = "urdf";
  Link base, tip;
  base.name = "base";
  tip.name = "tip";
  const LinkId b = m.AddLink(base), t = m.AddLink(tip);
  Joint hinge;
  hinge.name = "hinge";
  hinge.kind = Revolute{Vector3::UnitX()};
  hinge.native_type = "continuous";
  hinge.X_PF = RigidTransform::Translation({0, 0, 1});
  m.AddJoint(b, t, hinge);
  const Model back = ReadText(Write(m)).model.value();
  EXPECT_EQ(back.joint(JointNamed(back, "hinge")).native_type, "revolute");
  EXPECT_EQ(PoseOf(back, "tip").p, Vector3(0, 0, 1));
}

// Of `continuous` gz sim's engine makes a fixed joint and Gazebo Classic none, whoever wrote it.
TEST(SdfWriter, AHingeWithoutBoundsIsRevolute) {
  const auto hinge = [](const std::string& type, const std::string& limit) {
    return Read(InModel(LinkText("a") + LinkText("b") + "<joint name='j' type='" + type +
                        "'><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz>" + limit +
                        "</axis></joint>"));
  };
  for (const char* version : {"1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"}) {
    for (const char* type : {"continuous", "revolute"}) {
      const std::string text = Write(hinge(type, ""), version);
      EXPECT_NE(text.find("type=\"revolute\""), std::string::npos) << text;
      EXPECT_EQ(text.find("<limit>"), std::string::npos) << text;
      const Model back = Read(text);
      const JointAxis& axis = back.joint(JointNamed(back, "j")).axes[0];
      EXPECT_FALSE(axis.lower || axis.upper);
    }
  }
  // What else <limit> says stays in it.
  const std::string text =
      Write(hinge("continuous", "<limit><effort>5</effort><velocity>6</velocity></limit>"));
  EXPECT_NE(text.find("<limit>\n          <effort>5</effort>\n          <velocity>6</velocity>\n"
                      "        </limit>"),
            std::string::npos)
      << text;
}

TEST(SdfWriter, ALoopMadeOfTwoFramesMustCloseAtZero) {
  Model m = Read(InModel(LinkText("a") + LinkText("b") +
                         "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>"
                         "<joint name='k' type='revolute'><parent>a</parent><child>b</child>" +
                         kX + "</joint>"));
  Joint& k = m.joint(JointNamed(m, "k"));
  k.role = JointRole::kLoop;
  k.axes[0].lower = -1;
  k.axes[0].upper = 1;
  // Turned about its own axis: the same loop, whose coordinate is 0.25 as drawn.
  k.X_PF.R = RotationFromAxisAngle(Vector3::UnitX(), -0.25);
  const Model turned = Read(Write(m));
  EXPECT_NEAR(*turned.joint(JointNamed(turned, "k")).axes[0].lower, -1.25, 1e-12);
  EXPECT_NEAR(*turned.joint(JointNamed(turned, "k")).axes[0].upper, 0.75, 1e-12);
  k.X_PF.p.z() = 0.1;
  std::string messages;
  EXPECT_EQ(Write(m, "", &messages), "");
  EXPECT_EQ(messages,
            "m.sdf:4: error: joint 'k' closes a loop that is open by 0.1 at the zero "
            "configuration; SDFormat can only say loops that "
            "are closed there "
            "[sdf-not-legal]\n");
}

Coupling MimicOf(Coordinate follower, Coordinate leader) {
  Coupling mimic;
  mimic.form = CouplingForm::kMimic;
  mimic.terms = {{follower, {1, 0, 0, 0}}, {leader, {-2, 0, 0, 0}}};
  mimic.constant = 0.5;
  return mimic;
}

TEST(SdfWriter, WhatIsSaidOfPositionsOfALoopCountsFromItsZero) {
  Model m = Read(
      InModel(LinkText("a") + LinkText("b") + LinkText("c") +
              "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>"
              "<joint name='l' type='revolute'><parent>a</parent><child>c</child>" +
              kX + "</joint><joint name='k' type='revolute'><parent>a</parent><child>b</child>" +
              kX + "</joint>"));
  const Coordinate lead{JointNamed(m, "l"), 0}, loop{JointNamed(m, "k"), 0};
  Joint& k = m.joint(loop.joint);
  k.role = JointRole::kLoop;
  k.X_PF.R = RotationFromAxisAngle(Vector3::UnitX(), -0.25);  // 0.25 as drawn
  k.axes[0].spring_stiffness = 3;                             // slack at 0
  k.axes[0].initial_position = 0.75;
  const Model back = Read(Write(m, "1.8"));
  const JointAxis& axis = back.joint(JointNamed(back, "k")).axes[0];
  EXPECT_NEAR(*axis.spring_reference, -0.25, 1e-12);
  EXPECT_NEAR(*axis.initial_position, 0.5, 1e-12);
  k.axes[0].initial_position.reset();
  m.couplings = {MimicOf(loop, lead)};
  EXPECT_NEAR(Read(Write(m, "1.11")).couplings.at(0).constant, 0.25, 1e-12);
  m.couplings = {MimicOf(lead, loop)};
  EXPECT_NEAR(Read(Write(m, "1.11")).couplings.at(0).constant, 1, 1e-12);
}

// Its axes are written in the other order where its child is the world, and so is what is said of
// them.
TEST(SdfWriter, BothAxesOfAUniversalLoopCountFromItsZero) {
  Model m = Read(InModel(
      LinkText("a") + LinkText("c") +
      "<joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>"
      "<joint name='l' type='revolute'><parent>a</parent><child>c</child>" +
      kX + "</joint><joint name='u' type='universal'><parent>world</parent><child>a</child>" + kX +
      "<axis2><xyz>0 1 0</xyz></axis2></joint>"));
  const JointId id = JointNamed(m, "u");
  Joint& u = m.joint(id);
  u.role = JointRole::kLoop;
  const Matrix3 R_FM =
      RotationFromAxisAngle(Vector3::UnitX(), 0.3) * RotationFromAxisAngle(Vector3::UnitY(), 0.2);
  u.X_PF.R = R_FM.transpose();  // 0.3 and 0.2 as drawn
  u.axes[0].lower = -1;
  u.axes[1].lower = -2;
  m.couplings = {MimicOf({id, 0}, {JointNamed(m, "l"), 0})};
  const auto check = [&](int first, int second, const Vector3& axis1_W, const Vector3& axis2_W) {
    const Model back = Read(Write(m, "1.11"));
    const JointId there = JointNamed(back, "u");
    const Joint& joint = back.joint(there);
    EXPECT_EQ(back.predecessor(there), kWorld);
    const auto axis = [&](int i) { return joint.axes[static_cast<std::size_t>(i)]; };
    EXPECT_NEAR(*axis(first).lower, -1.3, 1e-12);
    EXPECT_NEAR(*axis(second).lower, -2.2, 1e-12);
    EXPECT_TRUE(Near(joint.X_PF.R * std::get<Universal>(joint.kind).axis1, axis1_W));
    EXPECT_TRUE(Near(joint.X_SM.R * std::get<Universal>(joint.kind).axis2, axis2_W));
    EXPECT_EQ(back.couplings.at(0).terms[0].coordinate.axis, first);
    EXPECT_NEAR(back.couplings.at(0).constant, 0.2, 1e-12);
  };
  const Vector3 x_W = R_FM.transpose() * Vector3::UnitX(), y_W = Vector3::UnitY();
  check(0, 1, x_W, y_W);
  m.Reconnect([&](JointId j) {
    return j == id ? std::pair(m.successor(j), m.predecessor(j))
                   : std::pair(m.predecessor(j), m.successor(j));
  });
  check(1, 0, -y_W, -x_W);
}

TEST(SdfWriter, ThreeVersionsHaveInitialPositions) {
  WriteOptions options;
  for (const char* version : {"1.5", "1.6", "1.7", "1.8", "1.9"}) {
    options.version = version;
    const bool has = options.version >= "1.6" && options.version <= "1.8";
    const Capability cell = FindFormat("sdf")->capability(Feature::kInitialPosition, options);
    EXPECT_EQ(cell.support == Support::kNative, has) << version;
    if (!has) { EXPECT_EQ(cell.note, "only SDFormat 1.6 to 1.8 have it: --to sdf@1.8") << version; }
  }
}

TEST(SdfWriter, RefusesWhatAVersionCannotSay) {
  const auto refusal = [](const std::string& text, const std::string& version) {
    std::string messages;
    const Model model = Read(text);
    EXPECT_EQ(Write(model, version, &messages), "");
    return messages;
  };
  EXPECT_EQ(
      refusal(InModel("<link name='l'><visual "
                      "name='v'><geometry><capsule><radius>1</radius><length>1</length></capsule></"
                      "geometry></visual></link>"),
              "1.7"),
      "m.sdf:2: error: visual 'v' is a capsule, which SDFormat has since 1.8 [sdf-not-legal]\n");
  EXPECT_EQ(
      refusal(
          InModel(
              LinkText("p") + LinkText("c") +
                  "<joint name='a' type='revolute'><parent>p</parent><child>c</child>" + kX +
                  "</joint>" + LinkText("d") +
                  "<joint name='b' type='revolute'><parent>c</parent><child>d</child><axis><xyz>1 "
                  "0 0</xyz><mimic "
                  "joint='a'/></axis></joint>",
              "1.11"),
          "1.9"),
      "m.sdf:5: error: mimic 'b' needs SDFormat 1.11; write gearbox joints or choose sdf@1.11 "
      "[sdf-not-legal]\n");
  Model planar = Read(
      InModel(LinkText("l") +
              "<joint name='j' type='fixed'><parent>world</parent><child>l</child></joint>\n"));
  planar.joint(JointId{0}).kind = Planar{};
  planar.joint(JointId{0}).axes.resize(3);
  std::string messages;
  EXPECT_EQ(Write(planar, "", &messages), "");
  EXPECT_EQ(messages, "m.sdf:3: error: joint 'j': SDFormat has no planar joint [sdf-not-legal]\n");
  EXPECT_EQ(Write(Read(InModel(LinkText("l"))), "2.0", &messages), "");
  EXPECT_EQ(messages,
            "error: '2.0' is not a version of SDFormat that can be written; choose 1.4 to 1.12 "
            "[sdf-version]\n");
}

}  // namespace
}  // namespace kinemorph::test
