// The spanning tree on small drawn graphs: which joint is cut, and why.
#include "kinemorph/graph/connectivity/spanning_tree.h"

#include <gtest/gtest.h>

#include "graph/small_graph.h"

namespace kinemorph {
namespace {

using test::NamesOf;
using test::SmallGraph;

// Errors of a choice, rendered, one per line.
std::string Messages(const Model& model, const SpanningTreeOptions& options = {}) {
  Diagnostics diagnostics;
  (void)ChooseSpanningTree(model, options, diagnostics);
  std::string out;
  for (const Diagnostic& item : diagnostics.items()) out += Render(item) + "\n";
  return out;
}

std::string Cuts(const Model& model, const SpanningTreeOptions& options = {}) {
  Diagnostics diagnostics;
  return NamesOf(model, ChooseSpanningTree(model, options, diagnostics).loop_joints);
}

//   world
//     |
//   base
//   /   \.
// crank  rocker
//   |    :
// coupler:
TEST(SpanningTree, FourBarIsCutAtItsFarEnd) {
  const Model model = SmallGraph(R"(
    fixed    world -> base
    revolute base -> crank actuated
    revolute crank -> coupler
    revolute coupler -> rocker
    revolute base -> rocker)");
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_EQ(NamesOf(model, tree.order), "world base crank coupler rocker");
  EXPECT_EQ(NamesOf(model, tree.loop_joints), "coupler-rocker");
  EXPECT_EQ(tree.reasons, std::vector<std::string>{
                              "passive revolute joint, at the far end of the loop from 'base'"});
  EXPECT_TRUE(tree.IsLoop(*model.FindJoint("coupler-rocker")));
  EXPECT_FALSE(tree.IsLoop(*model.FindJoint("base-rocker")));
  EXPECT_EQ(tree.parent[Index(*model.FindLink("rocker"))], *model.FindLink("base"));
  EXPECT_EQ(tree.depth[Index(*model.FindLink("coupler"))], 3u);
}

TEST(SpanningTree, ActuatedJointsStayEvenAtTheFarEnd) {
  EXPECT_EQ(Cuts(SmallGraph(R"(
    fixed    world -> base
    revolute base -> crank
    revolute crank -> coupler
    revolute coupler -> rocker actuated
    revolute base -> rocker)")),
            "crank-coupler");
}

TEST(SpanningTree, LimitsAreLessThanADriveAndMoreThanNothing) {
  const Model model = SmallGraph(R"(
    fixed    world -> base
    revolute base -> a independent
    revolute a -> b limited
    revolute b -> c independent
    revolute c -> base independent)");
  EXPECT_EQ(Cuts(model), "a-b");
  EXPECT_EQ(ChooseSpanningTree(model).reasons[0],
            "revolute joint with limits or dynamics, in a loop without a passive joint, at the far "
            "end of the loop from 'base'");
}

TEST(SpanningTree, TheOnlyPassiveJointIsCutEvenWhereTheLoopClosesOnAnAncestor) {
  const Model model = SmallGraph(R"(
    fixed    world -> base
    revolute base -> a actuated
    revolute a -> b actuated
    revolute b -> c actuated
    revolute c -> base)");
  EXPECT_EQ(Cuts(model), "c-base");
  EXPECT_EQ(ChooseSpanningTree(model).reasons[0],
            "passive revolute joint, and the loop closes on the ancestor 'base'");
}

// The joints at the base would make loops from a link to its own ancestor; of the others the
// universal joint stays.
TEST(SpanningTree, CommonLoopKindsAreCutBeforeExoticOnes) {
  EXPECT_EQ(Cuts(SmallGraph(R"(
    fixed     world -> base
    revolute  base -> crank actuated
    universal crank -> rod
    ball      rod -> slider
    prismatic slider -> base)")),
            "rod-slider");
  EXPECT_EQ(Cuts(SmallGraph(R"(
    fixed     world -> base
    revolute  base -> crank actuated
    ball      crank -> rod
    universal rod -> slider
    prismatic slider -> base)")),
            "crank-rod");
}

TEST(SpanningTree, AncestorLoopsWeighMoreThanExoticKinds) {
  EXPECT_EQ(Cuts(SmallGraph(R"(
    fixed     world -> base
    revolute  base -> crank actuated
    universal crank -> rod
    revolute  rod -> base)")),
            "crank-rod");
}

TEST(SpanningTree, TheAuthorsHintComesFirst) {
  const Model model = SmallGraph(R"(
    fixed    world -> base
    revolute base -> crank actuated hint
    revolute crank -> coupler
    revolute coupler -> rocker
    revolute base -> rocker)");
  EXPECT_EQ(Cuts(model), "base-crank");
  EXPECT_EQ(ChooseSpanningTree(model).reasons[0], "the author asks for it (cut hint)");
}

TEST(SpanningTree, AHintOnABridgeIsNotFollowed) {
  EXPECT_EQ(Cuts(SmallGraph("fixed world -> base\nrevolute base -> arm hint")), "");
}

TEST(SpanningTree, AuthoredRolesAreHonoured) {
  const Model model = SmallGraph(R"(
    revolute base -> crank tree
    revolute crank -> coupler tree
    revolute base -> rocker loop
    revolute coupler -> rocker tree)");
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_EQ(NamesOf(model, tree.order), "world base crank coupler rocker");
  EXPECT_EQ(NamesOf(model, tree.loop_joints), "base-rocker");
  EXPECT_EQ(tree.reasons[0], "the source writes a loop joint");
}

TEST(SpanningTree, CutMovesAnAuthoredLoop) {
  const Model model = SmallGraph(R"(
    revolute base -> crank tree
    revolute crank -> coupler tree
    revolute base -> rocker tree
    revolute coupler -> rocker loop)");
  Diagnostics diagnostics;
  const SpanningTree tree = ChooseSpanningTree(model, {{"base-rocker"}, false}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(NamesOf(model, tree.loop_joints), "base-rocker");
  EXPECT_EQ(NamesOf(model, tree.order), "world base crank coupler rocker");
  EXPECT_EQ(tree.reasons[0], "its cut was asked for");
}

TEST(SpanningTree, CutOfABridgeIsAnError) {
  const Model model = SmallGraph("fixed world -> base\nrevolute base -> arm");
  EXPECT_EQ(Messages(model, {{"base-arm"}, false}),
            "small.urdf:2: error: joint 'base-arm': --cut names this joint, but then 'base' and "
            "'arm' would not be connected; cut a joint of a loop "
            "[cut-no-loop]\n");
}

TEST(SpanningTree, CutOfAnUnknownJointSuggestsTheNearest) {
  const Model model = SmallGraph("revolute base -> arm NAME=elbow");
  EXPECT_EQ(Messages(model, {{"elbov"}, false}),
            "small.urdf: error: joint 'elbov': --cut names a joint that the model does not have "
            "[cut-unknown]\n    did you mean 'elbow'?\n");
}

TEST(SpanningTree, JointsMayPointAgainstTheTree) {
  const Model model = SmallGraph(R"(
    fixed    base -> world
    revolute hand -> arm
    revolute base -> arm)");
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_EQ(NamesOf(model, tree.order), "world base arm hand");
  EXPECT_TRUE(tree.reversed[Index(*model.FindLink("base"))]);
  EXPECT_FALSE(tree.reversed[Index(*model.FindLink("arm"))]);
  EXPECT_TRUE(tree.reversed[Index(*model.FindLink("hand"))]);
}

// Links that no joint connects to the world hang on it rigidly: the first of their component
// without a predecessor.
TEST(SpanningTree, RootsWithoutAJointToTheWorld) {
  const Model model = SmallGraph(R"(
    link     arm
    revolute base -> arm
    fixed    world -> table
    link     ball)");
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_EQ(NamesOf(model, tree.order), "world table base arm ball");
  for (const char* name : {"base", "ball"}) {
    EXPECT_EQ(tree.parent[Index(*model.FindLink(name))], kWorld);
    EXPECT_EQ(tree.parent_joint[Index(*model.FindLink(name))], kNoJoint);
  }
}

TEST(SpanningTree, ChildrenComeInTheOrderOfTheirJoints) {
  const Model model = SmallGraph(R"(
    link     a
    link     b
    revolute base -> b
    revolute base -> a
    revolute b -> c)");
  EXPECT_EQ(NamesOf(model, ChooseSpanningTree(model).order), "world base b c a");
}

TEST(SpanningTree, TwoParents) {
  EXPECT_EQ(
      Messages(SmallGraph(R"(
    revolute base -> a
    revolute base -> b
    revolute a -> c
    revolute b -> c)",
                          JointRole::kTree)),
      "small.urdf:5: error: link 'c': the link is the child of both joint 'a-c' and joint 'b-c'; "
      "write one of its joints as a loop joint "
      "(URDF+: <loop>) [two-parents]\n");
}

TEST(SpanningTree, CycleApartFromTheRest) {
  const Model model = SmallGraph(R"(
    revolute base -> a
    revolute x -> y
    revolute y -> x)",
                                 JointRole::kTree);
  EXPECT_EQ(Messages(model),
            "small.urdf:4: error: joint 'y-x': closes a cycle of 2 tree joints from 'x' round to "
            "'y'; write one of its joints as a "
            "loop joint (URDF+: <loop>) [joint-cycle]\n");
  EXPECT_EQ(NamesOf(model, ChooseSpanningTree(model).order), "world base a x y")
      << "the tree spans all links even so";
}

// More links than are walked for all cycles together.
TEST(SpanningTree, ManyLongCyclesHaveTheirLength) {
  Model model = SmallGraph("link a");
  LinkId last{1};
  for (int i = 1; i < 1100; ++i) {
    const LinkId next = model.AddLink({});
    Joint joint;
    joint.kind = Fixed{}, joint.role = JointRole::kTree;
    model.AddJoint(last, next, joint);
    last = next;
  }
  for (int i = 0; i < 1000; ++i) {
    Joint joint;
    joint.kind = Fixed{}, joint.role = JointRole::kTree;
    model.AddJoint(last, LinkId{1}, joint);
  }
  Diagnostics diagnostics;
  (void)ChooseSpanningTree(model, {}, diagnostics);
  ASSERT_EQ(diagnostics.items().size(), 1000u);
  for (const Diagnostic& item : diagnostics.items())
    ASSERT_NE(item.message.find("a cycle of 1100 tree joints"), std::string::npos) << item.message;
}

TEST(SpanningTree, LoopBetweenTwoTrees) {
  EXPECT_EQ(
      Messages(SmallGraph("revolute a -> b tree\nrevolute c -> d tree\nrevolute b -> d loop")),
      "small.urdf:3: error: loop joint 'b-d': 'b' and 'd' are not connected by tree joints; write "
      "a tree joint between the two trees "
      "instead [loop-unconnected]\n");
}

TEST(SpanningTree, AJointFromALinkToItselfIsNeverInTheTree) {
  const Model model = SmallGraph("revolute a -> b\nrevolute b -> b");
  EXPECT_EQ(Cuts(model), "b-b");
  EXPECT_EQ(ChooseSpanningTree(model).reasons[0], "the joint connects a link to itself");
}

// A loop hung on the far link of another loop: its near end is that link, not the root.
TEST(SpanningTree, StackedFourBarsAreCutFarFromTheirOwnBase) {
  EXPECT_EQ(Cuts(SmallGraph(R"(
    fixed    world -> base
    revolute base -> a
    revolute a -> b
    revolute b -> c
    revolute c -> base
    revolute b -> d
    revolute d -> e
    revolute e -> f
    revolute f -> b)")),
            "b-c e-f");
}

TEST(SpanningTree, AvoidAncestorLoopsMovesAnAuthoredLoopToThePassiveJoint) {
  const Model model = SmallGraph(R"(
    revolute base -> a tree actuated
    revolute a -> b tree limited
    revolute b -> c tree
    revolute c -> base loop)");
  Diagnostics diagnostics;
  SpanningTreeOptions options;
  EXPECT_EQ(Cuts(model, options), "c-base");
  options.avoid_ancestor_loops = true;
  EXPECT_EQ(Cuts(model, options), "b-c");
}

TEST(SpanningTree, AvoidAncestorLoopsLeavesOtherLoopsAlone) {
  const Model model = SmallGraph(R"(
    revolute base -> a tree
    revolute base -> b tree
    revolute a -> b loop
    revolute b -> c tree
    revolute c -> d tree
    revolute d -> b loop)");
  SpanningTreeOptions options;
  options.avoid_ancestor_loops = true;
  EXPECT_EQ(Cuts(model, options), "a-b c-d");
}

TEST(SpanningTree, TwoJointsBetweenOnePairOfLinksStayAnAncestorLoop) {
  SpanningTreeOptions options;
  options.avoid_ancestor_loops = true;
  EXPECT_EQ(Cuts(SmallGraph("revolute base -> a tree\nrevolute base -> a NAME=twin loop"), options),
            "twin");
}

}  // namespace
}  // namespace kinemorph
