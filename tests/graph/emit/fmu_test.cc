// Exported FMU: accepted by the published schema, and integrated by our own importer, which is
// compiled against the published headers, to the library's trajectory.
#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <sstream>

#include "generated_c.h"
#include "load_model.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

const fs::path kPublished = fs::path(SourceDir()) / "tests/graph/emit/fmi2";

struct Fmu {
  Mechanism m;
  Coordinates coordinates;
  Equations equations;
  std::map<std::string, std::string> files;
};

std::optional<Fmu> FmuOf(Mechanism m, const std::string& name) {
  Fmu fmu;
  fmu.m = std::move(m);
  fmu.coordinates = AnalyseCoordinates(fmu.m);
  EquationOptions options;
  options.simulation = true;
  std::string why;
  std::optional<Equations> e = MakeEquations(fmu.m, fmu.coordinates, name, options, why);
  EXPECT_TRUE(e) << why;
  if (!e) return std::nullopt;
  fmu.equations = *std::move(e);
  for (const ExportedFile& file : ExportFmu(fmu.equations)) fmu.files[file.name] = file.text;
  return fmu;
}

std::optional<Fmu> Torso() {
  std::string why;
  const std::optional<Model> model = LoadModel(Fixture("mechanisms/torso/torso.urdf"), why);
  EXPECT_TRUE(model) << why;
  return model ? FmuOf(Compile(*model), "torso") : std::nullopt;
}
std::optional<Fmu> Floating() {
  RandomMechanismOptions options;
  options.links = 5, options.loops = 1, options.free_base = true;
  return FmuOf(Compile(RandomMechanism(6, options)), "a \"floating\" <base> & more");
}

std::string GuidIn(const std::string& text, const std::string& pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

TEST(ExportFmu, DescriptionFollowsTheSchema) {
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "xmllint is not installed";
  for (const auto& fmu : {Torso(), Floating()}) {
    ASSERT_TRUE(fmu);
    const std::string& xml = fmu->files.at("modelDescription.xml");
    const std::string schema =
        "xmllint --noout --schema '" + (kPublished / "fmi2ModelDescription.xsd").string() + "' -";
    const CommandResult good = Shell(schema, ".", xml);
    EXPECT_EQ(good.exit_code, 0) << good.err;
    const CommandResult bad =
        Shell(schema, ".", std::regex_replace(xml, std::regex(" guid=\"[^\"]*\""), ""));
    EXPECT_NE(bad.exit_code, 0);
  }
}

// Rules of the standard that no schema can say.
TEST(ExportFmu, DescriptionAgreesWithItself) {
  const auto fmu = Torso();
  ASSERT_TRUE(fmu);
  const std::string& xml = fmu->files.at("modelDescription.xml");
  const std::string guid = GuidIn(xml, "guid=\"([^\"]+)\"");
  EXPECT_EQ(guid.size(), 38u);
  EXPECT_EQ(guid, GuidIn(fmu->files.at("sources/fmu.c"), "#define GUID \"([^\"]+)\""));
  std::set<std::string> names, references;
  std::vector<std::string> variables;
  const std::regex variable("<ScalarVariable name=\"([^\"]+)\" valueReference=\"([0-9]+)\".*");
  std::istringstream lines(xml);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, variable)) continue;
    EXPECT_TRUE(names.insert(match[1]).second && references.insert(match[2]).second) << line;
    variables.push_back(line);
  }
  const std::size_t states = fmu->equations.positions.size() + fmu->equations.independent.size();
  std::set<std::string> listed;
  const std::string derivatives =
      xml.substr(xml.find("<Derivatives>"), xml.find("</Derivatives>") - xml.find("<Derivatives>"));
  const std::regex unknown("index=\"([0-9]+)\"");
  for (std::sregex_iterator it(derivatives.begin(), derivatives.end(), unknown), end; it != end;
       ++it) {
    const std::string& of = variables[std::stoul((*it)[1]) - 1];
    const std::size_t state = std::stoul(GuidIn(of, "derivative=\"([0-9]+)\""));
    EXPECT_EQ(GuidIn(of, "name=\"der\\(([^\"]+)\\)\""),
              GuidIn(variables[state - 1], "name=\"([^\"]+)\""));
    EXPECT_THAT(variables[state - 1], testing::HasSubstr("start="));
    listed.insert((*it)[1]);
  }
  EXPECT_EQ(listed.size(), states);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool output = variables[i].find("causality=\"output\"") != std::string::npos;
    const std::string entry = "<Unknown index=\"" + std::to_string(i + 1) + "\"/>";
    const std::string outputs =
        xml.substr(xml.find("<Outputs>"), xml.find("</Outputs>") - xml.find("<Outputs>"));
    EXPECT_EQ(outputs.find(entry) != std::string::npos, output) << variables[i];
    const bool calculated = variables[i].find("\"calculated\"") != std::string::npos;
    EXPECT_EQ(variables[i].find("start=") == std::string::npos, calculated) << variables[i];
  }
}

