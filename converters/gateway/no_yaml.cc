// Of builds without yaml-cpp, which throws: side-cars in YAML are errors.
#include "kinemorph/formats/submechanisms.h"

namespace kinemorph {

std::optional<Submechanisms> ParseSubmechanisms(std::string_view, const std::string& file,
                                                Diagnostics& diagnostics) {
  diagnostics.Add({Severity::kError,
                   "side-car-unknown",
                   file,
                   0,
                   "",
                   "'" + file + "': this build reads no YAML",
                   {}});
  return std::nullopt;
}

}  // namespace kinemorph
