#include "kinemorph/graph/motion/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/index.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/motion/integrator.h"
#include "motion/change_point.h"
#include "motion/contact_events.h"
#include "motion/coordinate_rates.h"
#include "motion/foot_loads.h"
#include "motion/pressing_impact.h"
#include "motion/step_watches.h"

namespace kinemorph {
namespace {

constexpr double kShortestStep = 1e-13;   // s
constexpr double kFirstStep = 1e-4;       // s
constexpr double kAhead = 1.5;            // steps to a change point: time to step over it
constexpr double kPartOfWay = 0.3;        // of the way to a change point, in one step
constexpr double kClosest = 1e-7;         // s: no use in coming closer to a change point than this
constexpr double kZeroWithin = 0.05;      // of the least singular value before a step: a zero in it
constexpr double kInPoint = 1e-5;         // least singular value: in the point, as far as steps go
constexpr double kBadDivision = 1e-3;     // of sigma_min(K_z) when the coordinates were divided
constexpr double kNearlyOnGround = 1e-4;  // m: such feet come to rest together
constexpr long kMostSteps = kMostSimulationSteps;
constexpr std::size_t kMostEvents = 1'000'000;
constexpr double kFirstPart = 0.01;  // of the budget: then the pace so far says something
constexpr double kFarTooMuch =
    20;  // times the budget, at the pace so far: a slow start is not told

// One motion from start to end. OneStep tries a step of the Stepper; what has to be looked at
// before and after it has a watch of its own: contacts (watch_), change points of the loops
// (change_), stiffness, joint limits, loads of the feet. Accept takes a plain step, LeapOver goes
// over a change point with a path of its own, Cross ends a phase at a touch-down or lift-off. The
// first two lead to Keep, which divides the coordinates anew where the old division has become bad;
// all come to Note, which brings the summary up to date. Functions that return bool say whether the
// run goes on; those that end it have called Stop.
class Run {
 public:
  Run(MotionSystem& system, const SimulationOptions& options, const MotionObserver& observer)
      : s_(system),
        m_(system.mechanism()),
        o_(options),
        observer_(observer),
        stepper_(motion::RuleOf(options),
                 [this](double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
                   return s_.Rate(t, x, rate);
                 }),
        watch_(system),
        absolute_(motion::Tolerances(m_, options.rtol)),
        change_(system, absolute_, options.rtol),
        loads_(system, options.friction),
        limits_(m_),
        feet_(system.options().feet) {}

  SimulationResult Go(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    x_ = s_.StateOf(q, v);
    if (Start()) {
      while (t_ < o_.time && OneStep()) {}
      LookForChangePoint();
      if (out_.end == SimulationEnd::kChangePoint && out_.last.t > shown_) Show();
    }
    out_.time = t_, out_.evaluations = Evaluations();
    out_.energy_end = out_.last.energy, out_.work = x_[x_.size() - 1];
    // The drift has the largest energy as its measure, since the zero of the potential is arbitrary
    // and the energy at the start may be nothing.
    const double scale = std::max(largest_energy_, 1e-300);
    out_.energy_drift = largest_gap_ / scale;
    return std::move(out_);
  }

 private:
  bool Stop(SimulationEnd end, std::string why) {
    out_.end = end, out_.why = std::move(why);
    return false;
  }

