// The mathematics of closed chains on every model with loops or couplings in the shared data,
// whatever its format.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "conversion.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "lab/dense_dynamics.h"
#include "states.h"

namespace kinemorph {
namespace {

using test::RandomClosedState;
using test::RelativeDifference;
using test::State;

struct Folder {
  const char* name;
  std::vector<std::string> extensions;
  std::size_t at_least;  ///< models with loops or couplings in it
};
void PrintTo(const Folder& folder, std::ostream* out) { *out << folder.name; }

Eigen::VectorXd RandomVelocity(const Mechanism& m, Random& random, double size) {
  return Eigen::VectorXd::NullaryExpr(m.nv, [&] { return random.Uniform(-size, size); });
}

// K and k as derivatives of phi and K, at a configuration that need not be closed.
double RowError(const Mechanism& m, Random& random) {
  const Eigen::VectorXd q =
      m.Integrate(m.ZeroPosition(), RandomVelocity(m, random, 0.1 * std::min(1.0, m.length)), 1);
  const Eigen::VectorXd v = RandomVelocity(m, random, 1);
  const double h = 1e-5;
  const ConstraintRows at = Constraints(m, q, v), after = Constraints(m, m.Integrate(q, v, h), v),
                       before = Constraints(m, m.Integrate(q, v, -h), v);
  return std::max(RelativeDifference((after.phi - before.phi) / (2 * h), at.K * v),
                  RelativeDifference(-(after.K - before.K) / (2 * h) * v, at.k));
}

// K G = 0 and K g = k to round-off in the rows that are used, to the digits of the file in
// redundant ones; g is the change of G along the motion.
void ExpectExplicitForm(const Mechanism& m, const Coordinates& c, const State& s) {
  const Embedding e = Embed(m, c, s.q, s.v);
  const ConstraintRows rows = Constraints(m, s.q, s.v);
  const double scale = e.G.size() == 0 ? 1 : std::max(1.0, e.G.cwiseAbs().maxCoeff());
  const Eigen::VectorXd k = rows.K * e.g;
  const double k_scale = std::max(1.0, rows.k.lpNorm<Eigen::Infinity>());
  std::vector<bool> used(static_cast<std::size_t>(m.rows), false);
  for (const int row : e.rows) used[static_cast<std::size_t>(row)] = true;
  for (Eigen::Index row = 0; row < m.rows; ++row) {
    const double tolerance = used[static_cast<std::size_t>(row)] ? 1e-9 : kContradiction;
    if (c.mobility > 0) {
      EXPECT_LT((rows.K.row(row) * e.G).cwiseAbs().maxCoeff(), tolerance * scale);
    }
    EXPECT_LT(std::abs(k[row] - rows.k[row]), tolerance * scale * k_scale);
  }
  Eigen::VectorXd y(c.mobility);
  for (int i = 0; i < c.mobility; ++i) y[i] = s.v[e.independent[static_cast<std::size_t>(i)]];
  const double h = 1e-5;
  const Eigen::VectorXd after = m.Integrate(s.q, s.v + h / 2 * e.g, h),
                        before = m.Integrate(s.q, s.v - h / 2 * e.g, -h);
  const Eigen::VectorXd rate =
      (Embed(m, c, after, s.v).G - Embed(m, c, before, s.v).G) * y / (2 * h);
  EXPECT_LT(RelativeDifference(rate, e.g), 1e-6 * scale);
}

constexpr double kLost = 1e9;

// The largest rate of a joint for a unit rate of an independent one.
double LargestRate(const Mechanism& m, const Coordinates& c, const Eigen::VectorXd& q) {
  const Eigen::MatrixXd G = Embed(m, c, q, Eigen::VectorXd::Zero(m.nv)).G;
  return G.size() == 0 ? 0 : G.cwiseAbs().maxCoeff();
}

// So many seconds without friction or drives from rest, by Runge-Kutta steps of fourth order; the
// change of energy over the largest kinetic one. It ends before a posture in which these
// coordinates no longer determine the others: a simulation takes other ones there.
double EnergyDrift(const Mechanism& m, const Coordinates& c, const Eigen::VectorXd& start,
                   double seconds, int steps) {
  ConstraintEmbeddingDynamics recursion(m, c);
  Eigen::VectorXd q = start, v = Eigen::VectorXd::Zero(m.nv), a1, a2, a3, a4;
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(m.nv);
  const double before = EnergyOf(m, q, v).potential, h = seconds / steps;
  const double singular = 20 * std::max(1.0, LargestRate(m, c, start));
  double largest = 1e-12, drift = 0;
  for (int i = 0; i < steps; ++i) {
    if (i % (steps / 100) == 0 && LargestRate(m, c, q) > singular) break;
    const auto accelerations = [&](const Eigen::VectorXd& at, const Eigen::VectorXd& rate,
                                   Eigen::VectorXd& a) {
      return recursion.ForwardDynamics(at, rate, tau, a) == DynamicsStatus::kOk;
    };
    if (!accelerations(q, v, a1)) return kLost;
    const Eigen::VectorXd v2 = v + h / 2 * a1;
    if (!accelerations(m.Integrate(q, v, h / 2), v2, a2)) return kLost;
    const Eigen::VectorXd v3 = v + h / 2 * a2;
    if (!accelerations(m.Integrate(q, v2, h / 2), v3, a3)) return kLost;
    const Eigen::VectorXd v4 = v + h * a3;
    if (!accelerations(m.Integrate(q, v3, h), v4, a4)) return kLost;
    q = m.Integrate(q, (v + 2 * v2 + 2 * v3 + v4) / 6, h);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    const Energy energy = EnergyOf(m, q, v);
    largest = std::max(largest, energy.kinetic);
    drift = std::max(drift, std::abs(energy.kinetic + energy.potential - before));
  }
  return drift / largest;
}

// Some step is small enough for five digits. A long cable whips within a second, and none is.
void ExpectEnergyKept(const Mechanism& m, const Coordinates& c, const Eigen::VectorXd& start) {
  const double seconds = m.nv > 60 ? 0.1 : 1;
  double drift = kLost;
  for (int steps = 200; steps <= 12800 && drift >= 1e-5; steps *= 2)
    drift = std::min(drift, EnergyDrift(m, c, start, seconds, steps));
  EXPECT_LT(drift, 1e-5);
}

class CorpusDynamics : public ::testing::TestWithParam<Folder> {};

TEST_P(CorpusDynamics, ThreeWaysAgreeRowsAreDerivativesAndEnergyIsConserved) {
  if (!std::filesystem::exists(test::Shared())) GTEST_SKIP() << "no shared data";
  std::size_t models = 0, without_answer = 0;
  for (const std::string& path : test::FilesBelow(
           std::filesystem::path(test::Shared()) / GetParam().name, GetParam().extensions)) {
    Diagnostics reading;
    const std::optional<Model> model = test::ReadFile(path, reading);
    if (!model || reading.has_errors()) continue;
    Mechanism m = Compile(*model);
    if (m.rows == 0) continue;
    for (Body& body : m.bodies)
      body.weightless = false;  // what nothing pulls has no energy to keep
    ++models;
    SCOPED_TRACE(path);
    Random random(5);
    EXPECT_LT(RowError(m, random), 1e-8);
    const Coordinates c = AnalyseCoordinates(m);
    EXPECT_EQ(c.mobility, m.nv - c.rank);
    ClosureSolver solver(m);
    ConstraintEmbeddingDynamics recursion(m, c);
    std::vector<Eigen::VectorXd> answered;
    const int states = m.nv < 60 ? 20 : 3;
    for (int i = 0; i < states; ++i) {
      const State s = RandomClosedState(m, c, solver, random);
      EXPECT_LT(solver.Residual(s.q), kNearlyClosed);
      const Accelerations kkt = ForwardDynamicsKkt(m, c, s.q, s.v, s.tau),
                          projected = ForwardDynamicsProjected(m, c, s.q, s.v, s.tau);
      Eigen::VectorXd qdd;
      const DynamicsStatus status = recursion.ForwardDynamics(s.q, s.v, s.tau, qdd);
      EXPECT_EQ(status, kkt.status);
      EXPECT_EQ(status, projected.status);
      if (status != DynamicsStatus::kOk) continue;
      answered.push_back(s.q);
      EXPECT_LT(RelativeDifference(projected.qdd, kkt.qdd), 1e-9);
      EXPECT_LT(RelativeDifference(qdd, kkt.qdd), 1e-9);
      if (i < 5) ExpectExplicitForm(m, c, s);
    }
    // A massless leaf, or a loop that is everywhere in a singular posture, has no answer anywhere.
    if (static_cast<int>(answered.size()) < states) {
      ++without_answer;
      continue;
    }
    ExpectEnergyKept(m, c, answered.front());
  }
  EXPECT_GE(models, GetParam().at_least);
  EXPECT_LE(without_answer * 5, models);
}

INSTANTIATE_TEST_SUITE_P(SharedData, CorpusDynamics,
                         ::testing::Values(Folder{"urdf_plus", {".urdf"}, 50},
                                           Folder{"corpus/urdf", {".urdf"}, 20},
                                           Folder{"corpus/sdf", {".sdf", ".world"}, 10},
                                           Folder{"corpus/mjcf", {".xml"}, 30},
                                           Folder{"mbs", {".mbs"}, 3}),
                         [](const ::testing::TestParamInfo<Folder>& tested) {
                           std::string name = tested.param.name;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

}  // namespace
}  // namespace kinemorph
