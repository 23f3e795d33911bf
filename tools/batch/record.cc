#include "batch/record.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <sstream>
#include <unordered_map>

#include "host/sha256.h"
#include "kinemorph/converters/json.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// One file of a batch, in a worker: converted, and described by one line of JSON. The line holds
// the hashes of all that went in and came out, so that --resume can tell without converting that
// the result still stands (StillHolds). Pack and Unpack carry the result from the worker to the
// parent.

// The largest resident memory since ResetPeak, in kB.
long PeakMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stol(line.substr(6));
  }
  return 0;
}

// Workers live from file to file; without a reset the peak would be that of the largest file so
// far.
void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// Meshes are shared between robots: hashed once per run.
const std::string& HashOfInput(const std::string& path) {
  static std::unordered_map<std::string, std::string> known;
  const auto [entry, fresh] = known.try_emplace(path);
  if (fresh) entry->second = Sha256OfFile(path);
  return entry->second;
}

ordered_json TextOrNull(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json InputsJson(const std::vector<Asked>& inputs, const std::string& source) {
  ordered_json list = ordered_json::array();
  for (const Asked& asked : inputs) {
    ordered_json item = {{"uri", asked.uri}};
    if (asked.from != source) item["from"] = asked.from;
    item["path"] = TextOrNull(asked.path);
    item["sha256"] = asked.path.empty() ? ordered_json() : TextOrNull(HashOfInput(asked.path));
    list.push_back(std::move(item));
  }
  return list;
}

ordered_json LossesJson(const LossReport& report) {
  ordered_json count = {{"motion", 0}, {"interface", 0}, {"looks", 0}};
  for (const Loss& loss : report.losses)
    count[std::string(Name(loss.weight))] = count[std::string(Name(loss.weight))].get<int>() + 1;
  return count;
}

// It is no failure: the file that includes it is converted.
// A file that others include: by its root, or because it has no links.
bool IsFragment(const ConversionResult& result) {
  const Format* const format = FindFormat(result.source.format);
  const bool has_parts = format != nullptr && format->has_parts;
  return std::any_of(result.diagnostics.items().begin(), result.diagnostics.items().end(),
                     [&](const Diagnostic& message) {
                       return message.code == "mjcf-fragment" ||
                              (message.code == "no-links" && has_parts);
                     });
}

std::string StatusOf(int exit_code) {
  switch (exit_code) {
    case kDone:
      return "converted";
    case kWouldLose:
      return "refused";
    case kInternal:
      return "crashed";
    default:
      return "failed";
  }
}

// Only lack of memory leaves a worker as an exception: it needs a new process (worker_pool.cc).
// Reads, converts, writes; what goes wrong is a message.
int Convert(const BatchJob& job, const ConversionOptions& request, Outcome& outcome) {
  const auto fail = [&](const char* code, const std::string& what, int exit_code) {
    outcome.result.diagnostics.Add(
        MakeDiagnostic(Severity::kError, code, job.source, 0, "", {"", job.source, what}));
    return exit_code;
  };
  try {
    const fs::path folder = fs::path(job.out).parent_path();
    std::error_code error;
    // Both folders take files by names that nobody checks one by one; a link could put them among
    // the sources.
    for (const std::string& own : {request.own_folder, request.copy_assets}) {
      if (!fs::is_symlink(own, error)) continue;  // it may lead to what is read
      return fail("file-unwritable", "'" + own + "', which takes what goes with it, is a link",
                  kBadInput);
    }
    error.clear();
    if (!folder.empty()) fs::create_directories(folder, error);
    if (error)
      return fail("file-unwritable",
                  "the folder '" + folder.string() + "' cannot be made: " + error.message(),
                  kBadInput);
    return ConvertFile(request, outcome);
  } catch (const std::bad_alloc&) { throw; } catch (const UsageError& exception) {
    return fail("wrong-use", exception.what(), kBadInput);
  } catch (const std::exception& exception) {
    return fail("internal", exception.what(), kInternal);
  }
}

}  // namespace

