// Closed forms against Newton, against K and k, and against the published torso and elbows.
#include "kinemorph/graph/closures/explicit_closure.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "chain_of_four_bars.h"
#include "kinemorph/graph/closures/dead_centre.h"
#include "lab/independent_dynamics.h"
#include "load_model.h"
#include "paths.h"
#include "random_mechanism.h"
#include "series_parallel.h"

namespace kinemorph {
namespace {

using test::At;
using test::Builder;
using test::ChainOfFourBars;
using test::RandomAxis;
using test::RandomInertial;
using test::RandomTransform;
using test::RandomVector;
using test::ThreeCranks;
using test::Torso;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// Begins with a base turned anyhow.
struct OnBase : Builder {
  explicit OnBase(std::uint64_t seed)
      : Builder(seed), base(Add("base", kWorld, Fixed{}, RandomTransform(random, 1), false)) {}
  LinkId base;
  JointKind hinge = Revolute{Vector3::UnitZ()};
};

// Planar loops on a base turned anyhow: a crank that is known, and two joints that are not.
Model Planar(const std::string& form, std::uint64_t seed) {
  Builder b(seed);
  Random& random = b.random;
  const auto about = [&](double x) { return x + random.Uniform(-0.03, 0.03); };
  const JointKind hinge = Revolute{Vector3::UnitZ()};
  const double turn = random.Uniform(-0.4, 0.4);
  const JointKind slide = Prismatic{Vector3(std::cos(turn), std::sin(turn), 0)};
  const LinkId base = b.Add("base", kWorld, Fixed{}, RandomTransform(random, 1), false);
  const LinkId crank = b.Add("crank", base, hinge, At(0, 0), true);
  const RigidTransform tip = At(about(0.1), about(0.25));
  if (form == "hinge then slider") {
    const LinkId cylinder = b.Add("cylinder", base, hinge, At(about(-0.4), about(0.05)), false);
    const LinkId rod = b.Add("rod", cylinder, slide, At(about(0.2), about(0.1)), false);
    b.Close(crank, rod, tip, hinge);
  } else if (form == "slider then hinge") {
    const LinkId carriage = b.Add("carriage", base, slide, At(about(0.3), about(-0.1)), false);
    const LinkId rod = b.Add("rod", carriage, hinge, At(about(0.05), about(0.05)), false);
    b.Close(rod, crank, At(about(-0.25), about(0.35)), hinge);
  } else if (form == "hinge and slider") {
    const LinkId rod = b.Add("rod", crank, hinge, tip, false);
    const LinkId carriage = b.Add("carriage", base, slide, At(about(0.3), about(-0.1)), false);
    b.Close(carriage, rod, At(about(0.1), about(0.02)), hinge);
  } else if (form == "serial triangle") {
    const LinkId upper = b.Add("upper", base, hinge, At(about(0.4), about(0)), false);
    const LinkId lower = b.Add("lower", upper, hinge, At(about(0.1), about(0.3)), false);
    b.Close(crank, lower, tip, hinge);
  } else {  // triangle
    const LinkId coupler = b.Add("coupler", crank, hinge, tip, false);
    const LinkId rocker = b.Add("rocker", base, hinge, At(about(0.45), about(0)), false);
    b.Close(coupler, rocker, At(about(0.4), about(0.1)), hinge);
  }
  return b.model;
}

RigidTransform Tilted(Random& random, double x, double y, double z) {
  const Vector3 axis(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1));
  return {Eigen::AngleAxisd(random.Uniform(-0.2, 0.2), axis.normalized()).matrix(), {x, y, z}};
}

// A driven lever, and a crank whose rod (on a cross, with a ball at its end) must reach its tip;
// `form` says who carries whom.
Model CrankAndRod(const std::string& form, std::uint64_t seed) {
  Builder b(seed);
  Random& random = b.random;
  const JointKind x = Revolute{Vector3::UnitX()}, y = Revolute{Vector3::UnitY()},
                  z = Revolute{Vector3::UnitZ()};
  const LinkId base = b.Add("base", kWorld, Fixed{}, RandomTransform(random, 1), false);
  const LinkId lever = b.Add("lever", base, z, Tilted(random, 0, 0, 0), true);
  const RigidTransform tip = Tilted(random, 0.1, 0.3, 0.15), loop_at = At(0.25, 0.3, 0.1);
  if (form == "crank then rod" || form == "crank, rod and hand" || form == "hand on the lever") {
    const LinkId crank = b.Add("crank", base, z, Tilted(random, 0.5, 0, 0.1), false);
    const LinkId cross = b.Add("cross", crank, y, Tilted(random, 0.15, 0.1, 0.02), false);
    const LinkId rod = b.Add("rod", cross, z, At(0, 0, 0), false);
    if (form == "crank then rod") {
      b.Close(lever, rod, tip, Ball{});
    } else if (form == "crank, rod and hand") {
      const LinkId wrist = b.Add("wrist", rod, x, Tilted(random, -0.4, 0.1, 0.05), false);
      const LinkId hand = b.Add("hand", wrist, y, At(0, 0, 0), false);
      b.Close(hand, lever, {}, z);
    } else {
      const LinkId wrist = b.Add("wrist", lever, x, tip, false);
      const LinkId hand = b.Add("hand", wrist, y, At(0, 0, 0), false);
      b.Close(hand, rod, {}, z);
    }
  } else if (form == "rod then crank") {
    const LinkId cross = b.Add("cross", base, z, Tilted(random, 0.5, 0, 0.1), false);
    const LinkId rod = b.Add("rod", cross, Revolute{Vector3(0.6, 0.8, 0)}, At(0, 0, 0), false);
    const LinkId knee = b.Add("knee", rod, y, Tilted(random, -0.05, 0.3, 0.3), false);
    b.Close(lever, knee, tip, Ball{});
  } else {  // crank and rod
    const LinkId crank = b.Add("crank", base, z, Tilted(random, 0.5, 0, 0.1), false);
    const LinkId cross = b.Add("cross", lever, z, tip, false);
    const LinkId rod = b.Add("rod", cross, Revolute{Vector3(-0.8, 0.6, 0)}, At(0, 0, 0), false);
    b.Close(rod, crank, loop_at, Ball{});
  }
  return b.model;
}

// All axes through one point: the coupler on the driven hinge or with the rocker on one side.
Model SphericalFourBar(bool both_sides, std::uint64_t seed) {
  Builder b(seed);
  Random& random = b.random;
  const JointKind z = Revolute{Vector3::UnitZ()};
  const auto turned = [&](double about_x, double about_y) {
    const Matrix3 R = (Eigen::AngleAxisd(about_x + random.Uniform(-0.1, 0.1), Vector3::UnitX()) *
                       Eigen::AngleAxisd(about_y + random.Uniform(-0.1, 0.1), Vector3::UnitY()))
                          .matrix();
    return RigidTransform{R, Vector3::Zero()};
  };
  const LinkId base = b.Add("base", kWorld, Fixed{}, RandomTransform(random, 1), false);
  const LinkId crank = b.Add("crank", base, z, turned(0, 0), true);
  if (both_sides) {
    const LinkId coupler = b.Add("coupler", crank, z, turned(0.5, 0.2), false);
    const LinkId rocker = b.Add("rocker", base, z, turned(0.2, 1.2), false);
    b.Close(coupler, rocker, turned(0.3, 1.1), z);
  } else {
    const LinkId rocker = b.Add("rocker", base, z, turned(0.2, 1.2), false);
    const LinkId coupler = b.Add("coupler", rocker, z, turned(0.7, 0.2), false);
    b.Close(crank, coupler, turned(0.5, 0.2), z);
  }
  return b.model;
}

// At random y: closed, as Newton has it, K G = 0, K g = k; or told, and q untouched.
void ExpectRight(const Model& model, const std::string& described, double reach, int count,
                 int least_reached) {
  SCOPED_TRACE(described);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ASSERT_TRUE(c.independent_ok);
  ExplicitClosures analytical(m, c), numerical(m, c, {.closed_forms = false});
  ClosureSolver solver(m);
  Random random(9);
  int reached = 0;
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[U(a)];
    if (g.rows == 0) continue;
    EXPECT_EQ(analytical.Describe(a).detail, described);
    EXPECT_EQ(numerical.Describe(a).nature, ClosureNature::kNumerical);
    for (int i = 0; i < count; ++i) {
      Eigen::VectorXd q = c.assembled;
      for (const int column : c.aggregates[U(a)].independent)
        q[g.velocity[U(column)]] += random.Uniform(-reach, reach);  // one q for each v here
      for (const int column : c.aggregates[U(a)].dependent)
        q[g.velocity[U(column)]] = random.Uniform(-1, 1);  // must not matter
      const Eigen::VectorXd before = q;
      Eigen::VectorXd newton = q;
      const GammaStatus status = analytical.Position(a, q);
      ASSERT_TRUE(q.allFinite());
      const GammaStatus other = numerical.Position(a, newton);
      if (status != GammaStatus::kOk) {
        EXPECT_EQ(status, GammaStatus::kUnreachable);
        EXPECT_EQ(q, before);
        EXPECT_NE(other, GammaStatus::kOk);
        continue;
      }
      ++reached;
      EXPECT_LT(solver.Residual(a, q), 1e-11);
      if (other == GammaStatus::kOk) { EXPECT_LT((q - newton).lpNorm<Eigen::Infinity>(), 1e-10); }
      Eigen::MatrixXd G;
      Eigen::VectorXd rate, v = Eigen::VectorXd::Zero(m.nv);
      ASSERT_EQ(analytical.Velocity(a, q, G), GammaStatus::kOk);
      const Eigen::VectorXd yd = Eigen::VectorXd::Ones(G.cols());
      for (int k = 0; k < g.nv; ++k) v[g.velocity[U(k)]] = G.row(k).dot(yd);
      ASSERT_EQ(analytical.Acceleration(a, q, v, G, rate), GammaStatus::kOk);
      const ConstraintRows& rows = solver.Rows(a, q, &v);
      const double size = 1 + G.cwiseAbs().maxCoeff();
      EXPECT_LT((rows.K * G).cwiseAbs().maxCoeff(), 1e-10 * size);
      EXPECT_LT((rows.K * rate - rows.k).cwiseAbs().maxCoeff(), 1e-9 * size * size);
    }
  }
  EXPECT_GE(reached, least_reached);
}

