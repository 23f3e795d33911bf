#include "mechanics/loop_cycles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {
namespace {

// A twist about the parent body's origin, about `point` with lengths over `length`.
Vector6 Scaled(const Vector6& twist, const Vector3& point, double length) {
  Vector6 out = twist;
  out.tail<3>() = (twist.tail<3>() + twist.head<3>().cross(point)) / length;
  return out;
}

// Finds short ways between bodies over tree joints and the loop joints that were added.
class ShortPaths {
 public:
  struct Edge {
    int to = 0, body = -1, loop = -1;
    double sign = 1;
  };
  explicit ShortPaths(const Aggregate& g) : edges_(g.bodies.size() + 1), seen_(edges_.size(), 0) {
    from_.resize(edges_.size());
    for (int i = 0; i < static_cast<int>(g.bodies.size()); ++i) {
      const int parent = Node(g.parent_in[U(i)]);
      edges_[U(parent)].push_back({i, i, -1, 1});
      edges_[U(i)].push_back({parent, i, -1, -1});
    }
  }
  [[nodiscard]] int Node(int position) const {
    return position < 0 ? static_cast<int>(edges_.size()) - 1 : position;
  }
  void AddLoop(int loop, int predecessor, int successor) {
    edges_[U(Node(predecessor))].push_back({Node(successor), -1, loop, 1});
    edges_[U(Node(successor))].push_back({Node(predecessor), -1, loop, -1});
  }
  // From both ends, the cheaper front first, so that a base with a thousand links is looked at only
  // where nothing else is left. Given up after `most` edges: then empty.
  std::vector<Edge> Find(int from, int to, std::size_t most) {
    if (Node(from) == Node(to)) return {};
    round_ += 2;
    std::array<Front, 2> fronts;
    for (const int side : {0, 1}) {
      const int node = Node(side == 0 ? from : to);
      seen_[U(node)] = round_ + side;
      fronts[U(side)].nodes = {node}, fronts[U(side)].edges = edges_[U(node)].size();
    }
    for (std::size_t visited = 0; !fronts[0].nodes.empty() && !fronts[1].nodes.empty();) {
      const int side = fronts[0].edges <= fronts[1].edges ? 0 : 1;
      visited += fronts[U(side)].edges;
      if (visited > most) return {};
      if (const auto met = Advance(fronts[U(side)], side))
        return Trace(Node(from), Node(to), side, *met);
    }
    return {};
  }

 private:
  struct Front {
    std::vector<int> nodes;
    std::size_t edges = 0;  // that leave them
  };
  struct Met {
    int node;
    const Edge* edge;  // from it to the other side
  };
  // One layer.
  std::optional<Met> Advance(Front& front, int side) {
    Front next;
    for (const int node : front.nodes) {
      for (const Edge& edge : edges_[U(node)]) {
        if (seen_[U(edge.to)] == round_ + 1 - side) return Met{node, &edge};
        if (seen_[U(edge.to)] == round_ + side) continue;
        seen_[U(edge.to)] = round_ + side;
        from_[U(edge.to)] = {node, &edge};
        next.nodes.push_back(edge.to);
        next.edges += edges_[U(edge.to)].size();
      }
    }
    front = std::move(next);
    return std::nullopt;
  }
  // In no order: the steps of a sum. What was gone from the far end on is gone backwards.
  [[nodiscard]] std::vector<Edge> Trace(int from, int to, int side, const Met& met) const {
    std::vector<Edge> path;
    const auto back = [&](int node, int end, double sign) {
      for (; node != end; node = from_[U(node)].first) {
        path.push_back(*from_[U(node)].second);
        path.back().sign *= sign;
      }
    };
    path.push_back(*met.edge);
    path.back().sign *= side == 0 ? 1 : -1;
    back(side == 0 ? met.node : met.edge->to, from, 1);
    back(side == 0 ? met.edge->to : met.node, to, -1);
    return path;
  }
  std::vector<std::vector<Edge>> edges_;
  std::vector<int> seen_;
  std::vector<std::pair<int, const Edge*>> from_;
  int round_ = 0;
};

}  // namespace

