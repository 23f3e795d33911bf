// What is said of equations to people, in comments and read-me files.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/emit/equations.h"

namespace kinemorph::emit {

/// Lines of at most 100 columns or one name: sizes, orders, units, springs, what is left out.
[[nodiscard]] std::vector<std::string> Describe(const Equations& equations);
[[nodiscard]] std::string InCapitals(std::string text);

}  // namespace kinemorph::emit
