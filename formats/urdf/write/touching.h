// Which links never touch and which always do, as MoveIt's setup assistant finds them: in random
// postures.
#pragma once

#include <cstddef>
#include <map>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/checks/contacts.h"

namespace kinemorph::urdf_format {

/// What random postures told.
struct SampledPairs {
  std::map<LinkPair, const char*> reasons;  ///< "Never" or "Always" of MoveIt
  int postures = 0;         ///< that were looked at, all loops closed; 0: none, or too many links
  std::size_t unknown = 0;  ///< links with a shape of unknown extent: no pair with one is judged
};

/// Boxes around shapes, and balls inside, are compared: links whose boxes never overlap never touch,
/// and links of which two balls always overlap always do. Between the postures nothing is known, as
/// with the assistant. Seeded: equal models give equal pairs. `files` gives meshes; null: none.
[[nodiscard]] SampledPairs SamplePairs(const Model& model, const ResourceResolver* files);

}  // namespace kinemorph::urdf_format
