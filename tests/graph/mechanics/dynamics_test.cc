// Forward and inverse dynamics against each other, energy, and models that have no answer.
#include "kinemorph/graph/mechanics/dynamics.h"

#include <gtest/gtest.h>

#include "chain_of_four_bars.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "lab/dense_dynamics.h"
#include "lab/mass_factorization.h"
#include "random_mechanism.h"
#include "states.h"

namespace kinemorph {
namespace {

using test::ChainOfFourBars;
using test::RandomClosedState;
using test::RandomMechanism;
using test::RandomMechanismOptions;
using test::RelativeDifference;
using test::State;

RandomMechanismOptions OptionsFor(std::uint64_t seed) {
  RandomMechanismOptions options;
  options.links = 8 + static_cast<int>(seed % 15), options.loops = static_cast<int>(seed % 5),
  options.couplings = static_cast<int>(seed % 3);
  options.reversed_joints = seed % 2 == 0, options.free_base = seed % 3 == 0;
  return options;
}

TEST(Dynamics, MassMatrixAndBiasAreWhatNewtonEulerSays) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Model model = RandomMechanism(seed, OptionsFor(seed));
    for (const JointId id : Joints(model)) {
      for (JointAxis& axis : model.joint(id).axes) axis.armature = 0.1;
    }
    const Mechanism m = Compile(model);
    Random random(seed);
    Eigen::VectorXd v(m.nv), qdd(m.nv);
    for (double& x : v) x = random.Uniform(-1, 1);
    for (double& x : qdd) x = random.Uniform(-1, 1);
    const Eigen::VectorXd q = m.Integrate(m.ZeroPosition(), v, 1);
    const Eigen::MatrixXd M = MassMatrix(m, q);
    EXPECT_LT((M - M.transpose()).norm(), 1e-12);
    EXPECT_LT(RelativeDifference(M * qdd + Bias(m, q, v), InverseDynamics(m, q, v, qdd)), 1e-13)
        << seed;
    EXPECT_NEAR(EnergyOf(m, q, v).kinetic, 0.5 * v.dot(M * v), 1e-12 * (1 + v.dot(M * v)));
  }
}

TEST(Dynamics, TreeRecursionInvertsNewtonEuler) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomMechanismOptions options = OptionsFor(seed);
    options.loops = options.couplings = 0;
    Model model = RandomMechanism(seed, options);
    for (const JointId id : Joints(model)) {
      for (JointAxis& axis : model.joint(id).axes) axis.armature = 0.2;
    }
    const Mechanism m = Compile(model);
    Random random(seed);
    Eigen::VectorXd v(m.nv), qdd(m.nv), found;
    for (double& x : v) x = random.Uniform(-1, 1);
    for (double& x : qdd) x = random.Uniform(-1, 1);
    const Eigen::VectorXd q = m.Integrate(m.ZeroPosition(), v, 1);
    ExternalForces forces(m.bodies.size());
    for (Vector6& f : forces) f = Vector6::NullaryExpr([&] { return random.Uniform(-2, 2); });
    ConstraintEmbeddingDynamics aba(m);
    ASSERT_EQ(aba.ForwardDynamics(q, v, InverseDynamics(m, q, v, qdd, forces), found, &forces),
              DynamicsStatus::kOk);
    EXPECT_LT(RelativeDifference(found, qdd), 1e-10) << seed;
  }
}

// Some links, by hand: -m g at the centre of mass, in axes of the body.
ExternalForces HeldUp(Mechanism& m, const Eigen::VectorXd& q) {
  ExternalForces forces(m.bodies.size(), Vector6::Zero());
  JointCache joints(m);
  UpdateJoints(m, q.data(), nullptr, joints);
  std::vector<RigidTransform> X_WB;
  ComputePoses(m, joints, X_WB);
  for (std::size_t b = 1; b < m.bodies.size(); b += 2) {
    m.bodies[b].weightless = true;
    const Vector3 lift = X_WB[b].R.transpose() * (-m.bodies[b].inertia.mass * m.gravity);
    forces[b] << m.bodies[b].inertia.p_BoBcm.cross(lift), lift;
  }
  return forces;
}

