// Every tree of up to six links with up to two loop joints, against definitions written out
// plainly; then large random and deep graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <numeric>
#include <random>
#include <set>

#include "graph/small_graph.h"
#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "lab/lacg_invariants.h"

namespace kinemorph {
namespace {

using Partition = std::set<std::set<int>>;
using Loop = std::pair<int, int>;

std::vector<int> RootPath(const std::vector<int>& parent, int link) {
  std::vector<int> path;
  for (; link >= 0; link = parent[static_cast<std::size_t>(link)]) path.insert(path.begin(), link);
  return path;
}

// The links below the nearest common ancestor of both ends: nu_p and nu_s.
std::pair<std::vector<int>, std::vector<int>> Subchains(const std::vector<int>& parent, Loop loop) {
  std::vector<int> p = RootPath(parent, loop.first), s = RootPath(parent, loop.second);
  while (!p.empty() && !s.empty() && p[0] == s[0]) p.erase(p.begin()), s.erase(s.begin());
  return {p, s};
}

// Definition one: strongly connected components of Algorithm 3's digraph by plain reachability.
Partition ByReachability(const std::vector<int>& parent, const std::vector<Loop>& loops) {
  const std::size_t n = parent.size();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i) {
    reach[i][i] = true;
    if (parent[i] >= 0) reach[static_cast<std::size_t>(parent[i])][i] = true;
  }
  for (const Loop& loop : loops) {
    const auto [nu_p, nu_s] = Subchains(parent, loop);
    const auto add = [&](int from, int to) {
      reach[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] = true;
    };
    if (nu_p.empty())
      add(nu_s.back(), nu_s.front());
    else if (nu_s.empty())
      add(nu_p.back(), nu_p.front());
    else
      add(nu_p.back(), nu_s.front()), add(nu_s.back(), nu_p.front());
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (reach[i][k] && reach[k][j]) reach[i][j] = true;
  Partition parts;
  for (std::size_t i = 0; i < n; ++i) {
    std::set<int> part;
    for (std::size_t j = 0; j < n; ++j)
      if (reach[i][j] && reach[j][i]) part.insert(static_cast<int>(j));
    parts.insert(part);
  }
  return parts;
}

// Definition two: links are together when their loops' subchains overlap.
Partition ByOverlap(const std::vector<int>& parent, const std::vector<Loop>& loops) {
  std::vector<int> group(parent.size());
  std::iota(group.begin(), group.end(), 0);
  for (const Loop& loop : loops) {
    auto [all, nu_s] = Subchains(parent, loop);
    all.insert(all.end(), nu_s.begin(), nu_s.end());
    for (const int link : all) {
      const int old = group[static_cast<std::size_t>(link)],
                merged = group[static_cast<std::size_t>(all[0])];
      std::replace(group.begin(), group.end(), old, merged);
    }
  }
  Partition parts;
  for (const int g : std::set<int>(group.begin(), group.end())) {
    std::set<int> part;
    for (std::size_t i = 0; i < group.size(); ++i)
      if (group[i] == g) part.insert(static_cast<int>(i));
    parts.insert(part);
  }
  return parts;
}

// Link i of the tree is LinkId i + 1.
Model Build(const std::vector<int>& parent, const std::vector<Loop>& loops,
            JointRole loop_role = JointRole::kLoop) {
  Model model;
  model.Reserve(parent.size(), parent.size() + loops.size());
  const auto id = [](int i) { return LinkId{static_cast<std::uint32_t>(i + 1)}; };
  for (std::size_t i = 0; i < parent.size(); ++i) model.AddLink({});
  Joint joint;
  joint.kind = Revolute{};
  joint.role = loop_role == JointRole::kLoop ? JointRole::kTree : loop_role;
  for (std::size_t i = 1; i < parent.size(); ++i)
    model.AddJoint(id(parent[i]), id(static_cast<int>(i)), joint);
  joint.role = loop_role;
  for (const Loop& loop : loops) model.AddJoint(id(loop.first), id(loop.second), joint);
  return model;
}

// Definition three: what Boost finds in the digraph.
void ExpectStrongComponents(const Model& model, const SpanningTree& tree,
                            const LoopAggregatedConnectivityGraph& lacg) {
  const auto digraph = BuildConstraintDependencyDigraph(model, tree).digraph;
  std::vector<std::uint32_t> component(model.num_links());
  const std::size_t count = boost::strong_components(
      digraph,
      boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, digraph)));
  EXPECT_EQ(count, lacg.aggregates.size());
  for (const AggregateLink& aggregate : lacg.aggregates) {
    for (const LinkId link : aggregate.links)
      ASSERT_EQ(component[Index(link)], component[Index(aggregate.links.front())]);
  }
}

