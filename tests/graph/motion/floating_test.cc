// A mechanism in space with a floating base, a ball and loops: nothing is gained or lost in flight,
// however the coordinates are divided and the loops are closed.
#include <gtest/gtest.h>

#include "kinemorph/formats/submechanisms.h"
#include "kinemorph/graph/motion/simulation.h"
#include "kinemorph/graph/motion/start_velocity.h"
#include "load_model.h"
#include "series_parallel.h"
#include "states.h"

namespace kinemorph {
namespace {

struct Momentum {
  Vector3 linear = Vector3::Zero(), angular = linear, p_cm = linear;  // angular about p_cm
  double mass = 0;
};

Momentum MomentumOf(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), v.data(), joints);
  std::vector<RigidTransform> X_WB;
  ComputePoses(m, joints, X_WB);
  const std::vector<Vector6> V = Velocities(m, joints, v);
  Momentum out;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Vector6 h = TransformForce(X_WB[b], m.bodies[b].inertia.AsMatrix() * V[b]);
    out.angular += h.head<3>(), out.linear += h.tail<3>();
    out.mass += m.bodies[b].inertia.mass;
    out.p_cm += m.bodies[b].inertia.mass * (X_WB[b] * m.bodies[b].inertia.p_BoBcm);
  }
  out.p_cm /= out.mass;
  out.angular -= out.p_cm.cross(out.linear);
  return out;
}

struct Rate {
  const char* joint;
  int index;
  double value;
};

// A second of free fall with internal motion.
struct Flight {
  Mechanism m;
  Eigen::VectorXd q, v;
  MotionSample last;
  SimulationResult result;
  Flight(const Model& model, const std::vector<Rate>& rates, MotionMethod method, double rtol)
      : m(Compile(model)), q(AnalyseCoordinates(m).assembled) {
    MotionOptions motion;
    motion.method = method;
    MotionSystem system(m, motion);
    EXPECT_TRUE(system.Divide(q, {})) << system.Why();
    std::vector<GivenCoordinate> given;
    for (const Rate& rate : rates) {
      const std::optional<JointId> joint = model.FindJoint(rate.joint);
      EXPECT_TRUE(joint) << rate.joint;
      if (!joint) continue;
      const int body = m.body_of[Index(model.successor(*joint))];
      given.push_back({body, rate.index, rate.value, rate.joint});
    }
    const Posture start = FindVelocity(system, q, given);
    EXPECT_TRUE(start.ok) << start.why;
    v = start.q;
    SimulationOptions options;
    options.time = 1, options.rtol = rtol;
    result = Simulate(system, q, v, options, [](const MotionSample&) {});
    EXPECT_EQ(result.end, SimulationEnd::kDone) << result.why;
    last = result.last;
  }
};

Flight PlatformFlight(MotionMethod method, double rtol) {
  std::string why;
  const std::optional<Model> model =
      test::LoadModel(test::Fixture("motion/floating_platform/floating_platform.urdf"), why);
  EXPECT_TRUE(model) << why;
  return {*model,
          {{"free", 0, 0.7},
           {"free", 1, -0.4},
           {"free", 2, 0.9},
           {"free", 3, 0.3},
           {"free", 5, 1.5},
           {"ball", 0, 0.4},
           {"ball", 1, -0.3},
           {"ball", 2, 0.5}},
          method,
          rtol};
}

// Internal forces, loops and their closing change nothing of it.
void ExpectMomentumOfFreeFall(const Flight& flight) {
  const Momentum before = MomentumOf(flight.m, flight.q, flight.v),
                 after = MomentumOf(flight.m, flight.last.q, flight.last.v);
  EXPECT_GT(before.angular.norm(), 0.01);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-9);
  EXPECT_LT((after.linear - before.linear - before.mass * flight.m.gravity).norm(), 1e-8);
  EXPECT_LT(
      (after.p_cm - before.p_cm - before.linear / before.mass - 0.5 * flight.m.gravity).norm(),
      1e-9);
  for (const Body& body : flight.m.bodies)
    if (body.nq > body.nv) { EXPECT_NEAR(flight.last.q.segment<4>(body.q).norm(), 1, 1e-14); }
}

TEST(Floating, EnergyAndMomentumStay) {
  const Flight flight = PlatformFlight(MotionMethod::kEmbedding, 1e-11);
  EXPECT_LT(flight.result.energy_drift, 1e-9);
  EXPECT_LT(flight.result.phi, 1e-13);
  ExpectMomentumOfFreeFall(flight);
}