bool IsLarge(const Aggregate& aggregate) {
  constexpr int kLarge = 300;  // rows and columns of K together
  return aggregate.rows > 0 && aggregate.rows + aggregate.nv > kLarge;
}

LoopCycles::LoopCycles(const Mechanism& m, const Aggregate& aggregate)
    : m_(m), g_(aggregate), length_(IsLengthRow(m, aggregate)) {
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    const Body& body = m_.bodies[U(g_.bodies[i])];
    for (int c = 0; c < body.nv; ++c) linear_.push_back(body.S.col(c).head<3>().isZero(0));
  }
  columns_ = g_.nv;
  for (const LoopConstraint& loop : g_.loops) {
    first_.push_back(columns_);
    columns_ += 6 - loop.rows;
  }
  loops_.resize(g_.loops.size());
  FindCycles();
}

void LoopCycles::FindCycles() {
  std::vector<int> depth(g_.bodies.size()), order(g_.loops.size());
  for (std::size_t i = 0; i < depth.size(); ++i)
    depth[i] = g_.parent_in[i] < 0 ? 1 : depth[U(g_.parent_in[i])] + 1;
  const auto depth_of = [&](int loop) {
    const LoopConstraint& l = g_.loops[U(loop)];
    return std::max(l.predecessor < 0 ? 0 : depth[U(l.predecessor)],
                    l.successor < 0 ? 0 : depth[U(l.successor)]);
  };
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return depth_of(a) < depth_of(b); });
  ShortPaths paths(g_);
  constexpr std::size_t kMostEdges = 5000;
  for (const int l : order) {
    const LoopConstraint& loop = g_.loops[U(l)];
    Cycle cycle;
    cycle.loop = l;
    for (const auto& edge : paths.Find(loop.predecessor, loop.successor, kMostEdges))
      cycle.path.push_back({edge.body, edge.loop, edge.sign});
    if (cycle.path.empty()) {
      for (const int i : loop.predecessor_path) cycle.path.push_back({i, -1, -1});
      for (const int i : loop.successor_path) cycle.path.push_back({i, -1, 1});
    }
    paths.AddLoop(l, loop.predecessor, loop.successor);
    cycles_.push_back(std::move(cycle));
  }
}

void LoopCycles::UpdateLoops(const AggregateKinematics& kinematics, Eigen::VectorXd& phi) {
  for (std::size_t l = 0; l < g_.loops.size(); ++l) {
    const LoopConstraint& loop = g_.loops[l];
    const LoopRows own = RowsOf(loop, kinematics, false, Residual::kRotation);
    State& state = loops_[l];
    const RigidTransform& X =
        loop.predecessor < 0 ? RigidTransform{} : kinematics.X[U(loop.predecessor)];
    state.point = X * loop.X_PF.p;
    state.n = own.n, state.freedoms = 6 - own.n;
    for (int r = 0; r < own.n; ++r) {
      Vector6 w = own.W.col(r);
      w.head<3>() -= state.point.cross(w.tail<3>());
      const bool is_length = r >= own.angular;
      if (is_length) w.head<3>() /= m_.length;
      if (!is_length) w.tail<3>() *= m_.length;
      state.W.col(r) = w;
      phi[loop.row + r] = own.phi[U(r)] / (is_length ? m_.length : 1);
    }
  }
}

void LoopCycles::ComputePhi(const AggregateKinematics& kinematics, const double* q,
                            Eigen::VectorXd& phi) {
  phi.resize(g_.rows);
  UpdateLoops(kinematics, phi);
  for (const CouplingConstraint& coupling : g_.couplings) {
    double value = -coupling.constant;
    for (const auto& term : coupling.terms) value += At(term, q).value;
    const bool is_length = !coupling.terms.empty() && linear_[U(coupling.terms.front().column)];
    phi[coupling.row] = value / (is_length ? m_.length : 1);
  }
}

Quartic LoopCycles::At(const CouplingConstraint::Term& term, const double* q) const {
  return {term.c, q[m_.bodies[U(g_.bodies[U(term.body)])].q + term.axis]};
}

