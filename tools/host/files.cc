#include "host/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "host/cleanup.h"
#include "host/sha256.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// Every output goes to a temporary file beside its place and is moved over it when it is whole and
// on the disk: a reader, a signal or a full disk never sees half of it. The temporary file is
// locked by its process, and its name holds a check, so that what a killed process left can be
// found and removed, and nothing else can be taken for it.

constexpr std::string_view kTemporaryPrefix = ".kinemorph-", kFolderPrefix = "kinemorph-";
constexpr std::size_t kRandomLetters = 10, kCheckLetters = 8;
constexpr int kAttempts = 100;

// What follows a prefix: letters by chance, and of these a check that nobody else writes.
// A file of somebody else with such a name would have to have the hash right.
std::string CheckOf(std::string_view letters) {
  return Sha256("temporary file of kinemorph " + std::string(letters)).substr(0, kCheckLetters);
}

std::string TemporaryWord() {
  std::array<unsigned char, kRandomLetters> bytes{};
  // Without random numbers the number of the process tells names apart, and O_EXCL the rest.
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(::getpid() >> (i % 4 * 8));
  std::string letters;
  for (const unsigned char byte : bytes) letters += "abcdefghijklmnopqrstuvwxyz012345"[byte % 32];
  return letters + "-" + CheckOf(letters);
}

bool IsTemporaryWord(std::string_view word) {
  const std::string_view letters = word.substr(0, std::min(word.size(), kRandomLetters));
  return word.size() >= kRandomLetters + 1 + kCheckLetters && word[kRandomLetters] == '-' &&
         word.substr(kRandomLetters + 1, kCheckLetters) == CheckOf(letters);
}

std::string& TemporaryRootSet() {
  static std::string folder;
  return folder;
}

