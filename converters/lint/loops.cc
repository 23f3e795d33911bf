// Loops that cannot close, or that nothing moves.
#include <algorithm>
#include <cmath>
#include <set>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/stuck_coordinates.h"
#include "lint/rules.h"

namespace kinemorph::lint {
namespace {

constexpr double kOpen = 1e-3;      // lengths over the robot's, and rad
constexpr double kParallel = 1e-2;  // sine of the angle between lines that are meant to be parallel
constexpr double kMeantAlike = 1e-2;  // what a motion leaves open, over what cancels in it

// A line about which a revolute joint of an aggregate turns, in the aggregate's parent body.
struct TurnAxis {
  Vector3 line;
  std::string joint, link;
  SourceLocation where;
};

// For a loop that does not work, the axis that is wrong by 90 degrees is the usual cause (an
// exporter's frame, or an axis in the other frame). Axes of all hinges of the cluster, at q, in
// axes of one body; a loop joint has two, as each link says its own, and they differ where the loop
// is open.
std::vector<TurnAxis> TurnAxes(const Model& model, const Mechanism& m, const Aggregate& aggregate,
                               const Eigen::VectorXd& q) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), nullptr, joints);
  AggregateKinematics kinematics;
  kinematics.Resize(aggregate);
  ComputeAggregateKinematics(m, aggregate, joints, nullptr, kinematics);
  std::vector<TurnAxis> axes;
  for (std::size_t i = 0; i < aggregate.bodies.size(); ++i) {
    const Body& body = m.bodies[static_cast<std::size_t>(aggregate.bodies[i])];
    if (!std::holds_alternative<Revolute>(body.kind)) continue;
    const Joint& joint = model.joint(body.joint);
    axes.push_back({kinematics.S.col(aggregate.column[i]).head<3>().normalized(), joint.name,
                    body.name, joint.where});
  }
  const auto rotation = [&](int position) {
    // Position -1 is the parent body itself.
    return position < 0 ? Matrix3(Matrix3::Identity())
                        : kinematics.X[static_cast<std::size_t>(position)].R;
  };
  for (const LoopConstraint& loop : aggregate.loops) {
    if (!std::holds_alternative<Revolute>(loop.kind)) continue;
    const SourceLocation where = model.joint(loop.joint).where;
    const auto& link = [&](LinkId id) { return model.link(id).name; };
    axes.push_back({rotation(loop.predecessor) * loop.R_PB.col(2), loop.name,
                    link(model.predecessor(loop.joint)), where});
    axes.push_back({rotation(loop.successor) * loop.R_SB.col(2), loop.name,
                    link(model.successor(loop.joint)), where});
  }
  return axes;
}

// The one axis that stands across all others, which are parallel and at least three.
const TurnAxis* Odd(const std::vector<TurnAxis>& axes) {
  for (const TurnAxis& odd : axes) {
    std::vector<const TurnAxis*> others;
    for (const TurnAxis& axis : axes)
      if (axis.joint != odd.joint) others.push_back(&axis);
    if (others.size() < 3) continue;
    const bool parallel = std::all_of(others.begin(), others.end(), [&](const TurnAxis* axis) {
      return axis->line.cross(others.front()->line).norm() < kParallel;
    });
    if (parallel && std::abs(odd.line.dot(others.front()->line)) < kParallel) return &odd;
  }
  return nullptr;
}

bool HoldsAFreeBody(const Mechanism& m, const Aggregate& aggregate) {
  return std::any_of(aggregate.bodies.begin(), aggregate.bodies.end(), [&](int body) {
    return std::holds_alternative<Free>(m.bodies[static_cast<std::size_t>(body)].kind);
  });
}

// ODE holds a joint softly by its constraint force mixing (SDFormat `<physics><ode><cfm>`): by much
// of it hardly at all, as a differential by friction alone. It gives way where it would lock.
bool GivesWay(const Joint& joint) {
  constexpr double kSoft = 1e-3;
  bool gives = false;
  for (const NativeData& data : joint.native) {
    ForEachIn(data.content, [&](const NativeElement& element) {
      const NativeElement* const cfm = element.name == "ode" ? element.Child("cfm") : nullptr;
      double value = 0;
      if (cfm == nullptr) return;
      const std::string_view text = cfm->Text();
      ParseDouble(text.data(), text.data() + text.size(), value);
      gives = gives || value > kSoft;
    });
  }
  return gives;
}

