// What losing content of Robotran MBS means.
#include "mbs.h"

namespace kinemorph {
namespace {

using enum Weight;

// What no row names moves bodies.
const std::vector<ContentWeight>* MbsRows() {
  static const std::vector<ContentWeight> kRows = {
      {"sensor", kInterface},
      {"user_sensor", kInterface},
      {"base_body_name", kInterface},
      {"diagram", kLooks, {}, ContentRole::kSource},
      {"graphics", kLooks},
      {"graphics_files", kLooks},
      {"graphics_position", kLooks},
      {"view", kLooks},
      {"filename_graphics", kLooks},
      {"background", kLooks},
      {"camera", kLooks},
  };
  return &kRows;
}

}  // namespace

const std::vector<ContentWeight>* MbsContentWeights() { return MbsRows(); }

}  // namespace kinemorph
