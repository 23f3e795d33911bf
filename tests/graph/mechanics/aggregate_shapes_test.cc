// Many clusters in one model: each is what it is alone, and those that are alike are known to be.
#include "mechanics/aggregate_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "kinemorph/graph/closures/dead_centre.h"
#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph {
namespace {

using testing::ElementsAre;
using testing::Pointwise;

RigidTransform At(double x, double y, double turn = 0) {
  return {RotationFromRpy({0, 0, turn}), Vector3(x, y, 0)};
}

// A driven rocker on a crank, and an arm geared to the crank, all on one base.
struct Cluster {
  std::string name;
  RigidTransform X_BC;  // on the base
  std::function<void(Model&, const std::string&)> change = [](Model&, const std::string&) {};
  bool rocker_first = false, coupler_reversed = false, rocker_on_arm = false,
       loop_turned_round = false;

  void AddTo(Model& model, LinkId base) const {
    const auto link = [&](const char* part) {
      Link l;
      l.name = name + part;
      return model.AddLink(l);
    };
    const auto hinge = [&](const char* part, LinkId p, LinkId s, const RigidTransform& X) {
      Joint joint;
      joint.name = name + part, joint.kind = Revolute{}, joint.X_PF = X;
      joint.role = JointRole::kTree, joint.axes.resize(1);
      joint.independent = false;
      return model.AddJoint(p, s, joint);
    };
    const LinkId crank = link("crank"), coupler = link("coupler"), arm = link("arm");
    LinkId rocker;
    const auto add_rocker = [&] {
      rocker = link("rocker");
      const RigidTransform X = At(0.32, 0, 1.5);
      hinge("c", rocker_on_arm ? arm : base, rocker, rocker_on_arm ? X : X_BC * X);
    };
    if (rocker_first) add_rocker();
    hinge("a", base, crank, X_BC);
    model.joint(*model.FindJoint(name + "a")).independent = true;
    if (coupler_reversed) {
      model.joint(hinge("b", coupler, crank, {})).X_SM = At(0.1, 0, 0.9);
    } else {
      hinge("b", crank, coupler, At(0.1, 0, 0.9));
    }
    hinge("d", base, arm, X_BC * At(-0.2, 0.1));
    if (!rocker_first) add_rocker();
    Joint loop;
    loop.name = name + "loop", loop.kind = Revolute{}, loop.role = JointRole::kLoop;
    loop.axes.resize(1);
    loop.X_PF = At(0.3, 0);
    const RigidTransform X_CL = At(0.1, 0, 0.9) * loop.X_PF;
    loop.X_SM = At(0.32, 0, 1.5).inverse() * X_CL;
    model.AddJoint(loop_turned_round ? rocker : coupler, loop_turned_round ? coupler : rocker,
                   loop);
    Coupling gear;
    gear.name = name + "gear", gear.form = CouplingForm::kTendon;
    gear.terms = {{{*model.FindJoint(name + "d"), 0}, {1, 0, 0, 0}},
                  {{*model.FindJoint(name + "a"), 0}, {-0.5, 0.1, 0, 0}}};
    model.couplings.push_back(gear);
    Actuator drive;
    drive.name = name + "drive", drive.joint = *model.FindJoint(name + "c");
    model.actuators.push_back(drive);
    change(model, name);
  }
};

Mechanism Compiled(const std::vector<Cluster>& clusters) {
  Model model;
  model.format = "urdf+";
  model.unsaid = UnsaidIndependence::kEverywhere;
  Link base;
  base.name = "base";
  const LinkId on = model.AddLink(base);
  for (const Cluster& cluster : clusters) cluster.AddTo(model, on);
  Mechanism m = Compile(model);
  m.length = 0.3;  // of each alone as of all together
  return m;
}

// What is said of a cluster, by the name of its first link that says one.
struct Said {
  std::vector<std::string> words;
  std::vector<double> numbers;
};

std::map<std::string, Said> Look(const std::vector<Cluster>& clusters) {
  const Mechanism m = Compiled(clusters);
  const Coordinates c = AnalyseCoordinates(m);
  std::vector<DeadCentreSearch> searches;
  const std::vector<ClosureDescription> closures = DescribeClosures(m, c, searches);
  std::map<std::string, Said> all;
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const Aggregate& g = m.aggregates[a];
    if (g.rows == 0) continue;
    const std::string first = m.bodies[static_cast<std::size_t>(g.bodies.front())].name;
    Said& said = all[first.substr(0, first.find('.'))];
    const AggregateCoordinates& own = c.aggregates[a];
    const auto name = [&](int v) { return m.names[static_cast<std::size_t>(v)]; };
    const auto add = [&](const char* what, const std::vector<std::string>& names) {
      said.words.emplace_back(what);
      said.words.insert(said.words.end(), names.begin(), names.end());
    };
    add("at fault", own.at_fault), add("redundant", own.redundant), add("idle", own.idle);
    add("idle joints", own.idle_joints);
    add("independent", {});
    for (const int column : own.independent)
      said.words.push_back(name(g.velocity[static_cast<std::size_t>(column)]));
    add("dependent", {});
    for (const int column : own.dependent)
      said.words.push_back(name(g.velocity[static_cast<std::size_t>(column)]));
    add("closure", {std::string(Name(closures[a].nature)), closures[a].detail});
    add("search", {searches[a].why_not, std::to_string(searches[a].ways)});
    for (const DeadCentre& dead : searches[a].found) {
      add("dead", {});
      for (const int v : dead.stands) said.words.push_back(name(v));
      said.numbers.insert(said.numbers.end(), dead.y.begin(), dead.y.end());
    }
    for (const int number : {own.nv, own.rows, own.rank, own.mobility, own.num_declared,
                             own.rank_dependent, own.declared_ok ? 1 : 0, own.closes ? 1 : 0})
      said.numbers.push_back(number);
    said.numbers.push_back(own.conditioning);
    for (const int b : g.bodies) {
      const Body& body = m.bodies[static_cast<std::size_t>(b)];
      for (int k = 0; k < body.nq; ++k) said.numbers.push_back(c.assembled[body.q + k]);
    }
  }
  return all;
}

