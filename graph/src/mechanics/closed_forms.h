// Closed forms of single loops. All vectors in one frame, with the unknown joints at zero; angles
// and lengths are what the joints must have.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::closed_forms {

struct Line {
  Vector3 direction, point;  ///< unit; of a slider the point does not matter
};

/// Two unknown coordinates.
struct Pair {
  double first = 0, second = 0;
};
struct Triple {
  double first = 0, second = 0, third = 0;
};

/// Turn about n that takes a's part across n to that of b.
[[nodiscard]] inline double AngleAbout(const Vector3& n, const Vector3& a, const Vector3& b) {
  return std::atan2(n.dot(a.cross(b)), a.dot(b) - n.dot(a) * n.dot(b));
}

/// Hinge 1 carries hinge 2, which carries `tip` to `target` (all hinges parallel).
[[nodiscard]] std::optional<Pair> SerialTriangle(const Line& hinge1, const Line& hinge2,
                                                 const Vector3& tip, const Vector3& target,
                                                 int sign);
/// Hinge 1 carries `tip1`, hinge 2 (not on it) carries `tip2`: the tips meet.
[[nodiscard]] std::optional<Pair> Triangle(const Line& hinge1, const Line& hinge2,
                                           const Vector3& tip1, const Vector3& tip2, int sign);
/// A hinge carries a slider (perpendicular to it), which carries `tip` to `target`.
[[nodiscard]] std::optional<Pair> HingeThenSlider(const Line& hinge, const Vector3& slide,
                                                  const Vector3& tip, const Vector3& target,
                                                  int sign);
/// A slider carries a hinge (perpendicular to it), which carries `tip` to `target`: first the
/// slider.
[[nodiscard]] std::optional<Pair> SliderThenHinge(const Vector3& slide, const Line& hinge,
                                                  const Vector3& tip, const Vector3& target,
                                                  int sign);
/// A hinge carries `tip`, a slider (perpendicular to it, not on it) carries `target`: first the
/// hinge.
[[nodiscard]] std::optional<Pair> HingeAndSlider(const Line& hinge, const Vector3& slide,
                                                 const Vector3& tip, const Vector3& target,
                                                 int sign);
/// Hinge 1 carries hinge 2, which carries a slider perpendicular to it, which carries `tip` to
/// `target`; the hinges need not meet.
[[nodiscard]] std::optional<Triple> Leg(const Line& hinge1, const Line& hinge2,
                                        const Vector3& slide, const Vector3& tip,
                                        const Vector3& target, int sign1, int sign2);

/// Hinge 1 carries hinge 2, which carries direction v: it becomes d (of the same length).
[[nodiscard]] std::optional<Pair> Direct(const Vector3& n1, const Vector3& n2, const Vector3& v,
                                         const Vector3& d, int sign);
/// Hinge 1 carries direction a, hinge 2 (not on it) carries b: they become one.
[[nodiscard]] std::optional<Pair> DirectBoth(const Vector3& n1, const Vector3& n2, const Vector3& a,
                                             const Vector3& b, int sign);
/// A crank carries a cross (two hinges that meet in their points), which carries a rod from there
/// to `tip`: it meets `target`.
[[nodiscard]] std::optional<Triple> CrankThenRod(const Line& crank, const Line& cross1,
                                                 const Line& cross2, const Vector3& tip,
                                                 const Vector3& target, int sign1, int sign2);
/// A cross carries a crank, which carries `tip` to `target`: first the cross.
[[nodiscard]] std::optional<Triple> RodThenCrank(const Line& cross1, const Line& cross2,
                                                 const Line& crank, const Vector3& tip,
                                                 const Vector3& target, int sign1, int sign2);
/// A crank carries `tip1`, a cross (not on it) carries `tip2`: the tips meet. First the crank.
[[nodiscard]] std::optional<Triple> CrankAndRod(const Line& crank, const Line& cross1,
                                                const Line& cross2, const Vector3& tip1,
                                                const Vector3& tip2, int sign1, int sign2);
/// Of a crank and a rod (`rod`, turned by `by`) with a cross at the end: the cross takes direction
/// `own` to `goal`. `carried`: it is on the rod's side of the loop, else on the other.
[[nodiscard]] std::optional<Pair> Hand(const std::array<Line, 3>& rod, const Triple& by,
                                       const Line& cross1, const Line& cross2, const Vector3& own,
                                       const Vector3& goal, bool carried, int sign);
/// The point where two lines meet, if they come nearer than `within` and are not parallel.
[[nodiscard]] std::optional<Vector3> Meeting(const Line& a, const Line& b, double within);

}  // namespace kinemorph::closed_forms
