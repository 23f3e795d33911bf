// The policy of tree_choice.h at work: marks of what a joint carries (constructor), requested cuts,
// components and their roots, blocks (loops that share joints), ranks of the joints by their block,
// and Kruskal's algorithm over the ranks. Authored tree joints are joined first and unranked; a
// model in which nothing can close a cycle returns before all that.
#include "connectivity/tree_choice.h"

#include <algorithm>
#include <array>
#include <deque>
#include <tuple>
#include <unordered_map>

#include "connectivity/incidence.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

// Loop joints that nearly every format can hold.
bool IsCommonLoopKind(const JointKind& kind) {
  return std::holds_alternative<Revolute>(kind) || std::holds_alternative<Ball>(kind) ||
         std::holds_alternative<Fixed>(kind);
}

}  // namespace

TreeChoice::TreeChoice(const Model& model, const SpanningTreeOptions& options,
                       Diagnostics& diagnostics)
    : model_(model),
      actuations_(model),
      coupled_(model.num_joints()),
      sensed_(model.num_joints()),
      stranded_(model.num_joints()) {
  const auto mark = [](std::vector<bool>& marks, JointId id) {
    if (Index(id) < marks.size()) marks[Index(id)] = true;
  };
  for (const Coupling& coupling : model.couplings)
    for (const CouplingTerm& term : coupling.terms) mark(coupled_, term.coordinate.joint);
  for (const Sensor& sensor : model.sensors) mark(sensed_, sensor.joint);
  ReadCuts(options, diagnostics);
  FindComponents(diagnostics);
}

void TreeChoice::ReadCuts(const SpanningTreeOptions& options, Diagnostics& diagnostics) {
  if (options.cut.empty()) return;
  requested_.assign(model_.num_joints(), false);
  // Of joints with one name the first is meant. When an authored tree joint is to be cut, an
  // authored loop joint must be allowed to take its place: nothing else would keep its link
  // connected.
  std::unordered_map<std::string_view, JointId> by_name;
  for (const JointId id : Joints(model_)) by_name.emplace(model_.joint(id).name, id);
  for (const std::string& name : options.cut) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      std::vector<std::string> names;
      for (const JointId id : Joints(model_)) names.push_back(model_.joint(id).name);
      Diagnostic& error = diagnostics.Add(
          MakeDiagnostic(Severity::kError, "cut-unknown", model_.FileName({0, 1}), 0, "",
                         {"joint", name, "--cut names a joint that the model does not have"}));
      error.suggestion = NearestName(name, names);
      continue;
    }
    requested_[Index(found->second)] = true;
    if (model_.joint(found->second).role == JointRole::kTree) loops_may_join_ = true;
  }
}

// Connected components without the authored loop joints, their roots, and loop joints that would
// connect two of them.
void TreeChoice::FindComponents(Diagnostics& diagnostics) {
  DisjointSets components(model_.num_links());
  std::vector<bool> has_predecessor(model_.num_links(), false);
  for (const JointId id : Joints(model_)) {
    if (model_.joint(id).role == JointRole::kLoop || model_.predecessor(id) == model_.successor(id))
      continue;
    has_predecessor[Index(model_.successor(id))] = true;
    if (!components.Unite(Index(model_.predecessor(id)), Index(model_.successor(id))))
      has_spare_ = true;
  }

  // Every component that the world does not reach gets a root: its first link that no joint has for
  // a successor, or where joints run in a circle its first link of all.
  std::vector<LinkId> root(model_.num_links(), kNoLink);  // by representative
  root[components.Find(Index(kWorld))] = kWorld;
  for (const bool take_any : {false, true}) {
    for (const LinkId link : Links(model_)) {
      LinkId& chosen = root[components.Find(Index(link))];
      if (chosen == kNoLink && (take_any || !has_predecessor[Index(link)])) {
        chosen = link;
        roots_.push_back(link);
      }
    }
  }
  std::sort(roots_.begin(), roots_.end());
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    const LinkId p = model_.predecessor(id), s = model_.successor(id);
    if (joint.role != JointRole::kLoop || components.Find(Index(p)) == components.Find(Index(s)))
      continue;
    stranded_[Index(id)] = true;
    diagnostics.Add(MakeDiagnostic(Severity::kError, "loop-unconnected",
                                   model_.FileName(joint.where), joint.where.line,
                                   "joint[" + joint.name + "]",
                                   {"loop joint", joint.name,
                                    "'" + model_.link(p).name + "' and '" + model_.link(s).name +
                                        "' are not connected by tree joints; write a tree joint "
                                        "between the two trees instead"}));
  }
}

