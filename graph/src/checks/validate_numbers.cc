#include "checks/validate_numbers.h"

#include <cmath>

#include "checks/inertia_check.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/checks/validate.h"
#include "kinemorph/graph/model/axis_fields.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

// Checks the numbers of one element, each named; a number that is not finite is reported once per
// element.
class NumberChecker {
 public:
  NumberChecker(const Reporter& report, SourceLocation where, std::string subject)
      : report_(report), where_(where), subject_(std::move(subject)) {}

  bool Finite(double value, std::string_view what) {
    const std::optional<double>& greatest = report_.greatest();
    if (std::isfinite(value) && !(greatest && std::abs(value) > *greatest)) return true;
    const std::string is = std::string(what) + " is " + FormatNumber(value);
    if (!reported_ && greatest)
      report_.Error("number-too-large", where_, subject_,
                    is + " in the target; kinemorph writes numbers up to " +
                        FormatNumber(*greatest) + "; give smaller numbers in the source");
    else if (!reported_)
      report_.Error("not-finite", where_, subject_, is + "; write a finite number");
    reported_ = true;
    return false;
  }
  bool Finite(const std::optional<double>& value, std::string_view what) {
    return !value || Finite(*value, what);
  }
  template <class Derived>
  bool Finite(const Eigen::MatrixBase<Derived>& matrix, std::string_view what) {
    for (const double value : matrix.reshaped())
      if (!Finite(value, what)) return false;
    return true;
  }
  /// A number that writers divide by: of writing, its inverse is one that is written too.
  void Divisor(double value, std::string_view what) {
    const std::optional<double>& greatest = report_.greatest();
    if (!Finite(value, what) || !greatest || reported_) return;
    if (value == 0 || std::abs(value) >= 1 / *greatest) return;
    reported_ = true;
    report_.Error("number-too-large", where_, subject_,
                  std::string(what) + " is " + FormatNumber(value) +
                      " in the target; kinemorph writes no inverse above " +
                      FormatNumber(*greatest) + "; give 0 or a larger number in the source");
  }
  void Pose(const RigidTransform& X, std::string_view what) {
    if (!Finite(X.p, what) || !Finite(X.R, what)) return;
    if ((X.R * X.R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-6 ||
        X.R.determinant() < 0) {
      report_.Error("not-a-rotation", where_, subject_,
                    "the rotation of " + std::string(what) + " is not orthonormal");
    }
  }
  /// A magnitude: negative ones are reported as a warning.
  void Magnitude(const std::optional<double>& value, std::string_view what) {
    if (value && Finite(*value, what) && *value < 0) {
      report_.Warning(
          "negative-value", where_, subject_,
          std::string(what) + " is " + FormatNumber(*value) + "; the value must not be negative",
          {{"value", *value}});
    }
  }

 private:
  const Reporter& report_;
  SourceLocation where_;
  std::string subject_;
  bool reported_ = false;
};

void CheckInertial(const Inertial& inertial, const std::string& subject, const Reporter& report) {
  NumberChecker check(report, inertial.where, subject);
  check.Pose(inertial.X_LI, "the inertial frame");
  if (!check.Finite(inertial.mass, "the mass") || !check.Finite(inertial.I_I, "the inertia"))
    return;
  const bool has_inertia = !inertial.I_I.isZero(0);
  if (inertial.mass < 0)
    report.Error("negative-mass", inertial.where, subject,
                 "the mass is " + FormatNumber(inertial.mass) + " kg; a mass must be positive",
                 {{"mass", inertial.mass, "kg"}});
  if (inertial.mass == 0 && has_inertia) {
    report.Warning("inertia-without-mass", inertial.where, subject,
                   "the link has an inertia but no mass, which no rigid body has; kinemorph keeps "
                   "the inertia");
  }
  if (inertial.mass > 0 && !has_inertia) {
    report.Warning("mass-without-inertia", inertial.where, subject,
                   "its inertia is zero: kinemorph reads a point mass of " +
                       FormatNumber(inertial.mass) + " kg",
                   {{"mass", inertial.mass, "kg"}});
  }
  if (report.greatest()) return;
  Vector3 moments;
  const InertiaFault fault = CheckInertia(inertial.I_I, moments);
  if (fault == InertiaFault::kNone) return;
  const std::string list = FormatNumber(moments[0]) + ", " + FormatNumber(moments[1]) + ", " +
                           FormatNumber(moments[2]) + " kg m^2";
  const std::vector<Quantity> principal = {{"principal_moment_1", moments[0], "kg m^2"},
                                           {"principal_moment_2", moments[1], "kg m^2"},
                                           {"principal_moment_3", moments[2], "kg m^2"}};
  if (fault == InertiaFault::kIndefinite) {
    report.Warning("inertia-indefinite", inertial.where, subject,
                   "a principal moment of inertia is negative (" + list +
                       "): no rigid body has this inertia; kinemorph keeps it",
                   principal);
  } else {
    report.Warning("inertia-triangle", inertial.where, subject,
                   "one principal moment of inertia exceeds the sum of the others (" + list +
                       "): no rigid body has this inertia; kinemorph keeps it",
                   principal);
  }
}

void CheckShape(const Shape& shape, NumberChecker& check) {
  std::visit(Overloaded{[&](const Box& s) {
                          check.Finite(s.size, "the size of the box");
                          check.Magnitude(s.size.minCoeff(), "the size of the box");
                        },
                        [&](const Sphere& s) { check.Magnitude(s.radius, "the radius"); },
                        [&](const Cylinder& s) {
                          check.Magnitude(s.radius, "the radius");
                          check.Magnitude(s.length, "the length");
                        },
                        [&](const Capsule& s) {
                          check.Magnitude(s.radius, "the radius");
                          check.Magnitude(s.length, "the length");
                        },
                        [&](const Cone& s) {
                          check.Magnitude(s.radius, "the radius");
                          check.Magnitude(s.length, "the length");
                        },
                        [&](const Ellipsoid& s) {
                          check.Finite(s.radii, "a radius");
                          check.Magnitude(s.radii.minCoeff(), "a radius");
                        },
                        [&](const Plane& s) {
                          check.Finite(s.normal, "the normal");
                          check.Finite(s.size, "the size of the plane");
                        },
                        [&](const Mesh& s) { check.Finite(s.scale, "the scale of the mesh"); },
                        [&](const Polyline& s) {
                          check.Magnitude(s.height, "the height");
                          for (const auto& line : s.polylines)
                            for (const Eigen::Vector2d& point : line)
                              check.Finite(point, "a point");
                        },
                        [](const NativeShape&) {}},
             shape);
}

void CheckAxisVectors(const JointKind& kind, SourceLocation where, const std::string& subject,
                      NumberChecker& check, const Reporter& report) {
  const std::vector<Vector3> axes = AxesOf(kind);
  for (const Vector3& axis : axes) {
    if (!check.Finite(axis, "the axis")) return;
    const double norm = axis.norm();
    if (norm < 1e-12) {
      report.Error("zero-axis", where, subject, "the axis is zero; write a direction");
      return;
    }
    if (std::abs(norm - 1) > 1e-6)
      report.Error("axis-not-unit", where, subject,
                   "the axis has length " + FormatNumber(norm) + ", not 1", {{"length", norm}});
  }
  if (axes.size() == 2 && axes[0].cross(axes[1]).norm() < 1e-9) {
    report.Warning("axes-parallel", where, subject,
                   "its two axes are parallel, so one of its freedoms has no effect");
  }
}

void CheckJointAxis(const JointAxis& axis, SourceLocation where, const std::string& subject,
                    NumberChecker& check, const Reporter& report) {
  for (const AxisField& field : kAxisFields) {
    if (!(axis.*field.value)) continue;
    const std::string what = "the " + std::string(field.name);
    if (field.magnitude)
      check.Magnitude(axis.*field.value, what);
    else
      check.Finite(axis.*field.value, what);
  }
  if (axis.lower && axis.upper && *axis.lower > *axis.upper) {
    report.Warning("limits-swapped", where, subject,
                   "the lower limit " + FormatNumber(*axis.lower) + " is above the upper limit " +
                       FormatNumber(*axis.upper) + "; kept as written",
                   {{"lower", *axis.lower}, {"upper", *axis.upper}});
  }
  check.Finite(axis.position_offset, "the position offset");
  if (axis.safety)
    for (const auto* v : {&axis.safety->soft_lower, &axis.safety->soft_upper,
                          &axis.safety->k_position, &axis.safety->k_velocity})
      check.Finite(*v, "a safety value");
  if (axis.calibration)
    for (const auto* v : {&axis.calibration->rising, &axis.calibration->falling,
                          &axis.calibration->reference_position})
      check.Finite(*v, "a calibration value");
}

// One visit for every kind of element.
struct ElementChecker {
  const Model& model;
  const Reporter& report;

