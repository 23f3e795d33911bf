// SDFormat for Drake: its elements stand in the model whose links and joints they name, and Drake
// looks into no other.
#include "drake.h"

#include <algorithm>

#include "write/text_writer.h"

namespace kinemorph::sdformat {

// Elements of Drake go to the innermost model around all that they name.
void WritePlan::DistributeDrake() {
  const auto scope = [&](int s) -> PlannedScope& { return scopes_[static_cast<std::size_t>(s)]; };
  std::vector<int> home_of_joint(model_.num_joints(), -1);
  for (std::size_t s = 0; s < scopes_.size(); ++s)
    for (const JointId id : scopes_[s].joints) home_of_joint[Index(id)] = static_cast<int>(s);
  const auto same = [&](JointId a, JointId b) {
    return home_of_joint[Index(a)] == home_of_joint[Index(b)];
  };
  for (const JointId id : Joints(model_)) {
    if (!IsDrakeLoop(id)) continue;
    const Joint& joint = model_.joint(id);
    const LinkId a = model_.predecessor(id), b = model_.successor(id);
    // A constraint of Drake names both bodies from one model, and its points are in their frames.
    if (!xml::DrakeHolds(joint.kind))
      Refuse(joint.where, {"loop", joint.name,
                           "Drake joins points, which hold no loop of kind '" +
                               std::string(KindName(joint.kind)) + "'"});
    else if (a == kWorld || b == kWorld || ScopeOf(a) != ScopeOf(b))
      Refuse(joint.where,
             {"loop", joint.name, "Drake joins points of two links of one model only"});
    scope(ScopeOf(a == kWorld ? b : a)).loops.push_back(id);
  }
  // Couplings become drake:mimic at the follower (WriteDrakeJoint), or a constraint of their model.
  for (std::size_t c = 0; c < model_.couplings.size(); ++c) {
    const Coupling& coupling = model_.couplings[c];
    const std::vector<CouplingTerm>& terms = coupling.terms;
    const bool ok = !terms.empty() && std::ranges::all_of(terms, [&](const CouplingTerm& t) {
      return NumVelocities(model_.joint(t.coordinate.joint).kind) == 1 &&
             same(t.coordinate.joint, terms[0].coordinate.joint);
    });
    if (!ok)
      Refuse(coupling.where, {"coupling", coupling.name,
                              "Drake couples joints of one coordinate in one model only"});
    else if (coupling.form == CouplingForm::kTendon)
      scope(std::max(0, home_of_joint[Index(terms[0].coordinate.joint)])).tendons.push_back(c);
  }
  // A group lists members of its model and of those nested in it: all are in the outermost one.
  const auto outermost = [&](LinkId link) {
    int s = ScopeOf(link);
    while (scope(s).parent >= 0 && !scope(scope(s).parent).is_world) s = scope(s).parent;
    return s;
  };
  for (const ContactExclusion& pair : model_.contact_exclusions) {
    if (pair.a == kWorld || pair.b == kWorld || outermost(pair.a) != outermost(pair.b))
      Refuse(pair.where, {"links '" + model_.link(pair.a).name + "' and", model_.link(pair.b).name,
                          "Drake's groups hold links of one model only"});
    else
      scope(outermost(pair.a)).exclusions.push_back(pair);
  }
}

void TextWriter::WriteDrakeElements(int index) {
  const PlannedScope& scope = plan_.scopes()[static_cast<std::size_t>(index)];
  xml::DrakeWriter drake(
      model_, out_, xml::DrakeForm::kText,
      [&](LinkId link) { return plan_.Local(index, model_.link(link).name); },
      [&](JointId id) { return plan_.Local(index, model_.joint(id).name); });
  for (const JointId id : scope.loops) drake.WriteLoop(id);
  for (const std::size_t c : scope.tendons)
    drake.WriteTendon(model_.couplings[c], plan_.Local(index, model_.couplings[c].name));
  drake.WriteGroups(scope.exclusions);
}

// What Drake says of a joint beside its axis.
void TextWriter::WriteDrakeJoint(int scope, JointId id) {
  const Joint& joint = model_.joint(id);
  // The inertia at the joint is written with the gear ratio 1, which is the default.
  if (joint.axes.size() == 1 && joint.axes[0].armature.value_or(0) != 0)
    out_.Leaf("drake:rotor_inertia", *joint.axes[0].armature);
  const WrittenMimic* const mimic = plan_.MimicOf({id, 0});
  if (mimic == nullptr) return;
  out_.Open("drake:mimic")
      .Attribute("joint", plan_.Local(scope, model_.joint(mimic->leader.joint).name))
      .Attribute("multiplier", mimic->multiplier)
      .Attribute("offset", mimic->offset)
      .Close();
}

}  // namespace kinemorph::sdformat
