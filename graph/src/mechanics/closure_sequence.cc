#include "mechanics/closure_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/body_kinematics.h"
#include "mechanics/loop_rows.h"

namespace kinemorph {
namespace {

constexpr double kPolished = 1e-12;  // scaled phi, and the last Newton step
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRoundOff = 1e-15;
constexpr int kMaxNewton = 40, kMaxPolish = 5;
constexpr double kLongestStep = 0.5;    // of Newton; rad, characteristic lengths
constexpr double kLongestMotion = 0.2;  // of y between two numerical solutions; the same
constexpr double kFarthest = 1e3;       // of y from the reference, for a numerical solution

}  // namespace

// ---- the rows of a step ----

template <class Right>
double ClosureSequence::Fill(const ClosureStep& step, const Eigen::VectorXd& q,
                             const Eigen::VectorXd* v, const Right& right) {
  const int n = static_cast<int>(step.unknown.size());
  known_row_.setZero(g_.nv);
  int row = 0;
  double largest = 0;
  const auto finish = [&](double phi, double k) {
    for (int i = 0; i < n; ++i) {
      double& entry = known_row_[step.unknown[At(i)]];
      tableau_(row, i) = entry, entry = 0;
    }
    phi_ = phi, largest = std::isnan(phi) ? kInfinity : std::max(largest, std::abs(phi));
    right(row++, known_row_, k);
  };
  for (std::size_t l = 0; l < step.loops.size(); ++l) {
    const LoopConstraint& loop = g_.loops[At(step.loops[l])];
    const LoopRows own = RowsOf(loop, kinematics_, v != nullptr, Residual::kRotation);
    for (int r = 0; r < own.n; ++r) {
      const double unit = r < own.angular ? 1 : m_.length;
      for (const CycleTurn& turn : step.cycles[l])
        known_row_[turn.column] =
            turn.sign * own.W.col(r).dot(kinematics_.S.col(turn.column)) / unit;
      finish(own.phi[At(r)] / unit, own.k[At(r)] / unit);
      for (const CycleTurn& turn : step.cycles[l]) known_row_[turn.column] = 0;
    }
  }
  for (const int c : step.couplings) {
    const CouplingConstraint& coupling = g_.couplings[At(c)];
    double value = -coupling.constant, bias = 0;
    for (const auto& term : coupling.terms) {
      const Body& body = m_.bodies[At(g_.bodies[At(term.body)])];
      const Quartic at(term.c, q[body.q + term.axis]);
      value += at.value, known_row_[term.column] += at.slope;
      if (v != nullptr) bias += at.curvature * std::pow((*v)[body.v + term.axis], 2);
    }
    finish(value, -bias);
    for (const auto& term : coupling.terms) known_row_[term.column] = 0;
  }
  return largest;
}

double ClosureSequence::Gap(const ClosureStep& step, const Eigen::VectorXd& q) {
  return Fill(step, q, nullptr, [](int, const Eigen::VectorXd&, double) {});
}

bool ClosureSequence::Eliminate(int rows, int n, int right, double least) {
  double scale = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) scale = std::max(scale, std::abs(tableau_(i, j)));
  const int width = n + right;
  least_pivot_ = 1;
  for (int j = 0; j < n; ++j) {
    int best = j;
    for (int i = j; i < rows; ++i)
      if (std::abs(tableau_(i, j)) > std::abs(tableau_(best, j))) best = i;
    if (j >= rows || !(std::abs(tableau_(best, j)) > least * scale)) return false;
    least_pivot_ = std::min(least_pivot_, std::abs(tableau_(best, j)));
    for (int k = j; best != j && k < width; ++k) std::swap(tableau_(j, k), tableau_(best, k));
    for (int i = j + 1; i < rows; ++i) {
      const double factor = tableau_(i, j) / tableau_(j, j);
      if (factor == 0) continue;
      for (int k = j; k < width; ++k) tableau_(i, k) -= factor * tableau_(j, k);
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int k = n; k < width; ++k) tableau_(j, k) /= tableau_(j, j);
    for (int i = 0; i < j; ++i)
      for (int k = n; k < width; ++k) tableau_(i, k) -= tableau_(i, j) * tableau_(j, k);
  }
  return true;
}

