#include "kinemorph/graph/motion/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/index.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/motion/integrator.h"
#include "motion/contact_events.h"

namespace kinemorph {
namespace {

constexpr double kOnGround = 1e-9;       // m
constexpr double kShortestStep = 1e-13;  // s
constexpr double kFirstStep = 1e-4;      // s
constexpr double kBadDivision = 1e-3;    // of sigma_min(K_z) when the coordinates were divided
constexpr double kZenoWindow = 0.01;     // s
constexpr std::size_t kZenoEvents = 20;  // in it
constexpr double kLightForce = 0.1;      // of the weight: lighter feet say nothing of friction
constexpr long kMostSteps = kMostSimulationSteps;
constexpr std::size_t kMostEvents = 1'000'000;
// Hairer and Wanner, Solving ODEs II, IV.2.
constexpr int kStiffInARow = 15, kOthersInARow = 6;  // steps
constexpr double kManySteps = 2e4;  // that are left at this pace: an implicit rule pays

class Run {
 public:
  Run(MotionSystem& system, const SimulationOptions& options, const MotionObserver& observer)
      : s_(system),
        m_(system.mechanism()),
        o_(options),
        observer_(observer),
        stepper_(options.step > 0 ? StepRule::kRungeKutta4 : StepRule::kDormandPrince,
                 [this](double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
                   return s_.Rate(t, x, rate);
                 }),
        watch_(system),
        feet_(system.options().feet) {
    SetTolerances();
    for (const Body& body : m_.bodies)
      if (!body.weightless) weight_ += body.inertia.mass * m_.gravity.norm();
  }

  SimulationResult Go(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    x_ = s_.StateOf(q, v);
    if (Start()) {
      while (t_ < o_.time && OneStep()) {}
    }
    out_.time = t_, out_.evaluations = stepper_.evaluations();
    out_.energy_end = out_.last.energy, out_.work = x_[x_.size() - 1];
    const double scale = std::max(largest_energy_, 1e-300);
    out_.energy_drift = largest_gap_ / scale;
    return std::move(out_);
  }

 private:
  bool Stop(SimulationEnd end, std::string why) {
    out_.end = end, out_.why = std::move(why);
    return false;
  }

  void SetTolerances() {
    absolute_.setConstant(m_.nq + m_.nv + 1, o_.rtol);
    const std::vector<bool> linear = IsLinearVelocity(m_);
    for (const Body& body : m_.bodies) {
      for (int i = 0; i < body.nv; ++i) {
        if (!linear[U(body.v + i)]) continue;
        absolute_[m_.nq + body.v + i] *= m_.length;
        if (body.nq == body.nv) absolute_[body.q + i] *= m_.length;
      }
    }
    absolute_[m_.nq + m_.nv] = 1e300;  // the work follows, it does not lead
  }

  bool Start() {
    std::vector<bool> standing(feet_.size(), false);
    if (!s_.Divide(s_.Position(x_), standing)) return Stop(SimulationEnd::kNoDivision, s_.Why());
    if (!s_.Settle(x_)) return Stop(SimulationEnd::kNoDivision, s_.Why());
    bool falls = false, any = false;
    for (std::size_t f = 0; f < feet_.size(); ++f) {
      const double height = s_.FootHeight(x_, f);
      if (height < -kOnGround)
        return Stop(SimulationEnd::kBelowGround, "the foot of '" + feet_[f].link + "' starts " +
                                                     Shown(-height) + " m below the ground");
      if (height > kOnGround) continue;
      const double rate = s_.FootRate(x_, f);
      if (rate > kOnGround) continue;
      standing[f] = any = true;
      falls = falls || rate < -kOnGround;
    }
    watch_.Arm(x_);
    if (any && falls) {
      if (!TouchDown(standing)) return false;
    } else if (any) {
      if (!s_.Divide(s_.Position(x_), standing) || !s_.Settle(x_))
        return Stop(SimulationEnd::kNoDivision, s_.Why());
      if (!LiftOffs()) return false;
    }
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    out_.energy_start = out_.last.energy + out_.impact_loss;
    Note();
    observer_(out_.last);
    row_ = 1;
    h_ = std::min(kFirstStep, o_.max_step);
    return true;
  }

  static std::string Shown(double value);

  // Where the next step must end: a row, or the end.
  [[nodiscard]] double Target() const {
    const double interval = o_.rows > 0 ? o_.rows : o_.time;
    const double next = static_cast<double>(row_) * interval;
    return next > o_.time - 1e-9 * interval ? o_.time : next;
  }
  // Of fixed steps: the next point of the grid.
  [[nodiscard]] double GridTarget() const {
    const double next = (std::floor(t_ / o_.step * (1 + 1e-14) + 1e-9) + 1) * o_.step;
    return std::min(next, Target());
  }

