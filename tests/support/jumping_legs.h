// KM-B and KM-R of fixtures/mechanisms, built without a file, with the rotor on the crank that URDF
// has no place for; and their reference motions (minimal coordinates, closure by Newton, DOP853,
// computed apart from kinemorph).
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/motion/simulation.h"
#include "kinemorph/graph/motion/start_velocity.h"

namespace kinemorph::test {

inline constexpr double kDegree = std::numbers::pi / 180;

class LegBuilder {
 public:
  explicit LegBuilder(const std::string& name) {
    model_.name = name, model_.format = "urdf+";
    model_.unsaid = UnsaidIndependence::kEverywhere;
    slide_ = AddLink("slide", 1e-12, 0, 1e-14, 1e-14);
    base_ = AddLink("base", 2, 0, 1e-9, 1e-9);
    AddTree("x", kWorld, slide_, {RotationFromRpy({std::numbers::pi / 2, 0, 0}), Vector3::Zero()},
            Prismatic{Vector3::UnitX()}, true);
    AddTree("y", slide_, base_, {}, Prismatic{Vector3::UnitY()}, true);
  }
  LinkId AddBar(const std::string& name, double length, double density) {
    const double m = length * density;
    return AddLink(name, m, length / 2, 1e-9, m * length * length / 12);
  }
  void Hinge(const std::string& name, LinkId parent, LinkId child, const Vector3& p,
             bool independent = false) {
    AddTree(name, parent, child, RigidTransform::Translation(p), Revolute{}, independent);
  }
  void Loop(const std::string& name, LinkId p, const Vector3& p_p, LinkId s, const Vector3& p_s) {
    Joint joint;
    joint.name = name, joint.kind = Revolute{}, joint.role = JointRole::kLoop;
    joint.X_PF.p = p_p, joint.X_SM.p = p_s;
    joint.axes.resize(1);
    model_.AddJoint(p, s, joint);
  }
  static Vector3 Polar(double r, double degrees) {
    return {r * std::cos(degrees * kDegree), r * std::sin(degrees * kDegree), 0};
  }
  [[nodiscard]] LinkId base() const { return base_; }
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  LinkId AddLink(const std::string& name, double mass, double com, double along, double across) {
    Link link;
    link.name = name;
    Inertial inertial;
    inertial.mass = mass, inertial.X_LI.p = Vector3(com, 0, 0);
    inertial.I_I = Vector3(along, across, across).asDiagonal();
    link.inertial = inertial;
    return model_.AddLink(link);
  }
  void AddTree(const std::string& name, LinkId parent, LinkId child, const RigidTransform& X_PF,
               const JointKind& kind, bool independent) {
    Joint joint;
    joint.name = name, joint.kind = kind, joint.role = JointRole::kTree;
    joint.X_PF = X_PF, joint.independent = independent;
    joint.axes.resize(1);
    if (name == "j_crank") joint.axes[0].armature = 1e-3;
    model_.AddJoint(parent, child, joint);
  }
  Model model_;
  LinkId slide_, base_;
};

/// `three_loops`: KM-R, else KM-B.
inline Model JumpingLeg(bool three_loops) {
  LegBuilder leg(three_loops ? "km_r" : "km_b");
  const double thigh_length = three_loops ? 0.16 : 0.2;
  const LinkId base = leg.base(), crank = leg.AddBar("crank", 0.03, 1),
               coupler = leg.AddBar("coupler", 0.1, 0.4),
               thigh = leg.AddBar("thigh", thigh_length, 1),
               rod = leg.AddBar("rod", thigh_length, 0.3),
               shank = leg.AddBar("shank", three_loops ? 0.16 : 0.22, 0.6);
  leg.Hinge("j_crank", base, crank, {-0.1, 0.03, 0}, true);
  leg.Hinge("j_coupler", crank, coupler, {0.03, 0, 0});
  leg.Hinge("j_thigh", base, thigh, Vector3::Zero());
  leg.Hinge("j_rod", base, rod, {0.05, 0.03, 0});
  leg.Hinge("j_shank", thigh, shank, {thigh_length, 0, 0});
  leg.Loop("loop1", coupler, {0.1, 0, 0}, thigh, LegBuilder::Polar(0.06, -60));
  leg.Loop("loop2", rod, {thigh_length, 0, 0}, shank, LegBuilder::Polar(0.05, 135));
  if (!three_loops) return leg.model();
  const LinkId rod2 = leg.AddBar("rod2", 0.158, 0.3), foot = leg.AddBar("foot", 0.1, 0.5);
  leg.Hinge("j_rod2", thigh, rod2, Vector3(0.16, 0, 0) + LegBuilder::Polar(0.05, 70));
  leg.Hinge("j_foot", shank, foot, {0.16, 0, 0});
  leg.Loop("loop3", rod2, {0.158, 0, 0}, foot, LegBuilder::Polar(0.045, 53));
  return leg.model();
}

inline int BodyNamed(const Mechanism& m, const std::string& name) {
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    if (m.bodies[b].name == name) return static_cast<int>(b);
  return -1;
}

/// A leg ready to move.
struct LegAtStart {
  Mechanism m;
  Coordinates coordinates;
  int crank = 0, x = 0, y = 0;  // bodies
  Eigen::VectorXd q;
  explicit LegAtStart(bool three_loops, double crank_degrees, double height) {
    m = Compile(JumpingLeg(three_loops));
    coordinates = AnalyseCoordinates(m);
    crank = BodyNamed(m, "crank"), x = BodyNamed(m, "slide"), y = BodyNamed(m, "base");
    const Posture posture = FindPosture(
        m, coordinates, {{crank, 0, crank_degrees * kDegree, "j_crank"}, {y, 0, height, "y"}});
    why = posture.why, q = posture.q;
  }
  std::string why;
  [[nodiscard]] double Position(const MotionSample& s, int body) const {
    return s.q[m.bodies[static_cast<std::size_t>(body)].q];
  }
  [[nodiscard]] double Rate(const MotionSample& s, int body) const {
    return s.v[m.bodies[static_cast<std::size_t>(body)].v];
  }
  [[nodiscard]] std::vector<Foot> Feet(bool three_loops) const {
    const std::string link = three_loops ? "foot" : "shank";
    return {{BodyNamed(m, link), Vector3(three_loops ? 0.1 : 0.22, 0, 0), link}};
  }
};

/// tau = 6 (target - crank) - 0.1 rate, target 270 deg in flight and 180 deg in stance.
inline Controller HopController(const LegAtStart& leg) {
  const Body& body = leg.m.bodies[static_cast<std::size_t>(leg.crank)];
  return [q = body.q, v = body.v](double, const Eigen::VectorXd& at, const Eigen::VectorXd& rate,
                                  const std::vector<bool>& standing, Eigen::VectorXd& tau) {
    tau[v] = 6 * ((standing[0] ? 180 : 270) * kDegree - at[q]) - 0.1 * rate[v];
  };
}

}  // namespace kinemorph::test
