#include "kinemorph/graph/closures/posture.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/closures/branches.h"
#include "mechanics/constraint_sample.h"
#include "mechanics/within_limits.h"

namespace kinemorph {
namespace {

constexpr double kStep = 0.1;       // rad, characteristic lengths: of what is given
constexpr double kJump = 0.4;       // of what follows, in one step: another branch
constexpr double kShortest = 1e-5;  // share of the way
constexpr double kNoPivot = 1e-9;   // of the largest pivot of K: what it does not decide

std::string Shown(double value) { return FormatNumber(NearDecimal(value, 4)); }

// The way from the assembled posture to the given coordinates.
// A start is found in one of three ways. Usually the given coordinates are led to their values in
// steps, with the loops closed behind them, so that the posture stays on the branch on which the
// mechanism was assembled (StepByStep). If more are given than the loops leave free, those that
// come too late are guides: they only say where Newton starts, and it is checked afterwards how
// near it came (FromGuides). If the loops do not close from zero, the given ones are the start of
// the search (FromGiven).
class Way {
 public:
  Way(const Mechanism& m, const Coordinates& coordinates, const std::vector<GivenCoordinate>& given,
      const std::function<std::string()>& interrupted)
      : m_(m),
        c_(coordinates),
        given_(given),
        interrupted_(interrupted),
        solver_(m),
        linear_(IsLinearVelocity(m)) {}

  Posture Go(StartBranch branch) {
    Posture out = GoFrom(c_.assembled);
    if (branch == StartBranch::kKept || !c_.assembles || (out.ok && IsWithin(out.q))) return out;
    // A mechanism drawn flat, outside of its limits, does not say which branch is meant: these do.
    const Eigen::VectorXd q = StartWithinLimits();
    if (stopped_ || q == c_.assembled) return out;
    Posture other = GoFrom(q);
    return other.ok && (!out.ok || Beyond(other.q) < Beyond(out.q)) ? other : out;
  }

 private:
  Posture GoFrom(const Eigen::VectorXd& start) {
    Posture out;
    out.q = start;
    out.why = TooFar(out.q);
    if (!out.why.empty()) return out;
    ChooseHeld(out.q);
    if (!c_.assembles) {
      out.why = FromGiven(out.q);
    } else if (guides_.empty()) {
      out.why = StepByStep(out.q);
    } else {
      out.why = FromGuides(out.q);
    }
    out.ok = out.why.empty(), out.remainder = remainder_;
    return out;
  }

  // Loops of what is given that start outside of their limits: closed within them, where they can.
  Eigen::VectorXd StartWithinLimits() {
    Eigen::VectorXd q = c_.assembled;
    for (const GivenCoordinate& g : given_)
      if (!IsWithinLimits(m_, BodyOf(g).aggregate, q))
        GoWithinLimits(solver_, BodyOf(g).aggregate, q);
    return q;
  }

  // How far loops of what is given are beyond their limits (rad, m).
  [[nodiscard]] double Beyond(const Eigen::VectorXd& q) const {
    double beyond = 0;
    for (const GivenCoordinate& g : given_)
      beyond = std::max(beyond, BeyondLimits(m_, BodyOf(g).aggregate, q));
    return beyond;
  }

  [[nodiscard]] bool IsWithin(const Eigen::VectorXd& q) const {
    return std::ranges::all_of(given_, [&](const GivenCoordinate& g) {
      return IsWithinLimits(m_, BodyOf(g).aggregate, q);
    });
  }

  [[nodiscard]] const Body& BodyOf(const GivenCoordinate& g) const { return m_.bodies[U(g.body)]; }
  [[nodiscard]] bool Scalar(const GivenCoordinate& g) const { return BodyOf(g).nq == BodyOf(g).nv; }
  [[nodiscard]] double UnitOf(const GivenCoordinate& g) const {
    return Scalar(g) && linear_[U(BodyOf(g).v + g.index)] ? m_.length : 1;
  }

