// kinemorph batch: a folder of descriptions, in parallel, resumable and in shards. Plan, then work,
// then put the report in order.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "all_models.h"
#include "batch_plan.h"
#include "batch_prune.h"
#include "batch_record.h"
#include "cleanup.h"
#include "journal.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/model/model_dump.h"
#include "progress.h"
#include "sha256.h"
#include "worker_pool.h"

#ifndef KINEMORPH_VERSION
#define KINEMORPH_VERSION "unknown"
#endif

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;

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

// Options that say how to work, not what comes out. Every other option, also one that is yet to
// come, is part of the fingerprint.
const std::set<std::string> kNotInFingerprint = {
    "SRC_DIR",  "--output",  "--jobs",    "--resume",       "--shard",
    "--report", "--timeout", "--memory",  "--on-clash",     "--prune",
    "--help",   "--include", "--exclude", "--max-failures", "--diagnostics"};

std::string Fingerprint(const CLI::App& command) {
  std::string text = "kinemorph " KINEMORPH_VERSION;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name() == option->get_name()
                                 ? option->get_name()
                                 : "--" + option->get_single_name();
    if (option->count() == 0 || kNotInFingerprint.count(name) > 0) continue;
    text += "\n" + name;
    for (const std::string& value : option->results()) text += "\t" + value;
  }
  return Sha256(text);
}

std::string Extension(const ConversionOptions& request) {
  std::string version;
  return std::string(FormatNamed(request.to, version)->extensions.front());
}

int WorkersOf(const BatchOptions& options) {
  if (options.jobs > 0) return options.jobs;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

WorkLimits LimitsOf(const BatchOptions& options) {
  return {options.timeout, options.memory << 20, "", {}};
}

// Where a job makes files.
std::set<std::string> TargetFolders(const BatchJob& job, const std::string& assets) {
  const fs::path own = fs::path(job.out).replace_extension();
  std::set<std::string> folders = {own.parent_path().string(), own.string()};
  if (!assets.empty()) folders.insert((own / assets).string());
  return folders;
}

std::set<std::string> TargetFolders(const std::vector<BatchJob>& jobs, const std::string& assets) {
  std::set<std::string> folders;
  for (const BatchJob& job : jobs) folders.merge(TargetFolders(job, assets));
  return folders;
}

// Of processes that were just killed, which may take a moment to go.
void RemoveLeftoversSoon(const std::set<std::string>& folders) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    RemoveLeftovers(folders);
  }
}

// One run: what came of the jobs so far. Records and messages are handed on as files are done,
// messages in the order of the files.
class BatchRun {
 public:
  BatchRun(const BatchOptions& options, const BatchPlan& plan, std::vector<std::size_t> mine,
           Journal& journal)
      : options_(options),
        plan_(plan),
        mine_(std::move(mine)),
        journal_(journal),
        progress_(mine_.size(), options.request.input.form == MessageForm::kText) {
    for (std::size_t k = 0; k < mine_.size(); ++k) position_[mine_[k]] = k;
    messages_.resize(mine_.size());
  }

