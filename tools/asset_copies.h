// Meshes and textures that go with a written description (--copy-assets).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kinemorph::tools {

/// A file that a conversion wrote besides its output, and the hash of its bytes.
struct WrittenFile {
  std::string path, sha256;
};

/// What is copied where: planned while a description is converted, copied when it is written. Files
/// of one content are one copy; what would replace other content, of this run or there before, gets
/// another name.
class AssetCopies {
 public:
  /// `folder` takes the copies; names are written as `prefix`/name where there is a prefix, else
  /// relative to the folder of `out`. What is in the folder stays, unless it is `own`: then it is
  /// of an earlier run.
  AssetCopies(std::string folder, const std::string& prefix, const std::string& out, bool own);

  /// The name under which the target shall look for the file `path`.
  [[nodiscard]] std::string NameOf(const std::string& path);

  /// Copies what was planned, whole or not at all, a material library (.mtl) beside its .obj too.
  /// Returns why it failed, empty on success.
  [[nodiscard]] std::string Copy();
  /// The copies, once they are in place.
  [[nodiscard]] std::vector<WrittenFile> Copies() const;
  /// How many were not there already.
  [[nodiscard]] std::size_t made() const { return made_; }

 private:
  /// The material library that `path` names by its own name, if there is one.
  [[nodiscard]] static std::string LibraryOf(const std::string& path);

  std::string folder_, prefix_;
  bool own_;
  std::size_t made_ = 0;
  std::map<std::string, std::string> name_by_path_, name_by_hash_;
  std::map<std::string, std::string> sources_;  ///< by name in the folder
};

}  // namespace kinemorph::tools
