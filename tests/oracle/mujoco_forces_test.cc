// What springs, dampers and actuators of an MJCF file do, by MuJoCo and by the dynamics here.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <algorithm>
#include <array>

#include "command.h"
#include "conversion.h"
#include "kinemorph/gateway.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "kinemorph/simulate.h"
#include "mujoco_judge.h"
#include "mujoco_text.h"
#include "states.h"

namespace kinemorph {
namespace {

// A floating base, a ball and four scalar joints, one of them with another zero than the file.
constexpr const char* kRobot =
    R"(<mujoco model="forces"><compiler angle="radian" autolimits="true"/>
<option gravity="0 0 0"/><worldbody>
<body name="base" pos="0.3 -0.2 1" euler="0.3 0.5 -0.4"><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>
  <joint name="float" type="free" stiffness="7" damping="0.3"/>
  <body name="head" pos="0 0 0.5"><inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.02 0.02"/>
    <joint name="neck" type="ball" pos="0.02 0 0" stiffness="4" damping="0.2"/></body>
  <body name="upper" pos="0.4 0 0"><inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.02"/>
    <joint name="hip" axis="0 1 0" ref="0.4" springref="0.1" stiffness="5" damping="0.5" range="-1 2"/>
    <body name="lower" pos="0.4 0 0"><inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>
      <joint name="knee" axis="0 1 0.2"/></body></body>
  <body name="cart" pos="0 0.3 0"><inertial pos="0 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>
    <joint name="rail" type="slide" axis="1 1 0" stiffness="3" springref="0.2"/>
    <body name="wheel" pos="0 0.1 0"><inertial pos="0 0 0" mass="0.2" diaginertia="0.01 0.01 0.01"/>
      <joint name="axle" axis="0 1 0"/></body></body>
</body></worldbody>
<actuator>
  <position name="servo" joint="hip" kp="30" gear="-2.5" ctrlrange="-0.5 0.8"/>
  <general name="more" joint="hip" gainprm="3" biastype="affine" biasprm="0.2 -4 -0.6"/>
  <velocity name="speed" joint="rail" kv="6" forcerange="-2 2"/>
  <motor name="push" joint="knee" gear="3" ctrlrange="-1 1" ctrllimited="false"/>
  <damper name="brake" joint="axle" kv="2" ctrlrange="0 1"/>
  <general name="scaled" joint="knee" gaintype="affine" gainprm="1 2 0.5"/>
  <motor name="empty" joint="rail" ctrlrange="0 0"/>
</actuator></mujoco>)";
constexpr std::array<const char*, 7> kNames = {"servo", "more",   "speed", "push",
                                               "brake", "scaled", "empty"};

struct Forces {
  Eigen::VectorXd passive, driven;
};

// In our coordinates: a free joint turns and moves in its own axes.
Eigen::VectorXd InOurAxes(const Eigen::VectorXd& theirs, const Matrix3& R) {
  Eigen::VectorXd ours = theirs;
  ours.head<6>() << theirs.segment<3>(3), R.transpose() * theirs.head<3>();
  return ours;
}

Forces OfMujoco(const test::MujocoModel& mujoco, const Mechanism& m, const Eigen::VectorXd& q,
                const Eigen::VectorXd& v, const std::vector<double>& controls) {
  const RigidTransform X_WB = Poses(m, q)[1];
  Eigen::VectorXd qpos = q, qvel = v;
  qpos << X_WB.p, QuaternionFromRotation(X_WB.R), q.tail(m.nq - 7);
  qpos[11] += 0.4;  // ref of the hip
  qvel.head<6>() << X_WB.R * v.segment<3>(3), v.head<3>();
  mujoco.SetState(qpos, qvel);
  std::copy(controls.begin(), controls.end(), mujoco.data()->ctrl);
  mj_forward(mujoco.model(), mujoco.data());
  const auto taken = [&](const double* force) {
    return InOurAxes(Eigen::Map<const Eigen::VectorXd>(force, m.nv), X_WB.R);
  };
  return {taken(mujoco.data()->qfrc_passive), taken(mujoco.data()->qfrc_actuator)};
}

std::string ControllersOf(const std::vector<double>& controls) {
  std::string text = R"({"controllers": [)";
  for (std::size_t i = 0; i < controls.size(); ++i)
    text += std::string(i > 0 ? "," : "") + R"({"type": "actuator", "actuator": ")" + kNames[i] +
            R"(", "control": )" + FormatNumber(controls[i]) + "}";
  return text + "]}";
}

