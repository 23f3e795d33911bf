#include "normalise/static_models.h"

#include <numeric>

#include "model_edit.h"

namespace kinemorph {
namespace {

std::vector<bool> StaticLinks(const Model& model) {
  std::vector<bool> still(model.num_links(), false);
  for (const LinkId link : Links(model)) {
    for (ScopeId s = model.link(link).scope; s != kNoScope && Index(s) < model.scopes.size(); s = model.scopes[Index(s)].parent)
      still[Index(link)] = still[Index(link)] || model.scopes[Index(s)].is_static;
  }
  return still;
}

// Sets of links that hang together.
class Parts {
 public:
  explicit Parts(std::size_t n) : up_(n) { std::iota(up_.begin(), up_.end(), std::size_t{0}); }
  bool Join(LinkId a, LinkId b) {
    const std::size_t x = Find(Index(a)), y = Find(Index(b));
    up_[x] = y;
    return x != y;
  }

 private:
  std::size_t Find(std::size_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  std::vector<std::size_t> up_;
};

}  // namespace

void StaticModels(Model& model, PassContext& context) {
  if (!context.Mine(Feature::kStaticModel)) return;
  const std::vector<bool> still = StaticLinks(model);
  const auto inside = [&](LinkId link) { return link == kWorld || still[Index(link)]; };
  Parts parts(model.num_links());
  std::vector<bool> locked(model.num_joints(), false), gone(model.num_joints(), false);
  for (const bool implicit : {false, true}) {  // the joints of the file first; those that stand for "static" hold what is still loose
    for (const JointId id : Joints(model)) {
      Joint& joint = model.joint(id);
      const LinkId p = model.predecessor(id), s = model.successor(id);
      if (joint.implicit != implicit || !inside(p) || !inside(s)) continue;
      locked[Index(id)] = true;
      gone[Index(id)] = !parts.Join(p, s);
      joint.implicit = false;
      if (gone[Index(id)] && !implicit) context.Lowered(Quoted("joint", joint.name), "left out: it joins links of a static model");
      if (std::holds_alternative<Fixed>(joint.kind)) continue;
      joint.kind = Fixed{};
      joint.axes.clear();
      joint.independent.reset();
      joint.native_type.clear();
      if (!gone[Index(id)]) context.Lowered(Quoted("joint", joint.name), "locked, because its model is static");
    }
  }
  for (const LinkId link : Links(model)) {
    if (!still[Index(link)] || !parts.Join(kWorld, link)) continue;
    Joint joint;
    joint.name = JointNames(model).Free(model.link(link).name + "_to_world");
    joint.kind = Fixed{};
    joint.scope = model.link(link).scope;
    joint.where = model.link(link).where;
    model.AddJoint(kWorld, link, std::move(joint));
  }
  for (const Scope& scope : model.scopes) {
    if (scope.is_static) context.Lowered(Quoted("model", scope.name), "fixed to the world, because it is static");
  }
  for (Scope& scope : model.scopes) scope.is_static = false;
  // A locked coordinate is zero: it leaves its couplings, and a coupling without coordinates says nothing.
  const auto is_locked = [&](const CouplingTerm& term) { return locked[Index(term.coordinate.joint)]; };
  std::erase_if(model.couplings, [&](Coupling& c) {
    if (std::erase_if(c.terms, is_locked) == 0) return false;
    c.form = CouplingForm::kTendon;
    return c.terms.empty();
  });
  gone.resize(model.num_joints(), false);
  model.RemoveJoints([&](JointId id) { return gone[Index(id)]; });
}

}  // namespace kinemorph
