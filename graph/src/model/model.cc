// The model keeps ids dense and in document order: a LinkId is a vertex, a JointId a place in
// edges_, and edges() of the graph runs in that order too. All that changes the topology goes
// through Rebuild, which makes a new graph; Boost's own removals would move edges and cost a search
// each.
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

// The world is there from the first: id 0 is kWorld in every model.
Topology::Topology() {
  Link world;
  world.name = "world";
  Append(std::move(world), graph_);
}

// Copying an adjacency_list keeps the order of edges(), which is the order of insertion, hence of
// JointId: Model::Rebuild preserves it.
Topology::Topology(const Topology& other) : graph_(other.graph_) {
  edges_.reserve(boost::num_edges(graph_));
  for (auto [it, end] = boost::edges(graph_); it != end; ++it) edges_.push_back(*it);
}

Topology& Topology::operator=(const Topology& other) { return *this = Topology(other); }

// The graph has no move of its own, so its containers are swapped: its nodes stay where they are.
Topology::Topology(Topology&& other) noexcept : Topology() { *this = std::move(other); }
Topology& Topology::operator=(Topology&& other) noexcept {
  SwapGraphs(graph_, other.graph_);
  edges_.swap(other.edges_);
  return *this;
}

LinkId Model::AddLink(Link link) {
  return LinkId{static_cast<std::uint32_t>(Append(std::move(link), graph_))};
}

JointId Model::AddJoint(LinkId predecessor, LinkId successor, Joint joint) {
  // Everything later indexes axes by coordinate, whatever the reader found.
  const std::size_t axes = static_cast<std::size_t>(NumAxes(joint.kind));
  if (joint.axes.size() != axes) joint.axes.resize(axes);
  edges_.push_back(Connect(Index(predecessor), Index(successor), std::move(joint), graph_));
  return JointId{static_cast<std::uint32_t>(edges_.size() - 1)};
}

void Model::Reserve(std::size_t links, std::size_t joints) {
  graph_.m_vertices.reserve(links + 1);
  edges_.reserve(joints);
}

// A new graph of the links and joints that stay, the edges in the same order: remove_edge and
// add_edge would move an edge to the end of edges(). `links`: new ids, kNoLink of those that go;
// `joints`: the new ids of their ends, none of those that go.
void Model::Rebuild(const std::vector<LinkId>& links, const std::vector<Ends>& joints) {
  Graph next;
  next.m_vertices.reserve(links.size());
  for (std::size_t v = 0; v < links.size(); ++v)
    if (links[v] != kNoLink) Append(std::move(graph_[v]), next);
  std::vector<Graph::edge_descriptor> handles;
  handles.reserve(joints.size());
  for (std::size_t e = 0; e < joints.size(); ++e)
    if (joints[e])
      handles.push_back(Connect(Index(joints[e]->first), Index(joints[e]->second),
                                std::move(graph_[edges_[e]]), next));
  SwapGraphs(graph_, next);
  edges_.swap(handles);
}

void Model::Reconnect(const std::function<std::pair<LinkId, LinkId>(JointId)>& ends) {
  std::vector<LinkId> links;
  for (std::uint32_t v = 0; v < num_links(); ++v) links.push_back(LinkId{v});
  std::vector<Ends> joints;
  for (const JointId id : Joints(*this)) joints.emplace_back(ends(id));
  Rebuild(links, joints);
}

std::vector<JointId> Model::RemoveJoints(const std::function<bool(JointId)>& remove) {
  std::vector<JointId> renumbered(edges_.size(), kNoJoint);
  std::vector<Ends> joints(edges_.size());
  std::uint32_t kept = 0;
  for (const JointId id : Joints(*this)) {
    if (remove(id)) continue;
    renumbered[Index(id)] = JointId{kept++};
    joints[Index(id)] = std::pair(predecessor(id), successor(id));
  }
  if (kept == edges_.size()) return renumbered;
  std::vector<LinkId> links;
  for (std::uint32_t v = 0; v < num_links(); ++v) links.push_back(LinkId{v});
  Rebuild(links, joints);
  // References follow; what stood on a removed joint goes with it.
  VisitListsOnJoints(*this, [&](auto& list) {
    std::erase_if(list, [&](const auto& item) {
      bool lost = false;
      VisitJoints(item, [&](JointId id) { lost = lost || renumbered[Index(id)] == kNoJoint; });
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
  // Joints first, while both numberings of links still agree.
  static_cast<void>(
      RemoveJoints([&](JointId id) { return lost(predecessor(id)) || lost(successor(id)); }));
  std::vector<Ends> joints;
  for (const JointId id : Joints(*this))
    joints.emplace_back(
        std::pair(renumbered[Index(predecessor(id))], renumbered[Index(successor(id))]));
  Rebuild(renumbered, joints);
  // What stood on a link that is gone goes too, before ids are translated: as kNoLink it would seem
  // to stand on nothing by the author's will.
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
  const bool somewhere = where.line > 0 || where.element > 0;  // binary files have no lines
  return somewhere && where.file < files.size() ? files[where.file] : std::string();
}

}  // namespace kinemorph
