// DART's mass matrix, Coriolis and gravity forces, and link Jacobians against ours.
#include <gtest/gtest.h>

#ifdef KINEMORPH_JUDGE_DART
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>

#include "chain_of_four_bars.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "states.h"

namespace kinemorph {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d ToDart(const RigidTransform& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = X.R, out.translation() = X.p;
  return out;
}

struct DartModel {
  dd::SkeletonPtr skeleton = dd::Skeleton::create("mechanism");
  std::vector<dd::BodyNode*> bodies;
  explicit DartModel(const Mechanism& m) : bodies(m.bodies.size(), nullptr) {
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      const Body& body = m.bodies[b];
      dd::BodyNode* parent = bodies[static_cast<std::size_t>(body.parent)];
      dd::BodyNode::Properties properties(
          dd::BodyNode::AspectProperties("body" + std::to_string(b)));
      dd::Inertia inertia;
      inertia.setMass(body.inertia.mass);
      inertia.setLocalCOM(body.inertia.p_BoBcm);
      inertia.setMoment(body.inertia.I_BBcm);
      properties.mInertia = inertia;
      const auto place = [&](auto joint) {
        joint.mName = "joint" + std::to_string(b);
        joint.mT_ParentBodyToJoint = ToDart(body.X_PJ);
        joint.mT_ChildBodyToJoint = ToDart(body.X_JB.inverse());
        return joint;
      };
      if (const auto* revolute = std::get_if<Revolute>(&body.kind)) {
        dd::RevoluteJoint::Properties joint = place(dd::RevoluteJoint::Properties());
        joint.mAxis = revolute->axis;
        bodies[b] =
            skeleton->createJointAndBodyNodePair<dd::RevoluteJoint>(parent, joint, properties)
                .second;
      } else if (const auto* prismatic = std::get_if<Prismatic>(&body.kind)) {
        dd::PrismaticJoint::Properties joint = place(dd::PrismaticJoint::Properties());
        joint.mAxis = prismatic->axis;
        bodies[b] =
            skeleton->createJointAndBodyNodePair<dd::PrismaticJoint>(parent, joint, properties)
                .second;
      } else {
        bodies[b] = skeleton
                        ->createJointAndBodyNodePair<dd::WeldJoint>(
                            parent, place(dd::WeldJoint::Properties()), properties)
                        .second;
      }
    }
    skeleton->setGravity(m.gravity);
  }
};

void Compare(const Model& model, const std::string& what) {
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  const DartModel dart(m);
  ASSERT_EQ(static_cast<int>(dart.skeleton->getNumDofs()), m.nv);
  // DART numbers its coordinates by itself.
  std::vector<Eigen::Index> index(static_cast<std::size_t>(m.nv));
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    if (m.bodies[b].nv == 1) {
      index[static_cast<std::size_t>(m.bodies[b].v)] = static_cast<Eigen::Index>(
          dart.bodies[b]->getParentJoint()->getDof(0)->getIndexInSkeleton());
    }
  }
  ClosureSolver solver(m);
  Random random(5);
  for (int i = 0; i < 10; ++i) {
    const test::State s = test::RandomClosedState(m, c, solver, random, 0.3);
    Eigen::VectorXd q(m.nv), v(m.nv);
    for (int k = 0; k < m.nv; ++k)
      q[index[static_cast<std::size_t>(k)]] = s.q[k],
      v[index[static_cast<std::size_t>(k)]] = s.v[k];
    dart.skeleton->setPositions(q);
    dart.skeleton->setVelocities(v);
    const Eigen::MatrixXd M = dart.skeleton->getMassMatrix(), ours = MassMatrix(m, s.q);
    const Eigen::VectorXd C = dart.skeleton->getCoriolisAndGravityForces(),
                          bias = Bias(m, s.q, s.v);
    const double scale = ours.cwiseAbs().maxCoeff(),
                 force = std::max(1.0, bias.cwiseAbs().maxCoeff());
    for (int r = 0; r < m.nv; ++r) {
      EXPECT_NEAR(C[index[static_cast<std::size_t>(r)]] / force, bias[r] / force, 1e-8) << what;
      for (int k = 0; k < m.nv; ++k) {
        EXPECT_NEAR(
            M(index[static_cast<std::size_t>(r)], index[static_cast<std::size_t>(k)]) / scale,
            ours(r, k) / scale, 1e-8)
            << what;
      }
    }
    JointCache joints(m);
    UpdateJoints(m, s.q.data(), nullptr, joints);
    const int last = static_cast<int>(m.bodies.size()) - 1;
    const Matrix6X J = LinkJacobian(m, joints, last, JacobianFrame::kBody);
    const Eigen::MatrixXd dart_J =
        dart.skeleton->getJacobian(dart.bodies[static_cast<std::size_t>(last)]);
    for (int k = 0; k < m.nv; ++k)
      EXPECT_LT((dart_J.col(index[static_cast<std::size_t>(k)]) - J.col(k)).norm(), 1e-8) << what;
  }
}

TEST(DartDynamics, ChainsOfFourBars) {
  for (const int stages : {1, 3}) Compare(test::ChainOfFourBars(stages), std::to_string(stages));
}

TEST(DartDynamics, RandomTrees) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    test::RandomMechanismOptions options;
    options.links = 12, options.loops = 0, options.couplings = 0, options.all_kinds = false;
    Compare(test::RandomMechanism(seed, options), "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace kinemorph
#else
TEST(DartDynamics, NeedsDart) { GTEST_SKIP() << "DART was not found when this was built"; }
#endif
