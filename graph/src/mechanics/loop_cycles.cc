// FindCycles takes one short cycle for each loop joint, over tree joints and the loop joints added
// before; each cycle has a loop joint of its own, so that all are independent. UpdateLoops puts the
// loop joints into a state without units, MakeRows splits each cycle's six equations by its own
// loop joint. Elimination in sparse_elimination.cc stays sparse because cycles are short.
#include "mechanics/loop_cycles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

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
  // The parent body of the aggregate, position -1, is the last node.
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
  // Columns behind those of joints are the rates of loop joints, 6 - rows of each.
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
  // Inner loops first: those farther out find their short way over them, as on a ladder.
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
    // No short way within the budget: the way through the tree, as K would have it.
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
      // W from the origin of the parent body to the loop joint's point, where its moments are of
      // the order of its own size and scaling makes sense.
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
    // The loop joint as seen from its rows: twists that it allows are what W does not see, and the
    // smallest twist that brings its ends together is a least-squares solution.
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
      // A loop joint on the way counts as a joint with its own free rates as unknowns, plus the
      // twist by which it is open itself.
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
  // Definitions of the own rates first, each with its rate's column last, which is its pivot. W
  // sees nothing of these rates, so the constraints have no such columns.
  for (int f = 0; f < own.freedoms; ++f)
    add(own.free.col(f), -1).entries.push_back({first_[U(cycle.loop)] + f, -1});
  for (int r = 0; r < own.n; ++r) add(own.W.col(r), loop.row + r);
}

}  // namespace kinemorph