// ---- the order of the steps ----

ClosureSequence::ClosureSequence(ClosureWorkspace& shared, const Aggregate& g,
                                 const AggregateCoordinates& coordinates,
                                 const ExplicitClosureOptions& options)
    : s_(shared),
      m_(shared.m),
      g_(g),
      independent_(coordinates.independent),
      dependent_(coordinates.dependent),
      reference_(shared.postures.front()) {
  kinematics_.Resize(g_);
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    const Body& body = m_.bodies[At(g_.bodies[i])];
    for (int c = 0; c < body.nv; ++c) {
      position_of_.push_back(static_cast<int>(i));
      q_of_.push_back(body.nq == body.nv ? body.q + c : -1);
    }
  }
  known_.assign(At(g_.nv), true);
  for (const int c : dependent_) known_[At(c)] = false;
  before_.resize(static_cast<Eigen::Index>(dependent_.size()));
  warm_ = options.warm;
  scalar_ =
      std::all_of(dependent_.begin(), dependent_.end(), [&](int c) { return q_of_[At(c)] >= 0; });
  Order(options.closed_forms && scalar_);
  int most_rows = 0, most_unknown = 0;
  for (const ClosureStep& step : steps_) {
    most_rows = std::max(most_rows, step.rows);
    most_unknown = std::max(most_unknown, static_cast<int>(step.unknown.size()));
  }
  const int right = static_cast<int>(independent_.size()) + 1;
  tableau_.resize(most_rows, most_unknown + right);
  if (options.closed_forms && scalar_) {
    for (ClosureStep& step : steps_) Recognise(step);
  }
  Schedule();
  numerical_ = std::any_of(steps_.begin(), steps_.end(), [](const ClosureStep& step) {
    return step.form == StepForm::kNumerical;
  });
}

void ClosureSequence::Order(bool one_by_one) {
  std::vector<bool> known = known_;
  std::vector<int> loops, couplings;
  for (std::size_t l = 0; l < g_.loops.size(); ++l) loops.push_back(static_cast<int>(l));
  for (std::size_t c = 0; c < g_.couplings.size(); ++c) couplings.push_back(static_cast<int>(c));
  const auto take = [&](ClosureStep step) {
    Complete(step, known);
    for (const int c : step.unknown) known[At(c)] = true;
    if (!step.unknown.empty()) steps_.push_back(std::move(step));
  };
  for (bool progress = one_by_one; progress;) {
    progress = false;
    for (auto it = couplings.begin(); it != couplings.end(); ++it) {
      ClosureStep step;
      step.couplings = {*it};
      if (!Determined(step, known)) continue;
      take(step), couplings.erase(it), progress = true;
      break;
    }
    for (auto it = loops.begin(); !progress && it != loops.end(); ++it) {
      ClosureStep step;
      step.loops = {*it};
      if (!Determined(step, known)) continue;
      take(step), loops.erase(it), progress = true;
      break;
    }
  }
  ClosureStep rest;
  rest.loops = loops, rest.couplings = couplings;
  take(rest);
}

