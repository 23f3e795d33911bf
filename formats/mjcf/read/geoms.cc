// Geoms: shapes to see and to collide with, and the mass they give their body.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/linear_algebra.h"
#include "native.h"
#include "read/orientation.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// A geom is up to three things: a Collision, a Visual and a mass for its body. ReadGeom finds its
// size and pose (from size, fromto, or a mesh that it fits), AddGeomShapes makes the shapes,
// WeighGeom the mass. A geom of a mesh whose file is missing is still a shape.

constexpr std::array<std::pair<std::string_view, GeomType>, 9> kTypes = {
    {{"plane", GeomType::kPlane},
     {"hfield", GeomType::kHeightField},
     {"sphere", GeomType::kSphere},
     {"capsule", GeomType::kCapsule},
     {"ellipsoid", GeomType::kEllipsoid},
     {"cylinder", GeomType::kCylinder},
     {"box", GeomType::kBox},
     {"mesh", GeomType::kMesh},
     {"sdf", GeomType::kSdf}}};

// How many numbers of `size` must be positive.
int NumSizes(GeomType type) {
  switch (type) {
    case GeomType::kSphere:
      return 1;
    case GeomType::kCapsule:
    case GeomType::kCylinder:
      return 2;
    case GeomType::kEllipsoid:
    case GeomType::kBox:
      return 3;
    case GeomType::kPlane:
    case GeomType::kHeightField:
    case GeomType::kMesh:
    case GeomType::kSdf:
      break;
  }
  return 0;
}

// Lengths of the model are full ones where MuJoCo has halves; radii are the same.
Shape ShapeOf(GeomType type, const Vector3& s, const MeshAsset* mesh,
              const Attributes& attributes) {
  switch (type) {
    case GeomType::kSphere:
      return Sphere{s.x()};
    case GeomType::kCapsule:
      return Capsule{s.x(), 2 * s.y()};
    case GeomType::kCylinder:
      return Cylinder{s.x(), 2 * s.y()};
    case GeomType::kEllipsoid:
      return Ellipsoid{s};
    case GeomType::kBox:
      return Box{2 * s};
    case GeomType::kPlane:
      return Plane{Vector3::UnitZ(), Eigen::Vector2d(2 * s.x(), 2 * s.y())};
    case GeomType::kMesh:
      if (mesh != nullptr && !mesh->uri.empty()) {
        Mesh shape;
        shape.uri = mesh->uri;
        shape.scale = mesh->scale;
        shape.name = mesh->name;
        return shape;
      }
      // Their points are in the file itself, and no other format has a word for them.
      // Inline vertices and built-in shapes: the asset itself is the shape.
      if (mesh != nullptr)
        return NativeShape{
            "mesh", MakeNative(mesh->element, "mesh", Attributes(mesh->element).All(), true)};
      break;
    case GeomType::kHeightField:
    case GeomType::kSdf:
      break;
  }
  const std::string word = type == GeomType::kHeightField ? "hfield"
                           : type == GeomType::kSdf       ? "sdf"
                                                          : "mesh";
  return NativeShape{word,
                     MakeNative(attributes.element(), "geom",
                                AttributesOnly(attributes, {"type", "hfield", "mesh", "size"}))};
}

// Number `i` of the size is not positive. One that is no number was told.
void ReportSize(const Attributes& attributes, int i) {
  const auto text = attributes.Text("size");
  const auto numbers = text ? xml::ParseNumbers(*text, 3) : std::nullopt;
  if (text && !numbers) return;
  const bool there = numbers && static_cast<std::size_t>(i) < numbers->size();
  const xml::Element& element = attributes.element();
  Diagnostic& error =
      element.Error("geom-size", {"geom", element.path(),
                                  "number " + std::to_string(i + 1) + " of its size " +
                                      (there ? "must be positive" : "is missing")});
  if (numbers) return;
  for (const auto& [name, value] : element.Attributes()) {
    if (name == "size" || NearestName(name, {"size"}).empty()) continue;
    static_cast<void>(element.Attribute(name));
    error.notes.push_back("attribute '" + std::string(name) + "': did you mean 'size'?");
  }
}

