// The report of a batch: a journal that is whole at every moment.
#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace kinemorph::tools {

/// The report cannot be kept: the batch must end, because what it does would not be known.
struct JournalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One JSON object per line, each with the key "source" first; the last record of a source holds.
/// While a batch runs, records are appended one by one as files are done. At its end the file is
/// put in order: one record per source, lines sorted byte by byte, so that `LC_ALL=C sort` of the
/// reports of all shards is the report of one process. Each line ends in a key "check", a hash of
/// what stands before it: lines that are damaged, or of somebody else, are dropped.
class Journal {
 public:
  Journal() = default;  ///< keeps nothing until it is opened
  /// Opens and locks `path`. With `resume` the records in it are kept and what a killed run wrote
  /// half is cut off; else it is emptied. A file that is no report is left alone. Throws
  /// JournalError.
  void Open(const std::string& path, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  [[nodiscard]] bool kept() const { return file_ >= 0; }
  /// Of the file as it was opened, also without `resume`.
  [[nodiscard]] const std::map<std::string, std::string>& earlier() const { return earlier_; }
  /// How many lines were dropped.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }
  /// Lines without their ends, by source.
  [[nodiscard]] const std::map<std::string, std::string>& records() const { return records_; }
  /// Appends a record, one line of JSON, and hands it to the system. What cannot be written whole
  /// is taken back. Throws JournalError.
  void Append(const std::string& source, const std::string& record);
  /// Puts the file in order; sources that are not in `only` are forgotten, where it is given.
  /// Throws JournalError.
  void Finish(const std::set<std::string>* only);

 private:
  void Read(const std::string& text);
  void Repair(const std::string& text);

  std::string path_;
  int file_ = -1;
  std::size_t dropped_ = 0;
  std::map<std::string, std::string> records_, earlier_;
};

}  // namespace kinemorph::tools