TEST(ExplicitClosure, PlanarLoopsAreClosedForms) {
  const std::map<std::string, std::string> forms = {{"hinge then slider", "slider"},
                                                    {"slider then hinge", "slider"},
                                                    {"hinge and slider", "slider"},
                                                    {"serial triangle", "triangle"},
                                                    {"triangle", "triangle"}};
  for (const auto& [form, described] : forms) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(form + " " + std::to_string(seed));
      ExpectRight(Planar(form, seed), described, 0.4, 40, 15);
    }
  }
}

TEST(ExplicitClosure, LegsAreClosedForms) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ExpectRight(Torso(seed, false), "leg + leg", 0.3, 40, 40);
    ExpectRight(Torso(seed, true), "leg + leg", 0.3, 40, 40);
  }
}

TEST(ExplicitClosure, CranksAndRodsAreClosedForms) {
  const std::map<std::string, std::string> forms = {{"crank then rod", "crank and rod"},
                                                    {"rod then crank", "crank and rod"},
                                                    {"crank and rod", "crank and rod"},
                                                    {"crank, rod and hand", "crank, rod and cross"},
                                                    {"hand on the lever", "crank, rod and cross"}};
  for (const auto& [form, described] : forms) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(form + " " + std::to_string(seed));
      ExpectRight(CrankAndRod(form, seed), described, 0.3, 40, 20);
    }
  }
}

TEST(ExplicitClosure, ElbowsAndWristsAreClosedForms) {
  ExpectRight(test::Elbow(1), "slider", 0.5, 40, 40);
  ExpectRight(test::Wrist(1), "crank, rod and cross + slider + crank, rod and cross + slider", 0.3,
              40, 40);
}

