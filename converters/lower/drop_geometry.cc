// Taking visuals, collisions, shapes and materials out of a model.
#include "edit/model_edit.h"
#include "lower/drop_parts.h"

namespace kinemorph {
namespace {

// Visuals and collisions that the request names, whole or by the kind of their shape, then what is
// said of those that stay. An inertia that the source computes of the collisions is one of all of
// them: its numbers stay, the wish to compute it does not.
class GeometryDrop {
 public:
  GeometryDrop(Link& link, const DropRequest& request) : link_(link), request_(request) {}

  void Run() {
    for (Collision& c : link_.collisions) DropFields(c, request_, SubjectOf(link_, c));
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
    // Of a mesh that stays, its part and its scale can be left out too; it shows more, or another
    // size.
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
        Loss& loss = request_.Lose(Feature::kShapeMeshScale, SubjectOf(link_, part),
                                   "the mesh is written without its scale");
        loss.source = ValueText(mesh->scale);
        mesh->scale = Vector3::Ones();
        loss.target = ValueText(mesh->scale);
      }
    }
  }

  void Looks(Visual& visual) {
    const Subject subject = SubjectOf(link_, visual);
    DropFields(visual, request_, subject);
    if (!visual.material) return;
    Material& m = *visual.material;
    if (request_.Has(Feature::kMaterialLighting)) {
      // An ambient colour that repeats the diffuse one says nothing of its own.
      const bool repeats = m.ambient == m.diffuse;
      if (!m.diffuse) m.diffuse = m.ambient;
      if (repeats && !m.specular && !m.emissive) m.ambient.reset();
    }
    DropFields(m, request_, subject);
  }

  Link& link_;
  const DropRequest& request_;
};

}  // namespace

std::string IsNotWritten(Feature feature) {
  if (feature == Feature::kSurfaceFriction) return "surface friction is not written";
  if (feature == Feature::kMaterialLighting)
    return "ambient, specular and emissive colours are not written";
  return "the " + std::string(FeatureTitle(feature)) + " is not written";
}

void DropGeometry(Model& model, const DropRequest& request) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    GeometryDrop(model.link(LinkId{v}), request).Run();
}

}  // namespace kinemorph