  [[nodiscard]] bool InLoop(const GivenCoordinate& g) const {
    return m_.aggregates[U(BodyOf(g).aggregate)].rows > 0;
  }

  // How long the way takes must not be for a number to decide. Empty: none is too far.
  [[nodiscard]] std::string TooFar(const Eigen::VectorXd& from) const {
    for (const GivenCoordinate& g : given_) {
      const double unit = UnitOf(g), way = std::abs(g.value - from[BodyOf(g).q + g.index]) / unit;
      const std::string is = g.name + " = " + Shown(g.value + g.offset) + " is too far away: ";
      if (!(std::abs(g.value) <= kFarthestValue * unit))
        return is + "beyond " + Shown(kFarthestValue) +
               " (rad, characteristic lengths) a number has too few digits left for the motion";
      if (InLoop(g) && way > kLongestWay)
        return is + "the loops follow it step by step, for up to " + Shown(kLongestWay) +
               " (rad, characteristic lengths)";
    }
    return {};
  }

  // One after the other, as long as the loops can still follow.
  // A coordinate may be held as long as the columns that are left still have the rank of all: the
  // rest can then follow. The order in which the user gave them decides.
  void ChooseHeld(const Eigen::VectorXd& q) {
    held_.assign(U(m_.nv), false), guides_.clear();
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const GivenCoordinate& g = given_[i];
      const Body& body = BodyOf(g);
      std::vector<bool> trial = held_;
      if (Scalar(g)) {
        trial[U(body.v + g.index)] = true;
      } else {  // all of a quaternion's joint
        for (int v = body.v; v < body.v + body.nv; ++v) trial[U(v)] = true;
      }
      if (StillFollow(body.aggregate, q, trial)) {
        held_ = trial;
      } else {
        guides_.push_back(i);
      }
    }
  }

  bool StillFollow(int aggregate, const Eigen::VectorXd& q, const std::vector<bool>& held) {
    const Aggregate& g = m_.aggregates[U(aggregate)];
    if (g.rows == 0) return true;
    std::vector<int> moving;
    for (int c = 0; c < g.nv; ++c)
      if (!held[U(g.velocity[U(c)])]) moving.push_back(c);
    const int rank = c_.aggregates[U(aggregate)].rank;
    if (static_cast<int>(moving.size()) < rank) return false;
    // Zero may be a singular posture, where K has less than its rank and would turn every
    // coordinate away; the judgement is made at a posture nearby.
    Random random(1);
    const Eigen::VectorXd near =
        c_.singular_at_zero ? solver_.RandomState(q, 0.3, c_.Ranks(), random) : q;
    return TakeSample(solver_, aggregate, near)->RankOf(moving) >= rank;
  }

  void Put(const GivenCoordinate& g, double value, Eigen::VectorXd& q) const {
    q[BodyOf(g).q + g.index] = value;
  }

  void Normalise(Eigen::VectorXd& q) const {
    for (const Body& body : m_.bodies) {
      if (body.nq == body.nv || body.nq < 4) continue;
      auto Q = q.segment<4>(body.q);
      if (Q.norm() > 0) Q.normalize();
    }
  }

  // Empty, or why not.
  // Loops of files with six digits close no better than those digits, and the coordinates know by
  // how much (`residual`). A remainder of that size is as good as closed; kGain times it leaves
  // room for another posture.
  std::string Close(ClosureSolver& solver, Eigen::VectorXd& q) {
    ClosingOptions options;
    options.held = held_;
    remainder_ = 0;
    for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
      if (m_.aggregates[U(a)].rows == 0) continue;
      const ClosureResult result = solver.Close(a, q, options);
      const double left = c_.aggregates[U(a)].residual;  // frames have so many digits
      remainder_ = std::max(remainder_, result.residual > kClosed ? result.residual : 0);
      if (!result.closed && !(result.residual <= kNearlyClosed && result.residual <= kGain * left))
        return (result.nearly && !result.closed ? "a gap stays"
                                                : std::string(Name(result.status))) +
               ", |phi| " + Shown(result.residual);
    }
    return {};
  }

