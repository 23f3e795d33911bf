// Random mechanisms for tests: trees of every joint kind, loops that close at a chosen
// configuration, couplings. Seeded.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph::test {

struct RandomMechanismOptions {
  int links = 12;
  int loops = 2;
  int couplings = 1;
  bool all_kinds =
      true;  ///< universal, ball, planar, cylindrical, screw joints beside revolute and prismatic
  bool free_base = false;
  bool reversed_joints = false;  ///< some joints point against the tree
  bool closed_at_zero = true;    ///< else loops close at a random configuration
  bool world_loops = true;       ///< loops may end on the world
};

inline Vector3 RandomVector(Random& random, double size) {
  return {random.Uniform(-size, size), random.Uniform(-size, size), random.Uniform(-size, size)};
}
inline Vector3 RandomAxis(Random& random) {
  Vector3 axis = RandomVector(random, 1);
  while (axis.norm() < 0.2) axis = RandomVector(random, 1);
  return axis.normalized();
}
// One draw after the other: the order of arguments is the compiler's own.
inline Matrix3 RandomRotation(Random& random) {
  const double angle = random.Uniform(-3, 3);
  return RotationFromAxisAngle(RandomAxis(random), angle);
}
inline RigidTransform RandomTransform(Random& random, double size) {
  return {RandomRotation(random), RandomVector(random, size)};
}
inline Inertial RandomInertial(Random& random) {
  Inertial inertial;
  inertial.mass = random.Uniform(0.5, 2);
  inertial.X_LI = RandomTransform(random, 0.1);
  Vector3 d;
  for (const int i : {2, 1, 0}) d[i] = random.Uniform(0.01, 0.02);
  inertial.I_I = Vector3(d.y() + d.z(), d.x() + d.z(), d.x() + d.y()).asDiagonal();
  return inertial;
}
inline JointKind RandomTreeKind(Random& random, bool all_kinds) {
  const int dice = random.Below(all_kinds ? 14 : 8);
  if (dice < 6) return Revolute{RandomAxis(random)};
  if (dice < 8) return Prismatic{RandomAxis(random)};
  if (dice == 8) return Fixed{};
  if (dice == 9) return Universal{RandomAxis(random), RandomAxis(random)};
  if (dice == 10) return Ball{};
  if (dice == 11) return Planar{RandomAxis(random)};
  if (dice == 12) return Cylindrical{RandomAxis(random)};
  return Screw{RandomAxis(random), random.Uniform(0.05, 0.2)};
}
inline JointKind RandomLoopKind(Random& random, int max_rows) {
  for (;;) {
    JointKind kind;
    switch (random.Below(8)) {
      case 0:
        kind = Revolute{RandomAxis(random)};
        break;
      case 1:
        kind = Prismatic{RandomAxis(random)};
        break;
      case 2:
        kind = Fixed{};
        break;
      case 3:
        kind = Universal{RandomAxis(random), RandomAxis(random)};
        break;
      case 4:
        kind = Ball{};
        break;
      case 5:
        kind = Planar{RandomAxis(random)};
        break;
      case 6:
        kind = Cylindrical{RandomAxis(random)};
        break;
      default:
        kind = Screw{RandomAxis(random), random.Uniform(0.05, 0.2)};
        break;
    }
    if (NumConstraints(kind) <= max_rows) return kind;
  }
}
inline void AddRandomAxes(Random& random, Joint& joint) {
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  for (JointAxis& axis : joint.axes) {
    if (random.Below(2) == 0)
      axis.lower = random.Uniform(-2, -1), axis.upper = random.Uniform(1, 2);
    if (random.Below(3) == 0) axis.damping = random.Uniform(0.1, 1);
    if (random.Below(4) == 0)
      axis.effort = random.Uniform(10, 100), axis.velocity = random.Uniform(1, 10);
  }
  if (std::holds_alternative<Ball>(joint.kind) || std::holds_alternative<Free>(joint.kind))
    joint.axes.assign(1, JointAxis{});
}

