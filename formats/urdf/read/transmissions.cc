// HyRoDyn's linear transmissions: <joint name="J"> <depends_on joint="K" multiplier offset/> ...
// says J = sum of multiplier K + offset.
#include "kinemorph/formats/submechanisms.h"
#include "read/reader.h"
#include "urdf.h"

namespace kinemorph::urdf_format {

bool RobotReader::ReadLinearTransmission(const xml::Element& transmission) {
  const std::string name = transmission.Attribute("name", "");
  // All joints of the element or none: half a differential is another mechanism. The first mistake
  // is enough to keep the element as text.
  std::vector<Coupling> couplings;
  std::string wrong;
  const auto scalar = [&](const std::string& joint) -> std::optional<JointId> {
    const JointId* const found = joints_.Find(joint);
    if (!found) {
      wrong = "joint '" + joint + "' is not defined";
    } else if (model_.joint(*found).role == JointRole::kLoop ||
               NumVelocities(model_.joint(*found).kind) != 1) {
      wrong = "joint '" + joint + "' has no single coordinate";
    } else {
      return *found;
    }
    return std::nullopt;
  };
  for (const xml::Element joint : transmission.Children("joint")) {
    const std::optional<JointId> follower = scalar(joint.Attribute("name", ""));
    if (!follower) break;
    Coupling coupling;
    coupling.name = name + "." + model_.joint(*follower).name;
    coupling.form = CouplingForm::kTendon;
    coupling.native_type = kLinearTransmission;
    coupling.where = joint.where();
    // The row J - sum of multiplier K = offset; several offsets add up.
    coupling.terms = {{{*follower, 0}, {1, 0, 0, 0}}};
    for (const xml::Element leader : joint.Children("depends_on")) {
      const std::optional<JointId> id = scalar(leader.Attribute("joint", ""));
      if (!id) break;
      if (*id == *follower) wrong = "joint '" + model_.joint(*id).name + "' depends on itself";
      coupling.terms.push_back({{*id, 0}, {-leader.Number("multiplier", 1), 0, 0, 0}});
      coupling.constant += leader.Number("offset", 0);
    }
    if (wrong.empty() && coupling.terms.size() < 2)
      wrong = "joint '" + model_.joint(*follower).name + "' depends on nothing";
    couplings.push_back(std::move(coupling));
  }
  if (wrong.empty() && couplings.empty()) wrong = "the element names no joint";
  if (!wrong.empty()) {
    transmission.Warn("transmission-not-linear",
                      {"transmission", name, wrong + "; kinemorph keeps the transmission as text"});
    return false;
  }
  transmission.Consume();
  // An element with several followers is several rows, named after element and follower; with one,
  // as the writer writes it, the name comes back as it was.
  if (couplings.size() == 1 && !name.empty()) couplings.front().name = name;
  for (Coupling& coupling : couplings) model_.couplings.push_back(std::move(coupling));
  return true;
}

}  // namespace kinemorph::urdf_format
