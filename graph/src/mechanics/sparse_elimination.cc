// Elimination of sparse rows: which follow from others, and what the rest determines.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <queue>

#include "base/index.h"
#include "mechanics/loop_cycles.h"

namespace kinemorph {
namespace {

// Frames with few digits leave 1e-6 where zero is meant; one step of the elimination may enlarge
// that.
constexpr double kNoise = 5e-5, kDrop = 1e-13;

// A row as far as it is eliminated, and the pivots that it still has to meet.
struct Scratch {
  std::vector<double> value;
  std::vector<bool> there;
  std::vector<int> columns;
  explicit Scratch(int n) : value(U(n), 0.0), there(U(n), false) {}
  void Add(int column, double x) {
    if (!there[U(column)]) there[U(column)] = true, columns.push_back(column);
    value[U(column)] += x;
  }
  void Clear() {
    for (const int c : columns) value[U(c)] = 0, there[U(c)] = false;
    columns.clear();
  }
};

}  // namespace

Elimination Eliminate(const std::vector<CycleRow>& rows, int columns,
                      const std::vector<int>& reluctance) {
  const int own = static_cast<int>(reluctance.size());
  Elimination out;
  std::vector<std::vector<SparseEntry>> pivots;  // rows, the pivot's column first and 1
  std::vector<int> pivot_of(U(columns), -1);
  Scratch row(columns);
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const CycleRow& source : rows) {
    // The pivots that this row has entries for, in the order in which they were made: fill-in may
    // add later ones but never an earlier one, since a pivot row holds no column of a pivot before
    // it.
    std::priority_queue<int, std::vector<int>, std::greater<>> waiting;
    const auto add = [&](int column, double x) {
      if (!row.there[U(column)] && pivot_of[U(column)] >= 0) waiting.push(pivot_of[U(column)]);
      row.Add(column, x);
    };
    for (const SparseEntry& entry : source.entries) {
      if (entry.column >= own || reluctance[U(entry.column)] >= 0) add(entry.column, entry.value);
    }
    while (!waiting.empty()) {
      const std::vector<SparseEntry>& pivot = pivots[U(waiting.top())];
      waiting.pop();
      const double factor = row.value[U(pivot.front().column)];
      row.value[U(pivot.front().column)] = 0;
      if (std::abs(factor) <= kDrop) continue;
      for (std::size_t i = 1; i < pivot.size(); ++i) add(pivot[i].column, -factor * pivot[i].value);
    }
    // The pivot: of a definition its own rate, of a constraint a joint's.
    std::vector<double> most(1, 0.0);
    for (const int c : row.columns) {
      if (c >= own) continue;
      const std::size_t level = U(reluctance[U(c)]);
      if (most.size() <= level) most.resize(level + 1, 0.0);
      most[level] = std::max(most[level], std::abs(row.value[U(c)]));
    }
    int best = -1;
    if (source.constraint < 0) {
      best = source.entries.back().column;
    } else {
      // The least reluctant level that has a sound pivot, among its columns one of at least half
      // the largest, and of these the last: earlier coordinates stay independent, whatever rounding
      // says.
      const double all = *std::max_element(most.begin(), most.end());
      for (std::size_t level = 0; best < 0 && level < most.size(); ++level) {
        // A follower is determined by its own coupling, however large the ratio.
        const double share = level == static_cast<std::size_t>(Actuation::kFollows) ? 1e-3 : 0.02;
        if (!(most[level] > std::max(kNoise, share * all))) continue;
        for (const int c : row.columns) {
          if (c < own && U(reluctance[U(c)]) == level && c > best &&
              std::abs(row.value[U(c)]) >= 0.5 * most[level])
            best = c;
        }
      }
    }
    if (best < 0) {
      out.redundant.push_back(source.constraint);
    } else {
      const double pivot = row.value[U(best)];
      std::vector<SparseEntry>& kept = pivots.emplace_back(1, SparseEntry{best, 1});
      for (const int c : row.columns) {
        if (c != best && std::abs(row.value[U(c)]) > kDrop)
          kept.push_back({c, row.value[U(c)] / pivot});
      }
      pivot_of[U(best)] = static_cast<int>(pivots.size()) - 1;
      if (source.constraint >= 0) {
        out.dependent.push_back(best);
        least = std::min(least, std::abs(pivot)), largest = std::max(largest, std::abs(pivot));
      }
    }
    row.Clear();
  }
  std::sort(out.dependent.begin(), out.dependent.end());
  std::sort(out.redundant.begin(), out.redundant.end());
  if (largest > 0) out.least = least, out.largest = largest;
  return out;
}

