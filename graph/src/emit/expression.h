// Numbers that write down how they are computed: what is calculated with them becomes steps of a
// Program. Constants are folded, what is known is shared, zeros and ones vanish.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/emit/program.h"

namespace kinemorph::emit {

class Tape;

/// A constant, or a step on a tape.
class Expression {
 public:
  Expression() = default;
  Expression(double value) : value_(value) {}  // NOLINT: numbers are expressions
  Expression(Tape& tape, int step) : tape_(&tape), step_(step) {}

  [[nodiscard]] bool is_constant() const { return tape_ == nullptr; }
  [[nodiscard]] bool Is(double value) const { return tape_ == nullptr && value_ == value; }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] Tape* tape() const { return tape_; }
  [[nodiscard]] int step() const { return step_; }

  Expression& operator+=(const Expression& b);
  Expression& operator-=(const Expression& b);
  Expression& operator*=(const Expression& b);

 private:
  Tape* tape_ = nullptr;
  int step_ = -1;
  double value_ = 0;
};

Expression operator-(const Expression& a);
Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression Sine(const Expression& a);
Expression Cosine(const Expression& a);
Expression ArcTangent(const Expression& y, const Expression& x);
Expression Nearest(const Expression& a);
Expression Root(const Expression& a);
Expression Tanh(const Expression& a);
/// 1 where a > b, else 0.
Expression Greater(const Expression& a, const Expression& b);

/// The steps of one program, each once.
class Tape {
 public:
  explicit Tape(std::size_t limit) : limit_(limit) {}

  [[nodiscard]] Program& program() { return program_; }
  /// Whether more than `limit` steps were asked for; the program is then of no use.
  [[nodiscard]] bool full() const { return full_; }

  std::vector<Expression> Input(const std::string& name, int size, const std::string& meaning);
  Expression Number(const std::string& name, const std::string& meaning);
  void Output(const std::string& name, int rows, int columns, const std::string& meaning,
              const std::vector<Expression>& values);
  /// Factorizes A (size x size, row by row), once for all who ask.
  int Factorize(int size, const std::vector<Expression>& A);
  /// The solution for `columns` right-hand sides, row by row.
  std::vector<Expression> Solve(int system, int columns, const std::vector<Expression>& B);

  Expression Unary(Op op, const Expression& a);
  Expression Binary(Op op, const Expression& a, const Expression& b);
  [[nodiscard]] const Step& step(int i) const {
    return program_.steps[static_cast<std::size_t>(i)];
  }
  /// The step of a value; constants become one.
  int StepOf(const Expression& a);

 private:
  struct Key {
    Op op;
    int a, b;
    double value;
    friend bool operator==(const Key& x, const Key& y) {
      return x.op == y.op && x.a == y.a && x.b == y.b && x.value == y.value;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  int Add(const Step& step);     // a new one
  int Shared(const Step& step);  // or one that says the same

  Program program_;
  std::unordered_map<Key, int, Hash> known_;
  std::size_t limit_;
  bool full_ = false;
};

using Vector3E = Eigen::Matrix<Expression, 3, 1>;
using Matrix3E = Eigen::Matrix<Expression, 3, 3>;
using Vector6E = Eigen::Matrix<Expression, 6, 1>;
using MatrixE = Eigen::Matrix<Expression, Eigen::Dynamic, Eigen::Dynamic>;
using VectorE = Eigen::Matrix<Expression, Eigen::Dynamic, 1>;

}  // namespace kinemorph::emit

template <>
struct Eigen::NumTraits<kinemorph::emit::Expression>
    : Eigen::GenericNumTraits<kinemorph::emit::Expression> {
  using Real = kinemorph::emit::Expression;
  using NonInteger = kinemorph::emit::Expression;
  using Nested = kinemorph::emit::Expression;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 3,
    MulCost = 3,
  };
};
