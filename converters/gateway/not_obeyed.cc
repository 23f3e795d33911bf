#include "gateway/not_obeyed.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "kinemorph/graph/model/subject.h"

namespace kinemorph {
namespace {

// Elements of links that act on motion; of a body's own attributes those that do.
constexpr std::array<std::string_view, 5> kElements = {"kinematic", "velocity_decay", "enable_wind",
                                                       "must_be_base_link", "fluid_added_mass"};
constexpr std::array<std::string_view, 2> kAttributes = {"gravcomp", "mocap"};

std::string Unobeyed(const NativeData& data) {
  if (data.idle) return "";
  if (std::find(kElements.begin(), kElements.end(), data.element) != kElements.end())
    return "<" + data.element + ">";
  const std::string_view tag = std::string_view(data.xml).substr(0, data.xml.find('>'));
  if (data.element != "body") return "";
  for (const std::string_view attribute : kAttributes)
    if (tag.find(" " + std::string(attribute) + "=\"") != std::string_view::npos)
      return std::string(attribute);
  return "";
}

}  // namespace

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
        const std::string what = Unobeyed(data);
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
