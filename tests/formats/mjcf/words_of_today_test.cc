// Words and rules of MuJoCo up to 4.0, as its compiler was seen to take them.
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>

#include "mjcf_text.h"

namespace kinemorph {
namespace {

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kInertial = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";

TEST(MjcfToday, AnUnknownAttributeOfADefaultIsSaid) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><default><joint stifness="5" damping="2"/></default><worldbody/></mujoco>)");
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_TRUE(Holds(read.warnings[0], "attribute 'stifness'")) << read.warnings[0];
  EXPECT_TRUE(Holds(read.warnings[0], "[not-used]"));
}

TEST(MjcfToday, AnAttributeThatMjcfKnowsElsewhereIsSaidInADefaultAndNotTaken) {
  const auto warning = [](const std::string& defaults) {
    const MjcfRead read = ReadMjcfText(
        "<mujoco><default>" + defaults +
        R"(</default><worldbody><site name="s"/><body name="b"><joint name="j"/>)" + kInertial +
        R"(</body></worldbody><actuator><motor joint="j"/></actuator></mujoco>)");
    EXPECT_FALSE(Holds(WriteMjcfText(read.model), "seven")) << defaults;
    return read.warnings.empty() ? "" : read.warnings[0];
  };
  for (const char* defaults :
       {R"(<motor kp="seven"/>)", R"(<motor lengthrange="seven"/>)", R"(<position area="seven"/>)",
        R"(<adhesion gear="seven"/>)", R"(<damper ctrllimited="seven"/>)",
        R"(<dcmotor forcerange="seven"/>)", R"(<motor actrange="seven"/>)",
        R"(<intvelocity actearly="seven"/>)", R"(<muscle tausmooth="seven"/>)",
        R"(<pair geom1="seven"/>)", R"(<mesh refpos="seven"/>)", R"(<site mocap="seven"/>)"})
    EXPECT_TRUE(Holds(warning(defaults), "[not-used]")) << defaults;
}

TEST(MjcfToday, WhatMjcfKnowsInADefaultNobodyUsesIsNoLoss) {
  Quiet(
      R"(<mujoco><default><joint springyield="1" damping="2"/><geom castshadow="false"/><texture type="2d" builtin="flat"/>
<position kp="3" dampratio="1" ctrlrange="0 1"/><mesh scale="1 1 1"/></default><worldbody/></mujoco>)");
}

TEST(MjcfToday, AYieldOfASpringIsKeptInRadians) {
  const Model model = Quiet(
      std::string(
          R"(<mujoco><default><joint springyield="90"/></default><worldbody><body name="b"><joint name="j" stiffness="5"/>)") +
      kInertial + "</body></worldbody></mujoco>");
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(springyield="1.57079632679489)"));
}

TEST(MjcfToday, AShadowIsKept) {
  const Model model = Quiet(World(R"(<geom name="g" size="1" castshadow="false"/>)"));
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(castshadow="false")"));
}

TEST(MjcfToday, ATextureTakesItsDefaults) {
  const Model model = Quiet(
      R"(<mujoco><default><texture type="2d" builtin="flat" width="8" height="8"/></default><asset><texture name="red"/></asset><worldbody/></mujoco>)");
  EXPECT_TRUE(Holds(WriteMjcfText(model),
                    R"(<texture name="red" type="2d" builtin="flat" width="8" height="8"/>)"));
}

TEST(MjcfToday, AQuaternionOfAnElementWinsOverAnAngleOfItsDefault) {
  const Model model = Quiet(
      R"(<mujoco><compiler angle="radian"/><default><geom euler="0 0 1"/></default><worldbody><geom name="g" size="1" quat="1 0 0 0"/></worldbody></mujoco>)");
  EXPECT_EQ(model.link(kWorld).collisions.at(0).X_LG.R, Matrix3::Identity());
}

TEST(MjcfToday, TheLinesOnAPlaneStay) {
  const Model model = Quiet(World(R"(<geom name="floor" type="plane" size="1.5 1.5 0.25"/>)"));
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(size="1.5 1.5 0.25")"));
}

