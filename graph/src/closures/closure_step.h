// One step of a closure, and its closed form where it has one.
#pragma once

#include <array>
#include <vector>

#include "closures/closed_forms.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

enum class StepForm {
  kCoupling,
  kParallelogram,
  kOneHinge,  // what the steps before leave open: the rest of the loop follows by itself
  kOneSlider,
  kSerialTriangle,
  kTriangle,
  kHingeThenSlider,
  kSliderThenHinge,
  kHingeAndSlider,
  kLeg,
  kCrankThenRod,
  kRodThenCrank,
  kCrankAndRod,
  kSpherical,      // two hinges on one side that direct the axis of the loop joint
  kSphericalBoth,  // one on each side
  kCrankRodAndHand,
  kNumerical,
};

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A joint of a loop's cycle: turning it by x moves the successor end of the loop joint by sign x.
struct CycleTurn {
  int column = 0;
  double sign = 1;
};

// What a closed form is made of, the unknown joints at zero: in the frame of the known body that
// carries the first of them.
template <class T>
struct ClosureGeometry {
  std::array<closed_forms::Line<T>, 5> line;      // by joint in ClosureStep::order
  closed_forms::Vector<T> tip, target;            // ends of the loop joint: own side, other side
  closed_forms::Vector<T> tip_axis, target_axis;  // its axis there
};

// One loop (or coupling), or several that only go together.
struct ClosureStep {
  StepForm form = StepForm::kNumerical;
  std::vector<int> loops, couplings;
  std::vector<int> unknown;                    // columns
  std::vector<std::vector<CycleTurn>> cycles;  // by loop: all columns of its two paths
  std::vector<int> path;   // positions on the two paths, and what carries them, in tree order
  std::vector<int> moved;  // those of them that an unknown joint moves
  std::vector<int> fresh;  // others that must be placed before, and were not by an earlier step
  std::vector<int> order;  // of the closed form: its joints in the order of its arguments
  std::array<bool, 5> on_other{};  // by joint in `order`: it lies on the other side of the loop
  bool on_successor = true;        // the first of them lies on the successor's path
  std::array<int, 3> sign{1, 1, 1};
  int base = -1, other = -1;  // positions of the known bodies that carry the two sides
  bool constant = false;      // no known joint lies beyond them: `geometry` is all that is needed
  bool noisy = false;         // digits of the frames: Newton has the last word
  ClosureGeometry<double> geometry;
  int leader = -1;                   // parallelogram: the known column
  std::vector<double> coefficients;  // and what the unknown ones make of it: q = shift + c y
  std::vector<double> shifts;
  std::vector<LoopConstraint> joints;  // by loop: as a ball where the rows of its axis say nothing
  std::vector<bool> live;              // by row: some column is not zero at some posture
  std::vector<int> known;              // columns of its rows that are not unknown
  int rows = 0;                        // live ones
  RowMatrix tableau;                   // [K_U | right sides], or what became of it
  std::vector<int> pivots;             // its rows in the order of elimination
  RowMatrix K_known;                   // by `known`, at the last rates
  // Where two or three unknown joints meet in a point, rates need no elimination: what their rates
  // are by a velocity of that point, and by those of the known joints.
  bool pointwise = false;
  int across = 0;   // of two: the axis of the loop's rows across the plane in which they move
  Vector3 meeting;  // that point, from the parent body's origin in its axes
  std::vector<CycleTurn> unknown_turns, known_turns;
  std::array<Vector3, 3> by_point;
  RowMatrix by_known;
};

/// The geometry of a step at a state in which its unknown joints are at zero. `pose(position)`: R
/// and p of a body in the frame of the aggregate's parent, -1 of the parent itself;
/// `line(column)`: the axis of a joint there.
template <class T, class PoseOf, class LineOf>
void MeasureGeometry(const ClosureStep& step, const LoopConstraint& loop, const PoseOf& pose,
                     const LineOf& line, ClosureGeometry<T>& out) {
  using Vector = closed_forms::Vector<T>;
  const auto &X_P = pose(loop.predecessor), &X_S = pose(loop.successor);
  const auto &base = pose(step.base), &other = pose(step.other);
  const auto own_axis = [&](const Vector& a) -> Vector { return base.R.transpose() * a; };
  const auto own = [&](const Vector& p) -> Vector { return base.R.transpose() * (p - base.p); };
  const auto its_axis = [&](const Vector& a) -> Vector { return other.R.transpose() * a; };
  const auto its = [&](const Vector& p) -> Vector { return other.R.transpose() * (p - other.p); };
  for (std::size_t i = 0; i < step.order.size(); ++i) {
    const closed_forms::Line<T> here = line(step.order[i]);
    if (step.on_other[i])
      out.line[i] = {its_axis(here.direction), its(here.point)};
    else
      out.line[i] = {own_axis(here.direction), own(here.point)};
  }
  // Crosses: both hinges through the one point.
  const auto cross = [&](std::size_t i) {
    out.line[i].point = out.line[i + 1].point =
        closed_forms::Meeting<T>(out.line[i], out.line[i + 1]);
  };
  if (step.form == StepForm::kCrankThenRod || step.form == StepForm::kCrankAndRod ||
      step.form == StepForm::kCrankRodAndHand)
    cross(1);
  if (step.form == StepForm::kRodThenCrank) cross(0);
  const Vector F = X_P.R * loop.X_PF.p.cast<T>() + X_P.p, M = X_S.R * loop.X_SM.p.cast<T>() + X_S.p;
  const Vector z_F = X_P.R * loop.R_PB.col(2).cast<T>(), z_M = X_S.R * loop.R_SB.col(2).cast<T>();
  out.tip = own(step.on_successor ? M : F), out.target = its(step.on_successor ? F : M);
  out.tip_axis = own_axis(step.on_successor ? z_M : z_F);
  out.target_axis = its_axis(step.on_successor ? z_F : z_M);
}

