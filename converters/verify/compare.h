// Two models compared by physics and by what is written in them, under one correspondence.
#pragma once

#include <vector>

#include "kinemorph/converters/verify.h"

namespace kinemorph::verify {

/// What becomes of loops and couplings that the other format has no place for: they are lost, or the
/// other file says them in another way (a loop as a mimic), and the physics must agree.
enum class Reading {
  kConstraintsLost,  ///< the report calls them lost: they are taken out of both
  kConstraintsKept,  ///< they are compared
};

/// Under the correspondence of VerifyOptions::report, or by names alone where there is none.
/// `expected`: losses that the reports do not count.
[[nodiscard]] VerifyResult Compare(const Model& a, const Model& b, const VerifyOptions& options,
                                   const std::vector<Loss>& expected = {},
                                   Reading reading = Reading::kConstraintsLost);

}  // namespace kinemorph::verify
