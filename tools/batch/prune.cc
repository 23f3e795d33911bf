#include "batch/prune.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/asset_kinds.h"
#include "host/files.h"
#include "host/sha256.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/printable.h"
#include "session/all_models.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// Removing files by a text is dangerous, so every name in the report is checked anew: below DST,
// not below SRC, no file that is read, at a place where a conversion of its source writes, and with
// the content that was written. Plan decides, Remove acts; in between the batch may say no.

std::string TextAt(const nlohmann::json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string()
             ? object[key].get<std::string>()
             : std::string();
}

// Jobs are sorted by name.
bool Planned(const BatchPlan& plan, const std::string& source) {
  const auto job = std::lower_bound(
      plan.jobs.begin(), plan.jobs.end(), source,
      [](const BatchJob& each, const std::string& name) { return each.relative < name; });
  return job != plan.jobs.end() && job->relative == source;
}

// What is written beside others begins with their name: a description, its scene, its side-car.
bool IsEndOfOutput(const std::string& end) {
  if (end == "_scene.xml" || end == ".yml" || end == ".yaml" || end == ".srdf" ||
      end == "_isaaclab.py")
    return true;
  for (const Format& format : AllFormats())
    for (const std::string_view extension : format.extensions)
      if (end == extension) return true;
  return false;
}

// In a folder of its own a file has what is copied, and code.
bool IsNameInOwnFolder(const fs::path& path) {
  return IsAssetName(path.string()) || path.extension() == ".c";
}

// Where the name itself stands, be it a link.
fs::path PlaceOf(const fs::path& path) {
  return RealPath(path.has_parent_path() ? path.parent_path() : ".") / path.filename();
}

}  // namespace

// A record of a failed file says in "stale" and "also" what an earlier run left; its own output is
// at the target then, not in "out".
std::vector<WrittenFile> FilesOf(const std::string& text, const std::string& target) {
  const nlohmann::json record = nlohmann::json::parse(text, nullptr, false);
  std::vector<WrittenFile> files;
  if (!record.is_object()) return files;
  const std::string stale = TextAt(record, "stale");
  const std::string out = stale.empty() ? TextAt(record, "out") : target;
  if (!out.empty())
    files.push_back(
        {out, stale.empty() ? TextAt(record.value("sha256", nlohmann::json()), "out") : stale});
  const nlohmann::json also = record.value("also", nlohmann::json());
  for (const nlohmann::json& item : also)
    if (const std::string path = TextAt(item, "path"); !path.empty())
      files.push_back({path, TextAt(item, "sha256")});
  return files;
}

Pruner::Pruner(const BatchPlan& plan, const std::string& source, const std::string& destination)
    : plan_(plan), source_(RealPath(source)), destination_(RealPath(destination)) {
  for (const BatchJob& job : plan.jobs) read_.insert(RealPath(job.source).string());
}

void Pruner::Keep(const std::string& path) { standing_.insert(PlaceOf(path).string()); }

void Pruner::Remember(const std::string& source, const std::vector<WrittenFile>& files) {
  earlier_[source] = files;
}

// The names that outputs of a source begin with: its own, with its extension and without. None
// where it has no name of a description, which makes it no source.
std::vector<fs::path> Pruner::NamesOf(const std::string& source) const {
  std::vector<fs::path> names;
  const fs::path own = (destination_ / source).lexically_normal();
  const auto is_description = [](const fs::path& path) {
    return path.has_extension() && FormatForExtension(path.filename().string()) != nullptr;
  };
  const bool xacro = own.extension() == ".xacro";
  if (!Inside(own, destination_) || !(xacro || is_description(own))) return names;
  names = {own, fs::path(own).replace_extension()};
  if (xacro && is_description(names.back()))  // arm.urdf.xacro becomes arm.sdf
    names.push_back(fs::path(names.back()).replace_extension());
  return names;
}

