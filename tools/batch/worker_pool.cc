#include "batch/worker_pool.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>

#include "batch/confine.h"
#include "host/cleanup.h"
#include "host/files.h"

namespace kinemorph::tools {
namespace {

// A process for each worker, because what is converted may crash, hang or eat memory, in our code
// or in a reference library. Processes are forked, not started: the plan and the options are there
// already. Jobs go as numbers over a socket; a text comes back. A worker that fails takes one job
// with it, and the next job gets a new one.

constexpr int kTick = 100;  // ms

// What a worker answers: this, then `size` bytes of text.
struct Header {
  WorkEnd end = WorkEnd::kDone;
  std::uint64_t size = 0;
};

bool ReadAll(int file, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::read(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

std::string_view Bytes(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

// The parent must have one thread only: fork copies no others, and a lock that one of them held
// would stay locked.
WorkerPool::WorkerPool(int workers, const WorkLimits& limits, Work work)
    : limits_(limits), work_(std::move(work)), workers_(static_cast<std::size_t>(workers)) {
  // What workers started becomes ours when they end, and can be waited for.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

WorkerPool::~WorkerPool() { DismissAll(); }

void WorkerPool::DismissAll() {
  for (Worker& worker : workers_) {
    if (worker.process > 0) End(worker, Ending::kDismissed);
  }
}

void WorkerPool::Start(Worker& worker) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("no socket for a worker: ") + std::strerror(errno));
  }
  // No signal may come between fork and the moment in which the child has let go of the parent's
  // cleanup.
  const SignalsWait wait;
  const pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) {
    LeaveCleanupToParent();
    WatchSignals();
    ::sigprocmask(SIG_SETMASK, &wait.before(), nullptr);
    ::close(ends[0]);
    for (const Worker& other : workers_) {
      if (other.socket >= 0)
        ::close(other.socket);  // or they would not notice that this process ended
    }
    Serve(ends[1], parent);
  }
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    throw std::runtime_error(std::string("no process for a worker: ") + std::strerror(errno));
  }
  // Both sides set the group, as neither knows who comes first.
  ::setpgid(process, process);
  worker = {process, ends[0], false, 0, {}, {}};
}

void WorkerPool::Serve(int socket, pid_t parent) const {
  // A group of its own, so that a worker and what it started can be killed at once; and both die
  // when their parent does.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the wish was told.
  if (::getppid() != parent) ::_exit(0);
  const rlimit no_core = {0, 0};
  // A core of a worker would be written beside the user's files.
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (limits_.memory > 0) {
    const rlimit memory = {limits_.memory, limits_.memory};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  if (!limits_.scratch.empty()) {
    // By its number the parent finds and removes what a killed worker left.
    const std::string own = limits_.scratch + "/" + std::to_string(::getpid());
    if (::mkdir(own.c_str(), 0700) == 0) SetTemporaryRoot(own);
  }
  std::vector<std::string> writable = limits_.writable;
  writable.push_back(limits_.scratch);
  Confine(writable);
  std::uint64_t job = 0;
  while (ReadAll(socket, &job, sizeof job)) {
    // What a conversion throws becomes a message in RunJob; only lack of memory comes as far as
    // here.
    Header header;
    std::string text;
    try {
      text = work_(job);
    } catch (const std::bad_alloc&) { header.end = WorkEnd::kOutOfMemory; }
    header.size = text.size();
    if (!WriteAll(socket, Bytes(header)) || !WriteAll(socket, text)) break;
    if (header.end == WorkEnd::kOutOfMemory) break;  // a new one starts with a tidy heap
  }
  ::_exit(0);
}

void WorkerPool::Give(Worker& worker, std::size_t job) {
  if (worker.process < 0) Start(worker);
  worker.busy = true;
  worker.job = job;
  worker.start = Clock::now();
  worker.received.clear();
  const std::uint64_t number = job;
  // A worker that died in the meantime is noticed when its answer does not come.
  [[maybe_unused]] const bool sent = WriteAll(worker.socket, Bytes(number));
}

// One read. True when the worker's answer is whole, or will never be.
// An answer comes in pieces; the other workers are not kept waiting for the rest of it.
bool WorkerPool::Receive(Worker& worker, WorkResult& result) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(worker.socket, buffer.data(), buffer.size());
  if (n < 0 && errno == EINTR) return false;
  if (n <= 0) {
    result = End(worker, Ending::kByItself);
    return true;
  }
  worker.received.append(buffer.data(), static_cast<std::size_t>(n));
  Header header;
  if (worker.received.size() < sizeof header) return false;
  std::memcpy(&header, worker.received.data(), sizeof header);
  if (worker.received.size() - sizeof header < header.size) return false;
  // It has ended, or will: its heap is full of what did not fit.
  if (header.end == WorkEnd::kOutOfMemory) {
    result = End(worker, Ending::kByItself);
    result.end = WorkEnd::kOutOfMemory;
    return true;
  }
  result.text = worker.received.substr(sizeof header);
  result.ms = std::chrono::duration<double, std::milli>(Clock::now() - worker.start).count();
  worker.busy = false;
  return true;
}

WorkResult WorkerPool::End(Worker& worker, Ending ending) {
  WorkResult result;
  result.end = ending == Ending::kTimedOut ? WorkEnd::kTimedOut : WorkEnd::kCrashed;
  result.ms = std::chrono::duration<double, std::milli>(Clock::now() - worker.start).count();
  ::close(worker.socket);
  int status = 0;
  rusage usage{};
  // Killing one that ended by itself before it is waited for would hide why it ended; what it
  // started is killed in every case.
  if (ending != Ending::kByItself) ::kill(-worker.process, SIGKILL);
  while (::wait4(worker.process, &status, 0, &usage) < 0 && errno == EINTR) {}
  if (ending == Ending::kByItself) ::kill(-worker.process, SIGKILL);
  // One that was killed between fork and exec holds the locks of the worker's files until it is
  // gone, which takes its time on a busy machine.
  while (::waitpid(-worker.process, nullptr, 0) > 0 || errno == EINTR) {}
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.peak_kb = usage.ru_maxrss;
  result.process = worker.process;
  worker = {};
  return result;
}

void WorkerPool::Run(const std::vector<std::size_t>& jobs,
                     const std::function<void(std::size_t, WorkResult)>& finished,
                     const std::function<void()>& idle, const std::function<bool()>& stop) {
  std::size_t next = 0, done = 0;
  auto next_tick = Clock::now();
  std::vector<pollfd> polls(workers_.size());
  // One thread does all: hands out jobs, waits at most a tick for any answer, then looks at clocks
  // and at the wish to stop.
  while (done < jobs.size()) {
    if (stop()) return DismissAll();
    for (Worker& worker : workers_) {
      if (!worker.busy && next < jobs.size()) Give(worker, jobs[next++]);
    }
    for (std::size_t w = 0; w < workers_.size(); ++w)
      polls[w] = {workers_[w].busy ? workers_[w].socket : -1, POLLIN, 0};
    if (::poll(polls.data(), polls.size(), kTick) < 0 && errno != EINTR)
      throw std::runtime_error(std::strerror(errno));
    const auto now = Clock::now();
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      Worker& worker = workers_[w];
      const std::size_t job = worker.job;
      WorkResult result;
      // The limit counts the proof and every program that was started for the file.
      if (polls[w].revents != 0 ? Receive(worker, result) : false) {
        ++done;
        finished(job, std::move(result));
      } else if (worker.busy && limits_.seconds > 0 &&
                 std::chrono::duration<double>(now - worker.start).count() > limits_.seconds) {
        ++done;
        finished(job, End(worker, Ending::kTimedOut));
      }
    }
    if (now >= next_tick) {
      idle();
      next_tick = now + std::chrono::milliseconds(kTick);
    }
  }
}

}  // namespace kinemorph::tools
