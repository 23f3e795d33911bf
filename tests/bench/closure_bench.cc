// Closures and inverse dynamics from the independent coordinates: closed forms, Newton started
// warm, and the mixture of the hybrid closure paper (torso by Newton, the rest in closed form), in
// one run; and Simbody where it is installed. Bodies of our own with the topology of that paper's
// robot.
#include <benchmark/benchmark.h>

#include <functional>

#include "../lab/independent_dynamics.h"
#include "../support/series_parallel.h"
#include "ratios.h"
#ifdef KINEMORPH_BENCH_SIMBODY
#include "../support/simbody_model.h"
#endif

namespace kinemorph::bench {
namespace {

enum Way { kClosed, kHybrid, kLoopByLoop, kNewton };
constexpr ExplicitClosureOptions kWarm = {.closed_forms = false, .warm = true};

using test::Robot;

// The independent coordinates of all aggregates along one path with steps of 0.005 rad, there and
// back.
class Walk {
 public:
  explicit Walk(const Robot& robot) : assembled_(robot.c.assembled) {
    for (std::size_t a = 0; a < robot.m.aggregates.size(); ++a) {
      for (const int c : robot.c.aggregates[a].independent)
        y_.push_back(robot.m.aggregates[a].velocity[static_cast<std::size_t>(c)]);
    }
  }
  void Step(Eigen::VectorXd& q) {
    if (std::abs(at_ + step_) > 0.2) step_ = -step_;
    at_ += step_;
    for (const int i : y_) q[i] = assembled_[i] + at_;
  }

