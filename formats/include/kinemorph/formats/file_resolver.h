// Other files on disk. A library of its own (kinemorph::files): the rest of kinemorph never touches
// a file system.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"

namespace kinemorph {

/// The file system, fenced: nothing outside the roots is opened. Roots are the main file's folder,
/// up to two folders above it (robot descriptions keep `meshes/` and `common/` beside the file's
/// folder), and every package folder. Absolute paths, and paths or links that leave the roots, are
/// refused. Files over 1 GiB are refused.
class FileResolver : public ResourceResolver {
 public:
  /// `packages` maps package (or model) names to folders.
  FileResolver(std::string main_file, std::map<std::string, std::string> packages);
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override;
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;

 private:
  std::vector<std::string> roots_;
  std::map<std::string, std::string> packages_;
};

}  // namespace kinemorph
