// One file of a batch: converted, or known to be converted already, and the record of it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "batch/plan.h"
#include "session/conversion.h"

namespace kinemorph::tools {

/// How a job ended, as the first letter of what a worker answers.
enum class JobEnd : char {
  kConverted = 'c',
  kSkipped = 's',   ///< converted earlier
  kFragment = 'p',  ///< no model: what others include
  kFailed = 'f',
};

struct JobResult {
  JobEnd end = JobEnd::kFailed;
  int exit_code = kInternal;
  std::string record;    ///< one line of JSON without its end; empty when the earlier record still
                         ///< holds, or where there is no report
  std::string messages;  ///< for standard error
  std::map<std::string, std::size_t> codes;  ///< how often each occurs
};

/// As text the errors for people; in other forms a line of JSON for each error and warning.
[[nodiscard]] std::string MessagesOf(const std::vector<Diagnostic>& messages, MessageForm form);
/// Of such a line; nothing where it is none.
[[nodiscard]] std::optional<Diagnostic> MessageFromJson(const std::string& line);

/// Over a pipe.
[[nodiscard]] std::string Pack(const JobResult& result);
[[nodiscard]] JobResult Unpack(const std::string& text);

/// A record with nothing in it yet; every key is there. `losses` and `codes` (how often each code
/// occurs) are objects. `also` are files that were written besides `out`. `stale` is the hash of an
/// output that an earlier run left where this one failed.
[[nodiscard]] nlohmann::ordered_json EmptyRecord(const BatchJob& job, int exit_code,
                                                 const std::string& status);

/// True when a job would read what it read, with the same options and program, and its output is
/// still what was written. `options` is the fingerprint of options and program.
[[nodiscard]] bool StillHolds(const std::string& earlier_record, const BatchJob& job,
                              const ConversionOptions& request, const std::string& options);

/// Converts one file. With `resume` an output that has the right bytes already is left alone.
/// `ours`: what an earlier run wrote for it, which may be replaced.
[[nodiscard]] JobResult RunJob(const BatchJob& job, const ConversionOptions& request,
                               const std::string& options, bool resume,
                               const std::vector<WrittenFile>& ours);

}  // namespace kinemorph::tools
