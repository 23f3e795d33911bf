// Facts of mechanisms read from files: fixtures of this repository, and models of the shared data
// with known ranks.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "lab/dense_dynamics.h"
#include "load_model.h"
#include "states.h"

namespace kinemorph {
namespace {

using test::Fixture;
using test::LoadModel;
using test::ReadText;
using test::Shared;
using Json = nlohmann::json;

std::vector<std::string> FixtureNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(Fixture("mechanisms")))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void ExpectFacts(const Model& model, const Json& expected, const std::string& what) {
  const Coordinates c = AnalyseCoordinates(Compile(model));
  EXPECT_EQ(c.spanning_dof, expected.at("spanning_dof")) << what;
  EXPECT_EQ(c.constraint_rows, expected.at("constraint_rows")) << what;
  EXPECT_EQ(c.rank, expected.at("rank")) << what;
  EXPECT_EQ(c.mobility, expected.at("mobility")) << what;
  EXPECT_EQ(c.independent_declared, expected.at("independent_declared")) << what;
  EXPECT_TRUE(c.independent_ok) << what;
  EXPECT_EQ(!c.open_at_zero, expected.at("closed_at_zero")) << what;
  EXPECT_EQ(c.singular_at_zero, expected.at("singular_at_zero")) << what;
}

TEST(Mechanisms, FixturesHaveTheirRankMobilityAndIndependentCoordinates) {
  for (const std::string& name : FixtureNames()) {
    const std::string folder = "mechanisms/" + name + "/";
    const std::optional<std::string> text = ReadText(Fixture(folder + "expected.json"));
    ASSERT_TRUE(text) << name;
    const Json expected = Json::parse(*text);
    for (const std::string& file : {name + ".urdf", name + ".sdf", name + "_reference.urdf"}) {
      if (!std::filesystem::exists(Fixture(folder + file))) continue;
      std::string why;
      const std::optional<Model> model = LoadModel(Fixture(folder + file), why);
      ASSERT_TRUE(model) << why;
      Json facts = expected;
      const bool sdf = file.ends_with(".sdf");
      if (sdf && expected.contains("sdf")) facts.update(expected["sdf"]);
      if (file.ends_with("_reference.urdf") && expected.contains("reference"))
        facts.update(expected["reference"]);
      ExpectFacts(*model, facts, file);
      if (!expected.contains("G") || sdf) continue;
      const Mechanism m = Compile(*model);
      const Coordinates c = AnalyseCoordinates(m);
      const Embedding e = Embed(m, c, c.assembled, Eigen::VectorXd::Zero(m.nv));
      for (int v = 0; v < m.nv; ++v) {
        const std::string joint = m.names[static_cast<std::size_t>(v)];
        const std::vector<double> row = expected["G"].at(joint);
        // Columns stand aggregate after aggregate; the file lists them in joint order.
        std::vector<std::pair<int, double>> found;
        for (int i = 0; i < c.mobility; ++i)
          found.emplace_back(e.independent[static_cast<std::size_t>(i)], e.G(v, i));
        std::sort(found.begin(), found.end());
        for (std::size_t i = 0; i < row.size(); ++i)
          EXPECT_NEAR(found[i].second, row[i], 1e-12) << file << " " << joint;
      }
    }
  }
}

// The last bit of every length and direction, as another libm would leave it.
void Perturb(Model& model, Random& random) {
  const auto shake = [&](auto&& values) {
    for (double& x : values.reshaped()) x *= 1 + random.Uniform(-1e-15, 1e-15);
  };
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    for (RigidTransform* X : {&joint.X_PF, &joint.X_SM}) shake(X->p), shake(X->R);
  }
}