const std::vector<CycleRow>& LoopCycles::ComputeRows(const AggregateKinematics& kinematics,
                                                     const double* q) {
  ComputePhi(kinematics, q, phi_);
  return MakeRows(kinematics, q);
}

const std::vector<CycleRow>& LoopCycles::ComputeRows(const AggregateKinematics& kinematics,
                                                     const double* q,
                                                     const Eigen::VectorXd& right) {
  ComputePhi(kinematics, q, phi_);
  for (int r = 0; r < g_.rows; ++r) phi_[r] = -right[r] / (length_[U(r)] ? m_.length : 1);
  return MakeRows(kinematics, q);
}

const std::vector<CycleRow>& LoopCycles::MakeRows(const AggregateKinematics& kinematics,
                                                  const double* q) {
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    State& state = loops_[l];
    const Eigen::MatrixXd W = state.W.leftCols(state.n);
    state.free.leftCols(state.freedoms) = OrthogonalComplement(W);
    state.closing =
        -SolveLeastSquares(W.transpose(), phi_.segment(g_.loops[l].row, state.n)).col(0);
  }
  rows_.clear();
  for (const Cycle& cycle : cycles_) AddCycle(cycle, kinematics);
  for (const CouplingConstraint& coupling : g_.couplings) {
    const double unit =
        !coupling.terms.empty() && linear_[U(coupling.terms.front().column)] ? m_.length : 1;
    CycleRow& row = rows_.emplace_back();
    double norm = 0;
    for (const auto& term : coupling.terms) {
      row.entries.push_back(
          {term.column, At(term, q).slope * (linear_[U(term.column)] ? m_.length : 1) / unit});
      norm = std::hypot(norm, row.entries.back().value);
    }
    if (!(norm > 0)) norm = 1;
    for (SparseEntry& entry : row.entries) entry.value /= norm;
    row.right = -phi_[coupling.row] / norm, row.constraint = coupling.row;
  }
  return rows_;
}

void LoopCycles::AddCycle(const Cycle& cycle, const AggregateKinematics& kinematics) {
  const State& own = loops_[U(cycle.loop)];
  const LoopConstraint& loop = g_.loops[U(cycle.loop)];
  std::vector<std::pair<int, Vector6>> columns;
  Vector6 right = own.closing;
  for (const Step& step : cycle.path) {
    if (step.loop >= 0) {
      const State& other = loops_[U(step.loop)];
      const Vector3 shift = (own.point - other.point) / m_.length;
      const auto moved = [&](const Vector6& twist) {
        Vector6 out = twist;
        out.tail<3>() += twist.head<3>().cross(shift);
        return out;
      };
      right -= step.sign * moved(other.closing);
      for (int f = 0; f < other.freedoms; ++f)
        columns.emplace_back(first_[U(step.loop)] + f, step.sign * moved(other.free.col(f)));
      continue;
    }
    const int nv = m_.bodies[U(g_.bodies[U(step.body)])].nv;
    for (int c = g_.column[U(step.body)]; c < g_.column[U(step.body)] + nv; ++c) {
      const double unit = linear_[U(c)] ? m_.length : 1;
      columns.emplace_back(c, step.sign * unit * Scaled(kinematics.S.col(c), own.point, m_.length));
    }
  }
  const auto add = [&](const Vector6& along, int constraint) -> CycleRow& {
    CycleRow& row = rows_.emplace_back();
    for (const auto& [c, twist] : columns) row.entries.push_back({c, along.dot(twist)});
    row.right = along.dot(right), row.constraint = constraint;
    return row;
  };
  for (int f = 0; f < own.freedoms; ++f)
    add(own.free.col(f), -1).entries.push_back({first_[U(cycle.loop)] + f, -1});
  for (int r = 0; r < own.n; ++r) add(own.W.col(r), loop.row + r);
}

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
      const double all = *std::max_element(most.begin(), most.end());
      for (std::size_t level = 0; best < 0 && level < most.size(); ++level) {
        if (!(most[level] > std::max(kNoise, 0.02 * all))) continue;
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
