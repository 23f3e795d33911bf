// A program as statements, for the printers: what is used once stands where it is used, the rest
// gets a name.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/emit/program.h"

namespace kinemorph::emit {

struct Statement {
  enum Kind { kAssign, kOutput, kFactorize, kSolve } kind = kAssign;
  int step = -1;                  ///< what is assigned, or done
  int output = -1, element = -1;  ///< of kOutput
};

class Listing {
 public:
  explicit Listing(const Program& program);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const std::vector<Statement>& statements() const { return statements_; }
  /// Outputs of which most elements are zero: set to zero first, and only the others assigned.
  [[nodiscard]] bool Cleared(int output) const {
    return cleared_[static_cast<std::size_t>(output)];
  }
  [[nodiscard]] bool UsesSystems() const { return uses_systems_; }
  /// Steps that stand in a statement under a name of their own: assigned ones, inputs, elements of
  /// solutions.
  [[nodiscard]] std::vector<int> Leaves(const Statement& statement) const;
  [[nodiscard]] bool IsInlined(int step) const { return inlined_[static_cast<std::size_t>(step)]; }

  /// The formula of a step. `name(step)` names a leaf, `call(op)` the function of an operation.
  template <class Name, class Call>
  [[nodiscard]] std::string Formula(int step, const Name& name, const Call& call) const {
    return Written(step, true, name, call).text;
  }

 private:
  struct Text {
    std::string text;
    int level = 4;  ///< 1: sum, 2: product, 3: sign, 4: the rest
  };
  template <class Name, class Call>
  [[nodiscard]] Text Written(int index, bool outermost, const Name& name, const Call& call) const;
  void Collect(int step, bool outermost, std::vector<int>& leaves) const;
  void CountUses(const std::vector<bool>& needed);
  void ChooseInlined(const std::vector<bool>& needed);

  const Program& program_;
  std::vector<int> uses_;
  std::vector<bool> inlined_, cleared_;
  std::vector<Statement> statements_;
  bool uses_systems_ = false;
};

/// A finite number as C and MATLAB read it as a double.
[[nodiscard]] std::string Literal(double value);
/// A statement of any length, broken into lines of at most 100 columns; `joint` ends all but the
/// last ("" in C, " ..." in MATLAB).
void AppendWrapped(std::string& out, const std::string& statement, int indent, const char* joint);

[[nodiscard]] inline std::string Parenthesized(const std::string& text, bool really) {
  return really ? "(" + text + ")" : text;
}

template <class Name, class Call>
Listing::Text Listing::Written(int index, bool outermost, const Name& name,
                               const Call& call) const {
  const Step& step = program_.steps[static_cast<std::size_t>(index)];
  if (step.op == Op::kConstant) return {Literal(step.value), step.value < 0 ? 3 : 4};
  const bool leaf = step.op == Op::kInput || step.op == Op::kElement;
  if (leaf || (!outermost && !IsInlined(index))) return {name(index), 4};
  const auto operand = [&](int i, int least) {
    const Text inner = Written(i, false, name, call);
    return Parenthesized(inner.text, inner.level < least);
  };
  switch (step.op) {
    case Op::kAdd:
      return {operand(step.a, 1) + " + " + operand(step.b, 2), 1};
    case Op::kSubtract:
      return {operand(step.a, 1) + " - " + operand(step.b, 2), 1};
    case Op::kMultiply:
      return {operand(step.a, 2) + " * " + operand(step.b, 3), 2};
    case Op::kDivide:
      return {operand(step.a, 2) + " / " + operand(step.b, 3), 2};
    case Op::kNegate:
      return {"-" + operand(step.a, 4), 3};
    case Op::kArcTangent:
    case Op::kGreater:
      return {call(step.op) + "(" + operand(step.a, 1) + ", " + operand(step.b, 1) + ")", 4};
    case Op::kSine:
    case Op::kCosine:
    case Op::kNearest:
    case Op::kRoot:
    case Op::kTanh:
      return {call(step.op) + "(" + operand(step.a, 1) + ")", 4};
    case Op::kConstant:
    case Op::kInput:
    case Op::kElement:
    case Op::kFactorize:
    case Op::kSolve:
      break;
  }
  return {};
}

}  // namespace kinemorph::emit
