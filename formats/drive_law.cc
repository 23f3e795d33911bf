#include "kinemorph/formats/drive_law.h"

#include "kinemorph/formats/formats.h"

namespace kinemorph {

// What an actuator does is said in words of its own format, so that format is asked; others give
// nothing.
std::optional<DriveLaw> DriveLawOf(const Model& model, const Actuator& actuator, std::string& why) {
  const Format* const format = FindFormat(actuator.native.format);
  const bool says = format != nullptr && format->drive_law != nullptr;
  return says ? format->drive_law(model, actuator, why) : DriveLaw();
}

}  // namespace kinemorph
