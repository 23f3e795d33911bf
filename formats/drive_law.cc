#include "kinemorph/formats/drive_law.h"

#include <utility>

#include "kinemorph/formats/formats.h"

namespace kinemorph {
namespace {

// Of the fields, which are seen from the joint: a gear g turns a stiffness k into g^2 k.
DriveLaw LawOfFields(const Actuator& drive) {
  DriveLaw law;
  if (!IsServo(drive)) return law;
  const double squared = drive.gear * drive.gear;
  law.by_length = -drive.stiffness.value_or(0) / squared;
  law.by_rate = -drive.damping.value_or(0) / squared;
  law.gain = drive.kind == DriveKind::kPosition ? -law.by_length : -law.by_rate;
  if (drive.control_lower) law.control_lower = *drive.control_lower * drive.gear;
  if (drive.control_upper) law.control_upper = *drive.control_upper * drive.gear;
  if (drive.gear < 0) std::swap(law.control_lower, law.control_upper);
  return law;
}

}  // namespace

// What an actuator does is said in words of its own format, so that format is asked first.
std::optional<DriveLaw> DriveLawOf(const Model& model, const Actuator& actuator, std::string& why) {
  const Format* const format = FindFormat(actuator.native.format);
  const bool says = format != nullptr && format->drive_law != nullptr;
  return says ? format->drive_law(model, actuator, why) : LawOfFields(actuator);
}

Actuator AtJoint(Actuator drive) {
  for (std::optional<double>* const limit : {&drive.effort_lower, &drive.effort_upper})
    if (*limit) **limit *= drive.gear;
  if (drive.gear < 0) std::swap(drive.effort_lower, drive.effort_upper);
  drive.gear = 1;
  return drive;
}

}  // namespace kinemorph
