// POSIX over Win32, function by function: posix.h says what is promised.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
// After windows.h:
#include <bcrypt.h>

namespace {

constexpr unsigned kMostAtOnce = 1 << 30;

std::wstring Wide(std::string_view path) {
  if (path == "/dev/null") path = "NUL";
  const int size = static_cast<int>(path.size());
  std::wstring wide(path.size(), L'\0');
  const int length = ::MultiByteToWideChar(CP_ACP, 0, path.data(), size, wide.data(), size);
  wide.resize(static_cast<std::size_t>(std::max(length, 0)));
  return wide;
}

int ErrorNumber(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_INVALID_DRIVE:
      return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
      return EACCES;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_FILENAME_EXCED_RANGE:
      return ENAMETOOLONG;
    case ERROR_DIRECTORY:
      return ENOTDIR;
    case ERROR_DIR_NOT_EMPTY:
      return ENOTEMPTY;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
      return ENOMEM;
    case ERROR_INVALID_HANDLE:
      return EBADF;
    default:
      return EIO;
  }
}

int Result(BOOL good) {
  if (good) return 0;
  errno = ErrorNumber(::GetLastError());
  return -1;
}

HANDLE HandleOf(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

HANDLE OpenHandle(const char* path, DWORD access, DWORD disposition, DWORD flags) {
  return ::CreateFileW(Wide(path).c_str(), access,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, disposition,
                       FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr);  // folders are opened, too
}

bool IsConsole(HANDLE handle) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle, &mode) != 0;
}

int Describe(HANDLE handle, struct stat* info) {
  *info = {};
  info->st_nlink = 1;
  const DWORD type = ::GetFileType(handle);
  if (type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE) {
    info->st_mode = type == FILE_TYPE_PIPE ? 0010666 : 0020666;
    info->st_ino = IsConsole(handle) ? 1 : 0;  // the other one is NUL
    return 0;
  }
  BY_HANDLE_FILE_INFORMATION about;
  if (!::GetFileInformationByHandle(handle, &about)) return Result(FALSE);
  info->st_dev = about.dwVolumeSerialNumber;
  info->st_ino = std::uint64_t{about.nFileIndexHigh} << 32 | about.nFileIndexLow;
  info->st_nlink = about.nNumberOfLinks;
  info->st_size =
      static_cast<std::int64_t>(std::uint64_t{about.nFileSizeHigh} << 32 | about.nFileSizeLow);
  const DWORD is = about.dwFileAttributes;
  const unsigned rights = is & FILE_ATTRIBUTE_READONLY ? 0444 : 0666;
  info->st_mode = (is & FILE_ATTRIBUTE_DIRECTORY ? 0040111 : 0100000) | rights;
  return 0;
}

