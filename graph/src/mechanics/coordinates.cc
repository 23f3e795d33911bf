// Generic rank and mobility from samples, the check of declared independent coordinates, and the
// automatic choice.
#include "kinemorph/graph/mechanics/coordinates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/index.h"
#include "mechanics/aggregate_shapes.h"
#include "mechanics/constraint_sample.h"
#include "mechanics/elimination.h"
#include "mechanics/idle_links.h"
#include "mechanics/within_limits.h"

namespace kinemorph {
namespace {

// How good a choice of dependent columns is, the greater the better.
struct Worth {
  int declared = 0;           // dependent columns that are declared independent; more: none serves
  bool is_sound = false;      // determined in every sample
  std::vector<int> by_level;  // dependent columns by reluctance: rather many of little
  double conditioning = 0;    // least over the samples
  [[nodiscard]] bool IsMoreThan(const Worth& other) const {
    // What somebody declares stands if it serves in any posture: the drawing may be a dead centre.
    if (declared != other.declared) return declared < other.declared;
    if (is_sound != other.is_sound) return is_sound;
    if (by_level != other.by_level) return by_level > other.by_level;
    // Above the bound a partition serves as well as any other.
    constexpr double kGood = 1e-3;
    return std::min(conditioning, kGood) > std::min(other.conditioning, kGood) * (1 + kTie);
  }
};

using Samples = std::vector<std::unique_ptr<ConstraintSample>>;

// Columns of K that are zero in every state.
std::vector<int> IdleJoints(const Samples& samples) {
  constexpr double kNothing = 1e-9;
  Eigen::VectorXd felt = samples.front()->Largest();
  for (const auto& sample : samples) felt = felt.cwiseMax(sample->Largest());
  std::vector<int> idle;
  for (int c = 0; c < felt.size(); ++c)
    if (felt[c] <= kNothing) idle.push_back(c);
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

// What is found of an aggregate: its places, which all of its shape share, instead of names.
struct Findings {
  AggregateCoordinates coordinates;        // without names
  std::vector<int> at_fault, idle_joints;  // columns
  std::vector<int> redundant;              // rows
  std::vector<int> idle;                   // positions of bodies
  double at_zero = 0;                      // largest |phi| at q = 0
  bool singular_at_zero = false;           // nearly closed there, with less than the rank
};

class Analysis {
 public:
  Analysis(const Mechanism& m, const CoordinateOptions& options)
      : m_(m),
        options_(options),
        solver_(m),
        reluctance_(Reluctance(m)),
        zero_(m.ZeroPosition()),
        state_(zero_) {}

  // `q` gets its assembled posture. Random numbers start anew with every aggregate, so that nothing
  // depends on what else is in the mechanism.
  Findings Run(int a, Eigen::VectorXd& q) {
    const Aggregate& g = m_.aggregates[U(a)];
    Random random(options_.seed);
    Findings found;
    found.coordinates.nv = g.nv, found.coordinates.rows = g.rows;
    bool as_drawn = Assemble(a, random, found, q);
    Samples samples;
    if (g.rows > 0) {
      // A mechanism that is drawn outside of its limits does not work there, nor on that branch.
      Eigen::VectorXd at_work = q;
      const double beyond = IsWithinLimits(m_, a, q) ? 0 : BeyondLimits(m_, a, q);
      if (beyond > 0 && GoWithinLimits(solver_, a, at_work)) {
        as_drawn = false;
      } else if (found.coordinates.closes && !solver_.IsLarge(a)) {
        found.coordinates.beyond_limits = beyond;
      }
      samples = Sample(a, as_drawn, random, at_work, found);
    }
    found.coordinates.mobility = g.nv - found.coordinates.rank;
    if (m_.declared.any && g.nv > 0) {
      if (samples.empty()) samples.push_back(EmptySample(g.nv));
      CheckDeclaration(g, samples, found);
    }
    if (g.rows > 0) {
      ChooseColumns(g, samples, found.coordinates);
    } else {
      found.coordinates.independent = Complement(g.nv, {}), found.coordinates.dependent.clear();
    }
    // Columns of numbers out of all proportion cannot be chosen, whatever their singular values say:
    // everybody counts on as many independent coordinates as the mobility. What was said of the
    // declaration and of redundant rows keeps the rank of the values.
    found.coordinates.rank = static_cast<int>(found.coordinates.dependent.size());
    found.coordinates.mobility = g.nv - found.coordinates.rank;
    return found;
  }

 private:
  // Whether it is closed as drawn.
  bool Assemble(int a, Random& random, Findings& found, Eigen::VectorXd& q) {
    found.at_zero = solver_.Residual(a, zero_);
    const ClosureResult closure = solver_.Assemble(a, random, options_.restarts, q);
    found.coordinates.closes = closure.nearly, found.coordinates.residual = closure.residual;
    return closure.iterations == 0;
  }

  // At the assembled posture and at random ones: those where K has its rank.
  Samples Sample(int a, bool as_drawn, Random& random, const Eigen::VectorXd& assembled,
                 Findings& found) {
    const Aggregate& g = m_.aggregates[U(a)];
    Samples samples;
    // Rank at one posture says little: four-bars drawn flat and legs drawn stretched have less at q
    // = 0 than anywhere else. The drawing is sampled first and has no vote.
    samples.push_back(TakeSample(solver_, a, assembled));
    std::vector<int> sampled{samples.front()->Rank()};
    bool sure = true;
    for (int i = 0; i < options_.samples; ++i) {
      const bool quick = solver_.RandomState(a, assembled, 0.5, sampled.front(), random, state_);
      samples.push_back(TakeSample(solver_, a, state_));
      sampled.push_back(samples.back()->Rank());
      sure = sure && quick && sampled.back() == sampled[1];
    }
    if (!sure && !solver_.IsLarge(a)) SampleElsewhere(a, random, assembled, samples, sampled);
    found.idle =
        IdleLinks(m_, g, solver_.kinematics(a), (options_.samples > 0 ? state_ : assembled).data());
    found.idle_joints = IdleJoints(samples);
    const int rank = found.coordinates.rank = MajorityRank(
        options_.samples > 0 ? std::vector<int>(sampled.begin() + 1, sampled.end()) : sampled);
    // Postures of another rank are not those in which the mechanism works: they must not spoil the
    // choice of columns below.
    if (found.at_zero <= kNearlyClosed) {
      const int at_zero = as_drawn ? sampled.front() : TakeSample(solver_, a, zero_)->Rank();
      found.singular_at_zero = at_zero < rank;
    }
    std::erase_if(samples, [&](const auto& sample) { return sample->Rank() != rank; });
    if (rank < g.rows) found.redundant = samples.back()->RedundantRows(rank);
    return samples;
  }

  // Where branches of the motion meet, what is near closes slowly and has any rank: the postures
  // away from there count instead, of the branch with the largest mobility.
  void SampleElsewhere(int a, Random& random, const Eigen::VectorXd& assembled, Samples& samples,
                       std::vector<int>& sampled) {
    std::map<int, std::vector<Eigen::VectorXd>> by_rank;
    Eigen::VectorXd q = state_;
    for (int i = 0; i < options_.restarts; ++i) {
      if (solver_.RegularState(a, assembled, 1.5, random, q))
        by_rank[TakeSample(solver_, a, q)->Rank()].push_back(q);
    }
    const auto branch = std::find_if(by_rank.begin(), by_rank.end(),
                                     [](const auto& states) { return states.second.size() > 1; });
    if (branch != by_rank.end()) {
      sampled.resize(1);
      for (const Eigen::VectorXd& state : branch->second) {
        samples.push_back(TakeSample(solver_, a, state));
        sampled.push_back(branch->first);
      }
      state_ = branch->second.back();
    }
    solver_.Residual(a, state_);  // its kinematics are looked at next
  }

  [[nodiscard]] std::vector<int> ReluctanceOf(const Aggregate& g) const {
    std::vector<int> reluctance;
    for (const int v : g.velocity) reluctance.push_back(reluctance_[U(v)]);
    return reluctance;
  }

  void CheckDeclaration(const Aggregate& g, const Samples& samples, Findings& found) const {
    AggregateCoordinates& out = found.coordinates;
    std::vector<int> dependent;
    for (int c = 0; c < g.nv; ++c) {
      if (m_.declared.independent[U(g.velocity[U(c)])]) {
        ++out.num_declared;
      } else {
        dependent.push_back(c);
      }
    }
    out.declared = true;
    for (const auto& sample : samples)
      out.rank_dependent = std::max(out.rank_dependent, sample->RankOf(dependent));
    // Right is a declaration that names as many coordinates as are free (the URDF+ paper counts by
    // the sum of ranks loop by loop, which is wrong where loops depend on each other: here K is
    // stacked), and whose other columns have full rank, so that they follow.
    out.declared_ok = out.num_declared == out.mobility &&
                      out.rank_dependent == static_cast<int>(dependent.size());
    if (out.declared_ok) {
      out.dependent = dependent, out.independent = Complement(g.nv, dependent);
      return;
    }
    if (out.num_declared > out.mobility) {  // these follow from the other declared ones: choose
                                            // enough dependents among them
      for (const int c : samples.front()->Dependent(ReluctanceOf(g), out.rank)) {
        if (m_.declared.independent[U(g.velocity[U(c)])]) found.at_fault.push_back(c);
      }
    } else if (!dependent.empty()) {  // these are free although declared dependent
      const std::vector<int> determined =
          samples.front()->Determined(dependent, out.rank_dependent);
      for (const int c : dependent)
        if (!std::binary_search(determined.begin(), determined.end(), c))
          found.at_fault.push_back(c);
    }
  }

  void ChooseColumns(const Aggregate& g, const Samples& samples, AggregateCoordinates& out) const {
    const std::vector<int> reluctance = ReluctanceOf(g);
    // Every posture proposes a choice, all are judged on all postures by the worst conditioning:
    // what is best at one may be singular at the next.
    std::set<std::vector<int>> candidates;
    if (!out.dependent.empty() || (out.declared && out.declared_ok)) {
      candidates.insert(out.dependent);
    } else {
      for (const auto& sample : samples) candidates.insert(sample->Dependent(reluctance, out.rank));
      std::size_t most = 0;
      for (const std::vector<int>& each : candidates) most = std::max(most, each.size());
      std::erase_if(candidates, [&](const std::vector<int>& each) { return each.size() < most; });
    }
    // The choice that keeps the first coordinates independent comes first; another must be better
    // by more than rounding.
    Worth best;
    for (auto it = candidates.rbegin(); it != candidates.rend(); ++it) {
      const Worth worth = WorthOf(*it, reluctance, samples);
      if (it != candidates.rbegin() && !worth.IsMoreThan(best)) continue;
      best = worth;
      out.dependent = *it, out.independent = Complement(g.nv, *it);
    }
    out.conditioning = best.conditioning;
  }

  static Worth WorthOf(const std::vector<int>& dependent, const std::vector<int>& reluctance,
                       const Samples& samples) {
    constexpr double kSound = 1e-4;
    Worth worth{0, false, std::vector<int>(U(kDeclared + 1), 0), 1};
    for (const int c : dependent) ++worth.by_level[U(reluctance[U(c)])];
    double best = 0;
    for (const auto& sample : samples) {
      const double conditioning = sample->Conditioning(dependent);
      worth.conditioning = std::min(worth.conditioning, conditioning);
      best = std::max(best, conditioning);
    }
    worth.declared =
        best > kSound ? worth.by_level[U(kDeclared)] : static_cast<int>(dependent.size()) + 1;
    worth.is_sound = worth.conditioning > kSound;
    return worth;
  }

  const Mechanism& m_;
  const CoordinateOptions& options_;
  ClosureSolver solver_;
  std::vector<int> reluctance_;  // by velocity
  Eigen::VectorXd zero_, state_;
};

void Append(const std::vector<std::string>& names, std::vector<std::string>& all) {
  all.insert(all.end(), names.begin(), names.end());
}

// What was found of its shape, in the names of an aggregate.
AggregateCoordinates Named(const Mechanism& m, const Aggregate& g, const Findings& found) {
  AggregateCoordinates out = found.coordinates;
  for (const int c : found.at_fault) out.at_fault.push_back(m.names[U(g.velocity[U(c)])]);
  std::sort(out.at_fault.begin(), out.at_fault.end());
  for (const int c : found.idle_joints) out.idle_joints.push_back(m.names[U(g.velocity[U(c)])]);
  for (const int i : found.idle) out.idle.push_back(m.bodies[U(g.bodies[U(i)])].name);
  if (found.redundant.empty()) return out;
  const std::vector<std::string> rows = RowNames(g);
  for (const int r : found.redundant) out.redundant.push_back(rows[U(r)]);
  return out;
}

}  // namespace

int GapRank(const Eigen::VectorXd& s) {
  const int n = static_cast<int>(s.size());
  if (n == 0 || !(s[0] > 0)) return 0;
  // A hinge tilted by the digits of rpy="1.5708" leaves 1e-6 of the largest value, one tilted by
  // 1e-3 rad on purpose 3e-4. The threshold stands between the two, and a gap before it must
  // confirm that what follows is noise.
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
  result.assembled = m.ZeroPosition();
  Analysis analysis(m, options);
  const std::vector<int>& first = result.first_alike = FirstAlike(m);
  std::unordered_map<int, Findings> of_shape;  // by the first aggregate of it
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[U(a)];
    const auto [found, is_new] = of_shape.try_emplace(first[U(a)]);
    Findings& findings = found->second;
    if (is_new) {
      findings = analysis.Run(a, result.assembled);
    } else {
      CopyPosture(m, m.aggregates[U(first[U(a)])], g, result.assembled);
    }
    // Numbers of the mechanism are sums over its aggregates: no constraint spans two of them.
    const AggregateCoordinates& out = result.aggregates.emplace_back(Named(m, g, findings));
    result.residual_at_zero = std::max(result.residual_at_zero, findings.at_zero);
    result.singular_at_zero = result.singular_at_zero || findings.singular_at_zero;
    result.assembles = result.assembles && out.closes;
    result.beyond_limits = std::max(result.beyond_limits, out.beyond_limits);
    result.spanning_dof += g.nv, result.constraint_rows += g.rows, result.rank += out.rank,
        result.mobility += out.mobility;
    result.independent_declared += out.num_declared;
    result.independent_ok = result.independent_ok && out.declared_ok;
    Append(out.at_fault, result.at_fault), Append(out.redundant, result.redundant);
    Append(out.idle_joints, result.idle_joints), Append(out.idle, result.idle);
  }
  result.declared = m.declared.any;
  if (m.declared.all) result.independent_declared = result.spanning_dof;
  result.open_at_zero = result.residual_at_zero > kNearlyClosed;
  result.singular_at_zero = result.singular_at_zero && !result.open_at_zero;
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
  // One elimination gives all: behind K_d stand K_d^-1 (-K_i) = G_d and K_d^-1 k = g_d. Rows
  // without a pivot are what the others imply; what is left of k in them is the contradiction.
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
