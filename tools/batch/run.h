// A batch at work: the jobs of a plan in worker processes, and what came of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "batch/journal.h"
#include "batch/plan.h"
#include "batch/record.h"
#include "host/progress.h"

namespace kinemorph::tools {

/// As they stand on the command line.
struct BatchOptions {
  ConversionOptions request;
  std::string shard, report, on_clash = "error";
  std::string fingerprint;  // of everything that the results depend on besides the files
  int jobs = 0;
  double timeout = 60;
  std::size_t memory = 2048;
  std::string prune;  // "yes" or "force"
  Globs globs;
  std::size_t max_failures = 0;  // 0: all are tried
  bool resume = false;
  bool all_models = false;
};

/// Asked for, or one per core.
[[nodiscard]] int WorkersOf(const BatchOptions& options);
/// Of one file.
[[nodiscard]] WorkLimits LimitsOf(const BatchOptions& options);
/// Where the jobs make files.
[[nodiscard]] std::set<std::string> TargetFolders(const std::vector<BatchJob>& jobs,
                                                  const std::string& assets);
/// Of processes that were just killed, which may take a moment to go.
void RemoveLeftoversSoon(const std::set<std::string>& folders);

/// What came of the jobs so far. Records and messages are handed on as files are done, messages in
/// the order of the files.
class BatchRun {
 public:
  BatchRun(const BatchOptions& options, const BatchPlan& plan, std::vector<std::size_t> mine,
           Journal& journal);

  /// Returns the signal that ended it before its end, or 0.
  int Work();

  /// Whether so many failed that the rest is not tried.
  [[nodiscard]] bool stopped() const;

  /// Removes what earlier runs wrote and this plan does not stand behind: of sources that failed now
  /// or are gone, and what no longer goes with an output. False where that would be too much.
  [[nodiscard]] bool Prune();

  /// Of an earlier record: what it says was written, to be pruned if need be.
  void Remember(const std::string& source, const std::string& record);

  /// Tells what came of it; the exit code.
  [[nodiscard]] int Summary() const;

 private:
  // In a worker.
  JobResult Do(const BatchJob& job) const;

  // DST, and folders to which links in it lead.
  [[nodiscard]] std::vector<std::string> Writable() const;

  // A worker that was killed could not tidy up.
  void RemoveWhatIsLeft(const BatchJob& job, const WorkResult& work) const;

  // The result of a job whose worker did not live to tell.
  JobResult Lost(const BatchJob& job, const WorkResult& work) const;

  void Finished(std::size_t i, WorkResult work);

  // Text and lines of JSON at once; a document is made at the end.
  void Tell(const std::string& messages);

  [[nodiscard]] const BatchJob* PlanOf(const std::string& source) const;

  // A failed file's record remembers what an earlier run left in the place of its output and beside
  // it, until it is pruned.
  void MarkStale(std::string& record, const BatchJob& job) const;

  // What was left is gone.
  void Forget(const std::string& source);

  const BatchOptions& options_;
  const BatchPlan& plan_;
  std::vector<std::size_t> mine_;
  Journal& journal_;
  Progress progress_;
  std::size_t converted_ = 0, skipped_ = 0, failures_ = 0, done_ = 0;
  std::size_t pruned_ = 0, next_message_ = 0;
  std::vector<Diagnostic> said_;
  std::string scratch_;
  std::set<int> exit_codes_;
  std::set<std::string> failed_;                             // sources
  std::map<std::string, std::vector<WrittenFile>> earlier_;  // by source
  std::map<std::size_t, std::size_t> position_;
  std::vector<std::string> messages_;
  std::set<std::size_t> arrived_;
  std::map<std::string, std::pair<std::size_t, std::size_t>>
      codes_;  // by code: how often, in how many files
};

}  // namespace kinemorph::tools
