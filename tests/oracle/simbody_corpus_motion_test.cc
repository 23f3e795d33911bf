// Mechanisms with loops, ours and of others, swing for a second by kinemorph and by Simbody's own
// integrator: rigid bodies and gravity, the base fixed. What the two cost is printed.
#include <gtest/gtest.h>

#ifdef KINEMORPH_JUDGE_SIMBODY
#include <cstdio>
#include <ctime>
#include <set>

#include "conversion.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "kinemorph/graph/motion/simulation.h"
#include "load_model.h"
#ifdef KINEMORPH_LIBMUJOCO
#include "mujoco_text.h"
#endif
#include "simbody_model.h"
#include "states.h"

namespace kinemorph {
namespace {

constexpr double kTime = 1, kRow = 0.1;  // s
constexpr double kAccuracy = 1e-9, kItself = 2e-7;

// Without what only one of the two has: what moves is rigid bodies under gravity.
Mechanism Rigid(Model& model) {
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (std::holds_alternative<Free>(joint.kind) && joint.role != JointRole::kLoop) {
      joint.kind = Fixed{};
      joint.axes.clear();
    }
  }
  Mechanism m = Compile(model);
  for (Body& body : m.bodies) body.weightless = false;
  for (std::vector<double>* part : {&m.armature, &m.damping, &m.friction, &m.spring_stiffness})
    std::fill(part->begin(), part->end(), 0);
  return m;
}

struct Compared {
  std::string verdict;       // "" where both got to the end
  double accelerations = 0;  // at the start, relative
  double apart = 0;          // rad, m: the worst coordinate up to `until`
  double until = 0;          // s: as long as each agrees with itself at a tighter accuracy
  double ours = 0, theirs = 0, mujoco = 0;  // processor time by simulated time; 0: did not run
};

double ProcessorTime() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// MuJoCo with soft loops by the classical Runge-Kutta rule at 1 ms: what it costs.
double MujocoSeconds([[maybe_unused]] const Mechanism& m, [[maybe_unused]] const Model& model) {
#ifdef KINEMORPH_LIBMUJOCO
  const test::MujocoModel mujoco(m, model);
  if (mujoco.model() == nullptr) return 0;
  mujoco.model()->opt.timestep = 1e-3;
  mujoco.model()->opt.integrator = mjINT_RK4;
  const double start = ProcessorTime();
  for (int i = 0; i < 1000 * kTime; ++i) mj_step(mujoco.model(), mujoco.data());
  return (ProcessorTime() - start) / kTime;
#else
  return 0;
#endif
}

// Coordinates by row and body; nothing, with the reason in `why`, where it does not get to the end.
using Rows = std::vector<std::vector<double>>;
Rows Ours(const Mechanism& m, const Eigen::VectorXd& q, double accuracy, double& seconds,
          std::string& why) {
  MotionSystem system(m, {});
  SimulationOptions options;
  options.time = kTime, options.rows = kRow, options.rtol = accuracy;
  const double start = ProcessorTime();
  options.interrupted = [&] { return ProcessorTime() > start + 20 ? "20 s" : ""; };
  Rows rows;
  why = "no start";
  if (!system.Divide(q, {})) return {};
  const SimulationResult result =
      Simulate(system, q, Eigen::VectorXd::Zero(m.nv), options, [&](const MotionSample& sample) {
        std::vector<double>& row = rows.emplace_back(m.bodies.size() - 1, 0);
        for (std::size_t b = 1; b < m.bodies.size(); ++b)
          if (m.bodies[b].nv == 1) row[b - 1] = sample.q[m.bodies[b].q];
      });
  seconds = (ProcessorTime() - start) / kTime;
  why = result.why;
  return result.end == SimulationEnd::kDone ? rows : Rows();
}
Rows Theirs(const Mechanism& m, const Eigen::VectorXd& q, std::size_t rows, double accuracy,
            double& seconds, std::string& why) {
  test::SimbodyModel simbody(m, true);
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(m.nv);
  simbody.SetState(q, still, still);
  std::vector<double> times;
  for (std::size_t i = 0; i < rows; ++i) times.push_back(static_cast<double>(i) * kRow);
  test::PlainMotion motion = simbody.Integrate(times, accuracy);
  seconds = motion.seconds / times.back(), why = motion.why;
  return why.empty() ? motion.q : Rows();
}
double Apart(const std::vector<double>& a, const std::vector<double>& b) {
  double apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) apart = std::max(apart, std::abs(a[i] - b[i]));
  return apart;
}