TEST(Dynamics, WithoutGravityALinkIsHeldUpAtItsCentreOfMass) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Mechanism heavy = Compile(RandomMechanism(seed, OptionsFor(seed)));
    const Coordinates coordinates = AnalyseCoordinates(heavy);
    Random random(seed);
    ClosureSolver solver(heavy);
    const State state = RandomClosedState(heavy, coordinates, solver, random);
    Mechanism m = heavy;
    const ExternalForces forces = HeldUp(m, state.q);
    const Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
    EXPECT_LT(RelativeDifference(Bias(m, state.q, state.v), Bias(heavy, state.q, state.v, forces)),
              1e-13)
        << seed;
    EXPECT_GT(RelativeDifference(Bias(m, state.q, state.v), Bias(heavy, state.q, state.v)), 1e-3);
    Eigen::VectorXd found, expected, again;
    ConstraintEmbeddingDynamics light(m, coordinates), by_hand(heavy, coordinates);
    const DynamicsStatus status = by_hand.ForwardDynamics(state.q, state.v, tau, expected, &forces);
    ASSERT_EQ(light.ForwardDynamics(state.q, state.v, tau, found), status);
    if (status != DynamicsStatus::kOk) continue;
    EXPECT_LT(RelativeDifference(found, expected), 1e-9) << seed;
    // With other forces beside it, which are not changed.
    ExternalForces twice = forces;
    for (Vector6& f : twice) f *= 2;
    ASSERT_EQ(light.ForwardDynamics(state.q, state.v, tau, again, &forces), DynamicsStatus::kOk);
    ASSERT_EQ(by_hand.ForwardDynamics(state.q, state.v, tau, expected, &twice),
              DynamicsStatus::kOk);
    EXPECT_LT(RelativeDifference(again, expected), 1e-9) << seed;
  }
}

TEST(Dynamics, LinkGravityOfTheModelIsThatOfTheBody) {
  Model model = RandomMechanism(1);
  model.link(LinkId{2}).gravity = false, model.link(LinkId{1}).gravity = true;
  const Mechanism m = Compile(model);
  for (const Body& body : m.bodies) EXPECT_EQ(body.weightless, body.link == LinkId{2});
  Mechanism all = m;
  for (Body& body : all.bodies) body.weightless = true;
  EXPECT_EQ(EnergyOf(all, all.ZeroPosition(), Eigen::VectorXd::Zero(all.nv)).potential, 0);
}

TEST(Dynamics, AnEmptyListOfForcesIsNoForce) {
  for (const int loops : {0, 2}) {
    RandomMechanismOptions options = OptionsFor(3);
    options.loops = loops;
    const Model model = RandomMechanism(3, options);
    const Mechanism m = Compile(model);
    const Coordinates coordinates = AnalyseCoordinates(m);
    ConstraintEmbeddingDynamics recursion(m, coordinates);
    const Eigen::VectorXd v = Eigen::VectorXd::Zero(m.nv);
    Eigen::VectorXd without, empty;
    const ExternalForces none;
    EXPECT_EQ(recursion.ForwardDynamics(coordinates.assembled, v, v, without), DynamicsStatus::kOk);
    EXPECT_EQ(recursion.ForwardDynamics(coordinates.assembled, v, v, empty, &none),
              DynamicsStatus::kOk);
    EXPECT_EQ(without, empty);
  }
}

