// Drives: the controllers of gz sim that have a law of which other formats know, too.
#pragma once

#include <optional>
#include <string>

#include "kinemorph/formats/format.h"

namespace kinemorph::sdformat {

/// The drive that a `<plugin>` is for the one joint that it names, in files of SDFormat and in
/// `<gazebo>` blocks; `joint`: that name. Nothing: it does something else, or has a law of its own
/// (an integral, the servo of the engine).
[[nodiscard]] std::optional<Actuator> DriveOfPlugin(NativeElement plugin, std::string& joint);

/// @{
/// DriveWords of such a plugin. For gz sim, which reads SDFormat from 1.8 on.
[[nodiscard]] NativeElement RestOfDrive(NativeElement plugin);
[[nodiscard]] std::optional<Actuator> WriteDriveWords(const Model& model, const Actuator& drive,
                                                      const WriteOptions& options);
/// @}

/// The element of a drive on the joint that its model calls so.
[[nodiscard]] NativeElement PluginOfDrive(const Actuator& drive, const std::string& joint);

}  // namespace kinemorph::sdformat