bool AnyGivesWay(const Model& model, const Mechanism& m, const Aggregate& aggregate) {
  return std::any_of(
             aggregate.loops.begin(), aggregate.loops.end(),
             [&](const LoopConstraint& loop) { return GivesWay(model.joint(loop.joint)); }) ||
         std::any_of(aggregate.bodies.begin(), aggregate.bodies.end(), [&](int body) {
           const JointId joint = m.bodies[static_cast<std::size_t>(body)].joint;
           return joint != kNoJoint && GivesWay(model.joint(joint));
         });
}

// Bodies that only slide, held by balls: pinned where they are, as the corner of a flag.
bool PinsWhatSlides(const Mechanism& m, const Aggregate& aggregate) {
  return std::all_of(aggregate.bodies.begin(), aggregate.bodies.end(),
                     [&](int body) {
                       const JointKind& kind = m.bodies[static_cast<std::size_t>(body)].kind;
                       return std::holds_alternative<Prismatic>(kind) ||
                              std::holds_alternative<Fixed>(kind);
                     }) &&
         std::all_of(
             aggregate.loops.begin(), aggregate.loops.end(),
             [](const LoopConstraint& each) { return std::holds_alternative<Ball>(each.kind); });
}

// Whether the loop and the couplings of an aggregate mean the same motion and only its numbers, given
// with few digits, lock it: the motion that opens the loop least opens it by a small share of how
// far its links go, as drawn and from there on.
bool MeanTheSameMotion(const Mechanism& m, ClosureSolver& solver, int aggregate,
                       Eigen::VectorXd q) {
  constexpr double kFarther = 0.2;  // rad, and characteristic lengths
  const std::vector<int>& velocity = m.aggregates[static_cast<std::size_t>(aggregate)].velocity;
  // At the drawn posture, and 0.2 away along the motion itself: what closes only in first order (a
  // dead centre, a locked triangle) shows at the second look. The right singular vector of the
  // least singular value is the motion; |K| |v| is what would be left if nothing cancelled.
  for (int i = 0; i < 2; ++i) {
    const Eigen::MatrixXd K = solver.ScaledK(aggregate, q);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(K, Eigen::ComputeFullV);
    const Eigen::VectorXd motion = svd.matrixV().col(K.cols() - 1);
    if ((K * motion).norm() > kMeantAlike * (K.cwiseAbs() * motion.cwiseAbs()).norm()) return false;
    Eigen::VectorXd v = Eigen::VectorXd::Zero(m.nv);
    for (std::size_t c = 0; c < velocity.size(); ++c) {
      const int at = velocity[c];
      // K is scaled, lengths by the characteristic length: back to metres for slides.
      v[at] = motion[static_cast<Eigen::Index>(c)] *
              (solver.linear()[static_cast<std::size_t>(at)] ? m.length : 1);
    }
    q = m.Integrate(q, v, kFarther);
  }
  return true;
}

void SayWelded(const std::string& subject, SourceLocation where, int freedoms, const Words& words) {
  words.Say(
      Severity::kWarning, "lint-loop-locked", where,
      {subject, "it is fixed and locks its loop: of " +
                    Counted(static_cast<std::size_t>(freedoms), "freedom") + " it leaves none"},
      "a loop joint that moves is a hinge or a ball; fix the joints of the loop if it "
      "must not move");
}

std::string Across(const TurnAxis& axis) {
  return "the axis of joint '" + axis.joint + "' on link '" + axis.link +
         "' is perpendicular to all others: turn the axis, or its frame, by 90 degrees";
}

