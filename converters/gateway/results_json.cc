// Results as JSON, for those who pass texts.
#include <nlohmann/json.hpp>

#include "kinemorph/converters/json.h"
#include "kinemorph/gateway.h"
#include "kinemorph/graph/base/printable.h"
#include "report/message_value.h"

namespace kinemorph {
namespace {

using Json = nlohmann::ordered_json;

// Names come from files and may hold bytes that are no UTF-8: they are replaced, since a JSON that
// cannot be parsed helps nobody. Keys keep the order in which they are added, for readers and
// diffs.
std::string Dump(const Json& json, int indent = -1) {
  return PrintableJson(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

Json FactsJson(const ModelFacts& facts) {
  return {{"format", facts.format}, {"name", facts.name},   {"links", facts.links},
          {"joints", facts.joints}, {"loops", facts.loops}, {"couplings", facts.couplings}};
}

Json MessageList(const std::vector<Diagnostic>& messages) {
  Json list = Json::array();
  for (const Diagnostic& message : messages) list.push_back(MessageValue(message));
  return list;
}

std::string Word(Support support) {
  switch (support) {
    case Support::kNative:
      return "native";
    case Support::kLowered:
      return "lowered";
    case Support::kPartial:
      return "partial";
    case Support::kLost:
      return "lost";
    case Support::kRefused:
      return "refused";
  }
  return "lost";
}

}  // namespace

std::string MessagesJson(const Diagnostics& diagnostics) {
  return Dump(MessageList(diagnostics.items()));
}

std::string ConversionJson(const ConversionResult& result) {
  Json json = {{"end", static_cast<int>(result.end)}};
  json["source"] = FactsJson(result.source), json["target"] = FactsJson(result.target);
  json["text"] = result.files.text;
  json["files"] = Json::array();
  for (const SideFile& file : result.files.side_files)
    json["files"].push_back({{"name", file.name}, {"text", file.text}});
  // The report and the verdict have JSON of their own, which is taken over as it is.
  json["report"] = Json::parse(LossReportJson(result.report), nullptr, false);
  json["forbidden"] = result.forbidden;
  json["proof"] =
      result.proof ? Json::parse(VerdictJson(*result.proof), nullptr, false) : Json(nullptr);
  // Losses are messages too, and stand behind the others, as on a screen.
  std::vector<Diagnostic> messages = result.diagnostics.items();
  for (Diagnostic& loss : LossMessages(result.report)) messages.push_back(std::move(loss));
  json["messages"] = MessageList(messages);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string FormatsJson() {
  Json json;
  for (const Format& format : AllFormats()) {
    json["formats"].push_back({{"name", format.name},
                               {"title", format.title},
                               {"extensions", format.extensions},
                               {"versions", format.versions},
                               {"read", format.read != nullptr}});
  }
  for (const TableColumn& column : TableColumns()) {
    Json cells;
    for (const Feature feature : kFeatures) {
      const Capability cell = CapabilityOf(feature, column.target);
      cells[std::string(FeatureName(feature))] = {
          {"support", Word(cell.support)}, {"pass", cell.pass}, {"note", cell.note}};
    }
    json["capabilities"][std::string(column.title)] = cells;
  }
  return json.dump(1);
}

std::string CodesJson() {
  Json all = Json::array();
  for (const CodeEntry& entry : AllCodes())
    all.push_back({{"code", entry.code},
                   {"meaning", entry.meaning},
                   {"example", entry.example},
                   {"remedy", entry.remedy},
                   {"area", entry.area},
                   {"why", entry.why},
                   {"ignore", entry.ignore}});
  return all.dump(1);
}

}  // namespace kinemorph
