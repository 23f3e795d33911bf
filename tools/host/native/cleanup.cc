#include "host/cleanup.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>

#include "kinemorph/graph/base/number.h"

namespace kinemorph::tools {
namespace {

// Temporary files must go when a signal ends the process. A handler may call next to nothing
// (signal-safety(7)), so the paths stand in fixed places, and folders are emptied with bare calls
// of the system. In a batch signals are only noted (SignalsTold): there the parent dismisses its
// workers first.

constexpr std::array kEnding = {SIGINT, SIGTERM, SIGHUP};
constexpr std::size_t kLongestPath = 4096;

// Fixed places, because a handler may neither allocate nor lock.
struct Slot {
  std::atomic<bool> taken{false}, ready{false};
  char path[kLongestPath];
};
std::array<Slot, 64> slots;
volatile std::sig_atomic_t told = 0, came = 0;
timespec came_at;  // written before `came` is
char timeout_message[128];

// One entry of a folder as the kernel hands it over.
struct Entry {
  std::uint64_t node;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

// Only calls that a signal handler may make.
// A name is a file, or a folder whose entries go first. The bound of the depth stops at trees that
// we do not make.
void RemoveAt(int folder, const char* name, int depth) {
  if (::unlinkat(folder, name, 0) == 0 || depth > 8) return;
  const int inside = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inside < 0) return;
  alignas(8) char buffer[4096];
  for (long n = 0; (n = ::syscall(SYS_getdents64, inside, buffer, sizeof buffer)) > 0;) {
    for (long at = 0; at < n;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->length;
      const char* const each = entry->name;
      if (std::strcmp(each, ".") != 0 && std::strcmp(each, "..") != 0)
        RemoveAt(inside, each, depth + 1);
    }
  }
  ::close(inside);
  ::unlinkat(folder, name, AT_REMOVEDIR);
}

void RemoveDoomed() {
  for (Slot& slot : slots)
    if (slot.ready.load()) RemoveAt(AT_FDCWD, slot.path, 0);
}

// `timeout` sends a signal to the process and then to its group, as others do: within a second it
// is the same one, which does not disturb the tidying that the first has begun.
bool IsSameSignal() {
  constexpr double kSeconds = 1;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec - came_at.tv_sec) +
             static_cast<double>(now.tv_nsec - came_at.tv_nsec) * 1e-9 <
         kSeconds;
}

// First, what was asked only to note it; then the second of a pair; then the end: tidy up, and die
// by the signal, so that a shell sees why.
void Handle(int signal) {
  if (told != 0 && came == 0) {
    ::clock_gettime(CLOCK_MONOTONIC, &came_at);
    came = signal;
    return;
  }
  if (told != 0 && IsSameSignal()) return;
  RemoveDoomed();
  if (signal == SIGALRM) {
    [[maybe_unused]] const auto n =
        ::write(STDERR_FILENO, timeout_message, std::strlen(timeout_message));
    ::_exit(1);
  }
  EndBySignal(signal);
}

bool IsOurs(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == Handle;
}

void Watch(int signal) {
  struct sigaction action {};
  action.sa_handler = Handle;
  // While the handler works no other one comes.
  ::sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void WatchSignals() {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error of writing
  for (const int signal : kEnding) {
    // What the caller ignores, as nohup does, stays ignored.
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) Watch(signal);
  }
}

// A child has the slots of its parent, and would remove the parent's files.
void LeaveCleanupToParent() {
  for (Slot& slot : slots) slot.ready = slot.taken = false;
  told = 0;
  came = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM})
    if (IsOurs(signal)) ::signal(signal, SIG_DFL);
}

void EndAfter(double seconds) {
  // A line of progress may be on the terminal.
  const std::string text = std::string(::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "") +
                           "kinemorph: not done within " + FormatNumber(seconds) +
                           " s (--timeout)\n";
  std::strncpy(timeout_message, text.c_str(), sizeof timeout_message - 1);
  Watch(SIGALRM);
  const double whole = std::floor(seconds);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  // A zero would mean no timer at all.
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void LimitMemory(std::size_t megabytes) {
  // Address space, not resident memory: it is what the system lets a process limit.
  const rlimit limit = {megabytes << 20, megabytes << 20};
  ::setrlimit(RLIMIT_AS, &limit);
}

// The default action ends the process once the signal is let through; the exit is for a signal that
// does not.
void EndBySignal(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  ::_exit(128 + signal);
}

Doomed::Doomed(const std::string& path) : slot_(-1) {
  if (path.empty() || path.size() >= kLongestPath) return;
  // `taken` first, `ready` last: the handler may come in between and must not read half a path.
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].ready = true;
    slot_ = static_cast<int>(i);
    return;
  }
}

Doomed::~Doomed() {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.ready = false;
  slot.taken = false;
}

// Between making a file and noting its name no signal may come.
SignalsWait::SignalsWait() : before_() {
  sigset_t all;
  ::sigemptyset(&all);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) ::sigaddset(&all, signal);
  ::sigprocmask(SIG_BLOCK, &all, &before_);
}

SignalsWait::~SignalsWait() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

SignalsTold::SignalsTold() { told = 1; }

SignalsTold::~SignalsTold() { told = 0; }

int SignalsTold::Signal() { return came; }

}  // namespace kinemorph::tools