// What the author says must be as many as the robot moves in, and determine the rest.
void SayDeclarations(const Model& model, const Coordinates& coordinates, const Words& words) {
  if (!coordinates.assembles || !coordinates.declared || coordinates.independent_ok ||
      coordinates.at_fault.empty())
    return;
  // "joint", or "joint[0]" of several coordinates.
  const std::string& first = coordinates.at_fault.front();
  const std::optional<JointId> id = model.FindJoint(first.substr(0, first.find('[')));
  const std::size_t others = coordinates.at_fault.size() - 1;
  words.Say(Severity::kWarning, "lint-independent", id ? model.joint(*id).where : SourceLocation(),
            {"joint", first,
             "its declaration is wrong" +
                 (others == 0 ? "" : ", as are those of " + std::to_string(others) + " others") +
                 ": " + std::to_string(coordinates.mobility) + " coordinates are free, and " +
                 std::to_string(coordinates.independent_declared) + " are declared independent"},
            "a joint is dependent if a loop, coupling or mimic determines it: is one missing? "
            "`kinemorph inspect` shows a choice that works");
}

// Rank and mobility count what moves at first order only, and so do equations of motion.
void SayStuck(const Model& model, const std::vector<std::string>& stuck, const Words& words) {
  for (const std::string& name : stuck) {
    const std::optional<JointId> id = model.FindJoint(name.substr(0, name.find('[')));
    words.Say(Severity::kWarning, "lint-loop-stuck", id ? model.joint(*id).where : SourceLocation(),
              {"joint", name,
               "its loops stand at a dead centre in every posture: the joint cannot move, and "
               "mobility and accelerations count it as one that can"},
              "correct the lengths of the links: two bars may be exactly as long as the third");
  }
}

// How many joints of a cluster are among `locked`, by joint.
std::size_t LockedIn(const Mechanism& m, const Aggregate& aggregate,
                     const std::vector<bool>& locked) {
  return static_cast<std::size_t>(std::ranges::count_if(aggregate.bodies, [&](int body) {
    const JointId joint = m.bodies[static_cast<std::size_t>(body)].joint;
    return joint != kNoJoint && locked[Index(joint)];
  }));
}

// The joint that is farthest beyond its limits where the loop closes, at q.
void SayBeyondLimits(const Model& model, const Mechanism& m, const Aggregate& aggregate,
                     const Eigen::VectorXd& q, std::size_t held, const Words& words) {
  JointId worst = kNoJoint;
  double farthest = 0, at = 0, lower = 0, upper = 0;
  for (const int b : aggregate.bodies) {
    const Body& body = m.bodies[static_cast<std::size_t>(b)];
    if (body.joint == kNoJoint || body.nq != body.nv) continue;
    for (int i = 0; i < body.nv; ++i) {
      const auto v = static_cast<std::size_t>(body.v + i);
      const double beyond = std::max(m.lower[v] - q[body.q + i], q[body.q + i] - m.upper[v]);
      if (m.lower[v] > m.upper[v] || beyond <= farthest) continue;
      worst = body.joint, farthest = beyond;
      at = q[body.q + i], lower = m.lower[v], upper = m.upper[v];
    }
  }
  if (worst == kNoJoint) return;
  const Joint& joint = model.joint(worst);
  words.Say(
      Severity::kWarning, "lint-loop-limits", joint.where,
      {"joint",
       joint.name,
       "its loop closes in no posture that was found within the limits: the joint would stand at " +
           Brief(at) + ", and its limits are " + Brief(lower) + " and " + Brief(upper),
       {{"position", at}, {"lower", lower}, {"upper", upper}}},
      held > 0
          ? "first mend lint-limits-absent: " + Counted(held, "joint") + " of the loop cannot move"
          : "widen the limits, or correct the frames of the loop");
}

}  // namespace

