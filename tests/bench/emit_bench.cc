// Exported C beside the library, robot by robot: largest difference of all functions at 100 random
// closed states, relative to the largest entry, and the condition of the mass matrix of the
// independent coordinates, by which round-off grows on the way to accelerations; the time of one
// forward dynamics and of one right-hand side of the singularly perturbed formulation. The C is
// compiled with -O3, as a release of the library is. Arguments: files; without any, the mechanisms
// of fixtures/.
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "../support/generated_c.h"
#include "../support/load_model.h"
#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph::bench {
namespace {

double ProcessorTime() {  // s
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The best of many runs of each, in turns, in microseconds per call.
template <class One, class Other>
std::pair<double, double> Microseconds(const One& one, const Other& other) {
  constexpr int kCalls = 500;
  const auto run = [](const auto& function) {
    const double start = ProcessorTime();
    for (int i = 0; i < kCalls; ++i) function();
    return 1e6 * (ProcessorTime() - start) / kCalls;
  };
  std::pair<double, double> best = {1e300, 1e300};
  for (int i = 0; i < 101; ++i)
    best = {std::min(best.first, run(one)), std::min(best.second, run(other))};
  return best;
}

void Compare(const std::string& path) {
  std::string why;
  const std::optional<Model> model = test::LoadModel(path, why);
  if (!model) return static_cast<void>(std::printf("%s: %s\n", path.c_str(), why.c_str()));
  const Mechanism m = Compile(*model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  const std::optional<Equations> e = MakeEquations(m, coordinates, model->name, {}, why);
  if (!e) return static_cast<void>(std::printf("%s: %s\n", path.c_str(), why.c_str()));
  test::TemporaryFolder folder;
  test::WriteFiles(ExportC(*e), folder.path());
  const test::CommandResult built = test::Shell(
      "cc " + test::kStrict + " -O3 -shared -fPIC -o r.so " + e->name + ".c -lm", folder.path());
  if (built.exit_code != 0) return static_cast<void>(std::printf("%s\n", built.err.c_str()));
  const test::Loaded loaded(folder / "r.so");
  const auto differences = test::DifferencesOfGenerated(loaded, m, coordinates, *e, 100);
  const auto worst = std::max_element(
      differences.begin(), differences.end(),
      [](const auto& one, const auto& other) { return one.second < other.second; });
  ClosureSolver solver(m);
  Random random(3);
  const test::State state = test::RandomClosedState(m, coordinates, solver, random, 0.3);
  const Eigen::VectorXd v_q = state.v(e->independent);
  Eigen::VectorXd qdd(m.nv);
  ConstraintEmbeddingDynamics dynamics(m, coordinates);
  const auto fd =
      loaded.Find<int(const double*, const double*, const double*, double*)>(e->name + "_fd");
  const auto [fd_c, fd_library] =
      Microseconds([&] { fd(state.q.data(), v_q.data(), state.tau.data(), qdd.data()); },
                   [&] { dynamics.ForwardDynamics(state.q, state.v, state.tau, qdd); });
  MotionOptions spf;
  spf.method = MotionMethod::kSpf;
  spf.controller = [&](double, const Eigen::VectorXd&, const Eigen::VectorXd&,
                       const std::vector<bool>&, Eigen::VectorXd& tau) { tau = state.tau; };
  MotionSystem system(m, spf);
  if (!system.Divide(state.q, {})) return static_cast<void>(std::puts(system.Why().c_str()));
  const Eigen::VectorXd x = system.StateOf(state.q, state.v);
  Eigen::VectorXd rate, x_c(m.nq + v_q.size()), rate_c(x_c.size());
  x_c << state.q, v_q;
  const auto rhs =
      loaded.Find<int(double, const double*, const double*, double, double*)>(e->name + "_spf_rhs");
  const auto [rhs_c, rhs_library] =
      Microseconds([&] { rhs(0, x_c.data(), state.tau.data(), spf.eps, rate_c.data()); },
                   [&] { system.Rate(0, x, rate); });
  std::printf(
      "%-20.20s n %2d rows %2zu  diff %.1e (%s), cond %.0e  fd %.2f us / %.2f = %.2f  "
      "spf_rhs %.2f us / %.2f = %.2f\n",
      e->name.c_str(), m.nv, e->rows.size(), worst->second, worst->first.c_str(),
      test::ConditionOfMass(m, coordinates, state.q), fd_c, fd_library, fd_c / fd_library, rhs_c,
      rhs_library, rhs_c / rhs_library);
  const auto row = [&](const char* what, double ours, double peer) {
    std::printf("| %s of `%s` as exported C, against the library's | %.3g ms | %.3g ms | %.3g |\n",
                what, e->name.c_str(), ours / 1000, peer / 1000, ours / peer);
  };
  row("forward dynamics", fd_c, fd_library);
  row("right-hand side of the SPF", rhs_c, rhs_library);
}

}  // namespace
}  // namespace kinemorph::bench

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) kinemorph::bench::Compare(argv[i]);
  if (argc > 1) return 0;
  for (const char* name : {"four_bar", "six_bar", "slider_crank", "double_pendulum", "torso",
                           "delta_robot", "stewart_platform", "biped"})
    kinemorph::bench::Compare(
        kinemorph::test::Fixture("mechanisms/" + std::string(name) + "/" + name + ".urdf"));
  return 0;
}
