// What Drake's URDF and Drake's SDFormat hold of loops and couplings.
#pragma once

#include "cells.h"

namespace kinemorph::cells {

/// Drake joins points of two links, and knows no curved couplings.
inline constexpr Row<1> kDrakeRelations[] = {
    {Feature::kJointFree, {P("free_joints", "a link that nothing connects to another one")}},
    {Feature::kLoopFixed, {N("three drake:ball_constraint")}},
    {Feature::kLoopRevolute, {N("two drake:ball_constraint")}},
    {Feature::kLoopPrismatic, {P("lower_loops", kSplitLoop)}},
    {Feature::kLoopScrew, {P("lower_loops", kSplitLoop)}},
    {Feature::kLoopUniversal, {P("lower_loops", kSplitLoop)}},
    {Feature::kLoopBall, {N("drake:ball_constraint")}},
    {Feature::kLoopPlanar, {P("lower_loops", kSplitLoop)}},
    {Feature::kLoopCylindrical, {P("lower_loops", kSplitLoop)}},
    {Feature::kLoopAxisData, {X("points that coincide have no limits, dynamics or springs")}},
    {Feature::kCouplingRatio, {L("couplings", "a mimic, or a drake:tendon_constraint")}},
    {Feature::kCouplingGearbox, {L("couplings", "a mimic, or a drake:tendon_constraint")}},
    {Feature::kCouplingPolynomial, {X("Drake has linear couplings only")}},
    {Feature::kCouplingLinear, {N("drake:tendon_constraint")}},
    {Feature::kReversedJoint, {L("orient_joints", "the joint is turned round, its axis negated")}},
    {Feature::kStaticModel,
     {L("static_models", "its joints are locked, and it is fixed to the world")}},
    {Feature::kContactExclusion, {N("drake:collision_filter_group")}},
    {Feature::kUnphysicalInertia,
     {P("physical_inertia",
        "Drake takes another inertia, far off; the nearest one of a rigid body is written, with "
        "the "
        "moment about its axis where a link turns about one direction only")}},
    {Feature::kSurfaceFriction, {P("shapes", "a static and a dynamic coefficient, no others")}},
};

}  // namespace kinemorph::cells
