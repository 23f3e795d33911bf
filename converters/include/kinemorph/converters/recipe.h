// What happens to a robot on its way to a target, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinemorph {

/// The targets by the names of their recipes: formats, profiles, side-cars that hold loops.
[[nodiscard]] std::vector<std::string> RecipeNames();

/// The passes of the recipe of this name, in the order in which they run: what each does, what the
/// target asks of it, and the features that the capability table gives to it; empty: there is none.
[[nodiscard]] std::string RecipeText(std::string_view name);

}  // namespace kinemorph
