// Pass `names`: legal and unique names, with a map back.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: everything that adds elements is done. Ensures: names follow the target's rule
/// (NameRule): no clash, nothing reserved, no
/// "::" but that of a model's own scope. Links keep their names before joints, joints before
/// frames; a joint called like a link becomes `name_joint`, a frame `name_frame`, further ones get
/// `_2`, `_3`. Every change is in the report.
void LowerNames(Model& model, PassContext& context);

}  // namespace kinemorph
