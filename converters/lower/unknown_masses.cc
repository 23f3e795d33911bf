// Masses that depend on what is not there: a mesh that was not found, or that nobody can weigh.
#include "edit/model_edit.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/passes.h"

namespace kinemorph {

void UnknownMasses(Model& model, PassContext& context) {
  const bool computes = context.Mine(Feature::kUnknownMass);
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    if (!link.inertial || link.inertial->unknown.empty()) continue;
    Inertial& inertial = *link.inertial;
    if (computes && IsComputed(inertial, context.traits.native_format)) continue;
    const bool nothing = inertial.mass == 0 && inertial.I_I.isZero(0);
    context.Lose(model, Feature::kUnknownMass, SubjectOf(link),
                 "its mass is unknown (" + inertial.unknown + "): " +
                     (nothing ? "none is written"
                              : FormatNumber(inertial.mass) + " kg are written instead"));
    inertial.unknown.clear();
    if (nothing) DropInertial(link);
  }
}

}  // namespace kinemorph