// Closed with balls, the hands of the published wrist are held by no row.
TEST(ExplicitClosure, TheWristOfTenRowsHasIdleHands) {
  const Model model = test::Wrist(1, false);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  EXPECT_EQ(c.spanning_dof, 16);
  EXPECT_EQ(c.rank, 10);
  EXPECT_EQ(c.mobility, 6);
  EXPECT_EQ(c.idle, (std::vector<std::string>{"left_inner_hand", "left_outer_hand"}));
  EXPECT_EQ(c.idle_joints,
            (std::vector<std::string>{"left_inner_swivel_joint", "left_inner_hand_joint",
                                      "left_outer_swivel_joint", "left_outer_hand_joint"}));
  ExpectRight(model, "crank and rod + slider + crank and rod + slider", 0.3, 20, 20);
}

TEST(ExplicitClosure, SixLegsFromThePose) {
  const Model model = test::SixLegs(1);
  const Mechanism m = Compile(model);
  EXPECT_EQ(m.nv, 24);
  EXPECT_EQ(AnalyseCoordinates(m).rank, 18);
  ExpectRight(model, "leg + leg + leg + leg + leg + leg", 0.1, 20, 20);
}

TEST(ExplicitClosure, SphericalFourBarsAreClosedForms) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ExpectRight(SphericalFourBar(true, seed), "spherical", 0.4, 40, 20);
    ExpectRight(SphericalFourBar(false, seed), "spherical", 0.4, 40, 20);
  }
}

TEST(ExplicitClosure, FourBarsUponEachOther) {
  ExpectRight(ChainOfFourBars(3), "triangle", 0.3, 30, 90);
}

TEST(ExplicitClosure, OutOfReachIsAStatusAndEveryInputIsSafe) {
  const Model model = Planar("hinge then slider", 2);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ExplicitClosures closures(m, c), numerical(m, c, {.closed_forms = false});
  OnBase b(4);  // a four-bar whose crank does not get round
  const LinkId crank = b.Add("crank", b.base, b.hinge, At(0, 0), true);
  const LinkId coupler = b.Add("coupler", crank, b.hinge, At(0.1, 0.387), false);
  const LinkId rocker = b.Add("rocker", b.base, b.hinge, At(0.5, 0), false);
  b.Close(coupler, rocker, At(0.29, -0.057), b.hinge);
  const Model& bars = b.model;
  const Mechanism m_bars = Compile(bars);
  const Coordinates c_bars = AnalyseCoordinates(m_bars);
  ExplicitClosures closures_bars(m_bars, c_bars);
  const int last = static_cast<int>(m_bars.aggregates.size()) - 1;
  Random random(11);
  int unreachable = 0;
  ClosureSolver solver(m_bars);
  for (int i = 0; i < 20000; ++i) {
    Eigen::VectorXd q = c_bars.assembled;
    q[m_bars.aggregates[U(last)].velocity[U(c_bars.aggregates[U(last)].independent[0])]] =
        random.Uniform(-7, 7);
    const GammaStatus status = closures_bars.Position(last, q);
    ASSERT_TRUE(q.allFinite());
    if (status == GammaStatus::kOk)
      ASSERT_LT(solver.Residual(last, q), 1e-9) << i;
    else
      ++unreachable;
  }
  EXPECT_GT(unreachable, 100);
  Eigen::VectorXd q = c.assembled;
  q[0] = std::numeric_limits<double>::quiet_NaN();
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    if (m.aggregates[U(a)].rows == 0) continue;
    EXPECT_NE(closures.Position(a, q), GammaStatus::kOk);
    EXPECT_NE(numerical.Position(a, q), GammaStatus::kOk);
  }
}

TEST(ExplicitClosure, AParallelogramPassesItsChangePoint) {
  Builder b(1);
  const JointKind hinge = Revolute{Vector3::UnitZ()};
  const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
  const LinkId crank = b.Add("crank", base, hinge, At(0, 0), true);
  const LinkId coupler = b.Add("coupler", crank, hinge, At(0.1, 0.2), false);
  const LinkId rocker = b.Add("rocker", base, hinge, At(0.5, 0), false);
  b.Close(coupler, rocker, At(0.5, 0), hinge);
  ExpectRight(b.model, "parallelogram", 0.3, 20, 20);
  const Mechanism m = Compile(b.model);
  const Coordinates c = AnalyseCoordinates(m);
  ExplicitClosures closures(m, c);
  const int a = static_cast<int>(m.aggregates.size()) - 1;
  Eigen::VectorXd q = c.assembled;
  Eigen::MatrixXd G;
  for (int i = 0; i <= 10000; ++i) {  // all the way round, flat twice
    q[0] = i * 2 * 3.141592653589793 / 10000;
    ASSERT_EQ(closures.Position(a, q), GammaStatus::kOk);
    ASSERT_EQ(q[1], -q[0]);
    ASSERT_EQ(q[2], q[0]);
    ASSERT_EQ(closures.Velocity(a, q, G), GammaStatus::kOk);
    ASSERT_EQ(G, Eigen::MatrixXd(Eigen::Vector3d(1, -1, 1)));
  }
}

