// Taking limits, dynamics and declarations of joints out of a model.
#include <algorithm>
#include <cmath>

#include "kinemorph/graph/model_dump.h"
#include "lower/drop_parts.h"
#include "model_edit.h"

namespace kinemorph {
namespace {

class JointDrop {
 public:
  JointDrop(Joint& joint, const DropRequest& request)
      : joint_(joint),
        request_(request),
        loop_(joint.role == JointRole::kLoop),
        element_(Quoted(loop_ ? "loop joint" : "joint", joint.name)) {}

  void Run() {
    if (loop_ && request_.Has(Feature::kLoopAxisData) && !IsSilent()) {
      request_.Lose(Feature::kLoopAxisData, element_, joint_.where, "limits, dynamics and offsets of the loop joint are not written");
      for (JointAxis& axis : joint_.axes) axis = JointAxis();
    }
    if (request_.Has(Feature::kIndependent) && joint_.independent) {
      Lose(Feature::kIndependent,
           std::string("the declaration as ") + (*joint_.independent ? "independent" : "dependent") + " is not written");
      joint_.independent.reset();
    }
    for (JointAxis& axis : joint_.axes) {
      if (loop_) axis.position_offset = 0;  // where a loop joint counts from is nobody's business
      Axis(axis);
    }
  }

 private:
  bool IsSilent() const {
    return std::all_of(joint_.axes.begin(), joint_.axes.end(), [](const JointAxis& a) { return IsPassive(a) && !a.initial_position; });
  }
  void Lose(Feature feature, std::string what) const { request_.Lose(feature, element_, joint_.where, std::move(what)); }

  // An absent value is nothing; a zero is taken away without a word where zero is what its absence means.
  void Value(Feature feature, std::optional<double>& value, const char* name, const char* unit, bool zero_says_something = true) {
    if (!value || !request_.Has(feature)) return;
    if (*value != 0 || zero_says_something) Lose(feature, std::string(name) + " " + FormatNumber(*value) + unit + " is not written");
    value.reset();
  }

  void Axis(JointAxis& a) {
    if (request_.Has(Feature::kPositionLimit) && (a.lower || a.upper)) {
      Lose(Feature::kPositionLimit, "position limit " + (a.lower ? FormatNumber(*a.lower) : std::string("none")) + " .. " +
                                        (a.upper ? FormatNumber(*a.upper) : std::string("none")) + " is not written");
      a.lower.reset();
      a.upper.reset();
    }
    if (request_.Has(Feature::kAsymmetricEffortLimit) && a.effort_lower) {
      const double lower = *a.effort_lower, upper = a.effort.value_or(INFINITY);
      if (lower != -upper && !request_.Has(Feature::kEffortLimit)) {
        const double larger = std::max(std::abs(lower), std::abs(upper));
        Lose(Feature::kAsymmetricEffortLimit, "effort range " + FormatNumber(lower) + " .. " +
                                                  (a.effort ? FormatNumber(upper) : std::string("none")) + " is written as " +
                                                  (std::isfinite(larger) ? "+-" + FormatNumber(larger) : std::string("unlimited")));
        a.effort = std::isfinite(larger) ? std::optional<double>(larger) : std::nullopt;
      }
      if (!request_.Has(Feature::kEffortLimit)) a.effort_lower.reset();
    }
    if (request_.Has(Feature::kEffortLimit)) {
      Value(Feature::kEffortLimit, a.effort, "effort limit", "");
      Value(Feature::kEffortLimit, a.effort_lower, "lower effort limit", "");
    }
    Value(Feature::kVelocityLimit, a.velocity, "velocity limit", "");
    Value(Feature::kAccelerationLimit, a.acceleration, "acceleration limit", "");
    Value(Feature::kAccelerationLimit, a.deceleration, "deceleration limit", "");
    Value(Feature::kJerkLimit, a.jerk, "jerk limit", "");
    Value(Feature::kDamping, a.damping, "damping", "", false);
    Value(Feature::kFriction, a.friction, "friction", "", false);
    if (request_.Has(Feature::kSpring)) {
      if (a.spring_stiffness.value_or(0) != 0) {
        Lose(Feature::kSpring, "spring of stiffness " + FormatNumber(*a.spring_stiffness) + " about " +
                                   FormatNumber(a.spring_reference.value_or(0)) + " is not written");
      }
      a.spring_stiffness.reset();
      a.spring_reference.reset();
    }
    Value(Feature::kArmature, a.armature, "armature", "", false);
    Value(Feature::kLimitCompliance, a.limit_stiffness, "limit stiffness", "");
    Value(Feature::kLimitCompliance, a.limit_dissipation, "limit dissipation", "");
    if (request_.Has(Feature::kSafety) && a.safety) {
      Lose(Feature::kSafety, "the safety controller is not written");
      a.safety.reset();
    }
    if (request_.Has(Feature::kCalibration) && a.calibration) {
      Lose(Feature::kCalibration, "the calibration is not written");
      a.calibration.reset();
    }
    if (request_.Has(Feature::kPositionOffset) && a.position_offset != 0) {
      Lose(Feature::kPositionOffset, "the coordinate counts from the zero configuration, not from " + FormatNumber(a.position_offset));
      a.position_offset = 0;
    }
    Value(Feature::kInitialPosition, a.initial_position, "initial position", "", false);
  }

  Joint& joint_;
  const DropRequest& request_;
  const bool loop_;
  const std::string element_;
};

}  // namespace

void DropJointData(Model& model, const DropRequest& request) {
  for (const JointId id : Joints(model)) JointDrop(model.joint(id), request).Run();
}

}  // namespace kinemorph
