// Google Benchmark with a table of ratios at the end: figures of one run only are comparable.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace kinemorph::bench {

/// One row: how long `ours` takes in multiples of `peer` in processor time (every benchmark is one
/// thread), and the bound we aim at (0: none).
struct Ratio {
  std::string what, ours, peer;
  double goal = 0;
};

class Recorder : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    benchmark::ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const bool median = run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
      const std::string name =
          run.run_name.function_name + (run.run_name.args.empty() ? "" : "/" + run.run_name.args);
      if (!run.error_occurred && (median || run.run_type == Run::RT_Iteration) &&
          (median || !seconds_.count(name))) {
        seconds_[name] = run.GetAdjustedCPUTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
      }
    }
  }
  [[nodiscard]] double Seconds(const std::string& name) const {
    const auto found = seconds_.find(name);
    return found == seconds_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> seconds_;
};

/// Runs all benchmarks and prints the ratios as a Markdown table. Rows whose peers were left out
/// (library absent, filter) are skipped.
inline int RunWithRatios(int argc, char** argv, const std::vector<Ratio>& ratios) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Recorder recorder;
  benchmark::RunSpecifiedBenchmarks(&recorder);
  std::printf("\n| what | ours | peer | ratio | goal |\n|---|---|---|---|---|\n");
  for (const Ratio& ratio : ratios) {
    const double ours = recorder.Seconds(ratio.ours), peer = recorder.Seconds(ratio.peer);
    if (ours <= 0 || peer <= 0) continue;
    std::printf("| %s | %.3g ms | %.3g ms | %.3g |", ratio.what.c_str(), ours * 1e3, peer * 1e3,
                ours / peer);
    if (ratio.goal > 0)
      std::printf(" at most %.3g |\n", ratio.goal);
    else
      std::printf(" |\n");
  }
  return 0;
}

}  // namespace kinemorph::bench
