// What happens to a model on its way to a target: a literal list of passes, each with what the target
// asks of it.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "lower/passes.h"
#include "normalise/passes.h"

namespace kinemorph {

/// Of every pass, in the one order in which passes run: a recipe leaves out what does nothing for its
/// target.
struct PassEntry {
  std::string_view name, summary;  ///< "limits"; one sentence
  PassFunction run = nullptr;      ///< null: recipes say what they ask of it
};
[[nodiscard]] const std::vector<PassEntry>& AllPasses();

/// A pass in a recipe.
struct RecipeStep {
  std::string_view pass;  ///< its name
  AskedWords asked;
  std::function<void(Model&, PassContext&)> run;
};

/// Passes in the order in which they run.
struct Recipe {
  /// @{
  /// One pass.
  Recipe(PassFunction pass);
  template <class P>
  requires requires { P::kName; }
  Recipe(const P& pass) : steps{{P::kName, pass.Asked(), pass}} {}
  /// @}
  /// One after the other.
  Recipe(std::initializer_list<Recipe> parts);

  std::vector<RecipeStep> steps;
};

/// How a model becomes legal for `target`, whose format is set.
[[nodiscard]] Recipe RecipeOf(const Target& target);

}  // namespace kinemorph
