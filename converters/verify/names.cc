#include "verify/names.h"

#include <algorithm>

namespace kinemorph::verify {

Names::Names(const Model& model) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    links_.emplace(model.link(LinkId{v}).name, LinkId{v});
  for (const JointId id : Joints(model)) joints_.emplace(model.joint(id).name, id);
}

std::optional<LinkId> Names::Link(std::string_view name) const {
  const auto found = links_.find(name);
  return found == links_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<JointId> Names::Joint(std::string_view name) const {
  const auto found = joints_.find(name);
  return found == joints_.end() ? std::nullopt : std::optional(found->second);
}

Renames::Renames(const LossReport& report) {
  std::size_t at = 0;
  for (const NameChange& change : report.names)
    forth_[change.from].push_back({at++, change.kind, &change.to});
}

Renames::Renames(const VerifyOptions& options) {
  if (options.report != nullptr) *this = Renames(*options.report);
  if (options.back != nullptr) {
    std::size_t at = options.back->names.size();
    for (const NameChange& change : options.back->names)
      back_[change.to].push_back({--at, change.kind, &change.from});
    for (auto& [to, steps] : back_) std::reverse(steps.begin(), steps.end());
  }
}

std::string Renames::Follow(const Steps& steps, SubjectKind kind, std::string name) {
  std::size_t next = 0;
  for (auto found = steps.find(name); found != steps.end(); found = steps.find(name)) {
    const auto step = std::find_if(found->second.begin(), found->second.end(), [&](const Step& s) {
      const bool of_kind =
          s.kind == kind || (kind == SubjectKind::kJoint && s.kind == SubjectKind::kLoopJoint);
      return s.at >= next && of_kind;
    });
    if (step == found->second.end()) break;
    next = step->at + 1;
    name = *step->to;
  }
  return name;
}

std::string Renames::Of(SubjectKind kind, const std::string& name) const {
  std::string mapped = Follow(forth_, kind, name);
  return mapped == name ? Follow(back_, kind, name) : mapped;
}

}  // namespace kinemorph::verify
