// Frame semantics: every link, joint, frame, model and the world is a node; poses hang on
// `relative_to`, bodies on `attached_to`.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "sdf_model/description.h"

namespace kinemorph::sdformat {

/// Index of a node; kNoNode when a name is unknown.
using NodeId = int;
inline constexpr NodeId kNoNode = -1;

/// Two trees over the same nodes: where poses are given, and what moves with what. Both are
/// resolved in linear time, without recursion.
class FrameGraph {
 public:
  /// Builds and resolves. Unknown names, duplicates and cycles are reported; a broken reference
  /// falls back to the element's own model.
  explicit FrameGraph(const Description& description);

  [[nodiscard]] NodeId world() const { return 0; }
  [[nodiscard]] NodeId of_model(int model) const { return first_model_ + model; }
  [[nodiscard]] NodeId of_link(std::size_t link) const {
    return first_link_ + static_cast<int>(link);
  }
  [[nodiscard]] NodeId of_joint(std::size_t joint) const {
    return first_joint_ + static_cast<int>(joint);
  }
  [[nodiscard]] NodeId of_frame(std::size_t frame) const {
    return first_frame_ + static_cast<int>(frame);
  }

  /// The node that `name` means inside model `model` ("__model__", "link", "nested::frame", in a
  /// world also "world").
  [[nodiscard]] NodeId Find(int model, const std::string& name) const;
  /// Pose in the world at the zero configuration.
  [[nodiscard]] const RigidTransform& InWorld(NodeId node) const {
    return nodes_[static_cast<std::size_t>(node)].X_W;
  }
  /// Pose of b in a; the numbers of the file where one hangs on the other by few steps.
  [[nodiscard]] RigidTransform Relative(NodeId a, NodeId b) const;
  /// What the node moves with: index of a link, or -1 for the world.
  [[nodiscard]] int BodyOf(NodeId id) const { return node(id).body; }
  /// The first link of a model in document order, nested ones last; -1 when it has none.
  [[nodiscard]] int CanonicalLink(int model) const {
    return canonical_[static_cast<std::size_t>(model)];
  }
  /// An error of an attribute that names no frame.
  void ReportUnknown(int model, const std::string& name, const xml::Element& element,
                     const char* attribute) const;
  /// The name usable inside `model` that is nearest to an unknown one; empty when none is near.
  [[nodiscard]] std::string Nearest(int model, const std::string& name) const;
  /// It was told that a name is used twice: what seems to lack has it.
  [[nodiscard]] bool has_duplicates() const { return duplicates_; }
  /// A node's name as the file's outermost scope knows it.
  [[nodiscard]] std::string NameOf(NodeId node) const;

 private:
  struct Node {
    NodeId pose_parent = 0;
    RigidTransform X_parent;  // pose in pose_parent
    NodeId attached = 0;
    RigidTransform X_W;
    int depth = 0;
    int body = -1;  // link that it moves with, -1: the world
  };
  Node& node(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }

  void Register();
  void ReportDuplicate(const std::string& full, const xml::Element& element,
                       const std::string& what, Version version, bool same_kind);
  void FindCanonicalLinks();
  void LinkPoses();
  void LinkBodies();
  NodeId Reference(int model, const std::string& name, const xml::Element& element,
                   const char* attribute, NodeId fallback);
  void BreakCycles(NodeId Node::*next, const char* code, const char* attribute);
  void PlaceModels();
  void ResolvePoses();
  void ResolveBodies();
  [[nodiscard]] const xml::Element* ElementOf(NodeId node) const;

  const Description& description_;
  std::vector<Node> nodes_;
  std::vector<int> canonical_;
  std::unordered_map<std::string, NodeId> by_name_;  // full name -> node
  bool duplicates_ = false;
  mutable int suggestions_left_ = 50;
  int first_model_ = 1, first_link_ = 0, first_joint_ = 0, first_frame_ = 0;
};

}  // namespace kinemorph::sdformat
