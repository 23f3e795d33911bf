#include "kinemorph/graph/checks/units.h"

#include <utility>

#include "kinemorph/graph/model/axis_fields.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {

bool IsAngular(const JointKind& kind, std::size_t axis) {
  if (std::holds_alternative<Prismatic>(kind)) return false;
  if (std::holds_alternative<Planar>(kind)) return axis == 2;
  if (std::holds_alternative<Cylindrical>(kind)) return axis == 0;
  return true;
}

std::string_view UnitOf(Feature feature, bool angular) {
  const FeatureRow::Units& units = RowOf(feature).units;
  return angular ? units.angular : units.linear;
}

std::string WithUnit(double value, Feature feature, bool angular) {
  const std::string_view unit = UnitOf(feature, angular);
  std::string text = FormatNumber(value);
  if (!unit.empty()) text += " ";
  text += unit;
  return text;
}

std::string AxesText(const Joint& joint) {
  std::string text;
  const auto add = [&](std::string item, std::size_t axis) {
    text += (text.empty() ? "" : ", ") + std::move(item);
    if (joint.axes.size() > 1) text += " (coordinate " + std::to_string(axis + 1) + ")";
  };
  for (std::size_t i = 0; i < joint.axes.size(); ++i) {
    const JointAxis& axis = joint.axes[i];
    for (const AxisField& field : kAxisFields) {
      if (const auto value = Said(axis, field))
        add(std::string(field.name) + " " +
                WithUnit(*value, UnitFeatureOf(field), IsAngular(joint.kind, i)),
            i);
    }
    if (axis.safety) add("safety controller", i);
    if (axis.calibration) add("calibration", i);
  }
  return text;
}

}  // namespace kinemorph
