// Closures and inverse dynamics from the independent coordinates: closed forms, Newton started
// warm, and the mixture of the hybrid closure paper (torso by Newton, the rest in closed form), in
// one run. Bodies of our own with the topology of that paper's robot.
#include <benchmark/benchmark.h>

#include <functional>

#include "../support/series_parallel.h"
#include "kinemorph/graph/mechanics/independent_dynamics.h"
#include "ratios.h"

namespace kinemorph::bench {
namespace {

enum Way { kClosed, kHybrid, kNewton };
constexpr ExplicitClosureOptions kWarm = {.closed_forms = false, .warm = true};

using test::Robot;

// gamma(y) of the one aggregate with loops, along a path with steps of 0.005 rad.
void Position(benchmark::State& state, const std::function<Model()>& make, Way way) {
  const Robot robot(make());
  ExplicitClosures closures(robot.m, robot.c, way == kClosed ? ExplicitClosureOptions{} : kWarm);
  const int a = static_cast<int>(robot.m.aggregates.size()) - 1;
  std::vector<int> y;
  for (const int c : robot.c.aggregates.back().independent)
    y.push_back(robot.m.aggregates.back().velocity[static_cast<std::size_t>(c)]);
  Eigen::VectorXd q = robot.c.assembled;
  double at = 0, step = 0.005;
  for (auto _ : state) {
    if (std::abs(at + step) > 0.2) step = -step;
    at += step;
    for (const int i : y) q[i] = robot.c.assembled[i] + at;
    if (closures.Position(a, q) != GammaStatus::kOk) state.SkipWithError("not closed");
  }
}
BENCHMARK_CAPTURE(
    Position, torso_closed, [] { return test::Torso(1, false); }, kClosed);
BENCHMARK_CAPTURE(
    Position, torso_newton, [] { return test::Torso(1, false); }, kNewton);
BENCHMARK_CAPTURE(
    Position, elbow_closed, [] { return test::Elbow(1); }, kClosed);
BENCHMARK_CAPTURE(
    Position, elbow_newton, [] { return test::Elbow(1); }, kNewton);
BENCHMARK_CAPTURE(
    Position, wrist_closed, [] { return test::Wrist(1); }, kClosed);
BENCHMARK_CAPTURE(
    Position, wrist_newton, [] { return test::Wrist(1); }, kNewton);

// Which aggregates Newton closes.
std::vector<bool> ByNewton(const Robot& robot, Way way, const std::string& hybrid) {
  std::vector<bool> newton(robot.m.aggregates.size(), way == kNewton);
  for (std::size_t a = 0; way == kHybrid && a < newton.size(); ++a) {
    for (const int b : robot.m.aggregates[a].bodies) {
      const std::string& link =
          robot.model.link(robot.m.bodies[static_cast<std::size_t>(b)].link).name;
      newton[a] = newton[a] || link.find(hybrid) != std::string::npos;
    }
  }
  return newton;
}

// Inverse dynamics of a new random state each call, y, yd, ydd within 15 degrees.
void Inverse(benchmark::State& state, bool wrists, Way way, const std::string& hybrid) {
  const Robot robot(test::ReducedRobot(1, wrists));
  ExplicitClosureOptions options{.warm = true};
  options.numerical = ByNewton(robot, way, hybrid);
  IndependentDynamics dynamics(robot.m, robot.c, options);
  Random random(1);
  const int n = dynamics.num_velocities();
  std::vector<Eigen::VectorXd> states;
  Eigen::VectorXd y, yd(n), ydd(n), tau, x(n);
  dynamics.PositionOf(robot.c.assembled, y);
  for (int i = 0; i < 1000; ++i) {
    for (double& value : x) value = random.Uniform(-0.2618, 0.2618);
    states.push_back(x);
  }
  const Eigen::VectorXd y_0 = y;
  std::size_t i = 0, lost = 0;
  for (auto _ : state) {
    y = y_0 + states[i];
    i = (i + 1) % states.size();
    if (dynamics.InverseDynamics(y, states[i], states[i], tau) != DynamicsStatus::kOk) ++lost;
    benchmark::DoNotOptimize(tau.data());
  }
  state.counters["lost"] = static_cast<double>(lost);
}
BENCHMARK_CAPTURE(Inverse, reduced_closed, false, kClosed, "");
BENCHMARK_CAPTURE(Inverse, reduced_hybrid, false, kHybrid, "platform");
BENCHMARK_CAPTURE(Inverse, reduced_newton, false, kNewton, "");
BENCHMARK_CAPTURE(Inverse, full_closed, true, kClosed, "");
BENCHMARK_CAPTURE(Inverse, full_hybrid, true, kHybrid, "wrist");
BENCHMARK_CAPTURE(Inverse, full_newton, true, kNewton, "");

void Forward(benchmark::State& state, bool wrists, Way way) {
  const Robot robot(test::ReducedRobot(1, wrists));
  IndependentDynamics dynamics(robot.m, robot.c, way == kClosed ? ExplicitClosureOptions{} : kWarm);
  Eigen::VectorXd y, yd = Eigen::VectorXd::Constant(dynamics.num_velocities(), 0.1), ydd;
  dynamics.PositionOf(robot.c.assembled, y);
  for (auto _ : state) benchmark::DoNotOptimize(dynamics.ForwardDynamics(y, yd, yd, ydd));
}
BENCHMARK_CAPTURE(Forward, reduced_closed, false, kClosed);
BENCHMARK_CAPTURE(Forward, full_closed, true, kClosed);

std::vector<Ratio> Ratios() {
  return {
      {"closure of the torso, closed form / Newton", "Position/torso_closed",
       "Position/torso_newton", 1.0 / 4},
      {"closure of an elbow", "Position/elbow_closed", "Position/elbow_newton", 1.0 / 6},
      {"closure of a wrist", "Position/wrist_closed", "Position/wrist_newton", 1.0 / 4},
      {"inverse dynamics from y, closed forms / Newton", "Inverse/reduced_closed",
       "Inverse/reduced_newton", 1 / 1.6},
      {"the same, torso by Newton / all by Newton", "Inverse/reduced_hybrid",
       "Inverse/reduced_newton", 1 / 1.2},
      {"with wrists, these by Newton / all by Newton", "Inverse/full_hybrid", "Inverse/full_newton",
       1 / 1.15},
      {"with wrists, closed forms / Newton", "Inverse/full_closed", "Inverse/full_newton", 1 / 1.8},
  };
}

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  return kinemorph::bench::RunWithRatios(argc, argv, kinemorph::bench::Ratios());
}
