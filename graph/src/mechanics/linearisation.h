// What one step of closing loops needs of an aggregate, densely or sparsely.
#pragma once

#include <optional>
#include <vector>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "mechanics/loop_cycles.h"
#include "mechanics/normal_equations.h"

namespace kinemorph {

// phi and its derivative without units. `Evaluate` makes phi; `Accept` keeps the derivative there;
// `Step` is against what was kept, without the columns that are held.
class ClosureSolver::Linearisation {
 public:
  virtual ~Linearisation() = default;
  /// Largest |phi|; `cost` gets its squared norm.
  virtual double Evaluate(const Eigen::VectorXd& q, double& cost) = 0;
  virtual void Accept() = 0;
  virtual void Hold(const std::vector<bool>& still) = 0;
  virtual void Step(double damping, Eigen::VectorXd& step) = 0;
};

class ClosureSolver::DenseLinearisation final : public Linearisation {
 public:
  DenseLinearisation(ClosureSolver& solver, int aggregate)
      : s_(solver), aggregate_(aggregate), g_(solver.m_.aggregates[U(aggregate)]) {}
  double Evaluate(const Eigen::VectorXd& q, double& cost) override {
    s_.Evaluate(aggregate_, q, nullptr, kinemorph::Residual::kRotation);
    ConstraintRows& rows = s_.work_[U(aggregate_)].rows;
    for (int r = 0; r < g_.rows; ++r) {
      if (s_.length_rows_[U(aggregate_)][U(r)]) rows.K.row(r) /= s_.m_.length;
    }
    for (int c = 0; c < g_.nv; ++c) {
      if (s_.linear_[U(g_.velocity[U(c)])]) rows.K.col(c) *= s_.m_.length;
    }
    const double residual = s_.Scaled(aggregate_, rows.phi);
    cost = rows.phi.squaredNorm();
    return residual;
  }
  void Accept() override {
    const ConstraintRows& rows = s_.work_[U(aggregate_)].rows;
    all_ = rows.K, phi_ = rows.phi;
    changed_ = true;
  }
  void Hold(const std::vector<bool>& still) override {
    still_ = still;
    changed_ = true;
  }
  void Step(double damping, Eigen::VectorXd& step) override {
    if (changed_) {
      K_ = all_;
      for (std::size_t c = 0; c < still_.size(); ++c)
        if (still_[c]) K_.col(static_cast<Eigen::Index>(c)).setZero();
      gradient_ = K_.transpose() * phi_;
      changed_ = false;
    }
    H_.noalias() = K_.transpose() * K_;
    H_.diagonal().array() += damping + 1e-13 * H_.diagonal().maxCoeff() + 1e-300;
    factors_.Compute(H_);
    step = -factors_.Solve(gradient_);
  }

 private:
  ClosureSolver& s_;
  int aggregate_;
  const Aggregate& g_;
  Eigen::MatrixXd H_, K_, all_;
  SymmetricFactors factors_;
  Eigen::VectorXd gradient_, phi_;
  std::vector<bool> still_;
  bool changed_ = false;
};

class ClosureSolver::SparseLinearisation final : public Linearisation {
 public:
  SparseLinearisation(ClosureSolver& solver, int aggregate)
      : s_(solver), aggregate_(aggregate), nv_(solver.m_.aggregates[U(aggregate)].nv) {}
  double Evaluate(const Eigen::VectorXd& q, double& cost) override {
    q_ = &q;
    const double residual = s_.Residual(aggregate_, q);
    cost = s_.work_[U(aggregate_)].rows.phi.squaredNorm();
    return residual;
  }
  void Accept() override {
    Work& work = s_.work_[U(aggregate_)];
    rows_ = work.cycles->ComputeRows(work.kinematics, q_->data());
    Assemble();
  }
  void Hold(const std::vector<bool>& still) override {
    if (still == still_) return;
    still_ = still;
    if (normal_) Assemble();
  }
  void Step(double damping, Eigen::VectorXd& step) override {
    step = normal_->Solve(damping, right_).head(nv_);
  }

 private:
  void Assemble() {
    const std::vector<CycleRow>& rows = rows_;
    const Eigen::SparseMatrix<double> A =
        SparseMatrixOf(rows, s_.work_[U(aggregate_)].cycles->columns(), still_);
    Eigen::VectorXd right(A.rows());
    for (std::size_t r = 0; r < rows.size(); ++r)
      right[static_cast<Eigen::Index>(r)] = rows[r].right;
    right_ = A.transpose() * right;
    normal_.emplace(A);
  }
  ClosureSolver& s_;
  int aggregate_, nv_;
  const Eigen::VectorXd* q_ = nullptr;
  std::vector<CycleRow> rows_;
  std::vector<bool> still_;
  std::optional<NormalEquations> normal_;
  Eigen::VectorXd right_;
};

}  // namespace kinemorph
