// MuJoCo's mass matrix, bias force and equality Jacobian against ours, on the same mechanisms.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <Eigen/QR>
#include <Eigen/SVD>

#include "chain_of_four_bars.h"
#include "kinemorph/converters/convert.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
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

// On a free joint MuJoCo's armature resists the displacement of the body's origin in world axes and
// its rotation in its own: floating robots with arms.
TEST(MujocoDynamics, FloatingRobotsWithArmature) {
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto number = [&](double least, double most) {
      return FormatNumber(random.Uniform(least, most)) + " ";
    };
    const auto three = [&] { return number(-1, 1) + number(-1, 1) + number(-1, 1); };
    const auto inertial = [&] {
      return "<inertial mass=\"" + number(0.5, 2) + "\" pos=\"" + three() +
             "\" diaginertia=\"0.1 0.2 0.25\"/>";
    };
    std::string text =
        "<mujoco><compiler angle=\"radian\"/><option jacobian=\"dense\"/><worldbody>\n"
        "<body name=\"base\" pos=\"" +
        three() + "\" euler=\"" + three() + "\">" + inertial() +
        "<joint name=\"float\" type=\"free\" armature=\"" + number(0.5, 3) + "\"/>\n";
    for (int arm = 1; arm <= 3; ++arm) {
      text += "<body name=\"a" + std::to_string(arm) + "\" pos=\"" + three() + "\">" + inertial() +
              "<joint name=\"j" + std::to_string(arm) + "\" type=\"" +
              (arm == 2 ? "slide" : "hinge") + "\" axis=\"" + three() + "\" armature=\"0.1\"/>";
      if (arm != 1) text += "</body>\n";
    }
    text += "</body></body></worldbody></mujoco>";
    ReadOptions options;
    options.file_name = "floating.xml";
    Diagnostics diagnostics;
    const std::optional<Model> model = ReadModel(text, nullptr, options, diagnostics);
    ASSERT_TRUE(model);
    const test::MujocoModel mujoco(text);
    ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
    const Mechanism m = Compile(*model);
    ASSERT_EQ(mujoco.model()->nv, m.nv);
    ASSERT_TRUE(std::holds_alternative<Free>(m.bodies[1].kind));
    ConstraintEmbeddingDynamics recursion(m);
    for (int i = 0; i < 10; ++i) {
      Eigen::VectorXd v(m.nv), tau(m.nv), qdd;
      for (double& x : v) x = random.Uniform(-2, 2);
      for (double& x : tau) x = random.Uniform(-5, 5);
      const Eigen::VectorXd q = m.Integrate(m.ZeroPosition(), v, 1);
      const RigidTransform X_WB = Poses(m, q)[1];
      const Vector3 w = v.head<3>(), u = v.segment<3>(3);
      Eigen::VectorXd qpos = q, qvel = v;
      qpos << X_WB.p, QuaternionFromRotation(X_WB.R), q.tail(m.nq - 7);
      qvel.head<6>() << X_WB.R * u, w;
      mujoco.SetState(qpos, qvel);
      Eigen::Map<Eigen::VectorXd> applied(mujoco.data()->qfrc_applied, m.nv);
      applied = tau;
      applied.head<6>() << X_WB.R * tau.segment<3>(3), tau.head<3>();
      mj_forward(mujoco.model(), mujoco.data());
      Eigen::VectorXd theirs = Eigen::Map<Eigen::VectorXd>(mujoco.data()->qacc, m.nv);
      const Vector3 a = theirs.head<3>(), w_rate = theirs.segment<3>(3);
      theirs.head<6>() << w_rate, X_WB.R.transpose() * a - w.cross(u);
      ASSERT_EQ(recursion.ForwardDynamics(q, v, tau, qdd), DynamicsStatus::kOk);
      EXPECT_LT(test::RelativeDifference(qdd, theirs), 1e-8) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoDynamics, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif
