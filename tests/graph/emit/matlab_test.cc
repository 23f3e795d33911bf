// Exported MATLAB, run in Octave, equals the library.
#include <gtest/gtest.h>

#include <sstream>

#include "emit/expression.h"
#include "generated_c.h"
#include "kinemorph/graph/base/number.h"
#include "load_model.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

std::string Column(const Values& values) {
  std::string text = "[";
  for (const double x : values) text += FormatNumber(x) + "; ";
  return values.empty() ? "zeros(0, 1)" : text + "]";
}

std::vector<Program> Functions(const Equations& e) {
  std::vector<Program> functions = e.programs;
  functions.push_back(CloseSignature(e));
  return functions;
}

// Calls every function at some states and prints the results, row by row.
std::string Script(const Equations& e, std::vector<EquationsAt>& states) {
  std::string script;
  for (EquationsAt& at : states) {
    for (const Program& program : Functions(e)) {
      std::string inputs, outputs;
      for (const ProgramInput& input : program.inputs)
        inputs +=
            (inputs.empty() ? "" : ", ") +
            (input.scalar ? FormatNumber(at.inputs[input.name][0]) : Column(at.inputs[input.name]));
      for (const ProgramOutput& output : program.outputs)
        outputs += (outputs.empty() ? "" : ", ") + output.name;
      if (program.name == "close") outputs += ", status";
      script += "[" + outputs + "] = " + e.name + "_" + program.name + "(" + inputs + ");\n";
      for (const ProgramOutput& output : program.outputs)
        script += "x = " + output.name + "'; printf('%.17g\\n', x(:));\n";
    }
  }
  return script;
}

void ExpectEqualInOctave(const Mechanism& m, const std::string& name, double tolerance) {
  const Coordinates coordinates = AnalyseCoordinates(m);
  std::string why;
  const auto e = MakeEquations(m, coordinates, name, {}, why);
  ASSERT_TRUE(e) << why;
  ClosureSolver solver(m);
  Random random(5);
  std::vector<EquationsAt> states;
  for (int i = 0; i < 20; ++i) states.push_back(ReferenceAt(m, coordinates, *e, solver, random));
  TemporaryFolder folder;
  WriteFiles(ExportMatlab(*e), folder.path());
  WriteFile(folder / "script.m", Script(*e, states));
  const CommandResult octave = Shell("octave-cli --norc script.m", folder.path());
  ASSERT_EQ(octave.exit_code, 0) << octave.err;
  std::istringstream numbers(octave.out);
  for (EquationsAt& at : states) {
    for (const Program& program : Functions(*e)) {
      for (const ProgramOutput& output : program.outputs) {
        Values result;
        for (int i = 0; i < output.rows * output.columns; ++i) {
          std::string text;
          ASSERT_TRUE(numbers >> text) << program.name;
          result.push_back(std::stod(text));
        }
        EXPECT_LE(LargestDifference(result, at.outputs[program.name][output.name]), tolerance)
            << name << " " << program.name;
      }
    }
  }
}

TEST(ExportMatlab, EqualsTheLibraryInOctave) {
  if (std::system("command -v octave-cli >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "octave-cli is not installed";
  std::string why;
  const std::optional<Model> torso = LoadModel(Fixture("mechanisms/torso/torso.urdf"), why);
  ASSERT_TRUE(torso) << why;
  ExpectEqualInOctave(Compile(*torso), "torso", 1e-12);
  RandomMechanismOptions options;
  options.links = 8, options.reversed_joints = true, options.free_base = true;
  ExpectEqualInOctave(Compile(RandomMechanism(3, options)), "hard", 1e-11);
}

// Through the change point of a parallelogram, whose crank and coupler keep their ratio on its
// branch; where nothing closes, or is a number, the status says so, and an error where nobody asks
// for it.
TEST(ExportMatlab, CloseKeepsItsBranchAndSaysWhereItCannot) {
  if (std::system("command -v octave-cli >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "octave-cli is not installed";
  TemporaryFolder folder;
  for (const std::string name : {"four_bar", "spherical_four_bar", "six_bar"}) {
    std::string why;
    const std::optional<Model> model = LoadModel(
        Fixture("mechanisms/" + name + "/" + name + (name == "six_bar" ? ".sdf" : ".urdf")), why);
    ASSERT_TRUE(model) << why;
    const Mechanism m = Compile(*model);
    const auto e = MakeEquations(m, AnalyseCoordinates(m), name, {}, why);
    ASSERT_TRUE(e) << why;
    WriteFiles(ExportMatlab(*e), folder.path());
  }
  WriteFile(folder / "script.m", R"(
info = four_bar_info();
at = info.independent;
G0 = four_bar_G(info.q0);
for step = [0.003 -0.03]
  q = info.q0;
  for k = 1:fix(1.9 / abs(step))
    q(at) = q(at) + step;
    [q, status] = four_bar_close(q);
    assert(status == 0 && norm(four_bar_phi(q)) < 1e-14);
    assert(norm(four_bar_G(q) - G0) < 1e-6);
  end
end
guess = info.q0;
guess(1) = NaN;
[~, status] = four_bar_close(guess);
assert(status == 1);
info = spherical_four_bar_info();
q = info.q0;
status = 0;
while status == 0
  q(info.independent) = q(info.independent) - 0.01;
  last = q(info.independent);
  [q, status] = spherical_four_bar_close(q);
  assert(norm(spherical_four_bar_phi(q)) < 1e-14);
end
assert(abs(last - info.q0(info.independent) + 0.27) < 1e-9);
q(info.independent) = last;
try
  spherical_four_bar_close(q);
  assert(false);
catch err
  assert(strcmp(err.identifier, 'spherical_four_bar:close'));
end
% Three lead two rows: one of them alone moves, through where branches meet.
q = six_bar_info().q0;
for k = 1:90
  q(2) = q(2) - 0.02;
  [q, status] = six_bar_close(q);
  assert(status == 0 && abs(q(1) + q(2)) + abs(q(1) - q(5)) < 1e-6);
end
)");
  const CommandResult octave = Shell("octave-cli --norc script.m", folder.path());
  EXPECT_EQ(octave.exit_code, 0) << octave.err;
}

// To the even number, as in C.
TEST(ExportMatlab, RoundsHalvesAsTheLibrary) {
  if (std::system("command -v octave-cli >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "octave-cli is not installed";
  emit::Tape tape(100);
  std::vector<emit::Expression> y;
  for (const emit::Expression& x : tape.Input("x", 5, "numbers")) y.push_back(emit::Nearest(x));
  tape.Output("y", 5, 1, "whole numbers", y);
  tape.program().name = "near", tape.program().meaning = "Rounds.";
  const Values x = {0.5, 1.5, -0.5, -2.5, 0.75};
  Values rounded(5);
  ASSERT_TRUE(tape.program().Run({x.data()}, {rounded.data()}));
  Equations e;
  e.name = "halves";
  e.programs.push_back(tape.program());
  TemporaryFolder folder;
  WriteFiles(ExportMatlab(e), folder.path());
  WriteFile(folder / "script.m",
            "assert(isequal(halves_near(" + Column(x) + "), " + Column(rounded) + "));\n");
  const CommandResult octave = Shell("octave-cli --norc script.m", folder.path());
  EXPECT_EQ(octave.exit_code, 0) << octave.err;
}

}  // namespace
}  // namespace kinemorph::test
