// Reads <geometry>, <material> and <surface>.
#include "sdf_model/geometry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "kinemorph/graph/base/number.h"

namespace kinemorph::sdformat {

// Shapes with their sizes in full lengths (box, cylinder, capsule and cone along z), as the model
// has them; a capsule's length is that of its cylinder, without the caps. What the model has no
// shape for is kept as text, so that a writer of SDFormat gives it back.

namespace {

double Size(const xml::Element& shape, const char* child, double fallback) {
  const auto value = shape.ChildNumber(child);
  if (!value && !shape.HasChild(child)) {
    shape.Warn("shape-size", "'" + shape.path() + "' has no <" + child +
                                 ">; kinemorph uses the default of SDFormat");
  }
  if (value && *value < 0)
    shape.Error("shape-size", "'" + shape.path() + "' has a negative " + child);
  return value.value_or(fallback);
}

Vector3 Sizes(const xml::Element& shape, const char* child) {
  const auto n = shape.Child(child).TextNumbers(3, 3);
  if (!n) {
    if (!shape.HasChild(child))
      shape.Warn("shape-size",
                 "'" + shape.path() + "' has no <" + child + ">; kinemorph uses 1 1 1");
    return Vector3::Ones();
  }
  if (std::any_of(n->begin(), n->end(), [](double v) { return v < 0; }))
    shape.Error("shape-size", "'" + shape.path() + "' has a negative " + child);
  return {(*n)[0], (*n)[1], (*n)[2]};
}

Mesh ReadMesh(const xml::Element& shape) {
  Mesh mesh;
  mesh.uri = shape.ChildText("uri").value_or("");
  if (mesh.uri.empty()) shape.Error("mesh-uri", "'" + shape.path() + "' has no <uri>");
  if (const auto n = shape.Child("scale").TextNumbers(3, 3))
    mesh.scale << (*n)[0], (*n)[1], (*n)[2];
  if (const xml::Element submesh = shape.Child("submesh")) {
    mesh.submesh = submesh.ChildText("name").value_or("");
    mesh.center_submesh = submesh.Child("center").TextBoolean().value_or(false);
  }
  return mesh;
}

Plane ReadPlane(const xml::Element& shape) {
  Plane plane;
  if (const auto n = shape.Child("normal").TextNumbers(3, 3)) {
    const Vector3 normal((*n)[0], (*n)[1], (*n)[2]);
    // A unit normal stays as it was written, to the digit.
    if (normal.norm() > 1e-9)
      plane.normal = normal.squaredNorm() == 1 ? normal : normal.stableNormalized();
    else
      shape.Error("plane-normal", "'" + shape.path() + "' has a normal of zero length");
  }
  if (const auto n = shape.Child("size").TextNumbers(2, 2)) plane.size << (*n)[0], (*n)[1];
  return plane;
}

// Several polylines make one shape, of which Gazebo takes the height from the first one.
Polyline ReadPolylines(const xml::Element& geometry) {
  Polyline shape;
  for (const xml::Element polyline : geometry.Children("polyline")) {
    std::vector<Eigen::Vector2d>& points = shape.polylines.emplace_back();
    for (const xml::Element point : polyline.Children("point")) {
      if (const auto n = point.TextNumbers(2, 2)) points.emplace_back((*n)[0], (*n)[1]);
    }
    const std::optional<double> height = polyline.ChildNumber("height");
    if (shape.polylines.size() == 1)
      shape.height = height.value_or(1);
    else if (height && *height != shape.height)
      polyline.Child("height").Warn(
          "not-used", "element 'height' in '" + polyline.path() +
                          "' is not used: the first polyline of a shape gives the height of all, " +
                          FormatNumber(shape.height));
  }
  return shape;
}

std::optional<Rgba> ReadColor(const xml::Element& material, const char* child) {
  const auto n = material.Child(child).TextNumbers(3, 4);
  if (!n) return std::nullopt;
  return Rgba((*n)[0], (*n)[1], (*n)[2], n->size() == 4 ? (*n)[3] : 1.0);
}

}  // namespace

std::optional<Shape> ReadGeometry(const xml::Element& owner) {
  const xml::Element geometry = owner.Child("geometry");
  for (const xml::Element shape : geometry.Children()) {
    const std::string_view kind = shape.name();
    if (IsForeign(shape)) continue;
    if (kind == "polyline") return ReadPolylines(geometry);
    if (kind == "heightmap" || kind == "image" || kind == "empty")
      return NativeShape{std::string(kind), NativeOf(shape)};
    shape.Consume();
    if (kind == "box") return Box{Sizes(shape, "size")};
    if (kind == "sphere") return Sphere{Size(shape, "radius", 1)};
    if (kind == "cylinder") return Cylinder{Size(shape, "radius", 1), Size(shape, "length", 1)};
    if (kind == "capsule") return Capsule{Size(shape, "radius", 0.5), Size(shape, "length", 1)};
    if (kind == "cone") return Cone{Size(shape, "radius", 1), Size(shape, "length", 1)};
    if (kind == "ellipsoid") return Ellipsoid{Sizes(shape, "radii")};
    if (kind == "plane") return ReadPlane(shape);
    if (kind == "mesh") return ReadMesh(shape);
    shape.Warn("shape-unknown",
               "'" + std::string(kind) + "' is not a shape of SDFormat; kept as it is");
    return NativeShape{std::string(kind), NativeOf(shape)};
  }
  owner.Warn("shape-missing", "'" + owner.path() + "' has no shape; kinemorph leaves it out");
  return std::nullopt;
}

Material ReadMaterial(const xml::Element& material) {
  Material out;
  out.where = material.where();
  out.ambient = ReadColor(material, "ambient");
  out.diffuse = ReadColor(material, "diffuse");
  out.specular = ReadColor(material, "specular");
  out.emissive = ReadColor(material, "emissive");
  // <pbr> with an albedo map and nothing else is a plain texture.
  const xml::Element pbr = material.Child("pbr");
  const auto only_child = [](const xml::Element& e, const char* name) {
    int count = 0;
    for ([[maybe_unused]] const xml::Element child : e.Children()) ++count;
    return count == 1 && e.HasChild(name);
  };
  if (only_child(pbr, "metal") && only_child(pbr.Child("metal"), "albedo_map"))
    out.texture = pbr.Child("metal").ChildText("albedo_map");
  for (const xml::Element child : material.Children()) {
    if ((child.Is("pbr") && !out.texture) ||
        child.IsOneOf({"script", "shader", "lighting", "render_order", "double_sided"}) ||
        IsForeign(child)) {
      if (!IsDefault(child)) out.native.push_back(NativeOf(child));
    }
  }
  return out;
}

namespace {

constexpr std::array<const char*, 2> kMasks = {"collide_bitmask", "category_bitmask"};

// libsdformat reads "0xAB" too.
std::optional<double> MaskNumber(const xml::Element& mask) {
  const std::string_view text = mask.Text();
  // Masks are often written in hexadecimal, which is no number of XML.
  std::uint32_t value = 0;
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (!hexadecimal) return mask.TextNumber();
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + 2, end, value, 16);
  return read.ptr == end && read.ec == std::errc() ? std::optional<double>(value)
                                                   : mask.TextNumber();
}

// 16 bits each; what is not written of the one is the other, or all. Nothing where neither is said,
// or not by such a number.
std::optional<ContactMask> ReadMask(const xml::Element& contact) {
  std::optional<std::uint32_t> said[2];
  for (std::size_t i = 0; i < kMasks.size(); ++i) {
    const char* name = kMasks[i];
    if (!contact.HasChild(name)) continue;
    const std::optional<double> number = MaskNumber(contact.Child(name));
    if (!number || *number < 0 || *number > 0xffff || *number != std::floor(*number))
      return std::nullopt;
    said[i] = static_cast<std::uint32_t>(*number);
  }
  const auto& [affinity, type] = said;
  if (!affinity && !type) return std::nullopt;
  const std::uint32_t collides = affinity.value_or(0xffff);
  return ContactMask{type.value_or(collides), collides};
}

// Friction that nothing overcomes, which SDFormat says by the word "inf" and the model by no number.
bool IsInfinite(const xml::Element& coefficient) {
  const std::string_view text = coefficient.Text();
  // A number that is too large, like 1e999, is infinite too, but was meant as a number: that is an
  // error.
  const std::optional<double> value = xml::ParseNumber(text);
  return value && std::isinf(*value) && *value > 0 &&
         text.find_first_of("0123456789") == std::string_view::npos;
}

}  // namespace

