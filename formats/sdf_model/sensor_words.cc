#include "sdf_model/sensor_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kinemorph/formats/version.h"
#include "pose_text.h"
#include "sdf_model/sdf_version.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::sdformat {

// A sensor is kept as the element that it was. What other formats have words for too (rate, noise,
// what an IMU says of its orientation, the picture of a camera, which side of a joint a force acts
// on, how far a ray reaches) is read from it, and taken out of the copy that is returned, so that
// the caller knows whether anything is left that only SDFormat says.

namespace {

struct SensorType {
  std::string_view name;
  SensorKind kind;
  Version since;              // of the type, as it is written
  std::string_view own = {};  // the element with its settings, where that is called otherwise
};
// Those that are written come first of their kind. gz sim has no lidar but on the GPU.
constexpr Version k1_0 = {1, 0}, k1_4 = {1, 4}, k1_5 = {1, 5}, k1_6 = {1, 6};
constexpr std::array<SensorType, 13> kSensorTypes = {
    {{"imu", SensorKind::kImu, k1_0},
     {"force_torque", SensorKind::kForceTorque, k1_5},
     {"magnetometer", SensorKind::kMagnetometer, k1_5},
     {"contact", SensorKind::kContact, k1_4},
     {"gpu_lidar", SensorKind::kRay, k1_6, "lidar"},
     {"gpu_ray", SensorKind::kRay, k1_5, "ray"},
     {"ray", SensorKind::kRay, k1_4},
     {"lidar", SensorKind::kRay, k1_6},
     {"camera", SensorKind::kCamera, k1_4},
     {"depth_camera", SensorKind::kDepthCamera, k1_6, "camera"},
     {"depth", SensorKind::kDepthCamera, k1_4, "camera"},
     {"rgbd_camera", SensorKind::kColorDepthCamera, k1_6, "camera"},
     {"rgbd", SensorKind::kColorDepthCamera, k1_6, "camera"}}};

// The first row that fits, or null.
template <class Fits>
const SensorType* FirstType(const Fits& fits) {
  for (const SensorType& each : kSensorTypes)
    if (fits(each)) return &each;
  return nullptr;
}

// The settings of a sensor, or null. "ray" and "lidar" mean the same.
NativeElement* OwnOf(NativeElement& element, std::string_view type) {
  const SensorType* const found =
      FirstType([&](const SensorType& each) { return each.name == type; });
  const bool renamed = found != nullptr && !found->own.empty();
  NativeElement* const own = element.Child(renamed ? found->own : type);
  if (own != nullptr || found == nullptr || found->kind != SensorKind::kRay) return own;
  NativeElement* const ray = element.Child("ray");
  return ray != nullptr ? ray : element.Child("lidar");
}

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
// What libsdformat takes where nothing is said: rad, pixels.
constexpr double kFieldOfView = 1.047, kWidth = 320, kHeight = 240;

bool IsEmpty(const NativeElement& element) {
  return element.attributes.empty() && element.children.empty() && element.Text().empty();
}

std::optional<double> NumberIn(const NativeElement& element, std::string_view child) {
  const NativeElement* const found = element.Child(child);
  return found == nullptr ? std::nullopt : xml::ParseNumber(found->Text());
}

std::string_view TextIn(const NativeElement& element, std::string_view child) {
  const NativeElement* const found = element.Child(child);
  return found == nullptr ? std::string_view() : found->Text();
}

// Takes a child away that says nothing any more.
void EraseEmpty(NativeElement& element, std::string_view child) {
  if (const NativeElement* const found = element.Child(child); found != nullptr && IsEmpty(*found))
    element.Erase(child);
}

// The standard deviation of a <noise>, if that is all that is said of it. Its type is an attribute,
// or a child.
std::optional<double> DeviationOf(const NativeElement& noise) {
  // Noise of another type, or with a bias or a mean, is more than a number.
  const std::string* const type = noise.Attribute("type");
  if ((type == nullptr ? TextIn(noise, "type") : *type) != "gaussian" ||
      noise.attributes.size() != (type == nullptr ? 0u : 1u))
    return std::nullopt;
  // A parameter of 0 (mean, bias) says nothing.
  for (const NativeElement& child : noise.children) {
    const bool known = child.name == "stddev" || child.name == "type" ||
                       (child.IsElement() && NumberIn(noise, child.name) == 0);
    if (!known) return std::nullopt;
  }
  return NumberIn(noise, "stddev");
}

// The noise of a group, if it is the same in all directions; it is then gone from there.
std::optional<double> TakeNoise(NativeElement& group) {
  std::optional<double> common;
  for (const std::string_view name : kDirections) {
    const NativeElement* const direction = group.Child(name);
    const NativeElement* const noise = direction == nullptr ? nullptr : direction->Child("noise");
    const bool alone = noise != nullptr && direction->children.size() == 1;
    const std::optional<double> own =
        alone && direction->attributes.empty() ? DeviationOf(*noise) : std::nullopt;
    if (!own || (common && *common != *own)) return std::nullopt;
    common = own;
  }
  for (const std::string_view name : kDirections) group.Erase(name);
  return common;
}

// On unless it is switched off, as in libsdformat, and counted from how the IMU stands at first.
void TakeOrientation(NativeElement& imu, Sensor& sensor) {
  if (const NativeElement* const enabled = imu.Child("enable_orientation")) {
    if (enabled->Text() == "false" || enabled->Text() == "0")
      sensor.orientation = SensedTurn::kUnsaid;
    imu.Erase("enable_orientation");
  }
  NativeElement* const frame = imu.Child("orientation_reference_frame");
  const NativeElement* const custom = frame == nullptr ? nullptr : frame->Child("custom_rpy");
  const std::string* const parent = custom == nullptr ? nullptr : custom->Attribute("parent_frame");
  if (parent == nullptr || *parent != "world" || TextIn(*frame, "localization") != "CUSTOM" ||
      frame->children.size() != 2 ||
      xml::ParseNumbers(custom->Text(), 3) != std::vector<double>{0, 0, 0})
    return;
  if (sensor.orientation == SensedTurn::kFromStart) sensor.orientation = SensedTurn::kFromWorld;
  imu.Erase("orientation_reference_frame");
}

// From bottom to top, of a picture that is `from` left to right; rad.
double AcrossOf(double angle, double from, double to) {
  return 2 * std::atan(std::tan(angle / 2) * to / from);
}

void TakePicture(NativeElement* camera, Sensor& sensor) {
  NativeElement none;
  NativeElement& own = camera == nullptr ? none : *camera;
  NativeElement* const image = own.Child("image");
  if (image != nullptr) {
    sensor.width = NumberIn(*image, "width"), sensor.height = NumberIn(*image, "height");
    image->Erase("width"), image->Erase("height");
    EraseEmpty(own, "image");
  }
  const double angle = NumberIn(own, "horizontal_fov").value_or(kFieldOfView);
  const double width = sensor.width.value_or(kWidth), height = sensor.height.value_or(kHeight);
  if (!(angle > 0 && angle < std::numbers::pi && width > 0 && height > 0)) return;
  sensor.fov = AcrossOf(angle, width, height);
  own.Erase("horizontal_fov");
}

// One ray along x measures one distance.
bool IsOneRay(const NativeElement& scan, std::string_view direction, double samples) {
  const NativeElement* const across = scan.Child(direction);
  return across == nullptr || (NumberIn(*across, "samples").value_or(samples) <= 1 &&
                               NumberIn(*across, "resolution").value_or(1) == 1 &&
                               NumberIn(*across, "min_angle").value_or(0) == 0 &&
                               NumberIn(*across, "max_angle").value_or(0) == 0);
}

void TakeRay(NativeElement* ray, Sensor& sensor) {
  const NativeElement* const scan = ray == nullptr ? nullptr : ray->Child("scan");
  // Without a word of it, libsdformat takes 640 of them.
  if (scan == nullptr || scan->Child("horizontal") == nullptr ||
      !IsOneRay(*scan, "horizontal", 640) || !IsOneRay(*scan, "vertical", 1)) {
    sensor.kind = SensorKind::kScan;
    return;
  }
  ray->Erase("scan");
  if (const NativeElement* const noise = ray->Child("noise")) {
    sensor.noise = DeviationOf(*noise);
    if (sensor.noise) ray->Erase("noise");
  }
  NativeElement* const range = ray->Child("range");
  if (range == nullptr) return;
  if (const std::optional<double> most = NumberIn(*range, "max"); most && *most > 0) {
    if (std::isfinite(*most)) sensor.range = most;
    range->Erase("max");
  } else if (TextIn(*range, "max") == "inf") {
    range->Erase("max");
  }
  for (const std::string_view zero : {"min", "resolution"})
    if (NumberIn(*range, zero) == 0) range->Erase(zero);
  EraseEmpty(*ray, "range");
}

// What is a joint's: the child's axes, and what the child exerts, where nothing is said.
void TakeWrench(NativeElement* own, Sensor& sensor) {
  sensor.axes = SensorAxes::kChild, sensor.on_parent = true;
  if (own == nullptr) return;
  const std::string_view frame = TextIn(*own, "frame");
  if (frame == "sensor") sensor.axes = SensorAxes::kOwn;
  if (frame == "parent") sensor.axes = SensorAxes::kParent;
  sensor.on_parent = TextIn(*own, "measure_direction") != "parent_to_child";
  own->Erase("frame"), own->Erase("measure_direction");
}

bool IsCamera(SensorKind kind) {
  return kind == SensorKind::kCamera || kind == SensorKind::kDepthCamera ||
         kind == SensorKind::kColorDepthCamera;
}

void WriteNoise(NativeElement& noise, double deviation) {
  noise.Add("mean", "0"), noise.Add("stddev", xml::NumberText(deviation));
}

// Settings of one kind, in the words of this version.
void WriteImu(const Sensor& sensor, NativeElement& own) {
  if (sensor.orientation == SensedTurn::kUnsaid) own.Add("enable_orientation", "false");
  if (sensor.orientation != SensedTurn::kFromWorld) return;
  NativeElement& frame = own.Add("orientation_reference_frame");
  frame.Add("localization", "CUSTOM");
  SetAttribute(frame.Add("custom_rpy", "0 0 0").attributes, "parent_frame", "world");
}

void WriteWrench(const Sensor& sensor, NativeElement& own) {
  if (sensor.axes != SensorAxes::kChild)
    own.Add("frame", sensor.axes == SensorAxes::kOwn ? "sensor" : "parent");
  if (!sensor.on_parent) own.Add("measure_direction", "parent_to_child");
}

// From the left to the right of the picture (rad).
double Across(const Sensor& sensor) {
  return AcrossOf(*sensor.fov, sensor.height.value_or(kHeight), sensor.width.value_or(kWidth));
}

// What libsdformat takes.
bool IsPicture(const Sensor& sensor) {
  return sensor.fov && Across(sensor) >= 0.1 && Across(sensor) < 6.283186;
}

void WritePicture(const Sensor& sensor, NativeElement& own) {
  const double width = sensor.width.value_or(kWidth), height = sensor.height.value_or(kHeight);
  own.Add("horizontal_fov", xml::NumberText(xml::Rounded(Across(sensor))));
  if (!sensor.width && !sensor.height) return;
  NativeElement& image = own.Add("image");
  image.Add("width", xml::NumberText(width)), image.Add("height", xml::NumberText(height));
}

void WriteRay(const Sensor& sensor, NativeElement& own) {
  NativeElement& across = own.Add("scan").Add("horizontal");
  across.Add("samples", "1"), across.Add("resolution", "1");
  across.Add("min_angle", "0"), across.Add("max_angle", "0");
  NativeElement& range = own.Add("range");
  range.Add("min", "0"), range.Add("max", sensor.range ? xml::NumberText(*sensor.range) : "inf");
  if (!(sensor.noise.value_or(0) > 0)) return;
  NativeElement& noise = own.Add("noise");
  noise.Add("type", "gaussian");
  WriteNoise(noise, *sensor.noise);
}

// The type that a version writes for a sensor; null: none.
const SensorType* TypeOf(const Sensor& sensor, Version version) {
  // A camera needs its angle, and a <contact> the name of a shape.
  if (IsCamera(sensor.kind) && !(sensor.fov && *sensor.fov > 0 && *sensor.fov < std::numbers::pi))
    return nullptr;
  if (sensor.kind == SensorKind::kContact) return nullptr;
  // A wrench is a joint's, and everything else stands on a link; the world is none.
  const bool placed = sensor.kind == SensorKind::kForceTorque
                          ? sensor.joint != kNoJoint
                          : sensor.link != kNoLink && sensor.link != kWorld;
  if (!placed) return nullptr;
  return FirstType(
      [&](const SensorType& each) { return each.kind == sensor.kind && version >= each.since; });
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
  NativeElement* const own = OwnOf(element, sensor.type);
  const std::string own_name = own == nullptr ? "" : own->name;
  if (sensor.kind == SensorKind::kImu) {
    sensor.orientation = SensedTurn::kFromStart;
    if (own != nullptr) TakeOrientation(*own, sensor);
  }
  if (sensor.kind == SensorKind::kForceTorque) TakeWrench(own, sensor);
  if (IsCamera(sensor.kind)) TakePicture(own, sensor);
  if (sensor.kind == SensorKind::kRay) TakeRay(own, sensor);
  if (own == nullptr) return element;
  for (const Noise& noise : kNoises) {
    if (noise.kind != sensor.kind) continue;
    NativeElement* const group = noise.group.empty() ? own : own->Child(noise.group);
    if (group == nullptr) continue;
    sensor.*noise.value = TakeNoise(*group);
    if (group != own) EraseEmpty(*own, noise.group);
  }
  EraseEmpty(element, own_name);
  return element;
}

std::optional<NativeElement> WriteSensorWords(const Sensor& sensor, const WriteOptions& options) {
  const Version version = ParseVersion(options.version).value_or(Version{1, 9});
  const SensorType* const type = TypeOf(sensor, version);
  if (type == nullptr || (IsCamera(sensor.kind) && !IsPicture(sensor))) return std::nullopt;
  NativeElement element;
  element.name = "sensor";
  SetAttribute(element.attributes, "name", sensor.name);
  SetAttribute(element.attributes, "type", std::string(type->name));
  if (sensor.update_rate.value_or(0) > 0)
    element.Add("update_rate", xml::NumberText(*sensor.update_rate));
  NativeElement own;
  own.name = type->own.empty() ? type->name : type->own;
  if (sensor.kind == SensorKind::kForceTorque) WriteWrench(sensor, own);
  if (IsCamera(sensor.kind)) WritePicture(sensor, own);
  if (sensor.kind == SensorKind::kRay) WriteRay(sensor, own);
  // These came with 1.6, as they are written here; the noise of a wrench with 1.7.
  if (sensor.kind == SensorKind::kImu && version >= k1_6) WriteImu(sensor, own);
  for (const Noise& noise : kNoises) {
    const double deviation = (sensor.*noise.value).value_or(0);
    const Version since = sensor.kind == SensorKind::kForceTorque ? Version{1, 7} : k1_6;
    if (noise.kind != sensor.kind || !(deviation > 0) || version < since) continue;
    NativeElement& group = noise.group.empty() ? own : own.Add(noise.group);
    for (const std::string_view direction : kDirections) {
      NativeElement& written = group.Add(direction).Add("noise");
      SetAttribute(written.attributes, "type", "gaussian");
      WriteNoise(written, deviation);
    }
  }
  if (!IsEmpty(own)) element.children.push_back(std::move(own));
  return element;
}

void TurnSensorWords(NativeElement& element) {
  Sensor sensor;
  static_cast<void>(ReadSensorWords(element, sensor));
  if (sensor.kind != SensorKind::kForceTorque) return;
  if (element.Child("force_torque") == nullptr) element.Add("force_torque");
  NativeElement& own = *element.Child("force_torque");
  own.Erase("frame"), own.Erase("measure_direction");
  if (sensor.axes != SensorAxes::kParent)
    own.Add("frame", sensor.axes == SensorAxes::kOwn ? "sensor" : "parent");
  own.Add("measure_direction", sensor.on_parent ? "parent_to_child" : "child_to_parent");
}

}  // namespace kinemorph::sdformat
