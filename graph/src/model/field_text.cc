#include "kinemorph/graph/model/field_text.h"

#include <array>
#include <cmath>

namespace kinemorph {

// Moments first, then products with the sign of the tensor (I_xy = -integral x y dm).
std::string ValueText(const Matrix3& tensor) {
  const auto entry = [&](const char* name, int i, int j) { return name + ValueText(tensor(i, j)); };
  return entry("xx ", 0, 0) + entry(" yy ", 1, 1) + entry(" zz ", 2, 2) + entry(" xy ", 0, 1) +
         entry(" xz ", 0, 2) + entry(" yz ", 1, 2);
}

std::string ValueText(const RigidTransform& X) {
  const std::string rpy = ValueText(RpyFromRotation(X.R));  // a turn by 1e-30 is none in text
  return ValueText(X.p) + (rpy == "0 0 0" ? "" : " rpy " + rpy);
}

std::string ValueText(const JointKind& kind) {
  std::string out(KindName(kind));
  for (const Vector3& axis : AxesOf(kind)) out += " axis " + ValueText(axis);
  if (const auto* screw = std::get_if<Screw>(&kind)) out += " pitch " + ValueText(screw->pitch);
  return out;
}

std::string ValueText(const ContactMask& mask) {
  return std::to_string(mask.type) + " " + std::to_string(mask.affinity);
}

std::string ValueText(ScopeId scope) { return std::to_string(Index(scope)); }

std::string ValueText(const std::array<double, 4>& coefficients) {
  // Of a polynomial: c1 alone where it is linear, as most are.
  std::size_t size = 4;
  while (size > 1 && coefficients[size - 1] == 0) --size;
  std::string out = FormatNumber(coefficients[0]);
  for (std::size_t i = 1; i < size; ++i) out += " " + FormatNumber(coefficients[i]);
  return out;
}

std::string ValueText(const std::vector<std::vector<Eigen::Vector2d>>& outlines) {
  std::string out;
  for (const auto& outline : outlines) {
    out += out.empty() ? "line" : " line";
    for (const Eigen::Vector2d& point : outline) out += " (" + ValueText(point) + ")";
  }
  return out;
}

std::string ValueText(JointRole role) {
  return role == JointRole::kTree ? "tree" : role == JointRole::kLoop ? "loop" : "undecided";
}

std::string ValueText(SensorKind kind) {
  static constexpr std::array<const char*, 15> kNames = {"other",
                                                         "imu",
                                                         "gyroscope",
                                                         "accelerometer",
                                                         "force and torque",
                                                         "force",
                                                         "torque",
                                                         "magnetometer",
                                                         "orientation",
                                                         "ray",
                                                         "scan",
                                                         "camera",
                                                         "depth camera",
                                                         "colour and depth camera",
                                                         "contact"};  // by SensorKind
  return kNames[static_cast<std::size_t>(kind)];
}

std::string ValueText(SensedTurn from) {
  static constexpr std::array<const char*, 3> kNames = {"none", "from the start", "from the world"};
  return kNames[static_cast<std::size_t>(from)];
}

std::string ValueText(SensorAxes axes) {
  static constexpr std::array<const char*, 3> kNames = {"its own", "child", "parent"};
  return kNames[static_cast<std::size_t>(axes)];
}

std::string ValueText(DriveKind kind) {
  static constexpr std::array<const char*, 4> kNames = {"other", "effort", "velocity", "position"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string EquationText(const Model& model, const Coupling& coupling) {
  std::string out;
  for (const CouplingTerm& term : coupling.terms) {
    const Joint& joint = model.joint(term.coordinate.joint);
    std::string q = "q('" + joint.name + "'";
    if (NumVelocities(joint.kind) > 1) q += ", " + std::to_string(term.coordinate.axis + 1);
    q += ")";
    for (std::size_t k = 0; k < 4; ++k) {
      const double c = term.coefficients[k];
      if (c == 0) continue;
      out += out.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
      if (std::abs(c) != 1) out += FormatNumber(std::abs(c)) + " ";
      out += q + (k > 0 ? "^" + std::to_string(k + 1) : "");
    }
  }
  return (out.empty() ? "0" : out) + " = " + FormatNumber(coupling.constant);
}

}  // namespace kinemorph
