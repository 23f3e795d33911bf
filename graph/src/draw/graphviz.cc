#include "kinemorph/graph/draw/graphviz.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/quoted.h"
#include "draw/picture_plan.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

// Links are dark on light, loops red and couplings blue in all pictures. DarkModeStyle finds
// elements by these very colours, so they are named once.
constexpr const char* kInk = "#44546a";
constexpr const char* kBoxColor = "#f2f5f9";
constexpr const char* kLoopColor = "#c8102e";
constexpr const char* kLoopFill = "#fdf3f4";
constexpr const char* kCouplingColor = "#0057b7";

std::string Counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// Text inside an HTML-like label.
// Names come from files: an HTML-like label knows the four entities, and control characters would
// end it.
std::string Html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return out;
}

std::string TableRow(int size, const std::string& html) {
  return "<tr><td><font point-size=\"" + std::to_string(size) + "\">" + html + "</font></td></tr>";
}

std::string Colored(const char* color, const std::string& text) {
  return std::string("<font color=\"") + color + "\">" + text + "</font>";
}

// One picture under construction. Which links share a box and where boxes stand is decided before
// (PicturePlan); here boxes and edges are written into body_, and what occurs is remembered, so
// that the legend speaks of nothing else. A box is known by its first link, as node "n7": names of
// links may be anything and may repeat.
class Picture {
 public:
  Picture(const char* what, const Model& model, const SpanningTree& tree, PicturePlan plan,
          const PictureOptions& options)
      : what_(what), model_(model), tree_(tree), plan_(std::move(plan)), options_(options) {}

  void AddBox(std::size_t b, const std::string& indent) {
    const PicturePlan::Box& box = plan_.boxes[b];
    const LinkId id = box.links.front();
    std::string look;
    if (id == kWorld)
      look = ", shape=plaintext, style=\"\", fontsize=11";
    else if (model_.link(id).synthetic && box.links.size() == 1)
      look = ", style=\"rounded,dashed\", fontsize=9", made_ = true;
    const auto [first, second] = LinesOf(model_, box);
    std::string label = Quoted(first);
    // The second line stands inside the first's quotes: \n is an escape of Graphviz, which Quoted
    // would escape once more.
    if (!second.empty()) {
      label.back() = '\\';
      label += "n" + second + "\"";
      look += ", peripheries=2";
    }
    body_ += indent + Node(id) + " [label=" + label + ", tooltip=" + Tooltip(box) + look + "];\n";
  }

  // What is below a box and not drawn.
  void AddHidden() {
    for (const PicturePlan::Box& box : plan_.boxes) {
      if (box.hidden == 0) continue;
      const std::string stub = Node(box.links.front()) + "_more";
      body_ += "  " + stub + " [label=\"+ " + std::to_string(box.hidden) + "\", tooltip=\"" +
               Counted(box.hidden, "link") + " not drawn\", shape=plaintext, style=\"\"];\n  " +
               Node(box.links.front()) + " -> " + stub + " [style=dotted, dir=none];\n";
    }
  }

  // A tree joint always runs downwards in the picture; one that points against the tree gets its
  // arrow head at the parent.
  // The root of a picture with a focus has a parent that is not drawn.
  void AddTreeJoint(std::size_t b) {
    const PicturePlan::Box& box = plan_.boxes[b];
    if (box.parent == PicturePlan::kHidden) return;
    const LinkId child = box.links.front();
    body_ += "  " + Node(plan_.boxes[box.parent].links.front()) + " -> " + Node(child) + " [" +
             Label(tree_.parent_joint[Index(child)]) +
             (tree_.reversed[Index(child)] ? ", dir=back" : "") + Rank(box) + "];\n";
  }

  void AddLoopJoint(JointId id) {
    const std::uint32_t p = plan_.box_of[Index(model_.predecessor(id))],
                        s = plan_.box_of[Index(model_.successor(id))];

    // A loop within a repeated branch is counted in its box; a self-loop at it would only show that
    // it is there. Other boxes keep theirs. `constraint=false`: a loop joint must not push the
    // ranks about that the tree gives.
    if (p == PicturePlan::kHidden || s == PicturePlan::kHidden) return;
    if (p == s && plan_.boxes[p].branch) return;  // its box says how many
    loops_ = true;
    body_ += "  " + NodeOf(p) + " -> " + NodeOf(s) + " [" + Label(id) +
             ", style=dashed, constraint=false, color=\"" + kLoopColor + "\", fontcolor=\"" +
             kLoopColor + "\"];\n";
  }

