// What POSIX has and Windows has not, as far as kinemorph asks the system for files and terminals:
// the build includes it before each of these sources. A file may be moved and removed while it is
// open, and every file is read and written as it is. Text is in the code page of the process, which
// the manifest of the command makes UTF-8.
#pragma once

#define NO_OLDNAMES  // of the C runtime, which mean something else
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

using mode_t = unsigned;
using uid_t = unsigned;
using off_t = std::int64_t;
using sigset_t = int;  // there are no masks of signals

struct stat {
  std::uint64_t st_dev, st_ino;
  unsigned st_mode, st_nlink;
  uid_t st_uid;
  std::int64_t st_size;
};
#define S_IFMT 0170000
#define S_ISDIR(mode) (((mode)&S_IFMT) == 0040000)
#define S_ISREG(mode) (((mode)&S_IFMT) == 0100000)
#define S_ISCHR(mode) (((mode)&S_IFMT) == 0020000)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == 0010000)
#define S_ISLNK(mode) (((mode)&S_IFMT) == 0120000)
#define S_ISSOCK(mode) (((mode)&S_IFMT) == 0140000)

#define O_RDONLY 0
#define O_RDWR 2
#define O_CREAT 0x100
#define O_EXCL 0x400
#define O_NOFOLLOW 0x10000
#define O_DIRECTORY 0x20000
#define O_CLOEXEC 0  // none of these files is left to another program
#define O_NONBLOCK 0
#define O_NOCTTY 0

int open(const char* path, int flags, mode_t mode = 0);
int close(int file);
ssize_t read(int file, void* bytes, std::size_t size);
ssize_t write(int file, const void* bytes, std::size_t size);
int unlink(const char* path);
int mkdir(const char* path, mode_t mode);
int stat(const char* path, struct stat* info);
int lstat(const char* path, struct stat* info);
int fstat(int file, struct stat* info);
int fsync(int file);
inline int fchmod(int, mode_t) { return 0; }  // rights are inherited from the folder
inline mode_t umask(mode_t) { return 0; }
inline uid_t geteuid() { return 0; }

#define LOCK_EX 2
#define LOCK_NB 4
int flock(int file, int operation);  // of a folder: EWOULDBLOCK

ssize_t getrandom(void* bytes, std::size_t size, unsigned flags);

#define F_GETFD 1
int fcntl(int file, int command);

int isatty(int file);
struct winsize {
  unsigned short ws_row, ws_col;
};
#define TIOCGWINSZ 1
int ioctl(int file, int request, winsize* size);

/// `*`, `?` and `[...]`; 0 where the name matches. No flag is known.
int fnmatch(const char* pattern, const char* name, int flags);
