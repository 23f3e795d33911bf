// Reads chains of MBS joints back: constants fold into joint frames, and joints that belong
// together become one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"
#include "user_data.h"

namespace kinemorph::mbs {

/// One joint of the model made of one or more joints of the file.
struct FoldedJoint {
  std::string name;
  JointKind kind = Fixed{};
  RigidTransform X_PF, X_SM;
  std::vector<const FileJoint*>
      joints;  ///< that carry its coordinates, in order of the kind's axes; empty for Fixed
  std::vector<double> initial;      ///< their initial q; empty for Fixed, Ball, Free
  std::optional<bool> independent;  ///< the nature; absent for Fixed
  SourceLocation where;
};

/// A body's chain as joints of the model; all but the last lead to massless links. At least one.
/// `p_PA` is the anchor point.
///
/// C1 Rk(q) C2 with constants C1, C2 = (R2, p2) is the joint X_PF = C1 R2 with axis R2^T e_k in the
/// body's own axes and X_SM = Trans(-R2^T p2): the URDF form wherever there is one. Chains T T T R
/// R R without constants between are one Free joint whose frame F stands at the initial pose; other
/// joints of several coordinates are recognised by the writer's mark in `data`.
[[nodiscard]] std::vector<FoldedJoint> FoldChain(const std::string& body,
                                                 const std::vector<FileJoint>& chain,
                                                 const Vector3& p_PA, const JointDataMap& data);

/// The whole chain as a single joint if it is one by geometry alone (for the massless copy in a
/// solid cut): Fixed, Revolute, Prismatic, Universal, Cylindrical, Planar or Ball. The joint frame
/// axes are those of the body.
[[nodiscard]] std::optional<FoldedJoint> FoldToOneJoint(const std::vector<FileJoint>& chain,
                                                        const Vector3& p_PA,
                                                        const JointDataMap& data,
                                                        const std::string& name);

}  // namespace kinemorph::mbs
