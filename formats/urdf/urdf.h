// URDF and URDF+: one reader for every spelling, and two writers.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// Reads URDF 1.0 to 1.2 and URDF+ (loops, couplings, independent) in every known spelling; each
/// foreign spelling gives one warning (code `dialect`). `Model::format` is "urdf+" when the text
/// has a loop, a coupling or an independent attribute, else "urdf".
[[nodiscard]] std::optional<Model> ReadUrdf(std::string_view text, const ReadOptions& options,
                                            Diagnostics& diagnostics);

/// The side-car of HyRoDyn: submechanisms.yml and a URDF for every part of it with loops.
inline constexpr std::string_view kHyrodyn = "hyrodyn";
/// The side-car of Gepetto's parallel robots: robot.yaml, pairs of frames.
inline constexpr std::string_view kGepetto = "gepetto";
/// SRDF, and a block for ros2_control in the URDF itself, with which an SRDF goes too.
inline constexpr std::string_view kSrdf = "srdf", kRos2Control = "ros2_control";
[[nodiscard]] inline bool HasSideCar(const WriteOptions& options, std::string_view name) {
  return std::find(options.side_cars.begin(), options.side_cars.end(), name) !=
         options.side_cars.end();
}

/// Plain URDF: a tree with mimic joints, and loops as WriteOptions::loops says. Other couplings and
/// independent coordinates are errors, but with the side-car of HyRoDyn or of Gepetto, which takes
/// them and loops.
[[nodiscard]] Bundle WriteUrdf(const Model& model, const WriteOptions& options,
                               Diagnostics& diagnostics);

/// What an element says itself where the reference parser would read something else: a loop of type
/// "revolute" that joins two points, a ratio as the paper has it. Other parsers pass it over.
/// @{
inline constexpr const char *kLoopMark = "joint", *kBallMark = "ball", *kRatioMark = "of",
                            *kPaperRatio = "predecessor/successor";
/// @}

/// URDF+ in its canonical form; a comment before the root says which profile was used, for people.
[[nodiscard]] Bundle WriteUrdfPlus(const Model& model, const WriteOptions& options,
                                   Diagnostics& diagnostics);

/// Why an item of SDFormat has no effect in a <gazebo> block, or one of URDF no place in a <loop>;
/// empty: it has.
[[nodiscard]] std::string UrdfRefuses(const Model& model, const NativeData& native,
                                      const Joint* owner, const WriteOptions& options);

/// Their profiles.
[[nodiscard]] Format UrdfFormat();
[[nodiscard]] Format UrdfPlusFormat();

/// Its table of weights.
[[nodiscard]] const std::vector<ContentWeight>* UrdfContentWeights();

}  // namespace kinemorph
