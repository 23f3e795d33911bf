// The door, as a page or a binding uses it: texts in, texts out, no disk.
#include "kinemorph/gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "conversion.h"
#include "kinemorph/export.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/options.h"
#include "kinemorph/simulate.h"
#include "kinemorph/views.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

Robot FourBar() {
  Loaded loaded = LoadFile(Fixtures() + "/mechanisms/four_bar/four_bar.urdf");
  EXPECT_TRUE(loaded.robot) << Rendered(loaded.diagnostics);
  return std::move(*loaded.robot);
}

TEST(Gateway, WhatCannotBeReadSaysSoWithFileAndLine) {
  const Loaded none = LoadFile("/nowhere/robot.urdf");
  EXPECT_FALSE(none.robot);
  EXPECT_EQ(none.diagnostics.items().at(0).code, "file-unreadable");
  const Loaded broken = LoadText("<robot name='r'>\n<link/>\n</robot>", "r.urdf");
  EXPECT_FALSE(broken.robot);
  EXPECT_THAT(MessagesJson(broken.diagnostics), HasSubstr("\"line\":2"));
}

TEST(Gateway, AConversionByNamesOfOptionsIsProved) {
  std::string why;
  auto request = FromJson<ConversionRequest>(
      R"({"to": "mjcf", "verify": true, "drop": ["effort-limit"]})", why);
  ASSERT_TRUE(request) << why;
  const ConversionResult result = ConvertRobot(FourBar(), *request);
  EXPECT_EQ(result.end, ConversionEnd::kDone);
  const Json json = Json::parse(ConversionJson(result));
  EXPECT_EQ(json["end"], 0);
  EXPECT_THAT(json["text"].get<std::string>(), HasSubstr("<equality>"));
  EXPECT_EQ(json["proof"]["verdict"], "except");
  EXPECT_GT(json["report"]["losses"].size(), 0u);
}

TEST(Gateway, AnOptionThatIsNoneIsNamedWithTheNearest) {
  std::string why;
  EXPECT_FALSE(FromJson<ConversionRequest>(R"({"verfy": true})", why));
  EXPECT_THAT(why, HasSubstr("did you mean 'verify'"));
  EXPECT_FALSE(FromJson<ConversionRequest>(R"({"base": "fixd"})", why));
  EXPECT_THAT(why, HasSubstr("did you mean 'fixed'"));
  EXPECT_FALSE(FromJson<ConversionRequest>(R"({"drop": ["dampin"]})", why));
  EXPECT_THAT(why, HasSubstr("did you mean 'damping'"));
  EXPECT_FALSE(FromJson<ConversionRequest>(R"({"massless": -1})", why));
  EXPECT_FALSE(FromJson<ConversionRequest>("[]", why));
  const auto strict = FromJson<ConversionRequest>(R"({"to": "mjcf", "strict": "interface"})", why);
  ASSERT_TRUE(strict);
  EXPECT_EQ(ConvertRobot(FourBar(), *strict).end, ConversionEnd::kWouldLose);
  const auto physx = FromJson<ConversionRequest>(R"({"to": "usda", "physx": true})", why);
  ASSERT_TRUE(physx);
  EXPECT_THAT(ConvertRobot(FourBar(), *physx).files.text, HasSubstr("PhysxArticulationAPI"));
  EXPECT_FALSE(FromJson<ConversionRequest>(R"({"loops": "detachble"})", why));
  EXPECT_THAT(why, HasSubstr("did you mean 'detachable'"));
  const auto loops = FromJson<ConversionRequest>(R"({"out": "robot.urdf", "loops": "none"})", why);
  ASSERT_TRUE(loops);
  EXPECT_EQ(ConvertRobot(FourBar(), *loops).target.format, "urdf");
  const auto drake = FromJson<ConversionRequest>(R"({"to": "urdf", "profile": "drake"})", why);
  ASSERT_TRUE(drake);
  EXPECT_THAT(ConvertRobot(FourBar(), *drake).files.text, HasSubstr("drake:ball_constraint"));
  EXPECT_FALSE(FromJson<ConversionRequest>(R"({"profile": "portible"})", why));
  EXPECT_THAT(why, HasSubstr("did you mean 'portable'"));
}

