// What happens to a model on its way to a target: a literal list of passes, each with what the target
// asks of it.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lower/passes.h"
#include "normalise/passes.h"

namespace kinemorph {

/// Every pass, in the one order in which passes run: a recipe leaves out what does nothing for its
/// target.
using Pass =
    std::variant<Unlimited, BindWorldLink, SelectModel, DropRequested, ExplicitContacts,
                 StaticModels, AskIndependent, ChooseTree, DecideBase, FlattenModels, FreeJoints,
                 Assemble, CutWholeJoints, ClosedNatures, LowerLoops, SplitLoops, OrientJoints,
                 SplitJoints, FoldChains, MergeFixed, PhysicalInertia, WorldContent, LowerFrames,
                 MasslessLinks, BaseAsRoot, RebaseLinkFrames, AxisAlignedFrames, PointLoops,
                 JoinPoints, LoopFrames, PairFrames, InertiaAxes, Mimics, LoopEnds, WeldHalves,
                 LowerCouplings, PartlyIndependent, LowerDrives, LowerLimits, LowerShapes,
                 WorldLink, UnknownMasses, DropNativeData, SelfCollision, Motors, DropUnsupported,
                 Remarks, DeclareNatures, LowerNames, PartBlocks, TellCoordinates>;

/// Passes in the order in which they run.
class Recipe {
 public:
  /// One pass, or the passes that recipes share.
  class Part {
   public:
    template <class P>
    requires requires { P::kText; }
    Part(const P& pass) : passes_{Pass(std::in_place_type<P>, pass)} {}
    Part(const Recipe& shared) : passes_(shared.passes_) {}

   private:
    friend class Recipe;
    std::vector<Pass> passes_;
  };

  Recipe(std::initializer_list<Part> parts);

  [[nodiscard]] const std::vector<Pass>& passes() const& { return passes_; }
  void passes() && = delete;  // would not outlive it
  [[nodiscard]] auto begin() const { return passes_.begin(); }
  [[nodiscard]] auto end() const { return passes_.end(); }
  /// What is asked of this pass; null where the recipe has none.
  template <class P>
  [[nodiscard]] const P* Find() const {
    for (const Pass& pass : passes_)
      if (const P* found = std::get_if<P>(&pass)) return found;
    return nullptr;
  }

 private:
  std::vector<Pass> passes_;
};

/// How a model becomes legal for `target`, whose format is set.
[[nodiscard]] Recipe RecipeOf(const Target& target);

[[nodiscard]] std::string_view NameOf(const Pass& pass);
void RunPass(const Pass& pass, Model& model, PassContext& context);

}  // namespace kinemorph
