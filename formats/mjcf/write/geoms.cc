// Geoms and the assets they use: one mesh per (file, scale), materials, textures.
#include <algorithm>

#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/base/text.h"
#include "write/writer.h"
#include "xml_reader.h"

namespace kinemorph::mjcf {
namespace {

// Assets are collected before anything is written, since geoms name them: one mesh for each file
// and scale, one material for each name, colour and texture. What a MJCF source said of its assets
// is kept under the same names, which are taken first.

std::string UriStem(std::string_view file) {
  file = file.substr(file.find_last_of("/\\:") + 1);
  return std::string(file.substr(0, file.find_last_of('.')));
}

std::span<const double> Numbers(const Rgba& rgba) { return {rgba.data(), 4}; }

std::string KeyOf(const Material& material) {
  std::string key = material.name + "\n" + material.texture.value_or("");
  if (material.diffuse)
    for (const double c : Numbers(*material.diffuse)) key += "\n" + xml::NumberText(c);
  return key;
}

// No asset: a geom holds it. (A texture needs a material even where it has no name.)
bool IsMereColor(const Material& material) { return material.name.empty() && !material.texture; }

// Only for shapes that MJCF has; others are equal when their kinds are, and do not get here.
bool SameShape(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      Overloaded{[&](const Box& s) { return s.size == std::get<Box>(b).size; },
                 [&](const Sphere& s) { return s.radius == std::get<Sphere>(b).radius; },
                 [&](const Cylinder& s) {
                   return s.radius == std::get<Cylinder>(b).radius &&
                          s.length == std::get<Cylinder>(b).length;
                 },
                 [&](const Capsule& s) {
                   return s.radius == std::get<Capsule>(b).radius &&
                          s.length == std::get<Capsule>(b).length;
                 },
                 [&](const Ellipsoid& s) { return s.radii == std::get<Ellipsoid>(b).radii; },
                 [&](const Mesh& s) {
                   return s.uri == std::get<Mesh>(b).uri && s.scale == std::get<Mesh>(b).scale;
                 },
                 [&](const NativeShape& s) {
                   return s.data.content == std::get<NativeShape>(b).data.content;
                 },
                 [](const auto&) { return true; }},
      a);
}

// What the lines on a plane are apart, the third number of its size.
double GridOf(const AttributeList& said) {
  const std::string* const size = FindAttribute(said, "size");
  const auto numbers = size == nullptr ? std::nullopt : xml::ParseNumbers(*size);
  return numbers && numbers->size() == 3 ? numbers->back() : 1;
}

// MuJoCo decodes these; any other texture would stop it from loading the model.
bool IsReadableTexture(const std::string& file) {
  return ExtensionOf(file) == ".png" || ExtensionOf(file) == ".ktx";
}

}  // namespace

