// Pass `native_data`: content of one format stays with that format.
#include <algorithm>
#include <cmath>

#include "edit/actuation.h"
#include "edit/model_edit.h"
#include "edit/native_text.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/native_weight.h"
#include "lower/drives.h"
#include "lower/passes.h"
#include "lower/sensors.h"

namespace kinemorph {
namespace {

// Every element of the source that the model keeps as text belongs to a family of formats. The
// writer of that family puts it back; for others it is lost here, each with its weight: what it
// means to the motion, to looks or to interfaces. Only URDF takes a second family, SDFormat's, in
// <gazebo> blocks (`has_blocks`).
class Sweep {
 public:
  Sweep(Model& model, const DropNativeData& asked, PassContext& context)
      : model_(model),
        asked_(asked),
        context_(context),
        computes_inertia_(context.Of(Feature::kUnknownMass).pass == "unknown_masses") {}

  void Run() {
    // What a model of the second family says of itself goes where that family's blocks of the whole
    // robot go.
    for (Scope& scope : model_.scopes) {
      if (scope.is_world) continue;
      for (const NativeData& data : scope.native)
        if (InBlock(data)) model_.native.push_back(data);
      std::erase_if(scope.native, [&](const NativeData& data) { return InBlock(data); });
    }
    Clean(model_.native, SubjectOf(model_), true);
    for (Scope& scope : model_.scopes) Clean(scope.native, SubjectOf(scope));
    for (std::uint32_t v = 0; v < model_.num_links(); ++v) CleanLink(model_.link(LinkId{v}));
    for (const JointId id : Joints(model_)) {
      joint_ = &model_.joint(id);
      Clean(model_.joint(id).native, SubjectOf(model_.joint(id)), true);
    }
    joint_ = nullptr;
    for (Coupling& c : model_.couplings) Clean(c.native, SubjectOf(model_, c));
    for (Frame& f : model_.frames) Clean(f.native, SubjectOf(f));
    // Sensors both formats have words for are translated first; the sweep takes the rest.
    TranslateSensors(model_, Blocks(), context_);
    CleanSensors();
    TranslateDrives(model_, Blocks(), asked_.drives == DriveRule::kOwn, context_);
    CleanActuators();
  }

  // What a drive of another format allows is the limit of its joint.
  void KeepEfforts() {
    if (model_.actuators.empty() || context_.Lost(Feature::kEffortLimit)) return;
    const std::vector<std::optional<double>> efforts = EffortsOfDrives(model_);
    for (const Actuator& drive : model_.actuators) {
      if (drive.joint == kNoJoint || !Foreign(drive.native)) continue;
      Joint& joint = model_.joint(drive.joint);
      if (joint.axes.size() != 1 || NumVelocities(joint.kind) != 1) continue;
      const bool unlimited =
          joint.role == JointRole::kLoop && context_.Lost(Feature::kLoopAxisData);
      const std::optional<double>& said = joint.axes[0].effort;
      const std::optional<double> effort = efforts[Index(drive.joint)];
      // Where efforts are those of drives, a spring takes the one of its joint.
      const bool spring = context_.Of(Feature::kEffortLimit).pass == LowerDrives::kName &&
                          joint.axes[0].spring_stiffness.value_or(0) != 0;
      if (effort && !spring && !unlimited && *effort < said.value_or(HUGE_VAL))
        ChangeEffort(model_, joint, *effort, "the drives of the joint allow that effort together",
                     context_);
      else if (!said && (drive.effort_lower || drive.effort_upper))
        context_.Lose(model_, Feature::kEffortLimit, SubjectOf(model_, drive),
                      "the effort limit is not written",
                      unlimited ? "the target has no limits of a loop joint"
                      : spring  ? "the only drive of the coordinate is its spring"
                                : "the target has one for all drives of a joint");
    }
  }

 private:
  bool Foreign(const NativeData& data) const {
    return data.format != context_.traits.native_format || !Refusal(data).empty();
  }

