// The URDF writer's state. It transcribes a model that is legal for the target; anything else is an
// error, never a silent loss.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kinemorph/formats/format.h"
#include "link_tree.h"
#include "xml_writer.h"

namespace kinemorph::urdf_format {

/// What makes two materials the same: name, colour, texture, what was kept. Lives as long
/// as the material.
using MaterialKey = std::tuple<std::string_view, std::optional<std::array<double, 4>>,
                               std::string_view, std::vector<NativeElement>>;
[[nodiscard]] MaterialKey KeyOf(const Material& material);
/// One without any content cannot be defined and is left out: urdfdom refuses the file otherwise.
[[nodiscard]] bool HasContent(const Material& material);

/// Tags of a <gazebo> block with their words.
using GazeboTagList = std::vector<std::pair<std::string, std::string>>;
using NativeElements = std::vector<NativeElement>;
/// SDFormat's <physics> of a joint; nothing where it says what has no tag.
[[nodiscard]] std::optional<GazeboTagList> PhysicsTags(const NativeElement& physics);
/// The visual has a material of URDF's own beside the one that Gazebo shows.
[[nodiscard]] bool HasOwnMaterialText(const Visual& visual);

class RobotWriter {
 public:
  RobotWriter(const Model& model, const WriteOptions& options, bool plus, Diagnostics& diagnostics);
  /// The text, or nothing with errors in the diagnostics.
  [[nodiscard]] std::string Write() &&;

 private:
  // writer.cc
  void Refuse(std::string code, SourceLocation where, Statement statement);
  [[nodiscard]] bool IsWritten(
      JointId id) const;  ///< false for the implicit free joint of the base
  [[nodiscard]] std::string LinkName(LinkId id) const {
    return id == kWorld ? "world" : model_.link(id).name;
  }
  void NameMaterials();
  void WriteSharedMaterials();
  void WeighTree();
  void ChooseVersion();
  [[nodiscard]] bool HasOwnControl() const;
  [[nodiscard]] bool IsInControl(const Coupling& coupling) const;
  /// Links of the tree.
  [[nodiscard]] std::vector<LinkId> TreeLinks() const;
  void WriteActuators();
  void WriteSensors();
  void WriteOtherNative();
  /// Natives that stand inside their element: not <gazebo reference>, not of other formats.
  void WriteInnerNative(const std::vector<NativeData>& native, const std::string& owner);

  // checks.cc: is the model legal here?
  void Check();
  void CheckTree();
  void CheckNames();
  void CheckCouplings();
  void CheckJoint(JointId id);
  void CheckLoop(JointId id);
  void CheckLoopFrame(JointId id);
  void CheckPair(JointId id);

  // links.cc
  void WriteLink(LinkId id);
  [[nodiscard]] bool NeedsZeroInertial(LinkId id) const;
  void WriteOrigin(const RigidTransform& X, bool always);
  void WriteShape(const Shape& shape, const std::string& owner, SourceLocation where);
  void WriteMaterial(const Visual& visual, const std::string& owner);
  void WriteMaterialContent(const Material& material, const std::string& owner);

  // gazebo.cc
  void WriteGazebo();
  void WriteLinkTags(LinkId id);
  void AddSurfaceTags(const Link& link, GazeboTagList& tags, NativeElements& pieces);
  void AddLooksTags(const Link& link, GazeboTagList& tags, NativeElements& pieces);
  void WriteJointTags(JointId id);
  void WriteBlock(const std::string& reference, const GazeboTagList& tags,
                  const NativeElements& pieces);
  template <class Part, class Said>
  Said SaidOfAll(const Link& link, const std::vector<Part>& parts,
                 const std::function<Said(const Part&)>& said_of);

  // gazebo_loops.cc
  void CheckGazeboLoop(JointId id);
  void WriteGazeboLoops();
  void WriteGazeboLink(LinkId id);
  void WriteGazeboFrame(const Frame& frame);
  void WriteGazeboLoop(JointId id);
  void WriteFloatingFrames(const std::vector<JointId>& floating);
  void WriteGazeboAxis(const char* element, const Vector3& axis, const std::string& expressed_in,
                       const JointAxis* said);
  void CheckWeld(JointId id);
  void WriteWeld(JointId id, bool several);
  [[nodiscard]] bool KeepsWeldedApart(JointId id) const;
  void WriteSdfSensor(const Sensor& sensor);

  // drake.cc
  void WriteDrakeElements();
  void CheckDrakeLoop(const Joint& joint);
  [[nodiscard]] bool IsDrakeTendon(const Coupling& coupling) const;
  [[nodiscard]] std::optional<double> RotorInertia(const Actuator& actuator) const;
  [[nodiscard]] NativeElement WithRotor(NativeElement transmission, const Actuator& actuator) const;
  [[nodiscard]] static std::vector<NativeData> WithFriction(const Collision& collision);

  // joints.cc
  void WriteJoint(JointId id);
  void WriteLimit(const Joint& joint);
  void WriteSafety(const JointAxis& axis);
  void WriteMimic(JointId id);
  void WriteLoop(JointId id);
  void WriteCoupling(const Coupling& coupling);
  /// A sum of joints that HyRoDyn reads: where it came from one, or a side-car was asked for.
  [[nodiscard]] bool IsLinearTransmission(const Coupling& coupling) const;
  void WriteLinearTransmission(const Coupling& coupling);

  const Model& model_;
  const WriteOptions& options_;
  const bool plus_;
  const bool hyrodyn_;       ///< loops stand in submechanisms.yml
  const bool gepetto_;       ///< loops and kinds of joints stand in robot.yaml
  const bool ros2_control_;  ///< the block is written
  const bool srdf_;          ///< what is said of joints and pairs of links stands in an SRDF
  const bool gazebo_;        ///< loops stand in <gazebo>
  const bool detachable_;    ///< ... as welds of a plugin
  const bool paper_, grbda_;
  const bool drake_;  ///< loops, couplings and more stand in Drake's own elements
  Diagnostics& diagnostics_;
  std::size_t errors_before_ = 0;
  xml::Writer out_;
  LinkTree tree_;
  std::string version_;
  bool world_link_ = false;  ///< a joint hangs on the world, so it becomes a link
  std::unordered_map<std::uint32_t, const Coupling*> mimic_of_;  ///< by follower joint
  std::unordered_set<std::uint32_t> welded_;                     ///< links that a plugin welds
  std::vector<bool> beside_tree_;                                ///< by link: it stands in <gazebo>
  std::vector<bool> weighs_;  ///< by link: it or a link below it in the tree has mass
  std::unordered_map<std::uint32_t, const Actuator*> first_drive_of_;  ///< by joint
  std::map<MaterialKey, std::string> material_names_;                  ///< their names in the file
  std::unordered_set<std::string> defined_materials_;
};

/// The type attribute of a joint or loop; empty when URDF has none for this kind.
[[nodiscard]] std::string_view JointType(const Joint& joint);
[[nodiscard]] std::string_view LoopType(const JointKind& kind);
/// The reference parser's own types.
[[nodiscard]] bool IsReferenceType(const JointKind& kind);
/// The element with another value of `attribute` on the first element in it called `name` (or on
/// itself), where that has it.
[[nodiscard]] NativeElement WithAttribute(NativeElement element, std::string_view name,
                                          std::string_view attribute, const std::string& value);

}  // namespace kinemorph::urdf_format
