// MbsFile -> Model, and which part of the file each part of the model came from.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

struct BuiltModel {
  Model model;
  std::vector<LinkId>
      link_of_body;  ///< kNoLink: the massless copy in a solid cut, folded into its loop joint
  std::vector<std::vector<JointId>>
      joints_of_body;                    ///< in order of the chain; empty for folded copies
  std::vector<JointId> joint_of_cut;     ///< the loop joint
  std::vector<std::size_t> copy_of_cut;  ///< index of the folded body, or kNoBody
  /// Frames read from points, by "<body index + 1>/<point>" (0 for the base).
  std::unordered_map<std::string, std::size_t> frame_of_point;
  static constexpr std::size_t kNoBody = static_cast<std::size_t>(-1);
};

/// Errors with lines go to `context`'s diagnostics; the model then holds what could be kept.
[[nodiscard]] BuiltModel BuildModel(const MbsFile& file, const xml::Context& context);

}  // namespace kinemorph::mbs
