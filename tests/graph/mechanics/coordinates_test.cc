// Rank, mobility, independent coordinates, G and g.
#include "kinemorph/graph/mechanics/coordinates.h"

#include <gtest/gtest.h>

#include "chain_of_four_bars.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "random_mechanism.h"
#include "states.h"

namespace kinemorph {
namespace {

using test::ChainOfFourBars;
using test::RandomClosedState;
using test::RandomMechanism;
using test::RandomMechanismOptions;
using test::State;

// A planar four-bar with unit ground link; ground and moving pivots given by lengths, drawn with
// the crank at `angle`, loop type `kind`.
struct FourBar {
  double crank = 1, coupler = 1, rocker = 1, ground = 1, angle = 1.2;
  JointKind loop = Revolute{};
  RigidTransform tilt;  // of the rocker's hinge at the ground
  Model Build() const {
    Model model;
    model.format = "urdf+";
    model.unsaid = UnsaidIndependence::kEverywhere;
    const auto link = [&](const char* name) {
      Link l;
      l.name = name;
      Random random(3);
      l.inertial = test::RandomInertial(random);
      return model.AddLink(l);
    };
    const LinkId base = link("base"), a = link("crank"), b = link("coupler"), c = link("rocker");
    const double x = crank * std::cos(angle), y = crank * std::sin(angle);
    const double distance = std::hypot(ground - x, -y);
    const double to_rocker = std::atan2(-y, ground - x) +
                             std::acos((coupler * coupler + distance * distance - rocker * rocker) /
                                       (2 * coupler * distance));
    const double rocker_angle =
        std::atan2(y + coupler * std::sin(to_rocker), x + coupler * std::cos(to_rocker) - ground);
    const auto turned = [](double at, double by) {
      return RigidTransform{RotationFromRpy({0, 0, by}), Vector3(at, 0, 0)};
    };
    const auto hinge = [&](const char* name, LinkId p, LinkId s, const RigidTransform& X,
                           bool independent) {
      Joint joint;
      joint.name = name, joint.kind = Revolute{}, joint.X_PF = X, joint.role = JointRole::kTree,
      joint.independent = independent;
      joint.axes.resize(1);
      model.AddJoint(p, s, joint);
    };
    hinge("j1", base, a, turned(0, angle), true);
    hinge("j2", a, b, turned(crank, to_rocker - angle), false);
    hinge("j3", base, c, turned(ground, 0) * tilt * turned(0, rocker_angle), false);
    Joint joint;
    joint.name = "loop", joint.kind = loop, joint.role = JointRole::kLoop;
    joint.axes.resize(static_cast<std::size_t>(NumAxes(loop)));
    joint.X_PF = turned(coupler, 0);
    joint.X_SM = turned(rocker, to_rocker - rocker_angle);
    model.AddJoint(b, c, joint);
    return model;
  }
};

TEST(GapRank, NoiseFollowsAGap) {
  EXPECT_EQ(GapRank(Eigen::Vector3d(0.957, 0.245, 1.1e-6)), 2);  // rpy="1.5708" where pi/2 is meant
  EXPECT_EQ(GapRank(Eigen::Vector3d(0.957, 0.245, 1e-17)), 2);
  EXPECT_EQ(GapRank(Eigen::Vector3d(1, 0.01, 1e-3)), 3);  // no gap
  EXPECT_EQ(GapRank(Eigen::Vector3d(0, 0, 0)), 0);
  EXPECT_EQ(GapRank(Eigen::VectorXd()), 0);
}

TEST(Coordinates, APlanarFourBarHasRankTwoOfFiveRows) {
  const Model model = FourBar{0.25, 0.55, 0.35, 0.5, 1.2, Revolute{}, {}}.Build();
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_EQ(c.spanning_dof, 3);
  EXPECT_EQ(c.constraint_rows, 5);
  EXPECT_EQ(c.rank, 2);
  EXPECT_EQ(c.mobility, 1);
  EXPECT_EQ(c.redundant.size(), 3u);
  EXPECT_TRUE(c.independent_ok);
  EXPECT_EQ(c.independent_declared, 1);
  EXPECT_FALSE(c.open_at_zero);
  EXPECT_FALSE(c.singular_at_zero);
  EXPECT_TRUE(c.idle.empty());
}

TEST(Coordinates, ABallCutHasRankTwoOfThreeRowsAndTheSameMobility) {
  const Coordinates c =
      AnalyseCoordinates(Compile(FourBar{0.25, 0.55, 0.35, 0.5, 1.2, Ball{}, {}}.Build()));
  EXPECT_EQ(c.constraint_rows, 3);
  EXPECT_EQ(c.rank, 2);
  EXPECT_EQ(c.mobility, 1);
}

TEST(Coordinates, AHingeTiltedByTheDigitsOfATextStillTurns) {
  FourBar bar{0.25, 0.55, 0.35, 0.5, 1.2, Revolute{}, {}};
  bar.tilt = RigidTransform::Rotation(RotationFromRpy({3.7e-6, 0, 0}));
  const Coordinates c = AnalyseCoordinates(Compile(bar.Build()));
  EXPECT_EQ(c.rank, 2);
  EXPECT_EQ(c.mobility, 1);
  bar.tilt =
      RigidTransform::Rotation(RotationFromRpy({0.1, 0, 0}));  // this one is meant, and locks
  EXPECT_EQ(AnalyseCoordinates(Compile(bar.Build())).mobility, 0);
}

TEST(Coordinates, TheParallelogramHasTheExplicitJacobianOfThePaper) {
  const Model model = FourBar{1, 2, 1, 2, 1.2, Revolute{}, {}}.Build();
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  const Embedding e = Embed(m, c, c.assembled, Eigen::VectorXd::Zero(3));
  // Tree order: j1, j2, j3.
  EXPECT_LT((e.G - Eigen::Vector3d(1, -1, 1)).norm(), 1e-12);
  EXPECT_LT(e.g.norm(), 1e-12);
}

TEST(Coordinates, AParallelogramDrawnFlatIsSingularThere) {
  const Coordinates c = AnalyseCoordinates(Compile(FourBar{1, 2, 1, 2, 0, Revolute{}, {}}.Build()));
  EXPECT_TRUE(c.singular_at_zero);
  EXPECT_EQ(c.rank, 2);
  EXPECT_EQ(c.mobility, 1);
}

// Two cranks and two shins in a plane, the knees universal: drawn with both knees' second axes in
// one line, about which the shins can swing instead.
TEST(Coordinates, WhereBranchesMeetTheMobilityIsThatAwayFromThere) {
  Model model;
  const auto link = [&](const std::string& name) {
    Link l;
    l.name = name;
    return model.AddLink(l);
  };
  const auto add = [&](const std::string& name, LinkId p, LinkId s, const JointKind& kind,
                       const Vector3& at, JointRole role, const Vector3& on_s) {
    Joint joint;
    joint.name = name, joint.kind = kind, joint.X_PF.p = at, joint.X_SM.p = on_s, joint.role = role;
    joint.axes.resize(static_cast<std::size_t>(NumAxes(kind)));
    model.AddJoint(p, s, joint);
  };
  const Vector3 y = Vector3::UnitY();
  std::vector<LinkId> shins;
  for (const double side : {1.0, -1.0}) {
    const std::string n = side > 0 ? "1" : "2";
    const LinkId crank = link("crank" + n), shin = shins.emplace_back(link("shin" + n));
    add("hip" + n, kWorld, crank, Revolute{y}, Vector3(0.02 * side, 0, 0), JointRole::kTree,
        Vector3::Zero());
    add("knee" + n, crank, shin, Universal{y, Vector3::UnitX()}, Vector3(0.08 * side, 0, 0),
        JointRole::kTree, Vector3::Zero());
  }
  add("toe", shins[0], shins[1], Revolute{y}, Vector3(-0.1, 0, -0.2), JointRole::kLoop,
      Vector3(0.1, 0, -0.2));
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_EQ(c.spanning_dof, 6);
  EXPECT_EQ(c.mobility, 2);
  EXPECT_TRUE(c.singular_at_zero);
}

TEST(Coordinates, ALeadScrewFollowsTheSlideThatItMoves) {
  Model model;
  LinkId ids[2];
  for (int i = 0; i < 2; ++i) {
    Link link;
    link.name = i == 0 ? "table" : "spindle";
    ids[i] = model.AddLink(link);
  }
  Joint lift, motor, screw;
  lift.name = "lift", lift.kind = Prismatic{Vector3::UnitZ()}, lift.axes.resize(1);
  motor.name = "motor", motor.kind = Revolute{Vector3::UnitZ()}, motor.axes.resize(1);
  screw.name = "screw", screw.kind = Screw{Vector3::UnitZ(), 3e-4}, screw.axes.resize(1);
  screw.role = JointRole::kLoop;
  lift.axes[0].effort = 100;
  model.AddJoint(kWorld, ids[0], lift);
  model.AddJoint(kWorld, ids[1], motor);
  model.AddJoint(ids[1], ids[0], screw);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ASSERT_EQ(c.aggregates.size(), 2u);
  EXPECT_EQ(c.mobility, 1);
  ASSERT_EQ(c.aggregates[1].independent.size(), 1u);
  const int column = c.aggregates[1].independent[0];
  const int velocity = m.aggregates[1].velocity[static_cast<std::size_t>(column)];
  EXPECT_EQ(m.names[static_cast<std::size_t>(velocity)], "lift");
}

TEST(Coordinates, TooManyAndTooFewDeclaredCoordinatesAreTold) {
  Model model = FourBar{0.25, 0.55, 0.35, 0.5, 1.2, Revolute{}, {}}.Build();
  model.joint(*model.FindJoint("j3")).independent = true;
  const Coordinates over = AnalyseCoordinates(Compile(model));
  EXPECT_FALSE(over.independent_ok);
  EXPECT_EQ(over.independent_declared, 2);
  ASSERT_EQ(over.at_fault.size(), 1u);
  EXPECT_EQ(over.mobility, 1);
  model.joint(*model.FindJoint("j1")).independent = false;
  model.joint(*model.FindJoint("j3")).independent = false;
  const Coordinates under = AnalyseCoordinates(Compile(model));
  EXPECT_FALSE(under.independent_ok);
  EXPECT_EQ(under.independent_declared, 0);
  EXPECT_EQ(under.at_fault.size(), 1u);
}

TEST(Coordinates, TheRightNumberOfTheWrongJointsIsAFault) {
  // Two couplings tie j1 to j2 and j3 to j4: two are free, but not j1 and j2.
  Model model;
  model.format = "urdf+";
  model.unsaid = UnsaidIndependence::kEverywhere;
  LinkId parent = kWorld;
  for (int i = 1; i <= 4; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = "j" + std::to_string(i), joint.kind = Revolute{Vector3::UnitX()},
    joint.independent = i <= 2;
    joint.axes.resize(1);
    joint.X_PF.p = Vector3(0.1, 0.2, 0.3);
    model.AddJoint(parent, id, joint);
    parent = id;
  }
  for (const std::uint32_t i : {0u, 2u}) {
    Coupling coupling;
    coupling.name = i == 0 ? "first" : "second";
    coupling.terms = {{{JointId{i}, 0}, {1, 0, 0, 0}}, {{JointId{i + 1}, 0}, {-3, 0, 0, 0}}};
    model.couplings.push_back(coupling);
  }
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_EQ(c.mobility, 2);
  EXPECT_EQ(c.independent_declared, 2);
  EXPECT_FALSE(c.independent_ok);
}

TEST(Coordinates, ThreeParallelRodsMoveAlthoughTheCountSaysNo) {
  // A parallelogram with a third equal rod: two loops of rank 2 each, 3 together.
  Model model = FourBar{1, 2, 1, 2, 1.2, Revolute{}, {}}.Build();
  Link link;
  link.name = "third";
  const LinkId third = model.AddLink(link);
  Joint hinge;
  hinge.name = "j4", hinge.kind = Revolute{}, hinge.role = JointRole::kTree,
  hinge.independent = false;
  hinge.axes.resize(1);
  hinge.X_PF = {RotationFromRpy({0, 0, 1.2}), Vector3(1, 0, 0)};
  model.AddJoint(*model.FindLink("base"), third, hinge);
  Joint loop;
  loop.name = "loop2", loop.kind = Revolute{}, loop.role = JointRole::kLoop;
  loop.axes.resize(1);
  loop.X_PF.p = Vector3(1, 0, 0);
  loop.X_SM = {RotationFromRpy({0, 0, -1.2}), Vector3(1, 0, 0)};
  model.AddJoint(*model.FindLink("coupler"), third, loop);
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_EQ(c.rank, 3);
  EXPECT_EQ(c.mobility, 1);
}

TEST(Coordinates, ALoopThatCannotCloseIsTold) {
  // The rocker is too short to reach.
  Model model = FourBar{0.25, 0.55, 0.35, 0.5, 1.2, Revolute{}, {}}.Build();
  model.joint(*model.FindJoint("j3")).X_PF.p.x() = 5;
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_FALSE(c.assembles);
  EXPECT_TRUE(c.open_at_zero);
  EXPECT_GT(c.residual_at_zero, 1);
  EXPECT_TRUE(c.assembled.allFinite());
}

// ToddlerBot's neck, which nobody had moved, turned by 0.43 rad to a posture that is open by a third of
// what it is open by as drawn: frames of few digits close nowhere.
TEST(Coordinates, WhatCannotCloseStaysWhereItIsDrawn) {
  for (const double open : {1e-8, 1e-7, 1e-6}) {
    const RigidTransform tilt{RotationFromRpy({open, -open / 2, 0}), Vector3(0, 0, open / 3)};
    const Model model = FourBar{0.25, 0.5, 0.25, 0.5, 1.2, Revolute{}, tilt}.Build();
    const Coordinates c = AnalyseCoordinates(Compile(model));
    EXPECT_TRUE(c.assembles);
    EXPECT_EQ(c.mobility, 1);
    EXPECT_LT(c.assembled.lpNorm<Eigen::Infinity>(), 0.01) << open;
  }
}

// As Cassie's ankle: crank and coupler are in line as drawn, a dead centre of the driven rocker, but
// its limits leave it no place there.
TEST(Coordinates, ADeadCentreOutsideOfTheLimitsTurnsNoMotorAway) {
  const double angle = std::acos((0.36 + 0.25 - 0.102 * 0.102) / 0.6);
  for (const bool limited : {false, true}) {
    Model model = FourBar{0.1, 0.5, 0.102, 0.5, angle, Revolute{}, {}}.Build();
    model.unsaid = {};
    for (const char* name : {"j1", "j2", "j3"}) {
      Joint& joint = model.joint(*model.FindJoint(name));
      joint.independent.reset();
      if (name[1] == '3') joint.axes[0].effort = 5;
      if (name[1] != '2' && limited) joint.axes[0].lower = 0.5, joint.axes[0].upper = 2.4;
    }
    const Mechanism m = Compile(model);
    const Coordinates c = AnalyseCoordinates(m);
    EXPECT_EQ(c.mobility, 1);
    const AggregateCoordinates& loop =
        *std::ranges::find(c.aggregates, 3, &AggregateCoordinates::nv);
    ASSERT_EQ(loop.independent.size(), 1u);
    const Aggregate& g = m.aggregates[static_cast<std::size_t>(&loop - c.aggregates.data())];
    const int v = g.velocity[static_cast<std::size_t>(loop.independent[0])];
    EXPECT_EQ(m.names[static_cast<std::size_t>(v)] == "j3", limited);
  }
}

// Found by fuzzing: squares of such numbers are infinite, so that singular values say a rank for which
// no columns can be chosen. Whoever makes G by the mobility wrote behind its end.
TEST(Coordinates, AsManyAreIndependentAsMoveHoweverFarALoopIs) {
  for (const double far : {1e3, 1e12, 1e100, 1e160, 1e300}) {
    for (const JointKind& kind : {JointKind{Revolute{}}, JointKind{Ball{}}}) {
      Model model = FourBar{0.25, 0.55, 0.35, 0.5, 1.2, kind, {}}.Build();
      model.joint(*model.FindJoint("loop")).X_PF.p.x() = far;
      const Coordinates c = AnalyseCoordinates(Compile(model));
      int independent = 0;
      for (const AggregateCoordinates& aggregate : c.aggregates)
        independent += static_cast<int>(aggregate.independent.size());
      EXPECT_EQ(c.mobility, independent) << far;
      EXPECT_EQ(c.rank, c.spanning_dof - independent) << far;
    }
  }
}

TEST(Coordinates, ARodBetweenTwoBallsIsIdle) {
  Model model;
  const auto link = [&](const char* name) {
    Link l;
    l.name = name;
    return model.AddLink(l);
  };
  const LinkId arm = link("arm"), rod = link("rod"), slider = link("slider");
  const auto add = [&](const char* name, LinkId p, LinkId s, const JointKind& kind,
                       const Vector3& at, JointRole role, const Vector3& on_s) {
    Joint joint;
    joint.name = name, joint.kind = kind, joint.X_PF.p = at, joint.X_SM.p = on_s, joint.role = role;
    joint.axes.resize(static_cast<std::size_t>(NumAxes(kind)));
    model.AddJoint(p, s, joint);
  };
  add("shoulder", kWorld, arm, Revolute{Vector3::UnitX()}, Vector3::Zero(), JointRole::kTree,
      Vector3::Zero());
  add("ball", arm, rod, Ball{}, Vector3(0.1, 0.3, 0), JointRole::kTree, Vector3::Zero());
  add("rail", kWorld, slider, Prismatic{Vector3::UnitY()}, Vector3(0.5, 0.6, 0.2), JointRole::kTree,
      Vector3::Zero());
  add("end", rod, slider, Ball{}, Vector3(0.4, 0.3, 0.2), JointRole::kLoop, Vector3::Zero());
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_EQ(c.mobility, 2);
  ASSERT_EQ(c.idle.size(), 1u);
  EXPECT_EQ(c.idle[0], "rod");
}

TEST(Coordinates, ExplicitFormSolvesTheConstraints) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMechanismOptions options;
    options.links = 14, options.loops = 3, options.couplings = 2;
    const Model model = RandomMechanism(seed, options);
    const Mechanism m = Compile(model);
    const Coordinates c = AnalyseCoordinates(m);
    ClosureSolver solver(m);
    Random random(seed);
    const State s = RandomClosedState(m, c, solver, random, 0.3);
    const Embedding e = Embed(m, c, s.q, s.v);
    ASSERT_EQ(e.status, DynamicsStatus::kOk);
    const ConstraintRows rows = Constraints(m, s.q, s.v);
    const double scale = std::max(1.0, e.G.size() == 0 ? 0 : e.G.cwiseAbs().maxCoeff());
    if (e.G.size() > 0) { EXPECT_LT((rows.K * e.G).cwiseAbs().maxCoeff() / scale, 1e-9) << seed; }
    EXPECT_LT((rows.K * e.g - rows.k).lpNorm<Eigen::Infinity>() /
                  std::max(1.0, rows.k.lpNorm<Eigen::Infinity>()),
              1e-8)
        << seed;
    // g is the change of G along the motion.
    if (c.mobility == 0) continue;
    Eigen::VectorXd y(c.mobility);
    for (int i = 0; i < c.mobility; ++i) y[i] = s.v[e.independent[static_cast<std::size_t>(i)]];
    EXPECT_LT((e.G * y - s.v).norm(), 1e-8 * scale);
    const double h = 1e-5;
    const Eigen::VectorXd qa = m.Integrate(s.q, s.v + h / 2 * e.g, h),
                          qb = m.Integrate(s.q, s.v - h / 2 * e.g, -h);
    const Eigen::VectorXd rate = (Embed(m, c, qa, s.v).G - Embed(m, c, qb, s.v).G) * y / (2 * h);
    EXPECT_LT((rate - e.g).norm() / std::max(1.0, e.g.norm()), 1e-5 * scale) << seed;
  }
}

}  // namespace
}  // namespace kinemorph
