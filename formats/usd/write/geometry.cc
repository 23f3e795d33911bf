// Shapes as prims of UsdGeom, colours as preview surfaces, friction as physics materials.
#include "compose/layers.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/overloaded.h"
#include "words.h"
#include "write/writer.h"

namespace kinemorph::usd {
namespace {

constexpr double kWide =
    100;  // m: how wide an infinite plane is drawn; as a collider it is infinite

std::string Color(const Rgba& c) { return Tuple(c.head<3>()); }

// Two materials are one if they would be written alike, name included.
std::string KeyOf(const Material& m) {
  std::string key = m.name + "\n" + m.texture.value_or("");
  for (const std::optional<Rgba>* color : {&m.diffuse, &m.specular, &m.emissive}) {
    key += "\n";
    if (!*color) continue;
    for (int i = 0; i < 4; ++i) key += " " + FormatNumber((**color)[i]);
  }
  return key;
}

std::string KeyOf(const Collision& c) {
  std::string key;
  for (const std::optional<double>* mu : {&c.mu, &c.torsional, &c.rolling})
    key += " " + (*mu ? FormatNumber(**mu) : "-");
  return key == " - - -" ? "" : key;
}

bool IsDrawn(const Material& m) { return m.diffuse || m.texture || m.specular || m.emissive; }

}  // namespace

// Materials are prims of their own, shared by all shapes that bind them.
void UsdWriter::CollectMaterials() {
  UniqueNames names;
  for (std::uint32_t i = 0; i < model_.num_links(); ++i) {
    const Link& link = model_.link(LinkId{i});
    for (const Visual& visual : link.visuals) {
      if (!visual.material || !IsDrawn(*visual.material)) continue;
      const auto [entry, fresh] = material_names_.try_emplace(KeyOf(*visual.material));
      if (!fresh) continue;
      entry->second = names.Take(PrimName(visual.material->name, "material"));
      materials_.emplace_back(&*visual.material, entry->second);
    }
    for (const Collision& collision : link.collisions) {
      const std::string key = KeyOf(collision);
      if (key.empty()) continue;
      const auto [entry, fresh] = surface_names_.try_emplace(key);
      if (!fresh) continue;
      entry->second = names.Take("surface");
      surfaces_.emplace_back(&collision, entry->second);
    }
  }
}

void UsdWriter::WriteMaterials() {
  if (materials_.empty() && surfaces_.empty()) return;
  out_.Open("Scope", looks_scope_.substr(robot_.size() + 1));
  for (const auto& [material, name] : materials_) WriteMaterial(*material, name);
  for (const auto& [collision, name] : surfaces_) {
    PrimHead head{{"PhysicsMaterialAPI"}, {}};
    if (!physx_) head.apis.emplace_back("NewtonMaterialAPI");
    out_.Open("Material", name, head);
    if (collision->mu) {
      out_.Set("float physics:staticFriction", Number(*collision->mu));
      out_.Set("float physics:dynamicFriction", Number(*collision->mu));
    }
    if (!physx_ && collision->torsional)
      out_.Set("float newton:torsionalFriction", Number(*collision->torsional));
    if (!physx_ && collision->rolling)
      out_.Set("float newton:rollingFriction", Number(*collision->rolling));
    out_.Close();
  }
  out_.Close();
}

// A network of shaders: the surface, and where there is a texture its image and the coordinates
// that place it, "st" by convention.
void UsdWriter::WriteMaterial(const Material& m, const std::string& name) {
  const std::string path = looks_scope_ + "/" + name;
  out_.Open("Material", name, {.shown = m.name});
  out_.Set("token outputs:surface.connect", Path(path + "/shader.outputs:surface"));
  out_.Open("Shader", "shader");
  out_.Set("uniform token info:id", Quoted("UsdPreviewSurface"));
  if (m.texture)
    out_.Set("color3f inputs:diffuseColor.connect", Path(path + "/texture.outputs:rgb"));
  else if (m.diffuse)
    out_.Set("color3f inputs:diffuseColor", Color(*m.diffuse));
  if (m.diffuse && (*m.diffuse)[3] != 1) out_.Set("float inputs:opacity", Number((*m.diffuse)[3]));
  if (m.emissive) out_.Set("color3f inputs:emissiveColor", Color(*m.emissive));
  if (m.specular) {
    out_.Set("int inputs:useSpecularWorkflow", "1");
    out_.Set("color3f inputs:specularColor", Color(*m.specular));
  }
  out_.Declare("token outputs:surface");
  out_.Close();
  if (m.texture) {
    out_.Open("Shader", "coordinates");
    out_.Set("uniform token info:id", Quoted("UsdPrimvarReader_float2"));
    out_.Set("string inputs:varname", Quoted("st"));
    out_.Declare("float2 outputs:result");
    out_.Close();
    out_.Open("Shader", "texture");
    out_.Set("uniform token info:id", Quoted("UsdUVTexture"));
    out_.Set("asset inputs:file", Asset(*m.texture));
    out_.Set("float2 inputs:st.connect", Path(path + "/coordinates.outputs:result"));
    out_.Declare("float3 outputs:rgb");
    out_.Close();
  }
  out_.Close();
}

void UsdWriter::WriteVisual(const Visual& visual, const std::string& name) {
  const bool bound = visual.material && IsDrawn(*visual.material);
  std::vector<std::string> apis;
  if (bound) apis.emplace_back("MaterialBindingAPI");
  OpenShape(visual.shape, visual.X_LG, name, {.apis = std::move(apis), .shown = visual.name},
            visual.where, kVisualFile);
  if (bound) {
    out_.Relate("material:binding",
                {looks_scope_ + "/" + material_names_.at(KeyOf(*visual.material))});
    // For viewers that know no materials.
    if (visual.material->diffuse)
      out_.Set("color3f[] primvars:displayColor", List({Color(*visual.material->diffuse)}));
  }
  out_.Close();
}

void UsdWriter::WriteCollision(const Collision& collision, const std::string& name,
                               const std::string& path) {
  const auto* mesh = std::get_if<Mesh>(&collision.shape);
  const bool shown = mesh == nullptr || IsLayerName(mesh->uri);
  std::vector<std::string> apis;
  if (shown) apis.emplace_back("PhysicsCollisionAPI");
  if (shown && mesh != nullptr) apis.emplace_back("PhysicsMeshCollisionAPI");
  if (filtered_.contains(path)) apis.emplace_back("PhysicsFilteredPairsAPI");
  const std::string key = KeyOf(collision);
  if (!key.empty()) apis.emplace_back("MaterialBindingAPI");
  OpenShape(collision.shape, collision.X_LG, name,
            {.apis = std::move(apis), .shown = collision.name}, collision.where, kCollisionFile);
  // A guide is not drawn unless somebody asks for guides.
  out_.Set("uniform token purpose", Quoted("guide"));
  if (shown && mesh != nullptr)
    out_.Set("uniform token physics:approximation", Quoted("convexHull"));
  if (!key.empty())
    out_.Relate("material:binding:physics", {looks_scope_ + "/" + surface_names_.at(key)});
  WriteFilter(path);
  out_.Close();
}

// A cube has an edge of 1 and three scales, an ellipsoid is a scaled sphere: UsdGeom has no other
// boxes.
void UsdWriter::OpenShape(const Shape& shape, const RigidTransform& X_LG, const std::string& name,
                          PrimHead head, SourceLocation where, std::string_view file_word) {
  Vector3 scale = Vector3::Ones();
  const auto open = [&](const char* type) { out_.Open(type, name, head); };
  const auto set = [&](const char* attribute, double value) {
    out_.Set("double " + std::string(attribute), Number(value));
  };
  const auto round = [&](const char* type, double radius, double height) {
    open(type);
    out_.Set("uniform token axis", Quoted("Z"));
    set("height", height);
    set("radius", radius);
  };
  const auto refuse = [&](std::string_view what) {
    open("Xform");
    Error("usd-shape", where,
          "shape '" + std::string(what) +
              "' has no equivalent in USD; kinemorph must leave it out first");
  };
  std::visit(Overloaded{[&](const Box& s) {
                          open("Cube");
                          set("size", 1);
                          scale = s.size;
                        },
                        [&](const Sphere& s) {
                          open("Sphere");
                          set("radius", s.radius);
                        },
                        [&](const Ellipsoid& s) {
                          open("Sphere");
                          set("radius", 1);
                          scale = s.radii;
                        },
                        [&](const Cylinder& s) { round("Cylinder", s.radius, s.length); },
                        [&](const Capsule& s) { round("Capsule", s.radius, s.length); },
                        [&](const Cone& s) { round("Cone", s.radius, s.length); },
                        [&](const Plane& s) {
                          if (s.normal != Vector3::UnitZ())
                            return refuse("plane with a tilted normal");
                          open("Plane");
                          out_.Set("uniform token axis", Quoted("Z"));
                          set("width", s.size.x() > 0 ? s.size.x() : kWide);
                          set("length", s.size.y() > 0 ? s.size.y() : kWide);
                        },
                        // Whatever the file's default prim is, this is too.
                        [&](const Mesh& s) {
                          if (s.submesh || s.center_submesh) return refuse("part of a mesh");
                          scale = s.scale;
                          // A reference to what is no layer is an error of the whole stage.
                          if (IsLayerName(s.uri)) {
                            head.reference = s.uri;
                            out_.Open("", name, head);
                            return;
                          }
                          open("Xform");
                          out_.Set("custom asset " + std::string(file_word), Asset(s.uri));
                        },
                        [&](const Polyline&) { refuse("polyline"); },
                        [&](const NativeShape& s) { refuse(s.type); }},
             shape);
  out_.Place(X_LG, scale);
}

}  // namespace kinemorph::usd
