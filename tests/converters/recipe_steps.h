// What stands in a recipe.
#pragma once

#include <string_view>

#include "targets/recipe.h"

namespace kinemorph::test {

/// What is asked of this pass; null where the recipe has none.
template <class P>
const P* Find(const Recipe& recipe) {
  for (const RecipeStep& step : recipe.steps)
    if (const P* found = step.run.target<P>()) return found;
  return nullptr;
}

inline bool Has(const Recipe& recipe, std::string_view pass) {
  for (const RecipeStep& step : recipe.steps)
    if (step.pass == pass) return true;
  return false;
}

}  // namespace kinemorph::test