  // Where no loop has to follow, one step is enough.
  std::string StepByStep(Eigen::VectorXd& q) {
    // The longest way counts: all coordinates go the same share of their way in a step, so that
    // they arrive together. Only those in a loop make steps necessary.
    const Eigen::VectorXd from = q;
    double longest = 0;
    for (const GivenCoordinate& g : given_)
      if (InLoop(g))
        longest = std::max(longest, std::abs(g.value - from[BodyOf(g).q + g.index]) / UnitOf(g));
    const double full = std::min(1.0, kStep / std::max(longest, 1e-300));
    double share = 0, step = full;
    // From a change point branches lead on, and nothing that is given tells them apart: the one of
    // constant ratios is kept to (a flat parallelogram stays one), where there is one.
    std::optional<Mechanism> kept;
    if (StandsAtChangePoint(q)) KeepToLinearBranches(c_, q, kept.emplace(m_));
    ClosureSolver solver(kept ? *kept : m_);
    std::string why = Close(solver, q);
    if (!why.empty()) return "the loops do not close: " + why;
    while (share < 1) {
      why = interrupted_ ? interrupted_() : "";
      stopped_ = !why.empty();
      if (stopped_) return why;
      const double next = share + step > 1 - 1e-12 ? 1 : share + step;
      // Values are set from the start and the share, not by increments, so that no rounding adds
      // up; the last one is the given value itself.
      Eigen::VectorXd trial = q;
      for (const GivenCoordinate& g : given_) {
        const double start = from[BodyOf(g).q + g.index];
        Put(g, next == 1 ? g.value : start + next * (g.value - start), trial);
      }
      if (next == 1) Normalise(trial);
      Follow(solver, q, trial);
      why = Close(solver, trial);
      // A step is good if the loops close and nothing that follows has jumped: Newton may well
      // close them on another branch. Halving the step tells a jump from a fast motion.
      if (why.empty() && Jump(q, trial) < kJump) {
        q = trial, share = next, step = std::min(full, 2 * step);
        continue;
      }
      step /= 2;
      if (step >= kShortest) continue;
      const GivenCoordinate& far = *std::ranges::max_element(given_, {}, [&](const auto& g) {
        return InLoop(g) ? std::abs(g.value - from[BodyOf(g).q + g.index]) / UnitOf(g) : -1;
      });
      return "the loops cannot follow beyond " + far.name + " = " +
             Shown(q[BodyOf(far).q + far.index] + far.offset) +
             (why.empty() ? ": there the branch ends" : ": " + why);
    }
    return {};
  }

  [[nodiscard]] bool StandsAtChangePoint(const Eigen::VectorXd& q) {
    return std::any_of(given_.begin(), given_.end(), [&](const GivenCoordinate& g) {
      const int a = BodyOf(g).aggregate;
      return InLoop(g) && TakeSample(solver_, a, q)->Rank() < c_.aggregates[U(a)].rank;
    });
  }