std::string MessagesOf(const std::vector<Diagnostic>& messages, MessageForm form) {
  std::string text;
  for (const Diagnostic& message : messages) {
    if (form == MessageForm::kText && message.severity == Severity::kError)
      text += Render(message) + "\n";
    if (form != MessageForm::kText && message.severity != Severity::kNote)
      text += MessageJson(message) + "\n";
  }
  return text;
}

std::optional<Diagnostic> MessageFromJson(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Diagnostic message;
  const std::string severity = json.value("severity", "");
  for (const Severity each : {Severity::kNote, Severity::kWarning, Severity::kError})
    if (severity == Name(each)) message.severity = each;
  message.code = json.value("code", ""), message.file = json.value("file", "");
  message.line = json.value("line", 0U);
  message.element = json.value("element", ""), message.message = json.value("message", "");
  message.subject = json.value("subject", ""), message.suggestion = json.value("suggestion", "");
  if (json.contains("quantities"))
    for (const auto& [name, number] : json["quantities"].items())
      message.quantities.push_back({name, number.value("value", 0.0), number.value("unit", "")});
  const auto lines = json.value("notes", std::vector<std::string>());
  const bool suggested = !message.suggestion.empty() && !lines.empty();  // it is the first line
  message.notes.assign(lines.begin() + (suggested ? 1 : 0), lines.end());
  return message;
}

// A byte for the end, a digit for the exit code, codes with their counts up to the first line end;
// the record is one line, the rest is messages.
std::string Pack(const JobResult& result) {
  std::string text(1, static_cast<char>(result.end));
  text += static_cast<char>('0' + result.exit_code);
  for (const auto& [code, count] : result.codes) text += code + " " + std::to_string(count) + " ";
  return text + "\n" + result.record + "\n" + result.messages;
}

JobResult Unpack(const std::string& text) {
  const std::size_t codes_end = text.find('\n'), end = text.find('\n', codes_end + 1);
  JobResult result{static_cast<JobEnd>(text.at(0)),
                   text.at(1) - '0',
                   text.substr(codes_end + 1, end - codes_end - 1),
                   text.substr(end + 1),
                   {}};
  std::istringstream codes(text.substr(2, codes_end - 2));
  std::size_t count = 0;
  for (std::string code; codes >> code >> count;) result.codes[code] = count;
  return result;
}

// All keys are in every record, so that readers need no defaults. Their order counts: the check of
// the journal leaves out what stands from ms to sha256.
ordered_json EmptyRecord(const BatchJob& job, int exit_code, const std::string& status) {
  return {{"source", job.relative},
          {"out", exit_code == kDone ? job.out : ""},
          {"from", nullptr},
          {"to", nullptr},
          {"exit_code", exit_code},
          {"status", status},
          {"losses", {{"motion", 0}, {"interface", 0}, {"looks", 0}}},
          {"codes", ordered_json::object()},
          {"verdict", nullptr},
          {"ms", 0},
          {"peak_kb", 0},
          {"sha256", {{"source", nullptr}, {"out", nullptr}}},
          {"also", ordered_json::array()},
          {"stale", nullptr},
          {"options", nullptr},
          {"inputs", ordered_json::array()},
          {"diagnostics", ordered_json::array()}};
}

bool StillHolds(const std::string& earlier_record, const BatchJob& job,
                const ConversionOptions& request, const std::string& options) {
  // What was refused or failed is tried again; a file counts as done if it was, with these options,
  // and the output is what was written.
  try {
    const auto record = nlohmann::json::parse(earlier_record);
    if (record.at("exit_code") != kDone || record.at("out") != job.out ||
        record.at("options") != options)
      return false;
    const auto& hashes = record.at("sha256");
    if (hashes.at("out") != Sha256OfFile(job.out) ||
        hashes.at("source") != Sha256OfFile(job.source))
      return false;
    for (const auto& item : record.at("also"))
      if (item.at("sha256") != Sha256OfFile(item.at("path").get<std::string>())) return false;
    // Every address that was asked for is asked again: a file may have come to be where none was,
    // or at a place that is looked at first.
    Input input = request.input;
    input.path = job.source;
    const FileResolver resolver = ResolverFor(input);
    for (const auto& item : record.at("inputs")) {
      std::string why;
      const auto found =
          resolver.Locate(item.at("uri").get<std::string>(), item.value("from", job.source), why);
      if (found.has_value() == item.at("path").is_null()) return false;
      if (!found) continue;
      const nlohmann::json hash = TextOrNull(HashOfInput(*found));
      if (item.at("path") != *found || item.at("sha256") != hash) return false;
    }
    return true;
  } catch (const nlohmann::json::exception&) { return false; }  // a record of another program
}

