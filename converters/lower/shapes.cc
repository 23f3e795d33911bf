// Pass `shapes`: shapes the target lacks as exact unions of shapes that it has.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "edit/model_edit.h"
#include "kinemorph/formats/lfs_pointer.h"
#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/checks/plane_box.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// A capsule is exactly the union of its cylinder and the spheres at the ends. Part names are
// `name`, `name_top`, `name_bottom`.
template <class Part>
void SplitCapsules(std::vector<Part>& parts, const Subject& element, PassContext& context) {
  if (std::ranges::none_of(
          parts, [](const Part& part) { return std::holds_alternative<Capsule>(part.shape); }))
    return;
  std::vector<Part> result;
  result.reserve(parts.size());
  for (Part& part : parts) {
    const auto* capsule = std::get_if<Capsule>(&part.shape);
    if (capsule == nullptr) {
      result.push_back(std::move(part));
      continue;
    }
    const Capsule shape = *capsule;
    // The cylinder's frame is the capsule's, its axis z; both have the length between the centres
    // of the caps.
    const RigidTransform X_LG = part.X_LG;
    context.Lowered(element, std::string("a capsule") +
                                 (part.name.empty() ? "" : " ('" + part.name + "')") +
                                 " becomes a cylinder and two spheres");
    Part cylinder = part;
    cylinder.shape = Cylinder{shape.radius, shape.length};
    result.push_back(cylinder);
    for (const int end : {1, -1}) {
      Part sphere = part;
      sphere.shape = Sphere{shape.radius};
      sphere.X_LG = X_LG * RigidTransform::Translation(Vector3(0, 0, end * shape.length / 2));
      sphere.native.clear();
      if (!sphere.name.empty()) sphere.name += end > 0 ? "_top" : "_bottom";
      result.push_back(std::move(sphere));
    }
  }
  parts = std::move(result);
}

// A plane with a tilted normal is the plane with normal z, turned.
template <class Part>
void TurnPlanes(std::vector<Part>& parts, const Subject& element, PassContext& context) {
  for (Part& part : parts) {
    auto* plane = std::get_if<Plane>(&part.shape);
    if (plane == nullptr || plane->normal == Vector3::UnitZ()) continue;
    part.X_LG.R = part.X_LG.R * RotationWithZ(plane->normal.normalized());
    plane->normal = Vector3::UnitZ();
    context.Lowered(element, "a plane is turned so that its normal is z");
  }
}

constexpr double kNoExtent = FormatLimits::kNothing;  // m

// The smallest of the sizes that a shape cannot do without; infinite: it has none.
double SmallestSize(const Shape& shape) {
  double smallest = INFINITY;
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        ForEachField<Kind>([&](const auto& field) {
          if (field.range != Range::kMagnitude) return;
          const auto& size = kind.*field.member;
          if constexpr (std::same_as<decltype(size), const double&>)
            smallest = std::min(smallest, size);
          else if constexpr (requires { size.minCoeff(); })
            smallest = std::min(smallest, size.minCoeff());
        });
      },
      shape);
  return smallest;
}

// The feature of a shape that has no extent somewhere; kCount for all others.
Feature Degenerate(const Shape& shape) {
  const bool of_sizes =
      !std::holds_alternative<Cone>(shape) && !std::holds_alternative<Polyline>(shape);
  return of_sizes && SmallestSize(shape) <= kNoExtent ? ShapeFeature(shape) : Feature::kCount;
}

// A size below zero somewhere, or the name of a mesh that says nothing: a shape for the family of
// formats that read it so, and for no other.
bool IsNoShape(const Shape& shape) {
  if (const auto* plane = std::get_if<Plane>(&shape)) return plane->size.minCoeff() < 0;
  if (const auto* mesh = std::get_if<Mesh>(&shape))
    return Trimmed(mesh->uri).empty() && mesh->name.empty();
  return SmallestSize(shape) < 0;
}

// Whether the end of a file's name is one of `ends`, ".stl .obj"; an empty list has them all. A
// name that is nothing but its end is none, as the target calls the mesh by the rest.
bool IsRead(const std::string& uri, std::string_view ends) {
  const std::string end = ExtensionOf(uri);
  if (ends.empty()) return true;
  // A blank after each: ".st" is not the end of ".stl".
  const std::size_t at = (std::string(ends) + " ").find(end + " ");
  const bool known = end.size() > 1 && at != std::string::npos;
  constexpr std::string_view kEndsFolder = "/\\:";
  return known && uri.size() > end.size() &&
         kEndsFolder.find(uri[uri.size() - end.size() - 1]) == std::string_view::npos;
}

