// Passes `select_model` and `flatten_models`: one robot out of a world, one model out of nested
// ones.
#include <algorithm>

#include "edit/take_model.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/model/scope_names.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

// "'a', 'b' and 15 more", where they are many.
std::string Listed(const Model& model, const std::vector<ScopeId>& scopes) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(scopes.size(), kMost); ++i)
    out += (out.empty() ? "'" : ", '") + model.scopes[Index(scopes[i])].name + "'";
  return out +
         (scopes.size() > kMost ? " and " + std::to_string(scopes.size() - kMost) + " more" : "");
}

// What a link has from a nested model it says itself where the outer one says otherwise.
void KeepSelfCollision(Model& model, const Scope& root, PassContext& context) {
  const auto said = [&](ScopeId s) {
    for (; s != kNoScope; s = model.scopes[Index(s)].parent)
      if (model.scopes[Index(s)].self_collide) return *model.scopes[Index(s)].self_collide;
    return false;
  };
  bool moved = false;
  for (const Scope& scope : model.scopes)
    moved = moved || (scope.self_collide && scope.self_collide != root.self_collide);
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    if (link.self_collide || link.scope == kNoScope) continue;
    const bool self = said(link.scope);
    if (self == root.self_collide.value_or(false)) continue;
    link.self_collide = self;
    moved = true;
  }
  if (moved) context.Lowered(SubjectOf(model), "its links hold the data of nested models");
}

// A loop or a coupling of which one end is in another model, or a pair of links that do not collide
// of which one is in another outermost model.
bool ReachesOverModels(const Model& model) {
  const std::vector<std::uint32_t> outermost = OutermostModels(model);
  const auto outer = [&](LinkId link) {
    const ScopeId scope = model.link(link).scope;
    return scope == kNoScope ? 0 : outermost[Index(scope)];
  };
  const auto apart = [&](LinkId a, LinkId b) {
    return a != kWorld && b != kWorld && model.link(a).scope != model.link(b).scope;
  };
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop &&
        apart(model.predecessor(id), model.successor(id)))
      return true;
  return std::any_of(model.couplings.begin(), model.couplings.end(),
                     [&](const Coupling& coupling) {
                       const auto scope = [&](const CouplingTerm& term) {
                         return model.joint(term.coordinate.joint).scope;
                       };
                       return std::any_of(coupling.terms.begin(), coupling.terms.end(),
                                          [&](const CouplingTerm& term) {
                                            return scope(term) != scope(coupling.terms.front());
                                          });
                     }) ||
         std::any_of(model.contact_exclusions.begin(), model.contact_exclusions.end(),
                     [&](const ContactExclusion& pair) {
                       return apart(pair.a, pair.b) && outer(pair.a) != outer(pair.b);
                     });
}

// Joints lead from each of these models to the others, not by way of the world alone.
bool AreJoined(const Model& model, const std::vector<ScopeId>& top) {
  // A top model is one whose parent is the world; links of nested models count for it.
  const auto top_of = [&](ScopeId s) {
    while (model.scopes[Index(s)].parent != kNoScope &&
           !model.scopes[Index(model.scopes[Index(s)].parent)].is_world)
      s = model.scopes[Index(s)].parent;
    return Index(s);
  };
  DisjointSets joined(model.scopes.size());
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (p == kWorld || s == kWorld) continue;
    const ScopeId of_p = model.link(p).scope, of_s = model.link(s).scope;
    if (of_p != kNoScope && of_s != kNoScope) joined.Unite(top_of(of_p), top_of(of_s));
  }
  return std::all_of(top.begin(), top.end(), [&](ScopeId s) {
    return joined.Find(Index(s)) == joined.Find(Index(top.front()));
  });
}

}  // namespace

void SelectModel(Model& model, PassContext& context) {
  const std::vector<ScopeId> top = TopModels(model);
  const std::string& wanted = context.options.model;
  if (!wanted.empty()) {
    if (TakeModel(model, wanted, context.report)) {
      // The rest of the world is not what was asked for.
      if (context.inventory != nullptr) *context.inventory = Inventory(model);
      return;
    }
    context.Report(Severity::kError, model, {}, "no-such-model",
                   "'" + wanted + "' is not a model of this file, which holds " +
                       (top.empty() ? "'" + model.name + "'" : Listed(model, top)));
    return;
  }
  if (top.size() > 1 && context.Mine(Feature::kSeveralModels)) {
    // Two models that joints hold together are one robot in a format without models.
    if (AreJoined(model, top)) {  // flatten_models makes one of them
      for (const ScopeId s : top)
        context.Lowered(SubjectOf(model.scopes[Index(s)]),
                        "one robot with the other models of the world, to which joints lead");
      return;
    }
    context.Report(Severity::kError, model, model.scopes[Index(top[1])].where, "several-models",
                   "the file holds " + std::to_string(top.size()) +
                       " models and the target holds one robot: choose with --model NAME among " +
                       Listed(model, top) + ", or write each with --all-models");
  }
}

void FlattenModels(Model& model, PassContext& context) {
  if (model.scopes.empty()) return;
  if (context.Of(Feature::kNestedModel).support == Support::kPartial && !ReachesOverModels(model))
    return;
  const std::vector<ScopeId> top = TopModels(model);
  const bool nested = std::any_of(model.scopes.begin(), model.scopes.end(), [&](const Scope& s) {
    return s.parent != kNoScope && !model.scopes[Index(s.parent)].is_world;
  });
  if (!nested && top.size() < 2) return;
  // A world with one model dissolves into that model.
  Scope root = model.scopes[top.size() == 1 ? Index(top[0]) : 0];
  if (root.is_world && !top.empty() && model.name.empty()) model.name = root.name;
  root.parent = kNoScope;
  root.is_world = false;
  std::vector<NativeData> native;
  for (std::size_t s = 0; s < model.scopes.size(); ++s) {
    Scope& scope = model.scopes[s];
    for (NativeData& data : scope.native)
      NameJointsOfControl(data, [&](const std::string& name) {
        return JointNameIn(model, ScopeId{static_cast<std::uint32_t>(s)}, name);
      });
    if (scope.parent != kNoScope && !(scope.parent == ScopeId{0} && model.scopes[0].is_world)) {
      context.Lowered(SubjectOf(scope),
                      "merged into its parent; names keep '" + scope.name + "::'");
    }
    native.insert(native.end(), scope.native.begin(), scope.native.end());
  }
  root.native = std::move(native);
  KeepSelfCollision(model, root, context);
  const ScopeId zero{0};
  for (const LinkId id : Links(model)) model.link(id).scope = zero;
  for (const JointId id : Joints(model)) model.joint(id).scope = zero;
  for (Frame& frame : model.frames) frame.scope = zero;
  model.scopes = {std::move(root)};
}

}  // namespace kinemorph
