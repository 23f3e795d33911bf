// Part of pass `native_data`: sensors that both formats have words for.
#include "lower/sensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "edit/model_edit.h"
#include "edit/native_text.h"
#include "edit/removal.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/sensor_parts.h"

namespace kinemorph {
namespace {

// A sensor of another format is written in the target's words where both sides know what it
// measures: as one sensor, as several (an IMU is a gyroscope, an accelerometer and perhaps an
// orientation), or several as one. Numbers that no word of the target holds are lost by name.
class Translation {
 public:
  Translation(Model& model, std::string_view blocks, PassContext& context)
      : model_(model), context_(context), blocks_(blocks) {
    for (const std::string_view family : {context.traits.native_format, blocks}) {
      const Format* const format = family.empty() ? nullptr : FindFormat(family);
      if (format != nullptr && format->sensors.write != nullptr) to_.push_back(format);
    }
  }

  void Run() {
    if (to_.empty()) return;
    sensors_ = std::move(model_.sensors);
    model_.sensors.clear();
    for (const Sensor& sensor : sensors_)
      if (!IsForeign(sensor)) names_.Add(sensor.name);
    taken_.assign(sensors_.size(), false);
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      const Sensor& sensor = sensors_[i];
      if (taken_[i]) continue;
      taken_[i] = IsForeign(sensor) &&
                  (Become({&sensor}, {sensor}) || Become({&sensor}, PartsOf(sensor)) || Join(i));
      // Its own, or text of its own format, which the pass gives up.
      if (!taken_[i]) model_.sensors.push_back(sensor);
    }
  }

 private:
  using Sources = std::vector<const Sensor*>;

  // Written in no family that the target has, but in one whose words are known.
  [[nodiscard]] bool IsForeign(const Sensor& sensor) const {
    const std::string& family = sensor.native.format;
    const Format* const from = FindFormat(family);
    return (sensor.link != kNoLink || sensor.joint != kNoJoint) &&
           sensor.kind != SensorKind::kOther && family != context_.traits.native_format &&
           family != blocks_ && from != nullptr && from->sensors.read != nullptr;
  }

  // With others at its place it may measure what one of the target does.
  bool Join(std::size_t i) {
    for (const SensorPair& pair : kSensorPairs) {
      const std::size_t angular = At(i, pair.angular), linear = At(i, pair.linear),
                        turn = At(i, SensorKind::kOrientation);
      if (angular == kNone || linear == kNone || (i != angular && i != linear && i != turn))
        continue;
      const bool turns = pair.whole == SensorKind::kImu && turn != kNone;
      Sources sources = {&sensors_[angular], &sensors_[linear]};
      if (turns) sources.push_back(&sensors_[turn]);
      const auto whole = WholeOf(*sources[0], *sources[1], turns ? sources[2] : nullptr);
      if (!whole || !Become(sources, {*whole})) continue;
      taken_[angular] = taken_[linear] = true;
      if (turns) taken_[turn] = true;
      return taken_[i];
    }
    return false;
  }

  // The first of a kind where the i-th sensor stands, from it on, of those that are left.
  [[nodiscard]] std::size_t At(std::size_t i, SensorKind kind) const {
    const Sensor& there = sensors_[i];
    for (std::size_t j = i; j < sensors_.size(); ++j) {
      const Sensor& sensor = sensors_[j];
      if (!taken_[j] && sensor.kind == kind && sensor.link == there.link &&
          sensor.joint == there.joint && sensor.X_LS == there.X_LS &&
          sensor.native.format == there.native.format && IsForeign(sensor))
        return j;
    }
    return kNone;
  }

  // Writes `targets` for `sources`; false, and nothing is done, where the target has no words.
  bool Become(const Sources& sources, std::vector<Sensor> targets) {
    const Format* const to = FormatFor(targets);
    if (to == nullptr) return false;
    for (Sensor& target : targets) {
      const std::string wanted = target.name.empty() ? "sensor" : target.name;
      target.name = names_.Take(wanted);
      if (target.name != wanted)
        context_.Renamed(SubjectKind::kSensor, target.where, wanted, target.name);
      NativeElement element = *to->sensors.write(target, context_.options.target.options);
      // The target's own reader takes back what its writer wrote: what it finds is what the file
      // says.
      Sensor held;  // what the words say
      held.link = target.link, held.joint = target.joint;
      static_cast<void>(to->sensors.read(element, held));
      held.name = target.name, held.X_LS = target.X_LS, held.where = target.where;
      held.native = {std::string(to->name), element.name, std::move(element), target.where};
      target = std::move(held);
    }
    for (const Sensor* const source : sources) Account(*source, targets);
    for (Sensor& target : targets) model_.sensors.push_back(std::move(target));
    return true;
  }

