// One walk over the elements with a NumberChecker each, which goes through the table of fields: a
// new field is checked without a line here. The same walk serves two ends: what the author wrote
// (all findings), and what passes made of it before it is written (errors only, with the target's
// bound on magnitudes).
#include "checks/validate_numbers.h"

#include <cmath>

#include "checks/inertia_check.h"
#include "kinemorph/graph/checks/validate.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

// "the damping", put together where it is told.
struct What {
  std::string_view article, words;
  [[nodiscard]] std::string Text() const { return std::string(article) + std::string(words); }
};

// Checks the numbers of one element, each named; a number that is not finite is reported once per
// element.
class NumberChecker {
 public:
  NumberChecker(const Reporter& report, SourceLocation where, std::string subject)
      : report_(report), where_(where), subject_(std::move(subject)) {}

  bool Finite(double value, const What& what) {
    const std::optional<double>& greatest = report_.greatest();
    if (std::isfinite(value) && !(greatest && std::abs(value) > *greatest)) return true;
    const std::string is = what.Text() + " is " + FormatNumber(value);
    if (!reported_ && greatest)
      report_.Error("number-too-large", where_, subject_,
                    is + " in the target; kinemorph writes numbers up to " +
                        FormatNumber(*greatest) + "; give smaller numbers in the source");
    else if (!reported_)
      report_.Error("not-finite", where_, subject_, is + "; write a finite number");
    reported_ = true;
    return false;
  }
  template <class Derived>
  bool Finite(const Eigen::MatrixBase<Derived>& matrix, const What& what) {
    for (const double value : matrix.reshaped())
      if (!Finite(value, what)) return false;
    return true;
  }
  /// A number that writers divide by: of writing, its inverse is one that is written too.
  void Divisor(double value, const What& what) {
    const std::optional<double>& greatest = report_.greatest();
    if (!Finite(value, what) || !greatest || reported_) return;
    if (value == 0 || std::abs(value) >= 1 / *greatest) return;
    reported_ = true;
    report_.Error("number-too-large", where_, subject_,
                  what.Text() + " is " + FormatNumber(value) +
                      " in the target; kinemorph writes no inverse above " +
                      FormatNumber(*greatest) + "; give 0 or a larger number in the source");
  }
  void Pose(const RigidTransform& X, const What& what) {
    if (!Finite(X.p, what) || !Finite(X.R, what)) return;
    // A reflection is orthonormal as well: hence the determinant.
    if ((X.R * X.R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-6 ||
        X.R.determinant() < 0) {
      report_.Error("not-a-rotation", where_, subject_,
                    "the rotation of " + what.Text() + " is not orthonormal");
    }
  }
  /// A magnitude: negative ones are reported as a warning.
  void Magnitude(double value, const What& what) {
    if (Finite(value, what) && value < 0)
      report_.Warning(
          "negative-value", where_, subject_,
          what.Text() + " is " + FormatNumber(value) + "; the value must not be negative",
          {{"value", value}});
  }
  /// All that is said of the owner in numbers.
  template <class Owner>
  void Fields(const Owner& owner) {
    ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
      if (!field.words.empty()) Check(owner.*field.member, field.range, {"the ", field.words});
    });
  }

 private:
  // Whatever is made of numbers; coordinates of a joint are checked one by one.
  template <class Value>
  void Check(const Value& value, Range range, const What& what) {
    if constexpr (std::same_as<Value, double>) {
      if (range == Range::kMagnitude)
        Magnitude(value, what);
      else
        Finite(value, what);
    } else if constexpr (std::same_as<Value, RigidTransform>) {
      Pose(value, {"its ", what.words});
    } else if constexpr (std::same_as<Value, Shape>) {
      std::visit([this](const auto& shape) { this->Fields(shape); }, value);
    } else if constexpr (std::same_as<Value, std::array<double, 4>>) {
      Divisor(value[0], what);
      for (const double number : value) Finite(number, what);
    } else if constexpr (requires { value.minCoeff(); }) {
      if (Finite(value, what) && range == Range::kMagnitude) Magnitude(value.minCoeff(), what);
    } else if constexpr (requires { value.has_value(); }) {
      if (value) Check(*value, range, what);
    } else if constexpr (HasFields<Value>) {
      Fields(value);
    } else if constexpr (requires { value.begin(); } &&
                         !std::same_as<Value, std::vector<JointAxis>>) {
      for (const auto& each : value) Check(each, range, what);
    }
  }

  const Reporter& report_;
  SourceLocation where_;
  std::string subject_;
  bool reported_ = false;
};

