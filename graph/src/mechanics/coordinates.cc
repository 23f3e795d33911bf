// Generic rank and mobility from samples, the check of declared independent coordinates, and the
// automatic choice.
#include "kinemorph/graph/mechanics/coordinates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/index.h"
#include "mechanics/constraint_sample.h"
#include "mechanics/elimination.h"
#include "mechanics/idle_links.h"

namespace kinemorph {
namespace {

// By velocity: rather independent than dependent, because it is driven or said to be.
std::vector<bool> Preferred(const Mechanism& m) {
  std::vector<bool> preferred = m.declared.named;
  for (const Drive& drive : m.drives) preferred[U(drive.velocity)] = true;
  for (const Body& body : m.bodies) {
    const bool free = std::holds_alternative<Free>(body.kind);
    // A drive of a joint speaks of all its coordinates.
    for (int v = body.v; v < body.v + body.nv; ++v)
      preferred[U(v)] = preferred[U(v)] || free || preferred[U(body.v)];
  }
  return preferred;
}

using Samples = std::vector<std::unique_ptr<ConstraintSample>>;

std::vector<int> ReluctanceOf(const Mechanism& m, const Aggregate& g,
                              const std::vector<bool>& preferred) {
  std::vector<int> reluctance;
  for (const int v : g.velocity) {
    reluctance.push_back(m.declared.named[U(v)] ? kNamed : preferred[U(v)] ? kDriven : kOther);
  }
  return reluctance;
}

void CheckDeclaration(const Mechanism& m, const Aggregate& g, const std::vector<bool>& preferred,
                      const Samples& samples, AggregateCoordinates& out) {
  const Declaration& declaration = m.declared;
  std::vector<int> dependent;
  for (int c = 0; c < g.nv; ++c) {
    if (declaration.independent[U(g.velocity[U(c)])]) {
      ++out.num_declared;
    } else {
      dependent.push_back(c);
    }
  }
  out.declared = true;
  for (const auto& sample : samples)
    out.rank_dependent = std::max(out.rank_dependent, sample->RankOf(dependent));
  out.declared_ok =
      out.num_declared == out.mobility && out.rank_dependent == static_cast<int>(dependent.size());
  const auto name = [&](int c) { return m.names[U(g.velocity[U(c)])]; };
  if (out.declared_ok) {
    out.dependent = dependent, out.independent = Complement(g.nv, dependent);
    return;
  }
  if (out.num_declared > out.mobility) {  // these follow from the other declared ones: choose
                                          // enough dependents among them
    for (const int c : samples.front()->Dependent(ReluctanceOf(m, g, preferred), out.rank)) {
      if (declaration.independent[U(g.velocity[U(c)])]) out.at_fault.push_back(name(c));
    }
  } else if (!dependent.empty()) {  // these are free although declared dependent
    const std::vector<int> determined = samples.front()->Determined(dependent, out.rank_dependent);
    for (const int c : dependent)
      if (!std::binary_search(determined.begin(), determined.end(), c))
        out.at_fault.push_back(name(c));
  }
  std::sort(out.at_fault.begin(), out.at_fault.end());
}

void ChooseColumns(const Mechanism& m, const Aggregate& g, const std::vector<bool>& preferred,
                   const Samples& samples, AggregateCoordinates& out) {
  std::set<std::vector<int>> candidates;
  if (!out.dependent.empty() || (out.declared && out.declared_ok)) {
    candidates.insert(out.dependent);
  } else {
    for (const auto& sample : samples)
      candidates.insert(sample->Dependent(ReluctanceOf(m, g, preferred), out.rank));
  }
  double best_score = -1;
  // The choice that keeps the first coordinates independent comes first; another must be better by
  // more than rounding.
  for (auto it = candidates.rbegin(); it != candidates.rend(); ++it) {
    const std::vector<int>& dependent = *it;
    double conditioning = 1;
    for (const auto& sample : samples)
      conditioning = std::min(conditioning, sample->Conditioning(dependent));
    double score = std::min(conditioning, 1e-3);
    for (const int c : dependent) score *= preferred[U(g.velocity[U(c)])] ? 0.5 : 1;
    score += 1e-6 * conditioning;
    if (score <= best_score * (1 + kTie)) continue;
    best_score = score;
    out.dependent = dependent, out.independent = Complement(g.nv, dependent),
    out.conditioning = conditioning;
  }
}

std::vector<std::string> RedundantRows(const Aggregate& g, const ConstraintSample& sample,
                                       int rank) {
  const std::vector<std::string> names = RowNames(g);
  std::vector<std::string> redundant;
  for (const int r : sample.RedundantRows(rank)) redundant.push_back(names[U(r)]);
  return redundant;
}

// Columns of K that are zero in every state.
std::vector<std::string> IdleJoints(const Mechanism& m, const Aggregate& g,
                                    const Samples& samples) {
  constexpr double kNothing = 1e-9;
  Eigen::VectorXd felt = samples.front()->Largest();
  for (const auto& sample : samples) felt = felt.cwiseMax(sample->Largest());
  std::vector<std::string> idle;
  for (int c = 0; c < felt.size(); ++c)
    if (felt[c] <= kNothing) idle.push_back(m.names[U(g.velocity[U(c)])]);
  return idle;
}

// The most frequent rank; the larger of two equally frequent ones.
int MajorityRank(const std::vector<int>& ranks) {
  std::map<int, int> count;
  for (const int rank : ranks) ++count[rank];
  int best = 0, most = 0;
  for (const auto& [rank, times] : count) {
    if (times >= most) best = rank, most = times;
  }
  return best;
}

}  // namespace

int GapRank(const Eigen::VectorXd& s) {
  const int n = static_cast<int>(s.size());
  if (n == 0 || !(s[0] > 0)) return 0;
  for (int r = 1; r < n; ++r) {
    if (s[r] <= 1e-11 * s[0]) return r;
    if (s[r] <= 2e-4 * s[0] && s[r - 1] >= 30 * s[r]) return r;
  }
  return n;
}

std::vector<int> Coordinates::Ranks() const {
  std::vector<int> ranks;
  for (const AggregateCoordinates& aggregate : aggregates) ranks.push_back(aggregate.rank);
  return ranks;
}

Coordinates AnalyseCoordinates(const Mechanism& m, const CoordinateOptions& options) {
  Coordinates result;
  ClosureSolver solver(m);
  Random random(options.seed);
  const std::vector<bool> preferred = Preferred(m);
  const Eigen::VectorXd zero = m.ZeroPosition();
  const int num_aggregates = static_cast<int>(m.aggregates.size());
  result.assembled = zero;
  result.aggregates.resize(m.aggregates.size());
  std::vector<int> ranks(m.aggregates.size(), 0);
  Samples assembled(m.aggregates.size());
  std::vector<bool> as_drawn(m.aggregates.size());
  for (int a = 0; a < num_aggregates; ++a) {
    AggregateCoordinates& out = result.aggregates[U(a)];
    const double at_zero = solver.Residual(a, zero);
    result.residual_at_zero = std::max(result.residual_at_zero, at_zero);
    // A configuration closed as drawn stays as it is drawn, whatever its limits say.
    const ClosureResult closure =
        at_zero <= kNearlyClosed ? solver.Close(a, result.assembled)
                                 : solver.Assemble(a, random, options.restarts, result.assembled);
    out.closes = closure.nearly, out.residual = closure.residual;
    result.assembles = result.assembles && out.closes;
    if (m.aggregates[U(a)].rows > 0) assembled[U(a)] = TakeSample(solver, a, result.assembled);
    if (m.aggregates[U(a)].rows > 0) ranks[U(a)] = assembled[U(a)]->Rank();
    as_drawn[U(a)] = closure.iterations == 0;
  }
  std::vector<Eigen::VectorXd> states;
  for (int i = 0; i < options.samples; ++i)
    states.push_back(solver.RandomState(result.assembled, 0.5, ranks, random));
  for (int a = 0; a < num_aggregates; ++a) {
    const Aggregate& g = m.aggregates[U(a)];
    AggregateCoordinates& out = result.aggregates[U(a)];
    out.nv = g.nv, out.rows = g.rows;
    Samples samples;
    if (g.rows > 0) {
      std::vector<int> sampled;
      samples.push_back(std::move(assembled[U(a)]));
      for (const Eigen::VectorXd& q : states) samples.push_back(TakeSample(solver, a, q));
      out.idle = IdleLinks(m, g, solver.kinematics(a),
                           (states.empty() ? result.assembled : states.back()).data());
      out.idle_joints = IdleJoints(m, g, samples);
      for (const auto& sample : samples) sampled.push_back(sample->Rank());
      out.rank = MajorityRank(
          options.samples > 0 ? std::vector<int>(sampled.begin() + 1, sampled.end()) : sampled);
      if (result.residual_at_zero <= kNearlyClosed) {
        const int at_zero = as_drawn[U(a)] ? sampled.front() : TakeSample(solver, a, zero)->Rank();
        result.singular_at_zero = result.singular_at_zero || at_zero < out.rank;
      }
      std::erase_if(samples, [&](const auto& sample) { return sample->Rank() != out.rank; });
      if (out.rank < g.rows) out.redundant = RedundantRows(g, *samples.back(), out.rank);
    }
    out.mobility = g.nv - out.rank;
    if (m.declared.any && g.nv > 0) {
      if (samples.empty()) samples.push_back(EmptySample(g.nv));
      CheckDeclaration(m, g, preferred, samples, out);
    }
    if (g.rows > 0) {
      ChooseColumns(m, g, preferred, samples, out);
    } else {
      out.independent = Complement(g.nv, {}), out.dependent.clear();
    }
    result.spanning_dof += g.nv, result.constraint_rows += g.rows, result.rank += out.rank,
        result.mobility += out.mobility;
    result.independent_declared += out.num_declared;
    result.independent_ok = result.independent_ok && out.declared_ok;
    result.at_fault.insert(result.at_fault.end(), out.at_fault.begin(), out.at_fault.end());
    result.redundant.insert(result.redundant.end(), out.redundant.begin(), out.redundant.end());
    result.idle_joints.insert(result.idle_joints.end(), out.idle_joints.begin(),
                              out.idle_joints.end());
    result.idle.insert(result.idle.end(), out.idle.begin(), out.idle.end());
  }
  result.declared = m.declared.any;
  if (m.declared.all) result.independent_declared = result.spanning_dof;
  result.open_at_zero = result.residual_at_zero > kNearlyClosed;
  return result;
}

ExplicitConstraint MakeExplicit(const Eigen::MatrixXd& K, const Eigen::VectorXd& k,
                                const std::vector<int>& independent,
                                const std::vector<int>& dependent) {
  const Eigen::Index n = K.cols(), m = static_cast<Eigen::Index>(independent.size()),
                     r = static_cast<Eigen::Index>(dependent.size());
  ExplicitConstraint out;
  out.G = Eigen::MatrixXd::Zero(n, m);
  out.g = Eigen::VectorXd::Zero(n);
  // [K_d | -K_i | k]
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A(K.rows(), r + m + 1);
  for (Eigen::Index c = 0; c < r; ++c) A.col(c) = K.col(dependent[U(static_cast<int>(c))]);
  for (Eigen::Index c = 0; c < m; ++c) A.col(r + c) = -K.col(independent[U(static_cast<int>(c))]);
  A.col(r + m) = k;
  std::vector<int> order(static_cast<std::size_t>(K.rows()));
  std::iota(order.begin(), order.end(), 0);
  const int width = static_cast<int>(A.cols()), n_d = static_cast<int>(r);
  if (EliminateColumns(A.data(), width, static_cast<int>(A.rows()), n_d, width, order.data()) ==
      0) {
    out.singular = true;
    return out;
  }
  out.rows.assign(order.begin(), order.begin() + n_d);
  for (std::size_t i = U(n_d); i < order.size(); ++i)
    out.inconsistency = std::max(out.inconsistency, std::abs(A(order[i], r + m)));
  for (Eigen::Index c = 0; c < m; ++c) out.G(independent[U(static_cast<int>(c))], c) = 1;
  for (int i = 0; i < n_d; ++i) {
    out.G.row(dependent[U(i)]) = A.row(order[U(i)]).segment(r, m);
    out.g[dependent[U(i)]] = A(order[U(i)], r + m);
  }
  return out;
}

}  // namespace kinemorph
