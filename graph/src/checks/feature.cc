// Finds every use of every feature, in one walk over the model.
#include "kinemorph/graph/checks/feature.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "checks/inertia_check.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

using enum Feature;

// The uses of one model. Takes part in the walk over its elements.
class FeatureWalk {
 public:
  FeatureWalk(const Model& model, const FeatureSet& of)
      : model_(model), of_(of), tree_(ChooseSpanningTree(model)) {
    ForEachElement(model, [this](const auto& item, const Element& element) { Of(item, element); });
  }

  [[nodiscard]] const FeatureSet& present() const { return present_; }
  [[nodiscard]] std::vector<FeatureUse> uses() && {
    std::vector<FeatureUse> all;
    for (std::vector<FeatureUse>& part : uses_)
      for (FeatureUse& use : part) all.push_back(std::move(use));
    return all;
  }

 private:
  void Use(Feature feature, const Element& e) {
    Add(feature, e, [&] { return SubjectOf(model_, e); });
  }
  template <class Name>
  void Add(Feature feature, const Element& e, const Name& subject) {
    // A subject is made only for features that were asked for: names are copied into it.
    present_.set(Position(feature));
    if (of_[Position(feature)])
      uses_[Position(feature)].push_back({feature, subject(), e.link, e.joint});
  }
  void UseIf(bool used, Feature feature, const Element& e) {
    if (used) Use(feature, e);
  }
  // What the fields of an item say.
  void UseSaid(const FeatureSet& said, const Element& e) {
    for (const Feature feature : kFeatures) UseIf(said[Position(feature)], feature, e);
  }
  void UseNative(const std::vector<NativeData>& native, const Element& owner) {
    for (const NativeData& data : native)
      Add(kNativeData, owner, [&] { return SubjectOf(data, SubjectOf(model_, owner)); });
  }

  void Of(const Model& model, const Element& e);
  void Of(const Scope& scope, const Element& e);
  void Of(const Link& link, const Element& e);
  void Of(const Inertial& inertial, const Element& e);
  void Of(const Visual& visual, const Element& e);
  void Of(const Material& material, const Element& e);
  void Of(const Collision& collision, const Element& e);
  void Of(const Joint& joint, Element e);
  void Of(const Coupling& coupling, const Element& e);
  void Of(const Frame& frame, const Element& e) {
    Use(kFrame, e);
    Named(SubjectKind::kFrame, frame.name, e);
    UseNative(frame.native, e);
  }
  void Of(const Sensor&, const Element& e) { Use(kSensor, e); }
  void Of(const Actuator& drive, const Element& e) { Use(DriveFeature(drive), e); }
  void Of(const ContactExclusion& pair, const Element& e) {
    Add(kContactExclusion, e, [&] { return SubjectOf(model_, pair); });
  }
  void OfTreeJoint(const Joint& joint, bool reversed, const Element& e);
  void OfLoopJoint(const Joint& joint, const Element& e);
  void Named(SubjectKind kind, std::string_view name, const Element& e);
  [[nodiscard]] bool IsTop(const Scope& scope) const {
    return !scope.is_world &&
           (scope.parent == kNoScope || model_.scopes[Index(scope.parent)].is_world);
  }

  const Model& model_;
  const FeatureSet& of_;
  const SpanningTree tree_;
  FeatureSet present_;
  std::array<std::vector<FeatureUse>, kNumFeatures> uses_;
  std::unordered_map<std::string_view, SubjectKind> named_;  // the kind that took a name first
  std::ptrdiff_t tops_ = 0;                                  // models that stand in no other
};

void FeatureWalk::Of(const Model& model, const Element& e) {
  UseSaid(FeaturesSaid(model), e);
  UseNative(model.native, e);
  tops_ = std::count_if(model.scopes.begin(), model.scopes.end(),
                        [this](const Scope& scope) { return IsTop(scope); });
}

// The first outermost model is no feature: every format holds one.
void FeatureWalk::Of(const Scope& scope, const Element& e) {
  UseIf(tops_ > 1 && IsTop(scope), kSeveralModels, e);
  UseIf(!scope.is_world && !IsTop(scope), kNestedModel, e);
  UseSaid(FeaturesSaid(scope), e);
  UseNative(scope.native, e);
}

void FeatureWalk::Of(const Link& link, const Element& e) {
  const bool weighs = link.inertial && link.inertial->mass > 0;
  // A link that a reader put in to say a joint has no mass by nature: nothing of the author's is
  // lost.
  const bool massless = !link.synthetic && (!link.inertial || link.inertial->mass == 0);
  UseIf(massless && e.link != kWorld, kMasslessLink, e);
  if (e.link != kWorld) Named(SubjectKind::kLink, link.name, e);
  UseIf(weighs && link.gravity == false, kLinkGravity, e);
  UseSaid(FeaturesSaid(link), e);
  UseNative(link.native, e);
}

void FeatureWalk::Of(const Inertial& inertial, const Element& e) {
  UseIf(inertial.X_LI.R != Matrix3::Identity(), kRotatedInertia, e);
  Vector3 moments;
  const bool body = inertial.I_I.allFinite() && inertial.mass >= 0 &&
                    (inertial.mass > 0 || inertial.I_I.isZero(0)) &&
                    CheckInertia(inertial.I_I, moments) == InertiaFault::kNone;
  UseIf(!body, kUnphysicalInertia, e);
  UseSaid(FeaturesSaid(inertial), e);
  UseNative(inertial.native, e);
}

void FeatureWalk::Of(const Visual& visual, const Element& e) {
  Use(kVisual, e);
  Use(ShapeFeature(visual.shape), e);
  UseSaid(FeaturesSaid(visual), e);
  UseNative(visual.native, e);
}

