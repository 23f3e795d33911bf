// The nearest name, in words.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph {

/// "; did you mean 'elbow'?"; empty where no known name is near.
[[nodiscard]] inline std::string DidYouMean(const std::string& name,
                                            const std::vector<std::string>& known) {
  const std::string nearest = NearestName(name, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace kinemorph
