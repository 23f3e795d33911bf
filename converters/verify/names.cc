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

namespace {

// What a thing may become under another name: a loop joint is a joint, a frame may become a link.
SubjectKind Sort(SubjectKind kind) {
  if (kind == SubjectKind::kLoopJoint) return SubjectKind::kJoint;
  return kind == SubjectKind::kFrame ? SubjectKind::kLink : kind;
}

}  // namespace

// By origin, in the order in which the passes renamed: the same element may be renamed twice.
Renames::Renames(const LossReport& report) {
  for (const NameChange& change : report.names) forth_[change.origin].push_back(&change);
}

Renames::Renames(const VerifyOptions& options) {
  if (options.report != nullptr) *this = Renames(*options.report);
  if (options.back == nullptr) return;

  // A conversion back knows only B's names. Its renamings are followed element by element to the
  // last name, and that leads back to the first, under either kind that the element had.
  struct Called {
    std::string first;
    SubjectKind was, is;
  };
  const Renames undone(*options.back);
  for (const auto& [origin, changes] : undone.forth_) {
    std::map<std::pair<SubjectKind, std::string>, Called> now;
    for (const NameChange* change : changes) {
      auto same = now.extract({Sort(change->kind), change->from});
      Called called =
          same ? std::move(same.mapped()) : Called{change->from, change->kind, change->kind};
      called.is = change->kind;
      now.insert_or_assign({Sort(change->kind), change->to}, std::move(called));
    }
    for (const auto& [name, called] : now)
      for (const SubjectKind kind : {called.is, called.was})
        back_.emplace(std::pair(kind, name.second), called.first);
  }
}

std::string Renames::Of(SubjectKind kind, SourceLocation where, std::string name) const {
  bool renamed = false;
  const auto changes = forth_.find(where.origin);

  // The chain of renamings from that name on; a name that no pass changed stays.
  if (where.origin > 0 && changes != forth_.end()) {
    for (const NameChange* change : changes->second)
      if (change->from == name && Sort(change->kind) == Sort(kind))
        name = change->to, renamed = true;
  }
  if (renamed) return name;
  // A kind may have changed on the way, as a frame becomes a link: all kinds that may become this
  // one are asked.
  for (const SubjectKind other : {kind, SubjectKind::kJoint, SubjectKind::kLoopJoint,
                                  SubjectKind::kLink, SubjectKind::kFrame}) {
    if (Sort(other) != Sort(kind)) continue;
    const auto found = back_.find({other, name});
    if (found != back_.end()) return found->second;
  }
  return name;
}

}  // namespace kinemorph::verify
