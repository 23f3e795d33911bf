// Prims of UsdGeom as shapes that are drawn and shapes that collide.
#include <algorithm>
#include <array>
#include <cmath>

#include "read/builder.h"
#include "read/values.h"
#include "words.h"

namespace kinemorph::usd {
namespace {

// Relative: scales that are one. Simulators write frames as matrices in single precision.
constexpr double kEven = 1e-4;
constexpr double kDrawn = 100;  // m: how wide kinemorph draws a plane without end

constexpr std::array<std::string_view, 17> kShapes = {
    "Cube",        "Sphere",     "Cylinder",      "Capsule",        "Cone",    "Plane",
    "Mesh",        "Cylinder_1", "Capsule_1",     "Points",         "TetMesh", "BasisCurves",
    "NurbsCurves", "NurbsPatch", "HermiteCurves", "PointInstancer", "Volume"};

bool IsShape(std::string_view type) {
  return std::find(kShapes.begin(), kShapes.end(), type) != kShapes.end();
}

bool NamesMesh(const Prim& prim) {
  return prim.Find(kCollisionFile) != nullptr || prim.Find(kVisualFile) != nullptr;
}

bool Even(double a, double b) { return std::abs(a - b) <= kEven * std::max(a, b); }

// Turns z to that axis.
Matrix3 ToAxis(char axis) {
  Matrix3 R = Matrix3::Identity();
  if (axis == 'X') R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  if (axis == 'Y') R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return R;
}

}  // namespace

// What stands in a shape, or in content from elsewhere, is part of that.
// Purpose and visibility come down from the parents; the loop meets parents first.
void Builder::AddShapes() {
  colliders_.resize(model_.num_links());
  for (PrimId i = 0; i < stage_.num_prims(); ++i) {
    const Prim& p = layer_.prims[i];
    if (!stage_.Stands(i)) continue;
    const bool root = p.parent == kNoPrim;
    const auto purpose = stage_.Word(i, "purpose"), seen = stage_.Word(i, "visibility");
    guide_[i] = purpose ? *purpose == "guide" : !root && guide_[p.parent];
    hidden_[i] = (seen && *seen == "invisible") || (!root && hidden_[p.parent]);
    if (IsShape(p.type) || NamesMesh(p) || (!p.arcs.empty() && !stage_.IsPhysical(i))) AddShape(i);
  }
}

// A collider that is no guide and not hidden is drawn too.
void Builder::AddShape(PrimId prim) {
  const Prim& p = layer_.prims[prim];
  Placed placed;
  RigidTransform X_LG = InLink(prim, &placed);
  const LinkId link = LinkOf(prim);
  // A reference that is called a collision is one: this writer has meshes so.
  const bool arc = !p.arcs.empty(), named = NamesMesh(p),
             solid = named && p.Find(kCollisionFile) != nullptr;
  const bool collides = solid ||
                        (p.Has("PhysicsCollisionAPI") &&
                         stage_.Boolean(prim, "physics:collisionEnabled").value_or(true)) ||
                        (arc && p.name.starts_with("collision"));
  const bool drawn =
      !guide_[prim] && !hidden_[prim] && !solid && !(arc && p.name.starts_with("collision"));
  if (!collides && !drawn) {
    shape_group_[prim] = true;  // nobody sees it and nothing touches it
    return;
  }
  const Shape shape = named ? ReadNamed(prim, placed)
                      : arc ? ReadArc(prim, placed)
                            : ReadShape(prim, placed, X_LG, collides);
  const std::string name = p.display_name.empty() ? std::string(p.name) : p.display_name;
  if (collides) {
    Collision collision;
    collision.name = name, collision.X_LG = X_LG, collision.shape = shape;
    collision.where = Where(prim);
    ReadSurface(prim, collision);
    colliders_[Index(link)].push_back(prim);
    collision_of_[prim] = {link, model_.link(link).collisions.size()};
    model_.link(link).collisions.push_back(std::move(collision));
  }
  if (drawn) {
    Visual visual;
    visual.name = name, visual.X_LG = X_LG, visual.shape = shape, visual.where = Where(prim);
    visual.material = ReadLooks(prim);
    visual_of_[prim] = {link, model_.link(link).visuals.size()};
    model_.link(link).visuals.push_back(std::move(visual));
  }
}

// It is counted as a loss by every target.
Shape Builder::Unread(PrimId prim, const std::string& why) {
  const Prim& p = layer_.prims[prim];
  const std::string type = p.type.empty() ? std::string("reference") : std::string(p.type);
  Say(Severity::kWarning, "usd-shape-unread", p.line,
      {stage_.Named(prim), why + "; the shape is not read"});
  NativeElement content{.name = type};
  content.attributes = {{"prim", layer_.PathOf(prim)}};
  content.line = Where(prim).line;
  shape_group_[prim] = true;
  return NativeShape{type, {"", type, std::move(content), Where(prim)}};
}

// The name of a file that is no layer, as this writer has it.
Shape Builder::ReadNamed(PrimId prim, const Placed& placed) {
  const Prim& p = layer_.prims[prim];
  const Property* file = p.Find(kCollisionFile) ? p.Find(kCollisionFile) : p.Find(kVisualFile);
  file->used = true;
  const std::vector<AssetName> names = AssetsIn(file->value.value_or(""));
  if (names.size() != 1 || names[0].file.empty()) return Unread(prim, "it names no file");
  const std::string& uri = names[0].file;
  Mesh mesh;
  mesh.uri = uri.starts_with("./") ? uri.substr(2) : uri;
  mesh.scale = placed.S.diagonal();
  return mesh;
}

// One file as a whole can be a mesh of the model; a path into a file, or several files, cannot.
Shape Builder::ReadArc(PrimId prim, const Placed& placed) {
  const std::vector<Arc>& arcs = layer_.prims[prim].arcs;
  const Arc& arc = arcs[0];
  if (arcs.size() > 1 || arc.file.empty() || !arc.prim.empty())
    return Unread(prim, "its content is at another place ('" + std::string(arc.kind) + "')");
  Mesh mesh;
  mesh.uri = arc.file.starts_with("./") ? arc.file.substr(2) : arc.file;
  mesh.scale = placed.S.diagonal();
  return mesh;
}

Shape Builder::ReadShape(PrimId prim, const Placed& placed, RigidTransform& X_LG, bool collides) {
  const Prim& p = layer_.prims[prim];
  // Shapes are as large as their frame's scale makes them; a mirror does not change these.
  const Vector3 s = placed.S.diagonal().cwiseAbs();
  if (placed.flat || placed.sheared) return Unread(prim, "its frame is sheared or flat");
  const auto number = [&](const char* name, double otherwise) {
    return std::abs(stage_.Number(prim, name).value_or(otherwise));
  };
  if (p.type == "Cube") return Box{number("size", 2) * s};
  if (p.type == "Sphere") {
    const Vector3 radii = number("radius", 1) * s;
    if (Even(radii[0], radii[1]) && Even(radii[0], radii[2])) return Sphere{radii[0]};
    return Ellipsoid{radii};
  }
  if (p.type != "Cylinder" && p.type != "Capsule" && p.type != "Cone" && p.type != "Plane")
    return Unread(prim, p.type == "Mesh" ? "its points are in this file, but meshes must be files"
                                         : "a " + std::string(p.type) + " has no equal");
  const std::string axis = stage_.Word(prim, "axis").value_or("Z");
  if (axis.size() != 1 || axis[0] < 'X' || axis[0] > 'Z') {
    Say(Severity::kError, "bad-keyword", stage_.LineOf(prim, "axis"),
        {stage_.Named(prim),
         "its axis is '" + axis.substr(0, 40) + "', expected \"X\", \"Y\" or \"Z\""});
    return Sphere{1};
  }
  // Which axes of the prim the shape's own x, y and z are, for its scales.
  const int z = axis[0] - 'X', x = (z + 1) % 3, y = (z + 2) % 3;
  X_LG.R = X_LG.R * ToAxis(axis[0]);
  if (p.type == "Plane") {
    const double width = number("width", 2) * s[x], length = number("length", 2) * s[y];
    const bool endless = collides || (width == kDrawn && length == kDrawn);
    return Plane{Vector3::UnitZ(),
                 endless ? Eigen::Vector2d(0, 0) : Eigen::Vector2d(width, length)};
  }
  // A cylinder that is wider one way is none. Its height may have any scale.
  if (!Even(s[x], s[y]) || (p.type == "Capsule" && !Even(s[x], s[z])))
    return Unread(prim, "its scales make it another shape than a " + std::string(p.type));
  const bool capsule = p.type == "Capsule";
  const double radius = number("radius", capsule ? 0.5 : 1) * s[x],
               height = number("height", capsule ? 1 : 2) * s[z];
  if (capsule) return Capsule{radius, height};
  if (p.type == "Cone") return Cone{radius, height};
  return Cylinder{radius, height};
}

}  // namespace kinemorph::usd
