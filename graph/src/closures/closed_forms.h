// Closed forms of single loops. All vectors in one frame, with the unknown joints at zero; angles and
// lengths are what the joints must have. What is out of reach gives nothing.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "base/scalar.h"
#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::closed_forms {

template <class T>
using Vector = Eigen::Matrix<T, 3, 1>;

template <class T>
struct Line {
  Vector<T> direction, point;  ///< unit; of a slider the point does not matter
};

/// Two unknown coordinates.
template <class T>
struct Pair {
  T first = 0, second = 0;
};
template <class T>
struct Triple {
  T first = 0, second = 0, third = 0;
};

/// Which of two solutions: that of a sign, or the one on the same side as a guess of its joint.
template <class T>
struct Branch {
  int sign = 1;
  const T* guess = nullptr;
  /// `score` of a joint's value has the sign of the solution near it.
  template <class Score>
  [[nodiscard]] T Sign(const Score& score) const {
    return guess == nullptr ? T(sign) : T(2) * Greater(score(*guess), T(0)) - T(1);
  }
};

/// Turn about n that takes a's part across n to that of b.
template <class T>
[[nodiscard]] T AngleAbout(const Vector<T>& n, const Vector<T>& a, const Vector<T>& b) {
  return ArcTangent(n.dot(a.cross(b)), a.dot(b) - n.dot(a) * n.dot(b));
}

template <class T>
[[nodiscard]] Vector<T> Across(const Vector<T>& n, const Vector<T>& a) {
  return a - n * n.dot(a);
}

/// Square root of what may be below zero by a share 1e-12 of `scale`: round-off is not out of
/// reach.
template <class T>
[[nodiscard]] std::optional<T> RootOf(const T& square, const T& scale) {
  constexpr double kRoundOff = -1e-12;
  if (!(square >= kRoundOff * scale)) return std::nullopt;
  return Root(std::max(T(0), square));
}

/// A turn by its sine and cosine.
template <class T>
struct Turn {
  T sine = 0, cosine = 1;
  [[nodiscard]] T Angle() const { return ArcTangent(sine, cosine); }
  /// Of a about n.
  [[nodiscard]] Vector<T> Of(const Vector<T>& n, const Vector<T>& a) const {
    return a * cosine + n.cross(a) * sine + n * (n.dot(a) * (T(1) - cosine));
  }
  [[nodiscard]] Turn Back() const { return {-sine, cosine}; }
};

/// A cos q + B sin q = C.
template <class T>
[[nodiscard]] std::optional<Turn<T>> Solve(const T& A, const T& B, const T& C,
                                           const Branch<T>& branch) {
  const T square = A * A + B * B;
  if (!(square > 0)) return std::nullopt;
  const auto distance = RootOf<T>(square - C * C, square);
  if (!distance) return std::nullopt;
  const T root = *distance * branch.Sign([&](const T& q) { return A * Sine(q) - B * Cosine(q); });
  return Turn<T>{(B * C + A * root) / square, (A * C - B * root) / square};
}

/// Turn of `hinge` that brings `tip` to a distance from `centre`, across the hinge. `square`: of the
/// distance.
template <class T>
[[nodiscard]] std::optional<Turn<T>> TurnToDistance(const Line<T>& hinge, const Vector<T>& tip,
                                                    const Vector<T>& centre, const T& square,
                                                    const Branch<T>& branch) {
  const Vector<T>&n = hinge.direction, u = Across<T>(n, tip - hinge.point),
        x = Across<T>(n, centre - hinge.point);
  const T C = (u.dot(u) + x.dot(x) - square) * T(0.5);
  return Solve<T>(x.dot(u), n.dot(u.cross(x)), C, branch);
}

/// Turn of `hinge` that brings `tip` to a distance in space from `centre`. `square`: of the
/// distance.
template <class T>
[[nodiscard]] std::optional<Turn<T>> TurnToSphere(const Line<T>& hinge, const Vector<T>& tip,
                                                  const Vector<T>& centre, const T& square,
                                                  const Branch<T>& branch) {
  const Vector<T>&n = hinge.direction, u = tip - hinge.point, x = centre - hinge.point;
  const T C = (u.dot(u) + x.dot(x) - square) * T(0.5) - x.dot(n) * n.dot(u);
  return Solve<T>(x.dot(Across<T>(n, u)), x.dot(n.cross(u)), C, branch);
}

