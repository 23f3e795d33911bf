// A function of numbers as a list of steps: the interpreter runs it, the printers write it down as
// C or MATLAB. Both walk the same list, so they cannot drift apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinemorph {

/// What a step does. a and b are its operands.
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
  kRoot,        ///< the square root of a
  kTanh,        ///< hyperbolic tangent of a
  kGreater,     ///< 1 where a > b, else 0
  kFactorize,   ///< system a: LU with row pivoting
  kSolve,       ///< solution a, of a factorized system
  kElement,     ///< element b (row by row) of solution a
};

/// Operands are steps before this one, unless the operation says otherwise.
struct Step {
  Op op = Op::kConstant;  ///< decides what a and b mean
  int a = -1,             ///< index of a step, input, system or solution; -1: none
      b = -1;             ///< index of a step or element; -1: none
  double value = 0;       ///< of a constant
};

/// A x = b with a square A, row by row.
struct LinearSystem {
  int size = 0;        ///< of A, and of x
  std::vector<int> A;  ///< steps; size x size
  int factorize = -1;  ///< the step that does it
};
/// x for one or more right-hand sides of a linear system.
struct LinearSolution {
  int system = 0,      ///< index into Program::systems
      columns = 0;     ///< right-hand sides
  std::vector<int> B;  ///< steps; size x columns, row by row
  int solve = -1;      ///< the step that does it
};

/// An array that goes in.
struct ProgramInput {
  std::string name;     ///< an identifier: "q", "tau"
  int size = 0;         ///< numbers
  std::string meaning;  ///< with units, for people
  bool scalar = false;  ///< one number, handed over as such
};
/// A vector or matrix (row by row) that comes out.
struct ProgramOutput {
  std::string name;        ///< an identifier
  int rows = 0,            ///< numbers of a vector
      columns = 1;         ///< 1: a vector
  std::string meaning;     ///< with units, for people
  std::vector<int> steps;  ///< rows x columns: where each number comes from
};

/// The function: its arrays, and its steps in the order in which they are taken. No branches.
class Program {
 public:
  std::string name;                       ///< an identifier: "fd"
  std::string meaning;                    ///< one phrase, for people
  std::vector<ProgramInput> inputs;       ///< in order of the arguments
  std::vector<ProgramOutput> outputs;     ///< in order of the arguments, after the inputs
  std::vector<Step> steps;                ///< operands first
  std::vector<LinearSystem> systems;      ///< what kFactorize means
  std::vector<LinearSolution> solutions;  ///< what kSolve and kElement mean

  /// By step: whether an output needs it.
  [[nodiscard]] std::vector<bool> Needed() const;
  /// Runs the list. `in` and `out` hold arrays as `inputs` and `outputs` say; they may not overlap.
  /// False where a result is not finite: a singular posture, or such an input.
  bool Run(const std::vector<const double*>& in, const std::vector<double*>& out) const;
};

}  // namespace kinemorph
