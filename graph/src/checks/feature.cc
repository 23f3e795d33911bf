// Finds every use of every feature, in one walk over the model.
#include "kinemorph/graph/checks/feature.h"

#include <array>
#include <unordered_map>

#include "checks/inertia_check.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/axis_fields.h"

namespace kinemorph {
namespace {

// In the order of kAxisFields.
struct AxisFeature {
  std::optional<double> JointAxis::*value;
  Feature feature, unit;
};
using enum Feature;
constexpr std::array<AxisFeature, kAxisFields.size()> kAxisFeatures = {{
    {&JointAxis::lower, kPositionLimit, kPositionLimit},
    {&JointAxis::upper, kPositionLimit, kPositionLimit},
    {&JointAxis::effort, kEffortLimit, kEffortLimit},
    {&JointAxis::effort_lower, kEffortLimit, kEffortLimit},
    {&JointAxis::velocity, kVelocityLimit, kVelocityLimit},
    {&JointAxis::acceleration, kAccelerationLimit, kAccelerationLimit},
    {&JointAxis::deceleration, kAccelerationLimit, kAccelerationLimit},
    {&JointAxis::jerk, kJerkLimit, kJerkLimit},
    {&JointAxis::damping, kDamping, kDamping},
    {&JointAxis::friction, kFriction, kFriction},
    {&JointAxis::spring_stiffness, kSpring, kSpring},
    {&JointAxis::spring_reference, kSpring, kPositionLimit},
    {&JointAxis::armature, kArmature, kArmature},
    {&JointAxis::limit_stiffness, kLimitCompliance, kSpring},
    {&JointAxis::limit_dissipation, kLimitCompliance, kDamping},
    {&JointAxis::initial_position, kInitialPosition, kPositionLimit},
}};
constexpr bool IsInOrder() {
  for (std::size_t i = 0; i < kAxisFields.size(); ++i)
    if (kAxisFeatures[i].value != kAxisFields[i].value) return false;
  return true;
}
static_assert(IsInOrder());

const AxisFeature& RowOf(const AxisField& field) {
  return kAxisFeatures[static_cast<std::size_t>(&field - kAxisFields.data())];
}

// The element that uses a feature. It is named only where a use of it is asked for.
struct Element {
  SubjectKind kind;
  std::string_view name;
  SourceLocation where;
  LinkId link = kNoLink;
  JointId joint = kNoJoint;
  std::size_t number = 0;          // of a nameless one, from 1
  const Element* owner = nullptr;  // "visual 'v' of link 'l'"
};

class FeatureWalk {
 public:
  FeatureWalk(const Model& model, const FeatureSet& of)
      : model_(model), of_(of), tree_(ChooseSpanningTree(model)) {
    Run();
  }

  [[nodiscard]] const FeatureSet& present() const { return present_; }
  [[nodiscard]] std::vector<FeatureUse> uses() && {
    std::vector<FeatureUse> all;
    for (std::vector<FeatureUse>& part : uses_)
      for (FeatureUse& use : part) all.push_back(std::move(use));
    return all;
  }

 private:
  void Run() {
    WalkModel();
    for (std::uint32_t i = 0; i < model_.num_links(); ++i) WalkLink(LinkId{i});
    for (const JointId id : Joints(model_)) WalkJoint(id);
    for (std::size_t i = 0; i < model_.couplings.size(); ++i) WalkCoupling(model_.couplings[i], i);
    WalkAttachments();
    WalkNames();
  }
  void Use(Feature feature, const Element& e) {
    Add(feature, e, [&] { return Named(e); });
  }
  template <class Name>
  void Add(Feature feature, const Element& e, const Name& subject) {
    present_.set(Position(feature));
    if (of_[Position(feature)])
      uses_[Position(feature)].push_back({feature, subject(), e.link, e.joint});
  }
  Subject Named(const Element& e) const {
    Subject subject{e.kind, std::string(e.name), {}, {}, e.where};
    if (e.link != kNoLink && e.joint == kNoJoint) subject.link = model_.link(e.link).name;
    if (e.joint != kNoJoint) subject.joint = model_.joint(e.joint).name;
    if (e.owner != nullptr) subject.of = Text(Named(*e.owner));
    if (e.name.empty()) subject.number = e.number;
    return subject;
  }
  void UseIf(bool used, Feature feature, const Element& e) {
    if (used) Use(feature, e);
  }
  void UseNative(const std::vector<NativeData>& native, const Element& owner) {
    for (const NativeData& data : native) {
      Add(Feature::kNativeData, owner, [&] { return SubjectOf(data, Named(owner)); });
    }
  }

