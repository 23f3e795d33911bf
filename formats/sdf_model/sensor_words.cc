#include "sdf_model/sensor_words.h"

#include <algorithm>
#include <array>

#include "kinemorph/formats/version.h"
#include "sdf_model/sdf_version.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::sdformat {

// A sensor is kept as the element that it was. What other formats have words for too (rate, noise,
// whether an IMU gives its orientation) is read from it, and taken out of the copy that is
// returned, so that the caller knows whether anything is left that only SDFormat says.

namespace {

struct SensorType {
  std::string_view name;
  SensorKind kind;
};
// Those that are written come first of their kind.
constexpr std::array<SensorType, 14> kSensorTypes = {{{"imu", SensorKind::kImu},
                                                      {"force_torque", SensorKind::kForceTorque},
                                                      {"magnetometer", SensorKind::kMagnetometer},
                                                      {"contact", SensorKind::kContact},
                                                      {"lidar", SensorKind::kRay},
                                                      {"gpu_lidar", SensorKind::kRay},
                                                      {"ray", SensorKind::kRay},
                                                      {"gpu_ray", SensorKind::kRay},
                                                      {"camera", SensorKind::kCamera},
                                                      {"depth_camera", SensorKind::kCamera},
                                                      {"depth", SensorKind::kCamera},
                                                      {"rgbd_camera", SensorKind::kCamera},
                                                      {"rgbd", SensorKind::kCamera},
                                                      {"multicamera", SensorKind::kCamera}}};

// Which noise stands where: in `group` of the element that the sensor's type names, or in that
// itself.
struct Noise {
  SensorKind kind;
  std::string_view group;
  std::optional<double> Sensor::*value;
};
constexpr std::array<Noise, 5> kNoises = {
    {{SensorKind::kImu, "angular_velocity", &Sensor::angular_noise},
     {SensorKind::kImu, "linear_acceleration", &Sensor::noise},
     {SensorKind::kForceTorque, "torque", &Sensor::angular_noise},
     {SensorKind::kForceTorque, "force", &Sensor::noise},
     {SensorKind::kMagnetometer, "", &Sensor::noise}}};
constexpr std::array<std::string_view, 3> kDirections = {"x", "y", "z"};

bool IsEmpty(const NativeElement& element) {
  return element.attributes.empty() && element.children.empty() && element.Text().empty();
}

std::optional<double> NumberIn(const NativeElement& element, std::string_view child) {
  const NativeElement* const found = element.Child(child);
  return found == nullptr ? std::nullopt : xml::ParseNumber(found->Text());
}

// The standard deviation of the noise of one direction, if that is all that is said of it.
std::optional<double> DeviationOf(const NativeElement& direction) {
  // Noise of another type, or with a bias or a mean, is more than a number.
  const NativeElement* const noise = direction.Child("noise");
  if (noise == nullptr || direction.children.size() != 1 || !direction.attributes.empty())
    return std::nullopt;
  const std::string* const type = noise->Attribute("type");
  if (type == nullptr || *type != "gaussian" || noise->attributes.size() != 1) return std::nullopt;
  // A parameter of 0 (mean, bias) says nothing.
  for (const NativeElement& child : noise->children) {
    const bool known =
        child.name == "stddev" || (child.IsElement() && NumberIn(*noise, child.name) == 0);
    if (!known) return std::nullopt;
  }
  return NumberIn(*noise, "stddev");
}

// The noise of a group, if it is the same in all directions; it is then gone from there.
std::optional<double> TakeNoise(NativeElement& group) {
  std::optional<double> common;
  for (const std::string_view name : kDirections) {
    const NativeElement* const direction = group.Child(name);
    const std::optional<double> own = direction == nullptr ? std::nullopt : DeviationOf(*direction);
    if (!own || (common && *common != *own)) return std::nullopt;
    common = own;
  }
  for (const std::string_view name : kDirections) group.Erase(name);
  return common;
}

}  // namespace

NativeElement ReadSensorWords(NativeElement element, Sensor& sensor) {
  const std::string* const type = element.Attribute("type");
  sensor.type = type == nullptr ? "" : *type;
  for (const SensorType& each : kSensorTypes)
    if (each.name == sensor.type) sensor.kind = each.kind;
  std::erase_if(element.attributes,
                [](const auto& a) { return a.first == "name" || a.first == "type"; });
  element.Erase("pose");
  if (const std::optional<double> rate = NumberIn(element, "update_rate"); rate && *rate >= 0) {
    sensor.update_rate = rate;
    element.Erase("update_rate");
  }
  // On unless it is switched off, as in libsdformat.
  sensor.orientation = sensor.kind == SensorKind::kImu;
  NativeElement* const own = element.Child(sensor.type);
  if (own == nullptr) return element;
  if (const NativeElement* const orientation = own->Child("enable_orientation");
      orientation != nullptr && sensor.kind == SensorKind::kImu) {
    sensor.orientation = orientation->Text() != "false" && orientation->Text() != "0";
    own->Erase("enable_orientation");
  }
  for (const Noise& noise : kNoises) {
    if (noise.kind != sensor.kind) continue;
    NativeElement* const group = noise.group.empty() ? own : own->Child(noise.group);
    if (group == nullptr) continue;
    sensor.*noise.value = TakeNoise(*group);
    if (group != own && IsEmpty(*group)) own->Erase(noise.group);
  }
  if (IsEmpty(*own)) element.Erase(sensor.type);
  return element;
}

std::optional<NativeElement> WriteSensorWords(const Sensor& sensor, const WriteOptions& options) {
  const Version version = ParseVersion(options.version).value_or(Version{1, 9});
  const bool known = sensor.kind == SensorKind::kImu ||
                     (sensor.kind == SensorKind::kMagnetometer && version >= Version{1, 5});
  if (!known || sensor.link == kNoLink) return std::nullopt;
  NativeElement element;
  element.name = "sensor";
  SetAttribute(element.attributes, "name", sensor.name);
  const std::string type(
      std::find_if(kSensorTypes.begin(), kSensorTypes.end(), [&](const SensorType& each) {
        return each.kind == sensor.kind;
      })->name);
  SetAttribute(element.attributes, "type", type);
  if (sensor.update_rate.value_or(0) > 0)
    element.Add("update_rate", xml::NumberText(*sensor.update_rate));
  NativeElement own;
  own.name = type;
  // Both came with 1.6, as they are written here.
  if (sensor.kind == SensorKind::kImu && !sensor.orientation && version >= Version{1, 6})
    own.Add("enable_orientation", "false");
  for (const Noise& noise : kNoises) {
    const double deviation = (sensor.*noise.value).value_or(0);
    if (noise.kind != sensor.kind || !(deviation > 0) || version < Version{1, 6}) continue;
    NativeElement& group = noise.group.empty() ? own : own.Add(noise.group);
    for (const std::string_view direction : kDirections) {
      NativeElement& written = group.Add(direction).Add("noise");
      SetAttribute(written.attributes, "type", "gaussian");
      written.Add("mean", "0"), written.Add("stddev", xml::NumberText(deviation));
    }
  }
  if (!IsEmpty(own)) element.children.push_back(std::move(own));
  return element;
}

}  // namespace kinemorph::sdformat
