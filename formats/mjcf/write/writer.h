// The state of one writing, shared by the parts of the writer.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "mjcf.h"
#include "native.h"
#include "write/body_tree.h"
#include "xml_writer.h"

namespace kinemorph {
struct StartPosture;
}

namespace kinemorph::mjcf {

/// It stands in a body.
[[nodiscard]] inline bool IsCamera(const Sensor& sensor) {
  return sensor.native.format == "mjcf" && sensor.native.element == "camera";
}
/// Whether their masks let them collide.
[[nodiscard]] inline bool Touch(const Collision& a, const Collision& b) {
  const ContactMask x = a.contact_mask.value_or(ContactMask{}),
                    y = b.contact_mask.value_or(ContactMask{});
  return (x.type & y.affinity) != 0 || (y.type & x.affinity) != 0;
}

class MjcfWriter {
 public:
  MjcfWriter(const Model& model, const WriteOptions& options, Diagnostics& diagnostics)
      : model_(model), options_(options), diagnostics_(diagnostics) {}
  /// The text, or nothing after an error.
  [[nodiscard]] std::string Write();
  /// After Write: the scene around the robot, a file that includes it.
  [[nodiscard]] SideFile WriteScene();

 private:
  // writer.cc
  void ChooseNames();
  [[nodiscard]] bool SaysAllInertias() const;
  void WriteSettings();
  void WriteChildren(const NativeData& native);  ///< inside an open element
  void WriteNatives(std::string_view section);   ///< <section> elements kept whole
  void WriteGroup(
      std::string_view prefix);  ///< children kept as "prefix/kind", inside an open section
  [[nodiscard]] bool HasGroup(std::string_view prefix) const;
  void WriteContacts();
  void WritePairs();
  static bool IsAdded(const Actuator& actuator);
  static bool IsWritten(const Actuator& actuator);
  void WriteActuators();
  [[nodiscard]] static RigidTransform PlaceOf(const Sensor& sensor);
  void PlaceSensorSites();
  void WriteCamera(const Sensor& sensor);
  void WriteSensors();
  void Error(std::string code, SourceLocation where, Statement statement);
  // bodies.cc
  void WriteBodies();
  void OpenBody(const BodyNode& node);
  void WriteContents(const BodyNode& node);
  void WriteGeoms(const Link& link);
  static bool SaysInertia(const Link& link);
  void WriteInertial(const Link& link);
  void WriteJoint(const FoldedJoint& folded);
  void WriteJointAxis(const Joint& joint, const JointAxis& axis, const AttributeList& rest);
  void WritePose(const RigidTransform& X);
  void WriteRotation(const Matrix3& R);
  void WriteAttributes(const AttributeList& attributes);
  // geoms.cc
  void CollectAssets();
  void WriteAssets();
  void WriteVisual(const Visual& visual);
  void WriteCollision(const Collision& collision, const Visual* twin);
  void WriteGeomChildren(const std::vector<NativeData>& natives);
  /// `said`: the source's own words of the geom.
  [[nodiscard]] bool WriteShape(const Shape& shape, SourceLocation where,
                                const AttributeList& said);
  void WriteAppearance(const Material& material);
  [[nodiscard]] static std::vector<const Visual*> TwinsOf(const Link& link);
  [[nodiscard]] std::string MeshName(const Mesh& mesh);
  [[nodiscard]] bool IsShell(const Mesh& mesh) const;
  [[nodiscard]] std::string MaterialName(const Material& material);
  // equality.cc
  void WriteEqualities();
  [[nodiscard]] AttributeList SoftnessOf(const std::vector<NativeData>& natives,
                                         bool weld = false) const;
  [[nodiscard]] AttributeList FirstConnect(const Joint& joint) const;
  void WriteLoop(JointId id);
  void WriteOpenLoop(JointId id);
  void PlaceLoopSites();
  void WriteCoupling(const Coupling& coupling);
  void WriteCouplingTendons();
  [[nodiscard]] bool NeedsTendon(const Coupling& coupling) const;
  [[nodiscard]] double LeverArm() const;
  [[nodiscard]] double LeverOfWeld(JointId id) const;
  [[nodiscard]] double LeverOf(const Joint& joint) const;
  // scene.cc
  [[nodiscard]] std::vector<double> HomeControl(const StartPosture& posture) const;
  [[nodiscard]] std::vector<double> HomePosition(const StartPosture& posture,
                                                 const std::map<std::size_t, double>& lift) const;
  [[nodiscard]] const Collision* FloorThere() const;
  void NoteNoTouch(const Collision& floor);
  [[nodiscard]] std::string CameraName(const std::string& wanted) const;

  const Model& model_;
  const WriteOptions& options_;
  Diagnostics& diagnostics_;
  xml::Writer out_;
  const bool portable_ = options_.profile == kPortable;
  BodyTree tree_;
  double lever_arm_ = 1;                                // m
  std::vector<std::string> body_names_, joint_names_;   // by LinkId, JointId
  std::vector<std::vector<const Frame*>> sites_of_;     // by LinkId
  std::vector<std::vector<const Sensor*>> cameras_of_;  // likewise
  std::map<const Collision*, std::string> paired_;      // those that pairs name, and the names
  UniqueNames geom_names_, site_names_, mesh_names_, material_names_, texture_names_, tendon_names_,
      equality_names_;
  std::map<const Coupling*, AttributeList> tendons_of_;  // what its equality says of them
  std::vector<const Coupling*> new_tendons_;             // of which the source has none
  using MeshKey = std::tuple<std::string, std::string, double, double, double>;
  [[nodiscard]] static MeshKey MeshKeyOf(const Mesh& mesh);
  std::map<MeshKey, std::string> mesh_assets_;  // (name in the source, file, scale) -> asset name
  std::vector<const Mesh*> meshes_;             // in order of first use
  std::map<std::string, const NativeShape*, std::less<>>
      native_meshes_;  // inline and built-in ones, by name
  std::map<std::string, const NativeData*, std::less<>>
      native_materials_;  // MJCF materials of the source, whole: name -> element
  std::map<std::string, std::optional<Rgba>, std::less<>> native_colors_;
  std::map<std::string, const NativeData*, std::less<>>
      beyond_colors_;  // what a source material says beyond its colour, by name
  std::vector<const Material*> materials_;  // the others, in order of first use
  std::map<std::string, std::string, std::less<>>
      material_keys_;  // name, colour, texture -> asset name
  std::map<std::string, std::string, std::less<>> texture_assets_;  // file -> asset name
  struct AddedSite {
    std::string name;
    RigidTransform X_L;
  };
  // Ends of loops that are open at zero, and of sensors that name no site.
  std::map<LinkId, std::vector<AddedSite>> added_sites_;
  std::map<JointId, std::vector<std::string>> loop_sites_of_;  // their names, two for each connect
  std::map<const Frame*, std::string> site_names_of_;
  std::map<const Sensor*, std::string> site_of_sensor_;  // that is added
  bool failed_ = false;
};

}  // namespace kinemorph::mjcf
