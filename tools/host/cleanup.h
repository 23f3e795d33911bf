// What goes when this process is ended from outside: by SIGINT, SIGTERM, SIGHUP, or its --timeout.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

namespace kinemorph::tools {

/// From now on these signals remove what a Doomed names and end the process as they would have
/// done. A signal that is ignored (nohup) stays ignored.
void WatchSignals();

/// Forgets all that is doomed and gives the signals their usual meaning: for a process that was
/// forked, because what is doomed is its parent's. Safe between fork and exec.
void LeaveCleanupToParent();

/// Ends this process after so many seconds, with a message and exit code 1.
void EndAfter(double seconds);

/// Of this process and of the programs that it runs.
void LimitMemory(std::size_t megabytes);

/// A file, or a folder with all that is in it, that goes when a signal ends the process. Where this
/// ends first, what becomes of the file is its owner's business.
class Doomed {
 public:
  explicit Doomed(const std::string& path);
  ~Doomed();
  Doomed(const Doomed&) = delete;
  Doomed& operator=(const Doomed&) = delete;

 private:
  int slot_;
};

/// While one lives, signals wait: a file may be made and doomed as one step.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

  /// The mask that was, for a process that is forked meanwhile.
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

/// While one lives, the first signal only interrupts and is told by Signal(): its owner ends in
/// order. One that comes a second later or more ends the process at once.
class SignalsTold {
 public:
  SignalsTold();
  ~SignalsTold();
  SignalsTold(const SignalsTold&) = delete;
  SignalsTold& operator=(const SignalsTold&) = delete;

  /// 0: none came.
  [[nodiscard]] static int Signal();
};

/// Ends this process as `signal` does, when all is in order.
[[noreturn]] void EndBySignal(int signal);

}  // namespace kinemorph::tools
