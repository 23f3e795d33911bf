// How passes report.
#include "plan/pass.h"

#include <algorithm>

namespace kinemorph {

Loss& AddLoss(LossReport& report, const Model& model, Feature feature, Subject subject,
              std::string what, std::string why, std::string_view pass) {
  Loss& loss = report.losses.emplace_back();
  loss.feature = feature;
  loss.weight = WeightOf(feature, subject.kind);
  loss.file = model.FileName(subject.where);
  loss.subject = std::move(subject);
  loss.what = std::move(what);
  loss.why = std::move(why);
  loss.pass = pass;
  return loss;
}

Loss& PassContext::Lose(const Model& model, Feature feature, Subject subject, std::string what,
                        std::string why) {
  // The table's own note is the reason where a pass has none that is better: the two must not
  // disagree.
  if (why.empty()) why = Of(feature).note;
  if (why.empty()) why = "the target has it, but not in this combination";
  return AddLoss(report, model, feature, std::move(subject), std::move(what), std::move(why), pass);
}

bool PassContext::HasWork(const Model& model) const {
  const FeatureSet present = FeaturesPresent(model);
  return std::any_of(kFeatures.begin(), kFeatures.end(),
                     [&](Feature feature) { return present[Position(feature)] && Mine(feature); });
}

Diagnostic& PassContext::Report(Severity severity, const Model& model, SourceLocation where,
                                std::string code, Statement statement) {
  return diagnostics.Add(MessageAt(model, where, severity, std::move(code), std::move(statement)));
}

}  // namespace kinemorph