TEST(Mechanisms, RoundingDoesNotDecideWhichCoordinatesAreIndependent) {
  for (const std::string& name : FixtureNames()) {
    for (const std::string& file : {name + ".urdf", name + ".sdf"}) {
      std::string why;
      std::optional<Model> model = LoadModel(Fixture("mechanisms/" + name + "/" + file), why);
      ASSERT_TRUE(model) << why;
      for (const JointId id : Joints(*model)) model->joint(id).independent.reset();
      model->format = "sdf";  // nothing is declared by silence
      const Coordinates plain = AnalyseCoordinates(Compile(*model));
      Random random(7);
      for (int i = 0; i < 5; ++i) {
        Model shaken = *model;
        Perturb(shaken, random);
        const Coordinates c = AnalyseCoordinates(Compile(shaken));
        for (std::size_t a = 0; a < c.aggregates.size(); ++a)
          EXPECT_EQ(c.aggregates[a].independent, plain.aggregates[a].independent) << file;
      }
    }
  }
}

TEST(Mechanisms, TheTwoFilesOfAPairAreTheSameMechanism) {
  for (const std::string& name : FixtureNames()) {
    if (name == "six_bar")
      continue;  // its two files have different zero configurations, on purpose
    std::string why;
    const std::optional<Model> urdf =
        LoadModel(Fixture("mechanisms/" + name + "/" + name + ".urdf"), why);
    const std::optional<Model> sdf =
        LoadModel(Fixture("mechanisms/" + name + "/" + name + ".sdf"), why);
    ASSERT_TRUE(urdf && sdf) << why;
    for (const auto& [a, b] : {std::pair(*urdf, *sdf), std::pair(*sdf, *urdf)}) {
      const VerifyResult result = VerifyEquivalent(a, b);
      EXPECT_NE(result.verdict, Verdict::kDifferent)
          << name << " as " << a.format << ": " << result.line;
      for (const VerifyCheck& check : result.checks)
        EXPECT_LE(check.max_error, check.tolerance)
            << name << ": " << check.what << " at " << check.worst;
    }
  }
}

class Golden : public ::testing::Test {
 protected:
  // Rank, mobility, declaration of every file; the three forward dynamics at random closed states.
  static void Check(const std::string& path, int dof, int declared, int rank, int mobility,
                    int states) {
    std::string why;
    const std::optional<Model> model = LoadModel(path, why);
    ASSERT_TRUE(model) << why;
    const Mechanism m = Compile(*model);
    const Coordinates c = AnalyseCoordinates(m);
    EXPECT_EQ(c.spanning_dof, dof) << path;
    EXPECT_EQ(c.rank, rank) << path;
    EXPECT_EQ(c.mobility, mobility) << path;
    EXPECT_EQ(c.independent_declared, declared) << path;
    EXPECT_EQ(c.independent_ok, declared == mobility) << path;
    ClosureSolver solver(m);
    Random random(11);
    ConstraintEmbeddingDynamics recursion(m, c);
    for (int i = 0; i < states; ++i) {
      const test::State s = test::RandomClosedState(m, c, solver, random);
      EXPECT_LT(solver.Residual(s.q), 1e-9) << path;
      const Accelerations kkt = ForwardDynamicsKkt(m, c, s.q, s.v, s.tau),
                          projected = ForwardDynamicsProjected(m, c, s.q, s.v, s.tau);
      Eigen::VectorXd qdd;
      const DynamicsStatus status = recursion.ForwardDynamics(s.q, s.v, s.tau, qdd);
      EXPECT_EQ(kkt.status, projected.status) << path;
      EXPECT_EQ(kkt.status, status) << path;
      EXPECT_LT(test::RelativeDifference(projected.qdd, kkt.qdd), 1e-9) << path;
      EXPECT_LT(test::RelativeDifference(qdd, kkt.qdd), 1e-9) << path;
    }
  }
};

TEST_F(Golden, RobotModelsOfTheReferenceImplementation) {
  const std::string root = "data/urdf_plus/";
  const std::optional<std::string> text =
      ReadText(Shared(root + "golden/golden_robot_models.json"));
  if (!text) GTEST_SKIP() << "no shared data";
  const Json golden = Json::parse(*text);
  EXPECT_GE(golden.size(), 14u);
  for (const auto& [file, facts] : golden.items()) {
    const Json& a = facts.at("analysis");
    Check(Shared(root + "ROAM-Lab-ND_generalized_rbda/" + file), a.at("spanning_velocity_dof"),
          a.at("declared_independent_velocity_dof"), a.at("generic").at("rank_K"),
          a.at("generic").at("mobility"), 20);
  }
}

