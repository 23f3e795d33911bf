// Pass `mimics`: loops that say no more than "this joint follows that one".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "edit/actuation.h"
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/closures/explicit_closure.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "lower/line_fit.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// A loop of one degree of freedom may move its joints in fixed proportions, as a parallelogram
// does: URDF can say that as mimics. The proof is numerical: at random closed states the dependent
// velocities are G times the independent ones, with G of one nonzero entry per row and the same in
// every state, and the positions lie on that line. With --mimic fit a line is taken that is only
// near, and its greatest error is told.

constexpr double kExactFit = 1e-8;  // of coordinates and of G: what the proof asks for, and more
constexpr double kDepends = 1e-7;   // of G: less is digits of the frames
constexpr int kStates = 12, kFewest = 4;
constexpr int kPoints = 401;  // of a fit

// follower = slope leader + offset.
struct Follows {
  JointId follower = kNoJoint, leader = kNoJoint;
  Line line;
};

class LoopsToMimics {
 public:
  LoopsToMimics(Model& model, PassContext& context)
      : model_(model),
        context_(context),
        mechanism_(CompileAsDriven(model, context)),
        coordinates_(AnalyseCoordinates(mechanism_)),
        closures_(mechanism_, coordinates_),
        q_(coordinates_.assembled) {
    // By velocity: in the joints of an aggregate, columns lead to velocities only.
    for (const Body& body : mechanism_.bodies)
      for (int i = 0; i < body.nv; ++i) body_of_.push_back(&body);
    std::sort(body_of_.begin(), body_of_.end(),
              [](const Body* a, const Body* b) { return a->v < b->v; });
  }

  void Run() {
    std::vector<bool> gone(model_.num_joints(), false);
    std::vector<bool> replaced(model_.couplings.size(), false);
    std::vector<Coupling> mimics;
    for (std::size_t a = 0; a < mechanism_.aggregates.size(); ++a) {
      if (mechanism_.aggregates[a].loops.empty()) continue;
      const std::vector<Follows> all = FollowersOf(a);
      if (!all.empty()) Replace(mechanism_.aggregates[a], all, gone, replaced, mimics);
      if (all.empty() && context_.options.mimic == MimicChoice::kFit) SayNoFit(a);
    }
    if (mimics.empty()) return;
    std::size_t at = 0;
    std::erase_if(model_.couplings, [&](const Coupling&) { return replaced[at++]; });
    for (Coupling& mimic : mimics) model_.couplings.push_back(std::move(mimic));
    for (const JointId id : Joints(model_))
      if (Joint& joint = model_.joint(id); gone[Index(id)])
        std::erase_if(joint.native, [&](const NativeData& data) {
          return IsSaidByJoint(data, SubjectOf(joint), context_);
        });
    const Removed removed = TakeJoints(model_, [&](JointId id) { return gone[Index(id)]; });
    Lose(model_, removed, "was on a loop joint, and couplings replace that loop", context_);
  }

 private:
  // The user asked for a line and gets none.
  void SayNoFit(std::size_t a) {
    const AggregateCoordinates& c = coordinates_.aggregates[a];
    const Joint& loop = model_.joint(mechanism_.aggregates[a].loops.front().joint);
    const std::string why =
        !c.closes ? "no posture closes it"
        : c.independent.size() > 1
            ? "its joints move in " + std::to_string(c.independent.size()) +
                  " independent ways, and a joint that follows another one moves in one"
        : c.independent.empty() ? "its joints do not move"
                                : "its joints follow no single joint over a range that closes";
    context_.Report(Severity::kWarning, model_, loop.where, "mimic-no-fit",
                    {Text(SubjectOf(loop)), why + ", so that --mimic fit finds no line"});
  }

  [[nodiscard]] const Body& BodyAt(std::size_t a, int column) const {
    const int v = mechanism_.aggregates[a].velocity[static_cast<std::size_t>(column)];
    return *body_of_[static_cast<std::size_t>(v)];
  }

