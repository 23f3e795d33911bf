// What a layer means without composition: which prims there are, where they stand, what their
// properties say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/spatial.h"
#include "read/layer.h"

namespace kinemorph::usd {

/// x_A = A x_B + p: a frame that may be scaled.
struct Affine {
  Matrix3 A = Matrix3::Identity();  ///< rotation, scale and shear
  Vector3 p = Vector3::Zero();      ///< origin of B in A
};
[[nodiscard]] Affine operator*(const Affine& a, const Affine& b);

/// A scaled frame as a frame and what its lengths are multiplied by: A = X.R S.
struct Placed {
  RigidTransform X;                 ///< without the scale
  Matrix3 S = Matrix3::Identity();  ///< diagonal, unless sheared
  bool sheared = false;             ///< the axes are not perpendicular
  bool flat = false;                ///< an axis has no length, or is no number
};
[[nodiscard]] Placed Split(const Affine& a);

/// A layer as a scene in metres, kilograms, z up.
class Stage {
 public:
  /// Both must outlive it. Errors go to `report`.
  Stage(const Layer& layer, const Reporter& report);

  [[nodiscard]] const Layer& layer() const { return layer_; }
  [[nodiscard]] const Reporter& report() const { return report_; }
  [[nodiscard]] const Prim& prim(PrimId id) const { return layer_.prims[id]; }
  [[nodiscard]] PrimId num_prims() const { return static_cast<PrimId>(layer_.prims.size()); }
  /// Defined and switched on, with all it stands in.
  [[nodiscard]] bool Stands(PrimId id) const { return stands_[id]; }
  [[nodiscard]] bool IsBody(PrimId id) const { return body_[id] == id; }
  /// The rigid body that it is or moves with; kNoPrim: the world.
  [[nodiscard]] PrimId BodyOf(PrimId id) const { return body_[id]; }
  /// A rigid body, joint or articulation stands at or below it.
  [[nodiscard]] bool IsPhysical(PrimId id) const { return physical_[id]; }
  [[nodiscard]] bool IsJoint(PrimId id) const;
  /// Its pose in the world, scale included; metres.
  [[nodiscard]] const Affine& InWorld(PrimId id) const { return world_[id]; }
  /// Of the stage itself, where paths lead nowhere.
  [[nodiscard]] const Affine& Root() const { return root_; }
  [[nodiscard]] double metres() const { return metres_; }        ///< per unit of length
  [[nodiscard]] double kilograms() const { return kilograms_; }  ///< per unit of mass
  [[nodiscard]] bool physx() const { return physx_; }            ///< it has attributes of PhysX

  /// @{
  /// What a property says; nothing where it is not written. What cannot be read is an error.
  /// Infinite numbers say that there is none, and so do rotations of zeros.
  [[nodiscard]] std::optional<double> Number(PrimId id, std::string_view name) const;
  [[nodiscard]] std::optional<Vector3> Vector(PrimId id, std::string_view name) const;
  [[nodiscard]] std::optional<std::vector<double>> Numbers(PrimId id, std::string_view name,
                                                           std::size_t count) const;
  [[nodiscard]] std::optional<Matrix3> Rotation(PrimId id, std::string_view name) const;
  [[nodiscard]] std::optional<bool> Boolean(PrimId id, std::string_view name) const;
  [[nodiscard]] std::optional<std::string> Word(PrimId id, std::string_view name) const;
  [[nodiscard]] std::vector<std::string> Targets(PrimId id, std::string_view name) const;
  /// @}
  /// The line of a property, or of its prim.
  [[nodiscard]] std::uint32_t LineOf(PrimId id, std::string_view name) const;
  /// "prim '/robot/base'".
  [[nodiscard]] std::string Named(PrimId id) const;

 private:
  void FindPrims();
  void CheckArcs() const;
  [[nodiscard]] const Property* Written(PrimId id, std::string_view name) const;
  void Bad(const Property& property, PrimId id, const char* code, const std::string& wanted) const;
  [[nodiscard]] Affine Local(PrimId id, bool& resets) const;
  [[nodiscard]] Affine Operation(PrimId id, std::string_view op) const;

  const Layer& layer_;
  const Reporter& report_;
  double metres_, kilograms_;
  bool physx_ = false;
  Affine root_;
  std::vector<bool> stands_, physical_, holds_physics_;  // by prim, as all here
  std::vector<PrimId> body_;
  std::vector<Affine> world_;
};

}  // namespace kinemorph::usd