  bool Start() {
    // The first division takes all feet as in the air: heights and rates of feet are only known
    // once the loops are closed and v follows from its independent part.
    std::vector<bool> standing(feet_.size(), false);
    if (!s_.Divide(s_.Position(x_), standing)) return Stop(SimulationEnd::kNoDivision, s_.Why());
    if (!s_.Settle(x_)) return Stop(SimulationEnd::kNoDivision, s_.Why());

    // A foot stands from the start if it is on the ground and does not rise. If it comes down, the
    // start is an impact. Feet within rounding of the ground count as on it: nobody gives a posture
    // to 16 digits.
    bool falls = false, any = false;
    for (std::size_t f = 0; f < feet_.size(); ++f) {
      const double height = s_.FootHeight(x_, f);
      if (height < -motion::kOnGround)
        return Stop(SimulationEnd::kBelowGround, "the foot of '" + feet_[f].link + "' starts " +
                                                     Shown(-height) + " m below the ground");
      if (height > motion::kOnGround) continue;
      const double rate = s_.FootRate(x_, f);
      if (rate > motion::kOnGround) continue;
      standing[f] = any = true;
      falls = falls || rate < -motion::kOnGround;
    }

    // Feet that are at rest on the ground may still be pulled off it by the forces at the start;
    // those lift off before the first step.
    watch_.Arm(x_);
    if (any && falls) {
      if (!TouchDown(standing)) return false;
    } else if (any) {
      if (!s_.Divide(s_.Position(x_), standing) || !s_.Settle(x_))
        return Stop(SimulationEnd::kNoDivision, s_.Why());
      if (!LiftOffs()) return false;
    }

    // Energy is counted from before an impact at the start, whose loss stands beside that of all
    // others in the balance.
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    out_.energy_start = out_.last.energy + out_.impact_loss;
    Note();
    change_.Note(t_, x_);
    Show();
    row_ = 1;
    h_ = std::min(kFirstStep, o_.max_step);
    return true;
  }

  static std::string Shown(double value);

  [[nodiscard]] long Evaluations() const { return stepper_.evaluations() + change_.evaluations(); }

  // By what was made so far, and by its pace; 0 where that is within the budget.
  [[nodiscard]] double EvaluationsNeeded() const {
    const double made = static_cast<double>(Evaluations());
    const double most = MostSimulationEvaluations(m_.nv);
    if (made > most) return made;
    if (made < kFirstPart * most) return 0;
    const double all = made * o_.time / std::max(t_, 1e-300);
    return all > kFarTooMuch * most ? all : 0;
  }

  // Where the next step must end: a row, or the end.
  [[nodiscard]] double Target() const {
    const double interval = o_.rows > 0 ? o_.rows : o_.time;
    const double next = static_cast<double>(row_) * interval;
    // The last row would be a sliver where the time is nearly a multiple of the interval; it is the
    // end then.
    return next > o_.time - 1e-9 * interval ? o_.time : next;
  }
  // Of fixed steps: the next point of the grid.
  [[nodiscard]] double GridTarget() const {
    // A quotient that rounding has left just below a whole number belongs to the next point of the
    // grid, or a step of 1e-17 s would follow.
    const double next = (std::floor(t_ / o_.step * (1 + 1e-14) + 1e-9) + 1) * o_.step;
    return std::min(next, Target());
  }

