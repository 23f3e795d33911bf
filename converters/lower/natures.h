// Pass `natures`: which coordinates are independent.
#pragma once

#include "kinemorph/graph/mechanics/coordinates.h"
#include "plan/pass.h"

namespace kinemorph {

/// Ensures: where --independent names coordinates, those are declared independent and no others.
void AskIndependent(Model& model, PassContext& context);

/// Whether DeclareNatures has a say: the target knows natures, something constrains the model, and
/// no declaration of the author is right or stands for what user code does.
[[nodiscard]] bool ChoosesNatures(const Model& model, const Coordinates& coordinates,
                                  const PassContext& context);

/// By velocity: the coordinates that DeclareNatures calls dependent.
[[nodiscard]] std::vector<bool> DependentCoordinates(const Model& model, const Mechanism& mechanism,
                                                     const Coordinates& coordinates);

/// Requires: everything that changes joints is done. Ensures, where the target wants natures: every
/// joint with a coordinate is declared independent or not. A declaration that determines the rest
/// is kept, and so is one that leaves coordinates to user code; else column pivoting of the
/// constraint Jacobian at several closed configurations chooses (AnalyseCoordinates): with a note,
/// and a loss where the author says otherwise. Errors, for every target: coordinates asked for that
/// do not exist, or that cannot all be independent.
void DeclareNatures(Model& model, PassContext& context);

/// Ensures: the report names the loop joints and the independent coordinates as the target has
/// them; what the author did not choose is a note with its reason.
void TellCoordinates(Model& model, PassContext& context);

}  // namespace kinemorph