TEST(Dynamics, ThreeWaysAgreeOnRandomMechanismsWithLoopsAndCouplings) {
  int with_motion = 0, ambiguous = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Model model = RandomMechanism(seed, OptionsFor(seed));
    for (const JointId id : Joints(model)) {
      for (JointAxis& axis : model.joint(id).axes) axis.armature = seed % 2 == 0 ? 0.3 : 0;
    }
    const Mechanism m = Compile(model);
    const Coordinates coordinates = AnalyseCoordinates(m);
    with_motion += coordinates.mobility > 0 ? 1 : 0;
    ClosureSolver solver(m);
    Random random(seed);
    ConstraintEmbeddingDynamics recursion(m, coordinates);
    for (int i = 0; i < 5; ++i) {
      const State s = RandomClosedState(m, coordinates, solver, random, 0.3);
      ASSERT_LT(solver.Residual(s.q), 1e-9) << seed;
      ExternalForces forces(m.bodies.size());
      for (Vector6& f : forces) f = Vector6::NullaryExpr([&] { return random.Uniform(-2, 2); });
      const Accelerations kkt = ForwardDynamicsKkt(m, coordinates, s.q, s.v, s.tau, forces);
      const Accelerations projected =
          ForwardDynamicsProjected(m, coordinates, s.q, s.v, s.tau, forces);
      Eigen::VectorXd qdd;
      if (kkt.status == DynamicsStatus::kInconsistent) {  // all but locked: a singular value in the
                                                          // range of written digits
        ++ambiguous;
        break;
      }
      ASSERT_EQ(kkt.status, DynamicsStatus::kOk) << seed << " " << Name(kkt.status);
      ASSERT_EQ(projected.status, DynamicsStatus::kOk) << seed;
      ASSERT_EQ(recursion.ForwardDynamics(s.q, s.v, s.tau, qdd, &forces), DynamicsStatus::kOk)
          << seed;
      EXPECT_LT(RelativeDifference(projected.qdd, kkt.qdd), 1e-9) << seed;
      // Near a posture in which the dependent coordinates do not follow from the independent ones,
      // digits go with the square of the rates.
      const Eigen::MatrixXd G = Embed(m, coordinates, s.q, s.v).G;
      const double rate = G.size() == 0 ? 0 : G.cwiseAbs().maxCoeff();
      EXPECT_LT(RelativeDifference(qdd, kkt.qdd), 1e-9 + 1e-13 * rate * rate) << seed;
      // The multipliers are the forces that make it so, and the constraints hold.
      const ConstraintRows rows = Constraints(m, s.q, s.v);
      const Eigen::VectorXd tau = InverseDynamics(m, s.q, s.v, kkt.qdd, forces);
      if (m.rows == 0) continue;
      EXPECT_LT(RelativeDifference(rows.K.transpose() * kkt.lambda + s.tau, tau), 1e-8) << seed;
      EXPECT_LT(RelativeDifference(rows.K * qdd, rows.k), 1e-7) << seed;
    }
  }
  EXPECT_GT(with_motion, 50);
  EXPECT_LE(ambiguous, 2);
}

// One body, 1 kg, armature 1 on its free joint: it resists what happens in axes that stand still.
// Nothing pulls a body that goes straight while it spins, and it falls with half of gravity.
TEST(Dynamics, TheArmatureOfAFreeJointStandsStill) {
  Model model;
  Link link;
  link.inertial = Inertial{};
  link.inertial->mass = 1, link.inertial->I_I = Vector3(0.1, 0.2, 0.25).asDiagonal();
  Joint joint;
  joint.kind = Free{};
  joint.axes.resize(1);
  joint.axes[0].armature = 1;
  model.AddJoint(kWorld, model.AddLink(link), joint);
  Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  const Eigen::VectorXd q = m.ZeroPosition(), none = Eigen::VectorXd::Zero(6);
  Eigen::VectorXd v(6), qdd;
  v << 0, 0, 1, 2, 0, 0;
  for (const double g : {9.81, 0.0}) {
    m.gravity = Vector3(0, 0, -g);
    ConstraintEmbeddingDynamics recursion(m, c);
    ASSERT_EQ(recursion.ForwardDynamics(q, v, none, qdd), DynamicsStatus::kOk);
    const Vector3 w = v.head<3>(), u = v.tail<3>(), u_rate = qdd.tail<3>();
    EXPECT_LT((u_rate + w.cross(u) - m.gravity / 2).norm(), 1e-14) << qdd.transpose();
    EXPECT_LT(qdd.head<3>().norm(), 1e-14);
    EXPECT_LT(RelativeDifference(ForwardDynamicsKkt(m, c, q, v, none).qdd, qdd), 1e-14);
    EXPECT_LT(RelativeDifference(ForwardDynamicsProjected(m, c, q, v, none).qdd, qdd), 1e-14);
    EXPECT_LT(InverseDynamics(m, q, v, qdd).norm(), 1e-14);
  }
}

