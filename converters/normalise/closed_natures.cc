// Pass `closed_natures`: which coordinates are independent, while the loops are still there.
#include <algorithm>

#include "edit/model_edit.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

bool IsMoving(const Model& model, const SpanningTree& tree, JointId id) {
  return !tree.IsLoop(id) && NumVelocities(model.joint(id).kind) > 0;
}

// The drives instead of a declaration.
void DeclareDrives(const SpanningTree& tree, Model& model) {
  std::vector<bool> driven(model.num_joints(), false);
  for (const Actuator& drive : model.actuators)
    if (drive.joint != kNoJoint) driven[Index(drive.joint)] = true;
  if (std::find(driven.begin(), driven.end(), true) == driven.end()) return;
  for (const JointId id : Joints(model))
    if (IsMoving(model, tree, id)) model.joint(id).independent = driven[Index(id)];
}

}  // namespace

void ClosedNatures(Model& model, PassContext& context) {
  if (!context.Mine(Feature::kIndependent)) return;
  const SpanningTree tree = TreeOf(model);
  bool declared = false;
  for (const JointId id : Joints(model)) declared = declared || model.joint(id).independent;
  Model trial = model;
  if (!declared) DeclareDrives(tree, trial);
  const Mechanism mechanism = Compile(trial);
  const Coordinates coordinates = AnalyseCoordinates(mechanism);
  std::vector<bool> follows(static_cast<std::size_t>(mechanism.nv), false);
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a)
    for (const int column : coordinates.aggregates[a].dependent)
      follows[static_cast<std::size_t>(
          mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)])] = true;
  std::vector<bool> dependent(model.num_joints(), false);
  for (const Body& body : mechanism.bodies)
    for (int i = 0; body.joint != kNoJoint && i < body.nv; ++i)
      if (follows[static_cast<std::size_t>(body.v + i)]) dependent[Index(body.joint)] = true;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (IsMoving(model, tree, id) && !joint.independent) joint.independent = !dependent[Index(id)];
  }
}

}  // namespace kinemorph