  bool OneStep() {
    if (++out_.steps > kMostSteps)
      return Stop(SimulationEnd::kTooManySteps,
                  "more than " + std::to_string(kMostSteps) + " steps; the motion is too stiff");
    if (out_.events.size() > kMostEvents)
      return Stop(SimulationEnd::kTooManySteps,
                  "more than " + std::to_string(kMostEvents) + " events");
    if (o_.interrupted) {
      if (std::string why = o_.interrupted(); !why.empty())
        return Stop(SimulationEnd::kInterrupted, std::move(why));
    }
    const bool fixed = o_.step > 0;
    const double target = fixed ? GridTarget() : Target();
    const double left = target - t_;
    double h = fixed ? left : std::min(h_, o_.max_step);
    const bool whole = h >= left * (1 - 1e-9);
    if (whole) h = left;
    if (!Try(h)) return out_.end == SimulationEnd::kDone;
    const double error = fixed ? 0 : stepper_.Error(absolute_, o_.rtol);
    if (error > 1) {
      ++out_.refused;
      h_ = h * std::max(0.2, 0.9 * std::pow(error, -0.2));
      return h_ > kShortestStep || Stop(SimulationEnd::kNoStep, "no step meets --rtol");
    }
    const double grown = h * std::min(5.0, 0.9 * std::pow(std::max(error, 1e-10), -0.2));
    h_ = whole ? std::max(h_, grown) : grown;
    if (const auto crossing = watch_.Find(stepper_, t_, x_, h)) return Cross(*crossing);
    if (!fixed) LookForStiffness(h);
    t_ = whole ? target : t_ + h;
    const Eigen::VectorXd before = x_;
    x_ = stepper_.end();
    stepper_.Continue();
    if (!s_.Settle(x_)) return Stop(SimulationEnd::kNoStep, s_.Why());
    watch_.Arm(x_);
    const MotionOptions& motion = s_.options();
    if (motion.method == MotionMethod::kSpf && !fixed && !whole && h < o_.max_step &&
        h > kUsualStepOverEps * motion.eps)
      ++out_.stiff_steps;
    if (!Keep()) return false;
    NoteLimits(before);
    if (whole && (!fixed || t_ >= Target())) {
      ++row_;
      observer_(out_.last);
    }
    return true;
  }

  // Friction and dampers on next to no inertia: an explicit rule would take millions of steps for
  // what has long come to rest.
  void LookForStiffness(double h) {
    if (stiff_) return;
    const bool stiff = stepper_.Stiffness() > kStiff;
    others_ = stiff ? 0 : others_ + 1;
    in_a_row_ = stiff ? in_a_row_ + 1 : others_ >= kOthersInARow ? 0 : in_a_row_;
    stiff_ = in_a_row_ >= kStiffInARow && o_.time - t_ > kManySteps * h;
    if (stiff_) stepper_.Use(StepRule::kRodas);
  }

  // False where the step has to be shorter, or the run has to stop.
  bool Try(double h) {
    if (stepper_.Step(t_, x_, h)) return true;
    ++out_.refused;
    if (o_.step > 0 || h / 4 < kShortestStep) return Stop(SimulationEnd::kNoStep, s_.Why());
    h_ = h / 4;
    return false;
  }

  // After a step: what the summary says, and whether the division still holds.
  bool Keep() {
    if (s_.Conditioning() < kBadDivision) {
      stepper_.Restart();
      const std::vector<bool> standing = s_.standing();
      const std::size_t freedoms = s_.independent().size();
      if (!s_.Divide(s_.Position(x_), standing, true) || !s_.Settle(x_))
        return Stop(SimulationEnd::kChangePoint, s_.Why());
      if (s_.independent().size() != freedoms)
        return Stop(SimulationEnd::kChangePoint, "the constraints lose rank here: a change point");
      MotionEvent event{t_, "partition", "", {}, 0, 0, 0};
      for (const int y : s_.independent())
        event.subject += (event.subject.empty() ? "" : ", ") + m_.names[U(y)];
      out_.events.push_back(event);
    }
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    return true;
  }

  void Note() {
    const MotionSample& now = out_.last;
    out_.phi = std::max(out_.phi, now.phi);
    out_.foot_drift = std::max(out_.foot_drift, now.foot_drift);
    largest_energy_ = std::max(largest_energy_, std::abs(now.energy));
    largest_gap_ = std::max(largest_gap_, std::abs(now.energy - out_.energy_start +
                                                   out_.impact_loss - x_[x_.size() - 1]));
    last_force_.resize(feet_.size());
    for (std::size_t f = 0; f < feet_.size(); ++f) {
      if (now.standing[f]) NoteFriction(f, now.force[f]);
    }
  }