  bool OneStep() {
    // What bounds the work of a run. Steps alone do not: an evaluation of a large robot costs a
    // thousand times one of a small one, so there is a budget of evaluations too.
    if (++out_.steps > kMostSteps)
      return Stop(SimulationEnd::kTooManySteps,
                  "more than " + std::to_string(kMostSteps) + " steps; the motion is too stiff");
    if (const double needed = EvaluationsNeeded(); needed > 0)
      return Stop(SimulationEnd::kTooManySteps,
                  "the motion needs " + Shown(needed) +
                      " evaluations or more, and kinemorph makes " +
                      Shown(MostSimulationEvaluations(m_.nv)) +
                      " for this robot; use a shorter time or lower velocities");
    if (out_.events.size() > kMostEvents)
      return Stop(SimulationEnd::kTooManySteps,
                  "more than " + std::to_string(kMostEvents) + " events");
    if (o_.interrupted) {
      if (std::string why = o_.interrupted(); !why.empty())
        return Stop(SimulationEnd::kInterrupted, std::move(why));
    }

    // A step ends at the latest at the next row, so that rows need no interpolation, which would
    // leave the loops open by its own error.
    const bool fixed = o_.step > 0;
    const double target = fixed ? GridTarget() : Target();
    const double left = target - t_;
    double h = fixed ? left : std::min(h_, o_.max_step);
    bool shortened = false;

    // A change point that the last two singular values announce is gone over before a step may come
    // so near that rounding, amplified by one over the singular value, chooses the branch. If the
    // leap does not succeed from here, shorter steps come closer and it is tried again.
    if (const auto point = change_.Ahead(kAhead * h)) {
      if (LeapOver(*point)) return out_.end == SimulationEnd::kDone;
      shortened = !fixed && ComeCloser(*point, h);
    }
    const bool whole = h >= left * (1 - 1e-9);
    if (whole) h = left;
    if (!Try(h)) return out_.end == SimulationEnd::kDone;

    // The usual control of an embedded pair of order 5(4): the exponent is 1/5, growth is bounded
    // by 5, shrinking by 5, and 0.9 is the margin. A step that was cut short by a row or a change
    // point says nothing against the length that was good before.
    const double error = fixed ? 0 : stepper_.Error(absolute_, o_.rtol);
    if (error > 1) {
      ++out_.refused;
      h_ = h * std::max(0.2, 0.9 * std::pow(error, -0.2));
      return h_ > kShortestStep || Stop(SimulationEnd::kNoStep, "no step meets --rtol");
    }
    const double grown = h * std::min(5.0, 0.9 * std::pow(std::max(error, 1e-10), -0.2));
    h_ = whole || shortened ? std::max(h_, grown) : grown;

    // Contacts come before everything else that is done with the end of the step: behind a
    // touch-down the step is void, and its end may have no closed loops.
    if (const auto crossing = watch_.Find(stepper_, t_, x_, h)) return Cross(*crossing);
    if (!fixed && o_.solver == SolverChoice::kAuto && stiffness_.IsNew(stepper_, h, o_.time - t_))
      stepper_.Use(StepRule::kRodas);
    // A step that went over a change point unannounced shows in the sign of det K_z at its end,
    // once that is settled.
    Eigen::VectorXd end = stepper_.end();
    if (!s_.Settle(end)) return Stop(SimulationEnd::kNoStep, s_.Why());
    if (const auto point = change_.Within(t_ + h, end)) {
      if (LeapOver(*point)) return out_.end == SimulationEnd::kDone;
      if (double shorter = h; !fixed && ComeCloser(*point, shorter)) {
        ++out_.refused, h_ = shorter;
        return true;
      }
      // Neither a leap nor a shorter step helps. The step is taken, and the event says that no one
      // watched which branch it chose. RankMarginAt has evaluated the constraints elsewhere, so the
      // state is settled again.
      NoteUsualStep(*point, h);
      s_.Settle(end);
    }
    return Accept(h, whole ? target : t_ + h, whole, std::move(end));
  }

  bool Accept(double h, double t, bool whole, Eigen::VectorXd end) {
    const bool fixed = o_.step > 0;
    x_ = std::move(end);
    t_ = t;
    stepper_.Continue();
    watch_.Arm(x_);
    // With the SPF the closure has a time constant of its own, eps. Steps that it limits, and not
    // the motion, are counted for the summary.
    const MotionOptions& motion = s_.options();
    if (motion.method == MotionMethod::kSpf && !fixed && !whole && h < o_.max_step &&
        h > kUsualStepOverEps * motion.eps)
      ++out_.stiff_steps;
    if (!Keep()) return false;
    change_.Note(t_, x_);
    if (whole && (!fixed || t_ >= Target())) {
      ++row_;
      Show();
    }
    return true;
  }

  // Over the point after all, for it cannot be leapt over: by luck on the same branch.
  void NoteUsualStep(const motion::ChangePoint& point, double h) {
    Eigen::VectorXd x;
    stepper_.Interpolate((point.time - t_) / h, x);
    const double there = s_.RankMarginAt(point.block, x);
    if (there > kZeroWithin * s_.RankMarginAt(point.block, x_)) return;
    MotionEvent event{point.time, "change-point",
                      motion::JoinedNames(s_.LoosestJoints(point.block))};
    event.smallest = there;
    out_.events.push_back(std::move(event));
  }

