// A package for ROS 2 around a URDF, as CAD exporters make it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session/conversion.h"

namespace kinemorph::tools {

/// Folders that were made for what shall be written; those that stay empty go again.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();
  /// Makes the folder and those above it; of one that cannot be made, writing tells.
  void Make(const std::filesystem::path& folder);

 private:
  std::vector<std::filesystem::path> made_;  // the outer ones first
};

/// Lets `request` write into the folder `name` beside its OUT: the URDF into urdf/, meshes and
/// textures into meshes/, where package://NAME names them. Throws UsageError where the name is none
/// of a package, OUT is no URDF, or what stands there is somebody else's.
void AimAtPackage(const std::string& name, ConversionOptions& request, MadeFolders& made);

/// Writes package.xml, CMakeLists.txt, a launch file and a view around what was written. False,
/// with an error in the outcome, where that fails.
[[nodiscard]] bool WritePackage(const std::string& name, const ConversionOptions& request,
                                Outcome& outcome);

}  // namespace kinemorph::tools
