#include "lower/natures.h"

#include "kinemorph/graph/coordinates.h"
#include "kinemorph/graph/mechanism.h"
#include "model_edit.h"

namespace kinemorph {

void DeclareNatures(Model& model, PassContext& context) {
  if (context.traits.natures == Natures::kNever) return;
  const bool always = context.traits.natures == Natures::kAlways;
  const SpanningTree tree = TreeOf(model);
  if (!always) {
    // A declaration of the author stands, right or wrong.
    bool declared = tree.loop_joints.empty() && model.couplings.empty();
    for (const JointId id : Joints(model)) declared = declared || model.joint(id).independent.has_value();
    if (declared) return;
  }
  if (tree.loop_joints.empty() && model.couplings.empty()) {
    for (const JointId id : Joints(model))
      if (NumVelocities(model.joint(id).kind) > 0 && !model.joint(id).independent) model.joint(id).independent = true;
    return;
  }
  const Mechanism mechanism = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(model, mechanism);
  // A joint is dependent as soon as one of its coordinates is.
  std::vector<bool> dependent(model.num_joints(), false);
  std::vector<JointId> joint_of(static_cast<std::size_t>(mechanism.nv), kNoJoint);
  for (const Body& body : mechanism.bodies)
    for (int i = 0; i < body.nv; ++i) joint_of[static_cast<std::size_t>(body.v + i)] = body.joint;
  std::vector<bool> follows(model.num_joints(), false);  // a mimic's follower is dependent where nobody says otherwise
  for (const Coupling& coupling : model.couplings) {
    if (coupling.form == CouplingForm::kMimic && !coupling.terms.empty()) follows[Index(coupling.terms.front().coordinate.joint)] = true;
  }
  bool chosen = false;
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[a];
    // Where too few are declared independent the author's words stand: Robotran promotes dependent coordinates that are left over. Where
    // nothing constrains a dependent coordinate, user code may.
    const bool too_few = c.declared && !c.declared_ok && c.rank_dependent == c.rank;
    chosen = chosen || (c.rows > 0 && !c.declared);
    std::vector<bool> is_chosen(static_cast<std::size_t>(c.nv), false);
    for (const int column : c.dependent) is_chosen[static_cast<std::size_t>(column)] = true;
    const std::vector<int>& velocity = mechanism.aggregates[a].velocity;
    for (int column = 0; column < c.nv; ++column) {
      const JointId id = joint_of[static_cast<std::size_t>(velocity[static_cast<std::size_t>(column)])];
      if (id == kNoJoint) continue;
      const bool said = !model.joint(id).independent.value_or(!follows[Index(id)]);
      if (too_few || c.rows == 0 ? said : is_chosen[static_cast<std::size_t>(column)]) dependent[Index(id)] = true;
    }
  }
  std::string names;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (tree.IsLoop(id) || NumVelocities(joint.kind) == 0) continue;
    if (joint.independent && *joint.independent == dependent[Index(id)]) {
      context.Lose(model, Feature::kIndependent, SubjectOf(joint),
                   *joint.independent ? "declared independent, written as dependent" : "declared dependent, written as independent",
                   "the coordinates that are declared independent do not determine the others");
    }
    joint.independent = !dependent[Index(id)];
    if (dependent[Index(id)]) names += (names.empty() ? "'" : ", '") + joint.name + "'";
  }
  if (chosen) {
    context.Report(
        Severity::kNote, model, {}, "natures-chosen",
        Quoted("model", model.name) + ": no declaration of independent coordinates; dependent are " + (names.empty() ? "none" : names));
  }
}

}  // namespace kinemorph
