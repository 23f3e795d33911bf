#include "normalise/unlimited.h"

#include <cmath>

namespace kinemorph {
namespace {

constexpr double kUnlimited = 1e16;

void Clear(std::optional<double>& magnitude) {
  if (magnitude && std::abs(*magnitude) >= kUnlimited) magnitude.reset();
}

}  // namespace

void Unlimited(Model& model, PassContext&) {
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) {
      if (axis.lower && *axis.lower <= -kUnlimited) axis.lower.reset();
      if (axis.upper && *axis.upper >= kUnlimited) axis.upper.reset();
      for (std::optional<double>* limit : {&axis.effort, &axis.effort_lower, &axis.velocity,
                                           &axis.acceleration, &axis.deceleration, &axis.jerk}) {
        Clear(*limit);
      }
    }
  }
}

}  // namespace kinemorph