Compared Compare(const Mechanism& m) {
  Compared out;
  const Coordinates coordinates = AnalyseCoordinates(m);
  if (!coordinates.assembles || coordinates.mobility == 0) return {"does not move"};
  ClosureSolver solver(m);
  Random random(3);
  const test::State state = test::RandomClosedState(m, coordinates, solver, random, 0.2);
  const Eigen::VectorXd& q = state.q;
  try {
    test::SimbodyModel simbody(m, true);
    simbody.SetState(q, state.v, state.tau);
    simbody.Realize();
    Eigen::VectorXd qdd;
    ConstraintEmbeddingDynamics dynamics(m, coordinates);
    if (dynamics.ForwardDynamics(q, state.v, state.tau, qdd) == DynamicsStatus::kOk)
      out.accelerations = test::RelativeDifference(qdd, simbody.Accelerations());
    std::string why;
    double ignored = 0;
    const Rows ours = Ours(m, q, kAccuracy, out.ours, why), tight = Ours(m, q, 1e-11, ignored, why);
    if (ours.empty() || tight.empty()) return {"ours: " + why};
    std::size_t sure = 0;  // rows
    while (sure < ours.size() && Apart(ours[sure], tight[sure]) < kItself) ++sure;
    const Rows theirs = Theirs(m, q, sure, kAccuracy, out.theirs, why),
               their_tight = Theirs(m, q, sure, 1e-11, ignored, why);
    if (theirs.empty() || their_tight.empty()) {
      out.verdict = "Simbody: " + why.substr(0, 50);
      return out;
    }
    for (std::size_t i = 0; i < sure && Apart(theirs[i], their_tight[i]) < kItself; ++i) {
      out.apart = std::max(out.apart, Apart(tight[i], their_tight[i]));
      out.until = static_cast<double>(i) * kRow;
    }
  } catch (const std::exception& error) {
    out.verdict = std::string("Simbody: ") + std::string(error.what()).substr(0, 50);
  }
  return out;
}

// Of the corpus: those that both can hold and move, one of each kind.
const char* const kRobots[] = {
    "corpus/mjcf/ROBOTIS-GIT__robotis_mujoco_menagerie/robotis_omx/omx.xml",
    "corpus/mjcf/ROBOTIS-GIT__robotis_mujoco_menagerie/robotis_omy/omy.xml",
    "corpus/mjcf/assadollahi__kayra/mujoco/fourBars.xml",
    "corpus/mjcf/assadollahi__kayra/mujoco/kayraCircle.xml",
    "corpus/mjcf/deepmind__dm_control/dm_control/suite/quadruped.xml",
    "corpus/mjcf/enactic__openarm_mujoco/v1/openarm_bimanual.xml",
    "corpus/mjcf/enactic__openarm_mujoco/v2/openarm_bimanual.xml",
    "corpus/mjcf/google-deepmind__mujoco/test/engine/testdata/core_constraint/jdotv_connect_2d.xml",
    "corpus/mjcf/google-deepmind__mujoco/test/engine/testdata/island/island_efc.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/agilex_piper/piper.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/aloha/aloha.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/arx_l5/arx_l5.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/franka_emika_panda/panda.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/hello_robot_stretch/stretch.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/i2rt_yam/yam.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/robotiq_2f85/2f85.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/trossen_vx300s/vx300s.xml",
    "corpus/mjcf/johnnynunez__mujoco_menagerie/trossen_wxai/wxai_follower.xml",
    "corpus/sdf/gazebosim__gz-sim/examples/worlds/mimic_fast_slow_pendulums_world.sdf",
    "corpus/sdf/osrf__gazebo_models/polaris_ranger_xp900/model-1_4.sdf",
    "corpus/urdf/Daniella1__urdf_files_dataset/urdf_files/matlab/open_manipulator_description/urdf/"
    "robotisOpenManipulator.urdf",
    "corpus/urdf/Daniella1__urdf_files_dataset/urdf_files/matlab/yumi_description/urdf/"
    "abbYuMi.urdf",
    "corpus/urdf/Daniella1__urdf_files_dataset/urdf_files/random/xacro_generated/"
    "osaka_university_onrobot/onrobot_rg2_visualization/urdf/onrobot_rg2_model.urdf",
    "corpus/urdf/Daniella1__urdf_files_dataset/urdf_files/random/xacro_generated/"
    "osaka_university_onrobot/onrobot_rg6_visualization/urdf/onrobot_rg6_model.urdf",
    "corpus/urdf/Daniella1__urdf_files_dataset/urdf_files/ros-industrial/xacro_generated/robotiq/"
    "robotiq_2f_140_gripper_visualization/urdf/robotiq_arg2f_140_model.urdf",
    "corpus/urdf/ROAM-Lab-ND__generalized_rbda/Benchmarking/urdfs/variable_four_bar_urdf/"
    "four_bar_branch_2_3.urdf",
    "corpus/urdf/dfki-ric-underactuated-lab__hybrid_numerical_analytical_approach_case_study/model/"
    "submechanisms_urdf/Head.urdf",
    "corpus/urdf/gazebosim__sdformat/test/sdf/joint_mimic_rack_pinion.urdf",
    "corpus/urdf/isaac-sim__IsaacSim/source/deprecated/isaacsim.robot_motion.motion_generation/"
    "motion_policy_configs/Kawasaki/rs013n/rs013n_onrobot_rg2.urdf",
    "corpus/urdf/isaac-sim__IsaacSim/source/standalone_examples/deprecated/api/"
    "isaacsim.robot.manipulators/cobotta_900/rmpflow/cobotta_pro_900.urdf",
    "corpus/urdf/stack-of-tasks__pinocchio/models/baxter_simple.urdf",
    "corpus/urdf/unitreerobotics__unitree_ros/robots/g1_description/inspire_hand/"
    "FTP_right_hand.urdf"};

