// MuJoCo's mass matrix, bias force and equality Jacobian against ours, on the same mechanisms.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <Eigen/QR>
#include <Eigen/SVD>

#include "chain_of_four_bars.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "mujoco_text.h"
#include "states.h"

namespace kinemorph {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void Compare(const Model& model, const std::string& what) {
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  const test::MujocoModel mujoco(m, model);
  ASSERT_NE(mujoco.model(), nullptr) << what << ": " << mujoco.why();
  ASSERT_EQ(mujoco.model()->nv, m.nv) << what;
  ClosureSolver solver(m);
  Random random(5);
  for (int i = 0; i < 10; ++i) {
    const test::State s = test::RandomClosedState(m, c, solver, random, 0.3);
    mujoco.SetState(s.q, s.v);
    mj_forward(mujoco.model(), mujoco.data());
    Rows M(m.nv, m.nv);
    mj_fullM(mujoco.model(), M.data(), mujoco.data()->qM);
    const Eigen::MatrixXd ours = MassMatrix(m, s.q);
    EXPECT_LT((M - ours).cwiseAbs().maxCoeff() / ours.cwiseAbs().maxCoeff(), 1e-8) << what;
    const Eigen::Map<const Eigen::VectorXd> bias(mujoco.data()->qfrc_bias, m.nv);
    EXPECT_LT(test::RelativeDifference(bias, Bias(m, s.q, s.v)), 1e-8) << what;
    if (m.rows == 0) continue;
    // Rows differ (world axes; a hinge is a ball there), the motions they leave do not.
    const Eigen::Map<const Rows> J(mujoco.data()->efc_J, mujoco.data()->ne, m.nv);
    const Embedding e = Embed(m, c, s.q, s.v);
    EXPECT_LT((J * e.G).cwiseAbs().maxCoeff() / std::max(1.0, e.G.cwiseAbs().maxCoeff()), 1e-8)
        << what;
    EXPECT_EQ(GapRank(Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues()), c.rank) << what;
  }
}

TEST(MujocoDynamics, ChainsOfFourBars) {
  for (const int stages : {1, 2, 5}) Compare(test::ChainOfFourBars(stages), std::to_string(stages));
}

TEST(MujocoDynamics, RandomTreesWithArmature) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::RandomMechanismOptions options;
    options.links = 12, options.loops = 0, options.couplings = 0, options.all_kinds = false;
    Model model = test::RandomMechanism(seed, options);
    for (const JointId id : Joints(model)) model.joint(id).axes[0].armature = 0.05;
    Compare(model, "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoDynamics, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif
