#include "host/working.h"

#ifdef __wasi__
namespace kinemorph::tools {

// No threads there, and no terminal.
struct Working::State {};
Working::Working(const std::string& /*what*/, bool /*shown*/) {}
Working::~Working() = default;
void Working::On(const std::string& /*what*/) {}

}  // namespace kinemorph::tools
#else
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>

#include "host/cleanup.h"
#include "host/terminal.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::tools {

// A command that works for longer than two seconds says so on the terminal, from a thread of its
// own, since the work does not return in between. The line is gone before anything else is printed.
namespace {

using WorkClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kQuietFor{2000}, kRewriteEvery{500};

}  // namespace

struct Working::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::string what;
  bool ended = false;
  std::thread writer;

  void Write(std::size_t columns) {
    const auto start = WorkClock::now();
    bool drawn = false;
    std::unique_lock lock(mutex);
    auto next = start + kQuietFor;
    // Waits for the end, and wakes to draw.
    while (!changed.wait_until(lock, next, [&] { return ended; })) {
      next = WorkClock::now() + kRewriteEvery;
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(WorkClock::now() - start).count();
      const std::string end = " ... " + std::to_string(seconds) + " s";
      std::string line = Printable(what);
      // A line that wraps could not be drawn over.
      if (line.size() + end.size() >= columns) line.resize(columns - end.size() - 1);
      std::cerr << "\r\033[K" << line << end << std::flush;
      drawn = true;
    }
    if (drawn) std::cerr << "\r\033[K" << std::flush;
  }
};

namespace {

// Code deep inside may say what it does now (On) without knowing who shows it.
std::mutex current_mutex;
Working* current = nullptr;

}  // namespace

Working::Working(const std::string& what, bool shown) {
  const std::size_t columns = TerminalColumns(STDERR_FILENO);
  if (!shown || columns == 0) return;
  state_ = std::make_unique<State>();
  state_->what = what;
  // Without a thread there is no line, and the work goes on.
  try {
    const SignalsWait wait;  // for good, in the new thread: signals are for the one that works
    state_->writer = std::thread([state = state_.get(), columns] { state->Write(columns); });
  } catch (const std::system_error&) { state_.reset(); }
  const std::lock_guard lock(current_mutex);
  if (state_) current = this;
}

Working::~Working() {
  {
    const std::lock_guard lock(current_mutex);
    if (current == this) current = nullptr;
  }
  if (!state_) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->ended = true;
  }
  state_->changed.notify_all();
  state_->writer.join();
}

void Working::On(const std::string& what) {
  const std::lock_guard lock(current_mutex);
  if (current == nullptr) return;
  const std::lock_guard inner(current->state_->mutex);
  current->state_->what = what;
}

}  // namespace kinemorph::tools
#endif
