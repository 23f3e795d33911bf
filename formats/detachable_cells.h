// What plain URDF and SDFormat hold of loops as welds that a plugin of gz sim makes.
#pragma once

#include "cells.h"

namespace kinemorph::cells {

inline constexpr std::string_view kHalves =
    "a tree joint to a part of the link, which a plugin of gz sim welds to the rest";
inline constexpr std::string_view kHalvesOfChains =
    "tree joints through links of little mass, and a weld";

/// A format adds rows for the kinds that its tree lacks.
inline constexpr Row<1> kDetachableCells[] = {
    {Feature::kLoopFixed, {N("a weld that a plugin of gz sim makes")}},
    {Feature::kLoopRevolute, {L("weld_halves", kHalves)}},
    {Feature::kLoopPrismatic, {L("weld_halves", kHalves)}},
    {Feature::kLoopScrew, {L("weld_halves", kHalves)}},
    {Feature::kLoopUniversal, {L("weld_halves", kHalves)}},
    {Feature::kLoopBall, {L("weld_halves", kHalves)}},
    {Feature::kLoopPlanar, {P("lower_loops", kHalvesOfChains)}},
    {Feature::kLoopCylindrical, {P("lower_loops", kHalvesOfChains)}},
    {Feature::kLoopAncestor, {N()}},
    {Feature::kLoopAxisData, {L("weld_halves", "of the tree joint")}},
};

}  // namespace kinemorph::cells