TEST(MjcfToday, ARangeThatDoesNotLimitStays) {
  const Model model =
      Quiet(World(std::string(R"(<body name="b"><joint name="j" limited="false" range="-1 2"/>)") +
                  kInertial + "</body>"));
  EXPECT_FALSE(JointNamed(model, "j").axes[0].upper);
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(limited="false" range="-1 2")"));
}

TEST(MjcfToday, AFrameWithAScaleIsRefused) {
  const MjcfRead read = ReadMjcfText(World(R"(<frame name="big" scale="2"><body/></frame>)"));
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_EQ(read.errors[0],
            "robot.xml:1: error: 'mujoco/worldbody/frame[big]': kinemorph does not read 'scale'; "
            "write what is in the frame in its true size [frame-scale]");
}

constexpr const char* kBrick =
    R"(<mujoco><worldbody><body name="brick" pos="0 0 1"><freejoint align="true"/>@</body></worldbody>
<keyframe><key name="home" qpos="0 0 2 1 0 0 0" qvel="0 0 0 0 0 1"/></keyframe></mujoco>)";

std::string Brick(const std::string& content) {
  std::string text = kBrick;
  return text.replace(text.find('@'), 1, content);
}

// The inertia is 0.5 m ahead and turned by 30 degrees: MuJoCo's key puts that frame to 0 0 2.
TEST(MjcfToday, AKeyOfAnAlignedBodyIsTurnedToTheDrawnFrame) {
  const MjcfRead read = ReadMjcfText(
      Brick(R"(<geom type="box" size="0.2 0.1 0.05" pos="0.5 0 0" euler="0 0 30" mass="1"/>)"));
  ASSERT_TRUE(read.errors.empty());
  std::optional<NativeElement> key;
  for (const NativeData& native : read.model.native)
    if (native.element == "keyframe") key = *native.content.Child("key");
  ASSERT_TRUE(key);
  std::istringstream qpos(*key->Attribute("qpos")), qvel(*key->Attribute("qvel"));
  std::vector<double> q, v;
  for (double x; qpos >> x;) q.push_back(x);
  for (double x; qvel >> x;) v.push_back(x);
  ASSERT_EQ(q.size(), 7U);
  ASSERT_EQ(v.size(), 6U);
  const double c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
  const double expected[] = {-0.5 * c,
                             0.5 * s,
                             2,
                             std::cos(std::numbers::pi / 12),
                             0,
                             0,
                             -std::sin(std::numbers::pi / 12)};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(q[i], expected[i], 1e-12) << i;
  // It turns about the inertia's frame: the drawn origin goes round it.
  EXPECT_NEAR(v[0], -0.5 * s, 1e-12);
  EXPECT_NEAR(v[1], -0.5 * c, 1e-12);
  EXPECT_NEAR(v[5], 1, 1e-12);
}

// As MuJoCo 4.0 turns them: with the frame of the inertia.
TEST(MjcfToday, KeysOfAnAlignedBodyOfAnAttachedModelAreTurned) {
  const Model model = Quiet(
      R"(<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><frame><attach model="c" body="brick" prefix="c_"/></frame></worldbody>
<keyframe><key name="home" qpos="0 0 2 1 0 0 0"/></keyframe></mujoco>)",
      {{"c.xml",
        R"(<mujoco><worldbody><body name="brick"><freejoint align="true"/><geom type="box" size="0.2 0.1 0.05" pos="0.5 0 0" mass="1"/></body></worldbody></mujoco>)"}});
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(qpos="-0.5 0 2 1 0 0 0")")) << WriteMjcfText(model);
}

// Seconds that `work` takes.
template <class Work>
double TimeOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(MjcfToday, AKeyOfManyAlignedBodiesIsTurnedAtOnce) {
  std::string bodies, state;
  for (int i = 0; i < 8000; ++i) {
    bodies += R"(<body><freejoint align="true"/><geom type="box" size="1 2 3"/></body>)";
    state += "0 0 0 1 0 0 0 ";
  }
  const std::string text = "<mujoco><worldbody>" + bodies + "</worldbody><keyframe><key qpos=\"" +
                           state + "\"/></keyframe></mujoco>";
  EXPECT_LT(TimeOf([&] { Quiet(text); }), 8);
}

