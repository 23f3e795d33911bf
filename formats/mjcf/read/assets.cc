#include "read/assets.h"

#include <algorithm>
#include <filesystem>

#include "native.h"
#include "read/orientation.h"

namespace kinemorph::mjcf {
namespace {

// Assets are read before the bodies, whose geoms name them. Files are located here and opened only
// by LoadMesh, when a mass or a fitted size hangs on them. What the model has no place for goes to
// native content at once, except materials: what is left of those is known only after all geoms.

std::string FileStem(std::string_view file) {
  file = file.substr(file.find_last_of("/\\") + 1);
  return std::string(file.substr(0, file.find_last_of('.')));
}

std::string Joined(const std::string& folder, const std::string& file) {
  if (folder.empty() || (!file.empty() && file.front() == '/')) return file;
  return folder.back() == '/' ? folder + file : folder + "/" + file;
}

MeshInertia ReadMeshInertia(const Attributes& mesh, const CompilerSettings& compiler) {
  const std::string method = mesh.Text("inertia", compiler.exactmeshinertia ? "exact" : "legacy");
  if (method == "exact") return MeshInertia::kExact;
  if (method == "shell") return MeshInertia::kShell;
  if (method == "convex") return MeshInertia::kConvex;
  if (method != "legacy")
    mesh.element().Error("bad-keyword",
                         "mesh: inertia '" + method + "' is none of legacy, exact, shell, convex");
  return MeshInertia::kLegacy;
}

// MuJoCo stores vertices in single precision; the mass of a mesh that is given in the file follows
// from the rounded ones.
void ReadInlineMesh(const Attributes& mesh, Triangles& triangles) {
  const auto coordinates = mesh.Numbers("vertex", 3, 3'000'000);
  const auto corners = mesh.Numbers("face", 3, 6'000'000);
  if (!coordinates) return;
  for (std::size_t i = 0; i + 2 < coordinates->size(); i += 3) {
    const auto single = [&](std::size_t k) {
      return static_cast<double>(static_cast<float>((*coordinates)[i + k]));
    };
    triangles.vertices.emplace_back(single(0), single(1), single(2));
  }
  for (std::size_t i = 0; corners && i + 2 < corners->size(); i += 3) {
    std::array<std::uint32_t, 3> face{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double corner = (*corners)[i + k];
      if (!(corner >= 0) || corner >= static_cast<double>(triangles.vertices.size())) {
        mesh.element().Error("mesh-face",
                             "mesh: face " + std::to_string(i / 3) + " has an unknown vertex");
        return;
      }
      face[k] = static_cast<std::uint32_t>(corner);
    }
    triangles.faces.push_back(face);
  }
}

}  // namespace

void Assets::Read(const SourceTree& sources, const Defaults& defaults,
                  const CompilerSettings& compiler, Model& model) {
  std::vector<Attributes> materials;  // after the textures they name
  for (const xml::Element section : sources.Children(sources.root())) {
    if (section.name() != "asset") continue;
    section.Consume();
    for (const xml::Element asset : sources.Children(section)) {
      const Attributes attributes(asset, defaults.ClassOf(asset, "class", defaults.main()),
                                  asset.name());
      if (asset.name() == "mesh") {
        asset.Consume();
        ReadMesh(attributes, compiler, model);
      } else if (asset.name() == "material") {
        // A material may name a texture that is defined after it.
        asset.Consume();
        materials.push_back(attributes);
      } else if (asset.name() == "texture" || asset.name() == "hfield" || asset.name() == "skin") {
        const bool texture = asset.name() == "texture";
        AttributeList all = attributes.All();
        std::string texture_file;

        // The names of all files have to lead from the main file, wherever the section was included
        // from.
        for (const char* file :
             {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
          if (!asset.Has(file)) continue;
          std::string why;
          const std::string uri =
              FileUri(asset, file, texture ? compiler.texturedir : compiler.meshdir, compiler, why);
          if (!why.empty()) missing_.Add(uri, asset.where(), why);
          SetAttribute(all, file, uri);
          if (texture && std::string_view(file) == "file") texture_file = uri;
        }
        const std::string name = asset.Attribute("name", FileStem(asset.Attribute("file", "")));
        if (texture) textures_[name] = texture_file;
        // MuJoCo weighs a height field as a box: as high as half the terrain and all of its
        // base. size is radius_x, radius_y, elevation_z, base_z (m); wanted are half sizes.
        if (const auto size = asset.Has("size") && asset.name() == "hfield"
                                  ? asset.Numbers("size", 4)
                                  : std::nullopt) {
          heightfields_[name] =
              Vector3((*size)[0], (*size)[1], 0.25 * (*size)[2] + 0.5 * (*size)[3]);
        }
        model.native.push_back(MakeNative(asset, asset.name(), all, true));
        asset.ConsumeAll();
      } else if (asset.name() == "model") {
        // A model to attach is opened at its first <attach>, which knows where its parts go.
        asset.Consume();
        static_cast<void>(asset.Attribute("file"));
        static_cast<void>(asset.Attribute("content_type"));
        if (const auto name = asset.Attribute("name"))
          models_.emplace(*name, asset);
        else
          nameless_models_.push_back(asset);
      }
    }
  }
  for (const Attributes& material : materials) ReadMaterial(material);
}

// The kept content is a copy of the children without their identity, so both lists are walked side
// by side; texts between the elements are in the copy only.
void Assets::NameFiles(const xml::Element& section, const CompilerSettings& compiler,
                       NativeData& kept) {
  auto child = kept.content.children.begin();
  for (const xml::Element element : section.Children()) {
    child = std::find_if(child, kept.content.children.end(),
                         [](const NativeElement& each) { return each.IsElement(); });
    if (child == kept.content.children.end()) return;
    if (element.Has("file")) {
      std::string why;
      std::string uri = FileUri(element, "file", compiler.meshdir, compiler, why);
      if (!why.empty()) missing_.Add(uri, element.where(), why);
      SetAttribute(child->attributes, "file", std::move(uri));
    }
    ++child;
  }
}

std::string Assets::FileUri(const xml::Element& element, const char* attribute,
                            const std::string& folder, const CompilerSettings& compiler,
                            std::string& why) const {
  namespace fs = std::filesystem;
  std::string file = element.Attribute(attribute, "");
  // MuJoCo joins the folder of the compiler and the name; strippath keeps the last part of the name
  // alone.
  if (compiler.strippath) file = file.substr(file.find_last_of("/\\") + 1);
  std::string uri = Joined(folder, file);
  if (options_.resolver == nullptr) return uri;
  std::string reason;
  if (options_.resolver->Locate(uri, options_.file_name, reason)) return uri;
  why = reason.empty() ? "not found" : reason;
  // From here on the file is missing where MuJoCo looks for it.
  const std::string& from = SourceTree::FileOf(element);
  if (from == options_.file_name) return uri;
  // An included file may name its meshes from its own folder.
  for (const std::string& beside : {uri, file}) {
    const auto path = options_.resolver->Locate(beside, from, reason);
    if (!path) continue;
    why.clear();
    const auto found_folder = options_.resolver->Locate(".", options_.file_name, reason);
    const fs::path folder_of_main =
        found_folder ? fs::path(*found_folder) : fs::path(options_.file_name).parent_path();
    return fs::path(*path).lexically_relative(folder_of_main).generic_string();
  }
  return uri;
}

void Assets::ReadMesh(const Attributes& attributes, const CompilerSettings& compiler,
                      Model& model) {
  const xml::Element& element = attributes.element();
  MeshAsset mesh;
  mesh.element = element;
  mesh.name = element.Attribute("name", FileStem(element.Attribute("file", "")));
  if (mesh.name.empty()) {
    element.Error("mesh-unnamed", "mesh: neither a name nor a file");
    return;
  }
  if (element.Has("file")) {
    // The file need not be there: a robot without its meshes still moves. Only masses may then be
    // unknown.
    std::string why;
    mesh.uri = FileUri(element, "file", compiler.meshdir, compiler, why);
    mesh.found = why.empty();
    if (mesh.found)
      missing_.Look(mesh.uri, element.where(), "");
    else
      missing_.Add(mesh.uri, element.where(), why);
  }
  mesh.scale = attributes.Vector("scale").value_or(mesh.scale);
  mesh.X_ref.p = attributes.Vector("refpos").value_or(Vector3(0, 0, 0));
  if (const auto q = attributes.Numbers("refquat", 4, 4)) {
    if (Eigen::Vector4d(q->data()).norm() < 1e-14)
      element.Error("zero-quaternion", {"mesh", mesh.name, "refquat is zero"});
    else
      mesh.X_ref.R = RotationFromQuaternion((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
  }
  mesh.inertia = ReadMeshInertia(attributes, compiler);
  // A shape that MuJoCo makes itself has neither file nor vertices; only MJCF can hold it.
  mesh.builtin = element.Attribute("builtin", "");
  if (mesh.builtin == "none") mesh.builtin.clear();
  if (element.Has("vertex")) ReadInlineMesh(attributes, mesh.inline_mesh);
  // How MuJoCo shall treat the mesh; flat meshes do not compile without inertia="shell".
  AttributeList treatment =
      AttributesExcept(attributes, {"name", "file", "scale", "refpos", "refquat"});
  if (!mesh.uri.empty() && (!treatment.empty() || element.HasChild("plugin"))) {
    treatment.emplace_back("name", mesh.name);
    model.native.push_back(MakeNative(element, "mesh", treatment, true));
  }
  for (const xml::Element plugin : element.Children("plugin")) plugin.ConsumeAll();
  if (!meshes_.emplace(mesh.name, mesh).second)
    element.Error("duplicate-name", {"mesh", mesh.name, " is defined twice"});
}

void Assets::ReadMaterial(const Attributes& attributes) {
  const xml::Element& element = attributes.element();
  Material material;
  material.name = element.Attribute("name", "");
  material.where = element.where();

  // MuJoCo's colour of a material that says nothing; one with a texture shows that.
  if (const auto rgba = attributes.Numbers("rgba", 4, 4))
    material.diffuse = Rgba((*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]);
  if (const auto texture = attributes.Text("texture")) {
    const auto known = textures_.find(*texture);
    if (known == textures_.end()) {
      element.Warn("texture-undefined", {"material", material.name,
                                         "texture '" + std::string(*texture) + "' is not defined"});
    } else if (!known->second.empty()) {
      material.texture = known->second;
    }
  }
  if (!material.diffuse && !material.texture) material.diffuse = Rgba(1, 1, 1, 1);
  // All attributes count as read: what the model does not hold of them is kept by KeepMaterials.
  static_cast<void>(attributes.All());
  KnownMaterial known{std::move(material), attributes,
                      AttributesExcept(attributes, {"name", "rgba"})};
  for (const xml::Element child : element.Children()) {
    child.ConsumeAll();
    known.layered = true;
  }
  const std::string name = known.material.name;
  if (materials_.emplace(name, std::move(known)).second) material_order_.push_back(name);
}

bool Assets::IsMereColor(std::string_view name) const {
  const auto found = materials_.find(name);
  return found != materials_.end() && found->second.beyond.empty() && !found->second.layered;
}

void Assets::NoteUse(std::string_view name, bool own_color) {
  const auto found = materials_.find(name);
  if (found == materials_.end()) return;
  (own_color ? found->second.recoloured : found->second.shown) = true;
}

void Assets::KeepMaterials(const std::set<std::string, std::less<>>& named, Model& model) const {
  for (const std::string& name : material_order_) {
    // A visual holds the colour of a material. The element may shrink to what goes beyond it only
    // where every geom shows that colour and nobody else names the material.
    const KnownMaterial& known = materials_.at(name);
    const xml::Element& element = known.attributes.element();
    const bool held = known.shown && !known.recoloured && named.count(name) == 0 &&
                      !known.attributes.Has("texture");
    if (!held) {
      model.native.push_back(MakeNative(element, "material", known.attributes.All(), true));
    } else if (!IsMereColor(name)) {
      AttributeList beyond = known.beyond;
      beyond.insert(beyond.begin(), {"name", name});
      model.native.push_back(MakeNative(element, "material", beyond, true));
      model.native.back().element = "asset/material";
    }
  }
}

xml::Element Assets::FindModel(std::string_view name) const {
  const auto found = models_.find(name);
  return found == models_.end() ? xml::Element() : found->second;
}

const MeshAsset* Assets::FindMesh(std::string_view name) const {
  const auto found = meshes_.find(name);
  return found == meshes_.end() ? nullptr : &found->second;
}

Vector3 Assets::HeightFieldSize(std::string_view name) const {
  const auto found = heightfields_.find(name);
  return found == heightfields_.end() ? Vector3(0, 0, 0) : found->second;
}

const Material* Assets::FindMaterial(std::string_view name) const {
  const auto found = materials_.find(name);
  return found == materials_.end() ? nullptr : &found->second.material;
}

std::optional<Triangles> Assets::LoadMesh(const MeshAsset& mesh, std::string& why) const {
  std::optional<Triangles> triangles;
  // A file may hold points alone, with the triangles in the element.
  if (!mesh.uri.empty()) {
    if (options_.resolver == nullptr) return why = "no file can be opened here", std::nullopt;
    const auto resource = options_.resolver->Open(mesh.uri, options_.file_name, why);
    if (!resource) return why = "file '" + mesh.uri + "' cannot be read: " + why, std::nullopt;
    triangles = DecodeMesh(mesh.uri, resource->content, why);
    if (!triangles) return why = "file '" + mesh.uri + "' " + why, std::nullopt;
    if (triangles->faces.empty() && !mesh.inline_mesh.faces.empty())
      triangles->faces = mesh.inline_mesh.faces;
  } else if (!mesh.inline_mesh.vertices.empty()) {
    triangles = mesh.inline_mesh;
  } else {
    return why = mesh.builtin.empty() ? "neither file nor vertices are given"
                                      : "built-in shape '" + mesh.builtin + "' is not computed",
           std::nullopt;
  }
  // First into the reference pose, then scaled: in this order MuJoCo does it.
  for (Vector3& v : triangles->vertices)
    v = (mesh.X_ref.R.transpose() * (v - mesh.X_ref.p)).cwiseProduct(mesh.scale);
  // A mirror turns the triangles inside out.
  if (mesh.scale.prod() < 0)
    for (auto& face : triangles->faces) std::swap(face[1], face[2]);
  return triangles;
}

// Integrals over a mesh are the dearest step of reading; many geoms share one mesh. A failure is
// remembered as well, with its reason.
const std::optional<MeshProperties>& Assets::Properties(const MeshAsset& mesh, std::string& why) {
  const auto [entry, fresh] = computed_.try_emplace(mesh.name);
  if (fresh) {
    if (const auto triangles = LoadMesh(mesh, entry->second.why)) {
      entry->second.properties = ComputeMeshProperties(*triangles, mesh.inertia, entry->second.why);
    }
  }
  why = entry->second.why;
  return entry->second.properties;
}

}  // namespace kinemorph::mjcf
