#include "gateway/not_obeyed.h"

#include <string>

#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {
void TellNotObeyed(const Model& model, Diagnostics& diagnostics) {
  const auto tell = [&](SourceLocation where, const Subject& subject, const std::string& what) {
    diagnostics.Add({Severity::kWarning,
                     "motion-not-obeyed",
                     model.FileName(where),
                     where.line,
                     "",
                     Text(subject) + ": " + what + " is not obeyed by the dynamics here",
                     {}});
  };
  for (const Scope& scope : model.scopes)
    if (scope.is_static) tell(scope.where, SubjectOf(scope), "static");
  for (const LinkId id : Links(model)) {
    const Link& link = model.link(id);
    std::string all;  // of one link in one warning
    SourceLocation where = link.where;
    const auto look = [&](const std::vector<NativeData>& native) {
      for (const NativeData& data : native) {
        const std::string what = ActsOnMotion(data);
        if (what.empty()) continue;
        if (all.empty() && data.where.line > 0) where = data.where;
        all += (all.empty() ? "" : ", ") + what;
      }
    };
    look(link.native);
    if (link.inertial) look(link.inertial->native);
    if (!all.empty()) tell(where, SubjectOf(link), all);
  }
}

}  // namespace kinemorph
