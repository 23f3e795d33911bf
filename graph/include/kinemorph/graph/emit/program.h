// A function of numbers as a list of steps: the interpreter runs it, the printers write it down as
// C or MATLAB. Both walk the same list, so they cannot drift apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinemorph {

enum class Op : std::uint8_t {
  kConstant,    ///< value
  kInput,       ///< element b of input a
  kNegate,      ///< -a
  kAdd,         ///< a + b
  kSubtract,    ///< a - b
  kMultiply,    ///< a b
  kDivide,      ///< a / b
  kSine,        ///< sin a
  kCosine,      ///< cos a
  kArcTangent,  ///< atan2(a, b)
  kNearest,     ///< the whole number nearest to a
  kFactorize,   ///< system a: LU with row pivoting
  kSolve,       ///< solution a, of a factorized system
  kElement,     ///< element b (row by row) of solution a
};

/// Operands are steps before this one, unless the operation says otherwise.
struct Step {
  Op op = Op::kConstant;
  int a = -1, b = -1;
  double value = 0;
};

/// A x = b with a square A, row by row.
struct LinearSystem {
  int size = 0;
  std::vector<int> A;  ///< steps
  int factorize = -1;  ///< the step that does it
};
struct LinearSolution {
  int system = 0, columns = 0;
  std::vector<int> B;  ///< steps; size x columns, row by row
  int solve = -1;      ///< the step that does it
};

/// An array that goes in.
struct ProgramInput {
  std::string name;
  int size = 0;
  std::string meaning;  ///< with units, for people
  bool scalar = false;  ///< one number, handed over as such
};
/// A vector or matrix (row by row) that comes out.
struct ProgramOutput {
  std::string name;
  int rows = 0, columns = 1;
  std::string meaning;
  std::vector<int> steps;
};

class Program {
 public:
  std::string name;
  std::string meaning;
  std::vector<ProgramInput> inputs;
  std::vector<ProgramOutput> outputs;
  std::vector<Step> steps;
  std::vector<LinearSystem> systems;
  std::vector<LinearSolution> solutions;

  /// By step: whether an output needs it.
  [[nodiscard]] std::vector<bool> Needed() const;
  /// Runs the list. `in` and `out` hold arrays as `inputs` and `outputs` say; they may not overlap.
  /// False where a result is not finite: a singular posture, or such an input.
  bool Run(const std::vector<const double*>& in, const std::vector<double*>& out) const;
};

}  // namespace kinemorph
