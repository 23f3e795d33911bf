// MATLAB and Octave: one function in one file each.
#include <algorithm>
#include <map>

#include "base/index.h"
#include "emit/closing.h"
#include "emit/describe.h"
#include "emit/listing.h"
#include "emit/names.h"
#include "kinemorph/graph/emit/equations.h"

namespace kinemorph {
namespace {

using emit::AppendWrapped;
using emit::Listing;
using emit::Statement;

constexpr const char* kJoint = " ...";

std::string Call(Op op) {
  if (op == Op::kSine) return "sin";
  if (op == Op::kCosine) return "cos";
  if (op == Op::kRoot) return "sqrt";
  if (op == Op::kTanh) return "tanh";
  if (op == Op::kGreater) return "gt";
  return op == Op::kArcTangent ? "atan2" : "nearest";
}

// MATLAB's own round takes halves away from zero, C's nearbyint to the even number.
constexpr const char* kNearest =
    "\nfunction y = nearest(x)\n  y = round(x);\n"
    "  if abs(x - y) == 0.5\n    y = 2 * round(x / 2);\n  end\nend\n";

std::string Comment(const std::string& line) { return line.empty() ? "%\n" : "% " + line + "\n"; }

// Differences to C: indices from 1, matrices that are matrices, and lu() and backslash with
// triangles in place of the printed elimination.
class Writer {
 public:
  Writer(const Program& program, std::string prefix)
      : program_(program), listing_(program), prefix_(std::move(prefix)) {}

  // Outputs are made as zeros of their size first: MATLAB would grow them element by element.
  std::string Write() {
    std::string outputs, inputs;
    for (const ProgramOutput& output : program_.outputs)
      outputs += (outputs.empty() ? "" : ", ") + output.name;
    for (const ProgramInput& input : program_.inputs)
      inputs += (inputs.empty() ? "" : ", ") + input.name;
    const std::string name = prefix_ + "_" + program_.name;
    std::string out;
    out += "function [" + outputs + "] = " + name + "(" + inputs + ")\n";
    out += Comment(InCapitals(name) + "  " + program_.meaning);
    for (const ProgramInput& input : program_.inputs)
      out += Comment("  " + input.name + " (" + std::to_string(input.size) + "): " + input.meaning);
    for (const ProgramOutput& output : program_.outputs) {
      out += Comment("  out " + output.name + " (" + std::to_string(output.rows) + " x " +
                     std::to_string(output.columns) + "): " + Meaning(output));
    }
    out += Comment("Orders and units: " + prefix_ + "_info.m. Written by kinemorph.");
    for (const ProgramOutput& output : program_.outputs) {
      out += "  " + output.name + " = zeros(" + std::to_string(output.rows) + ", " +
             std::to_string(output.columns) + ");\n";
    }
    for (const Statement& statement : listing_.statements()) WriteStatement(statement, out);
    const bool rounds = std::any_of(program_.steps.begin(), program_.steps.end(),
                                    [](const Step& step) { return step.op == Op::kNearest; });
    return out + "end\n" + (rounds ? kNearest : "");
  }

