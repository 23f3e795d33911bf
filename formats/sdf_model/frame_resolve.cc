// Resolution of the frame graph: cycles, placement frames, poses in the world, bodies.
#include <algorithm>

#include "sdf_model/frame_graph.h"

namespace kinemorph::sdformat {

// Every node has one outgoing reference, so a walk from a node either reaches the world or enters a
// cycle.
void FrameGraph::BreakCycles(NodeId Node::*next, const char* code, const char* attribute) {
  // Three colours, without recursion: a path is a list, and whatever it runs into decides. A cycle
  // is opened at the node where it was found, which hangs on the world from then on; all others
  // keep their poses.
  enum Mark : char { kNew, kOnPath, kDone };
  std::vector<Mark> marks(nodes_.size(), kNew);
  std::vector<NodeId> path;
  for (std::size_t start = 0; start < nodes_.size(); ++start) {
    path.clear();
    NodeId at = static_cast<NodeId>(start);
    while (at != kNoNode && marks[static_cast<std::size_t>(at)] == kNew) {
      marks[static_cast<std::size_t>(at)] = kOnPath;
      path.push_back(at);
      at = node(at).*next;
    }
    if (at != kNoNode && marks[static_cast<std::size_t>(at)] == kOnPath) {
      const auto first = std::find(path.begin(), path.end(), at);
      std::string chain;
      std::size_t shown = 0;
      for (auto it = first; it != path.end() && shown < 10; ++it, ++shown)
        chain += NameOf(*it) + " -> ";
      chain += (static_cast<std::size_t>(path.end() - first) > shown ? "... -> " : "") + NameOf(at);
      // A pose cycle of frames that only follow attached_to is reported as what it is, once.
      const bool implied =
          next == &Node::pose_parent && std::all_of(first, path.end(), [&](NodeId id) {
            return id >= first_frame_ &&
                   description_.frames[static_cast<std::size_t>(id - first_frame_)]
                       .pose.relative_to.empty();
          });
      if (const xml::Element* element = ElementOf(at); element && !implied) {
        element->Error(code, "'" + NameOf(at) + "' has a circular " + attribute + ": " + chain);
      }
      node(at).*next = world();
    }
    for (const NodeId id : path) marks[static_cast<std::size_t>(id)] = kDone;
  }
}

// A placement frame P asks that the given pose be P's, not the model frame's: X_RM = X_RP *
// X_MP^-1. P hangs inside the model, so X_MP needs inner edges only; inner models are placed before
// outer ones.
void FrameGraph::PlaceModels() {
  for (std::size_t m = description_.models.size(); m-- > 0;) {
    const ModelItem& item = description_.models[m];
    if (item.placement_frame.empty()) continue;
    const NodeId model = of_model(static_cast<int>(m));
    const NodeId frame = Reference(static_cast<int>(m), item.placement_frame, item.element,
                                   "placement_frame", model);
    RigidTransform X_MP;
    NodeId at = frame;
    while (at != model && at != kNoNode) {
      X_MP = node(at).X_parent * X_MP;
      at = node(at).pose_parent;
    }
    if (at == kNoNode) {
      item.element.Error("placement-frame", "'" + item.placement_frame +
                                                "' is the placement frame of '" + item.name +
                                                "' but does not lie inside it");
      continue;
    }
    node(model).X_parent = node(model).X_parent * X_MP.inverse();
  }
}

void FrameGraph::ResolvePoses() {
  std::vector<char> done(nodes_.size(), 0);
  done[0] = 1;
  std::vector<NodeId> path;
  for (std::size_t start = 0; start < nodes_.size(); ++start) {
    path.clear();
    for (NodeId at = static_cast<NodeId>(start); !done[static_cast<std::size_t>(at)];
         at = node(at).pose_parent)
      path.push_back(at);
    while (!path.empty()) {
      Node& n = node(path.back());
      const Node& parent = node(n.pose_parent);
      n.X_W = parent.X_W * n.X_parent;
      n.depth = parent.depth + 1;
      done[static_cast<std::size_t>(path.back())] = 1;
      path.pop_back();
    }
  }
}

RigidTransform FrameGraph::Relative(NodeId a, NodeId b) const {
  // Through the nearest common frame when it is near: the numbers stay those of the file.
  constexpr int kNear = 32;
  // Both climb to a common frame, the deeper one first. Through the world the sums would lose
  // digits: a pose of 0.1 in a link far away comes back as 0.09999999.
  RigidTransform X_CA, X_CB;
  NodeId at_a = a, at_b = b;
  for (int step = 0; at_a != at_b; ++step) {
    if (step == kNear) return InWorld(a).inverse() * InWorld(b);
    if (node(at_a).depth >= node(at_b).depth) {
      X_CA = node(at_a).X_parent * X_CA;
      at_a = node(at_a).pose_parent;
    } else {
      X_CB = node(at_b).X_parent * X_CB;
      at_b = node(at_b).pose_parent;
    }
  }
  return X_CA.IsExactlyIdentity() ? X_CB : X_CA.inverse() * X_CB;
}

// Along attached_to, which ends at a link or at the world for each node: what moves with what.
void FrameGraph::ResolveBodies() {
  std::vector<char> done(nodes_.size(), 0);
  done[0] = 1;
  for (NodeId link = first_link_; link < first_joint_; ++link) {
    node(link).body = link - first_link_;
    done[static_cast<std::size_t>(link)] = 1;
  }
  std::vector<NodeId> path;
  for (std::size_t start = 0; start < nodes_.size(); ++start) {
    path.clear();
    NodeId at = static_cast<NodeId>(start);
    for (; !done[static_cast<std::size_t>(at)]; at = node(at).attached) path.push_back(at);
    for (const NodeId id : path) {
      node(id).body = node(at).body;
      done[static_cast<std::size_t>(id)] = 1;
    }
  }
}

}  // namespace kinemorph::sdformat
