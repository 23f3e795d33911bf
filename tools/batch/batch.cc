// kinemorph batch: a folder of descriptions, in parallel, resumable and in shards. Plan, then work,
// then put the report in order.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "batch/models.h"
#include "batch/run.h"
#include "host/cleanup.h"
#include "host/sha256.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/model/model_dump.h"

#ifndef KINEMORPH_VERSION
#define KINEMORPH_VERSION "unknown"
#endif

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// A batch goes through four stages: PlanBatch decides which file becomes which, and refuses the
// whole run where two would meet; workers convert, one process for each file at a time; the journal
// takes a record of each file as it is done; at the end stale outputs may be pruned and the report
// is put in order. Whatever ends a batch in between, --resume goes on from the journal.

// Options that say how to work, not what comes out. Every other option, also one that is yet to
// come, is part of the fingerprint.
const std::set<std::string> kNotInFingerprint = {
    "SRC_DIR",  "--output",  "--jobs",    "--resume",       "--shard",
    "--report", "--timeout", "--memory",  "--on-clash",     "--prune",
    "--help",   "--include", "--exclude", "--max-failures", "--diagnostics"};

std::string Fingerprint(const CLI::App& command) {
  // All that changes what comes out is in the hash that each record holds: options that were given,
  // in the order of the table, and the version. A new option counts without anybody thinking of it.
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

// With links two names may be one file, also where capital letters differ.
// The report is neither a source nor a target.
void RefuseReport(const std::string& report, const BatchPlan& plan) {
  for (const BatchJob& job : plan.jobs) {
    for (const std::string& other : {job.source, job.out}) {
      if (OneName(report) == OneName(other) || SameFile(report, other))
        throw UsageError("--report: '" + report + "' is '" + other + "'");
    }
  }
}

int RunBatch(BatchOptions options) {
  ConversionOptions& request = options.request;
  const Shard shard = options.shard.empty() ? Shard() : ParseShard(options.shard);
  const std::string extension = Extension(request);
  // All wrong use ends the command here, before anything is written or removed.
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
                options.globs, request.input.allow_outside);
  // Files of other shards are planned, too: clashes are those of the whole batch, and each shard
  // must see the same.
  std::vector<std::size_t> mine;
  std::set<std::string> sources;
  std::vector<std::string> outs;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    sources.insert(plan.jobs[i].relative), outs.push_back(plan.jobs[i].out);
    if (!plan.jobs[i].left_out && InShard(plan.jobs[i].relative, shard)) mine.push_back(i);
  }
  if (!options.report.empty()) outs.push_back(options.report);
  // No scene, side-car or copied mesh of one file may be the output of another one.
  request.targets = TargetsOf(outs, request.scene);

  // A folder that is not mounted looks like one in which every source is gone.
  if (options.prune == "yes" && plan.jobs.empty())
    throw UsageError("--prune: there is no description in '" + request.input.path +
                     "' (is it mounted?); --prune=force removes all that the report says was "
                     "written");
  for (const std::string& why : plan.unreadable)
    std::cerr << "kinemorph: " << Printable(why) << '\n';
  try {
    if (!options.report.empty()) RefuseReport(options.report, plan);
    Journal journal;
    if (!options.report.empty())
      journal.Open(options.report, options.resume || !options.prune.empty());
    if (journal.dropped() > 0)
      std::cerr << Printable(options.report) << ": warning: " << journal.dropped()
                << (journal.dropped() == 1 ? " line is" : " lines are")
                << " damaged, or not of kinemorph: left out [report-line-dropped]\n";
    // Without a report nobody asks for hashes.
    request.fingerprints = journal.kept();
    request.one_of_many = true;
    const auto remove_leftovers = [&] {
      RemoveLeftFolders();
      RemoveLeftovers(TargetFolders(plan.jobs, request.copy_assets));
    };
    remove_leftovers();
    // All workers share what they know of folders on the disk.
    request.input.disk = MakeDisk();
    BatchRun run(options, plan, std::move(mine), journal);
    for (const auto& [source, record] : journal.earlier()) run.Remember(source, record);
    int signal = 0;
    // While workers run, a signal is only noted: they are dismissed, and what they left is removed,
    // before the process ends by it.
    {
      const SignalsTold told;
      signal = run.Work();
      // The workers are gone, in the midst of what they did.
      if (signal != 0 || run.stopped())
        RemoveLeftoversSoon(TargetFolders(plan.jobs, request.copy_assets));
    }
    if (signal != 0) EndBySignal(signal);
    remove_leftovers();  // of a batch that was killed a moment ago: its workers held them until now

    // Pruning looks at what this run wrote, so it comes after it; a run that was cut short has not
    // tried every source.
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
  CLI::App* command = app.add_subcommand(
      "batch", "Convert all robot descriptions in a folder and in the folders below.");
  auto options = std::make_shared<BatchOptions>();
  command->add_option("SRC_DIR", options->request.input.path, "the folder to read")
      ->type_name("DIR")
      ->required();
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output", options->request.out,
                   "the folder to write, with the same folders below as SRC_DIR")
      ->type_name("DIR")
      ->required();
  StartGroup(*command, kRunGroup);
  command
      ->add_option("-j,--jobs", options->jobs,
                   "how many worker processes run in parallel; without this option, one per core")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--resume", options->resume,
                    "leave out files whose result is up to date already");
  command
      ->add_option("--shard", options->shard,
                   "convert only part I of N; the names of the files decide the part")
      ->type_name("I/N");
  command
      ->add_option("--report", options->report,
                   "write one line of JSON for each file, while the batch runs")
      ->type_name("FILE.jsonl");
  StartGroup(*command, kLimitGroup);
  command
      ->add_option("--timeout", options->timeout,
                   "the most seconds for one file, its proof included")
      ->type_name("SECONDS")
      ->check(PositiveNumber(kLongestTimeout))
      ->capture_default_str();
  command->add_option("--memory", options->memory, "the most memory (MB) for one file")
      ->type_name("MB")
      ->check(CLI::Range(64, 1 << 24))
      ->capture_default_str();
  StartGroup(*command, kRunGroup);
  command
      ->add_option(
          "--on-clash", options->on_clash,
          "where two sources would write one target, also on a system that takes capital letters "
          "for small ones: report an error, or add the extension of the source to both names "
          "(suffix)")
      ->type_name("WORD")
      ->check(OneOf({"error", "suffix"}))
      ->capture_default_str();
  AddGlobOptions(*command, options->globs);
  StartGroup(*command, kLimitGroup);
  command->add_option("--max-failures", options->max_failures, "stop after so many failed files")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 30));
  AddFormOption(*command, options->request.input);
  StartGroup(*command, kRunGroup);
  command
      ->add_flag(
          "--prune{yes}", options->prune,
          "remove files that earlier runs with this --report wrote for sources that are gone "
          "or fail now. force: even if most files would be removed")
      ->type_name("WORD")
      ->check(OneOf({"yes", "force"}));
  AddResourceOptions(*command, options->request.input);
  AddXacroOption(*command, options->request.input);
  command->add_flag("--all-models", options->all_models,
                    "write each model of a world to its own file, in a folder with the name of the "
                    "world");
  // Options of the run are declared above; those of the conversion come from the table of the
  // library, without what only one file can have (kOfBatch).
  AddOptions<ConversionRequest>(*command, options->request, kOfBatch);
  command->get_option("--to")->required();
  AddAssetOptions(*command, options->request);
  command->callback([options, command, &run] {
    options->fingerprint = Fingerprint(*command);
    run = [options] { return RunBatch(*options); };
  });
}

}  // namespace kinemorph::tools
