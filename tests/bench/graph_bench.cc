// How fast a model falls into aggregate links, beside boost::strong_components alone on the same
// digraph.
#include <benchmark/benchmark.h>

#include <boost/graph/strong_components.hpp>

#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "ratios.h"

namespace kinemorph {
namespace {

LinkId At(std::size_t i) { return LinkId{static_cast<std::uint32_t>(i)}; }

Joint RevoluteJoint(JointRole role) {
  Joint joint;
  joint.kind = Revolute{};
  joint.role = role;
  joint.axes.resize(1);
  return joint;
}

// A chain with a loop between two neighbouring branches every `spacing` links.
//   ... - k - k+1 - k+2 ...
//             |
//             side (closed on k+2 by the loop joint)
Model Chain(std::size_t links, std::size_t spacing, JointRole tree_role, JointRole loop_role) {
  Model model;
  model.Reserve(links, links + links / spacing);
  for (std::size_t i = 0; i < links; ++i) model.AddLink({});
  std::vector<std::pair<std::size_t, std::size_t>> loops;
  for (std::size_t i = 2, last = 1; i <= links; ++i) {
    model.AddJoint(At(last), At(i), RevoluteJoint(tree_role));
    if (i % spacing == 0 && i + 1 <= links)
      loops.emplace_back(i, i + 1);  // i is the side branch, i + 1 goes on from the same link
    else
      last = i;
  }
  for (const auto& [p, s] : loops) model.AddJoint(At(p), At(s), RevoluteJoint(loop_role));
  return model;
}

// Four-bars one upon another: three links and one loop joint each.
Model FourBars(std::size_t count) {
  Model model;
  model.Reserve(3 * count + 1, 4 * count);
  for (std::size_t i = 0; i < 3 * count + 1; ++i) model.AddLink({});
  for (std::size_t k = 0, base = 1; k < count; ++k) {
    const std::size_t crank = 3 * k + 2, coupler = crank + 1, rocker = crank + 2;
    model.AddJoint(At(base), At(crank), RevoluteJoint(JointRole::kTree));
    model.AddJoint(At(crank), At(coupler), RevoluteJoint(JointRole::kTree));
    model.AddJoint(At(base), At(rocker), RevoluteJoint(JointRole::kTree));
    base = coupler;
  }
  for (std::size_t k = 0; k < count; ++k)
    model.AddJoint(At(3 * k + 3), At(3 * k + 4), RevoluteJoint(JointRole::kLoop));
  return model;
}

// Everything from the model to the aggregate links.
std::size_t Cluster(const Model& model) {
  return BuildLoopAggregatedConnectivityGraph(model, ChooseSpanningTree(model)).aggregates.size();
}

void BM_ClusterChain(benchmark::State& state, JointRole tree_role, JointRole loop_role) {
  const Model model = Chain(static_cast<std::size_t>(state.range(0)), 10, tree_role, loop_role);
  for (auto _ : state) benchmark::DoNotOptimize(Cluster(model));
  state.counters["loops"] = static_cast<double>(model.num_joints() - (model.num_links() - 2));
}
BENCHMARK_CAPTURE(BM_ClusterChain, authored_small, JointRole::kTree, JointRole::kLoop)
    ->Arg(1'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ClusterChain, authored, JointRole::kTree, JointRole::kLoop)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ClusterChain, undecided, JointRole::kUndecided, JointRole::kUndecided)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);

// The steps apart, and the bare search on the constraint dependency digraph.
void BM_BareStrongComponents(benchmark::State& state) {
  const Model model = FourBars(static_cast<std::size_t>(state.range(0)) / 5);
  const ConstraintDependencyDigraph cdd =
      BuildConstraintDependencyDigraph(model, ChooseSpanningTree(model));
  for (auto _ : state) {
    std::vector<std::uint32_t> component(boost::num_vertices(cdd.digraph));
    benchmark::DoNotOptimize(boost::strong_components(
        cdd.digraph, boost::make_iterator_property_map(component.begin(),
                                                       get(boost::vertex_index, cdd.digraph))));
  }
  state.counters["edges"] = static_cast<double>(boost::num_edges(cdd.digraph));
}
void BM_SpanningTree(benchmark::State& state) {
  const Model model = FourBars(static_cast<std::size_t>(state.range(0)) / 5);
  for (auto _ : state) benchmark::DoNotOptimize(ChooseSpanningTree(model).order.data());
}
void BM_Digraph(benchmark::State& state) {
  const Model model = FourBars(static_cast<std::size_t>(state.range(0)) / 5);
  const SpanningTree tree = ChooseSpanningTree(model);
  for (auto _ : state)
    benchmark::DoNotOptimize(BuildConstraintDependencyDigraph(model, tree).loop_edges.data());
}
void BM_Clusters(benchmark::State& state) {
  const Model model = FourBars(static_cast<std::size_t>(state.range(0)) / 5);
  const SpanningTree tree = ChooseSpanningTree(model);
  for (auto _ : state) benchmark::DoNotOptimize(ClusterLinks(model, tree).of.data());
}
void BM_Aggregates(benchmark::State& state) {
  const Model model = FourBars(static_cast<std::size_t>(state.range(0)) / 5);
  const SpanningTree tree = ChooseSpanningTree(model);
  for (auto _ : state)
    benchmark::DoNotOptimize(BuildLoopAggregatedConnectivityGraph(model, tree).aggregates.data());
}
#define KINEMORPH_EDGES \
  ->Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond)
BENCHMARK(BM_BareStrongComponents) KINEMORPH_EDGES;
BENCHMARK(BM_SpanningTree) KINEMORPH_EDGES;
BENCHMARK(BM_Digraph) KINEMORPH_EDGES;
BENCHMARK(BM_Clusters) KINEMORPH_EDGES;
BENCHMARK(BM_Aggregates) KINEMORPH_EDGES;

}  // namespace
}  // namespace kinemorph

int main(int argc, char** argv) {
  std::vector<kinemorph::bench::Ratio> ratios;
  for (const char* edges : {"1000", "10000", "100000", "1000000"}) {
    const std::string n(edges), bare = "BM_BareStrongComponents/" + n;
    ratios.push_back({"links to clusters, " + n + " edges, against `strong_components`",
                      "BM_Clusters/" + n, bare, 1.2});
    ratios.push_back({"links to aggregate links, " + n + " edges, against `strong_components`",
                      "BM_Aggregates/" + n, bare, 1.2});
  }
  return kinemorph::bench::RunWithRatios(argc, argv, ratios);
}