// One coordinate of a loop, whatever it is, starts where some closed posture has it: the others
// follow. All of them start in such a posture as it is.
TEST(ExportFmu, StartsClosedAtAnyValueWithinReach) {
  TemporaryFolder folder;
  std::vector<Fmu> all;
  std::string sources;
  for (const auto& entry : fs::directory_iterator(Fixture("mechanisms"))) {
    const std::string name = entry.path().filename().string();
    std::string why;
    const std::optional<Model> model =
        LoadModel(Fixture("mechanisms/" + name + "/" + name + ".urdf"), why);
    ASSERT_TRUE(model) << why;
    auto fmu = FmuOf(Compile(*model), name);
    ASSERT_TRUE(fmu);
    WriteFile(folder / (name + ".c"), fmu->files.at("sources/equations.c"));
    sources += name + ".c ";
    all.push_back(*std::move(fmu));
  }
  ASSERT_EQ(all.size(), 18u);
  const CommandResult built =
      Shell("cc " + kStrict + " -O0 -shared -fPIC -o all.so " + sources + "-lm", folder.path());
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Loaded loaded(folder / "all.so");
  ASSERT_TRUE(loaded.good()) << dlerror();
  for (const Fmu& fmu : all) {
    const Equations& e = fmu.equations;
    const auto start = loaded.Find<int(const double*, const int*, double*)>(e.name + "_start");
    ClosureSolver solver(fmu.m);
    Random random(3);
    for (int state = 0; state < 10; ++state) {
      const Eigen::VectorXd closed =
          solver.RandomState(e.assembled, 0.4, fmu.coordinates.Ranks(), random);
      for (Eigen::Index i = 0; i < closed.size(); ++i) {
        if (e.closing.rates[static_cast<std::size_t>(i)] < 0) continue;
        std::vector<int> given(static_cast<std::size_t>(closed.size()), 0);
        given[static_cast<std::size_t>(i)] = 1;
        Eigen::VectorXd q = e.assembled;
        EXPECT_EQ(start(closed.data(), given.data(), q.data()), 0)
            << e.name << " " << e.positions[static_cast<std::size_t>(i)].name << " = " << closed[i];
        EXPECT_EQ(q[i], closed[i]) << e.name;
        EXPECT_LT(solver.Residual(q), 1e-6) << e.name << " " << i;
      }
      const std::vector<int> every(static_cast<std::size_t>(closed.size()), 1);
      Eigen::VectorXd q = e.assembled;
      EXPECT_EQ(start(closed.data(), every.data(), q.data()), 0) << e.name;
      EXPECT_LT((q - closed).lpNorm<Eigen::Infinity>(), 1e-6) << e.name;
      q = e.assembled;
      Eigen::VectorXd open = closed;
      open[0] += 0.3;
      if (solver.Residual(open) < 0.05) continue;
      EXPECT_EQ(start(open.data(), every.data(), q.data()), 1) << e.name;
    }
  }
}

Eigen::VectorXd Derivative(const Fmu& fmu, const Eigen::VectorXd& x, const Eigen::VectorXd& tau) {
  const int m = static_cast<int>(fmu.equations.independent.size());
  return SpfReference(fmu.m, fmu.equations, x.head(fmu.m.nq), x.tail(m), tau, 0.05);
}

