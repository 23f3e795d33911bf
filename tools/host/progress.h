// How far a long run is: a bar on a terminal, a plain line now and then elsewhere. Standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace kinemorph::tools {

class Progress {
 public:
  /// Unless `shown`, messages alone are printed.
  Progress(std::size_t total, bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void Step(bool failed);
  void Tick();                              ///< draws, if it is time to
  void Print(const std::string& messages);  ///< messages stand above the bar

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string Words() const;
  void Clear();

  std::size_t total_, done_ = 0, failed_ = 0;
  bool shown_, terminal_, drawn_ = false;
  Clock::time_point start_, last_;
};

/// How far a motion is; only on a terminal.
class TimeProgress {
 public:
  explicit TimeProgress(double total);
  ~TimeProgress();
  TimeProgress(const TimeProgress&) = delete;
  TimeProgress& operator=(const TimeProgress&) = delete;
  void At(double time) { time_ = time; }
  void Tick();  ///< draws, if it is time to

 private:
  using Clock = std::chrono::steady_clock;
  double total_, time_ = 0;
  bool terminal_, drawn_ = false;
  Clock::time_point last_;
};

}  // namespace kinemorph::tools