  // What a foot needs that bears a tenth of the weight. The ratio has no bound where a foot lifts
  // off, for the tangential force does not fade with the normal one: between a sample above that
  // tenth and one below, it is taken at the tenth itself, so that it does not depend on the steps.
  void NoteFriction(std::size_t foot, Vector3 force) {
    const Vector3& n = s_.options().ground.normal;
    const double least = kLightForce * weight_, normal = n.dot(force);
    const std::optional<Vector3> last = std::exchange(last_force_[foot], force);
    if (last && least > 0 && (n.dot(*last) > least) != (normal > least))
      force += (least - normal) / (n.dot(*last) - normal) * (*last - force);
    else if (!(normal > least))
      return;
    const double needed = Tangential(force) / n.dot(force);
    out_.friction_stance = std::max(out_.friction_stance, needed);
    CheckCone(foot, needed);
  }

  void CheckCone(std::size_t foot, double needed) {
    complained_.resize(feet_.size(), false);
    if (o_.friction < 0 || needed <= o_.friction || complained_[foot]) return;
    complained_[foot] = true;  // once per contact
    MotionEvent event{t_, "friction-cone", feet_[foot].link, {}, 0, 0, needed};
    out_.events.push_back(event);
  }

  [[nodiscard]] double Tangential(const Vector3& f) const {
    const Vector3& n = s_.options().ground.normal;
    return (f - n.dot(f) * n).norm();
  }

  // Hard limits are not kept; where one is passed is said.
  void NoteLimits(const Eigen::VectorXd& before) {
    for (const Body& body : m_.bodies) {
      for (int i = 0; i < body.nv && body.nq == body.nv; ++i) {
        const std::size_t at = U(body.v + i);
        const double was = before[body.q + i], is = x_[body.q + i];
        const bool out = is > m_.upper[at] || is < m_.lower[at];
        if (!out || was > m_.upper[at] || was < m_.lower[at]) continue;
        out_.events.push_back({t_, "joint-limit", m_.names[at], {}, 0, 0, 0});
      }
    }
  }

  bool Cross(const motion::Crossing& crossing) {
    t_ = std::min(t_ + crossing.h, o_.time);
    x_ = crossing.x;
    stepper_.Restart();
    h_ = std::min(kFirstStep, o_.max_step);
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    observer_(out_.last);
    std::vector<bool> standing = s_.standing();
    const std::size_t f = crossing.foot;
    if (standing[f]) {
      standing[f] = false;
      if (!LiftOff(f, standing) || !LiftOffs()) return false;
    } else {
      standing[f] = true;
      for (std::size_t other = 0; other < feet_.size(); ++other)
        if (!standing[other] && std::abs(s_.FootHeight(x_, other)) <= kOnGround &&
            s_.FootRate(x_, other) <= 0)
          standing[other] = true;
      if (!TouchDown(standing)) return false;
    }
    if (!s_.Measure(t_, x_, out_.last)) return Stop(SimulationEnd::kNoStep, s_.Why());
    Note();
    observer_(out_.last);
    if (t_ >= Target()) ++row_;
    return true;
  }

  bool AddContactEvent(MotionEvent event) {
    out_.events.push_back(std::move(event));
    contact_times_.push_back(t_);
    const std::size_t n = contact_times_.size();
    if (n <= kZenoEvents || t_ - contact_times_[n - 1 - kZenoEvents] > kZenoWindow) return true;
    return Stop(SimulationEnd::kZeno, "more than " + std::to_string(kZenoEvents) +
                                          " touch-downs and lift-offs within " +
                                          Shown(kZenoWindow) + " s (Zeno)");
  }

  // The forces jump where a foot comes down or leaves.
  void ForgetForces() {
    complained_.assign(feet_.size(), false);
    last_force_.assign(feet_.size(), std::nullopt);
  }

  bool LiftOff(std::size_t foot, const std::vector<bool>& standing) {
    watch_.Disarm(foot);
    ForgetForces();
    if (!s_.Divide(s_.Position(x_), standing) || !s_.Settle(x_))
      return Stop(SimulationEnd::kNoDivision, s_.Why());
    return AddContactEvent({t_, "lift-off", feet_[foot].link, {}, 0, 0, 0});
  }