// The output of `source`, or what goes with it: in the folder that has its name, or beside it under
// a name that begins with its own. A model of a world has its name in the folder of the world's.
// The order of the tests is from the sure to the likely: the folder of its name, then names beside
// it that begin with its own.
bool Pruner::InPlace(const std::string& source, const fs::path& real) const {
  std::vector<fs::path> names = NamesOf(source);
  const std::size_t colons = source.rfind("::");
  const bool model = names.empty() && colons != std::string::npos;
  if (model) {
    names = NamesOf(source.substr(0, colons));
    for (fs::path& name : names) name /= FileNamesOf({source.substr(colons + 2)}).front();
  }
  for (const fs::path& name : names) {
    if (real != name && Inside(real, name)) return IsNameInOwnFolder(real);
    const std::string file = real.filename().string(), start = name.filename().string();
    if (real.parent_path() != name.parent_path() || !file.starts_with(start)) continue;
    std::string end = file.substr(start.size());
    if (model && end.starts_with('_') && !IsEndOfOutput(end))  // its name was taken: arm_2.urdf
      end.erase(0, std::min(end.find_first_not_of("0123456789", 1), end.size()));
    if (IsEndOfOutput(end)) return true;
  }
  return false;
}

void Pruner::Look(const std::string& source, const WrittenFile& file) {
  std::error_code error;
  const fs::path path(file.path);
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return;
  // The name where it stands, links of folders followed: a link inside DST could lead anywhere.
  const fs::path real = PlaceOf(path);
  if (destination_.empty() || !Inside(real, destination_) || Inside(real, source_) ||
      read_.count(real.string()) > 0 || !InPlace(source, real)) {
    ++outside_;
    return;
  }
  ++there_;
  if (standing_.count(real.string()) > 0) return;
  // Somebody has worked on it since.
  if (!fs::is_regular_file(status) || file.sha256.empty() ||
      file.sha256 != Sha256OfFile(real.string())) {
    const std::string name = Printable(file.path);
    messages_ += name + ": warning: '" + name + "' (from '" + Printable(source) +
                 "') was changed since it was written; --prune keeps it [prune-kept]\n";
    return;
  }
  going_.push_back(real);
}

std::string Pruner::Plan() {
  const auto count = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  // A source that wrote nothing says nothing about how much is gone.
  for (const auto& [source, files] : earlier_) {
    gone_sources_ += !files.empty() && !Planned(plan_, source);
    for (const WrittenFile& file : files) Look(source, file);
  }
  std::sort(going_.begin(), going_.end());
  going_.erase(std::unique(going_.begin(), going_.end()), going_.end());
  if (outside_ > 0)
    messages_ += "kinemorph: " + count(outside_, "file") + " that the report names " +
                 (outside_ == 1 ? "is" : "are") + " not of '" + Printable(destination_.string()) +
                 "', or no output of their source: kept [prune-outside]\n";
  if (going_.empty()) return "";
  // The three brakes: parts of the source folder unread, more than half of the sources gone, more
  // than two thirds of the files to go. Each looks like a mistake of the command line.
  const std::string would = "--prune would remove " + std::to_string(going_.size()) + " of " +
                            count(there_, "file") + " that the report names";
  if (!plan_.unreadable.empty()) return would + ", and not all of the folder could be read";
  const auto with_files = std::count_if(earlier_.begin(), earlier_.end(),
                                        [](const auto& each) { return !each.second.empty(); });
  if (2 * gone_sources_ > static_cast<std::size_t>(with_files))
    return would + ": " + std::to_string(gone_sources_) + " of " + std::to_string(with_files) +
           " sources are gone";
  return 3 * going_.size() > 2 * there_ ? would : "";
}

std::size_t Pruner::Remove() const {
  std::size_t removed = 0;
  for (const fs::path& file : going_) {
    std::error_code error;
    if (!fs::remove(file, error)) continue;
    ++removed;
    // Folders that are empty now were made for these files.
    for (fs::path folder = file.parent_path();
         folder != destination_ && Inside(folder, destination_) && fs::is_empty(folder, error) &&
         !error && fs::remove(folder, error);)
      folder = folder.parent_path();
  }
  return removed;
}

}  // namespace kinemorph::tools