// The energy of what moves freely stays, armatures included.
TEST(Dynamics, ArmaturesOfAFloatingMechanismKeepItsEnergy) {
  for (std::uint64_t seed = 3; seed <= 30; seed += 3) {
    RandomMechanismOptions options = OptionsFor(seed);
    options.reversed_joints = false;
    Model model = RandomMechanism(seed, options);
    Random random(seed);
    for (const JointId id : Joints(model)) {
      for (JointAxis& axis : model.joint(id).axes) axis.armature = random.Uniform(0.1, 1);
    }
    const Mechanism m = Compile(model);
    const Coordinates c = AnalyseCoordinates(m);
    ClosureSolver solver(m);
    ConstraintEmbeddingDynamics recursion(m, c);
    const State s = RandomClosedState(m, c, solver, random, 0.3);
    Eigen::VectorXd qdd;
    ASSERT_EQ(recursion.ForwardDynamics(s.q, s.v, Eigen::VectorXd::Zero(m.nv), qdd),
              DynamicsStatus::kOk);
    const auto energy = [&](double dt) {
      const Energy e = EnergyOf(m, m.Integrate(s.q, s.v + 0.5 * dt * qdd, dt), s.v + dt * qdd);
      return e.kinetic + e.potential;
    };
    constexpr double kStep = 1e-4;
    EXPECT_NEAR((energy(kStep) - energy(-kStep)) / (2 * kStep), 0,
                1e-5 * EnergyOf(m, s.q, s.v).kinetic)
        << seed;
  }
}

TEST(Dynamics, InverseDynamicsInIndependentCoordinatesInvertsForwardDynamics) {
  const Model model = ChainOfFourBars(3);
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  ASSERT_EQ(coordinates.mobility, 3);
  ClosureSolver solver(m);
  Random random(3);
  const State s = RandomClosedState(m, coordinates, solver, random);
  const Eigen::VectorXd ydd = Eigen::Vector3d(0.3, -2, 1);
  const Eigen::VectorXd tau_y = InverseDynamicsIndependent(m, coordinates, s.q, s.v, ydd);
  const Embedding e = Embed(m, coordinates, s.q, s.v);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
  for (int i = 0; i < 3; ++i) tau[e.independent[static_cast<std::size_t>(i)]] = tau_y[i];
  const Accelerations found = ForwardDynamicsKkt(m, coordinates, s.q, s.v, tau);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(found.qdd[e.independent[static_cast<std::size_t>(i)]], ydd[i], 1e-10);
}

TEST(Dynamics, MassMatrixFactorizationOfThePaperHoldsWithItsCorrection) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model = RandomMechanism(seed, OptionsFor(seed));
    const Mechanism m = Compile(model);
    const Coordinates coordinates = AnalyseCoordinates(m);
    const MassFactorization factors = Factorize(m, coordinates, coordinates.assembled);
    ASSERT_EQ(factors.status, DynamicsStatus::kOk);
    const Eigen::MatrixXd M_y =
        Reduce(m, coordinates, coordinates.assembled, Eigen::VectorXd::Zero(m.nv)).M;
    ASSERT_EQ(factors.F.rows(), M_y.rows());
    const Eigen::Index n = M_y.rows();
    EXPECT_LT((factors.Inverse() * M_y - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-8) << seed;
  }
}

// An explicit fourth-order Runge-Kutta second without friction.
double EnergyDrift(const Model& model, int steps) {
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  ClosureSolver solver(m);
  ConstraintEmbeddingDynamics recursion(m, coordinates);
  Eigen::VectorXd q = coordinates.assembled, v = Eigen::VectorXd::Zero(m.nv);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
  const double before = EnergyOf(m, q, v).kinetic + EnergyOf(m, q, v).potential;
  const double h = 1.0 / steps;
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    Eigen::VectorXd a1, a2, a3, a4;
    EXPECT_EQ(recursion.ForwardDynamics(q, v, tau, a1), DynamicsStatus::kOk);
    const Eigen::VectorXd v2 = v + h / 2 * a1, q2 = m.Integrate(q, v, h / 2);
    EXPECT_EQ(recursion.ForwardDynamics(q2, v2, tau, a2), DynamicsStatus::kOk);
    const Eigen::VectorXd v3 = v + h / 2 * a2, q3 = m.Integrate(q, v2, h / 2);
    EXPECT_EQ(recursion.ForwardDynamics(q3, v3, tau, a3), DynamicsStatus::kOk);
    const Eigen::VectorXd v4 = v + h * a3, q4 = m.Integrate(q, v3, h);
    EXPECT_EQ(recursion.ForwardDynamics(q4, v4, tau, a4), DynamicsStatus::kOk);
    q = m.Integrate(q, (v + 2 * v2 + 2 * v3 + v4) / 6, h);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    const Energy energy = EnergyOf(m, q, v);
    largest = std::max(largest, energy.kinetic);
    if (i + 1 == steps) {
      EXPECT_GT(largest, 1);  // it does move
      EXPECT_LT(solver.Residual(q), 1e-4);
      return std::abs(energy.kinetic + energy.potential - before) / largest;
    }
  }
  return 0;
}