  // Dotted lines between the links that a coupling ties together, without a direction.
  void AddCouplings() {
    for (const Coupling& coupling : model_.couplings) {
      std::vector<std::uint32_t> tied;
      // In the order of the terms, and without the same box twice in a row.
      const auto tie = [&](LinkId link) {
        const std::uint32_t box = plan_.box_of[Index(link)];
        if (box != PicturePlan::kHidden && (tied.empty() || tied.back() != box))
          tied.push_back(box);
      };
      for (const LinkId link : {coupling.predecessor, coupling.successor})
        if (coupling.form == CouplingForm::kRatio && link != kNoLink) tie(link);
      // A term is a coordinate of a joint. It is drawn at the link that the joint moves in the
      // tree, which for one against the tree is its predecessor.
      for (const CouplingTerm& term : coupling.terms) {
        if (coupling.form == CouplingForm::kRatio || term.coordinate.joint == kNoJoint) continue;
        const LinkId p = model_.predecessor(term.coordinate.joint),
                     s = model_.successor(term.coordinate.joint);
        tie(tree_.parent_joint[Index(p)] == term.coordinate.joint ? p : s);
      }
      for (std::size_t i = 1; i < tied.size(); ++i) {
        couplings_ = true;
        body_ += "  " + NodeOf(tied[i - 1]) + " -> " + NodeOf(tied[i]) +
                 " [label=" + Quoted(coupling.name) +
                 ", tooltip=" + Quoted("coupling '" + coupling.name + "'") +
                 ", style=dotted, dir=none, constraint=false, color=\"" + kCouplingColor +
                 "\", fontcolor=\"" + kCouplingColor + "\"];\n";
      }
    }
  }

  // An edge of the dependency digraph, once.
  void AddDependency(LinkId from, LinkId to, bool of_loop) {
    const std::uint32_t a = plan_.box_of[Index(from)], b = plan_.box_of[Index(to)];
    if (a == PicturePlan::kHidden || b == PicturePlan::kHidden || a == b) return;
    // Links that share a box have their edges in common.
    if (!drawn_.insert({of_loop, a, b}).second) return;
    body_ += "  " + NodeOf(a) + " -> " + NodeOf(b);
    if (of_loop)
      body_ += std::string(" [style=dashed, constraint=false, color=\"") + kLoopColor + "\"]";
    else if (plan_.boxes[b].rank > 1)
      body_ += " [" + Rank(plan_.boxes[b]).substr(2) + "]";
    body_ += ";\n";
    loops_ = loops_ || of_loop;
    dependencies_ = true;
  }

  // Numbers of aggregates begin behind that of the world.
  void AddAggregate(std::size_t a, const std::vector<std::size_t>& boxes) {
    const std::string mobility =
        a < options_.mobility.size() ? "mobility " + std::to_string(options_.mobility[a]) : "";
    body_ += "  subgraph cluster_" + std::to_string(a) + " {\n    label=" + Quoted(mobility) +
             ";\n    tooltip=" +
             Quoted("aggregate link " + std::to_string(a - 1) +
                    (mobility.empty() ? "" : ", " + mobility)) +
             ";\n    style=\"rounded,filled\";\n    color=\"" + kLoopColor +
             "\";\n    fillcolor=\"" + kLoopFill + "\";\n    fontcolor=\"" + kLoopColor +
             "\";\n    fontsize=10;\n    labeljust=l;\n";
    for (const std::size_t b : boxes) AddBox(b, "    ");
    body_ += "  }\n";
    aggregates_ = true;
  }

  [[nodiscard]] std::string Text() const { return Head() + body_ + "}\n"; }
  [[nodiscard]] const PicturePlan& plan() const { return plan_; }

 private:
  [[nodiscard]] static std::string Node(LinkId id) { return "n" + std::to_string(Index(id)); }
  [[nodiscard]] std::string NodeOf(std::uint32_t box) const {
    return Node(plan_.boxes[box].links.front());
  }
  [[nodiscard]] static std::string Rank(const PicturePlan::Box& box) {
    return box.rank == 1 ? "" : ", minlen=" + std::to_string(box.rank);
  }

  [[nodiscard]] std::string Tooltip(const PicturePlan::Box& box) const {
    // Graphviz and browsers cut long tooltips or let them run off the screen.
    std::string text;
    constexpr std::size_t kMost = 30;
    for (std::size_t i = 0; i < std::min(box.links.size(), kMost); ++i) {
      const Link& link = model_.link(box.links[i]);
      text += (i > 0 ? "\n" : "") + link.name;
      if (link.inertial) text += ": " + FormatNumber(link.inertial->mass) + " kg";
    }
    if (box.links.size() > kMost) text += "\n...";
    return Quoted(text);
  }

