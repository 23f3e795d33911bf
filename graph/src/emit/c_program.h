// One program as a function in C99.
#pragma once

#include <string>

#include "emit/listing.h"

namespace kinemorph::emit {

/// "int PREFIX_NAME(const double *q, ..., double *qdd)". Scalars go by value.
[[nodiscard]] std::string CSignature(const Program& program, const std::string& prefix);
/// The definition, in several functions where it is long. `linkage`: "static " or nothing.
[[nodiscard]] std::string CDefinition(const Listing& listing, const std::string& prefix,
                                      const std::string& linkage = "");
/// What definitions call: PREFIX_finite, and where `systems` the elimination.
[[nodiscard]] std::string CHelpers(const std::string& prefix, bool systems);

}  // namespace kinemorph::emit