void FeatureWalk::Of(const Material& material, const Element& e) {
  const Element& visual = *e.owner;
  UseSaid(FeaturesSaid(material), visual);
  UseNative(material.native, visual);
}

void FeatureWalk::Of(const Collision& collision, const Element& e) {
  Use(kCollision, e);
  Use(ShapeFeature(collision.shape), e);
  UseSaid(FeaturesSaid(collision), e);
  UseNative(collision.native, e);
}

void FeatureWalk::Of(const Joint& joint, Element e) {
  // By the tree, not by the author's role: undecided joints may have become loop joints.
  const LinkId p = model_.predecessor(e.joint), s = model_.successor(e.joint);
  const bool loop = tree_.IsLoop(e.joint), free = std::holds_alternative<Free>(joint.kind);
  e.kind = loop ? SubjectKind::kLoopJoint : SubjectKind::kJoint;
  if (loop) {
    OfLoopJoint(joint, e);
  } else {
    e.link = tree_.parent_joint[Index(s)] == e.joint ? s : p;
    OfTreeJoint(joint, tree_.reversed[Index(e.link)], e);
  }
  if (p == kWorld || s == kWorld)
    Use(free && !loop ? kFloatingBase : kWorldJoint, e);
  else
    UseIf(free && !loop, kJointFree, e);
  const FeatureSet of_axes = CoordinateFeatures(joint);
  UseSaid(FeaturesSaid(joint) | of_axes, e);
  UseIf(loop && of_axes.any(), kLoopAxisData, e);
  if (!joint.implicit) Named(SubjectKind::kJoint, joint.name, e);
  UseNative(joint.native, e);
}

// URDF has the frame of a joint on the child's frame, and children as successors; where either is
// not so a writer needs a pass that moves frames or turns the joint.
void FeatureWalk::OfTreeJoint(const Joint& joint, bool reversed, const Element& e) {
  UseIf(!std::holds_alternative<Free>(joint.kind), TreeFeature(joint), e);
  UseIf(reversed, kReversedJoint, e);
  UseIf(!(reversed ? joint.X_PF : joint.X_SM).IsExactlyIdentity(), kJointFrameOffset,
        e);  // on the child's side
}

void FeatureWalk::OfLoopJoint(const Joint& joint, const Element& e) {
  // A free one constrains nothing: Validate warns.
  UseIf(!std::holds_alternative<Free>(joint.kind), LoopFeature(joint.kind), e);
  const LinkId p = model_.predecessor(e.joint), s = model_.successor(e.joint),
               c = NearestCommonAncestor(tree_, p, s);
  UseIf(c == p || c == s, kLoopAncestor, e);
}

void FeatureWalk::Of(const Coupling& coupling, const Element& e) {
  Add(CouplingFeature(coupling), e, [&] {
    Subject subject = SubjectOf(model_, coupling);
    if (coupling.name.empty() && subject.joint.empty()) subject.number = e.number;
    return subject;
  });
  if (coupling.form != CouplingForm::kMimic) Named(SubjectKind::kCoupling, coupling.name, e);
  UseNative(coupling.native, e);
}

// SDFormat keeps links, joints, frames and couplings in one namespace; an element whose name an
// earlier kind has already taken is a clash.
void FeatureWalk::Named(SubjectKind kind, std::string_view name, const Element& e) {
  if (name.empty()) return;
  const auto [first, fresh] = named_.emplace(name, kind);
  UseIf(!fresh && first->second != kind, kNameClash, e);
  // The reserved words hold for the name in its own scope.
  const std::size_t at = name.rfind("::");
  const std::string_view own = at == std::string_view::npos ? name : name.substr(at + 2);
  UseIf(own == "world" || (own.size() >= 4 && own.starts_with("__") && own.ends_with("__")),
        kReservedName, e);
}

}  // namespace

FeatureSet CoordinateFeatures(const Joint& joint) {
  FeatureSet said;
  // What a coordinate says by its fields is in the table of fields; these two are relations of
  // fields.
  const auto mark = [&](bool condition, Feature feature) {
    if (condition) said.set(Position(feature));
  };
  for (const JointAxis& a : joint.axes) {
    said |= FeaturesSaid(a);
    mark(a.lower.has_value() != a.upper.has_value(), kOneSidedLimit);
    mark(a.effort_lower && (!a.effort || *a.effort_lower != -*a.effort), kAsymmetricEffortLimit);
  }
  return said;
}

Feature DriveFeature(const Actuator& drive) {
  if (drive.joint == kNoJoint || drive.kind == DriveKind::kOther) return kActuator;
  return IsServo(drive) ? kServo : kMotor;
}

Feature CouplingFeature(const Coupling& coupling) {
  switch (coupling.form) {
    case CouplingForm::kMimic:
      return kCouplingMimic;
    case CouplingForm::kRatio:
      return kCouplingRatio;
    case CouplingForm::kGearbox:
      return kCouplingGearbox;
    case CouplingForm::kPolynomial:
    case CouplingForm::kTendon:
    case CouplingForm::kUser:
      break;
  }
  // What is left is told apart by its terms: for a polynomial, a tendon or a user constraint it
  // only counts what a target must be able to hold.
  bool linear = true;
  for (const CouplingTerm& term : coupling.terms)
    for (std::size_t k = 1; k < 4; ++k) linear = linear && term.coefficients[k] == 0;
  return linear ? kCouplingLinear : kCouplingPolynomial;
}

std::vector<FeatureUse> FeaturesUsed(const Model& model, const FeatureSet& of) {
  return FeatureWalk(model, of).uses();
}
FeatureSet FeaturesPresent(const Model& model) { return FeatureWalk(model, {}).present(); }

}  // namespace kinemorph
