// MJCF as a table: what becomes of attributes that are treated alike wherever they stand, and what the
// loss of each thing that only MJCF has means. Sections, kinds of elements, and a new attribute of
// MuJoCo that the model has no place for: a row each.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "kinemorph/formats/native_weight.h"
#include "mjcf.h"

namespace kinemorph::mjcf {

/// What reading does with an attribute.
enum class SchemaTrait {
  kPlain,  ///< nothing that its element does not say
  kName,   ///< its value names a part of the model
  kKept,   ///< kept as native content beside what the model holds of its element
};

struct SchemaRow {
  ContentWeight content;  ///< the path that the row is about, and what its loss means
  SchemaTrait trait = SchemaTrait::kPlain;

  SchemaRow(std::string_view path, std::optional<Weight> weight,
            SchemaTrait what = SchemaTrait::kPlain)
      : content{path, weight}, trait(what) {}
  SchemaRow(std::string_view path, std::optional<Weight> weight, std::string_view means_nothing,
            SchemaTrait what = SchemaTrait::kPlain)
      : content{path, weight, means_nothing}, trait(what) {}
  SchemaRow(std::string_view path, std::optional<Weight> weight, std::string_view means_nothing,
            ContentRole role, SchemaTrait what = SchemaTrait::kPlain)
      : content{path, weight, means_nothing, role}, trait(what) {}
};

/// @{
/// The value of the attribute names a part of the model, or a file, wherever it stands.
[[nodiscard]] bool HoldsName(std::string_view attribute);
[[nodiscard]] bool HoldsFile(std::string_view attribute);
/// @}
/// The value names a file, as the main file sees it.
[[nodiscard]] bool HoldsFile(std::string_view attribute);
/// The attributes of an element that are kept, in the order in which they are written; the element
/// must have a row.
[[nodiscard]] const std::vector<std::string_view>& KeptOf(std::string_view element);

/// The kinds of element that have defaults; all actuators share those of `general`, and tendons theirs.
inline constexpr std::array<std::string_view, 12> kDefaultKinds = {
    "general", "joint",    "geom",    "site", "camera",   "light",
    "mesh",    "material", "texture", "pair", "equality", "tendon"};
/// Position in kDefaultKinds; its end for elements that have no defaults.
[[nodiscard]] std::size_t DefaultKind(std::string_view element);
/// MJCF knows the attribute at an element of a default class; of a plugin: it takes it from one.
[[nodiscard]] bool IsOfDefault(std::string_view element, std::string_view attribute);
/// An actuator takes the attribute from a default of any kind.
[[nodiscard]] bool IsOfEveryActuator(std::string_view attribute);

/// What becomes of a section of the file.
enum class SectionFate {
  kUnknown,  ///< MJCF has none of this name
  kRead,     ///< its elements have a place in the model, or are kept one by one
  kWhole,    ///< kept as it is
};
[[nodiscard]] SectionFate FateOfSection(std::string_view section);

}  // namespace kinemorph::mjcf
