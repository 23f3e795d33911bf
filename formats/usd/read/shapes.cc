// Prims of UsdGeom as shapes that are drawn and shapes that collide.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/formats/mesh_file.h"
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

// All numbers of an array; none where it is not written.
std::vector<double> NumbersOf(const Prim& prim, std::string_view property) {
  const Property* const p = prim.Find(property);
  if (p == nullptr || !p->value) return {};
  return NumbersIn(*p->value, p->value->size()).value_or(std::vector<double>());
}

// The faces of a mesh as triangles, each a fan around its first corner; nothing where they name
// points that are not there.
std::optional<Triangles> TrianglesIn(const Prim& prim) {
  Triangles mesh;
  const std::vector<double> points = NumbersOf(prim, "points"),
                            counts = NumbersOf(prim, "faceVertexCounts"),
                            corners = NumbersOf(prim, "faceVertexIndices");
  std::vector<double> holes = NumbersOf(prim, "holeIndices");
  std::sort(holes.begin(), holes.end());
  if (points.size() % 3 != 0) return std::nullopt;
  for (std::size_t i = 0; i < points.size(); i += 3) {
    mesh.vertices.emplace_back(points[i], points[i + 1], points[i + 2]);
    if (!mesh.vertices.back().allFinite()) return std::nullopt;
  }
  const auto known = [&](double corner) {
    return corner >= 0 && corner < static_cast<double>(mesh.vertices.size());
  };
  if (!std::all_of(corners.begin(), corners.end(), known)) return std::nullopt;
  const Property* const winding = prim.Find("orientation");
  const bool left = winding != nullptr && winding->value &&
                    StringIn(*winding->value) == std::optional<std::string>("leftHanded");
  std::size_t first = 0;
  for (std::size_t face = 0; face < counts.size(); ++face) {
    const double left_over = static_cast<double>(corners.size() - first);
    if (!(counts[face] >= 0) || counts[face] > left_over) return std::nullopt;
    const auto n = static_cast<std::size_t>(counts[face]);
    const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(corners[first + i]); };
    const bool hole = std::binary_search(holes.begin(), holes.end(), static_cast<double>(face));
    for (std::size_t i = 2; i < n && !hole; ++i)
      mesh.faces.push_back({at(0), at(left ? i : i - 1), at(left ? i - 1 : i)});
    first += n;
  }
  if (first != corners.size() || mesh.faces.empty()) return std::nullopt;
  return mesh;
}

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
    told_[prim] = true;  // nobody sees it and nothing touches it
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
  told_[prim] = true;
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

// What the file was called, else what it stands in and what it is; another mesh of that name steps
// aside.
std::string Builder::NameOfMesh(PrimId prim, const std::string& content) {
  const Prim& p = layer_.prims[prim];
  const std::string said = stage_.Word(prim, kMeshName).value_or("");
  std::string stem = said.substr(said.find_last_of("/\\:") + 1);
  stem.erase(std::min(stem.rfind('.'), stem.size()));
  if (stem.empty()) stem = model_.link(LinkOf(prim)).name + "_" + std::string(p.name);
  for (char& c : stem)
    if (static_cast<unsigned char>(c) < ' ' ||
        std::string_view("/\\:*?\"<>|%").find(c) != std::string_view::npos)
      c = '_';
  for (int n = 1;; ++n) {
    const std::string name = stem + (n > 1 ? "_" + std::to_string(n) : "") + ".obj";
    const auto [entry, fresh] = meshes_.try_emplace(name);
    if (fresh) entry->second = std::make_shared<const std::string>(content);
    if (*entry->second == content) return name;
  }
}

// The points of a stage are a file of their own elsewhere. Their normals are those of the faces.
Shape Builder::ReadPoints(PrimId prim, const Placed& placed) {
  const Prim& p = layer_.prims[prim];
  const std::optional<Triangles> triangles = TrianglesIn(p);
  static_cast<void>(p.Find("normals"));
  if (!triangles) return Unread(prim, "its points and faces make no surface");
  Mesh mesh;
  mesh.uri = NameOfMesh(prim, std::string(kObjMark) + ObjText(*triangles));
  mesh.content = meshes_.at(mesh.uri);
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
  if (p.type == "Mesh") {
    if (stage_.Boolean(prim, kEllipsoid) != true) return ReadPoints(prim, placed);
    for (const char* said : {"points", "faceVertexCounts", "faceVertexIndices", "normals"})
      static_cast<void>(p.Find(said));
    return Ellipsoid{s};
  }
  if (p.type == "Cube") return Box{number("size", 2) * s};
  if (p.type == "Sphere") {
    const Vector3 radii = number("radius", 1) * s;
    if (Even(radii[0], radii[1]) && Even(radii[0], radii[2])) return Sphere{radii[0]};
    return Ellipsoid{radii};
  }
  if (p.type != "Cylinder" && p.type != "Capsule" && p.type != "Cone" && p.type != "Plane")
    return Unread(prim, "a " + std::string(p.type) + " has no equal");
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