  void operator()(const Model& whole, const Element&) const {
    if (whole.gravity)
      NumberChecker(report, {0, 0}, About("model", whole.name)).Finite(*whole.gravity, "gravity");
  }
  void operator()(const Scope& scope, const Element&) const {
    NumberChecker(report, scope.where, About("model", scope.name)).Pose(scope.X_WM, "its pose");
  }
  void operator()(const Link&, const Element&) const {}
  void operator()(const Inertial& inertial, const Element& e) const {
    CheckInertial(inertial, Named(model, e.link), report);
  }
  void operator()(const Visual& visual, const Element& e) const {
    NumberChecker check(report, visual.where,
                        Named(model, e.link) + ", visual '" + visual.name + "'");
    check.Pose(visual.X_LG, "its pose");
    CheckShape(visual.shape, check);
    check.Finite(visual.transparency, "the transparency");
    if (!visual.material) return;
    for (const auto* color : {&visual.material->diffuse, &visual.material->ambient,
                              &visual.material->specular, &visual.material->emissive}) {
      if (*color) check.Finite(**color, "a colour");
    }
  }
  void operator()(const Material&, const Element&) const {}  // with its visual
  void operator()(const Collision& collision, const Element& e) const {
    NumberChecker check(report, collision.where,
                        Named(model, e.link) + ", collision '" + collision.name + "'");
    check.Pose(collision.X_LG, "its pose");
    CheckShape(collision.shape, check);
    for (const auto* mu : {&collision.mu, &collision.mu2, &collision.torsional, &collision.rolling})
      check.Finite(*mu, "a friction coefficient");
  }
  void operator()(const Joint& joint, const Element& e) const {
    const std::string subject = Named(model, e.joint);
    NumberChecker check(report, joint.where, subject);
    check.Pose(joint.X_PF, "its frame on the predecessor");
    check.Pose(joint.X_SM, "its frame on the successor");
    CheckAxisVectors(joint.kind, joint.where, subject, check, report);
    if (const auto* screw = std::get_if<Screw>(&joint.kind))
      check.Divisor(screw->pitch, "the pitch");
    for (const JointAxis& axis : joint.axes)
      CheckJointAxis(axis, joint.where, subject, check, report);
    if (joint.axes.size() != static_cast<std::size_t>(NumAxes(joint.kind))) {
      report.Error("axis-count", joint.where, subject,
                   "the joint has data for " + std::to_string(joint.axes.size()) +
                       " axes, its kind " + std::string(KindName(joint.kind)) + " has " +
                       std::to_string(NumAxes(joint.kind)));
    }
  }
  void operator()(const Coupling& coupling, const Element& e) const {
    NumberChecker check(report, coupling.where, Named(coupling, e.number - 1));
    check.Finite(coupling.constant, "the constant");
    check.Divisor(coupling.ratio, "the ratio");
    for (const CouplingTerm& term : coupling.terms) {
      check.Divisor(term.coefficients[0], "a coefficient");
      for (const double c : term.coefficients) check.Finite(c, "a coefficient");
    }
  }
  void operator()(const Frame& frame, const Element&) const {
    NumberChecker(report, frame.where, About("frame", frame.name)).Pose(frame.X_LF, "its pose");
  }
  void operator()(const Sensor& sensor, const Element&) const {
    NumberChecker(report, sensor.where, About("sensor", sensor.name)).Pose(sensor.X_LS, "its pose");
  }
  void operator()(const Actuator& actuator, const Element&) const {
    NumberChecker check(report, actuator.where, About("actuator", actuator.name));
    check.Finite(actuator.gear, "the gear");
    check.Finite(actuator.effort_lower, "the lower effort limit");
    check.Finite(actuator.effort_upper, "the upper effort limit");
  }
  void operator()(const ContactExclusion&, const Element&) const {}
};

}  // namespace

std::string Named(const Model& model, LinkId id) { return About("link", model.link(id).name); }

std::string Named(const Model& model, JointId id) {
  return About(model.joint(id).role == JointRole::kLoop ? "loop joint" : "joint",
               model.joint(id).name);
}

std::string Named(const Coupling& coupling, std::size_t index) {
  return coupling.name.empty() ? "coupling " + std::to_string(index + 1)
                               : About("coupling", coupling.name);
}

void ValidateNumbers(const Model& model, const Reporter& report) {
  ForEachElement(model, ElementChecker{model, report});
}

}  // namespace kinemorph
