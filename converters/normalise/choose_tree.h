// Pass `choose_tree`: every joint gets its role.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: a valid model. Ensures: no joint is undecided; tree joints span all links
/// (ChooseSpanningTree, with --cut). The reason of each cut that the author did not make is kept
/// for the note. Where the target cannot hold loop joints between a link and its own ancestor, cuts
/// move to another joint of the loop if that is closed at q = 0.
void ChooseTree(Model& model, PassContext& context);

}  // namespace kinemorph
