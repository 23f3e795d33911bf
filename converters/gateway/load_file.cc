// Robots on a disk.
#include <cstdlib>
#include <sstream>

#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/read_whole.h"
#include "kinemorph/gateway.h"

namespace kinemorph {

std::vector<std::string> PackageFoldersOfEnvironment() {
  std::vector<std::string> folders;
  for (const char* variable : {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH",
                               "GAZEBO_MODEL_PATH", "SDF_PATH", "PRJPATH"}) {
    const char* const value = std::getenv(variable);
    std::istringstream list(value == nullptr ? "" : value);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

Loaded LoadFile(const std::string& path, const FileOptions& options) {
  Loaded none;
  std::string why;
  std::optional<std::string> text = ReadWhole(path, why);
  if (!text) {
    none.diagnostics.Add({Severity::kError,
                          "file-unreadable",
                          path,
                          0,
                          "",
                          "'" + path + "' cannot be read: " + why,
                          {}});
    return none;
  }
  FileAccess access;
  access.packages = options.packages;
  access.search = options.package_path;
  access.outside = options.allow_outside;
  for (const SideCarText& file : options.with) access.also.push_back(file.name);
  if (options.environment)
    for (std::string& folder : PackageFoldersOfEnvironment())
      access.search.push_back(std::move(folder));
  return LoadText(std::move(*text), path, std::make_shared<FileResolver>(path, std::move(access)),
                  options);
}

}  // namespace kinemorph