 private:
  static std::string InCapitals(const std::string& text) { return emit::InCapitals(text); }
  // "row by row" is how C has matrices.
  static std::string Meaning(const ProgramOutput& output) {
    const std::size_t at = output.meaning.find("row by row; ");
    if (at != std::string::npos) return output.meaning.substr(at + 12);
    return output.meaning == "row by row" ? "matrix" : output.meaning;
  }
  std::string Name(int index) {
    const Step& step = program_.steps[U(index)];
    if (step.op == Op::kInput) {
      const ProgramInput& input = program_.inputs[U(step.a)];
      return input.scalar ? input.name : input.name + "(" + std::to_string(step.b + 1) + ")";
    }
    if (step.op == Op::kElement) {
      const int columns = program_.solutions[U(step.a)].columns;
      return At("X" + std::to_string(step.a + 1), step.b, columns);
    }
    // Numbers are given at the first mention, so that they run in order of the text.
    const auto [it, is_new] = number_.try_emplace(index, number_.size());
    return "t" + std::to_string(it->second);
  }
  // Elements are numbered row by row, as in C; MATLAB's own linear index would run down the
  // columns.
  static std::string At(const std::string& matrix, int element, int columns) {
    return matrix + "(" + std::to_string(element / columns + 1) + ", " +
           std::to_string(element % columns + 1) + ")";
  }
  std::string Formula(int step, bool outermost) {
    const auto name = [this](int leaf) { return Name(leaf); };
    if (!outermost && !listing_.IsInlined(step) && number_.contains(step)) return Name(step);
    return listing_.Formula(step, name, Call);
  }
  void Fill(const std::string& matrix, int rows, int columns, const std::vector<int>& steps,
            std::string& out) {
    out += "  " + matrix + " = zeros(" + std::to_string(rows) + ", " + std::to_string(columns) +
           ");\n";
    for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
      AppendWrapped(out, At(matrix, i, columns) + " = " + Formula(steps[U(i)], false) + ";", 2,
                    kJoint);
    }
  }
  void WriteStatement(const Statement& statement, std::string& out) {
    const Step& step = program_.steps[U(statement.step)];
    switch (statement.kind) {
      case Statement::kAssign: {
        const std::string name = Name(statement.step);
        AppendWrapped(out, name + " = " + Formula(statement.step, true) + ";", 2, kJoint);
        break;
      }
      case Statement::kOutput: {
        const ProgramOutput& output = program_.outputs[U(statement.output)];
        AppendWrapped(out,
                      At(output.name, statement.element, output.columns) + " = " +
                          Formula(statement.step, false) + ";",
                      2, kJoint);
        break;
      }
      case Statement::kFactorize: {
        const LinearSystem& system = program_.systems[U(step.a)];
        const std::string number = std::to_string(step.a + 1);
        Fill("A" + number, system.size, system.size, system.A, out);
        out += "  [L" + number + ", U" + number + ", P" + number + "] = lu(A" + number + ");\n";
        break;
      }
      case Statement::kSolve: {
        const LinearSolution& solution = program_.solutions[U(step.a)];
        const std::string number = std::to_string(step.a + 1),
                          system = std::to_string(solution.system + 1);
        Fill("X" + number, program_.systems[U(solution.system)].size, solution.columns, solution.B,
             out);
        out += "  X" + number + " = U" + system + " \\ (L" + system + " \\ (P" + system + " * X" +
               number + "));\n";
        break;
      }
    }
  }

  const Program& program_;
  Listing listing_;
  std::string prefix_;
  std::map<int, std::size_t> number_;
};

std::string Info(const Equations& e) {
  std::string out = "function info = " + e.name + "_info()\n";
  out += Comment(emit::InCapitals(e.name) + "_INFO  Sizes, names, units and a closed posture.");
  for (const std::string& line : emit::Describe(e)) out += Comment(line);
  // A cell for names: MATLAB's char arrays would pad them to one length.
  const auto cell = [&](const char* field, const std::vector<std::string>& values) {
    out += "  info." + std::string(field) + " = cell(" + std::to_string(values.size()) + ", 1);\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
      out += "  info." + std::string(field) + "{" + std::to_string(i + 1) +
             "} = " + emit::MatlabString(values[i]) + ";\n";
    }
  };
  std::vector<std::string> q, q_units, v, v_units;
  for (const ExportedScalar& scalar : e.positions)
    q.push_back(scalar.name), q_units.push_back(scalar.unit);
  for (const ExportedScalar& scalar : e.velocities)
    v.push_back(scalar.name), v_units.push_back(scalar.unit);
  cell("q_names", q), cell("q_units", q_units), cell("v_names", v), cell("v_units", v_units);
  cell("row_names", e.rows), cell("link_names", e.links);
  out += "  info.independent = zeros(" + std::to_string(e.independent.size()) + ", 1);\n";
  for (std::size_t i = 0; i < e.independent.size(); ++i) {
    out += "  info.independent(" + std::to_string(i + 1) +
           ") = " + std::to_string(e.independent[i] + 1) + ";\n";
  }
  out += "  info.q0 = zeros(" + std::to_string(e.positions.size()) + ", 1);\n";
  for (Eigen::Index i = 0; i < e.assembled.size(); ++i) {
    out += "  info.q0(" + std::to_string(i + 1) + ") = " + emit::Literal(e.assembled[i]) + ";\n";
  }
  return out + "end\n";
}

}  // namespace

std::vector<ExportedFile> ExportMatlab(const Equations& e) {
  std::vector<ExportedFile> files;
  for (const Program& program : e.programs)
    files.push_back({e.name + "_" + program.name + ".m", Writer(program, e.name).Write()});
  std::string close = emit::MatlabClosing(e);
  for (const Program& program : e.closing.programs) close += "\n" + Writer(program, e.name).Write();
  files.push_back({e.name + "_close.m", close});
  files.push_back({e.name + "_info.m", Info(e)});
  std::string readme;
  for (const std::string& line : emit::Describe(e)) readme += line + "\n";
  readme += "\nIn MATLAB or Octave, from this folder (indices count from 1 there):\n\n  info = " +
            e.name + "_info();\n  qdd = " + e.name +
            "_fd(info.q0, zeros(numel(info.independent), 1)"
            ", zeros(numel(info.v_names), 1))\n\n\"help " +
            e.name + "_fd\" says what goes in and comes out.\n";
  files.push_back({"README.txt", readme});
  return files;
}

}  // namespace kinemorph
