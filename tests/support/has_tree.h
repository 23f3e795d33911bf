// Models whose tree a pass has to choose.
#pragma once

#include "kinemorph/graph/model/model.h"

namespace kinemorph::test {

/// Whether the roles of all joints are said. A joint in <gazebo> that holds a part of its own leaves
/// it to a pass which joints make the tree.
inline bool HasTree(const Model& model) {
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kUndecided) return false;
  return true;
}

}  // namespace kinemorph::test