TEST(Dynamics, EnergyIsConservedToTheOrderOfTheIntegrator) {
  const Model model = ChainOfFourBars(2);
  const double coarse = EnergyDrift(model, 1000), fine = EnergyDrift(model, 2000);
  EXPECT_LT(fine, 1e-7);
  EXPECT_LT(fine, coarse / 8 + 1e-12);  // fourth order: a factor of 16
}

TEST(Dynamics, ChainsOfFourBarsAgreeWithKktToNineDigits) {
  for (const int stages : {1, 2, 8, 32}) {
    const Model model = ChainOfFourBars(stages);
    const Mechanism m = Compile(model);
    const Coordinates coordinates = AnalyseCoordinates(m);
    EXPECT_EQ(coordinates.rank, 2 * stages);
    EXPECT_TRUE(coordinates.independent_ok);
    ClosureSolver solver(m);
    Random random(7);
    const State s = RandomClosedState(m, coordinates, solver, random);
    ConstraintEmbeddingDynamics recursion(m, coordinates);
    Eigen::VectorXd qdd;
    ASSERT_EQ(recursion.ForwardDynamics(s.q, s.v, s.tau, qdd), DynamicsStatus::kOk);
    EXPECT_LT(RelativeDifference(qdd, ForwardDynamicsKkt(m, coordinates, s.q, s.v, s.tau).qdd),
              1e-9)
        << stages;
  }
}

Model Pendulum(double mass, double inertia) {
  Model model;
  Link link;
  link.name = "bob";
  link.inertial.emplace();
  link.inertial->mass = mass;
  link.inertial->I_I = inertia * Matrix3::Identity();
  const LinkId bob = model.AddLink(link);
  Joint joint;
  joint.name = "hinge", joint.kind = Revolute{Vector3::UnitY()};
  joint.axes.resize(1);
  model.AddJoint(kWorld, bob, joint);
  return model;
}

TEST(Dynamics, AMasslessLeafIsNamedAndGivesNoNaN) {
  for (const Model& model :
       {Pendulum(0, 0), Pendulum(2, 0)}) {  // a point mass on the axis resists no better
    const Mechanism m = Compile(model);
    const Coordinates coordinates = AnalyseCoordinates(m);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1), one = Eigen::VectorXd::Ones(1);
    const Accelerations kkt = ForwardDynamicsKkt(m, coordinates, zero, zero, one);
    EXPECT_EQ(kkt.status, DynamicsStatus::kSingularMass);
    EXPECT_EQ(kkt.body, 1);
    EXPECT_EQ(ForwardDynamicsProjected(m, coordinates, zero, zero, one).status,
              DynamicsStatus::kSingularMass);
    ConstraintEmbeddingDynamics recursion(m, coordinates);
    Eigen::VectorXd qdd;
    EXPECT_EQ(recursion.ForwardDynamics(zero, zero, one, qdd), DynamicsStatus::kSingularMass);
    EXPECT_EQ(recursion.body_at_fault(), 1);
    EXPECT_EQ(qdd, zero);
  }
}

