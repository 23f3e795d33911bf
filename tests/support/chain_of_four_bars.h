// N spatially stacked four-bars: each is planar (revolute joints about z, a redundant revolute
// loop), the next one stands tilted on the coupler of the one before. n = 3N, rank K = 2N, mobility
// N.
#pragma once

#include "random_mechanism.h"

namespace kinemorph::test {

inline Model ChainOfFourBars(int stages, std::uint64_t seed = 100) {
  Random random(seed);
  Model model;
  model.name = "chain of " + std::to_string(stages) + " four-bars";
  model.format = "urdf+";
  model.unsaid = UnsaidIndependence::kEverywhere;
  const auto add_link = [&](const std::string& name) {
    Link link;
    link.name = name;
    link.inertial = RandomInertial(random);
    return model.AddLink(link);
  };
  const auto add_hinge = [&](const std::string& name, LinkId parent, LinkId child,
                             const RigidTransform& X_PF, bool independent) {
    Joint joint;
    joint.name = name, joint.kind = Revolute{}, joint.role = JointRole::kTree;
    joint.X_PF = X_PF, joint.independent = independent;
    joint.axes.resize(1);
    model.AddJoint(parent, child, joint);
  };
  LinkId parent = kWorld;
  RigidTransform X_PS;  // where the stage stands on its parent
  // Crank 0.25, coupler 0.55, rocker 0.35, ground 0.5: drawn with the crank at 1 rad; the other
  // angles close the loop.
  const double crank = 0.25, coupler = 0.55, rocker = 0.35, ground = 0.5, angle = 1;
  const double dx = ground - crank * std::cos(angle), dy = -crank * std::sin(angle);
  const double distance = std::hypot(dx, dy);
  const double coupler_angle =
      std::atan2(dy, dx) + std::acos((coupler * coupler + distance * distance - rocker * rocker) /
                                     (2 * coupler * distance));
  const double rocker_angle =
      std::atan2(crank * std::sin(angle) + coupler * std::sin(coupler_angle),
                 crank * std::cos(angle) + coupler * std::cos(coupler_angle) - ground);
  const auto turned = [](double x, double a) {
    return RigidTransform{RotationFromRpy({0, 0, a}), Vector3(x, 0, 0)};
  };
  for (int i = 0; i < stages; ++i) {
    const std::string n = std::to_string(i);
    const LinkId a = add_link("crank" + n), b = add_link("coupler" + n), c = add_link("rocker" + n);
    add_hinge("crank_joint" + n, parent, a, X_PS * turned(0, angle), true);
    add_hinge("coupler_joint" + n, a, b, turned(crank, coupler_angle - angle), false);
    add_hinge("rocker_joint" + n, parent, c, X_PS * turned(ground, rocker_angle), false);
    Joint loop;
    loop.name = "loop" + n, loop.kind = Revolute{}, loop.role = JointRole::kLoop;
    loop.axes.resize(1);
    loop.X_PF = turned(coupler, 0);
    loop.X_SM = turned(rocker, coupler_angle - rocker_angle);
    model.AddJoint(b, c, loop);
    parent = b;
    X_PS = {RotationFromRpy({0.5, 0.3, 0.2}), Vector3(0.3, 0.1, 0.05)};
  }
  return model;
}

}  // namespace kinemorph::test
