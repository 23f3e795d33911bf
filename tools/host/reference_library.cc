#include "host/reference_library.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "host/cleanup.h"
#include "host/files.h"
#include "host/judge_answers.h"
#include "host/plain_text.h"
#include "host/program.h"
#include "kinemorph/formats/xml_tags.h"

namespace kinemorph::tools {
namespace {

// The library that defines a format judges a text of ours, in a program of its own (tools/judge):
// it may print, abort or crash. A text that it refuses is not put into place; a library that is not
// installed, or too old to judge, does not count against it.

constexpr int kJudgeSeconds = 60;

// Its libraries take a hundred times as long to start as to load a small file: one process, which
// forks for each file, answers for all files of this one.
std::optional<ProgramResult> AskJudge(const std::string& judge,
                                      const std::vector<std::string>& words) {
  static std::mutex one_at_a_time;
  static std::map<std::string, StandingProgram> judges;  // by path
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const auto it = judges.try_emplace(judge, std::vector<std::string>{judge, "--standing"}).first;
  return it->second.Ask(words, kJudgeSeconds);
}

// Gazebo reads a URDF through libsdformat, for which much is wrong that URDF allows: it says so, and
// the file stays. Nothing where nobody can be asked.
std::optional<Diagnostic> WordOfGazebo(const std::string& judge, const std::string& path,
                                       const std::string& out) {
  const auto verdict = AskJudge(judge, {"sdf", path});
  if (!verdict || verdict->timed_out) return std::nullopt;
  const bool accepted = verdict->exit_code == judge::kAccepted;
  if (!accepted && verdict->exit_code != judge::kRefused) return std::nullopt;
  // Its verdict comes after all that it printed: a line, and below it the reasons.
  const std::string said = PlainText(verdict->output);
  const std::size_t begin = std::min(said.rfind("libsdformat "), said.size());
  const std::size_t line = std::min(said.find('\n', begin), said.size());
  std::string words = said.substr(begin, line - begin);
  if (const std::size_t reason = said.find_first_not_of("\n ", line); reason < said.size())
    words += " " + said.substr(reason, said.find('\n', reason) - reason);
  return MakeDiagnostic(accepted ? Severity::kNote : Severity::kWarning,
                        accepted ? "verify-accepted" : "verify-not-for-gazebo", out, 0, "",
                        {"", out, (accepted ? "" : "Gazebo cannot load the file: ") + words});
}

// Meshes that are written with a text, before they stand beside it.
class WrittenMeshes {
 public:
  /// The text of `written` names them where they are now. What cannot be written stays missing.
  explicit WrittenMeshes(Bundle& written) {
    for (const SideFile& file : written.side_files) {
      if (file.kind != SideFileKind::kMesh) continue;
      if (!folder_) folder_.emplace();
      const std::string path =
          folder_->path() + "/" + std::filesystem::path(file.name).filename().string();
      if (folder_->path().empty() || !WriteWhole(path, file.text).empty()) continue;
      const std::string name = '"' + file.name + '"', now = '"' + path + '"';
      for (std::size_t at = 0; (at = written.text.find(name, at)) != std::string::npos;
           at += now.size())
        written.text.replace(at, name.size(), now);
    }
  }
  /// Empty: there are none.
  [[nodiscard]] std::string folder() const { return folder_ ? folder_->path() : ""; }

 private:
  std::optional<TemporaryFolder> folder_;
};

}  // namespace

bool ReferenceLibraryAccepts(const std::string& judge, const Target& target, const std::string& out,
                             const std::string& folder, std::vector<std::string> fence,
                             Bundle written, Diagnostics& diagnostics) {
  const auto note = [&](Severity severity, const char* code, const std::string& what) {
    diagnostics.Add(MakeDiagnostic(severity, code, out, 0, "", {"", out, what}));
  };
  if (judge.empty()) {
    note(Severity::kNote, "verify-no-judge",
         "no reference library was asked: kinemorph-judge is not installed");
    return true;
  }
  // In the folder of the output: relative names of meshes lead from there.
  const WrittenMeshes meshes(written);
  if (!meshes.folder().empty()) fence.push_back(RealPath(meshes.folder()).string());
  const TemporaryFile file(folder, std::string(target.format->extensions.front()));
  if (file.handle() < 0 || !WriteAll(file.handle(), written.text)) {
    note(Severity::kError, "file-unwritable",
         errno == ENOENT
             ? "its folder does not exist"
             : std::string("no temporary file can be made in its folder: ") + std::strerror(errno));
    return false;
  }

  // MuJoCo's judge makes a changed copy, which it cannot remove itself when it crashes.
  const std::string copy = file.path() + ".judge";  // that the judge makes
  const Doomed doomed(copy);
  std::vector<std::string> question = {std::string(target.format->name), file.path()};
  question.insert(question.end(), fence.begin(), fence.end());
  const auto verdict = AskJudge(judge, question);
  std::error_code error;
  std::filesystem::remove(copy, error);
  if (!verdict) {
    note(Severity::kError, "verify-no-judge", "kinemorph-judge could not be run");
    return false;
  }
  if (verdict->timed_out) {
    note(Severity::kError, "verify-judge-slow",
         "the reference library gave no answer within " + std::to_string(kJudgeSeconds) + " s");
    return false;
  }
  // More than its limit is no word about the text, but nobody knows whether it is good.
  if (verdict->exit_code == judge::kTooLarge) {
    note(Severity::kError, "verify-judge-memory",
         "the reference library needs more memory than kinemorph gives it (" +
             std::to_string(judge::kMegabytes) + " MB, or less with --memory)");
    return false;
  }
  std::string words = PlainText(verdict->output);
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  // All other codes are refusals or crashes.
  const bool accepted = verdict->exit_code == judge::kAccepted;
  if (accepted || verdict->exit_code == judge::kNotJudged) {
    note(Severity::kNote, accepted ? "verify-accepted" : "verify-not-judged", words);
    if (target.format->name == "urdf" && NextTag(written.text, "gazebo"))
      if (auto word = WordOfGazebo(judge, file.path(), out)) diagnostics.Add(std::move(*word));
    return true;
  }
  note(Severity::kError, "verify-refused",
       (verdict->exit_code > 128 ? "the reference library crashed: " : "") + words);
  return false;
}

}  // namespace kinemorph::tools
