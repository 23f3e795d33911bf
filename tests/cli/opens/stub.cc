// Loaded before the C library (LD_PRELOAD): writes down every file and folder that a process opens, a
// line "PROGRAM PATH" in the file that KINEMORPH_OPENS names, and lets it be opened. That file is open
// already, as number 9: a process may have bound itself not to open any.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int kLog = 9;

// What a name is seen from: a folder that is open, or the working folder.
void AddFolder(int folder, char* text, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  const ssize_t n = folder == AT_FDCWD ? syscall(SYS_readlink, "/proc/self/cwd", text, size - 1)
                                       : syscall(SYS_readlink, link, text, size - 1);
  text[n > 0 ? n : 0] = '\0';
}

void Note(int folder, const char* path) {
  const int kept = errno;
  const char* const file = getenv("KINEMORPH_OPENS");
  char line[9000], from[4096] = "";
  AddFolder(kLog, from, sizeof from);
  if (file != nullptr && path != nullptr && strcmp(file, from) == 0) {
    from[0] = '\0';
    if (path[0] != '/') AddFolder(folder, from, sizeof from);
    const int n = snprintf(line, sizeof line, "%s %s%s%s\n", program_invocation_short_name, from,
                           path[0] == '/' ? "" : "/", path);
    if (n > 0) (void)!syscall(SYS_write, kLog, line, static_cast<size_t>(n));
  }
  errno = kept;
}

template <class Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

mode_t ModeOf(int flags, va_list words) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(words, mode_t) : 0;
}

}  // namespace

// Each by the name that programs call: fopen and opendir open within the C library, unseen.
#define OPEN(NAME)                                                         \
  extern "C" int NAME(const char* path, int flags, ...) {                  \
    va_list words;                                                         \
    va_start(words, flags);                                                \
    const mode_t mode = ModeOf(flags, words);                              \
    va_end(words);                                                         \
    Note(AT_FDCWD, path);                                                  \
    return Next<int (*)(const char*, int, ...)>(#NAME)(path, flags, mode); \
  }
#define OPENAT(NAME)                                                                    \
  extern "C" int NAME(int folder, const char* path, int flags, ...) {                   \
    va_list words;                                                                      \
    va_start(words, flags);                                                             \
    const mode_t mode = ModeOf(flags, words);                                           \
    va_end(words);                                                                      \
    Note(folder, path);                                                                 \
    return Next<int (*)(int, const char*, int, ...)>(#NAME)(folder, path, flags, mode); \
  }
#define FOPEN(NAME)                                                     \
  extern "C" FILE* NAME(const char* path, const char* how) {            \
    Note(AT_FDCWD, path);                                               \
    return Next<FILE* (*)(const char*, const char*)>(#NAME)(path, how); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)

extern "C" int __open_2(const char* path, int flags) {
  Note(AT_FDCWD, path);
  return Next<int (*)(const char*, int)>("__open_2")(path, flags);
}
extern "C" int __open64_2(const char* path, int flags) {
  Note(AT_FDCWD, path);
  return Next<int (*)(const char*, int)>("__open64_2")(path, flags);
}
extern "C" int __openat_2(int folder, const char* path, int flags) {
  Note(folder, path);
  return Next<int (*)(int, const char*, int)>("__openat_2")(folder, path, flags);
}
extern "C" int __openat64_2(int folder, const char* path, int flags) {
  Note(folder, path);
  return Next<int (*)(int, const char*, int)>("__openat64_2")(folder, path, flags);
}
extern "C" DIR* opendir(const char* path) {
  Note(AT_FDCWD, path);
  return Next<DIR* (*)(const char*)>("opendir")(path);
}
