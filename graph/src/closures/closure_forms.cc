// Which closed form a step has, and what it gives. Recognise goes through four gates: Arrange
// matches the kinds and axes of the unknown joints against the patterns, Bases finds the known
// bodies that carry the two sides, every choice of signs is tried on the reference posture (the
// assembly mode, which never changes), and the one found must return all other sample postures.
// What fails at a gate stays numerical: no formula is trusted by its pattern alone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "closures/closed_forms.h"
#include "closures/closure_sequence.h"
#include "mechanics/body_kinematics.h"

namespace kinemorph {
namespace {

constexpr double kParallel = 1e-5;  // rad: what digits of a file leave of parallel or square axes
constexpr double kSame = 1e-6;      // of the branch that a posture lies on, and of lengths
constexpr double kClean = 1e-13;    // scaled phi that a closed form leaves of clean frames

int NumSigns(StepForm form) {
  if (form == StepForm::kOneHinge || form == StepForm::kOneSlider) return 0;
  if (form == StepForm::kCrankRodAndHand) return 3;
  const bool two = form == StepForm::kLeg || form == StepForm::kCrankThenRod ||
                   form == StepForm::kRodThenCrank || form == StepForm::kCrankAndRod;
  return two ? 2 : 1;
}

std::string_view NameOf(StepForm form) {
  switch (form) {
    case StepForm::kCoupling:
      return "coupling";
    case StepForm::kParallelogram:
      return "parallelogram";
    case StepForm::kOneHinge:
      return "hinge";
    case StepForm::kOneSlider:
      return "slide";
    case StepForm::kSerialTriangle:
    case StepForm::kTriangle:
      return "triangle";
    case StepForm::kHingeThenSlider:
    case StepForm::kSliderThenHinge:
    case StepForm::kHingeAndSlider:
      return "slider";
    case StepForm::kLeg:
      return "leg";
    case StepForm::kCrankThenRod:
    case StepForm::kRodThenCrank:
    case StepForm::kCrankAndRod:
      return "crank and rod";
    case StepForm::kSpherical:
    case StepForm::kSphericalBoth:
      return "spherical";
    case StepForm::kCrankRodAndHand:
      return "crank, rod and cross";
    case StepForm::kNumerical:
      return "numerical";
  }
  return "";
}

}  // namespace

ClosureDescription ClosureSequence::Describe() const {
  ClosureDescription out;
  bool linear = true, formula = false;
  for (const ClosureStep& step : steps_) {
    out.detail += out.detail.empty() ? "" : " + ";
    if (steps_.size() > 1 || step.form != StepForm::kNumerical) out.detail += NameOf(step.form);
    linear = linear && (step.form == StepForm::kParallelogram || IsLinear(step));
    formula = formula || step.form != StepForm::kNumerical;
    if (step.form != StepForm::kNumerical) continue;
    const std::size_t loops = step.loops.size() + step.couplings.size();
    const std::string size = std::to_string(loops) + (loops == 1 ? " loop, " : " loops, ") +
                             std::to_string(step.unknown.size()) + " unknown";
    out.detail += steps_.size() > 1 ? " (" + size + ")" : size;
  }
  out.nature = linear        ? ClosureNature::kLinear
               : !numerical_ ? ClosureNature::kClosedForm
               : formula     ? ClosureNature::kMixed
                             : ClosureNature::kNumerical;
  if (!explicit_) out.detail += ", among them a part of a ball or free joint";
  return out;
}

bool ClosureSequence::IsLinear(const ClosureStep& step) const {
  if (step.form != StepForm::kCoupling) return false;
  const auto& terms = g_.couplings[At(step.couplings.front())].terms;
  return std::all_of(terms.begin(), terms.end(), [](const auto& term) {
    return term.c[1] == 0 && term.c[2] == 0 && term.c[3] == 0;
  });
}

// A coupling is solved for its unknown coordinate only where that enters linearly: a polynomial has
// several roots, among which Newton keeps the near one.
void ClosureSequence::Recognise(ClosureStep& step) {
  if (step.loops.empty() && step.couplings.size() == 1 && step.unknown.size() == 1) {
    for (const auto& term : g_.couplings[At(step.couplings.front())].terms) {
      if (term.column != step.unknown.front()) continue;
      if (term.c[0] != 0 && term.c[1] == 0 && term.c[2] == 0 && term.c[3] == 0)
        step.form = StepForm::kCoupling;
    }
    return;
  }
  if (step.loops.size() != 1 || !step.couplings.empty()) return;
  if (!nearest_ && IsParallelogram(step)) return;  // it may be crossed near q
  ClosureStep trial = step;
  if (!Arrange(trial)) return;
  Bases(trial);
  // Up to three binary choices (elbow up or down, slider in or out). Exactly one of them has to
  // give the reference back; two that do meet there, and which of them goes on beyond cannot be
  // known.
  std::optional<ClosureStep> found;
  for (int signs = 0; signs < 1 << NumSigns(trial.form); ++signs) {
    for (int i = 0; i < 3; ++i) trial.sign[At(i)] = (signs >> i) % 2 == 0 ? 1 : -1;
    if (!Returns(trial, s_.postures.front())) continue;
    if (found) return;  // a dead centre: the branch cannot be told
    found = trial;
  }
  if (!found) return;
  // Frames of real files agree to six or seven digits. A form that returns the postures, but leaves
  // a phi above round-off, is marked noisy: Newton on the exact rows follows it from then on.
  for (const Eigen::VectorXd& posture : s_.postures) {
    if (!Returns(*found, posture)) return;
    Eigen::VectorXd& q = Opened(step, posture);
    UpdateAll(q);
    Measure(*found, found->geometry);
    ClosedForm(*found, found->geometry, nullptr, q);
    UpdateAll(q);
    found->noisy = found->noisy || !(Gap(step, q) <= kClean);
  }
  // Frames that agree, two or three joints for as many rows, and a loop joint whose axis says
  // nothing more.
  const std::size_t n = step.unknown.size();
  found->pointwise = !found->noisy && (n == 2 || n == 3) && At(step.rows) == n &&
                     std::holds_alternative<Ball>(found->joints.front().kind);
  if (found->pointwise && n == 2) {
    const auto silent = std::find(step.live.begin(), step.live.end(), false);
    found->across = static_cast<int>(silent - step.live.begin());
  }
  for (const CycleTurn& turn : step.cycles.front()) {
    const bool unknown =
        std::find(step.unknown.begin(), step.unknown.end(), turn.column) != step.unknown.end();
    (unknown ? found->unknown_turns : found->known_turns).push_back(turn);
  }
  step = *found;
}

Eigen::VectorXd& ClosureSequence::Opened(const ClosureStep& step, const Eigen::VectorXd& posture) {
  Eigen::VectorXd& q = s_.q;
  for (const int b : g_.bodies) {
    const Body& body = m_.bodies[At(b)];
    q.segment(body.q, body.nq) = posture.segment(body.q, body.nq);
  }
  for (const int c : step.unknown) Q(q, c) = 0;
  return q;
}

bool ClosureSequence::Returns(const ClosureStep& step, const Eigen::VectorXd& posture) {
  Eigen::VectorXd& q = Opened(step, posture);
  UpdateAll(q);
  Measure(step, scratch_);
  if (!ClosedForm(step, scratch_, nullptr, q)) return false;
  return std::all_of(step.unknown.begin(), step.unknown.end(), [&](int c) {
    return std::abs(Q(q, c) - posture[q_of_[At(c)]]) <= kSame * Unit(c);
  });
}

closed_forms::Line<double> ClosureSequence::LineOf(int column) const {
  const Vector6 S = kinematics_.S.col(column);
  if (!IsHinge(column)) return {S.tail<3>(), Vector3::Zero()};
  return {S.head<3>(), S.head<3>().cross(S.tail<3>())};
}

// The patterns. `one`: the unknown joints when all lie on one side, outwards.
bool ClosureSequence::Arrange(ClosureStep& step) {
  const LoopConstraint& loop = g_.loops[At(step.loops.front())];
  const bool hinged = std::holds_alternative<Revolute>(loop.kind);
  if (!hinged && !std::holds_alternative<Ball>(loop.kind)) return false;
  UpdateAll(reference_);
  std::vector<int> before, after;  // unknown columns on the predecessor's and successor's path
  for (const CycleTurn& turn : step.cycles.front()) {
    if (std::find(step.unknown.begin(), step.unknown.end(), turn.column) != step.unknown.end())
      (turn.sign < 0 ? before : after).push_back(turn.column);
  }
  for (const int c : step.unknown)
    if (!IsHinge(c) && !Is<Prismatic>(c)) return false;
  const auto direction = [&](int c) { return LineOf(c).direction; };
  const auto parallel = [&](int a, int b) {
    return direction(a).cross(direction(b)).norm() <= kParallel;
  };
  const auto square = [&](int a, int b) {
    return std::abs(direction(a).dot(direction(b))) <= kParallel;
  };
  const auto meet = [&](int a, int b) {
    return closed_forms::Meet(LineOf(a), LineOf(b), kSame * m_.length);
  };
  const auto kinds = [&](const std::vector<int>& columns) {  // hinges and sliders
    std::string text;
    for (const int c : columns) text += IsHinge(c) ? 'h' : 's';
    return text;
  };
  const auto take = [&](StepForm form, const std::vector<int>& own,
                        const std::vector<int>& others) {
    step.form = form, step.order = own;
    step.order.insert(step.order.end(), others.begin(), others.end());
    for (std::size_t i = own.size(); i < step.order.size(); ++i) step.on_other[i] = true;
    step.on_successor = &own == &after || own == after;
    return true;
  };

  // All unknown joints on one side of the cut: a serial arm whose tip must come to a known target.
  // Otherwise two arms meet at the loop joint.
  if (before.empty() || after.empty()) {
    const std::vector<int>& one = before.empty() ? after : before;
    const std::string kind = kinds(one);
    // These look at two of the loop's rows or one: Newton must agree with the others.
    step.noisy = one.size() == 1;
    if (kind == "h") return take(StepForm::kOneHinge, one, {});
    if (kind == "s") return take(StepForm::kOneSlider, one, {});
    if (kind == "hh" && parallel(one[0], one[1])) return take(StepForm::kSerialTriangle, one, {});
    if (kind == "hs" && square(one[0], one[1])) return take(StepForm::kHingeThenSlider, one, {});
    if (kind == "sh" && square(one[0], one[1])) return take(StepForm::kSliderThenHinge, one, {});
    if (kind == "hh" && hinged && meet(one[0], one[1])) return take(StepForm::kSpherical, one, {});
    if (kind == "hhs" && square(one[1], one[2]) && !parallel(one[0], one[1]))
      return take(StepForm::kLeg, one, {});
    if (kind == "hhh" && meet(one[1], one[2])) return take(StepForm::kCrankThenRod, one, {});
    if (kind == "hhh" && meet(one[0], one[1])) return take(StepForm::kRodThenCrank, one, {});
    if (kind == "hhhhh" && hinged && meet(one[1], one[2]) && meet(one[3], one[4]))
      return take(StepForm::kCrankRodAndHand, one, {});
    return false;
  }

  // `h` hinge, `s` slider, in the order from the parent outwards; the bar stands for the loop
  // joint. Where a pattern begins on the successor's side the roles of the sides are exchanged.
  const std::string kind = kinds(before) + "|" + kinds(after);
  const int a = before.front(), b = after.front();
  if (kind == "h|h" && parallel(a, b)) return take(StepForm::kTriangle, before, after);
  if (kind == "h|h" && hinged && meet(a, b)) return take(StepForm::kSphericalBoth, before, after);
  if (kind == "h|s" && square(a, b)) return take(StepForm::kHingeAndSlider, before, after);
  if (kind == "s|h" && square(a, b)) return take(StepForm::kHingeAndSlider, after, before);
  if (kind == "h|hh" && meet(b, after[1])) return take(StepForm::kCrankAndRod, before, after);
  if (kind == "hh|h" && meet(a, before[1])) return take(StepForm::kCrankAndRod, after, before);
  const auto leg = [&](const std::vector<int>& three, const std::vector<int>& two) {
    return hinged && meet(three[1], three[2]) && meet(two[0], two[1]);
  };
  if (kind == "hhh|hh" && leg(before, after))
    return take(StepForm::kCrankRodAndHand, before, after);
  if (kind == "hh|hhh" && leg(after, before))
    return take(StepForm::kCrankRodAndHand, after, before);
  return false;
}

// The bodies that carry the two sides, and whether only unknown joints follow.
void ClosureSequence::Bases(ClosureStep& step) const {
  const LoopConstraint& loop = g_.loops[At(step.loops.front())];
  step.constant = true;
  // From the parent outwards to the first unknown joint: what is before it is known and carries
  // this side. A known joint beyond it would make the geometry of the arm depend on y.
  const auto side = [&](int end, const std::vector<int>& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const int c = g_.column[At(path[i])];
      const auto at = std::find(step.unknown.begin(), step.unknown.end(), c);
      if (m_.bodies[At(g_.bodies[At(path[i])])].nv == 0 || at == step.unknown.end()) continue;
      for (std::size_t k = i; k < path.size(); ++k) {
        const int nv = m_.bodies[At(g_.bodies[At(path[k])])].nv, column = g_.column[At(path[k])];
        if (nv > 0 &&
            std::find(step.unknown.begin(), step.unknown.end(), column) == step.unknown.end())
          step.constant = false;
      }
      return g_.parent_in[At(path[i])];
    }
    return end;
  };
  const int p = side(loop.predecessor, loop.predecessor_path);
  const int s = side(loop.successor, loop.successor_path);
  step.base = step.on_successor ? s : p, step.other = step.on_successor ? p : s;
}

