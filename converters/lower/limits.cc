// Pass `limits`: limits as pairs of finite numbers.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/checks/units.h"
#include "lower/passes.h"

namespace kinemorph {

namespace {

// A ball or free joint has one record for all its coordinates.
void LowerWhole(Model& model, JointId id, WholeRecord held, PassContext& context) {
  Joint& joint = model.joint(id);
  const bool ball = std::holds_alternative<Ball>(joint.kind);
  if ((!ball && !std::holds_alternative<Free>(joint.kind)) || joint.axes.empty()) return;
  JointAxis& axis = joint.axes[0];
  constexpr const char *kWhy = "the target cannot hold this on a joint of this type",
                       *kOfWhole = " of the whole joint";
  const auto lose = [&](Feature feature, const std::string& what, std::string source) {
    context.Lose(model, feature, SubjectOf(joint), what, kWhy).source = std::move(source);
  };
  // What the target holds of such a joint: nothing, its dynamics, or (MJCF) a spring too, and a
  // ball's angle from zero up to one bound.
  if (held != WholeRecord::kUpTo && (axis.lower || axis.upper)) {
    Joint limits;
    limits.axes.resize(1);
    limits.axes[0].lower = axis.lower;
    limits.axes[0].upper = axis.upper;
    lose(Feature::kPositionLimit, "the limit of the whole joint is not written", AxesText(limits));
    axis.lower.reset();
    axis.upper.reset();
  }
  const auto value = [&](const NumberField<JointAxis>& field) {
    LoseNumber(model, joint, 0, field, kWhy, context, kOfWhole);
  };
  if (held == WholeRecord::kNoLimit) {
    value(AxisNumber(&JointAxis::spring_stiffness));
    axis.spring_reference.reset();
  }
  if (held == WholeRecord::kUpTo) {
    if (axis.lower.value_or(0) != 0) value(AxisNumber(&JointAxis::lower));
    axis.lower.reset();
    if (!ball || axis.upper.value_or(1) <= 0) value(AxisNumber(&JointAxis::upper));
    value(AxisNumber(&JointAxis::effort));
    axis.effort_lower.reset();
    if (axis.spring_reference.value_or(0) != 0) value(AxisNumber(&JointAxis::spring_reference));
    axis.spring_reference.reset();
  }
  if (held != WholeRecord::kNothing) return;
  for (const auto& field : kAxisNumbers)
    TellLostNumber(model, joint, 0, field, kWhy, context, kOfWhole);
  if (axis.safety)
    lose(Feature::kSafety, "the safety controller of the whole joint is not written", {});
  if (axis.calibration)
    lose(Feature::kCalibration, "the calibration of the whole joint is not written", {});
  axis = JointAxis();
}

// A target whose readers exchange the ends of such a limit, or refuse it.
void ExchangeEnds(Model& model, PassContext& context) {
  for (const JointId id : Joints(model))
    for (JointAxis& axis : model.joint(id).axes) {
      if (!axis.lower || !axis.upper || *axis.lower <= *axis.upper) continue;
      Loss& loss = context.Lose(model, Feature::kPositionLimit, SubjectOf(model.joint(id)),
                                "its limits are exchanged, as the lower one is above the upper one",
                                "readers of the target exchange them");
      loss.source = FormatNumber(*axis.lower) + " to " + FormatNumber(*axis.upper);
      std::swap(axis.lower, axis.upper);
      loss.target = FormatNumber(*axis.lower) + " to " + FormatNumber(*axis.upper);
    }
}

// A target with a word for accelerations alone.
void LoseDecelerations(Model& model, PassContext& context) {
  if (!context.Mine(Feature::kAccelerationLimit)) return;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    for (std::size_t i = 0; i < joint.axes.size(); ++i)
      LoseNumber(model, joint, i, AxisNumber(&JointAxis::deceleration),
                 "the target limits accelerations only", context);
  }
}

// Limits in degrees or metres, between which no reader in single precision finds room, in radians
// either; or which are no further apart than what the target writes for a lock and reads as one (USD:
// formats/usd/words.h).
bool HoldsStill(double lower, double upper, double lock_width) {
  constexpr double kRadians = std::numbers::pi / 180;
  return static_cast<float>(lower) == static_cast<float>(upper) ||
         static_cast<float>(lower * kRadians) == static_cast<float>(upper * kRadians) ||
         (lock_width > 0 && upper - lower <= 1.5 * std::max(lock_width, std::abs(lower) * 0x1p-21));
}

void JoinLimits(Model& model, JointId id, std::size_t i, double lock_width, PassContext& context) {
  const Joint& joint = model.joint(id);
  JointAxis& axis = model.joint(id).axes[i];
  if (!axis.lower || !axis.upper || *axis.lower >= *axis.upper) return;
  // They are written as the coordinate counts.
  const double unit = IsAngular(joint.kind, i) ? 180 / std::numbers::pi : 1;
  if (!HoldsStill((*axis.lower + axis.position_offset) * unit,
                  (*axis.upper + axis.position_offset) * unit, lock_width))
    return;
  Loss& loss = context.Lose(model, Feature::kPositionLimit, SubjectOf(joint),
                            "its upper limit is written as its lower one",
                            "readers of the target hold them in single precision, and refuse a "
                            "range without width");
  loss.source = FormatNumber(*axis.lower) + " to " + FormatNumber(*axis.upper);
  loss.target = FormatNumber(*axis.lower);
  loss.weight = Weight::kInterface;
  axis.upper = axis.lower;
}

}  // namespace