bool IsNullDevice(const struct stat& info) {
  struct stat null {};
  return S_ISCHR(info.st_mode) && ::stat("/dev/null", &null) == 0 && null.st_dev == info.st_dev &&
         null.st_ino == info.st_ino;
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

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    // A write of nothing would be tried for ever.
    if (n == 0) errno = ENOSPC;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

WholeFile::WholeFile(const std::string& path) : path_(path) {
  if (path == "-") return;

  // A file that is there keeps its rights; a link is followed, since the user means what it leads
  // to.
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  null_ = exists && IsNullDevice(info);
  if (null_) return;
  mode_ = exists ? info.st_mode & 07777 : NewFileMode();
  if (exists && !S_ISREG(info.st_mode)) {
    // Nobody could move a file over a pipe or a device without breaking it for others.
    why_ = "it is " + KindOfFile(info.st_mode) + ", not a file";
    return;
  }
  temporary_ = std::make_unique<TemporaryFile>(fs::path(path).parent_path().string(), "");
  if (temporary_->handle() < 0) why_ = std::strerror(errno);
}

WholeFile::~WholeFile() = default;

void WholeFile::Write(std::string_view piece) {
  if (null_ || failed()) return;
  if (WriteAll(temporary_ ? temporary_->handle() : STDOUT_FILENO, piece)) return;
  gone_ = !temporary_ && errno == EPIPE;
  why_ = std::strerror(errno);
}

std::string WholeFile::Finish() {
  if (gone_) throw ReaderIsGone();
  // Rights first, then the content on the disk, then the name: after a loss of power there is the
  // old file or the new one.
  if (!failed() && temporary_ &&
      (::fchmod(temporary_->handle(), mode_) != 0 || ::fsync(temporary_->handle()) != 0 ||
       !temporary_->MoveTo(path_)))
    why_ = std::strerror(errno);
  if (why_.empty()) return "";
  return (path_ == "-" ? "standard output" : "'" + path_ + "'") + " cannot be written: " + why_;
}

std::string WriteWhole(const std::string& path, std::string_view text) {
  WholeFile file(path);
  file.Write(text);
  return file.Finish();
}

bool SameFile(const std::string& a, const std::string& b) {
  // Device and inode: true through links of both kinds.
  struct stat first {
  }, second{};
  return a != "-" && b != "-" && ::stat(a.c_str(), &first) == 0 &&
         ::stat(b.c_str(), &second) == 0 && S_ISREG(first.st_mode) &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

fs::path RealPath(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return {};
  if (real.filename().empty()) real = real.parent_path();
  return real;
}

bool Inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

std::string NameWithoutCase(std::string_view name) { return LowerCase(name); }

// The name is folded as a whole, also where the system tells capital letters apart: an output that
// would meet another one elsewhere is refused here as well.
std::string OneName(const std::string& path) {
  const fs::path real = RealPath(path);  // none where links lead in a circle
  return NameWithoutCase((real.empty() ? fs::path(path).lexically_normal() : real).string());
}

std::string TemporaryRoot() {
  return TemporaryRootSet().empty() ? fs::temp_directory_path().string() : TemporaryRootSet();
}

void SetTemporaryRoot(const std::string& folder) { TemporaryRootSet() = folder; }

TemporaryFile::TemporaryFile(const std::string& folder, const std::string& suffix) {
  const SignalsWait wait;
  // Between making and locking, RemoveLeftovers of another process may take it for one that was
  // left: then again.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // A handle of the round before is no use: its name is gone.
    if (handle_ >= 0) ::close(handle_);
    path_ = (folder.empty() ? "" : folder + "/") + std::string(kTemporaryPrefix) + TemporaryWord() +
            suffix;
    handle_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (handle_ < 0 && errno == EEXIST) continue;
    if (handle_ < 0) return;
    ::flock(handle_, LOCK_EX | LOCK_NB);
    struct stat info {};
    if (::fstat(handle_, &info) != 0 || info.st_nlink > 0) break;
  }
  doomed_ = std::make_unique<Doomed>(path_);
}

// errno of the failure is told after this.
TemporaryFile::~TemporaryFile() {
  const int kept = errno;
  if (handle_ >= 0) {
    if (!path_.empty()) ::unlink(path_.c_str());
    ::close(handle_);
  }
  errno = kept;
}

TemporaryFolder::TemporaryFolder() {
  const SignalsWait wait;
  // As of a TemporaryFile: between making and locking somebody may take it for one that was left.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (lock_ >= 0) ::close(lock_);
    path_ = TemporaryRoot() + "/" + std::string(kFolderPrefix) + TemporaryWord();
    if (::mkdir(path_.c_str(), 0700) != 0) {
      path_.clear();
      return;
    }
    lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat info {};
    if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0 && ::fstat(lock_, &info) == 0 &&
        info.st_nlink > 0)
      break;
  }
  doomed_ = std::make_unique<Doomed>(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

void RemoveLeftFolders() {
  std::error_code error;
  for (fs::directory_iterator it(TemporaryRoot(), error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    // A folder that is locked belongs to a process that lives.
    struct stat info {};
    if (!name.starts_with(kFolderPrefix) || !IsTemporaryWord(name.substr(kFolderPrefix.size())) ||
        ::lstat(it->path().string().c_str(), &info) != 0 || !S_ISDIR(info.st_mode) ||
        info.st_uid != ::geteuid())
      continue;
    const int lock =
        ::open(it->path().string().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) continue;
    std::error_code ignored;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(it->path(), ignored);
    ::close(lock);
  }
}

bool TemporaryFile::MoveTo(const std::string& path) {
  std::error_code error;
  fs::rename(path_, path, error);
  errno = error.value();
  if (error) return false;
  doomed_.reset();
  path_.clear();
  return true;
}

bool IsTemporaryName(std::string_view file_name) {
  return file_name.starts_with(kTemporaryPrefix) &&
         IsTemporaryWord(file_name.substr(kTemporaryPrefix.size()));
}

std::size_t RemoveLeftovers(const std::set<std::string>& folders) {
  std::size_t removed = 0;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
      // By name, kind and lock; a link with such a name is not followed.
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