  // Feet that would have to be pulled down leave at once, the worst first.
  bool LiftOffs() {
    std::vector<double> gauges;
    for (std::size_t round = 0; round < feet_.size(); ++round) {
      if (!watch_.Gauges(t_, x_, gauges)) return Stop(SimulationEnd::kNoStep, s_.Why());
      std::vector<bool> standing = s_.standing();
      std::size_t worst = feet_.size();
      for (std::size_t f = 0; f < feet_.size(); ++f) {
        if (standing[f] && gauges[f] < -1e-9 * weight_ &&
            (worst == feet_.size() || gauges[f] < gauges[worst]))
          worst = f;
      }
      if (worst == feet_.size()) return true;
      standing[worst] = false;
      if (!LiftOff(worst, standing)) return false;
    }
    return true;
  }

  // `standing`: the feet that touch the ground now. Those that the impact would pull leave.
  bool TouchDown(std::vector<bool> standing) {
    const std::vector<bool> before = s_.standing();
    const Vector3& n = s_.options().ground.normal;
    MotionSample sample;
    if (!s_.Measure(t_, x_, sample)) return Stop(SimulationEnd::kNoStep, s_.Why());
    const double energy = sample.energy;
    ImpactResult impact;
    for (std::size_t round = 0; round <= feet_.size(); ++round) {
      if (!s_.Divide(s_.Position(x_), standing)) return Stop(SimulationEnd::kNoDivision, s_.Why());
      impact = s_.Impact(x_);
      if (!impact.ok) return Stop(SimulationEnd::kNoStep, s_.Why());
      std::size_t worst = feet_.size();
      double least = -1e-12 * weight_;
      for (std::size_t f = 0; f < feet_.size(); ++f) {
        const double normal = n.dot(impact.impulse[f]);
        if (standing[f] && normal < least) least = normal, worst = f;
      }
      if (worst == feet_.size()) break;
      standing[worst] = false;
    }
    x_.segment(m_.nq, m_.nv) = impact.v;
    if (!s_.Settle(x_) || !s_.Measure(t_, x_, sample))
      return Stop(SimulationEnd::kNoStep, s_.Why());
    out_.impact_loss += energy - sample.energy;
    ForgetForces();
    for (std::size_t f = 0; f < feet_.size(); ++f) {
      if (before[f] && !standing[f]) {
        watch_.Disarm(f);
        if (!AddContactEvent({t_, "lift-off", feet_[f].link, {}, 0, 0, 0})) return false;
      }
      if (before[f] || !standing[f]) continue;
      MotionEvent event{t_, "touch-down", feet_[f].link, impact.impulse[f], energy, sample.energy,
                        0};
      const double normal = n.dot(impact.impulse[f]);
      if (normal > 0) event.needed_friction = Tangential(impact.impulse[f]) / normal;
      out_.friction_impact = std::max(out_.friction_impact, event.needed_friction);
      const double needed = event.needed_friction;
      if (!AddContactEvent(std::move(event))) return false;
      CheckCone(f, needed);
    }
    return LiftOffs();
  }

  MotionSystem& s_;
  const Mechanism& m_;
  const SimulationOptions& o_;
  const MotionObserver& observer_;
  Stepper stepper_;
  motion::ContactWatch watch_;
  const std::vector<Foot>& feet_;
  SimulationResult out_;
  Eigen::VectorXd x_, absolute_;
  double t_ = 0, h_ = kFirstStep, weight_ = 0, largest_energy_ = 0, largest_gap_ = 0;
  long row_ = 0;
  int in_a_row_ = 0,    // steps whose length is a matter of stability
      others_ = 0;      // since the last of them
  bool stiff_ = false;  // the implicit rule is in use
  std::vector<bool> complained_;
  std::vector<std::optional<Vector3>> last_force_;  // by foot, since the last contact event
  std::vector<double> contact_times_;
};

std::string Run::Shown(double value) { return FormatNumber(NearDecimal(value, 4)); }

}  // namespace

std::string_view Name(SimulationEnd end) {
  switch (end) {
    case SimulationEnd::kDone:
      return "done";
    case SimulationEnd::kBelowGround:
      return "below the ground";
    case SimulationEnd::kNoDivision:
      return "no independent coordinates";
    case SimulationEnd::kChangePoint:
      return "change point";
    case SimulationEnd::kNoStep:
      return "no step";
    case SimulationEnd::kZeno:
      return "zeno";
    case SimulationEnd::kTooManySteps:
      return "too many steps";
    case SimulationEnd::kInterrupted:
      return "interrupted";
  }
  return "";
}

SimulationResult Simulate(MotionSystem& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const SimulationOptions& options, const MotionObserver& observer) {
  return Run(system, options, observer).Go(q, v);
}

}  // namespace kinemorph