/// Turn about n that brings a to the angle with m that b has.
template <class T>
[[nodiscard]] std::optional<Turn<T>> TurnToCone(const Vector<T>& n, const Vector<T>& a,
                                                const Vector<T>& m, const Vector<T>& b,
                                                const Branch<T>& branch) {
  return Solve<T>(m.dot(Across<T>(n, a)), m.dot(n.cross(a)), m.dot(b) - m.dot(n) * n.dot(a),
                  branch);
}

/// Hinge 1 carries hinge 2, which carries `tip` to `target` (all hinges parallel). `branch`: of the
/// first.
template <class T>
[[nodiscard]] std::optional<Pair<T>> SerialTriangle(const Line<T>& hinge1, const Line<T>& hinge2,
                                                    const Vector<T>& tip, const Vector<T>& target,
                                                    const Branch<T>& branch) {
  const Vector<T>&n = hinge1.direction, reach = Across<T>(n, tip - hinge2.point);
  const auto first = TurnToDistance<T>(hinge1, hinge2.point, target, reach.dot(reach), branch);
  if (!first) return std::nullopt;
  const Vector<T> centre = hinge1.point + first->Of(n, hinge2.point - hinge1.point);
  const Vector<T> arm = first->Of(n, tip - hinge2.point);
  return Pair<T>{first->Angle(), AngleAbout<T>(hinge2.direction, arm, target - centre)};
}

/// Hinge 1 carries `tip1`, hinge 2 (not on it) carries `tip2`: the tips meet. `branch`: of the
/// first.
template <class T>
[[nodiscard]] std::optional<Pair<T>> Triangle(const Line<T>& hinge1, const Line<T>& hinge2,
                                              const Vector<T>& tip1, const Vector<T>& tip2,
                                              const Branch<T>& branch) {
  const Vector<T>&n = hinge1.direction, arm = tip2 - hinge2.point, reach = Across<T>(n, arm);
  const auto first = TurnToDistance<T>(hinge1, tip1, hinge2.point, reach.dot(reach), branch);
  if (!first) return std::nullopt;
  const Vector<T> meeting = hinge1.point + first->Of(n, tip1 - hinge1.point);
  return Pair<T>{first->Angle(), AngleAbout<T>(hinge2.direction, arm, meeting - hinge2.point)};
}

/// A hinge carries a slider (perpendicular to it), which carries `tip` to `target`. `branch`: of
/// the slider.
template <class T>
[[nodiscard]] std::optional<Pair<T>> HingeThenSlider(const Line<T>& hinge, const Vector<T>& slide,
                                                     const Vector<T>& tip, const Vector<T>& target,
                                                     const Branch<T>& branch) {
  const Vector<T>& n = hinge.direction;
  const Vector<T> b = tip - hinge.point, d = Across<T>(n, target - hinge.point);
  const T h = n.dot(slide.cross(b)), before = slide.dot(b);
  const auto root = RootOf<T>(d.dot(d) - h * h, d.dot(d) + h * h);
  if (!root) return std::nullopt;
  const T length = branch.Sign([&](const T& q) { return q + before; }) * *root - before;
  const Vector<T> arm = b + slide * length;
  return Pair<T>{ArcTangent(n.dot(arm.cross(d)), arm.dot(d)), length};
}

/// How far a slider moves so that a hinge perpendicular to it brings an end of `arm` to x: one of
/// the two ends of `half`, from `middle` on.
template <class T>
struct Slide {
  T middle, half;
};
template <class T>
[[nodiscard]] std::optional<Slide<T>> SlideToCircle(const Vector<T>& slide, const Vector<T>& arm,
                                                    const Vector<T>& x) {
  const T along = slide.dot(x);
  const auto root = RootOf<T>(arm.dot(arm) - x.dot(x) + along * along, arm.dot(arm) + x.dot(x));
  if (!root) return std::nullopt;
  return Slide<T>{along, *root};
}

/// A slider carries a hinge (perpendicular to it), which carries `tip` to `target`: first the
/// slider, whose `branch` it is.
template <class T>
[[nodiscard]] std::optional<Pair<T>> SliderThenHinge(const Vector<T>& slide, const Line<T>& hinge,
                                                     const Vector<T>& tip, const Vector<T>& target,
                                                     const Branch<T>& branch) {
  const Vector<T>& n = hinge.direction;
  const Vector<T> arm = Across<T>(n, tip - hinge.point), x = Across<T>(n, target - hinge.point);
  const auto reach = SlideToCircle<T>(slide, arm, x);
  if (!reach) return std::nullopt;
  const T sign = branch.Sign([&](const T& q) { return q - reach->middle; });
  const T length = reach->middle + sign * reach->half;
  return Pair<T>{length, AngleAbout<T>(n, arm, x - slide * length)};
}

