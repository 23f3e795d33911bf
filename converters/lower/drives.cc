// Part of pass `native_data`: drives that both formats have words for.
#include "lower/drives.h"

#include <algorithm>
#include <cmath>

#include "edit/native_text.h"
#include "edit/removal.h"
#include "kinemorph/formats/drive_law.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/actuation.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

// The families of which the target takes words, its own first.
std::vector<const Format*> FormatsOf(std::string_view blocks, const PassContext& context) {
  std::vector<const Format*> all;
  for (const std::string_view family : {context.traits.native_format, blocks})
    if (const Format* const format = FormatOfFamily(family))
      if (format->drives.write != nullptr) all.push_back(format);
  return all;
}

// "a servo of positions with stiffness 4500 N m/rad, damping 450 N m s/rad".
std::string LawText(const Model& model, const Actuator& drive) {
  if (drive.kind == DriveKind::kEffort) return "a motor";
  std::string text = drive.kind == DriveKind::kPosition ? "a servo of positions with "
                                                        : "a servo of velocities with ";
  const bool angular = IsAngular(model.joint(drive.joint).kind, 0);
  std::string numbers;
  ForEachField<Actuator>([&]<class Value>(const Field<Actuator, Value>& field) {
    if constexpr (std::same_as<Value, std::optional<double>>)
      if (const auto said = Said(drive, field); said && field.units != unit::kNone)
        numbers += (numbers.empty() ? "" : ", ") + std::string(field.words) + " " +
                   WithUnit(*said, field.units, angular);
  });
  return text + numbers;
}

// `fields`: by their keys, those of the drive that go; of other content, its names.
void LoseOf(const Model& model, const Actuator& drive, const std::string& what, Weight weight,
            std::vector<std::string> content, std::vector<std::string> fields,
            PassContext& context) {
  Loss& loss =
      context.Lose(model, Feature::kNativeData, SubjectOf(drive.native, SubjectOf(model, drive)),
                   what + " is not written", "the target has no word for it");
  loss.weight = weight;
  loss.content = std::move(content);
  loss.fields = std::move(fields);
}

class DriveTranslation {
 public:
  DriveTranslation(Model& model, std::string_view blocks, bool motors, PassContext& context)
      : model_(model),
        context_(context),
        blocks_(blocks),
        motors_(motors),
        to_(FormatsOf(blocks, context)),
        driven_(model.num_joints(), false) {}

  void Run() {
    if (to_.empty()) return;
    for (Actuator& drive : model_.actuators)
      if (IsForeign(drive)) Translate(drive);
  }

 private:
  [[nodiscard]] bool IsForeign(const Actuator& drive) const {
    const std::string& family = drive.native.format;
    return drive.joint != kNoJoint &&
           (IsServo(drive) || (motors_ && drive.kind == DriveKind::kEffort)) &&
           model_.joint(drive.joint).role != JointRole::kLoop &&
           NumVelocities(model_.joint(drive.joint).kind) == 1 &&
           family != context_.traits.native_format && (family.empty() || family != blocks_);
  }

  void Translate(Actuator& drive) {
    for (const Format* const format : to_) {
      if (format->drives.one_a_joint && driven_[Index(drive.joint)]) continue;
      std::optional<Actuator> held =
          format->drives.write(model_, drive, context_.options.target.options);
      if (!held) continue;
      driven_[Index(drive.joint)] = true;
      Account(drive, *held);
      drive = *std::move(held);
      return;
    }
  }

  void Account(const Actuator& drive, const Actuator& held) {
    if (held.name != drive.name)
      context_.Renamed(SubjectKind::kActuator, drive.where, drive.name, held.name);
    Became(SubjectOf(model_, drive), "is written as " + LawText(model_, held),
           {SubjectOf(model_, held)}, context_);
    const auto lost = [&](std::optional<double> Actuator::*field) {
      return drive.*field && !(held.*field);
    };
    if (lost(&Actuator::control_lower) || lost(&Actuator::control_upper))
      LoseOf(model_, drive, "the range of commands", Weight::kInterface, {"range of commands"},
             {"control-lower", "control-upper"}, context_);
    if (lost(&Actuator::target))
      LoseOf(model_, drive, "the command", Weight::kInterface, {"command"}, {"target"}, context_);
    LoseBeyondFields(model_, drive, context_);
  }

  Model& model_;
  PassContext& context_;
  const std::string_view blocks_;
  const bool motors_;
  const std::vector<const Format*> to_;
  std::vector<bool> driven_;  // by joint: has one of the target's drives
};

struct Gains {
  std::string joint;  // empty: all
  double stiffness = 0, damping = 0;
};

