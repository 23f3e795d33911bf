// Turns a Description with resolved frames into a Model, or into a part of one. One object per file
// read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "sdf_model/description.h"
#include "sdf_model/frame_graph.h"

namespace kinemorph::sdformat {

class Builder {
 public:
  Builder(const Description& description, const FrameGraph& frames, Model& model)
      : description_(description), frames_(frames), model_(model) {}

  /// Scopes, links, joints, frames, couplings, sensors and the implicit joints, in document order.
  void Build();
  /// Adds to a model whose links and joints come first in the description: links, joints, frames,
  /// couplings, sensors and plugins, and what lets links float that nothing joins to those that were
  /// there.
  void BuildPart();

 private:
  // scopes and links (links.cc)
  void BuildScopes();
  void BuildLinks();
  void CheckModels();
  void BuildFrames();
  void ReadLinkContent(const LinkItem& item, std::size_t index, Link& link);
  void ReadVisual(const xml::Element& element, const LinkItem& item, std::size_t index, Link& link);
  void ReadCollision(const xml::Element& element, const LinkItem& item, std::size_t index,
                     Link& link);
  void ReadSensor(const xml::Element& element, int model, NodeId owner, LinkId link, JointId joint);
  /// Pose of something that hangs on `owner`, in owner's frame.
  [[nodiscard]] RigidTransform PoseIn(NodeId owner, int model, const PoseSpec& pose,
                                      const xml::Element& element);

  // joints (joints.cc)
  void BuildJoints();
  void BuildJoint(const JointItem& item, std::size_t index);
  struct Ends {
    NodeId parent = kNoNode, child = kNoNode;
  };
  [[nodiscard]] std::optional<Ends> ReadEnds(const JointItem& item);
  [[nodiscard]] NodeId ReadEnd(const JointItem& item, const std::string& name, const char* which);
  [[nodiscard]] std::optional<JointKind> ReadKind(const JointItem& item, NodeId joint);
  [[nodiscard]] Vector3 ReadAxisVector(const JointItem& item, NodeId joint,
                                       const xml::Element& axis);
  [[nodiscard]] double ReadScrewPitch(const JointItem& item);
  void ReadJointPhysics(const JointItem& item, Joint& joint);
  void BuildMimics();
  /// kNoJoint where the node is none.
  [[nodiscard]] JointId JointIdOf(NodeId node) const;
  void BuildMimic(const JointItem& item, std::size_t index, int axis, const xml::Element& mimic);

  // Drake's loops (ball_constraints.cc)
  struct BallEnd {
    LinkId link;
    Vector3 p_L;
  };
  std::optional<BallEnd> ReadBallEnd(const DrakeItem& item, const std::string& side,
                                     const std::string& point);
  void BuildBallConstraints();

  // Drake's other elements (drake.cc)
  void BuildDrakeTendons();
  void BuildDrakeGroups();
  [[nodiscard]] static bool IsDamagedGroup(const xml::Element& group);
  void ReadDrakeRotor(const JointItem& item, Joint& joint);
  /// As text of its model.
  void KeepInScope(int model, const xml::Element& element) {
    model_.scopes[Index(scope_ids_[static_cast<std::size_t>(model)])].native.push_back(
        NativeOf(element));
  }
  [[nodiscard]] NodeId NodeOf(LinkId link) const {
    return link == kWorld ? frames_.world() : frames_.of_link(Index(link) - 1);
  }

  // gearboxes (gearbox.cc)
  struct Forest;  // over the explicit joints, for the angles of gearboxes
  void BuildGearboxes();
  void BuildGearbox(const JointItem& item, std::size_t index, const Forest& forest);

  // plugins that hold links or joints together (plugins.cc)
  void BuildPlugins();
  [[nodiscard]] bool BuildWeld(const PluginItem& item);
  [[nodiscard]] bool BuildDrive(const PluginItem& item);
  [[nodiscard]] std::vector<int> ModelsNamed(int from, const std::string& name) const;
  /// The model is `outer`, or in it.
  [[nodiscard]] bool Holds(int outer, int model) const;
  [[nodiscard]] bool Couple(const PluginItem& item, const std::string& leader,
                            const std::string& follower, double multiplier, double offset);

  // joints that no file names (implicit.cc)
  void AddImplicitJoints();

  /// A full name as the model shows it: without the name of a world's only model.
  [[nodiscard]] std::string Shown(int model, const std::string& name) const;
  [[nodiscard]] LinkId LinkOf(NodeId node) const;
  [[nodiscard]] bool IsStatic(int model) const;

  const Description& description_;
  const FrameGraph& frames_;
  Model& model_;
  std::string hidden_prefix_;           // "robot::" when the world holds only that model
  std::vector<LinkId> link_ids_;        // by LinkItem
  std::vector<JointId> joint_ids_;      // by JointItem; kNoJoint for gearboxes and refused joints
  std::vector<ScopeId> scope_ids_;      // by ModelItem
  std::vector<std::size_t> gearboxes_;  // JointItems
};

/// The mass properties that the collisions of a link give (SDFormat 1.11 `<inertial auto="true">`),
/// in the link frame. Nothing when a shape has none that is exact (mesh, polyline); planes and
/// height maps count nothing, as in libsdformat.
struct AutoInertia {
  SpatialInertia inertia;
  std::string not_exact;
};
[[nodiscard]] AutoInertia InertiaOfCollisions(const std::vector<Collision>& collisions,
                                              const std::vector<double>& densities);

/// Tells of a weld of gz sim where it joins nothing: at a link or joint. Its model is what may hold it.
void TellWeldOf(const xml::Element& plugin, const std::string& owner);

/// A part at the end of a tree that a plugin welds to a link, and that nothing more is said of, is one
/// with the link where `is_part(link, part)`: the joint that leads to it closes the loop instead of
/// the weld. `X_WL`: all links at zero.
void JoinHalves(Model& model, const std::vector<RigidTransform>& X_WL,
                const std::function<bool(const Link& link, const Link& part)>& is_part);

/// One coordinate of a joint: <limit> and <dynamics> of an <axis>.
[[nodiscard]] JointAxis ReadAxisProperties(const xml::Element& axis);

}  // namespace kinemorph::sdformat