int DescribeName(const char* path, struct stat* info, bool follow) {
  const HANDLE handle = OpenHandle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                                   follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
  if (handle == INVALID_HANDLE_VALUE) return Result(FALSE);
  const int said = Describe(handle, info);
  BY_HANDLE_FILE_INFORMATION about;
  if (said == 0 && !follow && ::GetFileInformationByHandle(handle, &about) &&
      (about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
    info->st_mode = 0120777;
  ::CloseHandle(handle);
  return said;
}

// The console takes UTF-8 and the sequences of terminals, and no stream turns its line ends.
struct Streams {
  Streams() {
    ::_set_fmode(_O_BINARY);
    for (const int stream : {0, 1, 2}) ::_setmode(stream, _O_BINARY);
    ::SetConsoleCP(CP_UTF8);
    ::SetConsoleOutputCP(CP_UTF8);
    for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
      DWORD mode = 0;
      const HANDLE handle = ::GetStdHandle(stream);
      if (::GetConsoleMode(handle, &mode))
        ::SetConsoleMode(handle,
                         mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
  }
};
const Streams streams;

}  // namespace

int open(const char* path, int flags, mode_t) {
  const DWORD access = flags & O_RDWR ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
  const DWORD how = !(flags & O_CREAT) ? OPEN_EXISTING : flags & O_EXCL ? CREATE_NEW : OPEN_ALWAYS;
  const HANDLE handle =
      OpenHandle(path, access, how, flags & O_NOFOLLOW ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
  if (handle == INVALID_HANDLE_VALUE) return Result(FALSE);
  const int file = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY);
  if (file < 0) ::CloseHandle(handle);
  return file;
}

int close(int file) { return ::_close(file); }

ssize_t read(int file, void* bytes, std::size_t size) {
  return ::_read(file, bytes, static_cast<unsigned>(std::min<std::size_t>(size, kMostAtOnce)));
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  const int written =
      ::_write(file, bytes, static_cast<unsigned>(std::min<std::size_t>(size, kMostAtOnce)));
  // Whatever the runtime calls it: nothing else goes wrong with a pipe than that its reader leaves.
  if (written < 0 && ::GetFileType(HandleOf(file)) == FILE_TYPE_PIPE) errno = EPIPE;
  return written;
}

int unlink(const char* path) { return Result(::DeleteFileW(Wide(path).c_str())); }

int mkdir(const char* path, mode_t) {
  return Result(::CreateDirectoryW(Wide(path).c_str(), nullptr));
}

int stat(const char* path, struct stat* info) { return DescribeName(path, info, true); }

int lstat(const char* path, struct stat* info) { return DescribeName(path, info, false); }

int fstat(int file, struct stat* info) { return Describe(HandleOf(file), info); }

int fsync(int file) { return ::_commit(file); }

int flock(int file, int) {
  OVERLAPPED behind{};  // the bytes that are locked lie behind all that a file has
  behind.OffsetHigh = 0x7fffffff;
  if (::LockFileEx(HandleOf(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &behind))
    return 0;
  errno = EWOULDBLOCK;
  return -1;
}

ssize_t getrandom(void* bytes, std::size_t size, unsigned) {
  const NTSTATUS said =
      ::BCryptGenRandom(nullptr, static_cast<PUCHAR>(bytes), static_cast<ULONG>(size),
                        BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  return said == 0 ? static_cast<ssize_t>(size) : -1;
}

int fcntl(int file, int) {
  if (HandleOf(file) != INVALID_HANDLE_VALUE && ::_get_osfhandle(file) != -2) return 0;
  errno = EBADF;
  return -1;
}

int isatty(int file) { return IsConsole(HandleOf(file)) ? 1 : 0; }

int ioctl(int file, int, winsize* size) {
  CONSOLE_SCREEN_BUFFER_INFO screen;
  if (!::GetConsoleScreenBufferInfo(HandleOf(file), &screen)) return Result(FALSE);
  size->ws_row = static_cast<unsigned short>(screen.srWindow.Bottom - screen.srWindow.Top + 1);
  size->ws_col = static_cast<unsigned short>(screen.srWindow.Right - screen.srWindow.Left + 1);
  return 0;
}

// One star remembers where to go on; the one before it has matched enough.
int fnmatch(const char* pattern, const char* name, int) {
  const char *star = nullptr, *from = nullptr;
  while (*name != '\0') {
    const char* after = pattern;
    bool same = false;
    if (*pattern == '*') {
      star = ++pattern;
      from = name;
      continue;
    }
    if (const char* end = nullptr;
        *pattern == '[' && pattern[1] != '\0' && (end = std::strchr(pattern + 2, ']'))) {
      const bool without = pattern[1] == '!' || pattern[1] == '^';
      for (const char* each = pattern + (without ? 2 : 1); each < end; ++each) {
        const bool range = each + 2 < end && each[1] == '-';
        same = same || (range ? *each <= *name && *name <= each[2] : *each == *name);
        if (range) each += 2;
      }
      same = same != without;
      after = end + 1;
    } else {
      same = *pattern == '?' || (*pattern != '\0' && *pattern == *name);
      after = pattern + 1;
    }
    if (same) {
      pattern = after;
      ++name;
    } else if (star != nullptr) {
      pattern = star;
      name = ++from;
    } else {
      return 1;
    }
  }
  while (*pattern == '*') ++pattern;
  return *pattern == '\0' ? 0 : 1;
}
