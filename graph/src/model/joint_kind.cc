// What the kinds of joints count and point along. Visits are exhaustive, so that a new kind does
// not compile before it has its answer everywhere; motion itself (X_FM, S, Psi) is in
// mechanics/joint_motion.cc.
#include "kinemorph/graph/model/joint_kind.h"

#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph {

std::string_view KindName(const JointKind& kind) {
  return std::visit(
      Overloaded{[](const Fixed&) { return "fixed"; }, [](const Revolute&) { return "revolute"; },
                 [](const Prismatic&) { return "prismatic"; }, [](const Screw&) { return "screw"; },
                 [](const Universal&) { return "universal"; }, [](const Ball&) { return "ball"; },
                 [](const Planar&) { return "planar"; },
                 [](const Cylindrical&) { return "cylindrical"; },
                 [](const Free&) { return "free"; }},
      kind);
}

int NumVelocities(const JointKind& kind) {
  return std::visit(Overloaded{[](const Fixed&) { return 0; }, [](const Revolute&) { return 1; },
                               [](const Prismatic&) { return 1; }, [](const Screw&) { return 1; },
                               [](const Universal&) { return 2; }, [](const Ball&) { return 3; },
                               [](const Planar&) { return 3; },
                               [](const Cylindrical&) { return 2; }, [](const Free&) { return 6; }},
                    kind);
}

// Orientation without singularity takes four numbers for three freedoms; all else has as many of
// either.
int NumPositions(const JointKind& kind) {
  if (std::holds_alternative<Ball>(kind)) return 4;
  if (std::holds_alternative<Free>(kind)) return 7;
  return NumVelocities(kind);
}

// A ball or free joint has limits, damping and the like as a whole: one record for all.
int NumAxes(const JointKind& kind) {
  if (std::holds_alternative<Ball>(kind) || std::holds_alternative<Free>(kind)) return 1;
  return NumVelocities(kind);
}

Matrix3 PlanarBasis(const Vector3& normal) { return RotationWithZ(normal); }

// A variant without a common base: each kind with axes is spelled out, the rest has nothing to
// turn.
JointKind Rotated(const JointKind& kind, const Matrix3& R) {
  return std::visit(
      Overloaded{[&](Revolute k) -> JointKind {
                   k.axis = R * k.axis;
                   return k;
                 },
                 [&](Prismatic k) -> JointKind {
                   k.axis = R * k.axis;
                   return k;
                 },
                 [&](Screw k) -> JointKind {
                   k.axis = R * k.axis;
                   return k;
                 },
                 [&](Universal k) -> JointKind {
                   k.axis1 = R * k.axis1;
                   k.axis2 = R * k.axis2;
                   return k;
                 },
                 [&](Planar k) -> JointKind {
                   k.normal = R * k.normal;
                   return k;
                 },
                 [&](Cylindrical k) -> JointKind {
                   k.axis = R * k.axis;
                   return k;
                 },
                 [&](Fixed k) -> JointKind { return k; }, [&](Ball k) -> JointKind { return k; },
                 [&](Free k) -> JointKind { return k; }},
      kind);
}

std::vector<Vector3> AxesOf(const JointKind& kind) {
  using Axes = std::vector<Vector3>;
  return std::visit(
      Overloaded{[](const Revolute& k) { return Axes{k.axis}; },
                 [](const Prismatic& k) { return Axes{k.axis}; },
                 [](const Screw& k) { return Axes{k.axis}; },
                 [](const Universal& k) {
                   return Axes{k.axis1, k.axis2};
                 },
                 [](const Planar& k) { return Axes{k.normal}; },
                 [](const Cylindrical& k) { return Axes{k.axis}; },
                 [](const Fixed&) { return Axes{}; }, [](const Ball&) { return Axes{}; },
                 [](const Free&) { return Axes{}; }},
      kind);
}

}  // namespace kinemorph
