// Meshes in other formats, made by another program (--convert-meshes).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "host/files.h"
#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::tools {

/// Makes OBJ files, with `assimp` of all but STL files, in a folder that lives as long as this.
class ObjConverter {
 public:
  /// What fails is a warning in `diagnostics`.
  explicit ObjConverter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  ObjConverter(const ObjConverter&) = delete;
  ObjConverter& operator=(const ObjConverter&) = delete;

  /// The OBJ file of the mesh at `path`, under its own name; empty where none could be made. Its
  /// positions are those of the mesh as URDF and SDFormat count them: the axes of a Collada file
  /// are not turned upright, its unit is applied.
  [[nodiscard]] std::string ObjOf(const std::string& path);

 private:
  [[nodiscard]] std::string Make(const std::string& path);
  void Warn(const char* code, const std::string& path, const std::string& why);

  Diagnostics& diagnostics_;
  std::optional<TemporaryFolder> folder_;       ///< made with the first mesh
  std::map<std::string, std::string> made_of_;  ///< by path
  bool missing_ = false;                        ///< there is no assimp
};

}  // namespace kinemorph::tools