// Flat, the parallelogram cannot be told from the crossed one by its closed postures: by its sides.
// A crank of 0.1 and a rod of 0.3 on a slider: it stands still at the crank's ends of the way, and
// a crank longer than the rod does not get round.
TEST(ExplicitClosure, DeadCentresWithinTheLimits) {
  const auto found = [](double crank_length, double limit) {
    Builder b(1);
    const JointKind hinge = Revolute{Vector3::UnitZ()};
    const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
    const LinkId crank = b.Add("crank", base, hinge, At(0, 0), true);
    const LinkId rod = b.Add("rod", crank, hinge, At(0, crank_length), false);
    const double reach = std::sqrt(0.3 * 0.3 - crank_length * crank_length);
    const LinkId slide = b.Add("slide", base, Prismatic{Vector3::UnitX()}, At(reach, 0), false);
    b.Close(rod, slide, At(reach, -crank_length), hinge);
    Joint& driven = b.model.joint(*b.model.FindJoint("crank_joint"));
    driven.axes[0].lower = -limit, driven.axes[0].upper = limit;
    const Mechanism m = Compile(b.model);
    std::vector<std::pair<double, std::string>> all;
    const DeadCentreSearch search = FindDeadCentres(m, AnalyseCoordinates(m)).back();
    for (const DeadCentre& dead : search.found)
      all.emplace_back(dead.y.front(), dead.stands.empty() ? "" : m.names[U(dead.stands.front())]);
    return all;
  };
  EXPECT_TRUE(found(0.1, 1.5).empty());
  const auto both = found(0.1, 1.6);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NEAR(both[0].first, -1.5707963267948966, 1e-9);
  EXPECT_NEAR(both[1].first, 1.5707963267948966, 1e-9);
  EXPECT_EQ(both[0].second, "slide_joint");
  const auto drawn = found(0.2, 3);  // stands still in line, forth and back
  EXPECT_EQ(drawn.size(), 2u);
}

// y = slope x + bend x^2, drawn at x = 0, with all numbers exact; z = x up to `most`.
std::vector<double> DeadCentresOfParabola(double slope, double bend, double lower, double upper,
                                          double most = 1) {
  Builder b(1);
  const LinkId x = b.Add("x", kWorld, Prismatic{Vector3::UnitX()}, {}, true);
  b.Add("y", x, Prismatic{Vector3::UnitY()}, {}, false);
  b.Add("z", x, Prismatic{Vector3::UnitZ()}, {}, false);
  b.model.joint(JointId{0}).axes[0].lower = lower, b.model.joint(JointId{0}).axes[0].upper = upper;
  b.model.joint(JointId{2}).axes[0].lower = -1, b.model.joint(JointId{2}).axes[0].upper = most;
  Coupling parabola, along;
  parabola.name = "parabola", along.name = "along";
  parabola.terms = {{{JointId{1}, 0}, {1, 0, 0, 0}}, {{JointId{0}, 0}, {-slope, -bend, 0, 0}}};
  along.terms = {{{JointId{2}, 0}, {1, 0, 0, 0}}, {{JointId{0}, 0}, {-1, 0, 0, 0}}};
  b.model.couplings = {parabola, along};
  Mechanism m = Compile(b.model);
  m.length = 1;  // as far as is looked
  const DeadCentreSearch search = FindDeadCentres(m, AnalyseCoordinates(m)).back();
  std::vector<double> all;
  for (const DeadCentre& dead : search.found) all.push_back(dead.y.front());
  return all;
}

TEST(ExplicitClosure, DeadCentresExactlyOnASample) {
  for (const double sign : {-1.0, 1.0}) {
    const std::vector<double> between = DeadCentresOfParabola(-sign / 2, sign, 0, 0.5),
                              at_limit = DeadCentresOfParabola(-sign / 2, sign, 0, 0.25);
    ASSERT_EQ(between.size(), 1u) << sign;
    EXPECT_NEAR(between[0], 0.25, 1e-9);
    ASSERT_EQ(at_limit.size(), 1u) << sign;
    EXPECT_NEAR(at_limit[0], 0.25, 1e-9);
    EXPECT_EQ(DeadCentresOfParabola(0, sign, -0.5, 0.5), std::vector<double>{0}) << sign;
    EXPECT_EQ(DeadCentresOfParabola(0, sign, 0, 0.5), std::vector<double>{0}) << sign;
  }
}

// The limit of z lies between two samples, and the dead centre before it.
TEST(ExplicitClosure, DeadCentresBetweenTheLastSampleAndALimit) {
  const std::vector<double> before = DeadCentresOfParabola(-0.5, 1, 0, 0.51, 0.251);
  ASSERT_EQ(before.size(), 1u);
  EXPECT_NEAR(before[0], 0.25, 1e-9);
  EXPECT_TRUE(DeadCentresOfParabola(-0.5, 1, 0, 0.51, 0.2499).empty());
}

// The slider along the rocker's axis has rates of round-off, whose signs say nothing.
TEST(ExplicitClosure, ASliderThatTheLoopHoldsHasNoDeadCentres) {
  OnBase b(4);
  const RigidTransform tilted = RandomTransform(b.random, 1);
  const LinkId crank = b.Add("crank", b.base, b.hinge, tilted, true);
  const LinkId coupler = b.Add("coupler", crank, b.hinge, At(0, 0.2), false);
  const LinkId slide =
      b.Add("slide", b.base, Prismatic{Vector3::UnitZ()}, tilted * At(0.5, 0), false);
  const LinkId rocker = b.Add("rocker", slide, b.hinge, {}, false);
  b.Close(coupler, rocker, At(0.55, 0.1), b.hinge);
  Joint& driven = b.model.joint(*b.model.FindJoint("crank_joint"));
  driven.axes[0].lower = -1, driven.axes[0].upper = 1;
  const Mechanism m = Compile(b.model);
  const DeadCentreSearch search = FindDeadCentres(m, AnalyseCoordinates(m)).back();
  EXPECT_EQ(search.ways, 2);
  EXPECT_TRUE(search.found.empty());
}

// Three of them side by side: each has its own, in one walk as in two.
TEST(ExplicitClosure, DeadCentresOfEveryAggregateInOneWalk) {
  const Model model = ThreeCranks();
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  std::vector<DeadCentreSearch> searches;
  const std::vector<ClosureDescription> closures = DescribeClosures(m, c, searches);
  const std::vector<ClosureDescription> alone = DescribeClosures(m, c);
  ASSERT_EQ(closures.size(), alone.size());
  ASSERT_EQ(searches.size(), alone.size());
  std::vector<std::string> stand;
  for (std::size_t a = 0; a < alone.size(); ++a) {
    EXPECT_EQ(closures[a].detail, alone[a].detail);
    for (const DeadCentre& each : searches[a].found) {
      EXPECT_NEAR(std::abs(each.y.front()), 1.5707963267948966, 1e-9);
      const std::string slide = m.names[U(each.stands.front())];
      const LinkId crank = *model.FindLink("crank" + slide.substr(5, 1));
      EXPECT_EQ(m.bodies[U(m.body_of[Index(crank)])].aggregate, static_cast<int>(a));
      stand.push_back(slide);
    }
  }
  EXPECT_EQ(stand, std::vector<std::string>(
                       {"slide1_joint", "slide1_joint", "slide3_joint", "slide3_joint"}));
  EXPECT_EQ(FindDeadCentres(m, c).size(), searches.size());
}