/// A hinge carries `tip`, a slider (perpendicular to it, not on it) carries `target`: first the
/// hinge. `branch`: of the slider.
template <class T>
[[nodiscard]] std::optional<Pair<T>> HingeAndSlider(const Line<T>& hinge, const Vector<T>& slide,
                                                    const Vector<T>& tip, const Vector<T>& target,
                                                    const Branch<T>& branch) {
  const Vector<T>& n = hinge.direction;
  const Vector<T> arm = Across<T>(n, tip - hinge.point), x = Across<T>(n, target - hinge.point);
  const auto reach = SlideToCircle<T>(slide, arm, x);
  if (!reach) return std::nullopt;
  const T sign = branch.Sign([&](const T& q) { return q + reach->middle; });
  const T length = sign * reach->half - reach->middle;
  return Pair<T>{AngleAbout<T>(n, arm, x + slide * length), length};
}

/// Hinge 1 carries hinge 2, which carries a slider perpendicular to it, which carries `tip` to
/// `target`; the hinges need not meet. Branches: of hinge 1, of the slider.
template <class T>
[[nodiscard]] std::optional<Triple<T>> Leg(const Line<T>& hinge1, const Line<T>& hinge2,
                                           const Vector<T>& slide, const Vector<T>& tip,
                                           const Vector<T>& target, const Branch<T>& branch1,
                                           const Branch<T>& branch2) {
  const Vector<T>&n1 = hinge1.direction, &n2 = hinge2.direction;
  // Seen from the leg, hinge 1 turns the target into the plane that hinge 2 and slider sweep.
  const Vector<T> x = target - hinge1.point;
  const T A = n2.dot(Across<T>(n1, x)), B = -n2.dot(n1.cross(x));
  const T C = n2.dot(tip - hinge1.point) - n2.dot(n1) * n1.dot(x);
  const auto first = Solve<T>(A, B, C, branch1);
  if (!first) return std::nullopt;
  const Vector<T> seen = hinge1.point + first->Back().Of(n1, x);
  const auto rest = HingeThenSlider<T>(hinge2, slide, tip, seen, branch2);
  if (!rest) return std::nullopt;
  return Triple<T>{first->Angle(), rest->first, rest->second};
}

/// Hinge 1 carries hinge 2, which carries direction v: it becomes d (of the same length). `branch`:
/// of hinge 2.
template <class T>
[[nodiscard]] std::optional<Pair<T>> Direct(const Vector<T>& n1, const Vector<T>& n2,
                                            const Vector<T>& v, const Vector<T>& d,
                                            const Branch<T>& branch) {
  const auto second = TurnToCone<T>(n2, v, n1, d, branch);
  if (!second) return std::nullopt;
  return Pair<T>{AngleAbout<T>(n1, second->Of(n2, v), d), second->Angle()};
}

/// Hinge 1 carries direction a, hinge 2 (not on it) carries b: they become one. `branch`: of hinge
/// 1.
template <class T>
[[nodiscard]] std::optional<Pair<T>> DirectBoth(const Vector<T>& n1, const Vector<T>& n2,
                                                const Vector<T>& a, const Vector<T>& b,
                                                const Branch<T>& branch) {
  const auto first = TurnToCone<T>(n1, a, n2, b, branch);
  if (!first) return std::nullopt;
  return Pair<T>{first->Angle(), AngleAbout<T>(n2, b, first->Of(n1, a))};
}

/// A crank carries a cross (two hinges that meet in their points), which carries a rod from there
/// to `tip`: it meets `target`. Branches: of the crank, of the cross's second hinge.
template <class T>
[[nodiscard]] std::optional<Triple<T>> CrankThenRod(const Line<T>& crank, const Line<T>& cross1,
                                                    const Line<T>& cross2, const Vector<T>& tip,
                                                    const Vector<T>& target,
                                                    const Branch<T>& branch1,
                                                    const Branch<T>& branch2) {
  const Vector<T>&centre = cross1.point, rod = tip - centre;
  const auto first = TurnToSphere<T>(crank, centre, target, rod.dot(rod), branch1);
  if (!first) return std::nullopt;
  // Seen from the crank the target turns back.
  const Vector<T> seen =
      crank.point + first->Back().Of(crank.direction, target - crank.point) - centre;
  const auto rest = Direct<T>(cross1.direction, cross2.direction, rod, seen, branch2);
  if (!rest) return std::nullopt;
  return Triple<T>{first->Angle(), rest->first, rest->second};
}

