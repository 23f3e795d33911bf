// What MuJoCo makes of an MJCF file, as plain numbers: filled by libmujoco (2.x) or by
// mjwasm/compile.mjs (3.x).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

struct CompiledBody {
  std::string name;
  int parent = 0;  ///< 0 is the world, else index + 1
  bool mocap = false;
  double mass = 0;
  RigidTransform X_WB;  ///< at qpos0
  RigidTransform X_WI;  ///< inertial frame
  Vector3 moments;
};

struct CompiledJoint {
  std::string name;
  int body = 0;
  int type = 3;          ///< free, ball, slide, hinge
  Vector3 anchor, axis;  ///< world, at qpos0
  bool limited = false, effort_limited = false;
  double lower = 0, upper = 0, effort_lower = 0, effort_upper = 0;
  double ref = 0, springref = 0, stiffness = 0, damping = 0, armature = 0, frictionloss = 0;
};

struct CompiledEquality {
  int type = 0;  ///< connect, weld, joint, tendon
  bool active = true;
  int a = 0, b = 0;  ///< bodies, or joints
  bool by_sites = false;
  RigidTransform X_AS, X_BS;  ///< the sites
  std::vector<double> data;
};

struct CompiledGeom {
  std::string name;
  int body = 0;
  int type = 2;  ///< plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh
  Vector3 size;
  RigidTransform X_WG;
  bool collides = true;
};

/// force = gain u + bias . (1, gear q, gear v), u in `lower` .. `upper`. Of the Node module only.
struct CompiledActuator {
  std::string name;
  double gain = 0, gear = 1, lower = 0, upper = 0;
  Vector3 bias;
};
struct CompiledMujoco {
  std::string error;  ///< not empty: refused
  int nv = 0;
  std::vector<CompiledBody> bodies;
  std::vector<CompiledJoint> joints;
  std::vector<CompiledEquality> equalities;
  /// @{
  /// Of compile.mjs alone.
  std::vector<CompiledGeom> geoms;
  std::vector<CompiledActuator> actuators;
  std::vector<std::pair<int, int>> excludes;  ///< bodies that do not touch
  /// @}
};

/// One line of compile.mjs.
[[nodiscard]] CompiledMujoco CompiledFromJson(const std::string& line, std::string& file);

/// How closely numbers must agree, absolute for lengths of about a metre and relative for larger
/// ones.
struct CompareTolerance {
  double kinematics = 1e-9, inertia = 1e-9;
};

/// What differs between our model and the compiled one; empty when they are the same.
[[nodiscard]] std::vector<std::string> DifferencesFromMujoco(
    const Model& model, const CompiledMujoco& compiled, const CompareTolerance& tolerance = {});

/// The same of the geoms that are simple shapes, and of the pairs of bodies that do not touch.
[[nodiscard]] std::vector<std::string> GeomDifferencesFromMujoco(
    const Model& model, const CompiledMujoco& compiled, const CompareTolerance& tolerance = {});

}  // namespace kinemorph
