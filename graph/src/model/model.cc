#include "kinemorph/graph/model/model.h"

#include <algorithm>
#include <utility>

#include "kinemorph/graph/model/references.h"

namespace kinemorph {
namespace {

// adjacency_list::swap copies, which would leave every edge handle dangling; swapping the
// containers moves nothing.
void SwapGraphs(Graph& a, Graph& b) {
  a.m_vertices.swap(b.m_vertices);
  a.m_edges.swap(b.m_edges);
}

// add_vertex and add_edge would copy what they are given.
std::size_t Append(Link&& link, Graph& graph) {
  const std::size_t v = boost::add_vertex(graph);
  graph[v] = std::move(link);
  return v;
}

Graph::edge_descriptor Connect(std::size_t predecessor, std::size_t successor, Joint&& joint,
                               Graph& graph) {
  const Graph::edge_descriptor e = boost::add_edge(predecessor, successor, graph).first;
  graph[e] = std::move(joint);
  return e;
}

}  // namespace

std::string_view Name(CouplingForm form) {
  switch (form) {
    case CouplingForm::kMimic:
      return "mimic";
    case CouplingForm::kRatio:
      return "ratio";
    case CouplingForm::kGearbox:
      return "gearbox";
    case CouplingForm::kPolynomial:
      return "polynomial";
    case CouplingForm::kTendon:
      return "tendon";
    case CouplingForm::kUser:
      break;
  }
  return "user";
}

Model::Model() {
  Link world;
  world.name = "world";
  Append(std::move(world), graph_);
}

Model::Model(const Model& other)
    : name(other.name),
      format(other.format),
      format_version(other.format_version),
      dialect(other.dialect),
      unsaid(other.unsaid),
      contact_rule(other.contact_rule),
      files(other.files),
      gravity(other.gravity),
      scopes(other.scopes),
      frames(other.frames),
      couplings(other.couplings),
      sensors(other.sensors),
      actuators(other.actuators),
      contact_exclusions(other.contact_exclusions),
      contact_pairs(other.contact_pairs),
      native(other.native),
      graph_(other.graph_) {
  RebuildHandles();
}

Model& Model::operator=(const Model& other) {
  if (this != &other) *this = Model(other);
  return *this;
}

// The graph has no move of its own, so its containers are swapped: its nodes stay where they are.
Model::Model(Model&& other) noexcept : Model() { *this = std::move(other); }

Model& Model::operator=(Model&& other) noexcept {
  if (this == &other) return *this;
  name = std::move(other.name);
  format = std::move(other.format);
  format_version = std::move(other.format_version);
  dialect = std::move(other.dialect);
  unsaid = other.unsaid;
  contact_rule = other.contact_rule;
  files = std::move(other.files);
  gravity = other.gravity;
  scopes = std::move(other.scopes);
  frames = std::move(other.frames);
  couplings = std::move(other.couplings);
  sensors = std::move(other.sensors);
  actuators = std::move(other.actuators);
  contact_exclusions = std::move(other.contact_exclusions);
  contact_pairs = std::move(other.contact_pairs);
  native = std::move(other.native);
  SwapGraphs(graph_, other.graph_);
  edges_.swap(other.edges_);
  return *this;
}

// Copying an adjacency_list keeps the order of edges(), which is the order of insertion, hence of
// JointId: Reconnect and the removals below preserve it.
void Model::RebuildHandles() {
  edges_.clear();
  edges_.reserve(boost::num_edges(graph_));
  for (auto [it, end] = boost::edges(graph_); it != end; ++it) edges_.push_back(*it);
}

LinkId Model::AddLink(Link link) {
  return LinkId{static_cast<std::uint32_t>(Append(std::move(link), graph_))};
}

JointId Model::AddJoint(LinkId predecessor, LinkId successor, Joint joint) {
  const std::size_t axes = static_cast<std::size_t>(NumAxes(joint.kind));
  if (joint.axes.size() != axes) joint.axes.resize(axes);
  edges_.push_back(Connect(Index(predecessor), Index(successor), std::move(joint), graph_));
  return JointId{static_cast<std::uint32_t>(edges_.size() - 1)};
}

void Model::Reserve(std::size_t links, std::size_t joints) {
  graph_.m_vertices.reserve(links + 1);
  edges_.reserve(joints);
}

void Model::Reconnect(const std::function<std::pair<LinkId, LinkId>(JointId)>& ends) {
  // A new graph with the edges in the same order: remove_edge + add_edge would move an edge to the
  // end of edges().
  Graph next;
  next.m_vertices.reserve(num_links());
  std::vector<std::pair<LinkId, LinkId>> all;
  all.reserve(edges_.size());
  for (const JointId id : Joints(*this)) all.push_back(ends(id));
  for (std::size_t v = 0; v < boost::num_vertices(graph_); ++v) Append(std::move(graph_[v]), next);
  std::vector<Graph::edge_descriptor> handles;
  handles.reserve(edges_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    handles.push_back(
        Connect(Index(all[e].first), Index(all[e].second), std::move(graph_[edges_[e]]), next));
  }
  SwapGraphs(graph_, next);
  edges_.swap(handles);
}

std::vector<JointId> Model::RemoveJoints(const std::function<bool(JointId)>& remove) {
  std::vector<JointId> renumbered(edges_.size(), kNoJoint);
  std::uint32_t kept = 0;
  std::vector<bool> gone(edges_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    gone[e] = remove(JointId{static_cast<std::uint32_t>(e)});
    if (!gone[e]) renumbered[e] = JointId{kept++};
  }
  if (kept == edges_.size()) return renumbered;
  Graph next;
  next.m_vertices.reserve(boost::num_vertices(graph_));
  for (std::size_t v = 0; v < boost::num_vertices(graph_); ++v) Append(std::move(graph_[v]), next);
  std::vector<Graph::edge_descriptor> handles;
  handles.reserve(kept);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (gone[e]) continue;
    handles.push_back(Connect(boost::source(edges_[e], graph_), boost::target(edges_[e], graph_),
                              std::move(graph_[edges_[e]]), next));
  }
  SwapGraphs(graph_, next);
  edges_.swap(handles);
  // References follow; what stood on a removed joint goes with it.
  VisitListsOnJoints(*this, [&](auto& list) {
    std::erase_if(list, [&](const auto& item) {
      bool lost = false;
      VisitJoints(item, [&](JointId id) { lost = lost || gone[Index(id)]; });
      return lost;
    });
    for (auto& item : list) VisitJoints(item, [&](JointId& id) { id = renumbered[Index(id)]; });
  });
  return renumbered;
}