  void WalkModel();
  void WalkLink(LinkId id);
  void WalkShape(const Shape& shape, const Element& e);
  void WalkMaterial(const Material& material, const Element& e);
  void WalkJoint(JointId id);
  void WalkTreeJoint(const Joint& joint, bool reversed, const Element& e);
  void WalkLoopJoint(JointId id, const Element& e);
  void WalkAxes(const Joint& joint, bool loop, const Element& e);
  void WalkCoupling(const Coupling& coupling, std::size_t index);
  void WalkAttachments();
  void WalkNames();

  const Model& model_;
  const FeatureSet& of_;
  const SpanningTree tree_;
  FeatureSet present_;
  std::array<std::vector<FeatureUse>, static_cast<std::size_t>(Feature::kCount)> uses_;
};

void FeatureWalk::WalkModel() {
  const Element whole{SubjectKind::kModel, model_.name, {}};
  UseIf(model_.gravity.has_value(), Feature::kGravity, whole);
  UseNative(model_.native, whole);
  const auto is_top = [&](const Scope& s) {
    return !s.is_world && (s.parent == kNoScope || model_.scopes[Index(s.parent)].is_world);
  };
  std::size_t tops = 0;
  for (const Scope& scope : model_.scopes) tops += is_top(scope) ? 1 : 0;
  for (const Scope& scope : model_.scopes) {
    const Element e{scope.is_world ? SubjectKind::kWorldModel : SubjectKind::kModel, scope.name,
                    scope.where};
    UseIf(tops > 1 && is_top(scope), Feature::kSeveralModels, e);
    UseIf(!scope.is_world && !is_top(scope), Feature::kNestedModel, e);
    UseIf(scope.is_static, Feature::kStaticModel, e);
    UseIf(scope.self_collide.has_value(), Feature::kSelfCollision, e);
    UseNative(scope.native, e);
  }
}

void FeatureWalk::WalkLink(LinkId id) {
  const Link& link = model_.link(id);
  const Element e{SubjectKind::kLink, link.name, link.where, id};
  if (id != kWorld)
    UseIf(!link.synthetic && (!link.inertial || link.inertial->mass == 0), Feature::kMasslessLink,
          e);
  if (link.inertial) {
    const Inertial& inertial = *link.inertial;
    Element at = e;
    if (inertial.where.line > 0) at.where = inertial.where;
    UseIf(inertial.X_LI.R != Matrix3::Identity(), Feature::kRotatedInertia, at);
    Vector3 moments;
    const bool body = inertial.I_I.allFinite() && inertial.mass >= 0 &&
                      (inertial.mass > 0 || inertial.I_I.isZero(0)) &&
                      CheckInertia(inertial.I_I, moments) == InertiaFault::kNone;
    UseIf(!body, Feature::kUnphysicalInertia, at);
    UseIf(!inertial.unknown.empty(), Feature::kUnknownMass, at);
    UseNative(inertial.native, at);
  }
  const auto part = [&](SubjectKind what, const std::string& name, std::size_t i,
                        SourceLocation where) {
    return Element{what, name, where.line > 0 ? where : link.where, id, kNoJoint, i + 1, &e};
  };
  for (std::size_t i = 0; i < link.visuals.size(); ++i) {
    const Visual& visual = link.visuals[i];
    const Element at = part(SubjectKind::kVisual, visual.name, i, visual.where);
    Use(Feature::kVisual, at);
    WalkShape(visual.shape, at);
    if (visual.material) WalkMaterial(*visual.material, at);
    UseIf(visual.transparency.value_or(0) != 0, Feature::kTransparency, at);
    UseNative(visual.native, at);
  }
  for (std::size_t i = 0; i < link.collisions.size(); ++i) {
    const Collision& collision = link.collisions[i];
    const Element at = part(SubjectKind::kCollision, collision.name, i, collision.where);
    Use(Feature::kCollision, at);
    WalkShape(collision.shape, at);
    UseIf(collision.mu || collision.mu2 || collision.torsional || collision.rolling,
          Feature::kSurfaceFriction, at);
    UseIf(collision.contact_mask.has_value(), Feature::kSelfCollision, at);
    UseNative(collision.native, at);
  }
  const bool weighs = link.inertial && link.inertial->mass > 0;
  UseIf(weighs && link.gravity == false, Feature::kLinkGravity, e);
  UseIf(link.self_collide.has_value(), Feature::kSelfCollision, e);
  UseNative(link.native, e);
}

void FeatureWalk::WalkShape(const Shape& shape, const Element& e) {
  Use(ShapeFeature(shape), e);
  if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    UseIf(mesh->scale != Vector3::Ones(), Feature::kShapeMeshScale, e);
    UseIf(mesh->submesh || mesh->center_submesh, Feature::kShapeSubmesh, e);
  }
}

void FeatureWalk::WalkMaterial(const Material& material, const Element& e) {
  UseIf(material.diffuse.has_value(), Feature::kMaterialColor, e);
  UseIf(material.texture.has_value(), Feature::kMaterialTexture, e);
  UseIf(material.ambient || material.specular || material.emissive, Feature::kMaterialLighting, e);
  UseNative(material.native, e);
}

void FeatureWalk::WalkJoint(JointId id) {
  const Joint& joint = model_.joint(id);
  const LinkId p = model_.predecessor(id), s = model_.successor(id);
  const bool loop = tree_.IsLoop(id);
  Element e{loop ? SubjectKind::kLoopJoint : SubjectKind::kJoint, joint.name, joint.where, s, id};
  if (loop) {
    WalkLoopJoint(id, e);
  } else {
    const LinkId child = tree_.parent_joint[Index(s)] == id ? s : p;
    e.link = child;
    WalkTreeJoint(joint, tree_.reversed[Index(child)], e);
  }
  const bool free = std::holds_alternative<Free>(joint.kind);
  if (p == kWorld || s == kWorld)
    Use(free && !loop ? Feature::kFloatingBase : Feature::kWorldJoint, e);
  else
    UseIf(free && !loop, Feature::kJointFree, e);
  UseIf(joint.independent.has_value(), Feature::kIndependent, e);
  WalkAxes(joint, loop, e);
  UseNative(joint.native, e);
}

void FeatureWalk::WalkTreeJoint(const Joint& joint, bool reversed, const Element& e) {
  const auto revolute = [&] {
    const bool limited = !joint.axes.empty() && (joint.axes[0].lower || joint.axes[0].upper);
    return limited ? Feature::kJointRevolute : Feature::kJointContinuous;
  };
  std::visit(Overloaded{[&](const Fixed&) { Use(Feature::kJointFixed, e); },
                        [&](const Revolute&) { Use(revolute(), e); },
                        [&](const Prismatic&) { Use(Feature::kJointPrismatic, e); },
                        [&](const Screw&) { Use(Feature::kJointScrew, e); },
                        [&](const Universal&) { Use(Feature::kJointUniversal, e); },
                        [&](const Ball&) { Use(Feature::kJointBall, e); },
                        [&](const Planar&) { Use(Feature::kJointPlanar, e); },
                        [&](const Cylindrical&) { Use(Feature::kJointCylindrical, e); },
                        [](const Free&) { /* WalkJoint: floating base, or free between links */ }},
             joint.kind);
  UseIf(reversed, Feature::kReversedJoint, e);
  UseIf(!(reversed ? joint.X_PF : joint.X_SM).IsExactlyIdentity(), Feature::kJointFrameOffset,
        e);  // on the child's side
}

void FeatureWalk::WalkLoopJoint(JointId id, const Element& e) {
  std::visit(Overloaded{[&](const Fixed&) { Use(Feature::kLoopFixed, e); },
                        [&](const Revolute&) { Use(Feature::kLoopRevolute, e); },
                        [&](const Prismatic&) { Use(Feature::kLoopPrismatic, e); },
                        [&](const Screw&) { Use(Feature::kLoopScrew, e); },
                        [&](const Universal&) { Use(Feature::kLoopUniversal, e); },
                        [&](const Ball&) { Use(Feature::kLoopBall, e); },
                        [&](const Planar&) { Use(Feature::kLoopPlanar, e); },
                        [&](const Cylindrical&) { Use(Feature::kLoopCylindrical, e); },
                        [](const Free&) { /* constrains nothing: Validate warns */ }},
             model_.joint(id).kind);
  const LinkId p = model_.predecessor(id), s = model_.successor(id),
               c = NearestCommonAncestor(tree_, p, s);
  UseIf(c == p || c == s, Feature::kLoopAncestor, e);
}

void FeatureWalk::WalkAxes(const Joint& joint, bool loop, const Element& e) {
  std::array<bool, static_cast<std::size_t>(Feature::kCount)> used{};
  const auto mark = [&](bool condition, Feature feature) {
    if (condition) used[static_cast<std::size_t>(feature)] = true;
  };
  for (const JointAxis& a : joint.axes) {
    for (const AxisField& field : kAxisFields) mark(Said(a, field).has_value(), FeatureOf(field));
    mark(a.lower.has_value() != a.upper.has_value(), Feature::kOneSidedLimit);
    mark(a.effort_lower && (!a.effort || *a.effort_lower != -*a.effort),
         Feature::kAsymmetricEffortLimit);
    mark(a.safety.has_value(), Feature::kSafety);
    mark(a.calibration.has_value(), Feature::kCalibration);
    mark(a.position_offset != 0, Feature::kPositionOffset);
  }
  bool any = false;
  for (std::size_t f = 0; f < used.size(); ++f) {
    if (!used[f]) continue;
    Use(static_cast<Feature>(f), e);
    any = true;
  }
  UseIf(loop && any, Feature::kLoopAxisData, e);
}

void FeatureWalk::WalkCoupling(const Coupling& coupling, std::size_t index) {
  Element e{SubjectKind::kCoupling, coupling.name, coupling.where,
            coupling.successor,     kNoJoint,      index + 1};
  if (!coupling.terms.empty()) e.joint = coupling.terms[0].coordinate.joint;
  Add(CouplingFeature(coupling), e, [&] {
    Subject subject = SubjectOf(model_, coupling);
    if (coupling.name.empty() && subject.joint.empty()) subject.number = e.number;
    return subject;
  });
  UseNative(coupling.native, e);
}

void FeatureWalk::WalkAttachments() {
  for (const Frame& frame : model_.frames) {
    const Element e{SubjectKind::kFrame, frame.name, frame.where, frame.link, kNoJoint};
    Use(Feature::kFrame, e);
    UseNative(frame.native, e);
  }
  for (const Sensor& sensor : model_.sensors)
    Use(Feature::kSensor,
        {SubjectKind::kSensor, sensor.name, sensor.where, sensor.link, sensor.joint});
  for (const Actuator& actuator : model_.actuators)
    Use(Feature::kActuator,
        {SubjectKind::kActuator, actuator.name, actuator.where, kNoLink, actuator.joint});
  for (const ContactExclusion& pair : model_.contact_exclusions) {
    Add(Feature::kContactExclusion, {SubjectKind::kContactExclusion, {}, pair.where, pair.a},
        [&] { return SubjectOf(model_, pair); });
  }
}

// SDFormat keeps links, joints and frames in one namespace; an element whose name an earlier kind
// has already taken is a clash.
void FeatureWalk::WalkNames() {
  std::unordered_map<std::string_view, int> owner;  // name -> kind
  const auto take = [&](const std::string& name, int kind, const Element& e) {
    if (name.empty()) return;
    const auto [first, fresh] = owner.emplace(name, kind);
    UseIf(!fresh && first->second != kind, Feature::kNameClash, e);
    const std::size_t at = name.rfind("::");
    const std::string_view own =
        at == std::string::npos ? std::string_view(name) : std::string_view(name).substr(at + 2);
    UseIf(own == "world" ||
              (own.size() >= 4 && own.substr(0, 2) == "__" && own.substr(own.size() - 2) == "__"),
          Feature::kReservedName, e);
  };
  for (const LinkId id : Links(model_))
    take(model_.link(id).name, 0,
         {SubjectKind::kLink, model_.link(id).name, model_.link(id).where, id});
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    if (!joint.implicit)
      take(joint.name, 1,
           {tree_.IsLoop(id) ? SubjectKind::kLoopJoint : SubjectKind::kJoint, joint.name,
            joint.where, kNoLink, id});
  }
  for (const Frame& frame : model_.frames)
    take(frame.name, 2, {SubjectKind::kFrame, frame.name, frame.where, frame.link, kNoJoint});
  for (std::size_t i = 0; i < model_.couplings.size(); ++i) {
    const Coupling& coupling = model_.couplings[i];
    if (coupling.form != CouplingForm::kMimic)
      take(coupling.name, 3,
           {SubjectKind::kCoupling, coupling.name, coupling.where, kNoLink, kNoJoint, i + 1});
  }
}

}  // namespace