Partition Ours(const Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  EXPECT_EQ(CheckInvariants(model, tree, lacg), "");
  ExpectStrongComponents(model, tree, lacg);
  Partition parts;
  for (const AggregateLink& aggregate : lacg.aggregates) {
    std::set<int> part;
    for (const LinkId link : aggregate.links)
      if (link != kWorld) part.insert(static_cast<int>(Index(link)) - 1);
    if (!part.empty()) parts.insert(part);
  }
  return parts;
}

// Calls visit(parent, loops) for every rooted tree of n links (parents before children) and up to
// two loops.
template <class Visit>
void ForEachSmallGraph(int n, Visit&& visit) {
  std::vector<Loop> all;
  for (int p = 0; p < n; ++p)
    for (int s = 0; s < n; ++s)
      if (p != s) all.emplace_back(p, s);
  std::vector<int> parent(static_cast<std::size_t>(n), 0);
  parent[0] = -1;
  while (true) {
    visit(parent, std::vector<Loop>{});
    for (std::size_t i = 0; i < all.size(); ++i) {
      visit(parent, std::vector<Loop>{all[i]});
      for (std::size_t j = i; j < all.size(); ++j) visit(parent, std::vector<Loop>{all[i], all[j]});
    }
    int i = n - 1;
    while (i > 0 && parent[static_cast<std::size_t>(i)] == i - 1)
      parent[static_cast<std::size_t>(i--)] = 0;
    if (i <= 0) return;
    ++parent[static_cast<std::size_t>(i)];
  }
}

TEST(ExhaustiveGraphs, AggregatesEqualBothDefinitions) {
  int graphs = 0;
  for (int n = 1; n <= 6; ++n) {
    ForEachSmallGraph(n, [&](const std::vector<int>& parent, const std::vector<Loop>& loops) {
      ++graphs;
      const Partition expected = ByReachability(parent, loops);
      ASSERT_EQ(expected, ByOverlap(parent, loops));
      ASSERT_EQ(Ours(Build(parent, loops)), expected);
    });
  }
  EXPECT_EQ(graphs, 1 + 6 + 2 * 28 + 6 * 91 + 24 * 231 + 120 * 496);
}

// Without roles: as many joints are cut as there are loops, the tree spans, and no cut joins a link
// to its own ancestor unless two joints join the same pair of links.
TEST(ExhaustiveGraphs, UndecidedJointsGiveABreadthFirstTree) {
  for (int n = 1; n <= 5; ++n) {
    ForEachSmallGraph(n, [&](const std::vector<int>& parent, const std::vector<Loop>& loops) {
      const Model model = Build(parent, loops, JointRole::kUndecided);
      const SpanningTree tree = ChooseSpanningTree(model);
      ASSERT_EQ(tree.order.size(), model.num_links());
      ASSERT_EQ(tree.loop_joints.size(), loops.size());
      for (const JointId id : tree.loop_joints) {
        const LinkId p = model.predecessor(id), s = model.successor(id),
                     c = NearestCommonAncestor(tree, p, s);
        ASSERT_TRUE((c != p && c != s) || tree.parent[Index(p)] == s || tree.parent[Index(s)] == p);
      }
    });
  }
}

// Authored cuts moved away from ancestors: the same guarantee whatever the roles.
TEST(ExhaustiveGraphs, AncestorLoopsCanAlwaysBeAvoided) {
  SpanningTreeOptions options;
  options.avoid_ancestor_loops = true;
  for (int n = 1; n <= 5; ++n) {
    ForEachSmallGraph(n, [&](const std::vector<int>& parent, const std::vector<Loop>& loops) {
      const Model model = Build(parent, loops);
      Diagnostics diagnostics;
      const SpanningTree tree = ChooseSpanningTree(model, options, diagnostics);
      ASSERT_EQ(diagnostics.items().size(), 0u);
      ASSERT_EQ(tree.loop_joints.size(), loops.size());
      for (const JointId id : tree.loop_joints) {
        const LinkId p = model.predecessor(id), s = model.successor(id),
                     c = NearestCommonAncestor(tree, p, s);
        ASSERT_TRUE((c != p && c != s) || tree.parent[Index(p)] == s || tree.parent[Index(s)] == p);
      }
    });
  }
}