  // As assembled. The aggregate looks at no coordinates but its own.
  Eigen::VectorXd& Assembled(std::size_t a) {
    for (int column = 0; column < coordinates_.aggregates[a].nv; ++column) {
      const int at = BodyAt(a, column).q;
      q_[at] = coordinates_.assembled[at];
    }
    return q_;
  }

  // Every dependent joint with the one that it follows; nothing where they are not that simple.
  std::vector<Follows> FollowersOf(std::size_t a) {
    const AggregateCoordinates& c = coordinates_.aggregates[a];
    // All of a cluster's dependent coordinates must be linear in one independent coordinate each,
    // or its loops stay: half a loop as mimics would be another mechanism.
    if (!c.closes || c.mobility == 0 || c.independent.empty() || c.dependent.empty()) return {};
    // Drawn flat, a parallelogram may unfold in two ways: a line would choose one.
    if (coordinates_.singular_at_zero) return {};
    for (int column = 0; column < c.nv; ++column)
      if (BodyAt(a, column).nv != 1) return {};
    std::vector<int> leader(c.dependent.size(), -1);
    bool exact = true;
    if (!Sample(a, leader, exact)) return {};
    const bool fit = context_.options.mimic == MimicChoice::kFit;
    if (!exact && !fit) return {};
    std::vector<Follows> all;
    for (std::size_t d = 0; d < c.dependent.size(); ++d) {
      const int column = leader[d] < 0 ? c.independent.front() : leader[d];
      const Body &follower = BodyAt(a, c.dependent[d]), &leads = BodyAt(a, column);
      const std::optional<Line> line =
          exact ? ExactLine(a, follower, leads, c.dependent[d], column) : Fit(a, follower, leads);
      if (!line) return {};
      all.push_back({follower.joint, leads.joint, *line});
    }
    // A coupling says in full what a fit would only say nearly.
    for (const CouplingConstraint& constraint : mechanism_.aggregates[a].couplings)
      for (const CouplingTerm& term : model_.couplings[constraint.coupling].terms)
        for (const Follows& f : all)
          if (f.follower == term.coordinate.joint && f.line.error > kExactFit) return {};
    return all;
  }

  // y within the limits, not far from the assembled posture.
  double RandomNear(const Body& body, double assembled, Random& random) const {
    const double lower = mechanism_.lower[static_cast<std::size_t>(body.v)];
    const double upper = mechanism_.upper[static_cast<std::size_t>(body.v)];
    const double reach = std::holds_alternative<Prismatic>(body.kind) ? mechanism_.length / 2 : 0.7;
    const double from = std::max(assembled - reach, std::min(lower, assembled));
    const double to = std::min(assembled + reach, std::max(upper, assembled));
    return random.Uniform(from, to);
  }

  // At random closed states: the one column that each dependent coordinate depends on, and whether
  // it is linear in it. False where one depends on several, or nothing closes.
  bool Sample(std::size_t a, std::vector<int>& leader, bool& exact) {
    const AggregateCoordinates& c = coordinates_.aggregates[a];
    const int aggregate = static_cast<int>(a);
    Eigen::MatrixXd G0, G;
    Random random(11);
    int closed = 0;
    Eigen::VectorXd q0(c.nv);  // by column
    for (int state = 0; state < kStates; ++state) {
      Eigen::VectorXd& q = Assembled(a);
      for (const int column : c.independent) {
        const Body& body = BodyAt(a, column);
        q[body.q] = RandomNear(body, coordinates_.assembled[body.q], random);
      }

      // A state that does not close, or is singular, tells nothing; a third of them is enough to
      // judge by.
      if (closures_.Position(aggregate, q) != GammaStatus::kOk) continue;
      if (closures_.Velocity(aggregate, q, G) != GammaStatus::kOk) continue;
      if (closed++ == 0) {
        G0 = G;
        for (int column = 0; column < c.nv; ++column) q0[column] = q[BodyAt(a, column).q];
      }
      // Linear means: the same derivative G at all states, and positions on the line through the
      // first one.
      exact = exact && (G - G0).cwiseAbs().maxCoeff() <= kExactFit;
      for (std::size_t d = 0; d < c.dependent.size(); ++d) {
        const Body& follower = BodyAt(a, c.dependent[d]);
        double linear = q0[c.dependent[d]];
        for (std::size_t i = 0; i < c.independent.size(); ++i) {
          const double g = G(c.dependent[d], static_cast<Eigen::Index>(i));
          if (std::abs(g) > kDepends) {
            if (leader[d] >= 0 && leader[d] != c.independent[i]) return false;
            leader[d] = c.independent[i];
          }
          const int y = BodyAt(a, c.independent[i]).q;
          linear +=
              G0(c.dependent[d], static_cast<Eigen::Index>(i)) * (q[y] - q0[c.independent[i]]);
        }
        exact = exact && std::abs(q[follower.q] - linear) <= kExactFit;
      }
      if (!exact && context_.options.mimic == MimicChoice::kExact) return false;
    }
    return closed >= kFewest;
  }