TEST(Gateway, WeldsForGzSimSayWhoSimulatesThem) {
  std::string why;
  const auto welds = FromJson<ConversionRequest>(R"({"to": "sdf", "loops": "detachable"})", why);
  ASSERT_TRUE(welds) << why;
  const ConversionResult result = ConvertRobot(FourBar(), *welds);
  ASSERT_EQ(result.end, ConversionEnd::kDone);
  EXPECT_THAT(
      Rendered(result.diagnostics, Severity::kNote),
      HasSubstr("loops as welds: Gazebo (gz sim) simulates them, Gazebo Classic does not "
                "[gazebo-loops]\n"
                "    --to sdf@1.7 writes a file that Gazebo Classic reads, without --loops "
                "detachable\n"
                "    if a loop opens in gz sim, write <dart><solver><solver_type>pgs</solver_type>"
                "</solver></dart> into the <physics> of the world"));
}

TEST(Gateway, TheThreeGraphsAsData) {
  const Model model = FourBar().model;
  const GraphView links = GraphOf(model, GraphKind::kConnectivity);
  EXPECT_EQ(links.nodes.size(), model.num_links());
  EXPECT_EQ(links.edges.size(), model.num_joints());
  EXPECT_EQ(std::count_if(links.edges.begin(), links.edges.end(),
                          [](const GraphEdge& edge) { return edge.loop; }),
            1);
  const GraphView aggregates = GraphOf(model, *GraphKindNamed("lacg"));
  EXPECT_EQ(aggregates.nodes.back().links.size(), 3u);
  EXPECT_EQ(aggregates.nodes.back().mobility, 1);
  const Json cdd = Json::parse(GraphJson(GraphOf(model, *GraphKindNamed("cdd"))));
  EXPECT_GT(cdd["edges"].size(), 3u);
  EXPECT_FALSE(GraphKindNamed("tree"));
  EXPECT_THAT(DrawGraph(model, GraphKind::kConnectivity), HasSubstr("digraph"));
}

TEST(Gateway, CoordinatesMoveWithTheLoopsClosed) {
  const Robot robot = FourBar();
  Articulation posture(robot.model);
  std::string why;
  const std::vector<double> before = posture.values();
  ASSERT_TRUE(posture.Set("joint1", 0.3, why)) << why;
  EXPECT_LT(posture.residual(), 1e-9);
  EXPECT_NEAR(posture.values().at(0), 0.3, 1e-12);
  EXPECT_NE(posture.values(), before);
  const std::vector<double> there = posture.values();
  EXPECT_FALSE(posture.Set("joint1", std::numeric_limits<double>::infinity(), why));
  EXPECT_FALSE(posture.Set("joint9", 0, why));
  EXPECT_EQ(posture.values(), there) << "what fails moves nothing";
  EXPECT_THAT(why, HasSubstr("did you mean 'joint1'"));
  ASSERT_TRUE(posture.Set({"joint1=10deg"}, why)) << why;
  EXPECT_NEAR(posture.values().at(0), 0.17453292519943295, 1e-12);
  const Json json = Json::parse(posture.Json());
  EXPECT_EQ(json["poses"].size(), robot.model.num_links());
  ASSERT_TRUE(posture.Hold("joint1", true, why));
  EXPECT_FALSE(posture.Set("joint2", posture.values().at(1) + 0.5, why)) << "one freedom, held";
  posture.Reset();
  EXPECT_EQ(posture.values(), before);
}

