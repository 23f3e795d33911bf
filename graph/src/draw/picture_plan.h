// What a picture of a graph shows: boxes of one or several links, what is left out, and which way
// it runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/draw/graphviz.h"

namespace kinemorph {

/// Its letter in the theory of mechanisms: R, P, H, U, S, E, C; F fixed, 6 free.
[[nodiscard]] std::string_view LetterOf(const JointKind& kind);
/// In words: "revolute", "spherical", ...
[[nodiscard]] std::string_view WordOf(const JointKind& kind);

/// The world is drawn only where something hangs on it by a joint.
[[nodiscard]] bool IsWorldJoined(const Model& model);

struct PicturePlan {
  static constexpr std::uint32_t kHidden = UINT32_MAX;
  struct Box {
    std::vector<LinkId> links;  ///< parents first
    std::string chain;          ///< letters of the joints inside, fixed ones left out
    bool branch = false;        ///< a branch that is like another, whole
    std::uint32_t parent = kHidden;
    std::size_t hidden = 0,  ///< links below it that are not drawn
        loops = 0;           ///< loop joints between links of it
    int rank = 1;            ///< ranks below its parent, to share the room with its like
  };
  std::vector<Box> boxes;             ///< parents first
  std::vector<std::uint32_t> box_of;  ///< by link
  std::size_t shown = 0, all = 0;     ///< links, without the world
  bool sideways = false;              ///< from left to right
};

/// `lacg`: boxes stay within aggregates; null: there are none in the picture.
[[nodiscard]] PicturePlan PlanPicture(const Model& model, const SpanningTree& tree,
                                      const LoopAggregatedConnectivityGraph* lacg,
                                      const PictureOptions& options);

/// What stands in a box: its first line and its second, which may be empty.
[[nodiscard]] std::pair<std::string, std::string> LinesOf(const Model& model,
                                                          const PicturePlan::Box& box);

}  // namespace kinemorph
