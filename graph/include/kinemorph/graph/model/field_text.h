/// Values of fields as text, for dumps and sentences.
#pragma once

#include <optional>
#include <string>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// @{
/// "0.5", "1 0 0", "yes": numbers as FormatNumber prints them, texts as they are.
[[nodiscard]] inline std::string ValueText(double value) { return FormatNumber(value); }
[[nodiscard]] inline std::string ValueText(const std::string& text) { return text; }
[[nodiscard]] inline std::string ValueText(bool flag) { return flag ? "yes" : "no"; }
template <int kSize>
[[nodiscard]] std::string ValueText(const Eigen::Matrix<double, kSize, 1>& values) {
  std::string out;
  for (const double value : values) out += (out.empty() ? "" : " ") + FormatNumber(value);
  return out;
}
[[nodiscard]] std::string ValueText(const Matrix3& tensor);    ///< "xx 1 yy 1 zz 1 xy 0 xz 0 yz 0"
[[nodiscard]] std::string ValueText(const RigidTransform& X);  ///< xyz, and rpy where it is turned
[[nodiscard]] std::string ValueText(const JointKind& kind);    ///< "screw axis 0 0 1 pitch 0.1"
[[nodiscard]] std::string ValueText(const ContactMask& mask);  ///< both numbers
[[nodiscard]] std::string ValueText(JointRole role);           ///< "tree"
[[nodiscard]] inline std::string ValueText(CouplingForm form) { return std::string(Name(form)); }
[[nodiscard]] std::string ValueText(SensorKind kind);  ///< "gyroscope"
[[nodiscard]] std::string ValueText(SensedTurn from);  ///< "from the world"
[[nodiscard]] std::string ValueText(SensorAxes axes);  ///< "child"
[[nodiscard]] std::string ValueText(DriveKind kind);   ///< "position"
[[nodiscard]] std::string ValueText(ScopeId scope);    ///< its number
[[nodiscard]] std::string ValueText(
    const std::array<double, 4>& coefficients);  ///< without zeros at the end, but for the first
/// "line (0 0) (1 0) line (2 0)", outline after outline.
[[nodiscard]] std::string ValueText(const std::vector<std::vector<Eigen::Vector2d>>& outlines);
template <class Value>
requires requires(const Value& value) { ValueText(value); }
[[nodiscard]] std::string ValueText(const std::optional<Value>& value) {
  return value ? ValueText(*value) : "none";
}
/// @}

/// "q('a') - 2 q('b') = 0.1", for people.
[[nodiscard]] std::string EquationText(const Model& model, const Coupling& coupling);

}  // namespace kinemorph
