// Reads <pose> in all its spellings, and the items that have one.
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/text.h"
#include "sdf_model/description.h"

// A pose is read with the frame that it is in as a name: frames are resolved when all names are
// known (frame_graph.h). Numbers are metres and radians.

namespace kinemorph::sdformat {

PoseSpec ReadPose(const xml::Element& owner, Version version) {
  PoseSpec spec;
  const xml::Element pose = owner.Child("pose");
  if (!pose) return spec;
  spec.given = true;
  spec.where = pose.where();
  // Before 1.7 the attribute was called `frame`; it was renamed, and means the same. Newer words in
  // older files are understood.
  spec.relative_to = pose.Attribute("relative_to", "");
  if (spec.relative_to.empty() && version < Version{1, 7})
    spec.relative_to = pose.Attribute("frame", "");
  const std::string format = pose.Attribute("rotation_format", "euler_rpy");
  const bool degrees = pose.Boolean("degrees").value_or(false);
  if (pose.Text().empty()) return spec;
  // Words of rotations came with 1.9: three angles in radians or degrees, or a quaternion with its
  // real part last.
  if (format == "quat_xyzw") {
    if (degrees)
      pose.Error("pose-rotation",
                 "'" + pose.path() + "' has degrees=\"true\" with a quaternion; use one of them");
    const auto n = pose.TextNumbers(7, 7);
    if (!n) return spec;
    spec.X.p << (*n)[0], (*n)[1], (*n)[2];
    if (std::hypot(std::hypot((*n)[3], (*n)[4]), std::hypot((*n)[5], (*n)[6])) < 1e-9) {
      pose.Error("pose-rotation",
                 "'" + pose.path() + "' has a quaternion of zero length; taken as no rotation");
      return spec;
    }
    spec.X.R = RotationFromQuaternion((*n)[6], (*n)[3], (*n)[4], (*n)[5]);
    return spec;
  }
  if (format != "euler_rpy") {
    pose.Error("pose-rotation",
               "'" + format + "' is not a rotation_format; write euler_rpy or quat_xyzw");
  }
  // An empty <pose> is the identity; six numbers are roll, pitch and yaw about fixed axes: R =
  // Rz(yaw) Ry(pitch) Rx(roll).
  const auto n = pose.TextNumbers(6, 6);
  if (!n) return spec;
  const double unit = degrees ? std::numbers::pi / 180 : 1;
  spec.X.p << (*n)[0], (*n)[1], (*n)[2];
  const Vector3 rpy = Vector3((*n)[3], (*n)[4], (*n)[5]) * unit;
  spec.X.R = RotationFromRpy(rpy);
  if (!degrees) pose.WarnOfDegrees(rpy);
  return spec;
}

LinkItem ReadLinkItem(const xml::Element& link, int model, Version version) {
  return {model, link.Attribute("name", ""), ReadPose(link, version), link};
}

JointItem ReadJointItem(const xml::Element& joint, int model, Version version) {
  return {model,
          joint.Attribute("name", ""),
          LowerCase(joint.Attribute("type", "")),
          joint.ChildText("parent").value_or(""),
          joint.ChildText("child").value_or(""),
          ReadPose(joint, version),
          joint};
}

FrameItem ReadFrameItem(const xml::Element& frame, int model, Version version) {
  return {model, frame.Attribute("name", ""), frame.Attribute("attached_to", ""),
          ReadPose(frame, version), frame};
}

bool IsReservedName(std::string_view name) {
  return name == "world" ||
         (name.size() >= 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__");
}

}  // namespace kinemorph::sdformat
