// The interpreter.
#include "kinemorph/graph/emit/program.h"

#include <cmath>
#include <utility>

#include "base/index.h"

namespace kinemorph {
namespace {

// As the printed C does it, operation for operation.
void Factorize(int n, double* A, int* rows) {
  for (int j = 0; j < n; ++j) {
    int best = j;
    for (int i = j + 1; i < n; ++i) {
      if (std::abs(A[i * n + j]) > std::abs(A[best * n + j])) best = i;
    }
    rows[j] = best;
    if (best != j) {
      for (int k = 0; k < n; ++k) std::swap(A[j * n + k], A[best * n + k]);
    }
    const double inverse = 1 / A[j * n + j];
    for (int i = j + 1; i < n; ++i) {
      const double factor = A[i * n + j] * inverse;
      A[i * n + j] = factor;
      for (int k = j + 1; k < n; ++k) A[i * n + k] -= factor * A[j * n + k];
    }
  }
}

void Solve(int n, const double* A, const int* rows, int columns, double* B) {
  for (int i = 0; i < n; ++i) {
    if (rows[i] == i) continue;
    for (int c = 0; c < columns; ++c) std::swap(B[i * columns + c], B[rows[i] * columns + c]);
  }
  // L has ones on its diagonal, which are not stored: U has its diagonal there.
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int c = 0; c < columns; ++c) B[i * columns + c] -= A[i * n + j] * B[j * columns + c];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) {
      for (int c = 0; c < columns; ++c) B[i * columns + c] -= A[i * n + j] * B[j * columns + c];
    }
    for (int c = 0; c < columns; ++c) B[i * columns + c] /= A[i * n + i];
  }
}

}  // namespace

// Backwards: a step's operands stand before it, so one pass marks all that outputs rest on.
std::vector<bool> Program::Needed() const {
  std::vector<bool> needed(steps.size(), false);
  for (const ProgramOutput& output : outputs) {
    for (const int step : output.steps) needed[U(step)] = true;
  }
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const Step& step = steps[i];
    switch (step.op) {
      case Op::kConstant:
      case Op::kInput:
        break;
      case Op::kFactorize:
        for (const int a : systems[U(step.a)].A) needed[U(a)] = true;
        break;
      case Op::kSolve:
        needed[U(systems[U(solutions[U(step.a)].system)].factorize)] = true;
        for (const int b : solutions[U(step.a)].B) needed[U(b)] = true;
        break;
      case Op::kElement:
        needed[U(solutions[U(step.a)].solve)] = true;
        break;
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kArcTangent:
      case Op::kGreater:
        needed[U(step.b)] = true;
        needed[U(step.a)] = true;
        break;
      case Op::kNegate:
      case Op::kSine:
      case Op::kCosine:
      case Op::kNearest:
      case Op::kRoot:
      case Op::kTanh:
        needed[U(step.a)] = true;
        break;
    }
  }
  return needed;
}

// The same list as the printers have it, and so the same numbers. Singular systems are not looked
// for; they show as infinity or NaN in the results.
bool Program::Run(const std::vector<const double*>& in, const std::vector<double*>& out) const {
  std::vector<double> x(steps.size());
  std::vector<std::vector<double>> A(systems.size()), B(solutions.size());
  std::vector<std::vector<int>> rows(systems.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const auto a = [&] { return x[U(step.a)]; };
    const auto b = [&] { return x[U(step.b)]; };
    switch (step.op) {
      case Op::kConstant:
        x[i] = step.value;
        break;
      case Op::kInput:
        x[i] = in[U(step.a)][step.b];
        break;
      case Op::kNegate:
        x[i] = -a();
        break;
      case Op::kAdd:
        x[i] = a() + b();
        break;
      case Op::kSubtract:
        x[i] = a() - b();
        break;
      case Op::kMultiply:
        x[i] = a() * b();
        break;
      case Op::kDivide:
        x[i] = a() / b();
        break;
      case Op::kSine:
        x[i] = std::sin(a());
        break;
      case Op::kCosine:
        x[i] = std::cos(a());
        break;
      case Op::kArcTangent:
        x[i] = std::atan2(a(), b());
        break;
      case Op::kNearest:
        x[i] = std::nearbyint(a());
        break;
      case Op::kRoot:
        x[i] = std::sqrt(a());
        break;
      case Op::kTanh:
        x[i] = std::tanh(a());
        break;
      case Op::kGreater:
        x[i] = a() > b() ? 1 : 0;
        break;
      case Op::kFactorize: {
        const LinearSystem& system = systems[U(step.a)];
        for (const int s : system.A) A[U(step.a)].push_back(x[U(s)]);
        rows[U(step.a)].resize(U(system.size));
        Factorize(system.size, A[U(step.a)].data(), rows[U(step.a)].data());
        break;
      }
      case Op::kSolve: {
        const LinearSolution& solution = solutions[U(step.a)];
        for (const int s : solution.B) B[U(step.a)].push_back(x[U(s)]);
        Solve(systems[U(solution.system)].size, A[U(solution.system)].data(),
              rows[U(solution.system)].data(), solution.columns, B[U(step.a)].data());
        break;
      }
      case Op::kElement:
        x[i] = B[U(step.a)][U(step.b)];
        break;
    }
  }
  bool finite = true;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    for (std::size_t i = 0; i < outputs[o].steps.size(); ++i) {
      out[o][i] = x[U(outputs[o].steps[i])];
      finite = finite && std::isfinite(out[o][i]);
    }
  }
  return finite;
}

}  // namespace kinemorph
