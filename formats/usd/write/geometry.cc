// Shapes as prims of UsdGeom, colours as preview surfaces, friction as physics materials.
#include <array>
#include <charconv>

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

// The shortest digits that single precision tells from all others.
std::string Single(double value) {
  std::array<char, 32> digits{};
  const auto number = static_cast<float>(value);
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string Singles(const Vector3& v) {
  return "(" + Single(v.x()) + ", " + Single(v.y()) + ", " + Single(v.z()) + ")";
}

std::string_view FileNameOf(std::string_view uri) {
  return uri.substr(uri.find_last_of("/\\:") + 1);
}

// Files repeat corners: an STL has each as often as it has faces.
Triangles WithCornersOnce(const Triangles& mesh) {
  Triangles out;
  std::map<std::array<double, 3>, std::uint32_t> known;
  for (const auto& face : mesh.faces) {
    auto& corners = out.faces.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3& v = mesh.vertices[face[i]];
      const auto [corner, fresh] =
          known.try_emplace({v.x(), v.y(), v.z()}, static_cast<std::uint32_t>(out.vertices.size()));
      if (fresh) out.vertices.push_back(v);
      corners[i] = corner->second;
    }
  }
  return out;
}

// Points of the unit ball, an octahedron whose edges are divided.
Triangles PointsOfBall() {
  constexpr int kParts = 6;
  Triangles ball;
  for (int octant = 0; octant < 8; ++octant) {
    const Vector3 sign(octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1);
    const auto add = [&](std::array<std::array<int, 2>, 3> corners) {
      if (sign.prod() < 0) std::swap(corners[1], corners[2]);
      auto& face = ball.faces.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [i, j] = corners[k];
        face[k] = static_cast<std::uint32_t>(ball.vertices.size());
        ball.vertices.push_back(sign.cwiseProduct(Vector3(i, j, kParts - i - j).normalized()));
      }
    };
    for (int i = 0; i < kParts; ++i)
      for (int j = 0; i + j < kParts; ++j) {
        add({{{i, j}, {i + 1, j}, {i, j + 1}}});
        if (i + j + 1 < kParts) add({{{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}});
      }
  }
  return WithCornersOnce(ball);
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
  const bool shown = mesh == nullptr || IsLayerName(mesh->uri) || PointsOf(*mesh) != nullptr;
  const bool hull =
      shown && (mesh != nullptr || std::holds_alternative<Ellipsoid>(collision.shape));
  std::vector<std::string> apis;
  if (shown) apis.emplace_back("PhysicsCollisionAPI");
  if (hull) apis.emplace_back("PhysicsMeshCollisionAPI");
  if (filtered_.contains(path)) apis.emplace_back("PhysicsFilteredPairsAPI");
  const std::string key = KeyOf(collision);
  if (!key.empty()) apis.emplace_back("MaterialBindingAPI");
  if (SaysMujoco(collision.native, "geom")) apis.emplace_back("MjcCollisionAPI");
  OpenShape(collision.shape, collision.X_LG, name,
            {.apis = std::move(apis), .shown = collision.name}, collision.where, kCollisionFile);
  // A guide is not drawn unless somebody asks for guides.
  out_.Set("uniform token purpose", Quoted("guide"));
  if (hull) out_.Set("uniform token physics:approximation", Quoted("convexHull"));
  if (!key.empty())
    out_.Relate("material:binding:physics", {looks_scope_ + "/" + surface_names_.at(key)});
  WriteMujoco(collision.native, "geom");
  WriteFilter(path);
  out_.Close();
}

// What the source held, and files on request. LowerShapes has told what cannot be read.
const Triangles* UsdWriter::PointsOf(const Mesh& mesh) {
  if (!mesh.content && (!options_.mesh_points.value_or(true) || IsLayerName(mesh.uri)))
    return nullptr;
  const auto [entry, fresh] = points_.try_emplace(mesh.uri);
  if (fresh) {
    std::string why;
    std::optional<Resource> file;
    if (mesh.content)
      file = Resource{mesh.uri, *mesh.content};
    else if (options_.files != nullptr)
      file = options_.files->Open(mesh.uri, "", why);
    const auto read = file ? DecodeMesh(mesh.uri, file->content, why) : std::optional<Triangles>();
    if (read && !read->faces.empty()) entry->second = WithCornersOnce(*read);
  }
  return entry->second ? &*entry->second : nullptr;
}

// Flat triangles, as robots' meshes are drawn: a surface without this scheme is made smooth.
void UsdWriter::WritePoints(const Triangles& mesh) {
  Eigen::AlignedBox3d box;
  std::string points, corners, counts, normals;
  const auto add = [](std::string& list, const std::string& item) {
    list.append(list.empty() ? "[" : ", ").append(item);
  };
  for (const Vector3& v : mesh.vertices) {
    box.extend(v);
    add(points, Singles(v));
  }
  for (const auto& face : mesh.faces) {
    const Vector3 &a = mesh.vertices[face[0]], &b = mesh.vertices[face[1]],
                  &c = mesh.vertices[face[2]];
    for (const std::uint32_t corner : face) add(corners, std::to_string(corner));
    add(counts, "3");
    add(normals, Singles((b - a).cross(c - a).stableNormalized()));
  }
  out_.Set("float3[] extent", "[" + Singles(box.min()) + ", " + Singles(box.max()) + "]");
  out_.Set("int[] faceVertexCounts", counts + "]");
  out_.Set("int[] faceVertexIndices", corners + "]");
  out_.Set("normal3f[] normals", normals + "] (\n    interpolation = \"uniform\"\n)");
  out_.Set("point3f[] points", points + "]");
  out_.Set("uniform token subdivisionScheme", Quoted("none"));
}

// A cube has an edge of 1 and three scales, and so has an ellipsoid that is drawn: UsdGeom has no
// others. To simulators a sphere with three scales is no collider.
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
                          scale = s.radii;
                          if (file_word == kCollisionFile) {
                            open("Mesh");
                            out_.Set("custom bool " + std::string(kEllipsoid), Boolean(true));
                            return WritePoints(PointsOfBall());
                          }
                          open("Sphere");
                          set("radius", 1);
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
                          if (const Triangles* const points = PointsOf(s)) {
                            open("Mesh");
                            out_.Set("custom string " + std::string(kMeshName),
                                     Quoted(FileNameOf(s.uri)));
                            return WritePoints(*points);
                          }
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