// A loop is judged by its cluster: whether it closes at all (then its parts' other findings mean
// nothing), whether a weld locks it, and whether anything is left to move. What is locked on
// purpose or in appearance only is passed over: pins of sliders, joints that ODE holds softly,
// couplings that say nearly the same motion as the loop.
void LintLoops(const RobotFacts& robot, const Diagnostics& reading, const Words& words) {
  const Model& model = robot.model;
  // A side-car that names motors says nothing of the other joints.
  bool declares = false;
  for (const JointId id : Joints(model))
    declares = declares || model.joint(id).independent == false;
  if (robot.tree.loop_joints.empty() && !declares) return;
  const Mechanism m =
      Compile(model, robot.tree, BuildLoopAggregatedConnectivityGraph(model, robot.tree));
  const Coordinates coordinates = AnalyseCoordinates(m);
  // Who declares a joint dependent that cannot move is right.
  const std::vector<std::string> stuck = StuckCoordinates(m, coordinates);
  if (declares && stuck.empty()) SayDeclarations(model, coordinates, words);
  SayStuck(model, stuck, words);
  std::vector<bool> locked(model.num_joints(), false);  // by a limit that is missing
  for (const JointId id : LockedByAbsence(model, reading)) locked[Index(id)] = true;
  ClosureSolver solver(m);
  const Eigen::VectorXd zero = m.ZeroPosition();
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const Aggregate& aggregate = m.aggregates[a];
    const AggregateCoordinates& c = coordinates.aggregates[a];
    if (aggregate.loops.empty()) continue;
    const LoopConstraint& loop = aggregate.loops.front();
    const SourceLocation where = model.joint(loop.joint).where;
    const std::string subject = About("loop joint", loop.name);
    const double gap = solver.Residual(static_cast<int>(a), zero);

    // Open as drawn, and no posture from there closes it: an error, as every conversion would carry
    // it on. Lengths are over the robot's size, so that 1e-3 is a millimetre per metre of robot.
    if (!c.closes && gap > kOpen) {
      const std::vector<TurnAxis> axes = TurnAxes(model, m, aggregate, zero);
      const TurnAxis* const odd = Odd(axes);
      const double least = std::min(gap, c.residual);  // a closure may end farther away
      const std::size_t held = LockedIn(m, aggregate, locked);
      words.Say(Severity::kError, "lint-loop-open", where,
                {subject,
                 "the loop cannot close: its ends are " + Brief(gap) +
                     " apart as drawn (1 is the size of the robot, or 1 rad), and in no posture "
                     "less than " +
                     Brief(least),
                 {{"gap", gap}, {"least_gap", least}}},
                held > 0 ? "first mend the limits: " + Counted(held, "joint") +
                               " of the loop cannot move, because of lint-limits-absent"
                : odd != nullptr
                    ? Across(*odd)
                    : "correct the frames of the loop joint, or the lengths of the links");
      continue;
    }
    if (c.beyond_limits > 0)
      SayBeyondLimits(model, m, aggregate, coordinates.assembled, LockedIn(m, aggregate, locked),
                      words);
    const bool welded = std::any_of(
        aggregate.loops.begin(), aggregate.loops.end(),
        [](const LoopConstraint& each) { return std::holds_alternative<Fixed>(each.kind); });
    // nv = 0: all joints of it are fixed, and nothing was to move.
    if (c.mobility > 0 || c.nv == 0) continue;
    if (welded) {
      // A weld is meant to hold a free body; one that locks the joints of a loop is not.
      if (!HoldsAFreeBody(m, aggregate)) SayWelded(subject, where, c.nv, words);
      continue;
    }
    if (PinsWhatSlides(m, aggregate) || AnyGivesWay(model, m, aggregate)) continue;
    if (!aggregate.couplings.empty() &&
        MeanTheSameMotion(m, solver, static_cast<int>(a), coordinates.assembled))
      continue;

    // The reason, if one axis tells it; else what kind of remedy there is.
    const std::vector<TurnAxis> axes = TurnAxes(model, m, aggregate, coordinates.assembled);
    if (const TurnAxis* const odd = Odd(axes)) {
      words.Say(Severity::kWarning, "lint-loop-axis", odd->where,
                {"joint", odd->joint,
                 "its axis is perpendicular to the other axes of its loop, which locks the loop"},
                Across(*odd));
    } else {
      const std::string freedoms = Counted(static_cast<std::size_t>(c.nv), "freedom");
      if (aggregate.couplings.empty())
        words.Say(Severity::kWarning, "lint-loop-locked", where,
                  {subject, "the loop is locked: of " + freedoms + " it leaves none"},
                  std::holds_alternative<Revolute>(loop.kind)
                      ? "use a ball or universal joint instead of a revolute joint, or make the "
                        "axes parallel"
                      : "correct frames, axes and pitches until its joints allow one motion");
      else
        words.Say(Severity::kWarning, "lint-loop-locked", where,
                  {subject, "the loop and the couplings of its joints lock one another: of " +
                                freedoms + " they leave none"},
                  "correct lengths and couplings (mimic, gear) until both say the same motion, or "
                  "leave the couplings out");
    }
  }
}

}  // namespace kinemorph::lint
