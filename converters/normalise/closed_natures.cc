// Pass `closed_natures`: which coordinates are independent, while the loops are still there.
#include "edit/actuation.h"
#include "edit/model_edit.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "normalise/passes.h"

namespace kinemorph {

// Once a target's recipe has taken loops out (a URDF that is only a tree), nobody could tell any
// more which joints follow others. A joint of several coordinates is dependent as soon as one of
// them is.
void ClosedNatures(Model& model, PassContext& context) {
  const bool declares = context.Mine(Feature::kIndependent);
  if (!declares && !context.options.motors && context.options.gains.empty()) return;
  const Mechanism mechanism = CompileAsDriven(model, context);
  const Coordinates coordinates = AnalyseCoordinates(mechanism);
  std::vector<bool> follows(static_cast<std::size_t>(mechanism.nv), false);
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a)
    for (const int column : coordinates.aggregates[a].dependent)
      follows[static_cast<std::size_t>(
          mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)])] = true;
  for (const Body& body : mechanism.bodies) {
    if (body.joint == kNoJoint || body.nv == 0) continue;
    bool dependent = false;
    for (int i = 0; i < body.nv; ++i)
      dependent = dependent || follows[static_cast<std::size_t>(body.v + i)];
    Joint& joint = model.joint(body.joint);
    if (dependent) context.dependent.insert(joint.where.origin);
    if (declares && !joint.independent) joint.independent = !dependent;
  }
}

}  // namespace kinemorph
