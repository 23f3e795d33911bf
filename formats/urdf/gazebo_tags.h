// The tags in which libsdformat's URDF reader takes what SDFormat has and URDF lacks.
#pragma once

#include <array>
#include <string_view>

#include "kinemorph/graph/model/model.h"

namespace kinemorph::urdf_format {

/// A tag and the place of its value in an element of SDFormat.
struct GazeboTag {
  std::string_view tag, path;
};
/// Of a link, for the <surface> of its collisions.
inline constexpr std::array<GazeboTag, 7> kSurfaceTags = {{{"mu1", "friction/ode/mu"},
                                                           {"mu2", "friction/ode/mu2"},
                                                           {"fdir1", "friction/ode/fdir1"},
                                                           {"kp", "contact/ode/kp"},
                                                           {"kd", "contact/ode/kd"},
                                                           {"maxVel", "contact/ode/max_vel"},
                                                           {"minDepth", "contact/ode/min_depth"}}};
/// Of a link, for what stands in its collisions.
inline constexpr std::array<GazeboTag, 2> kCollisionTags = {
    {{"maxContacts", "max_contacts"}, {"laserRetro", "laser_retro"}}};
/// Of a joint, for its <physics>; numbers, then words.
inline constexpr std::array<GazeboTag, 6> kPhysicsTags = {
    {{"stopCfm", "ode/limit/cfm"},
     {"stopErp", "ode/limit/erp"},
     {"fudgeFactor", "ode/fudge_factor"},
     {"provideFeedback", "provide_feedback"},
     {"implicitSpringDamper", "ode/implicit_spring_damper"},
     {"cfmDamping", "ode/cfm_damping"}}};
inline constexpr std::size_t kPhysicsNumbers = 3;

/// libsdformat gives what a link's block says to parts without a name, and to those whose name
/// begins with the link's.
[[nodiscard]] inline bool IsReached(const Link& link, std::string_view part) {
  return part.empty() || part.starts_with(link.name);
}
/// The parts of a link (visuals, collisions) that its block reaches.
template <class Part>
[[nodiscard]] std::vector<Part*> Reached(const Link& link, std::vector<Part>& parts) {
  std::vector<Part*> reached;
  for (Part& part : parts)
    if (IsReached(link, part.name)) reached.push_back(&part);
  return reached;
}

}  // namespace kinemorph::urdf_format
