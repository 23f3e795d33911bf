#include "batch/run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "batch/prune.h"
#include "batch/worker_pool.h"
#include "host/cleanup.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/model/model_dump.h"
#include "session/hints.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;

// The parent of the workers. It alone writes the report and prints; results come in any order,
// records are kept as they come, and messages wait until those of all files before them are out.

// Where a job makes files.
std::set<std::string> TargetFolders(const BatchJob& job, const std::string& assets) {
  const fs::path own = fs::path(job.out).replace_extension();
  std::set<std::string> folders = {own.parent_path().string(), own.string()};
  if (!assets.empty()) folders.insert((own / assets).string());
  return folders;
}

}  // namespace

int WorkersOf(const BatchOptions& options) {
  if (options.jobs > 0) return options.jobs;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

WorkLimits LimitsOf(const BatchOptions& options) {
  return {options.timeout, options.memory << 20, "", {}};
}

std::set<std::string> TargetFolders(const std::vector<BatchJob>& jobs, const std::string& assets) {
  std::set<std::string> folders;
  for (const BatchJob& job : jobs) folders.merge(TargetFolders(job, assets));
  return folders;
}

// A killed worker may still be in the middle of making a file; it takes a moment until it is gone.
void RemoveLeftoversSoon(const std::set<std::string>& folders) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    RemoveLeftovers(folders);
  }
}

BatchRun::BatchRun(const BatchOptions& options, const BatchPlan& plan,
                   std::vector<std::size_t> mine, Journal& journal)
    : options_(options),
      plan_(plan),
      mine_(std::move(mine)),
      journal_(journal),
      progress_(mine_.size(), options.request.input.form == MessageForm::kText) {
  for (std::size_t k = 0; k < mine_.size(); ++k) position_[mine_[k]] = k;
  messages_.resize(mine_.size());
}

int BatchRun::Work() {
  // Worlds whose models could not be listed are failures already, and never get to a worker.
  std::vector<std::size_t> jobs;
  for (const std::size_t i : mine_) {
    if (!plan_.jobs[i].lost)
      jobs.push_back(i);
    else
      Finished(i, *plan_.jobs[i].lost);
  }
  const int workers = std::min(WorkersOf(options_), static_cast<int>(jobs.size()));
  if (workers == 0) return 0;
  const TemporaryFolder scratch;  // in which each worker has a folder of its own
  scratch_ = scratch.path();
  WorkLimits limits = LimitsOf(options_);
  limits.scratch = scratch_, limits.writable = Writable();
  WorkerPool pool(workers, limits, [this](std::size_t i) { return Pack(Do(plan_.jobs[i])); });
  pool.Run(
      jobs, [this](std::size_t i, WorkResult result) { Finished(i, std::move(result)); },
      [this] { progress_.Tick(); }, [this] { return SignalsTold::Signal() != 0 || stopped(); });
  return SignalsTold::Signal();
}

bool BatchRun::stopped() const {
  return options_.max_failures > 0 && failures_ >= options_.max_failures && done_ < mine_.size();
}

bool BatchRun::Prune() {
  Pruner pruner(plan_, options_.request.input.path, options_.request.out);
  for (const auto& [source, files] : earlier_) pruner.Remember(source, files);
  // All that is known to stand: outputs of files that were not tried or did not fail, and what their
  // newest records name.
  for (const BatchJob& job : plan_.jobs)
    if (failed_.count(job.relative) == 0) pruner.Keep(job.out);
  for (const auto& [source, record] : journal_.records()) {
    if (PlanOf(source) == nullptr || failed_.count(source) > 0) continue;
    for (const WrittenFile& file : FilesOf(record, "")) pruner.Keep(file.path);
  }
  const std::string why = pruner.Plan();
  std::cerr << pruner.messages();
  if (!why.empty() && options_.prune != "force") {
    std::cerr << "kinemorph: " << why << "; nothing was removed (--prune=force removes it)\n";
    return false;
  }
  pruned_ = pruner.Remove();
  for (const std::string& source : failed_) Forget(source);
  return true;
}

void BatchRun::Remember(const std::string& source, const std::string& record) {
  const BatchJob* const job = PlanOf(source);
  earlier_[source] = FilesOf(record, job != nullptr ? job->out : "");
}