Feature ShapeFeature(const Shape& shape) {
  return std::visit(Overloaded{[](const Box&) { return Feature::kShapeBox; },
                               [](const Sphere&) { return Feature::kShapeSphere; },
                               [](const Cylinder&) { return Feature::kShapeCylinder; },
                               [](const Capsule&) { return Feature::kShapeCapsule; },
                               [](const Cone&) { return Feature::kShapeCone; },
                               [](const Ellipsoid&) { return Feature::kShapeEllipsoid; },
                               [](const Plane&) { return Feature::kShapePlane; },
                               [](const Mesh&) { return Feature::kShapeMesh; },
                               [](const Polyline&) { return Feature::kShapePolyline; },
                               [](const NativeShape&) { return Feature::kShapeNative; }},
                    shape);
}

Feature CouplingFeature(const Coupling& coupling) {
  switch (coupling.form) {
    case CouplingForm::kMimic:
      return Feature::kCouplingMimic;
    case CouplingForm::kRatio:
      return Feature::kCouplingRatio;
    case CouplingForm::kGearbox:
      return Feature::kCouplingGearbox;
    case CouplingForm::kPolynomial:
    case CouplingForm::kTendon:
    case CouplingForm::kUser:
      break;
  }
  bool linear = true;
  for (const CouplingTerm& term : coupling.terms)
    for (std::size_t k = 1; k < 4; ++k) linear = linear && term.coefficients[k] == 0;
  return linear ? Feature::kCouplingLinear : Feature::kCouplingPolynomial;
}

std::vector<FeatureUse> FeaturesUsed(const Model& model, const FeatureSet& of) {
  return FeatureWalk(model, of).uses();
}
FeatureSet FeaturesPresent(const Model& model) { return FeatureWalk(model, {}).present(); }

Feature FeatureOf(const AxisField& field) { return RowOf(field).feature; }
Feature UnitFeatureOf(const AxisField& field) { return RowOf(field).unit; }

}  // namespace kinemorph
