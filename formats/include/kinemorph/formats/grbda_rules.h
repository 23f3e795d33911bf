// What GRBDA (generalized_rbda, the library of the URDF+ paper) runs: not all that its parser
// reads. Every rule was read in its source and run; formats/urdf/GRBDA.md lists them.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A rule that an element breaks.
struct GrbdaBreach {
  std::string rule;      ///< kebab-case: "joint-fixed", "loop-type", "rows" ...
  std::string message;   ///< names the element and says what GRBDA would do
  SourceLocation where;  ///< of the element
};

/// One cluster (aggregate link) as GRBDA would build it.
struct GrbdaCluster {
  std::vector<std::string> links;     ///< sorted
  int coordinates = 0,                ///< spanning coordinates
      rows = 0;                       ///< constraint rows that GRBDA keeps
  std::vector<GrbdaBreach> breaches;  ///< empty: it would be built
};

/// What GRBDA would make of a model.
struct GrbdaVerdict {
  std::vector<GrbdaCluster> clusters;  ///< parents first; [0] holds the root, which is the ground
  /// No cluster breaks a rule.
  [[nodiscard]] bool Loads() const;
};

/// Would GRBDA load a URDF+ model, and as the mechanism that it is? Tree joints point down the
/// tree, in the frames of their links.
[[nodiscard]] GrbdaVerdict JudgeForGrbda(const Model& model);

/// The breaches as errors with codes "grbda-RULE".
void ReportGrbdaRules(const Model& model, Diagnostics& diagnostics);

/// How many of the three rows of a point loop GRBDA keeps: those in which any coordinate has a
/// part, in the frame of the nearest common ancestor, in arithmetic that knows exact zeros only.
[[nodiscard]] int RowsOfPointLoop(const Model& model, const SpanningTree& tree, JointId loop);

}  // namespace kinemorph