TEST(ExplicitClosure, ALoopThatEndsIsADeadCentre) {
  Builder b(4);  // a four-bar whose crank does not get round
  const JointKind hinge = Revolute{Vector3::UnitZ()};
  const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
  const LinkId crank = b.Add("crank", base, hinge, At(0, 0), true);
  const LinkId coupler = b.Add("coupler", crank, hinge, At(0.1, 0.387), false);
  const LinkId rocker = b.Add("rocker", base, hinge, At(0.5, 0), false);
  b.Close(coupler, rocker, At(0.29, -0.057), hinge);
  const Mechanism m = Compile(b.model);
  const std::vector<DeadCentre> ends = FindDeadCentres(m, AnalyseCoordinates(m)).back().found;
  ASSERT_FALSE(ends.empty());
  // Coupler and rocker in line there: the crank's pin as far from the rocker's as both are long.
  const double coupler_length = std::hypot(0.29, 0.057), rocker_length = std::hypot(0.11, 0.33);
  for (const DeadCentre& end : ends) {
    EXPECT_TRUE(end.stands.empty());
    const double a = std::atan2(0.387, 0.1) + end.y.front(), r = std::hypot(0.1, 0.387);
    const double apart = std::hypot(r * std::cos(a) - 0.5, r * std::sin(a));
    const double nearest = std::min(std::abs(apart - coupler_length - rocker_length),
                                    std::abs(apart - std::abs(coupler_length - rocker_length)));
    EXPECT_NEAR(nearest, 0, 1e-6);
  }
}

// A torso whose cylinders carry it off: within narrow limits they determine its posture, turned far
// enough they lie in line with what they turn.
TEST(ExplicitClosure, DeadCentresOfMoreFreedomsAreLookedForAlongWays) {
  const auto search = [](double limit) {
    Model model = Torso(1, false);
    for (const char* name : {"cross_joint", "platform_joint"}) {
      Joint& joint = model.joint(*model.FindJoint(name));
      joint.axes[0].lower = -limit, joint.axes[0].upper = limit;
    }
    return test::Robot(std::move(model));
  };
  const test::Robot narrow = search(0.3), wide = search(3);
  const DeadCentreSearch none = FindDeadCentres(narrow.m, narrow.c).back();
  EXPECT_EQ(none.why_not, "");
  EXPECT_GT(none.ways, 4);
  EXPECT_TRUE(none.found.empty());
  const DeadCentreSearch some = FindDeadCentres(wide.m, wide.c).back();
  ASSERT_FALSE(some.found.empty());
  const DeadCentre& dead = some.found.front();
  ASSERT_EQ(dead.stands.size(), 2u);
  // There the rates of the two cylinders are one multiple of each other.
  ExplicitClosures closures(wide.m, wide.c);
  const int a = static_cast<int>(wide.m.aggregates.size()) - 1;
  const Aggregate& g = wide.m.aggregates.back();
  Eigen::VectorXd q = wide.c.assembled;
  for (std::size_t i = 0; i < 2; ++i)
    q[g.velocity[U(wide.c.aggregates.back().independent[i])]] = dead.y[i];
  Eigen::MatrixXd G;
  ASSERT_EQ(closures.Position(a, q), GammaStatus::kOk);
  ASSERT_EQ(closures.Velocity(a, q, G), GammaStatus::kOk);
  Eigen::Matrix2d of_cylinders;
  for (int i = 0; i < 2; ++i) {
    const auto at = std::find(g.velocity.begin(), g.velocity.end(), dead.stands[U(i)]);
    of_cylinders.row(i) = G.row(at - g.velocity.begin());
  }
  EXPECT_GT(of_cylinders.norm(), 0.05);
  EXPECT_NEAR(of_cylinders.determinant(), 0, 1e-9);
}

// Balls that depend as a whole are coordinates as others are: the turn between two postures counts.
TEST(ExplicitClosure, BallsThatDependAreSolvedOnTheirQuaternions) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Builder b(seed);
    // A four-bar in space: a crank, a rod on a ball, and a rocker on a universal joint's axes.
    const LinkId base = b.Add("base", kWorld, Fixed{}, RandomTransform(b.random, 1), false);
    const LinkId crank = b.Add("crank", base, Revolute{Vector3::UnitZ()}, At(0, 0), true);
    const LinkId rod = b.Add("rod", crank, Ball{}, At(0.1, 0.02, 0.03), false);
    const LinkId rocker = b.Add("rocker", base, Revolute{RandomAxis(b.random)}, At(0.5, 0), false);
    b.Close(rod, rocker, At(0.3, 0.2, 0.1), Universal{Vector3::UnitX(), Vector3::UnitY()});
    const test::Robot robot(b.model);
    if (!robot.c.assembles || robot.c.mobility != 1 || !robot.c.independent_ok) continue;
    SCOPED_TRACE(seed);
    const ClosureComparison c = CompareClosures(robot.m, robot.c, 20).back();
    EXPECT_EQ(c.lost, 0);
    EXPECT_LE(c.position, 1e-10);
    EXPECT_LE(c.velocity, 1e-10);
    EXPECT_LE(c.acceleration, 1e-10);
    compared += c.states;
  }
  EXPECT_GT(compared, 300);
}

