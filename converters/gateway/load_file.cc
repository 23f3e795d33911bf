// Robots on a disk.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/read_whole.h"
#include "kinemorph/formats/xacro_surroundings.h"
#include "kinemorph/gateway.h"

namespace kinemorph {
namespace {

// xacro has functions that look outside of the file ($(find), $(env), load_yaml): each of them is
// bound here to what the options allow, so that a foreign file cannot read more of the machine than
// a description may.
std::optional<XacroExpansion> Expand(const std::string& text, const std::string& path,
                                     const FileOptions& options, const FileResolver& resolver,
                                     Diagnostics& diagnostics) {
  XacroOptions xacro;
  std::error_code error;  // of a folder that is not there, looking for its files tells
  xacro.file_name = path;
  xacro.resolver = &resolver;
  xacro.arguments = options.xacro_args;
  for (const auto& [name, folder] : options.packages)
    xacro.packages[name] = std::filesystem::weakly_canonical(folder, error).generic_string();
  AddSurroundings(xacro, resolver);
  if (!options.environment) xacro.environment = nullptr;
  return ExpandXacro(text, xacro, diagnostics);
}

}  // namespace

// Where ROS 1, ROS 2, Gazebo, SDFormat and Robotran look for packages and models.
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
  std::optional<std::string> text = options.text ? options.text : ReadWhole(path, why);
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
  // A description may open what lies beside it and in named folders; everything else asks for
  // `allow_outside`. Side-cars were named by the user and are allowed with it.
  FileAccess access;
  access.packages = options.packages;
  access.search = options.package_path;
  access.outside = options.allow_outside;
  for (const SideCarText& file : options.with) access.also.push_back(file.name);
  if (options.environment)
    for (std::string& folder : PackageFoldersOfEnvironment())
      access.search.push_back(std::move(folder));
  const auto resolver = std::make_shared<FileResolver>(path, std::move(access));

  // An expansion is read as a text of its own, and every message is led back to the lines of the
  // xacro; the robot keeps it for messages that come later.
  if (!options.xacro || !path.ends_with(".xacro"))
    return LoadText(std::move(*text), path, resolver, options);
  std::optional<XacroExpansion> expansion =
      Expand(*text, path, options, *resolver, none.diagnostics);
  if (!expansion) return none;
  const auto kept = std::make_shared<const XacroExpansion>(std::move(*expansion));
  Loaded loaded = LoadText(kept->text, kept->name, resolver, options);
  none.diagnostics.Append(loaded.diagnostics);
  loaded.diagnostics = kept->Translated(none.diagnostics);
  if (loaded.robot) loaded.robot->expansion = kept;
  return loaded;
}

}  // namespace kinemorph
