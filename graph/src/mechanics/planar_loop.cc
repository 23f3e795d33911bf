#include "kinemorph/graph/mechanics/planar_loop.h"

namespace kinemorph {

std::optional<Vector3> PlaneNormal(const Model& model, const SpanningTree& tree,
                                   const std::vector<RigidTransform>& X_WL, JointId loop) {
  constexpr double kParallel = 1e-9;
  std::optional<Vector3> normal;
  const auto is_parallel = [&](JointId id, const Vector3& axis_F) {
    const Vector3 axis_W = X_WL[Index(model.predecessor(id))].R * model.joint(id).X_PF.R * axis_F;
    if (!normal) normal = axis_W;
    return normal->cross(axis_W).norm() <= kParallel;
  };
  const LinkId p = model.predecessor(loop), s = model.successor(loop),
               nca = NearestCommonAncestor(tree, p, s);
  for (const LinkId end : {p, s}) {
    for (const LinkId link : PathSubchain(tree, nca, end)) {
      const JointId id = tree.parent_joint[Index(link)];
      if (id == kNoJoint || std::holds_alternative<Fixed>(model.joint(id).kind)) continue;
      const auto* hinge = std::get_if<Revolute>(&model.joint(id).kind);
      if (hinge == nullptr || !is_parallel(id, hinge->axis)) return std::nullopt;
    }
  }
  if (!normal) return std::nullopt;
  if (const auto* hinge = std::get_if<Revolute>(&model.joint(loop).kind))
    return is_parallel(loop, hinge->axis) ? normal : std::nullopt;
  return std::holds_alternative<Ball>(model.joint(loop).kind) ? normal : std::nullopt;
}

}  // namespace kinemorph