 private:
  Eigen::VectorXd assembled_;
  std::vector<int> y_;
  double at_ = 0, step_ = 0.005;
};

// gamma(y) of the one aggregate with loops.
void Position(benchmark::State& state, const std::function<Model()>& make, Way way) {
  const Robot robot(make());
  ExplicitClosures closures(robot.m, robot.c, way == kClosed ? ExplicitClosureOptions{} : kWarm);
  const int a = static_cast<int>(robot.m.aggregates.size()) - 1;
  Eigen::VectorXd q = robot.c.assembled;
  Walk walk(robot);
  for (auto _ : state) {
    walk.Step(q);
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

// What Newton closes: nothing, the aggregates of links named after `hybrid` loop by loop, all of
// them loop by loop, or all loops of each at once.
ExplicitClosureOptions Options(const Robot& robot, Way way, const std::string& hybrid) {
  if (way == kNewton) return kWarm;
  ExplicitClosureOptions options{.warm = true};
  options.numerical.assign(robot.m.aggregates.size(), way == kLoopByLoop);
  for (std::size_t a = 0; way == kHybrid && a < options.numerical.size(); ++a) {
    for (const int b : robot.m.aggregates[a].bodies) {
      const std::string& link =
          robot.model.link(robot.m.bodies[static_cast<std::size_t>(b)].link).name;
      if (link.find(hybrid) != std::string::npos) options.numerical[a] = true;
    }
  }
  return options;
}

// A new random state each call: y, yd, ydd within 15 degrees of `middle`.
class States {
 public:
  States(const Eigen::VectorXd& middle, Eigen::Index n) : middle_(middle) {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
      Eigen::VectorXd x(n);
      for (double& value : x) value = random.Uniform(-0.2618, 0.2618);
      all_.push_back(x);
    }
  }
  // Away from the middle.
  const Eigen::VectorXd& Next() { return all_[at_ = (at_ + 1) % all_.size()]; }
  const Eigen::VectorXd& middle() const { return middle_; }

 private:
  Eigen::VectorXd middle_;
  std::vector<Eigen::VectorXd> all_;
  std::size_t at_ = 0;
};

// q, G and g of all aggregates with loops.
void SystemState(benchmark::State& state, bool wrists, Way way, const std::string& hybrid) {
  const Robot robot(test::ReducedRobot(1, wrists));
  ExplicitClosures closures(robot.m, robot.c, Options(robot, way, hybrid));
  std::vector<int> aggregates;
  for (std::size_t a = 0; a < robot.m.aggregates.size(); ++a)
    if (!robot.c.aggregates[a].dependent.empty()) aggregates.push_back(static_cast<int>(a));
  Eigen::VectorXd q = robot.c.assembled, v = Eigen::VectorXd::Zero(robot.m.nv);
  std::vector<Eigen::VectorXd> g(robot.m.aggregates.size());
  std::vector<Eigen::MatrixXd> G(g.size());
  States states(robot.c.assembled, robot.m.nv);
  std::size_t lost = 0;
  for (auto _ : state) {
    const Eigen::VectorXd& x = states.Next();
    for (const int a : aggregates) {
      const std::size_t at = static_cast<std::size_t>(a);
      for (const int c : robot.c.aggregates[at].independent) {
        const int i = robot.m.aggregates[at].velocity[static_cast<std::size_t>(c)];
        q[i] = states.middle()[i] + x[i], v[i] = x[i];
      }
      if (closures.State(a, q, v, G[at], g[at]) != GammaStatus::kOk) ++lost;
      benchmark::DoNotOptimize(g[at].data());
    }
  }
  state.counters["lost"] = static_cast<double>(lost);
}
BENCHMARK_CAPTURE(SystemState, reduced_closed, false, kClosed, "");
BENCHMARK_CAPTURE(SystemState, reduced_hybrid, false, kHybrid, "platform");
BENCHMARK_CAPTURE(SystemState, reduced_newton, false, kNewton, "");

// Inverse dynamics from y.
void Inverse(benchmark::State& state, bool wrists, Way way, const std::string& hybrid) {
  const Robot robot(test::ReducedRobot(1, wrists));
  IndependentDynamics dynamics(robot.m, robot.c, Options(robot, way, hybrid));
  Eigen::VectorXd y, tau;
  dynamics.PositionOf(robot.c.assembled, y);
  States states(y, dynamics.num_velocities());
  std::size_t lost = 0;
  for (auto _ : state) {
    const Eigen::VectorXd& x = states.Next();
    y = states.middle() + x;
    if (dynamics.InverseDynamics(y, x, x, tau) != DynamicsStatus::kOk) ++lost;
    benchmark::DoNotOptimize(tau.data());
  }
  state.counters["lost"] = static_cast<double>(lost);
}
BENCHMARK_CAPTURE(Inverse, reduced_closed, false, kClosed, "");
BENCHMARK_CAPTURE(Inverse, reduced_hybrid, false, kHybrid, "platform");
BENCHMARK_CAPTURE(Inverse, reduced_loops, false, kLoopByLoop, "");
BENCHMARK_CAPTURE(Inverse, reduced_newton, false, kNewton, "");
BENCHMARK_CAPTURE(Inverse, full_closed, true, kClosed, "");
BENCHMARK_CAPTURE(Inverse, full_hybrid, true, kHybrid, "wrist");
BENCHMARK_CAPTURE(Inverse, full_loops, true, kLoopByLoop, "");
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

// The closure of a whole robot; and Simbody on the same bodies, whose projection moves y too, a
// little.
void Closure(benchmark::State& state) {
  const Robot robot(test::ReducedRobot(1, false));
  ExplicitClosures closures(robot.m, robot.c);
  Eigen::VectorXd q = robot.c.assembled;
  Walk walk(robot);
  for (auto _ : state) {
    walk.Step(q);
    for (int a = 0; a < static_cast<int>(robot.m.aggregates.size()); ++a) {
      if (closures.Position(a, q) != GammaStatus::kOk) state.SkipWithError("not closed");
    }
  }
}
BENCHMARK(Closure);

#ifdef KINEMORPH_BENCH_SIMBODY
void SimbodyClosure(benchmark::State& state) {
  const Robot robot(test::ReducedRobot(1, false));
  test::SimbodyModel simbody(robot.m);
  Eigen::VectorXd q = robot.c.assembled;
  Walk walk(robot);
  for (auto _ : state) {
    walk.Step(q);
    if (!simbody.Close(q, 1e-10)) state.SkipWithError("not closed");
  }
}
BENCHMARK(SimbodyClosure);

void SimbodyForward(benchmark::State& state) {
  const Robot robot(test::ReducedRobot(1, false));
  test::SimbodyModel simbody(robot.m);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(robot.m.nv);
  simbody.SetState(robot.c.assembled, zero, zero);
  for (auto _ : state) simbody.Realize();
}
BENCHMARK(SimbodyForward);
#endif

std::vector<Ratio> Ratios() {
  return {
      {"closing a torso on two legs, from y, against Newton", "Position/torso_closed",
       "Position/torso_newton", 1.0 / 4},
      {"closing an elbow with a cylinder, against Newton", "Position/elbow_closed",
       "Position/elbow_newton", 1.0 / 6},
      {"closing a wrist of 14 rows, against Newton", "Position/wrist_closed",
       "Position/wrist_newton", 1.0 / 4},
      {"q, G and g of a torso and two elbows, against Newton", "SystemState/reduced_closed",
       "SystemState/reduced_newton", 1.0 / 4},
      {"the same with the torso by Newton, against all by Newton", "SystemState/reduced_hybrid",
       "SystemState/reduced_newton", 1},
      {"the same by formulas alone, against the torso by Newton", "SystemState/reduced_closed",
       "SystemState/reduced_hybrid", 1},
      {"inverse dynamics from y, torso and two arms, against Newton", "Inverse/reduced_closed",
       "Inverse/reduced_newton", 1 / 1.6},
      {"inverse dynamics with the torso by Newton, against all by Newton", "Inverse/reduced_hybrid",
       "Inverse/reduced_newton", 1 / 1.2},
      {"the same, against all by Newton, loop by loop", "Inverse/reduced_hybrid",
       "Inverse/reduced_loops", 0},
      {"with wrists and head, the wrists by Newton, against all by Newton", "Inverse/full_hybrid",
       "Inverse/full_newton", 1 / 1.15},
      {"the same, against Newton loop by loop", "Inverse/full_hybrid", "Inverse/full_loops", 0},
      {"with wrists and head, by formulas, against Newton", "Inverse/full_closed",
       "Inverse/full_newton", 1 / 1.8},
      {"closed q from y, torso and two arms, against Simbody's projection", "Closure",
       "SimbodyClosure", 0},
      {"accelerations from y, the same, against Simbody's at a closed state",
       "Forward/reduced_closed", "SimbodyForward", 0},
  };
}

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  return kinemorph::bench::RunWithRatios(argc, argv, kinemorph::bench::Ratios());
}
