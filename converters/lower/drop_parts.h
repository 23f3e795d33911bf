// The halves of dropping that look at single values: joint data and geometry.
#pragma once

#include <string>

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

/// Limits, dynamics, springs, declarations.
void DropJointData(Model& model, const DropRequest& request);
/// Visuals, collisions, shapes, materials.
void DropGeometry(Model& model, const DropRequest& request);

}  // namespace kinemorph