// Why the target does not read meshes, each file looked at once.
class UnreadMeshes {
 public:
  UnreadMeshes(const LowerShapes& asked, const PassContext& context)
      : read_(asked.mesh_files),
        most_faces_(asked.most_stl_faces),
        decode_(asked.decode_meshes),
        holds_(asked.holds_meshes),
        need_(asked.need),
        least_scale_(asked.least_scale),
        files_(context.options.target.options.files) {}

  // Empty where it reads this one, as far as anybody can see.
  const std::string& Why(const Mesh& mesh) {
    const auto [entry, fresh] = why_.try_emplace(mesh.uri);
    if (!fresh) return entry->second;
    entry->second = holds_ && mesh.content ? ""
                    : !IsRead(mesh.uri, read_)
                        ? decode_ ? WhyNoPoints(mesh.uri)
                                  : "the target reads meshes in " + std::string(read_) + " only"
                        : FaultOfStl(mesh.uri);
    return entry->second;
  }

  // Why the target refuses a mesh that it reads; empty: it does not.
  std::string WhyRefused(const Mesh& mesh, bool collides) {
    if (mesh.scale.cwiseAbs().minCoeff() < least_scale_)
      return "the target refuses factors below " + FormatNumber(least_scale_);
    if (need_ == MeshNeed::kNothing || files_ == nullptr) return "";
    const bool needs_hull = need_ == MeshNeed::kHull;
    const MeshExtent extent = needs_hull || collides ? ExtentOf(mesh) : MeshExtent::kBody;
    if (extent == MeshExtent::kNothing) return "the mesh has no area";
    if (extent == MeshExtent::kTriangle && needs_hull) return "the mesh has less than four corners";
    return extent == MeshExtent::kPlane && needs_hull && collides
               ? "all corners of the mesh lie in one plane, and the target collides with convex "
                 "hulls; give the collision a thin box"
               : "";
  }

  // Whether it was decoded, and has colours (OBJ), which triangles have not.
  [[nodiscard]] bool HasColours(const Mesh& mesh) const { return coloured_.contains(mesh.uri); }

 private:
  [[nodiscard]] MeshExtent ExtentOf(const Mesh& mesh) {
    const Vector3& scale = mesh.scale;
    const auto [entry, fresh] =
        extents_.try_emplace({mesh.uri, {scale.x(), scale.y(), scale.z()}}, MeshExtent::kBody);
    if (fresh) entry->second = ExtentOfMesh(*files_, mesh.uri, scale);
    return entry->second;
  }

  // Why the target does not read this STL file; empty where it does, or nobody can see.
  [[nodiscard]] std::string FaultOfStl(const std::string& uri) const {
    if (files_ == nullptr || most_faces_ == 0 || ExtensionOf(uri) != ".stl") return "";
    // The start of a file is enough: the count of faces stands behind a header of 80 bytes. A
    // pointer of Git LFS is not the file, and says nothing of it.
    std::string ignored;
    const std::optional<Resource> file = files_->OpenStart(uri, "", ignored);
    if (!file || IsLfsPointer(file->content)) return "";
    if (IsTextStl(file->content))
      return "it is an STL file as text, and the target reads binary ones";
    const std::optional<std::uint32_t> faces = FacesOfBinaryStl(file->content);
    // A file that is not longer than what was read can be held against its count of faces.
    const bool whole = file->content.size() != kStartOfFile;
    if (!faces || (whole && *faces > 0 && file->content.size() != SizeOfBinaryStl(*faces)))
      return "it is no STL file, or a part of one";
    if (*faces > 0 && *faces <= most_faces_) return "";
    if (*faces == 0) return "the STL file has no faces, and the target refuses such a file";
    return "the STL file has " + std::to_string(*faces) + " faces, and the target reads up to " +
           std::to_string(most_faces_);
  }

  // Why a file has no triangles to write.
  [[nodiscard]] std::string WhyNoPoints(const std::string& uri) {
    std::string why = "not found";
    const std::optional<Resource> file =
        files_ == nullptr ? std::nullopt : files_->Open(uri, "", why);
    if (!file) return "the file is not read: " + why;
    if (file->content.find("\nusemtl ") != std::string::npos) coloured_.insert(uri);
    if (IsLfsPointer(file->content)) return "the file is a Git LFS pointer and holds no mesh";
    const std::optional<Triangles> mesh = DecodeMesh(uri, file->content, why);
    if (mesh && mesh->faces.empty()) why = "has no faces";
    return mesh && !mesh->faces.empty() ? "" : "the file " + why;
  }

