// Simbody's accelerations with closed loops (exact multipliers) against ours.
#include <gtest/gtest.h>

#ifdef KINEMORPH_JUDGE_SIMBODY
#include "chain_of_four_bars.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "simbody_model.h"
#include "states.h"

namespace kinemorph {
namespace {

void Compare(const Model& model, const std::string& what) {
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ClosureSolver solver(m);
  Random random(5);
  ConstraintEmbeddingDynamics recursion(m, c);
  test::SimbodyModel simbody(m);
  for (int i = 0; i < 10; ++i) {
    const test::State s = test::RandomClosedState(m, c, solver, random, 0.3);
    simbody.SetState(s.q, s.v, s.tau);
    simbody.Realize();
    Eigen::VectorXd qdd;
    ASSERT_EQ(recursion.ForwardDynamics(s.q, s.v, s.tau, qdd), DynamicsStatus::kOk) << what;
    EXPECT_LT(test::RelativeDifference(qdd, simbody.Accelerations()), 1e-8) << what;
  }
}

TEST(SimbodyDynamics, ChainsOfFourBars) {
  for (const int stages : {1, 2, 5}) Compare(test::ChainOfFourBars(stages), std::to_string(stages));
}

TEST(SimbodyDynamics, RandomMechanismsWithBallLoops) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    test::RandomMechanismOptions options;
    options.links = 14, options.loops = 2, options.couplings = 0, options.all_kinds = false;
    Model model = test::RandomMechanism(seed, options);
    bool balls = true;
    for (const JointId id : Joints(model)) {
      Joint& joint = model.joint(id);
      if (joint.role != JointRole::kLoop) continue;
      joint.kind = Ball{};
      joint.axes.resize(1);
    }
    const Coordinates c = AnalyseCoordinates(Compile(model));
    balls = c.rank == c.constraint_rows &&
            c.mobility > 0;  // Simbody wants its rows independent, or planar
    if (!balls) continue;
    ++compared;
    Compare(model, "seed " + std::to_string(seed));
  }
  EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace kinemorph
#else
TEST(SimbodyDynamics, NeedsSimbody) { GTEST_SKIP() << "Simbody was not found when this was built"; }
#endif
