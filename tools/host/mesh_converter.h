// Meshes in other formats, made by another program (--convert-meshes).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/files.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/geometry.h"

namespace kinemorph::tools {

/// A file of a mesh, and the colour that it has.
struct ColouredFile {
  std::string path;
  std::optional<Rgba> colour;  ///< none: it has several, a texture, or none
};

/// Makes OBJ files, with `assimp` of all but STL files, in a folder that lives as long as this.
class ObjConverter {
 public:
  /// What fails is a warning in `diagnostics`.
  explicit ObjConverter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  ObjConverter(const ObjConverter&) = delete;
  ObjConverter& operator=(const ObjConverter&) = delete;

  /// The OBJ file of the mesh at `path`, under its own name, or one for each of its colours; none
  /// where none could be made. Its positions are those of the mesh as URDF and SDFormat count them:
  /// the axes of a Collada file are not turned upright, its unit is applied.
  [[nodiscard]] std::vector<ColouredFile> FilesOf(const std::string& path, bool by_colour);

 private:
  struct Made {
    std::string whole;                // empty: none could be made
    std::vector<ColouredFile> parts;  // by colour; empty: nobody knows
  };

  [[nodiscard]] std::string Make(const std::string& path, std::vector<ColouredFile>& parts);
  [[nodiscard]] static std::vector<ColouredFile> Split(const std::string& obj,
                                                       const std::string& library);
  void Warn(const char* code, const std::string& path, const std::string& why);

  Diagnostics& diagnostics_;
  std::optional<TemporaryFolder> folder_;  ///< made with the first mesh
  std::map<std::string, Made> made_of_;    ///< by path
  bool missing_ = false;                   ///< there is no assimp
};

}  // namespace kinemorph::tools
