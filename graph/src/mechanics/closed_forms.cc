#include "mechanics/closed_forms.h"

#include <cmath>

namespace kinemorph::closed_forms {
namespace {

inline Vector3 Across(const Vector3& n, const Vector3& a) { return a - n * n.dot(a); }

// A turn by its sine and cosine.
struct Turn {
  double sine = 0, cosine = 1;
  [[nodiscard]] double Angle() const { return std::atan2(sine, cosine); }
  // Of a about n.
  [[nodiscard]] Vector3 Of(const Vector3& n, const Vector3& a) const {
    return a * cosine + n.cross(a) * sine + n * (n.dot(a) * (1 - cosine));
  }
  [[nodiscard]] Turn Back() const { return {-sine, cosine}; }
};

// A cos q + B sin q = C. Round-off at the ends of the range is not out of reach.
std::optional<Turn> Solve(double A, double B, double C, int sign) {
  const double square = A * A + B * B, rest = square - C * C;
  if (!(square > 0) || !(rest >= -1e-12 * square)) return std::nullopt;
  const double root = sign * std::sqrt(std::max(0.0, rest));
  return Turn{(B * C + A * root) / square, (A * C - B * root) / square};
}

// Square root of what may be a little below zero by round-off.
std::optional<double> Root(double square, double scale) {
  if (!(square >= -1e-12 * scale)) return std::nullopt;
  return std::sqrt(std::max(0.0, square));
}

// Turn of `hinge` that brings `tip` to the distance `length` from `centre`, across the hinge.
std::optional<Turn> TurnToDistance(const Line& hinge, const Vector3& tip, const Vector3& centre,
                                   double length, int sign) {
  const Vector3 &n = hinge.direction, u = Across(n, tip - hinge.point),
                x = Across(n, centre - hinge.point);
  const double C = (u.squaredNorm() + x.squaredNorm() - length * length) / 2;
  return Solve(x.dot(u), n.dot(u.cross(x)), C, sign);
}

// Turn of `hinge` that brings `tip` to the distance `length` from `centre`.
std::optional<Turn> TurnToSphere(const Line& hinge, const Vector3& tip, const Vector3& centre,
                                 double length, int sign) {
  const Vector3 &n = hinge.direction, u = tip - hinge.point, x = centre - hinge.point;
  const double C = (u.squaredNorm() + x.squaredNorm() - length * length) / 2 - x.dot(n) * n.dot(u);
  return Solve(x.dot(Across(n, u)), x.dot(n.cross(u)), C, sign);
}

// Turn about n that brings a to the angle with m that b has.
std::optional<Turn> TurnToCone(const Vector3& n, const Vector3& a, const Vector3& m,
                               const Vector3& b, int sign) {
  return Solve(m.dot(Across(n, a)), m.dot(n.cross(a)), m.dot(b) - m.dot(n) * n.dot(a), sign);
}

}  // namespace

std::optional<Pair> SerialTriangle(const Line& hinge1, const Line& hinge2, const Vector3& tip,
                                   const Vector3& target, int sign) {
  const Vector3& n = hinge1.direction;
  const double length = Across(n, tip - hinge2.point).norm();
  const auto first = TurnToDistance(hinge1, hinge2.point, target, length, sign);
  if (!first) return std::nullopt;
  const Vector3 centre = hinge1.point + first->Of(n, hinge2.point - hinge1.point);
  const Vector3 arm = first->Of(n, tip - hinge2.point);
  return Pair{first->Angle(), AngleAbout(hinge2.direction, arm, target - centre)};
}

std::optional<Pair> Triangle(const Line& hinge1, const Line& hinge2, const Vector3& tip1,
                             const Vector3& tip2, int sign) {
  const Vector3& n = hinge1.direction;
  const double length = Across(n, tip2 - hinge2.point).norm();
  const auto first = TurnToDistance(hinge1, tip1, hinge2.point, length, sign);
  if (!first) return std::nullopt;
  const Vector3 meeting = hinge1.point + first->Of(n, tip1 - hinge1.point);
  return Pair{first->Angle(),
              AngleAbout(hinge2.direction, tip2 - hinge2.point, meeting - hinge2.point)};
}

std::optional<Pair> HingeThenSlider(const Line& hinge, const Vector3& slide, const Vector3& tip,
                                    const Vector3& target, int sign) {
  const Vector3& n = hinge.direction;
  const Vector3 b = tip - hinge.point, d = Across(n, target - hinge.point);
  const double h = n.dot(slide.cross(b));
  const auto s = Root(d.squaredNorm() - h * h, d.squaredNorm() + h * h);
  if (!s) return std::nullopt;
  const double length = sign * *s - slide.dot(b);
  const Vector3 arm = b + slide * length;
  return Pair{std::atan2(n.dot(arm.cross(d)), arm.dot(d)), length};
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
  const Vector3 seen = hinge1.point + first->Back().Of(n1, x);
  const auto rest = HingeThenSlider(hinge2, slide, tip, seen, sign2);
  if (!rest) return std::nullopt;
  return Triple{first->Angle(), rest->first, rest->second};
}

std::optional<Pair> Direct(const Vector3& n1, const Vector3& n2, const Vector3& v, const Vector3& d,
                           int sign) {
  const auto second = TurnToCone(n2, v, n1, d, sign);
  if (!second) return std::nullopt;
  return Pair{AngleAbout(n1, second->Of(n2, v), d), second->Angle()};
}

std::optional<Pair> DirectBoth(const Vector3& n1, const Vector3& n2, const Vector3& a,
                               const Vector3& b, int sign) {
  const auto first = TurnToCone(n1, a, n2, b, sign);
  if (!first) return std::nullopt;
  return Pair{first->Angle(), AngleAbout(n2, b, first->Of(n1, a))};
}

std::optional<Triple> CrankThenRod(const Line& crank, const Line& cross1, const Line& cross2,
                                   const Vector3& tip, const Vector3& target, int sign1,
                                   int sign2) {
  const Vector3& centre = cross1.point;
  const auto first = TurnToSphere(crank, centre, target, (tip - centre).norm(), sign1);
  if (!first) return std::nullopt;
  // Seen from the crank the target turns back.
  const Vector3 seen =
      crank.point + first->Back().Of(crank.direction, target - crank.point) - centre;
  const auto rod = Direct(cross1.direction, cross2.direction, tip - centre, seen, sign2);
  if (!rod) return std::nullopt;
  return Triple{first->Angle(), rod->first, rod->second};
}

std::optional<Triple> RodThenCrank(const Line& cross1, const Line& cross2, const Line& crank,
                                   const Vector3& tip, const Vector3& target, int sign1,
                                   int sign2) {
  const Vector3& centre = cross1.point;
  const auto last = TurnToSphere(crank, tip, centre, (target - centre).norm(), sign1);
  if (!last) return std::nullopt;
  const Vector3 reach = crank.point + last->Of(crank.direction, tip - crank.point) - centre;
  const auto rod = Direct(cross1.direction, cross2.direction, reach, target - centre, sign2);
  if (!rod) return std::nullopt;
  return Triple{rod->first, rod->second, last->Angle()};
}

std::optional<Triple> CrankAndRod(const Line& crank, const Line& cross1, const Line& cross2,
                                  const Vector3& tip1, const Vector3& tip2, int sign1, int sign2) {
  const Vector3& centre = cross1.point;
  const auto first = TurnToSphere(crank, tip1, centre, (tip2 - centre).norm(), sign1);
  if (!first) return std::nullopt;
  const Vector3 d = crank.point + first->Of(crank.direction, tip1 - crank.point) - centre;
  const auto rod = Direct(cross1.direction, cross2.direction, tip2 - centre, d, sign2);
  if (!rod) return std::nullopt;
  return Triple{first->Angle(), rod->first, rod->second};
}

std::optional<Pair> Hand(const std::array<Line, 3>& rod, const Triple& by, const Line& cross1,
                         const Line& cross2, const Vector3& own, const Vector3& goal, bool carried,
                         int sign) {
  const Matrix3 turn = (Eigen::AngleAxisd(by.first, rod[0].direction) *
                        Eigen::AngleAxisd(by.second, rod[1].direction) *
                        Eigen::AngleAxisd(by.third, rod[2].direction))
                           .toRotationMatrix();
  const Vector3 &n1 = cross1.direction, &n2 = cross2.direction;
  return carried ? Direct(n1, n2, own, turn.transpose() * goal, sign)
                 : Direct(n1, n2, goal, turn * own, sign);
}

std::optional<Vector3> Meeting(const Line& a, const Line& b, double within) {
  const Vector3 n = a.direction.cross(b.direction), between = b.point - a.point;
  const double square = n.squaredNorm();
  if (!(square > 1e-6) || !(std::abs(between.dot(n)) <= within * std::sqrt(square)))
    return std::nullopt;
  const Vector3 on_a = a.point + a.direction * (between.cross(b.direction).dot(n) / square);
  const Vector3 on_b = b.point + b.direction * (between.cross(a.direction).dot(n) / square);
  return Vector3((on_a + on_b) / 2);
}

}  // namespace kinemorph::closed_forms
