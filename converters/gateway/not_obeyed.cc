#include "gateway/not_obeyed.h"

#include <string>

#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

// A simulation or exported equations that leave something out without a word would be taken for the
// robot. Content of one format that acts on motion (gravcomp, fluid density, kinematic bodies) is
// kept as text and nothing computes with it: one warning for each element that has some.
void TellNotObeyed(const Model& model, Diagnostics& diagnostics) {
  const auto tell = [&](SourceLocation where, const Subject& subject, const std::string& what) {
    diagnostics.Add(MessageAt(model, where, Severity::kWarning, "motion-not-obeyed",
                              {Text(subject), "the dynamics here do not obey " + what}));
  };
  const auto look = [&](const std::vector<NativeData>& native, SourceLocation where,
                        const Subject& subject) {
    std::string all;  // of one element in one warning
    for (const NativeData& data : native) {
      const std::string what = ActsOnMotion(data);
      if (what.empty()) continue;
      if (all.empty() && data.where.line > 0) where = data.where;
      all += (all.empty() ? "" : ", ") + what;
    }
    if (!all.empty()) tell(where, subject, all);
  };
  look(model.native, {}, SubjectOf(model));
  for (const Scope& scope : model.scopes)
    if (scope.is_static) tell(scope.where, SubjectOf(scope), "static");
  for (const LinkId id : Links(model)) {
    const Link& link = model.link(id);
    // What hangs on the inertial acts on the link, and is told with what hangs on that.
    std::vector<NativeData> native = link.native;
    if (link.inertial)
      native.insert(native.end(), link.inertial->native.begin(), link.inertial->native.end());
    look(native, link.where, SubjectOf(link));
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    look(joint.native, joint.where, SubjectOf(joint));
  }
}

}  // namespace kinemorph
