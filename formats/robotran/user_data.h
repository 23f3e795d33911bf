// What MBS has no element for, kept as numbers in user_models that Robotran carries along: joint
// limits and the like, the kind of a joint that takes several MBS joints, coupling coefficients,
// orientation of frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

/// user_model `joint_data_<joint>`: scalars named after the fields of JointAxis (`lower`, `effort`,
/// ... for the first axis, `lower_2` for the second), and `kind_<kind>` (with `pitch` for a screw)
/// where the joint is a chain of several.
struct JointData {
  std::string kind;
  double pitch = 0;
  double gear = 1;
  const UserModel* source = nullptr;
};
using JointDataMap = std::unordered_map<std::string, JointData>;

[[nodiscard]] JointDataMap FindJointData(const std::vector<UserModel>& models);
/// The user_model of a joint and the gear of its drive; nothing when there is nothing to say.
[[nodiscard]] std::optional<UserModel> JointDataModel(const Joint& joint, double gear);
/// Returns the parameters that mean nothing.
[[nodiscard]] std::vector<UserParameter> ApplyJointData(const UserModel& model, Joint& joint);

/// The name of the MBS joint that carries a coordinate: the joint's own for one axis, else
/// `<joint>_1`, `<joint>_2` ...;
/// `<joint>_joint`, `<joint>_joint_1` ... for a loop joint, whose own name is the cut's.
[[nodiscard]] std::string CoordinateName(const Joint& joint, int axis);
/// Names of all MBS joints of `joint` that carry coordinates.
[[nodiscard]] std::vector<std::string> CoordinateNames(const Joint& joint);

/// user_constraint and user_model of a coupling under a legal name.
[[nodiscard]] UserConstraint CouplingConstraint(const Model& model, const Coupling& coupling,
                                                const std::string& name);
[[nodiscard]] UserModel CouplingModel(const Model& model, const Coupling& coupling,
                                      const std::string& name);
/// The coupling a user_model of CouplingModel's form describes, and the parameters of it that mean
/// nothing; nothing when it is another user_model.
struct ReadCoupling {
  Coupling coupling;
  std::vector<std::string> joints;  ///< of the terms, by their names in the file
  std::vector<UserParameter> unread;
};
[[nodiscard]] std::optional<ReadCoupling> CouplingOf(
    const UserModel& model, const std::unordered_map<std::string, Coordinate>& coordinates,
    const std::unordered_map<std::string, LinkId>& links);

/// user_model `frame_data_<frame>`: vector `rpy`, for frames that are not parallel to their body.
[[nodiscard]] UserModel FrameModel(const std::string& frame, const Matrix3& R);
/// The rotation a user_model of FrameModel's form holds, and its parameters that mean nothing.
struct ReadFrame {
  Matrix3 R;
  std::vector<UserParameter> unread;
};
[[nodiscard]] std::optional<ReadFrame> FrameOf(const UserModel& model);

inline constexpr std::string_view kJointDataPrefix = "joint_data_";
inline constexpr std::string_view kFrameDataPrefix = "frame_data_";

}  // namespace kinemorph::mbs
