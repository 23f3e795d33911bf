#include "closures/closure_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/body_kinematics.h"
#include "mechanics/elimination.h"
#include "mechanics/loop_rows.h"

namespace kinemorph {
// The closure of one aggregate at work. Position solves the steps in turn, each by its formula or
// by Newton on its own rows; Rates then walks the same steps at the level of velocity (G) and
// acceleration (g). Lengths are divided by the characteristic length of the mechanism, so that one
// tolerance serves metres and radians.
namespace {

constexpr double kPolished = 1e-12;  // scaled phi, and the last Newton step
constexpr double kRoundOff = 1e-15;
constexpr double kDead = 1e-5;  // of K in rows that say nothing (planar loops in space)
constexpr int kMaxNewton = 40, kMaxPolish = 5;
constexpr double kLongestStep = 0.5;    // of Newton; rad, characteristic lengths
constexpr double kLongestMotion = 0.2;  // of y between two numerical solutions; the same
constexpr double kFarthest = 1e3;       // of y from the reference, for a numerical solution

}  // namespace

// ---- the rows of a step ----

template <class Right>
double ClosureSequence::Fill(ClosureStep& step, const Eigen::VectorXd& q, const Right& right) {
  const int n = static_cast<int>(step.unknown.size());
  int row = 0, all = 0;
  double largest = 0;
  // One row is complete in known_row_ (all columns); its unknown part goes to the tableau. What is
  // not a number counts as infinitely open, or it would pass every comparison.
  const auto finish = [&](double phi) {
    for (int i = 0; i < n; ++i) step.tableau(row, i) = known_row_[step.unknown[At(i)]];
    phi_ = phi, largest = std::isnan(phi) ? std::numeric_limits<double>::infinity()
                                          : std::max(largest, std::abs(phi));
    right(row++);
  };
  for (std::size_t l = 0; l < step.joints.size(); ++l) {
    const LoopRows own = RowsOf(step.joints[l], kinematics_, false, Residual::kRotation);
    for (int r = 0; r < own.n; ++r) {
      if (!step.live[At(all++)]) continue;
      const double scale = r < own.angular ? 1 : 1 / m_.length;
      for (const CycleTurn& turn : step.cycles[l])
        known_row_[turn.column] =
            scale * turn.sign * own.W.col(r).dot(kinematics_.S.col(turn.column));
      finish(own.phi[At(r)] * scale);
    }
    for (const CycleTurn& turn : step.cycles[l]) known_row_[turn.column] = 0;
  }
  for (const int c : step.couplings) {
    if (!step.live[At(all++)]) continue;
    const CouplingConstraint& coupling = g_.couplings[At(c)];
    double value = -coupling.constant;
    for (const auto& term : coupling.terms) {
      const Body& body = m_.bodies[At(g_.bodies[At(term.body)])];
      const Quartic at(term.c, q[body.q + term.axis]);
      value += at.value, known_row_[term.column] += at.slope;
    }
    finish(value);
    for (const auto& term : coupling.terms) known_row_[term.column] = 0;
  }
  return largest;
}

template <class Take>
void ClosureSequence::Biases(const ClosureStep& step, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, const Take& take) const {
  int row = 0, all = 0;
  for (const LoopConstraint& loop : step.joints) {
    const LoopRows own = RowsOf(loop, kinematics_, true, Residual::kExact);
    for (int r = 0; r < own.n; ++r) {
      if (step.live[At(all++)]) take(row++, own.k[At(r)] / (r < own.angular ? 1 : m_.length));
    }
  }
  for (const int c : step.couplings) {
    // d2/dt2 of c(x) at constant rates: c'' times the square of the rate; k has the other sign.
    double bias = 0;
    for (const auto& term : g_.couplings[At(c)].terms) {
      const Body& body = m_.bodies[At(g_.bodies[At(term.body)])];
      const Quartic at(term.c, q[body.q + term.axis]);
      bias += at.curvature * std::pow(v[body.v + term.axis], 2);
    }
    if (step.live[At(all++)]) take(row++, -bias);
  }
}

double ClosureSequence::Gap(ClosureStep& step, const Eigen::VectorXd& q) {
  return Fill(step, q, [](int) {});
}

bool ClosureSequence::Eliminate(ClosureStep& step, int right, double least) {
  const int n = static_cast<int>(step.unknown.size());
  for (int i = 0; i < step.rows; ++i) step.pivots[At(i)] = i;
  least_pivot_ = EliminateColumns(step.tableau.data(), static_cast<int>(step.tableau.cols()),
                                  step.rows, n, n + right, step.pivots.data(), least);
  return least_pivot_ > 0;
}

void ClosureSequence::FindLiveRows(ClosureStep& step) {
  step.live.assign(At(step.rows), true);
  std::vector<double> most(At(step.rows), 0);
  for (const Eigen::VectorXd& posture : s_.postures) {
    UpdateAll(posture);
    Fill(step, posture, [&](int row) {
      most[At(row)] = std::max(most[At(row)], known_row_.lpNorm<Eigen::Infinity>());
    });
  }
  std::vector<bool> live;
  int row = 0;
  for (std::size_t l = 0; l < step.joints.size(); ++l) {
    LoopConstraint& joint = step.joints[l];
    const auto lives = [&](int r) { return most[At(row + r)] > kDead; };
    int first = 0;
    // The rows of a ball are cheaper, and the last of a hinge's.
    if (std::holds_alternative<Revolute>(joint.kind) && !lives(0) && !lives(1))
      joint.kind = Ball{}, first = 2;
    for (int r = first; r < joint.rows; ++r) live.push_back(lives(r));
    row += joint.rows;
  }
  for (std::size_t c = 0; c < step.couplings.size(); ++c) live.push_back(true);
  step.live = live;
  step.rows = static_cast<int>(std::count(live.begin(), live.end(), true));
}

// Whether the unknown joints of a step follow from those that are known.
bool ClosureSequence::Determined(ClosureStep& step, const std::vector<bool>& known) {
  Outline(step, known);
  const int n = static_cast<int>(step.unknown.size());
  if (n == 0) return true;  // follows from the steps before
  if (n > step.rows || n > 6) return false;
  UpdateAll(reference_);
  // At the reference posture only, with a pivot well above the digits of frames. Six unknown joints
  // are what one loop can determine at most.
  step.tableau.resize(step.rows, n + 1);
  step.pivots.resize(At(step.rows));
  step.live.assign(At(step.rows), true);
  Fill(step, reference_, [&](int row) { step.tableau(row, n) = 0; });
  return Eliminate(step, 1, 1e-4);
}

// ---- position ----

void ClosureSequence::Place(const std::vector<int>& positions, const Eigen::VectorXd& q) {
  for (const int i : positions) {
    UpdateJoint(m_, g_.bodies[At(i)], q.data(), nullptr, s_.joints);
    ComputeBodyPose(g_, s_.joints, i, kinematics_);
  }
}

void ClosureSequence::FindColumns(const std::vector<int>& positions) {
  for (const int i : positions) ComputeBodyColumns(m_, g_, s_.joints, i, kinematics_);
}

void ClosureSequence::UpdateAll(const Eigen::VectorXd& q) {
  for (const int b : g_.bodies) UpdateJoint(m_, b, q.data(), nullptr, s_.joints);
  ComputeAggregateKinematics(m_, g_, s_.joints, nullptr, kinematics_);
}

void ClosureSequence::Move(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  for (const int i : all_) {
    const int b = g_.bodies[At(i)];
    if (!m_.bodies[At(b)].constant_subspace) UpdateJoint(m_, b, q.data(), v.data(), s_.joints);
    ComputeBodyMotion(m_, g_, s_.joints, v.data(), i, kinematics_);
  }
}

GammaStatus ClosureSequence::Position(Eigen::VectorXd& q) {
  if (!explicit_) return GammaStatus::kNotExplicit;
  for (std::size_t i = 0; i < dependent_q_.size(); ++i)
    before_[static_cast<Eigen::Index>(i)] = q[dependent_q_[i]];
  const GammaStatus status = numerical_ && !warm_ ? Follow(q) : Solve(q);
  if (status != GammaStatus::kOk) {
    for (std::size_t i = 0; i < dependent_q_.size(); ++i)
      q[dependent_q_[i]] = before_[static_cast<Eigen::Index>(i)];
  }
  return status;
}

GammaStatus ClosureSequence::Solve(Eigen::VectorXd& q) {
  for (ClosureStep& step : steps_) {
    const GammaStatus status = SolveStep(step, q);
    if (status != GammaStatus::kOk) return status;
  }
  return GammaStatus::kOk;
}

// A cold Newton from the reference could end on any branch, and one from the last q would make the
// result depend on what was asked before. So y is led along a straight line from the reference in
// steps short enough for Newton; equal y gives equal q.
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
  for (const int i : dependent_q_) q[i] = reference_[i];
  GammaStatus status = GammaStatus::kOk;
  // The last part takes y itself: a sum of shares would be off by round-off.
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

GammaStatus ClosureSequence::SolveStep(ClosureStep& step, Eigen::VectorXd& q) {
  if (step.form == StepForm::kParallelogram) {
    const double y = Q(q, step.leader);
    for (std::size_t i = 0; i < step.unknown.size(); ++i)
      Q(q, step.unknown[i]) = step.shifts[i] + step.coefficients[i] * y;
    return std::isfinite(y) ? GammaStatus::kOk : GammaStatus::kNoConvergence;
  }
  if (step.form == StepForm::kNumerical) {
    Place(step.fresh, q), Place(step.moved, q), FindColumns(step.path);
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
  Place(step.fresh, q);
  if (nearest_)
    for (std::size_t i = 0; i < step.order.size(); ++i) guess_[i] = Q(q, step.order[i]);
  const ClosureGeometry<double>* geometry = &step.geometry;
  // Known joints beyond the bases: the arm has another shape at every y and is measured anew, with
  // its unknown joints at zero as the formulas want them.
  if (!step.constant) {
    for (const int c : step.unknown) Q(q, c) = 0;
    Place(step.moved, q), FindColumns(step.moved);
    Measure(step, scratch_);
    geometry = &scratch_;
  }
  if (!ClosedForm(step, *geometry, nearest_ ? &guess_ : nullptr, q))
    return GammaStatus::kUnreachable;
  // Schedule counts what such a step moves as not placed: a later step that needs it places it.
  if (step.constant && !step.noisy) return GammaStatus::kOk;
  Place(step.moved, q);
  if (!step.noisy) return GammaStatus::kOk;
  FindColumns(step.path);
  return Newton(step, kMaxPolish, q);
}

template <class By>
void ClosureSequence::MoveUnknown(const ClosureStep& step, const By& by, Eigen::VectorXd& q) const {
  const int n = static_cast<int>(step.unknown.size());
  for (int j = 0; j < n; ++j) {
    const int c = step.unknown[At(j)];
    if (q_of_[At(c)] >= 0) {
      Q(q, c) += by(j);
      continue;
    }
    const Body& body = m_.bodies[At(g_.bodies[At(position_of_[At(c)])])];
    Vector6 v = Vector6::Zero();  // all columns of the joint follow each other
    for (int k = 0; k < body.nv; ++k) v[k] = by(j + k);
    IntegratePosition(body.kind, q.data() + body.q, v.data(), 1, q.data() + body.q);
    j += body.nv - 1;
  }
}

GammaStatus ClosureSequence::Newton(ClosureStep& step, int iterations, Eigen::VectorXd& q) {
  const int n = static_cast<int>(step.unknown.size());
  double needed = kRoundOff;  // what of phi leaves kPolished of q
  for (int i = 0; i < iterations; ++i) {
    const double largest = Fill(step, q, [&](int row) { step.tableau(row, n) = -phi_; });
    if (!std::isfinite(largest)) return GammaStatus::kNoConvergence;
    if (largest <= needed) return GammaStatus::kOk;
    if (!Eliminate(step, 1)) return GammaStatus::kSingular;
    // The least pivot says how far an error of phi moves q: only where pivots are small must phi be
    // smaller than what is wanted of q.
    needed = std::max(kRoundOff, kPolished * std::min(1.0, least_pivot_));
    double move = 0;
    const auto change = [&](int j) { return step.tableau(step.pivots[At(j)], n); };
    for (int j = 0; j < n; ++j)
      move = std::max(move, std::abs(change(j)) / Unit(step.unknown[At(j)]));
    if (!std::isfinite(move)) return GammaStatus::kNoConvergence;

    // A step beyond half a radian is outside of what the tangent knows, and could land on another
    // branch.
    const double share = move > kLongestStep ? kLongestStep / move : 1;
    MoveUnknown(
        step, [&](int j) { return share * change(j); }, q);
    Place(step.moved, q), FindColumns(step.moved);
    // On the pivot rows there is nothing left; the others must agree as far as frames do.
    if (move <= kPolished)
      return largest <= kNearlyClosed ? GammaStatus::kOk : GammaStatus::kNoConvergence;
  }
  // Near a singular posture Newton is linear and may not settle; closed to 1e-9 it counts all the
  // same.
  return Gap(step, q) <= 1e-9 ? GammaStatus::kOk : GammaStatus::kNoConvergence;
}

// ---- rates ----

bool ClosureSequence::RatesByRows(ClosureStep& step, const Eigen::VectorXd& q, Eigen::MatrixXd& G) {
  const int n = static_cast<int>(step.unknown.size()), width = static_cast<int>(G.cols());
  // K_U q'_U = -K_known q'_known, for one unit rate of each independent coordinate: the right side
  // is the part of K G that the steps before have settled. K_known stays for the bias.
  Fill(step, q, [&](int row) {
    double* right = &step.tableau(row, n);
    for (int j = 0; j < width; ++j) right[j] = 0;
    for (std::size_t i = 0; i < step.known.size(); ++i) {
      const double K = known_row_[step.known[i]];
      step.K_known(row, static_cast<Eigen::Index>(i)) = K;
      for (int j = 0; j < width; ++j) right[j] -= K * G(step.known[i], j);
    }
  });
  if (!Eliminate(step, width)) return false;
  for (int i = 0; i < n; ++i) {
    const double* solved = &step.tableau(step.pivots[At(i)], n);
    for (int j = 0; j < width; ++j) G(step.unknown[At(i)], j) = solved[j];
  }
  return true;
}

void ClosureSequence::BiasByRows(const ClosureStep& step, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v, Eigen::VectorXd& g) {
  const int n = static_cast<int>(step.unknown.size());
  // The same elimination serves g: K_U g_U = k - K_known g_known.
  Biases(step, q, v, [&](int row, double k) {
    for (std::size_t i = 0; i < step.known.size(); ++i)
      k -= step.K_known(row, static_cast<Eigen::Index>(i)) * g[step.known[i]];
    bias_[row] = k;
  });
  SolveEliminated(step.tableau.data(), static_cast<int>(step.tableau.cols()), n, step.pivots.data(),
                  bias_.data());
  for (int i = 0; i < n; ++i) g[step.unknown[At(i)]] = bias_[step.pivots[At(i)]];
}

// The velocities a, b, c of the point by the unknown joints invert by cross products. Where two of
// them move it in a plane, c is the axis of the row that says nothing.
bool ClosureSequence::RatesByPoint(ClosureStep& step, Eigen::MatrixXd& G) {
  constexpr double kLeast = 1e-10;
  const LoopConstraint& loop = step.joints.front();
  const Vector3 p = step.meeting = Pose(loop.successor) * loop.X_SM.p;
  const auto velocity = [&](const CycleTurn& turn) -> Vector3 {
    const auto S = kinematics_.S.col(turn.column);  // [w; v]: v + w x p, written out
    return turn.sign * Vector3(S[3] + S[1] * p[2] - S[2] * p[1], S[4] + S[2] * p[0] - S[0] * p[2],
                               S[5] + S[0] * p[1] - S[1] * p[0]);
  };
  const Vector3 a = velocity(step.unknown_turns[0]), b = velocity(step.unknown_turns[1]);
  const bool plane = step.unknown_turns.size() == 2;
  const Vector3 c = plane ? Vector3(Pose(loop.predecessor).R * loop.R_PB.col(step.across))
                          : velocity(step.unknown_turns[2]);

  // Rows of the inverse of [a b c] are cross products over the determinant. It is compared with the
  // lengths of the columns, so that the threshold is an angle and no size.
  const Vector3 n = a.cross(b);
  const double determinant = n.dot(c), lengths = a.squaredNorm() * b.squaredNorm();
  if (!(determinant * determinant > kLeast * kLeast * lengths * c.squaredNorm())) return false;
  const double inverse = 1 / determinant;
  step.by_point[0] = b.cross(c) * inverse;
  step.by_point[1] = c.cross(a) * inverse;
  step.by_point[2] = n * inverse;
  for (std::size_t i = 0; i < step.unknown.size(); ++i) G.row(step.unknown[i]).setZero();
  for (std::size_t k = 0; k < step.known.size(); ++k) {
    const Vector3 by_known = velocity(step.known_turns[k]);
    for (std::size_t i = 0; i < step.unknown.size(); ++i) {
      const double rate = -step.by_point[i].dot(by_known);
      step.by_known(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = rate;
      for (int j = 0; j < G.cols(); ++j) G(step.unknown[i], j) += rate * G(step.known[k], j);
    }
  }
  return true;
}

void ClosureSequence::BiasByPoint(const ClosureStep& step, Eigen::VectorXd& g) const {
  const LoopConstraint& loop = step.joints.front();
  const Vector3& p = step.meeting;
  // Of the body's point at p: a + alpha x p + w x (v + w x p) by the spatial acceleration A with
  // qdd = 0.
  const auto acceleration = [&](int position) -> Vector3 {
    if (position < 0) return Vector3::Zero();
    const Vector6 &V = kinematics_.V[At(position)], &A = kinematics_.A[At(position)];
    const Vector3 w = V.head<3>(), v = V.tail<3>() + w.cross(p);
    return A.tail<3>() + A.head<3>().cross(p) + w.cross(v);
  };
  const Vector3 bias = acceleration(loop.predecessor) - acceleration(loop.successor);
  for (std::size_t i = 0; i < step.unknown.size(); ++i) {
    double sum = step.by_point[i].dot(bias);
    for (std::size_t k = 0; k < step.known.size(); ++k) {
      sum += step.by_known(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) *
             g[step.known[k]];
    }
    g[step.unknown[i]] = sum;
  }
}

GammaStatus ClosureSequence::Rates(const Eigen::VectorXd& q, bool placed, Eigen::VectorXd* v,
                                   Eigen::MatrixXd& G, Eigen::VectorXd* g) {
  const int width = static_cast<int>(independent_.size());
  G.setZero(g_.nv, width);
  for (int i = 0; i < width; ++i) G(independent_[At(i)], i) = 1;

  // After Position most bodies stand where they should; only what no step needed there is placed
  // now.
  Place(placed ? late_ : all_, q), FindColumns(all_);
  for (ClosureStep& step : steps_) {
    if (step.form == StepForm::kParallelogram) {
      for (std::size_t i = 0; i < step.unknown.size(); ++i)
        G.row(step.unknown[i]) = step.coefficients[i] * G.row(step.leader);
    } else if (!(step.pointwise ? RatesByPoint(step, G) : RatesByRows(step, q, G))) {
      return GammaStatus::kSingular;
    }
  }
  if (v == nullptr || g == nullptr) return GammaStatus::kOk;

  // g needs the velocities of all bodies, hence the dependent rates first: v_dep = G yd.
  const auto rate = [&](int column) -> double& { return (*v)[g_.velocity[At(column)]]; };
  for (const int c : dependent_) {
    double sum = 0;
    for (int j = 0; j < width; ++j) sum += G(c, j) * rate(independent_[At(j)]);
    rate(c) = sum;
  }
  Move(q, *v);
  g->setZero(g_.nv);
  for (const ClosureStep& step : steps_) {
    if (step.form == StepForm::kParallelogram) {
      for (std::size_t i = 0; i < step.unknown.size(); ++i)
        (*g)[step.unknown[i]] = step.coefficients[i] * (*g)[step.leader];
    } else if (step.pointwise) {
      BiasByPoint(step, *g);
    } else {
      BiasByRows(step, q, *v, *g);
    }
  }
  return GammaStatus::kOk;
}

}  // namespace kinemorph
