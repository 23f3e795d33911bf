#include "mechanics/closed_forms.h"

#include <cmath>

namespace kinemorph::closed_forms {
namespace {

Vector3 Across(const Vector3& n, const Vector3& a) { return a - n * n.dot(a); }

Vector3 Turned(const Vector3& n, double angle, const Vector3& a) {
  return a * std::cos(angle) + n.cross(a) * std::sin(angle) +
         n * (n.dot(a) * (1 - std::cos(angle)));
}

// A cos q + B sin q = C. Round-off at the ends of the range is not out of reach.
std::optional<double> Solve(double A, double B, double C, int sign) {
  const double radius = std::hypot(A, B);
  if (!(radius > 0) || !(std::abs(C) <= radius * (1 + 1e-12))) return std::nullopt;
  return std::atan2(B, A) + sign * std::acos(std::min(1.0, std::max(-1.0, C / radius)));
}

// The nearest turn: what the joints of a robot have.
double Wrapped(double angle) { return std::remainder(angle, 2 * 3.141592653589793); }

// Square root of what may be a little below zero by round-off.
std::optional<double> Root(double square, double scale) {
  if (!(square >= -1e-12 * scale)) return std::nullopt;
  return std::sqrt(std::max(0.0, square));
}

// Turn of `hinge` that brings `tip` to the distance `length` from `centre`, across the hinge.
std::optional<double> TurnToDistance(const Line& hinge, const Vector3& tip, const Vector3& centre,
                                     double length, int sign) {
  const Vector3 &n = hinge.direction, u = Across(n, tip - hinge.point),
                x = Across(n, centre - hinge.point);
  const double C = (u.squaredNorm() + x.squaredNorm() - length * length) / 2;
  return Solve(x.dot(u), n.dot(u.cross(x)), C, sign);
}

}  // namespace

double AngleAbout(const Vector3& n, const Vector3& a, const Vector3& b) {
  return std::atan2(n.dot(a.cross(b)), a.dot(b) - n.dot(a) * n.dot(b));
}

std::optional<Pair> SerialTriangle(const Line& hinge1, const Line& hinge2, const Vector3& tip,
                                   const Vector3& target, int sign) {
  const Vector3& n = hinge1.direction;
  const double length = Across(n, tip - hinge2.point).norm();
  const auto first = TurnToDistance(hinge1, hinge2.point, target, length, sign);
  if (!first) return std::nullopt;
  const Vector3 centre = hinge1.point + Turned(n, *first, hinge2.point - hinge1.point);
  const Vector3 arm = Turned(n, *first, tip - hinge2.point);
  return Pair{Wrapped(*first), AngleAbout(hinge2.direction, arm, target - centre)};
}

std::optional<Pair> Triangle(const Line& hinge1, const Line& hinge2, const Vector3& tip1,
                             const Vector3& tip2, int sign) {
  const Vector3& n = hinge1.direction;
  const double length = Across(n, tip2 - hinge2.point).norm();
  const auto first = TurnToDistance(hinge1, tip1, hinge2.point, length, sign);
  if (!first) return std::nullopt;
  const Vector3 meeting = hinge1.point + Turned(n, *first, tip1 - hinge1.point);
  return Pair{Wrapped(*first),
              AngleAbout(hinge2.direction, tip2 - hinge2.point, meeting - hinge2.point)};
}

std::optional<Pair> HingeThenSlider(const Line& hinge, const Vector3& slide, const Vector3& tip,
                                    const Vector3& target, int sign) {
  const Vector3& n = hinge.direction;
  const Vector3 b = Across(n, tip - hinge.point), d = Across(n, target - hinge.point);
  const double h = n.dot(slide.cross(b));
  const auto s = Root(d.squaredNorm() - h * h, d.squaredNorm() + h * h);
  if (!s) return std::nullopt;
  const double length = sign * *s - slide.dot(b);
  return Pair{AngleAbout(n, b + slide * length, d), length};
}

std::optional<Pair> SliderThenHinge(const Vector3& slide, const Line& hinge, const Vector3& tip,
                                    const Vector3& target, int sign) {
  const Vector3& n = hinge.direction;
  const Vector3 arm = Across(n, tip - hinge.point), x = Across(n, target - hinge.point);
  const double along = slide.dot(x);
  const auto s = Root(arm.squaredNorm() - x.squaredNorm() + along * along,
                      arm.squaredNorm() + x.squaredNorm());
  if (!s) return std::nullopt;
  const double length = along + sign * *s;
  return Pair{length, AngleAbout(n, arm, x - slide * length)};
}

std::optional<Pair> HingeAndSlider(const Line& hinge, const Vector3& slide, const Vector3& tip,
                                   const Vector3& target, int sign) {
  const Vector3& n = hinge.direction;
  const Vector3 arm = Across(n, tip - hinge.point), x = Across(n, target - hinge.point);
  const double along = slide.dot(x);
  const auto s = Root(arm.squaredNorm() - x.squaredNorm() + along * along,
                      arm.squaredNorm() + x.squaredNorm());
  if (!s) return std::nullopt;
  const double length = sign * *s - along;
  return Pair{AngleAbout(n, arm, x + slide * length), length};
}

std::optional<Triple> Leg(const Line& hinge1, const Line& hinge2, const Vector3& slide,
                          const Vector3& tip, const Vector3& target, int sign1, int sign2) {
  const Vector3 &n1 = hinge1.direction, &n2 = hinge2.direction;
  // Seen from the leg, hinge 1 turns the target into the plane that hinge 2 and slider sweep.
  const Vector3 x = target - hinge1.point;
  const double A = n2.dot(Across(n1, x)), B = -n2.dot(n1.cross(x));
  const double C = n2.dot(tip - hinge1.point) - n2.dot(n1) * n1.dot(x);
  const auto first = Solve(A, B, C, sign1);
  if (!first) return std::nullopt;
  const Vector3 seen = hinge1.point + Turned(n1, -*first, x);
  const auto rest = HingeThenSlider(hinge2, slide, tip, seen, sign2);
  if (!rest) return std::nullopt;
  return Triple{Wrapped(*first), rest->first, rest->second};
}

}  // namespace kinemorph::closed_forms