// Nothing where there is more than a number.
std::optional<double> NumberIn(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = ParseDouble(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end && std::isfinite(value) ? std::optional(value)
                                                                           : std::nullopt;
}

std::optional<Gains> ParseGains(const std::string& word) {
  const std::size_t colon = word.rfind(':'), comma = word.find(',', colon + 1);
  if (comma == std::string::npos) return std::nullopt;
  const auto kp = NumberIn(word.substr(colon + 1, comma - colon - 1)),
             kd = NumberIn(word.substr(comma + 1));
  if (!kp || !kd || !(*kp > 0) || !(*kd >= 0)) return std::nullopt;
  return Gains{colon == std::string::npos ? "" : word.substr(0, colon), *kp, *kd};
}

// Servos where --gains asks for them.
class GivenGains {
 public:
  GivenGains(Model& model, PassContext& context)
      : model_(model), context_(context), actuations_(model), drive_of_(model.num_joints()) {
    for (std::size_t a = model.actuators.size(); a-- > 0;)
      if (const JointId id = model.actuators[a].joint; id != kNoJoint) drive_of_[Index(id)] = a;
  }

  bool Give(const std::string& word) {
    const std::optional<Gains> gains = ParseGains(word);
    if (!gains)
      return Refuse(word, "'" + word +
                              "' is not of the form KP,KD or JOINT:KP,KD, such as 100,5: KP "
                              "is above 0, and KD is 0 or more");
    if (gains->joint.empty()) {
      bool any = false;
      for (const JointId id : Joints(model_))
        if (HasMotor(id)) MakeServo(id, *gains), any = true;
      if (!any)
        context_.Report(Severity::kWarning, model_, {}, "motors-none",
                        {Text(SubjectOf(model_)),
                         "--gains makes no servo, because no independent joint has a motor or an "
                         "effort limit (--gains JOINT:KP,KD names one)"});
      return true;
    }
    const std::optional<JointId> id = model_.FindJoint(gains->joint);
    if (!id) return Refuse(gains->joint, "the model has no joint of this name");
    if (!CanBeServo(*id))
      return Refuse(gains->joint, "this joint has not one coordinate that can be commanded");
    MakeServo(*id, *gains);
    return true;
  }

 private:
  bool Refuse(const std::string& name, const std::string& why) {
    std::vector<std::string> names;
    for (const JointId id : Joints(model_)) names.push_back(model_.joint(id).name);
    context_
        .Report(Severity::kError, model_, {0, 1}, "gains-unknown",
                {"joint", name, "--gains: " + why})
        .suggestion = NearestName(name, names);
    return false;
  }

  [[nodiscard]] bool CanBeServo(JointId id) const {
    const Joint& joint = model_.joint(id);
    return joint.role != JointRole::kLoop && joint.axes.size() == 1 &&
           NumVelocities(joint.kind) == 1;
  }

  // A motor on it, but for one that works against a mimic, or room for one that works against no
  // loop either; a drive with a law of its own keeps it.
  [[nodiscard]] bool HasMotor(JointId id) const {
    if (!CanBeServo(id)) return false;
    if (const auto drive = drive_of_[Index(id)])
      return model_.actuators[*drive].kind == DriveKind::kEffort &&
             actuations_.Of(id, 0) != Actuation::kFollows;
    if (context_.dependent.contains(model_.joint(id).where.origin)) return false;
    const double effort = model_.joint(id).axes[0].effort.value_or(0);
    return effort > 0 && effort < FormatLimits::kNone;
  }

  void MakeServo(JointId id, const Gains& gains) {
    const Joint& joint = model_.joint(id);
    std::optional<std::size_t>& at = drive_of_[Index(id)];
    Actuator servo;
    servo.name = joint.name + "_servo", servo.joint = id, servo.where = joint.where;
    if (at) {
      const Actuator was = AtJoint(model_.actuators[*at]);
      context_
          .Lose(model_, DriveFeature(was), SubjectOf(model_, was),
                "a servo of positions is written instead", "--gains asks for it")
          .asked = true;
      LoseBeyondFields(model_, was, context_);
      servo.name = was.name, servo.where = was.where;
      servo.effort_lower = was.effort_lower, servo.effort_upper = was.effort_upper;
    } else {
      context_.Lowered(SubjectOf(joint), "driven by '" + servo.name + "' as asked");
    }
    servo.type = "position";
    servo.kind = DriveKind::kPosition;
    servo.stiffness = gains.stiffness;
    if (gains.damping > 0) servo.damping = gains.damping;
    if (!at) at = model_.actuators.size(), model_.actuators.emplace_back();
    model_.actuators[*at] = std::move(servo);
  }

  Model& model_;
  PassContext& context_;
  const Actuations actuations_;                       // as the source has them
  std::vector<std::optional<std::size_t>> drive_of_;  // by joint: the first
};

}  // namespace

bool GiveGains(Model& model, PassContext& context) {
  GivenGains given(model, context);
  bool known = true;
  for (const std::string& word : context.options.gains) known = given.Give(word) && known;
  return known;
}

void TranslateDrives(Model& model, std::string_view blocks, bool motors, PassContext& context) {
  DriveTranslation(model, blocks, motors, context).Run();
}

void LoseBeyondFields(const Model& model, const Actuator& drive, PassContext& context) {
  const std::optional<NativeData> rest = BeyondFields(drive);
  if (!rest) return;
  const std::vector<std::string> names = NamesOfContent(*rest, SubjectKind::kActuator);
  LoseOf(model, drive, ContentText(*rest), WeightOfContent(*rest, SubjectKind::kActuator), names,
         names, context);
}

}  // namespace kinemorph
