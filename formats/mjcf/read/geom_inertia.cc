#include "read/geom_inertia.h"

#include <cmath>
#include <numbers>

namespace kinemorph::mjcf {
namespace {

// Moments of solids and of shells, about their centre and in the axes of the geom. Sizes are
// MuJoCo's: radii and half lengths (m). The mass is given, or follows from the volume (of a shell:
// its area) and the density. Formulas are exact, except where MuJoCo is not: what it would compute
// is what counts.

constexpr double kPi = std::numbers::pi;

// Moments of a body from its second moments (integral of x^2, y^2, z^2 dm).
Vector3 FromSecondMoments(const Vector3& s) {
  return {s.y() + s.z(), s.x() + s.z(), s.x() + s.y()};
}

// A capsule is a tube and two half balls that sit at its ends.
Vector3 CapsuleMoments(double r, double half, bool shell, double mass) {
  const double height = 2 * half;
  // By volume 4/3 pi r^3 to pi r^2 h; of a shell by area 4 pi r^2 to 2 pi r h.
  const double caps =
      shell ? mass * 4 * r / (4 * r + 2 * height) : mass * 4 * r / (4 * r + 3 * height);
  const double tube = mass - caps;
  const double ball = (shell ? 2.0 / 3 : 2.0 / 5) * caps * r * r;
  // Distance of a half ball's centre of mass from its flat side, and both half balls moved out
  // along the axis.
  const double d = (shell ? 1.0 / 2 : 3.0 / 8) * r;
  const double shift = caps * ((half + d) * (half + d) - d * d);
  const double tube_z = tube * r * r * (shell ? 1 : 0.5);
  const double tube_x = tube * height * height / 12 + tube_z / 2;
  return {tube_x + ball + shift, tube_x + ball + shift, tube_z + ball};
}

Vector3 CylinderMoments(double r, double half, bool shell, double mass) {
  if (!shell) {
    const double x = mass * (3 * r * r + 4 * half * half) / 12;
    return {x, x, mass * r * r / 2};
  }
  const double disk =
      mass * r / (2 * r + 4 * half);  // one end; area pi r^2 of 2 pi r^2 + 4 pi r half
  const double tube = mass - 2 * disk;

  // The tube has its mass at r, the two disks stand at its ends.
  const double x = tube * (6 * r * r + 4 * half * half) / 12 + 2 * disk * (r * r / 4 + half * half);
  return {x, x, tube * r * r + disk * r * r};
}

Vector3 BoxMoments(const Vector3& h, bool shell, double mass) {
  if (!shell) return FromSecondMoments(mass / 3 * h.cwiseProduct(h));
  // Second moments of the three pairs of faces: across a pair h^2, along it h^2/3.
  const Vector3 area(h.y() * h.z(), h.x() * h.z(), h.x() * h.y());
  const Vector3 share = mass / area.sum() * area;
  Vector3 second;
  for (int i = 0; i < 3; ++i) second[i] = h[i] * h[i] * (share[i] + (mass - share[i]) / 3);
  return FromSecondMoments(second);
}

// MuJoCo's shell of an ellipsoid: a thin solid between it and one 1e-6 larger.
Vector3 EllipsoidMoments(const Vector3& radii, bool shell, double mass) {
  const auto solid = [](const Vector3& r, double m) {
    return FromSecondMoments(m / 5 * r.cwiseProduct(r));
  };
  if (!shell) return solid(radii, mass);
  // An even layer, not one of even thickness along the normal: MuJoCo subtracts two solids.
  const Vector3 larger = radii.array() + 1e-6;
  const double inner = radii.prod(), outer = larger.prod();
  return solid(larger, mass * outer / (outer - inner)) -
         solid(radii, mass * inner / (outer - inner));
}

double EllipsoidVolume(const Vector3& r, bool shell) {
  if (!shell) return 4 * kPi / 3 * r.prod();
  constexpr double p = 1.6075;  // Thomsen's approximation of the area
  const double mean =
      (std::pow(r.x() * r.y(), p) + std::pow(r.y() * r.z(), p) + std::pow(r.z() * r.x(), p)) / 3;
  return 4 * kPi * std::pow(mean, 1 / p);
}

}  // namespace

double GeomVolume(GeomType type, const Vector3& s, bool shell) {
  const double r = s.x(), height = 2 * s.y();
  switch (type) {
    case GeomType::kSphere:
      return shell ? 4 * kPi * r * r : 4 * kPi * r * r * r / 3;
    case GeomType::kCapsule:
      return shell ? 4 * kPi * r * r + 2 * kPi * r * height
                   : kPi * (r * r * height + 4 * r * r * r / 3);
    case GeomType::kCylinder:
      return shell ? 2 * kPi * r * r + 2 * kPi * r * height : kPi * r * r * height;
    case GeomType::kEllipsoid:
      return EllipsoidVolume(s, shell);
    case GeomType::kBox:
    case GeomType::kHeightField:
      return shell ? 8 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x()) : 8 * s.prod();
    case GeomType::kPlane:
    case GeomType::kMesh:
    case GeomType::kSdf:
      break;
  }
  return 0;
}

Vector3 GeomMoments(GeomType type, const Vector3& s, bool shell, double mass) {
  switch (type) {
    case GeomType::kSphere:
      return Vector3::Constant((shell ? 2.0 / 3 : 2.0 / 5) * mass * s.x() * s.x());
    case GeomType::kCapsule:
      return CapsuleMoments(s.x(), s.y(), shell, mass);
    case GeomType::kCylinder:
      return CylinderMoments(s.x(), s.y(), shell, mass);
    case GeomType::kEllipsoid:
      return EllipsoidMoments(s, shell, mass);
    case GeomType::kBox:
    case GeomType::kHeightField:
      return BoxMoments(s, shell, mass);
    case GeomType::kPlane:
    case GeomType::kMesh:
    case GeomType::kSdf:
      break;
  }
  return Vector3::Zero();
}

}  // namespace kinemorph::mjcf
