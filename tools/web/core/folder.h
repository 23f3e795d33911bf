// A folder of files in memory, as it is handed over.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"

namespace kinemorph::web {

/// Files by their paths: "robot.urdf", "meshes/arm.stl".
struct Folder {
  std::map<std::string, std::string> files;          ///< bytes by path
  std::shared_ptr<const ResourceResolver> resolver;  ///< that finds them

  /// What lies directly in a folder, sorted.
  [[nodiscard]] std::vector<std::string> NamesIn(const std::string& folder) const;
};

/// From bytes: for each file the lengths of its path and of its content (four bytes each, the
/// lowest first), the path, the content. Nothing, and why, where they end before their time.
[[nodiscard]] std::optional<Folder> FolderIn(std::string_view bytes, std::string& why);

}  // namespace kinemorph::web
