#include "read/orientation.h"

#include <cctype>
#include <cmath>
#include <numbers>

namespace kinemorph::mjcf {
namespace {

// The five spellings of an orientation, each in the element or in a default of it. A spelling
// without a direction is an error at the element that says it, and no turn.

std::optional<Vector3> Unit(const Attributes& attributes, const char* name, const Vector3& v) {
  if (v.stableNorm() >= kTiny) return v.stableNormalized();
  const xml::Element element = attributes.Supplier(name);
  element.Error("zero-direction", "attribute '" + std::string(name) + "' of '" + element.path() +
                                      "' has no direction");
  return std::nullopt;
}

Matrix3 FromQuaternion(const Attributes& attributes, const xml::NumberList& q) {
  const double norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (norm < kTiny) {
    const xml::Element element = attributes.Supplier("quat");
    element.Error("zero-quaternion",
                  "attribute 'quat' of '" + element.path() + "' is zero, which is not a rotation");
    return Matrix3::Identity();
  }
  return RotationFromQuaternion(q[0], q[1], q[2], q[3]);
}

}  // namespace

double Angle(double value, const CompilerSettings& compiler) {
  return compiler.degree ? value / 180 * std::numbers::pi : value;
}

// The least turn that takes z to `direction`; where that is opposite, about x, as MuJoCo does it.
Matrix3 RotationFromZ(const Vector3& direction) {
  Vector3 axis = Vector3::UnitZ().cross(direction);
  const double sine = axis.norm();
  if (sine < 1e-10)
    axis = Vector3::UnitX();
  else
    axis /= sine;
  return RotationFromAxisAngle(axis, std::atan2(sine, direction.z()));
}

// Small letters turn about the axes that turn along, capital ones about fixed axes; the two kinds
// may be mixed.
Matrix3 RotationFromEuler(const Vector3& angles, const std::array<char, 3>& sequence) {
  Matrix3 R = Matrix3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[static_cast<std::size_t>(i)];
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    const Matrix3 turn = RotationFromAxisAngle(Vector3::Unit(axis), angles[i]);
    R = letter >= 'a' ? Matrix3(R * turn) : Matrix3(turn * R);
  }
  return R;
}

Matrix3 ReadOrientation(const Attributes& attributes, const CompilerSettings& compiler) {
  constexpr std::array<const char*, 5> kAll = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  int own = 0;
  for (const char* name : kAll) own += attributes.HasOwn(name) ? 1 : 0;
  if (own > 1) {
    attributes.element().Error("orientation-repeated",
                               "'" + attributes.element().path() +
                                   "' has more than one of quat, axisangle, xyaxes, zaxis, euler");
  }
  // Of one element's words, of which defaults may have several, the quaternion comes last.
  if (attributes.Has("axisangle")) {
    const auto v = attributes.Numbers("axisangle", 4, 4);
    if (!v) return Matrix3::Identity();
    const auto axis = Unit(attributes, "axisangle", Vector3((*v)[0], (*v)[1], (*v)[2]));
    return axis ? RotationFromAxisAngle(*axis, Angle((*v)[3], compiler))
                : Matrix3(Matrix3::Identity());
  }
  if (attributes.Has("xyaxes")) {
    const auto v = attributes.Numbers("xyaxes", 6, 6);
    if (!v) return Matrix3::Identity();
    // The second vector only has to span the plane: what it has of the first one is taken out.
    const auto x = Unit(attributes, "xyaxes", Vector3((*v)[0], (*v)[1], (*v)[2]));
    if (!x) return Matrix3::Identity();
    Vector3 y((*v)[3], (*v)[4], (*v)[5]);
    y -= x->dot(y) * *x;
    const auto unit_y = Unit(attributes, "xyaxes", y);
    if (!unit_y) return Matrix3::Identity();
    Matrix3 R;
    R << *x, *unit_y, x->cross(*unit_y);
    return R;
  }
  if (attributes.Has("zaxis")) {
    const auto v = attributes.Vector("zaxis");
    const auto z = v ? Unit(attributes, "zaxis", *v) : std::nullopt;
    return z ? RotationFromZ(*z) : Matrix3(Matrix3::Identity());
  }
  if (attributes.Has("euler")) {
    const auto v = attributes.Vector("euler");
    if (!v) return Matrix3::Identity();
    return RotationFromEuler(v->unaryExpr([&](double a) { return Angle(a, compiler); }),
                             compiler.eulerseq);
  }
  const auto q = attributes.Numbers("quat", 4, 4);
  return q ? FromQuaternion(attributes, *q) : Matrix3(Matrix3::Identity());
}

RigidTransform ReadPose(const Attributes& attributes, const CompilerSettings& compiler) {
  RigidTransform X;
  if (const auto p = attributes.Vector("pos")) X.p = *p;
  X.R = ReadOrientation(attributes, compiler);
  return X;
}

}  // namespace kinemorph::mjcf