TEST(MjcfToday, ManyCouplingsFindTheirTendonsAtOnce) {
  std::string bodies, tendons, equalities;
  for (int i = 0; i < 16'000; ++i) {
    const std::string n = std::to_string(i);
    for (const char* joint : {"a", "b", "c"})
      bodies += std::string("<body><joint name=\"") + joint + n + "\"/>" + kInertial;
    bodies += "</body></body></body>";
    tendons += "<fixed name=\"t" + n + "\"><joint joint=\"a" + n + "\"/><joint joint=\"b" + n +
               "\"/><joint joint=\"c" + n + "\"/></fixed>";
    equalities += "<tendon tendon1=\"t" + n + "\"/>";
  }
  const Model model = Quiet("<mujoco><worldbody>" + bodies + "</worldbody><tendon>" + tendons +
                            "</tendon><equality>" + equalities + "</equality></mujoco>");
  EXPECT_LT(TimeOf([&] { EXPECT_TRUE(Holds(WriteMjcfText(model), R"(tendon1="t15999")")); }), 8);
}

TEST(MjcfToday, KeysOfABodyWhoseAxesMuJoCoChoosesAreNotRead) {
  const MjcfRead read = ReadMjcfText(Brick(
      R"(<geom size="0.1" pos="0.5 0 0" mass="1"/><geom size="0.1" pos="0 0.5 0" mass="1"/>)"));
  for (const NativeData& native : read.model.native)
    EXPECT_EQ(native.format, native.element == "keyframe" ? "" : "mjcf");
}

TEST(MjcfToday, ABodyWithOthersBelowIsNotAligned) {
  const MjcfRead read = ReadMjcfText(
      Brick(R"(<geom size="0.1" pos="0.5 0 0" mass="1"/><body><geom size="0.1"/></body>)"));
  ASSERT_EQ(read.notes.size(), 1U);
  EXPECT_TRUE(Holds(read.notes[0], "as MuJoCo leaves it where bodies are below")) << read.notes[0];
  EXPECT_TRUE(Holds(WriteMjcfText(read.model), R"(qpos="0 0 2 1 0 0 0")"));
}

TEST(MjcfToday, AKeyWithActivationsOrMocapPosesOfAModelWithoutAnyIsSaid) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><worldbody><body name="b"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
<keyframe><key name="home" act="1"/><key name="held" mpos="1 2 3"/></keyframe></mujoco>)");
  ASSERT_EQ(read.notes.size(), 2U);
  EXPECT_TRUE(Holds(read.notes[0], "its act has 1 numbers, the model needs 0; MuJoCo refuses"));
  EXPECT_TRUE(Holds(read.notes[1], "its mpos has 3 numbers, the model needs 0"));
}

TEST(MjcfToday, ATendonOfAnEqualityIsNotDoubled) {
  const std::string source =
      R"(<mujoco><worldbody><body name="a"><joint name="ja"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body name="b"><joint name="jb"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><body name="c"><joint name="jc"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></body></worldbody>
<tendon><fixed name="t"><joint joint="ja" coef="1"/><joint joint="jb" coef="2"/><joint joint="jc"/></fixed></tendon>
<equality><tendon name="e" tendon1="t"/></equality></mujoco>)";
  const std::string first = WriteMjcfText(Quiet(source));
  EXPECT_TRUE(Holds(first, R"(tendon1="t")")) << first;
  EXPECT_EQ(first.find("<fixed"), first.rfind("<fixed")) << first;
  EXPECT_EQ(WriteMjcfText(Quiet(first)), first);
}

