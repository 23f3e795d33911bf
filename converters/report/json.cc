#include "kinemorph/converters/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kinemorph/converters/codes.h"
#include "kinemorph/graph/base/printable.h"
#include "report/message_value.h"

namespace kinemorph {
namespace {

// Messages, verdicts, and two forms that other programs read: SARIF 2.1.0 for code scanning, and
// the log commands of GitHub's workflows.
using Json = nlohmann::ordered_json;

std::string Dump(const Json& json, int indent) {
  return PrintableJson(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

// Of GitHub's log commands: what stands between the colons, and what follows them.
std::string Escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : Printable(text, LineEnds::kKept)) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Words(const Diagnostic& message) {
  std::string text = message.message;
  for (const std::string& line : LinesBelow(message)) text += "\n" + line;
  return text;
}

}  // namespace

nlohmann::ordered_json MessageValue(const Diagnostic& message) {
  Json value = {{"severity", Name(message.severity)},
                {"code", message.code},
                {"file", message.file},
                {"line", message.line},
                {"element", message.element},
                {"message", message.message}};
  if (!message.subject.empty()) value["subject"] = message.subject;
  if (!message.suggestion.empty()) value["suggestion"] = message.suggestion;
  for (const Quantity& quantity : message.quantities) {
    // JSON has no inf and no nan.
    if (!std::isfinite(quantity.value)) continue;
    Json& number = value["quantities"][quantity.name];
    number["value"] = quantity.value;
    if (!quantity.unit.empty()) number["unit"] = quantity.unit;
  }
  if (const std::vector<std::string> lines = LinesBelow(message); !lines.empty())
    value["notes"] = lines;
  return value;
}

std::string MessageJson(const Diagnostic& message) { return Dump(MessageValue(message), -1); }

std::string VerdictJson(const VerifyResult& result) {
  // Numbers of the checks as they were compared, so that a reader may judge by another tolerance.
  Json json = {
      {"equivalent", result.equivalent}, {"verdict", Name(result.verdict)}, {"line", result.line}};
  json["checks"] = Json::array();
  json["exceptions"] = Json::array();
  json["skipped"] = Json::array();
  for (const VerifySkipped& skipped : result.skipped) json["skipped"].push_back(Text(skipped));
  for (const VerifyCheck& check : result.checks) {
    json["checks"].push_back({{"what", check.what},
                              {"max_error", check.max_error},
                              {"tolerance", check.tolerance},
                              {"worst", check.worst},
                              {"excepted", check.excepted}});
  }
  for (const VerifyException& exception : result.exceptions) {
    json["exceptions"].push_back({{"feature", FeatureName(exception.feature)},
                                  {"weight", Name(exception.weight)},
                                  {"count", exception.subjects.size()},
                                  {"subjects", Json::array()}});
    for (const Subject& subject : exception.subjects)
      json["exceptions"].back()["subjects"].push_back(Text(subject));
    if (!exception.content.empty()) json["exceptions"].back()["content"] = exception.content;
    if (exception.asked) json["exceptions"].back()["asked"] = true;
  }
  if (!result.unknown.empty()) json["unknown"] = result.unknown;
  return Dump(json, 1);
}

std::string MessagesSarif(const std::vector<Diagnostic>& messages, const std::string& version) {
  Json rules = Json::array(), results = Json::array();
  std::vector<std::string> known;
  for (const Diagnostic& message : messages) {
    Json result = {{"ruleId", message.code},
                   {"level", Name(message.severity)},
                   {"message", {{"text", Words(message)}}}};
    // Line 0 means that only the file is known; SARIF counts from 1 and has no region then.
    if (!message.file.empty()) {
      Json place = {{"artifactLocation", {{"uri", message.file}}}};
      if (message.line > 0) place["region"] = {{"startLine", message.line}};
      result["locations"] = Json::array({{{"physicalLocation", std::move(place)}}});
    }
    results.push_back(std::move(result));

    // A rule is listed once, at its first message, with what `explain` says of it; viewers show it
    // beside the place.
    if (std::find(known.begin(), known.end(), message.code) != known.end()) continue;
    known.push_back(message.code);

    // A code without an entry is a rule all the same: SARIF wants each ruleId to have one.
    Json rule = {{"id", message.code}};
    if (const CodeEntry* entry = FindCode(message.code)) {
      rule["shortDescription"] = {{"text", entry->meaning}};
      if (!entry->remedy.empty()) rule["help"] = {{"text", entry->remedy}};
    }
    rules.push_back(std::move(rule));
  }
  const Json driver = {{"name", "kinemorph"}, {"version", version}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}}, {"results", std::move(results)}};
  Json root;
  root["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  root["version"] = "2.1.0";
  root["runs"] = Json::array();
  root["runs"].push_back(run);
  return Dump(root, 1);
}

std::string MessagesGithub(const std::vector<Diagnostic>& messages) {
  std::string out;

  // "::warning file=F,line=N,title=CODE::text": notes are "notice" there.
  for (const Diagnostic& message : messages) {
    out += message.severity == Severity::kNote ? "::notice"
                                               : "::" + std::string(Name(message.severity));
    out += ' ';
    if (!message.file.empty()) out += "file=" + Escaped(message.file, true) + ",";
    if (message.line > 0) out += "line=" + std::to_string(message.line) + ",";
    out += "title=" + Escaped(message.code, true) + "::" + Escaped(Words(message), false) + "\n";
  }
  return out;
}

}  // namespace kinemorph
