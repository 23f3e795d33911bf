// Colours, textures and friction: what is bound to a shape, or to what it stands in.
#include <algorithm>

#include "read/builder.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

Rgba WithAlpha(const Vector3& c, double alpha) { return {c[0], c[1], c[2], alpha}; }

std::string WithoutDot(const std::string& file) {
  return file.starts_with("./") ? file.substr(2) : file;
}

}  // namespace

// The nearest binding from the shape outwards; for a purpose before for all.
// A binding of parents holds for their children; one for a purpose ("physics") is looked for
// everywhere before one for all.
PrimId Builder::BoundMaterial(PrimId prim, const char* purpose) const {
  const std::string own = "material:binding" + (*purpose != 0 ? ":" + std::string(purpose) : "");
  for (const std::string& relation : {own, std::string("material:binding")}) {
    for (PrimId at = prim; at != kNoPrim; at = layer_.prims[at].parent) {
      const std::vector<std::string> targets = stage_.Targets(at, relation);
      if (targets.empty()) continue;
      const PrimId material = layer_.FindPath(targets[0], at);
      if (material != kNoPrim && stage_.Stands(material)) return material;
    }
  }
  return kNoPrim;
}

std::optional<Material> Builder::ReadLooks(PrimId prim) {
  std::optional<Material> out;
  if (const PrimId bound = BoundMaterial(prim, ""); bound != kNoPrim) {
    auto known = materials_.find(bound);
    if (known == materials_.end()) known = materials_.emplace(bound, ReadMaterial(bound)).first;
    out = known->second;
  }
  // The colour of a preview, for shapes without a material.
  const Property* const shown = layer_.prims[prim].Find("primvars:displayColor");
  static_cast<void>(layer_.prims[prim].Find("primvars:displayOpacity"));
  const bool painted = out && (!out->texture || out->diffuse);
  if (painted || shown == nullptr || !shown->value) return out;
  const std::optional<std::vector<double>> color = NumbersIn(*shown->value, 3);
  if (!color || color->size() != 3) return out;  // a colour for each face
  const auto opacity = stage_.Numbers(prim, "primvars:displayOpacity", 1);
  if (!out) {
    out.emplace();
    out->where = Where(prim);
  }
  out->diffuse = WithAlpha({(*color)[0], (*color)[1], (*color)[2]}, opacity ? (*opacity)[0] : 1);
  return out;
}

// Nothing where it says nothing of looks: a physics material.
std::optional<Material> Builder::ReadMaterial(PrimId prim) {
  const Prim& p = layer_.prims[prim];
  Material material;
  material.name = p.display_name.empty() ? std::string(p.name) : p.display_name;
  material.where = Where(prim);
  for (PrimId shader = p.first; shader != kNoPrim; shader = layer_.prims[shader].next)
    if (stage_.Stands(shader) && layer_.prims[shader].type == "Shader")
      ReadShader(shader, material);
  // Shaders and all below the material: ids of descendants follow their ancestor's without a gap.
  for (PrimId i = prim; i < stage_.num_prims(); ++i) {
    if (i != prim && (layer_.prims[i].parent == kNoPrim || layer_.prims[i].parent < prim)) break;
    if (i == prim && p.Has("PhysicsMaterialAPI")) continue;  // read with what collides
    Keep(i, material.native, "material '" + material.name + "'", false);
  }
  const bool looks = material.diffuse || material.texture || material.emissive ||
                     material.specular || !material.native.empty();
  return looks ? std::optional(material) : std::nullopt;
}

PrimId Builder::Connected(PrimId prim, std::string_view input) const {
  const Property* const p = layer_.prims[prim].Find(input);
  if (p == nullptr || !p->connect) return kNoPrim;
  const std::vector<std::string> targets = PathsIn(*p->connect);
  return targets.empty() ? kNoPrim : layer_.FindPath(targets[0], prim);
}

// A preview surface, or Omniverse's own.
void Builder::ReadShader(PrimId shader, Material& material) {
  const Prim& p = layer_.prims[shader];
  const Property* const id = p.Find("info:id");
  const std::string kind = id != nullptr && id->value ? StringIn(*id->value).value_or("") : "";
  // Looked up only so that they count as read.
  for (const char* quiet :
       {"outputs:surface", "outputs:result", "outputs:rgb", "outputs:out", "inputs:varname",
        "info:implementationSource", "info:mdl:sourceAsset", "info:mdl:sourceAsset:subIdentifier"})
    static_cast<void>(p.Find(quiet));
  if (kind == "UsdUVTexture") {
    static_cast<void>(p.Find("inputs:file")), static_cast<void>(p.Find("inputs:st"));
    return;
  }
  const bool preview = kind == "UsdPreviewSurface";
  const char* const base = preview ? "inputs:diffuseColor" : "inputs:diffuse_color_constant";
  const double opacity =
      stage_.Number(shader, preview ? "inputs:opacity" : "inputs:opacity_constant").value_or(1);
  const PrimId texture = Connected(shader, base);
  if (texture != kNoPrim) {
    const Property* const file = layer_.prims[texture].Find("inputs:file");
    const std::vector<AssetName> assets =
        file != nullptr && file->value ? AssetsIn(*file->value) : std::vector<AssetName>();
    if (!assets.empty()) material.texture = WithoutDot(assets[0].file);
  } else if (const auto color = stage_.Vector(shader, base)) {
    material.diffuse = WithAlpha(*color, opacity);
  }
  if (!preview) return;
  // A texture carries no colour; its transparency needs one.
  if (material.texture && !material.diffuse && opacity != 1)
    material.diffuse = Rgba(1, 1, 1, opacity);
  if (const auto glow = stage_.Vector(shader, "inputs:emissiveColor"))
    material.emissive = WithAlpha(*glow, 1);
  const double specular = stage_.Number(shader, "inputs:useSpecularWorkflow").value_or(0);
  if (specular == 1)
    if (const auto color = stage_.Vector(shader, "inputs:specularColor"))
      material.specular = WithAlpha(*color, 1);
}

// One coefficient: that of moving surfaces, else that of resting ones.
void Builder::ReadSurface(PrimId prim, Collision& collision) {
  const PrimId material = BoundMaterial(prim, "physics");
  if (material == kNoPrim || !layer_.prims[material].Has("PhysicsMaterialAPI")) return;
  const auto moving = stage_.Number(material, "physics:dynamicFriction"),
             resting = stage_.Number(material, "physics:staticFriction");
  collision.mu = moving ? moving : resting;
  collision.torsional = stage_.Number(material, "newton:torsionalFriction");
  collision.rolling = stage_.Number(material, "newton:rollingFriction");
  auto known = surfaces_.find(material);
  if (known == surfaces_.end()) {
    static_cast<void>(layer_.prims[material].Find("physics:density"));  // read with masses
    if (moving && resting && *moving != *resting)
      // Two coefficients that differ cannot both be kept, and the one that is left out is told.
      layer_.prims[material].Find("physics:staticFriction")->used = false;
    known = surfaces_.emplace(material, std::vector<NativeData>()).first;
    Keep(material, known->second, stage_.Named(material), false);
  }
  collision.native = known->second;
}

}  // namespace kinemorph::usd