TEST(MjcfToday, FilesOfSkinsLieInTheFolderOfMeshes) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><compiler meshdir="assets"/><worldbody/><deformable><skin name="s" file="s.skn"/></deformable></mujoco>)",
      {{"assets/s.skn", "x"}});
  EXPECT_TRUE(Holds(WriteMjcfText(read.model), R"(file="assets/s.skn")"));
}

TEST(MjcfToday, FlagsOfAnAttachedModelDoNotCount) {
  const Model model = Quiet(
      std::string(
          R"(<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><body name="b"><joint name="j"/>)") +
          kInertial + R"(<attach model="c" body="arm" prefix="c_"/></body></worldbody></mujoco>)",
      {{"c.xml",
        std::string(
            R"(<mujoco><option><flag damper="disable"/></option><worldbody><body name="arm"><joint name="a" damping="1"/>)") +
            kInertial + "</body></worldbody></mujoco>"}});
  EXPECT_EQ(JointNamed(model, "c_a").axes[0].damping, 1);
}

TEST(MjcfToday, OptionsThatAMergeWouldTakeAreLost) {
  const MjcfRead read = ReadMjcfText(
      std::string(
          R"(<mujoco><compiler conflict="merge"/><option timestep="0.005"/><asset><model name="c" file="c.xml"/></asset><worldbody><body name="b"><joint name="j"/>)") +
          kInertial + R"(<attach model="c" body="arm" prefix="c_"/></body></worldbody></mujoco>)",
      {{"c.xml",
        std::string(
            R"(<mujoco><option timestep="0.002"/><worldbody><body name="arm"><joint name="a"/>)") +
            kInertial + "</body></worldbody></mujoco>"}});
  std::size_t lost = 0;
  for (const NativeData& native : read.model.native)
    if (native.element == "option" && native.format.empty()) {
      ++lost;
      EXPECT_EQ(*native.content.Attribute("timestep"), "0.002");
    }
  EXPECT_EQ(lost, 1U);
}

TEST(MjcfToday, EqualLimitsAreApartInSinglePrecision) {
  Model model =
      Quiet(World(std::string(R"(<body name="b"><joint name="j"/>)") + kInertial + "</body>"));
  JointAxis& axis = model.joint(*model.FindJoint("j")).axes[0];
  axis.lower = axis.upper = 0;
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(range="0 1.17549)"));
  axis.lower = axis.upper = 0.5;
  const std::string text = WriteMjcfText(model);
  EXPECT_TRUE(Holds(text, R"(range="0.5 0.50000005)")) << text;
  EXPECT_EQ(JointNamed(Quiet(text), "j").axes[0].upper, 0.5);  // and mean one again
}

// Drake and Pinocchio stop at such a body under inertiafromgeom="false".
TEST(MjcfToday, ABodyWithoutInertiaMayWeighItsShapesWhichWeighNothing) {
  Model model;
  model.format = "urdf";
  Link base;
  base.name = "base";
  Joint weld;
  weld.name = "weld", weld.kind = Fixed{}, weld.role = JointRole::kTree;
  static_cast<void>(model.AddJoint(kWorld, model.AddLink(std::move(base)), std::move(weld)));
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(inertiafromgeom="auto")"));
  model.link(LinkId{1}).inertial.emplace().mass = 1;
  EXPECT_TRUE(Holds(WriteMjcfText(model), R"(inertiafromgeom="false")"));
}

// Bits of its own that the bits of the floor do not meet.
TEST(MjcfToday, ASceneSaysWhereTheMasksKeepTheRobotOffTheFloor) {
  const auto said = [](const std::string& floor, const std::string& masks) {
    const Model model = Quiet(World(
        floor + "<body name=\"b\"><freejoint/><geom size=\"1\" mass=\"1\"" + masks + "/></body>"));
    WriteOptions options;
    options.scene_of = "robot.xml";
    Diagnostics diagnostics;
    static_cast<void>(FindFormat("mjcf")->write(model, options, diagnostics));
    for (const Diagnostic& each : diagnostics.items())
      if (each.code == "scene-no-contact") return true;
    return false;
  };
  const std::string plane = R"(<geom type="plane" size="1 1 1" contype="0" conaffinity="2"/>)";
  EXPECT_FALSE(said("", ""));
  EXPECT_TRUE(said("", R"( contype="2" conaffinity="4")"));
  EXPECT_FALSE(said("", R"( contype="2" conaffinity="5")"));
  EXPECT_TRUE(said(plane, ""));
  EXPECT_FALSE(said(plane, R"( contype="2" conaffinity="0")"));
}