  std::string_view read_;
  std::size_t most_faces_;  // of an STL file; 0: any
  bool decode_, holds_;
  MeshNeed need_;
  double least_scale_;
  const ResourceResolver* files_;
  std::map<std::string, std::string> why_;                                       // by name
  std::map<std::pair<std::string, std::array<double, 3>>, MeshExtent> extents_;  // name, scale
  std::set<std::string> coloured_;
};

// A texture that the target does not read would keep it from loading the model.
void LeaveOutTexture(const Model& model, const Link& link, Visual& visual, std::string_view read,
                     PassContext& context) {
  if (!visual.material || !visual.material->texture || IsRead(*visual.material->texture, read))
    return;
  context.Lose(
      model, Feature::kMaterialTexture, SubjectOf(link, visual),
      "texture '" + *visual.material->texture + "' is not written",
      "the target reads textures in " + std::string(read) + " only; convert it to one of them");
  visual.material->texture.reset();
}

Mesh WithUri(Mesh mesh, const std::string& uri) {
  mesh.uri = uri;
  return mesh;
}

// The meshes that were made of this one; none where none can be.
std::vector<ConvertedMesh> ConvertedMeshes(const std::string& mesh, bool by_colour,
                                           const PassContext& context) {
  return context.options.convert_mesh ? context.options.convert_mesh(mesh, by_colour)
                                      : std::vector<ConvertedMesh>();
}

// A visual has the colours of its mesh where it has none of its own.
bool TakesColours(const Visual& visual) { return !visual.material; }
bool TakesColours(const Collision&) { return false; }
void SetColour(Visual& visual, const std::optional<Rgba>& colour) {
  if (colour) visual.material.emplace().diffuse = colour;
}
void SetColour(Collision&, const std::optional<Rgba>&) {}

// `part` becomes the first of its meshes, the others go to `further`; says how.
template <class Part>
std::string TakeMeshes(const std::vector<ConvertedMesh>& meshes, Part& part,
                       std::vector<Part>& further) {
  const bool plain = TakesColours(part);
  const bool stl = ExtensionOf(std::get<Mesh>(part.shape).uri) == ".stl";  // which has none
  const Part whole = part;
  for (const ConvertedMesh& mesh : meshes) {
    const bool first = &mesh == &meshes.front();
    Part& one = first ? part : further.emplace_back(whole);
    if (!first) {
      one.native.clear();
      if (!one.name.empty()) one.name += "_" + std::to_string(&mesh - meshes.data() + 1);
    }
    std::get<Mesh>(one.shape).uri = mesh.name;
    if (plain) SetColour(one, mesh.colour);
  }
  const bool coloured =
      std::ranges::all_of(meshes, [](const auto& mesh) { return mesh.colour.has_value(); });
  if (meshes.size() > 1)
    return "is converted, in " + std::to_string(meshes.size()) + " parts" +
           (coloured ? ", one of each colour" : " by colour, without textures");
  return "is converted" + std::string(plain && !coloured && !stl ? ", without colours" : "");
}

// The plane is the upper face of a box.
template <class Part>
void BecomeBox(const Model& model, const Link& link, Part& part, PassContext& context) {
  const Plane plane = std::get<Plane>(part.shape);
  if (plane.normal != Vector3::UnitZ())
    part.X_LG.R = part.X_LG.R * RotationWithZ(plane.normal.normalized());
  const Box box = BoxBelow(plane, std::same_as<Part, Collision>);
  Loss& loss = context.Lose(model, Feature::kShapePlane, SubjectOf(link, part),
                            "the plane is written as the upper face of a box",
                            "the target has no planes that it can use");
  loss.target = "box " + ValueText(box.size) + " m";
  if (std::same_as<Part, Collision>) loss.weight = Weight::kInterface;
  part.X_LG = part.X_LG * RigidTransform::Translation(Vector3(0, 0, -box.size.z() / 2));
  part.shape = box;
}