  // Returns the signal that ended it before its end, or 0.
  int Work() {
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

  // Whether so many failed that the rest is not tried.
  [[nodiscard]] bool stopped() const {
    return options_.max_failures > 0 && failures_ >= options_.max_failures && done_ < mine_.size();
  }

  // Removes what earlier runs wrote and this plan does not stand behind: of sources that failed now
  // or are gone, and what no longer goes with an output. False where that would be too much.
  [[nodiscard]] bool Prune() {
    Pruner pruner(plan_, options_.request.input.path, options_.request.out);
    for (const auto& [source, files] : earlier_) pruner.Remember(source, files);
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

  // Of an earlier record: what it says was written, to be pruned if need be.
  void Remember(const std::string& source, const std::string& record) {
    const BatchJob* const job = PlanOf(source);
    earlier_[source] = FilesOf(record, job != nullptr ? job->out : "");
  }

  [[nodiscard]] int Summary() const {
    const MessageForm form = options_.request.input.form;
    if (form == MessageForm::kSarif || form == MessageForm::kGithub)
      PrintMessages(said_, options_.request.input);
    for (const auto& [code, count] : codes_) {
      if (form != MessageForm::kText) break;  // it would not be one document
      std::cerr << "kinemorph: " << count.first << " x [" << code << "] in " << count.second
                << (count.second == 1 ? " file\n" : " files\n");
    }
    if (pruned_ > 0 && form == MessageForm::kText)
      std::cerr << "kinemorph: " << pruned_ << " stale output" << (pruned_ == 1 ? "" : "s")
                << " removed\n";
    std::cout << "converted " << converted_ << ", skipped " << skipped_ << ", failed " << failures_
              << " of " << mine_.size();
    if (stopped())
      std::cout << "; " << mine_.size() - done_ << " not tried (--max-failures "
                << options_.max_failures << ')';
    std::cout << '\n';
    for (const int code : {kInternal, kBadInput, kWouldLose}) {
      if (exit_codes_.count(code) > 0) return code;
    }
    return plan_.unreadable.empty() ? kDone : kBadInput;
  }

 private:
  // In a worker.
  JobResult Do(const BatchJob& job) const {
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

  // DST, and folders to which links in it lead.
  [[nodiscard]] std::vector<std::string> Writable() const {
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

  // A worker that was killed could not tidy up.
  void RemoveWhatIsLeft(const BatchJob& job, const WorkResult& work) const {
    RemoveLeftoversSoon(TargetFolders(job, options_.request.copy_assets));
    std::error_code ignored;
    if (work.process > 0 && !scratch_.empty())
      fs::remove_all(fs::path(scratch_) / std::to_string(work.process), ignored);
  }

  // The result of a job whose worker did not live to tell.
  JobResult Lost(const BatchJob& job, const WorkResult& work) const {
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

  void Finished(std::size_t i, WorkResult work) {
    const BatchJob& job = plan_.jobs[i];
    if (work.end != WorkEnd::kDone) RemoveWhatIsLeft(job, work);
    JobResult result = work.end == WorkEnd::kDone ? Unpack(work.text) : Lost(job, work);
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
    messages_[position_.at(i)] = result.messages;
    arrived_.insert(position_.at(i));
    for (; !arrived_.empty() && *arrived_.begin() == next_message_; ++next_message_) {
      Tell(messages_[next_message_]);
      std::string().swap(messages_[next_message_]);
      arrived_.erase(arrived_.begin());
    }
  }

  // Text and lines of JSON at once; a document is made at the end.
  void Tell(const std::string& messages) {
    const MessageForm form = options_.request.input.form;
    if (form == MessageForm::kText || form == MessageForm::kJson) return progress_.Print(messages);
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);)
      if (std::optional<Diagnostic> message = MessageFromJson(line)) said_.push_back(*message);
  }

  [[nodiscard]] const BatchJob* PlanOf(const std::string& source) const {
    const auto job = std::lower_bound(
        plan_.jobs.begin(), plan_.jobs.end(), source,
        [](const BatchJob& each, const std::string& name) { return each.relative < name; });
    return job != plan_.jobs.end() && job->relative == source ? &*job : nullptr;
  }

  // A failed file's record remembers what an earlier run left in the place of its output and beside
  // it, until it is pruned.
  void MarkStale(std::string& record, const BatchJob& job) const {
    const auto left = earlier_.find(job.relative);
    if (record.empty() || left == earlier_.end() || left->second.empty()) return;
    auto json = nlohmann::ordered_json::parse(record);
    for (const WrittenFile& file : left->second) {
      if (file.path == job.out)
        json["stale"] = file.sha256;
      else
        json["also"].push_back({{"path", file.path}, {"sha256", file.sha256}});
    }
    record = PrintableJson(PrintableJson(json.dump(-1, ' ', false, kReplace)));
  }

  // What was left is gone.
  void Forget(const std::string& source) {
    const auto found = journal_.records().find(source);
    if (found == journal_.records().end()) return;
    auto json = nlohmann::ordered_json::parse(found->second);
    json["stale"] = nullptr;
    json["also"] = nlohmann::ordered_json::array();
    json.erase("check");
    journal_.Append(source, PrintableJson(json.dump(-1, ' ', false, kReplace)));
  }

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

// The report is neither a source nor a target.
void RefuseReport(const std::string& report, const BatchPlan& plan) {
  for (const BatchJob& job : plan.jobs) {
    for (const std::string& other : {job.source, job.out}) {
      if (report == other || SameFile(report, other))
        throw UsageError("--report: '" + report + "' is '" + other + "'");
    }
  }
}

// The scene of one file is not the target of another.
void RefuseScenes(const BatchPlan& plan) {
  std::map<std::string, const BatchJob*> by_target;
  for (const BatchJob& job : plan.jobs) by_target[job.out] = &job;
  for (const BatchJob& job : plan.jobs) {
    const fs::path out(job.out);
    const fs::path scene = out.parent_path() / SceneName(out.filename().string());
    if (const auto other = by_target.find(scene.string()); other != by_target.end())
      throw UsageError("--scene: '" + scene.string() + "' would be the scene of '" + job.source +
                       "' and the target of '" + other->second->source + "'");
  }
}

int RunBatch(BatchOptions options) {
  ConversionOptions& request = options.request;
  const Shard shard = options.shard.empty() ? Shard() : ParseShard(options.shard);
  const std::string extension = Extension(request);
  if (!options.prune.empty() && options.report.empty()) {
    throw UsageError(
        "--prune needs the --report of the earlier run: only what that says was written is "
        "removed");
  }
  CheckAssetOptions(request);
  static_cast<void>(PackageFolders(request.input.packages));
  static_cast<void>(RequestFor(request));  // what is wrong for all is no matter of each file
  if (request.copy_assets == ".." || request.copy_assets.find('/') != std::string::npos) {
    throw UsageError("--copy-assets: in a batch, '" + request.copy_assets +
                     "' must be a name: each file has a folder of its own for it");
  }
  const BatchPlan plan =
      PlanBatch(request.input.path, request.out, extension, options.on_clash == "suffix",
                options.all_models ? ModelsOf([&](const std::vector<std::string>& sources) {
                  return FindModels(sources, request.input, WorkersOf(options), LimitsOf(options));
                })
                                   : nullptr,
                options.globs);
  std::vector<std::size_t> mine;
  std::set<std::string> sources;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    sources.insert(plan.jobs[i].relative);
    if (!plan.jobs[i].left_out && InShard(plan.jobs[i].relative, shard)) mine.push_back(i);
  }
  if (request.scene) RefuseScenes(plan);
  if (options.prune == "yes" && plan.jobs.empty())
    throw UsageError("--prune: there is no description in '" + request.input.path +
                     "' (is it mounted?); --prune=force removes all that the report says was "
                     "written");
  for (const std::string& folder : plan.unreadable)
    std::cerr << "kinemorph: " << Printable(folder) << '\n';
  try {
    if (!options.report.empty()) RefuseReport(options.report, plan);
    Journal journal;
    if (!options.report.empty())
      journal.Open(options.report, options.resume || !options.prune.empty());
    if (journal.dropped() > 0)
      std::cerr << Printable(options.report) << ": warning: " << journal.dropped()
                << (journal.dropped() == 1 ? " line is" : " lines are")
                << " damaged, or not of kinemorph: left out [report-line-dropped]\n";
    request.fingerprints = journal.kept();
    const auto remove_leftovers = [&] {
      RemoveLeftFolders();
      RemoveLeftovers(TargetFolders(plan.jobs, request.copy_assets));
    };
    remove_leftovers();
    request.input.disk = MakeDisk();
    BatchRun run(options, plan, std::move(mine), journal);
    for (const auto& [source, record] : journal.earlier()) run.Remember(source, record);
    int signal = 0;
    {
      const SignalsTold told;
      signal = run.Work();
      // The workers are gone, in the midst of what they did.
      if (signal != 0 || run.stopped())
        RemoveLeftoversSoon(TargetFolders(plan.jobs, request.copy_assets));
    }
    if (signal != 0) EndBySignal(signal);
    remove_leftovers();  // of a batch that was killed a moment ago: its workers held them until now
    const bool pruned = options.prune.empty() || run.stopped() || run.Prune();
    journal.Finish(!options.prune.empty() && pruned && !run.stopped() ? &sources : nullptr);
    const int code = run.Summary();
    return code == kDone && !pruned ? kBadInput : code;
  } catch (const JournalError& error) {
    std::cerr << "kinemorph: " << Printable(error.what(), LineEnds::kIndented) << '\n';
    return kBadInput;
  }
}

}  // namespace

void AddBatch(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand("batch", "convert every description below a folder");
  auto options = std::make_shared<BatchOptions>();
  command->add_option("SRC_DIR", options->request.input.path, "the folder to read")->required();
  command
      ->add_option("-o,--output", options->request.out,
                   "the folder to write; the tree of SRC_DIR is repeated in it")
      ->required();
  command->add_option("--to", options->request.to, "target format")->required();
  command->add_option("-j,--jobs", options->jobs, "worker processes (default: one per core)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--resume", options->resume,
                    "leave out files that would come out as they are already");
  command
      ->add_option("--shard", options->shard,
                   "do only part I of N; which files that are depends on their names alone")
      ->type_name("I/N");
  command
      ->add_option("--report", options->report,
                   "one JSON object per file, kept while the batch runs")
      ->type_name("FILE.jsonl");
  command->add_option("--timeout", options->timeout, "seconds for one file, its proof included")
      ->check(PositiveNumber(kLongestTimeout))
      ->capture_default_str();
  command->add_option("--memory", options->memory, "MB for one file")
      ->check(CLI::Range(64, 1 << 24))
      ->capture_default_str();
  command
      ->add_option("--on-clash", options->on_clash,
                   "two sources with one target: an error, or both keep their whole names")
      ->check(CLI::IsMember({"error", "suffix"}))
      ->capture_default_str();
  AddGlobOptions(*command, options->globs);
  command
      ->add_option("--max-failures", options->max_failures,
                   "try no further files once so many have failed")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 30));
  AddFormOption(*command, options->request.input);
  command
      ->add_flag("--prune{yes}", options->prune,
                 "remove what earlier runs of this --report wrote below DST for sources that are "
                 "gone or fail now; =force: also where that is most of it")
      ->check(CLI::IsMember({"yes", "force"}));
  AddResourceOptions(*command, options->request.input);
  AddXacroOption(*command, options->request.input);
  command->add_flag("--all-models", options->all_models,
                    "of a world with several models each to a file of its name, in a folder of the "
                    "world's name");
  AddConversionOptions(*command, options->request);
  command->remove_option(command->get_option("--loss-report"));
  command->add_flag("--verify", options->request.verify, "prove each conversion");
  AddAssetOptions(*command, options->request);
  command->callback([options, command, &run] {
    options->fingerprint = Fingerprint(*command);
    run = [options] { return RunBatch(*options); };
  });
}

}  // namespace kinemorph::tools