void MjcfWriter::CollectAssets() {
  // Kept assets first, so that they keep their names and new ones avoid them.
  for (const NativeData& native : model_.native) {
    if (native.format != "mjcf" ||
        (native.element != "material" && native.element != "asset/material" &&
         native.element != "texture"))
      continue;
    std::string name;
    std::optional<Rgba> color;
    bool textured = false;
    for (const auto& [key, value] : native.content.attributes) {
      if (key == "name") name = value;
      textured = textured || key == "texture";
      const auto numbers = key == "rgba" ? xml::ParseNumbers(value) : std::nullopt;
      if (numbers && numbers->size() == 4) color = Rgba(numbers->data());
    }
    if (native.element == "texture") {
      static_cast<void>(texture_names_.Take(name));
    } else if (native.element == "asset/material") {
      beyond_colors_.emplace(name, &native);
    } else if (!name.empty() && native_materials_.emplace(name, &native).second) {
      // The colour under which visuals may refer to the material.
      if (!color && !textured) color = Rgba(1, 1, 1, 1);
      native_colors_[name] = color;
      static_cast<void>(material_names_.Take(name));
    }
  }
  const auto add_mesh = [this](const Shape& shape) {
    if (const Mesh* mesh = std::get_if<Mesh>(&shape)) {
      const MeshKey key = MeshKeyOf(*mesh);
      if (mesh_assets_.count(key) != 0) return;
      mesh_assets_[key] = mesh_names_.Take(mesh->name.empty() ? UriStem(mesh->uri) : mesh->name);
      meshes_.push_back(mesh);
    } else if (const NativeShape* native = std::get_if<NativeShape>(&shape)) {
      if (native->type != "mesh" || native->data.format != "mjcf" || native->data.element != "mesh")
        return;
      const std::string* const name = native->data.content.Attribute("name");
      if (name != nullptr && native_meshes_.emplace(*name, native).second)
        static_cast<void>(mesh_names_.Take(*name));
    }
  };

  // In the order of the links, so that the file does not depend on addresses.
  for (std::uint32_t i = 0; i < model_.num_links(); ++i) {
    const Link& link = model_.link(LinkId{i});
    for (const Collision& collision : link.collisions) add_mesh(collision.shape);
    for (const Visual& visual : link.visuals) {
      add_mesh(visual.shape);
      if (!visual.material || IsMereColor(*visual.material) ||
          native_materials_.count(visual.material->name) != 0)
        continue;
      if (!visual.material->diffuse && !visual.material->texture)
        continue;  // a bare name; as a MJCF material it would be white
      const auto [entry, fresh] = material_keys_.try_emplace(KeyOf(*visual.material));
      if (!fresh) continue;
      const std::string& name = visual.material->name;
      entry->second =
          material_names_.Take(name.empty() ? UriStem(*visual.material->texture) : name);
      materials_.push_back(&*visual.material);
    }
  }
}

MjcfWriter::MeshKey MjcfWriter::MeshKeyOf(const Mesh& mesh) {
  return {mesh.name, mesh.uri, mesh.scale.x(), mesh.scale.y(), mesh.scale.z()};
}
std::string MjcfWriter::MeshName(const Mesh& mesh) { return mesh_assets_.at(MeshKeyOf(mesh)); }
std::string MjcfWriter::MaterialName(const Material& material) {
  return material_keys_.at(KeyOf(material));
}

// MuJoCo refuses a mesh without volume, unless its inertia is that of a shell; the mesh weighs
// nothing here.
bool MjcfWriter::IsShell(const Mesh& mesh) const {
  return options_.files != nullptr &&
         ExtentOfMesh(*options_.files, mesh.uri, mesh.scale) != MeshExtent::kBody;
}

void MjcfWriter::WriteAssets() {
  // What a MJCF source says of its textures and meshes beyond what the model holds.
  std::map<std::string, const NativeData*, std::less<>> native_meshes;
  std::vector<const NativeData*> verbatim;
  for (const NativeData& native : model_.native) {
    if (native.format != "mjcf") continue;
    const std::string* const name = native.content.Attribute("name");
    if (native.element == "mesh" && name != nullptr) native_meshes[*name] = &native;
    if (native.element == "texture" || native.element == "hfield" || native.element == "skin" ||
        native.element == "asset/mesh")
      verbatim.push_back(&native);
  }
  if (meshes_.empty() && native_meshes_.empty() && materials_.empty() && verbatim.empty() &&
      native_materials_.empty())
    return;
  out_.Open("asset");
  for (const NativeData* native : verbatim) out_.Native(native->content);
  for (const auto& material : native_materials_) out_.Native(material.second->content);
  for (const Material* material : materials_) {
    const std::string name = MaterialName(*material);
    std::string texture;
    if (material->texture && IsReadableTexture(*material->texture)) {
      const auto [entry, fresh] = texture_assets_.try_emplace(*material->texture);
      if (fresh) {
        entry->second = texture_names_.Take(UriStem(*material->texture));
        out_.Open("texture")
            .Attribute("name", entry->second)
            .Attribute("type", "2d")
            .Attribute("file", *material->texture)
            .Close();
      }
      texture = entry->second;
    } else if (material->texture) {
      Error("mjcf-texture", material->where,
            {"material", material->name,
             "MuJoCo reads no texture like '" + *material->texture +
                 "'; kinemorph must leave it out first"});
    }
    out_.Open("material").Attribute("name", name);
    if (!texture.empty()) out_.Attribute("texture", texture);
    if (material->diffuse) out_.Attribute("rgba", Numbers(*material->diffuse));
    // What the source's material said beyond its colour counts as long as the name is still the
    // same.
    if (const auto beyond = beyond_colors_.find(name);
        beyond != beyond_colors_.end() && name == material->name) {
      for (const auto& [key, value] : beyond->second->content.attributes)
        if (key != "name") out_.Attribute(key, value);
      WriteChildren(*beyond->second);
    }
    out_.Close();
  }
  for (const Mesh* mesh : meshes_) {
    const std::string name = MeshName(*mesh);
    out_.Open("mesh").Attribute("name", name).Attribute("file", mesh->uri);
    if (mesh->scale != Vector3::Ones()) out_.Attribute("scale", mesh->scale);
    if (const auto native = native_meshes.find(name); native != native_meshes.end()) {
      for (const auto& [key, value] : native->second->content.attributes)
        if (key != "name") out_.Attribute(key, value);
      WriteChildren(*native->second);
    } else if (IsShell(*mesh)) {
      out_.Attribute("inertia", "shell");
    }
    out_.Close();
  }
  for (const auto& mesh : native_meshes_) out_.Native(mesh.second->data.content);
  out_.Close();
}