// 32 bits as MuJoCo has them: those of a signed number.
// contype="-1" sets all bits; a number above 2^31 does too.
std::uint32_t Bits(double number) {
  return static_cast<std::uint32_t>(
      static_cast<std::int64_t>(std::clamp(number, -0x1p31, 0x1p32 - 1)));
}

// Stands in for a shape of which nothing but its mass is known: a ball of water.
// A body with a mass and no inertia could not be simulated.
GeomMass BallOf(double mass, const RigidTransform& X_BG) {
  const double radius = std::cbrt(mass / 1000 / (4.0 / 3 * std::numbers::pi));
  return {mass, X_BG, 2.0 / 5 * mass * radius * radius * Matrix3::Identity()};
}

}  // namespace

GeomType Reader::ReadGeomType(const Attributes& attributes) const {
  const std::string word = attributes.Text("type", "sphere");
  for (const auto& [name, type] : kTypes)
    if (name == word) return type;
  std::vector<std::string> known;
  for (const auto& type : kTypes) known.emplace_back(type.first);
  ReportUnknown(attributes.element(), "geom-type-unknown",
                {"geom", attributes.element().path(), "type '" + word + "' is not known"}, word,
                known);
  return GeomType::kSphere;
}

// Sizes in MuJoCo's meaning, and the pose of the geom in its frame; fromto gives both.
bool Reader::ReadGeomSize(const Attributes& attributes, GeomType type, Vector3& size,
                          RigidTransform& X_FG) {
  const std::vector<double> numbers = attributes.Overlaid("size", {0, 0, 0});
  size = Vector3(numbers[0], numbers[1], numbers[2]);
  const xml::Element& element = attributes.element();
  if (const auto ends = attributes.Numbers("fromto", 6, 6)) {
    if (type != GeomType::kCapsule && type != GeomType::kCylinder && type != GeomType::kEllipsoid &&
        type != GeomType::kBox) {
      element.Error("geom-fromto",
                    {"geom", element.path(), "fromto needs a capsule, cylinder, ellipsoid or box"});
      return false;
    }
    const Vector3 from((*ends)[0], (*ends)[1], (*ends)[2]), to((*ends)[3], (*ends)[4], (*ends)[5]);
    const double half = (from - to).norm() / 2;
    if (half < kTiny) {
      element.Error("geom-fromto", {"geom", element.path(), "the two points of fromto coincide"});
      return false;
    }
    // fromto gives the half length along z, which is the second size of round shapes and the third
    // of the others.
    if (type == GeomType::kEllipsoid || type == GeomType::kBox)
      size.tail<2>() << size.x(), half;
    else
      size.y() = half;
    // z from the second point to the first: that is how MuJoCo draws it.
    X_FG = {RotationFromZ((from - to) / (2 * half)), (from + to) / 2};
  } else {
    X_FG = ReadPose(attributes, compiler_);
  }
  return true;
}

