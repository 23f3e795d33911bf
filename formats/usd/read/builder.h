// A stage -> the connectivity model: what the parts of the reader share.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/graph/base/unique_names.h"
#include "read/stage.h"

namespace kinemorph::usd {

/// A collision of the model: its link and its place among the link's.
using ShapeRef = std::pair<LinkId, std::size_t>;

/// One motion that a joint may leave free.
struct Freedom {
  std::string token;    ///< of drives and PhysX: "angular", "linear", "rotX" ...
  std::string limits;   ///< what the names of its limits begin with
  bool angular = true;  ///< degrees in the file, radians in the model
};

/// Reads one stage.
class Builder {
 public:
  explicit Builder(const Stage& stage) : stage_(stage), layer_(stage.layer()) {}
  /// The model; errors go to the stage's report.
  [[nodiscard]] Model Build();

 private:
  // builder.cc
  void NameModel();
  void AddBodies();
  void ReadScenes();
  void AddFrames();
  void AddFreeBases();
  [[nodiscard]] std::vector<std::string> Names(const std::vector<PrimId>& prims);
  [[nodiscard]] LinkId LinkOf(PrimId prim) const;
  [[nodiscard]] RigidTransform InLink(PrimId prim, Placed* scaled = nullptr) const;
  [[nodiscard]] SourceLocation Where(PrimId prim) const {
    return Where(prim, layer_.prims[prim].line);
  }
  // `line`: of all layers.
  [[nodiscard]] SourceLocation Where(PrimId prim, std::uint32_t line) const {
    const auto [file, own_line] = stage_.report().PlaceOf(line);
    return {file, own_line, prim + 1};
  }
  // `line`: of all layers.
  Diagnostic& Say(Severity severity, const char* code, std::uint32_t line,
                  Statement statement) const {
    return stage_.report().Say(severity, code, line, std::move(statement));
  }
  Diagnostic& Say(Severity severity, const char* code, SourceLocation where,
                  Statement statement) const {
    return stage_.report().diagnostics.Add(
        MessageAt(model_, where, severity, code, std::move(statement)));
  }

  // masses.cc
  void ReadMasses();
  void ReadMass(PrimId body);
  /// Mass, centre and tensor of the link's shapes, in its frame; the reason in `why` where that
  /// cannot be known.
  [[nodiscard]] std::optional<SpatialInertia> MassOfShapes(PrimId body, std::string& why) const;

  // joints.cc
  struct End {
    LinkId link = kWorld;
    RigidTransform X_LJ;  // the joint's frame in it
    bool known = true;
  };
  void AddJoints();
  void AddJoint(PrimId prim, const std::string& name);
  [[nodiscard]] End ReadEnd(PrimId prim, const char* body, const char* position,
                            const char* rotation) const;
  void ReadKind(PrimId prim, Joint& joint, std::vector<Freedom>& free);
  void ReadGeneral(PrimId prim, Joint& joint, std::vector<Freedom>& free);
  void AddChain(PrimId prim, const Joint& joint, LinkId from, LinkId to,
                const std::vector<Freedom>& free);
  void StackJoints();
  void DecideRoles();
  [[nodiscard]] std::string NearestBody(const std::string& path) const;
  void ReadStart();
  void ReadMimics();
  void ReadMimic(PrimId prim);
  void AddMimic(PrimId prim, PrimId leader, double offset, const std::array<double, 4>& factors);

  // dynamics.cc
  void ReadAxes(PrimId prim, Joint& joint, const std::vector<Freedom>& free);
  void ReadLimits(PrimId prim, JointAxis& axis, const Freedom& free);
  void ReadDrive(PrimId prim, const Joint& joint, JointAxis& axis, const Freedom& free);
  void ReadNewton(PrimId prim, JointAxis& axis, bool angular) const;
  void ReadPhysx(PrimId prim, JointAxis& axis, const Freedom& free, bool of_joint) const;
  void ReadMujoco(PrimId prim, JointAxis& axis, bool angular) const;
  [[nodiscard]] double Force(bool angular) const;   // SI per unit of the file
  [[nodiscard]] double Length(bool angular) const;  // rad per degree, m per unit

  // shapes.cc
  void AddShapes();
  void AddShape(PrimId prim);
  [[nodiscard]] Shape ReadShape(PrimId prim, const Placed& placed, RigidTransform& X_LG,
                                bool collides);
  [[nodiscard]] Shape ReadArc(PrimId prim, const Placed& placed);
  [[nodiscard]] Shape ReadNamed(PrimId prim, const Placed& placed);
  [[nodiscard]] Shape ReadPoints(PrimId prim, const Placed& placed);
  [[nodiscard]] std::string NameOfMesh(PrimId prim, const std::string& content);
  [[nodiscard]] Shape Unread(PrimId prim, const std::string& why);

  // looks.cc
  [[nodiscard]] std::optional<Material> ReadLooks(PrimId prim);
  [[nodiscard]] std::optional<Material> ReadMaterial(PrimId prim);
  void ReadShader(PrimId shader, Material& material);
  [[nodiscard]] PrimId BoundMaterial(PrimId prim, const char* purpose) const;
  void ReadSurface(PrimId prim, Collision& collision);
  [[nodiscard]] PrimId Connected(PrimId prim, std::string_view input) const;

  // contacts.cc
  void ReadContacts();
  void ReadFilters();
  void FilterPair(PrimId a, PrimId b, std::uint32_t line);
  [[nodiscard]] std::vector<ShapeRef> ShapesOf(PrimId prim) const;
  void MaskShapes();

  // leftovers.cc
  void KeepLeftovers();
  void KeepMujoco(PrimId prim, std::string_view element, std::vector<NativeData>& list);
  void KeepOfLink(PrimId prim, Link& link);
  void KeepOfJoint(PrimId prim, Joint& joint, Coupling* follows);
  void Keep(PrimId prim, std::vector<NativeData>& list, const std::string& owner, bool whole);

  const Stage& stage_;
  const Layer& layer_;
  mutable int hints_left_ = 20;  // names looked for in all others
  Model model_;
  std::vector<LinkId> link_of_;    // by prim; kNoLink: no body
  std::vector<Placed> placed_;     // by link; of the world nothing
  std::vector<JointId> joint_of_;  // by prim; kNoJoint: none of one coordinate or no joint
  std::vector<std::pair<PrimId, JointId>> joints_;  // what was made of each prim, in order
  std::map<PrimId, std::size_t> frame_of_;
  std::map<PrimId, ShapeRef> visual_of_, collision_of_;
  std::vector<std::vector<PrimId>> colliders_;  // by link, one for each of its collisions
  std::vector<bool> guide_, hidden_;            // by prim, from above
  std::map<PrimId, std::optional<Material>> materials_;
  std::map<PrimId, std::vector<NativeData>> surfaces_;
  std::map<std::string, std::shared_ptr<const std::string>> meshes_;  // of points, by name
  std::vector<bool> told_;  // by prim: all there is of it was told
  std::vector<std::pair<ShapeRef, ShapeRef>> shape_pairs_;
  std::set<std::pair<LinkId, LinkId>> excluded_;
};

}  // namespace kinemorph::usd
