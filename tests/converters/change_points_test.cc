// Four mechanisms through change points against motions that were computed apart, with rows that
// keep their rank there (../shared/data/motion): whatever the tolerance and the rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "kinemorph/graph/motion/simulation.h"
#include "kinemorph/graph/motion/start_velocity.h"
#include "load_model.h"

namespace kinemorph {
namespace {

struct Reference {
  std::string name, model;
  bool turns;    // starts with a = 30 degrees and 15 rad/s
  double until;  // s: later, errors have grown a thousandfold
  long points;
};

// By time (us): coordinate and value.
using Values = std::map<long, std::vector<std::pair<std::string, double>>>;

Values ReadValues(const std::string& path, double until) {
  std::istringstream lines(test::ReadText(path).value_or(""));
  std::string line;
  std::getline(lines, line);
  Values values;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string t, coordinate, value;
    std::getline(cells, t, ','), std::getline(cells, coordinate, ','),
        std::getline(cells, value, ',');
    if (const std::size_t dot = coordinate.find('.'); dot != std::string::npos)
      coordinate = coordinate.substr(0, dot) + "[" + coordinate.substr(dot + 1) + "]";
    if (std::stod(t) <= until + 1e-9)
      values[std::lround(1e6 * std::stod(t))].emplace_back(coordinate, std::stod(value));
  }
  return values;
}

int PositionOf(const Mechanism& m, const std::string& coordinate) {
  const auto v = std::find(m.names.begin(), m.names.end(), coordinate) - m.names.begin();
  for (const Body& body : m.bodies)
    if (body.nq == body.nv && v >= body.v && v < body.v + body.nv)
      return body.q + static_cast<int>(v) - body.v;
  return -1;
}

class ChangePoints : public testing::TestWithParam<Reference> {
 protected:
  void SetUp() override {
    const Reference& reference = GetParam();
    const std::string csv = test::Shared("data/motion/" + reference.name + ".csv");
    if (!std::filesystem::exists(csv)) GTEST_SKIP() << "../shared/data/motion is absent";
    values_ = ReadValues(csv, reference.until);
    ASSERT_FALSE(values_.empty());
    std::string why;
    const std::optional<Model> model =
        test::LoadModel(reference.turns ? test::Shared("data/motion/" + reference.model)
                                        : test::Fixture("mechanisms/" + reference.model),
                        why);
    ASSERT_TRUE(model) << why;
    m_ = Compile(*model);
  }
  // Largest error over all values.
  void Expect(SimulationOptions options, double tolerance) {
    std::vector<GivenCoordinate> set, rate;
    if (GetParam().turns) {
      const auto crank = std::find_if(m_.bodies.begin(), m_.bodies.end(),
                                      [](const Body& body) { return body.name == "crank"; });
      const int body = static_cast<int>(crank - m_.bodies.begin());
      set.push_back({body, 0, std::acos(-1) / 6, "a"}), rate.push_back({body, 0, 15, "a"});
    }
    const Posture posture = FindPosture(m_, AnalyseCoordinates(m_), set);
    ASSERT_TRUE(posture.ok) << posture.why;
    MotionSystem system(m_, {});
    ASSERT_TRUE(system.Divide(posture.q, {})) << system.Why();
    const Posture velocity = FindVelocity(system, posture.q, rate);
    ASSERT_TRUE(velocity.ok) << velocity.why;
    options.time = 1e-6 * static_cast<double>(values_.rbegin()->first);
    double worst = 0;
    const SimulationResult result =
        Simulate(system, posture.q, velocity.q, options, [&](const MotionSample& sample) {
          const auto at = values_.find(std::lround(1e6 * sample.t));
          if (at == values_.end()) return;
          for (const auto& [coordinate, value] : at->second)
            worst = std::max(worst, std::abs(sample.q[PositionOf(m_, coordinate)] - value));
        });
    const std::string what = GetParam().name + ", rtol " +
                             std::to_string(-std::log10(options.rtol)) + ", rows " +
                             std::to_string(options.rows);
    EXPECT_EQ(result.end, SimulationEnd::kDone) << what << result.why;
    EXPECT_LT(worst, tolerance) << what;
    const auto points =
        std::count_if(result.events.begin(), result.events.end(),
                      [](const MotionEvent& e) { return e.kind == "change-point"; });
    EXPECT_GE(points, GetParam().points) << what;
  }
  Values values_;
  Mechanism m_;
};

TEST_P(ChangePoints, ArePassedWhateverTheToleranceAndTheRows) {
  const std::pair<double, double> tolerances[] = {
      {1e-6, 1e-5}, {1e-8, 1e-6}, {1e-10, 1e-8}, {1e-12, 1e-8}};
  for (const auto& [rtol, error] : tolerances) {
    for (const double rows : {2e-4, 2e-3, 0.01, 0.05}) {
      SimulationOptions options;
      options.rtol = rtol, options.rows = rows;
      Expect(options, error);
    }
  }
}

TEST_P(ChangePoints, ArePassedWithFixedSteps) {
  SimulationOptions options;
  options.step = options.rows = 1e-3;
  Expect(options, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Motions, ChangePoints,
    testing::Values(Reference{"delta_robot", "delta_robot/delta_robot.sdf", false, 0.5, 2},
                    Reference{"lims2_wrist", "lims2_wrist/lims2_wrist.urdf", false, 1, 6},
                    Reference{"parallelogram_flat", "parallelogram_flat.sdf", true, 1, 3},
                    Reference{"slider_crank_isosceles", "slider_crank_isosceles.sdf", true, 0.5,
                              2}),
    [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace kinemorph
