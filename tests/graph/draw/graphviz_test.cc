// The pictures of the three graphs as text.
#include "kinemorph/graph/draw/graphviz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "graph/small_graph.h"

namespace kinemorph {
namespace {

using test::AddMimic;
using test::SmallGraph;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The lines between the common head and the closing brace, without what only the pointer shows.
std::string Body(const std::string& dot) {
  const std::string last_head_line = "arrowsize=0.7];\n";
  const std::size_t begin = dot.find(last_head_line) + last_head_line.size();
  const std::string body = dot.substr(begin, dot.size() - begin - 2);
  return std::regex_replace(body, std::regex(", (label)?tooltip=\"([^\"\\\\]|\\\\.)*\""), "");
}

Model FourBar() {
  return SmallGraph(R"(
    revolute base -> crank tree NAME=drive
    revolute crank -> coupler tree
    revolute base -> rocker tree
    ball     coupler -> rocker NAME=closing loop)");
}

TEST(Graphviz, ConnectivityGraph) {
  const Model model = FourBar();
  const std::string dot = ConnectivityGraphDot(model, ChooseSpanningTree(model));
  EXPECT_EQ(Body(dot), R"(  n1 [label="base"];
  n2 [label="crank"];
  n3 [label="coupler"];
  n4 [label="rocker"];
  n1 -> n2 [label="R drive"];
  n2 -> n3 [label="R crank-coupler"];
  n1 -> n4 [label="R base-rocker"];
  n3 -> n4 [label="S closing", style=dashed, constraint=false, color="#c8102e", fontcolor="#c8102e"];
)");
}

TEST(Graphviz, TitleCaptionLegendAndTooltips) {
  Model model = FourBar();
  model.name = "a <b> & c";
  PictureOptions options;
  options.mobility = {0, 0, 1};
  const std::string dot = ConnectivityGraphDot(model, ChooseSpanningTree(model), options);
  for (const char* part : {"<b>a &lt;b&gt; &amp; c</b>", "4 links, 3 joints, 1 loop, mobility 1",
                           "R revolute &#160; S spherical", "loop joint</font>",
                           "tooltip=\"revolute joint 'drive' from 'base' to 'crank'\""})
    EXPECT_THAT(dot, HasSubstr(part));
  EXPECT_THAT(dot, Not(HasSubstr("coupling</font>")));
}

TEST(Graphviz, ConstraintDependencyDigraph) {
  const Model model = FourBar();
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_EQ(Body(ConstraintDependencyDigraphDot(model, tree,
                                                BuildConstraintDependencyDigraph(model, tree))),
            R"(  n1 [label="base"];
  n2 [label="crank"];
  n3 [label="coupler"];
  n4 [label="rocker"];
  n1 -> n2;
  n2 -> n3;
  n1 -> n4;
  n3 -> n4 [style=dashed, constraint=false, color="#c8102e"];
  n4 -> n2 [style=dashed, constraint=false, color="#c8102e"];
)");
}

TEST(Graphviz, LoopAggregatedConnectivityGraph) {
  const Model model = FourBar();
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  PictureOptions options;
  options.mobility = {0, 0, 1};
  EXPECT_EQ(Body(LoopAggregatedConnectivityGraphDot(model, tree, lacg, options)),
            R"(  n1 [label="base"];
  subgraph cluster_2 {
    label="mobility 1";
    tooltip="aggregate link 1, mobility 1";
    style="rounded,filled";
    color="#c8102e";
    fillcolor="#fdf3f4";
    fontcolor="#c8102e";
    fontsize=10;
    labeljust=l;
    n2 [label="crank"];
    n3 [label="coupler"];
    n4 [label="rocker"];
  }
  n1 -> n2 [label="R drive"];
  n2 -> n3 [label="R crank-coupler"];
  n1 -> n4 [label="R base-rocker"];
  n3 -> n4 [label="S closing", style=dashed, constraint=false, color="#c8102e", fontcolor="#c8102e"];
)");
}

TEST(Graphviz, TheWorldReversedJointsCouplingsAndOddNames) {
  Model model = SmallGraph("fixed world -> base\nrevolute left -> base\nrevolute base -> right");
  model.link(LinkId{1}).name = "the \"base\"\\";
  AddMimic(model, "base-right", "left-base");
  EXPECT_EQ(Body(ConnectivityGraphDot(model, ChooseSpanningTree(model))),
            R"(  n0 [label="world", shape=plaintext, style="", fontsize=11];
  n1 [label="the \"base\"\\"];
  n2 [label="left"];
  n3 [label="right"];
  n0 -> n1 [label="F world-base"];
  n1 -> n2 [label="R left-base", dir=back];
  n1 -> n3 [label="R base-right"];
  n3 -> n2 [label="", style=dotted, dir=none, constraint=false, color="#0057b7", fontcolor="#0057b7"];
)");
}

// A sensor on a fixed joint is no box of its own; a leg without loops is one.
TEST(Graphviz, FixedLinksAndChainsAreOneBox) {
  const Model model = SmallGraph(R"(
    fixed     base -> imu
    revolute  base -> hip
    prismatic hip -> knee
    fixed     knee -> pad
    revolute  knee -> foot
    revolute  base -> arm)");
  PictureOptions options;
  options.collapse = Collapse::kFixed;
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_THAT(Body(ConnectivityGraphDot(model, tree, options)),
              AllOf(HasSubstr("n1 [label=\"base\\n+ 1 fixed\", peripheries=2]"),
                    HasSubstr("n3 -> n4 [label=\"P hip-knee\"]"), Not(HasSubstr("pad"))));
  options.collapse = Collapse::kChains;
  EXPECT_EQ(Body(ConnectivityGraphDot(model, tree, options)),
            R"(  n1 [label="base\n+ 1 fixed", peripheries=2];
  n3 [label="hip … foot\n4 links, PR", peripheries=2];
  n7 [label="arm"];
  n1 -> n3 [label="R base-hip"];
  n1 -> n7 [label="R base-arm"];
)");
}

// Two legs alike, loops and all, and a third that has a link more; the tail is no branch.
TEST(Graphviz, BranchesThatAreAlikeAreOneBoxEach) {
  const std::string leg = R"(
    revolute  base -> hip1
    prismatic hip1 -> knee1
    revolute  knee1 -> foot1
    revolute  hip1 -> rod1
    ball      rod1 -> foot1 loop)";
  const auto other = [&](char number) {
    std::string text = leg;
    std::replace(text.begin(), text.end(), '1', number);
    return text;
  };
  const Model model = SmallGraph(leg + other('2') + other('3') +
                                 "\n    fixed foot3 -> toe3\n    revolute base -> tail");
  PictureOptions options;
  options.collapse = Collapse::kRepeats;
  const SpanningTree tree = ChooseSpanningTree(model);
  const std::string body = Body(ConnectivityGraphDot(model, tree, options));
  EXPECT_THAT(body, AllOf(HasSubstr("[label=\"hip1\\n4 links, PRR, 1 loop\", peripheries=2]"),
                          HasSubstr("[label=\"hip2\\n4 links, PRR, 1 loop\", peripheries=2]"),
                          HasSubstr("label=\"knee3\""), HasSubstr("label=\"tail\""),
                          HasSubstr("label=\"S rod3-foot3\""), HasSubstr("foot3\\n+ 1 fixed")));
  EXPECT_THAT(body, Not(HasSubstr("knee1")));
  EXPECT_THAT(body, Not(HasSubstr("rod2")));
}

TEST(Graphviz, ALoopStaysWhatItIsInAChain) {
  const Model model = FourBar();
  PictureOptions options;
  options.collapse = Collapse::kChains;
  const SpanningTree tree = ChooseSpanningTree(model);
  EXPECT_EQ(Body(ConnectivityGraphDot(model, tree, options)),
            Body(ConnectivityGraphDot(model, tree)));
}

TEST(Graphviz, DepthAndFocusCountWhatTheyLeaveOut) {
  const Model model = SmallGraph(R"(
    revolute base -> a
    revolute a -> b
    revolute b -> c
    revolute c -> d
    revolute base -> other)");
  const SpanningTree tree = ChooseSpanningTree(model);
  PictureOptions options;
  options.depth = 1;
  const std::string dot = ConnectivityGraphDot(model, tree, options);
  EXPECT_EQ(Body(dot), R"(  n1 [label="base"];
  n2 [label="a"];
  n6 [label="other"];
  n1 -> n2 [label="R base-a"];
  n1 -> n6 [label="R base-other"];
  n2_more [label="+ 3", shape=plaintext, style=""];
  n2 -> n2_more [style=dotted, dir=none];
)");
  EXPECT_THAT(dot, HasSubstr("6 links, 5 joints; drawn: 3 links"));
  options.focus = LinkId{4};  // c
  EXPECT_EQ(Body(ConnectivityGraphDot(model, tree, options)), R"(  n3 [label="b"];
  n4 [label="c"];
  n5 [label="d"];
  n3 -> n4 [label="R b-c"];
  n4 -> n5 [label="R c-d"];
)");
}

// Ninety links in six legs, and sixty on one base: neither is a ribbon.
TEST(Graphviz, WideTreesAreTurnedOrStacked) {
  std::string legs, star;
  for (int leg = 0; leg < 6; ++leg) {
    std::string above = "base";
    for (int k = 0; k < 15; ++k) {
      const std::string link = "leg" + std::to_string(leg) + "_" + std::to_string(k);
      legs += "revolute " + above + " -> " + link + "\n";
      above = link;
    }
  }
  for (int k = 0; k < 60; ++k) star += "revolute base -> finger" + std::to_string(k) + "\n";
  const Model walker = SmallGraph(legs), hand = SmallGraph(star), four_bar = FourBar();
  const auto draw = [](const Model& model) {
    return ConnectivityGraphDot(model, ChooseSpanningTree(model));
  };
  EXPECT_THAT(draw(four_bar), HasSubstr("rankdir=TB"));
  EXPECT_THAT(draw(hand), HasSubstr("minlen="));
  EXPECT_THAT(draw(walker), Not(HasSubstr("minlen=")));
}

TEST(Graphviz, TheStyleIsForTheDark) {
  EXPECT_THAT(DarkModeStyle(), StartsWith("\n<style>"));
  EXPECT_THAT(DarkModeStyle(), HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(DarkModeStyle(), EndsWith("</style>"));
}

}  // namespace
}  // namespace kinemorph
