// Taking visuals, collisions, shapes and materials out of a model.
#include "edit/model_edit.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/drop_parts.h"

namespace kinemorph {
namespace {

std::string Color(const Rgba& c) {
  std::string text;
  for (int i = 0; i < 4; ++i) text += (i > 0 ? " " : "") + FormatNumber(c[i]);
  return text;
}

std::string Lighting(const Material& m) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<Rgba>& color) {
    if (color) text += (text.empty() ? "" : ", ") + std::string(name) + " " + Color(*color);
  };
  add("ambient", m.ambient);
  add("specular", m.specular);
  add("emissive", m.emissive);
  return text;
}

std::string Coefficients(const Collision& c) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) text += (text.empty() ? "" : ", ") + std::string(name) + " " + FormatNumber(*value);
  };
  add("mu", c.mu);
  add("mu2", c.mu2);
  add("torsional", c.torsional);
  add("rolling", c.rolling);
  return text;
}

class GeometryDrop {
 public:
  GeometryDrop(Link& link, const DropRequest& request) : link_(link), request_(request) {}

  void Run() {
    for (Collision& c : link_.collisions) {
      if (!request_.Has(Feature::kSurfaceFriction) || !(c.mu || c.mu2 || c.torsional || c.rolling))
        continue;
      request_
          .Lose(Feature::kSurfaceFriction, SubjectOf(link_, c), "surface friction is not written")
          .source = Coefficients(c);
      c.mu.reset(), c.mu2.reset(), c.torsional.reset(), c.rolling.reset();
    }
    Parts(link_.visuals, Feature::kVisual, "visual");
    const std::size_t collisions = link_.collisions.size();
    Parts(link_.collisions, Feature::kCollision, "collision");
    if (link_.collisions.size() != collisions) ForgetComputedInertia(link_);
    for (Visual& visual : link_.visuals) Looks(visual);
  }

 private:
  template <class Part>
  void Parts(std::vector<Part>& parts, Feature whole, const char* what) {
    std::erase_if(parts, [&](const Part& part) {
      const FeatureRow& shape = RowOf(ShapeFeature(part.shape));
      if (request_.Has(whole)) {
        request_.Lose(whole, SubjectOf(link_, part), std::string(what) + " is not written");
        return true;
      }
      if (!request_.Has(shape.feature)) return false;
      request_.Lose(shape.feature, SubjectOf(link_, part),
                    std::string(shape.word) + " is not written");
      return true;
    });
    for (Part& part : parts) {
      auto* mesh = std::get_if<Mesh>(&part.shape);
      if (mesh == nullptr) continue;
      if (request_.Has(Feature::kShapeSubmesh) && (mesh->submesh || mesh->center_submesh)) {
        request_.Lose(
            Feature::kShapeSubmesh, SubjectOf(link_, part),
            "the whole mesh is written instead of its part '" + mesh->submesh.value_or("") + "'");
        mesh->submesh.reset();
        mesh->center_submesh = false;
      }
      if (request_.Has(Feature::kShapeMeshScale) && mesh->scale != Vector3::Ones()) {
        request_
            .Lose(Feature::kShapeMeshScale, SubjectOf(link_, part),
                  "the mesh is written without its scale")
            .source = FormatNumber(mesh->scale.x()) + " " + FormatNumber(mesh->scale.y()) + " " +
                      FormatNumber(mesh->scale.z());
        mesh->scale = Vector3::Ones();
      }
    }
  }

  void Looks(Visual& visual) {
    const auto lose = [&](Feature feature, const char* what, std::string source) {
      request_.Lose(feature, SubjectOf(link_, visual), what).source = std::move(source);
    };
    if (request_.Has(Feature::kTransparency) && visual.transparency.value_or(0) != 0) {
      lose(Feature::kTransparency, "the transparency is not written",
           FormatNumber(*visual.transparency));
      visual.transparency.reset();
    }
    if (!visual.material) return;
    Material& m = *visual.material;
    if (request_.Has(Feature::kMaterialColor) && m.diffuse) {
      lose(Feature::kMaterialColor, "the colour is not written", Color(*m.diffuse));
      m.diffuse.reset();
    }
    if (request_.Has(Feature::kMaterialTexture) && m.texture) {
      lose(Feature::kMaterialTexture, "the texture is not written", *m.texture);
      m.texture.reset();
    }
    if (request_.Has(Feature::kMaterialLighting) && (m.ambient || m.specular || m.emissive)) {
      // An ambient colour that repeats the diffuse one says nothing of its own.
      const bool own = (m.ambient && m.ambient != m.diffuse) || m.specular || m.emissive;
      if (!m.diffuse && m.ambient) m.diffuse = m.ambient;
      if (own)
        lose(Feature::kMaterialLighting, "ambient, specular and emissive colours are not written",
             Lighting(m));
      m.ambient.reset(), m.specular.reset(), m.emissive.reset();
    }
  }

  Link& link_;
  const DropRequest& request_;
};

}  // namespace

void DropGeometry(Model& model, const DropRequest& request) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    GeometryDrop(model.link(LinkId{v}), request).Run();
}

}  // namespace kinemorph
