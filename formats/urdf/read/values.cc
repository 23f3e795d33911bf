// Poses, axes and names as elements of URDF write them.
#include <algorithm>
#include <cmath>

#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/model/model_dump.h"
#include "leftovers.h"
#include "missing_files.h"
#include "read/reader.h"
#include "urdf.h"

namespace kinemorph::urdf_format {

LinkId RobotReader::FindLink(const std::string& name, const xml::Element& element) {
  if (const LinkId* const found = links_.Find(name)) return *found;
  // Robots are often fixed to a "world" that no link declares; other readers refuse them.
  if (name != "world") return kNoLink;
  Dialect("world", element,
          "link 'world': is not defined; taken as the world, to which the robot is fixed (other "
          "readers refuse this: write <link "
          "name=\"world\"/>)",
          "world-undeclared");
  return kWorld;
}

RigidTransform RobotReader::ReadPose(const xml::Element& origin) {
  RigidTransform X;
  if (!origin) return X;
  if (const auto p = origin.Vector("xyz")) X.p = *p;
  // Roll, pitch, yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll), in rad. Numbers that look
  // like degrees are told of, not converted.
  if (const auto rpy = origin.Vector("rpy")) {
    X.R = RotationFromRpy(*rpy);
    origin.WarnOfDegrees(*rpy);
  }
  const auto q = origin.Numbers("quat_xyzw", 4);
  if (!q) return X;
  if (origin.Has("rpy")) {
    origin.Error("orientation-twice",
                 {"origin", origin.path(), "has both rpy and quat_xyzw; write one of them"});
    return X;
  }
  if (minor_version_ < 1) {
    Dialect("quat", origin,
            {"origin", origin.path(),
             "quat_xyzw is of URDF 1.1; kinemorph reads it, but write <robot version=\"1.1\"> so "
             "that other readers do too"});
  }
  const double norm =
      std::sqrt((*q)[0] * (*q)[0] + (*q)[1] * (*q)[1] + (*q)[2] * (*q)[2] + (*q)[3] * (*q)[3]);
  if (!(norm > 1e-12)) {
    origin.Error(
        "quaternion-zero",
        {"origin", origin.path(), "quat_xyzw is zero and no orientation; the identity is 0 0 0 1"});
    return X;
  }
  if (std::abs(norm - 1) > 1e-6) {
    origin.Warn("quaternion-not-unit",
                {"origin",
                 origin.path(),
                 "quat_xyzw has length " + FormatNumber(norm) + "; kinemorph normalised it",
                 {{"length", norm}}});
  }
  X.R = RotationFromQuaternion((*q)[3], (*q)[0], (*q)[1], (*q)[2]);
  return X;
}

std::optional<Vector3> RobotReader::ReadAxis(const xml::Element& element, const char* tag,
                                             const Vector3& fallback, const std::string& subject) {
  const xml::Element axis = element.Child(tag);
  if (!axis) return fallback;
  if (!axis.Has("xyz")) {
    axis.Error("axis-missing", {subject, std::string("its <") + tag + "> has no xyz; write <" +
                                             tag + " xyz=\"0 0 1\"/>, or leave it out for 1 0 0"});
    return std::nullopt;
  }
  const auto xyz = axis.Vector("xyz");
  if (!xyz) return std::nullopt;
  // Lengths far from 1 are common in hand-written files; below 1e-12 nothing but rounding gives the
  // direction.
  const double norm = xyz->stableNorm();
  if (!(norm > 1e-12)) {
    axis.Error("zero-axis",
               {subject, "its axis is zero and gives no direction; write a unit vector"});
    return std::nullopt;
  }
  if (std::abs(norm - 1) > 1e-6) {
    axis.Warn("axis-not-unit", {subject, "its axis '" + std::string(*axis.Attribute("xyz")) +
                                             "' is not a unit vector; kinemorph normalised it"});
  }
  // A vector that is unit up to rounding stays as it is written.
  return std::abs(xyz->squaredNorm() - 1) <= 1e-15 ? *xyz : Vector3(*xyz / norm);
}

const std::vector<std::string>& RobotReader::LinkNames() {
  if (link_names_.empty())
    for (const LinkId id : Links(model_)) link_names_.push_back(model_.link(id).name);
  return link_names_;
}

const std::vector<std::string>& RobotReader::JointNames() {
  for (std::size_t i = joint_names_.size(); i < model_.num_joints(); ++i)
    joint_names_.push_back(model_.joint(JointId{static_cast<std::uint32_t>(i)}).name);
  return joint_names_;
}

}  // namespace kinemorph::urdf_format
