#include "kinemorph/graph/checks/units.h"

#include <utility>

#include "kinemorph/graph/base/number.h"

namespace kinemorph {

// A screw counts as its angle; of planar and cylindrical joints each coordinate is of its own sort.
bool IsAngular(const JointKind& kind, std::size_t axis) {
  if (std::holds_alternative<Prismatic>(kind)) return false;
  if (std::holds_alternative<Planar>(kind)) return axis == 2;
  if (std::holds_alternative<Cylindrical>(kind)) return axis == 0;
  return true;
}

std::string WithUnit(double value, const Units& units, bool angular) {
  const std::string_view unit = units.Of(angular);
  std::string text = FormatNumber(value);
  if (!unit.empty()) text += " ";
  text += unit;
  return text;
}

std::string AxesText(const Joint& joint) {
  // By the table of numbers of an axis, so that a new one is in the sentence by itself; safety
  // controllers and calibrations are named only, they are several numbers each.
  std::string text;
  const auto add = [&](std::string item, std::size_t axis) {
    text += (text.empty() ? "" : ", ") + std::move(item);
    if (joint.axes.size() > 1) text += " (coordinate " + std::to_string(axis + 1) + ")";
  };
  for (std::size_t i = 0; i < joint.axes.size(); ++i) {
    const JointAxis& axis = joint.axes[i];
    for (const auto& field : kAxisNumbers)
      if (const auto value = Said(axis, field))
        add(std::string(field.words) + " " +
                WithUnit(*value, field.units, IsAngular(joint.kind, i)),
            i);
    if (axis.safety) add("safety controller", i);
    if (axis.calibration) add("calibration", i);
  }
  return text;
}

}  // namespace kinemorph
