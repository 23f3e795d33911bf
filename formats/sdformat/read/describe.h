// Walks the files of SDFormat.
#pragma once

#include "sdf_model/description.h"

namespace kinemorph::sdformat {

/// Parses the text and everything it includes. Nothing when there is no model at all. `asked` may
/// be null (xml::Context).
[[nodiscard]] std::optional<Description> Describe(std::string_view text, const ReadOptions& options,
                                                  Diagnostics& diagnostics, xml::Asked* asked);

}  // namespace kinemorph::sdformat