  // The format that has words for all of them, which then stand where it has them.
  [[nodiscard]] const Format* FormatFor(std::vector<Sensor>& targets) const {
    for (const Format* const format : to_) {
      std::vector<Sensor> placed;
      for (const Sensor& target : targets)
        if (const auto there = Placed(target, *format);
            there && format->sensors.write(*there, context_.options.target.options))
          placed.push_back(*there);
      if (placed.size() < targets.size()) continue;
      targets = std::move(placed);
      return format;
    }
    return nullptr;
  }

  // What measures forces stands on a joint in one format, on the link below in another.
  [[nodiscard]] std::optional<Sensor> Placed(const Sensor& sensor, const Format& format) const {
    if (format.sensors.turn == nullptr) return OnLink(model_, sensor);
    const JointId up = MeasuredJoint(sensor, tree_.parent_joint);
    if (!MeasuresForces(sensor.kind) || sensor.joint != kNoJoint) return sensor;
    // A free joint transmits nothing.
    if (up == kNoJoint || std::holds_alternative<Free>(model_.joint(up).kind) ||
        model_.successor(up) != sensor.link)
      return std::nullopt;
    Sensor on_joint = sensor;
    on_joint.link = kNoLink, on_joint.joint = up;
    on_joint.X_LS = model_.joint(up).X_SM.inverse() * sensor.X_LS;
    if (sensor.X_LS.R.isIdentity(1e-12)) on_joint.axes = SensorAxes::kChild;
    return on_joint;
  }

  // Tells what a source became, and what of it is lost: numbers that none of them holds, and what
  // its own words say beyond its fields.
  void Account(const Sensor& source, const std::vector<Sensor>& targets) {
    std::string kinds;
    std::vector<Subject> into;
    for (const Sensor& target : targets) {
      kinds += (kinds.empty() ? "" : " and ") + ValueText(target.kind);
      into.push_back(SubjectOf(model_, target));
    }
    Became(SubjectOf(model_, source), "is written as " + kinds, std::move(into), context_);
    ForEachField<Sensor>([&]<class Value>(const Field<Sensor, Value>& field) {
      if constexpr (std::same_as<Value, std::optional<double>>) {
        const std::optional<double> said = Said(source, field);
        const bool held = std::any_of(targets.begin(), targets.end(), [&](const Sensor& target) {
          const std::optional<double> value = Said(target, field);
          return value && said && std::abs(*value - *said) <= 1e-9 * std::abs(*said);
        });
        if (said && !held)
          Lose(source, source.native,
               std::string(field.words) + " " + WithUnit(*said, field.units, false),
               {std::string(field.words)});
      }
    });
    LoseTurn(source, targets);
    if (MeasuresForces(source.kind)) LosePlace(source, targets.front());
    if (const auto rest = BeyondFields(source))
      Lose(source, *rest, ContentText(*rest), NamesOfContent(*rest, SubjectKind::kSensor));
  }

  void LoseTurn(const Sensor& source, const std::vector<Sensor>& targets) {
    SensedTurn held = SensedTurn::kUnsaid;
    for (const Sensor& target : targets)
      if (target.orientation != SensedTurn::kUnsaid) held = target.orientation;
    if (source.orientation == held || source.orientation == SensedTurn::kUnsaid) return;
    Lose(source, source.native,
         held == SensedTurn::kUnsaid
             ? "the measured orientation"
             : "that the orientation counts " + ValueText(source.orientation) + ", not " +
                   ValueText(held),
         {"orientation"});
  }

  // Which way the forces act, and about which point the moments.
  void LosePlace(const Sensor& source, const Sensor& target) {
    if (source.on_parent != target.on_parent)
      Lose(source, source.native,
           std::string("that the forces are those of the ") +
               (source.on_parent ? "child on the parent" : "parent on the child") +
               " (all values have the other sign)",
           {"direction"});
    const Vector3 away = target.joint == kNoJoint ? Vector3::Zero() : target.X_LS.p;
    if (source.joint == kNoJoint && source.kind != SensorKind::kForce && away.norm() > 1e-9)
      Lose(source, source.native,
           "that the moments are about its own place, " + FormatNumber(away.norm()) +
               " m from the origin of the joint",
           {"place"});
  }

  void Lose(const Sensor& source, const NativeData& data, const std::string& what,
            std::vector<std::string> names) {
    Loss& loss =
        context_.Lose(model_, Feature::kNativeData, SubjectOf(data, SubjectOf(model_, source)),
                      what + " is not written", "the target has no word for it");
    loss.weight = Weight::kInterface;
    loss.content = std::move(names);
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  Model& model_;
  PassContext& context_;
  const std::string_view blocks_;
  const SpanningTree tree_ = TreeOf(model_);
  std::vector<Sensor> sensors_;    // of the source
  std::vector<bool> taken_;        // those that are written, or lost
  std::vector<const Format*> to_;  // whose words the target takes, its own first
  UniqueNames names_;
};

}  // namespace

void TranslateSensors(Model& model, std::string_view blocks, PassContext& context) {
  Translation(model, blocks, context).Run();
}

}  // namespace kinemorph