// By collision, the visual that stands for the same geom (the reader made both from one element, in
// one order), or null.
std::vector<const Visual*> MjcfWriter::TwinsOf(const Link& link) {
  std::vector<const Visual*> twins;
  std::size_t next = 0;
  for (const Collision& collision : link.collisions) {
    const auto found = std::find_if(link.visuals.begin() + static_cast<std::ptrdiff_t>(next),
                                    link.visuals.end(), [&](const Visual& v) {
                                      return v.name.empty() && !(v.where == SourceLocation()) &&
                                             v.where == collision.where &&
                                             v.X_LG == collision.X_LG &&
                                             SameShape(v.shape, collision.shape);
                                    });
    twins.push_back(found == link.visuals.end() ? nullptr : &*found);
    if (found != link.visuals.end())
      next = static_cast<std::size_t>(found - link.visuals.begin()) + 1;
  }
  return twins;
}

void MjcfWriter::WriteAppearance(const Material& material) {
  if (IsMereColor(material)) {
    if (material.diffuse) out_.Attribute("rgba", Numbers(*material.diffuse));
    return;
  }
  // A bare name without a colour would come out white.
  const auto native = native_colors_.find(material.name);
  if (native == native_colors_.end() && !material.diffuse && !material.texture) return;
  out_.Attribute("material",
                 native != native_colors_.end() ? material.name : MaterialName(material));
  // A geom's own colour wins over that of its material.
  if (native != native_colors_.end() && material.diffuse && material.diffuse != native->second)
    out_.Attribute("rgba", Numbers(*material.diffuse));
}

void MjcfWriter::WriteVisual(const Visual& visual) {
  out_.Open("geom");
  if (const std::string name = geom_names_.Take(visual.name); !name.empty())
    out_.Attribute("name", name);
  AttributeList attributes = NativeAttributes(visual.native, "geom");
  if (WriteShape(visual.shape, visual.where, attributes)) {
    WritePose(visual.X_LG);
    if (visual.material) WriteAppearance(*visual.material);
    // A visual does not collide, whatever the source said; its size is in the shape.
    std::erase_if(attributes, [](const auto& a) {
      return a.first == "contype" || a.first == "conaffinity" || a.first == "size";
    });
    attributes.insert(attributes.begin(), {{"contype", "0"}, {"conaffinity", "0"}});
    // MuJoCo's habit: group 2 is drawn, group 3 is for collisions and hidden.
    if (model_.format != "mjcf") attributes.insert(attributes.begin(), {{"group", "2"}});
    WriteAttributes(attributes);
    out_.Attribute("mass", "0");
    WriteGeomChildren(visual.native);
  }
  out_.Close();
}