// How long a way takes is not for a number to decide.
TEST(Gateway, ValuesFarAwayAreNotGoneFor) {
  const Robot robot = FourBar();
  Articulation posture(robot.model);
  const std::vector<double> before = posture.values();
  std::string why;
  for (const double far : {1e308, -1e308, 1e9, 2e4}) {
    EXPECT_FALSE(posture.Set("joint1", far, why));
    EXPECT_THAT(why, HasSubstr("is too far away")) << why;
  }
  EXPECT_EQ(posture.values(), before);
  const Loaded tree = LoadText(
      "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
      "<parent link='a'/><child link='b'/></joint></robot>",
      "tree.urdf");
  Articulation arm(tree.robot->model);
  int asked = 0;
  arm.InterruptBy([&] { return ++asked, std::string(); });
  ASSERT_TRUE(arm.Set("j", 1e8, why)) << why;  // where no loop follows, in one step
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(arm.values().at(0), 1e8);
  EXPECT_FALSE(arm.Set("j", 1.1e8, why));
  EXPECT_FALSE(arm.Set("j", 1e308, why));
}

TEST(Gateway, AWayCanBeInterrupted) {
  const Robot robot = FourBar();
  Articulation posture(robot.model);
  const std::vector<double> before = posture.values();
  int asked = 0;
  posture.InterruptBy([&] { return std::string(++asked == 3 ? "enough" : ""); });
  std::string why;
  EXPECT_FALSE(posture.Set("joint1", 0.5, why));
  EXPECT_EQ(why, "enough");
  EXPECT_EQ(posture.values(), before);
}

TEST(Gateway, MotionsThatDoNotEndAreNotBegun) {
  const Robot robot = FourBar();
  for (const auto& [time, step] :
       {std::pair{1e308, 0.0}, {1e6, 0.0}, {1.0, 1e-9}, {1.0, 5e-324}, {-1.0, 0.0}}) {
    MotionRequest request;
    request.time = time, request.step = step;
    Diagnostics messages;
    EXPECT_FALSE(Motion::Prepare(robot, request, messages));
    EXPECT_THAT(Rendered(messages), HasSubstr("[simulate-endless]"));
  }
  MotionRequest rows;  // each of which is a step
  rows.rows = 1e-9;
  EXPECT_THAT(rows.WhyEndless(), HasSubstr("makes more than 10000000 steps"));
}

TEST(Gateway, MechanicsAreFunctionsOfTheFilesCoordinates) {
  const Loaded loaded = LoadText(
      "<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='j' axis='0 0 1' "
      "ref='0.5' damping='2'/><geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody>"
      "</mujoco>",
      "ref.xml");
  ASSERT_TRUE(loaded.robot) << Rendered(loaded.diagnostics);
  const Mechanics arm(loaded.robot->model);
  EXPECT_EQ(arm.Assembled()[0], 0.5);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 0.5), v = Eigen::VectorXd::Constant(1, 3);
  EXPECT_TRUE(arm.LinkPoses(q)[1].IsNearIdentity(1e-15));
  EXPECT_EQ(arm.Integrate(q, v, 0.1)[0], 0.8);
  Eigen::VectorXd qdd, tau;
  ASSERT_EQ(arm.Forward(q, v, Eigen::VectorXd::Zero(1), qdd), DynamicsStatus::kOk);
  EXPECT_NEAR(qdd[0] * arm.Mass(q)(0, 0), -6, 1e-12) << "damping is in it";
  ASSERT_EQ(arm.Inverse(q, v, qdd, tau), DynamicsStatus::kOk);
  EXPECT_NEAR(tau[0], 0, 1e-12);
}

TEST(Gateway, MechanicsOfLoopsAreInOrderOfTheirNames) {
  const auto mechanics = std::make_shared<const Mechanics>(FourBar().model);
  ASSERT_EQ(mechanics->independent(), std::vector<int>{0});
  EXPECT_EQ(mechanics->velocities()[0].name, "joint1");
  EXPECT_EQ(mechanics->rows().at(2), "loop1.vx");
  Articulation posture(mechanics), other(mechanics);
  std::string why;
  ASSERT_TRUE(posture.Set(std::vector{std::pair{std::size_t{0}, 0.3}}, why)) << why;
  const std::vector<double> there = posture.values();
  const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(there.data(), 3);
  EXPECT_LT(mechanics->Residual(q), 1e-10);
  other.StandAt(q);
  EXPECT_EQ(other.values(), there);
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(3);
  const Embedding embedding = mechanics->Explicit(q, v);
  EXPECT_LT((mechanics->Rows(q, v).K * embedding.G).norm(), 1e-12);
  EXPECT_NEAR(embedding.G(0, 0), 1, 1e-15);
  Eigen::VectorXd qdd, tau;
  ASSERT_EQ(mechanics->Forward(q, v, Eigen::Vector3d(2, 0, 0), qdd), DynamicsStatus::kOk);
  ASSERT_EQ(mechanics->Inverse(q, v, qdd, tau), DynamicsStatus::kOk);
  EXPECT_TRUE(tau.isApprox(Eigen::Vector3d(2, 0, 0), 1e-9)) << tau.transpose();
}

