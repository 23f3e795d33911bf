// Files that a description names and that are not there, or not yet: one warning per package or
// folder, not one per file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kinemorph/formats/format.h"

namespace kinemorph::xml {

class MissingFiles {
 public:
  explicit MissingFiles(const ReadOptions& options) : options_(options) {}

  /// Looks for `uri` beside the file `from`, then beside the main file, and whether it is what it
  /// seems to be; each name once. Nothing without a resolver.
  void Look(const std::string& uri, SourceLocation where, const std::string& from);
  /// The same for all meshes and textures of the model.
  void LookForAll(const Model& model);
  /// `uri` was looked for and is not there.
  [[nodiscard]] bool Lacks(const std::string& uri) const { return missing_.contains(uri); }
  /// One that is known to be missing; `why` may be empty.
  void Add(const std::string& uri, SourceLocation where, const std::string& why);
  /// The warnings (codes `resource-not-found` and `resource-not-fetched`), in the order of the first
  /// such file of each group.
  void Report(const Model& model, Diagnostics& diagnostics) const;

 private:
  struct Group {
    std::string name;  ///< "package 'arm'", "folder 'meshes'"
    std::string first, why;
    SourceLocation where;
    std::size_t count = 0;
  };
  static void Add(std::vector<Group>& groups, const std::string& uri, SourceLocation where,
                  const std::string& why);

  const ReadOptions& options_;
  std::set<std::string, std::less<>> looked_, missing_;
  std::vector<Group> groups_, pointers_;
};

}  // namespace kinemorph::xml
