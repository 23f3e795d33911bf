#include "lower/remarks.h"

namespace kinemorph {

void Remarks(Model& model, PassContext& context) {
  for (const FeatureUse& use : FeaturesUsed(model)) {
    if (context.Mine(use.feature))
      context.Lose(model, use.feature, use.element, use.where, std::string(FeatureTitle(use.feature)) + ": written with a restriction");
  }
}

}  // namespace kinemorph
