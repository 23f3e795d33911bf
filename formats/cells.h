// How a profile spells its cells.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

#include "kinemorph/formats/profile.h"
#include "kinemorph/graph/checks/feature.h"

namespace kinemorph::cells {

/// Native.
constexpr Capability N(std::string_view note = "") { return {Support::kNative, "", note}; }
/// Lowered exactly by a pass.
constexpr Capability L(std::string_view pass, std::string_view note) {
  return {Support::kLowered, pass, note};
}
/// Partly kept by a pass.
constexpr Capability P(std::string_view pass, std::string_view note) {
  return {Support::kPartial, pass, note};
}
/// Partly kept by a pass, as something else.
constexpr Capability O(std::string_view pass, std::string_view note) {
  return {Support::kPartial, pass, note, false};
}
/// Partly kept by a pass, as a remark that user code must enforce.
constexpr Capability U(std::string_view pass, std::string_view note) {
  return {Support::kPartial, pass, note, true, false};
}
/// Lost.
constexpr Capability X(std::string_view note) { return {Support::kLost, "", note}; }
/// Refused.
constexpr Capability R(std::string_view note) { return {Support::kRefused, "", note}; }

inline constexpr std::string_view kSharedSensors =
    "imus, magnetometers, force and torque, cameras, rays and contacts, with rate and noise; "
    "others only from the same format";
inline constexpr std::string_view kNativeOnly =
    "only a target of the same format as the source keeps this";
inline constexpr std::string_view kSplitLoop =
    "another cut of the same loop, or tree joints and a loop joint of one coordinate";

/// A feature and its cells in each dialect of a format; what is not given is as the last one given.
template <std::size_t kDialects>
struct Row {
  Feature feature;
  std::array<Capability, kDialects> dialects;

  constexpr Row(Feature f, std::initializer_list<Capability> given) : feature(f), dialects() {
    for (std::size_t i = 0; i < kDialects; ++i)
      dialects[i] = given.begin()[i < given.size() ? i : given.size() - 1];
  }
};

/// The cells of every feature: those of its row, or `otherwise` where it has none.
template <std::size_t kDialects>
class Table {
 public:
  template <std::size_t kRows>
  constexpr Table(const Row<kDialects> (&rows)[kRows], Capability otherwise) {
    for (std::array<Capability, kDialects>& cells : cells_) cells.fill(otherwise);
    for (const Row<kDialects>& row : rows) cells_[Position(row.feature)] = row.dialects;
  }
  [[nodiscard]] constexpr Capability operator()(Feature feature, std::size_t dialect = 0) const {
    return Position(feature) < kNumFeatures ? cells_[Position(feature)][dialect] : Capability{};
  }

 private:
  std::array<std::array<Capability, kDialects>, kNumFeatures> cells_{};
};

/// The cell of a few rows that stand before those of a table; null where there is none.
constexpr const Capability* Among(std::span<const Row<1>> rows, Feature feature) {
  for (const Row<1>& row : rows)
    if (row.feature == feature) return &row.dialects[0];
  return nullptr;
}

}  // namespace kinemorph::cells
