// Pass `remarks`: what is written, but not as the source meant it.
#include "lower/passes.h"

namespace kinemorph {

void Remarks(Model& model, PassContext& context) {
  // What was a remark in the source is no less one in the target.
  if (model.format == context.options.target.format->name) return;
  const FeatureSet mine = FeaturesWhere([&](Feature feature) { return context.Mine(feature); });
  for (const FeatureUse& use : FeaturesUsed(model, mine))
    context.Lose(model, use.feature, use.subject,
                 std::string(FeatureTitle(use.feature)) + ": written with a restriction");
}

}  // namespace kinemorph
