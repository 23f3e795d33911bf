#include "files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxInput = std::size_t{1} << 31;
constexpr std::string_view kTemporaryPrefix = ".kinemorph-";

std::string KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

bool IsNullDevice(const struct stat& info) {
  return S_ISCHR(info.st_mode) && major(info.st_rdev) == 1 && minor(info.st_rdev) == 3;
}

// What a new file may be, as the shell that started us says. Asking changes it for a moment, so it
// is asked once.
mode_t NewFileMode() {
  static const mode_t mode = [] {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return static_cast<mode_t>(0666 & ~mask);
  }();
  return mode;
}

}  // namespace

std::optional<std::string> ReadWhole(const std::string& path, std::string& why) {
  // Without O_NONBLOCK, opening a pipe waits for a writer that may never come.
  const int file = path == "-" ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const auto fail = [&](const std::string& reason) -> std::optional<std::string> {
    why = reason;
    if (file > STDIN_FILENO) ::close(file);
    return std::nullopt;
  };
  if (file < 0) return fail(std::strerror(errno));
  struct stat info {};
  if (::fstat(file, &info) != 0) return fail(std::strerror(errno));
  if (path != "-" && !S_ISREG(info.st_mode)) {
    return fail("it is " + KindOf(info.st_mode) + ", not a file" +
                (S_ISFIFO(info.st_mode) ? " (- reads standard input)" : ""));
  }
  std::string text;
  if (S_ISREG(info.st_mode) && static_cast<std::size_t>(info.st_size) <= kMaxInput)
    text.reserve(static_cast<std::size_t>(info.st_size));
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = ::read(file, buffer.data(), buffer.size())) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(std::strerror(errno));
    if (text.size() > kMaxInput) return fail("it is larger than 2 GiB");
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  if (path != "-") ::close(file);
  return text;
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string WriteWhole(const std::string& path, std::string_view text) {
  if (path == "-") {
    return WriteAll(STDOUT_FILENO, text)
               ? ""
               : "standard output cannot be written: " + std::string(std::strerror(errno));
  }
  const auto fail = [&](const std::string& what) {
    return "'" + path + "' cannot be written: " + what;
  };
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && IsNullDevice(info)) return "";
  if (exists && !S_ISREG(info.st_mode))
    return fail("it is " + KindOf(info.st_mode) + ", not a file");
  TemporaryFile temporary(fs::path(path).parent_path().string(), "");
  const bool good =
      temporary.handle() >= 0 && WriteAll(temporary.handle(), text) &&
      ::fchmod(temporary.handle(), exists ? info.st_mode & 07777 : NewFileMode()) == 0 &&
      ::fsync(temporary.handle()) == 0 && temporary.MoveTo(path);
  return good ? "" : fail(std::strerror(errno));
}

bool SameFile(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return a != "-" && b != "-" && ::stat(a.c_str(), &first) == 0 &&
         ::stat(b.c_str(), &second) == 0 && S_ISREG(first.st_mode) &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

TemporaryFile::TemporaryFile(const std::string& folder, const std::string& suffix) {
  // Between making and locking, RemoveLeftovers of another process may take it for one that was
  // left: then again.
  for (struct stat info{}; info.st_nlink == 0;) {
    if (handle_ >= 0) ::close(handle_);
    path_ =
        (folder.empty() ? "" : folder + "/") + std::string(kTemporaryPrefix) + "XXXXXX" + suffix;
    handle_ = ::mkostemps(path_.data(), static_cast<int>(suffix.size()), O_CLOEXEC);
    if (handle_ < 0) return;
    ::flock(handle_, LOCK_EX | LOCK_NB);
    if (::fstat(handle_, &info) != 0) return;
  }
}

TemporaryFile::~TemporaryFile() {
  const int kept = errno;
  if (handle_ >= 0) {
    if (!path_.empty()) ::unlink(path_.c_str());
    ::close(handle_);
  }
  errno = kept;
}

bool TemporaryFile::MoveTo(const std::string& path) {
  if (::rename(path_.c_str(), path.c_str()) != 0) return false;
  path_.clear();
  return true;
}

bool IsTemporaryName(std::string_view file_name) {
  return file_name.substr(0, kTemporaryPrefix.size()) == kTemporaryPrefix;
}

std::size_t RemoveLeftovers(const std::set<std::string>& folders) {
  std::size_t removed = 0;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
      const std::string path = it->path().string();
      if (!IsTemporaryName(it->path().filename().string()) || !it->is_regular_file(error) ||
          it->is_symlink(error))
        continue;
      const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
      if (file < 0) continue;
      if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::unlink(path.c_str()) == 0) ++removed;
      ::close(file);
    }
  }
  return removed;
}

}  // namespace kinemorph::tools
