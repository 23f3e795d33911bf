#include "lower/check_inertias.h"

namespace kinemorph {

void CheckInertias(Model& model, PassContext& context) {
  for (const FeatureUse& use : FeaturesUsed(model)) {
    if (use.feature != Feature::kUnphysicalInertia) continue;
    context.Lose(model, use.feature, use.element, use.where, "the inertia is not that of a rigid body; it is written unchanged");
  }
}

}  // namespace kinemorph
