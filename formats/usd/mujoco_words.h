// What MJCF says beside the fields of the model, in the attributes of MuJoCo's schemas for USD.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/model/native_data.h"

namespace kinemorph::usd {

/// An attribute of an element of MJCF as USD has it.
struct MujocoWord {
  std::string_view element;    ///< "geom"
  std::string_view attribute;  ///< "condim"
  std::string_view type;       ///< of USD: "int", "double[]"
  /// Of a list, what stands for its last numbers where they are not said; of a token, those that
  /// Newton knows.
  std::string_view whole = {};
  std::string_view in_usd = {};  ///< what USD calls the attribute; empty: as MJCF does
};

/// The part of an element of MJCF that USD has attributes for, its lists whole; without any
/// attribute: none.
[[nodiscard]] NativeElement MujocoPart(const NativeData& data);

/// The declarations and values of such a part: "uniform int mjc:condim" and "3".
[[nodiscard]] std::vector<std::pair<std::string, std::string>> MujocoAttributes(
    const std::vector<NativeData>& natives, std::string_view element);

/// An attribute of an element of MJCF from one of USD, "mjc:condim" and its value as written;
/// nothing: the element has no such attribute.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> MujocoAttribute(
    std::string_view element, std::string_view name, std::string_view value);

}  // namespace kinemorph::usd