/// A cross carries a crank, which carries `tip` to `target`: first the cross. Branches: of the
/// crank, of the cross's second hinge.
template <class T>
[[nodiscard]] std::optional<Triple<T>> RodThenCrank(const Line<T>& cross1, const Line<T>& cross2,
                                                    const Line<T>& crank, const Vector<T>& tip,
                                                    const Vector<T>& target,
                                                    const Branch<T>& branch1,
                                                    const Branch<T>& branch2) {
  const Vector<T>&centre = cross1.point, rod = target - centre;
  const auto last = TurnToSphere<T>(crank, tip, centre, rod.dot(rod), branch1);
  if (!last) return std::nullopt;
  const Vector<T> reach = crank.point + last->Of(crank.direction, tip - crank.point) - centre;
  const auto rest = Direct<T>(cross1.direction, cross2.direction, reach, rod, branch2);
  if (!rest) return std::nullopt;
  return Triple<T>{rest->first, rest->second, last->Angle()};
}

/// A crank carries `tip1`, a cross (not on it) carries `tip2`: the tips meet. First the crank.
/// Branches: of the crank, of the cross's second hinge.
template <class T>
[[nodiscard]] std::optional<Triple<T>> CrankAndRod(const Line<T>& crank, const Line<T>& cross1,
                                                   const Line<T>& cross2, const Vector<T>& tip1,
                                                   const Vector<T>& tip2, const Branch<T>& branch1,
                                                   const Branch<T>& branch2) {
  const Vector<T>&centre = cross1.point, rod = tip2 - centre;
  const auto first = TurnToSphere<T>(crank, tip1, centre, rod.dot(rod), branch1);
  if (!first) return std::nullopt;
  const Vector<T> d = crank.point + first->Of(crank.direction, tip1 - crank.point) - centre;
  const auto rest = Direct<T>(cross1.direction, cross2.direction, rod, d, branch2);
  if (!rest) return std::nullopt;
  return Triple<T>{first->Angle(), rest->first, rest->second};
}

/// Of a crank and a rod (`rod`, turned by `by`) with a cross at the end: the cross takes direction
/// `own` to `goal`. `carried`: it is on the rod's side of the loop, else on the other. `branch`: of
/// the cross's second hinge.
template <class T>
[[nodiscard]] std::optional<Pair<T>> Hand(const std::array<Line<T>, 3>& rod, const Triple<T>& by,
                                          const Line<T>& cross1, const Line<T>& cross2,
                                          const Vector<T>& own, const Vector<T>& goal, bool carried,
                                          const Branch<T>& branch) {
  const auto turn = [&](std::size_t i, const T& angle, const Vector<T>& a) {
    return Turn<T>{Sine(angle), Cosine(angle)}.Of(rod[i].direction, a);
  };
  const Vector<T>&n1 = cross1.direction, &n2 = cross2.direction;
  if (carried) {
    const Vector<T> seen = turn(2, -by.third, turn(1, -by.second, turn(0, -by.first, goal)));
    return Direct<T>(n1, n2, own, seen, branch);
  }
  const Vector<T> turned = turn(0, by.first, turn(1, by.second, turn(2, by.third, own)));
  return Direct<T>(n1, n2, goal, turned, branch);
}

/// The point nearest to two lines that are not parallel.
template <class T>
[[nodiscard]] Vector<T> Meeting(const Line<T>& a, const Line<T>& b) {
  const Vector<T> n = a.direction.cross(b.direction), between = b.point - a.point;
  const T square = n.dot(n);
  const Vector<T> on_a = a.point + a.direction * (between.cross(b.direction).dot(n) / square);
  const Vector<T> on_b = b.point + b.direction * (between.cross(a.direction).dot(n) / square);
  return (on_a + on_b) * T(0.5);
}
/// Whether two lines come nearer than `within` and are not parallel.
[[nodiscard]] inline bool Meet(const Line<double>& a, const Line<double>& b, double within) {
  const Vector3 n = a.direction.cross(b.direction);
  const double square = n.squaredNorm();
  return square > 1e-6 && std::abs((b.point - a.point).dot(n)) <= within * std::sqrt(square);
}

}  // namespace kinemorph::closed_forms