// Shapes that would keep the target from loading the model at all.
template <class Part>
void LeaveOut(const Model& model, const Link& link, bool moves, std::vector<Part>& parts,
              const LowerShapes& asked, UnreadMeshes& unread, PassContext& context) {
  // A target takes back what its own family wrote, odd as it may be; others would not load the
  // model.
  const bool same = model.format.starts_with(context.traits.native_format) &&
                    context.options.target.options.profile.empty();
  std::vector<Part> further;
  const auto is_refused = [&](const Part& part) {
    const auto* const mesh = std::get_if<Mesh>(&part.shape);
    const std::string why =
        same || mesh == nullptr ? "" : unread.WhyRefused(*mesh, std::same_as<Part, Collision>);
    if (why.empty()) return false;
    context.Lose(model, Feature::kShapeMesh, SubjectOf(link, part),
                 "mesh '" + mesh->uri + "' is not written", why);
    return true;
  };
  std::erase_if(parts, [&](Part& part) {
    const Subject element = SubjectOf(link, part);
    if (!same && IsNoShape(part.shape)) {
      context.Lose(model, ShapeFeature(part.shape), element, "the shape is not written",
                   std::holds_alternative<Mesh>(part.shape) ? "its mesh has no name"
                                                            : "it has a negative size");
      return true;
    }
    const Feature flat = asked.need_size ? Degenerate(part.shape) : Feature::kCount;
    if (flat != Feature::kCount) {
      context.Lose(model, flat, element, "the shape without extent is not written",
                   "the target refuses such a shape");
      return true;
    }
    if (moves && asked.planes_stand_still && std::holds_alternative<Plane>(part.shape)) {
      context.Lose(model, Feature::kShapePlane, element, "the plane is not written",
                   "the target has planes only on links that are fixed to the world");
      return true;
    }
    if (asked.planes_are_boxes && std::holds_alternative<Plane>(part.shape))
      BecomeBox(model, link, part, context);
    // A mesh that the target does not read: named all the same, converted on request, or left out.
    auto* const mesh = std::get_if<Mesh>(&part.shape);
    const bool must_be_read = !asked.only_of_collisions || std::same_as<Part, Collision>;
    const std::string why = mesh == nullptr || !must_be_read ? "" : unread.Why(*mesh);
    if (std::same_as<Part, Visual> && mesh != nullptr && why.empty() && unread.HasColours(*mesh))
      context.Lose(model, Feature::kShapeMesh, element,
                   "mesh '" + mesh->uri + "' is written without its colours",
                   "the target has its triangles alone");
    if (why.empty()) return is_refused(part);
    const bool convertible = asked.unread_mesh.empty() || asked.decode_meshes;
    const auto made = convertible ? ConvertedMeshes(mesh->uri, TakesColours(part), context)
                                  : std::vector<ConvertedMesh>();
    const auto is_read = [&](const ConvertedMesh& one) {
      return !asked.decode_meshes || unread.Why(WithUri(*mesh, one.name)).empty();
    };
    if (!made.empty() && std::ranges::all_of(made, is_read)) {
      const std::string name = mesh->uri;
      Loss& loss = context.Lose(model, Feature::kShapeMesh, element,
                                "mesh '" + name + "' " + TakeMeshes(made, part, further), why);
      loss.weight = Weight::kLooks;
      return is_refused(part);
    }
    if (!asked.unread_mesh.empty()) {  // a name does no harm there
      if (is_refused(part)) return true;
      context.Lose(model, Feature::kShapeMesh, element,
                   "mesh '" + mesh->uri + "' is named, but not shown",
                   asked.decode_meshes ? why : std::string(asked.unread_mesh));
      return false;
    }
    context.Lose(model, Feature::kShapeMesh, element, "mesh '" + mesh->uri + "' is not written",
                 why + "; convert the mesh (--copy-assets DIR --convert-meshes does it)");
    return true;
  });
  std::erase_if(further, is_refused);
  std::ranges::move(further, std::back_inserter(parts));
}