TEST(Gateway, PositionsOfAFreeJointGoWithTheirVelocities) {
  const Loaded loaded = LoadText(
      "<mujoco><worldbody><body name='a'><freejoint name='f'/><geom size='.1'/></body></worldbody>"
      "<equality><connect body1='a' anchor='0 0 0.3'/></equality></mujoco>",
      "free.xml");
  ASSERT_TRUE(loaded.robot) << Rendered(loaded.diagnostics);
  const Mechanics pinned(loaded.robot->model);
  ASSERT_EQ(pinned.independent(), (std::vector<int>{0, 1, 2})) << "it turns about its pin";
  std::vector<bool> free;
  for (const CoordinateInfo& each : pinned.coordinates()) free.push_back(each.independent);
  EXPECT_EQ(free, (std::vector<bool>{true, true, true, true, false, false, false}));
}

TEST(Gateway, AXacroFileIsExpandedAndItsPlacesAreTold) {
  FileOptions options;
  options.text =
      "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<xacro:arg name='n' "
      "default='a'/>\n<link name='$(arg n)'/>\n</robot>";
  options.xacro_args = {{"n", "b"}};
  const Loaded loaded = LoadFile("/nowhere/r.urdf.xacro", options);
  ASSERT_TRUE(loaded.robot) << Rendered(loaded.diagnostics);
  EXPECT_TRUE(loaded.robot->model.FindLink("b"));
  std::string why;
  const auto request = FromJson<ConversionRequest>(R"({"to": "mbs"})", why);
  ASSERT_TRUE(request) << why;
  const ConversionResult result = ConvertRobot(*loaded.robot, *request);
  for (const Diagnostic& item : result.diagnostics.items()) {
    EXPECT_TRUE(item.line == 0 || item.file == "/nowhere/r.urdf.xacro") << Render(item);
  }
  options.text = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n\n<link/></robot>";
  options.xacro_args = {};
  const Loaded broken = LoadFile("/nowhere/r.urdf.xacro", options);
  ASSERT_FALSE(broken.robot);
  EXPECT_EQ(broken.diagnostics.items()[0].file, "/nowhere/r.urdf.xacro");
  EXPECT_EQ(broken.diagnostics.items()[0].line, 3u);
  options.xacro = false;
  EXPECT_FALSE(LoadFile("/nowhere/r.urdf.xacro", options).robot);
}

TEST(Gateway, ASceneHoldsShapesAndJoints) {
  const Json scene = Json::parse(SceneJson(FourBar().model));
  EXPECT_EQ(scene["links"].size(), 5u);
  bool loop = false;
  for (const Json& joint : scene["joints"]) {
    EXPECT_EQ(joint["pose_on_predecessor"].size(), 16u);
    loop = loop || joint["loop"].get<bool>();
  }
  EXPECT_TRUE(loop);
}

TEST(Gateway, AMotionAndItsTable) {
  const Robot robot = FourBar();
  MotionRequest request;
  request.time = 0.05, request.set = {"joint1=20deg"};
  Diagnostics messages;
  const std::unique_ptr<Motion> motion = Motion::Prepare(robot, request, messages);
  ASSERT_TRUE(motion) << Rendered(messages);
  MotionTable table = motion->Table();
  const SimulationResult result = motion->Run(
      [&](const MotionSample& sample) { EXPECT_TRUE(table.Add(sample)); }, {}, messages);
  EXPECT_EQ(result.end, SimulationEnd::kDone);
  EXPECT_THAT(table.Take(), testing::StartsWith("t,q.joint1"));
  EXPECT_LT(result.energy_drift, 1e-6);
  EXPECT_EQ(Json::parse(motion->Summary(result))["time"], 0.05);
  request.set = {"joint1=x"};
  EXPECT_FALSE(Motion::Prepare(robot, request, messages));
  EXPECT_TRUE(messages.has_errors());
  EXPECT_EQ(Motion::Simulate(robot, request, messages).steps, 0);
}