  // "R knee", and all of it for the pointer.
  std::string Label(JointId id) {
    const Joint& joint = model_.joint(id);
    letters_[joint.kind.index()] = true;
    const std::string letter(LetterOf(joint.kind));
    std::string more = std::string(WordOf(joint.kind)) + " joint";
    if (!joint.implicit) more += " '" + joint.name + "'";
    more += " from '" + model_.link(model_.predecessor(id)).name + "' to '" +
            model_.link(model_.successor(id)).name + "'";
    for (const JointAxis& axis : joint.axes) {
      if (axis.lower || axis.upper)
        more += ", " + (axis.lower ? FormatNumber(*axis.lower) : "-inf") + " to " +
                (axis.upper ? FormatNumber(*axis.upper) : "inf");
    }
    if (joint.independent) more += *joint.independent ? ", independent" : ", dependent";
    const std::string tip = Quoted(more);
    return "label=" + Quoted(joint.implicit ? letter : letter + " " + joint.name) +
           ", tooltip=" + tip + ", labeltooltip=" + tip;
  }

  // Joints that the file does not write (implicit) are no joints to a reader of the caption.
  [[nodiscard]] std::string Caption() const {
    std::size_t tree_joints = 0;
    for (const LinkId id : tree_.order) {
      const JointId joint = tree_.parent_joint[Index(id)];
      tree_joints += joint != kNoJoint && !model_.joint(joint).implicit ? 1 : 0;
    }
    std::string text = Counted(plan_.all, "link") + ", " + Counted(tree_joints, "joint");
    if (!tree_.loop_joints.empty()) text += ", " + Counted(tree_.loop_joints.size(), "loop");
    if (!model_.couplings.empty()) text += ", " + Counted(model_.couplings.size(), "coupling");
    if (!options_.mobility.empty()) {
      int mobility = 0;
      for (const int each : options_.mobility) mobility += each;
      text += ", mobility " + std::to_string(mobility);
    }
    if (plan_.shown < plan_.all) text += "; drawn: " + Counted(plan_.shown, "link");
    return text;
  }

  // Only what is in the picture.
  [[nodiscard]] std::vector<std::string> Legend() const {
    std::vector<std::string> rows(1);
    static const std::array<JointKind, 9> kKinds = {Fixed{},  Revolute{},    Prismatic{},
                                                    Screw{},  Universal{},   Ball{},
                                                    Planar{}, Cylindrical{}, Free{}};
    for (const JointKind& kind : kKinds) {
      if (!letters_[kind.index()]) continue;
      rows[0] += (rows[0].empty() ? "" : " &#160; ") + std::string(LetterOf(kind)) + " " +
                 std::string(WordOf(kind));
    }
    const auto add = [&](const std::string& html) { rows.push_back(html); };
    if (loops_)
      add(Colored(kLoopColor,
                  dependencies_ ? "- - dependency of a loop or coupling" : "- - loop joint"));
    if (couplings_) add(Colored(kCouplingColor, "&#183; &#183; &#183; coupling"));
    if (aggregates_) add(Colored(kLoopColor, "red frame: aggregate link"));
    if (made_) add("dashed box: between the axes of one joint");
    if (rows[0].empty()) rows.erase(rows.begin());
    return rows;
  }

  // The look that the three graphs share.
  [[nodiscard]] std::string Head() const {
    std::string table =
        TableRow(14, "<b>" + Html(model_.name) + "</b>") + TableRow(10, Html(Caption()));
    for (const std::string& row : Legend()) table += TableRow(9, row);
    return std::string("digraph ") + what_ +
           " {\n  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" "
           "cellpadding=\"1\">" +
           table + "</table>>;\n  labelloc=t;\n  tooltip=" + Quoted(model_.name) +
           ";\n  fontname=\"Helvetica\";\n  fontcolor=\"" + kInk +
           "\";\n  rankdir=" + (plan_.sideways ? "LR" : "TB") +
           ";\n  nodesep=0.2;\n  ranksep=0.3;\n  node [shape=box, style=\"rounded,filled\", "
           "fillcolor=\"" +
           kBoxColor + "\", color=\"" + kInk +
           "\", fontname=\"Helvetica\", fontsize=12, height=0.4];\n  edge [color=\"" + kInk +
           "\", fontname=\"Helvetica\", fontsize=10, fontcolor=\"" + kInk + "\", arrowsize=0.7];\n";
  }

