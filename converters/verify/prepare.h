// What is done to both models before they are compiled and compared.
#pragma once

#include "verify/excuses.h"

namespace kinemorph::verify {

/// Makes of A what the report says was converted: without the armature that B does not have (each
/// an exception), with the tensors that B has instead of those of no rigid body, and with the
/// inertia that massless links were given; where the report is assumed, only if B's links weigh.
void RemoveLosses(const LossReport& report, bool assumed, Model& b, Model& a, Excuses& excuses);

/// Takes out of A the loops and couplings that the report says are lost and B does not have, each
/// an exception. A coupling that B carries all the same (as a remark that user code must enforce)
/// stays and is compared.
void RemoveConstraints(const LossReport& report, const Model& b, Model& a, Excuses& excuses);

/// Of a model that is compared with one in SDFormat: the transparency that <gazebo> gives a visual of
/// URDF is read as that format reads it.
void ReadTransparency(Model& model);

/// Nothing in a static model moves: its joints become fixed ones, as many as hold its links
/// together, and one holds each part to the world, but for what the report (or null) says was asked to
/// float.
void LockStatic(const LossReport* report, Model& model, Excuses& excuses);

/// A link without counterpart, which a loop welds to a link that has one, is a part of that link: its
/// mass and tensor go there, which changes no motion.
void GatherWelded(const std::vector<LinkId>& counterpart, Model& model);

/// Fills `base_specified` and `world_link`: the root links that nothing ties to the world, but for
/// one that is the world.
void FindBase(Side& side);

/// Where `open` says nothing of how its root stands, the free joint under the same link of `other`
/// is held.
void HoldCounterpart(const Side& open, const std::vector<LinkId>& counterpart, Side& other);

/// Where the same tree floats in both but hangs on the world at another link, a root of which
/// nothing is said gets the free joint that it stands for. True when there was one.
bool FloatOtherRoots(Side& a, Side& b, const Correspondence& match);

}  // namespace kinemorph::verify