TEST(ExplicitClosure, AParallelogramDrawnFlatIsOne) {
  for (const bool turned_about : {false, true}) {
    Builder b(1);
    const JointKind hinge = Revolute{Vector3::UnitZ()},
                    back = Revolute{Vector3(0, 0, turned_about ? -1 : 1)};
    const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
    const LinkId rocker = b.Add("rocker", base, back, At(1, 0), false);
    const LinkId crank = b.Add("crank", base, hinge, At(0, 0), true);
    const LinkId coupler = b.Add("coupler", crank, back, At(0.5, 0), false);
    b.Close(rocker, coupler, At(0.5, 0), hinge);
    const Mechanism m = Compile(b.model);
    const Coordinates c = AnalyseCoordinates(m);
    EXPECT_TRUE(c.singular_at_zero);
    ExplicitClosures closures(m, c);
    ClosureSolver solver(m);
    const int a = static_cast<int>(m.aggregates.size()) - 1;
    EXPECT_EQ(closures.Describe(a).detail, "parallelogram");
    const int driven = m.bodies[U(m.body_of[Index(crank)])].q;
    for (int i = -1000; i <= 1000; ++i) {
      Eigen::VectorXd q = c.assembled;
      q[driven] = i * 0.003;
      ASSERT_EQ(closures.Position(a, q), GammaStatus::kOk);
      ASSERT_LT(solver.Residual(a, q), 1e-15);
      ASSERT_EQ(q[m.bodies[U(m.body_of[Index(rocker)])].q], (turned_about ? -1 : 1) * q[driven]);
    }
  }
}

TEST(ExplicitClosure, APathKeepsItsBranch) {
  const Model model = Torso(3, true);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ExplicitClosures closures(m, c);
  const int a = static_cast<int>(m.aggregates.size()) - 1;
  Eigen::VectorXd q = c.assembled;
  for (int i = 1; i <= 10000; ++i) {
    const Eigen::VectorXd before = q;
    q[0] = 0.3 * std::sin(0.01 * i), q[1] = 0.3 * std::sin(0.017 * i);
    ASSERT_EQ(closures.Position(a, q), GammaStatus::kOk);
    ASSERT_LT((q - before).lpNorm<Eigen::Infinity>(), 0.03);
  }
}

// The whole robot of the paper: every aggregate in closed form, ten thousand steps on its branch.
TEST(ExplicitClosure, TheFullRobotKeepsItsBranches) {
  const Model model = test::ReducedRobot(1, true);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  IndependentDynamics dynamics(m, c);
  std::multiset<std::string> found;
  for (const ClosureDescription& closure : DescribeClosures(m, c))
    if (closure.nature != ClosureNature::kNone) found.insert(closure.detail);
  const std::string wrist = "crank, rod and cross + slider + crank, rod and cross + slider";
  EXPECT_EQ(found, (std::multiset<std::string>{"leg + leg", "slider", "slider", wrist, wrist,
                                               "coupling + coupling + coupling"}));
  Eigen::VectorXd y_0, y, q = c.assembled;
  dynamics.PositionOf(c.assembled, y_0);
  const Eigen::VectorXd yd = Eigen::VectorXd::Zero(dynamics.num_velocities());
  for (int i = 1; i <= 10000; ++i) {
    y = y_0;
    for (Eigen::Index j = 0; j < y.size(); ++j)
      y[j] += 0.25 * std::sin(0.01 * i * (1 + 0.07 * static_cast<double>(j)));
    ASSERT_EQ(dynamics.Move(y, yd), DynamicsStatus::kOk) << i;
    ASSERT_LT((dynamics.q() - q).lpNorm<Eigen::Infinity>(), 0.05) << i;
    q = dynamics.q();
  }
}

// Where Newton closes the loops it does so one by one, and gives what the closed forms give.
TEST(ExplicitClosure, NumericalAggregatesAreSolvedLoopByLoop) {
  const Model model = test::ReducedRobot(1, true);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ExplicitClosures formulas(m, c),
      newton(m, c, {.numerical = std::vector<bool>(m.aggregates.size(), true)});
  const std::string leg = "numerical (1 loop, 3 unknown)", hand = "numerical (1 loop, 5 unknown)",
                    slider = "numerical (1 loop, 2 unknown)";
  const std::map<std::string, std::string> described = {
      {"leg + leg", leg + " + " + leg},
      {"slider", "1 loop, 2 unknown"},
      {"crank, rod and cross + slider + crank, rod and cross + slider",
       hand + " + " + slider + " + " + hand + " + " + slider}};
  Random random(4);
  std::multiset<std::string> found;
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const auto detail = described.find(formulas.Describe(a).detail);
    if (detail == described.end()) continue;
    found.insert(detail->first);
    EXPECT_EQ(newton.Describe(a).detail, detail->second);
    EXPECT_EQ(newton.Describe(a).nature, ClosureNature::kNumerical);
    for (int i = 0; i < 20; ++i) {
      Eigen::VectorXd q = c.assembled, v = Eigen::VectorXd::Ones(m.nv), g, g_newton;
      for (const int column : c.aggregates[U(a)].independent)
        q[m.aggregates[U(a)].velocity[U(column)]] += random.Uniform(-0.25, 0.25);
      Eigen::VectorXd q_newton = q, v_newton = v;
      Eigen::MatrixXd G, G_newton;
      ASSERT_EQ(formulas.State(a, q, v, G, g), GammaStatus::kOk);
      ASSERT_EQ(newton.State(a, q_newton, v_newton, G_newton, g_newton), GammaStatus::kOk);
      EXPECT_LT((q - q_newton).lpNorm<Eigen::Infinity>(), 1e-10);
      EXPECT_LT((v - v_newton).lpNorm<Eigen::Infinity>(), 1e-9);
      EXPECT_LT((G - G_newton).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT((g - g_newton).lpNorm<Eigen::Infinity>(), 1e-8 * (1 + g.lpNorm<Eigen::Infinity>()));
    }
  }
  EXPECT_EQ(found.size(), 5u);
}