/// The unknown joints of a step, in the order of `step.order`, by its closed form at `at`.
/// `guess`: by joint, where the branch is that near a guess; null: the branches are the step's.
/// False where numbers are out of reach.
template <class T, class PoseOf>
bool SolveClosedForm(const ClosureStep& step, const ClosureGeometry<T>& at, const PoseOf& pose,
                     const std::array<T, 5>* guess, std::array<T, 5>& x) {
  using Vector = closed_forms::Vector<T>;
  using Line = closed_forms::Line<T>;
  // The other side as seen from the base.
  const bool apart = step.base != step.other;
  const auto direction = [&](const Vector& own) -> Vector {
    if (!apart) return own;
    const Vector there = pose(step.other).R * own;
    return step.base < 0 ? there : Vector(pose(step.base).R.transpose() * there);
  };
  const auto point = [&](const Vector& own) -> Vector {
    if (!apart) return own;
    const auto& other = pose(step.other);
    const Vector there = other.R * own + other.p;
    if (step.base < 0) return there;
    const auto& base = pose(step.base);
    return base.R.transpose() * (there - base.p);
  };
  const auto line = [&](std::size_t i) -> Line {
    const Line& own = at.line[i];
    return step.on_other[i] ? Line{direction(own.direction), point(own.point)} : own;
  };
  const auto branch = [&](std::size_t sign, std::size_t joint) {
    return closed_forms::Branch<T>{step.sign[sign], guess == nullptr ? nullptr : &(*guess)[joint]};
  };
  const auto two = [&](const auto& found, std::size_t first = 0) {
    if (found) x[first] = found->first, x[first + 1] = found->second;
    return found.has_value();
  };
  const auto three = [&](const auto& found) {
    if (found) x[2] = found->third;
    return two(found);
  };
  const Vector &tip = at.tip, target = point(at.target);
  switch (step.form) {
    case StepForm::kOneHinge: {
      const Line hinge = line(0);
      x[0] = closed_forms::AngleAbout<T>(hinge.direction, tip - hinge.point, target - hinge.point);
      return true;
    }
    case StepForm::kOneSlider:
      x[0] = line(0).direction.dot(target - tip);
      return true;
    case StepForm::kSerialTriangle:
      return two(closed_forms::SerialTriangle<T>(line(0), line(1), tip, target, branch(0, 0)));
    case StepForm::kTriangle:
      return two(closed_forms::Triangle<T>(line(0), line(1), tip, target, branch(0, 0)));
    case StepForm::kHingeThenSlider:
      return two(
          closed_forms::HingeThenSlider<T>(line(0), line(1).direction, tip, target, branch(0, 1)));
    case StepForm::kSliderThenHinge:
      return two(
          closed_forms::SliderThenHinge<T>(line(0).direction, line(1), tip, target, branch(0, 0)));
    case StepForm::kHingeAndSlider:
      return two(
          closed_forms::HingeAndSlider<T>(line(0), line(1).direction, tip, target, branch(0, 1)));
    case StepForm::kLeg:
      return three(closed_forms::Leg<T>(line(0), line(1), line(2).direction, tip, target,
                                        branch(0, 0), branch(1, 2)));
    case StepForm::kCrankThenRod:
      return three(closed_forms::CrankThenRod<T>(line(0), line(1), line(2), tip, target,
                                                 branch(0, 0), branch(1, 2)));
    case StepForm::kRodThenCrank:
      return three(closed_forms::RodThenCrank<T>(line(0), line(1), line(2), tip, target,
                                                 branch(0, 2), branch(1, 1)));
    case StepForm::kCrankAndRod:
      return three(closed_forms::CrankAndRod<T>(line(0), line(1), line(2), tip, target,
                                                branch(0, 0), branch(1, 2)));
    case StepForm::kSpherical:
      return two(closed_forms::Direct<T>(line(0).direction, line(1).direction, at.tip_axis,
                                         direction(at.target_axis), branch(0, 1)));
    case StepForm::kSphericalBoth:
      return two(closed_forms::DirectBoth<T>(line(0).direction, line(1).direction, at.tip_axis,
                                             direction(at.target_axis), branch(0, 0)));
    case StepForm::kCrankRodAndHand: {
      const std::array<Line, 3> rod{line(0), line(1), line(2)};
      return three(closed_forms::CrankThenRod<T>(rod[0], rod[1], rod[2], tip, target, branch(0, 0),
                                                 branch(1, 2))) &&
             two(closed_forms::Hand<T>(rod, {x[0], x[1], x[2]}, line(3), line(4), at.tip_axis,
                                       direction(at.target_axis), !step.on_other[3], branch(2, 4)),
                 3);
    }
    case StepForm::kCoupling:
    case StepForm::kParallelogram:
    case StepForm::kNumerical:
      return false;
  }
  return false;
}

}  // namespace kinemorph
