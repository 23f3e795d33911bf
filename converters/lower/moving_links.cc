// Pass `moving_links`: links that move and weigh nothing, for programs that read a tree without its
// loops: their mass matrix is singular, or they make up a mass.
#include <algorithm>

#include "edit/model_edit.h"
#include "lower/massless_links.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// Whether the source had loops, which held such a link in its place.
bool HadLoops(const PassContext& context) {
  return !context.authored_loops.empty() || !context.cut_reasons.empty();
}

// Links at the lower end of a joint that moves, with no mass in what is rigid with them. `at_ends`:
// and none below.
std::vector<LinkId> MovingWithoutMass(const Model& model, bool at_ends) {
  const SpanningTree tree = TreeOf(model);
  std::vector<bool> weighs(model.num_links(), false);
  std::vector<LinkId> found;
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    const LinkId link = *it;
    if (link == kWorld) continue;
    if (!IsMassless(model.link(link))) weighs[Index(link)] = true;
    const JointId up = tree.parent_joint[Index(link)];
    const bool fixed = up == kNoJoint || std::holds_alternative<Fixed>(model.joint(up).kind);
    if (!fixed && !weighs[Index(link)]) found.push_back(link);
    if (weighs[Index(link)] && (fixed || at_ends)) weighs[Index(tree.parent[Index(link)])] = true;
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

void MovingLinks::operator()(Model& model, PassContext& context) const {
  const bool asked = context.options.massless.has_value();
  if (!HadLoops(context) && !asked) return;
  // A fitted mimic takes the loop away as the target does.
  const bool fitted = !loops_are_unseen && context.options.mimic == MimicChoice::kFit;
  const bool all = loops_are_lost || fitted || asked;
  if (!all && !loops_are_unseen) return;
  const std::vector<LinkId> links = MovingWithoutMass(model, !all);
  if (links.empty()) return;
  if (all) {
    GiveInertia(model, links, least, context);
  } else {
    context.Report(
        Severity::kNote, model, model.link(links.front()).where, "massless-ends",
        {"model", model.name,
         "nothing weighs at and below " + SomeNames(model, links) +
             (links.size() == 1 ? ", which moves: " : ", which move: ") + std::string(least.why)});
  }
}

}  // namespace kinemorph
