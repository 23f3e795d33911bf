// Masses: as written, else as a simulator computes them from the shapes that collide.
#include <cmath>
#include <numbers>

#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/formats/mesh_inertia.h"
#include "kinemorph/graph/base/overloaded.h"
#include "read/builder.h"

namespace kinemorph::usd {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kWater = 1000;   // kg/m^3: what USD takes where nothing is said
constexpr double kSame = 1e-12;   // relative: tensors that differ by rounding of doubles
constexpr double kStandIn = 0.1;  // m: radius of the ball that stands in for an unknown tensor

Matrix3 Diagonal(double x, double y, double z) { return Vector3(x, y, z).asDiagonal(); }

// Of a closed surface; a mirror turns its faces inside out. Nothing where it encloses no volume.
std::optional<SpatialInertia> OfMesh(const Mesh& mesh) {
  std::string why;
  auto surface =
      mesh.content ? DecodeMesh(mesh.uri, *mesh.content, why) : std::optional<Triangles>();
  if (!surface) return std::nullopt;
  for (Vector3& v : surface->vertices) v = v.cwiseProduct(mesh.scale);
  if (mesh.scale.prod() < 0)
    for (auto& face : surface->faces) std::swap(face[1], face[2]);
  const auto properties = ComputeMeshProperties(*surface, MeshInertia::kExact, why);
  if (!properties) return std::nullopt;
  SpatialInertia out;
  out.mass = properties->volume, out.p_BoBcm = properties->com, out.I_BBcm = properties->inertia;
  return out;
}

// Of density 1, about the centre of mass, which is the middle but for a cone's.
// A capsule is a cylinder and a ball cut in two; the halves' inertia is moved to its ends
// (Steiner), which gives the term with h r.
std::optional<SpatialInertia> OfShape(const Shape& shape) {
  SpatialInertia out;
  const auto round = [&](double m, double across, double along) {
    out.mass = m, out.I_BBcm = Diagonal(across, across, along);
    return true;
  };
  const bool known = std::visit(
      Overloaded{[&](const Box& s) {
                   const Vector3 q = s.size.cwiseAbs2();
                   out.mass = s.size.prod();
                   out.I_BBcm = out.mass / 12 * Diagonal(q[1] + q[2], q[0] + q[2], q[0] + q[1]);
                   return true;
                 },
                 [&](const Sphere& s) {
                   const double m = 4.0 / 3 * kPi * std::pow(s.radius, 3);
                   const double I = 0.4 * m * s.radius * s.radius;
                   return round(m, I, I);
                 },
                 [&](const Ellipsoid& s) {
                   const Vector3 q = s.radii.cwiseAbs2();
                   out.mass = 4.0 / 3 * kPi * s.radii.prod();
                   out.I_BBcm = out.mass / 5 * Diagonal(q[1] + q[2], q[0] + q[2], q[0] + q[1]);
                   return true;
                 },
                 [&](const Cylinder& s) {
                   const double r = s.radius, h = s.length, m = kPi * r * r * h;
                   return round(m, m * (3 * r * r + h * h) / 12, m * r * r / 2);
                 },
                 [&](const Capsule& s) {
                   const double r = s.radius, h = s.length, m = kPi * r * r * h,
                                caps = 4.0 / 3 * kPi * r * r * r;
                   return round(m + caps,
                                m * (3 * r * r + h * h) / 12 +
                                    caps * (0.4 * r * r + h * h / 4 + 3.0 / 8 * h * r),
                                m * r * r / 2 + 0.4 * caps * r * r);
                 },
                 [&](const Cone& s) {
                   const double r = s.radius, h = s.length, m = kPi * r * r * h / 3;
                   out.p_BoBcm = {0, 0, -h / 4};
                   return round(m, m * (3.0 / 20 * r * r + 3.0 / 80 * h * h), 0.3 * m * r * r);
                 },
                 [&](const Mesh& s) {
                   const std::optional<SpatialInertia> of = OfMesh(s);
                   if (of) out = *of;
                   return of.has_value();
                 },
                 [](const auto&) { return false; }},
      shape);
  return known ? std::optional(out) : std::nullopt;
}

}  // namespace

void Builder::ReadMasses() {
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    if (link_of_[i] != kNoLink) ReadMass(i);
}

