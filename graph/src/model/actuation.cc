// Who moves a coordinate, from three sources of falling worth: something that drives its joint, a
// coupling that makes it follow, an effort limit that hints at a motor. The follower of a mimic
// stays one even with a motor on it; of a linear equation either end may lead.
#include "kinemorph/graph/model/actuation.h"

#include <algorithm>

#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

bool IsLinear(const Coupling& coupling) {
  return std::all_of(coupling.terms.begin(), coupling.terms.end(), [](const CouplingTerm& t) {
    return std::all_of(t.coefficients.begin() + 1, t.coefficients.end(),
                       [](double c) { return c == 0; });
  });
}

// The last joint on the way to the successor.
const CouplingTerm* TermOfSuccessor(const Model& model, const Coupling& coupling) {
  const CouplingTerm* found = nullptr;
  for (const CouplingTerm& term : coupling.terms) {
    const JointId id = term.coordinate.joint;
    if (id == kNoJoint) continue;
    if (model.successor(id) == coupling.successor) return &term;
    if (model.predecessor(id) == coupling.successor) found = &term;  // it points against the tree
  }
  return found;
}

// Of a single coordinate, or of all of a joint that has one record for them.
const JointAxis* AxisAt(const Joint& joint, int coordinate) {
  const std::size_t i = joint.axes.size() == 1 ? 0 : static_cast<std::size_t>(coordinate);
  return i < joint.axes.size() ? &joint.axes[i] : nullptr;
}

}  // namespace

const CouplingTerm* FollowerOf(const Model& model, const Coupling& coupling) {
  if (coupling.terms.empty()) return nullptr;
  const CouplingTerm* term = nullptr;
  // By the convention of each form: mimics and polynomials put the follower first, ratios and
  // gearboxes give the motion of the successor by that of the predecessor. A plain sum has no
  // direction.
  switch (coupling.form) {
    case CouplingForm::kMimic:
    case CouplingForm::kPolynomial:
      term = &coupling.terms.front();
      break;
    case CouplingForm::kRatio:
    case CouplingForm::kGearbox:
      term = TermOfSuccessor(model, coupling);
      break;
    case CouplingForm::kTendon:
    case CouplingForm::kUser:
      break;
  }
  return term == nullptr || term->coordinate.joint == kNoJoint ? nullptr : term;
}

Actuations::Actuations(const Model& model)
    : model_(model), driven_(model.num_joints(), false), follows_(model.num_joints()) {
  for (const JointId id : Joints(model)) driven_[Index(id)] = model.joint(id).commanded;
  for (const Actuator& actuator : model.actuators)
    if (actuator.joint != kNoJoint) driven_[Index(actuator.joint)] = true;
  for (const Coupling& coupling : model.couplings) {
    const CouplingTerm* const follower = FollowerOf(model, coupling);
    if (follower == nullptr || follower->coordinate.axis < 0) continue;
    // A mimic is followed by whatever plays the robot; other linear couplings are equations, which
    // a drive at either end moves.
    const bool always = coupling.form == CouplingForm::kMimic || !IsLinear(coupling);
    const auto axis = static_cast<std::size_t>(follower->coordinate.axis);
    std::vector<Follows>& joint = follows_[Index(follower->coordinate.joint)];
    joint.resize(std::max(joint.size(), axis + 1), Follows::kNothing);
    joint[axis] = std::max(joint[axis], always ? Follows::kAlways : Follows::kInWords);
  }
}

Actuation Actuations::Of(JointId id, int coordinate) const {
  const Joint& joint = model_.joint(id);
  const bool driven = driven_[Index(id)];
  const std::vector<Follows>& follows = follows_[Index(id)];
  const auto at = static_cast<std::size_t>(coordinate);
  if (at < follows.size() && follows[at] != Follows::kNothing)
    return driven && follows[at] == Follows::kInWords ? Actuation::kDrivenFollower
                                                      : Actuation::kFollows;
  if (driven) return Actuation::kDriven;
  if (std::holds_alternative<Free>(joint.kind)) return Actuation::kBase;
  const JointAxis* const axis = AxisAt(joint, coordinate);
  // Balls and universal joints are driven only where somebody says so.
  if (axis == nullptr || !axis->effort || *axis->effort >= FormatLimits::kNone)
    return NumVelocities(joint.kind) > 1 ? Actuation::kIdle : Actuation::kUnsaid;
  // An effort limit of 0 is how authors and exporters write a joint without a motor.
  return *axis->effort > 0 || axis->effort_lower.value_or(0) < 0 ? Actuation::kLimited
                                                                 : Actuation::kIdle;
}

}  // namespace kinemorph