void LowerLimits::operator()(Model& model, PassContext& context) const {
  for (const JointId id : Joints(model)) LowerWhole(model, id, of_whole, context);
  LoseDecelerations(model, context);
  if (exchanges_ends) ExchangeEnds(model, context);
  // A target takes back what its own family wrote.
  const bool same = model.format.starts_with(context.traits.native_format) &&
                    context.options.target.options.profile.empty();
  if (in_single_precision && !same)
    for (const JointId id : Joints(model))
      for (std::size_t i = 0; i < model.joint(id).axes.size(); ++i)
        JoinLimits(model, id, i, lock_width, context);
  std::vector<bool> driven(model.num_joints(), false);
  for (const Actuator& drive : model.actuators)
    if (drive.joint != kNoJoint) driven[Index(drive.joint)] = true;
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) {
      if (axis.effort.value_or(0) >= unlimited_effort) {
        context
            .Lose(model, Feature::kEffortLimit, SubjectOf(model.joint(id)),
                  "the effort limit " + FormatNumber(*axis.effort) + " is not written",
                  "the target takes so large a limit for none")
            .weight = Weight::kInterface;
        const double lower = axis.effort_lower.value_or(-*axis.effort);
        axis.effort.reset();
        if (-lower >= unlimited_effort) axis.effort_lower.reset();
      }
      if (!zero_effort_is_unlimited || axis.effort != 0 || axis.effort_lower.value_or(0) != 0)
        continue;
      Loss& loss = context.Lose(model, Feature::kEffortLimit, SubjectOf(model.joint(id)),
                                "the effort limit 0 is not written",
                                "a range from 0 to 0 means no limit in the target; a passive "
                                "joint has no actuator there anyway");
      if (!driven[Index(id)]) loss.weight = Weight::kInterface;  // nothing has a force to limit
      axis.effort.reset();
      axis.effort_lower.reset();
    }
  }
  if (!context.Mine(Feature::kOneSidedLimit)) return;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    const bool loop = joint.role == JointRole::kLoop;
    if (loop && !context.Native(Feature::kLoopAxisData)) continue;
    const bool needs =
        !loop && prismatic_needs_one && std::holds_alternative<Prismatic>(joint.kind);
    for (JointAxis& axis : joint.axes) {
      if (axis.lower.has_value() == axis.upper.has_value() && !(needs && !axis.lower)) continue;
      context.Lowered(SubjectOf(joint), axis.lower || axis.upper
                                            ? "the open side of its limit is written as 1e16"
                                            : "no limit is written as +-1e16");
      axis.lower = axis.lower.value_or(-FormatLimits::kNone);
      axis.upper = axis.upper.value_or(FormatLimits::kNone);
    }
  }
}

}  // namespace kinemorph
