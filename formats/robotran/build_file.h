// Model -> MbsFile: bodies and joint chains, cuts, points, user data. Parts that still say what their source said are taken from it.
#pragma once

#include "build_model.h"
#include "kinemorph/graph/model.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

/// The file a model was read from, and what was made of it.
struct Source {
  MbsFile file;
  BuiltModel built;
};

/// `source` may be null. Errors go to `diagnostics`.
[[nodiscard]] MbsFile BuildFile(const Model& model, const Source* source, Diagnostics& diagnostics);

/// The same joint at the same place with the same nature and initial values: its spelling in the source may be kept.
[[nodiscard]] bool SameJoint(const Joint& a, const Joint& b);

}  // namespace kinemorph::mbs
