// The proof: states of A carried to B, and what must agree there.
#pragma once

#include <string>
#include <vector>

#include "verify/correspondence.h"
#include "verify/relations.h"
#include "verify/values.h"

namespace kinemorph::verify {

void Note(VerifyResult& result, Severity severity, std::string code, Statement statement);
/// Names every element that failed the check, with the two values.
void Report(const Worst& worst, VerifyResult& result);

/// Link poses and motions, loop closure, constraint rows and accelerations at closed states of A,
/// mobility, and where joints stand at zero. Fills the measured shift of each pair. What demands
/// the same by construction needs no state to show it.
void Prove(const Side& a, const Side& b, const Correspondence& match, const Relations& relations,
           const VerifyOptions& options, Excuses& excuses, std::vector<CoordinatePair>& pairs,
           VerifyResult& result);

}  // namespace kinemorph::verify
