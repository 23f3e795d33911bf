// Forward dynamics of chains of spatially stacked four-bars: constraint embedding against our own
// tree algorithm on the same bodies, the dense KKT system, MuJoCo's step pipeline and Simbody, in
// one run.
#include <benchmark/benchmark.h>

#include <memory>

#include "../lab/dense_dynamics.h"
#include "../lab/independent_dynamics.h"
#include "../support/chain_of_four_bars.h"
#include "../support/series_parallel.h"
#include "../support/states.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "ratios.h"
#ifdef KINEMORPH_BENCH_MUJOCO
#include <mujoco/mujoco.h>

#include "../support/mujoco_text.h"
#endif
#ifdef KINEMORPH_BENCH_SIMBODY
#include "../support/simbody_model.h"
#endif

namespace kinemorph::bench {
namespace {

struct Chain {
  Model model;
  Mechanism m;
  Coordinates coordinates;
  test::State state;
  explicit Chain(int stages)
      : model(test::ChainOfFourBars(stages)),
        m(Compile(model)),
        coordinates(AnalyseCoordinates(m)) {
    ClosureSolver solver(m);
    Random random(7);
    state = test::RandomClosedState(m, coordinates, solver, random);
  }
};

void Embedding(benchmark::State& state) {
  const Chain chain(static_cast<int>(state.range(0)));
  ConstraintEmbeddingDynamics dynamics(chain.m, chain.coordinates);
  Eigen::VectorXd qdd(chain.m.nv);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        dynamics.ForwardDynamics(chain.state.q, chain.state.v, chain.state.tau, qdd));
    benchmark::ClobberMemory();
  }
  const Accelerations kkt =
      ForwardDynamicsKkt(chain.m, chain.coordinates, chain.state.q, chain.state.v, chain.state.tau);
  state.counters["error"] = test::RelativeDifference(qdd, kkt.qdd);
}
BENCHMARK(Embedding)->RangeMultiplier(2)->Range(1, 64);

void Tree(benchmark::State& state) {
  const Chain chain(static_cast<int>(state.range(0)));
  ConstraintEmbeddingDynamics dynamics(chain.m);
  Eigen::VectorXd qdd(chain.m.nv);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        dynamics.ForwardDynamics(chain.state.q, chain.state.v, chain.state.tau, qdd));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(Tree)->RangeMultiplier(2)->Range(1, 64);

void Kkt(benchmark::State& state) {
  const Chain chain(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const Accelerations a = ForwardDynamicsKkt(chain.m, chain.coordinates, chain.state.q,
                                               chain.state.v, chain.state.tau);
    benchmark::DoNotOptimize(a.qdd.data());
  }
}
BENCHMARK(Kkt)->RangeMultiplier(2)->Range(1, 64);

#ifdef KINEMORPH_BENCH_MUJOCO
void MujocoForward(benchmark::State& state) {
  const Chain chain(static_cast<int>(state.range(0)));
  const test::MujocoModel mujoco(chain.m, chain.model);
  if (mujoco.model() == nullptr) {
    state.SkipWithError(mujoco.why().c_str());
    return;
  }
  mujoco.SetState(chain.state.q, chain.state.v);
  for (auto _ : state) mj_forward(mujoco.model(), mujoco.data());
}
BENCHMARK(MujocoForward)
    ->RangeMultiplier(2)
    ->Range(1, 32);  // bodies nested deeper than 100 are not read
#endif

#ifdef KINEMORPH_BENCH_SIMBODY
void Simbody(benchmark::State& state) {
  const Chain chain(static_cast<int>(state.range(0)));
  test::SimbodyModel simbody(chain.m);
  simbody.SetState(chain.state.q, chain.state.v, chain.state.tau);
  for (auto _ : state) simbody.Realize();
}
BENCHMARK(Simbody)->RangeMultiplier(2)->Range(1, 32);
#endif

// Torso and arms: closing and accelerating from y against Simbody's accelerations at a closed
// state.
struct Body {
  Model model = test::ReducedRobot(1, false);
  Mechanism m = Compile(model);
  Coordinates coordinates = AnalyseCoordinates(m);
  test::State state;
  Body() {
    ClosureSolver solver(m);
    Random random(7);
    state = test::RandomClosedState(m, coordinates, solver, random, 0.2);
  }
};

void RobotFromY(benchmark::State& state) {
  const Body body;
  IndependentDynamics dynamics(body.m, body.coordinates);
  Eigen::VectorXd y, yd(dynamics.num_velocities()), tau_y = yd, ydd;
  dynamics.PositionOf(body.state.q, y);
  yd.setConstant(0.1), tau_y.setConstant(1);
  for (auto _ : state) benchmark::DoNotOptimize(dynamics.ForwardDynamics(y, yd, tau_y, ydd));
}
BENCHMARK(RobotFromY);

#ifdef KINEMORPH_BENCH_SIMBODY
void RobotSimbody(benchmark::State& state) {
  const Body body;
  test::SimbodyModel simbody(body.m);
  simbody.SetState(body.state.q, body.state.v, body.state.tau);
  for (auto _ : state) simbody.Realize();
}
BENCHMARK(RobotSimbody);
#endif

std::vector<Ratio> Ratios() {
  std::vector<Ratio> ratios;
  for (const char* n : {"1", "2", "4", "8", "16", "32", "64"}) {
    const std::string at = std::string("/") + n;
    ratios.push_back(
        {std::string("chain of ") + n + " four-bars, against the same bodies without loops",
         "Embedding" + at, "Tree" + at, 1.5});
  }
  ratios.push_back({"chain of 64 four-bars, against 32", "Embedding/64", "Embedding/32", 2.2});
  ratios.push_back(
      {"chain of 32 four-bars, against the dense KKT system", "Embedding/32", "Kkt/32", 0});
  ratios.push_back({"chain of 32 four-bars, against MuJoCo's step pipeline", "Embedding/32",
                    "MujocoForward/32", 0.1});
  ratios.push_back({"chain of 32 four-bars, against Simbody", "Embedding/32", "Simbody/32", 0.01});
  ratios.push_back({"torso and two arms, from y, against Simbody at a closed state", "RobotFromY",
                    "RobotSimbody", 0});
  return ratios;
}

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  return kinemorph::bench::RunWithRatios(argc, argv, kinemorph::bench::Ratios());
}
