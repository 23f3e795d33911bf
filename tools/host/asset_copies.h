// Meshes and textures that go with a written description (--copy-assets).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::tools {

/// A file that a conversion wrote besides its output, and the hash of its bytes.
struct WrittenFile {
  std::string path, sha256;
};

/// What is copied where: planned while a description is converted, copied when it is written. One
/// rule of names holds for all of it, the material libraries of meshes and their pictures too:
/// files of one content are one copy; what would replace other content, of this run or there
/// before, gets another name. What names a copy inside of another one is rewritten. Whatever is
/// copied was found by the resolver, and is a mesh or a picture.
class AssetCopies {
 public:
  /// `folder` takes the copies; names are written as `prefix`/name where there is a prefix, else
  /// relative to the folder of `out`. What is in the folder stays, unless it is in `ours`: then an
  /// earlier run made it. No copy goes where `is_output` says that another file goes.
  AssetCopies(std::string folder, const std::string& prefix, const std::string& out,
              std::set<std::string> ours, std::function<bool(const std::string& path)> is_output,
              const ResourceResolver& files, Diagnostics& said);

  /// The name under which the target shall look for the file `path`; empty, and a warning, where it
  /// is not copied.
  [[nodiscard]] std::string NameOf(const std::string& path);

  /// What the names of all begin with; a folder ends in '/'.
  [[nodiscard]] std::string Folder() const { return prefix_.empty() ? "" : prefix_ + "/"; }

  /// Copies what was planned, whole or not at all. Returns why it failed, empty on success.
  [[nodiscard]] std::string Copy();
  /// The copies, once they are in place.
  [[nodiscard]] std::vector<WrittenFile> Copies() const;
  /// How many were not there already.
  [[nodiscard]] std::size_t made() const { return made_; }

 private:
  struct Asset {
    std::string source, sha256;  ///< of what is to be in the copy
    std::string text;            ///< of it, where it is not that of `source`
  };
  struct Named {
    std::size_t at = 0, size = 0;  ///< where its name stands
    std::string file;              ///< empty: not found
    bool address = false;          ///< it is named by its address
  };
  struct Opened {
    std::string path;
    std::optional<std::string> bytes;  ///< none: not read yet
    std::vector<Named> names;
  };
  [[nodiscard]] std::string Plan(const std::string& path);
  [[nodiscard]] std::optional<std::string> BytesOf(const std::string& path);
  [[nodiscard]] std::string Keep(const Opened& file);
  [[nodiscard]] std::vector<Named> NamesIn(const std::string& path, std::string_view text);
  [[nodiscard]] std::vector<Named> AddressesIn(const std::string& path, std::string_view text);
  void SayNotCopied(const std::string& path, const std::string& why);
  [[nodiscard]] std::string LibraryBeside(const std::string& path, std::string_view text) const;
  [[nodiscard]] std::string WithNamesOfCopies(const Opened& file) const;
  [[nodiscard]] std::string Found(std::string_view name, const std::string& from) const;
  [[nodiscard]] bool Taken(const std::string& name, const std::string& sha256) const;

  std::string folder_, prefix_;
  std::set<std::string> ours_;
  std::function<bool(const std::string& path)> is_output_;
  const ResourceResolver& files_;
  Diagnostics& said_;
  std::size_t made_ = 0;
  std::map<std::string, std::string> name_by_path_, name_by_hash_;
  std::map<std::string, std::size_t> buffers_;  ///< of glTF: bytes by path
  std::map<std::string, Asset> assets_;         ///< by name in the folder
  std::set<std::string> taken_;                 ///< those names, as NameWithoutCase has them
};

}  // namespace kinemorph::tools
