// Mechanisms with loops, ours and of others, swing for two seconds by kinemorph and by Simbody's own
// integrator: rigid bodies and gravity, the base fixed. What the two cost is printed.
#include <gtest/gtest.h>

#ifdef KINEMORPH_JUDGE_SIMBODY
#include <ctime>
#include <iostream>

#include "conversion.h"
#include "kinemorph/graph/motion/simulation.h"
#include "load_model.h"
#include "simbody_model.h"
#include "states.h"

namespace kinemorph {
namespace {

constexpr double kTime = 2, kRow = 0.1;  // s
constexpr double kAccuracy = 1e-9;

// Without what only one of the two has: what moves is rigid bodies under gravity.
Mechanism Rigid(Model model) {
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (std::holds_alternative<Free>(joint.kind) && joint.role != JointRole::kLoop) {
      joint.kind = Fixed{};
      joint.axes.clear();
    }
  }
  Mechanism m = Compile(model);
  for (std::vector<double>* part : {&m.armature, &m.damping, &m.friction, &m.spring_stiffness})
    std::fill(part->begin(), part->end(), 0);
  return m;
}

struct Compared {
  std::string verdict;          // "" where both got to the end
  double apart = 0;             // rad, m: the worst coordinate
  double ours = 0, theirs = 0;  // s of processor time
};

double ProcessorTime() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Compared Compare(const Mechanism& m) {
  Compared out;
  const Coordinates coordinates = AnalyseCoordinates(m);
  if (!coordinates.assembles || coordinates.mobility == 0) return {"does not move"};
  ClosureSolver solver(m);
  Random random(3);
  const Eigen::VectorXd q = test::RandomClosedState(m, coordinates, solver, random, 0.2).q,
                        v = Eigen::VectorXd::Zero(m.nv);
  MotionSystem system(m, {});
  if (!system.Divide(q, {})) return {"ours: " + system.Why()};
  SimulationOptions options;
  options.time = kTime, options.rows = kRow, options.rtol = kAccuracy;
  const double longest = ProcessorTime() + 20;
  options.interrupted = [&] { return ProcessorTime() > longest ? "20 s" : ""; };
  std::vector<MotionSample> samples;
  double start = ProcessorTime();
  const SimulationResult result = Simulate(
      system, q, v, options, [&](const MotionSample& sample) { samples.push_back(sample); });
  out.ours = ProcessorTime() - start;
  if (result.end != SimulationEnd::kDone) return {"ours: " + result.why};
  std::vector<double> times;
  for (const MotionSample& sample : samples) times.push_back(sample.t);
  test::SimbodyModel simbody(m, true);
  simbody.SetState(q, v, v);
  const test::PlainMotion motion = simbody.Integrate(times, kAccuracy);
  out.theirs = motion.seconds;
  if (!motion.why.empty()) return {"Simbody: " + motion.why.substr(0, 60)};
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t b = 1; b < m.bodies.size(); ++b)
      if (m.bodies[b].nv == 1)
        out.apart = std::max(out.apart, std::abs(samples[i].q[m.bodies[b].q] - motion.q[i][b - 1]));
  return out;
}

TEST(SimbodyMotion, MechanismsSwingTheSameWay) {
  std::vector<std::string> files =
      test::FilesBelow(test::Fixtures() + "/mechanisms", {".urdf", ".sdf", ".xml"});
  for (const char* part : {"corpus", "urdf_plus", "legs"})
    for (const std::string& file :
         test::FilesBelow(std::filesystem::path(test::Shared()) / part, {".sdf", ".urdf", ".xml"}))
      files.push_back(file);
  int compared = 0, near = 0;
  for (const std::string& file : files) {
    std::string why;
    std::optional<Model> model = test::LoadModel(file, why);
    if (!model) continue;
    const Mechanism m = Rigid(*std::move(model));
    if (m.rows == 0 || !m.problems.empty() || !test::SimbodyModel::Holds(m)) continue;
    const Compared at = Compare(m);
    std::cout << std::filesystem::path(file).filename() << " nv " << m.nv << " rows " << m.rows
              << ": " << at.verdict << " apart " << at.apart << ", ours " << at.ours / kTime
              << " s/s, Simbody " << at.theirs / kTime << " s/s" << std::endl;
    if (!at.verdict.empty()) continue;
    ++compared, near += at.apart < 1e-6;
  }
  std::cout << near << " of " << compared << " within 1e-6\n";
}

}  // namespace
}  // namespace kinemorph
#endif