  // Why the target's writer cannot put back an item of its own family.
  std::string Refusal(const NativeData& data) const {
    const auto refuses = context_.options.target.format->refuses;
    return refuses ? refuses(model_, data, joint_, context_.options.target.options) : "";
  }

  [[nodiscard]] std::string_view Blocks() const {
    return asked_.has_blocks ? kFormatOfBlocks : std::string_view();
  }
  bool InBlock(const NativeData& data) const {
    return asked_.has_blocks && data.format == kFormatOfBlocks;
  }

  // `blocks`: the place takes content of a second family too.
  void Clean(std::vector<NativeData>& list, const Subject& owner, bool blocks = false) {
    std::erase_if(list, [&](NativeData& data) {
      if (!Foreign(data) || (blocks && InBlock(data) && Refusal(data).empty())) return false;
      if (data.idle) {  // an exporter's axis of a fixed joint: nothing is lost with it
        context_.Lowered(SubjectOf(data, owner),
                         ContentText(data) + " is not written: " + TagsText(data) +
                             (data.element == "plugin" ? ": what it makes is written by itself"
                                                       : ": without effect at this place"));
        return true;
      }
      const NativeElement taken = PartOf(data, owner);
      NativeData rest = data;
      std::erase_if(rest.content.attributes, [&](const auto& attribute) {
        return taken.Attribute(attribute.first) != nullptr;
      });
      const bool whole = rest.content.attributes.empty() && rest.content.children.empty() &&
                         rest.content.text.empty();
      if (taken.attributes.empty() || !whole) LoseContent(rest, owner);
      data.content = taken;
      return taken.attributes.empty();
    });
  }

  // What of another family's content the target has words for too.
  NativeElement PartOf(const NativeData& data, const Subject& owner) const {
    const Format& target = *context_.options.target.format;
    if (target.takes == nullptr) return {};
    return target.takes(data, owner.kind, context_.options.target.options);
  }

  void LoseContent(const NativeData& data, const Subject& owner) {
    Loss& loss = context_.Lose(model_, Feature::kNativeData, SubjectOf(data, owner),
                               ContentText(data) + " is not written", Why(data));
    // The joint that a weld makes is there; its topics are not.
    loss.weight = IsWeldPlugin(data) ? Weight::kInterface : WeightOfContent(data, owner.kind);
    loss.content = NamesOfContent(data, owner.kind);
  }

  // As the table says, with the names of what it is about.
  std::string Why(const NativeData& data) const {
    if (data.format.empty() && data.element == kTextBetween)
      return "the target does not know this content";
    if (data.format.empty())
      return "kinemorph did not read this content, so its bodies are missing";
    if (const std::string refusal = Refusal(data); !refusal.empty()) return refusal;
    return TagsText(data) + ": " +
           (InBlock(data)
                ? "the target has blocks of that format only for links, joints and the model itself"
                : "only a target of the same format as the source keeps this");
  }

  template <class Part>
  void CleanParts(std::vector<Part>& parts, const Link& link, bool blocks) {
    std::erase_if(parts, [&](Part& part) {
      const auto* native = std::get_if<NativeShape>(&part.shape);
      if (native == nullptr && part.native.empty()) return false;
      const Subject element = SubjectOf(link, part);
      Clean(part.native, element, blocks);
      if (native == nullptr || !Foreign(native->data)) return false;
      context_.Lose(model_, Feature::kShapeNative, element,
                    "shape '" + native->type + "' is not written");
      return true;
    });
  }

  void CleanLink(Link& link) {
    const Subject element = SubjectOf(link);
    const bool in_parts = asked_.has_blocks;
    Clean(link.native, element, true);
    const std::string_view family = context_.traits.native_format;
    if (link.inertial && !(computes_inertia_ && IsComputed(*link.inertial, family)))
      ForgetComputedInertia(link);  // its numbers are written
    if (link.inertial) Clean(link.inertial->native, element);
    CleanParts(link.visuals, link, in_parts);
    CleanParts(link.collisions, link, in_parts);
    for (Visual& visual : link.visuals)
      if (visual.material)
        Clean(visual.material->native, MaterialOf(SubjectOf(link, visual)), in_parts);
  }

