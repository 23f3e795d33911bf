#include "edit/joint_feature.h"

#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph {

Feature TreeFeature(const Joint& joint) {
  return std::visit(Overloaded{[](const Fixed&) { return Feature::kJointFixed; },
                               [&](const Revolute&) {
                                 const bool limited = !joint.axes.empty() &&
                                                      (joint.axes[0].lower || joint.axes[0].upper);
                                 return limited ? Feature::kJointRevolute
                                                : Feature::kJointContinuous;
                               },
                               [](const Prismatic&) { return Feature::kJointPrismatic; },
                               [](const Screw&) { return Feature::kJointScrew; },
                               [](const Universal&) { return Feature::kJointUniversal; },
                               [](const Ball&) { return Feature::kJointBall; },
                               [](const Planar&) { return Feature::kJointPlanar; },
                               [](const Cylindrical&) { return Feature::kJointCylindrical; },
                               [](const Free&) { return Feature::kJointFree; }},
                    joint.kind);
}

Feature LoopFeature(const JointKind& kind) {
  return std::visit(Overloaded{[](const Fixed&) { return Feature::kLoopFixed; },
                               [](const Revolute&) { return Feature::kLoopRevolute; },
                               [](const Prismatic&) { return Feature::kLoopPrismatic; },
                               [](const Screw&) { return Feature::kLoopScrew; },
                               [](const Universal&) { return Feature::kLoopUniversal; },
                               [](const Ball&) { return Feature::kLoopBall; },
                               [](const Planar&) { return Feature::kLoopPlanar; },
                               [](const Cylindrical&) { return Feature::kLoopCylindrical; },
                               [](const Free&) { return Feature::kJointFree; }},
                    kind);
}

}  // namespace kinemorph
