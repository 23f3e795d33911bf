// Two linkages that pass change points when they turn, with their motions in the one coordinate that
// their branch leaves.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::test {

/// Gravity of both, along -y (m/s^2).
inline constexpr double kFall = 9.81;

/// A linkage in the plane x, y with hinges about z.
class PlanarLinkage {
 public:
  LinkId Add(const std::string& name, double mass, double centre, double inertia) {
    Link link;
    link.name = name;
    link.inertial.emplace();
    link.inertial->mass = mass, link.inertial->X_LI.p = Vector3(centre, 0, 0);
    link.inertial->I_I = Vector3(inertia, inertia, inertia).asDiagonal();
    return model_.AddLink(link);
  }
  void Connect(const std::string& name, LinkId p, double x_P, LinkId s, double x_S = 0,
               JointRole role = JointRole::kTree, JointKind kind = Revolute{}) {
    Joint joint;
    joint.name = name, joint.kind = kind, joint.role = role, joint.axes.resize(1);
    joint.X_PF.p = Vector3(x_P, 0, 0), joint.X_SM.p = Vector3(x_S, 0, 0);
    model_.AddJoint(p, s, joint);
  }
  [[nodiscard]] Mechanism Done() const {
    Mechanism m = Compile(model_);
    m.gravity = Vector3(0, -kFall, 0);
    return m;
  }

 private:
  Model model_;
};

/// Opposite sides 0.2 and 0.5 long, drawn flat: a crank, b coupler, c rocker. On the branch of the
/// parallelogram b = -a, c = a. With a `longer` rocker (m) it has no change points: the crank turns
/// and the rocker swings.
inline Mechanism Parallelogram(double longer = 0) {
  PlanarLinkage linkage;
  const LinkId crank = linkage.Add("crank", 1, 0.1, 0.004),
               coupler = linkage.Add("coupler", 2, 0.25, 0.04),
               rocker = linkage.Add("rocker", 0.5, 0.1, 0.002);
  linkage.Connect("a", kWorld, 0, crank);
  linkage.Connect("b", crank, 0.2, coupler);
  linkage.Connect("c", kWorld, 0.5, rocker);
  linkage.Connect("d", coupler, 0.5, rocker, 0.2 + longer, JointRole::kLoop);
  return linkage.Done();
}

/// Crank and rod of 0.2, drawn stretched: a crank, b rod, s slider along x, 0 where drawn. On the
/// branch that goes on at a = 90 degrees b = -2 a; on the other one the slider stands still there.
inline Mechanism IsoscelesSliderCrank() {
  PlanarLinkage linkage;
  const LinkId crank = linkage.Add("crank", 1, 0.1, 0.004), rod = linkage.Add("rod", 2, 0.1, 0.01),
               slider = linkage.Add("slider", 0.5, 0, 0.001);
  linkage.Connect("a", kWorld, 0, crank);
  linkage.Connect("b", crank, 0.2, rod);
  linkage.Connect("s", kWorld, 0.4, slider, 0, JointRole::kTree, Prismatic{Vector3::UnitX()});
  linkage.Connect("d", rod, 0.2, slider, 0, JointRole::kLoop);
  return linkage.Done();
}

/// I(a) a'' + I'(a) a'^2 / 2 + V'(a) = tau.
struct OneFreedom {
  std::function<double(double)> I, I_slope, V_slope;
};
inline OneFreedom ParallelogramAlone() {
  return {[](double) { return 0.014 + 2 * 0.04 + 0.007; }, [](double) { return 0.0; },
          [](double a) { return kFall * (0.1 + 0.4 + 0.05) * std::cos(a); }};
}
inline OneFreedom SliderCrankAlone() {
  return {[](double a) { return 0.044 + 0.24 * std::sin(a) * std::sin(a); },
          [](double a) { return 0.48 * std::sin(a) * std::cos(a); },
          [](double a) { return kFall * 0.3 * std::cos(a); }};
}

/// (a, a') after `time` (s), by the classical rule in short steps.
inline Eigen::Vector2d Moved(const OneFreedom& f, Eigen::Vector2d x, double time, double tau = 0) {
  const auto rate = [&](const Eigen::Vector2d& y) {
    return Eigen::Vector2d(
        y[1], (tau - f.V_slope(y[0]) - 0.5 * f.I_slope(y[0]) * y[1] * y[1]) / f.I(y[0]));
  };
  constexpr int kSteps = 40'000;
  const double h = time / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const Eigen::Vector2d k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2),
                          k4 = rate(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

}  // namespace kinemorph::test