  std::optional<Line> ExactLine(std::size_t a, const Body& follower, const Body& leads,
                                int dependent, int column) {
    const AggregateCoordinates& c = coordinates_.aggregates[a];
    Eigen::VectorXd& q = Assembled(a);
    Eigen::MatrixXd G;
    const int aggregate = static_cast<int>(a);
    if (closures_.Position(aggregate, q) != GammaStatus::kOk) return std::nullopt;
    if (closures_.Velocity(aggregate, q, G) != GammaStatus::kOk) return std::nullopt;
    const auto at = std::find(c.independent.begin(), c.independent.end(), column);
    // The relation is known to be a line: any closed state gives it, and the assembled posture is
    // one.
    const double slope = Neat(G(dependent, at - c.independent.begin()));
    return Line{slope, Neat(q[follower.q] - slope * q[leads.q]), 0};
  }

  // Round-off does not make numbers longer.
  static double Neat(double value) {
    const double near = std::abs(value) < 1e-12 ? 0 : NearDecimal(value, 12);
    return std::abs(near - value) <= 1e-12 * std::max(1.0, std::abs(value)) ? near : value;
  }

  // Over the limits of the leader, as far as the loop closes from the assembled posture on.
  std::optional<Line> Fit(std::size_t a, const Body& follower, const Body& leads) {
    const auto v = static_cast<std::size_t>(leads.v);
    const double here = coordinates_.assembled[leads.q];
    const double far =
        std::holds_alternative<Prismatic>(leads.kind) ? mechanism_.length : std::numbers::pi;
    const double lower = std::isfinite(mechanism_.lower[v]) ? mechanism_.lower[v] : here - far;
    const double upper = std::isfinite(mechanism_.upper[v]) ? mechanism_.upper[v] : here + far;
    std::vector<double> x, y;
    const bool turns = !std::holds_alternative<Prismatic>(follower.kind);
    // Two walks outwards from the assembled posture, each as far as the loop closes. The first walk
    // is turned round to make one ascending list.
    for (const double end : {lower, upper}) {
      double before = coordinates_.assembled[follower.q];
      for (int i = 0; i < kPoints; ++i) {
        const double at = here + (end - here) * i / (kPoints - 1);
        Eigen::VectorXd& q = Assembled(a);
        q[leads.q] = at;
        if (closures_.Position(static_cast<int>(a), q) != GammaStatus::kOk) break;
        double value = q[follower.q];
        // The angle of the turn before, continued: the solver may give it modulo 2 pi.
        if (turns) value = before + std::remainder(value - before, 2 * std::numbers::pi);
        before = value;
        x.push_back(at);
        y.push_back(value);
      }
      if (end == lower) std::reverse(x.begin(), x.end()), std::reverse(y.begin(), y.end());
    }
    std::vector<double> ordered_x, ordered_y;  // each x once, upwards
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!ordered_x.empty() && x[i] <= ordered_x.back()) continue;
      ordered_x.push_back(x[i]);
      ordered_y.push_back(y[i]);
    }
    if (ordered_x.size() < 2) return std::nullopt;
    return FitLine(ordered_x, ordered_y);
  }

  [[nodiscard]] std::string Equation(const Follows& f) const {
    std::string text = Quoted("joint", model_.joint(f.follower).name) + " = " +
                       FormatNumber(f.line.slope) + " " +
                       Quoted("joint", model_.joint(f.leader).name);
    if (f.line.offset != 0)
      text += (f.line.offset < 0 ? " - " : " + ") + FormatNumber(std::abs(f.line.offset));
    return text;
  }

  [[nodiscard]] std::string ErrorText(const Follows& f) const {
    const bool slides = std::holds_alternative<Prismatic>(model_.joint(f.follower).kind);
    return FormatNumber(NearDecimal(f.line.error, 2)) + (slides ? " m" : " rad") + " at most";
  }

  void Replace(const Aggregate& aggregate, const std::vector<Follows>& all, std::vector<bool>& gone,
               std::vector<bool>& replaced, std::vector<Coupling>& mimics) {
    std::vector<Subject> into;
    std::string equations, errors;
    bool exact = true;
    const SourceLocation where = model_.joint(aggregate.loops.front().joint).where;
    for (const Follows& f : all) {
      const std::string& name = model_.joint(f.follower).name;
      into.push_back(SubjectOf(model_.joint(f.follower)));
      equations += (equations.empty() ? "" : ", ") + Equation(f);
      Coupling mimic;
      mimic.name = name;
      mimic.form = CouplingForm::kMimic;
      mimic.native_type = "mimic";
      mimic.terms = {{{f.follower, 0}, {1, 0, 0, 0}}, {{f.leader, 0}, {-f.line.slope, 0, 0, 0}}};
      mimic.constant = f.line.offset;
      mimic.where = where;
      mimics.push_back(std::move(mimic));
      if (f.line.error <= kExactFit) continue;
      exact = false;
      errors += (errors.empty() ? "" : ", ") + Quoted("joint", name) + " by " + ErrorText(f);
    }
    const auto zero_of = [&](JointId id) { return model_.joint(id).axes.at(0).position_offset; };
    if (!exact)
      for (const Follows& f : all)
        context_.report.fitted.push_back(
            {model_.joint(f.follower).name, model_.joint(f.leader).name, f.line.slope,
             f.line.offset,
             f.line.offset + zero_of(f.follower) - f.line.slope * zero_of(f.leader)});
    for (const LoopConstraint& loop : aggregate.loops) {
      gone[Index(loop.joint)] = true;
      const Joint& joint = model_.joint(loop.joint);
      if (exact) {
        Became(SubjectOf(joint), "says no more than " + equations, into, context_);
        LoseAxisData(model_, joint, context_);
        continue;
      }
      Loss& loss = context_.Lose(model_, LoopFeature(joint.kind), SubjectOf(joint),
                                 "written as couplings, off: " + errors + "; " + equations,
                                 "the target has no loops, and you asked for a line");
      loss.source = "a loop joint", loss.target = errors;
    }
    for (const CouplingConstraint& constraint : aggregate.couplings) {
      replaced[constraint.coupling] = true;
      const Coupling& coupling = model_.couplings[constraint.coupling];
      const Subject subject = SubjectOf(model_, coupling);
      Became(subject, "says no more than " + equations, into, context_);
      for (const NativeData& data : coupling.native)
        context_.Lose(model_, Feature::kNativeData, SubjectOf(data, subject), "not written",
                      "the coupling is written as other couplings with the same effect");
    }
  }

  Model& model_;
  PassContext& context_;
  const Mechanism mechanism_;
  const Coordinates coordinates_;
  ExplicitClosures closures_;
  Eigen::VectorXd q_;
  std::vector<const Body*> body_of_;  // by velocity
};

}  // namespace

void Mimics(Model& model, PassContext& context) {
  // Loops that the target holds are meant as they stand in a source of its own format, and where
  // they were asked for by name.
  const Support of_hinges = context.Of(Feature::kLoopRevolute).support;
  const bool holds = of_hinges == Support::kNative || of_hinges == Support::kLowered;
  const bool meant = model.format == context.options.target.format->name ||
                     context.options.target.options.loops.has_value();
  if (holds && meant && context.options.mimic != MimicChoice::kFit) return;
  if (TreeOf(model).loop_joints.empty()) return;
  LoopsToMimics(model, context).Run();
}

}  // namespace kinemorph
