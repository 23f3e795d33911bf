// Which closed form a step has, and what it gives.
#include <algorithm>
#include <cmath>
#include <optional>

#include "mechanics/body_kinematics.h"
#include "mechanics/closed_forms.h"
#include "mechanics/closure_sequence.h"

namespace kinemorph {
namespace {

using closed_forms::Line;

constexpr double kParallel = 1e-5;  // rad: what digits of a file leave of parallel or square axes
constexpr double kSame = 1e-6;      // of the branch that a posture lies on

std::string_view NameOf(StepForm form) {
  switch (form) {
    case StepForm::kCoupling:
      return "coupling";
    case StepForm::kParallelogram:
      return "parallelogram";
    case StepForm::kSerialTriangle:
    case StepForm::kTriangle:
      return "triangle";
    case StepForm::kHingeThenSlider:
    case StepForm::kSliderThenHinge:
    case StepForm::kHingeAndSlider:
      return "slider";
    case StepForm::kLeg:
      return "leg";
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
  if (!scalar_) out.detail += ", among them a ball or free joint";
  return out;
}

bool ClosureSequence::IsLinear(const ClosureStep& step) const {
  if (step.form != StepForm::kCoupling) return false;
  const auto& terms = g_.couplings[At(step.couplings.front())].terms;
  return std::all_of(terms.begin(), terms.end(), [](const auto& term) {
    return term.c[1] == 0 && term.c[2] == 0 && term.c[3] == 0;
  });
}

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
  if (IsParallelogram(step)) return;
  ClosureStep trial = step;
  if (!Arrange(trial)) return;
  std::optional<ClosureStep> found;
  for (const int sign1 : {1, -1}) {
    for (const int sign2 : {1, -1}) {
      if (sign2 < 0 && trial.form != StepForm::kLeg) continue;
      trial.sign1 = sign1, trial.sign2 = sign2;
      if (!Returns(trial, s_.postures.front())) continue;
      if (found) return;  // a dead centre: the branch cannot be told
      found = trial;
    }
  }
  if (!found) return;
  for (const Eigen::VectorXd& posture : s_.postures) {
    if (!Returns(*found, posture)) return;
  }
  step = *found;
}

bool ClosureSequence::Returns(const ClosureStep& step, const Eigen::VectorXd& posture) {
  Eigen::VectorXd q = posture;
  for (const int c : step.unknown) Q(q, c) = 0;
  UpdateAll(q, nullptr);
  if (!ClosedForm(step, q)) return false;
  return std::all_of(step.unknown.begin(), step.unknown.end(), [&](int c) {
    return std::abs(Q(q, c) - posture[q_of_[At(c)]]) <= kSame * Unit(c);
  });
}

bool ClosureSequence::Arrange(ClosureStep& step) {
  const LoopConstraint& loop = g_.loops[At(step.loops.front())];
  if (!std::holds_alternative<Revolute>(loop.kind) && !std::holds_alternative<Ball>(loop.kind))
    return false;
  UpdateAll(reference_, nullptr);
  std::vector<int> before, after;  // unknown columns on the predecessor's and successor's path
  for (const CycleTurn& turn : step.cycles.front()) {
    if (std::find(step.unknown.begin(), step.unknown.end(), turn.column) != step.unknown.end())
      (turn.sign < 0 ? before : after).push_back(turn.column);
  }
  for (const int c : step.unknown)
    if (!IsHinge(c) && !Is<Prismatic>(c)) return false;
  const auto direction = [&](int c) -> Vector3 {
    return IsHinge(c) ? kinematics_.S.col(c).head<3>() : kinematics_.S.col(c).tail<3>();
  };
  const auto parallel = [&](int a, int b) {
    return direction(a).cross(direction(b)).norm() <= kParallel;
  };
  const auto square = [&](int a, int b) {
    return std::abs(direction(a).dot(direction(b))) <= kParallel;
  };
  const bool one_side = before.empty() || after.empty();
  step.on_successor = before.empty();
  const std::vector<int>& side = before.empty() ? after : before;
  if (one_side && side.size() == 3 && IsHinge(side[0]) && IsHinge(side[1]) && !IsHinge(side[2]) &&
      square(side[1], side[2]) && !parallel(side[0], side[1])) {
    step.form = StepForm::kLeg, step.order = side;
    return true;
  }
  if (step.unknown.size() != 2) return false;
  if (one_side) {
    step.order = side;
    if (IsHinge(side[0]) && IsHinge(side[1]) && parallel(side[0], side[1]))
      step.form = StepForm::kSerialTriangle;
    else if (IsHinge(side[0]) && !IsHinge(side[1]) && square(side[0], side[1]))
      step.form = StepForm::kHingeThenSlider;
    else if (!IsHinge(side[0]) && IsHinge(side[1]) && square(side[0], side[1]))
      step.form = StepForm::kSliderThenHinge;
    else
      return false;
    return true;
  }
  if (IsHinge(before[0]) && IsHinge(after[0]) && parallel(before[0], after[0])) {
    step.form = StepForm::kTriangle, step.order = {before[0], after[0]}, step.on_successor = false;
    return true;
  }
  const int hinge = IsHinge(before[0]) ? before[0] : after[0];
  const int slide = IsHinge(before[0]) ? after[0] : before[0];
  if (!IsHinge(hinge) || IsHinge(slide) || !square(hinge, slide)) return false;
  step.form = StepForm::kHingeAndSlider, step.order = {hinge, slide};
  step.on_successor = hinge == after[0];
  return true;
}

bool ClosureSequence::IsParallelogram(ClosureStep& step) {
  if (step.unknown.size() != 2) return false;
  int leader = -1;
  for (const CycleTurn& turn : step.cycles.front()) {
    if (!IsHinge(turn.column)) return false;
    const bool unknown =
        std::find(step.unknown.begin(), step.unknown.end(), turn.column) != step.unknown.end();
    if (unknown) continue;
    if (leader >= 0) return false;
    leader = turn.column;
  }
  if (leader < 0) return false;
  std::vector<double> coefficients;
  for (const int c : step.unknown) {
    std::optional<double> coefficient;
    for (const double one : {1.0, -1.0}) {
      double moved = 0, wrong = 0;
      for (const Eigen::VectorXd& posture : s_.postures) {
        const double y = posture[q_of_[At(leader)]] - Reference(leader);
        moved = std::max(moved, std::abs(y));
        wrong = std::max(wrong, std::abs(posture[q_of_[At(c)]] - Reference(c) - one * y));
      }
      if (moved > 0.01 && wrong <= kSame) coefficient = one;
    }
    if (!coefficient) return false;
    coefficients.push_back(*coefficient);
  }
  step.form = StepForm::kParallelogram, step.leader = leader, step.coefficients = coefficients;
  return true;
}

bool ClosureSequence::ClosedForm(const ClosureStep& step, Eigen::VectorXd& q) {
  const LoopConstraint& loop = g_.loops[At(step.loops.front())];
  const RigidTransform none;
  const auto X = [&](int i) -> const RigidTransform& {
    return i < 0 ? none : kinematics_.X[At(i)];
  };
  const Vector3 p_F = X(loop.predecessor) * loop.X_PF.p, p_M = X(loop.successor) * loop.X_SM.p;
  const Vector3 &tip = step.on_successor ? p_M : p_F, &target = step.on_successor ? p_F : p_M;
  const auto hinge = [&](int i) {
    const Vector6 S = kinematics_.S.col(step.order[At(i)]);
    return Line{S.head<3>(), Vector3(S.head<3>().cross(S.tail<3>()))};
  };
  const auto slide = [&](int i) { return Vector3(kinematics_.S.col(step.order[At(i)]).tail<3>()); };
  const auto set = [&](const auto& found) {
    if (!found || !std::isfinite(found->first) || !std::isfinite(found->second)) return false;
    Q(q, step.order[0]) = found->first, Q(q, step.order[1]) = found->second;
    return true;
  };
  switch (step.form) {
    case StepForm::kSerialTriangle:
      return set(closed_forms::SerialTriangle(hinge(0), hinge(1), tip, target, step.sign1));
    case StepForm::kTriangle:
      return set(closed_forms::Triangle(hinge(0), hinge(1), tip, target, step.sign1));
    case StepForm::kHingeThenSlider:
      return set(closed_forms::HingeThenSlider(hinge(0), slide(1), tip, target, step.sign1));
    case StepForm::kSliderThenHinge:
      return set(closed_forms::SliderThenHinge(slide(0), hinge(1), tip, target, step.sign1));
    case StepForm::kHingeAndSlider:
      return set(closed_forms::HingeAndSlider(hinge(0), slide(1), tip, target, step.sign1));
    case StepForm::kLeg: {
      const auto found =
          closed_forms::Leg(hinge(0), hinge(1), slide(2), tip, target, step.sign1, step.sign2);
      if (!set(found)) return false;
      Q(q, step.order[2]) = found->third;
      return std::isfinite(found->third);
    }
    case StepForm::kCoupling:
    case StepForm::kParallelogram:
    case StepForm::kNumerical:
      return false;
  }
  return false;
}

}  // namespace kinemorph
