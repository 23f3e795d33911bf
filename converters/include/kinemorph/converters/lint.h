/// What a colleague would point at in a robot that can be read: units, placeholders, locked joints,
/// loops that cannot work.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// The messages of reading with the words of the rules (`lint-*`) behind them. A message of reading
/// that a rule says better, or judges as rounding, is left out. Each rule and its threshold held on
/// some 660 public robots; about one word in 160 robots is false. Meshes are measured where `files`
/// finds them; null: none is.
[[nodiscard]] Diagnostics Lint(const Model& model, const Diagnostics& reading,
                               const ResourceResolver* files = nullptr);

/// A text with mistakes taken out.
struct LintFixes {
  std::string text;               ///< as it was but for the fixes
  std::vector<std::string> done;  ///< one line each: "robot.urdf:12: joint 'knee': ..."
};
/// Fixes a URDF text: what is certain (an axis is written as it was read), and for the `codes` that
/// were asked for what is probable (`lint-limits-absent`, `lint-rpy-degrees`). `said` is what Lint
/// said of it.
[[nodiscard]] LintFixes FixText(const std::string& text, const Model& model,
                                const Diagnostics& said, const std::vector<std::string>& codes);
/// Codes that FixText fixes where they are asked for.
[[nodiscard]] const std::vector<std::string>& FixableCodes();

}  // namespace kinemorph
