#include "emit/expression.h"

#include <bit>
#include <cmath>
#include <utility>

namespace kinemorph::emit {
namespace {

bool IsNegation(const Expression& a) {
  return !a.is_constant() && a.tape()->step(a.step()).op == Op::kNegate;
}
Expression Negated(const Expression& a) { return {*a.tape(), a.tape()->step(a.step()).a}; }

Tape& TapeOf(const Expression& a, const Expression& b) {
  return a.is_constant() ? *b.tape() : *a.tape();
}

// The constant factor of c x, and x; nothing is changed where there is none.
bool SplitFactor(const Expression& a, double& factor, Expression& rest) {
  if (a.is_constant()) return false;
  const Step& step = a.tape()->step(a.step());
  if (step.op != Op::kMultiply) return false;
  const Step& first = a.tape()->step(step.a);
  if (first.op != Op::kConstant) return false;
  factor = first.value;
  rest = Expression(*a.tape(), step.b);
  return true;
}

}  // namespace

// The rules bring signs and constant factors outwards and to the front, (-a) b = -(a b) and a (c b)
// = c (a b), so that expressions that differ only in these become the same step and are shared.
// They hold exactly for doubles up to the order of products, which may change the last bit. Zero
// times anything is zero: an infinity is no value of an exported formula.
Expression operator-(const Expression& a) {
  if (a.is_constant()) return -a.value();
  if (IsNegation(a)) return Negated(a);
  const Step step = a.tape()->step(a.step());
  if (step.op == Op::kSubtract)
    return Expression(*a.tape(), step.b) - Expression(*a.tape(), step.a);
  double factor = 0;
  Expression rest;
  if (SplitFactor(a, factor, rest)) return Expression(-factor) * rest;
  return a.tape()->Unary(Op::kNegate, a);
}

Expression operator+(const Expression& a, const Expression& b) {
  if (a.is_constant() && b.is_constant()) return a.value() + b.value();
  if (a.Is(0)) return b;
  if (b.Is(0)) return a;
  if (IsNegation(b)) return a - Negated(b);
  if (IsNegation(a)) return b - Negated(a);
  return TapeOf(a, b).Binary(Op::kAdd, a, b);
}

Expression operator-(const Expression& a, const Expression& b) {
  if (a.is_constant() && b.is_constant()) return a.value() - b.value();
  if (b.Is(0)) return a;
  if (a.Is(0)) return -b;
  if (IsNegation(b)) return a + Negated(b);
  if (IsNegation(a)) return -(Negated(a) + b);
  // The same step on both sides: the difference is zero, exactly.
  if (!a.is_constant() && !b.is_constant() && a.step() == b.step()) return 0.0;
  return TapeOf(a, b).Binary(Op::kSubtract, a, b);
}

Expression operator*(const Expression& a, const Expression& b) {
  if (a.is_constant() && b.is_constant()) return a.value() * b.value();
  if (b.is_constant()) return b * a;
  if (a.Is(0)) return 0.0;
  if (a.Is(1)) return b;
  if (a.Is(-1)) return -b;
  double factor = 1, other = 1;
  Expression x = a, y = b;
  // One factor is a constant: it swallows a sign or another constant factor of the other.
  if (a.is_constant()) {
    if (IsNegation(b)) return Expression(-a.value()) * Negated(b);
    if (SplitFactor(b, factor, y)) return Expression(a.value() * factor) * y;
    return b.tape()->Binary(Op::kMultiply, a, b);
  }
  if (IsNegation(a)) return -(Negated(a) * b);
  if (IsNegation(b)) return -(a * Negated(b));
  // Neither is a constant: their constant factors go to the front together.
  const bool left = SplitFactor(a, factor, x), right = SplitFactor(b, other, y);
  if (left || right) return Expression(factor * other) * (x * y);
  return a.tape()->Binary(Op::kMultiply, a, b);
}

Expression operator/(const Expression& a, const Expression& b) {
  if (b.is_constant()) return a * Expression(1 / b.value());
  if (a.Is(0)) return 0.0;
  if (IsNegation(a)) return -(Negated(a) / b);
  if (IsNegation(b)) return -(a / Negated(b));
  return TapeOf(a, b).Binary(Op::kDivide, a, b);
}

Expression& Expression::operator+=(const Expression& b) { return *this = *this + b; }
Expression& Expression::operator-=(const Expression& b) { return *this = *this - b; }
Expression& Expression::operator*=(const Expression& b) { return *this = *this * b; }

Expression Sine(const Expression& a) {
  return a.is_constant() ? Expression(std::sin(a.value())) : a.tape()->Unary(Op::kSine, a);
}
Expression Cosine(const Expression& a) {
  return a.is_constant() ? Expression(std::cos(a.value())) : a.tape()->Unary(Op::kCosine, a);
}
Expression ArcTangent(const Expression& y, const Expression& x) {
  if (y.is_constant() && x.is_constant()) return std::atan2(y.value(), x.value());
  return TapeOf(y, x).Binary(Op::kArcTangent, y, x);
}
Expression Nearest(const Expression& a) {
  return a.is_constant() ? Expression(std::nearbyint(a.value())) : a.tape()->Unary(Op::kNearest, a);
}
Expression Root(const Expression& a) {
  return a.is_constant() ? Expression(std::sqrt(a.value())) : a.tape()->Unary(Op::kRoot, a);
}

Expression Tanh(const Expression& a) {
  return a.is_constant() ? Expression(std::tanh(a.value())) : a.tape()->Unary(Op::kTanh, a);
}
Expression Greater(const Expression& a, const Expression& b) {
  if (a.is_constant() && b.is_constant()) return a.value() > b.value() ? 1.0 : 0.0;
  return TapeOf(a, b).Binary(Op::kGreater, a, b);
}

std::size_t Tape::Hash::operator()(const Key& key) const {
  std::uint64_t hash = std::bit_cast<std::uint64_t>(key.value);
  for (const std::uint64_t part : {static_cast<std::uint64_t>(key.op),
                                   static_cast<std::uint64_t>(static_cast<unsigned>(key.a)),
                                   static_cast<std::uint64_t>(static_cast<unsigned>(key.b))}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

// Past the limit every step is step 0: the recording goes on without memory and is thrown away at
// its end.
int Tape::Add(const Step& step) {
  if (program_.steps.size() >= limit_) {
    full_ = true;
    return 0;
  }
  program_.steps.push_back(step);
  return static_cast<int>(program_.steps.size()) - 1;
}

// Steps have no effects, so one that was taken before gives the same value: common subexpressions
// are found as they arise.
int Tape::Shared(const Step& step) {
  const Key key{step.op, step.a, step.b, step.value};
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  const int added = Add(step);
  if (!full_) known_.emplace(key, added);
  return added;
}

int Tape::StepOf(const Expression& a) {
  if (!a.is_constant()) return a.step();
  // -0 and 0 compare equal in the table of known steps, but hash differently; one of them must go.
  return Shared({Op::kConstant, -1, -1, a.value() == 0 ? 0 : a.value()});  // no -0
}

Expression Tape::Unary(Op op, const Expression& a) { return {*this, Shared({op, StepOf(a), -1})}; }

Expression Tape::Binary(Op op, const Expression& a, const Expression& b) {
  int first = StepOf(a), second = StepOf(b);
  // Equal sums and products are one, whatever their order; a constant factor stands first.
  const bool orders = op == Op::kAdd || (op == Op::kMultiply && !a.is_constant());
  if (orders && first > second) std::swap(first, second);
  return {*this, Shared({op, first, second})};
}

std::vector<Expression> Tape::Input(const std::string& name, int size, const std::string& meaning) {
  const int input = static_cast<int>(program_.inputs.size());
  program_.inputs.push_back({name, size, meaning});
  std::vector<Expression> elements;
  for (int i = 0; i < size; ++i) elements.push_back({*this, Add({Op::kInput, input, i})});
  return elements;
}

Expression Tape::Number(const std::string& name, const std::string& meaning) {
  const Expression number = Input(name, 1, meaning).front();
  program_.inputs.back().scalar = true;
  return number;
}

void Tape::Output(const std::string& name, int rows, int columns, const std::string& meaning,
                  const std::vector<Expression>& values) {
  ProgramOutput output{name, rows, columns, meaning, {}};
  for (const Expression& value : values) output.steps.push_back(StepOf(value));
  program_.outputs.push_back(std::move(output));
}

// An impact solves the same system four times.
int Tape::Factorize(int size, const std::vector<Expression>& A) {
  LinearSystem system;
  system.size = size;
  for (const Expression& a : A) system.A.push_back(StepOf(a));
  for (std::size_t i = 0; i < program_.systems.size(); ++i)
    if (program_.systems[i].A == system.A) return static_cast<int>(i);
  const int index = static_cast<int>(program_.systems.size());
  system.factorize = Add({Op::kFactorize, index});
  program_.systems.push_back(std::move(system));
  return index;
}

std::vector<Expression> Tape::Solve(int system, int columns, const std::vector<Expression>& B) {
  LinearSolution solution;
  solution.system = system, solution.columns = columns;
  for (const Expression& b : B) solution.B.push_back(StepOf(b));
  const int index = static_cast<int>(program_.solutions.size());
  solution.solve = Add({Op::kSolve, index});
  program_.solutions.push_back(std::move(solution));
  std::vector<Expression> elements;
  for (int i = 0; i < static_cast<int>(B.size()); ++i)
    elements.push_back({*this, Add({Op::kElement, index, i})});
  return elements;
}

}  // namespace kinemorph::emit