bool TreeChoice::MayJoin(JointId id) const {
  if (model_.predecessor(id) == model_.successor(id) || stranded_[Index(id)]) return false;
  if (model_.joint(id).role != JointRole::kLoop) return true;
  return loops_may_join_;
}

bool TreeChoice::HasEffort(JointId id) const {
  for (int i = 0; i < NumVelocities(model_.joint(id).kind); ++i)
    if (actuations_.Of(id, i) == Actuation::kLimited) return true;
  return false;
}

Keep TreeChoice::KeepByData(JointId id) const {
  const Joint& joint = model_.joint(id);
  if (joint.cut_hint) return Keep::kHinted;
  if (std::holds_alternative<Free>(joint.kind)) return Keep::kFree;
  if (actuations_.IsDriven(id) || coupled_[Index(id)] || joint.independent == true)
    return Keep::kDriven;
  if (HasEffort(id)) return Keep::kLimited;
  if (sensed_[Index(id)] || !IsPassive(joint)) return Keep::kEquipped;
  return Keep::kPassive;
}

Keep TreeChoice::KeepOf(JointId id) const {
  if (IsRequested(id)) return Keep::kRequested;
  if (model_.joint(id).role == JointRole::kTree) return Keep::kAuthored;
  if (model_.joint(id).role == JointRole::kLoop) return Keep::kAuthoredLoop;
  return KeepByData(id);
}

// Breadth-first distances from the roots, through joints that ask to be cut only where nothing else
// leads on; then the blocks: every joint outside the breadth-first tree merges the joints of its
// cycle, climbing from both ends.
void TreeChoice::FindBlocks() {
  if (has_blocks_) return;
  has_blocks_ = true;
  const auto reluctant = [&](JointId id) {
    const Keep keep = KeepOf(id);
    return keep == Keep::kHinted || keep == Keep::kRequested;
  };
  const std::size_t n = model_.num_links();
  const Incidence incidence(model_, [&](JointId id) { return MayJoin(id); });
  distance_.assign(n, kUnreached);
  std::vector<LinkId> parent(n, kWorld);
  std::vector<JointId> parent_joint(n, kNoJoint);
  std::vector<LinkId> queue{kWorld};
  distance_[Index(kWorld)] = 0;
  for (const LinkId root : roots_) {
    distance_[Index(root)] = 1;
    queue.push_back(root);
  }
  const auto visit = [&](LinkId from, JointId joint) {
    const LinkId to = OtherEnd(model_, joint, from);
    if (distance_[Index(to)] != kUnreached) return;
    distance_[Index(to)] = distance_[Index(from)] + 1;
    parent[Index(to)] = from;
    parent_joint[Index(to)] = joint;
    queue.push_back(to);
  };

  // Joints that ask to be cut wait until the queue is empty: they are taken only where nothing else
  // reaches the link, so that they shorten no branch.
  std::deque<std::pair<LinkId, JointId>> deferred;
  for (std::size_t head = 0; head < queue.size() || !deferred.empty();) {
    if (head < queue.size()) {
      const LinkId link = queue[head++];
      for (const JointId joint : incidence.At(link)) {
        if (reluctant(joint))
          deferred.emplace_back(link, joint);
        else
          visit(link, joint);
      }
    } else {
      const auto [link, joint] = deferred.front();
      deferred.pop_front();
      visit(link, joint);
    }
  }

  // A block is held by links, each of which stands for the breadth-first joint above it. Its entry
  // is the link above the topmost of them: there the root comes in.
  blocks_ = DisjointSets(n);
  freedom_.assign(n, Freedom::kAuthored);
  entry_ = parent;
  const auto merge = [&](std::uint32_t a, std::uint32_t b) {
    const LinkId entry =
        distance_[Index(entry_[a])] <= distance_[Index(entry_[b])] ? entry_[a] : entry_[b];
    blocks_.Unite(a, b);
    const std::uint32_t both = blocks_.Find(a);
    entry_[both] = entry;
    return both;
  };
  for (const JointId id : Joints(model_)) {
    if (!MayJoin(id) || reluctant(id)) continue;
    LinkId a = model_.predecessor(id), b = model_.successor(id);
    if (parent_joint[Index(a)] == id || parent_joint[Index(b)] == id) continue;
    // Both ends climb to where they meet, the farther one first. What is a block already is leapt
    // to its entry, so that all climbs together stay near linear.
    std::uint32_t block = BlockOf(id);
    while (a != b) {
      if (distance_[Index(a)] < distance_[Index(b)]) std::swap(a, b);
      const std::uint32_t above = blocks_.Find(Index(a));
      a = entry_[above];
      if (above != block) block = merge(block, above);
    }
  }
}

std::uint32_t TreeChoice::BlockOf(JointId id) {
  const std::size_t p = Index(model_.predecessor(id)), s = Index(model_.successor(id));
  return blocks_.Find(distance_[p] > distance_[s] ? p : s);
}

// Smaller stays.
struct TreeChoice::Candidate {
  std::array<std::uint32_t, 6> key;
  JointId joint;
  bool operator<(const Candidate& o) const {
    return std::tie(key, joint) < std::tie(o.key, o.joint);
  }
};

TreeChoice::Candidate TreeChoice::Rank(JointId id) {
  const LinkId p = model_.predecessor(id), s = model_.successor(id);
  const std::uint32_t block = BlockOf(id);
  const bool requested = IsRequested(id);
  const Keep keep =
      freedom_[block] == Freedom::kAuthored || requested ? KeepOf(id) : KeepByData(id);
  const auto weight = static_cast<std::uint32_t>(keep);
  // A joint at the entry stays before others: cut, it would join a link to its own ancestor. Kinds
  // that nearly every format has as loop joints are cut rather than universal, planar, cylindrical
  // or screw joints, for which a target may need helper links. Distances come last: of equal joints
  // the one near the root stays, which keeps branches short.
  const std::uint32_t inside = p == entry_[block] || s == entry_[block] ? 0 : 1;
  const std::uint32_t common = IsCommonLoopKind(model_.joint(id).kind) ? 1 : 0;
  const auto [nearer, farther] = std::minmax(distance_[Index(p)], distance_[Index(s)]);
  // What outweighs what. A requested cut goes before all others. Breadth-first, distance comes
  // before every other wish, since that alone keeps the ends of all cuts in different branches.
  switch (freedom_[block]) {
    case Freedom::kAuthored:
      return {{requested, weight, inside, common, nearer, farther}, id};
    case Freedom::kRelaxed:
      return {{requested, inside, weight, common, nearer, farther}, id};
    case Freedom::kBreadthFirst:
      return {{requested, nearer, farther, weight, common, 0}, id};
  }
  return {{0, 0, 0, 0, 0, 0}, id};
}

void TreeChoice::Choose() {
  in_tree_.assign(model_.num_joints(), false);
  cycle_closers_.clear();
  if (!has_spare_ &&
      !loops_may_join_) {  // nothing to choose: every joint but the loop joints is needed
    for (const JointId id : Joints(model_)) in_tree_[Index(id)] = MayJoin(id);
    return;
  }
  FindBlocks();
  DisjointSets joined(model_.num_links());
  for (const LinkId root : roots_) joined.Unite(Index(kWorld), Index(root));
  const auto join = [&](JointId id) {
    return joined.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)));
  };
  // An authored tree joint that closes a cycle of such joints is the author's error and reported as
  // one; which of them is left out here only depends on document order.
  std::vector<Candidate> candidates;
  for (const JointId id : Joints(model_)) {
    if (!MayJoin(id)) continue;
    const bool settled =
        freedom_[BlockOf(id)] == Freedom::kAuthored && KeepOf(id) == Keep::kAuthored;
    if (!settled) {
      candidates.push_back(Rank(id));
    } else if (join(id)) {
      in_tree_[Index(id)] = true;
    } else {
      cycle_closers_.push_back(id);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  for (const Candidate& candidate : candidates)
    in_tree_[Index(candidate.joint)] = join(candidate.joint);
}

bool TreeChoice::Relax(const std::vector<JointId>& loop_joints, bool strictly) {
  if (!loops_may_join_) {  // the authored loop joints are part of the blocks now
    loops_may_join_ = true;
    has_blocks_ = false;
  }
  FindBlocks();
  const Freedom wanted = strictly ? Freedom::kBreadthFirst : Freedom::kRelaxed;
  bool changed = false;
  for (const JointId id : loop_joints) {
    if (!MayJoin(id)) continue;
    Freedom& freedom = freedom_[BlockOf(id)];
    changed |= freedom < wanted;
    freedom = std::max(freedom, wanted);
  }
  return changed;
}

}  // namespace kinemorph
