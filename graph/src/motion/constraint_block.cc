#include "motion/constraint_block.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::motion {
namespace {

// Constraint rows of some aggregates and of the feet that stand, assembled into one K over the
// velocities that they concern. Divide chooses, once for a stretch of the motion, as many columns z
// and rows as K has rank; Solve factorizes K_z at every evaluation and makes G = -K_z^-1 K_y. The
// choice looks at K without units (ScaledK), since a metre is not comparable with a radian; the
// solution uses K as it is, whose G has the right units by itself.

// A column is passed on to more reluctant ones where it adds less than this to what was chosen.
constexpr double kTooLittle = 1e-3;

// `rank` columns by Gram-Schmidt with pivoting, sorted; fewer where there are no more.
// The columns that depend on the rest: those that stay longest after what is chosen has been
// projected out, which keeps K_z well conditioned. Levels of reluctance go first to last: a joint
// that the author calls independent or drives is asked only when the others do not suffice.
std::vector<int> PivotColumns(Eigen::MatrixXd A, const std::vector<int>& reluctance, int rank) {
  std::vector<int> chosen;
  std::vector<bool> taken(U(static_cast<int>(A.cols())), false);
  const int most = reluctance.empty() ? 0 : *std::max_element(reluctance.begin(), reluctance.end());
  double first = 0;
  for (int level = 0; level <= most; ++level) {
    while (static_cast<int>(chosen.size()) < rank) {
      int best = -1;
      double norm = 0;
      for (int c = 0; c < static_cast<int>(A.cols()); ++c) {
        if (taken[U(c)] || reluctance[U(c)] > level) continue;
        // A tie within rounding goes to the first column, or the choice would depend on the
        // compiler.
        if (A.col(c).norm() > norm * (1 + 1e-9)) norm = A.col(c).norm(), best = c;
      }
      first = std::max(first, norm);
      if (best < 0 || norm <= (level < most ? kTooLittle : 1e-12) * first) break;
      taken[U(best)] = true;
      chosen.push_back(best);
      const Eigen::VectorXd direction = A.col(best) / norm;
      A -= direction * (direction.transpose() * A).eval();
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

RowSource::RowSource(const Mechanism& mechanism)
    : m_(mechanism),
      joints_(mechanism),
      kinematics_(mechanism.aggregates.size()),
      linear_(IsLinearVelocity(mechanism)) {
  for (std::size_t a = 0; a < kinematics_.size(); ++a) kinematics_[a].Resize(m_.aggregates[a]);
}

void RowSource::Update(const Eigen::VectorXd& q, const Eigen::VectorXd* v) {
  const double* const velocities = v == nullptr ? nullptr : v->data();
  UpdateJoints(m_, q.data(), velocities, joints_);
  for (std::size_t a = 0; a < kinematics_.size(); ++a) {
    if (m_.aggregates[a].rows > 0)
      ComputeAggregateKinematics(m_, m_.aggregates[a], joints_, velocities, kinematics_[a]);
  }
}

void RowSource::Rows(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd* v,
                     ConstraintRows& rows) {
  ComputeConstraints(m_, m_.aggregates[U(aggregate)], kinematics_[U(aggregate)], q.data(),
                     v == nullptr ? nullptr : v->data(), Residual::kExact, rows);
}

ConstraintBlock::ConstraintBlock(const RowSource& source, std::vector<int> aggregates,
                                 const std::vector<Foot>& feet, std::vector<Stance> stances)
    : aggregates_(std::move(aggregates)),
      feet_(&feet),
      stances_(std::move(stances)),
      linear_(source.linear()),
      length_(source.mechanism().length) {
  const Mechanism& m = source.mechanism();
  for (const int a : aggregates_) {
    const Aggregate& g = m.aggregates[U(a)];
    part_.emplace_back().Resize(g);
    velocity_.insert(velocity_.end(), g.velocity.begin(), g.velocity.end());
    const std::vector<bool> length = IsLengthRow(m, g);
    length_rows_.insert(length_rows_.end(), length.begin(), length.end());
    loop_rows_ += g.rows;
  }
  if (!stances_.empty()) {  // a foot feels all that moves
    velocity_.clear();
    for (int v = 0; v < m.nv; ++v) velocity_.push_back(v);
  }
  std::vector<int> column(U(m.nv), -1);
  for (int c = 0; c < static_cast<int>(velocity_.size()); ++c) column[U(velocity_[U(c)])] = c;
  for (const int a : aggregates_) {
    column_of_.emplace_back();
    for (const int v : m.aggregates[U(a)].velocity) column_of_.back().push_back(column[U(v)]);
  }
  // Rows of feet come last; each is a length (m).
  const int rows = loop_rows_ + num_foot_rows();
  length_rows_.resize(U(rows), true);
  K_.setZero(rows, static_cast<Eigen::Index>(velocity_.size()));
  phi_.setZero(rows), k_.setZero(rows);
}

void ConstraintBlock::Evaluate(RowSource& source, const Eigen::VectorXd& q,
                               const Eigen::VectorXd* v) {
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    ConstraintRows& part = part_[i];
    if (part.phi.size() == 0) continue;
    source.Rows(aggregates_[i], q, v, part);
    const Eigen::Index n = part.phi.size();
    phi_.segment(row, n) = part.phi;
    if (v != nullptr) k_.segment(row, n) = part.k;
    for (std::size_t c = 0; c < column_of_[i].size(); ++c)
      K_.block(row, column_of_[i][c], n, 1) = part.K.col(static_cast<Eigen::Index>(c));
    row += n;
  }
  if (stances_.empty()) return;
  // K of a foot is the Jacobian of its point, whatever its velocity; only the acceleration needs v.
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(v == nullptr ? K_.cols() : 0);
  for (const Stance& stance : stances_) {
    const PointMotion point = MotionOfPoint(source.mechanism(), source.joints(),
                                            v == nullptr ? still : *v, (*feet_)[U(stance.foot)]);
    // phi of a standing foot: how far its point has gone from where it came down, world axes (m); k
    // is minus its acceleration at qdd = 0.
    phi_.segment<3>(row) = point.p - stance.anchor;
    K_.middleRows<3>(row) = point.J;
    if (v != nullptr) k_.segment<3>(row) = -point.a;
    row += 3;
  }
}

Eigen::MatrixXd ConstraintBlock::ScaledK() const {
  // So that a slide compares with a hinge: rows that are lengths are divided by the characteristic
  // length, and velocities of slides are counted in it.
  Eigen::MatrixXd K = K_;
  for (Eigen::Index r = 0; r < K.rows(); ++r)
    if (length_rows_[static_cast<std::size_t>(r)]) K.row(r) /= length_;
  for (int c = 0; c < static_cast<int>(K.cols()); ++c) K.col(c) *= Unit(c);
  return K;
}

bool ConstraintBlock::Divide(const std::vector<int>& reluctance, int rank) {
  const Eigen::MatrixXd K = ScaledK();
  // The rank is where the singular values have their gap.
  if (rank < 0) rank = GapRank(SingularValues(K));
  std::vector<int> by_column;
  for (const int v : velocity_) by_column.push_back(reluctance[U(v)]);
  z_ = PivotColumns(K, by_column, rank);
  y_.clear(), independent_.clear(), dependent_.clear();
  for (int c = 0; c < static_cast<int>(velocity_.size()); ++c) {
    const bool depends = std::binary_search(z_.begin(), z_.end(), c);
    if (!depends) y_.push_back(c);
    (depends ? dependent_ : independent_).push_back(velocity_[U(c)]);
  }

  // As many rows as z has columns. Redundant rows, as those of a planar four-bar (which never
  // leaves its plane), are dropped for good: their phi stays zero with the others.
  rows_.clear();
  if (static_cast<int>(z_.size()) < rank) return false;
  if (rank > 0) {
    rows_ = PivotOrder(K(Eigen::all, z_).transpose());
    rows_.resize(U(rank));
    std::sort(rows_.begin(), rows_.end());
  }
  G_.setZero(rank, static_cast<Eigen::Index>(y_.size()));
  K_z_.setZero(rank, rank), K_y_ = G_;
  return true;
}

bool ConstraintBlock::Solve() {
  if (rows_.empty()) return true;
  double largest = 0;
  for (Eigen::Index r = 0; r < K_z_.rows(); ++r) {
    const Eigen::Index row = rows_[static_cast<std::size_t>(r)];
    for (Eigen::Index c = 0; c < K_z_.cols(); ++c) {
      K_z_(r, c) = K_(row, z_[static_cast<std::size_t>(c)]);
      largest = std::max(largest, std::abs(K_z_(r, c)));
    }
    for (Eigen::Index c = 0; c < K_y_.cols(); ++c)
      // The sign makes G of the solution directly: K_z G = -K_y.
      K_y_(r, c) = -K_(row, y_[static_cast<std::size_t>(c)]);
  }
  lu_.Compute(K_z_);
  // Relative to the largest entry: a pivot without size means that the rows in use lose rank.
  if (!(lu_.LeastPivot() > 1e-12 * largest)) return false;
  if (K_y_.cols() > 0) G_ = lu_.Solve(K_y_);  // else nothing is independent
  return true;
}

// Rows that are identically zero, as those of a planar loop are out of its plane, repeat nothing
// and are skipped by the recursion too.
bool ConstraintBlock::HasRedundantRows() const {
  constexpr double kNothing = 1e-9;
  const Eigen::MatrixXd K = ScaledK();
  if (K.size() == 0) return false;  // loops of what does not move
  const double largest = K.cwiseAbs().maxCoeff();
  int live = 0;
  for (Eigen::Index r = 0; r < K.rows(); ++r)
    live += K.row(r).cwiseAbs().maxCoeff() > kNothing * largest ? 1 : 0;
  return live > rank();
}

double ConstraintBlock::LeastSingularValue() const {
  if (rows_.empty()) return 1;
  const Eigen::MatrixXd K = ScaledK()(rows_, z_);
  return SingularValues(K).tail<1>()[0];
}

std::pair<double, double> ConstraintBlock::SingularRange() const {
  if (rows_.empty()) return {1, 1};
  const Eigen::VectorXd values = SingularValues(ScaledK());
  return {values[0], values[rank() - 1]};
}

std::vector<int> ConstraintBlock::LoosestVelocities() const {
  constexpr double kLarge = 0.1;  // of the largest square
  if (rows_.empty()) return {};
  const Eigen::MatrixXd K = ScaledK();
  // Just below full rank the null space is one larger: the difference of the two projectors is the
  // direction that is about to get free. Its diagonal says how large each velocity's part is.
  const Eigen::VectorXd with = ShareInNullSpace(K, rank() - 1),
                        without = ShareInNullSpace(K, rank());
  const Eigen::VectorXd square = with.cwiseAbs2() - without.cwiseAbs2();
  std::vector<int> velocities;
  for (Eigen::Index c = 0; c < square.size(); ++c)
    if (square[c] > kLarge * square.maxCoeff())
      velocities.push_back(velocity_[static_cast<std::size_t>(c)]);
  return velocities;
}

void ConstraintBlock::SolveGap(Eigen::VectorXd& dz) const {
  dz = lu_.Solve(Eigen::VectorXd(phi_(rows_)));
}
void ConstraintBlock::SolveBias(Eigen::VectorXd& g) const {
  g = lu_.Solve(Eigen::VectorXd(k_(rows_)));
}

double ConstraintBlock::Gap() const {
  double worst = 0;
  for (const int r : rows_)
    worst = std::max(worst, std::abs(phi_[r]) / (length_rows_[U(r)] ? length_ : 1));
  return worst;
}
double ConstraintBlock::LoopResidual() const {
  return loop_rows_ == 0 ? 0 : phi_.head(loop_rows_).lpNorm<Eigen::Infinity>();
}
double ConstraintBlock::FootDrift() const {
  return stances_.empty() ? 0 : phi_.tail(num_foot_rows()).lpNorm<Eigen::Infinity>();
}

Eigen::MatrixXd ConstraintBlock::ForceRows(int nv) const {
  std::vector<int> rows;
  for (const int r : rows_)
    if (r < loop_rows_) rows.push_back(r);
  for (int r = loop_rows_; r < loop_rows_ + num_foot_rows(); ++r) rows.push_back(r);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), nv);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < velocity_.size(); ++c)
      J(static_cast<Eigen::Index>(i), velocity_[c]) = K_(rows[i], static_cast<Eigen::Index>(c));
  return J;
}

}  // namespace kinemorph::motion
