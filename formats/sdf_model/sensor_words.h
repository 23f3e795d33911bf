// Sensors: what of their elements other formats have words for, too.
#pragma once

#include <optional>

#include "kinemorph/formats/format.h"

namespace kinemorph::sdformat {

/// @{
/// SensorWords of a `<sensor>`, in files of SDFormat and in `<gazebo>` blocks.
[[nodiscard]] NativeElement ReadSensorWords(NativeElement element, Sensor& sensor);
[[nodiscard]] std::optional<NativeElement> WriteSensorWords(const Sensor& sensor,
                                                            const WriteOptions& options);
void TurnSensorWords(NativeElement& element);
/// @}

}  // namespace kinemorph::sdformat