  // A part of the way, so that the steps before the point shrink as the distance from it does.
  bool ComeCloser(const motion::ChangePoint& point, double& h) const {
    const double part = kPartOfWay * (point.time - t_);
    if (part < kClosest || part > h) return false;
    h = part;
    return true;
  }

  // False where that is not possible (from here), and nothing has changed.
  bool LeapOver(const motion::ChangePoint& ahead) {
    auto leap = change_.Pass(ahead, o_.step);
    if (!leap || watch_.IsBelow(leap->to, leap->x)) return false;
    const double end = std::min(leap->to, o_.time);
    const motion::ChangePoint& point = leap->point;
    MotionEvent event{point.time, "change-point",
                      motion::JoinedNames(s_.LoosestJoints(point.block))};

    // The event is of the point itself, and is kept only if the path goes through it (not for a
    // near miss) and the run comes that far.
    event.smallest = leap->least, event.leap = leap->to - leap->from;
    event.projection = leap->projection;
    if (leap->crosses && point.time <= end) out_.events.push_back(std::move(event));
    // Rows that fall into the leap are read off its path. There the loops are closed only as well
    // as the path is accurate, and the constraint rows may have no rank, so they are shown as they
    // are.
    for (; Target() < end - 1e-9 * (end - leap->from); ++row_)
      if (!ShowOn(leap->path, Target())) return true;
    t_ = end;
    if (leap->to > o_.time) return ShowOn(leap->path, t_);
    x_ = std::move(leap->x);
    stepper_.Restart();
    // A leap is long, and the step before it was short because it had to come close: the pace of
    // the leap is a better guess for the next step.
    watch_.Arm(x_);
    h_ = std::max(h_, 0.5 * (leap->to - leap->from));
    if (!s_.Settle(x_) || !Keep()) return true;
    change_.Note(t_, x_, true);
    if (t_ >= Target()) ++row_, Show();
    return true;
  }