TEST(Gateway, ControllersFromMemory) {
  const Robot robot = FourBar();
  const MemoryResolver tables(
      std::map<std::string, std::string>{{"push.csv", "t,tau.joint1\n0,1\n1,1\n"}});
  MotionRequest request;
  request.time = 0.02;
  request.controller =
      R"({"controllers": [{"type": "table", "joint": "joint1", "file": "push.csv"}]})";
  request.controller_name = "c.json", request.controller_files = &tables;
  Diagnostics messages;
  std::vector<std::string> read;
  ASSERT_TRUE(Motion::Prepare(robot, request, messages, &read)) << Rendered(messages);
  EXPECT_EQ(read, std::vector<std::string>{"push.csv"});
  for (const char* wrong :
       {"[", "{}", R"({"controllers": [1]})", R"({"controllers": [{"type": "pd"}]})",
        R"({"controllers": [{"type": "pd", "joint": "joint1", "target": []}]})",
        R"({"controllers": [{"type": "pd", "joint": "joint1", "target": {"flight": 1}}]})",
        R"({"controllers": [{"type": "table", "joint": "joint1", "file": "none.csv"}]})"}) {
    request.controller = wrong;
    EXPECT_FALSE(Motion::Prepare(robot, request, messages)) << wrong;
  }
}

// Controls in -0.25 .. 1.25 (half of the joint's range), joint forces in -4 .. 3; MuJoCo's own
// numbers are in tests/oracle/mujoco_forces_test.cc.
TEST(Gateway, ActuatorsOfTheModelAsControllers) {
  const Loaded loaded = LoadText(
      R"(<mujoco><compiler angle="radian"/><worldbody><body><inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/>
<joint name="j" axis="0 0 1" armature="0.1" range="-1 2" ref="0.3" actuatorfrcrange="-4 3"/>
<body><inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/><joint name="k" axis="1 0 0"/></body></body></worldbody>
<actuator><position name="servo" joint="j" kp="10" dampratio="0.7" gear="2" inheritrange="0.5"/>
<motor name="push" joint="j"/><motor name="other" joint="k" gear="3" forcerange="-2 2"/>
<position name="slow" joint="j" timeconst="0.1"/><muscle name="muscle" joint="j"/></actuator></mujoco>)",
      "m.xml");
  ASSERT_TRUE(loaded.robot) << Rendered(loaded.diagnostics);
  const auto effort = [&](const std::string& laws, double q, double v) {
    MotionRequest request;
    request.controller = R"({"controllers": [)" + laws + "]}";
    Diagnostics messages;
    const auto motion = Motion::Prepare(*loaded.robot, request, messages);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(2);
    if (motion == nullptr) return ADD_FAILURE() << Rendered(messages), tau;
    motion->system().options().controller(0, Eigen::Vector2d(q, 0), Eigen::Vector2d(v, 0), {}, tau);
    return tau;
  };
  const auto law = [](const std::string& name, double control) {
    return R"({"type": "actuator", "actuator": ")" + name + R"(", "control": )" +
           FormatNumber(control) + "}";
  };
  const double inertia = 1 + 0.1, damping = 2 * 0.7 * std::sqrt(10 * inertia / 4);
  EXPECT_NEAR(effort(law("servo", 0.7), 0, 0.05)[0], 2 * (10 * (0.7 - 0.6) - damping * 0.1), 1e-12);
  EXPECT_NEAR(effort(law("servo", 9), 0.3, 0)[0], 2 * 10 * (1.25 - 1.2), 1e-12);
  EXPECT_NEAR(effort(law("servo", 1), 0, 0)[0], 3, 0);
  EXPECT_NEAR(effort(law("push", 5) + "," + law("servo", -0.25), 0, 0)[0], -4, 0);
  EXPECT_NEAR(effort(law("push", 2.5) + "," + law("push", 2.5), 0, 0)[0], 3, 0);
  EXPECT_NEAR(effort(law("other", 9) + "," + law("push", 1), 0, 0)[1], 6, 0);
  for (const auto& [laws, why] : std::vector<std::pair<std::string, std::string>>{
           {law("sevo", 1), "did you mean 'servo'?"},
           {law("slow", 1), "actuator 'slow' has a state of its own"},
           {law("muscle", 1), "actuator 'muscle' is of the type muscle"},
           {R"({"type": "actuator", "actuator": "push"})", "needs \"control\""},
           {R"({"type": "actuator", "actuator": "push", "control": "much"})",
            "must be a number"}}) {
    MotionRequest request;
    request.controller = R"({"controllers": [)" + laws + "]}";
    Diagnostics messages;
    EXPECT_FALSE(Motion::Prepare(*loaded.robot, request, messages)) << laws;
    EXPECT_THAT(Rendered(messages), testing::HasSubstr(why));
  }
}

