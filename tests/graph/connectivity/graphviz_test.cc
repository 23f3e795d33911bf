// The pictures of the three graphs as text.
#include "kinemorph/graph/connectivity/graphviz.h"

#include <gtest/gtest.h>

#include "graph/small_graph.h"

namespace kinemorph {
namespace {

using test::AddMimic;
using test::SmallGraph;

// The lines between the common head and the closing brace.
std::string Body(const std::string& dot) {
  const std::string last_head_line = "fontcolor=\"#44546a\"];\n";
  const std::size_t begin = dot.find(last_head_line) + last_head_line.size();
  return dot.substr(begin, dot.size() - begin - 2);
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
  EXPECT_EQ(dot.substr(0, dot.find(";")), "digraph connectivity {\n  label=\"small\"");
  EXPECT_EQ(Body(dot), R"(  n1 [label="base"];
  n2 [label="crank"];
  n3 [label="coupler"];
  n4 [label="rocker"];
  n1 -> n2 [label="drive\nrevolute"];
  n2 -> n3 [label="crank-coupler\nrevolute"];
  n1 -> n4 [label="base-rocker\nrevolute"];
  n3 -> n4 [label="closing\nball", style=dashed, constraint=false, color="#c8102e", fontcolor="#c8102e"];
)");
}

TEST(Graphviz, ConstraintDependencyDigraph) {
  const Model model = FourBar();
  EXPECT_EQ(Body(ConstraintDependencyDigraphDot(
                model, BuildConstraintDependencyDigraph(model, ChooseSpanningTree(model)))),
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
  EXPECT_EQ(Body(LoopAggregatedConnectivityGraphDot(model, tree, lacg)), R"(  n1 [label="base"];
  subgraph cluster_2 {
    label="";
    style="rounded,filled";
    color="#c8102e";
    fillcolor="#fdf3f4";
    n2 [label="crank"];
    n3 [label="coupler"];
    n4 [label="rocker"];
  }
  n1 -> n2 [label="drive\nrevolute"];
  n2 -> n3 [label="crank-coupler\nrevolute"];
  n1 -> n4 [label="base-rocker\nrevolute"];
  n3 -> n4 [label="closing\nball", style=dashed, constraint=false, color="#c8102e", fontcolor="#c8102e"];
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
  n0 -> n1 [label="world-base\nfixed"];
  n1 -> n2 [label="left-base\nrevolute", dir=back];
  n1 -> n3 [label="base-right\nrevolute"];
  n3 -> n2 [label="", style=dotted, dir=none, constraint=false, color="#0057b7", fontcolor="#0057b7"];
)");
}

}  // namespace
}  // namespace kinemorph