TEST(ExplicitClosure, GearsAndMimicsAreLinear) {
  Builder b(5);
  LinkId link = kWorld;
  for (int i = 0; i < 4; ++i)
    link = b.Add("l" + std::to_string(i), link, Revolute{RandomAxis(b.random)},
                 RandomTransform(b.random, 0.3), i == 0);
  for (std::uint32_t i = 1; i < 4; ++i) {
    Coupling coupling;
    coupling.name = "gear" + std::to_string(i);
    coupling.terms = {{{JointId{i}, 0}, {2, 0, 0, 0}}, {{JointId{i - 1}, 0}, {-3, 0, 0, 0}}};
    coupling.constant = 0.1 * i;
    b.model.couplings.push_back(coupling);
  }
  ExpectRight(b.model, "coupling + coupling + coupling", 1, 20, 20);
}

TEST(ExplicitClosure, ComparedWithNewtonByAggregate) {
  const Model model = ChainOfFourBars(2);
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  const std::vector<ClosureDescription> described = DescribeClosures(m, c);
  const std::vector<ClosureComparison> compared = CompareClosures(m, c, 20);
  ASSERT_EQ(described.size(), m.aggregates.size());
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const bool loops = m.aggregates[a].rows > 0;
    EXPECT_EQ(described[a].nature, loops ? ClosureNature::kClosedForm : ClosureNature::kNone);
    EXPECT_EQ(compared[a].states, loops ? 20 : 0);
    EXPECT_EQ(compared[a].lost, 0);
    EXPECT_LT(compared[a].position, 1e-10);
    EXPECT_LT(compared[a].velocity, 1e-10);
    EXPECT_LT(compared[a].acceleration, 1e-9);
  }
}

TEST(ExplicitClosure, WhatCannotMoveIsComparedToo) {
  OnBase b(3);
  const LinkId left = b.Add("left", b.base, b.hinge, At(0, 0), false);
  const LinkId right = b.Add("right", b.base, b.hinge, At(0.4, 0), false);
  b.Close(left, right, At(0.2, 0.3), b.hinge);
  const Mechanism m = Compile(b.model);
  const Coordinates c = AnalyseCoordinates(m);
  ASSERT_EQ(c.mobility, 0);
  for (const ClosureComparison& compared : CompareClosures(m, c, 5)) {
    EXPECT_EQ(compared.lost, 0);
    EXPECT_LT(compared.position, 1e-10);
  }
}

// A loop that no formula here knows, and one that does: solved one after the other.
TEST(ExplicitClosure, NumericalStepsStandBesideClosedForms) {
  OnBase b(8);
  const LinkId crank = b.Add("crank", b.base, b.hinge, At(0, 0), true);
  const LinkId coupler = b.Add("coupler", crank, b.hinge, At(0.1, 0.25), false);
  const LinkId rocker = b.Add("rocker", b.base, b.hinge, At(0.45, 0), false);
  b.Close(coupler, rocker, At(0.4, 0.1), b.hinge);
  // On the rocker a rod between skew hinges and a ball: three unknown joints, no two parallel.
  const LinkId arm =
      b.Add("arm", b.base, Revolute{Vector3(0.2, 1, 0.3).normalized()}, At(0.6, 0.1, 0.2), false);
  const LinkId fore =
      b.Add("fore", arm, Revolute{Vector3(1, 0.2, 0.1).normalized()}, At(0.1, 0.1, 0.2), false);
  const LinkId hand =
      b.Add("hand", fore, Revolute{Vector3(0.1, 0.3, 1).normalized()}, At(-0.15, 0.1, 0.1), false);
  b.Close(rocker, hand, At(0.05, 0.3, 0.1), Ball{});
  ExpectRight(b.model, "triangle + numerical (1 loop, 3 unknown)", 0.15, 30, 20);
}

