// Exported C beside the library, robot by robot: largest difference of all functions at 100 random
// closed states, and the time of one forward dynamics compiled with -O2. Arguments: files; without
// any, the mechanisms of fixtures/.
#include <chrono>
#include <cstdio>

#include "../support/generated_c.h"
#include "../support/load_model.h"

namespace kinemorph::bench {
namespace {

// The median of many runs, in microseconds.
template <class Function>
double Microseconds(const Function& function) {
  using Clock = std::chrono::steady_clock;
  constexpr int kCalls = 200;
  std::vector<double> times;
  for (int run = 0; run < 51; ++run) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) function();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + 25, times.end());
  return times[25] / kCalls;
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
  const auto start = std::chrono::steady_clock::now();
  const test::CommandResult built = test::Shell(
      "cc " + test::kStrict + " -O2 -shared -fPIC -o r.so " + e->name + ".c -lm", folder.path());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (built.exit_code != 0) return static_cast<void>(std::printf("%s\n", built.err.c_str()));
  const test::Loaded loaded(folder / "r.so");
  std::string worst;
  const double difference = test::CompareGenerated(loaded, m, coordinates, *e, 100, worst);
  ClosureSolver solver(m);
  Random random(3);
  const test::State state = test::RandomClosedState(m, coordinates, solver, random, 0.3);
  const Eigen::VectorXd v_q = state.v(e->independent);
  Eigen::VectorXd qdd(m.nv);
  ConstraintEmbeddingDynamics dynamics(m, coordinates);
  const double library =
      Microseconds([&] { return dynamics.ForwardDynamics(state.q, state.v, state.tau, qdd); });
  const auto fd =
      loaded.Find<int(const double*, const double*, const double*, double*)>(e->name + "_fd");
  const double exported =
      Microseconds([&] { return fd(state.q.data(), v_q.data(), state.tau.data(), qdd.data()); });
  std::printf(
      "%-28.28s n %3d rows %3zu  diff %.1e (%s)  fd %.2f us, library %.2f us: %.2f  "
      "compiled in %.1f s\n",
      e->name.c_str(), m.nv, e->rows.size(), difference, worst.c_str(), exported, library,
      exported / library, seconds);
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
