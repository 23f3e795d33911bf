#include "lower/native_data.h"

#include <algorithm>

#include "model_edit.h"

namespace kinemorph {
namespace {

class Sweep {
 public:
  Sweep(Model& model, PassContext& context) : model_(model), context_(context) {}

  void Run() {
    Clean(model_.native, "model '" + model_.name + "'", {});
    for (Scope& scope : model_.scopes) Clean(scope.native, (scope.is_world ? "world '" : "model '") + scope.name + "'", scope.where);
    for (std::uint32_t v = 0; v < model_.num_links(); ++v) CleanLink(model_.link(LinkId{v}));
    for (const JointId id : Joints(model_)) Clean(model_.joint(id).native, Quoted("joint", model_.joint(id).name), model_.joint(id).where);
    for (Coupling& c : model_.couplings) Clean(c.native, Quoted("coupling", c.name), c.where);
    for (Frame& f : model_.frames) Clean(f.native, Quoted("frame", f.name), f.where);
    CleanList(model_.sensors, Feature::kSensor, "sensor");
    CleanList(model_.actuators, Feature::kActuator, "actuator");
  }

 private:
  bool Foreign(const NativeData& data) const { return data.format != context_.traits.native_format; }

  void Clean(std::vector<NativeData>& list, const std::string& owner, SourceLocation where) {
    std::erase_if(list, [&](const NativeData& data) {
      if (!Foreign(data)) return false;
      context_.Lose(model_, Feature::kNativeData, "<" + data.element + "> of " + owner, data.where.line > 0 ? data.where : where,
                    "<" + data.element + "> is not written");
      return true;
    });
  }

  template <class Part>
  void CleanParts(std::vector<Part>& parts, const char* what, const Link& link) {
    std::erase_if(parts, [&](Part& part) {
      const std::string element = std::string(what) + (part.name.empty() ? "" : " '" + part.name + "'") + " of " + Quoted("link", link.name);
      Clean(part.native, element, part.where);
      const auto* native = std::get_if<NativeShape>(&part.shape);
      if (native == nullptr || !Foreign(native->data)) return false;
      context_.Lose(model_, Feature::kShapeNative, element, part.where.line > 0 ? part.where : link.where, "shape '" + native->type + "' is not written");
      return true;
    });
  }

  void CleanLink(Link& link) {
    const std::string element = Quoted("link", link.name);
    Clean(link.native, element, link.where);
    if (link.inertial) Clean(link.inertial->native, element, link.inertial->where);
    CleanParts(link.visuals, "visual", link);
    CleanParts(link.collisions, "collision", link);
    for (Visual& visual : link.visuals) if (visual.material) Clean(visual.material->native, "material of " + element, visual.material->where);
  }

  template <class Item>
  void CleanList(std::vector<Item>& list, Feature feature, const char* what) {
    std::erase_if(list, [&](const Item& item) {
      if (!Foreign(item.native)) return false;
      const std::string element = Quoted(what, item.name);
      context_.Lose(model_, feature, element, item.where, std::string(what) + (item.type.empty() ? "" : " of type '" + item.type + "'") + " is not written");
      return true;
    });
  }

  Model& model_;
  PassContext& context_;
};

}  // namespace

void DropNativeData(Model& model, PassContext& context) { Sweep(model, context).Run(); }

}  // namespace kinemorph
