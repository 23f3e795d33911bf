// Pass `start_positions`: joints start where all loops are closed.
#include <cmath>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/mechanics/start_posture.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

constexpr double kSameStart = 1e-9;  // rad, m

void StartAt(Model& model, Joint& joint, std::size_t i, double q, PassContext& context) {
  std::optional<double>& start = joint.axes[i].initial_position;
  if (std::abs(start.value_or(0) - q) <= kSameStart) return;
  Loss& loss = context.Lose(model, Feature::kInitialPosition, SubjectOf(joint),
                            "the initial position is written as " + FormatNumber(q),
                            "the target starts where all loops are closed");
  loss.source = start ? FormatNumber(*start) : "none";
  loss.target = FormatNumber(q);
  start = q;
}

}  // namespace

// A source that says nothing leaves the posture to the writer.
void StartPositions(Model& model, PassContext& context) {
  if (!context.HasWork(model)) return;
  const StartPosture posture = StartPostureOf(model);
  std::vector<bool> has_coordinates(model.num_joints(), false);
  for (const Body& body : posture.mechanism.bodies) {
    if (body.joint == kNoJoint || body.nq != body.nv) continue;
    Joint& joint = model.joint(body.joint);
    has_coordinates[Index(body.joint)] = true;
    for (std::size_t i = 0; i < joint.axes.size(); ++i)
      StartAt(model, joint, i, posture.q[body.q + static_cast<int>(i)], context);
  }
  for (const JointId id : Joints(model))
    for (std::size_t i = 0; i < model.joint(id).axes.size(); ++i)
      if (!has_coordinates[Index(id)])
        LoseNumber(model, model.joint(id), i, AxisNumber(&JointAxis::initial_position),
                   "the joint has no such coordinate in the target", context);
}

}  // namespace kinemorph