// A shape's own mass or density wins over its body's density.
// Each shape counts with its own mass, or the first density that is said: its own, the body's, its
// physics material's, that of water. Shapes overlap as they may.
std::optional<SpatialInertia> Builder::MassOfShapes(PrimId body, std::string& why) const {
  const double unit = stage_.kilograms() / std::pow(stage_.metres(), 3);
  const std::optional<double> of_body = stage_.Number(body, "physics:density");
  SpatialInertia sum;
  bool any = false;
  const Link& link = model_.link(link_of_[body]);
  const std::vector<PrimId>& prims = colliders_[Index(link_of_[body])];
  for (std::size_t i = 0; i < prims.size(); ++i) {
    const PrimId prim = prims[i];
    const Collision& collision = link.collisions[i];
    std::optional<SpatialInertia> one = OfShape(collision.shape);
    if (!one) {
      why = stage_.Named(prim) + " is not a shape whose volume kinemorph knows";
      return std::nullopt;
    }
    std::optional<double> density = stage_.Number(prim, "physics:density");
    const PrimId material = BoundMaterial(prim, "physics");
    if (!density || *density <= 0) density = of_body;
    if ((!density || *density <= 0) && material != kNoPrim)
      density = stage_.Number(material, "physics:density");
    double factor = density && *density > 0 ? *density * unit : kWater;
    const double mass = stage_.Number(prim, "physics:mass").value_or(0) * stage_.kilograms();
    if (mass > 0 && one->mass > 0) factor = mass / one->mass;
    one->mass *= factor, one->I_BBcm *= factor;
    const SpatialInertia here = one->InFrame(collision.X_LG);
    sum = any ? sum + here : here;
    any = true;
  }
  if (any && sum.mass > 0) return sum;
  why = "no shape of it collides";
  return std::nullopt;
}

void Builder::ReadMass(PrimId body) {
  Link& link = model_.link(link_of_[body]);

  // What is missing is taken from the shapes, part by part: a body may have a mass of its own and
  // the inertia of its shapes, scaled to it.
  const double kg = stage_.kilograms(), m = stage_.metres();
  const Matrix3& S = placed_[Index(link_of_[body])].S;
  const std::optional<double> mass = stage_.Number(body, "physics:mass");
  const std::optional<Vector3> centre = stage_.Vector(body, "physics:centerOfMass"),
                               moments = stage_.Vector(body, "physics:diagonalInertia");
  // "Not given" is a value in USD: a mass of zero, an inertia of zeros.
  const Matrix3 axes = stage_.Rotation(body, "physics:principalAxes").value_or(Matrix3::Identity());
  const auto tensor = stage_.Numbers(body, "newton:inertia", 6);
  Inertial inertial;
  inertial.where = Where(body, stage_.LineOf(body, "physics:mass"));
  const bool has_tensor = tensor || (moments && !moments->isZero(0));
  const bool has_mass = mass && *mass > 0;
  std::string why;
  std::optional<SpatialInertia> shapes;
  if (!has_mass || !has_tensor || !centre) shapes = MassOfShapes(body, why);
  inertial.mass = has_mass ? *mass * kg : shapes ? shapes->mass : 1;
  if (centre)
    // In the body's frame, along with the scale of that frame.
    inertial.X_LI.p = S * *centre;
  else if (shapes)
    inertial.X_LI.p = shapes->p_BoBcm;
  // Newton's tensor is in axes of the body, xx yy zz xy xz yz, and is doubles; the principal form
  // is single precision.
  Matrix3 exact = Matrix3::Zero();
  if (tensor) {
    const std::vector<double>& I = *tensor;
    exact << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  }
  const Matrix3 principal = moments ? Matrix3(moments->asDiagonal()) : exact;
  // Where both forms are one, the one that says more; where single precision is between them,
  // Newton's, which is exact.
  if (tensor && !((axes * principal * axes.transpose() - exact).norm() <= kSame * exact.norm())) {
    inertial.I_I = kg * m * m * exact;
  } else if (has_tensor) {
    inertial.X_LI.R = axes;
    inertial.I_I = kg * m * m * principal;
  } else if (shapes) {
    inertial.I_I = inertial.mass / shapes->mass * shapes->I_BBcm;
  } else {
    inertial.I_I = 0.4 * inertial.mass * kStandIn * kStandIn * Matrix3::Identity();
  }
  if ((!has_mass || !has_tensor) && !shapes) {
    const char* const what = has_mass     ? "inertia is"
                             : has_tensor ? "mass is"
                                          : "mass and inertia are";
    inertial.unknown = "its " + std::string(what) + " not written, and " + why;
    Say(Severity::kWarning, "usd-mass-missing", link.where,
        {"link", link.name,
         inertial.unknown + "; kinemorph uses " +
             (has_mass ? "the inertia of a ball of 0.1 m" : "a ball of 1 kg and 0.1 m")});
  }
  link.inertial = std::move(inertial);
}

}  // namespace kinemorph::usd
