// Sensors: what of their elements other formats have words for, too.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "mjcf.h"
#include "pose_text.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// The elements of <sensor> whose value other formats measure as well, and cameras. Words that both sides have
// leave the native element (ReadSensorWords) and come back into it (WriteSensorWords); the rest
// stays in it.

struct SensorType {
  std::string_view name;
  SensorKind kind;
};
constexpr std::array<SensorType, 12> kSensorTypes = {{{"gyro", SensorKind::kGyroscope},
                                                      {"accelerometer", SensorKind::kAccelerometer},
                                                      {"force", SensorKind::kForce},
                                                      {"torque", SensorKind::kTorque},
                                                      {"magnetometer", SensorKind::kMagnetometer},
                                                      {"framequat", SensorKind::kOrientation},
                                                      {"camera", SensorKind::kCamera},
                                                      {"camera", SensorKind::kDepthCamera},
                                                      {"camera", SensorKind::kColorDepthCamera},
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

// What a camera shows, by kind.
struct Output {
  SensorKind kind;
  std::string_view words;
};
constexpr std::array<Output, 3> kOutputs = {{{SensorKind::kCamera, "rgb"},
                                             {SensorKind::kDepthCamera, "depth"},
                                             {SensorKind::kColorDepthCamera, "rgb depth"}}};

bool IsCamera(SensorKind kind) {
  return std::any_of(kOutputs.begin(), kOutputs.end(),
                     [&](const Output& output) { return output.kind == kind; });
}

void TakeAttribute(NativeElement& element, std::string_view name, std::string_view value) {
  std::erase_if(element.attributes,
                [&](const auto& a) { return a.first == name && a.second == value; });
}

// The angle of a camera (rad) by its lens, where one is given, as MuJoCo computes it: lengths in m,
// or the focal length in pixels. Other formats have square pixels alone.
std::optional<double> AngleOfLens(NativeElement& element, double width, double height) {
  NativeElement without = element;
  const std::vector<double> chip = TakeNumbers(without, "sensorsize"),
                            pixels = TakeNumbers(without, "focalpixel");
  std::vector<double> focal = TakeNumbers(without, "focal");
  if (chip.size() != 2 || !(chip[0] > 0 && chip[1] > 0)) return std::nullopt;
  if (pixels.size() == 2) focal = {pixels[0] / width * chip[0], pixels[1] / height * chip[1]};
  if (focal.size() != 2 || !(focal[1] > 0)) return std::nullopt;
  const double across = focal[0] * width / chip[0], up = focal[1] * height / chip[1];
  if (std::abs(across - up) <= 1e-9 * up) element = std::move(without);
  return 2 * std::atan(chip[1] / 2 / focal[1]);
}

void TakePicture(NativeElement& element, Sensor& sensor) {
  for (const std::string_view placed : {"pos", "quat"})
    static_cast<void>(TakeNumbers(element, placed));
  TakeAttribute(element, "mode", "fixed");
  // Parallel rays: its size is no angle.
  const std::string* const projection = element.Attribute("projection");
  if (projection != nullptr && *projection == "orthographic") {
    sensor.kind = SensorKind::kOther;
    return;
  }
  TakeAttribute(element, "projection", "perspective");
  const std::string* const output = element.Attribute("output");
  const std::string shown = output == nullptr ? "rgb" : *output;
  sensor.kind = SensorKind::kCamera;
  for (const Output& each : kOutputs)
    if (shown == each.words) sensor.kind = each.kind, TakeAttribute(element, "output", shown);
  // A picture of one pixel is none that anybody asked for.
  const std::vector<double> size = TakeNumbers(element, "resolution");
  const bool sized = size.size() == 2 && (size[0] > 1 || size[1] > 1);
  if (sized) sensor.width = size[0], sensor.height = size[1];
  const std::optional<double> lens =
      AngleOfLens(element, sensor.width.value_or(1), sensor.height.value_or(1));
  // Degrees, whatever the compiler's unit of angles.
  const std::vector<double> fovy = TakeNumbers(element, "fovy");
  sensor.fov = lens ? *lens : (fovy.size() == 1 ? fovy[0] : 45) * std::numbers::pi / 180;
}

std::optional<NativeElement> WriteCamera(const Sensor& sensor, const WriteOptions& options) {
  const bool portable = options.profile == kPortable;
  constexpr double kMostPixels = 2147483647;
  if (!sensor.fov || (portable && sensor.kind != SensorKind::kCamera) ||
      std::max(sensor.width.value_or(0), sensor.height.value_or(0)) > kMostPixels)
    return std::nullopt;
  NativeElement element;
  element.name = "camera";
  SetAttribute(element.attributes, "name", sensor.name);
  SetAttribute(element.attributes, "fovy",
               xml::NumberText(xml::Rounded(*sensor.fov * 180 / std::numbers::pi)));
  // Other readers do not know these.
  if (portable) return element;
  if (sensor.width && sensor.height)
    SetAttribute(element.attributes, "resolution",
                 std::to_string(std::llround(*sensor.width)) + " " +
                     std::to_string(std::llround(*sensor.height)));
  for (const Output& output : kOutputs)
    if (output.kind == sensor.kind && sensor.kind != SensorKind::kCamera)
      SetAttribute(element.attributes, "output", std::string(output.words));
  return element;
}

}  // namespace

Matrix3 ModelAxes(SensorKind kind) {
  Matrix3 R = Matrix3::Identity();
  if (IsCamera(kind)) R << 0, -1, 0, 0, 0, 1, -1, 0, 0;  // it looks along -z, with y upward
  if (kind == SensorKind::kRay) R << 0, 0, -1, 0, 1, 0, 1, 0, 0;  // along z
  return R;
}

NativeElement ReadSensorWords(NativeElement element, Sensor& sensor) {
  sensor.type = element.name;
  for (const SensorType& type : kSensorTypes)
    if (type.name == element.name) sensor.kind = type.kind;
  // What the sensor sits on is in the model.
  std::erase_if(element.attributes, [](const auto& a) {
    return a.first == "name" || a.first == "site" || a.first == "body" || a.first == "joint";
  });
  if (IsCamera(sensor.kind)) {
    TakePicture(element, sensor);
    return element;
  }
  // In the world, of what has a place in the model.
  if (sensor.kind == SensorKind::kOrientation) {
    const std::string* const of = element.Attribute("objtype");
    if (element.Attribute("reftype") || of == nullptr || (*of != "site" && *of != "xbody")) {
      sensor.kind = SensorKind::kOther;
      return element;
    }
    std::erase_if(element.attributes,
                  [](const auto& a) { return a.first == "objtype" || a.first == "objname"; });
    sensor.orientation = SensedTurn::kFromWorld;
  }
  // A hit beyond it is no hit elsewhere.
  if (sensor.kind == SensorKind::kRay)
    if (const std::vector<double> most = TakeNumbers(element, "cutoff");
        most.size() == 1 && most[0] > 0)
      sensor.range = most[0];

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
  if (IsCamera(sensor.kind))
    return sensor.link == kNoLink ? std::nullopt : WriteCamera(sensor, options);
  // These measure at a site; touch needs one with a volume. What a joint transmits is measured at a
  // site of its child.
  constexpr std::array<SensorKind, 7> kAtSites = {
      SensorKind::kGyroscope, SensorKind::kAccelerometer, SensorKind::kForce,
      SensorKind::kTorque,    SensorKind::kMagnetometer,  SensorKind::kOrientation,
      SensorKind::kRay};
  if (sensor.link == kNoLink ||
      std::find(kAtSites.begin(), kAtSites.end(), sensor.kind) == kAtSites.end())
    return std::nullopt;
  NativeElement element;
  for (const SensorType& type : kSensorTypes)
    if (type.kind == sensor.kind) element.name = type.name;
  SetAttribute(element.attributes, "name", sensor.name);
  const double noise = (IsAngular(sensor.kind) ? sensor.angular_noise : sensor.noise).value_or(0);
  if (noise > 0) SetAttribute(element.attributes, "noise", xml::NumberText(noise));
  if (sensor.kind == SensorKind::kOrientation) SetAttribute(element.attributes, "objtype", "site");
  if (sensor.range) SetAttribute(element.attributes, "cutoff", xml::NumberText(*sensor.range));
  // Only MuJoCo reads it, and only a new one.
  const double rate = sensor.update_rate.value_or(0);
  if (rate > 0 && options.profile != kPortable) {
    SetAttribute(element.attributes, "nsample", "1");
    SetAttribute(element.attributes, "interval", xml::NumberText(1 / rate));
  }
  return element;
}

}  // namespace kinemorph::mjcf
