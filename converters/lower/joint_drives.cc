// Pass `joint_drives`: efforts, springs and dynamics as a target has them that moves joints by
// drives.
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/whole_joint.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

using Member = std::optional<double> JointAxis::*;

// UsdPhysics has a drive per coordinate, with a stiffness, a damping and one greatest force: an
// effort limit and a spring use the same drive, so that a coordinate has one or the other. A loop
// joint is outside the articulation, and has none.
class Drives {
 public:
  Drives(Model& model, Joint& joint, const LowerDrives& asked, PassContext& context)
      : model_(model), joint_(joint), asked_(asked), context_(context) {}

  void Run() {
    const bool loop = joint_.role == JointRole::kLoop;
    for (std::size_t i = 0; i < joint_.axes.size(); ++i) OneDrive(i, loop);
    if (loop && asked_.loops_have_none)
      LoseDynamics("the target obeys dynamics of tree joints only");
    // With one attribute for the whole joint, its coordinates must agree.
    const bool several =
        NumAxes(joint_.kind) == NumVelocities(joint_.kind) && joint_.axes.size() > 1;
    if (several && asked_.axes_share_dynamics && !HasEvenDynamics(joint_.kind, joint_.axes))
      LoseDynamics("the target holds one value for all coordinates of a joint");
  }

 private:
  void OneDrive(std::size_t i, bool loop) {
    const bool whole =
        std::holds_alternative<Ball>(joint_.kind) || std::holds_alternative<Free>(joint_.kind);
    JointAxis& axis = joint_.axes[i];
    if (loop || whole) {
      const char* why = loop ? "a loop joint cannot have a drive"
                             : "a drive moves one coordinate, but this joint has none of its own";
      LoseEffort(i, why);
      Lose(i, &JointAxis::spring_stiffness, why);
    } else if (axis.spring_stiffness.value_or(0) != 0) {
      LoseEffort(i, "the only drive of the coordinate is its spring");
    }
    if (!axis.effort) LoseEffort(i, "a drive has one magnitude for both directions");
    if (axis.spring_stiffness.value_or(0) == 0) axis.spring_reference.reset();
  }

  // The lower end of a range that is not symmetric is a feature of its own.
  void LoseEffort(std::size_t i, const char* why) {
    JointAxis& axis = joint_.axes[i];
    if (axis.effort && axis.effort_lower == -*axis.effort) axis.effort_lower.reset();
    Lose(i, &JointAxis::effort_lower, why);
    Lose(i, &JointAxis::effort, why);
  }

  void LoseDynamics(const char* why) {
    for (std::size_t i = 0; i < joint_.axes.size(); ++i)
      for (const Member member : kDynamics) Lose(i, member, why);
  }

  void Lose(std::size_t i, Member member, const char* why) {
    NumberField<JointAxis> field = AxisNumber(member);
    if (member == &JointAxis::effort_lower) field.feature = Feature::kAsymmetricEffortLimit;
    LoseNumber(model_, joint_, i, field, why, context_);
  }

  Model& model_;
  Joint& joint_;
  const LowerDrives& asked_;
  PassContext& context_;
};

}  // namespace

void LowerDrives::operator()(Model& model, PassContext& context) const {
  for (const JointId id : Joints(model)) Drives(model, model.joint(id), *this, context).Run();
}

}  // namespace kinemorph