// MuJoCo 4.0 was asked about all pairs of these words.
TEST(MjcfToday, TheNearestWordOfAFieldCounts) {
  const auto written = [](const std::string& outer, const std::string& inner,
                          const std::string& element) {
    return WriteMjcfText(Quiet("<mujoco><compiler angle=\"radian\"/><default>" + outer +
                               "<default class=\"k\">" + inner + "</default></default><worldbody>" +
                               element + "</worldbody></mujoco>"));
  };
  const std::string turned = R"(quat="0 1 0 0")", euler = R"(euler="0 0 1")";
  const auto camera = [](const std::string& words) { return "<camera " + words + "/>"; };
  const std::string of_class = R"(<camera name="c" class="k"/>)";
  EXPECT_TRUE(Holds(written(camera(euler), camera(turned), of_class), turned));
  EXPECT_TRUE(
      Holds(written("", camera(euler), R"(<camera name="c" class="k" quat="0 1 0 0"/>)"), turned));
  EXPECT_FALSE(Holds(written(camera(turned), camera(euler), of_class), turned));
  // A chip decides the angle, wherever it stands.
  const std::string chip = R"(sensorsize="0.02 0.01")", fovy = R"(fovy="30")";
  for (const auto& [outer, inner] : {std::pair(chip, fovy), std::pair(fovy, chip)}) {
    const std::string text = written(camera(outer), camera(inner), of_class);
    EXPECT_TRUE(Holds(text, chip)) << text;
    EXPECT_FALSE(Holds(text, "fovy")) << text;
  }
  const std::string light =
      written(R"(<light directional="true"/>)", "", R"(<light name="l" type="point" class="k"/>)");
  EXPECT_TRUE(Holds(light, R"(type="point")")) << light;
  EXPECT_FALSE(Holds(light, "directional")) << light;
}

TEST(MjcfToday, ACrankLengthOfADefaultIsThatOfSlidersAndCranks) {
  const auto written = [](const std::string& drives) {
    return WriteMjcfText(Quiet(
        R"(<mujoco><default><motor cranklength="0.3"/></default><worldbody><site name="t"/><body name="a"><joint name="j"/>)" +
        std::string(kInertial) + R"(<site name="s"/></body></worldbody><actuator><motor )" +
        drives + "/></actuator></mujoco>"));
  };
  EXPECT_FALSE(Holds(written(R"(joint="j")"), "cranklength"));
  EXPECT_TRUE(Holds(written(R"(cranksite="s" slidersite="t")"), R"(cranklength="0.3")"));
}

TEST(MjcfToday, AFlatMeshIsAShell) {
  const std::string flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n",
                    solid = flat + "v 0 0 1\nf 1 2 5\nf 1 5 3\nf 2 3 5\n";
  const MemoryResolver files({{"flat.obj", flat}, {"solid.obj", solid}});
  Model model;
  model.format = "urdf";
  for (const char* uri : {"flat.obj", "solid.obj"}) {
    Mesh mesh;
    mesh.uri = uri;
    Visual visual;
    visual.shape = std::move(mesh);
    model.link(kWorld).visuals.push_back(std::move(visual));
  }
  WriteOptions options;
  options.files = &files;
  Diagnostics diagnostics;
  const std::string text = FindFormat("mjcf")->write(model, options, diagnostics).text;
  EXPECT_TRUE(Holds(text, R"(<mesh name="flat" file="flat.obj" inertia="shell"/>)")) << text;
  EXPECT_TRUE(Holds(text, R"(<mesh name="solid" file="solid.obj"/>)")) << text;
}

}  // namespace
}  // namespace kinemorph
