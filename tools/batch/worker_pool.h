// Work in child processes: what hangs, crashes or eats the memory takes nothing with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kinemorph::tools {

struct WorkLimits {
  double seconds = 0;  ///< per piece of work; 0: none
  std::size_t memory =
      0;  ///< bytes of address space of a worker, and of each program that it starts; 0: none
  std::string scratch;  ///< takes a folder per worker, by its process, for temporary files
  std::vector<std::string> writable;  ///< folders that workers write to
};

enum class WorkEnd { kDone, kTimedOut, kOutOfMemory, kCrashed };

struct WorkResult {
  WorkEnd end = WorkEnd::kDone;
  std::string text;    ///< what the work returned, when it is done
  int signal = 0;      ///< that ended the worker, when it crashed
  double ms = 0;       ///< of wall time
  long peak_kb = 0;    ///< largest resident memory of the worker, when it did not get to say
  pid_t process = -1;  ///< of a worker that is gone
};

/// Worker processes that live from job to job, forked from this (single-threaded) process and fed
/// over sockets. They die with it, and take the programs that they started with them.
class WorkerPool {
 public:
  using Work = std::function<std::string(std::size_t)>;

  WorkerPool(int workers, const WorkLimits& limits, Work work);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Does all `jobs` in their order and hands over each result as it comes, in any order. `idle` is
  /// called about ten times a second. Ends early, its workers killed, when `stop` says so, and when
  /// `finished` throws. Throws std::runtime_error where no process can be made.
  void Run(const std::vector<std::size_t>& jobs,
           const std::function<void(std::size_t, WorkResult)>& finished,
           const std::function<void()>& idle, const std::function<bool()>& stop);

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    pid_t process = -1;
    int socket = -1;
    bool busy = false;
    std::size_t job = 0;
    Clock::time_point start;
    std::string received;
  };

  void Start(Worker& worker);
  [[noreturn]] void Serve(int socket, pid_t parent) const;
  void Give(Worker& worker, std::size_t job);
  bool Receive(Worker& worker, WorkResult& result);
  enum class Ending { kByItself, kTimedOut, kDismissed };
  WorkResult End(Worker& worker, Ending ending);
  void DismissAll();

  WorkLimits limits_;
  Work work_;
  std::vector<Worker> workers_;
};

}  // namespace kinemorph::tools