void ClosureSequence::Outline(ClosureStep& step, const std::vector<bool>& known) const {
  step.unknown.clear(), step.cycles.clear(), step.rows = 0;
  std::vector<bool> there(At(g_.nv), false);
  const auto meet = [&](int c) {
    if (!known[At(c)] && !there[At(c)]) there[At(c)] = true, step.unknown.push_back(c);
  };
  for (const int l : step.loops) {
    const LoopConstraint& loop = g_.loops[At(l)];
    std::vector<CycleTurn>& cycle = step.cycles.emplace_back();
    for (const auto& [path, sign] :
         {std::pair(&loop.predecessor_path, -1.0), std::pair(&loop.successor_path, 1.0)}) {
      for (const int i : *path) {
        const int nv = m_.bodies[At(g_.bodies[At(i)])].nv;
        for (int c = g_.column[At(i)]; c < g_.column[At(i)] + nv; ++c)
          cycle.push_back({c, sign}), meet(c);
      }
    }
    step.rows += loop.rows;
  }
  for (const int c : step.couplings) {
    for (const auto& term : g_.couplings[At(c)].terms) meet(term.column);
    ++step.rows;
  }
}

bool ClosureSequence::Determined(ClosureStep& step, const std::vector<bool>& known) {
  Outline(step, known);
  const int n = static_cast<int>(step.unknown.size());
  if (n == 0) return true;  // follows from the steps before
  if (n > step.rows || n > 6) return false;
  UpdateAll(reference_, nullptr);
  tableau_.resize(step.rows, n + 1);
  known_row_.setZero(g_.nv);
  Fill(step, reference_, nullptr,
       [&](int row, const Eigen::VectorXd&, double) { tableau_(row, n) = 0; });
  return Eliminate(step.rows, n, 1, 1e-4);
}

void ClosureSequence::Complete(ClosureStep& step, const std::vector<bool>& known) {
  Outline(step, known);
  std::vector<bool> here(g_.bodies.size(), false), unknown(g_.bodies.size(), false);
  for (const int c : step.unknown) unknown[At(position_of_[At(c)])] = true;
  const auto mark = [&](int i) {
    for (; i >= 0 && !here[At(i)]; i = g_.parent_in[At(i)]) here[At(i)] = true;
  };
  for (const int l : step.loops) mark(g_.loops[At(l)].predecessor), mark(g_.loops[At(l)].successor);
  std::vector<bool> moves(g_.bodies.size(), false);
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (!here[i]) continue;
    moves[i] = unknown[i] || (g_.parent_in[i] >= 0 && moves[At(g_.parent_in[i])]);
    step.path.push_back(static_cast<int>(i));
    if (moves[i]) step.moved.push_back(static_cast<int>(i));
  }
}

void ClosureSequence::Schedule() {
  std::vector<bool> placed(g_.bodies.size(), false), spoken = placed;
  for (ClosureStep& step : steps_) {
    for (const int i : step.path) spoken[At(i)] = true;
    if (step.form == StepForm::kCoupling || step.form == StepForm::kParallelogram) continue;
    const bool all = step.form == StepForm::kNumerical || step.noisy || !step.constant;
    std::vector<bool> needed(g_.bodies.size(), false);
    for (const int i : step.path) needed[At(i)] = all;
    for (const int end : {step.base, step.other}) {
      // Frames of one body see each other as they always do.
      for (int i = all || step.base == step.other ? -1 : end; i >= 0; i = g_.parent_in[At(i)])
        needed[At(i)] = true;
    }
    for (const int i : step.moved) needed[At(i)] = false;
    for (const int i : step.path) {
      if (!needed[At(i)] || placed[At(i)]) continue;
      step.fresh.push_back(i);
      placed[At(i)] = true;
    }
    for (const int i : step.moved) placed[At(i)] = placed[At(i)] || all;
  }
  for (std::size_t i = 0; i < spoken.size(); ++i)
    if (spoken[i]) all_.push_back(static_cast<int>(i));
}

// ---- position ----

void ClosureSequence::PlaceOne(int i, const Eigen::VectorXd& q, const double* v) {
  UpdateJoint(m_, g_.bodies[At(i)], q.data(), v, s_.joints);
  ComputeBodyKinematics(m_, g_, s_.joints, v, i, kinematics_);
}

