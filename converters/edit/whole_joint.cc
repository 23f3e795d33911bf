#include "edit/whole_joint.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

constexpr double kSquare = 1e-12;  // cosine of what counts as a right angle

bool IsPositiveUnit(const Vector3& axis) {
  return axis == Vector3::UnitX() || axis == Vector3::UnitY() || axis == Vector3::UnitZ();
}

}  // namespace

// Formats that write one `<dynamics>` or one joint element for two or three coordinates can say a
// damping once only. N m s/rad and N s/m do not share a number, so a joint that mixes turning and
// sliding has even dynamics only where nothing is said (a default JointAxis).
bool HasEvenDynamics(const JointKind& kind, const std::vector<JointAxis>& axes) {
  const auto same = [](const JointAxis& a, const JointAxis& b) {
    return std::all_of(kDynamics.begin(), kDynamics.end(),
                       [&](const auto member) { return a.*member == b.*member; });
  };
  const bool mixed =
      std::holds_alternative<Planar>(kind) || std::holds_alternative<Cylindrical>(kind);
  const JointAxis& first = mixed ? JointAxis() : axes.front();
  return std::all_of(axes.begin(), axes.end(), [&](const JointAxis& a) { return same(a, first); });
}

namespace {

// A limit or a spring, or dampings that differ. What limits commands is said to nobody there.
bool HasMoreThanOneDamping(const std::vector<JointAxis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](const JointAxis& axis) {
    return axis.lower || axis.upper || axis.spring_stiffness.value_or(0) != 0 ||
           axis.damping.value_or(0) != axes[0].damping.value_or(0);
  });
}

}  // namespace

bool IsHeldInOnePiece(const JointKind& kind, const std::vector<JointAxis>& axes, bool coupled,
                      const WholeJoints& asked) {
  // A screw is a hinge and a slide that a coupling ties, where more is said of it.
  const bool one_damping = asked.have_one_damping_alone && HasMoreThanOneDamping(axes);
  if (std::holds_alternative<Screw>(kind)) return !one_damping;
  // Kinds of one coordinate, and those whose data stand for the joint as a whole (ball, free), are
  // never a chain.
  const int n = NumVelocities(kind);
  if (n < 2 || NumAxes(kind) != n) return true;
  const auto is_said = [](const JointAxis& axis) { return !IsPassive(axis); };
  if (asked.are_bare && (coupled || std::any_of(axes.begin(), axes.end(), is_said))) return false;
  if (one_damping || (coupled && asked.are_uncoupled)) return false;
  // A rotor is that of one coordinate.
  const auto has_rotor = [](const JointAxis& axis) { return axis.armature.value_or(0) != 0; };
  if (asked.have_no_rotors && std::any_of(axes.begin(), axes.end(), has_rotor)) return false;
  if (asked.share_dynamics && !HasEvenDynamics(kind, axes)) return false;
  const auto* universal = std::get_if<Universal>(&kind);
  if (universal != nullptr && asked.universals_have_coordinate_axes &&
      !(IsPositiveUnit(universal->axis1) && IsPositiveUnit(universal->axis2) &&
        universal->axis1 != universal->axis2))
    return false;
  return universal == nullptr || !asked.universals_are_square ||
         std::abs(universal->axis1.dot(universal->axis2)) <= kSquare;
}

}  // namespace kinemorph
