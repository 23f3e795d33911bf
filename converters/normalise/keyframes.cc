// Pass `keyframes`: joints start where a keyframe of the source does.
#include "edit/model_edit.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/field_text.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

void StartJoint(Model& model, JointId id, double q, PassContext& context) {
  Joint& joint = model.joint(id);
  std::optional<double>& start = joint.axes[0].initial_position;
  if (start || q == 0) return;
  Loss& loss = context.Lose(model, Feature::kInitialPosition, SubjectOf(joint),
                            "the initial position is written as " + FormatNumber(q),
                            "the target says of each joint where it starts, and has no keyframes");
  loss.source = "none", loss.target = FormatNumber(q);
  start = q;
}

// A base has no coordinate where the target could say it: it starts where it is drawn.
void LoseBasePlace(const Model& model, const Joint& joint, const RigidTransform& X_WB,
                   PassContext& context) {
  constexpr double kSamePlace = 1e-9;  // m, and entries of the rotation
  const RigidTransform drawn = PoseAtZero(joint);
  if ((X_WB.p - drawn.p).norm() <= kSamePlace && X_WB.R.isApprox(drawn.R, kSamePlace)) return;
  Loss& loss = context.Lose(
      model, Feature::kInitialPosition, SubjectOf(joint),
      "the base starts where it is drawn, at " + ValueText(drawn) + ", not at " + ValueText(X_WB),
      "the target has no keyframes");
  loss.source = ValueText(X_WB), loss.target = ValueText(drawn);
}

}  // namespace

void Keyframes(Model& model, PassContext& context) {
  const Format* const source = FindFormat(model.format);
  if (context.Lost(Feature::kInitialPosition) || source == nullptr || source->start == nullptr ||
      source == context.options.target.format)
    return;
  for (const auto& [id, place] : source->start(model)) {
    if (const double* const q = std::get_if<double>(&place))
      StartJoint(model, id, *q, context);
    else
      LoseBasePlace(model, model.joint(id), std::get<RigidTransform>(place), context);
  }
}

}  // namespace kinemorph
