// What the ways to keep loops closed cost, and what they are worth: swings of the leg with two
// loops (closure error, energy, crank angle at a fixed step of 2 ms), the whole simulation against
// real time, one right-hand side against one forward dynamics.
#include <Eigen/LU>
#include <cmath>

#include "../support/jumping_legs.h"
#include "../support/series_parallel.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "kinemorph/graph/motion/held_joints.h"
#include "kinemorph/graph/motion/integrator.h"
#include "ratios.h"

namespace kinemorph::bench {
namespace {

constexpr double kStep = 0.002, kTime = 10;
constexpr double kCrankAtEnd = 198.07589810;  // of the reference motion

struct Swing {
  test::LegAtStart leg{false, 60, 0.6};
  Mechanism m;
  Coordinates coordinates;
  Swing() {
    std::vector<bool> held(leg.m.bodies.size(), false);
    held[static_cast<std::size_t>(leg.x)] = held[static_cast<std::size_t>(leg.y)] = true;
    m = WithHeldJoints(leg.m, held, leg.q);
    coordinates = AnalyseCoordinates(m);
  }
  [[nodiscard]] int CrankPosition() const {
    return m.bodies[static_cast<std::size_t>(leg.crank)].q;
  }
  [[nodiscard]] Eigen::VectorXd Rates(MotionSystem& system) const {
    return FindVelocity(system, leg.q, {{leg.crank, 0, 20, "crank"}}).q;
  }
};

void Simulated(benchmark::State& state, MotionMethod method, double eps, double step) {
  const Swing swing;
  MotionOptions motion;
  motion.method = method, motion.eps = eps;
  SimulationOptions options;
  options.time = kTime, options.step = step, options.rows = 0.1;
  SimulationResult result;
  for (auto _ : state) {
    MotionSystem system(swing.m, motion);
    if (!system.Divide(swing.leg.q, {})) return state.SkipWithError("no start");
    result =
        Simulate(system, swing.leg.q, swing.Rates(system), options, [](const MotionSample&) {});
  }
  state.counters["phi"] = result.phi, state.counters["dE/E"] = result.energy_drift;
  state.counters["crank_error"] = std::abs(result.last.q[swing.CrankPosition()] - kCrankAtEnd);
  state.counters["evaluations"] = static_cast<double>(result.evaluations);
}

void ByEmbedding(benchmark::State& state) { Simulated(state, MotionMethod::kEmbedding, 1, kStep); }
void EmbeddingAdaptive(benchmark::State& state) {
  Simulated(state, MotionMethod::kEmbedding, 1, 0);
}
void Spf(benchmark::State& state) {  // argument: eps in ms
  Simulated(state, MotionMethod::kSpf, 1e-3 * static_cast<double>(state.range(0)), kStep);
}
BENCHMARK(ByEmbedding)->Unit(benchmark::kMillisecond);
BENCHMARK(EmbeddingAdaptive)->Unit(benchmark::kMillisecond);
BENCHMARK(Spf)->Arg(100)->Arg(50)->Arg(10)->Arg(2)->Unit(benchmark::kMillisecond);

// vd of M vd = -h + K^T lambda, K vd = k - 2 a K v - a^2 phi, on the rows that K needs.
bool Stabilised(const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
                const Eigen::VectorXd& v, double a, Eigen::VectorXd& vd) {
  const Embedding basis = Embed(m, coordinates, q, v);
  const ConstraintRows all = Constraints(m, q, v);
  const Eigen::MatrixXd K = all.K(basis.rows, Eigen::all);
  const Eigen::Index n = m.nv, r = K.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + r, n + r);
  A.topLeftCorner(n, n) = MassMatrix(m, q);
  A.topRightCorner(n, r) = K.transpose(), A.bottomLeftCorner(r, n) = K;
  Eigen::VectorXd b(n + r);
  b << -Bias(m, q, v), all.k(basis.rows) - 2 * a * (K * v) - a * a * all.phi(basis.rows);
  vd = A.partialPivLu().solve(b).head(n);
  return vd.allFinite();
}

// Accelerations of all coordinates, a = 0: nothing brings phi back.
void AccelerationLevel(benchmark::State& state) {  // argument: a = b (1/s)
  const Swing swing;
  const Mechanism& m = swing.m;
  const double a = static_cast<double>(state.range(0));
  MotionSystem start(m, {});
  if (!start.Divide(swing.leg.q, {})) return state.SkipWithError("no start");
  const Eigen::VectorXd v = swing.Rates(start);
  const double energy = EnergyOf(m, swing.leg.q, v).kinetic + EnergyOf(m, swing.leg.q, v).potential;
  double worst = 0, drift = 0;
  Eigen::VectorXd x;
  for (auto _ : state) {
    Stepper stepper(StepRule::kRungeKutta4,
                    [&](double, const Eigen::VectorXd& at, Eigen::VectorXd& rate) {
                      const Eigen::VectorXd q = at.head(m.nq), qd = at.tail(m.nv);
                      Eigen::VectorXd vd;
                      if (!Stabilised(m, swing.coordinates, q, qd, a, vd)) return false;
                      rate.setZero(at.size());
                      for (const Body& body : m.bodies)
                        if (body.nv == 1) rate[body.q] = qd[body.v];
                      rate.tail(m.nv) = vd;
                      return true;
                    });
    x.resize(m.nq + m.nv);
    x << swing.leg.q, v;
    worst = drift = 0;
    for (int i = 0; i < static_cast<int>(kTime / kStep + 0.5); ++i) {
      if (!stepper.Step(0, x, kStep)) return state.SkipWithError("no step");
      x = stepper.end();
      stepper.Continue();
      const Eigen::VectorXd q = x.head(m.nq), qd = x.tail(m.nv);
      worst = std::max(worst, Constraints(m, q, qd).phi.lpNorm<Eigen::Infinity>());
      const Energy now = EnergyOf(m, q, qd);
      drift = std::max(drift, std::abs(now.kinetic + now.potential - energy) / energy);
    }
  }
  state.counters["phi"] = worst, state.counters["dE/E"] = drift;
  state.counters["crank_error"] = std::abs(x[swing.CrankPosition()] - kCrankAtEnd);
}
BENCHMARK(AccelerationLevel)->Arg(0)->Arg(5)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);

