// Links: inertials, visuals, collisions, shapes, materials.
#include <algorithm>
#include <cmath>

#include "read/reader.h"

namespace kinemorph::urdf_format {
namespace {

// Materials have one space of names in the whole robot. A definition may stand at the robot's level
// or in any visual, before or after its uses: they are collected while links are read, and
// ResolveMaterials gives every visual its own at the end.

bool SameRgba(const std::optional<Rgba>& a, const std::optional<Rgba>& b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}
bool Defines(const Material& material) {
  return material.diffuse || material.texture || !material.native.empty();
}

void AddOnce(const NativeData& data, std::vector<NativeData>& to) {
  const auto same = [&](const NativeData& other) { return other.content == data.content; };
  if (std::none_of(to.begin(), to.end(), same)) to.push_back(data);
}

}  // namespace

Material RobotReader::ReadMaterial(const xml::Element& element) {
  Material material;
  material.where = element.where();
  material.name = element.Attribute("name", "");
  if (const auto rgba = element.Child("color").Numbers("rgba", 4))
    material.diffuse = Rgba((*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]);
  if (const auto file = element.Child("texture").Attribute("filename"); file && !file->empty())
    material.texture = std::string(*file);
  KeepUnknown(element, {"color", "texture"}, material.native);
  return material;
}

void RobotReader::ReadGlobalMaterial(const xml::Element& element) {
  Material material = ReadMaterial(element);
  if (material.name.empty()) {
    element.Warn("material-without-name",
                 "material '': has no name, so nothing can use it; kinemorph leaves it out");
    return;
  }
  const std::string name = material.name;
  const auto [entry, is_new] = materials_.try_emplace(name, KnownMaterial{material, true, false});
  if (is_new) {
    material_names_.push_back(name);
  } else if (!SameRgba(entry->second.material.diffuse, material.diffuse) ||
             entry->second.material.texture != material.texture) {
    element.Warn("material-redefined",
                 {"material", name,
                  "is defined again with other values; those of line " +
                      std::to_string(entry->second.material.where.line) + " count"});
  }
}

void RobotReader::ReadLink(const xml::Element& element) {
  Link link;
  link.where = element.where();
  link.scope = ScopeId{0};
  link.name = element.Attribute("name", "");
  if (link.name.empty()) {
    element.ConsumeAll();
    element.Error("empty-name",
                  "link '': has no name, and nothing could refer to it; write <link name=\"...\">");
    return;
  }
  // The second link of a name is left out, and joints that seem to lack one of its parts are not
  // told of.
  if (const LinkId* const found = links_.Find(link.name)) {
    element.ConsumeAll();
    duplicate_link_ = true;
    element.Error("duplicate-link", {"link", link.name,
                                     "is defined twice, first in line " +
                                         std::to_string(model_.link(*found).where.line) +
                                         "; give one of them another name"});
    return;
  }
  if (const xml::Element inertial = element.Child("inertial"))
    link.inertial = ReadInertial(inertial, link.name);
  for (const xml::Element visual : element.Children("visual")) ReadVisual(visual, link);
  for (const xml::Element collision : element.Children("collision")) ReadCollision(collision, link);
  KeepUnknown(element, {"inertial", "visual", "collision"}, link.native);
  const std::string name = link.name;
  links_.Add(name, model_.AddLink(std::move(link)));
}

std::optional<Inertial> RobotReader::ReadInertial(const xml::Element& element,
                                                  const std::string& link) {
  Inertial inertial;
  inertial.where = element.where();
  // All numbers are about the centre of mass, in the axes of <origin>: kg, m and kg m^2.
  const xml::Element mass = element.Child("mass"), tensor = element.Child("inertia");
  if (!mass && element.Child("density")) {
    element.Warn("density-not-read",
                 {"link", link,
                  "its <inertial> gives a density and no mass, which only SAPIEN reads; kinemorph "
                  "reads a massless link, and urdfdom a massless link without shapes"});
    element.ConsumeAll();
    return std::nullopt;
  }
  inertial.X_LI = ReadPose(element.Child("origin"));
  KeepUnknown(element, {"origin", "mass", "inertia"}, inertial.native);
  // urdfdom reads a link without mass and without shapes then, which is another robot.
  if (!mass || !mass.Has("value")) {
    element.Error("mass-missing", {"link", link,
                                   "its <inertial> gives no mass; write <mass value=\"...\"/>, or "
                                   "leave <inertial> out for a massless link"});
    element.ConsumeAll();
    return std::nullopt;
  }
  inertial.mass = mass.Number("value", 0);
  if (!tensor) {
    element.Warn(
        "inertia-missing",
        {"link", link, "its <inertial> has a mass but no <inertia>; taken as a point mass"});
    return inertial;
  }
  const auto number = [&](const char* name, bool required) {
    if (!tensor.Has(name)) {
      if (required) {
        tensor.Error("inertia-incomplete", {"link", link,
                                            std::string("its <inertia> lacks '") + name +
                                                "'; all of ixx, iyy and izz are needed"});
      } else {
        Dialect("inertia-off-diagonal", tensor,
                {"link", link,
                 std::string("its <inertia> lacks '") + name +
                     "'; taken as 0 (other readers refuse this)"},
                "inertia-incomplete");
      }
      return 0.0;
    }
    return tensor.Number(name, 0);
  };
  // Six entries: a body without one of its moments is no body, while products of inertia are often
  // left out where they are zero.
  const double xx = number("ixx", true), yy = number("iyy", true), zz = number("izz", true);
  const double xy = number("ixy", false), xz = number("ixz", false), yz = number("iyz", false);
  inertial.I_I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  // Some exporters write the lower half too.
  for (const auto& [name, value] :
       {std::pair{"iyx", xy}, std::pair{"izx", xz}, std::pair{"izy", yz}}) {
    const auto mirrored = tensor.Number(name);
    if (mirrored && *mirrored != value) {
      tensor.Warn("inertia-not-symmetric",
                  {"link", link,
                   std::string("'") + name +
                       "' contradicts its mirror element; the upper half of the tensor counts"});
    }
  }
  return inertial;
}

Shape RobotReader::ReadMesh(const xml::Element& element, const std::string& link) {
  Mesh mesh;
  mesh.uri = element.Attribute("filename", "");
  if (mesh.uri.empty()) {
    element.Error(
        "mesh-without-file",
        {"link", link, "its <mesh> names no file; write <mesh filename=\"package://...\"/>"});
    return mesh;
  }
  // Scales below zero mirror the mesh and are kept.
  const auto scale = element.Numbers("scale", 1, 3);
  if (scale && scale->size() == 3) {
    mesh.scale = Vector3((*scale)[0], (*scale)[1], (*scale)[2]);
  } else if (scale && scale->size() == 1) {
    Dialect("scale", element,
            {"link", link,
             "its mesh scale is one number, taken for all three axes (other readers refuse this)"});
    mesh.scale = Vector3::Constant((*scale)[0]);
  } else if (scale) {
    element.Error("bad-vector", {"link", link, "its mesh scale has 2 numbers, expected 3 (or 1)"});
  }
  return mesh;
}

std::optional<Shape> RobotReader::ReadGeometry(const xml::Element& geometry,
                                               const xml::Element& owner, const std::string& link) {
  // The first shape counts. A shape of unknown kind is kept as text, in its place among the shapes,
  // so that URDF output has it again.
  const std::string owner_name(owner.name());
  const auto required = [&](const xml::Element& shape, const char* attribute) {
    if (!shape.Has(attribute)) {
      shape.Error(
          "shape-incomplete",
          {"link", link, "its <" + std::string(shape.name()) + "> has no '" + attribute + "'"});
      return 0.0;
    }
    return shape.Number(attribute, 0);
  };
  std::optional<Shape> result;
  for (const xml::Element shape : geometry.Children()) {
    const std::string_view kind = shape.name();
    if (result) break;  // the rest is reported as not used
    shape.Consume();
    if (kind == "box") {
      Box box;
      if (!shape.Has("size"))
        shape.Error("shape-incomplete", {"link", link, "its <box> has no 'size'"});
      if (const auto size = shape.Vector("size")) box.size = *size;
      result = box;
    } else if (kind == "sphere") {
      result = Sphere{required(shape, "radius")};
    } else if (kind == "cylinder") {
      const double radius = required(shape, "radius");
      result = Cylinder{radius, required(shape, "length")};
    } else if (kind == "capsule") {
      if (minor_version_ < 1) {
        Dialect("capsule", shape,
                {"link", link,
                 "<capsule> is of URDF 1.1; kinemorph reads it, but write <robot version=\"1.1\"> "
                 "so that other readers do too"});
      }
      const double radius = required(shape, "radius");
      result = Capsule{radius, required(shape, "length")};
    } else if (kind == "mesh") {
      result = ReadMesh(shape, link);
    } else {
      Diagnostic& warning = shape.Warn(
          "shape-unknown", {"link", link,
                            "shape '" + std::string(kind) +
                                "' is not part of URDF; kinemorph keeps the shape as text"});
      warning.suggestion = NearestName(kind, {"box", "sphere", "cylinder", "capsule", "mesh"});
      result = NativeShape{std::string(kind), shape.Native()};
    }
  }
  if (!result) {
    owner.Warn("geometry-missing",
               {"link", link,
                "its <" + owner_name +
                    "> has no shape; kinemorph leaves it out (other readers refuse this)"});
  }
  return result;
}

void RobotReader::ReadVisual(const xml::Element& element, Link& link) {
  Visual visual;
  visual.where = element.where();
  visual.name = element.Attribute("name", "");
  visual.X_LG = ReadPose(element.Child("origin"));
  const auto shape = ReadGeometry(element.Child("geometry"), element, link.name);
  if (const xml::Element material = element.Child("material")) {
    visual.material = ReadMaterial(material);
    // Only one that has a name and content defines something; a name alone is a use.
    const Material& inline_one = *visual.material;
    if (!inline_one.name.empty() && Defines(inline_one)) {
      // The first definition of a name counts everywhere, as in urdfdom; one at the robot's level
      // comes before all others.
      const auto [entry, is_new] =
          materials_.try_emplace(inline_one.name, KnownMaterial{inline_one, false, true});
      const Material& known = entry->second.material;
      if (is_new) {
        material_names_.push_back(inline_one.name);
      } else if (!SameRgba(known.diffuse, inline_one.diffuse) ||
                 known.texture != inline_one.texture) {
        material.Warn("material-redefined",
                      {"material", inline_one.name,
                       "has other values here than in line " + std::to_string(known.where.line) +
                           "; those count, as urdfdom reads it"});
      }
    }
  }
  KeepUnknown(element, {"origin", "geometry", "material"}, visual.native);
  if (!shape) return;
  visual.shape = *shape;
  link.visuals.push_back(std::move(visual));
}

void RobotReader::ReadCollision(const xml::Element& element, Link& link) {
  Collision collision;
  collision.where = element.where();
  collision.name = element.Attribute("name", "");
  collision.X_LG = ReadPose(element.Child("origin"));
  const auto shape = ReadGeometry(element.Child("geometry"), element, link.name);
  KeepUnknown(element, {"origin", "geometry", "drake:proximity_properties"}, collision.native);
  if (!shape) return;
  collision.shape = *shape;
  ReadProximity(element.Child("drake:proximity_properties"), collision);
  link.collisions.push_back(std::move(collision));
}

void RobotReader::ResolveMaterials() {
  for (const LinkId id : Links(model_)) {
    for (Visual& visual : model_.link(id).visuals) {
      if (!visual.material || visual.material->name.empty()) continue;
      const auto found = materials_.find(visual.material->name);
      if (found != materials_.end()) {
        found->second.used = true;
        // The definition counts, but what is kept as text at this use is not lost.
        const std::vector<NativeData> own = std::move(visual.material->native);
        visual.material = found->second.material;
        for (const NativeData& data : own) AddOnce(data, visual.material->native);
        continue;
      }
      Diagnostic diagnostic = MakeDiagnostic(
          Severity::kWarning, "material-undefined", options_.file_name, visual.material->where.line,
          "robot/link[" + model_.link(id).name + "]/visual/material",
          {"material", visual.material->name,
           "is not defined anywhere; the visual keeps the name and has no colour"});
      diagnostic.suggestion = NearestName(visual.material->name, material_names_);
      if (!diagnostic.suggestion.empty()) materials_.at(diagnostic.suggestion).used = true;
      robot_.context().diagnostics->Add(std::move(diagnostic));
    }
  }
  for (const std::string& name : material_names_) {
    const KnownMaterial& known = materials_.at(name);
    // Unused ones are told of where the file lists them on purpose, not where a visual defined its
    // own.
    if (known.used || !known.global) continue;
    robot_.context().diagnostics->Add(
        MakeDiagnostic(Severity::kNote, "material-unused", options_.file_name,
                       known.material.where.line, "robot/material[" + name + "]",
                       {"material", name, "no visual uses it; kinemorph leaves it out"}));
  }
}

}  // namespace kinemorph::urdf_format