void CheckInertial(const Inertial& inertial, const std::string& subject, const Reporter& report) {
  NumberChecker check(report, inertial.where, subject);
  check.Pose(inertial.X_LI, {"the ", "inertial frame"});
  if (!check.Finite(inertial.mass, {"the ", "mass"}) ||
      !check.Finite(inertial.I_I, {"the ", "inertia"}))
    return;

  // Mass without inertia is a point and common in hand-written files; the reverse is no body at
  // all.
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
  // Physics is the author's business, and was said when the source was read.
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

void CheckAxisVectors(const JointKind& kind, SourceLocation where, const std::string& subject,
                      NumberChecker& check, const Reporter& report) {
  const std::vector<Vector3> axes = AxesOf(kind);
  for (const Vector3& axis : axes) {
    if (!check.Finite(axis, {"the ", "axis"})) return;
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
  check.Fields(axis);
  if (axis.lower && axis.upper && *axis.lower > *axis.upper) {
    report.Warning("limits-swapped", where, subject,
                   "the lower limit " + FormatNumber(*axis.lower) + " is above the upper limit " +
                       FormatNumber(*axis.upper) + "; kept as written",
                   {{"lower", *axis.lower}, {"upper", *axis.upper}});
  }
  if (axis.effort && axis.effort_lower && *axis.effort_lower >= *axis.effort)
    report.Error("limits-reversed", where, subject,
                 "the lower effort limit " + FormatNumber(*axis.effort_lower) +
                     " is not below the upper effort limit " + FormatNumber(*axis.effort));
}

// One visit for every kind of element.
struct ElementChecker {
  const Model& model;
  const Reporter& report;

  void operator()(const Model& whole, const Element&) const {
    if (whole.gravity)
      NumberChecker(report, {0, 0}, About("model", whole.name))
          .Finite(*whole.gravity, {"", "gravity"});
  }
  void operator()(const Scope& scope, const Element&) const {
    NumberChecker(report, scope.where, About("model", scope.name)).Fields(scope);
  }
  void operator()(const Link&, const Element&) const {}
  void operator()(const Inertial& inertial, const Element& e) const {
    CheckInertial(inertial, Named(model, e.link), report);
  }
  void operator()(const Visual& visual, const Element& e) const {
    NumberChecker(report, visual.where, Named(model, e.link) + ", visual '" + visual.name + "'")
        .Fields(visual);
  }
  void operator()(const Material&, const Element&) const {}  // with its visual
  void operator()(const Collision& collision, const Element& e) const {
    NumberChecker(report, collision.where,
                  Named(model, e.link) + ", collision '" + collision.name + "'")
        .Fields(collision);
  }
  void operator()(const Joint& joint, const Element& e) const {
    const std::string subject = Named(model, e.joint);
    NumberChecker check(report, joint.where, subject);
    check.Fields(joint);
    CheckAxisVectors(joint.kind, joint.where, subject, check, report);
    if (const auto* screw = std::get_if<Screw>(&joint.kind))
      check.Divisor(screw->pitch, {"the ", "pitch"});
    for (const JointAxis& axis : joint.axes)
      CheckJointAxis(axis, joint.where, subject, check, report);
    // The model's own rule: a pass that changes the kind of a joint must change its axes.
    if (joint.axes.size() != static_cast<std::size_t>(NumAxes(joint.kind))) {
      report.Error("axis-count", joint.where, subject,
                   "the joint has data for " + std::to_string(joint.axes.size()) +
                       " axes, its kind " + std::string(KindName(joint.kind)) + " has " +
                       std::to_string(NumAxes(joint.kind)));
    }
  }
  void operator()(const Coupling& coupling, const Element& e) const {
    NumberChecker check(report, coupling.where, Named(coupling, e.number - 1));
    check.Divisor(coupling.ratio, {"the ", "ratio"});
    check.Fields(coupling);
  }
  // What is known by its name alone.
  template <class Item>
  void operator()(const Item& item, const Element& e) const {
    if constexpr (requires { item.name; })
      NumberChecker(report, item.where, About(Name(e.kind), item.name)).Fields(item);
  }
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