TEST(MujocoForces, OfSpringsDampersAndActuators) {
  const Loaded loaded = LoadText(kRobot, "forces.xml", nullptr);
  ASSERT_TRUE(loaded.robot);
  const test::MujocoModel mujoco(kRobot);
  ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
  const Mechanism m = Compile(loaded.robot->model);
  ASSERT_EQ(mujoco.model()->nv, m.nv);
  Random random(11);
  for (int i = 0; i < 50; ++i) {
    Eigen::VectorXd v(m.nv), apart(m.nv);
    for (double& x : v) x = random.Uniform(-2, 2);
    for (double& x : apart) x = random.Uniform(-4, 4);
    const Eigen::VectorXd q = m.Integrate(m.ZeroPosition(), apart, 1);
    std::vector<double> controls;
    for (std::size_t k = 0; k < kNames.size(); ++k) controls.push_back(random.Uniform(-1.5, 1.5));
    const Forces theirs = OfMujoco(mujoco, m, q, v, controls);
    EXPECT_LT(test::RelativeDifference(PassiveForces(m, q, v), theirs.passive), 1e-9);
    MotionRequest request;
    request.controller = ControllersOf(controls);
    Diagnostics messages;
    const auto motion = Motion::Prepare(*loaded.robot, request, messages);
    ASSERT_TRUE(motion) << test::Rendered(messages);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
    motion->system().options().controller(0, q, v, {}, tau);
    EXPECT_LT(test::RelativeDifference(tau, theirs.driven), 1e-9);
  }
}

// Words that only the newest MuJoCo has, and what its compiler makes of them.
TEST(MujocoForces, OfDampingRatiosAndInheritedRanges) {
  constexpr const char* kServos = R"(<mujoco><compiler angle="radian"/><worldbody><body>
<inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/><joint name="j" axis="0 0 1" armature="0.1" range="-1 2" ref="0.3"/>
<body pos="0.3 0 0"><inertial pos="0.1 0 0" mass="1" diaginertia="0.2 0.3 0.4"/><joint name="k" axis="1 0 1" range="-2 1"/></body></body></worldbody>
<actuator><position name="ratio" joint="j" kp="10" dampratio="0.7" gear="2" inheritrange="0.5"/>
<position name="plain" joint="k" kp="10" kv="3" inheritrange="1"/>
<general name="general" joint="k" gainprm="7" biastype="affine" biasprm="0 -7 0.4" ctrlrange="-1 1"/></actuator></mujoco>)";
  test::TemporaryFolder folder;
  test::WriteFile(folder / "servos.xml", kServos);
  std::string why;
  const auto compiled = CompileWithNode(folder.path(), {"servos.xml"}, why);
  if (!compiled) GTEST_SKIP() << why;
  const CompiledMujoco& theirs = compiled->at("servos.xml");
  ASSERT_EQ(theirs.actuators.size(), 3u) << theirs.error;
  const Loaded loaded = LoadText(kServos, "servos.xml");
  ASSERT_TRUE(loaded.robot);
  const std::array<double, 2> offset = {0.3, 0};
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const CompiledActuator& one = theirs.actuators[static_cast<std::size_t>(i) % 3];
    const Eigen::Index joint = i % 3 == 0 ? 0 : 1;
    const Eigen::Vector2d q(random.Uniform(-1, 1), random.Uniform(-1, 1)),
        v(random.Uniform(-1, 1), random.Uniform(-1, 1));
    const double control = random.Uniform(-3, 3);
    MotionRequest request;
    request.controller = R"({"controllers": [{"type": "actuator", "actuator": ")" + one.name +
                         R"(", "control": )" + FormatNumber(control) + "}]}";
    Diagnostics messages;
    const auto motion = Motion::Prepare(*loaded.robot, request, messages);
    ASSERT_TRUE(motion) << test::Rendered(messages);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(2);
    motion->system().options().controller(0, q, v, {}, tau);
    const double length = one.gear * (q[joint] + offset[static_cast<std::size_t>(joint)]);
    EXPECT_NEAR(tau[joint],
                one.gear * (one.gain * std::clamp(control, one.lower, one.upper) +
                            one.bias.dot(Vector3(1, length, one.gear * v[joint]))),
                1e-9)
        << one.name;
  }
}

