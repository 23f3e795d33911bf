// Pass `silent_gravity`: formats mean different numbers by saying nothing.
#include "kinemorph/formats/capability_table.h"
#include "kinemorph/graph/model/field_text.h"
#include "normalise/passes.h"

namespace kinemorph {

void SilentGravity(Model& model, PassContext& context) {
  if (model.gravity) return;
  const std::optional<Vector3> meant = GravityMeantBy(model),
                               would_mean = GravityIn(context.options.target, model);
  if (!meant || !would_mean) return;
  // A reader that has one gravity always, whatever a file of its format says or leaves out (Drake).
  const bool lost = context.Lost(Feature::kGravity);
  if (*meant == (lost ? Vector3(0, 0, -9.81) : *would_mean)) return;
  model.gravity = meant;
  if (lost) return;
  context.Lowered(SubjectOf(model), "gravity " + ValueText(*meant) +
                                        " m/s^2 is written: the source means it by silence, and "
                                        "the target would mean " +
                                        ValueText(*would_mean) + " m/s^2");
}

}  // namespace kinemorph