// One call each, at the same state.
void ForwardDynamics(benchmark::State& state) {
  const Swing swing;
  MotionSystem system(swing.m, {});
  if (!system.Divide(swing.leg.q, {})) return state.SkipWithError("no start");
  const Eigen::VectorXd v = swing.Rates(system), tau = Eigen::VectorXd::Zero(swing.m.nv);
  ConstraintEmbeddingDynamics dynamics(swing.m, swing.coordinates);
  Eigen::VectorXd vd;
  for (auto _ : state) benchmark::DoNotOptimize(dynamics.ForwardDynamics(swing.leg.q, v, tau, vd));
}
void RightHandSide(benchmark::State& state) {
  const Swing swing;
  MotionOptions motion;
  motion.method = MotionMethod::kSpf;
  MotionSystem system(swing.m, motion);
  if (!system.Divide(swing.leg.q, {})) return state.SkipWithError("no start");
  const Eigen::VectorXd x = system.StateOf(swing.leg.q, swing.Rates(system));
  Eigen::VectorXd rate;
  for (auto _ : state) benchmark::DoNotOptimize(system.Rate(0, x, rate));
}
BENCHMARK(ForwardDynamics);
BENCHMARK(RightHandSide);

// A torso on two legs and two arms, the dependent joints off by what a stage of an integrator leaves:
// loops closed and accelerations, and the accelerations alone.
struct TorsoAndArms {
  test::Robot robot{test::ReducedRobot(1, false)};
  MotionSystem system{robot.m, {}};
  Eigen::VectorXd x;
  bool good = system.Divide(robot.c.assembled, {});
  TorsoAndArms() {
    x = system.StateOf(robot.c.assembled, Eigen::VectorXd::Constant(robot.m.nv, 0.1));
    good = good && system.Settle(x);
  }
};
void ClosedTorsoAndArms(benchmark::State& state) {
  TorsoAndArms at;
  for (Eigen::Index i = 0; i < at.robot.m.nq; ++i) at.x[i] += 1e-4;
  Eigen::VectorXd rate;
  for (auto _ : state)
    if (!at.system.Rate(0, at.x, rate)) return state.SkipWithError("not closed");
}
void ForwardTorsoAndArms(benchmark::State& state) {
  TorsoAndArms at;
  const Mechanism& m = at.robot.m;
  ConstraintEmbeddingDynamics dynamics(m, at.robot.c);
  const Eigen::VectorXd q = at.system.Position(at.x), v = at.system.Velocity(at.x),
                        tau = Eigen::VectorXd::Zero(m.nv);
  Eigen::VectorXd vd;
  for (auto _ : state) benchmark::DoNotOptimize(dynamics.ForwardDynamics(q, v, tau, vd));
}
BENCHMARK(ClosedTorsoAndArms);
BENCHMARK(ForwardTorsoAndArms);

std::vector<Ratio> Ratios() {
  return {{"right-hand side of the SPF, a leg with two loops, against its forward dynamics",
           "RightHandSide", "ForwardDynamics", 1.3},
          {"right-hand side with closed loops, torso and two arms, against its forward dynamics",
           "ClosedTorsoAndArms", "ForwardTorsoAndArms", 0},
          {"ten seconds of the leg by the SPF, against embedding", "Spf/50", "ByEmbedding", 0}};
}

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  return kinemorph::bench::RunWithRatios(argc, argv, kinemorph::bench::Ratios());
}