JobResult RunJob(const BatchJob& job, const ConversionOptions& request_of_all,
                 const std::string& options, bool resume, const std::vector<WrittenFile>& ours) {
  ConversionOptions request = request_of_all;
  for (const WrittenFile& file : ours) request.ours.insert(file.path);
  request.input.path = job.source;
  request.out = job.out;
  if (!job.model.empty()) request.options.model = job.model;
  request.keep_same = resume;
  // What goes with one file and must not meet that of others has a folder of its own, named as the
  // output.
  request.own_folder = fs::path(job.out).replace_extension().string();
  if (!request.copy_assets.empty()) {
    if (!request.mesh_uri.empty())
      request.mesh_uri += "/" + fs::path(job.place).replace_extension().generic_string() + "/" +
                          request.copy_assets;
    request.copy_assets = (fs::path(request.own_folder) / request.copy_assets).string();
  }
  Outcome outcome;
  JobResult result;
  const auto start = std::chrono::steady_clock::now();
  if (request.fingerprints) ResetPeak();
  result.exit_code = Convert(job, request, outcome);
  const ConversionResult& done = outcome.result;
  const bool fragment = IsFragment(done);
  result.end = fragment                    ? JobEnd::kFragment
               : result.exit_code != kDone ? JobEnd::kFailed
               : outcome.unchanged         ? JobEnd::kSkipped
                                           : JobEnd::kConverted;
  ordered_json record =
      EmptyRecord(job, result.exit_code, fragment ? "fragment" : StatusOf(result.exit_code));
  record["from"] = TextOrNull(done.source.format);
  record["to"] = TextOrNull(done.target.format.substr(0, done.target.format.find('@')));
  record["losses"] = LossesJson(done.report);
  if (done.proof) record["verdict"] = Name(done.proof->verdict);
  record["sha256"]["source"] = TextOrNull(outcome.source_sha256);
  if (result.exit_code == kDone) {
    record["sha256"]["out"] = TextOrNull(outcome.out_sha256);
    for (const WrittenFile& file : outcome.also)
      record["also"].push_back({{"path", file.path}, {"sha256", file.sha256}});
  }
  record["options"] = options;
  if (request.fingerprints) record["inputs"] = InputsJson(outcome.inputs, job.source);
  // The messages of a record are bounded by code, as on the screen; losses are messages, too.
  Diagnostics messages = done.diagnostics;  // at most so many of one code
  for (Diagnostic& loss : LossMessages(done.report)) messages.Add(std::move(loss));
  result.messages = MessagesOf(messages.items(), request.input.form);
  for (const Diagnostic& item : messages.items()) {
    if (item.severity == Severity::kNote) continue;
    ++result.codes[item.code];
    if (!request.fingerprints) continue;  // nobody keeps the record
    record["diagnostics"].push_back({{"severity", Name(item.severity)},
                                     {"code", item.code},
                                     {"file", item.file},
                                     {"line", item.line},
                                     {"message", item.message}});
  }
  if (!request.fingerprints) return result;
  record["codes"] = result.codes;
  record["ms"] =
      std::round(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                     .count() *
                 1000) /
      1000;
  record["peak_kb"] = PeakMemory();
  result.record =
      PrintableJson(record.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  return result;
}

}  // namespace kinemorph::tools