void ClosureSequence::Measure(const ClosureStep& step, ClosureGeometry<double>& out) const {
  MeasureGeometry(
      step, g_.loops[At(step.loops.front())],
      [&](int position) -> const RigidTransform& { return Pose(position); },
      [&](int column) { return LineOf(column); }, out);
}

bool ClosureSequence::IsParallelogram(ClosureStep& step) {
  const LoopConstraint& loop = g_.loops[At(step.loops.front())];
  const bool hinged = std::holds_alternative<Revolute>(loop.kind);
  if (step.unknown.size() != 2 || (!hinged && !std::holds_alternative<Ball>(loop.kind)))
    return false;
  // Round the loop, from the loop joint on.
  std::vector<CycleTurn> turns;
  for (const CycleTurn& turn : step.cycles.front()) {
    if (turn.sign < 0)
      turns.insert(turns.begin(), turn);
    else
      turns.push_back(turn);
  }
  if (turns.size() != 3) return false;
  for (const CycleTurn& turn : turns)
    if (!IsHinge(turn.column)) return false;

  // Looked at where the mechanism is drawn, flat included: there the two branches meet, and no
  // other posture could tell which one was meant.
  UpdateAll(s_.assembled);
  const RigidTransform& X_P = Pose(loop.predecessor);
  const Vector3 n = LineOf(turns.front().column).direction;
  if (hinged && n.cross(X_P.R * loop.R_PB.col(2)).norm() > kParallel) return false;
  std::array<Vector3, 4> corner{X_P * loop.X_PF.p};
  std::array<double, 3> sense{};  // of turning the rest of the loop about n
  for (std::size_t i = 0; i < 3; ++i) {
    const closed_forms::Line<double> line = LineOf(turns[i].column);
    if (n.cross(line.direction).norm() > kParallel) return false;
    corner[i + 1] = line.point;
    sense[i] = turns[i].sign * (n.dot(line.direction) > 0 ? 1 : -1);
  }
  // Four sides across n. Opposite ones add to nothing in the parallelogram; in the crossed posture
  // of the same lengths they do not. A side of no length would make the angles free.
  std::array<Vector3, 4> side;
  double longest = 0, shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector3 to_next = corner[(i + 1) % 4] - corner[i];
    side[i] = to_next - n * n.dot(to_next);
    longest = std::max(longest, side[i].norm()), shortest = std::min(shortest, side[i].norm());
  }
  if (shortest <= 1e-3 * longest || (side[0] + side[2]).norm() > kSame * longest ||
      (side[1] + side[3]).norm() > kSame * longest)
    return false;
  // Opposite sides keep their directions: neighbouring hinges turn against each other.
  std::size_t known = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::find(step.unknown.begin(), step.unknown.end(), turns[i].column) == step.unknown.end())
      known = i;
  }
  if (known == 3) return false;
  step.form = StepForm::kParallelogram, step.leader = turns[known].column;
  step.coefficients.clear(), step.shifts.clear();
  for (const int c : step.unknown) {
    const auto at =
        std::find_if(turns.begin(), turns.end(), [&](auto& t) { return t.column == c; });
    const std::size_t i = static_cast<std::size_t>(at - turns.begin());
    const double ratio = ((i + known) % 2 == 0 ? 1 : -1) * sense[known] * sense[i];
    step.coefficients.push_back(ratio);
    // The offset keeps the assembled posture exact, wherever its joints have their zeros.
    step.shifts.push_back(s_.assembled[q_of_[At(c)]] -
                          ratio * s_.assembled[q_of_[At(step.leader)]]);
  }
  return true;
}

bool ClosureSequence::ClosedForm(const ClosureStep& step, const ClosureGeometry<double>& geometry,
                                 const std::array<double, 5>* guess, Eigen::VectorXd& q) {
  std::array<double, 5> x{};
  const auto pose = [&](int position) -> const RigidTransform& { return Pose(position); };
  if (!SolveClosedForm(step, geometry, pose, guess, x)) return false;
  bool finite = true;
  for (std::size_t i = 0; i < step.order.size(); ++i) {
    const int c = step.order[i];
    // Formulas give angles within one turn; a motion may have gone round several times.
    if (IsHinge(c)) {  // of all turns the nearest
      const double near = guess == nullptr ? Reference(c) : (*guess)[i], from = x[i] - near;
      if (std::abs(from) > std::numbers::pi)
        x[i] = near + std::remainder(from, 2 * std::numbers::pi);
    }
    Q(q, c) = x[i];
    finite = finite && std::isfinite(x[i]);
  }
  return finite;
}

}  // namespace kinemorph