// Simbody's constraints of these repeat each other on the way, and it says that it cannot go on; its
// own error, not a difference.
const std::set<std::string> kSimbodyStops = {"gripper", "lims2_wrist_reference",
                                             "stewart_platform_reference"};

// Its axes are turned by 1.57, not by a quarter: of the three rows of its loop kinemorph takes two,
// Simbody all.
const std::string kOfFewDigits = "kayraCircle";

TEST(SimbodyMotion, MechanismsSwingTheSameWay) {
  std::vector<std::string> files = test::FilesBelow(test::Fixtures() + "/mechanisms", {".urdf"});
  const std::size_t fixtures = files.size();
  for (const char* robot : kRobots)
    if (const std::string path = test::Shared() + "/" + robot; std::filesystem::exists(path))
      files.push_back(path);
  if (files.size() == fixtures) std::puts("no corpus beside the project: fixtures alone");
  std::size_t compared = 0, whole = 0;
  for (const std::string& file : files) {
    std::string why;
    std::optional<Model> model = test::LoadModel(file, why);
    ASSERT_TRUE(model) << file << why;
    const Mechanism m = Rigid(*model);
    if (m.rows == 0 || !test::SimbodyModel::Holds(m)) continue;
    const std::string name = std::filesystem::path(file).stem();
    Compared at = Compare(m);
    if (at.ours > 0) at.mujoco = MujocoSeconds(m, *model);
    std::printf(
        "%-28s nv %3d rows %3d: %.1e apart until %.1f s; s/s %.4f, Simbody %.4f, MuJoCo %.4f %s\n",
        name.c_str(), m.nv, m.rows, at.apart, at.until, at.ours, at.theirs, at.mujoco,
        at.verdict.c_str());
    if (kSimbodyStops.contains(name)) continue;
    if (name == kOfFewDigits) {
      EXPECT_GT(at.accelerations, 1e-3);
      continue;
    }
    ++compared, whole += at.until > kTime - 0.5 * kRow;
    EXPECT_EQ(at.verdict, "") << name;
    EXPECT_LT(at.accelerations, 1e-8) << name;
    EXPECT_LT(at.apart, 1e-6) << name;
    EXPECT_GE(at.until, 0.2) << name;
  }
  std::printf("%zu compared, %zu of them for %.0f s\n", compared, whole, kTime);
  EXPECT_GE(compared, fixtures < files.size() ? 44u : 12u);
  EXPECT_GE(whole, fixtures < files.size() ? 28u : 10u);
}

}  // namespace
}  // namespace kinemorph
#endif
