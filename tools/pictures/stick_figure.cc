#include "pictures/stick_figure.h"

#include <cmath>

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph::tools {

// A stick leads from the joint of a body to each place where another joint, a loop or a foot holds
// on to it: where forces pass, whatever the shapes are. Points in world axes (m).
std::vector<Stick> SticksAt(const MotionSystem& system, const Eigen::VectorXd& q) {
  const auto at = [](const auto& list, int i) -> const auto& {
    return list[static_cast<std::size_t>(i)];
  };
  const Mechanism& m = system.mechanism();
  const std::vector<RigidTransform> X_WB = Poses(m, q);
  std::vector<Stick> sticks;
  // From the joint's frame J of the body; bodies of the world have no stick.
  const auto add = [&](int b, const Vector3& p_B) {
    if (b <= 0) return;
    sticks.push_back({b, at(X_WB, b) * at(m.bodies, b).X_JB.inverse().p, at(X_WB, b) * p_B});
  };
  for (const Body& body : m.bodies)
    if (body.parent > 0) add(body.parent, body.X_PJ.p);
  // Loops are kept by aggregate, whose members count from its own list.
  for (const Aggregate& g : m.aggregates) {
    const auto body = [&](int i) { return i < 0 ? g.parent : at(g.bodies, i); };
    for (const LoopConstraint& loop : g.loops) {
      add(body(loop.predecessor), loop.X_PF.p);
      add(body(loop.successor), loop.X_SM.p);
    }
  }
  for (const Foot& foot : system.options().feet) add(foot.body, foot.p_B);
  if (sticks.empty()) sticks.push_back({0, X_WB.back().p, X_WB.back().p});  // a dot
  return sticks;
}

View ChooseView(const std::vector<std::vector<Stick>>& poses, bool leaning) {
  Vector3 least = Vector3::Constant(1e300), most = -least;
  for (const auto& pose : poses) {
    for (const Stick& s : pose) {
      least = least.cwiseMin(s.from).cwiseMin(s.to);
      most = most.cwiseMax(s.from).cwiseMax(s.to);
    }
  }
  // The direction in which the motion extends least is the one to look along; most mechanisms are
  // nearly plane.
  Eigen::Index along = 1;
  const double extent = (most - least).minCoeff(&along);
  // A motion that fills space is looked at from the side and above.
  if (leaning && extent > (most - least).maxCoeff() / 3) {
    constexpr double kAside = 0.6, kAbove = 0.35;  // rad
    const double s = std::sin(kAside), c = std::cos(kAside);
    return {Vector3(c, s, 0),
            Vector3(-s * std::sin(kAbove), c * std::sin(kAbove), std::cos(kAbove))};
  }
  if (along == 0) return {Vector3::UnitY(), Vector3::UnitZ()};
  if (along == 1) return {Vector3::UnitX(), Vector3::UnitZ()};
  return {Vector3::UnitX(), Vector3::UnitY()};
}

}  // namespace kinemorph::tools