TEST(Floating, SingularPerturbationGoesWhereTheEmbeddingGoes) {
  const Flight embedding = PlatformFlight(MotionMethod::kEmbedding, 1e-10),
               spf = PlatformFlight(MotionMethod::kSpf, 1e-10);
  EXPECT_LT((embedding.last.q - spf.last.q).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT((embedding.last.v - spf.last.v).lpNorm<Eigen::Infinity>(), 1e-5);
  EXPECT_LT(spf.result.phi, 1e-8);
}

// Published robots, both ways: the upper body of RH5 Manus with the loops of its side-car, and
// Cassie with a ball in a loop of each leg. `phi`: frames of few digits contradict each other.
void ExpectFlightOf(const Model& model, const std::vector<Rate>& rates, double phi) {
  const Flight embedding(model, rates, MotionMethod::kEmbedding, 1e-10),
      spf(model, rates, MotionMethod::kSpf, 1e-10);
  for (const Flight* flight : {&embedding, &spf}) {
    ExpectMomentumOfFreeFall(*flight);
    EXPECT_LT(flight->result.energy_drift, 1e-9);
    EXPECT_LT(flight->result.phi, phi);
  }
  EXPECT_GT((embedding.last.q - embedding.q).lpNorm<Eigen::Infinity>(), 0.1);
  EXPECT_LT((embedding.last.q - spf.last.q).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT((embedding.last.v - spf.last.v).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(Floating, Rh5ManusFlies) {
  const std::string folder = test::Shared(
      "data/urdf_plus/dfki_hybrid_numerical_analytical/model/submechanisms_urdf/"
      "submechanisms_reduced");
  const std::optional<std::string> side_car = test::ReadText(folder + ".yml");
  if (!side_car) GTEST_SKIP() << folder << ".yml is not there";
  std::string why;
  std::optional<Model> model = test::LoadModel(folder + ".urdf", why);
  ASSERT_TRUE(model) << why;
  Diagnostics diagnostics;
  const auto file = ParseSubmechanisms(*side_car, "side-car", diagnostics);
  ASSERT_TRUE(file && AddSubmechanisms(*file, nullptr, *model, diagnostics));
  Joint base;
  base.name = "base", base.kind = Free{}, base.axes.resize(1);
  const std::optional<LinkId> root = model->FindLink("RH5v2_Root_Link");
  ASSERT_TRUE(root);
  model->AddJoint(kWorld, *root, base);
  ExpectFlightOf(*model,
                 {{"base", 1, 0.5},
                  {"base", 3, 0.4},
                  {"BodyPitch", 0, 0.3},
                  {"BodyRoll", 0, -0.2},
                  {"BodyYaw", 0, 0.5},
                  {"ALElbow", 0, 1},
                  {"ARShoulder1", 0, 0.8}},
                 1e-7);
}

TEST(Floating, CassieFlies) {
  const std::string path = test::Shared(
      "data/corpus/sdf/Gepetto__example-robot-data/robots/cassie_description/robots/"
      "cassie_v2.sdf");
  if (!test::ReadText(path)) GTEST_SKIP() << path << " is not there";
  std::string why;
  const std::optional<Model> model = test::LoadModel(path, why);
  ASSERT_TRUE(model) << why;
  ExpectFlightOf(*model,
                 {{"world_to_pelvis", 0, 0.3},
                  {"world_to_pelvis", 2, 0.4},
                  {"left-roll-op", 0, 0.5},
                  {"left-pitch-op", 0, -0.7},
                  {"right-knee-op", 0, 0.5}},
                 1e-12);
}

// The rates of a state do not depend on which coordinates are independent.
TEST(Floating, AnyDivisionGivesTheSameAccelerations) {
  const Flight flight = PlatformFlight(MotionMethod::kEmbedding, 1e-9);
  MotionSystem declared(flight.m, {}), chosen(flight.m, {});
  ASSERT_TRUE(declared.Divide(flight.last.q, {}));
  ASSERT_TRUE(chosen.Divide(flight.last.q, {}, true));
  EXPECT_NE(declared.independent(), chosen.independent());
  const Eigen::VectorXd x = declared.StateOf(flight.last.q, flight.last.v);
  Eigen::VectorXd one, other;
  ASSERT_TRUE(declared.Rate(0, x, one));
  ASSERT_TRUE(chosen.Rate(0, x, other));
  EXPECT_LT((one - other).lpNorm<Eigen::Infinity>(), 1e-9 * one.lpNorm<Eigen::Infinity>());
}

// At a closed state both formulations are the same equations: universal joints, couplings of many
// aggregates, redundant rows.
TEST(Floating, BothMethodsAgreeAtClosedStates) {
  for (const Model& model : {test::Torso(1, true), test::Elbow(1), test::Wrist(1),
                             test::ReducedRobot(1, false), test::ReducedRobot(1, true)}) {
    const test::Robot robot(model);
    MotionOptions with_spf;
    with_spf.method = MotionMethod::kSpf;
    MotionSystem embedding(robot.m, {}), spf(robot.m, with_spf);
    ClosureSolver solver(robot.m);
    Random random(3);
    for (int i = 0; i < 5; ++i) {
      const test::State s = test::RandomClosedState(robot.m, robot.c, solver, random, 0.2);
      ASSERT_TRUE(embedding.Divide(s.q, {})) << embedding.Why();
      ASSERT_TRUE(spf.Divide(s.q, {})) << spf.Why();
      const Eigen::VectorXd x = embedding.StateOf(s.q, s.v);
      Eigen::VectorXd one, other;
      ASSERT_TRUE(embedding.Rate(0, x, one)) << embedding.Why();
      ASSERT_TRUE(spf.Rate(0, x, other)) << spf.Why();
      EXPECT_LT((one - other).lpNorm<Eigen::Infinity>(), 1e-7 * one.lpNorm<Eigen::Infinity>());
    }
  }
}

}  // namespace
}  // namespace kinemorph
