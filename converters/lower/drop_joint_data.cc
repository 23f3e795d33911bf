// Taking limits, dynamics and declarations of joints out of a model.
#include <algorithm>
#include <cmath>

#include "edit/model_edit.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/fields.h"
#include "lower/drop_parts.h"

namespace kinemorph {
namespace {

// Each number of a joint is a feature of its own, so that a table can hold one and not the other.
// JointDrop takes out those that the request names, with a loss that gives the value and its unit
// (rad or m by the kind of the coordinate). A number that says nothing, such as a damping of 0,
// goes without a loss: Said and IsPassive know which these are.
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
      Lose(Feature::kIndependent, "whether it is independent is not written",
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
  std::string WithUnit(double value, const Units& units) const {
    return kinemorph::WithUnit(value, units, angular_);
  }
  // "soft lower limit -0.9 rad, k position 100"
  template <class Owner>
  std::string Text(const Owner& owner) const {
    std::string text;
    ForEachField<Owner>([&](const NumberField<Owner>& field) {
      if (const auto said = Said(owner, field))
        text += (text.empty() ? "" : ", ") + std::string(field.words) + " " +
                WithUnit(*said, field.units);
    });
    return text;
  }
  template <class Part>
  void Whole(std::optional<Part> JointAxis::*part, Feature feature, JointAxis& a) const {
    if (!request_.Has(feature) || !(a.*part)) return;
    Lose(feature, "the " + std::string(FeatureTitle(feature)) + " is not written",
         Text(*(a.*part)));
    (a.*part).reset();
  }
  static std::string Ends(const std::optional<double>& lower, const std::optional<double>& upper) {
    return (lower ? FormatNumber(*lower) : "none") + " .. " +
           (upper ? FormatNumber(*upper) : "none");
  }

  void Axis(JointAxis& a) {
    if (request_.Has(Feature::kPositionLimit) && (a.lower || a.upper)) {
      const std::string ends = Ends(a.lower, a.upper);
      Lose(Feature::kPositionLimit, "position limit " + ends + " is not written",
           ends + " " + std::string(unit::kPosition.Of(angular_)));
      a.lower.reset();
      a.upper.reset();
    }
    if (request_.Has(Feature::kAsymmetricEffortLimit) && a.effort_lower) {
      const double lower = *a.effort_lower, upper = a.effort.value_or(INFINITY);
      // A target with one number for the effort gets the larger of the two, which limits nothing
      // that the source allows.
      if (lower != -upper && !request_.Has(Feature::kEffortLimit)) {
        const double larger = std::max(std::abs(lower), std::abs(upper));
        const bool limits = larger < FormatLimits::kNone;
        const std::string ends = Ends(lower, a.effort),
                          written = limits ? "+-" + FormatNumber(larger) : "unlimited";
        const std::string unit = " " + std::string(unit::kEffort.Of(angular_));
        Lose(Feature::kAsymmetricEffortLimit, "effort range " + ends + " is written as " + written,
             ends + unit, limits ? written + unit : written);
        a.effort = limits ? std::optional<double>(larger) : std::nullopt;
      }
      if (!request_.Has(Feature::kEffortLimit)) a.effort_lower.reset();
    }
    // Stiffness and rest are one spring: the rest position alone moves nothing.
    if (request_.Has(Feature::kSpring)) {
      if (a.spring_stiffness.value_or(0) != 0) {
        Lose(Feature::kSpring,
             "spring of stiffness " + FormatNumber(*a.spring_stiffness) + " about " +
                 FormatNumber(a.spring_reference.value_or(0)) + " is not written",
             WithUnit(*a.spring_stiffness, unit::kStiffness) + " about " +
                 WithUnit(a.spring_reference.value_or(0), unit::kPosition));
      }
      a.spring_stiffness.reset();
      a.spring_reference.reset();
    }
    // The rest of the table of fields; limits, springs and effort ranges were pairs of numbers.
    for (const auto& field : kAxisNumbers) {
      if (!request_.Has(field.feature)) continue;
      if (const auto said = Said(a, field))
        Lose(field.feature,
             std::string(field.words) + " " + FormatNumber(*said) + " is not written",
             WithUnit(*said, field.units));
      (a.*field.member).reset();
    }
    Whole(&JointAxis::safety, Feature::kSafety, a);
    Whole(&JointAxis::calibration, Feature::kCalibration, a);
    if (request_.Has(Feature::kPositionOffset) && a.position_offset != 0) {
      Lose(Feature::kPositionOffset,
           "the coordinate counts from the zero configuration, not from " +
               FormatNumber(a.position_offset),
           WithUnit(a.position_offset, unit::kPosition));
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