TEST(Gateway, SaysWhichForcesOfMujocoAreLeftOut) {
  const Loaded loaded = LoadText(
      R"(<mujoco><option density="1.2" viscosity="0"/><worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<joint name="j" axis="1 0 0" stiffness="1 2"/></body></worldbody>
<tendon><fixed name="t" stiffness="3"><joint joint="j" coef="1"/></fixed></tendon></mujoco>)",
      "m.xml");
  ASSERT_TRUE(loaded.robot) << Rendered(loaded.diagnostics);
  Diagnostics messages;
  ASSERT_TRUE(Motion::Prepare(*loaded.robot, {}, messages));
  const std::string said = Rendered(messages, Severity::kWarning);
  EXPECT_THAT(said, testing::HasSubstr("the dynamics here do not obey density, stiffness"));
  EXPECT_THAT(said, testing::HasSubstr("joint 'j': the dynamics here do not obey stiffness"));
}

TEST(Gateway, EquationsAsSource) {
  Diagnostics messages;
  const auto code = ExportEquations(FourBar(), {}, messages);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->files.size(), 3u);
  EXPECT_FALSE(ExportEquations(FourBar(), {ExportLanguage::kC, {"joint9=1"}}, messages));
}

TEST(Gateway, IncludesOfModelsInMemory) {
  const auto files = std::make_shared<MemoryResolver>(std::map<std::string, std::string>{
      {"models/bar/model.config",
       "<model><name>bar</name><sdf version='1.9'>model.sdf</sdf></model>"},
      {"models/bar/model.sdf",
       "<sdf version='1.9'><model name='bar'><link name='l'><inertial><mass>2</mass></inertial>"
       "</link></model></sdf>"},
      {"ws/src/arm/package.xml", "<package><name>arm_description</name></package>"},
      {"ws/src/arm/meshes/a.stl", "solid a\nendsolid a\n"}});
  const Loaded world = LoadText(
      "<sdf version='1.9'><model name='m'><include><uri>model://bar</uri></include></model></sdf>",
      "m.sdf", files);
  ASSERT_TRUE(world.robot) << Rendered(world.diagnostics);
  EXPECT_TRUE(world.robot->model.FindLink("bar::l"));
  std::string why;
  EXPECT_EQ(files->Locate("package://arm_description/meshes/a.stl", "r.urdf", why),
            "ws/src/arm/meshes/a.stl");
  EXPECT_FALSE(files->Locate("package://other/meshes/a.stl", "r.urdf", why));
}

TEST(Gateway, WhatItKnows) {
  EXPECT_THAT(FormatsJson(), HasSubstr("\"mjcf\""));
  EXPECT_THAT(CodesJson(), HasSubstr("joint-child-undefined"));
}

}  // namespace
}  // namespace kinemorph::test