  void CleanSensors() {
    std::erase_if(model_.sensors, [&](const Sensor& s) {
      if (!Foreign(s.native) || (InBlock(s.native) && (s.link != kNoLink || s.joint != kNoJoint)))
        return false;
      context_.Lose(
          model_, Feature::kSensor, SubjectOf(model_, s),
          "sensor" + (s.type.empty() ? "" : " of type '" + s.type + "'") + " is not written",
          Why(s.native));
      return true;
    });
  }

  void CleanActuators() {
    const std::vector<bool> crowded = Crowded();
    std::size_t at = 0;
    std::erase_if(model_.actuators, [&](const Actuator& a) {
      const bool is_crowded = crowded[at++];
      if (!Foreign(a.native) || InBlock(a.native)) return false;
      // A drive is more than its control law: where the target has drives, or motors on request,
      // that much stays.
      const bool fits = a.joint != kNoJoint && (asked_.drives == DriveRule::kOnJoints
                                                    ? NumVelocities(model_.joint(a.joint).kind) > 0
                                                    : CanBeMotor(a));
      const bool kept = fits && !is_crowded;
      if (kept && !IsServo(a) && (a.native.content.empty() || a.kind == DriveKind::kEffort)) {
        LoseBeyondFields(model_, a, context_);
        return false;  // nothing but a drive was said
      }
      context_.Lose(model_, DriveFeature(a), SubjectOf(model_, a),
                    "actuator" + (a.type.empty() ? "" : " of type '" + a.type + "'") +
                        (kept ? ": its control law is not written, but the drive and its gear are"
                              : " is not written"),
                    fits && !kept
                        ? "the target has one drive for a joint, and another one is written"
                    : a.joint == kNoJoint && asked_.drives == DriveRule::kOnJoints
                        ? "the target has drives on joints only"
                        : "");
      return !kept;
    });
  }

  // By actuator: the target has one drive for its joint, and another one is that. The target's own
  // come first, then those of which nothing but a gear is to be said.
  [[nodiscard]] std::vector<bool> Crowded() const {
    std::vector<bool> crowded(model_.actuators.size(), false);
    if (!context_.options.target.format->drives.one_a_joint) return crowded;
    const auto rank = [&](const Actuator& a) {
      return !Foreign(a.native) ? 0 : a.kind == DriveKind::kEffort ? 1 : 2;
    };
    std::vector<std::optional<std::size_t>> drive_of(model_.num_joints());
    for (std::size_t a = 0; a < model_.actuators.size(); ++a) {
      const JointId id = model_.actuators[a].joint;
      if (id == kNoJoint) continue;
      std::optional<std::size_t>& kept = drive_of[Index(id)];
      const bool first = !kept || rank(model_.actuators[a]) < rank(model_.actuators[*kept]);
      if (kept) crowded[first ? *kept : a] = true;
      if (first) kept = a;
    }
    return crowded;
  }

  [[nodiscard]] bool CanBeMotor(const Actuator& a) const {
    const Joint& joint = model_.joint(a.joint);
    return asked_.drives == DriveRule::kAsMotors && context_.options.motors && a.gear != 0 &&
           joint.role != JointRole::kLoop && NumVelocities(joint.kind) == 1;
  }

  Model& model_;
  const DropNativeData& asked_;
  PassContext& context_;
  const bool computes_inertia_;   // of shapes, as the source has it
  const Joint* joint_ = nullptr;  // whose content is looked at
};

}  // namespace

void DropNativeData::operator()(Model& model, PassContext& context) const {
  if (!context.options.gains.empty() && !GiveGains(model, context)) return;
  Sweep sweep(model, *this, context);
  sweep.KeepEfforts();
  if (context.HasWork(model)) sweep.Run();
}

}  // namespace kinemorph
