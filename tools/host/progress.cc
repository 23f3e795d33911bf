#include "host/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "kinemorph/graph/base/number.h"

namespace kinemorph::tools {
namespace {

// A terminal gets a line that is drawn again; a log gets a line every half minute, since it keeps
// them all. Nothing is drawn before the first tick.
constexpr std::chrono::seconds kPlainEvery{30};
constexpr std::chrono::milliseconds kDrawEvery{500};
constexpr std::size_t kBarWidth = 30;

std::string Duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

}  // namespace

Progress::Progress(std::size_t total, bool shown)
    : total_(total),
      shown_(shown),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() { Clear(); }

void Progress::Step(bool failed) {
  ++done_;
  failed_ += failed ? 1 : 0;
}

// Words of people: how many, how fast, how long still, all from the mean rate since the start.
std::string Progress::Words() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string words = std::to_string(done_) + " of " + std::to_string(total_);
  if (failed_ > 0) words += ", " + std::to_string(failed_) + " failed";
  if (rate <= 0) return words;
  const auto per_minute = static_cast<long>(rate * 60 + 0.5);
  words += ", " + (rate >= 2 ? std::to_string(static_cast<long>(rate + 0.5)) + " per second"
                             : std::to_string(per_minute) + " per minute");
  return words + ", " + Duration(static_cast<double>(total_ - done_) / rate) + " left";
}

void Progress::Tick() {
  const auto now = Clock::now();
  if (!shown_ || (!terminal_ && now - last_ < kPlainEvery)) return;
  last_ = now;
  if (!terminal_) {
    std::cerr << "kinemorph: " << Words() << '\n';
    return;
  }
  const std::size_t filled = total_ == 0 ? kBarWidth : done_ * kBarWidth / total_;
  std::cerr << "\r\033[K[" << std::string(filled, '#') << std::string(kBarWidth - filled, '.')
            << "] " << Words() << std::flush;
  drawn_ = true;
}

void Progress::Clear() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

// Messages go above the line, which the next tick draws again.
void Progress::Print(const std::string& messages) {
  if (messages.empty()) return;
  Clear();
  std::cerr << messages;
}

TimeProgress::TimeProgress(double total)
    : total_(total), terminal_(::isatty(STDERR_FILENO) == 1), last_(Clock::now()) {}

TimeProgress::~TimeProgress() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
}

// Of a simulation: how far its time has come, not how long it takes, since steps differ.
void TimeProgress::Tick() {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now - last_ < kDrawEvery) return;
  last_ = now, drawn_ = true;
  const double share = total_ > 0 ? std::min(1.0, time_ / total_) : 1;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  std::cerr << "\r\033[K[" << std::string(filled, '#') << std::string(kBarWidth - filled, '.')
            << "] t = " << FormatNumber(NearDecimal(time_, 4)) << " of "
            << FormatNumber(NearDecimal(total_, 4)) << " s" << std::flush;
}

}  // namespace kinemorph::tools
