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
    if ((drive.control_lower && !held.control_lower) ||
        (drive.control_upper && !held.control_upper))
      Lose(model_, drive, "its range of commands", {"range of commands"}, context_);
    if (drive.target && !held.target) Lose(model_, drive, "its command", {"command"}, context_);
    LoseBeyondFields(model_, drive, context_);
  }

 public:
  static void Lose(const Model& model, const Actuator& drive, const std::string& what,
                   std::vector<std::string> names, PassContext& context,
                   Weight weight = Weight::kInterface) {
    Loss& loss =
        context.Lose(model, Feature::kNativeData, SubjectOf(drive.native, SubjectOf(model, drive)),
                     what + " is not written", "the target has no word for it");
    loss.weight = weight;
    loss.content = std::move(names);
  }

 private:
  Model& model_;
  PassContext& context_;
  const std::string_view blocks_;
  const bool motors_;
  const std::vector<const Format*> to_;
  std::vector<bool> driven_;  // by joint: has one of the target's drives
};

}  // namespace

namespace {

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

bool CanBeServo(const Joint& joint, const PassContext& context) {
  return joint.role != JointRole::kLoop && joint.axes.size() == 1 &&
         NumVelocities(joint.kind) == 1 && !context.dependent.contains(joint.where.origin);
}

void MakeServo(Model& model, JointId id, const Gains& gains, PassContext& context) {
  const auto found = std::find_if(model.actuators.begin(), model.actuators.end(),
                                  [&](const Actuator& drive) { return drive.joint == id; });
  const Joint& joint = model.joint(id);
  Actuator servo;
  if (found != model.actuators.end()) {
    servo = AtJoint(*found);
    Loss& loss = context.Lose(model, DriveFeature(*found), SubjectOf(model, *found),
                              "a servo of positions is written instead", "--gains asks for it");
    loss.asked = true;
    LoseBeyondFields(model, *found, context);
  } else {
    servo.name = joint.name + "_servo";
    servo.joint = id;
    servo.where = joint.where;
    context.Lowered(SubjectOf(joint), "driven by '" + servo.name + "' as asked");
  }
  servo.type = "position";
  servo.kind = DriveKind::kPosition;
  servo.stiffness = gains.stiffness;
  servo.damping = gains.damping > 0 ? std::optional(gains.damping) : std::nullopt;
  servo.control_lower.reset(), servo.control_upper.reset();
  servo.native = {};
  if (found != model.actuators.end())
    *found = std::move(servo);
  else
    model.actuators.push_back(std::move(servo));
}

}  // namespace

bool GiveGains(Model& model, PassContext& context) {
  bool known = true;
  const auto refuse = [&](const std::string& word, const std::string& why) {
    known = false;
    context.Report(Severity::kError, model, {0, 1}, "gains-unknown", {"", word, "--gains: " + why});
  };
  for (const std::string& word : context.options.gains) {
    const std::optional<Gains> gains = ParseGains(word);
    if (!gains) {
      refuse(word, "write KP,KD or JOINT:KP,KD, with KP above 0 and KD not below");
      continue;
    }
    if (gains->joint.empty()) {
      // A drive with a law of its own keeps it.
      std::vector<bool> keeps(model.num_joints(), false), driven(model.num_joints(), false);
      for (const Actuator& drive : model.actuators)
        if (drive.joint != kNoJoint)
          (drive.kind == DriveKind::kEffort ? driven : keeps)[Index(drive.joint)] = true;
      for (const JointId id : Joints(model)) {
        const Joint& joint = model.joint(id);
        if (keeps[Index(id)] || !CanBeServo(joint, context)) continue;
        const double effort = joint.axes[0].effort.value_or(0);
        if (driven[Index(id)] || (effort > 0 && effort < FormatLimits::kNone))
          MakeServo(model, id, *gains, context);
      }
      continue;
    }
    const std::optional<JointId> id = model.FindJoint(gains->joint);
    if (!id)
      refuse(word, "the model has no joint of this name");
    else if (!CanBeServo(model.joint(*id), context))
      refuse(word, "the joint has not one coordinate that is free to be commanded");
    else
      MakeServo(model, *id, *gains, context);
  }
  return known;
}

void TranslateDrives(Model& model, std::string_view blocks, bool motors, PassContext& context) {
  DriveTranslation(model, blocks, motors, context).Run();
}

void LoseBeyondFields(const Model& model, const Actuator& drive, PassContext& context) {
  if (const auto rest = BeyondFields(drive))
    DriveTranslation::Lose(model, drive, ContentText(*rest),
                           NamesOfContent(*rest, SubjectKind::kActuator), context,
                           WeightOfContent(*rest, SubjectKind::kActuator));
}

}  // namespace kinemorph
