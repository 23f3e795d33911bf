// Motions through postures where the loops lose rank, against the same motions in one coordinate;
// branches that meet at a start.
#include <gtest/gtest.h>

#include <algorithm>

#include "change_point_models.h"
#include "kinemorph/graph/closures/branches.h"
#include "kinemorph/graph/motion/simulation.h"
#include "kinemorph/graph/motion/start_velocity.h"

namespace kinemorph {
namespace {

constexpr double kStart = std::numbers::pi / 6, kRate = 15;

int BodyOf(const Mechanism& m, const std::string& coordinate) {
  const auto at = std::find(m.names.begin(), m.names.end(), coordinate) - m.names.begin();
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    if (m.bodies[b].nv == 1 && m.bodies[b].v == at) return static_cast<int>(b);
  return -1;
}
double Of(const Mechanism& m, const MotionSample& sample, const std::string& coordinate) {
  return sample.q[m.bodies[static_cast<std::size_t>(BodyOf(m, coordinate))].q];
}

struct Turning {
  explicit Turning(Mechanism of, MotionOptions options = {})
      : m(std::move(of)), system(m, std::move(options)) {
    const Posture posture =
        FindPosture(m, AnalyseCoordinates(m), {{BodyOf(m, "a"), 0, kStart, "a"}});
    EXPECT_TRUE(posture.ok) << posture.why;
    q = posture.q;
    EXPECT_TRUE(system.Divide(q, {})) << system.Why();
    const Posture velocity = FindVelocity(system, q, {{BodyOf(m, "a"), 0, kRate, "a"}});
    EXPECT_TRUE(velocity.ok) << velocity.why;
    v = velocity.q;
  }
  SimulationResult Go(
      const SimulationOptions& options, const MotionObserver& look = [](const MotionSample&) {}) {
    return Simulate(system, q, v, options, look);
  }
  Mechanism m;
  MotionSystem system;
  Eigen::VectorXd q, v;
};

std::vector<MotionEvent> ChangePoints(const SimulationResult& result) {
  std::vector<MotionEvent> points;
  for (const MotionEvent& event : result.events)
    if (event.kind == "change-point") points.push_back(event);
  return points;
}

// How often a passes `first` + k pi on the way from kStart.
std::ptrdiff_t Passed(double first, double a) {
  return static_cast<std::ptrdiff_t>(std::floor((a - first) / std::numbers::pi) -
                                     std::floor((kStart - first) / std::numbers::pi));
}

struct Case {
  double rtol, rows, error;
};
class ChangePoint : public testing::TestWithParam<Case> {};

TEST_P(ChangePoint, OfAParallelogramIsPassed) {
  const Case c = GetParam();
  Turning turning(test::Parallelogram());
  SimulationOptions options;
  options.time = 1, options.rtol = c.rtol, options.rows = c.rows;
  double off = 0;
  const SimulationResult result = turning.Go(options, [&](const MotionSample& s) {
    const double a = Of(turning.m, s, "a");
    off = std::max({off, std::abs(a + Of(turning.m, s, "b")), std::abs(a - Of(turning.m, s, "c"))});
  });
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
  const Eigen::Vector2d a = test::Moved(test::ParallelogramAlone(), {kStart, kRate}, 1);
  EXPECT_NEAR(Of(turning.m, result.last, "a"), a[0], c.error);
  EXPECT_LT(off, c.error);  // rows within a step over the point too
  EXPECT_LT(result.energy_drift, c.error);
  EXPECT_LT(result.phi, c.error);
  const std::vector<MotionEvent> points = ChangePoints(result);
  ASSERT_EQ(std::ssize(points), Passed(0, a[0]));
  EXPECT_EQ(points[0].subject.substr(0, 1), "a");
  for (const MotionEvent& point : points) {
    EXPECT_GT(point.leap, 0);
    EXPECT_LT(point.leap, 0.1);
    EXPECT_GT(point.smallest, 0);
    EXPECT_LT(point.smallest, 0.5);
    EXPECT_LT(point.projection, 1e-3);
  }
}

TEST_P(ChangePoint, OfASliderCrankIsPassed) {
  const Case c = GetParam();
  Turning turning(test::IsoscelesSliderCrank());
  SimulationOptions options;
  options.time = 1, options.rtol = c.rtol, options.rows = c.rows;
  double off = 0;
  const SimulationResult result = turning.Go(options, [&](const MotionSample& s) {
    off = std::max(off, std::abs(2 * Of(turning.m, s, "a") + Of(turning.m, s, "b")));
  });
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
  const Eigen::Vector2d a = test::Moved(test::SliderCrankAlone(), {kStart, kRate}, 1);
  EXPECT_NEAR(Of(turning.m, result.last, "a"), a[0], c.error);
  EXPECT_LT(off, c.error);
  EXPECT_LT(result.energy_drift, c.error);
  EXPECT_EQ(std::ssize(ChangePoints(result)), Passed(std::numbers::pi / 2, a[0]));
}

INSTANTIATE_TEST_SUITE_P(Tolerances, ChangePoint,
                         testing::Values(Case{1e-6, 2e-4, 1e-4}, Case{1e-6, 0.05, 1e-4},
                                         Case{1e-8, 0.002, 1e-6}, Case{1e-8, 0.01, 1e-6},
                                         Case{1e-10, 2e-4, 1e-8}, Case{1e-10, 0.01, 1e-8},
                                         Case{1e-10, 0.05, 1e-8}, Case{1e-12, 0.002, 1e-8},
                                         Case{1e-12, 0.05, 1e-8}));

TEST(ChangePointOnTheWay, IsPassedWithFixedStepsAsWellAsTheirRuleIs) {
  double before = 0;
  for (const double step : {2e-3, 1e-3}) {
    Turning turning(test::IsoscelesSliderCrank());
    SimulationOptions options;
    options.time = 1, options.step = step, options.rows = step;
    std::size_t rows = 0;
    const SimulationResult result = turning.Go(options, [&](const MotionSample&) { ++rows; });
    ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
    EXPECT_EQ(rows, static_cast<std::size_t>(std::lround(1 / step)) + 1);
    const Eigen::Vector2d a = test::Moved(test::SliderCrankAlone(), {kStart, kRate}, 1);
    const double error = std::abs(Of(turning.m, result.last, "a") - a[0]);
    EXPECT_LT(error, step == 1e-3 ? 1e-5 : 1e-4);
    if (before > 0) {
      EXPECT_LT(error, before / 8);  // order 4
    }
    before = error;
    EXPECT_EQ(std::ssize(ChangePoints(result)), Passed(std::numbers::pi / 2, a[0]));
  }
}

TEST(ChangePointOnTheWay, IsPassedBySpf) {
  for (const bool slider : {false, true}) {
    MotionOptions motion;
    motion.method = MotionMethod::kSpf;
    Turning turning(slider ? test::IsoscelesSliderCrank() : test::Parallelogram(), motion);
    SimulationOptions options;
    options.rtol = 1e-9;
    const SimulationResult result = turning.Go(options);
    ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
    const Eigen::Vector2d a = test::Moved(
        slider ? test::SliderCrankAlone() : test::ParallelogramAlone(), {kStart, kRate}, 1);
    EXPECT_NEAR(Of(turning.m, result.last, "a"), a[0], 3e-5);
    EXPECT_LT(result.phi, 1e-6);
  }
}

TEST(ChangePointOnTheWay, WorkIsCountedOverIt) {
  MotionOptions motion;
  motion.controller = [](double, const Eigen::VectorXd&, const Eigen::VectorXd&,
                         const std::vector<bool>&, Eigen::VectorXd& tau) { tau[0] = 0.7; };
  Turning turning(test::Parallelogram(), motion);
  ASSERT_EQ(turning.m.names[0], "a");
  SimulationOptions options;
  options.rtol = 1e-10;
  const SimulationResult result = turning.Go(options);
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
  EXPECT_LT(result.energy_drift, 1e-8);
  const Eigen::Vector2d a = test::Moved(test::ParallelogramAlone(), {kStart, kRate}, 1, 0.7);
  EXPECT_NEAR(Of(turning.m, result.last, "a"), a[0], 1e-8);
  EXPECT_NEAR(result.work, 0.7 * (a[0] - kStart), 1e-8);
  EXPECT_FALSE(ChangePoints(result).empty());
}

TEST(ChangePointOnTheWay, MayBeTheVeryEnd) {
  Turning first(test::Parallelogram());
  SimulationOptions options;
  options.rtol = 1e-10;
  const std::vector<MotionEvent> points = ChangePoints(first.Go(options));
  ASSERT_FALSE(points.empty());
  for (const double late : {-1e-5, 0.0, 1e-5}) {
    Turning turning(test::Parallelogram());
    options.time = points[0].time + late;
    const SimulationResult result = turning.Go(options);
    ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
    EXPECT_EQ(result.last.t, options.time);
    EXPECT_NEAR(Of(turning.m, result.last, "a"),
                test::Moved(test::ParallelogramAlone(), {kStart, kRate}, options.time)[0], 1e-8);
    EXPECT_NEAR(Of(turning.m, result.last, "b"), -Of(turning.m, result.last, "a"), 1e-8);
  }
}

TEST(ChangePointOnTheWay, ThatIsMissedIsNotPassed) {
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    Turning turning(test::Parallelogram(1e-5));
    SimulationOptions options;
    options.rtol = rtol;
    const SimulationResult result = turning.Go(options);
    ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
    EXPECT_TRUE(ChangePoints(result).empty());
    EXPECT_GT(Of(turning.m, result.last, "a"), 2 * std::numbers::pi);
    EXPECT_LT(std::abs(Of(turning.m, result.last, "c")), std::numbers::pi);
    EXPECT_LT(result.energy_drift, 100 * rtol);
  }
}

TEST(ChangePointAtTheStart, OfAFlatParallelogramIsNoneWithTheRowsOfItsBranch) {
  Mechanism m = test::Parallelogram();
  const Coordinates coordinates = AnalyseCoordinates(m);
  const Eigen::VectorXd zero = m.ZeroPosition();
  EXPECT_EQ(SingularAggregates(m, zero).size(), 1u);
  const auto helped = KeepToLinearBranches(coordinates, zero, m);
  ASSERT_EQ(helped.size(), 1u);
  EXPECT_EQ(helped[0], (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(SingularAggregates(m, zero).empty());
  MotionSystem system(m, {});
  ASSERT_TRUE(system.Divide(zero, {})) << system.Why();
  SimulationOptions options;
  options.rtol = 1e-10;
  const SimulationResult result =
      Simulate(system, zero, Eigen::VectorXd::Zero(m.nv), options, [](const MotionSample&) {});
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
  EXPECT_NEAR(Of(m, result.last, "a"), test::Moved(test::ParallelogramAlone(), {0, 0}, 1)[0], 1e-8);
  EXPECT_TRUE(ChangePoints(result).empty());
  EXPECT_LT(result.phi, 1e-13);
}

// Whichever coordinate is given, and on to the other side through the flat posture, by a step that
// meets it and by one that goes over it.
TEST(ChangePointOnTheWay, AFlatParallelogramStaysOneWhicheverCoordinateIsGiven) {
  const Mechanism m = test::Parallelogram();
  Coordinates coordinates = AnalyseCoordinates(m);
  const Eigen::VectorXd drawn = coordinates.assembled;
  for (const char* given : {"a", "b", "c"}) {
    coordinates.assembled = drawn;
    for (const double value : {0.5, 0.23, 0.03, -0.07, 0.0, 0.4}) {
      const Posture posture = FindPosture(m, coordinates, {{BodyOf(m, given), 0, value, given}});
      ASSERT_TRUE(posture.ok) << posture.why;
      MotionSample at;
      at.q = posture.q;
      EXPECT_NEAR(Of(m, at, given), value, 1e-12);
      EXPECT_NEAR(Of(m, at, "b"), -Of(m, at, "a"), 1e-9) << given << " = " << value;
      EXPECT_NEAR(Of(m, at, "c"), Of(m, at, "a"), 1e-9) << given << " = " << value;
      coordinates.assembled = posture.q;
    }
  }
}

// More than it leaves free is given: that says which branch. On the crossed one b = c.
TEST(ChangePointOnTheWay, AFlatParallelogramIsCrossedWhereThatIsGiven) {
  const Mechanism m = test::Parallelogram();
  const Posture crossed = FindPosture(
      m, AnalyseCoordinates(m), {{BodyOf(m, "b"), 0, 0.5, "b"}, {BodyOf(m, "c"), 0, 0.5, "c"}});
  ASSERT_TRUE(crossed.ok) << crossed.why;
  MotionSample at;
  at.q = crossed.q;
  EXPECT_NEAR(Of(m, at, "c"), 0.5, 1e-9);
  EXPECT_GT(std::abs(Of(m, at, "a") + 0.5), 0.1);
}

// Cassie's ankle is drawn flat, outside of its limits, which say which branch is meant: c follows a on
// one, and turns against it on the other.
TEST(ChangePointOnTheWay, LimitsThatTheDrawingIsOutsideOfSayTheBranch) {
  for (const double side : {1.0, -1.0}) {
    Mechanism m = test::Parallelogram();
    const auto limit = [&](const char* name, double lower, double upper) {
      const auto v =
          static_cast<std::size_t>(m.bodies[static_cast<std::size_t>(BodyOf(m, name))].v);
      m.lower[v] = lower, m.upper[v] = upper;
    };
    limit("a", 0.5, 2.4);
    limit("c", side > 0 ? 0.5 : -2.8, side > 0 ? 2.4 : -0.1);
    Coordinates coordinates = AnalyseCoordinates(m);
    for (const double value : {0.6, 1.0, 2.0}) {
      const Posture posture = FindPosture(m, coordinates, {{BodyOf(m, "a"), 0, value, "a"}});
      ASSERT_TRUE(posture.ok) << posture.why;
      MotionSample at;
      at.q = posture.q;
      EXPECT_NEAR(Of(m, at, "a"), value, 1e-9);
      EXPECT_GT(side * Of(m, at, "c"), 0.05) << value;
    }
    // Whoever has moved it outside of the limits stays on the branch.
    coordinates.assembled << 0.2, -0.2, 0.2;
    const Posture kept =
        FindPosture(m, coordinates, {{BodyOf(m, "a"), 0, 1, "a"}}, {}, StartBranch::kKept);
    ASSERT_TRUE(kept.ok) << kept.why;
    MotionSample at;
    at.q = kept.q;
    EXPECT_NEAR(Of(m, at, "c"), 1, 1e-9);
  }
}

TEST(ChangePointAtTheStart, BranchesThatMeetThereAreFound) {
  Mechanism m = test::IsoscelesSliderCrank();
  const Coordinates coordinates = AnalyseCoordinates(m);
  const Posture right =
      FindPosture(m, coordinates, {{BodyOf(m, "a"), 0, std::numbers::pi / 2, "a"}});
  ASSERT_TRUE(right.ok) << right.why;
  const std::vector<int> singular = SingularAggregates(m, right.q);
  ASSERT_EQ(singular.size(), 1u);
  EXPECT_TRUE(KeepToLinearBranches(coordinates, right.q, m).empty());
  const std::vector<Branch> branches = BranchesAt(m, singular[0], right.q);
  ASSERT_EQ(branches.size(), 2u);
  int still = 0;
  for (const Branch& branch : branches) {
    EXPECT_EQ(branch.mobility, 1);
    MotionSample near;
    near.q = branch.near;
    const double a = Of(m, near, "a"), b = Of(m, near, "b"), s = Of(m, near, "s");
    if (std::abs(s + 0.4) < 1e-9) {
      ++still;
      EXPECT_NEAR(std::abs(b), std::numbers::pi, 1e-9);
      EXPECT_GT(std::abs(a - std::numbers::pi / 2), 0.01);
    } else {
      EXPECT_NEAR(2 * a + b, 0, 1e-9);
    }
  }
  EXPECT_EQ(still, 1);
}

}  // namespace
}  // namespace kinemorph
