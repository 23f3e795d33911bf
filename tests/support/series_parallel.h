// Series-parallel mechanisms as robots have them, with the topology of the hybrid closure paper's
// robot: torso, elbow, wrist, and a body with all of them. Geometry of our own.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "kinemorph/graph/mechanics/coordinates.h"
#include "random_mechanism.h"

namespace kinemorph::test {

/// A model with what is computed of it once.
struct Robot {
  Model model;
  Mechanism m;
  Coordinates c;
  explicit Robot(Model given) : model(std::move(given)), m(Compile(model)) {
    c = AnalyseCoordinates(m);
  }
};

// A mechanism put together joint by joint, closed at q = 0.
struct Builder {
  Model model;
  Random random;
  explicit Builder(std::uint64_t seed) : random(seed) {
    model.format = "urdf+";
    model.unsaid = UnsaidIndependence::kEverywhere;
  }
  LinkId Add(const std::string& name, LinkId parent, const JointKind& kind,
             const RigidTransform& X_PF, bool independent) {
    Link link;
    link.name = name, link.inertial = RandomInertial(random);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = name + "_joint", joint.kind = kind, joint.role = JointRole::kTree;
    joint.X_PF = X_PF, joint.independent = independent, joint.axes.resize(1);
    model.AddJoint(parent, id, joint);
    return id;
  }
  static std::size_t Of(int i) { return static_cast<std::size_t>(i); }
  // A loop joint with its frame F at X_P in P.
  void Close(LinkId p, LinkId s, const RigidTransform& X_PF, const JointKind& kind) {
    const Mechanism m = Compile(model);
    const std::vector<RigidTransform> X_W = Poses(m, m.ZeroPosition());
    Joint loop;
    loop.name = "loop" + std::to_string(model.num_joints()), loop.kind = kind;
    loop.role = JointRole::kLoop, loop.axes.resize(Of(NumAxes(kind)));
    loop.X_PF = X_PF;
    loop.X_SM = X_W[Of(m.body_of[Index(s)])].inverse() * X_W[Of(m.body_of[Index(p)])] * X_PF;
    model.AddJoint(p, s, loop);
  }
};

inline RigidTransform At(double x, double y) { return {Matrix3::Identity(), Vector3(x, y, 0)}; }
inline RigidTransform At(double x, double y, double z) { return {Matrix3::Identity(), {x, y, z}}; }

/// Three cranks with sliders side by side, driven as far as 1.6, 1.5 and 1.7 rad: the dead centre
/// is at a quarter turn.
inline Model ThreeCranks() {
  Builder b(1);
  const JointKind hinge = Revolute{Vector3::UnitZ()};
  const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
  for (const auto& [n, limit] : {std::pair("1", 1.6), std::pair("2", 1.5), std::pair("3", 1.7)}) {
    const LinkId crank = b.Add(std::string("crank") + n, base, hinge, At(0, 0), true);
    const LinkId rod = b.Add(std::string("rod") + n, crank, hinge, At(0, 0.1), false);
    const double reach = std::sqrt(0.3 * 0.3 - 0.1 * 0.1);
    const LinkId slide =
        b.Add(std::string("slide") + n, base, Prismatic{Vector3::UnitX()}, At(reach, 0), false);
    b.Close(rod, slide, At(reach, -0.1), hinge);
    Joint& driven = b.model.joint(*b.model.FindJoint(std::string("crank") + n + "_joint"));
    driven.axes[0].lower = -limit, driven.axes[0].upper = limit;
  }
  return std::move(b.model);
}

/// A platform on a universal joint and two legs of universal joint, cylinder and ball. The hinges
/// of a skew foot do not meet, and are not square to each other. Returns the platform.
inline LinkId AddTorso(Builder& b, LinkId base, bool skew) {
  Random& random = b.random;
  const auto about = [&](double x) { return x + random.Uniform(-0.02, 0.02); };
  const LinkId cross = b.Add("cross", base, Revolute{Vector3::UnitY()}, At(0, 0, 0.3), true);
  const LinkId platform = b.Add("platform", cross, Revolute{Vector3::UnitX()}, At(0, 0, 0), true);
  for (const double side : {-1.0, 1.0}) {
    const std::string n = side < 0 ? "left" : "right";
    const Vector3 first = skew ? Vector3(0.2, 1, 0.1).normalized() : Vector3::UnitY();
    const LinkId foot = b.Add(n + "_foot", base, Revolute{first},
                              At(about(-0.15), side * about(0.1), about(0)), false);
    const LinkId cylinder = b.Add(n + "_cylinder", foot, Revolute{Vector3::UnitX()},
                                  At(0, skew ? 0.02 : 0, skew ? 0.01 : 0), false);
    const LinkId rod =
        b.Add(n + "_rod", cylinder, Prismatic{Vector3::UnitZ()}, At(0, about(0.01), 0.1), false);
    b.Close(rod, platform, At(0.01, 0, about(0.2)), Ball{});
  }
  return platform;
}

/// An elbow that a cylinder drives. Returns the forearm.
inline LinkId AddElbow(Builder& b, LinkId arm, const std::string& name) {
  const JointKind hinge = Revolute{Vector3::UnitY()};
  const LinkId forearm = b.Add(name + "_elbow", arm, hinge, At(0, 0, -0.3), true);
  const LinkId cylinder = b.Add(name + "_elbow_cylinder", arm, hinge, At(0.05, 0, -0.08), false);
  const LinkId rod =
      b.Add(name + "_elbow_rod", cylinder, Prismatic{Vector3::UnitZ()}, At(0, 0, -0.1), false);
  b.Close(rod, forearm, At(0.015, 0, -0.1), hinge);
  return forearm;
}

/// Two freedoms, each turned by a rod between a cross and a hand (with `hinges` its own third axis
/// is held by the loop joint, else the hand is idle), from a crank that a slider drives: 16
/// coordinates, 14 rows (10 without hinges). Returns the hand's platform.
inline LinkId AddWrist(Builder& b, LinkId forearm, const std::string& name, bool hinges = true) {
  const JointKind x = Revolute{Vector3::UnitX()}, y = Revolute{Vector3::UnitY()},
                  z = Revolute{Vector3::UnitZ()};
  const LinkId pitch = b.Add(name + "_wrist_pitch", forearm, y, At(0, 0, -0.25), true);
  const LinkId platform = b.Add(name + "_wrist_yaw", pitch, x, At(0, 0, 0), true);
  for (const double side : {-1.0, 1.0}) {
    const std::string n = name + (side < 0 ? "_inner" : "_outer");
    const LinkId crank = b.Add(n + "_crank", forearm, x, At(0.03 * side, 0, -0.08), false);
    const LinkId cross = b.Add(n + "_cross", crank, x, At(0, 0.03, 0), false);
    const LinkId rod = b.Add(n + "_rod", cross, y, At(0, 0, 0), false);
    const LinkId swivel = b.Add(n + "_swivel", rod, x, At(0, 0, -0.15), !hinges);
    const LinkId hand = b.Add(n + "_hand", swivel, y, At(0, 0, 0), !hinges);
    if (hinges)
      b.Close(hand, platform, At(0, 0, 0), z);
    else
      b.Close(hand, platform, At(0, 0, 0), Ball{});
    const LinkId cylinder = b.Add(n + "_cylinder", forearm, x, At(0.03 * side, -0.03, 0.05), false);
    const LinkId slide =
        b.Add(n + "_slide", cylinder, Prismatic{Vector3::UnitZ()}, At(0, 0, -0.05), false);
    b.Close(slide, crank, At(0, 0, -0.08), x);
  }
  return platform;
}

inline Model Torso(std::uint64_t seed, bool skew) {
  Builder b(seed);
  AddTorso(b, b.Add("base", kWorld, Fixed{}, RandomTransform(b.random, 1), false), skew);
  return b.model;
}
inline Model Elbow(std::uint64_t seed) {
  Builder b(seed);
  AddElbow(b, b.Add("arm", kWorld, Fixed{}, RandomTransform(b.random, 1), false), "left");
  return b.model;
}
inline Model Wrist(std::uint64_t seed, bool hinges = true) {
  Builder b(seed);
  const LinkId forearm = b.Add("forearm", kWorld, Fixed{}, RandomTransform(b.random, 1), false);
  AddWrist(b, forearm, "left", hinges);
  return b.model;
}

/// Three hinges, and three motors at the chest that turn with their sums and differences.
inline void AddHead(Builder& b, LinkId chest) {
  const LinkId yaw = b.Add("head_yaw", chest, Revolute{Vector3::UnitZ()}, At(0, 0, 0.35), true);
  const LinkId pitch = b.Add("head_pitch", yaw, Revolute{Vector3::UnitY()}, At(0, 0, 0.05), true);
  b.Add("head_roll", pitch, Revolute{Vector3::UnitX()}, At(0, 0, 0), true);
  for (const char* motor : {"head_centre", "head_left", "head_right"})
    b.Add(motor, chest, Revolute{Vector3::UnitY()}, At(-0.05, 0, 0.3), false);
  const auto couple = [&](const std::string& motor, double of_yaw, double of_pitch,
                          double of_roll) {
    Coupling coupling;
    coupling.name = motor + "_coupling";
    const auto add = [&](const std::string& link, double factor) {
      if (factor != 0)
        coupling.terms.push_back({{*b.model.FindJoint(link + "_joint"), 0}, {factor, 0, 0, 0}});
    };
    add(motor, -1), add("head_yaw", of_yaw), add("head_pitch", of_pitch);
    add("head_roll", of_roll);
    b.model.couplings.push_back(coupling);
  };
  couple("head_centre", 1, 0, 0), couple("head_left", 0, -1, 1), couple("head_right", 0, -1, -1);
}

/// Torso, yaw, and two arms of shoulder (3), elbow and forearm roll: 23 coordinates, 13 of them
/// independent; with wrists and head 61 and 20.
inline Model ReducedRobot(std::uint64_t seed, bool full) {
  Builder b(seed);
  const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
  const LinkId platform = AddTorso(b, base, false);
  const LinkId chest = b.Add("yaw", platform, Revolute{Vector3::UnitZ()}, At(0, 0, 0.3), true);
  for (const double side : {-1.0, 1.0}) {
    const std::string n = side < 0 ? "right" : "left";
    LinkId arm = chest;
    for (int i = 0; i < 3; ++i) {
      const Vector3 axis = Matrix3::Identity().col((i + 1) % 3);
      arm = b.Add(n + "_shoulder" + std::to_string(i), arm, Revolute{axis},
                  i == 0 ? At(0, 0.2 * side, 0.2) : At(0, 0, 0), true);
    }
    const LinkId forearm = AddElbow(b, arm, n);
    const LinkId roll =
        b.Add(n + "_roll", forearm, Revolute{Vector3::UnitZ()}, At(0, 0, -0.1), true);
    if (full) AddWrist(b, roll, n);
  }
  if (full) AddHead(b, chest);
  return b.model;
}

/// A platform with six legs of universal joint, cylinder and ball, from the platform's pose.
inline Model SixLegs(std::uint64_t seed) {
  Builder b(seed);
  Random& random = b.random;
  LinkId link = b.Add("base", kWorld, Fixed{}, RandomTransform(random, 1), false);
  const LinkId base = link;
  for (int i = 0; i < 6; ++i) {
    const Vector3 axis = Matrix3::Identity().col(i % 3);
    const JointKind kind = i < 3 ? JointKind(Prismatic{axis}) : JointKind(Revolute{axis});
    link =
        b.Add("pose" + std::to_string(i), link, kind, i == 0 ? At(0, 0, 0.5) : At(0, 0, 0), true);
  }
  for (int i = 0; i < 6; ++i) {
    const double turn = i * 1.0471975511965976, apart = i % 2 == 0 ? 0.25 : -0.25;
    const std::string n = "leg" + std::to_string(i);
    const LinkId foot = b.Add(n + "_foot", base, Revolute{Vector3::UnitY()},
                              At(0.4 * std::cos(turn), 0.4 * std::sin(turn), 0), false);
    const LinkId cylinder =
        b.Add(n + "_cylinder", foot, Revolute{Vector3::UnitX()}, At(0, 0, 0), false);
    // Along the way to its corner of the platform.
    const Vector3 corner(0.25 * std::cos(turn + apart) - 0.4 * std::cos(turn),
                         0.25 * std::sin(turn + apart) - 0.4 * std::sin(turn), 0.5);
    const Vector3 along(0, corner.y(), corner.z());  // square to the second hinge
    const LinkId rod =
        b.Add(n + "_rod", cylinder, Prismatic{along.normalized()}, At(corner.x(), 0, 0), false);
    b.Close(rod, link, At(0, corner.y(), corner.z()), Ball{});
  }
  return b.model;
}

}  // namespace kinemorph::test
