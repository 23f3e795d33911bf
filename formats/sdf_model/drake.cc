// Drake's elements in SDFormat but for its loops: sums of joints, and links that do not collide.
#include "drake.h"

#include <map>

#include "sdf_model/builder.h"

// What Drake adds to SDFormat and that is no loop. Elements whose meaning the model has are read;
// the others are kept as text of their model, with the reason.

namespace kinemorph::sdformat {

bool Builder::IsDamagedGroup(const xml::Element& group) {
  bool damaged = false;
  const auto report = [&](const xml::Element& element, const std::string& lacks) {
    element.Error("name-missing", "'" + element.path() + "' " + lacks);
    damaged = true;
  };
  if (group.Attribute("name", "").empty()) report(group, "has no name; every group needs one");
  for (const char* part : {"drake:member", "drake:ignored_collision_filter_group"})
    for (const xml::Element child : group.Children(part))
      if (child.Text().empty())
        report(child, "names nothing; write <" + std::string(part) + ">NAME</" + part + ">");
  return damaged;
}

// All groups of the file or none: one names another.
void Builder::BuildDrakeGroups() {
  std::vector<xml::DrakeGroup> groups;
  for (const DrakeItem& item : description_.groups)
    if (!IsDamagedGroup(item.element))
      groups.push_back({item.element, description_.model(item.model).prefix, item.model});
  if (groups.empty()) return;
  model_.dialect = "drake";
  const auto pairs = xml::ReadDrakeGroups(
      groups, xml::DrakeForm::kText, [&](const xml::DrakeGroup& group, const std::string& name) {
        const NodeId node = frames_.Find(group.model, name);
        return node == kNoNode ? kNoLink : LinkOf(node);
      });
  if (pairs) {
    model_.contact_exclusions.insert(model_.contact_exclusions.end(), pairs->begin(), pairs->end());
    for (const xml::DrakeGroup& group : groups) group.element.ConsumeAll();
    return;
  }
  groups.front().element.Warn(
      "drake-not-read",
      "'drake:collision_filter_group': the groups do more than exclude collisions, or name unknown "
      "links; kinemorph keeps them as text");
  for (const xml::DrakeGroup& group : groups) KeepInScope(group.model, group.element);
}

void Builder::BuildDrakeTendons() {
  int number = 0;
  for (const DrakeItem& item : description_.tendons) {
    // Joints of one coordinate only, whose weighted sum has one value.
    xml::DrakeTendon tendon = xml::ReadDrakeTendon(
        item.element, xml::DrakeForm::kText, model_,
        [&](const std::string& name) { return JointIdOf(frames_.Find(item.model, name)); });
    const std::string tag = "'" + std::string(item.element.name()) + "': ";
    if (!tendon.undefined.empty()) {
      Diagnostic& error = item.element.Error("joint-undefined", tag + tendon.wrong);
      error.suggestion = frames_.Nearest(item.model, tendon.undefined);
      item.element.ConsumeAll();
    } else if (!tendon.wrong.empty()) {
      item.element.Warn("drake-not-read", tag + tendon.wrong + "; kinemorph keeps it as text");
      KeepInScope(item.model, item.element);
    } else {
      item.element.ConsumeAll();
      Coupling& coupling = tendon.coupling;
      if (coupling.name.empty())
        coupling.name = ++number == 1 ? "tendon" : "tendon_" + std::to_string(number);
      coupling.name = Shown(item.model, coupling.name);
      model_.couplings.push_back(std::move(coupling));
      model_.dialect = "drake";
    }
  }
}

// In Drake every joint of one coordinate whose effort limit is not 0 has a motor.
void Builder::ReadDrakeRotor(const JointItem& item, Joint& joint) {
  const auto inertia = item.element.ChildNumber("drake:rotor_inertia");
  const double ratio = item.element.ChildNumber("drake:gear_ratio").value_or(1);
  if (!inertia) return;
  // The inertia of the rotor as the joint feels it: times the ratio squared, in kg m^2 or kg.
  joint.axes[0].armature = ratio * ratio * *inertia;
  model_.dialect = "drake";
}

}  // namespace kinemorph::sdformat
