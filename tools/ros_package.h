// A package for ROS 2 around a URDF, as CAD exporters make it.
#pragma once

#include <string>

#include "conversion.h"

namespace kinemorph::tools {

/// Lets `request` write into the folder `name` beside its OUT: the URDF into urdf/, meshes and
/// textures into meshes/, where package://NAME names them. Throws UsageError where the name is none
/// of a package, OUT is no URDF, or what stands there is somebody else's.
void AimAtPackage(const std::string& name, ConversionOptions& request);

/// Writes package.xml, CMakeLists.txt, a launch file and a view around what was written. False,
/// with an error in the outcome, where that fails.
[[nodiscard]] bool WritePackage(const std::string& name, const ConversionOptions& request,
                                Outcome& outcome);

}  // namespace kinemorph::tools
