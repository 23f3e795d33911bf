// The exported impact against the simulator's: another algorithm, which chooses rows by their rank.
#include <gtest/gtest.h>

#include "equations_reference.h"
#include "kinemorph/graph/motion/motion_system.h"
#include "load_model.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

struct Impacts {
  int compared = 0, shared = 0;  // of them: with impulses that are determined
};

// At random closed states and velocities, for random feet and sets of feet that come to stand.
Impacts Compare(const Mechanism& m, const std::string& name, std::uint64_t seed) {
  Impacts out;
  const Coordinates coordinates = AnalyseCoordinates(m);
  if (!coordinates.assembles || coordinates.mobility == 0) return out;
  Random random(seed);
  EquationOptions how;
  for (int f = 0; f < 3; ++f) {
    const int body =
        1 + static_cast<int>(random.Uniform(0, 0.999) * static_cast<double>(m.bodies.size() - 1));
    const Vector3 p(random.Uniform(-0.3, 0.3), random.Uniform(-0.3, 0.3),
                    random.Uniform(-0.3, 0.3));
    how.feet.push_back({body, p, m.bodies[static_cast<std::size_t>(body)].name});
  }
  std::string why;
  const auto e = MakeEquations(m, coordinates, name, how, why);
  EXPECT_TRUE(e) << name << ": " << why;
  if (!e) return out;
  const Program &feet = *e->Find("feet"), &impact = *e->Find("impact");
  for (std::size_t i = 0; i < impact.systems.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(impact.systems[i].A, impact.systems[j].A) << name << " factorizes it twice";
  ClosureSolver solver(m);
  MotionOptions motion;
  motion.feet = how.feet;
  for (int set = 0; set < 8; ++set) {
    const State state = RandomClosedState(m, coordinates, solver, random, 0.3);
    const Eigen::VectorXd v_q = state.v(e->independent);
    const Eigen::VectorXd v = Embed(m, coordinates, state.q, state.v).G * v_q;
    std::vector<bool> standing;
    Eigen::Vector3d contact;
    for (int f = 0; f < 3; ++f)
      standing.push_back((set >> f) % 2 == 1), contact[f] = standing.back() ? 1 : 0;
    Eigen::VectorXd after(m.nv);
    Eigen::Matrix3d impulse, p;  // by column of a foot
    EXPECT_TRUE(feet.Run({state.q.data()}, {p.data()}));
    EXPECT_TRUE(
        impact.Run({state.q.data(), v_q.data(), contact.data()}, {after.data(), impulse.data()}));
    for (int f = 0; f < 3; ++f)
      EXPECT_LT(
          (p.col(f) - PositionOfPoint(m, state.q, how.feet[static_cast<std::size_t>(f)])).norm(),
          1e-12);
    MotionSystem system(m, motion);
    if (!system.Divide(state.q, standing)) continue;
    const ImpactResult expected = system.Impact(system.StateOf(state.q, v));
    if (!expected.ok) continue;
    ++out.compared;
    EXPECT_LT((after - expected.v).norm(), 1e-8 * (1 + v.norm())) << name << " set " << set;
    // What the feet take is all that the velocities show: T+ - T- = -1/2 dv^T M dv.
    const Eigen::MatrixXd M = MassMatrix(m, state.q);
    const Eigen::VectorXd dv = after - v;
    EXPECT_NEAR(after.dot(M * after) - v.dot(M * v), -dv.dot(M * dv), 1e-8 * (1 + v.dot(M * v)));
    // What loops and other feet hold already they share with a foot.
    const bool loops = std::any_of(m.aggregates.begin(), m.aggregates.end(),
                                   [](const Aggregate& g) { return !g.loops.empty(); });
    if (loops || std::count(standing.begin(), standing.end(), true) > 1) continue;
    ++out.shared;
    for (int f = 0; f < 3; ++f)
      EXPECT_LT((impulse.col(f) - expected.impulse[static_cast<std::size_t>(f)]).norm(),
                1e-7 * (1 + expected.impulse[static_cast<std::size_t>(f)].norm()))
          << name << " foot " << f;
  }
  return out;
}

TEST(ExportedImpact, EqualsTheSimulation) {
  int compared = 0, shared = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomMechanismOptions options;
    options.links = 8, options.free_base = true, options.loops = seed % 3 == 0 ? 2 : 0;
    options.reversed_joints = true;
    const Impacts each =
        Compare(Compile(RandomMechanism(seed, options)), "seed " + std::to_string(seed), seed);
    compared += each.compared, shared += each.shared;
  }
  EXPECT_GE(compared, 60);
  EXPECT_GE(shared, 16);
}

// Two feet at one point share what one would take; a foot that cannot move takes nothing.
TEST(ExportedImpact, FeetThatRepeatEachOtherShare) {
  std::string why;
  const std::optional<Model> model =
      LoadModel(Fixture("mechanisms/double_pendulum/double_pendulum.urdf"), why);
  ASSERT_TRUE(model) << why;
  const Mechanism m = Compile(*model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  const int tip = static_cast<int>(m.bodies.size()) - 1;
  const auto impulses = [&](std::vector<Foot> feet) {
    EquationOptions how;
    how.feet = std::move(feet);
    const auto e = MakeEquations(m, coordinates, "pendulum", how, why);
    EXPECT_TRUE(e) << why;
    const Eigen::VectorXd q = Eigen::VectorXd::Constant(m.nq, 0.4),
                          v_q = Eigen::VectorXd::Constant(m.nv, 1.0),
                          contact = Eigen::VectorXd::Ones(std::ssize(how.feet));
    Eigen::VectorXd v(m.nv);
    Eigen::Matrix3Xd impulse(3, how.feet.size());
    EXPECT_TRUE(
        e->Find("impact")->Run({q.data(), v_q.data(), contact.data()}, {v.data(), impulse.data()}));
    return impulse;
  };
  const Foot foot{tip, Vector3(0.1, 0.05, -0.2), "tip"};
  const Eigen::Matrix3Xd one = impulses({foot}), two = impulses({foot, foot});
  EXPECT_GT(one.norm(), 1e-3);
  EXPECT_LT((two.col(0) - one / 2).norm(), 1e-7 * one.norm());
  EXPECT_LT((two.col(1) - one / 2).norm(), 1e-7 * one.norm());
  const Foot still{1, Vector3(0.1, 0.05, -0.2), "base"};
  ASSERT_EQ(m.bodies[1].nv, 0);
  EXPECT_EQ(impulses({still}).norm(), 0);
  EXPECT_LT((impulses({still, foot}).col(1) - one).norm(), 1e-7 * one.norm());
}

}  // namespace
}  // namespace kinemorph::test
