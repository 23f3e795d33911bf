// Aggregate links without the digraph. A constraint ties the two paths from its nearest common
// ancestor c (excluded) to its ends; the strongly connected components of the CDD are the unions of
// such paths that overlap. So union-find over links is enough, at near linear cost: of a path that
// one set holds already only its top is seen. What remains is sorting: links, loop joints and
// couplings into one array each, aggregate after aggregate.
#include "kinemorph/graph/connectivity/lacg.h"

#include <algorithm>
#include <array>
#include <limits>

#include "connectivity/coupled_links.h"
#include "kinemorph/graph/base/disjoint_sets.h"

namespace kinemorph {
namespace {

constexpr std::uint32_t kUnnumbered = std::numeric_limits<std::uint32_t>::max();

// Sets of links that constraints hold together, each hanging on one link above.
class Paths {
 public:
  explicit Paths(const SpanningTree& tree)
      : tree_(tree), sets_(tree.order.size()), above_(tree.parent) {}

  /// The paths from c (excluded) down to the links become one set.
  template <class LinkRange>
  void Tie(const LinkRange& links, LinkId c) {
    // From each end climb set by set until the next link above is c. A set that hangs deeper than c
    // ends on the path; what it hangs on is on the path too and joins it.
    std::uint32_t all = kUnnumbered;
    for (const LinkId link : links) {
      if (link == c) continue;
      std::uint32_t set = sets_.Find(Index(link));
      while (Depth(above_[set]) > Depth(c)) set = Join(set, sets_.Find(Index(above_[set])));
      all = all == kUnnumbered ? set : Join(all, set);
    }
  }
  [[nodiscard]] std::uint32_t Of(LinkId link) { return sets_.Find(Index(link)); }

 private:
  [[nodiscard]] std::uint32_t Depth(LinkId link) const { return tree_.depth[Index(link)]; }
  // All members of a set whose parent is outside have the same parent (sets that share a link have
  // nested ancestors): of two it is the one nearer to the root.
  std::uint32_t Join(std::uint32_t a, std::uint32_t b) {
    const LinkId above = Depth(above_[a]) < Depth(above_[b]) ? above_[a] : above_[b];
    sets_.Unite(a, b);
    const std::uint32_t joined = sets_.Find(a);
    above_[joined] = above;
    return joined;
  }

  const SpanningTree& tree_;
  DisjointSets sets_;
  std::vector<LinkId> above_;  // by set
};

// Items by group, in their order, as one array; `view(group, span)` gets the part of each group
// that has any.
template <class T, class GroupOf, class View>
void Gather(const std::vector<T>& items, std::size_t groups, GroupOf&& group_of,
            std::vector<T>& gathered, View&& view) {
  std::vector<std::uint32_t> end(
      groups + 1, 0);  // first where the group before ends, at last where it ends itself
  for (const T& item : items) ++end[group_of(item) + 1];
  for (std::size_t g = 1; g <= groups; ++g) end[g] += end[g - 1];
  gathered.resize(items.size());
  for (const T& item : items) gathered[end[group_of(item)]++] = item;
  for (std::size_t g = 0, begin = 0; g < groups; begin = end[g++])
    if (end[g] > begin) view(g, std::span<const T>(gathered.data() + begin, end[g] - begin));
}

}  // namespace

Clusters ClusterLinks(const Model& model, const SpanningTree& tree) {
  Paths paths(tree);
  for (const JointId id : tree.loop_joints) {
    if (std::holds_alternative<Free>(model.joint(id).kind)) continue;  // constrains nothing
    const std::array<LinkId, 2> ends{model.predecessor(id), model.successor(id)};
    paths.Tie(ends, NearestCommonAncestor(tree, ends[0], ends[1]));
  }
  std::vector<LinkId> moved;
  for (const Coupling& coupling : model.couplings) {
    const std::vector<CoupledLink> links = CoupledLinks(model, tree, coupling);
    moved.clear();
    for (const CoupledLink& link : links) moved.push_back(link.moved);
    if (!links.empty()) paths.Tie(moved, CouplingAncestor(tree, links));
  }

  // Numbers are given in tree order, so that the world's aggregate is 0 and parents come before
  // their children, whichever constraint made them.
  Clusters clusters;
  clusters.of.resize(model.num_links());
  std::vector<std::uint32_t> number(model.num_links(), kUnnumbered);  // by set
  for (const LinkId link : tree.order) {
    std::uint32_t& mine = number[paths.Of(link)];
    if (mine == kUnnumbered) mine = clusters.count++;
    clusters.of[Index(link)] = mine;
  }
  return clusters;
}

LoopAggregatedConnectivityGraph BuildLoopAggregatedConnectivityGraph(const Model& model,
                                                                     const SpanningTree& tree) {
  LoopAggregatedConnectivityGraph lacg;
  Clusters clusters = ClusterLinks(model, tree);
  const std::size_t count = clusters.count;
  lacg.aggregate_of = std::move(clusters.of);
  lacg.aggregates.resize(count);
  const auto aggregate_of = [&](LinkId link) { return lacg.aggregate_of[Index(link)]; };

  // The first link in tree order is the top of its aggregate: its parent is the one that all links
  // with a parent outside share.
  Gather(tree.order, count, aggregate_of, lacg.links,
         [&](std::size_t a, std::span<const LinkId> links) {
           AggregateLink& aggregate = lacg.aggregates[a];
           aggregate.links = links;
           aggregate.parent_link = tree.parent[Index(links.front())];
           if (links.front() != kWorld) aggregate.parent = aggregate_of(aggregate.parent_link);
         });

  // A loop joint belongs where its inner end is: the other may be the link that the aggregate hangs
  // on, which lies in the aggregate above.
  const auto of_loop = [&](JointId id) { return aggregate_of(InnerEnd(model, tree, id)); };
  Gather(tree.loop_joints, count, of_loop, lacg.loop_joints,
         [&](std::size_t a, std::span<const JointId> joints) {
           lacg.aggregates[a].loop_joints = joints;
         });
  std::vector<std::size_t> couplings;
  std::vector<std::uint32_t> of_coupling(model.couplings.size());
  for (std::size_t i = 0; i < model.couplings.size(); ++i) {
    const LinkId inner = InnerLink(tree, CoupledLinks(model, tree, model.couplings[i]));
    if (inner != kNoLink) couplings.push_back(i), of_coupling[i] = aggregate_of(inner);
  }
  Gather(
      couplings, count, [&](std::size_t i) { return of_coupling[i]; }, lacg.couplings,
      [&](std::size_t a, std::span<const std::size_t> indices) {
        lacg.aggregates[a].couplings = indices;
      });
  return lacg;
}

}  // namespace kinemorph
