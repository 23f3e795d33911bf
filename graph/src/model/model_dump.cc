// One fact per line, indented by owner, references by name; no line numbers and no file names, so
// that equal models give equal text.
#include "kinemorph/graph/model/model_dump.h"

#include "base/quoted.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/model/axis_fields.h"

namespace kinemorph {
namespace {

std::string Number(double value) { return FormatNumber(value); }

template <class Derived>
std::string Numbers(const Eigen::MatrixBase<Derived>& values) {
  std::string out;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    out += (i > 0 ? " " : "") + FormatNumber(values[i]);
  return out;
}

// xyz, then rpy where there is a rotation.
std::string Pose(const RigidTransform& X) {
  std::string out = Numbers(X.p);
  if (X.R != Matrix3::Identity()) out += " rpy " + Numbers(RpyFromRotation(X.R));
  return out;
}

std::string ShapeText(const Shape& shape) {
  return std::visit(
      Overloaded{[](const Box& s) { return "box " + Numbers(s.size); },
                 [](const Sphere& s) { return "sphere " + Number(s.radius); },
                 [](const Cylinder& s) {
                   return "cylinder radius " + Number(s.radius) + " length " + Number(s.length);
                 },
                 [](const Capsule& s) {
                   return "capsule radius " + Number(s.radius) + " length " + Number(s.length);
                 },
                 [](const Cone& s) {
                   return "cone radius " + Number(s.radius) + " length " + Number(s.length);
                 },
                 [](const Ellipsoid& s) { return "ellipsoid " + Numbers(s.radii); },
                 [](const Plane& s) {
                   return "plane normal " + Numbers(s.normal) + " size " + Numbers(s.size);
                 },
                 [](const Mesh& s) {
                   std::string out = "mesh " + Quoted(s.uri);
                   if (!s.name.empty()) out += " name " + Quoted(s.name);
                   if (s.scale != Vector3::Ones()) out += " scale " + Numbers(s.scale);
                   if (s.submesh) out += " submesh " + Quoted(*s.submesh);
                   if (s.center_submesh) out += " centered";
                   return out;
                 },
                 [](const Polyline& s) {
                   std::string out = "polyline height " + Number(s.height);
                   for (const auto& line : s.polylines) {
                     out += " line";
                     for (const Eigen::Vector2d& point : line) out += " (" + Numbers(point) + ")";
                   }
                   return out;
                 },
                 [](const NativeShape& s) { return "native " + Quoted(s.type); }},
      shape);
}

std::string KindText(const JointKind& kind) {
  std::string out(KindName(kind));
  for (const Vector3& axis : AxesOf(kind)) out += " axis " + Numbers(axis);
  if (const auto* screw = std::get_if<Screw>(&kind)) out += " pitch " + Number(screw->pitch);
  return out;
}

class Dump {
 public:
  explicit Dump(const Model& model) : model_(model) {}

  std::string Run() {
    Head();
    for (std::uint32_t i = 0; i < model_.num_links(); ++i) OneLink(LinkId{i});
    for (const JointId id : Joints(model_)) OneJoint(id);
    for (const Coupling& coupling : model_.couplings) OneCoupling(coupling);
    Attachments();
    return std::move(out_);
  }

 private:
  void Line(int depth, const std::string& text) {
    out_.append(static_cast<std::size_t>(2 * depth), ' ');
    out_ += text;
    out_ += '\n';
  }
  void Optional(int depth, std::string_view what, const std::optional<double>& value) {
    if (value) Line(depth, std::string(what) + " " + Number(*value));
  }
  static std::string YesNo(const char* what, const std::optional<bool>& value) {
    return value ? what + std::string(*value ? " yes" : " no") : "";
  }
  void Native(int depth, const std::vector<NativeData>& native) {
    for (const NativeData& data : native)
      Line(depth, "native " + data.format + " " + Quoted(data.element));
  }
  [[nodiscard]] std::string Of(LinkId id) const {
    return id == kNoLink ? "-" : id == kWorld ? "world" : Quoted(model_.link(id).name);
  }
  [[nodiscard]] std::string Of(JointId id) const {
    return id == kNoJoint ? "-" : Quoted(model_.joint(id).name);
  }
  void ScopeLine(int depth, ScopeId id) {
    if (id != kNoScope) Line(depth, "scope " + std::to_string(Index(id)));
  }