// A primitive with a mesh takes the size of the mesh's inertia box (or its bounding box).
bool Reader::FitGeom(const Attributes& attributes, const MeshAsset& mesh, GeomType type,
                     Vector3& size, RigidTransform& X_FG) {
  std::string why;
  const auto& properties = assets_.Properties(mesh, why);
  if (!properties) {
    attributes.element().Warn(
        "geom-fit", {"geom", attributes.element().path(),
                     "its size comes from mesh '" + mesh.name + "', which cannot be used: " + why +
                         "; the geom is left out"});
    return false;
  }
  const PrincipalAxes principal(properties->inertia);
  // MuJoCo sorts the largest moment first.
  Matrix3 R = principal.axes.rowwise().reverse();
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  const Vector3 moment = principal.moments.reverse();

  // Half sides of the box that has the mass and the moments of the mesh: for a box of half sides b
  // and mass m, Ixx + Iyy - Izz is 2/3 m bz^2, and m is the volume here.
  Vector3 center = Vector3::Zero();
  Vector3 box;
  for (int i = 0; i < 3; ++i)
    box[i] =
        0.5 * std::sqrt(std::max(0.0, 6 * (moment.sum() - 2 * moment[i]) / properties->volume));
  if (compiler_.fitaabb) {
    const auto triangles = assets_.LoadMesh(mesh, why);
    Vector3 low = Vector3::Constant(1e300), high = -low;
    for (const Vector3& v : triangles->vertices) {
      const Vector3 p = R.transpose() * (v - properties->com);
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    center = (low + high) / 2;
    box = (high - low) / 2;
  }
  // A radius is the mean of the two sides across, or encloses both.
  const double radius = compiler_.fitaabb ? std::max(box.x(), box.y()) : (box.x() + box.y()) / 2;
  switch (type) {
    case GeomType::kSphere:
      size.x() = compiler_.fitaabb ? box.maxCoeff() : box.sum() / 3;
      break;
    case GeomType::kCapsule:
      size << radius, compiler_.fitaabb ? box.z() - radius : std::max(0.0, box.z() - radius / 2), 0;
      break;
    case GeomType::kCylinder:
      size << radius, box.z(), 0;
      break;
    case GeomType::kEllipsoid:
    case GeomType::kBox:
      size = box;
      break;
    case GeomType::kPlane:
    case GeomType::kHeightField:
    case GeomType::kMesh:
    case GeomType::kSdf:
      break;
  }

  // The geom stands at the centre of mass of the mesh, in its principal axes.
  size *= attributes.Number("fitscale", 1);
  X_FG = X_FG * RigidTransform{R, properties->com + R * center};
  return true;
}

std::optional<GeomMass> Reader::ReadGeom(const Item& item, LinkId link, bool weigh,
                                         std::string& unknown) {
  const xml::Element& element = item.element;
  element.Consume();
  const Attributes attributes(element, defaults_.ClassOf(element, "class", item.childclass),
                              "geom");
  std::string name = element.Attribute("name", "");
  if (!name.empty()) {
    NoteCopied("geom", name, item.copy);
    name += item.suffix;
    if (Claim("geom", name, element)) geoms_by_name_[name] = link;
  }
  const GeomType type = ReadGeomType(attributes);
  Vector3 size;
  RigidTransform X_FG;
  if (!ReadGeomSize(attributes, type, size, X_FG)) return std::nullopt;

  const MeshAsset* mesh = nullptr;
  if (const auto mesh_name = attributes.Text("mesh")) {
    mesh = assets_.FindMesh(*mesh_name);
    if (mesh == nullptr) {
      std::vector<std::string> known;
      for (const auto& asset : assets_.meshes()) known.push_back(asset.first);
      ReportUnknown(
          element, "mesh-undefined",
          {"geom", element.path(),
           "mesh '" + std::string(*mesh_name) + "' is not defined; write <asset><mesh name=\"" +
               std::string(*mesh_name) + "\" file=\"...\"/></asset>"},
          *mesh_name, known);
      return std::nullopt;
    }
    if (type != GeomType::kSdf)
      used_meshes_.insert(mesh->name);  // a signed distance field only names its mesh
  } else if (type == GeomType::kMesh || type == GeomType::kSdf) {
    element.Error("mesh-undefined", {"geom", element.path(), "a mesh geom needs a 'mesh'"});
    return std::nullopt;
  }
  // A primitive with a mesh is fitted to it and keeps nothing of it.
  const bool primitive = type != GeomType::kMesh && type != GeomType::kSdf;
  if (type == GeomType::kHeightField) size = assets_.HeightFieldSize(attributes.Text("hfield", ""));
  if (mesh != nullptr && primitive && !FitGeom(attributes, *mesh, type, size, X_FG)) {
    // Without its size the geom has no weight either: WeighGeom says so, of the mesh.
    return weigh ? WeighGeom(attributes, GeomType::kMesh, size, item.X_BF * X_FG, mesh, unknown)
                 : std::nullopt;
  }
  for (int i = 0; i < NumSizes(type); ++i) {
    if (size[i] > 0) continue;
    ReportSize(attributes, i);
    return std::nullopt;
  }
  // refpos and refquat move the mesh under the geom; the shape's pose takes that in (its file is in
  // its own coordinates).
  const RigidTransform X_BG = item.X_BF * X_FG;
  RigidTransform X_LG = X_BG;
  if (mesh != nullptr && !primitive && !mesh->uri.empty() && !mesh->X_ref.IsExactlyIdentity()) {
    // An even scale or no turn: then scaling first and moving after is a rigid motion too.
    if (mesh->X_ref.R == Matrix3::Identity() || mesh->scale == Vector3::Constant(mesh->scale.x())) {
      X_LG = X_BG *
             RigidTransform{mesh->X_ref.R.transpose(),
                            -(mesh->X_ref.R.transpose() * mesh->X_ref.p).cwiseProduct(mesh->scale)};
    } else {
      element.Warn("mesh-reference", {"mesh", mesh->name,
                                      "refquat with an uneven scale is not a rigid motion; the "
                                      "shape stays where the mesh file has it"});
    }
  }
  AddGeomShapes(attributes, name, link, X_LG, ShapeOf(type, size, mesh, attributes));
  return weigh ? WeighGeom(attributes, type, size, X_BG, mesh, unknown) : std::nullopt;
}

void Reader::AddGeomShapes(const Attributes& attributes, const std::string& name, LinkId link,
                           const RigidTransform& X_LG, Shape shape) {
  const xml::Element& element = attributes.element();
  // What the model does not hold of a geom goes along with the collision and the visual alike; the
  // writer makes one geom of both again.
  AttributeList rest = KeptAttributes(attributes, "geom");
  // The third number of a plane's size says how it is drawn.
  if (std::holds_alternative<Plane>(shape)) {
    const std::vector<double> size = attributes.Overlaid("size", {0, 0, 1});
    if (size[2] > 0 && size[2] != 1) rest.emplace_back("size", xml::NumbersText(size));
  }
  for (const char* used : {"mass", "density", "shellinertia", "fitscale", "hfield"})
    static_cast<void>(attributes.Text(used));

  std::optional<Material> material;
  if (const auto material_name = attributes.Text("material")) {
    const Material* known = assets_.FindMaterial(*material_name);
    if (known == nullptr)
      element.Warn("material-undefined",
                   {"geom", element.path(),
                    "material '" + std::string(*material_name) + "' is not defined"});
    else
      material = *known;
  }
  // A geom's own colour wins; one that repeats its material's changes nothing.
  std::optional<Rgba> color;
  if (const auto rgba = attributes.Numbers("rgba", 4, 4)) color = Rgba(rgba->data());
  if (color && material && material->diffuse == color) color.reset();
  if (material && color && assets_.IsMereColor(material->name))
    material.reset();  // nothing is left of it
  if (color) {
    if (!material) material.emplace().where = element.where();
    material->diffuse = color;
  }

  // MuJoCo's viewer shows groups 0 to 2; robots keep their collision shapes in group 3. Numbers in
  // attributes of whole numbers are cut off.
  const double group = std::trunc(attributes.Number("group", 0));
  const ContactMask mask{Bits(attributes.Number("contype", 1)),
                         Bits(attributes.Number("conaffinity", 1))};
  const bool collides = mask.type != 0 || mask.affinity != 0;
  const bool drawn =
      group >= 0 && group <= 2 && (!material || !material->diffuse || material->diffuse->w() > 0);
  // One that is not drawn (hidden group, clear colour) still has its looks.
  if (collides && !drawn) {
    for (auto& look : AttributesOnly(attributes, {"material", "rgba"}))
      rest.push_back(std::move(look));
  }
  if (material && !material->name.empty() && (!collides || drawn))
    assets_.NoteUse(material->name, color.has_value());
  // One that does not collide is a visual; it still has a friction for the contact pairs that name
  // it.
  if (!collides) {
    for (auto& friction : AttributesOnly(attributes, {"friction"}))
      rest.push_back(std::move(friction));
  }
  std::vector<NativeData> native;
  if (!rest.empty() || element.HasChild("plugin"))
    native.push_back(MakeNative(element, "geom", rest, true));
  for (const xml::Element plugin : element.Children("plugin")) plugin.ConsumeAll();
  // A geom that collides and is drawn is both: the same name-less visual stands beside the
  // collision.
  if (collides) {
    Collision collision;
    collision.name = name;
    collision.X_LG = X_LG;
    collision.shape = shape;
    collision.where = element.where();
    if (attributes.Has("friction")) {
      const std::vector<double> friction = attributes.Overlaid("friction", {1, 0.005, 0.0001});
      collision.mu = friction[0];
      collision.torsional = friction[1];
      collision.rolling = friction[2];
    }
    if (mask != ContactMask{}) collision.contact_mask = mask;
    collision.native = native;
    model_.link(link).collisions.push_back(std::move(collision));
  }
  if (!collides || drawn) {
    Visual visual;
    visual.name = collides ? "" : name;
    visual.X_LG = X_LG;
    visual.shape = std::move(shape);
    visual.material = std::move(material);
    visual.where = element.where();
    visual.native = std::move(native);
    model_.link(link).visuals.push_back(std::move(visual));
  }
}

std::optional<GeomMass> Reader::WeighGeom(const Attributes& attributes, GeomType type,
                                          const Vector3& size, const RigidTransform& X_BG,
                                          const MeshAsset* mesh, std::string& unknown) {
  const double group = std::trunc(attributes.Number("group", 0));
  // inertiagrouprange lets only some groups weigh.
  if (group < compiler_.inertiagroup_min || group > compiler_.inertiagroup_max) return std::nullopt;
  const auto mass = attributes.Number("mass");
  const double density = attributes.Number("density", 1000);
  if ((mass && *mass < 0) || density < 0) {
    attributes.element().Error("negative-mass", {"geom", attributes.element().path(),
                                                 "mass and density cannot be negative"});
    return std::nullopt;
  }
  if (mass ? *mass == 0 : density == 0) return std::nullopt;

  // Of a mesh the mass is the volume times the density, the centre and axes are those of its file.
  const bool shell = attributes.Boolean("shellinertia", false);
  GeomMass result;
  if (type == GeomType::kMesh || type == GeomType::kSdf) {
    std::string why;
    const auto& properties = assets_.Properties(*mesh, why);
    if (!properties) {
      unknown = "mesh '" + (mesh->uri.empty() ? mesh->name : mesh->uri) + "' " +
                (mesh->found ? "cannot be weighed: " + why : "was not found");
      attributes.element().Warn(
          "mesh-inertia-unknown",
          {"geom", attributes.element().path(),
           "the mass of its body comes from mesh '" + mesh->name +
               "', which cannot be used: " + why + "; kinemorph uses the other data of the body"});
      return mass ? std::optional(BallOf(*mass, X_BG)) : std::nullopt;
    }
    // A given mass scales the inertia, which is per unit of density.
    result.mass = mass ? *mass : density * properties->volume;
    result.X_BI = {X_BG.R, X_BG * properties->com};
    result.I_I = result.mass / properties->volume * properties->inertia;
    return result;
  }
  const double volume = GeomVolume(type, size, shell);
  if (volume <= kTiny) return std::nullopt;
  result.mass = mass ? *mass : density * volume;
  result.X_BI = X_BG;
  result.I_I = GeomMoments(type, size, shell, result.mass).asDiagonal();
  return result;
}

}  // namespace kinemorph::mjcf