Joint& JointOf(Model& model, const std::string& name) {
  return model.joint(*model.FindJoint(name));
}

// Alike ones, and others that differ from them in one thing each.
std::vector<Cluster> NearlyAlike() {
  std::vector<Cluster> all;
  const auto add = [&](auto change) -> Cluster& {
    const double n = static_cast<double>(all.size());
    const RigidTransform X_BC{RotationFromRpy({0.1 * n, 0.3, -n}), Vector3(7.1 * n, 0.3 - n, 0.7)};
    return all.emplace_back(Cluster{"c" + std::to_string(all.size()) + ".", X_BC, change});
  };
  const auto alike = [](Model&, const std::string&) {};
  const auto on = [&](const char* part, const std::function<void(Joint&)>& change) {
    add([=](Model& model, const std::string& name) { change(JointOf(model, name + part)); });
  };
  add(alike), add(alike);
  on("a", [](Joint& j) { j.axes[0].upper = 0.5; });
  on("a", [](Joint& j) { j.axes[0].lower = -0.5; });
  on("a", [](Joint& j) { j.kind = Revolute{-Vector3::UnitZ()}; });
  on("a", [](Joint& j) { j.kind = Screw{Vector3::UnitZ(), 0.01}; });
  on("a", [](Joint& j) { j.kind = Screw{Vector3::UnitZ(), 0.02}; });
  on("a", [](Joint& j) { j.X_SM.p.x() += 1e-3; });
  on("b", [](Joint& j) { j.X_PF.p.x() += 1e-3; });
  on("c", [](Joint& j) { j.X_PF.p += j.X_PF.R * Vector3(1e-3, 0, 0); });
  on("c", [](Joint& j) { j.X_PF.R *= RotationFromRpy({0, 0, 1e-3}); });
  on("loop", [](Joint& j) { j.X_PF.p.x() += 1e-3; });
  on("loop", [](Joint& j) { j.X_SM.p.x() += 1e-3; });
  on("loop", [](Joint& j) { j.kind = Ball{}; });
  on("loop", [](Joint& j) { j.kind = Cylindrical{}, j.axes.resize(2); });
  on("loop", [](Joint& j) {
    j.kind = Universal{Vector3::UnitZ(), Vector3::UnitX()}, j.axes.resize(2);
  });
  on("d", [](Joint& j) { j.kind = Prismatic{Vector3::UnitZ()}; });
  on("b", [](Joint& j) { j.independent = true; });
  on("b", [](Joint& j) { j.independent.reset(); });
  add([](Model& model, const std::string& name) {
    JointOf(model, name + "a").independent.reset(), JointOf(model, name + "b").independent = true;
  });
  add([](Model& model, const std::string& name) {
    JointOf(model, name + "a").independent = false, JointOf(model, name + "c").independent = true;
  });
  add([](Model& model, const std::string&) { model.actuators.pop_back(); });
  add([](Model& model, const std::string& name) {
    model.actuators.back().joint = *model.FindJoint(name + "b");
  });
  add([](Model& model, const std::string&) {
    model.couplings.back().terms[1].coefficients[0] = -0.6;
  });
  add([](Model& model, const std::string&) { model.couplings.back().constant = 0.2; });
  add([](Model& model, const std::string& name) {
    model.couplings.back().terms[1].coordinate.joint = *model.FindJoint(name + "c");
  });
  add(alike).rocker_first = true;
  add(alike).coupler_reversed = true;
  add(alike).rocker_on_arm = true;
  add(alike).loop_turned_round = true;
  add(alike);
  return all;
}

