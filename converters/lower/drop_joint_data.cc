// Taking limits, dynamics and declarations of joints out of a model.
#include <algorithm>
#include <cmath>

#include "edit/model_edit.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/axis_fields.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/drop_parts.h"

namespace kinemorph {
namespace {

class JointDrop {
 public:
  JointDrop(Joint& joint, const DropRequest& request)
      : joint_(joint),
        request_(request),
        loop_(joint.role == JointRole::kLoop),
        element_(SubjectOf(joint)) {}

  void Run() {
    if (loop_ && request_.Has(Feature::kLoopAxisData) && !IsSilent()) {
      const std::string said = AxesText(joint_);  // nothing where all is zero
      if (!said.empty())
        request_
            .Lose(Feature::kLoopAxisData, element_,
                  "limits, dynamics and offsets of the loop joint are not written: " + said)
            .source = said;
      for (JointAxis& axis : joint_.axes) axis = JointAxis();
    }
    if (request_.Has(Feature::kIndependent) && joint_.independent) {
      Lose(Feature::kIndependent,
           std::string("the declaration as ") +
               (*joint_.independent ? "independent" : "dependent") + " is not written",
           *joint_.independent ? "independent" : "dependent");
      joint_.independent.reset();
    }
    for (std::size_t i = 0; i < joint_.axes.size(); ++i) {
      if (loop_)
        joint_.axes[i].position_offset = 0;  // where a loop joint counts from is nobody's business
      angular_ = IsAngular(joint_.kind, i);
      Axis(joint_.axes[i]);
    }
  }

 private:
  bool IsSilent() const {
    return std::all_of(joint_.axes.begin(), joint_.axes.end(),
                       [](const JointAxis& a) { return IsPassive(a) && !a.initial_position; });
  }
  void Lose(Feature feature, std::string what, std::string source, std::string target = {}) const {
    Loss& loss = request_.Lose(feature, element_, std::move(what));
    loss.source = std::move(source);
    loss.target = std::move(target);
  }
  std::string WithUnit(double value, Feature feature) const {
    return kinemorph::WithUnit(value, feature, angular_);
  }
  std::string Text(const Safety& s) const {
    std::string text;
    Add("soft lower limit", s.soft_lower, Feature::kPositionLimit, text);
    Add("soft upper limit", s.soft_upper, Feature::kPositionLimit, text);
    Add("k position", s.k_position, Feature::kSafety, text);
    Add("k velocity", s.k_velocity, Feature::kSafety, text);
    return text;
  }
  std::string Text(const Calibration& c) const {
    std::string text;
    Add("rising", c.rising, Feature::kPositionLimit, text);
    Add("falling", c.falling, Feature::kPositionLimit, text);
    Add("reference position", c.reference_position, Feature::kPositionLimit, text);
    return text;
  }
  void Add(const char* name, const std::optional<double>& value, Feature unit,
           std::string& text) const {
    if (value)
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + WithUnit(*value, unit);
  }
  static std::string Ends(const std::optional<double>& lower, const std::optional<double>& upper) {
    return (lower ? FormatNumber(*lower) : "none") + " .. " +
           (upper ? FormatNumber(*upper) : "none");
  }

  void Axis(JointAxis& a) {
    if (request_.Has(Feature::kPositionLimit) && (a.lower || a.upper)) {
      const std::string ends = Ends(a.lower, a.upper);
      Lose(Feature::kPositionLimit, "position limit " + ends + " is not written",
           ends + " " + std::string(UnitOf(Feature::kPositionLimit, angular_)));
      a.lower.reset();
      a.upper.reset();
    }
    if (request_.Has(Feature::kAsymmetricEffortLimit) && a.effort_lower) {
      const double lower = *a.effort_lower, upper = a.effort.value_or(INFINITY);
      if (lower != -upper && !request_.Has(Feature::kEffortLimit)) {
        const double larger = std::max(std::abs(lower), std::abs(upper));
        const std::string ends = Ends(lower, a.effort), written = std::isfinite(larger)
                                                                      ? "+-" + FormatNumber(larger)
                                                                      : "unlimited";
        const std::string unit = " " + std::string(UnitOf(Feature::kEffortLimit, angular_));
        Lose(Feature::kAsymmetricEffortLimit, "effort range " + ends + " is written as " + written,
             ends + unit, std::isfinite(larger) ? written + unit : written);
        a.effort = std::isfinite(larger) ? std::optional<double>(larger) : std::nullopt;
      }
      if (!request_.Has(Feature::kEffortLimit)) a.effort_lower.reset();
    }
    if (request_.Has(Feature::kSpring)) {
      if (a.spring_stiffness.value_or(0) != 0) {
        Lose(Feature::kSpring,
             "spring of stiffness " + FormatNumber(*a.spring_stiffness) + " about " +
                 FormatNumber(a.spring_reference.value_or(0)) + " is not written",
             WithUnit(*a.spring_stiffness, Feature::kSpring) + " about " +
                 WithUnit(a.spring_reference.value_or(0), Feature::kPositionLimit));
      }
      a.spring_stiffness.reset();
      a.spring_reference.reset();
    }
    for (const AxisField& field : kAxisFields) {
      const Feature feature = FeatureOf(field);
      const auto said = Said(a, field);
      if (!request_.Has(feature)) continue;
      if (said)
        Lose(feature, std::string(field.name) + " " + FormatNumber(*said) + " is not written",
             WithUnit(*said, UnitFeatureOf(field)));
      (a.*field.value).reset();
    }
    if (request_.Has(Feature::kSafety) && a.safety) {
      Lose(Feature::kSafety, "the safety controller is not written", Text(*a.safety));
      a.safety.reset();
    }
    if (request_.Has(Feature::kCalibration) && a.calibration) {
      Lose(Feature::kCalibration, "the calibration is not written", Text(*a.calibration));
      a.calibration.reset();
    }
    if (request_.Has(Feature::kPositionOffset) && a.position_offset != 0) {
      Lose(Feature::kPositionOffset,
           "the coordinate counts from the zero configuration, not from " +
               FormatNumber(a.position_offset),
           WithUnit(a.position_offset, Feature::kPositionOffset));
      a.position_offset = 0;
    }
  }

  Joint& joint_;
  const DropRequest& request_;
  const bool loop_;
  const Subject element_;
  bool angular_ = true;  // of the coordinate that is looked at
};

}  // namespace

void DropJointData(Model& model, const DropRequest& request) {
  for (const JointId id : Joints(model)) JointDrop(model.joint(id), request).Run();
}

}  // namespace kinemorph
