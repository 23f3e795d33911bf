#include "kinemorph/formats/drive_law.h"

#include "mjcf/mjcf.h"

namespace kinemorph {

std::optional<DriveLaw> DriveLawOf(const Model& model, const Actuator& actuator, std::string& why) {
  return actuator.native.format == "mjcf" ? MjcfDriveLaw(model, actuator, why) : DriveLaw();
}

}  // namespace kinemorph