TEST(RandomGraphs, AncestorQueriesAgreeWithWalkingUp) {
  std::mt19937 random(7);
  std::vector<int> parent{-1};
  // Long chains with branches, so that jumps of all lengths are taken.
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  for (int i = 1; i < 2000; ++i) parent.push_back(pick(10) != 0 ? i - 1 : pick(i));
  const Model model = Build(parent, {});
  const SpanningTree tree = ChooseSpanningTree(model);
  for (int k = 0; k < 20000; ++k) {
    const LinkId a{static_cast<std::uint32_t>(random() % 2001)},
        b{static_cast<std::uint32_t>(random() % 2001)};
    LinkId x = a, y = b;
    while (x != y)
      (tree.depth[Index(x)] > tree.depth[Index(y)] ? x : y) =
          tree.parent[Index(tree.depth[Index(x)] > tree.depth[Index(y)] ? x : y)];
    ASSERT_EQ(NearestCommonAncestor(tree, a, b), x);
    const std::vector<LinkId> path = PathSubchain(tree, x, a);
    ASSERT_EQ(path.size(), tree.depth[Index(a)] - tree.depth[Index(x)]);
    if (!path.empty()) {
      ASSERT_EQ(path.front(), AncestorAtDepth(tree, a, tree.depth[Index(x)] + 1));
      ASSERT_EQ(path.back(), a);
    }
  }
}

// A joint that was cut is never wanted in the tree more than one that stayed on its cycle
// (Kruskal's promise, checked by walking).
TEST(RandomGraphs, EveryCutIsTheWeakestJointOfItsLoop) {
  std::mt19937 random(11);
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  const auto rank = [](const Model& model, JointId id) {
    const Joint& joint = model.joint(id);
    return joint.cut_hint ? 3 : joint.independent == true ? 0 : joint.axes[0].upper ? 1 : 2;
  };
  for (int k = 0; k < 300; ++k) {
    const int n = 3 + pick(12);
    std::vector<int> parent{-1};
    std::vector<Loop> loops;
    for (int i = 1; i < n; ++i) parent.push_back(pick(i));
    for (int i = pick(6); i-- > 0;) loops.emplace_back(pick(n), pick(n));
    loops.erase(std::remove_if(loops.begin(), loops.end(),
                               [](const Loop& l) { return l.first == l.second; }),
                loops.end());
    Model model = Build(parent, loops, JointRole::kUndecided);
    for (const JointId id : Joints(model)) {
      const int what = pick(4);
      if (what == 0) model.joint(id).independent = true;
      if (what == 1) model.joint(id).axes[0].upper = 1;
      if (what == 2) model.joint(id).cut_hint = true;
    }
    const SpanningTree tree = ChooseSpanningTree(model);
    ASSERT_EQ(tree.loop_joints.size(), loops.size());
    for (const JointId id : tree.loop_joints) {
      const LinkId c = NearestCommonAncestor(tree, model.predecessor(id), model.successor(id));
      for (const LinkId end : {model.predecessor(id), model.successor(id)}) {
        for (LinkId link = end; link != c; link = tree.parent[Index(link)])
          ASSERT_LE(rank(model, tree.parent_joint[Index(link)]), rank(model, id));
      }
    }
  }
}

// 200,000 links in one chain, every second link closed on the first: no recursion and nothing
// quadratic (the test would not end).
TEST(DeepGraphs, LongLoopsOnADeepChain) {
  constexpr int kLinks = 200'000;
  std::vector<int> parent{-1};
  std::vector<Loop> loops;
  for (int i = 1; i < kLinks; ++i) parent.push_back(i - 1);
  for (int i = 2; i < kLinks; i += 2) loops.emplace_back(0, i);
  for (const JointRole role : {JointRole::kLoop, JointRole::kUndecided}) {
    const Model model = Build(parent, loops, role);
    const Partition parts = Ours(model);
    EXPECT_EQ(parts.count({0}), 1u);
    EXPECT_LE(parts.size(), role == JointRole::kLoop ? 3u : static_cast<std::size_t>(kLinks));
  }
}

// The house goal: 1,000,000 links and 100,000 local loops.
TEST(DeepGraphs, AMillionLinks) {
  constexpr int kLinks = 1'000'000;
  std::vector<int> parent{-1};
  std::vector<Loop> loops;
  for (int i = 1; i < kLinks; ++i) parent.push_back(i % 10 == 8 ? i - 3 : i - 1);
  for (int i = 10; i < kLinks; i += 10) loops.emplace_back(i - 3, i - 2);
  const Model model = Build(parent, loops);
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  EXPECT_EQ(loops.size(), 99'999u);
  EXPECT_EQ(lacg.aggregates.size(), 1'000'001u - 2 * 99'999u)
      << "each loop aggregates two links with one";
  EXPECT_EQ(CheckInvariants(model, tree, lacg), "");
}

}  // namespace
}  // namespace kinemorph
