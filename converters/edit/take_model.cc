#include "edit/take_model.h"

#include <algorithm>
#include <functional>

#include "edit/removal.h"
#include "kinemorph/converters/conversion.h"
#include "plan/pass.h"

namespace kinemorph {
namespace {

// A world of SDFormat holds several models with scoped names. One robot of it is kept with its
// nested models; scopes are renumbered, names lose the prefix, and everything that tied it to the
// rest is told first, while the whole model is still there to be named.

// What ties the chosen model to one that is left behind.
void LoseTies(const Model& model, const std::function<bool(LinkId)>& stays, LossReport& report) {
  const auto lose = [&](Feature feature, Subject subject, std::string what) {
    AddLoss(report, model, feature, std::move(subject), std::move(what),
            "the joint leads to a model that you did not choose", "select_model");
  };
  const auto tie = [&](LinkId a, LinkId b) {
    return a != kWorld && b != kWorld && stays(a) != stays(b);
  };
  std::vector<bool> cut(model.num_joints(), false);
  for (const JointId id : Joints(model)) {
    cut[Index(id)] = tie(model.predecessor(id), model.successor(id));
    if (cut[Index(id)])
      lose(LoopFeature(model.joint(id).kind), SubjectOf(model.joint(id)),
           "the joint is not written");
  }

  // A coupling whose coordinates lie on both sides is lost for the chosen model; one that lies
  // outside altogether was not asked for and needs no word.
  for (const Coupling& coupling : model.couplings) {
    bool in = false, out = false;
    for (const CouplingTerm& term : coupling.terms) {
      const JointId id = term.coordinate.joint;
      (stays(model.successor(id)) && !cut[Index(id)] ? in : out) = true;
    }
    if (in && out)
      lose(CouplingFeature(coupling), SubjectOf(model, coupling), "the coupling is not written");
  }
  for (const ContactExclusion& pair : model.contact_exclusions)
    if (tie(pair.a, pair.b))
      lose(Feature::kContactExclusion, SubjectOf(model, pair), "not written");
}

void Keep(Model& model, ScopeId chosen, LossReport& report) {
  // Which scopes lie below the chosen one; parents stand before children.
  std::vector<bool> inside(model.scopes.size(), false);
  std::vector<ScopeId> renumbered(model.scopes.size(), kNoScope);
  std::vector<Scope> scopes;
  for (std::uint32_t s = 0; s < model.scopes.size(); ++s) {
    const ScopeId parent = model.scopes[s].parent;
    inside[s] = ScopeId{s} == chosen || (parent != kNoScope && inside[Index(parent)]);
    if (!inside[s]) continue;
    renumbered[s] = ScopeId{static_cast<std::uint32_t>(scopes.size())};
    scopes.push_back(model.scopes[s]);
    scopes.back().parent = ScopeId{s} == chosen ? kNoScope : renumbered[Index(parent)];
  }
  const auto belongs = [&](ScopeId scope) { return scope != kNoScope && inside[Index(scope)]; };

  // The map of names is part of the report: a proof pairs "arm::elbow" of the source with "elbow".
  const std::string prefix = model.scopes[Index(chosen)].name + "::";
  const auto shorten = [&](SubjectKind kind, SourceLocation where, std::string& name) {
    if (name.rfind(prefix, 0) != 0) return;
    report.names.push_back({kind, name, name.substr(prefix.size()), where.origin});
    name.erase(0, prefix.size());
  };
  LoseTies(
      model, [&](LinkId id) { return belongs(model.link(id).scope); }, report);
  std::erase_if(model.frames, [&](const Frame& frame) { return !belongs(frame.scope); });
  // The receipt is of models that were not asked for.
  const std::vector<LinkId> kept =
      TakeLinks(model, [&](LinkId id) { return !belongs(model.link(id).scope); }).links;
  model.scopes = std::move(scopes);
  for (Scope& scope : model.scopes)
    if (scope.canonical_link) scope.canonical_link = kept[Index(*scope.canonical_link)];
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    shorten(SubjectKind::kLink, link.where, link.name);
    link.scope = renumbered[Index(link.scope)];
  }
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    shorten(SubjectKind::kJoint, joint.where, joint.name);

    // A joint may be written in the world and join links of the model: then it moves into the
    // model, whose scope is the first from now on.
    joint.scope = belongs(joint.scope) ? renumbered[Index(joint.scope)] : ScopeId{0};
  }
  for (Frame& frame : model.frames) {
    shorten(SubjectKind::kFrame, frame.where, frame.name);
    frame.scope = renumbered[Index(frame.scope)];
  }

  // What the world itself said (its gravity) stays on the model.
  model.name = model.scopes[0].name;
  report.lowerings.push_back(
      {"select_model", SubjectOf(model), "taken out of the world, as you asked"});
}

}  // namespace

std::vector<ScopeId> TopModels(const Model& model) {
  std::vector<ScopeId> top;
  if (model.scopes.empty() || !model.scopes[0].is_world) return top;
  for (std::uint32_t s = 1; s < model.scopes.size(); ++s)
    if (model.scopes[s].parent == ScopeId{0}) top.push_back(ScopeId{s});
  return top;
}

std::vector<std::string> ModelNames(const Model& model) {
  std::vector<std::string> names;
  for (const ScopeId scope : TopModels(model)) names.push_back(model.scopes[Index(scope)].name);
  return names;
}

bool TakeModel(Model& model, std::string_view name, LossReport& report) {
  const std::vector<ScopeId> top = TopModels(model);
  for (const ScopeId scope : top) {
    if (model.scopes[Index(scope)].name != name) continue;
    Keep(model, scope, report);
    return true;
  }
  return top.empty() && model.name == name;
}

}  // namespace kinemorph
