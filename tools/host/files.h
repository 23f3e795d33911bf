// Files as this layer reads and writes them: regular files only, whole or not at all, never over a
// source.
#pragma once

#include <sys/types.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kinemorph/formats/read_whole.h"

namespace kinemorph::tools {

/// Writes everything or fails with errno.
[[nodiscard]] bool WriteAll(int file, std::string_view bytes);

/// Writes `text` whole or not at all: temporary file beside it, fsync, rename. "-" is standard
/// output. An existing file survives a failure; a pipe, a device (other than the null device) or a
/// folder is refused. Returns why it failed, empty on success.
[[nodiscard]] std::string WriteWhole(const std::string& path, std::string_view text);

/// Thrown where the reader of standard output is gone (`| head`): there is nobody to tell it.
struct ReaderIsGone : std::exception {};

/// A file on its way: whole in its place after Finish, or not at all. Pieces for standard output
/// ("-") go there as they come; what goes to the null device is forgotten.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// After a failure, which Finish tells, nothing more is written.
  void Write(std::string_view piece);
  /// Why it failed, empty on success. Throws ReaderIsGone.
  [[nodiscard]] std::string Finish();
  [[nodiscard]] bool failed() const { return !why_.empty(); }

 private:
  std::string path_, why_;
  unsigned mode_ = 0;
  bool null_ = false, gone_ = false;
  std::unique_ptr<class TemporaryFile> temporary_;
};

/// True when both names lead to one existing file, also through links. "-" is no file.
[[nodiscard]] bool SameFile(const std::string& a, const std::string& b);

/// Absolute and through all links, as far as it is there; empty where that cannot be told.
[[nodiscard]] std::filesystem::path RealPath(const std::filesystem::path& path);

/// Of absolute paths without links: `path` is `folder`, or lies in it.
[[nodiscard]] bool Inside(const std::filesystem::path& path, const std::filesystem::path& folder);

/// A name as systems take it that tell no capital letters from small ones: two files whose names are
/// equal so are one file there.
[[nodiscard]] std::string NameWithoutCase(std::string_view name);

/// A path without links and case: the same for all names of one file, whether it is there or not.
[[nodiscard]] std::string OneName(const std::string& path);

class Doomed;

/// A new empty file `folder/.kinemorph-RANDOM-CHECK<suffix>`, removed at the end, or by the signal
/// that ends the process. It is locked while its process lives, so that what a killed process left
/// can be told from what is in use.
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
  std::unique_ptr<Doomed> doomed_;
};

/// A new folder `kinemorph-RANDOM-CHECK` where temporary files go, removed with all that is in it
/// at the end, or by the signal that ends the process.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  /// Empty when it could not be made.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
  std::unique_ptr<Doomed> doomed_;
};

/// Where temporary files go: the system's folder, or the one that was set.
[[nodiscard]] std::string TemporaryRoot();
void SetTemporaryRoot(const std::string& folder);

/// True for names of TemporaryFile, whatever follows them: the check in a name tells them from what
/// somebody else called so.
[[nodiscard]] bool IsTemporaryName(std::string_view file_name);

/// Removes the folders that killed processes of this user left where temporary files go.
void RemoveLeftFolders();

/// Removes the temporary files of processes that are no more from these folders. Returns how many.
std::size_t RemoveLeftovers(const std::set<std::string>& folders);

}  // namespace kinemorph::tools
