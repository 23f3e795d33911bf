// Numbers as text: the shortest digits that read back exactly, whatever the locale.
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "kinemorph/graph/model_dump.h"

namespace kinemorph {

// Scientific form only where it is clearly shorter: 0.0001 and 100000 stay plain, 1e-06 and 1e+20 do not.
std::string FormatNumber(double value) {
  if (value == 0) return "0";  // also -0
  std::array<char, 400> scientific_text{}, fixed_text{};
  const auto scientific_end =
      std::to_chars(scientific_text.data(), scientific_text.data() + scientific_text.size(), value, std::chars_format::scientific).ptr;
  const std::string_view scientific(scientific_text.data(), static_cast<std::size_t>(scientific_end - scientific_text.data()));
  const double magnitude = std::abs(value);
  if (magnitude >= 1e-6 && magnitude < 1e21) {  // also false for nan
    const auto fixed_end = std::to_chars(fixed_text.data(), fixed_text.data() + fixed_text.size(), value, std::chars_format::fixed).ptr;
    const std::string_view fixed(fixed_text.data(), static_cast<std::size_t>(fixed_end - fixed_text.data()));
    if (fixed.size() <= scientific.size() + 2) return std::string(fixed);
  }
  return std::string(scientific);
}

}  // namespace kinemorph