  // A row inside a leap.
  bool ShowOn(const motion::SlopePath& path, double t) {
    x_ = path.Value(t);
    if (!s_.MeasureAsItIs(t, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    Show();
    return true;
  }

  // False where the step has to be shorter, or the run has to stop.
  bool Try(double h) {
    if (stepper_.Step(t_, x_, h)) return true;
    ++out_.refused;
    if (o_.step > 0 || h / 4 < kShortestStep) return Stop(SimulationEnd::kNoStep, s_.Why());
    h_ = h / 4;
    return false;
  }

  void Show() {
    shown_ = out_.last.t;
    observer_(out_.last);
  }

  // Where no step is short enough beside a change point, that is why.
  void LookForChangePoint() {
    if (out_.end != SimulationEnd::kNoStep && out_.end != SimulationEnd::kChangePoint) return;
    const auto nearest = change_.Nearest();
    Eigen::VectorXd x = s_.StateOf(out_.last.q, out_.last.v);
    if (!nearest || nearest->least > kInPoint || !s_.Settle(x)) return;
    out_.end = SimulationEnd::kChangePoint;
    out_.why = "the loops lose rank here (a change point), and the motion does not carry them over";
    MotionEvent event{t_, "change-point", motion::JoinedNames(s_.LoosestJoints(nearest->block))};
    event.smallest = nearest->least;
    out_.events.push_back(std::move(event));
  }

  // After a step: what the summary says, and whether the division still holds.
  bool Keep() {
    // The division lost its hold: sigma_min(K_z) is a small part of what it was. Another set of
    // independent coordinates is chosen by the numbers alone, `afresh`. Near a change point the
    // numerical rank is no guide, so Divide keeps that of the old blocks.
    if (s_.Conditioning() < kBadDivision) {
      stepper_.Restart();
      const std::vector<bool> standing = s_.standing();
      const std::vector<int> independent = s_.independent();
      if (!s_.Divide(s_.Position(x_), standing, true) || !s_.Settle(x_))
        return Stop(SimulationEnd::kChangePoint, s_.Why());
      if (s_.independent().size() != independent.size())
        return Stop(SimulationEnd::kChangePoint, "the constraints lose rank here: a change point");
      if (s_.independent() == independent) return Measured();  // other rows are in use
      std::vector<std::string> names;
      for (const int y : s_.independent()) names.push_back(m_.names[U(y)]);
      out_.events.push_back({t_, "partition", motion::JoinedNames(names)});
    }
    return Measured();
  }

  bool Measured() {
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    return true;
  }

  void Note() {
    const MotionSample& now = out_.last;
    out_.phi = std::max(out_.phi, now.phi);
    out_.foot_drift = std::max(out_.foot_drift, now.foot_drift);
    largest_energy_ = std::max(largest_energy_, std::abs(now.energy));
    // The balance: what the energy has grown by must be the work done (the last entry of x,
    // integrated with the state), less what impacts took.
    largest_gap_ = std::max(largest_gap_, std::abs(now.energy - out_.energy_start +
                                                   out_.impact_loss - x_[x_.size() - 1]));
    loads_.Note(now, out_);
    limits_.Note(now, out_.events);
  }

  bool Cross(const motion::Crossing& crossing) {
    // The multistep knowledge of the past ends here: velocities jump, and with them all slopes.
    t_ = std::min(t_ + crossing.h, o_.time);
    x_ = crossing.x;
    change_.Forget();
    stepper_.Restart();
    h_ = std::min(kFirstStep, o_.max_step);
    // A row just before the event, and below one just after it, so that a plot of velocities shows
    // a jump and no slope.
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    Show();
    std::vector<bool> standing = s_.standing();
    const std::size_t f = crossing.foot;

    // A lift-off changes no velocity: the foot's rows go, and the division with them. Without the
    // foot others may be pulled, which follow at once.
    if (standing[f]) {
      standing[f] = false;
      if (!LiftOff(f, standing) || !LiftOffs()) return false;
    } else {
      // Feet that arrive in the same instant, as the two edges of a sole do, take part in one
      // impact: taken one after the other they would get other impulses.
      standing[f] = true;
      for (std::size_t other = 0; other < feet_.size(); ++other)
        if (!standing[other] && std::abs(s_.FootHeight(x_, other)) <= motion::kOnGround &&
            s_.FootRate(x_, other) <= 0)
          standing[other] = true;
      if (!TouchDown(standing)) return false;
    }
    if (pace_.IsZeno() && !ComeToRest()) return false;
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    Show();
    change_.Note(t_, x_);
    if (t_ >= Target()) ++row_;
    return true;
  }

  void AddContactEvent(MotionEvent event) {
    out_.events.push_back(std::move(event));
    pace_.Add(t_);
  }

  // Feet that come down more and more often, as a block does that rocks from corner to corner, come
  // to rest together; forces that keep them apart do not let them.
  bool ComeToRest() {
    if (!pace_.Rest(t_)) return Stop(SimulationEnd::kZeno, motion::ContactPace::Words());
    std::vector<bool> standing = s_.standing();
    for (std::size_t f = 0; f < feet_.size(); ++f)
      standing[f] = standing[f] || std::abs(s_.FootHeight(x_, f)) < kNearlyOnGround;
    return TouchDown(standing, true);
  }

  bool LiftOff(std::size_t foot, const std::vector<bool>& standing) {
    watch_.Disarm(foot);
    loads_.Forget();
    if (!s_.Divide(s_.Position(x_), standing) || !s_.Settle(x_))
      return Stop(SimulationEnd::kNoDivision, s_.Why());
    AddContactEvent({t_, "lift-off", feet_[foot].link, {}, 0, 0, 0});
    return true;
  }

  // Feet that would have to be pulled down leave at once, the worst first.
  // One foot at a time: without the worst one the rest may press again, and which do depends on the
  // forces that are left.
  bool LiftOffs() {
    std::vector<double> gauges;
    for (std::size_t round = 0; round < feet_.size(); ++round) {
      if (!watch_.Gauges(t_, x_, gauges)) return Stop(SimulationEnd::kNoStep, s_.Why());
      std::vector<bool> standing = s_.standing();
      std::size_t worst = feet_.size();
      for (std::size_t f = 0; f < feet_.size(); ++f) {
        if (standing[f] && gauges[f] < -1e-9 * loads_.weight() &&
            (worst == feet_.size() || gauges[f] < gauges[worst]))
          worst = f;
      }
      if (worst == feet_.size()) return true;
      standing[worst] = false;
      if (!LiftOff(worst, standing)) return false;
    }
    return true;
  }

  // `standing`: the feet that touch the ground now. Those that the impact would pull leave, unless
  // all come to rest.
  bool TouchDown(std::vector<bool> standing, bool all = false) {
    const std::vector<bool> before = s_.standing();
    const Vector3& n = s_.options().ground.normal;
    MotionSample sample;
    // Energy before and after is measured at the same posture, so that their difference is kinetic
    // alone: the loss of the impact.
    if (!s_.Measure(t_, x_, sample)) return Stop(SimulationEnd::kNoStep, s_.Why());
    const double energy = sample.energy;
    bool divided = true;
    const ImpactResult impact =
        all ? motion::ImpactOfAll(s_, x_, standing, divided)
            : motion::PressingImpact(s_, x_, loads_.weight(), standing, divided);
    if (!impact.ok)
      return Stop(divided ? SimulationEnd::kNoStep : SimulationEnd::kNoDivision, s_.Why());
    x_.segment(m_.nq, m_.nv) = impact.v;
    if (!s_.Settle(x_) || !s_.Measure(t_, x_, sample))
      return Stop(SimulationEnd::kNoStep, s_.Why());
    out_.impact_loss += energy - sample.energy;
    loads_.Forget();
    // Feet that stood and that the impact would pull lift off; those that are new on the ground
    // have an event with their impulse. The friction they ask for is that of the impulse.
    for (std::size_t f = 0; f < feet_.size(); ++f) {
      if (before[f] && !standing[f]) {
        watch_.Disarm(f);
        AddContactEvent({t_, "lift-off", feet_[f].link, {}, 0, 0, 0});
      }
      if (before[f] || !standing[f]) continue;
      MotionEvent event{t_, "touch-down", feet_[f].link, impact.impulse[f], energy, sample.energy,
                        0};
      const double normal = n.dot(impact.impulse[f]);
      if (normal > 0) event.needed_friction = loads_.Tangential(impact.impulse[f]) / normal;
      out_.friction_impact = std::max(out_.friction_impact, event.needed_friction);
      const double needed = event.needed_friction;
      AddContactEvent(std::move(event));
      loads_.CheckCone(t_, f, needed, out_);
    }
    // All feet stay as they were: an impact without a change still counts for Zeno, else it could
    // repeat for ever.
    if (standing == before) pace_.Add(t_);
    return LiftOffs();
  }

  MotionSystem& s_;
  const Mechanism& m_;
  const SimulationOptions& o_;
  const MotionObserver& observer_;
  Stepper stepper_;
  motion::ContactWatch watch_;
  Eigen::VectorXd absolute_;
  motion::ChangePointWatch change_;
  motion::FootLoads loads_;
  motion::LimitWatch limits_;
  motion::StiffnessWatch stiffness_;
  const std::vector<Foot>& feet_;
  SimulationResult out_;
  Eigen::VectorXd x_;
  double t_ = 0, h_ = kFirstStep, shown_ = 0, largest_energy_ = 0, largest_gap_ = 0;
  long row_ = 0;
  motion::ContactPace pace_;
};

std::string Run::Shown(double value) { return FormatNumber(NearDecimal(value, 4)); }

}  // namespace

SimulationResult Simulate(MotionSystem& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const SimulationOptions& options, const MotionObserver& observer) {
  return Run(system, options, observer).Go(q, v);
}

}  // namespace kinemorph