/// Links "link1".. under the world, joints "joint1".., loops "loop1".., couplings "coupling1"...
inline Model RandomMechanism(std::uint64_t seed, const RandomMechanismOptions& options = {}) {
  Random random(seed);
  Model model;
  model.name = "random" + std::to_string(seed);
  model.format = "sdf";
  model.unsaid = UnsaidIndependence::kNothing;
  std::vector<LinkId> links{kWorld};
  std::vector<int> parent{-1}, freedom{0};
  for (int i = 1; i <= options.links; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.inertial = RandomInertial(random);
    links.push_back(model.AddLink(link));
    // Long chains are as likely as bushes.
    const int from = i == 1 ? 0 : random.Below(2) == 0 ? i - 1 : 1 + random.Below(i - 1);
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = RandomTreeKind(random, options.all_kinds);
    if (i == 1)
      joint.kind = options.free_base ? JointKind(Free{}) : JointKind(Revolute{RandomAxis(random)});
    joint.role = JointRole::kTree;
    joint.X_PF = RandomTransform(random, 0.3);
    if (random.Below(2) == 0) joint.X_SM = RandomTransform(random, 0.2);
    AddRandomAxes(random, joint);
    parent.push_back(from);
    freedom.push_back(NumVelocities(joint.kind));
    const bool reversed = options.reversed_joints && i > 1 && random.Below(3) == 0;
    if (reversed) {
      model.AddJoint(links.back(), links[static_cast<std::size_t>(from)], joint);
    } else {
      model.AddJoint(links[static_cast<std::size_t>(from)], links.back(), joint);
    }
  }
  // Frames of loops from the poses of the tree at the configuration where they shall close.
  const Mechanism tree = Compile(model);
  Eigen::VectorXd q = tree.ZeroPosition(), v(tree.nv);
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = random.Uniform(-0.5, 0.5);
  if (!options.closed_at_zero) q = tree.Integrate(q, v, 1);
  const std::vector<RigidTransform> X_WB = Poses(tree, q);
  const auto ancestors = [&](int i) {
    std::vector<int> path;
    for (; i > 0; i = parent[static_cast<std::size_t>(i)]) path.push_back(i);
    return path;
  };
  int spare = -1;
  for (int n = 0, tries = 0; n < options.loops && tries < 200; ++tries) {
    const int p = options.world_loops && random.Below(4) == 0 ? 0 : 1 + random.Below(options.links);
    const int s = 1 + random.Below(options.links);
    std::vector<int> up_p = ancestors(p), up_s = ancestors(s);
    while (!up_p.empty() && !up_s.empty() && up_p.back() == up_s.back())
      up_p.pop_back(), up_s.pop_back();
    int freedoms = 0;
    for (const auto* path : {&up_p, &up_s}) {
      for (const int i : *path) freedoms += freedom[static_cast<std::size_t>(i)];
    }
    if (p == s || freedoms < 4) continue;
    Joint joint;
    joint.name = "loop" + std::to_string(++n);
    joint.kind = RandomLoopKind(random, freedoms - 1);
    joint.role = JointRole::kLoop;
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    const RigidTransform X_PS =
        X_WB[static_cast<std::size_t>(tree.body_of[Index(links[static_cast<std::size_t>(p)])])]
            .inverse() *
        X_WB[static_cast<std::size_t>(tree.body_of[Index(links[static_cast<std::size_t>(s)])])];
    joint.X_PF = RandomTransform(random, 0.3);
    joint.X_SM = X_PS.inverse() * joint.X_PF;
    model.AddJoint(links[static_cast<std::size_t>(p)], links[static_cast<std::size_t>(s)], joint);
    // Each freedom is used up once: later loops must bring their own.
    int rows = NumConstraints(joint.kind);
    for (const auto* path : {&up_p, &up_s}) {
      for (const int i : *path) {
        const int taken = std::min(rows, freedom[static_cast<std::size_t>(i)]);
        freedom[static_cast<std::size_t>(i)] -= taken, rows -= taken;
        if (freedom[static_cast<std::size_t>(i)] > 0) spare = i;
      }
    }
  }
  static_cast<void>(spare);
  for (int n = 0, tries = 0; n < options.couplings && tries < 100; ++tries) {
    const int a = 2 + random.Below(options.links - 1), b = 2 + random.Below(options.links - 1);
    const auto scalar = [&](int i) {
      const JointKind& kind = model.joint(JointId{static_cast<std::uint32_t>(i - 1)}).kind;
      return (std::holds_alternative<Revolute>(kind) || std::holds_alternative<Prismatic>(kind)) &&
             freedom[static_cast<std::size_t>(i)] > 0;
    };
    if (a == b || !scalar(a) || !scalar(b)) continue;
    Coupling coupling;
    coupling.name = "coupling" + std::to_string(++n);
    coupling.form = CouplingForm::kPolynomial;
    CouplingTerm follower, leader;
    follower.coordinate = {JointId{static_cast<std::uint32_t>(a - 1)}, 0};
    follower.coefficients = {1, 0, 0, 0};
    leader.coordinate = {JointId{static_cast<std::uint32_t>(b - 1)}, 0};
    leader.coefficients = {-random.Uniform(0.5, 3),
                           random.Below(2) == 0 ? 0 : random.Uniform(-0.3, 0.3), 0,
                           random.Below(3) == 0 ? 0.1 : 0};
    coupling.terms = {follower, leader};
    freedom[static_cast<std::size_t>(a)] = 0;
    const auto value = [&](const CouplingTerm& term) {
      const LinkId child = links[Index(term.coordinate.joint) + 1];
      const double x = q[tree.bodies[static_cast<std::size_t>(tree.body_of[Index(child)])].q];
      const auto& c = term.coefficients;
      return x * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
    };
    coupling.constant = value(follower) + value(leader);
    model.couplings.push_back(coupling);
  }
  return model;
}

}  // namespace kinemorph::test