// The torso and the elbows of RH5 Manus, closed where the published file says (frame of the cut
// joint's child).
TEST(ExplicitClosure, TheTorsoAndElbowsOfThePaper) {
  const std::string file = test::SharedDir() +
                           "/data/urdf_plus/dfki_hybrid_numerical_analytical/model/" +
                           "submechanisms_urdf/submechanisms_reduced.urdf";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  std::string why;
  std::optional<Model> read = test::LoadModel(file, why);
  ASSERT_TRUE(read) << why;
  Model& model = *read;
  for (const JointId id : Joints(model)) model.joint(id).independent = true;
  for (const char* name : {"BodyBL1", "BodyBL2", "BodyActL", "BodyBR1", "BodyBR2", "BodyActR",
                           "ALElbowB11", "ALElbowAct", "ARElbowB11", "ARElbowAct"})
    model.joint(*model.FindJoint(name)).independent = false;
  const Mechanism tree = Compile(model);
  const std::vector<RigidTransform> X_W = Poses(tree, tree.ZeroPosition());
  const auto pose = [&](LinkId id) { return X_W[U(tree.body_of[Index(id)])]; };
  const auto close = [&](const char* cut, const char* other, const JointKind& kind) {
    const LinkId s = model.successor(*model.FindJoint(cut)), p = *model.FindLink(other);
    Joint loop;
    loop.name = std::string(cut) + "_loop", loop.kind = kind, loop.role = JointRole::kLoop;
    loop.axes.resize(U(NumAxes(kind)));
    loop.X_PF = pose(p).inverse() * pose(s);
    model.AddJoint(p, s, loop);
  };
  close("BodyActL", "BodyRoll_Link", Ball{}), close("BodyActR", "BodyRoll_Link", Ball{});
  close("ALElbowAct", "ALElbow_Link", Revolute{Vector3::UnitX()});
  close("ARElbowAct", "ARElbow_Link", Revolute{Vector3::UnitX()});

  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  EXPECT_EQ(c.spanning_dof, 23);
  EXPECT_EQ(c.rank, 10);
  EXPECT_EQ(c.mobility, 13);
  ASSERT_TRUE(c.independent_ok);
  ExplicitClosures closures(m, c);
  const auto column = [&](const char* name) {
    for (int v = 0; v < m.nv; ++v)
      if (m.names[static_cast<std::size_t>(v)] == name) return v;
    return -1;
  };
  std::multiset<std::string> found;
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a)
    if (m.aggregates[U(a)].rows > 0) found.insert(closures.Describe(a).detail);
  EXPECT_EQ(found, (std::multiset<std::string>{"leg + leg", "slider", "slider"}));

  Eigen::VectorXd q = m.ZeroPosition(), v = Eigen::VectorXd::Zero(m.nv), qdd = v;
  const std::map<const char*, std::array<double, 2>> y = {
      {"BodyPitch", {0.3, 1}}, {"BodyRoll", {-0.2, 0.5}}, {"ALElbow", {-1, 1}}};
  for (const auto& [name, at] : y) q[column(name)] = at[0], v[column(name)] = at[1];
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[U(a)];
    Eigen::MatrixXd G;
    Eigen::VectorXd rate;
    ASSERT_EQ(closures.Position(a, q), GammaStatus::kOk);
    ASSERT_EQ(closures.Velocity(a, q, G), GammaStatus::kOk);
    Eigen::VectorXd yd(G.cols());
    for (Eigen::Index i = 0; i < yd.size(); ++i)
      yd[i] = v[g.velocity[U(c.aggregates[U(a)].independent[static_cast<std::size_t>(i)])]];
    for (int k = 0; k < g.nv; ++k) v[g.velocity[U(k)]] = G.row(k).dot(yd);
    ASSERT_EQ(closures.Acceleration(a, q, v, G, rate), GammaStatus::kOk);
    for (int k = 0; k < g.nv; ++k) qdd[g.velocity[U(k)]] = rate[k];
  }
  const auto expect = [&](const char* name, double position, double velocity, double rate) {
    EXPECT_NEAR(q[column(name)], position, 6e-11) << name;
    EXPECT_NEAR(v[column(name)], velocity, 2e-6) << name;
    EXPECT_NEAR(qdd[column(name)], rate, 2e-6) << name;
  };
  expect("BodyBL1", -0.0010986618, 0.0823057140 + 0.5 * 0.1011221918, -0.1061376243);
  expect("BodyBL2", 0.0252683628, 0.1306443568 + 0.5 * 0.0902218200, 0.4805312512);
  expect("BodyActL", 0.0115294182, 0.0840458605 + 0.5 * 0.0732567421, -0.0480510192);
  expect("BodyBR1", -0.0562128100, -0.0510331640 + 0.5 * 0.1791325081, -0.0415013424);
  expect("BodyBR2", 0.0564806893, 0.2152120743 - 0.5 * 0.0656661344, -0.0324840689);
  expect("BodyActR", 0.0385960173, 0.0785048270 - 0.5 * 0.0608976342, -0.0438800482);
  expect("ALElbowB11", -0.2418231103, 0.177981, 0.195917);
  expect("ALElbowAct", -0.0511393727, 0.074310, -0.035739);

  // Forces of a whole state: y in the order of the published list, yd_i = .1 i,
  // ydd_i = .05 (14 - i).
  const std::vector<std::pair<std::string, double>> state = {
      {"BodyPitch", .1},    {"BodyRoll", -.1},    {"BodyYaw", .2},      {"ALShoulder1", .3},
      {"ALShoulder2", .2},  {"ALShoulder3", -.1}, {"ALElbow", -.8},     {"ALWristRoll", .4},
      {"ARShoulder1", -.3}, {"ARShoulder2", .25}, {"ARShoulder3", .15}, {"ARElbow", -1},
      {"ARWristRoll", -.2}};
  const std::vector<std::pair<std::string, double>> golden = {
      {"BodyActL", 23.67532221},   {"BodyActR", -54.32108535},  {"BodyYaw", .56135467},
      {"ALShoulder1", 1.85784188}, {"ALShoulder2", 1.13321266}, {"ALShoulder3", .19568515},
      {"ALElbowAct", -3.84706690}, {"ARShoulder1", -.91790517}, {"ARShoulder2", 2.08230344},
      {"ARShoulder3", -.05223842}, {"ARElbowAct", -3.51738736}};
  const std::map<std::string, double> golden_y = {{"BodyPitch", -2.64791136},
                                                  {"BodyRoll", 5.31665638},
                                                  {"ALElbow", -.25540342},
                                                  {"ARElbow", -.26137783}};
  std::vector<int> actuated;
  for (const auto& [name, force] : golden) actuated.push_back(column(name.c_str()));
  for (const bool closed_forms : {true, false}) {
    IndependentDynamics dynamics(m, c, {.closed_forms = closed_forms}, actuated);
    Eigen::VectorXd at_y(13), yd(13), ydd(13), tau_y, tau_u, back;
    for (int j = 0; j < 13; ++j) {
      const std::string name = m.names[static_cast<std::size_t>(dynamics.independent()[U(j)])];
      const auto at =
          std::find_if(state.begin(), state.end(), [&](auto& s) { return s.first == name; });
      ASSERT_NE(at, state.end()) << name;
      const double i = 1 + static_cast<double>(at - state.begin());
      at_y[j] = at->second, yd[j] = .1 * i, ydd[j] = .05 * (14 - i);
    }
    ASSERT_EQ(dynamics.InverseDynamics(at_y, yd, ydd, tau_y), DynamicsStatus::kOk);
    ASSERT_EQ(dynamics.ActuatorForces(tau_y, tau_u), DynamicsStatus::kOk);
    // 1e-8 relative to the largest; the facts have as many digits.
    for (std::size_t u = 0; u < golden.size(); ++u)
      EXPECT_NEAR(tau_u[static_cast<Eigen::Index>(u)], golden[u].second, 5.4e-7) << golden[u].first;
    for (int j = 0; j < 13; ++j) {
      const auto at =
          golden_y.find(m.names[static_cast<std::size_t>(dynamics.independent()[U(j)])]);
      if (at != golden_y.end()) { EXPECT_NEAR(tau_y[j], at->second, 6e-8) << at->first; }
    }
    EXPECT_NEAR(EnergyOf(m, dynamics.q(), dynamics.v()).kinetic, .2812551695, 1e-9);
    ASSERT_EQ(dynamics.ForwardDynamics(at_y, yd, tau_y, back), DynamicsStatus::kOk);
    EXPECT_LT((back - ydd).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

}  // namespace
}  // namespace kinemorph
