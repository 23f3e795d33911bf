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
/// folder), the package that the file lies in (the nearest package.xml above it), and every package
/// folder. Absolute paths, and paths or links that leave the roots, are refused. Files over 1 GiB
/// are refused.
///
/// A package or model is looked for among those named, by its name at or above the file, beside the
/// package of the file (where it has a package.xml), and in the folders `search`: DIR/NAME,
/// DIR/share/NAME, DIR/models/NAME and DIR/*/NAME. What is found there is a root for that uri.
class FileResolver : public ResourceResolver {
 public:
  /// `packages` maps package (or model) names to folders.
  FileResolver(std::string main_file, std::map<std::string, std::string> packages,
               std::vector<std::string> search = {});
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override;
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;

 private:
  /// Folders that a package of this name may be, from the search path.
  [[nodiscard]] std::vector<std::string> Found(const std::string& package) const;

  std::vector<std::string> roots_, search_;
  std::string workspace_;  ///< the folder above the package of the main file; may be empty
  std::map<std::string, std::string> packages_;
};

}  // namespace kinemorph
