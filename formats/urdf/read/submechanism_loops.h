// What the rows of a loop constraint are together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/formats/submechanisms.h"
#include "link_tree.h"

namespace kinemorph::urdf_format {

/// The directions that a set of rows spans.
struct Span {
  std::vector<Vector3> basis;  ///< orthonormal
  void Add(const Vector3& direction);
  [[nodiscard]] std::size_t rank() const { return basis.size(); }
  /// The direction that two of three leave free.
  [[nodiscard]] Vector3 Normal() const { return basis[0].cross(basis[1]).normalized(); }
};

/// The joint that rows leave, axes in their frame; nothing where no joint has them. Two
/// translations alone are a hinge where `normal`, the direction across them, is that of a planar
/// loop.
struct RowsMeaning {
  std::optional<JointKind> kind;
  std::optional<Vector3> planar_normal;  ///< to be asked for: only a planar loop gives a hinge
};
[[nodiscard]] RowsMeaning MeaningOf(const std::vector<SubmechanismRow>& rows);

/// Whether all hinges on the tree's path between two links turn about a direction (world axes, at
/// zero), and all slides run across it, to `tolerance` (rad). Other joints, and more than `steps`
/// joints, which are counted down, are not.
[[nodiscard]] bool IsPlanarPath(const Model& model, const LinkTree& tree,
                                const std::vector<RigidTransform>& X_WL, LinkId a, LinkId b,
                                const Vector3& normal_W, double tolerance, std::size_t& steps);

/// "rx, ry, tz": what the rows hold.
[[nodiscard]] std::string RowsText(const std::vector<SubmechanismRow>& rows);

/// What the names of all rows share before their last dot, if it is the same: the loop's own name.
[[nodiscard]] std::string LoopNameIn(const std::vector<SubmechanismRow>& rows);

}  // namespace kinemorph::urdf_format
