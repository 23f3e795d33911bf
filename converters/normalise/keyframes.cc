// Pass `keyframes`: joints start where a keyframe of the source does.
#include "edit/model_edit.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/number.h"
#include "normalise/passes.h"

namespace kinemorph {

void Keyframes(Model& model, PassContext& context) {
  const Format* const source = FindFormat(model.format);
  if (context.Lost(Feature::kInitialPosition) || source == nullptr || source->start == nullptr ||
      source == context.options.target.format)
    return;
  for (const auto& [id, q] : source->start(model)) {
    Joint& joint = model.joint(id);
    std::optional<double>& start = joint.axes[0].initial_position;
    if (start || q == 0) continue;
    Loss& loss =
        context.Lose(model, Feature::kInitialPosition, SubjectOf(joint),
                     "the initial position is written as " + FormatNumber(q),
                     "the target says of each joint where it starts, and has no keyframes");
    loss.source = "none", loss.target = FormatNumber(q);
    start = q;
  }
}

}  // namespace kinemorph