// a = 2 b, said twice: once as it is, once squared. Velocities that keep neither contradict one of
// them.
TEST(Dynamics, RedundantRowsThatContradictTheOthersAreTold) {
  Model model = Pendulum(1, 1);
  Link link = model.link(*model.FindLink("bob"));
  link.name = "second bob";
  const LinkId second = model.AddLink(link);
  Joint joint;
  joint.name = "second hinge", joint.kind = Revolute{Vector3::UnitY()};
  joint.axes.resize(1);
  const JointId b = model.AddJoint(kWorld, second, joint), a = *model.FindJoint("hinge");
  Coupling once, squared;
  once.name = "once", once.terms = {{{a, 0}, {1, 0, 0, 0}}, {{b, 0}, {-2, 0, 0, 0}}};
  squared.name = "squared", squared.terms = {{{a, 0}, {0, 1, 0, 0}}, {{b, 0}, {0, -4, 0, 0}}};
  model.couplings = {once, squared};
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  ASSERT_EQ(coordinates.rank, 1);
  ConstraintEmbeddingDynamics recursion(m, coordinates);
  const Eigen::Vector2d q(0.6, 0.3), tau(0, 0);
  for (const auto& [v, status] : {std::pair(Eigen::Vector2d(1, 0.5), DynamicsStatus::kOk),
                                  {{1, 0}, DynamicsStatus::kInconsistent}}) {
    Eigen::VectorXd qdd;
    EXPECT_EQ(ForwardDynamicsKkt(m, coordinates, q, v, tau).status, status);
    EXPECT_EQ(ForwardDynamicsProjected(m, coordinates, q, v, tau).status, status);
    EXPECT_EQ(recursion.ForwardDynamics(q, v, tau, qdd), status);
  }
}

TEST(Dynamics, NotANumberInIsAStatusOut) {
  const Model model = Pendulum(1, 1);
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  const Eigen::VectorXd nan = Eigen::VectorXd::Constant(1, std::nan("")),
                        zero = Eigen::VectorXd::Zero(1);
  EXPECT_EQ(ForwardDynamicsKkt(m, coordinates, nan, zero, zero).status, DynamicsStatus::kNotFinite);
  ConstraintEmbeddingDynamics recursion(m, coordinates);
  Eigen::VectorXd qdd;
  EXPECT_EQ(recursion.ForwardDynamics(zero, nan, zero, qdd), DynamicsStatus::kNotFinite);
}

// What forces, limits and drives say is in the mechanism, and the model is not needed again.
TEST(Dynamics, TheMechanismHoldsWhatJointsDo) {
  auto model = std::make_unique<Model>();
  Link link;
  link.name = "arm", link.inertial.emplace();
  const LinkId arm = model->AddLink(link);
  Joint joint;
  joint.name = "slide", joint.kind = Prismatic{Vector3::UnitX()}, joint.role = JointRole::kTree;
  joint.axes.resize(1);
  joint.axes[0].damping = 2, joint.axes[0].friction = 0.5;
  joint.axes[0].spring_stiffness = 10, joint.axes[0].spring_reference = 0.1;
  joint.axes[0].lower = -1, joint.axes[0].upper = 2;
  joint.axes[0].limit_stiffness = 1e4, joint.axes[0].limit_dissipation = 3;
  const JointId id = model->AddJoint(kWorld, arm, joint);
  Actuator motor;
  motor.name = "motor", motor.joint = id, motor.gear = 5, motor.effort_upper = 7;
  model->actuators.push_back(motor);
  const Mechanism m = Compile(*model);
  model.reset();
  EXPECT_EQ(m.names, std::vector<std::string>{"slide"});
  EXPECT_EQ(m.bodies[1].name, "arm");
  EXPECT_EQ(m.friction, std::vector<double>{0.5});
  EXPECT_EQ(m.limit_stiffness, std::vector<double>{1e4});
  EXPECT_EQ(m.limit_dissipation, std::vector<double>{3});
  ASSERT_EQ(m.drives.size(), 1u);
  EXPECT_EQ(m.drives[0].name, "motor");
  EXPECT_EQ(m.drives[0].gear, 5);
  EXPECT_EQ(m.drives[0].upper, 7);
  EXPECT_EQ(m.drives[0].lower, -std::numeric_limits<double>::infinity());
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 0.4), v = Eigen::VectorXd::Constant(1, 3);
  EXPECT_DOUBLE_EQ(PassiveForces(m, q, v)[0], -2 * 3 - 10 * (0.4 - 0.1));
}

}  // namespace
}  // namespace kinemorph
