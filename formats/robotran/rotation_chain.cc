#include "rotation_chain.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/number.h"

namespace kinemorph::mbs {
namespace {

// All decisions ask whether an entry of R is zero. Entries come from products of a few rotations,
// whose rounding is some 1e-16; what is called zero here is written as an exact zero, or as no
// factor at all. Angles are found from the entries in a way that stays exact at gimbal lock.

// A rotation entry that is zero up to the rounding of a few products.
bool IsZero(double entry) { return std::abs(entry) <= 2 * kNoise; }

bool IsRotationAbout(const Matrix3& R, int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  return IsZero(R(i, k)) && IsZero(R(j, k)) && IsZero(R(k, i)) && IsZero(R(k, j)) && R(k, k) > 0;
}

// Angle of a rotation about k, from its entries in the plane of the other two axes.
// The mean of both pairs of entries, which halves their rounding.
double AngleAbout(const Matrix3& R, int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  return std::atan2(R(j, i) - R(i, j), R(i, i) + R(j, j));
}

// Angle of the rotation about k that turns e_from to v (v has no component along k).
double AngleTo(int k, int from, const Vector3& v) {
  const int to = 3 - k - from;
  const double sign = (k + 1) % 3 == from ? 1 : -1;  // e_from turns towards +e_to
  return std::atan2(sign * v[to] + 0.0, v[from]);    // no -0: atan2(-0, -1) is -pi
}

// A multiple of pi/2, or the decimal with fewest digits within 2 ulp: authors write few digits, and
// the arithmetic adds noise to them.
double Shortened(double angle) {
  constexpr double kQuarter = std::numbers::pi / 2;
  const double turns = std::nearbyint(angle / kQuarter);
  if (std::abs(angle - turns * kQuarter) <= kNoise) return turns * kQuarter + 0.0;
  const double tolerance = 4.5e-16 * std::max(1.0, std::abs(angle));
  std::array<char, 64> text{};
  for (int digits = 1; digits <= 16; ++digits) {
    const char* end = std::to_chars(text.data(), text.data() + text.size(), angle,
                                    std::chars_format::general, digits)
                          .ptr;
    double rounded = angle;
    ParseDouble(text.data(), end, rounded);
    if (std::abs(rounded - angle) <= tolerance) return rounded;
  }
  return angle;
}

// R = Rf(?) Rg(a) Rh(b) with the first angle found from column h', the rest by turning it back:
// each step is exact whatever the first angle, so nothing is lost at gimbal lock.
std::vector<AxisRotation> YawPitchRoll(const Matrix3& R) {
  const Vector3 rpy = RpyFromRotation(R);  // shortest decimals where R has any
  // The angles that a file of another format had, if R is their product.
  if ((RotationFromRpy(rpy) - R).cwiseAbs().maxCoeff() <= kNoise)
    return {{2, rpy.z()}, {1, rpy.y()}, {0, rpy.x()}};
  const double yaw = std::hypot(R(0, 0), R(1, 0)) <= kNoise ? 0 : std::atan2(R(1, 0), R(0, 0));
  const Matrix3 M = ElementaryRotation(2, -yaw) * R;  // = R2(pitch) R1(roll), because M(1, 0) = 0
  return {{2, yaw}, {1, std::atan2(-M(2, 0), M(0, 0))}, {0, std::atan2(-M(1, 2), M(1, 1))}};
}

}  // namespace

Matrix3 ElementaryRotation(int k, double angle) {
  Vector3 rpy = Vector3::Zero();
  rpy[k] = angle;
  return RotationFromRpy(rpy);
}

// R about k: one factor. An entry that is zero off the diagonal: two factors, for (Ri Rj)(i, j) =
// 0.
int NumFactors(const Matrix3& R) {
  int axes = 0;
  bool product_of_two = false;
  for (int k = 0; k < 3; ++k) {
    axes += IsRotationAbout(R, k) ? 1 : 0;
    product_of_two = product_of_two || IsZero(R(k, (k + 1) % 3)) || IsZero(R(k, (k + 2) % 3));
  }
  return axes == 3 ? 0 : axes > 0 ? 1 : product_of_two ? 2 : 3;
}

std::vector<AxisRotation> ShortestFactors(const Matrix3& R) {
  std::vector<AxisRotation> factors;
  const int n = NumFactors(R);
  if (n == 1) {
    for (int k = 0; k < 3 && factors.empty(); ++k) {
      if (IsRotationAbout(R, k)) factors = {{k, AngleAbout(R, k)}};
    }
  } else if (n == 2) {
    // Ri Rj: column j is Ri e_j, row i is e_i^T Rj. The order z before y before x is that of yaw,
    // pitch, roll.
    constexpr std::array<std::array<int, 2>, 6> kOrders = {
        {{2, 1}, {2, 0}, {1, 0}, {0, 1}, {0, 2}, {1, 2}}};
    for (const auto& [i, j] : kOrders) {
      if (!IsZero(R(i, j))) continue;
      const double first = AngleTo(i, j, R.col(j));
      factors = {{i, first}, {j, AngleAbout(ElementaryRotation(i, -first) * R, j)}};
      break;
    }
  } else if (n == 3) {
    return YawPitchRoll(R);
  }
  for (AxisRotation& factor : factors) factor.angle = Shortened(factor.angle);
  return factors;
}

Vector3 CurrentFrameAngles(const Matrix3& R) {
  const double a = std::hypot(R(1, 2), R(2, 2)) <= kNoise ? 0 : std::atan2(-R(1, 2), R(2, 2));
  const Matrix3 M = ElementaryRotation(0, -a) * R;  // = Ry(b) Rz(c), because M(1, 2) = 0
  const double b = std::atan2(M(0, 2), M(2, 2)), c = std::atan2(M(1, 0), M(1, 1));
  return {Shortened(a), Shortened(b), Shortened(c)};
}

Matrix3 RotationFromCurrentFrameAngles(const Vector3& angles) {
  return ElementaryRotation(0, angles.x()) * ElementaryRotation(1, angles.y()) *
         ElementaryRotation(2, angles.z());
}

// P = Rj(phi) turns e_k within the plane across j. P = Ri(psi) Rj(phi): with i != k the component
// of `direction` along i is the one of Rj(phi) e_k (two solutions), with i = k the component along
// k is (two solutions).
std::vector<Matrix3> RotationsThatTurn(int k, const Vector3& direction) {
  const Vector3 d = Snapped(direction);
  // The axis stands where it should: nothing to turn.
  if (d[k] > 0 && d[(k + 1) % 3] == 0 && d[(k + 2) % 3] == 0) return {Matrix3::Identity()};
  std::vector<Matrix3> found;
  for (int step = 1; step < 3; ++step) {
    const int j = (k + step) % 3, i = 3 - k - j;
    if (d[j] == 0) found.push_back(ElementaryRotation(j, AngleTo(j, k, d)));
    if (d[j] == 0 || d[i] == 0) continue;  // one factor does it
    for (const double sign : {1.0, -1.0}) {
      Vector3 v = Vector3::Zero();  // Rj(phi) e_k when the other factor is about i
      v[i] = d[i];
      v[k] = sign * std::hypot(d[j], d[k]);
      found.push_back(ElementaryRotation(i, AngleTo(i, k, Vector3(sign * d))) *
                      ElementaryRotation(j, AngleTo(j, k, v)));
      Vector3 w = Vector3::Zero();  // Rj(phi) e_k when the other factor is about k
      w[k] = d[k];
      w[i] = sign * std::hypot(d[i], d[j]);
      found.push_back(ElementaryRotation(k, AngleTo(k, i, Vector3(sign * d))) *
                      ElementaryRotation(j, AngleTo(j, k, w)));
    }
  }
  return found;
}

Matrix3 Product(const std::vector<AxisRotation>& factors) {
  Matrix3 R = Matrix3::Identity();
  for (const AxisRotation& factor : factors) R = R * ElementaryRotation(factor.k, factor.angle);
  return R;
}

double Snapped(double x) { return std::abs(x) <= kNoise ? 0.0 : x; }

Vector3 Snapped(const Vector3& v) {
  return v.unaryExpr([](double x) { return Snapped(x); });
}

Matrix3 Snapped(const Matrix3& R) {
  return R.unaryExpr([](double x) {
    if (std::abs(x) <= kNoise) return 0.0;
    return std::abs(std::abs(x) - 1) <= kNoise ? std::copysign(1.0, x) : x;
  });
}

}  // namespace kinemorph::mbs