int BatchRun::Summary() const {
  const MessageForm form = options_.request.input.form;
  // One document of all files, which have come to an end now.
  if (form == MessageForm::kSarif || form == MessageForm::kGithub)
    PrintMessages(said_, options_.request.input);
  for (const auto& [code, count] : codes_) {
    if (form != MessageForm::kText) break;  // it would not be one document
    std::cerr << "kinemorph: " << count.first << " x [" << code << "] in " << count.second
              << (count.second == 1 ? " file\n" : " files\n");
  }
  const ConversionOptions& options = options_.request;
  std::string version;
  const Format& format = *FormatNamed(options.to, version);
  if (form == MessageForm::kText && !options.convert_meshes && codes_.contains("loss-shape-mesh") &&
      format.name != "usda")
    std::cerr << "kinemorph: hint: "
              << (options.copy_assets.empty() ? "--copy-assets DIR --convert-meshes makes"
                                              : "--convert-meshes makes")
              << " OBJ files of meshes that the target does not open\n";
  if (const std::string hint = MissingMeshHint(format.name, options);
      form == MessageForm::kText && !hint.empty() && codes_.contains("resource-not-found"))
    std::cerr << "kinemorph: " << hint << '\n';
  if (pruned_ > 0 && form == MessageForm::kText)
    std::cerr << "kinemorph: " << pruned_ << " stale output" << (pruned_ == 1 ? "" : "s")
              << " removed\n";
  std::cout << "converted " << converted_ << ", skipped " << skipped_ << ", failed " << failures_
            << " of " << mine_.size();
  if (stopped())
    std::cout << "; " << mine_.size() - done_ << " not tried (--max-failures "
              << options_.max_failures << ')';
  std::cout << '\n';
  // The worst end counts: a defect of kinemorph, then errors, then refusals of --strict.
  for (const int code : {kInternal, kBadInput, kWouldLose}) {
    if (exit_codes_.count(code) > 0) return code;
  }
  return plan_.unreadable.empty() ? kDone : kBadInput;
}

JobResult BatchRun::Do(const BatchJob& job) const {
  // In the worker, so that files are hashed in parallel, too.
  if (options_.resume) {
    const auto earlier = journal_.records().find(job.relative);
    if (earlier != journal_.records().end() &&
        StillHolds(earlier->second, job, options_.request, options_.fingerprint)) {
      return {JobEnd::kSkipped, kDone, "", "", {}};
    }
  }
  const auto ours = earlier_.find(job.relative);
  return RunJob(job, options_.request, options_.fingerprint, options_.resume,
                ours == earlier_.end() ? std::vector<WrittenFile>() : ours->second);
}

// A folder below DST may be a link to another disk, where Landlock's rule for DST does not hold.
std::vector<std::string> BatchRun::Writable() const {
  std::error_code ignored;  // writing tells
  fs::create_directories(options_.request.out, ignored);
  std::set<std::string> folders = {options_.request.out};
  const fs::path real = RealPath(options_.request.out);
  for (const BatchJob& job : plan_.jobs) {
    const fs::path folder = RealPath(fs::path(job.out).parent_path());
    if (!Inside(folder, real)) folders.insert(folder.string());
  }
  return {folders.begin(), folders.end()};
}

void BatchRun::RemoveWhatIsLeft(const BatchJob& job, const WorkResult& work) const {
  RemoveLeftoversSoon(TargetFolders(job, options_.request.copy_assets));
  std::error_code ignored;
  if (work.process > 0 && !scratch_.empty())
    fs::remove_all(fs::path(scratch_) / std::to_string(work.process), ignored);
}

