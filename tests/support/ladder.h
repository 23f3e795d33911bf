// A planar ladder: two rails of hinged segments, hinged rungs between their knees. Every cell is a
// four-bar that shares a rung with the next: one cluster, mobility one per cell.
//
//   world -a0- * -a1- * ...
//              |rung0  |rung1     loop joints between rung i and rail b
//   world -b0- * -b1- * ...
#pragma once

#include "random_mechanism.h"

namespace kinemorph::test {

/// `noise`: angle by which the hinges of rail b miss the normal of the plane (few digits in a
/// file).
inline Model Ladder(int cells, double noise = 0) {
  Random random(7);
  Model model;
  model.name = "ladder of " + std::to_string(cells);
  model.format = "urdf+";
  model.unsaid = UnsaidIndependence::kEverywhere;
  const auto add = [&](const std::string& name, LinkId parent, const Vector3& at, double tilt,
                       bool independent) {
    Link link;
    link.name = name;
    link.inertial = RandomInertial(random);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = name + "_joint", joint.kind = Revolute{}, joint.role = JointRole::kTree;
    joint.X_PF = {RotationFromRpy({tilt, 0, 0}), at}, joint.independent = independent;
    joint.axes.resize(1);
    model.AddJoint(parent, id, joint);
    return id;
  };
  LinkId a = kWorld, b = kWorld;
  Vector3 knee_a = Vector3::Zero(), knee_b(0, 0.3, 0), step_a = Vector3::Zero(), step_b(0, 0.3, 0);
  for (int i = 0; i < cells; ++i) {
    const std::string n = std::to_string(i);
    a = add("a" + n, a, step_a, 0, true);
    b = add("b" + n, b, step_b, i % 2 == 0 ? noise : -noise, false);
    step_a = Vector3(0.2, 0.05, 0), step_b = Vector3(0.2, i % 2 == 0 ? 0.02 : 0.08, 0);
    knee_a += step_a, knee_b += step_b;
    const LinkId rung = add("rung" + n, a, step_a, 0, false);
    Joint loop;
    loop.name = "loop" + n, loop.kind = Revolute{}, loop.role = JointRole::kLoop;
    loop.axes.resize(1);
    loop.X_PF.p = knee_b - knee_a, loop.X_SM.p = step_b;
    model.AddJoint(rung, b, loop);
  }
  return model;
}

}  // namespace kinemorph::test
