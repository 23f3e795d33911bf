// Constraint dependency digraph and aggregate links on small drawn graphs.
#include <gtest/gtest.h>

#include "graph/small_graph.h"
#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "lab/lacg_invariants.h"

namespace kinemorph {
namespace {

using test::AddMimic;
using test::AddRatio;
using test::NamesOf;
using test::SmallGraph;

std::string LoopEdges(const Model& model) {
  const ConstraintDependencyDigraph cdd =
      BuildConstraintDependencyDigraph(model, ChooseSpanningTree(model));
  std::string out;
  for (const auto& [from, to] : cdd.loop_edges)
    out += (out.empty() ? "" : ", ") + model.link(from).name + ">" + model.link(to).name;
  return out;
}

// "{world} {base} {crank coupler rocker}<base", the aggregates with the link each hangs on.
std::string Aggregates(const Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  EXPECT_EQ(CheckInvariants(model, tree, lacg), "");
  std::string out;
  for (const AggregateLink& a : lacg.aggregates) {
    if (a.links[0] == kWorld) continue;
    out += (out.empty() ? "" : " ") + ("{" + NamesOf(model, a.links) + "}") +
           (a.parent_link == kWorld ? "" : "<" + model.link(a.parent_link).name);
  }
  return out;
}

TEST(Aggregates, FourBar) {
  const Model model = SmallGraph(R"(
    revolute base -> crank tree
    revolute crank -> coupler tree
    revolute base -> rocker tree
    revolute coupler -> rocker loop)");
  EXPECT_EQ(LoopEdges(model), "coupler>rocker, rocker>crank");
  EXPECT_EQ(Aggregates(model), "{base} {crank coupler rocker}<base");
}

// The reference parser overflows its heap on this one: the loop's predecessor is an ancestor of its
// successor.
//   base -> a -> b -> c        c ...> base
TEST(Aggregates, LoopToTheGroundClosesThePathBelowTheAncestor) {
  const Model model = SmallGraph(R"(
    revolute base -> a tree
    revolute a -> b tree
    revolute b -> c tree
    revolute c -> tip tree
    revolute base -> c loop)");
  EXPECT_EQ(LoopEdges(model), "c>a");
  EXPECT_EQ(Aggregates(model), "{base} {a b c}<base {tip}<c");
}

TEST(Aggregates, LoopToAnAncestorTheOtherWayRound) {
  EXPECT_EQ(LoopEdges(SmallGraph(R"(
    revolute base -> a tree
    revolute a -> b tree
    revolute b -> base loop)")),
            "b>a");
}

TEST(Aggregates, LoopBesideATreeJointAggregatesNothing) {
  EXPECT_EQ(Aggregates(SmallGraph("revolute base -> a tree\nrevolute base -> a NAME=twin loop")),
            "{base} {a}<base");
}

TEST(Aggregates, AFreeLoopJointConstrainsNothing) {
  EXPECT_EQ(
      Aggregates(SmallGraph("revolute base -> a tree\nrevolute base -> b tree\nfree a -> b loop")),
      "{base} {a}<base {b}<base");
}

// Two loops that share a link become one aggregate; two that share only their base do not.
TEST(Aggregates, OverlappingAndNeighbouringLoops) {
  EXPECT_EQ(Aggregates(SmallGraph(R"(
    revolute base -> l1 tree
    revolute base -> l2 tree
    revolute base -> l3 tree
    revolute l1 -> l2 loop
    revolute l2 -> l3 loop)")),
            "{base} {l1 l2 l3}<base");
  EXPECT_EQ(Aggregates(SmallGraph(R"(
    revolute base -> l1 tree
    revolute base -> l2 tree
    revolute base -> l3 tree
    revolute base -> l4 tree
    revolute l1 -> l2 loop
    revolute l3 -> l4 loop)")),
            "{base} {l1 l2}<base {l3 l4}<base");
}

// Paper, parallel belt transmission: thigh -> shank -> foot and thigh -> motor, motor coupled to
// foot.
TEST(Aggregates, BeltTransmission) {
  Model model = SmallGraph(R"(
    revolute thigh -> shank tree
    revolute shank -> foot tree
    revolute thigh -> motor tree)");
  AddRatio(model, "motor", "foot", 2);
  EXPECT_EQ(LoopEdges(model), "foot>motor, motor>shank");
  EXPECT_EQ(Aggregates(model), "{thigh} {shank foot motor}<thigh");
}

// A finger whose tip follows its base joint: both coordinates belong together though one link is
// the other's ancestor.
TEST(Aggregates, MimicOfAnAncestorJoint) {
  Model model = SmallGraph(R"(
    revolute palm -> proximal tree
    revolute proximal -> middle tree
    revolute middle -> distal tree
    revolute distal -> nail tree)");
  AddMimic(model, "middle-distal", "palm-proximal");
  EXPECT_EQ(LoopEdges(model), "distal>proximal");
  EXPECT_EQ(Aggregates(model), "{palm} {proximal middle distal}<palm {nail}<distal");
}

TEST(Aggregates, MimicOnTwoBranchesThroughAReversedJoint) {
  Model model = SmallGraph(R"(
    fixed    world -> palm
    revolute left -> palm
    revolute palm -> right)");
  AddMimic(model, "palm-right", "left-palm");
  EXPECT_EQ(LoopEdges(model), "left>right, right>left");
  EXPECT_EQ(Aggregates(model), "{palm} {left right}<palm");
}

TEST(Aggregates, CouplingOfTwoCoordinatesOfOneJointStaysInItsLink) {
  Model model = SmallGraph("cylindrical nut -> bolt tree");
  Coupling screw;
  screw.terms = {{{JointId{0}, 0}, {1, 0, 0, 0}}, {{JointId{0}, 1}, {-100, 0, 0, 0}}};
  model.couplings.push_back(screw);
  EXPECT_EQ(Aggregates(model), "{nut} {bolt}<nut");
}

// A tendon over three fingers: a ring of edges ties all paths together.
TEST(Aggregates, CouplingOfThreeJoints) {
  Model model = SmallGraph(R"(
    revolute palm -> a tree
    revolute a -> a2 tree
    revolute palm -> b tree
    revolute palm -> c tree
    revolute palm -> d tree)");
  Coupling tendon;
  tendon.name = "tendon";
  for (const char* joint : {"a-a2", "palm-b", "palm-c"})
    tendon.terms.push_back({{*model.FindJoint(joint), 0}, {1, 0, 0, 0}});
  model.couplings.push_back(tendon);
  EXPECT_EQ(LoopEdges(model), "a2>b, b>c, c>a");
  EXPECT_EQ(Aggregates(model), "{palm} {a a2 b c}<palm {d}<palm");
}

TEST(Aggregates, EachConstraintIsListedWhereItCloses) {
  Model model = SmallGraph(R"(
    revolute base -> a tree
    revolute base -> b tree
    revolute a -> b loop
    revolute b -> c tree
    revolute b -> d tree
    revolute d -> e tree
    revolute b -> e NAME=ground loop)");
  AddMimic(model, "b-c", "b-d");
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  ASSERT_EQ(lacg.aggregates.size(), 4u);
  EXPECT_EQ(NamesOf(model, lacg.aggregates[2].loop_joints), "a-b");
  EXPECT_EQ(NamesOf(model, lacg.aggregates[3].links), "c d e");
  EXPECT_EQ(NamesOf(model, lacg.aggregates[3].loop_joints), "ground");
  ASSERT_EQ(lacg.aggregates[3].couplings.size(), 1u);
  EXPECT_EQ(lacg.aggregates[3].couplings[0], 0u);
  EXPECT_EQ(lacg.aggregates[3].parent, std::optional<std::size_t>(2));
}

// The checker must see each kind of damage.
TEST(Aggregates, CheckInvariantsFindsDamage) {
  const Model model = SmallGraph(R"(
    revolute base -> a tree
    revolute base -> b tree
    revolute b -> c tree
    revolute a -> b loop)");
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto build = [&] { return BuildLoopAggregatedConnectivityGraph(model, tree); };
  ASSERT_EQ(CheckInvariants(model, tree, build()), "");
  auto bad = build();
  bad.aggregates[2].links = bad.aggregates[2].links.first(1);
  EXPECT_EQ(CheckInvariants(model, tree, bad), "link 'b' is not in exactly one aggregate");
  bad = build();
  bad.aggregates[3].parent = 3;
  EXPECT_EQ(CheckInvariants(model, tree, bad), "aggregate 3 comes before its parent");
  bad = build();
  bad.aggregates[2].parent_link = *model.FindLink("c");
  EXPECT_EQ(CheckInvariants(model, tree, bad), "link 'a' hangs on 'base', its aggregate on 'c'");
  bad = build();  // a and b apart although the loop joint ties them
  const std::vector<LinkId> a{*model.FindLink("a")},
      b_and_c{*model.FindLink("b"), *model.FindLink("c")};
  bad.aggregates[2].links = a, bad.aggregates[3].links = b_and_c;
  bad.aggregates[3].parent = 1;
  bad.aggregates[3].parent_link = *model.FindLink("base");
  bad.aggregate_of[Index(b_and_c[0])] = 3;
  EXPECT_EQ(CheckInvariants(model, tree, bad), "loop joint 'a-b' reaches out of its aggregate");
}

}  // namespace
}  // namespace kinemorph
