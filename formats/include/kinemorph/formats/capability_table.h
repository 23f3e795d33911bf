// What each target can hold: feature x format, collected from the profiles. It judges what the
// passes make of a model; the loss report and the table in the docs are computed from it, and a
// parameterised test proves every cell on a fixture.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// A column of the table: format, version and profile together decide.
struct Target {
  const Format* format = nullptr;  ///< of AllFormats; null: none
  WriteOptions options;            ///< version and profile
};

/// What becomes of `feature` towards `target`; lost where `target` names no format.
[[nodiscard]] Capability CapabilityOf(Feature feature, const Target& target);

/// What `target` is beside its features.
[[nodiscard]] TargetTraits TraitsOf(const Target& target);
/// The gravity (m/s^2) of a model in a format: as the model says, or as the format means where the
/// model says nothing. Nothing where neither does.
[[nodiscard]] std::optional<Vector3> GravityIn(const Target& target, const Model& model);
/// The gravity (m/s^2) that a model has in the format that it was read from.
[[nodiscard]] std::optional<Vector3> GravityMeantBy(const Model& model);

/// The columns shown by `kinemorph formats`: each format in the dialects that its profile lists.
struct TableColumn {
  std::string_view title;  ///< "urdf+ (paper)"
  Target target;           ///< what its cells are about
};
/// In the order of AllFormats, and of each format's dialects.
[[nodiscard]] std::vector<TableColumn> TableColumns();

}  // namespace kinemorph