// As the mechanism whose links are heavier by factors, inertias along.
TEST(ExportFmu, MassesAreInputs) {
  RandomMechanismOptions options;
  options.links = 6, options.loops = 2, options.free_base = true;
  const Mechanism light = Compile(RandomMechanism(3, options));
  Mechanism heavy = light;
  EquationOptions how;
  how.simulation = true;
  std::string why;
  const Coordinates coordinates = AnalyseCoordinates(light);
  const auto e = MakeEquations(light, coordinates, "light", how, why);
  ASSERT_TRUE(e) << why;
  ASSERT_GE(e->masses.size(), 6u);
  Values scale;
  for (const ExportedMass& mass : e->masses) {
    scale.push_back(0.5 + 0.3 * static_cast<double>(scale.size()));
    SpatialInertia& inertia = heavy.bodies[static_cast<std::size_t>(mass.body)].inertia;
    EXPECT_EQ(inertia.mass, mass.mass);
    inertia.mass *= scale.back(), inertia.I_BBcm *= scale.back();
  }
  const auto other = MakeEquations(heavy, coordinates, "heavy", how, why);
  ASSERT_TRUE(other) << why;
  const auto run = [&](const Equations& equations, const Values& factors) {
    const Program& rhs = *equations.Find("rhs");
    const double time = 0, epsilon = 0.05;
    Values state = ValuesOf(equations.assembled), tau(equations.velocities.size(), 0.1);
    for (std::size_t i = 0; i < equations.independent.size(); ++i)
      state.push_back(0.2 + 0.1 * static_cast<double>(i));
    Values rate(rhs.outputs[0].steps.size()), v(rhs.outputs[1].steps.size());
    EXPECT_TRUE(rhs.Run(
        {&time, state.data(), tau.data(), &epsilon, equations.gravity.data(), factors.data()},
        {rate.data(), v.data()}));
    return rate;
  };
  const Values ones(scale.size(), 1.0);
  EXPECT_LE(LargestDifference(run(*e, scale), run(*other, ones)), 1e-12);
  EXPECT_GT(LargestDifference(run(*e, ones), run(*other, ones)), 1e-3);
}

TEST(ExportFmu, OurImporterIntegratesItToTheLibrarysTrajectory) {
  for (const auto& fmu : {Torso(), Floating()}) {
    ASSERT_TRUE(fmu);
    const Equations& e = fmu->equations;
    TemporaryFolder folder;
    for (const auto& [name, text] : fmu->files) WriteFile(folder / name, text);
    for (const char* header : {"fmi2FunctionTypes.h", "fmi2Functions.h", "fmi2TypesPlatform.h"})
      WriteFile(folder / header, FileText(kPublished / (std::string(header) + ".txt")));
    const CommandResult built =
        Shell("cc " + kStrict +
                  " -O0 -shared -fPIC -o fmu.so sources/fmu.c sources/equations.c -lm && "
                  "cc -std=c99 -Wall -Wextra -Werror -O0 -I. -o importer '" +
                  (kPublished / "importer.c").string() + "' -ldl",
              folder.path());
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const Eigen::Index states = fmu->m.nq + static_cast<Eigen::Index>(e.independent.size());
    std::size_t dependent = e.velocities.size() - e.independent.size();
    const std::size_t force = 2 * static_cast<std::size_t>(states) + dependent;
    constexpr double kStep = 0.002, kForce = 0.3;
    constexpr int kSteps = 50;
    const CommandResult run = Shell(
        "./importer ./fmu.so '" +
            GuidIn(fmu->files.at("modelDescription.xml"), "guid=\"([^\"]+)\"") + "' 0.002 50 " +
            std::to_string(states) + " " + std::to_string(force) + " 0.3 " +
            GuidIn(fmu->files.at("modelDescription.xml"), "numberOfEventIndicators=\"([0-9]+)\""),
        folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
    Eigen::VectorXd x(states), tau = Eigen::VectorXd::Zero(fmu->m.nv);
    x << e.assembled, Eigen::VectorXd::Zero(states - fmu->m.nq);
    tau[0] = kForce;
    for (int i = 0; i < kSteps; ++i) {
      const Eigen::VectorXd k1 = Derivative(*fmu, x, tau),
                            k2 = Derivative(*fmu, x + kStep / 2 * k1, tau),
                            k3 = Derivative(*fmu, x + kStep / 2 * k2, tau),
                            k4 = Derivative(*fmu, x + kStep * k3, tau);
      x += kStep / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    std::istringstream numbers(run.out);
    Values result;
    for (std::string text; numbers >> text;) result.push_back(std::stod(text));
    ASSERT_EQ(result.size(), 2 * static_cast<std::size_t>(states));
    const Values stepped(result.begin() + states, result.end());
    result.resize(static_cast<std::size_t>(states));
    EXPECT_LE(LargestDifference(result, ValuesOf(x)), 1e-10);
    EXPECT_LE(LargestDifference(stepped, ValuesOf(x)), 1e-8);
    EXPECT_GT(
        (x - (Eigen::VectorXd(states) << e.assembled, Eigen::VectorXd::Zero(states - fmu->m.nq))
                 .finished())
            .norm(),
        1e-4);
  }
}

}  // namespace
}  // namespace kinemorph::test
