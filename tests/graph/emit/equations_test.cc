// The list of steps, run by the interpreter, against the library's own algorithms.
#include "kinemorph/graph/emit/equations.h"

#include <gtest/gtest.h>

#include "equations_reference.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "load_model.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

// The largest difference of any function at `states` random closed states.
void ExpectEqual(const Mechanism& m, const std::string& name, int states, double tolerance) {
  const Coordinates coordinates = AnalyseCoordinates(m);
  std::string why;
  const auto e = MakeEquations(m, coordinates, name, {}, why);
  ASSERT_TRUE(e) << name << ": " << why;
  ClosureSolver solver(m);
  Random random(11);
  std::map<std::string, int> compared;
  for (int i = 0; i < states; ++i) {
    EquationsAt at = ReferenceAt(m, coordinates, *e, solver, random);
    for (const Program& program : e->programs) {
      if (at.outputs[program.name].empty()) continue;
      std::vector<const double*> in;
      for (const ProgramInput& input : program.inputs) {
        ASSERT_EQ(at.inputs[input.name].size(), static_cast<std::size_t>(input.size));
        in.push_back(at.inputs[input.name].data());
      }
      std::vector<Values> results;
      std::vector<double*> out;
      for (const ProgramOutput& output : program.outputs) results.emplace_back(output.steps.size());
      for (Values& result : results) out.push_back(result.data());
      EXPECT_TRUE(program.Run(in, out)) << name << " " << program.name;
      for (std::size_t o = 0; o < out.size(); ++o) {
        const Values& expected = at.outputs[program.name][program.outputs[o].name];
        ASSERT_EQ(expected.size(), results[o].size()) << name << " " << program.name;
        EXPECT_LE(LargestDifference(results[o], expected), tolerance)
            << name << " " << program.name << " state " << i;
        ++compared[program.name];
      }
    }
  }
  EXPECT_EQ(compared.size(), 11u) << name;
}

Mechanism FixtureMechanism(const std::string& name) {
  std::string why;
  const std::optional<Model> model =
      LoadModel(Fixture("mechanisms/" + name + "/" + name + ".urdf"), why);
  EXPECT_TRUE(model) << why;
  return model ? Compile(*model) : Mechanism();
}

class OfFixture : public testing::TestWithParam<const char*> {};
TEST_P(OfFixture, AllFunctionsEqualTheLibrary) {
  ExpectEqual(FixtureMechanism(GetParam()), GetParam(), 5, 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Equations, OfFixture,
                         testing::Values("four_bar", "four_bar_general", "six_bar", "slider_crank",
                                         "delta_robot", "double_pendulum", "gripper",
                                         "spherical_four_bar", "stewart_platform", "torso",
                                         "belt_transmission", "biped"),
                         [](const auto& each) { return std::string(each.param); });

// Every kind of joint, forwards and backwards, in trees and in loops, with couplings, springs,
// dampers and rotors.
TEST(Equations, OfRandomMechanismsEqualTheLibrary) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    RandomMechanismOptions options;
    options.links = 9, options.reversed_joints = true, options.free_base = seed % 3 == 0;
    options.loops = seed % 4 == 0 ? 0 : 2;
    const Model model = RandomMechanism(seed, options);
    Mechanism m = Compile(model);
    for (std::size_t v = 0; v < m.names.size(); ++v) {
      m.armature[v] = random.Uniform(0, 0.1), m.damping[v] = random.Uniform(0, 1);
      m.spring_stiffness[v] = random.Uniform(0, 5), m.spring_reference[v] = random.Uniform(-1, 1);
    }
    const Coordinates coordinates = AnalyseCoordinates(m);
    if (!coordinates.assembles) continue;
    ExpectEqual(m, "seed " + std::to_string(seed), 2, 1e-10);
  }
}

}  // namespace
}  // namespace kinemorph::test
