#include "emit/listing.h"

#include <algorithm>

#include "base/index.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::emit {
namespace {

// Operations in one formula: more, and nobody can read it.
constexpr int kLongest = 7;

bool IsArithmetic(Op op) {
  return op != Op::kConstant && op != Op::kInput && op != Op::kElement && op != Op::kFactorize &&
         op != Op::kSolve;
}
bool HasTwoOperands(Op op) {
  return op == Op::kAdd || op == Op::kSubtract || op == Op::kMultiply || op == Op::kDivide ||
         op == Op::kArcTangent || op == Op::kGreater;
}

}  // namespace

// Statements come in the order of the steps, each output right behind the step that gives it, so
// that values need not live longer than they must.
Listing::Listing(const Program& program)
    : program_(program),
      uses_(program.steps.size(), 0),
      inlined_(program.steps.size(), false),
      cleared_(program.outputs.size(), false) {
  const std::vector<bool> needed = program.Needed();
  CountUses(needed);
  ChooseInlined(needed);
  // By step: the outputs that take its value.
  std::vector<std::vector<Statement>> outputs(program.steps.size());
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    const std::vector<int>& steps = program.outputs[o].steps;
    // A constant is no statement; zeros of an output that has many are cleared by the printer in
    // one loop.
    const auto is_zero = [&](int s) {
      return program.steps[U(s)].op == Op::kConstant && program.steps[U(s)].value == 0;
    };
    cleared_[o] = std::count_if(steps.begin(), steps.end(), is_zero) > 4;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (cleared_[o] && is_zero(steps[i])) continue;
      outputs[U(steps[i])].push_back(
          {Statement::kOutput, steps[i], static_cast<int>(o), static_cast<int>(i)});
    }
  }
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    if (!needed[i]) continue;
    const Op op = program.steps[i].op;
    const int step = static_cast<int>(i);
    if (op == Op::kFactorize || op == Op::kSolve) {
      statements_.push_back(
          {op == Op::kFactorize ? Statement::kFactorize : Statement::kSolve, step});
      uses_systems_ = true;
    } else if (IsArithmetic(op) && !inlined_[i]) {
      statements_.push_back({Statement::kAssign, step});
    }
    statements_.insert(statements_.end(), outputs[i].begin(), outputs[i].end());
  }
}

void Listing::CountUses(const std::vector<bool>& needed) {
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    const Step& step = program_.steps[i];
    if (IsArithmetic(step.op)) {
      ++uses_[U(step.a)];
      if (HasTwoOperands(step.op)) ++uses_[U(step.b)];
    } else if (step.op == Op::kFactorize) {
      for (const int a : program_.systems[U(step.a)].A) ++uses_[U(a)];
    } else if (step.op == Op::kSolve) {
      for (const int b : program_.solutions[U(step.a)].B) ++uses_[U(b)];
    }
  }
  for (const ProgramOutput& output : program_.outputs) {
    for (const int step : output.steps) ++uses_[U(step)];
  }
}

// What is used once and makes no formula too long.
// Bottom up: a formula takes its operands in while it stays short. An operand used twice keeps a
// name, or it would be computed twice.
void Listing::ChooseInlined(const std::vector<bool>& needed) {
  std::vector<int> size(program_.steps.size(), 0);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const Step& step = program_.steps[i];
    if (!needed[i] || !IsArithmetic(step.op)) continue;
    size[i] = 1;
    const auto take = [&](int operand) {
      const std::size_t at = U(operand);
      if (!IsArithmetic(program_.steps[at].op) || uses_[at] != 1) return;
      if (size[i] + size[at] > kLongest) return;
      size[i] += size[at], inlined_[at] = true;
    };
    take(step.a);
    if (HasTwoOperands(step.op) && step.b != step.a) take(step.b);
  }
  // What only a matrix or an output asks for stands there.
  const auto stand_there = [&](const std::vector<int>& steps) {
    for (const int step : steps) {
      if (IsArithmetic(program_.steps[U(step)].op) && uses_[U(step)] == 1) inlined_[U(step)] = true;
    }
  };
  for (const LinearSystem& system : program_.systems) {
    if (system.factorize >= 0 && needed[U(system.factorize)]) stand_there(system.A);
  }
  for (const LinearSolution& solution : program_.solutions) {
    if (solution.solve >= 0 && needed[U(solution.solve)]) stand_there(solution.B);
  }
  for (const ProgramOutput& output : program_.outputs) stand_there(output.steps);
}

// What a formula reads under a name, in reading order. Constants are written as numbers.
void Listing::Collect(int index, bool outermost, std::vector<int>& leaves) const {
  const Step& step = program_.steps[U(index)];
  if (step.op == Op::kConstant) return;
  if (!IsArithmetic(step.op) || (!outermost && !inlined_[U(index)])) {
    leaves.push_back(index);
    return;
  }
  Collect(step.a, false, leaves);
  if (HasTwoOperands(step.op)) Collect(step.b, false, leaves);
}

std::vector<int> Listing::Leaves(const Statement& statement) const {
  std::vector<int> leaves;
  const Step& step = program_.steps[U(statement.step)];
  switch (statement.kind) {
    case Statement::kAssign:
      Collect(statement.step, true, leaves);
      break;
    case Statement::kOutput:
      Collect(statement.step, false, leaves);
      break;
    case Statement::kFactorize:
      for (const int a : program_.systems[U(step.a)].A) Collect(a, false, leaves);
      break;
    case Statement::kSolve:
      for (const int b : program_.solutions[U(step.a)].B) Collect(b, false, leaves);
      break;
  }
  return leaves;
}

// A whole number gets a point: 1 / 2 of integers would be 0 in C.
std::string Literal(double value) {
  std::string text = FormatNumber(value);
  if (text.find_first_of(".eE") == std::string::npos) text += ".0";
  return text;
}

// Lines are broken at blanks, and never inside a number or name.
void AppendWrapped(std::string& out, const std::string& statement, int indent, const char* joint) {
  constexpr std::size_t kColumns = 100;
  std::string margin(U(indent), ' ');
  std::size_t at = 0;
  while (true) {
    const std::size_t room = kColumns - margin.size() - std::string_view(joint).size();
    if (statement.size() - at <= room) break;
    std::size_t cut = statement.rfind(' ', at + room);
    // A sign stands in front of what it belongs to.
    if (cut == std::string::npos || cut <= at) cut = statement.find(' ', at);
    if (cut == std::string::npos) break;
    out += margin;
    out.append(statement, at, cut - at);
    out += joint, out += '\n';
    at = cut + 1;
    margin.assign(U(indent) + 4, ' ');
  }
  out += margin;
  out.append(statement, at);
  out += '\n';
}

}  // namespace kinemorph::emit
