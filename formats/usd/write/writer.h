// One stage from one model: what the parts of the writer share.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/mechanics/start_posture.h"
#include "write/usda_text.h"

namespace kinemorph::usd {

/// Which of the free and locked motions of a joint a coordinate is, in the words of UsdPhysics.
struct FreeMotion {
  std::string_view token;  ///< "angular", "linear", or of a joint of several coordinates "rotX" ...
  std::size_t axis = 0;    ///< index into Joint::axes
  bool angular = true;     ///< degrees in the file, radians in the model
};

/// A joint as UsdPhysics has it: a type, how its frames are turned against the model's, and what is
/// free.
struct JointForm {
  std::string_view type;                 ///< "PhysicsRevoluteJoint"
  std::string_view axis;                 ///< "X", "Y", "Z"; empty where the type has none
  Matrix3 R_FU = Matrix3::Identity();    ///< the file's joint frame U in F, and in M alike
  std::vector<FreeMotion> free;          ///< one per coordinate; of a ball none
  std::vector<std::string_view> locked;  ///< of a joint of several coordinates
};

/// Of a kind that the writer takes; an empty type otherwise. `physx`: free rotations in the order
/// in which PhysX applies them, else that of Newton.
[[nodiscard]] JointForm FormOf(const JointKind& kind, bool physx);

/// Writes one stage.
class UsdWriter {
 public:
  UsdWriter(const Model& model, const WriteOptions& options, Diagnostics& diagnostics);
  /// The text; empty after an error.
  [[nodiscard]] std::string Write();

 private:
  // writer.cc
  void Error(const char* code, SourceLocation where, Statement statement);
  [[nodiscard]] bool IsOpenAtZero() const;
  void ChooseNames();
  void CheckFileNames();
  void WriteScene();
  void OpenRobot();
  void FindTrees();
  void AddRootApis(std::vector<std::string>& apis) const;
  void WriteRoot();
  void WriteBody(LinkId id);
  void WriteInertial(const Inertial& inertial);
  /// What MJCF says in such an element, if the schemas are MuJoCo's and Newton's.
  void WriteMujoco(const std::vector<NativeData>& natives, std::string_view element);
  [[nodiscard]] bool SaysMujoco(const std::vector<NativeData>& natives,
                                std::string_view element) const;
  [[nodiscard]] std::string PathOf(LinkId id) const;
  [[nodiscard]] std::string PathOf(JointId id) const;

  // joints.cc
  void WriteJoints();
  void WriteJoint(JointId id);
  void WriteFreeBase(JointId id);
  // The two bodies, and the joint's frame U in each.
  void WriteEnds(JointId id, const RigidTransform& X_PU, const RigidTransform& X_SU);
  void WriteLimits(const Joint& joint, const JointForm& form);
  [[nodiscard]] const Actuator* DriveOf(JointId id, const FreeMotion& motion) const;
  [[nodiscard]] bool HasDrive(JointId id, const FreeMotion& motion) const;
  void WriteDrives(JointId id, const JointForm& form);
  void WriteDynamics(const Joint& joint, const JointForm& form);
  [[nodiscard]] std::optional<double> StartOf(JointId id, const FreeMotion& motion) const;
  void WriteStart(JointId id, const JointForm& form);
  void WriteFollowing(const Coupling& coupling);
  [[nodiscard]] std::vector<std::string> ApisOf(JointId id, const JointForm& form) const;
  [[nodiscard]] bool IsMimic(const Coupling& coupling) const;
  [[nodiscard]] std::string MimicToken(JointId id) const;

  // contacts.cc
  void FindContacts();
  void Exclude(const std::string& a, const std::string& b) { filtered_[a].push_back(b); }
  void WriteFilter(const std::string& prim);

  // geometry.cc
  void CollectMaterials();
  void WriteMaterials();
  void WriteMaterial(const Material& material, const std::string& name);
  void WriteVisual(const Visual& visual, const std::string& name);
  void WriteCollision(const Collision& collision, const std::string& name, const std::string& path);
  /// Opens the prim of a shape, which has a pose then. `file_word`: what names the file of a mesh
  /// that is no layer.
  void OpenShape(const Shape& shape, const RigidTransform& X_LG, const std::string& name,
                 PrimHead head, SourceLocation where, std::string_view file_word);
  /// The triangles of a mesh that stand in the stage, equal corners once; null: its file is named.
  [[nodiscard]] const Triangles* PointsOf(const Mesh& mesh);
  void WritePoints(const Triangles& mesh);

  const Model& model_;
  const WriteOptions& options_;
  Diagnostics& diagnostics_;
  const bool physx_;
  bool failed_ = false;
  StartPosture posture_;
  std::vector<const Body*> led_;  // by joint of the tree: the body that it moves, in posture_
  UsdaText out_;
  std::string robot_,  // path of the default prim
      joints_scope_, looks_scope_;
  std::vector<std::string> link_names_, joint_names_;                 // by id
  std::vector<std::vector<std::string>> visual_names_, shape_names_,  // by link
      frame_names_;
  std::vector<std::vector<const Frame*>> frames_of_;   // by link
  std::vector<const Coupling*> follows_;               // by joint
  std::vector<const Actuator*> drives_;                // by joint
  std::map<std::string, std::string> material_names_;  // by what it says
  std::vector<std::pair<const Material*, std::string>> materials_;
  std::map<std::string, std::string> surface_names_;  // by what it says
  std::vector<std::pair<const Collision*, std::string>> surfaces_;
  std::map<std::string, std::optional<Triangles>> points_;  // by the mesh's name
  std::vector<std::size_t> tree_of_;  // by link: what tree joints hold together
  bool tied_ = false;                 // a loop ties two trees, in Newton's words
  std::set<std::string> roots_;       // prims with an articulation below
  bool self_collision_ = false;
  std::map<std::string, std::vector<std::string>> filtered_;  // by prim
  std::vector<bool> joined_collide_;                          // by joint
};

/// The prims of the joints, by id.
[[nodiscard]] std::vector<std::string> JointPrims(const Model& model);

/// The side-car for Isaac Lab: which joints are driven and which passive, and where all start.
[[nodiscard]] SideFile IsaacLabFile(const Model& model, const WriteOptions& options);

}  // namespace kinemorph::usd
