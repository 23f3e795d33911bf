#include "batch/plan.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "host/files.h"
#include "kinemorph/formats/formats.h"
#include "session/all_models.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostShards = 10'000;  // each file asks all of them

// Which file becomes which. Names are decided before any work, and the same in every shard. A plan
// is refused as a whole where two sources would write one target, or a target is a source, by
// whatever name or link: the loss of a source could not be mended.

fs::path Followed(const fs::path& path) {
  fs::path real = RealPath(path);
  if (real.empty()) throw UsageError("'" + path.string() + "' cannot be followed");
  return real;
}

// A job for each model of the sources that hold several.
void Split(BatchPlan& plan, const ModelsOf& models) {
  // Those that --exclude leaves out stay in the plan without a target, so that pruning does not take
  // them for gone.
  std::vector<std::string> sources;
  for (const BatchJob& job : plan.jobs)
    if (!job.left_out) sources.push_back(job.source);
  std::vector<ModelsFound> found = models(sources);
  std::vector<BatchJob> jobs;
  std::size_t next = 0;
  for (BatchJob& job : plan.jobs) {
    ModelsFound of_job = job.left_out ? ModelsFound() : std::move(found.at(next++));
    job.lost = std::move(of_job.lost);
    if (of_job.names.size() < 2) {
      jobs.push_back(std::move(job));
      continue;
    }
    const std::vector<std::string> files = FileNamesOf(of_job.names);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string& name = of_job.names[i];
      jobs.push_back({job.relative + "::" + name, job.source, "", "", name, false, files[i]});
    }
  }
  // By name: Pruner and BatchRun look jobs up by bisection.
  std::sort(jobs.begin(), jobs.end(),
            [](const BatchJob& a, const BatchJob& b) { return a.relative < b.relative; });
  plan.jobs = std::move(jobs);
}

bool IsWritten(const BatchJob& job) { return !job.left_out && !job.lost; }

// WORLD/MODEL.ext, or with whole names WORLD.sdf/MODEL.ext.
// The file of a model in a folder of its source's name.
std::string OutOfModel(const BatchJob& job, const fs::path& destination, bool whole_name,
                       std::string_view extension) {
  fs::path folder =
      destination / job.relative.substr(0, job.relative.size() - job.model.size() - 2);
  if (!whole_name) folder.replace_extension();
  return (folder / (job.model_file + std::string(extension))).string();
}

// The jobs that have one target, also where the system tells no capital letters from small ones.
std::map<std::string, std::vector<std::size_t>> Clashes(const std::vector<BatchJob>& jobs) {
  std::map<std::string, std::vector<std::size_t>> by_target;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (IsWritten(jobs[i])) by_target[NameWithoutCase(jobs[i].out)].push_back(i);
  std::erase_if(by_target, [](const auto& entry) { return entry.second.size() < 2; });
  return by_target;
}

[[noreturn]] void RefuseJobsOfOneFile(
    const std::map<std::string, std::vector<std::size_t>>& clashes,
    const std::vector<BatchJob>& jobs) {
  // Ten are enough to see the pattern.
  std::string words;
  std::size_t named = 0;
  for (const auto& [name, sources] : clashes) {
    if (++named > 10) {
      words += "\n... and " + std::to_string(clashes.size() - 10) + " more";
      break;
    }
    words += words.empty() ? "" : "\n";
    for (std::size_t i = 0; i < sources.size(); ++i)
      words += (i == 0 ? "'" : " and '") + jobs[sources[i]].source + "'";
    const std::string& out = jobs[sources.front()].out;
    words += " have one target '" + out + "'";
    if (std::any_of(sources.begin(), sources.end(),
                    [&](std::size_t i) { return jobs[i].out != out; }))
      words += " where capital letters are taken for small ones";
  }
  throw UsageError(words +
                   "\n(--on-clash suffix keeps their whole names, and numbers them where these "
                   "clash too: arm.sdf and arm.urdf become arm.sdf.xml and arm.urdf.xml)");
}

// Gives whole names to those that clash; of names that differ in the size of letters alone, all but
// the first a number too. Each round settles at least one of them for good.
void Suffix(std::vector<BatchJob>& jobs, const fs::path& destination, std::string_view extension) {
  // Whole names may clash with names that stood alone so far, hence the rounds.
  std::vector<bool> whole(jobs.size(), false);
  for (auto clashes = Clashes(jobs); !clashes.empty(); clashes = Clashes(jobs)) {
    for (const auto& [name, sources] : clashes) {
      int number = 0;
      for (const std::size_t i : sources) {
        BatchJob& job = jobs[i];
        if (whole[i]) {
          if (++number > 1)
            job.out = fs::path(job.out).replace_extension().string() + "_" +
                      std::to_string(number) + std::string(extension);
          continue;
        }
        whole[i] = true;
        job.out = job.model.empty()
                      ? (destination / (job.relative + std::string(extension))).string()
                      : OutOfModel(job, destination, true, extension);
      }
    }
  }
}

