// Meshes, materials and textures of the <asset> sections.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/formats/mesh_inertia.h"
#include "missing_files.h"
#include "native.h"
#include "read/compiler.h"
#include "read/defaults.h"

namespace kinemorph::mjcf {

struct MeshAsset {
  xml::Element element;
  std::string name;
  std::string uri;    ///< relative to the main file; empty for inline vertices and built-in shapes
  bool found = true;  ///< the resolver knows the file
  Vector3 scale = Vector3::Ones();
  RigidTransform X_ref;  ///< refpos, refquat: the mesh frame in file coordinates (before scaling)
  MeshInertia inertia = MeshInertia::kLegacy;
  std::string builtin;
  Triangles inline_mesh;  ///< vertex= and face=
};

class Assets {
 public:
  explicit Assets(const ReadOptions& options) : options_(options), missing_(options) {}
  /// Reads all <asset> sections. What only MuJoCo can use (textures, materials in full, height
  /// fields, skins) goes to `model.native`.
  void Read(const SourceTree& sources, const Defaults& defaults, const CompilerSettings& compiler,
            Model& model);

  /// Gives the skins of a `<deformable>` that is kept the names of their files as the main file sees
  /// them.
  void NameFiles(const xml::Element& section, const CompilerSettings& compiler, NativeData& kept);

  [[nodiscard]] const MeshAsset* FindMesh(std::string_view name) const;
  /// The <model> to attach; nothing when there is none of that name.
  [[nodiscard]] xml::Element FindModel(std::string_view name) const;
  /// Those that have the name their own file gives them.
  [[nodiscard]] const std::vector<xml::Element>& nameless_models() const {
    return nameless_models_;
  }
  [[nodiscard]] const Material* FindMaterial(std::string_view name) const;
  /// True when a geom that shows it in another colour takes nothing else from it.
  [[nodiscard]] bool IsMereColor(std::string_view name) const;
  /// A geom shows the material as it is, or in a colour of its own.
  void NoteUse(std::string_view name, bool own_color);
  /// Adds to `model.native` what the visuals do not hold of the materials. `named`: by elements
  /// other than geoms.
  void KeepMaterials(const std::set<std::string, std::less<>>& named, Model& model) const;
  /// Half sizes of the box that MuJoCo weighs a height field as; zero for an unknown one.
  [[nodiscard]] Vector3 HeightFieldSize(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, MeshAsset, std::less<>>& meshes() const {
    return meshes_;
  }
  /// The triangles of a mesh as a geom sees them (reference pose and scale applied). Opens the
  /// file. Nothing and a reason on failure.
  [[nodiscard]] std::optional<Triangles> LoadMesh(const MeshAsset& mesh, std::string& why) const;
  [[nodiscard]] const xml::MissingFiles& missing() const { return missing_; }
  /// Computed once per mesh and remembered.
  [[nodiscard]] const std::optional<MeshProperties>& Properties(const MeshAsset& mesh,
                                                                std::string& why);

 private:
  void ReadMesh(const Attributes& mesh, const CompilerSettings& compiler, Model& model);
  void ReadMaterial(const Attributes& material);
  /// `why`: where there is no such file; empty where there is.
  [[nodiscard]] std::string FileUri(const xml::Element& element, const char* attribute,
                                    const std::string& folder, const CompilerSettings& compiler,
                                    std::string& why) const;

  struct Computed {
    std::optional<MeshProperties> properties;
    std::string why;
  };
  const ReadOptions& options_;
  xml::MissingFiles missing_;
  std::map<std::string, MeshAsset, std::less<>> meshes_;
  std::map<std::string, xml::Element, std::less<>> models_;
  std::vector<xml::Element> nameless_models_;
  struct KnownMaterial {
    Material material;
    Attributes attributes;
    AttributeList beyond;     // what is no colour
    bool layered = false;     // has children
    bool shown = false;       // by a geom, as it is
    bool recoloured = false;  // by a geom that takes something else from it
  };
  std::map<std::string, KnownMaterial, std::less<>> materials_;
  std::vector<std::string> material_order_;
  std::map<std::string, std::string, std::less<>>
      textures_;  // name -> uri (empty for built-in ones)
  std::map<std::string, Vector3, std::less<>> heightfields_;  // half sizes
  std::map<std::string, Computed, std::less<>> computed_;
};

}  // namespace kinemorph::mjcf
