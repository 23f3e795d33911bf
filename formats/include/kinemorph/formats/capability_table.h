// The one table that says what each format can hold: feature x format. The lowering plan, `check`, the loss report and the
// README's table are all computed from it, and a parameterised test proves every cell on a fixture.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/graph/feature.h"

namespace kinemorph {

enum class Support {
  kNative,    ///< the format has it
  kLowered,   ///< expressed exactly by the pass named
  kPartial,   ///< the pass named keeps it where that is exact and reports the rest
  kLost,      ///< dropped and reported
};

struct Capability {
  Support support = Support::kLost;
  std::string_view pass;   ///< name of the lowering pass for kLowered and kPartial, else empty
  std::string_view note;   ///< what becomes of it, or why it is lost; one short phrase
};

/// A column of the table: format, version and profile together decide.
struct Target {
  const Format* format = nullptr;
  WriteOptions options;
};

[[nodiscard]] Capability CapabilityOf(Feature feature, const Target& target);

/// The columns shown by `kinemorph formats`: urdf, urdf+ (reference), urdf+ (paper), sdf@1.9, sdf@1.11, mjcf, mbs.
struct TableColumn { std::string_view title; Target target; };
[[nodiscard]] std::vector<TableColumn> TableColumns();

}  // namespace kinemorph
