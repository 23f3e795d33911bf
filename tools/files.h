// Files as this layer reads and writes them: regular files only, whole or not at all, never over a
// source.
#pragma once

#include <sys/types.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kinemorph::tools {

/// The bytes of a regular file ("-" is standard input). A pipe, a device or a folder is refused at
/// once, never waited for. Nothing, and the reason in `why`, when it cannot be read or is larger
/// than 2 GiB.
[[nodiscard]] std::optional<std::string> ReadWhole(const std::string& path, std::string& why);

/// Writes everything or fails with errno.
[[nodiscard]] bool WriteAll(int file, std::string_view bytes);

/// Writes `text` whole or not at all: temporary file beside it, fsync, rename. "-" is standard
/// output. An existing file survives a failure; a pipe, a device (other than the null device) or a
/// folder is refused. Returns why it failed, empty on success.
[[nodiscard]] std::string WriteWhole(const std::string& path, std::string_view text);

/// True when both names lead to one existing file, also through links. "-" is no file.
[[nodiscard]] bool SameFile(const std::string& a, const std::string& b);

/// A new empty file `folder/.kinemorph-XXXXXX<suffix>`, removed at the end. It is locked while its
/// process lives, so that what a killed process left can be told from what is in use.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, const std::string& suffix);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int handle() const {
    return handle_;
  }  ///< negative when it could not be made; errno says why
  /// Puts the file in the place of `path`; false with errno on failure.
  [[nodiscard]] bool MoveTo(const std::string& path);

 private:
  std::string path_;
  int handle_ = -1;
};

/// True for names of TemporaryFile (and of the judge).
[[nodiscard]] bool IsTemporaryName(std::string_view file_name);

/// Removes the temporary files of processes that are no more from these folders. Returns how many.
std::size_t RemoveLeftovers(const std::set<std::string>& folders);

}  // namespace kinemorph::tools