  const char* what_;
  const Model& model_;
  const SpanningTree& tree_;
  const PicturePlan plan_;
  const PictureOptions& options_;
  std::string body_;
  std::set<std::array<std::uint32_t, 3>> drawn_;
  std::array<bool, std::variant_size_v<JointKind>> letters_{};
  bool loops_ = false, couplings_ = false, aggregates_ = false, made_ = false,
       dependencies_ = false;
};

void AddJoints(Picture& picture, const SpanningTree& tree) {
  for (std::size_t b = 0; b < picture.plan().boxes.size(); ++b) picture.AddTreeJoint(b);
  for (const JointId id : tree.loop_joints) picture.AddLoopJoint(id);
  picture.AddCouplings();
  picture.AddHidden();
}

}  // namespace

std::string ConnectivityGraphDot(const Model& model, const SpanningTree& tree,
                                 const PictureOptions& options) {
  Picture picture("connectivity", model, tree, PlanPicture(model, tree, nullptr, options), options);
  for (std::size_t b = 0; b < picture.plan().boxes.size(); ++b) picture.AddBox(b, "  ");
  AddJoints(picture, tree);
  return picture.Text();
}

std::string ConstraintDependencyDigraphDot(const Model& model, const SpanningTree& tree,
                                           const ConstraintDependencyDigraph& cdd,
                                           const PictureOptions& options) {
  Picture picture("constraint_dependency", model, tree, PlanPicture(model, tree, nullptr, options),
                  options);
  for (std::size_t b = 0; b < picture.plan().boxes.size(); ++b) picture.AddBox(b, "  ");
  for (const auto& [from, to] : cdd.tree_edges) picture.AddDependency(from, to, false);
  for (const auto& [from, to] : cdd.loop_edges) picture.AddDependency(from, to, true);
  picture.AddHidden();
  return picture.Text();
}

std::string LoopAggregatedConnectivityGraphDot(const Model& model, const SpanningTree& tree,
                                               const LoopAggregatedConnectivityGraph& lacg,
                                               const PictureOptions& options) {
  Picture picture("loop_aggregated", model, tree, PlanPicture(model, tree, &lacg, options),
                  options);
  // Aggregates of one link without loops are no news, and get no frame.
  std::vector<std::vector<std::size_t>> boxes_of(lacg.aggregates.size());
  for (std::size_t b = 0; b < picture.plan().boxes.size(); ++b)
    boxes_of[lacg.aggregate_of[Index(picture.plan().boxes[b].links.front())]].push_back(b);
  for (std::size_t a = 0; a < boxes_of.size(); ++a) {
    const AggregateLink& aggregate = lacg.aggregates[a];
    const bool closed = a > 0 && (!aggregate.loop_joints.empty() || !aggregate.couplings.empty());
    if (closed && !boxes_of[a].empty())
      picture.AddAggregate(a, boxes_of[a]);
    else
      for (const std::size_t b : boxes_of[a]) picture.AddBox(b, "  ");
  }
  AddJoints(picture, tree);
  return picture.Text();
}

std::string DarkModeStyle() {
  const auto rule = [](const std::string& selector, const std::string& style) {
    return "    " + selector + " { " + style + " }\n";
  };
  const auto of = [](const char* property, const std::string& color) {
    return "[" + std::string(property) + "=\"" + color + "\"]";
  };
  std::string css = "\n<style>\n";
  // Names stay legible where lines cross them.
  // Graphviz writes colours as attributes, which style sheets can select and override; the SVG
  // itself stays as it is, for viewers that know no style sheets.
  css +=
      "  .edge text { paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round "
      "}\n";
  css += "  @media (prefers-color-scheme: dark) {\n";
  css += rule("polygon" + of("fill", "white"), "fill: #0d1117; stroke: none");
  css += rule("path" + of("fill", kBoxColor), "fill: #1c2430");
  css += rule("path" + of("fill", kLoopFill), "fill: #2a1519");
  for (const auto& [light, dark] :
       {std::pair{kInk, "#a9b7c9"}, {kLoopColor, "#ff7b86"}, {kCouplingColor, "#6cb0ff"}}) {
    css += rule(of("stroke", light), std::string("stroke: ") + dark);
    css += rule("text" + of("fill", light) + ", polygon" + of("fill", light),
                std::string("fill: ") + dark);
  }
  css += rule(".edge text", "stroke: #0d1117");
  css += rule("text:not([fill])", "fill: #e6edf3");
  return css + "  }\n</style>";
}

}  // namespace kinemorph