// Nobody knows how far the worker came, so the record is made here, of the job alone.
JobResult BatchRun::Lost(const BatchJob& job, const WorkResult& work) const {
  JobResult result;
  Diagnostic item{Severity::kError, "", job.source, 0, "", "'" + job.source + "': ", {}};
  std::string status;
  switch (work.end) {
    case WorkEnd::kTimedOut:
      result.exit_code = kBadInput, status = "timeout", item.code = "batch-timeout";
      item.message += "not done within " + FormatNumber(options_.timeout) + " s (--timeout)";
      break;
    case WorkEnd::kOutOfMemory:
      result.exit_code = kBadInput, status = "memory", item.code = "batch-memory";
      item.message += "needs more than " + std::to_string(options_.memory) + " MB (--memory)";
      break;
    case WorkEnd::kDone:
    case WorkEnd::kCrashed:
      result.exit_code = kInternal, status = "crashed", item.code = "batch-crash";
      item.message += "the worker was ended by signal " + std::to_string(work.signal);
      break;
  }
  if (job.lost) item.message += ", so which models it holds is not known (--all-models)";
  nlohmann::ordered_json record = EmptyRecord(job, result.exit_code, status);
  record["ms"] = work.ms;
  record["peak_kb"] = work.peak_kb;
  record["codes"][item.code] = 1;
  result.codes[item.code] = 1;
  record["diagnostics"].push_back({{"severity", "error"},
                                   {"code", item.code},
                                   {"file", item.file},
                                   {"line", item.line},
                                   {"message", item.message}});
  result.record = PrintableJson(record.dump(-1, ' ', false, kReplace));
  result.messages = MessagesOf({item}, options_.request.input.form);
  return result;
}

void BatchRun::Finished(std::size_t i, WorkResult work) {
  const BatchJob& job = plan_.jobs[i];
  if (work.end != WorkEnd::kDone) RemoveWhatIsLeft(job, work);
  JobResult result = work.end == WorkEnd::kDone ? Unpack(work.text) : Lost(job, work);

  // A fragment is counted as skipped: it is no robot, and no failure.
  converted_ += result.end == JobEnd::kConverted ? 1 : 0;
  const bool fragment = result.end == JobEnd::kFragment;
  ++done_;
  failures_ += result.exit_code != kDone && !fragment ? 1 : 0;
  skipped_ += result.end == JobEnd::kSkipped || fragment ? 1 : 0;
  if (result.exit_code != kDone) {
    if (!fragment) exit_codes_.insert(result.exit_code);
    failed_.insert(job.relative);
    MarkStale(result.record, job);
  }
  for (const auto& [code, count] : result.codes) {
    codes_[code].first += count;
    codes_[code].second += 1;
  }
  if (!result.record.empty()) journal_.Append(job.relative, result.record);
  progress_.Step(result.exit_code != kDone && !fragment);

  // In the order of the files, whatever the order of the ends: two runs print the same.
  messages_[position_.at(i)] = result.messages;
  arrived_.insert(position_.at(i));
  for (; !arrived_.empty() && *arrived_.begin() == next_message_; ++next_message_) {
    Tell(messages_[next_message_]);
    std::string().swap(messages_[next_message_]);
    arrived_.erase(arrived_.begin());
  }
}

void BatchRun::Tell(const std::string& messages) {
  const MessageForm form = options_.request.input.form;
  if (form == MessageForm::kText || form == MessageForm::kJson) return progress_.Print(messages);
  // SARIF is one document, and annotations are counted: they wait for the summary.
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);)
    if (std::optional<Diagnostic> message = MessageFromJson(line)) said_.push_back(*message);
}

const BatchJob* BatchRun::PlanOf(const std::string& source) const {
  const auto job = std::lower_bound(
      plan_.jobs.begin(), plan_.jobs.end(), source,
      [](const BatchJob& each, const std::string& name) { return each.relative < name; });
  return job != plan_.jobs.end() && job->relative == source ? &*job : nullptr;
}

void BatchRun::MarkStale(std::string& record, const BatchJob& job) const {
  const auto left = earlier_.find(job.relative);
  if (record.empty() || left == earlier_.end() || left->second.empty()) return;
  auto json = nlohmann::ordered_json::parse(record);
  for (const WrittenFile& file : left->second) {
    if (file.path == job.out)
      json["stale"] = file.sha256;
    else
      json["also"].push_back({{"path", file.path}, {"sha256", file.sha256}});
  }
  record = PrintableJson(json.dump(-1, ' ', false, kReplace));
}

void BatchRun::Forget(const std::string& source) {
  const auto found = journal_.records().find(source);
  if (found == journal_.records().end()) return;
  auto json = nlohmann::ordered_json::parse(found->second);
  json["stale"] = nullptr;
  json["also"] = nlohmann::ordered_json::array();
  json.erase("check");
  journal_.Append(source, PrintableJson(json.dump(-1, ' ', false, kReplace)));
}

}  // namespace kinemorph::tools
