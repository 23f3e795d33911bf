// A path of joints of the model as one chain of MBS joints.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

struct BuiltChain {
  Vector3 p_PA = Vector3::Zero();  ///< the anchor point on the parent body
  std::vector<FileJoint> joints;
};

/// Joints from a body to the next through massless links; `after` is one more constant transform at
/// the end. `fallback` names the driven joint of a chain without joints. Names of driven joints are
/// made unique in `names`, which holds those of all coordinates already.
[[nodiscard]] BuiltChain BuildChain(const std::vector<const Joint*>& path,
                                    const RigidTransform& after, const std::string& fallback,
                                    UniqueNames& names);

}  // namespace kinemorph::mbs
