#include "shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/overloaded.h"
#include "rotation_chain.h"

namespace kinemorph::mbs {
namespace {

constexpr std::array<int, 3> kWhite = {255, 255, 255};  // the editor's own specular colour
constexpr std::array<int, 3> kGrey = {128, 128, 128};   // of shapes without a colour
constexpr double kShininess = 250;

// From axes with the shape along y to axes with the shape along z.
// Robotran's cylinders and cones lie along y, the model's along z.
Matrix3 AlongZ() { return ElementaryRotation(0, -std::numbers::pi / 2); }
Matrix3 AlongY() { return ElementaryRotation(0, std::numbers::pi / 2); }

Rgba ToRgba(const std::array<int, 3>& color) {
  return {color[0] / 255.0, color[1] / 255.0, color[2] / 255.0, 1};
}

std::array<int, 3> ToColor(const Rgba& rgba) {
  const auto channel = [&](int i) {
    return static_cast<int>(std::lround(255 * std::clamp(rgba[i], 0.0, 1.0)));
  };
  return {channel(0), channel(1), channel(2)};
}

bool HasAxis(ShapeKind kind) { return kind == ShapeKind::kCylinder || kind == ShapeKind::kCone; }

const char* KindTag(ShapeKind kind) { return kind == ShapeKind::kCylinder ? "cylinder" : "cone"; }

Shape ToModelShape(const FileShape& shape) {
  const Vector3& s = shape.scale;
  switch (shape.kind) {
    case ShapeKind::kBox:
      return Box{shape.size.cwiseProduct(s)};
    case ShapeKind::kSphere:
      if (s.x() == s.y() && s.y() == s.z()) return Sphere{shape.radius * s.x()};
      return Ellipsoid{shape.radius * s};
    case ShapeKind::kInline: {
      Mesh mesh;
      mesh.uri = shape.url;
      mesh.scale = s;
      return mesh;
    }
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
      // A cylinder that is scaled to an ellipse is no shape of the model: it stays an element of
      // the format.
      if (s.x() != s.z())
        return NativeShape{KindTag(shape.kind),
                           {"mbs", KindTag(shape.kind), ShapeElement(shape), shape.where}};
      if (shape.kind == ShapeKind::kCylinder)
        return Cylinder{shape.radius * s.x(), shape.height * s.y()};
      return Cone{shape.radius * s.x(), shape.height * s.y()};
  }
  return Box{};
}

}  // namespace

Visual ToVisual(const FileShape& shape) {
  Visual visual;
  visual.name = shape.name;
  visual.where = shape.where;
  visual.X_LG = {RotationFromCurrentFrameAngles(shape.rotation), shape.position};
  if (HasAxis(shape.kind)) visual.X_LG.R = visual.X_LG.R * AlongZ();
  visual.X_LG.R = Snapped(visual.X_LG.R);
  visual.shape = ToModelShape(shape);
  Material material;
  material.diffuse = ToRgba(shape.color);
  // White is what the editor writes for every shape; it says nothing of the material.
  if (shape.specular && *shape.specular != kWhite) material.specular = ToRgba(*shape.specular);
  visual.material = std::move(material);
  if (shape.transparency != 0) visual.transparency = shape.transparency;
  return visual;
}

std::optional<FileShape> ToShape(const Visual& visual, const std::string& fallback_name) {
  FileShape shape;
  shape.name = visual.name.empty() ? fallback_name : visual.name;
  const bool drawn = std::visit(
      Overloaded{[&](const Box& box) {
                   shape.kind = ShapeKind::kBox;
                   shape.size = box.size;
                   return true;
                 },
                 [&](const Sphere& sphere) {
                   shape.kind = ShapeKind::kSphere;
                   shape.radius = sphere.radius;
                   return true;
                 },
                 [&](const Ellipsoid& ellipsoid) {
                   shape.kind = ShapeKind::kSphere;
                   shape.radius = 1;
                   shape.scale = ellipsoid.radii;
                   return true;
                 },
                 [&](const Cylinder& cylinder) {
                   shape.kind = ShapeKind::kCylinder;
                   shape.radius = cylinder.radius;
                   shape.height = cylinder.length;
                   return true;
                 },
                 [&](const Cone& cone) {
                   shape.kind = ShapeKind::kCone;
                   shape.radius = cone.radius;
                   shape.height = cone.length;
                   return true;
                 },
                 [&](const Mesh& mesh) {
                   shape.kind = ShapeKind::kInline;
                   shape.url = mesh.uri;
                   shape.scale = mesh.scale;
                   return !mesh.submesh;
                 },
                 [](const Capsule&) { return false; }, [](const Plane&) { return false; },
                 [](const Polyline&) { return false; }, [](const NativeShape&) { return false; }},
      visual.shape);
  if (!drawn) return std::nullopt;
  // Rotations of a shape are angles about x, y, z in this order, each in the axes that the former
  // left.
  shape.position = Snapped(visual.X_LG.p);
  shape.rotation = CurrentFrameAngles(
      Snapped(Matrix3(HasAxis(shape.kind) ? Matrix3(visual.X_LG.R * AlongY()) : visual.X_LG.R)));
  const Material* material = visual.material ? &*visual.material : nullptr;
  shape.color = material && material->diffuse ? ToColor(*material->diffuse) : kGrey;
  shape.specular = material && material->specular ? ToColor(*material->specular) : kWhite;
  shape.shininess = kShininess;
  // Two ways to be transparent in the model, one in the file: what gets through both.
  const double alpha = material && material->diffuse ? (*material->diffuse)[3] : 1;
  shape.transparency = alpha == 1 ? visual.transparency.value_or(0)
                                  : 1 - alpha * (1 - visual.transparency.value_or(0));
  return shape;
}

}  // namespace kinemorph::mbs