// Servos that went through another format and back give the same efforts for the same command of
// their joint.
TEST(MujocoForces, OfServosThatCrossedAFormat) {
  constexpr const char* kArm = R"(<mujoco><compiler angle="radian"/><worldbody><body>
<inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/><joint name="j" axis="0 0 1" armature="0.1"/>
<body pos="0.3 0 0"><inertial pos="0.1 0 0" mass="1" diaginertia="0.2 0.3 0.4"/><joint name="k" axis="1 0 1"/>
<body pos="0 0 0.2"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="l" type="slide" axis="0 0 1"/></body></body></body></worldbody>
<actuator><position name="j" joint="j" kp="10" dampratio="0.7" gear="2"/>
<general name="k" joint="k" gear="-1" gainprm="7" biastype="affine" biasprm="0 -7 -0.4"/>
<velocity name="l" joint="l" kv="3" gear="1.5"/></actuator></mujoco>)";
  test::TemporaryFolder folder;
  test::WriteFile(folder / "arm.xml", kArm);
  std::vector<std::string> files = {"arm.xml"};
  for (const std::string target : {"usda", "sdf", "urdf"}) {
    Diagnostics unsaid;
    const auto convert = [&](const std::string& text, const std::string& file,
                             const std::string& to) {
      const std::optional<Model> model = test::ReadText(text, file, unsaid);
      ConvertOptions options;
      options.target = test::TargetNamed(to);
      const std::optional<Converted> made = model ? Convert(*model, options, unsaid) : std::nullopt;
      return made ? made->text : "";
    };
    const std::string there = convert(kArm, "arm.xml", target);
    files.push_back(target + ".xml");
    test::WriteFile(folder / files.back(), convert(there, "arm." + target, "mjcf"));
  }
  std::string why;
  const auto compiled = CompileWithNode(folder.path(), files, why);
  if (!compiled) GTEST_SKIP() << why;
  const auto effort = [](const CompiledActuator& one, double target, double q, double v) {
    return one.gear *
           (one.gain * one.gear * target + one.bias.dot(Vector3(1, one.gear * q, one.gear * v)));
  };
  const CompiledMujoco& source = compiled->at("arm.xml");
  ASSERT_EQ(source.actuators.size(), 3u) << source.error;
  Random random(5);
  for (std::size_t f = 1; f < files.size(); ++f) {
    const CompiledMujoco& crossed = compiled->at(files[f]);
    ASSERT_EQ(crossed.actuators.size(), 3u) << files[f] << crossed.error;
    for (std::size_t a = 0; a < 3; ++a)
      for (int i = 0; i < 10; ++i) {
        const double target = random.Uniform(-2, 2), q = random.Uniform(-2, 2),
                     v = random.Uniform(-2, 2);
        EXPECT_NEAR(effort(source.actuators[a], target, q, v),
                    effort(crossed.actuators[a], target, q, v), 1e-6)
            << files[f] << " " << a;
      }
  }
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoForces, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif
