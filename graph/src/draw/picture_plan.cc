#include "draw/picture_plan.h"

#include <algorithm>
#include <limits>
#include <map>

#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph {
namespace {

// Three decisions before anything is drawn: which links are near enough to the focus (Near), which
// of them share a box (Place, JoinChains), and whether the picture runs downwards or sideways
// (ChooseLayout). Links are visited in the order of the tree, so that a parent's box exists before
// its children ask for it.

constexpr double kWidest = 3;  // width over height, or the other way round
constexpr int kMostRanks = 8;  // for the leaves of one link

// Links that loops and couplings touch: they stay boxes of their own.
std::vector<bool> Touched(const Model& model, const SpanningTree& tree) {
  std::vector<bool> touched(model.num_links(), false);
  const auto touch = [&](JointId id) {
    touched[Index(model.predecessor(id))] = touched[Index(model.successor(id))] = true;
  };
  for (const JointId id : tree.loop_joints) touch(id);
  for (const Coupling& coupling : model.couplings) {
    for (const LinkId link : {coupling.predecessor, coupling.successor})
      if (link != kNoLink) touched[Index(link)] = true;
    for (const CouplingTerm& term : coupling.terms)
      if (term.coordinate.joint != kNoJoint) touch(term.coordinate.joint);
  }
  return touched;
}

// Links within `depth` joints of the focus (any joints; not through the world), or of the roots
// (joints of the tree).
std::vector<bool> Near(const Model& model, const SpanningTree& tree,
                       const PictureOptions& options) {
  std::vector<bool> near(model.num_links(), !options.depth);
  if (!options.depth) return near;
  if (options.focus == kNoLink) {
    // Roots have depth 1 in the tree, below the world.
    for (const LinkId id : tree.order)
      near[Index(id)] = static_cast<int>(tree.depth[Index(id)]) - 1 <= *options.depth;
    return near;
  }
  // Breadth first over all joints, loop joints too. The world is a neighbour of everything that
  // stands on it: through it, all would be near.
  std::vector<LinkId> ring = {options.focus};
  near[Index(options.focus)] = true;
  for (int d = 0; d < *options.depth; ++d) {
    std::vector<LinkId> next;
    const auto reach = [&](std::size_t link) {
      if (near[link]) return;
      near[link] = true;
      if (link != Index(kWorld)) next.push_back(LinkId{static_cast<std::uint32_t>(link)});
    };
    for (const LinkId id : ring) {
      const auto [out, out_end] = boost::out_edges(Index(id), model.graph());
      for (auto e = out; e != out_end; ++e) reach(boost::target(*e, model.graph()));
      const auto [in, in_end] = boost::in_edges(Index(id), model.graph());
      for (auto e = in; e != in_end; ++e) reach(boost::source(*e, model.graph()));
    }
    ring = std::move(next);
  }
  return near;
}

// Branches of two links and more that are like another branch of the same link: joint by joint of
// the same kind, with as many ends of loops. By link: whether such a branch begins with it.
std::vector<bool> RepeatedBranches(const Model& model, const SpanningTree& tree) {
  std::vector<int> ends(model.num_links(), 0), shape(model.num_links(), -1);
  for (const JointId id : tree.loop_joints)
    ++ends[Index(model.predecessor(id))], ++ends[Index(model.successor(id))];
  std::vector<std::vector<LinkId>> children(model.num_links());
  for (const LinkId id : tree.order)
    if (const LinkId parent = tree.parent[Index(id)]; parent != kNoLink)
      children[Index(parent)].push_back(id);
  // A branch as a number: the kind of its joint, the loop ends at its link, and the sorted numbers
  // of its branches. Equal numbers are equal shapes, which makes the comparison of whole subtrees a
  // look-up (as isomorphism of rooted trees is decided, bottom up). Children come after parents in
  // `order`, so it is walked backwards.
  std::map<std::vector<int>, int> shapes;
  for (auto id = tree.order.rbegin(); id != tree.order.rend(); ++id) {
    const JointId joint = tree.parent_joint[Index(*id)];
    std::vector<int> own = {
        joint == kNoJoint ? -1 : static_cast<int>(model.joint(joint).kind.index()),
        ends[Index(*id)]};
    for (const LinkId child : children[Index(*id)]) own.push_back(shape[Index(child)]);
    std::sort(own.begin() + 2, own.end());
    shape[Index(*id)] =
        shapes.emplace(std::move(own), static_cast<int>(shapes.size())).first->second;
  }
  std::vector<bool> repeated(model.num_links(), false);
  for (const std::vector<LinkId>& branches : children) {
    std::map<int, int> count;
    for (const LinkId branch : branches) ++count[shape[Index(branch)]];
    for (const LinkId branch : branches)
      repeated[Index(branch)] = count[shape[Index(branch)]] > 1 && !children[Index(branch)].empty();
  }
  return repeated;
}

class Planner {
 public:
  Planner(const Model& model, const SpanningTree& tree, const LoopAggregatedConnectivityGraph* lacg,
          const PictureOptions& options)
      : model_(model), tree_(tree), lacg_(lacg), options_(options) {}

  PicturePlan Run() {
    const std::vector<bool> near = Near(model_, tree_, options_);
    plan_.box_of.assign(model_.num_links(), PicturePlan::kHidden);
    if (options_.collapse == Collapse::kRepeats) repeated_ = RepeatedBranches(model_, tree_);
    for (const LinkId id : tree_.order) {
      // The world is drawn only if joints of the file lead to it.
      if (id == kWorld ? !IsWorldJoined(model_) || !near[0] : !near[Index(id)]) continue;
      Place(id);
    }
    if (options_.collapse == Collapse::kChains) JoinChains();
    CountHidden();
    // Loops that have vanished into a box.
    for (const JointId id : tree_.loop_joints) {
      const std::uint32_t box = plan_.box_of[Index(model_.predecessor(id))];
      if (box != PicturePlan::kHidden && box == plan_.box_of[Index(model_.successor(id))])
        ++plan_.boxes[box].loops;
    }
    for (const LinkId id : Links(model_))
      plan_.shown += plan_.box_of[Index(id)] != PicturePlan::kHidden ? 1 : 0;
    plan_.all = model_.num_links() - 1;
    ChooseLayout();
    return std::move(plan_);
  }

 private:
  // In one aggregate, or in none that more than one link is in.
  // In the LACG boxes must not reach over the frame of an aggregate.
  [[nodiscard]] bool Together(LinkId a, LinkId b) const {
    if (lacg_ == nullptr) return true;
    const std::uint32_t of_a = lacg_->aggregate_of[Index(a)], of_b = lacg_->aggregate_of[Index(b)];
    const auto alone = [&](std::uint32_t each) {
      return lacg_->aggregates[each].links.size() == 1;
    };
    return of_a == of_b || (alone(of_a) && alone(of_b));
  }

  // A link is in the box of its parent, or has one of its own.
  void Place(LinkId id) {
    const LinkId parent = tree_.parent[Index(id)];
    const JointId joint = tree_.parent_joint[Index(id)];
    const std::uint32_t above =
        parent == kNoLink ? PicturePlan::kHidden : plan_.box_of[Index(parent)];
    if (Joins(above, parent, joint, id)) {
      PicturePlan::Box& box = plan_.boxes[above];
      plan_.box_of[Index(id)] = above;
      // The letters of the joints of a chain tell what kind of mechanism it is: "RRPR".
      box.links.push_back(id);
      const JointKind& kind = model_.joint(joint).kind;
      if (box.branch && !std::holds_alternative<Fixed>(kind)) box.chain += LetterOf(kind);
      return;
    }
    plan_.box_of[Index(id)] = static_cast<std::uint32_t>(plan_.boxes.size());
    PicturePlan::Box box;
    box.links.push_back(id);
    box.parent = joint == kNoJoint ? PicturePlan::kHidden : above;
    box.branch = !repeated_.empty() && repeated_[Index(id)];
    plan_.boxes.push_back(std::move(box));
  }

  [[nodiscard]] bool Joins(std::uint32_t above, LinkId parent, JointId joint, LinkId id) const {
    if (options_.collapse == Collapse::kNothing || above == PicturePlan::kHidden ||
        parent == kWorld || joint == kNoJoint || !Together(parent, id))
      return false;
    // Everything below the first link of a repeated branch belongs to its box; else only what is
    // fixed to its parent does, unless it begins a repeated branch itself.
    return plan_.boxes[above].branch || (std::holds_alternative<Fixed>(model_.joint(joint).kind) &&
                                         (repeated_.empty() || !repeated_[Index(id)]));
  }

  // A box that is the only one below a box that has a parent itself joins it.
  void JoinChains() {
    std::vector<PicturePlan::Box>& boxes = plan_.boxes;
    const std::vector<bool> touched = Touched(model_, tree_);
    std::vector<std::size_t> children(boxes.size(), 0);
    for (const PicturePlan::Box& box : boxes)
      if (box.parent != PicturePlan::kHidden) ++children[box.parent];
    const auto plain = [&](const PicturePlan::Box& box) {
      return std::none_of(box.links.begin(), box.links.end(),
                          [&](LinkId id) { return id == kWorld || touched[Index(id)]; });
    };
    // Boxes as they are numbered after joining; parents have been numbered before.
    std::vector<std::uint32_t> now(boxes.size());
    std::vector<PicturePlan::Box> joined;
    for (std::uint32_t b = 0; b < boxes.size(); ++b) {
      PicturePlan::Box& box = boxes[b];
      const std::uint32_t parent = box.parent;
      const bool joins = parent != PicturePlan::kHidden && children[parent] == 1 &&
                         boxes[parent].parent != PicturePlan::kHidden && plain(box) &&
                         plain(boxes[parent]) &&
                         Together(boxes[parent].links.front(), box.links.front());
      if (!joins) {
        now[b] = static_cast<std::uint32_t>(joined.size());
        if (parent != PicturePlan::kHidden) box.parent = now[parent];
        joined.push_back(box);  // the plain one stays to be asked
        continue;
      }
      now[b] = now[parent];
      PicturePlan::Box& into = joined[now[b]];
      const JointId joint = tree_.parent_joint[Index(box.links.front())];
      into.chain += LetterOf(model_.joint(joint).kind);
      into.links.insert(into.links.end(), box.links.begin(), box.links.end());
      box.parent = boxes[parent].parent;
    }
    for (std::uint32_t& box : plan_.box_of)
      if (box != PicturePlan::kHidden) box = now[box];
    boxes = std::move(joined);
  }

  // Links that are not drawn count at the nearest box above them.
  void CountHidden() {
    std::vector<std::uint32_t> above(model_.num_links(), PicturePlan::kHidden);
    for (const LinkId id : tree_.order) {
      const LinkId parent = tree_.parent[Index(id)];
      above[Index(id)] = plan_.box_of[Index(id)];
      if (above[Index(id)] != PicturePlan::kHidden || parent == kNoLink) continue;
      above[Index(id)] = above[Index(parent)];
      if (above[Index(id)] != PicturePlan::kHidden && id != kWorld)
        ++plan_.boxes[above[Index(id)]].hidden;
    }
  }

  // In points of Graphviz, fitted to what it draws.
  [[nodiscard]] double WidthOf(const PicturePlan::Box& box) const {
    const auto [first, second] = LinesOf(model_, box);
    return std::max(54.0, 16 + 6.2 * static_cast<double>(std::max(first.size(), second.size())));
  }
  [[nodiscard]] double LabelOf(const PicturePlan::Box& box) const {
    const JointId joint = tree_.parent_joint[Index(box.links.front())];
    return joint == kNoJoint ? 0 : 5 * static_cast<double>(model_.joint(joint).name.size() + 2);
  }

  // Width over height, with leaves of one box in `ranks` ranks. The fullest rank says how wide it
  // is; subtrees do not interlock perfectly.
  [[nodiscard]] double RatioWith(bool sideways, int ranks) const {
    // Sizes in points, measured on pictures that `dot` made with this style; kLoose is the room
    // that subtrees leave unused.
    constexpr double kGap = 14, kRank = 68, kBetween = 25, kHigh = 43, kLoose = 1.35;
    const std::vector<PicturePlan::Box>& boxes = plan_.boxes;
    const std::vector<int> below = RanksBelow(ranks);
    std::vector<std::size_t> rank(boxes.size(), 0);
    std::vector<double> boxes_wide, labels_wide, widest_box, widest_label;
    std::vector<int> count;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (boxes[b].parent != PicturePlan::kHidden)
        rank[b] = rank[boxes[b].parent] + static_cast<std::size_t>(below[b]);
      const std::size_t r = rank[b];
      if (r >= count.size()) {
        count.resize(r + 1, 0);
        for (auto* each : {&boxes_wide, &labels_wide, &widest_box, &widest_label})
          each->resize(r + 1, 0);
      }
      const double box = WidthOf(boxes[b]), label = LabelOf(boxes[b]);
      boxes_wide[r] += box + kGap, labels_wide[r] += label + 2 * kGap, ++count[r];
      widest_box[r] = std::max(widest_box[r], box);
      widest_label[r] = std::max(widest_label[r], label);
    }
    // A line that passes a rank takes room there, sideways as much as a box.
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (boxes[b].parent == PicturePlan::kHidden) continue;
      for (std::size_t r = rank[boxes[b].parent] + 1; r < rank[b]; ++r) {
        if (sideways) ++count[r];
        boxes_wide[r] += kGap;
      }
    }
    double fullest = 0, along = 0;
    int most = 0;
    for (std::size_t r = 0; r < count.size(); ++r) {
      fullest = std::max({fullest, boxes_wide[r], labels_wide[r]});
      along += widest_box[r] + widest_label[r] + kBetween;
      most = std::max(most, count[r]);
    }
    // Sideways, ranks are columns: their widths add up to the length, and the fullest column's
    // boxes to the height.
    if (sideways) return along / (kLoose * kHigh * most);
    return kLoose * fullest / (kRank * static_cast<double>(count.size()));
  }

  // By box: how many ranks it stands below its parent, leaves of one parent in turn.
  [[nodiscard]] std::vector<int> RanksBelow(int ranks) const {
    std::vector<int> below(plan_.boxes.size(), 1), number(plan_.boxes.size(), 0);
    std::vector<bool> leaf(plan_.boxes.size(), true);
    for (const PicturePlan::Box& box : plan_.boxes)
      if (box.parent != PicturePlan::kHidden) leaf[box.parent] = false;
    for (std::size_t b = 0; b < plan_.boxes.size(); ++b)
      if (plan_.boxes[b].parent != PicturePlan::kHidden && leaf[b])
        below[b] += number[plan_.boxes[b].parent]++ % ranks;
    return below;
  }

  void ChooseLayout() {
    if (plan_.boxes.empty()) return;
    int best_ranks = 1;
    double best = std::numeric_limits<double>::infinity();
    // Leaves of one parent in a row make a picture wide (a hand with its sensors, a world full of
    // objects). More ranks for them are tried only while the shape is worse than 3 : 1.
    for (int ranks = 1; ranks <= kMostRanks && best > kWidest; ++ranks) {
      for (const bool sideways : {false, true}) {
        const double ratio = RatioWith(sideways, ranks);
        // Rather wide than high, and downwards where that will do.
        const double shape = ratio > 1 ? ratio : 1.2 / ratio;
        if (shape >= best || best <= kWidest) continue;
        best = shape, best_ranks = ranks, plan_.sideways = sideways;
      }
    }
    const std::vector<int> below = RanksBelow(best_ranks);
    for (std::size_t b = 0; b < plan_.boxes.size(); ++b) plan_.boxes[b].rank = below[b];
  }

  const Model& model_;
  const SpanningTree& tree_;
  const LoopAggregatedConnectivityGraph* lacg_;
  const PictureOptions& options_;
  std::vector<bool> repeated_;  // by link; empty: nobody asks
  PicturePlan plan_;
};

}  // namespace

// Letters as in the literature of mechanisms: H for helical, S for spherical, E for planar (from
// the German word for plane), and 6 for six freedoms.
std::string_view LetterOf(const JointKind& kind) {
  return std::visit(
      Overloaded{[](const Fixed&) { return "F"; }, [](const Revolute&) { return "R"; },
                 [](const Prismatic&) { return "P"; }, [](const Screw&) { return "H"; },
                 [](const Universal&) { return "U"; }, [](const Ball&) { return "S"; },
                 [](const Planar&) { return "E"; }, [](const Cylindrical&) { return "C"; },
                 [](const Free&) { return "6"; }},
      kind);
}

std::string_view WordOf(const JointKind& kind) {
  return std::holds_alternative<Ball>(kind) ? "spherical" : KindName(kind);
}

bool IsWorldJoined(const Model& model) {
  const auto [begin, end] = boost::out_edges(Index(kWorld), model.graph());
  return begin != end || boost::in_degree(Index(kWorld), model.graph()) > 0;
}

std::pair<std::string, std::string> LinesOf(const Model& model, const PicturePlan::Box& box) {
  const std::string& first = model.link(box.links.front()).name;
  if (box.links.size() == 1) return {first, ""};
  const std::string count = std::to_string(box.links.size());
  constexpr std::size_t kMostLetters = 12;
  if (box.branch) {
    const bool all = box.chain.size() <= kMostLetters;
    std::string inside = count + " links";
    if (!box.chain.empty()) inside += ", " + box.chain.substr(0, kMostLetters) + (all ? "" : "…");
    if (box.loops > 0)
      inside += ", " + std::to_string(box.loops) + (box.loops == 1 ? " loop" : " loops");
    return {first, inside};
  }
  if (box.chain.empty()) return {first, "+ " + std::to_string(box.links.size() - 1) + " fixed"};
  return {first + " … " + model.link(box.links.back()).name, count + " links, " + box.chain};
}

PicturePlan PlanPicture(const Model& model, const SpanningTree& tree,
                        const LoopAggregatedConnectivityGraph* lacg,
                        const PictureOptions& options) {
  return Planner(model, tree, lacg, options).Run();
}

}  // namespace kinemorph
