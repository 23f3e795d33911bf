#include "session/outputs.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "host/files.h"
#include "session/session.h"

namespace kinemorph::tools {

// Three questions before something is written. Is it read (RefuseInputs)? Do two outputs meet
// (RefuseClashes)? Is it somebody else's (RefuseForeign)? The last one is answered by a mark in the
// text: what kinemorph writes beside OUT says so in itself.

void RefuseInputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const std::string& out : outputs) {
    if (out.empty() || out == "-" || !std::filesystem::exists(out, error)) continue;
    for (const std::string& in : inputs)
      if (!in.empty() && SameFile(in, out))
        throw UsageError("'" + out + "' is '" + in +
                         "', which is read: the command would overwrite it");
  }
}

void RequireEnding(const std::string& option, const std::string& out,
                   const std::vector<std::string>& endings) {
  const std::string ending = std::filesystem::path(out).extension().string();
  if (ending.empty() || std::ranges::find(endings, ending) != endings.end()) return;
  std::string list;
  for (const std::string& each : endings) list += (list.empty() ? "" : " or ") + each;
  throw UsageError(option + ": '" + out + "' does not end in " + list +
                   ", and the command writes nothing else there");
}

namespace {

// A name that leads through links, and the file itself where it is there already.
// All by which two names can be told to be of one file.
std::vector<std::string> MarksOf(const std::string& out) {
  if (out == "-") return {out};
  std::vector<std::string> marks = {OneName(out)};
  struct stat info {};
  if (::stat(out.c_str(), &info) == 0 && S_ISREG(info.st_mode))
    marks.push_back(std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino));
  return marks;
}

}  // namespace

void RefuseClashes(const std::vector<std::string>& outputs) {
  std::map<std::string, const std::string*> taken;
  for (const std::string& out : outputs) {
    // Many outputs may go to the null device.
    if (out.empty() || OneName(out) == "/dev/null") continue;
    for (const std::string& mark : MarksOf(out)) {
      const std::string*& other = taken[mark];
      if (other != nullptr && other != &out)
        throw UsageError((*other == out ? "'" + out + "' is named for two outputs"
                                        : "'" + *other + "' and '" + out + "' are one file") +
                         ": the command would write one output over the other");
      other = &out;
    }
  }
}

namespace {

bool MayReplace(const std::string& path, const std::function<bool(const std::string& text)>& ours) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  // A link that leads nowhere would create a file somewhere else.
  if (path == "-" || !std::filesystem::exists(status)) return true;
  if (std::filesystem::is_symlink(status) && !std::filesystem::exists(path, error))
    return false;  // it leads nowhere, and is somebody's
  std::string why;
  const std::optional<std::string> there = ReadWhole(path, why);
  // What cannot be read, as a folder or a pipe, writing refuses in its own words.
  return !there || there->empty() || ours(*there);
}

}  // namespace

bool MayReplace(const std::string& path, std::string_view text, std::string_view mark) {
  // With the same text nothing is lost either.
  return MayReplace(path, [&](const std::string& there) {
    return (!text.empty() && there == text) || there.find(mark) != std::string::npos;
  });
}

void RefuseForeign(const std::string& path,
                   const std::function<bool(const std::string& text)>& ours) {
  if (!path.empty() && !MayReplace(path, ours))
    throw UsageError("'" + path +
                     "' is there already, was not written by such a command, and stays as it is: "
                     "name another file, or remove it");
}

void RefuseForeign(const std::string& path, std::string_view mark) {
  RefuseForeign(path,
                [&](const std::string& there) { return there.find(mark) != std::string::npos; });
}

}  // namespace kinemorph::tools