// Existing targets and the folders of targets, against the sources themselves: names may differ
// where files are linked.
void RefuseOverwriting(const std::vector<BatchJob>& jobs, const fs::path& source) {
  // By device and inode: names tell nothing where files are linked.
  std::map<std::pair<dev_t, ino_t>, const BatchJob*> by_file;
  struct stat info {};
  for (const BatchJob& job : jobs) {
    if (::stat(job.source.c_str(), &info) == 0)
      by_file.emplace(std::pair{info.st_dev, info.st_ino}, &job);
  }
  std::unordered_map<std::string, std::pair<fs::path, bool>>
      folders;  // where a target's folder really is, and whether inside `source`
  std::unordered_map<std::string, const BatchJob*> taken;
  for (const BatchJob& job : jobs) {
    if (!IsWritten(job)) continue;
    const fs::path out = job.out;
    const auto [folder, fresh] = folders.try_emplace(out.parent_path().string());
    if (fresh) {
      folder->second.first = Followed(out.parent_path());
      folder->second.second = Inside(folder->second.first, source);
    }
    if (folder->second.second) {
      throw UsageError("the target '" + job.out + "' of '" + job.source +
                       "' lies in the source folder '" + source.string() + "'");
    }
    // The folder by its real path, the name without regard to capital letters.
    const auto [other, first] =
        taken.emplace(NameWithoutCase((folder->second.first / out.filename()).string()), &job);
    if (!first) {
      throw UsageError("'" + other->second->source + "' and '" + job.source +
                       "' have one target '" + job.out + "' through a linked folder");
    }

    // What stands at a target already may be a link to a source.
    if (::stat(job.out.c_str(), &info) != 0) continue;
    if (const auto found = by_file.find({info.st_dev, info.st_ino}); found != by_file.end()) {
      throw UsageError("the target '" + job.out + "' of '" + job.source + "' is the source '" +
                       found->second->source + "'");
    }
  }
}

// Rendezvous hashing: a file belongs to the shard with the highest score for its name. With N + 1
// shards only every (N + 1)th file moves, and no shard needs a list of all files.
// FNV-1a over the name, then the finaliser of splitmix64 over name and shard.
std::uint64_t ScoreOf(std::uint64_t name, std::uint64_t shard) {
  std::uint64_t z = name + (shard + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

BatchPlan PlanBatch(const std::string& source, const std::string& destination,
                    std::string_view extension, bool suffix_on_clash, const ModelsOf& models,
                    const Globs& globs, bool allow_outside) {
  if (!fs::is_directory(source)) throw UsageError("'" + source + "' is not a folder");
  // A target folder in the source folder would be read by the next run.
  const fs::path real = Followed(source), into = Followed(destination);
  if (real == into)
    throw UsageError("the folder to write, '" + destination + "', is the folder to read, '" +
                     source + "'");
  if (Inside(into, real)) {
    throw UsageError("the folder to write, '" + destination + "', lies in the folder to read, '" +
                     source + "': its files would be converted again");
  }
  // Folders that cannot be read are told, and the rest is converted.
  Descriptions found = DescriptionsBelow(source, globs, allow_outside);
  BatchPlan plan;
  for (Description& each : found.all)
    plan.jobs.push_back({each.relative, each.path, "", "", "", each.left_out});
  plan.unreadable = std::move(found.unreadable);
  if (models) Split(plan, models);
  for (BatchJob& job : plan.jobs) {
    if (!job.model.empty()) {
      job.out = OutOfModel(job, destination, false, extension);
      continue;
    }
    fs::path out = fs::path(destination) / job.relative;
    if (IsXacro(job.relative) && FormatForExtension(out.stem().string())) out.replace_extension();
    job.out = out.replace_extension(extension).string();  // arm.urdf.xacro becomes arm.sdf
  }
  if (suffix_on_clash) {
    Suffix(plan.jobs, destination, extension);
  } else if (const auto clashes = Clashes(plan.jobs); !clashes.empty()) {
    RefuseJobsOfOneFile(clashes, plan.jobs);
  }
  for (BatchJob& job : plan.jobs)
    job.place = fs::path(job.out).lexically_relative(destination).generic_string();
  RefuseOverwriting(plan.jobs, real);
  return plan;
}

Shard ParseShard(const std::string& text) {
  Shard shard;
  const std::size_t slash = text.find('/');
  try {
    std::size_t used_i = 0, used_n = 0;
    if (slash == std::string::npos) throw std::invalid_argument("no slash");
    shard.index = std::stoul(text.substr(0, slash), &used_i);
    shard.count = std::stoul(text.substr(slash + 1), &used_n);
    if (used_i != slash || used_n != text.size() - slash - 1 || shard.index < 1 ||
        shard.index > shard.count || shard.count > kMostShards) {
      throw std::invalid_argument("range");
    }
  } catch (const std::exception&) {
    throw UsageError("--shard: '" + text +
                     "' is not I/N with 1 <= I <= N <= " + std::to_string(kMostShards));
  }
  return shard;
}

bool InShard(std::string_view relative, const Shard& shard) {
  std::uint64_t name = 0xcbf29ce484222325U;
  for (const char c : relative) name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  const std::uint64_t mine = ScoreOf(name, shard.index);
  for (std::size_t other = 1; other <= shard.count; ++other) {
    const std::uint64_t weight = ScoreOf(name, other);
    if (weight > mine || (weight == mine && other < shard.index)) return false;
  }
  return true;
}

}  // namespace kinemorph::tools
