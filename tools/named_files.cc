#include "named_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "batch_plan.h"
#include "session.h"

namespace kinemorph::tools {
namespace {

bool MatchesAny(const std::string& path, const std::vector<std::string>& globs) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return ::fnmatch(glob.c_str(), path.c_str(), 0) == 0 ||
           ::fnmatch(glob.c_str(), path.substr(path.rfind('/') + 1).c_str(), 0) == 0;
  });
}

}  // namespace

bool Globs::Take(const std::string& path) const {
  return (include.empty() || MatchesAny(path, include)) && !MatchesAny(path, exclude);
}

void AddGlobOptions(CLI::App& command, Globs& globs) {
  StartGroup(command, kInputGroup);
  command
      .add_option("--include", globs.include,
                  "read only files of a folder whose path or name matches")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option("--exclude", globs.exclude,
                  "leave out files of a folder whose path or name matches")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

NamedFiles FilesNamed(const std::vector<std::string>& paths, const Globs& globs,
                      bool allow_outside) {
  NamedFiles named;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      named.files.push_back(path);
      continue;
    }
    const BatchPlan plan = DescriptionsBelow(path, globs, allow_outside);
    for (const std::string& why : plan.unreadable)
      std::cerr << "kinemorph: " << Printable(why) << '\n';
    named.all = named.all && plan.unreadable.empty();
    // Of "." they are named as annotations name the files of a repository, without "./".
    for (const BatchJob& job : plan.jobs)
      if (!job.left_out)
        named.files.push_back(std::filesystem::path(job.source).lexically_normal().string());
  }
  return named;
}

}  // namespace kinemorph::tools
