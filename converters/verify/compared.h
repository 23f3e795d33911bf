// What every comparison of content sees: the two models, and what is known of them by then.
#pragma once

#include <string>
#include <vector>

#include "verify/relations.h"

namespace kinemorph::verify {

/// Nothing is owned.
struct Compared {
  const Side& a_;
  const Side& b_;
  const Correspondence& match_;
  const RigidGroups& groups_;
  const Relations& relations_;
  const VerifyOptions& options_;
  Excuses& excuses_;

  /// A conversion may have renamed, moved and rewritten what does not move the robot.
  [[nodiscard]] bool Converted() const {
    return !excuses_.same_format() || options_.report != nullptr;
  }
};

/// The larger of rotation and position error (lengths over `length`). Positions to no finer than
/// 1e-4 of the robot's length: they come through several poses with 15 decimals each.
[[nodiscard]] double PoseError(const RigidTransform& a, const RigidTransform& b, double length);

/// Adds the checks that were made.
void AddMade(std::initializer_list<const Worst*> made, std::vector<Worst>& checks);

/// Whether two models say the same of a file: folders are rewritten by the target's rules, from
/// where the other file stands, so that one must be the end of the other, or of what stands below
/// its package. In one format, without a conversion, a file is what it is called. What a conversion
/// called otherwise, its report tells.
[[nodiscard]] bool SameFile(const std::string& a, const std::string& b, const Compared& sides);
/// Whether a mesh has the name of a part of another: "arm_2.obj" of "arm.dae".
[[nodiscard]] bool IsPartOf(const Mesh& part, const Mesh& whole);
/// Whether a stage holds such a part of a file whose colours nobody here reads (Collada).
[[nodiscard]] bool HoldsPartOf(const Mesh& held, const Mesh& file);

/// Whether two meshes are of one file. Of points that stand in one of them the name tells what
/// they were, without its ending, and their triangles are those of the file, where that can be opened.
[[nodiscard]] bool SameMesh(const Mesh& a, const Mesh& b, const Compared& sides);

}  // namespace kinemorph::verify
