// Every URDF+ file with golden facts from the reference parser: aggregate links, nearest common
// ancestors, digraph edges, sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "lab/lacg_invariants.h"
#include "paths.h"

namespace kinemorph {
namespace {

using Json = nlohmann::json;
using Names = std::set<std::string>;
using Edges = std::set<std::pair<std::string, std::string>>;

const std::string kFolder = kinemorph::test::SharedDir() + "/data/urdf_plus/";
const std::string kReference = kFolder + "ROAM-Lab-ND_generalized_rbda/";

std::optional<std::string> Text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

#define KINEMORPH_NEEDS_DATA()       \
  if (!Text(kFolder + "SOURCES.md")) \
  GTEST_SKIP() << "no ../shared/data/urdf_plus beside this repository"

Json Golden(const std::string& name) {
  const auto text = Text(kFolder + "golden/" + name);
  EXPECT_TRUE(text) << name;
  return Json::parse(text.value_or("{}"));
}

// A model and the three graphs.
struct Read {
  Model model;
  SpanningTree tree;
  ConstraintDependencyDigraph cdd;
  LoopAggregatedConnectivityGraph lacg;

  explicit Read(const std::string& path) {
    Diagnostics diagnostics;
    ReadOptions options;
    options.file_name = path;
    const auto text = Text(path);
    EXPECT_TRUE(text) << path;
    std::optional<Model> read = FindFormat("urdf+")->read(text.value_or(""), options, diagnostics);
    for (const Diagnostic& item : diagnostics.items())
      EXPECT_NE(item.severity, Severity::kError) << Render(item);
    EXPECT_TRUE(read) << path;
    if (read) model = std::move(*read);
    tree = ChooseSpanningTree(model);
    cdd = BuildConstraintDependencyDigraph(model, tree);
    lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
    EXPECT_EQ(CheckInvariants(model, tree, lacg), "") << path;
  }
  [[nodiscard]] const std::string& Name(LinkId id) const { return model.link(id).name; }
  [[nodiscard]] Edges Named(const std::vector<std::pair<LinkId, LinkId>>& edges) const {
    Edges named;
    for (const auto& [from, to] : edges)
      if (from != kWorld) named.emplace(Name(from), Name(to));
    return named;
  }
  // Aggregates by their links, with the aggregate each hangs on; the world is not a link of the
  // file.
  [[nodiscard]] std::map<Names, Names> Aggregates() const {
    std::vector<Names> names;
    for (const AggregateLink& aggregate : lacg.aggregates) {
      Names& set = names.emplace_back();
      for (const LinkId link : aggregate.links)
        if (link != kWorld) set.insert(Name(link));
    }
    std::map<Names, Names> parents;
    for (std::size_t a = 1; a < names.size(); ++a)
      parents[names[a]] = names[*lacg.aggregates[a].parent];
    return parents;
  }
  // Predecessor, successor and nearest common ancestor of every loop joint and every coupling
  // between links.
  [[nodiscard]] std::map<std::string, std::vector<std::string>> Constraints() const {
    std::map<std::string, std::vector<std::string>> all;
    const auto add = [&](const std::string& name, LinkId p, LinkId s) {
      all[name] = {Name(p), Name(s), Name(NearestCommonAncestor(tree, p, s))};
    };
    for (const JointId id : tree.loop_joints)
      add(model.joint(id).name, model.predecessor(id), model.successor(id));
    for (const Coupling& c : model.couplings)
      if (c.form == CouplingForm::kRatio) add(c.name, c.predecessor, c.successor);
    return all;
  }
};

TEST(GoldenUrdfPlus, RobotModels) {
  KINEMORPH_NEEDS_DATA();
  int compared = 0;
  const Json golden = Golden("golden_robot_models.json");
  for (const auto& [file, facts] : golden.items()) {
    SCOPED_TRACE(file);
    const Read robot(kReference + file);
    ++compared;
    EXPECT_EQ(robot.model.name, facts["name"]);
    EXPECT_EQ(robot.model.num_links() - 1, facts["n_links"]);
    EXPECT_EQ(robot.model.num_joints() - robot.tree.loop_joints.size(), facts["n_joints"]);
    EXPECT_EQ(robot.Name(robot.tree.order.at(1)), facts["root"]);

    std::map<std::string, std::vector<std::string>> constraints;
    for (const Json& c : facts["constraints"])
      constraints[c["name"]] = {c["predecessor"], c["successor"], c["nca"]};
    EXPECT_EQ(robot.Constraints(), constraints);
    for (const Json& c : facts["constraints"]) {
      if (c["class"] != "coupling") continue;
      const auto& all = robot.model.couplings;
      const auto found = std::find_if(all.begin(), all.end(), [&](const Coupling& coupling) {
        return coupling.name == c["name"];
      });
      ASSERT_NE(found, all.end()) << c["name"];
      EXPECT_EQ(found->ratio, c["ratio"]);
    }

    Edges tree, loop;
    for (const auto& [from, to] : facts["cdd_edges"].items()) {
      for (const std::string child : to["tree"]) tree.emplace(from, child);
      for (const std::string other : to["loop"]) loop.emplace(from, other);
    }
    EXPECT_EQ(robot.Named(robot.cdd.tree_edges), tree);
    EXPECT_EQ(robot.Named(robot.cdd.loop_edges), loop);

    std::map<std::string, Names> cluster_of;
    for (const Json& cluster : facts["clusters"])
      for (const std::string link : cluster["links"])
        cluster_of[link] = cluster["links"].get<Names>();
    std::map<Names, Names> clusters;
    for (const Json& cluster : facts["clusters"]) {
      const Json& parent = cluster["parent_contains"];
      clusters[cluster["links"].get<Names>()] = parent.is_null() ? Names{} : cluster_of.at(parent);
    }
    EXPECT_EQ(robot.Aggregates(), clusters);
  }
  EXPECT_EQ(compared, 14);
}

TEST(GoldenUrdfPlus, BenchmarkFamilies) {
  KINEMORPH_NEEDS_DATA();
  int compared = 0;
  const Json golden = Golden("golden_benchmarks.json");
  for (const auto& [file, facts] : golden.items()) {
    SCOPED_TRACE(file);
    const Read robot(kReference + file);
    ++compared;
    EXPECT_EQ(robot.model.name, facts["name"]);
    EXPECT_EQ(robot.Name(robot.tree.order.at(1)), facts["root"]);
    EXPECT_EQ(robot.model.num_links() - 1, facts["n_links"]);
    EXPECT_EQ(robot.tree.loop_joints.size(), facts["n_loops"]);
    EXPECT_EQ(robot.model.num_joints() - robot.tree.loop_joints.size(), facts["n_joints"]);
    EXPECT_EQ(robot.model.couplings.size(), facts["n_couplings"]);
    EXPECT_EQ(robot.lacg.aggregates.size() - 1, facts["n_clusters"]) << "the world is not counted";
    std::map<std::string, int> histogram;
    for (std::size_t a = 1; a < robot.lacg.aggregates.size(); ++a)
      ++histogram[std::to_string(robot.lacg.aggregates[a].links.size())];
    EXPECT_EQ(histogram, (facts["cluster_size_histogram"].get<std::map<std::string, int>>()));
    int dof = 0;
    for (const JointId id : Joints(robot.model))
      if (!robot.tree.IsLoop(id)) dof += NumVelocities(robot.model.joint(id).kind);
    EXPECT_EQ(dof, facts["spanning_velocity_dof"]);
  }
  EXPECT_EQ(compared, 80);
}

// urdf_unit_test.cpp, TEST parse_constraint: facts/URDF_PLUS.md 2.8.
TEST(GoldenUrdfPlus, UnitTestOfTheReferenceParser) {
  KINEMORPH_NEEDS_DATA();
  const Read robot(kFolder + "mit-biomimetics_urdfdom/parse_constraint_unit_test.urdf");
  EXPECT_EQ(robot.Aggregates(), (std::map<Names, Names>{{{"base_link"}, {}},
                                                        {{"l1", "l2"}, {"base_link"}},
                                                        {{"l3", "l4", "l5"}, {"l1", "l2"}}}));
  EXPECT_EQ(robot.Named(robot.cdd.loop_edges),
            (Edges{{"l1", "l2"}, {"l2", "l1"}, {"l4", "l5"}, {"l5", "l3"}}));
}

// What the reference parser crashes on (facts/URDF_PLUS.md 2.9).
TEST(GoldenUrdfPlus, LoopToTheGroundAndOverlappingLoops) {
  KINEMORPH_NEEDS_DATA();
  const Read ground(kFolder + "_own_edge_cases/self_anc.urdf");
  ASSERT_EQ(ground.Constraints().size(), 1u);
  EXPECT_EQ(ground.lacg.aggregates.back().parent_link,
            NearestCommonAncestor(ground.tree, ground.model.predecessor(ground.tree.loop_joints[0]),
                                  ground.model.successor(ground.tree.loop_joints[0])));
  const Read nested(kFolder + "_own_edge_cases/nested.urdf");
  EXPECT_TRUE(nested.Aggregates().count({"l1", "l2", "l3", "l4", "l5", "l6"}));
}

// The part of a mechanism that both grammars state: what is tied to what, where, by which ratio.
std::multiset<std::string> Ties(const Read& robot) {
  std::multiset<std::string> ties;
  for (const JointId id : robot.tree.loop_joints) {
    const Joint& joint = robot.model.joint(id);
    std::ostringstream text;
    text << "loop " << robot.Name(robot.model.predecessor(id)) << " (" << joint.X_PF.p.transpose()
         << ") " << robot.Name(robot.model.successor(id)) << " (" << joint.X_SM.p.transpose()
         << ")";
    ties.insert(text.str());
  }
  for (const Coupling& c : robot.model.couplings) {
    std::ostringstream text;
    text << "coupling " << robot.Name(c.predecessor) << " " << robot.Name(c.successor) << " "
         << c.ratio;
    ties.insert(text.str());
  }
  return ties;
}

// Twins: the same mechanism in two grammars. `<constraint type="position">`, `<constraint
// type="rolling">` and `<loop_constraint>` are the legacy ones.
TEST(GoldenUrdfPlus, LegacyGrammarsGiveTheSameMechanism) {
  KINEMORPH_NEEDS_DATA();
  const auto compare = [](const std::string& one_file, const std::string& other_file) {
    SCOPED_TRACE(one_file);
    const Read one(kFolder + one_file), other(kFolder + other_file);
    EXPECT_FALSE(Ties(other).empty());
    EXPECT_EQ(Ties(one), Ties(other));
    EXPECT_EQ(one.Aggregates(), other.Aggregates());
    EXPECT_EQ(one.Named(one.cdd.tree_edges), other.Named(other.cdd.tree_edges));
    EXPECT_EQ(one.Named(one.cdd.loop_edges), other.Named(other.cdd.loop_edges));
  };
  const std::string legacy = "mit-biomimetics_URDF-Parser/examples/",
                    current = "ROAM-Lab-ND_generalized_rbda/robot-models/";
  for (const std::string name : {"six_bar", "revolute_rotor_chain", "mini_cheetah_leg",
                                 "mini_cheetah_fl_leg", "mini_cheetah_fr_leg"}) {
    compare(legacy + name + ".urdf", current + name + ".urdf");
  }
  // The four-bar changed its dimensions on the way: each grammar against a file of the same
  // dimensions.
  const std::string history = "ROAM-Lab-ND_generalized_rbda_history/four_bar_";
  compare(history + "64982df.urdf", current + "four_bar.urdf");
  compare(history + "85e740e.urdf", current + "four_bar.urdf");
  compare(history + "4b9895e.urdf", legacy + "four_bar.urdf");
  compare(history + "1ce1d1e.urdf", legacy + "four_bar.urdf");
}

TEST(GoldenUrdfPlus, EveryFourBarOfTheHistoryHasTheSameAggregates) {
  KINEMORPH_NEEDS_DATA();
  const auto expected = Read(kReference + "robot-models/four_bar.urdf").Aggregates();
  for (const std::string commit : {"4b9895e", "1ce1d1e", "cd5fa54", "64982df", "85e740e"}) {
    EXPECT_EQ(Read(kFolder + "ROAM-Lab-ND_generalized_rbda_history/four_bar_" + commit + ".urdf")
                  .Aggregates(),
              expected)
        << commit;
  }
}

}  // namespace
}  // namespace kinemorph