void MjcfWriter::WriteCollision(const Collision& collision, const Visual* twin) {
  out_.Open("geom");
  // A nameless collision needs a name where a contact pair refers to it.
  const auto paired = paired_.find(&collision);  // a pair names it
  const bool nameless = collision.name.empty() && paired != paired_.end();
  if (const std::string name = geom_names_.Take(nameless ? "contact" : collision.name);
      !name.empty()) {
    out_.Attribute("name", name);
    if (paired != paired_.end()) paired->second = name;
  }
  AttributeList attributes = NativeAttributes(collision.native, "geom");
  if (WriteShape(collision.shape, collision.where, attributes)) {
    std::erase_if(attributes, [](const auto& a) { return a.first == "size"; });
    WritePose(collision.X_LG);
    if (twin != nullptr && twin->material) WriteAppearance(*twin->material);
    if (model_.format != "mjcf") attributes.insert(attributes.begin(), {{"group", "3"}});
    if (const auto& mask = collision.contact_mask) {  // 32 bits of a signed number
      if (mask->type != 1) out_.Attribute("contype", static_cast<std::int32_t>(mask->type));
      if (mask->affinity != 1)
        out_.Attribute("conaffinity", static_cast<std::int32_t>(mask->affinity));
    }
    // MuJoCo's own defaults stand in for numbers that are not known.
    if (collision.mu || collision.torsional || collision.rolling) {
      out_.Attribute("friction", {collision.mu.value_or(1), collision.torsional.value_or(0.005),
                                  collision.rolling.value_or(0.0001)});
    }
    WriteAttributes(attributes);
    // Masses are the inertial's; a body without one would be weighed by its geoms.
    out_.Attribute("mass", "0");
    WriteGeomChildren(collision.native);
  }
  out_.Close();
}

void MjcfWriter::WriteGeomChildren(const std::vector<NativeData>& natives) {
  for (const NativeData& native : natives)
    if (native.format == "mjcf" && native.element == "geom") WriteChildren(native);
}

// Sizes are radii and half lengths.
bool MjcfWriter::WriteShape(const Shape& shape, SourceLocation where, const AttributeList& said) {
  const auto sized = [this](const char* type, std::initializer_list<double> size) {
    out_.Attribute("type", type).Attribute("size", size);
    return true;
  };
  const auto refuse = [&](std::string_view what) {
    Error("mjcf-shape", where,
          "shape '" + std::string(what) +
              "' has no equivalent in MJCF; kinemorph must leave it out first");
    return false;
  };
  // All kinds are visited by name: a new shape of the model does not compile before MJCF has a word
  // for it or refuses it.
  return std::visit(
      Overloaded{[&](const Box& s) {
                   return sized("box", {s.size.x() / 2, s.size.y() / 2, s.size.z() / 2});
                 },
                 [&](const Sphere& s) { return sized("sphere", {s.radius}); },
                 [&](const Cylinder& s) {
                   return sized("cylinder", {s.radius, s.length / 2});
                 },
                 [&](const Capsule& s) {
                   return sized("capsule", {s.radius, s.length / 2});
                 },
                 [&](const Ellipsoid& s) {
                   return sized("ellipsoid", {s.radii.x(), s.radii.y(), s.radii.z()});
                 },
                 [&](const Plane& s) {
                   return s.normal == Vector3::UnitZ()
                              ? sized("plane", {s.size.x() / 2, s.size.y() / 2, GridOf(said)})
                              : refuse("plane with a tilted normal");
                 },
                 [&](const Mesh& s) {
                   out_.Attribute("type", "mesh").Attribute("mesh", MeshName(s));
                   return true;
                 },
                 [&](const NativeShape& s) {
                   if (s.data.format != "mjcf") return refuse(s.type);
                   if (s.data.element == "geom") {
                     WriteAttributes(s.data.content.attributes);
                     return true;
                   }
                   out_.Attribute("type", "mesh");
                   if (const std::string* const name = s.data.content.Attribute("name"))
                     out_.Attribute("mesh", *name);
                   return true;
                 },
                 [&](const Cone&) { return refuse("cone"); },
                 [&](const Polyline&) { return refuse("polyline"); }},
      shape);
}

}  // namespace kinemorph::mjcf
