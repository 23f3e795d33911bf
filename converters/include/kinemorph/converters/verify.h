// Are two descriptions the same mechanism? The proof behind `kinemorph verify` and `convert --verify`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinemorph/converters/loss_report.h"
#include "kinemorph/graph/diagnostics.h"
#include "kinemorph/graph/feature.h"
#include "kinemorph/graph/model.h"

namespace kinemorph {

struct VerifyOptions {
  int states = 10;  ///< random closed configurations
  std::uint64_t seed = 1;
  double tolerance = 1e-9;             ///< relative to the size of the robot, or of what is compared
  const LossReport* report = nullptr;  ///< of the conversion A -> B: names, re-based frames, and what may be missing in B
  std::vector<Feature> ignore;         ///< may be missing or different in B
};

struct VerifyCheck {
  std::string what;      ///< e.g. "link poses"
  double max_error = 0;  ///< infinite where something is missing
  double tolerance = 0;
  std::string worst;  ///< the element with that error
};

struct VerifyResult {
  bool equivalent = false;  ///< every check within its tolerance
  std::vector<VerifyCheck> checks;
  Diagnostics diagnostics;  ///< what was assumed or left out, and every element that differs
};

/// Compares by physics at random closed states of A carried to B (matched by the poses of the links both have), and by value.
///
/// Links are matched by name (through the report's changes; "::" and "_" alike), joints by name or by the links they join.
/// Massless intermediate links, cuts at other joints, split joints and re-based link frames make no difference. Where one side
/// leaves open how its base stands, both are held at the root. What B's format cannot hold may be missing in B.
[[nodiscard]] VerifyResult VerifyEquivalent(const Model& a, const Model& b, const VerifyOptions& options = {});

}  // namespace kinemorph
