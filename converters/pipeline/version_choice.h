// Which version of the target's format is written where nobody names one.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/converters/convert.h"

namespace kinemorph {

/// Versions of the target's format after its default one, the lowest first, where the request names
/// none.
[[nodiscard]] std::vector<std::string_view> NewerVersions(const ConvertOptions& options);

/// `options` with that version of the target's format.
[[nodiscard]] ConvertOptions InVersion(ConvertOptions options, std::string_view version);

/// What a version does worse than others, by what it is about ("coupling 'both'").
struct VersionFaults {
  std::vector<std::pair<Feature, std::string>> lost;  ///< motion, that nobody asked to drop
  /// Couplings that became gearboxes, which fewer programs simulate than mimics.
  std::vector<std::string> gearboxes;

  [[nodiscard]] bool empty() const { return lost.empty() && gearboxes.empty(); }
  /// Less of the mechanism, then less of what only one format says of it, then fewer gearboxes.
  [[nodiscard]] bool operator<(const VersionFaults& other) const {
    return Counts() < other.Counts();
  }

 private:
  [[nodiscard]] std::array<std::ptrdiff_t, 3> Counts() const {
    const auto details = std::count_if(lost.begin(), lost.end(), [](const auto& each) {
      return each.first == Feature::kNativeData;
    });
    const auto all = static_cast<std::ptrdiff_t>(lost.size());
    return {all - details, details, static_cast<std::ptrdiff_t>(gearboxes.size())};
  }
};
[[nodiscard]] VersionFaults FaultsOf(const Lowered& lowered, const ConvertOptions& options);

/// Says that `version` is written, and what the default one would do worse.
void SayVersion(const Model& model, const VersionFaults& by_default, const VersionFaults& chosen,
                const ConvertOptions& options, std::string_view version, Diagnostics& diagnostics);

}  // namespace kinemorph
