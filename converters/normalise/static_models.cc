// Pass `static_models`: what a static model means, said with joints.
#include <algorithm>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/checks/units.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

// SDFormat's `static` welds a whole model to the world whatever its joints say, and the reader
// stands for it with implicit joints from the world. Other formats say so with fixed joints: those
// of the file as far as they hold links together, then one to the world for each part that is left.
// In a format that has the word for a whole robot (support partial), the word stays.
std::vector<bool> StaticLinks(const Model& model) {
  std::vector<bool> still(model.num_links(), false);
  for (const LinkId link : Links(model)) {
    // A nested model is static with the one around it.
    for (ScopeId s = model.link(link).scope; s != kNoScope && Index(s) < model.scopes.size();
         s = model.scopes[Index(s)].parent)
      still[Index(link)] = still[Index(link)] || model.scopes[Index(s)].is_static;
  }
  return still;
}

// A joint that no file names and that holds a link of a static model.
bool StandsForStatic(const Model& model, JointId id) {
  return model.joint(id).implicit && model.predecessor(id) == kWorld;
}

// All but the world is still, hangs together, and its root stands on the world's frame.
bool IsOneStaticRobot(const Model& model, const std::vector<bool>& still) {
  DisjointSets parts(model.num_links());
  std::vector<bool> is_child(model.num_links(), false);
  for (const JointId id : Joints(model)) {
    if (StandsForStatic(model, id)) continue;
    is_child[Index(model.successor(id))] = true;
    if (model.predecessor(id) != kWorld)
      parts.Unite(Index(model.predecessor(id)), Index(model.successor(id)));
  }
  // A robot that stands somewhere else than at the world's frame needs a joint that says where.
  for (const JointId id : Joints(model))
    if (StandsForStatic(model, id) && !is_child[Index(model.successor(id))] &&
        !PoseAtZero(model.joint(id)).IsExactlyIdentity())
      return false;
  for (const LinkId link : Links(model))
    if (!still[Index(link)] || parts.Find(Index(link)) != parts.Find(1)) return false;
  return model.num_links() > 1;
}

}  // namespace

void StaticModels(Model& model, PassContext& context) {
  const std::vector<bool> still = StaticLinks(model);
  // What was asked to float is static by no word.
  const bool floats = context.options.base == BaseChoice::kFloating &&
                      std::ranges::find(still, true) != still.end();
  if (!floats && !context.HasWork(model)) return;
  const bool said_of_all =
      !floats && context.Of(Feature::kStaticModel).support == Support::kPartial;
  if (said_of_all && IsOneStaticRobot(model, still)) {
    for (Scope& scope : model.scopes) scope.is_static = !scope.is_world;
    // What stands for it goes: to a tree it would be loops.
    static_cast<void>(model.RemoveJoints([&](JointId id) { return StandsForStatic(model, id); }));
    return;
  }
  // The world counts as inside: a joint of a static model to the world is locked too.
  const auto inside = [&](LinkId link) { return link == kWorld || still[Index(link)]; };
  DisjointSets parts(model.num_links());  // of links that hang together
  std::vector<bool> locked(model.num_joints(), false), gone(model.num_joints(), false);
  for (const bool implicit : {false, true}) {  // the joints of the file first; those that stand for
                                               // "static" hold what is still loose
    for (const JointId id : Joints(model)) {
      Joint& joint = model.joint(id);
      const LinkId p = model.predecessor(id), s = model.successor(id);
      if (joint.implicit != implicit || !inside(p) || !inside(s)) continue;
      // Union finds tell which joints are enough; one that closes a cycle of locked links says
      // nothing.
      locked[Index(id)] = true;
      gone[Index(id)] = !parts.Unite(Index(p), Index(s));
      joint.implicit = false;
      if (gone[Index(id)] && !implicit)
        context.Lowered(SubjectOf(joint), "left out: the joint connects links of a static model");
      if (std::holds_alternative<Fixed>(joint.kind)) continue;
      if (const std::string said = AxesText(joint); !said.empty())
        context
            .Lose(model, TreeFeature(joint), SubjectOf(joint),
                  "what is said of its coordinates is not written: " + said,
                  "the joint is locked, because its model is static")
            .source = said;
      // What is fixed has no coordinates, and no nature or spelling of its former kind.
      joint.kind = Fixed{};
      joint.axes.clear();
      joint.independent.reset();
      joint.native_type.clear();
      if (!gone[Index(id)])
        context.Lowered(SubjectOf(joint), "locked, because its model is static");
    }
  }
  UniqueNames names = JointNames(model);
  for (const LinkId link : Links(model)) {
    if (!still[Index(link)] || !parts.Unite(0, Index(link))) continue;
    Joint joint;
    joint.name = names.Take(model.link(link).name + "_to_world");
    joint.kind = Fixed{};
    joint.scope = model.link(link).scope;
    joint.where = model.link(link).where;
    model.AddJoint(kWorld, link, std::move(joint));
  }
  for (const Scope& scope : model.scopes) {
    if (scope.is_static)
      context.Lowered(SubjectOf(scope), "fixed to the world, because it is static");
  }
  for (Scope& scope : model.scopes) scope.is_static = false;
  // A locked coordinate is zero: it leaves its couplings, and a coupling without coordinates says
  // nothing.
  const auto is_locked = [&](const CouplingTerm& term) {
    return locked[Index(term.coordinate.joint)];
  };
  std::erase_if(model.couplings, [&](Coupling& c) {
    const Subject subject = SubjectOf(model, c);
    if (std::erase_if(c.terms, is_locked) == 0) return false;
    c.form = CouplingForm::kTendon;
    if (c.terms.empty()) context.Lowered(subject, "has no effect: all its joints are locked");
    return c.terms.empty();
  });
  gone.resize(model.num_joints(), false);
  Lose(model, TakeJoints(model, [&](JointId id) { return gone[Index(id)]; }),
       "its joint connects links of a static model and is left out", context);
}

}  // namespace kinemorph
