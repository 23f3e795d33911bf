#include "sdf_bodies.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/disjoint_sets.h"

namespace kinemorph::test {
namespace {

constexpr double kTolerance = 1e-7;      // relative above 1
constexpr double kMassTolerance = 1e-6;  // of the whole, relative

// A body is what fixed joints hold together.
struct Bodies {
  std::map<std::string, std::size_t> of;  // by name of link
  std::vector<SpatialInertia> inertia;    // in world axes, about the world's origin
  double mass = 0;                        // of all links
  std::size_t world = 0;                  // the body of what is fixed to the world
};

Bodies BodiesOf(const SdfFacts& facts) {
  Bodies bodies;
  bodies.of["world"] = 0;
  for (const auto& [name, link] : facts.links) bodies.of.emplace(name, bodies.of.size());
  DisjointSets sets(bodies.of.size());
  for (const auto& [name, joint] : facts.joints)
    if (joint.type == "fixed" && bodies.of.count(joint.parent) && bodies.of.count(joint.child))
      sets.Unite(bodies.of.at(joint.parent), bodies.of.at(joint.child));
  bodies.inertia.resize(bodies.of.size());
  for (auto& [name, body] : bodies.of) {
    body = sets.Find(body);
    const auto link = facts.links.find(name);
    if (link == facts.links.end()) continue;
    bodies.mass += link->second.inertia.mass;
    bodies.inertia[body] = bodies.inertia[body].mass > 0
                               ? bodies.inertia[body] + link->second.inertia
                               : link->second.inertia;
  }
  bodies.world = bodies.of.at("world");
  return bodies;
}

}  // namespace

std::string DifferencesOfBodies(const SdfFacts& ours, const SdfFacts& theirs) {
  std::string text;
  int count = 0;
  const auto say = [&](const std::string& what) {
    if (++count <= 5) text += (text.empty() ? "" : "; ") + what;
  };
  const auto same = [&](const std::string& what, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                        double scale) {
    if (!((a - b).cwiseAbs().maxCoeff() <= kTolerance * scale)) say(what);
  };
  const Bodies a = BodiesOf(ours), b = BodiesOf(theirs);
  if (!(std::abs(a.mass - b.mass) <= kMassTolerance * std::max(a.mass, b.mass)))
    say("total mass: " + std::to_string(a.mass) + ", theirs " + std::to_string(b.mass));
  for (const auto& [name, body] : b.of) {
    const auto found = a.of.find(name);
    if (found == a.of.end()) {
      say("link " + name + " is only theirs");
      continue;
    }
    const SpatialInertia &x = a.inertia[found->second], &y = b.inertia[body];
    if (name == "world" || found->second == a.world || y.mass == 0) continue;
    const double size = std::max(x.I_BBcm.cwiseAbs().maxCoeff(), y.I_BBcm.cwiseAbs().maxCoeff());
    if (!(std::abs(x.mass - y.mass) <= kMassTolerance * y.mass)) say("mass of the body of " + name);
    same("centre of mass of the body of " + name, x.p_BoBcm, y.p_BoBcm,
         std::max(1.0, y.p_BoBcm.norm()));
    same("inertia of the body of " + name, x.I_BBcm, y.I_BBcm,
         size + y.mass * std::max(1.0, y.p_BoBcm.norm()) * kTolerance);
  }
  for (const auto& [name, joint] : ours.joints)
    if (joint.type != "fixed" && joint.type != "gearbox" && !theirs.joints.count(name))
      say("joint " + name + " is only ours");
  for (const auto& [name, y] : theirs.joints) {
    if (y.type == "fixed") continue;
    const auto found = ours.joints.find(name);
    if (found == ours.joints.end()) {
      say("joint " + name + " is only theirs");
      continue;
    }
    const JointFacts& x = found->second;
    const bool turns = x.type == "continuous" && y.type == "revolute";
    if (x.type != y.type && !turns) say("type of " + name + ": " + x.type + ", theirs " + y.type);
    same("anchor of " + name, x.anchor, y.anchor, std::max(1.0, y.anchor.norm()));
    for (std::size_t k = 0; k < std::min(x.axes.size(), y.axes.size()); ++k) {
      same("axis of " + name, x.axes[k].axis, y.axes[k].axis, 1);
      const JointAxis &p = x.axes[k].properties, &q = y.axes[k].properties;
      const auto number = [&](const std::string& what, const std::optional<double>& ours_has,
                              const std::optional<double>& theirs_has) {
        if (ours_has.value_or(0) != 0 || theirs_has.value_or(0) != 0)
          same(what + " of " + name, Vector3::Constant(ours_has.value_or(INFINITY)),
               Vector3::Constant(theirs_has.value_or(INFINITY)),
               std::max(1.0, std::abs(theirs_has.value_or(0))));
      };
      if (p.lower.has_value() || q.lower.has_value()) number("lower limit", p.lower, q.lower);
      if (p.upper.has_value() || q.upper.has_value()) number("upper limit", p.upper, q.upper);
      number("damping", p.damping.value_or(0), q.damping.value_or(0));
      number("friction", p.friction.value_or(0), q.friction.value_or(0));
    }
  }
  return text;
}

}  // namespace kinemorph::test