  // What follows goes ahead along the tangent, K dq = 0: without that, a step over a change point
  // would start Newton as near to the other branch as to this one.
  void Follow(ClosureSolver& solver, const Eigen::VectorXd& from, Eigen::VectorXd& trial) const {
    for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
      const Aggregate& g = solver.mechanism().aggregates[U(a)];
      if (g.rows == 0 || solver.IsLarge(a)) continue;
      Eigen::VectorXd given = Eigen::VectorXd::Zero(g.nv);
      Eigen::MatrixXd K = solver.ScaledK(a, from);
      for (std::size_t i = 0; i < g.bodies.size(); ++i) {
        const Body& body = m_.bodies[U(g.bodies[i])];
        for (int k = 0; k < body.nv && body.nq == body.nv; ++k)
          given[g.column[i] + k] =
              (trial[body.q + k] - from[body.q + k]) / (linear_[U(body.v + k)] ? m_.length : 1);
      }
      if (given.isZero(0)) continue;
      const Eigen::VectorXd open = K * given;
      for (int c = 0; c < g.nv; ++c)
        if (held_[U(g.velocity[U(c)])]) K.col(c).setZero();
      const Eigen::VectorXd way = ShortestLeastSquares(K, -open, kNoPivot);
      if (!(way.lpNorm<Eigen::Infinity>() < kJump)) continue;
      Eigen::VectorXd step = Eigen::VectorXd::Zero(m_.nv);
      for (int c = 0; c < g.nv; ++c) {
        const int v = g.velocity[U(c)];
        step[v] = way[c] * (linear_[U(v)] ? m_.length : 1);
      }
      trial = m_.Integrate(trial, step, 1);
    }
  }

  // Largest change of what is not given.
  [[nodiscard]] double Jump(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
    double jump = 0;
    for (const Body& body : m_.bodies) {
      if (body.nq != body.nv) continue;
      for (int i = 0; i < body.nv; ++i) {
        const double unit = linear_[U(body.v + i)] ? m_.length : 1;
        if (!held_[U(body.v + i)])
          jump = std::max(jump, std::abs(b[body.q + i] - a[body.q + i]) / unit);
      }
    }
    return jump;
  }

  // Where the loops did not close from zero: from the given coordinates, which may give way.
  std::string FromGiven(Eigen::VectorXd& q) {
    // First with the given coordinates held. If they contradict each other, all may move, and what
    // is nearest is taken.
    q = m_.ZeroPosition();
    for (const GivenCoordinate& g : given_) Put(g, g.value, q);
    Normalise(q);
    std::string why = Close(solver_, q);
    held_.assign(U(m_.nv), false);
    return why.empty() ? why : Close(solver_, q);
  }

  std::string FromGuides(Eigen::VectorXd& q) {
    for (const GivenCoordinate& g : given_) Put(g, g.value, q);
    Normalise(q);
    // What is not given goes first to where it fits to all that is, so that the guides choose the
    // branch; then these may move too.
    ClosingOptions all;
    all.held = held_;
    for (const std::size_t i : guides_)
      for (int k = 0; k < BodyOf(given_[i]).nv; ++k) all.held[U(BodyOf(given_[i]).v + k)] = true;
    for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a)
      if (m_.aggregates[U(a)].rows > 0) static_cast<void>(solver_.Close(a, q, all));
    const std::string why = Close(solver_, q);
    const GivenCoordinate& first = given_[guides_.front()];
    if (!why.empty())
      return "more coordinates are given than the loops leave free, and they do not close: " + why;
    for (const std::size_t i : guides_) {
      const GivenCoordinate& g = given_[i];
      const double off = q[BodyOf(g).q + g.index] - g.value;
      if (std::abs(off) > kNearby * UnitOf(g))
        return (guides_.front() > 0
                    ? "the coordinates given before it make " + first.name + " depend"
                    : first.name +
                          " cannot be given where it stands (a dead centre, or loops "
                          "that do not move)") +
               ": " + g.name + " is " + Shown(q[BodyOf(g).q + g.index] + g.offset) +
               " there, not " + Shown(g.value + g.offset);
    }
    return {};
  }

  const Mechanism& m_;
  const Coordinates& c_;
  const std::vector<GivenCoordinate>& given_;
  const std::function<std::string()>& interrupted_;
  ClosureSolver solver_;
  std::vector<bool> linear_, held_;
  double remainder_ = 0;
  bool stopped_ = false;             // interrupted
  std::vector<std::size_t> guides_;  // of given_: those that only choose the branch
};

}  // namespace

Posture FindPosture(const Mechanism& mechanism, const Coordinates& coordinates,
                    const std::vector<GivenCoordinate>& given,
                    const std::function<std::string()>& interrupted, StartBranch branch) {
  return Way(mechanism, coordinates, given, interrupted).Go(branch);
}

}  // namespace kinemorph