GammaStatus ClosureSequence::Position(Eigen::VectorXd& q) {
  if (!scalar_) return GammaStatus::kNotExplicit;
  for (std::size_t i = 0; i < dependent_.size(); ++i)
    before_[static_cast<Eigen::Index>(i)] = q[q_of_[At(dependent_[i])]];
  const GammaStatus status = numerical_ && !warm_ ? Follow(q) : Solve(q);
  if (status != GammaStatus::kOk) {
    for (std::size_t i = 0; i < dependent_.size(); ++i)
      q[q_of_[At(dependent_[i])]] = before_[static_cast<Eigen::Index>(i)];
  }
  return status;
}

GammaStatus ClosureSequence::Solve(Eigen::VectorXd& q) {
  for (const ClosureStep& step : steps_) {
    const GammaStatus status = SolveStep(step, q);
    if (status != GammaStatus::kOk) return status;
  }
  return GammaStatus::kOk;
}

GammaStatus ClosureSequence::Follow(Eigen::VectorXd& q) {
  double far = 0;
  for (const int c : independent_) {
    if (q_of_[At(c)] < 0) continue;
    const double from_reference = std::abs(Q(q, c) - Reference(c)) / Unit(c);
    if (!(from_reference < kFarthest)) return GammaStatus::kNoConvergence;
    far = std::max(far, from_reference);
  }
  const int count = std::max(1, static_cast<int>(std::ceil(far / kLongestMotion)));
  y_.resize(static_cast<Eigen::Index>(independent_.size()));
  for (std::size_t i = 0; i < independent_.size(); ++i) {
    if (q_of_[At(independent_[i])] >= 0) y_[static_cast<Eigen::Index>(i)] = Q(q, independent_[i]);
  }
  for (const int c : dependent_) Q(q, c) = Reference(c);
  GammaStatus status = GammaStatus::kOk;
  for (int part = 1; part <= count && status == GammaStatus::kOk; ++part) {
    const double share = static_cast<double>(part) / count;
    for (std::size_t i = 0; i < independent_.size(); ++i) {
      const int c = independent_[i];
      if (q_of_[At(c)] < 0) continue;
      const double from = Reference(c), to = y_[static_cast<Eigen::Index>(i)];
      Q(q, c) = part == count ? to : from + share * (to - from);
    }
    status = Solve(q);
  }
  for (std::size_t i = 0; i < independent_.size(); ++i) {
    if (q_of_[At(independent_[i])] >= 0) Q(q, independent_[i]) = y_[static_cast<Eigen::Index>(i)];
  }
  return status;
}

GammaStatus ClosureSequence::SolveStep(const ClosureStep& step, Eigen::VectorXd& q) {
  if (step.form == StepForm::kParallelogram) {
    const double y = Q(q, step.leader);
    for (std::size_t i = 0; i < step.unknown.size(); ++i)
      Q(q, step.unknown[i]) = step.shifts[i] + step.coefficients[i] * y;
    return std::isfinite(y) ? GammaStatus::kOk : GammaStatus::kNoConvergence;
  }
  if (step.form == StepForm::kNumerical) {
    Place(step.fresh, q, nullptr), Place(step.moved, q, nullptr);
    return Newton(step, kMaxNewton, q);
  }
  if (step.form == StepForm::kCoupling) {
    const CouplingConstraint& coupling = g_.couplings[At(step.couplings.front())];
    double rest = coupling.constant, slope = 1;
    for (const auto& term : coupling.terms) {
      const Body& body = m_.bodies[At(g_.bodies[At(term.body)])];
      if (term.column == step.unknown.front()) {
        slope = term.c[0];
      } else {
        rest -= Quartic(term.c, q[body.q + term.axis]).value;
      }
    }
    Q(q, step.unknown.front()) = rest / slope;
    return std::isfinite(rest) ? GammaStatus::kOk : GammaStatus::kNoConvergence;
  }
  Place(step.fresh, q, nullptr);
  const ClosureGeometry* geometry = &step.geometry;
  if (!step.constant) {
    for (const int c : step.unknown) Q(q, c) = 0;
    Place(step.moved, q, nullptr);
    Measure(step, scratch_);
    geometry = &scratch_;
  }
  if (!ClosedForm(step, *geometry, q)) return GammaStatus::kUnreachable;
  if (step.constant && !step.noisy) return GammaStatus::kOk;
  Place(step.moved, q, nullptr);
  return step.noisy ? Newton(step, kMaxPolish, q) : GammaStatus::kOk;
}

