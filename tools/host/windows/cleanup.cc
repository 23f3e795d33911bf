// Signals, deadlines and limits of memory by Win32.
#include "host/cleanup.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "kinemorph/graph/base/number.h"

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

namespace kinemorph::tools {
namespace {

// Windows tells of CTRL-C, of a window that closes and of a user who leaves in a thread of its own.
// That thread and the one of a --timeout wait here for whoever makes a file.
std::recursive_mutex& Making() {
  static std::recursive_mutex mutex;
  return mutex;
}

std::map<int, std::string>& Paths() {
  static std::map<int, std::string> paths;
  return paths;
}

[[noreturn]] void End(unsigned code, const std::string& message) {
  Making().lock();
  std::error_code ignored;
  for (const auto& [slot, path] : Paths()) std::filesystem::remove_all(path, ignored);
  static_cast<void>(::write(2, message.data(), message.size()));
  ::TerminateProcess(::GetCurrentProcess(), code);
  std::abort();
}

BOOL WINAPI OnControl(DWORD) { End(STATUS_CONTROL_C_EXIT, ""); }

}  // namespace

void WatchSignals() { ::SetConsoleCtrlHandler(OnControl, TRUE); }

void EndAfter(double seconds) {
  // A line of progress may be on the terminal.
  const std::string text = std::string(::isatty(2) == 1 ? "\r\033[K" : "") +
                           "kinemorph: not done within " + FormatNumber(seconds) +
                           " s (--timeout)\n";
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    End(1, text);
  }).detach();
}

void LimitMemory(std::size_t megabytes) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit{};
  limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
  limit.ProcessMemoryLimit = megabytes << 20;
  const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
  ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
  ::AssignProcessToJobObject(job, ::GetCurrentProcess());
}

Doomed::Doomed(const std::string& path) : slot_(-1) {
  const std::lock_guard lock(Making());
  slot_ = Paths().empty() ? 0 : Paths().rbegin()->first + 1;
  // Absolute, for the working folder may be another one at the end.
  std::error_code error;
  Paths()[slot_] = std::filesystem::absolute(path, error).string();
}

Doomed::~Doomed() {
  const std::lock_guard lock(Making());
  Paths().erase(slot_);
}

SignalsWait::SignalsWait() : before_() { Making().lock(); }

SignalsWait::~SignalsWait() { Making().unlock(); }

}  // namespace kinemorph::tools
