#include "command/grbda_lint.h"

#include <nlohmann/json.hpp>

#include "kinemorph/converters/convert.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::tools {

// GRBDA reads URDF+ alone, by clusters of links. A URDF is judged as it is written; anything else
// as the profile for GRBDA would write it. Where that refuses, its errors stand for one cluster
// that does not load.
GrbdaVerdict LintForGrbda(const Model& model) {
  if (model.format.starts_with("urdf")) return JudgeForGrbda(model);
  ConvertOptions options;
  options.target.format = FindFormat("urdf+");
  options.target.options.profile = "grbda";
  Diagnostics messages;
  if (const std::optional<Lowered> lowered = Lower(model, options, messages))
    return JudgeForGrbda(lowered->model);
  GrbdaVerdict refused{{GrbdaCluster{}}};
  for (const Diagnostic& d : messages.items()) {
    if (d.severity == Severity::kError)
      refused.clusters[0].breaches.push_back({d.code, d.message, SourceLocation{0, d.line}});
  }
  return refused;
}

nlohmann::ordered_json GrbdaJson(const GrbdaVerdict& verdict) {
  nlohmann::ordered_json json = {{"loads", verdict.Loads()}};
  json["clusters"] = nlohmann::ordered_json::array();
  for (const GrbdaCluster& cluster : verdict.clusters) {
    nlohmann::ordered_json breaches = nlohmann::ordered_json::array();
    for (const GrbdaBreach& breach : cluster.breaches)
      breaches.push_back(
          {{"rule", breach.rule}, {"message", breach.message}, {"line", breach.where.line}});
    json["clusters"].push_back({{"links", cluster.links},
                                {"loads", cluster.breaches.empty()},
                                {"coordinates", cluster.coordinates},
                                {"rows", cluster.rows},
                                {"breaches", std::move(breaches)}});
  }
  return json;
}

// A cluster that loads is shown with what GRBDA solves for it, another one with each rule that it
// breaks.
std::string GrbdaText(const GrbdaVerdict& verdict) {
  std::string text = verdict.Loads()
                         ? "GRBDA loads it\n"
                         : "GRBDA does NOT load it, or takes it for another mechanism\n";
  for (const GrbdaCluster& cluster : verdict.clusters) {
    std::string names;
    for (const std::string& link : cluster.links)
      names += (names.empty() ? "" : ", ") + Printable(link);
    text += "  {" + names + "}: ";
    if (cluster.breaches.empty())
      text += cluster.coordinates == 0
                  ? "the ground"
                  : std::to_string(cluster.coordinates) +
                        (cluster.coordinates == 1 ? " coordinate" : " coordinates");
    if (cluster.breaches.empty() && cluster.rows > 0)
      text += ", " + std::to_string(cluster.rows) + " constraint rows";
    if (!cluster.breaches.empty()) text += "refused";
    text += '\n';
    for (const GrbdaBreach& breach : cluster.breaches) {
      text += "    " +
              (breach.where.line > 0 ? "line " + std::to_string(breach.where.line) + ": "
                                     : std::string()) +
              Printable(breach.message) + " [" + breach.rule + "]\n";
    }
  }
  return text;
}

}  // namespace kinemorph::tools
