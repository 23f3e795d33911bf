// What the writer must know before the first line: poses at zero, which model holds what, and names
// inside each model.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"
#include "sdf_model/sdf_version.h"

namespace kinemorph::sdformat {

/// A joint as SDFormat says it: pose on the child, axes in the joint frame.
struct WrittenJoint {
  LinkId parent = kWorld, child = kWorld;
  RigidTransform X_PF, X_SM;
  JointKind kind;
  std::vector<JointAxis> axes;
  bool exchanged = false;        ///< parent and child, and the two axes where there are two
  std::array<double, 3> zero{};  ///< by axis: the model's coordinate where that of the text is zero
};

/// A mimic as SDFormat says it: of axes and coordinates of the text.
struct WrittenMimic {
  Coordinate leader;
  double multiplier = 0, offset = 0;
};

struct PlannedScope {
  std::string name, prefix;  ///< prefix: what its members' names start with
  ScopeId id = kNoScope;     ///< kNoScope: made up (a model without scopes, a world for gravity)
  int parent = -1;
  int depth = 0;
  bool is_world = false;
  RigidTransform X_WM;
  std::vector<int> children;
  std::vector<LinkId> links;
  std::vector<JointId> joints;
  std::vector<std::size_t> frames, gearboxes;  ///< indices into Model::frames, Model::couplings
  std::vector<JointId> welds;                  ///< that the plugin of gz sim makes
  std::vector<std::size_t> drives;             ///< indices into Model::actuators
  // Of Drake alone.
  std::vector<JointId> loops;
  std::vector<std::size_t> tendons;  ///< indices into Model::couplings
  std::vector<ContactExclusion> exclusions;
};

class WritePlan {
 public:
  /// How loops are written.
  enum class Loops {
    kJoints,  ///< as all joints
    kWelds,   ///< by the plugin of gz sim
    kDrake,   ///< in Drake's own elements, as couplings and more
  };
  WritePlan(const Model& model, Version version, Loops loops, Diagnostics& diagnostics);

  [[nodiscard]] const std::vector<PlannedScope>& scopes() const { return scopes_; }
  [[nodiscard]] const RigidTransform& PoseOf(LinkId link) const { return X_W_[Index(link)]; }
  /// The link that placed this one in the traversal from the world, and whether there is one that
  /// SDFormat can name from its model.
  [[nodiscard]] LinkId ParentOf(LinkId link) const { return parent_[Index(link)]; }
  /// Its pose there, from the joint alone: the numbers of the source, not sums along the chain.
  [[nodiscard]] RigidTransform PoseInParent(LinkId link) const;
  [[nodiscard]] int ScopeOf(LinkId link) const { return scope_of_link_[Index(link)]; }
  /// The name of a link (or "world") as scope `from` says it; nothing when `from` does not enclose
  /// it.
  [[nodiscard]] std::optional<std::string> NameFrom(int from, LinkId link) const;
  /// A full name without what scope `scope` puts before it.
  [[nodiscard]] std::string Local(int scope, const std::string& full) const;
  [[nodiscard]] const WrittenJoint& Written(JointId joint) const { return written_[Index(joint)]; }
  [[nodiscard]] const std::vector<std::size_t>& SensorsOf(LinkId link) const {
    return sensors_of_link_[Index(link)];
  }
  [[nodiscard]] const std::vector<std::size_t>& SensorsOf(JointId joint) const {
    return sensors_of_joint_[Index(joint)];
  }
  /// The mimic that drives this axis of the text, or null.
  [[nodiscard]] const WrittenMimic* MimicOf(Coordinate follower) const;
  /// Joints from one link to another in the forest that placed the links, +1 where they are passed
  /// from predecessor to successor.
  [[nodiscard]] std::map<std::uint32_t, double> Way(LinkId from, LinkId to) const;
  /// True when the model's canonical link cannot move: the model is static or that link is fixed to
  /// the world.
  [[nodiscard]] bool HoldsStill(int scope) const;
  [[nodiscard]] bool legal() const { return legal_; }
  /// Reports what this version of SDFormat cannot say.
  void Refuse(SourceLocation where, Statement statement);
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] Version version() const { return version_; }
  [[nodiscard]] bool drake() const { return loops_ == Loops::kDrake; }
  [[nodiscard]] bool welds() const { return loops_ == Loops::kWelds; }

 private:
  void PlanScopes();
  void PlaceLinks();
  void PlanJoints();
  void PlanJoint(JointId id);
  void CheckClosed(const Joint& joint, WrittenJoint& written);
  void Distribute();
  void DistributeCouplings();
  [[nodiscard]] Coordinate InText(Coordinate coordinate) const;
  void DistributeDrake();  // drake.cc
  [[nodiscard]] bool IsDrakeLoop(JointId id) const {
    return drake() && model_.joint(id).role == JointRole::kLoop;
  }
  [[nodiscard]] bool IsWeld(JointId id) const {
    return welds() && model_.joint(id).role == JointRole::kLoop;
  }
  void PlanWeld(JointId id);
  void CheckNames();
  [[nodiscard]] bool IsWritten(JointId id) const;
  [[nodiscard]] int CommonScope(int a, int b) const;
  [[nodiscard]] int Planned(ScopeId id) const;
  [[nodiscard]] int HomeOf(JointId id) const;

  const Model& model_;
  Version version_;
  Loops loops_;
  Diagnostics& diagnostics_;
  std::vector<PlannedScope> scopes_;
  std::vector<int> planned_of_scope_;
  std::vector<RigidTransform> X_W_;
  std::vector<LinkId> parent_;
  std::vector<JointId> up_;  // the joint that placed the link
  std::vector<int> depth_;
  std::vector<int> scope_of_link_;
  std::vector<WrittenJoint> written_;
  std::vector<std::vector<std::size_t>> sensors_of_link_, sensors_of_joint_;
  std::map<std::pair<std::uint32_t, int>, WrittenMimic> mimics_;
  int default_scope_ = 0;  // for what has no scope
  bool legal_ = true;
};

/// Notes of what the engines of Gazebo make of the file: which joints they leave out, and in which
/// spelling they would not.
void TellEngines(const WritePlan& plan, Diagnostics& diagnostics);

}  // namespace kinemorph::sdformat
