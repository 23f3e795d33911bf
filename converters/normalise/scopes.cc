#include "normalise/scopes.h"

#include <algorithm>
#include <functional>

#include "edit/joint_feature.h"
#include "edit/model_edit.h"
#include "edit/removal.h"

namespace kinemorph {
namespace {

// The models that stand directly in the world; empty when the file is one model.
std::vector<ScopeId> TopModels(const Model& model) {
  std::vector<ScopeId> top;
  if (model.scopes.empty() || !model.scopes[0].is_world) return top;
  for (std::uint32_t s = 1; s < model.scopes.size(); ++s)
    if (model.scopes[s].parent == ScopeId{0}) top.push_back(ScopeId{s});
  return top;
}

std::string Listed(const Model& model, const std::vector<ScopeId>& scopes) {
  std::string out;
  for (const ScopeId s : scopes)
    out += (out.empty() ? "'" : ", '") + model.scopes[Index(s)].name + "'";
  return out;
}

// What ties the chosen model to one that is left behind.
void LoseTies(const Model& model, const std::function<bool(LinkId)>& stays, PassContext& context) {
  const std::string why = "it leads to a model that was not asked for";
  const auto tie = [&](LinkId a, LinkId b) {
    return a != kWorld && b != kWorld && stays(a) != stays(b);
  };
  std::vector<bool> cut(model.num_joints(), false);
  for (const JointId id : Joints(model)) {
    cut[Index(id)] = tie(model.predecessor(id), model.successor(id));
    if (cut[Index(id)])
      context.Lose(model, LoopFeature(model.joint(id).kind), SubjectOf(model.joint(id)),
                   "the joint is not written", why);
  }
  for (const Coupling& coupling : model.couplings) {
    bool in = false, out = false;
    for (const CouplingTerm& term : coupling.terms) {
      const JointId id = term.coordinate.joint;
      (stays(model.successor(id)) && !cut[Index(id)] ? in : out) = true;
    }
    if (in && out)
      context.Lose(model, CouplingFeature(coupling), SubjectOf(model, coupling),
                   "the coupling is not written", why);
  }
  for (const ContactExclusion& pair : model.contact_exclusions)
    if (tie(pair.a, pair.b))
      context.Lose(model, Feature::kContactExclusion, SubjectOf(model, pair), "not written", why);
}

void Keep(Model& model, ScopeId chosen, PassContext& context) {
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
  const std::string prefix = model.scopes[Index(chosen)].name + "::";
  const auto shorten = [&](SubjectKind kind, std::string& name) {
    if (name.rfind(prefix, 0) != 0) return;
    context.Renamed(kind, name, name.substr(prefix.size()));
    name.erase(0, prefix.size());
  };
  LoseTies(
      model, [&](LinkId id) { return belongs(model.link(id).scope); }, context);
  std::erase_if(model.frames, [&](const Frame& frame) { return !belongs(frame.scope); });
  // The receipt is of models that were not asked for.
  const std::vector<LinkId> kept =
      TakeLinks(model, [&](LinkId id) { return !belongs(model.link(id).scope); }).links;
  model.scopes = std::move(scopes);
  for (Scope& scope : model.scopes)
    if (scope.canonical_link) scope.canonical_link = kept[Index(*scope.canonical_link)];
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    shorten(SubjectKind::kLink, link.name);
    link.scope = renumbered[Index(link.scope)];
  }
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    shorten(SubjectKind::kJoint, joint.name);
    joint.scope = belongs(joint.scope) ? renumbered[Index(joint.scope)] : ScopeId{0};
  }
  for (Frame& frame : model.frames) {
    shorten(SubjectKind::kFrame, frame.name);
    frame.scope = renumbered[Index(frame.scope)];
  }
  model.name = model.scopes[0].name;
  model.gravity = std::nullopt;
  context.Lowered(SubjectOf(model), "taken out of the world as asked");
  if (context.inventory != nullptr)
    *context.inventory = Inventory(model);  // the rest of the world is not what was asked for
}

}  // namespace

void SelectModel(Model& model, PassContext& context) {
  const std::vector<ScopeId> top = TopModels(model);
  const std::string& wanted = context.options.model;
  if (!wanted.empty()) {
    for (const ScopeId scope : top) {
      if (model.scopes[Index(scope)].name == wanted) {
        Keep(model, scope, context);
        return;
      }
    }
    if (top.empty() && model.name == wanted) return;
    context.Report(Severity::kError, model, {}, "no-such-model",
                   "'" + wanted + "' is no model of this file; it holds " +
                       (top.empty() ? "'" + model.name + "'" : Listed(model, top)));
    return;
  }
  if (top.size() > 1 && context.Mine(Feature::kSeveralModels)) {
    context.Report(Severity::kError, model, model.scopes[Index(top[1])].where, "several-models",
                   "the file holds " + std::to_string(top.size()) +
                       " models and the target holds one robot: choose with --model NAME among " +
                       Listed(model, top));
  }
}

void FlattenModels(Model& model, PassContext& context) {
  if (model.scopes.empty()) return;
  const std::vector<ScopeId> top = TopModels(model);
  // A world with one model dissolves into that model.
  Scope root = model.scopes[top.size() == 1 ? Index(top[0]) : 0];
  if (root.is_world && !top.empty() && model.name.empty()) model.name = root.name;
  root.parent = kNoScope;
  root.is_world = false;
  std::vector<NativeData> native;
  for (std::size_t s = 0; s < model.scopes.size(); ++s) {
    const Scope& scope = model.scopes[s];
    if (scope.parent != kNoScope && !(scope.parent == ScopeId{0} && model.scopes[0].is_world)) {
      context.Lowered(SubjectOf(scope),
                      "dissolved into its parent; names keep '" + scope.name + "::'");
    }
    native.insert(native.end(), scope.native.begin(), scope.native.end());
  }
  root.native = std::move(native);
  const ScopeId zero{0};
  for (const LinkId id : Links(model)) model.link(id).scope = zero;
  for (const JointId id : Joints(model)) model.joint(id).scope = zero;
  for (Frame& frame : model.frames) frame.scope = zero;
  model.scopes = {std::move(root)};
}

}  // namespace kinemorph
