// Half of a link, so that a loop joint of any kind is left as a weld.
#pragma once

#include "edit/model_edit.h"
#include "plan/pass.h"

namespace kinemorph {

/// What SplitLink made.
struct SplitHalf {
  LinkId half = kNoLink;     ///< without shapes
  LinkId whole = kNoLink;    ///< the link that it was split off
  JointId weld = kNoJoint;   ///< the loop joint of the two, a fixed one
  bool at_successor = true;  ///< false: the joint's predecessor was split, and the half precedes
};

/// A link that has less of the mass of another gives way to a constraint between the two (engines
/// scale the softness of a constraint with the inverse of the mass).
inline constexpr double kLightShare = 0.01;

/// Makes the loop joint `loop` a tree joint to a new link `NAME_half`, which takes `share` of the
/// mass of the link that it led to (their centres are a little apart), and welds the two where their
/// frames coincide: exactly the same mechanism. Shapes, frames and sensors stay on the original. The
/// joint keeps its id, name, frames, kind and all that is said of it.
///
/// Its successor is split; its predecessor where the successor is light beside it or has no mass (the
/// joint then points against the tree); a link that is fixed to one of them where neither has. Links
/// that the joint kept from colliding are excluded. Precondition: roles are decided, and 0 < share
/// < 1.
SplitHalf SplitLink(Model& model, JointId loop, UniqueNames& links, UniqueNames& joints,
                    double share = 0.5);
/// The same by half, and told.
void WeldHalf(Model& model, JointId loop, UniqueNames& links, UniqueNames& joints,
              PassContext& context);
/// The same for one joint alone.
SplitHalf SplitLink(Model& model, JointId loop);

}  // namespace kinemorph
