// Inertia from geometry, for <inertial auto="true">: only shapes with an exact formula.
#include <numbers>

#include "kinemorph/graph/base/overloaded.h"
#include "sdf_model/builder.h"

namespace kinemorph::sdformat {

// Solids of uniform density (kg/m^3), each in its own axes with the origin at its middle; moments
// are principal and about the centre of mass. The sum over a link's collisions is the spatial
// inertia in the link frame.

namespace {

constexpr double kPi = std::numbers::pi;

struct Solid {
  double mass = 0;
  Vector3 centre = Vector3::Zero();
  Vector3 moments = Vector3::Zero();
};  // principal moments about the centre

Solid SolidBox(const Box& b, double density) {
  const double m = density * b.size.prod();
  const Vector3 q = b.size.cwiseAbs2();
  return {m, Vector3::Zero(), m / 12 * Vector3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y())};
}

Solid SolidEllipsoid(const Vector3& radii, double density) {
  const double m = density * 4 / 3 * kPi * radii.prod();
  const Vector3 q = radii.cwiseAbs2();
  return {m, Vector3::Zero(), m / 5 * Vector3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y())};
}

Solid SolidCylinder(double r, double l, double density) {
  const double m = density * kPi * r * r * l;
  const double side = m * (3 * r * r + l * l) / 12;
  return {m, Vector3::Zero(), Vector3(side, side, m * r * r / 2)};
}

// A cylinder and two half balls; the balls' centres of mass lie 3/8 r beyond the ends.
Solid SolidCapsule(double r, double l, double density) {
  const Solid cylinder = SolidCylinder(r, l, density);
  const double ball = density * 4 / 3 * kPi * r * r * r;
  const double axial = 2.0 / 5 * ball * r * r;
  const double side = ball * (2.0 / 5 * r * r + l * l / 4 + 3.0 / 8 * l * r);
  return {cylinder.mass + ball, Vector3::Zero(), cylinder.moments + Vector3(side, side, axial)};
}

// Centred at half its height, apex at +z: the centre of mass lies a quarter of the length below.
Solid SolidCone(double r, double l, double density) {
  const double m = density * kPi * r * r * l / 3;
  const double side = m * (3.0 / 20 * r * r + 3.0 / 80 * l * l);
  return {m, Vector3(0, 0, -l / 4), Vector3(side, side, 3.0 / 10 * m * r * r)};
}

}  // namespace

AutoInertia InertiaOfCollisions(const std::vector<Collision>& collisions,
                                const std::vector<double>& densities) {
  AutoInertia out;
  for (std::size_t i = 0; i < collisions.size(); ++i) {
    const Collision& collision = collisions[i];
    const double density = densities[i];
    const auto not_exact = [&](const char* what) {
      out.not_exact = "collision '" + collision.name + "' is a " + what;
      return Solid{};
    };
    // A plane or a height map has no volume; a mesh would need its file.
    const Solid solid = std::visit(
        Overloaded{
            [&](const Box& s) { return SolidBox(s, density); },
            [&](const Sphere& s) { return SolidEllipsoid(Vector3::Constant(s.radius), density); },
            [&](const Ellipsoid& s) { return SolidEllipsoid(s.radii, density); },
            [&](const Cylinder& s) { return SolidCylinder(s.radius, s.length, density); },
            [&](const Capsule& s) { return SolidCapsule(s.radius, s.length, density); },
            [&](const Cone& s) { return SolidCone(s.radius, s.length, density); },
            [&](const Plane&) { return Solid{}; }, [&](const NativeShape&) { return Solid{}; },
            [&](const Mesh&) { return not_exact("mesh"); },
            [&](const Polyline&) { return not_exact("polyline"); }},
        collision.shape);
    const SpatialInertia part{solid.mass, solid.centre, solid.moments.asDiagonal()};
    if (solid.mass > 0) out.inertia = out.inertia + part.InFrame(collision.X_LG);
  }
  return out;
}

}  // namespace kinemorph::sdformat