  void Head();
  void OneLink(LinkId id);
  void OneMaterial(const Material& material);
  void OneJoint(JointId id);
  void OneAxis(std::size_t i, const JointAxis& axis);
  void OneCoupling(const Coupling& coupling);
  void Attachments();

  const Model& model_;
  std::string out_;
};

void Dump::Head() {
  Line(0, "model " + Quoted(model_.name));
  Line(1, "format " + Quoted(model_.format) +
              (model_.format_version.empty() ? "" : " version " + Quoted(model_.format_version)));
  if (model_.gravity) Line(1, "gravity " + Numbers(*model_.gravity));
  Native(1, model_.native);
  for (std::size_t i = 0; i < model_.scopes.size(); ++i) {
    const Scope& scope = model_.scopes[i];
    Line(0, "scope " + std::to_string(i) + " " + Quoted(scope.name) +
                (scope.is_world ? " world" : "") + (scope.is_static ? " static" : "") +
                YesNo(" self-collide", scope.self_collide));
    if (scope.parent != kNoScope) Line(1, "parent " + std::to_string(Index(scope.parent)));
    if (!scope.X_WM.IsExactlyIdentity()) Line(1, "pose " + Pose(scope.X_WM));
    if (scope.canonical_link) Line(1, "canonical " + Of(*scope.canonical_link));
    Native(1, scope.native);
  }
}

void Dump::OneLink(LinkId id) {
  const Link& link = model_.link(id);
  const bool bare =
      !link.inertial && link.visuals.empty() && link.collisions.empty() && link.native.empty();
  if (id == kWorld && bare) return;
  Line(0, "link " + Of(id) + (link.synthetic ? " synthetic" : "") +
              YesNo(" gravity", link.gravity) + YesNo(" self-collide", link.self_collide));
  ScopeLine(1, link.scope);
  if (link.inertial) {
    const Inertial& inertial = *link.inertial;
    const Matrix3& I = inertial.I_I;
    Line(1, "mass " + Number(inertial.mass));
    Line(2, "frame " + Pose(inertial.X_LI));
    Line(2, "xx " + Number(I(0, 0)) + " yy " + Number(I(1, 1)) + " zz " + Number(I(2, 2)) + " xy " +
                Number(I(0, 1)) + " xz " + Number(I(0, 2)) + " yz " + Number(I(1, 2)));
    if (!inertial.unknown.empty()) Line(2, "unknown " + Quoted(inertial.unknown));
    Native(2, inertial.native);
  }
  for (const Visual& visual : link.visuals) {
    Line(1, "visual " + Quoted(visual.name));
    Line(2, "frame " + Pose(visual.X_LG));
    Line(2, ShapeText(visual.shape));
    if (visual.material) OneMaterial(*visual.material);
    Optional(2, "transparency", visual.transparency);
    Native(2, visual.native);
  }
  for (const Collision& collision : link.collisions) {
    Line(1, "collision " + Quoted(collision.name));
    Line(2, "frame " + Pose(collision.X_LG));
    Line(2, ShapeText(collision.shape));
    Optional(2, "mu", collision.mu);
    Optional(2, "mu2", collision.mu2);
    Optional(2, "torsional", collision.torsional);
    Optional(2, "rolling", collision.rolling);
    if (const auto& mask = collision.contact_mask)
      Line(2, "contact-mask " + std::to_string(mask->type) + " " + std::to_string(mask->affinity));
    Native(2, collision.native);
  }
  Native(1, link.native);
}

void Dump::OneMaterial(const Material& material) {
  Line(2, "material " + Quoted(material.name));
  if (material.diffuse) Line(3, "diffuse " + Numbers(*material.diffuse));
  if (material.ambient) Line(3, "ambient " + Numbers(*material.ambient));
  if (material.specular) Line(3, "specular " + Numbers(*material.specular));
  if (material.emissive) Line(3, "emissive " + Numbers(*material.emissive));
  if (material.texture) Line(3, "texture " + Quoted(*material.texture));
  Native(3, material.native);
}

void Dump::OneJoint(JointId id) {
  const Joint& joint = model_.joint(id);
  const char* role = joint.role == JointRole::kTree   ? "tree"
                     : joint.role == JointRole::kLoop ? "loop"
                                                      : "undecided";
  Line(0, "joint " + Of(id) + " " + Of(model_.predecessor(id)) + " -> " + Of(model_.successor(id)));
  Line(1, KindText(joint.kind));
  Line(1, std::string(role) + (joint.implicit ? " implicit" : "") +
              (joint.cut_hint ? " cut-hint" : "") +
              (joint.independent ? *joint.independent ? " independent" : " dependent" : "") +
              (joint.commanded ? " commanded" : ""));
  ScopeLine(1, joint.scope);
  if (!joint.native_type.empty()) Line(1, "native-type " + Quoted(joint.native_type));
  Line(1, "on-predecessor " + Pose(joint.X_PF));
  if (!joint.X_SM.IsExactlyIdentity()) Line(1, "on-successor " + Pose(joint.X_SM));
  for (std::size_t i = 0; i < joint.axes.size(); ++i) OneAxis(i, joint.axes[i]);
  Native(1, joint.native);
}

void Dump::OneAxis(std::size_t i, const JointAxis& a) {
  const std::size_t before = out_.size();
  Line(1, "coordinate " + std::to_string(i));
  const std::size_t head = out_.size();
  for (const AxisField& field : kAxisFields) Optional(2, field.key, a.*field.value);
  if (a.position_offset != 0) Line(2, "position_offset " + Number(a.position_offset));
  if (a.safety) {
    Line(2, "safety");
    Optional(3, "soft-lower", a.safety->soft_lower);
    Optional(3, "soft-upper", a.safety->soft_upper);
    Optional(3, "k-position", a.safety->k_position);
    Optional(3, "k-velocity", a.safety->k_velocity);
  }
  if (a.calibration) {
    Line(2, "calibration");
    Optional(3, "rising", a.calibration->rising);
    Optional(3, "falling", a.calibration->falling);
    Optional(3, "reference-position", a.calibration->reference_position);
  }
  if (out_.size() == head) out_.resize(before);  // nothing is said of this coordinate
}

void Dump::OneCoupling(const Coupling& coupling) {
  Line(0, "coupling " + Quoted(coupling.name) + " " + std::string(Name(coupling.form)));
  if (!coupling.native_type.empty()) Line(1, "native-type " + Quoted(coupling.native_type));
  if (coupling.predecessor != kNoLink || coupling.successor != kNoLink) {
    Line(1, "links " + Of(coupling.predecessor) + " -> " + Of(coupling.successor) +
                (coupling.reference != kNoLink ? " reference " + Of(coupling.reference) : "") +
                " ratio " + Number(coupling.ratio));
  }
  for (const CouplingTerm& term : coupling.terms) {
    std::string text =
        "term " + Of(term.coordinate.joint) + " " + std::to_string(term.coordinate.axis) + ":";
    std::size_t last = 3;
    while (last > 0 && term.coefficients[last] == 0) --last;
    for (std::size_t k = 0; k <= last; ++k) text += " " + Number(term.coefficients[k]);
    Line(1, text);
  }
  if (coupling.constant != 0) Line(1, "constant " + Number(coupling.constant));
  Native(1, coupling.native);
}

void Dump::Attachments() {
  for (const Frame& frame : model_.frames) {
    Line(0, "frame " + Quoted(frame.name) + " on " + Of(frame.link) + " at " + Pose(frame.X_LF));
    ScopeLine(1, frame.scope);
    if (!frame.native_type.empty()) Line(1, "native-type " + Quoted(frame.native_type));
    Native(1, frame.native);
  }
  for (const Sensor& sensor : model_.sensors) {
    const std::string owner = sensor.joint != kNoJoint
                                  ? " on joint " + Of(sensor.joint)
                                  : " on " + Of(sensor.link) + " at " + Pose(sensor.X_LS);
    Line(0, "sensor " + Quoted(sensor.name) + " " + Quoted(sensor.type) + owner);
  }
  for (const Actuator& actuator : model_.actuators) {
    Line(0, "actuator " + Quoted(actuator.name) + " " + Quoted(actuator.type) + " on " +
                Of(actuator.joint));
    if (actuator.gear != 1) Line(1, "gear " + Number(actuator.gear));
    Optional(1, "effort-lower", actuator.effort_lower);
    Optional(1, "effort-upper", actuator.effort_upper);
  }
  for (const ContactExclusion& pair : model_.contact_exclusions)
    Line(0, "no-contact " + Of(pair.a) + " " + Of(pair.b));
  for (const ContactPair& pair : model_.contact_pairs)
    Line(0, "contact " + Of(pair.a) + " " + Of(pair.b));
}

}  // namespace

std::string DumpModel(const Model& model) { return Dump(model).Run(); }

}  // namespace kinemorph