TEST_F(Golden, BenchmarkFamiliesOfTheReferenceImplementation) {
  const std::string root = "data/urdf_plus/";
  const std::optional<std::string> text = ReadText(Shared(root + "golden/golden_benchmarks.json"));
  if (!text) GTEST_SKIP() << "no shared data";
  const Json golden = Json::parse(*text);
  int found = 0;
  for (const auto& [file, a] : golden.items()) {
    const std::string path = Shared(root + "ROAM-Lab-ND_generalized_rbda/" + file);
    if (!std::filesystem::exists(path)) continue;
    ++found;
    const int dof = a.at("spanning_velocity_dof");
    Check(path, dof, a.at("declared_independent_velocity_dof"), a.at("rank_K_generic"),
          a.at("mobility_generic"), dof < 60 ? 20 : 2);
  }
  EXPECT_GE(found, 50);
}

// The loops of the RH5 Manus stand in a side-car: per loop the cut joint, the two bodies, and the
// constrained axes. The constraint frame is the frame of the cut joint's child at the zero
// configuration.
struct SideCarLoop {
  std::string cut_joint, predecessor, successor;
  int axes = 0;
};

std::vector<SideCarLoop> ReadSideCar(const std::string& text) {
  std::vector<SideCarLoop> loops;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comment = line.find('#');
    if (comment != std::string::npos) line.resize(comment);
    const auto value = [&](const std::string& key) -> std::string {
      const std::size_t at = line.find(key + ":");
      if (at == std::string::npos) return {};
      std::string rest = line.substr(at + key.size() + 1);
      std::erase_if(rest, [](char c) { return c == '"' || c == ' ' || c == '\r'; });
      return rest;
    };
    if (const std::string joint = value("cut_joint"); !joint.empty())
      loops.push_back({joint, "", "", 0});
    if (loops.empty()) continue;
    if (const std::string body = value("predecessor_body"); !body.empty())
      loops.back().predecessor = body;
    if (const std::string body = value("successor_body"); !body.empty())
      loops.back().successor = body;
    if (!value("axis").empty()) ++loops.back().axes;
  }
  return loops;
}

TEST(Mechanisms, TheReducedRh5ManusHasThirteenIndependentCoordinates) {
  const std::string folder = Shared(
      "data/urdf_plus/dfki_hybrid_numerical_analytical/model/submechanisms_urdf/"
      "submechanisms_reduced");
  const std::optional<std::string> side_car = ReadText(folder + ".yml");
  if (!side_car) GTEST_SKIP() << "no shared data";
  std::string why;
  std::optional<Model> model = LoadModel(folder + ".urdf", why);
  ASSERT_TRUE(model) << why;
  const Mechanism tree = Compile(*model);
  EXPECT_EQ(tree.nv, 23);
  const std::vector<RigidTransform> X_W = Poses(tree, tree.ZeroPosition());
  const auto pose = [&](LinkId id) {
    return X_W[static_cast<std::size_t>(tree.body_of[Index(id)])];
  };
  int axes = 0;
  for (const SideCarLoop& entry : ReadSideCar(*side_car)) {
    const auto cut = model->FindJoint(entry.cut_joint);
    const auto p = model->FindLink(entry.predecessor), s = model->FindLink(entry.successor);
    ASSERT_TRUE(cut && p && s) << entry.cut_joint;
    const RigidTransform X_WF = pose(model->successor(*cut));
    Joint loop;
    loop.name = "loop of " + entry.cut_joint, loop.kind = Ball{}, loop.role = JointRole::kLoop;
    loop.axes.resize(1);
    loop.X_PF = pose(*p).inverse() * X_WF, loop.X_SM = pose(*s).inverse() * X_WF;
    model->AddJoint(*p, *s, loop);
    axes += entry.axes;
  }
  EXPECT_EQ(axes,
            10);  // a point in the plane is two rows there; a ball has a third, which is redundant
  const Coordinates c = AnalyseCoordinates(Compile(*model));
  EXPECT_EQ(c.rank, 10);
  EXPECT_EQ(c.mobility, 13);
  EXPECT_FALSE(c.open_at_zero);
}

}  // namespace
}  // namespace kinemorph