std::vector<LinkId> Model::RemoveLinks(const std::function<bool(LinkId)>& remove) {
  const std::size_t n = num_links();
  std::vector<LinkId> renumbered(n, kNoLink);
  std::uint32_t kept = 0;
  for (std::uint32_t v = 0; v < n; ++v)
    if (LinkId{v} == kWorld || !remove(LinkId{v})) renumbered[v] = LinkId{kept++};
  if (kept == n) return renumbered;
  const auto lost = [&](LinkId id) { return renumbered[Index(id)] == kNoLink; };
  static_cast<void>(
      RemoveJoints([&](JointId id) { return lost(predecessor(id)) || lost(successor(id)); }));
  Graph next;
  next.m_vertices.reserve(kept);
  for (std::size_t v = 0; v < n; ++v)
    if (renumbered[v] != kNoLink) Append(std::move(graph_[v]), next);
  std::vector<Graph::edge_descriptor> handles;
  handles.reserve(edges_.size());
  for (const auto& edge : edges_) {
    handles.push_back(Connect(Index(renumbered[boost::source(edge, graph_)]),
                              Index(renumbered[boost::target(edge, graph_)]),
                              std::move(graph_[edge]), next));
  }
  SwapGraphs(graph_, next);
  edges_.swap(handles);
  VisitListsOnLinks(*this, [&](auto& list) {
    std::erase_if(list, [&](const auto& item) {
      bool gone = false;
      VisitLinks(item, [&](LinkId id, const RigidTransform*) { gone = gone || lost(id); });
      return gone;
    });
  });
  VisitAllLinks(*this, [&](LinkId& id, const RigidTransform*) { id = renumbered[Index(id)]; });
  for (Scope& s : scopes)
    if (s.canonical_link) {
      if (lost(*s.canonical_link))
        s.canonical_link.reset();
      else
        s.canonical_link = renumbered[Index(*s.canonical_link)];
    }
  return renumbered;
}

std::optional<LinkId> Model::FindLink(std::string_view wanted) const {
  for (std::uint32_t v = 0; v < num_links(); ++v)
    if (graph_[v].name == wanted) return LinkId{v};
  return std::nullopt;
}

std::optional<JointId> Model::FindJoint(std::string_view wanted) const {
  for (std::uint32_t e = 0; e < edges_.size(); ++e)
    if (graph_[edges_[e]].name == wanted) return JointId{e};
  return std::nullopt;
}

std::string Model::FileName(SourceLocation where) const {
  return where.line > 0 && where.file < files.size() ? files[where.file] : std::string();
}

}  // namespace kinemorph
