// Of builds without yaml-cpp, which throws: side-cars in YAML are errors.
#include "kinemorph/formats/frame_pairs.h"
#include "kinemorph/formats/submechanisms.h"

// The same two functions as the YAML readers: the build chooses which file is linked.
namespace kinemorph {
namespace {

void Refuse(const std::string& file, Diagnostics& diagnostics) {
  diagnostics.Add(MakeDiagnostic(Severity::kError, "side-car-unknown", file, 0, "",
                                 {"", file, "this build reads no YAML"}));
}

}  // namespace

std::optional<Submechanisms> ParseSubmechanisms(std::string_view, const std::string& file,
                                                Diagnostics& diagnostics) {
  Refuse(file, diagnostics);
  return std::nullopt;
}

std::optional<FramePairs> ParseFramePairs(std::string_view, const std::string& file,
                                          Diagnostics& diagnostics) {
  Refuse(file, diagnostics);
  return std::nullopt;
}

}  // namespace kinemorph
