// Part of pass `native_data`: sensors that both formats have words for.
#include "lower/sensors.h"

#include <algorithm>

#include "edit/native_text.h"
#include "edit/removal.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/sensor_parts.h"

namespace kinemorph {
namespace {

// A sensor of another format is written in the target's words where both sides know what it
// measures: as one sensor, as several (a 6-axis IMU is a gyroscope and an accelerometer), or two as
// one. Numbers that no word of the target holds are lost by name.
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
    const std::vector<Sensor> sensors = std::move(model_.sensors);
    model_.sensors.clear();
    for (const Sensor& sensor : sensors)
      if (!IsForeign(sensor)) names_.Add(sensor.name);
    std::vector<bool> taken(sensors.size(), false);
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const Sensor& sensor = sensors[i];
      if (taken[i]) continue;
      taken[i] =
          IsForeign(sensor) && (Become({&sensor}, {sensor}) || Become({&sensor}, PartsOf(sensor)));
      for (std::size_t j = i + 1; j < sensors.size() && IsForeign(sensor) && !taken[i]; ++j)
        if (const auto whole = taken[j] ? std::nullopt : WholeOf(sensor, sensors[j]))
          taken[i] = taken[j] = Become({&sensor, &sensors[j]}, {*whole});
      // Its own, or text of its own format, which the pass gives up.
      if (!taken[i]) model_.sensors.push_back(sensor);
    }
  }

 private:
  // Written in no family that the target has, but in one whose words are known.
  [[nodiscard]] bool IsForeign(const Sensor& sensor) const {
    const std::string& family = sensor.native.format;
    const Format* const from = FindFormat(family);
    return sensor.link != kNoLink && sensor.joint == kNoJoint &&
           sensor.kind != SensorKind::kOther && family != context_.traits.native_format &&
           family != blocks_ && from != nullptr && from->sensors.read != nullptr;
  }

  // Writes `targets` for `sources`; false, and nothing is done, where the target has no words.
  bool Become(const std::vector<const Sensor*>& sources, std::vector<Sensor> targets) {
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
      held.link = target.link;
      static_cast<void>(to->sensors.read(element, held));
      held.name = target.name, held.X_LS = target.X_LS, held.where = target.where;
      held.native = {std::string(to->name), element.name, std::move(element), target.where};
      target = std::move(held);
    }
    for (const Sensor* const source : sources) Account(*source, targets);
    for (Sensor& target : targets) model_.sensors.push_back(std::move(target));
    return true;
  }

  [[nodiscard]] const Format* FormatFor(const std::vector<Sensor>& targets) const {
    for (const Format* const format : to_)
      if (std::all_of(targets.begin(), targets.end(), [&](const Sensor& target) {
            return format->sensors.write(target, context_.options.target.options).has_value();
          }))
        return format;
    return nullptr;
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
          return Said(target, field).has_value();
        });
        if (said && !held)
          Lose(source, source.native,
               std::string(field.words) + " " + WithUnit(*said, field.units, false),
               {std::string(field.words)});
      }
    });
    if (source.orientation &&
        std::none_of(targets.begin(), targets.end(), [](const Sensor& t) { return t.orientation; }))
      Lose(source, source.native, "the measured orientation", {"orientation"});
    if (const auto rest = BeyondFields(source))
      Lose(source, *rest, ContentText(*rest), NamesOfContent(*rest, SubjectKind::kSensor));
  }

  void Lose(const Sensor& source, const NativeData& data, const std::string& what,
            std::vector<std::string> names) {
    Loss& loss =
        context_.Lose(model_, Feature::kNativeData, SubjectOf(data, SubjectOf(model_, source)),
                      what + " is not written", "the target has no word for it");
    loss.weight = Weight::kInterface;
    loss.content = std::move(names);
  }

  Model& model_;
  PassContext& context_;
  const std::string_view blocks_;
  std::vector<const Format*> to_;  // whose words the target takes, its own first
  UniqueNames names_;
};

}  // namespace

void TranslateSensors(Model& model, std::string_view blocks, PassContext& context) {
  Translation(model, blocks, context).Run();
}

}  // namespace kinemorph