void ExpectSame(const Said& a, const Said& b) {
  EXPECT_EQ(a.words, b.words);
  EXPECT_THAT(a.numbers, Pointwise(testing::DoubleNear(1e-8), b.numbers));
}

TEST(AggregateShapes, AClusterIsAmongOthersWhatItIsAlone) {
  const std::vector<Cluster> clusters = NearlyAlike();
  const std::map<std::string, Said> together = Look(clusters);
  ASSERT_EQ(together.size(), clusters.size());
  for (const Cluster& cluster : clusters) {
    SCOPED_TRACE(cluster.name);
    const std::map<std::string, Said> alone = Look({cluster});
    ASSERT_EQ(alone.size(), 1u);
    ExpectSame(together.at(alone.begin()->first), alone.begin()->second);
  }
}

TEST(AggregateShapes, TheOrderOfClustersDoesNotMatter) {
  std::vector<Cluster> clusters = NearlyAlike();
  const std::map<std::string, Said> forth = Look(clusters);
  std::reverse(clusters.begin(), clusters.end());
  const std::map<std::string, Said> back = Look(clusters);
  ASSERT_EQ(forth.size(), back.size());
  for (const auto& [name, said] : forth) {
    SCOPED_TRACE(name);
    ExpectSame(said, back.at(name));
  }
}

TEST(AggregateShapes, AlikeWhereverTheyStand) {
  const std::vector<Cluster> clusters = NearlyAlike();
  EXPECT_THAT(FirstAlike(Compiled({clusters.front(), clusters[1], clusters[2], clusters.back()})),
              ElementsAre(0, 0, 2, 2, 4, 2));
  std::set<int> shapes;  // the world's and the base's are one
  for (const int first : FirstAlike(Compiled(clusters))) shapes.insert(first);
  EXPECT_EQ(shapes.size(), 1 + clusters.size() - 2);
}

}  // namespace
}  // namespace kinemorph
