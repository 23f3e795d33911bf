// Places are signed in the mechanism, as Eigen's are, and unsigned in the standard containers.
#pragma once

#include <cstddef>

namespace kinemorph {

[[nodiscard]] constexpr std::size_t U(int i) { return static_cast<std::size_t>(i); }

}  // namespace kinemorph
