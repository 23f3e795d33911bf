// What POSIX has and WASI has not, as far as the command uses it; included before each of its
// sources.
#pragma once

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

// New files get the permissions that the host gives.
inline mode_t umask(mode_t) { return 0; }
inline int fchmod(int, mode_t) { return 0; }
inline uid_t geteuid() { return 0; }
inline int getpid() { return 1; }
inline ssize_t getrandom(void* bytes, size_t size, unsigned) {
  return ::getentropy(bytes, size) == 0 ? static_cast<ssize_t>(size) : -1;
}
