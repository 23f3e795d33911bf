// Meshes and textures that go with a written description (--copy-assets).
#pragma once

#include <map>
#include <set>
#include <string>

namespace kinemorph::tools {

/// What is copied where: planned while a description is converted, copied when it is written. Files
/// of one content are one copy; what would replace other content, of this run or there before, gets
/// another name.
class AssetCopies {
 public:
  /// `folder` takes the copies; names are written as `prefix`/name where there is a prefix, else
  /// relative to the folder of `out`.
  AssetCopies(std::string folder, const std::string& prefix, const std::string& out);

  /// The name under which the target shall look for the file `path`.
  [[nodiscard]] std::string NameOf(const std::string& path);

  /// Copies what was planned, whole or not at all, a material library (.mtl) beside its .obj too.
  /// Returns why it failed, empty on success.
  [[nodiscard]] std::string Copy() const;
  [[nodiscard]] std::size_t count() const { return sources_.size(); }

 private:
  std::string folder_, prefix_;
  std::map<std::string, std::string> name_by_path_, name_by_hash_;
  std::map<std::string, std::string> sources_;  ///< by name in the folder
};

}  // namespace kinemorph::tools