// A number beyond 0 or 1 would keep the target from loading the colour, or the model.
void ClampColors(const Model& model, const Link& link, Visual& visual, PassContext& context) {
  if (!visual.material) return;
  Material& m = *visual.material;
  const auto clamp = [&](std::optional<Rgba>& color, Feature feature, const std::string& name) {
    if (!color) return;
    const Rgba inside = color->cwiseMax(0.0).cwiseMin(1.0);
    if (inside == *color) return;
    Loss& loss =
        context.Lose(model, feature, SubjectOf(link, visual),
                     name + " " + ValueText(*color) + " is written as " + ValueText(inside),
                     "the target refuses numbers below 0 and above 1 in a colour");
    loss.source = ValueText(*color), loss.target = ValueText(inside);
    color = inside;
  };
  // An ambient colour that repeats the diffuse one is not told twice.
  if (m.ambient && m.ambient == m.diffuse) m.ambient = m.ambient->cwiseMax(0.0).cwiseMin(1.0);
  const bool apart = m.ambient && m.diffuse && m.ambient != m.diffuse;
  clamp(m.diffuse, Feature::kMaterialColor, "colour");
  // What says the same as the colour says nothing of its own any more.
  if (apart && m.ambient == m.diffuse)
    context.Lose(model, Feature::kMaterialLighting, SubjectOf(link, visual),
                 "ambient colour " + ValueText(*m.ambient) + " is that of the visual as written",
                 "the target refuses numbers below 0 and above 1 in a colour");
  clamp(m.ambient, Feature::kMaterialLighting, "ambient colour");
  clamp(m.specular, Feature::kMaterialLighting, "specular colour");
  clamp(m.emissive, Feature::kMaterialLighting, "emissive colour");
}

// A colour in whole steps, reported where that is another one.
void RoundColor(std::optional<Rgba>& color, const std::function<void(std::string)>& lose) {
  if (!color) return;
  Rgba rounded = *color;
  for (int i = 0; i < 3; ++i) rounded[i] = std::round(255 * std::clamp(rounded[i], 0.0, 1.0)) / 255;
  if ((rounded - *color).head<3>().cwiseAbs().maxCoeff() > 1e-9) {
    const auto text = [](const Rgba& c, double scale) {
      return FormatNumber(scale * c[0]) + " " + FormatNumber(scale * c[1]) + " " +
             FormatNumber(scale * c[2]);
    };
    lose("colour " + text(*color, 1) + " is written as " +
         text((255 * rounded).array().round(), 1) + " of 255");
  }
  color = rounded;
}

// What a target with a diffuse and a specular colour in bytes holds of a material.
void RoundMaterial(Visual& visual, const Link& link, Model& model, PassContext& context) {
  if (!visual.material) return;
  Material& m = *visual.material;
  const auto lose = [&](Feature feature) {
    return [&, feature](std::string what) {
      context.Lose(model, feature, SubjectOf(link, visual), std::move(what));
    };
  };
  // Which of the colours the target has follows from the features that its table gives to this
  // pass.
  if (context.Mine(Feature::kMaterialLighting) && !context.Mine(Feature::kMaterialColor)) {
    if (!m.diffuse && m.ambient) m.diffuse = m.ambient;
    if (m.ambient && m.ambient != m.diffuse)
      lose(Feature::kMaterialLighting)("its ambient colour is not written");
    m.ambient.reset();
  } else if (context.Mine(Feature::kMaterialLighting)) {
    // An ambient colour that repeats the diffuse one says nothing of its own.
    if (!m.diffuse && m.ambient) m.diffuse = m.ambient;
    if ((m.ambient && m.ambient != m.diffuse) || m.emissive)
      lose(Feature::kMaterialLighting)("ambient and emissive colours are not written");
    m.ambient.reset(), m.emissive.reset();
    RoundColor(m.specular, lose(Feature::kMaterialLighting));
    if (m.specular && m.specular->head<3>() == Vector3::Ones()) {
      lose(Feature::kMaterialLighting)("the target shows every shape in white");
      m.specular.reset();
    }
  }
  if (context.Mine(Feature::kMaterialColor)) RoundColor(m.diffuse, lose(Feature::kMaterialColor));
}

// Of two coefficients of sliding the first.
void KeepOneFriction(const Model& model, const Link& link, Collision& collision,
                     PassContext& context) {
  // mu acts along the first direction of friction, mu2 across it; a target with one coefficient
  // uses it for both.
  if (collision.mu2 && collision.mu2 != collision.mu) {
    const auto text = [](const std::optional<double>& mu) { return mu ? FormatNumber(*mu) : "-"; };
    Loss& loss = context.Lose(model, Feature::kSurfaceFriction, SubjectOf(link, collision),
                              "the friction across the first direction is not written");
    loss.source = "mu " + text(collision.mu) + ", mu2 " + text(collision.mu2);
    loss.target = "mu " + text(collision.mu);
    loss.fields = {"mu2"};
  }
  collision.mu2.reset();
}