namespace {

// Rows in turn, each with a pivot among the dependent columns or its own rate; then backwards.
class RowSolver {
 public:
  RowSolver(int columns, int own, const std::vector<int>& dependent)
      : row_(columns), pivot_of_(U(columns), -1), wanted_(U(columns), true) {
    std::fill_n(wanted_.begin(), own, false);
    for (const int c : dependent) wanted_[U(c)] = true;
  }
  // What is left on the right where the row follows from those before; else nothing.
  std::optional<double> Add(const CycleRow& source) {
    double right = source.right;
    std::priority_queue<int, std::vector<int>, std::greater<>> waiting;
    const auto add = [&](int column, double x) {
      if (!row_.there[U(column)] && pivot_of_[U(column)] >= 0) waiting.push(pivot_of_[U(column)]);
      row_.Add(column, x);
    };
    for (const SparseEntry& entry : source.entries) add(entry.column, entry.value);
    while (!waiting.empty()) {
      const Pivot& pivot = pivots_[U(waiting.top())];
      waiting.pop();
      const double factor = row_.value[U(pivot.column)];
      row_.value[U(pivot.column)] = 0;
      if (std::abs(factor) <= kDrop) continue;
      for (const SparseEntry& entry : pivot.rest) add(entry.column, -factor * entry.value);
      right -= factor * pivot.right;
    }
    const int best = source.constraint < 0 ? source.entries.back().column : Best();
    const bool follows = best < 0;
    if (!follows) Keep(best, right);
    row_.Clear();
    return follows ? std::optional<double>(right) : std::nullopt;
  }
  // x of all columns, where those without a pivot are `x` and the right sides count `share` times.
  void Solve(Eigen::VectorXd& x, double share) const {
    // Backwards, since a pivot row speaks of later pivots and of columns without one.
    for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
      double sum = share * pivot->right;
      for (const SparseEntry& entry : pivot->rest) sum -= entry.value * x[entry.column];
      x[pivot->column] = sum;
    }
  }
  [[nodiscard]] bool IsPivot(int column) const { return pivot_of_[U(column)] >= 0; }

 private:
  struct Pivot {
    int column = 0;
    double right = 0;
    std::vector<SparseEntry> rest;
  };
  [[nodiscard]] int Best() const {
    double most = 0;
    for (const int c : row_.columns)
      if (wanted_[U(c)]) most = std::max(most, std::abs(row_.value[U(c)]));
    int best = -1;
    for (const int c : row_.columns) {
      if (most > kNoise && wanted_[U(c)] && c > best && std::abs(row_.value[U(c)]) >= 0.5 * most)
        best = c;
    }
    return best;
  }
  void Keep(int best, double right) {
    Pivot& pivot = pivots_.emplace_back();
    const double scale = row_.value[U(best)];
    pivot.column = best, pivot.right = right / scale;
    for (const int c : row_.columns) {
      if (c != best && std::abs(row_.value[U(c)]) > kDrop)
        pivot.rest.push_back({c, row_.value[U(c)] / scale});
    }
    pivot_of_[U(best)] = static_cast<int>(pivots_.size()) - 1;
  }

  Scratch row_;
  std::vector<int> pivot_of_;
  std::vector<bool> wanted_;
  std::vector<Pivot> pivots_;
};

}  // namespace

SparseExplicit SolveRows(const std::vector<CycleRow>& rows, int columns,
                         const std::vector<int>& independent, const std::vector<int>& dependent) {
  const int own = static_cast<int>(independent.size() + dependent.size());
  SparseExplicit out;
  RowSolver solver(columns, own, dependent);
  for (const CycleRow& row : rows) {
    if (const std::optional<double> left = solver.Add(row))
      out.inconsistency = std::max(out.inconsistency, std::abs(*left));
  }
  out.singular =
      !std::all_of(dependent.begin(), dependent.end(), [&](int c) { return solver.IsPivot(c); });
  out.G.setZero(own, static_cast<Eigen::Index>(independent.size()));
  out.g.setZero(own);
  if (out.singular) return out;
  // g is the solution for the right sides with all independent ones at rest, a column of G that for
  // one of them at unit rate and no right sides.
  Eigen::VectorXd x = Eigen::VectorXd::Zero(columns);
  solver.Solve(x, 1);
  out.g = x.head(own);
  for (std::size_t i = 0; i < independent.size(); ++i) {
    x.setZero();
    x[independent[i]] = 1;
    solver.Solve(x, 0);
    out.G.col(static_cast<Eigen::Index>(i)) = x.head(own);
  }
  return out;
}

}  // namespace kinemorph
