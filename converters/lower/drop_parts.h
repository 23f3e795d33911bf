// The halves of dropping that look at single values: joint data and geometry.
#pragma once

#include <string>

#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"
#include "plan/pass.h"

namespace kinemorph {

struct DropRequest {
  const Model& model;
  const FeatureSet& mask;
  std::string_view why;  ///< empty: the table's note
  PassContext& context;
  [[nodiscard]] bool Has(Feature feature) const { return mask[Position(feature)]; }
  Loss& Lose(Feature feature, Subject subject, std::string what) const {
    return context.Lose(model, feature, std::move(subject), std::move(what), std::string(why));
  }
};

/// "the transparency is not written": of what is said of a part, its material or its surface.
[[nodiscard]] std::string IsNotWritten(Feature feature);

/// Takes out of an owner what its own fields say of dropped features; each is lost once, with all
/// that is said of it.
template <class Owner>
void DropFields(Owner& owner, const DropRequest& request, const Subject& subject) {
  FeatureSet said;
  ForEachField<Owner>([&](const auto& field) {
    if (field.feature != Feature::kCount && !field.words.empty() && request.Has(field.feature) &&
        Says(owner, field))
      said.set(Position(field.feature));
  });
  for (const Feature feature : kFeatures) {
    if (!said[Position(feature)]) continue;
    std::string values, value;
    std::size_t fields = 0;
    ForEachField<Owner>([&](const auto& field) {
      if constexpr (requires { ValueText(owner.*field.member); }) {
        if (field.feature != feature) return;
        ++fields;
        if (!Says(owner, field)) return;
        value = ValueText(owner.*field.member);
        values += (values.empty() ? "" : ", ") + std::string(field.key) + " " + value;
        owner.*field.member = Owner().*field.member;
      }
    });
    request.Lose(feature, subject, IsNotWritten(feature)).source = fields > 1 ? values : value;
  }
}

/// Limits, dynamics, springs, declarations.
void DropJointData(Model& model, const DropRequest& request);
/// Visuals, collisions, shapes, materials.
void DropGeometry(Model& model, const DropRequest& request);

}  // namespace kinemorph