void ReadSurface(const xml::Element& surface, Collision& collision) {
  const xml::Element friction = surface.Child("friction");
  const xml::Element ode = friction.Child("ode");
  const xml::Element torsional = friction.Child("torsional");
  bool endless = false;
  // Infinite friction has no number in the model: the text keeps it, and `endless` makes it be
  // kept.
  const auto read = [&](const xml::Element& of, const char* name) -> std::optional<double> {
    if (!IsInfinite(of.Child(name))) return of.ChildNumber(name);
    endless = true;
    return std::nullopt;
  };
  collision.mu = read(ode, "mu"), collision.mu2 = read(ode, "mu2");
  collision.torsional = read(torsional, "coefficient");
  const xml::Element contact = surface.Child("contact");
  collision.contact_mask = ReadMask(contact);
  // Anything beyond those numbers: the whole surface is kept too.
  const auto others = [](const xml::Element& e, std::initializer_list<std::string_view> known) {
    for (const xml::Element child : e.Children())
      if (std::find(known.begin(), known.end(), child.name()) == known.end()) return true;
    return false;
  };
  const bool masks = collision.contact_mask && !others(contact, {kMasks[0], kMasks[1]});
  if (endless ||
      (masks ? others(surface, {"friction", "contact"}) : others(surface, {"friction"})) ||
      others(friction, {"ode", "torsional"}) || others(ode, {"mu", "mu2"}) ||
      others(torsional, {"coefficient"})) {
    // An element of no content says nothing (<contact><ode/></contact>, written by many exporters).
    bool empty = !endless;
    // Friction was read; every other part, however deep, must be without text and attributes.
    for (const xml::Element part : surface.Children()) {
      if (part.name() == "friction") {
        empty = empty && !others(friction, {"ode", "torsional"}) && !others(ode, {"mu", "mu2"}) &&
                !others(torsional, {"coefficient"});
        continue;
      }
      std::vector<xml::Element> open{part};
      while (!open.empty() && empty) {
        const xml::Element e = open.back();
        open.pop_back();
        if (!e.Text().empty() || !e.Attributes().empty()) empty = false;
        for (const xml::Element child : e.Children()) open.push_back(child);
      }
    }
    if (empty)
      surface.ConsumeAll();
    else
      collision.native.push_back(NativeOf(surface));
  }
}

bool IsDefault(const xml::Element& element) {
  // What an element that is not there means, in every version.
  static constexpr std::pair<std::string_view, std::string_view> kDefaults[] = {
      {"gravity", "true"},       {"kinematic", "false"}, {"must_be_base_link", "false"},
      {"cast_shadows", "true"},  {"laser_retro", "0"},   {"self_collide", "false"},
      {"lighting", "true"},      {"max_contacts", "10"}, {"provide_feedback", "false"},
      {"double_sided", "false"}, {"render_order", "0"},
  };
  for (const auto& [name, value] : kDefaults) {
    if (element.name() != name || !element.Attributes().empty()) continue;
    const std::string_view text = element.Text();
    const bool same = text == value || (value == "true" && text == "1") ||
                      (value == "false" && text == "0") ||
                      (value != "true" && value != "false" && xml::ParseNumber(text) &&
                       xml::ParseNumber(text) == xml::ParseNumber(value));
    if (same) element.ConsumeAll();
    return same;
  }
  return false;
}

}  // namespace kinemorph::sdformat
