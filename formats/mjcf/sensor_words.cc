// Sensors: what of their elements other formats have words for, too.
#include <algorithm>
#include <array>

#include "mjcf.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// The elements of <sensor> whose value other formats measure as well. Words that both sides have
// leave the native element (ReadSensorWords) and come back into it (WriteSensorWords); the rest
// stays in it.

struct SensorType {
  std::string_view name;
  SensorKind kind;
};
constexpr std::array<SensorType, 8> kSensorTypes = {{{"gyro", SensorKind::kGyroscope},
                                                     {"accelerometer", SensorKind::kAccelerometer},
                                                     {"force", SensorKind::kForce},
                                                     {"torque", SensorKind::kTorque},
                                                     {"magnetometer", SensorKind::kMagnetometer},
                                                     {"rangefinder", SensorKind::kRay},
                                                     {"touch", SensorKind::kContact},
                                                     {"contact", SensorKind::kContact}}};

bool IsAngular(SensorKind kind) {
  return kind == SensorKind::kGyroscope || kind == SensorKind::kTorque;
}

// The numbers of an attribute, which then is gone; nothing, and it stays, where it holds others.
std::vector<double> TakeNumbers(NativeElement& element, std::string_view name) {
  const std::string* const text = element.Attribute(name);
  std::vector<double> numbers;
  if (text == nullptr) return numbers;
  for (const std::string_view word : xml::SplitWords(*text)) {
    const std::optional<double> number = xml::ParseNumber(word);
    if (!number) return {};
    numbers.push_back(*number);
  }
  std::erase_if(element.attributes, [&](const auto& a) { return a.first == name; });
  return numbers;
}

}  // namespace

NativeElement ReadSensorWords(NativeElement element, Sensor& sensor) {
  sensor.type = element.name;
  for (const SensorType& type : kSensorTypes)
    if (type.name == element.name) sensor.kind = type.kind;
  // What the sensor sits on is in the model.
  std::erase_if(element.attributes, [](const auto& a) {
    return a.first == "name" || a.first == "site" || a.first == "body" || a.first == "joint";
  });

  // Standard deviation of what is measured (rad/s, m/s^2, N, N m, T); the model has one for turning
  // and one for the rest.
  if (const std::vector<double> noise = TakeNumbers(element, "noise"); noise.size() == 1)
    (IsAngular(sensor.kind) ? sensor.angular_noise : sensor.noise) = noise[0];
  // Its phase and a history beyond the last value have no words elsewhere.
  const std::string* const history = element.Attribute("nsample");
  NativeElement without = element;
  const std::vector<double> interval = TakeNumbers(without, "interval");
  const bool plain = history != nullptr && *history == "1" && !element.Attribute("delay");
  const bool steady = interval.size() == 1 || (interval.size() == 2 && interval[1] == 0);
  // With nsample 1 a sensor keeps its last value until the interval (s) has passed: an update rate.
  if (!plain || !steady || !(interval[0] > 0)) return element;
  sensor.update_rate = 1 / interval[0];
  std::erase_if(without.attributes, [](const auto& a) { return a.first == "nsample"; });
  return without;
}

std::optional<NativeElement> WriteSensorWords(const Sensor& sensor, const WriteOptions& options) {
  // These measure at one place. Force and torque of MuJoCo act between a body and its parent, and
  // touch needs a site with a volume.
  const bool on_site = sensor.kind == SensorKind::kGyroscope ||
                       sensor.kind == SensorKind::kAccelerometer ||
                       sensor.kind == SensorKind::kMagnetometer;
  if (!on_site || sensor.link == kNoLink) return std::nullopt;
  NativeElement element;
  for (const SensorType& type : kSensorTypes)
    if (type.kind == sensor.kind) element.name = type.name;
  SetAttribute(element.attributes, "name", sensor.name);
  const double noise = (IsAngular(sensor.kind) ? sensor.angular_noise : sensor.noise).value_or(0);
  if (noise > 0) SetAttribute(element.attributes, "noise", xml::NumberText(noise));
  // Only MuJoCo reads it, and only a new one.
  const double rate = sensor.update_rate.value_or(0);
  if (rate > 0 && options.profile != kPortable) {
    SetAttribute(element.attributes, "nsample", "1");
    SetAttribute(element.attributes, "interval", xml::NumberText(1 / rate));
  }
  return element;
}

}  // namespace kinemorph::mjcf
