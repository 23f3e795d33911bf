// What a conversion read and looked for, so that it can be told later whether it would read the
// same.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinemorph/formats/file_resolver.h"

namespace kinemorph::tools {

/// One look-up of a reader: what was asked for, and where it was found.
struct Asked {
  std::string uri, from;
  std::string path;  ///< empty: not found
};

/// A FileResolver that keeps a list of what it was asked for, each question once.
class InputRecorder : public ResourceResolver {
 public:
  explicit InputRecorder(FileResolver files) : files_(std::move(files)) {}
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override;
  [[nodiscard]] std::optional<Resource> OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;
  [[nodiscard]] const std::vector<Asked>& asked() const { return asked_; }
  [[nodiscard]] const FileResolver& files() const { return files_; }

 private:
  void Keep(std::string_view uri, std::string_view from, const std::string& path) const;

  FileResolver files_;
  mutable std::vector<Asked> asked_;
  mutable std::unordered_map<std::string, std::size_t> position_;  ///< by from, NUL, uri
};

}  // namespace kinemorph::tools
