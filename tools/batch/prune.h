// What earlier runs of a batch wrote and nobody stands behind any more (--prune).
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "batch/plan.h"
#include "host/asset_copies.h"

namespace kinemorph::tools {

/// The files of a record, `out` first. Of one that failed: what an earlier run left, its output at
/// `target`.
[[nodiscard]] std::vector<WrittenFile> FilesOf(const std::string& record,
                                               const std::string& target);

/// Decides what may go. A report is a file like others: it may be of another folder, or forged. So
/// whatever it says, only that goes which a batch of its sources into DST would have written, as it
/// was written: regular files below DST by their real paths, in the place that belongs to the
/// record's source, with the record's hash; never below SRC, and nothing that is read.
class Pruner {
 public:
  Pruner(const BatchPlan& plan, const std::string& source, const std::string& destination);

  /// Of an earlier record: what it says was written.
  void Remember(const std::string& source, const std::vector<WrittenFile>& files);
  /// What goes with a source that is there and did not fail: these stay.
  void Keep(const std::string& path);

  /// Looks at all that is remembered. Why that may not go without force, empty when it may.
  [[nodiscard]] std::string Plan();
  /// Removes it, and folders of DST that are empty then. Returns how many files.
  std::size_t Remove() const;
  /// What is told of single files, with line ends.
  [[nodiscard]] const std::string& messages() const { return messages_; }

 private:
  [[nodiscard]] std::vector<std::filesystem::path> NamesOf(const std::string& source) const;
  [[nodiscard]] bool InPlace(const std::string& source, const std::filesystem::path& real) const;
  void Look(const std::string& source, const WrittenFile& file);

  const BatchPlan& plan_;
  std::filesystem::path source_, destination_;  // real
  std::map<std::string, std::vector<WrittenFile>> earlier_;
  std::set<std::string> standing_, read_;
  std::vector<std::filesystem::path> going_;
  std::size_t there_ = 0, outside_ = 0, gone_sources_ = 0;
  std::string messages_;
};

}  // namespace kinemorph::tools
