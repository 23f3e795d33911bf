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
  bool asked;            ///< by the user
  PassContext& context;
  [[nodiscard]] bool Has(Feature feature) const { return mask[Position(feature)]; }
  Loss& Lose(Feature feature, Subject subject, std::string what) const {
    Loss& loss =
        context.Lose(model, feature, std::move(subject), std::move(what), std::string(why));
    loss.asked = asked;
    return loss;
  }
};

/// "the transparency is not written": of what is said of a part, its material or its surface.
[[nodiscard]] std::string IsNotWritten(Feature feature);

/// What the fields of an owner say of a feature: "mu 0.5, mu2 0.3", the value alone where it has one
/// field only. Nothing where they say nothing.
template <class Owner>
[[nodiscard]] std::optional<std::string> SaidText(const Owner& owner, Feature feature) {
  std::string values, value;
  int fields = 0, said = 0;
  ForEachField<Owner>([&](const auto& field) {
    if constexpr (requires { ValueText(owner.*field.member); }) {
      if (field.feature != feature || field.words.empty()) return;
      ++fields;
      if (!Says(owner, field)) return;
      value = ValueText(owner.*field.member);
      values += (said++ > 0 ? ", " : "") + std::string(field.key) + " " + value;
    }
  });
  if (said == 0) return std::nullopt;
  return fields > 1 ? values : value;
}

/// Takes out of an owner what its own fields say of dropped features; each is lost once, with all
/// that is said of it.
template <class Owner>
void DropFields(Owner& owner, const DropRequest& request, const Subject& subject) {
  for (const Feature feature : kFeatures) {
    const std::optional<std::string> said =
        request.Has(feature) ? SaidText(owner, feature) : std::nullopt;
    if (!said) continue;
    Loss& loss = request.Lose(feature, subject, IsNotWritten(feature));
    loss.source = *said;
    ForEachField<Owner>([&](const auto& field) {
      if (field.feature != feature || field.words.empty()) return;
      if (Says(owner, field)) loss.fields.emplace_back(field.key);
      owner.*field.member = Owner().*field.member;
    });
  }
}

/// Limits, dynamics, springs, declarations.
void DropJointData(Model& model, const DropRequest& request);
/// Visuals, collisions, shapes, materials.
void DropGeometry(Model& model, const DropRequest& request);

}  // namespace kinemorph
