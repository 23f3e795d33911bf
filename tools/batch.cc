// kinemorph batch: a folder of descriptions, in parallel, resumable and in shards.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "conversion.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

struct Job {
  std::string source, out, relative;
};

// Every file below `folder` whose extension is of a known format, sorted by path.
std::vector<fs::path> Descriptions(const fs::path& folder) {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied);
       it != fs::recursive_directory_iterator(); ++it) {
    if (it->is_regular_file() && FormatForExtension(it->path().string())) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// "I/N", 1-based.
void ParseShard(const std::string& text, std::size_t& index, std::size_t& count) {
  const std::size_t slash = text.find('/');
  try {
    std::size_t used_i = 0, used_n = 0;
    if (slash == std::string::npos) throw std::invalid_argument("no slash");
    index = std::stoul(text.substr(0, slash), &used_i);
    count = std::stoul(text.substr(slash + 1), &used_n);
    if (used_i != slash || used_n != text.size() - slash - 1 || index < 1 || index > count) throw std::invalid_argument("range");
  } catch (const std::exception&) { throw UsageError("--shard: '" + text + "' is not I/N with 1 <= I <= N"); }
}

std::string Extension(const ConversionRequest& request) {
  std::string version;
  return std::string(FormatNamed(request.to, version)->extensions.front());
}

std::vector<Job> Plan(const fs::path& source, const fs::path& destination, const std::string& extension, const std::string& shard) {
  std::size_t index = 1, count = 1;
  if (!shard.empty()) ParseShard(shard, index, count);
  std::vector<Job> jobs;
  std::set<std::string> taken;
  std::size_t position = 0;
  for (const fs::path& file : Descriptions(source)) {
    const fs::path relative = file.lexically_relative(source);
    fs::path out = destination / relative;
    out.replace_extension(extension);
    // arm.sdf and arm.urdf in one folder: the later one keeps its own extension in the name.
    if (!taken.insert(out.string()).second) out = destination / (relative.string() + extension);
    if (position++ % count == index - 1) jobs.push_back({file.string(), out.string(), relative.string()});
  }
  return jobs;
}

std::string ReportLine(const Job& job, int code, const Diagnostics& diagnostics, const LossReport& report) {
  nlohmann::ordered_json line = {
      {"source", job.relative}, {"out", code == kDone ? job.out : ""}, {"exit_code", code}, {"losses", report.losses.size()}};
  line["diagnostics"] = nlohmann::ordered_json::array();
  for (const Diagnostic& item : diagnostics.items()) {
    if (item.severity == Severity::kNote) continue;
    line["diagnostics"].push_back(
        {{"severity", Name(item.severity)}, {"code", item.code}, {"file", item.file}, {"line", item.line}, {"message", item.message}});
  }
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

struct Options {
  ConversionRequest request;
  std::string shard, report;
  int jobs = 0;
  bool resume = false;
};

int Run(const Options& options) {
  const fs::path source = options.request.input.path, destination = options.request.out;
  if (!fs::is_directory(source)) throw UsageError("'" + source.string() + "' is not a folder");
  const std::vector<Job> jobs = Plan(source, destination, Extension(options.request), options.shard);
  std::ofstream report;
  if (!options.report.empty()) {
    report.open(options.report, options.resume ? std::ios::app : std::ios::trunc);
    if (!report) throw UsageError("--report: '" + options.report + "' cannot be written");
  }
  std::mutex mutex;
  std::size_t done = 0, skipped = 0, failed = 0;
  std::vector<std::string> lines(jobs.size());
  std::size_t next_line = 0;
  // Lines come out in the order of the files, whatever the number of threads.
  const auto finish = [&](std::size_t i, std::string line, std::string messages, bool good) {
    const std::lock_guard lock(mutex);
    (good ? done : failed) += 1;
    std::cerr << messages;
    lines[i] = std::move(line);
    for (; next_line < lines.size() && !lines[next_line].empty(); ++next_line) {
      if (report.is_open() && lines[next_line] != "-") report << lines[next_line] << std::flush;
      lines[next_line].assign("-");
      lines[next_line].shrink_to_fit();
    }
  };
  const auto convert = [&](std::size_t i) {
    const Job& job = jobs[i];
    std::error_code error;
    if (options.resume && fs::exists(job.out, error) && fs::last_write_time(job.out, error) >= fs::last_write_time(job.source, error)) {
      const std::lock_guard lock(mutex);
      ++skipped;
      lines[i] = "-";
      return;
    }
    ConversionRequest request = options.request;
    request.input.path = job.source;
    request.out = job.out;
    Diagnostics diagnostics;
    LossReport losses;
    int code = kInternal;
    fs::create_directories(fs::path(job.out).parent_path(), error);
    try {
      code = RunConversion(request, diagnostics, losses);
    } catch (const std::exception& exception) {
      diagnostics.Add({Severity::kError, "internal", job.source, 0, "", "'" + job.source + "': " + exception.what(), {}});
    }
    std::string messages;
    if (code != kDone) {
      for (const Diagnostic& item : diagnostics.items()) {
        if (item.severity == Severity::kError) messages += Render(item) + "\n";
      }
    }
    finish(i, ReportLine(job, code, diagnostics, losses), std::move(messages), code == kDone);
  };
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                                                   : tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  tbb::parallel_for(std::size_t{0}, jobs.size(), convert);
  for (; next_line < lines.size(); ++next_line)
    if (report.is_open() && lines[next_line] != "-") report << lines[next_line];
  std::cout << "converted " << done << ", skipped " << skipped << ", failed " << failed << " of " << jobs.size() << '\n';
  return failed == 0 ? kDone : kBadInput;
}

}  // namespace

void AddBatch(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand("batch", "convert every description below a folder");
  auto options = std::make_shared<Options>();
  command->add_option("SRC_DIR", options->request.input.path, "the folder to read")->required();
  command->add_option("-o,--output", options->request.out, "the folder to write; the tree of SRC_DIR is repeated in it")->required();
  command->add_option("--to", options->request.to, "target format")->required();
  command->add_option("-j,--jobs", options->jobs, "threads (default: all)")->check(CLI::PositiveNumber);
  command->add_flag("--resume", options->resume, "leave out files whose result is newer than the source");
  command->add_option("--shard", options->shard, "do only part I of N")->type_name("I/N");
  command->add_option("--report", options->report, "one JSON object per file")->type_name("FILE.jsonl");
  command->add_option("--package", options->request.input.packages, "where a package:// or model:// name lives (NAME=DIR), repeatable")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
  AddConversionOptions(*command, options->request);
  command->remove_option(command->get_option("--loss-report"));
  command->add_flag("--verify", options->request.verify, "prove each conversion");
  command->callback([options, &run] { run = [options] { return Run(*options); }; });
}

}  // namespace kinemorph::tools