void LoseOtherFriction(const Model& model, const Link& link, Collision& collision,
                       PassContext& context) {
  const std::pair<std::optional<double>*, const char*> others[] = {
      {&collision.torsional, "torsional"}, {&collision.rolling, "rolling"}};
  for (const auto& [value, name] : others) {
    if (*value) {
      Loss& loss =
          context.Lose(model, Feature::kSurfaceFriction, SubjectOf(link, collision),
                       "the " + std::string(name) + " friction coefficient is not written");
      loss.source = std::string(name) + " " + FormatNumber(**value), loss.fields = {name};
    }
    value->reset();
  }
}

// Drake takes mu for the static and mu2 for the dynamic coefficient, 1 each where nothing is said, and
// stops where the second is the larger, or one below 0 (without end in ODE).
void LowerDynamicFriction(const Model& model, const Link& link, Collision& collision,
                          PassContext& context) {
  if (!collision.mu && !collision.mu2) return;
  const auto text = [](const std::optional<double>& mu) { return mu ? FormatNumber(*mu) : "-"; };
  const std::string source = "mu " + text(collision.mu) + ", mu2 " + text(collision.mu2);
  std::vector<std::string> changed;
  if (collision.mu.value_or(1) < 0) collision.mu.reset(), changed.emplace_back("mu");
  const double largest = collision.mu.value_or(1);
  if (const double mu2 = collision.mu2.value_or(1); mu2 < 0 || mu2 > largest)
    collision.mu2 = largest, changed.emplace_back("mu2");
  if (changed.empty()) return;
  Loss& loss = context.Lose(model, Feature::kSurfaceFriction, SubjectOf(link, collision),
                            "its friction is not written as it is",
                            "the target has a static coefficient and a dynamic one, which is not "
                            "larger, and none below 0");
  loss.source = source, loss.fields = std::move(changed);
  loss.target = "mu " + text(collision.mu) + ", mu2 " + text(collision.mu2);
}

}  // namespace

void LowerShapes::operator()(Model& model, PassContext& context) const {
  const bool capsules = context.Mine(Feature::kShapeCapsule),
             transparency = context.Mine(Feature::kTransparency),
             rolling = context.Mine(Feature::kSurfaceFriction);
  const std::vector<bool> welded = WeldedToWorld(model, TreeOf(model));
  UnreadMeshes unread(*this, context);
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    const Subject element = SubjectOf(link);
    if (capsules) {
      SplitCapsules(link.visuals, element, context);
      SplitCapsules(link.collisions, element, context);
    }
    LeaveOut(model, link, !welded[v], link.visuals, *this, unread, context);
    LeaveOut(model, link, !welded[v], link.collisions, *this, unread, context);
    if (context.Mine(Feature::kShapePlane)) {
      TurnPlanes(link.visuals, element, context);
      TurnPlanes(link.collisions, element, context);
    }
    for (Collision& collision : link.collisions) {
      if (second_friction_is_dynamic) LowerDynamicFriction(model, link, collision, context);
      if (rolling && one_friction) KeepOneFriction(model, link, collision, context);
      if (rolling && no_other_friction) LoseOtherFriction(model, link, collision, context);
      if (one_friction) continue;
      if (!rolling || !collision.rolling) continue;
      Loss& loss = context.Lose(model, Feature::kSurfaceFriction, SubjectOf(link, collision),
                                "the rolling friction coefficient is not written");
      loss.source = "rolling " + FormatNumber(*collision.rolling);
      loss.target = "none, but the other coefficients";
      loss.fields = {"rolling"};
      collision.rolling.reset();
    }
    for (Visual& visual : link.visuals)
      if (colors_in_unit_range) ClampColors(model, link, visual, context);
    for (Visual& visual : link.visuals) {
      if (!transparency || visual.transparency.value_or(0) == 0) continue;
      if (!visual.material) visual.material.emplace();
      if (!visual.material->diffuse) visual.material->diffuse = Rgba(0.5, 0.5, 0.5, 1);
      // A shared material has one alpha; this visual's own needs its own name.
      (*visual.material->diffuse)(3) *= 1 - *visual.transparency;
      visual.material->name.clear();
      visual.transparency.reset();
      context.Lowered(SubjectOf(link, visual), "its transparency becomes the alpha of its colour");
    }
    for (Visual& visual : link.visuals) {
      LeaveOutTexture(model, link, visual, texture_files, context);
      RoundMaterial(visual, link, model, context);
    }
  }
}

}  // namespace kinemorph
