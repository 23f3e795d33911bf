// Loops that stand beside a tree as pairs of frames: robot.yaml of Gepetto's parallel robots, what
// CAD exporters put beside a URDF, and frames whose names say that they belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Where a pair of frames stands.
enum class PairPlace {
  kFrames,  ///< at the two frames, which are links
  kFirst,   ///< at one pose in the first link, for both as they stand at zero
  kRoot,    ///< the same in the root link
};

/// Two frames that a loop holds together.
struct FramePair {
  std::string name,                      ///< of the loop; empty: that of the first frame
      a,                                 ///< a link, or a joint for the link that it leads to
      b;                                 ///< the same
  JointKind kind;                        ///< what may move between them
  JointAxis axis;                        ///< what is said of its one coordinate
  PairPlace place = PairPlace::kFrames;  ///< where they meet
  RigidTransform X;                      ///< the pose of PairPlace
  std::uint32_t line = 0;                ///< of the side-car, as below
};

/// A joint of the URDF that is of another kind.
struct RetypedJoint {
  std::string joint;       ///< its name
  JointKind kind;          ///< about the axes of its frame
  std::uint32_t line = 0;  ///< of the side-car
};

/// A joint or link that a list names.
struct ListedName {
  std::string name;        ///< in the URDF
  std::uint32_t line = 0;  ///< of the side-car
};

/// A side-car as it was read.
struct FramePairs {
  std::string file;                     ///< for messages
  std::vector<FramePair> pairs;         ///< in order of the file
  std::vector<RetypedJoint> retyped;    ///< in order of the file
  std::vector<ListedName> motors;       ///< joints that have a drive
  std::vector<ListedName> independent;  ///< joints that describe the rest
  bool all_declared = false;            ///< joints that are not listed are dependent
  std::vector<ListedName> made;         ///< links that were made to write the pairs, see below
};

/// Whether a text claims to be one: a line begins with "closed_loop:", "closing_joints:" or
/// "closures:".
[[nodiscard]] bool LooksLikeFramePairs(std::string_view text);

/// Reads the YAML (library kinemorph::side_cars). Nothing, with errors of file and line, where it
/// is no such file. Bounds are those of ParseSubmechanisms.
///
/// Gepetto: `closed_loop`, `type`, `name_mot`, `joint_name`, `joint_type`; beside them `loop_name`,
/// `independent` and `made`, which kinemorph writes and Gepetto's loader passes over. fusion2URDF:
/// `closing_joints`. sw2robot: `closures`, `independent`, `dependent`.
[[nodiscard]] std::optional<FramePairs> ParseFramePairs(std::string_view text,
                                                        const std::string& file,
                                                        Diagnostics& diagnostics);

/// What the names of links, and of joints, say: closing_NAME_1 and closing_NAME_2 are one point
/// (onshape-to-robot), NAMEclosedloopNA and ...B one frame (Gepetto). `file` is the name for messages.
[[nodiscard]] FramePairs PairsByName(const Model& model, const std::string& file);

/// Adds loop joints, kinds of joints, drives and declarations to a model that was read from URDF.
/// False, with errors, where names do not fit; the model is then not to be used. Links that were
/// made dissolve: a frame in the link that it is fixed to, half a link in the one that a pair welds
/// it to, so that the joint to it is the loop joint again.
[[nodiscard]] bool AddFramePairs(const FramePairs& file, Model& model, Diagnostics& diagnostics);

/// Joints and links that the file names and the model does not have, at most `most`.
[[nodiscard]] std::vector<std::string> UnknownNames(const FramePairs& file, const Model& model,
                                                    std::size_t most);

}  // namespace kinemorph
