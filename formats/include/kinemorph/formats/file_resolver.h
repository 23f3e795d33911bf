// Other files on disk. A library of its own (kinemorph::files): the rest of kinemorph never touches
// a file system.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"

namespace kinemorph {

class Disk;

/// A memory of what stands on the disk, for resolvers of one run that share it: files that come or
/// go while it lives may go unnoticed.
[[nodiscard]] std::shared_ptr<Disk> MakeDisk();

/// What a FileResolver may open besides the folder of its main file.
struct FileAccess {
  std::map<std::string, std::string> packages;  ///< folder by package (or model) name
  std::vector<std::string> search;              ///< folders that hold packages
  std::vector<std::string> also;  ///< other main files: what stands beside them may be opened too
  bool outside = false;           ///< everything may be opened
  std::shared_ptr<Disk> disk;     ///< none: a new one
};

/// The file system, fenced: nothing outside the roots is opened. Roots are the main file's folder,
/// the folder above it (descriptions keep `meshes/` beside the file's folder), the package or model
/// that it lies in (the nearest package.xml above it; a model.config at most
/// two folders above), and the packages that are named. Absolute paths, and paths or links that
/// leave the roots, are refused unless `outside`. Files over 1 GiB are refused.
///
/// A package or model is looked for among those named; in the folders at and up to two above the
/// file and their `models`, where it has a package.xml or model.config; beside the package or model
/// of the file, likewise; and in the folders `search`: DIR/NAME, DIR/share/NAME, DIR/models/NAME
/// and DIR/*/NAME. What is found there is a root for that uri.
class FileResolver : public ResourceResolver {
 public:
  /// For one main file, which need not be there yet. Looks for its package at once.
  explicit FileResolver(const std::string& main_file, FileAccess access = {});
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override;
  [[nodiscard]] std::optional<Resource> OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;
  /// The names in a folder within the fence; none of others, as if they were empty. Packages that
  /// were found by name are within it.
  [[nodiscard]] std::vector<std::string> NamesIn(const std::string& folder) const;
  /// The folders within the fence, with the packages that were found by name; "/" where there is
  /// none.
  [[nodiscard]] std::vector<std::string> Fence() const;
  /// The folder of a file, absolute and through all links. The file need not be there.
  [[nodiscard]] std::string FolderOf(std::string_view file) const;

 private:
  struct Candidate {
    std::string folder, rest;  ///< the file is `rest`, seen from `folder`
    bool root = false;         ///< what lies in `folder` may be opened
  };
  void AddRoots(const std::string& folder);
  [[nodiscard]] bool HasManifest(const std::string& folder) const;
  [[nodiscard]] bool Allowed(const std::string& path) const;
  [[nodiscard]] std::vector<Candidate> InPackage(const std::string& package,
                                                 const std::string& rest,
                                                 const std::string& folder) const;
  [[nodiscard]] std::vector<Candidate> WithoutPackage(const std::string& rest,
                                                      const std::string& folder) const;

  FileAccess access_;
  std::string here_;  ///< the working folder
  std::vector<std::string> roots_;
  std::string ceiling_;    ///< the highest folder in which packages are looked for
  std::string workspace_;  ///< the folder above the package of the main file; may be empty
  std::shared_ptr<struct FoundPackages> found_;  ///< by name
};

}  // namespace kinemorph