GammaStatus ClosureSequence::Newton(const ClosureStep& step, int iterations, Eigen::VectorXd& q) {
  const int n = static_cast<int>(step.unknown.size());
  double needed = kRoundOff;  // what of phi leaves kPolished of q
  for (int i = 0; i < iterations; ++i) {
    const double largest = Fill(step, q, nullptr, [&](int row, const Eigen::VectorXd&, double) {
      tableau_(row, n) = -phi_;
    });
    if (!std::isfinite(largest)) return GammaStatus::kNoConvergence;
    if (largest <= needed) return GammaStatus::kOk;
    if (!Eliminate(step.rows, n, 1)) return GammaStatus::kSingular;
    needed = std::max(kRoundOff, kPolished * std::min(1.0, least_pivot_));
    double move = 0;
    for (int j = 0; j < n; ++j)
      move = std::max(move, std::abs(tableau_(j, n)) / Unit(step.unknown[At(j)]));
    if (!std::isfinite(move)) return GammaStatus::kNoConvergence;
    const double share = move > kLongestStep ? kLongestStep / move : 1;
    for (int j = 0; j < n; ++j) Q(q, step.unknown[At(j)]) += share * tableau_(j, n);
    Place(step.moved, q, nullptr);
    // On the pivot rows there is nothing left; the others must agree as far as frames do.
    if (move <= kPolished)
      return largest <= kNearlyClosed ? GammaStatus::kOk : GammaStatus::kNoConvergence;
  }
  return Gap(step, q) <= 1e-9 ? GammaStatus::kOk : GammaStatus::kNoConvergence;
}

// ---- derivatives ----

GammaStatus ClosureSequence::Derivatives(const Eigen::VectorXd& q, const Eigen::VectorXd* v,
                                         Eigen::MatrixXd& G, Eigen::VectorXd* g) {
  G.setZero(g_.nv, static_cast<Eigen::Index>(independent_.size()));
  for (std::size_t i = 0; i < independent_.size(); ++i)
    G(independent_[i], static_cast<Eigen::Index>(i)) = 1;
  if (g != nullptr) g->setZero(g_.nv);
  Place(all_, q, v == nullptr ? nullptr : v->data());
  for (const ClosureStep& step : steps_) {
    if (step.form == StepForm::kParallelogram) {
      for (std::size_t i = 0; i < step.unknown.size(); ++i)
        G.row(step.unknown[i]) = step.coefficients[i] * G.row(step.leader);
      if (g == nullptr) continue;
      for (std::size_t i = 0; i < step.unknown.size(); ++i)
        (*g)[step.unknown[i]] = step.coefficients[i] * (*g)[step.leader];
      continue;
    }
    const int n = static_cast<int>(step.unknown.size()), width = static_cast<int>(G.cols());
    Fill(step, q, v, [&](int row, const Eigen::VectorXd&, double k) {
      for (int j = 0; j < width; ++j) tableau_(row, n + j) = -known_row_.dot(G.col(j));
      tableau_(row, n + width) = g == nullptr ? 0 : k - known_row_.dot(*g);
    });
    if (!Eliminate(step.rows, n, width + 1)) return GammaStatus::kSingular;
    for (int i = 0; i < n; ++i) {
      G.row(step.unknown[At(i)]) = tableau_.row(i).segment(n, width);
      if (g != nullptr) (*g)[step.unknown[At(i)]] = tableau_(i, n + width);
    }
  }
  return GammaStatus::kOk;
}

}  // namespace kinemorph
