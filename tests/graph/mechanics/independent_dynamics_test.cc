// Dynamics from the independent coordinates: against the dense ways at the closed state, both ways
// round, power, statuses.
#include "lab/independent_dynamics.h"

#include <gtest/gtest.h>

#include <set>

#include "lab/dense_dynamics.h"
#include "random_mechanism.h"
#include "series_parallel.h"
#include "states.h"

namespace kinemorph {
namespace {

Eigen::VectorXd RandomNumbers(int n, double size, Random& random) {
  Eigen::VectorXd x(n);
  for (double& value : x) value = random.Uniform(-size, size);
  return x;
}

using test::Robot;

// tau_y against the dense projection, and back to ydd; `reach` is how far y goes from assembled.
void ExpectRight(const Robot& robot, double reach, int count) {
  const Mechanism& m = robot.m;
  const Coordinates& c = robot.c;
  ASSERT_TRUE(c.independent_ok);
  IndependentDynamics dynamics(m, c), numerical(m, c, {.closed_forms = false});
  ClosureSolver solver(m);
  Random random(5);
  int moved = 0;
  Eigen::VectorXd y, tau_y, tau_n, ydd;
  for (int i = 0; i < count; ++i) {
    dynamics.PositionOf(c.assembled, y);
    y += RandomNumbers(dynamics.num_positions(), reach, random);
    const Eigen::VectorXd yd = RandomNumbers(dynamics.num_velocities(), 1, random),
                          wanted = RandomNumbers(dynamics.num_velocities(), 1, random);
    const DynamicsStatus status = dynamics.InverseDynamics(y, yd, wanted, tau_y);
    if (status == DynamicsStatus::kNotClosed) continue;
    ASSERT_EQ(status, DynamicsStatus::kOk);
    ++moved;
    EXPECT_LT(solver.Residual(dynamics.q()), 1e-11);
    for (int j = 0; j < dynamics.num_velocities(); ++j)
      EXPECT_EQ(dynamics.v()[dynamics.independent()[static_cast<std::size_t>(j)]], yd[j]);
    const Eigen::VectorXd dense =
        InverseDynamicsIndependent(m, c, dynamics.q(), dynamics.v(), wanted);
    EXPECT_LT(test::RelativeDifference(tau_y, dense), 1e-9);
    ASSERT_EQ(numerical.InverseDynamics(y, yd, wanted, tau_n), DynamicsStatus::kOk);
    EXPECT_LT(test::RelativeDifference(tau_y, tau_n), 1e-8);
    ASSERT_EQ(dynamics.ForwardDynamics(y, yd, tau_y, ydd), DynamicsStatus::kOk);
    EXPECT_LT(test::RelativeDifference(ydd, wanted), 1e-7);
  }
  EXPECT_GT(moved, count / 2);
}

TEST(IndependentDynamics, TorsoElbowWristAndTheRobotOfThem) {
  ExpectRight(Robot(test::Torso(1, true)), 0.2, 20);
  Robot light(test::Torso(1, true));
  for (std::size_t b = 1; b < light.m.bodies.size(); b += 2) light.m.bodies[b].weightless = true;
  ExpectRight(light, 0.2, 20);
  ExpectRight(Robot(test::Elbow(1)), 0.3, 20);
  ExpectRight(Robot(test::Wrist(1)), 0.2, 20);
  const Robot reduced(test::ReducedRobot(1, false)), full(test::ReducedRobot(1, true));
  EXPECT_EQ(reduced.c.spanning_dof, 23);
  EXPECT_EQ(reduced.c.mobility, 13);
  EXPECT_EQ(full.c.spanning_dof, 61);
  EXPECT_EQ(full.c.rank, 41);
  EXPECT_EQ(full.c.mobility, 20);
  ExpectRight(reduced, 0.2, 20);
  ExpectRight(full, 0.15, 20);
}

TEST(IndependentDynamics, RandomMechanismsOfEveryJointKind) {
  int done = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Model model = test::RandomMechanism(
        seed, {.links = 8, .loops = 1, .couplings = 1, .free_base = seed % 2 == 0});
    for (const JointId id : Joints(model)) {
      for (JointAxis& axis : model.joint(id).axes) axis.armature = 0.2;
    }
    const Robot robot(model);
    if (!robot.c.independent_ok || !robot.c.assembles) continue;
    IndependentDynamics dynamics(robot.m, robot.c);
    Eigen::VectorXd y, tau_y;
    dynamics.PositionOf(robot.c.assembled, y);
    const Eigen::VectorXd yd = RandomNumbers(dynamics.num_velocities(), 0.5, random), ydd = yd;
    const DynamicsStatus status = dynamics.InverseDynamics(y, yd, ydd, tau_y);
    if (status == DynamicsStatus::kNotClosed) {
      EXPECT_EQ(dynamics.closure_status(), GammaStatus::kNotExplicit);  // a ball that depends
      continue;
    }
    ASSERT_EQ(status, DynamicsStatus::kOk);
    const Eigen::VectorXd dense =
        InverseDynamicsIndependent(robot.m, robot.c, dynamics.q(), dynamics.v(), ydd);
    EXPECT_LT(test::RelativeDifference(tau_y, dense), 1e-8);
    ++done;
  }
  EXPECT_GT(done, 10);
}

// The cylinders hold what the joints would: the same power at every velocity.
TEST(IndependentDynamics, ActuatorsDoTheSameWork) {
  const Robot robot(test::ReducedRobot(2, false));
  const Mechanism& m = robot.m;
  const auto velocity = [&](const std::string& link) {
    return m.bodies[static_cast<std::size_t>(m.body_of[Index(*robot.model.FindLink(link))])].v;
  };
  const std::vector<int> actuated{velocity("left_rod"), velocity("right_rod"),
                                  velocity("left_elbow_rod"), velocity("right_elbow_rod")};
  const std::set<int> held{velocity("cross"), velocity("platform"), velocity("left_elbow"),
                           velocity("right_elbow")};
  IndependentDynamics dynamics(m, robot.c, {}, actuated);
  Random random(3);
  Eigen::VectorXd y, tau_y, tau_u;
  dynamics.PositionOf(robot.c.assembled, y);
  const Eigen::VectorXd yd = RandomNumbers(dynamics.num_velocities(), 1, random);
  ASSERT_EQ(dynamics.InverseDynamics(y, yd, yd, tau_y), DynamicsStatus::kOk);
  ASSERT_EQ(dynamics.ActuatorForces(tau_y, tau_u), DynamicsStatus::kOk);
  double power_y = 0, power_u = 0;
  for (int j = 0; j < dynamics.num_velocities(); ++j) {
    if (held.contains(dynamics.independent()[static_cast<std::size_t>(j)]))
      power_y += tau_y[j] * yd[j];
  }
  for (std::size_t u = 0; u < actuated.size(); ++u)
    power_u += tau_u[static_cast<Eigen::Index>(u)] * dynamics.v()[actuated[u]];
  EXPECT_NEAR(power_u, power_y, 1e-11 * std::abs(power_y));
  EXPECT_GT(std::abs(power_y), 0.1);
}

TEST(IndependentDynamics, EveryInputHasAStatus) {
  const Robot robot(test::Wrist(4));
  IndependentDynamics dynamics(robot.m, robot.c);
  Eigen::VectorXd y, tau_y, zero = Eigen::VectorXd::Zero(2);
  dynamics.PositionOf(robot.c.assembled, y);
  Random random(8);
  int far = 0;
  for (int i = 0; i < 100000; ++i) {
    const Eigen::VectorXd to = RandomNumbers(2, 3, random), yd = RandomNumbers(2, 1, random);
    const DynamicsStatus status = dynamics.InverseDynamics(to, yd, zero, tau_y);
    ASSERT_TRUE(tau_y.allFinite() && dynamics.q().allFinite());
    ASSERT_TRUE(status == DynamicsStatus::kOk || status == DynamicsStatus::kNotClosed ||
                status == DynamicsStatus::kSingularPosture);
    if (status == DynamicsStatus::kOk) continue;
    ASSERT_EQ(tau_y, zero);
    ++far;
  }
  EXPECT_GT(far, 1000);
  EXPECT_LT(far, 99000);
  y[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(dynamics.InverseDynamics(y, zero, zero, tau_y), DynamicsStatus::kNotFinite);
  EXPECT_EQ(dynamics.ForwardDynamics(y, zero, zero, tau_y), DynamicsStatus::kNotFinite);
}

}  // namespace
}  // namespace kinemorph
