// What the elements of <actuator> are short for (MuJoCo, XML reference, "actuator").
#include <algorithm>
#include <array>
#include <cmath>

#include "mjcf.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph {
namespace {

// Attributes of one element; numbers that the reader took for such.
class Attributes {
 public:
  explicit Attributes(const AttributeList& attributes) : attributes_(attributes) {}

  [[nodiscard]] std::string Text(std::string_view name, std::string_view otherwise) const {
    const std::string* const text = FindAttribute(attributes_, name);
    return std::string(text == nullptr ? otherwise : std::string_view(*text));
  }
  [[nodiscard]] std::vector<double> Numbers(std::string_view name) const {
    const std::string* const text = FindAttribute(attributes_, name);
    return text == nullptr ? std::vector<double>()
                           : xml::ParseNumbers(*text).value_or(std::vector<double>());
  }
  [[nodiscard]] double Number(std::string_view name, double otherwise) const {
    const std::vector<double> numbers = Numbers(name);
    return numbers.empty() ? otherwise : numbers.front();
  }
  // The first three, the rest zero.
  [[nodiscard]] std::array<double, 3> Three(std::string_view name, double first) const {
    std::array<double, 3> three = {first, 0, 0};
    const std::vector<double> numbers = Numbers(name);
    std::copy_n(numbers.begin(), std::min<std::size_t>(3, numbers.size()), three.begin());
    return three;
  }

 private:
  const AttributeList& attributes_;
};

// Gain g0 + g1 l + g2 l' and bias b0 + b1 l + b2 l', with l and l' the length of the transmission
// and its rate. Muscles, motors with a current and laws of the user's code are of no such form.
std::optional<DriveLaw> General(const Attributes& says, std::string& why) {
  const std::string gain = says.Text("gaintype", "fixed"), bias = says.Text("biastype", "none");
  for (const std::string& type : {gain, bias}) {
    if (type == "fixed" || type == "none" || type == "affine") continue;
    why = "is of the type " + type;
    return std::nullopt;
  }
  const std::array<double, 3> g = says.Three("gainprm", 1), b = says.Three("biasprm", 0);
  DriveLaw law;
  law.gain = g[0];
  if (gain == "affine") law.gain_by_length = g[1], law.gain_by_rate = g[2];
  if (bias != "affine") return law;
  law.bias = b[0], law.by_length = b[1], law.by_rate = b[2];
  // A positive one is a damping ratio, where the rest is a position servo.
  if (b[2] > 0 && g[0] == -b[1]) law.damping_ratio = b[2], law.by_rate = 0;
  return law;
}

// The shortcuts are this law with some of its numbers fixed. A damping ratio is carried as it is:
// turning it into kv takes the mass matrix, which hangs on the whole model.
std::optional<DriveLaw> LawOfType(const std::string& type, const Attributes& says,
                                  std::string& why) {
  DriveLaw law;
  if (type == "motor") return law;
  if (type == "general") return General(says, why);
  if (type == "position") {
    law.gain = says.Number("kp", 1);
    law.by_length = -law.gain, law.by_rate = -says.Number("kv", 0);
    if (const double ratio = says.Number("dampratio", 0); ratio > 0) law.damping_ratio = ratio;
    return law;
  }
  if (type == "velocity") {
    law.gain = says.Number("kv", 1), law.by_rate = -law.gain;
    return law;
  }
  // The control of a damper scales its damping: the effort is -kv u l'.
  if (type == "damper") {
    law.gain = 0, law.gain_by_rate = -says.Number("kv", 0);
    return law;
  }
  why = "is of the type " + type;
  return std::nullopt;
}

void ReadControlRange(const Attributes& says, const Model& model, const Actuator& actuator,
                      DriveLaw& law) {
  // inheritrange is a share of the joint's range about its middle. The control of a servo counts in
  // qpos, the limits of the model from ref: hence the offset.
  std::vector<double> range = says.Numbers("ctrlrange");
  const double share = says.Number("inheritrange", 0);
  const Joint& joint = model.joint(actuator.joint);
  if (share > 0 && joint.axes.size() == 1 && joint.axes[0].lower && joint.axes[0].upper) {
    const JointAxis& axis = joint.axes[0];
    const double middle = (*axis.lower + *axis.upper) / 2 + axis.position_offset,
                 half = share * (*axis.upper - *axis.lower) / 2;
    range = {middle - half, middle + half};
  }
  // A range that is empty or reversed is no limit to MuJoCo.
  if (range.size() == 2 && range[0] < range[1] && says.Text("ctrllimited", "auto") != "false")
    law.control_lower = range[0], law.control_upper = range[1];
}

}  // namespace

std::optional<DriveLaw> MjcfDriveLaw(const Model& model, const Actuator& actuator,
                                     std::string& why) {
  const Attributes says(actuator.native.content.attributes);
  // What remembers has no law of one moment: with an activation the effort follows the last state,
  // with nsample an older control.
  if (says.Text("dyntype", "none") != "none" || says.Number("timeconst", 0) > 0) {
    why = "has a state of its own (an activation)";
    return std::nullopt;
  }
  if (says.Number("nsample", 0) > 0) {
    why = "takes its control late (nsample)";
    return std::nullopt;
  }
  std::optional<DriveLaw> law = LawOfType(actuator.type, says, why);
  if (law) ReadControlRange(says, model, actuator, *law);
  return law;
}

namespace mjcf {
namespace {

// The least range of both.
void Intersect(double lower, double upper, Actuator& drive) {
  drive.effort_lower = std::max(std::min(lower, upper), drive.effort_lower.value_or(-HUGE_VAL));
  drive.effort_upper = std::min(std::max(lower, upper), drive.effort_upper.value_or(HUGE_VAL));
}

// effort = gain u + bias - kp l - kv l' with l = gear q: of a servo k = gear^2 kp, d = gear^2 kv, and
// the joint is to be where gain u + bias = kp gear q (or kv gear v).
void TakeServo(const DriveLaw& law, Actuator& drive) {
  const double squared = drive.gear * drive.gear;
  const bool position = law.by_length != 0;
  drive.kind = position ? DriveKind::kPosition : DriveKind::kVelocity;
  if (position) drive.stiffness = -law.by_length * squared;
  if (!position || law.by_rate != 0) drive.damping = -law.by_rate * squared;
  const double slope = -(position ? law.by_length : law.by_rate) * drive.gear;
  const auto at_joint = [&](double u) { return (law.gain * u + law.bias) / slope; };
  if (law.control_lower) drive.control_lower = at_joint(*law.control_lower);
  if (law.control_upper) drive.control_upper = at_joint(*law.control_upper);
  if (law.gain / slope < 0) std::swap(drive.control_lower, drive.control_upper);
}

}  // namespace

void TakeDriveLaw(const Model& model, Actuator& drive, const std::function<double()>& inertia) {
  std::string why;
  drive.kind = DriveKind::kOther;
  for (const auto field : {&Actuator::stiffness, &Actuator::damping, &Actuator::control_lower,
                           &Actuator::control_upper})
    (drive.*field).reset();
  if (drive.joint == kNoJoint || drive.gear == 0 ||
      NumVelocities(model.joint(drive.joint).kind) != 1)
    return;
  const std::optional<DriveLaw> law = MjcfDriveLaw(model, drive, why);
  if (!law || law->gain == 0 || law->gain_by_length != 0 || law->gain_by_rate != 0) return;
  if (law->by_length < 0 && law->by_rate <= 0) {
    TakeServo(*law, drive);
    if (!law->damping_ratio) return;
    const double M = inertia();
    if (M > 0)
      drive.damping = 2 * *law->damping_ratio * std::sqrt(*drive.stiffness * M);
    else
      drive.kind = DriveKind::kOther;
  } else if (law->by_length == 0 && law->by_rate < 0) {
    TakeServo(*law, drive);
  } else if (law->by_length == 0 && law->by_rate == 0) {
    if (law->bias == 0) drive.kind = DriveKind::kEffort;
    if (law->control_lower && law->control_upper)
      Intersect(law->gain * *law->control_lower + law->bias,
                law->gain * *law->control_upper + law->bias, drive);
  }
}

NativeElement RestOfDrive(NativeElement element) {
  constexpr std::string_view kSaid[] = {"name",         "joint",      "jointinparent", "gear",
                                        "forcelimited", "forcerange", "ctrlrange",     "kp",
                                        "kv",           "dampratio",  "ctrllimited",   "gaintype",
                                        "gainprm",      "group",      "biastype",      "biasprm",
                                        "inheritrange", "dyntype",    "dynprm",        "class"};
  std::erase_if(element.attributes, [&](const auto& attribute) {
    return std::find(std::begin(kSaid), std::end(kSaid), attribute.first) != std::end(kSaid);
  });
  return element;
}

std::optional<Actuator> WriteDriveWords(const Model&, const Actuator& drive, const WriteOptions&) {
  if (!IsServo(drive)) return std::nullopt;  // motors are written on request
  Actuator held = AtJoint(drive);
  held.target.reset();
  held.type = held.kind == DriveKind::kPosition ? "position" : "velocity";
  AttributeList says = {{"name", held.name}, {"joint", ""}};
  const auto number = [&](const char* name, std::optional<double> value) {
    if (value) says.emplace_back(name, xml::NumberText(*value));
  };
  const auto range = [&](const std::string& what, std::optional<double>& lower,
                         std::optional<double>& upper) {
    if (lower && upper && *lower < *upper) {
      says.emplace_back(what + "limited", "true");
      says.emplace_back(what + "range", xml::NumberText(*lower) + " " + xml::NumberText(*upper));
    } else {  // MuJoCo has no open side
      lower.reset(), upper.reset();
    }
  };
  number("kp", held.stiffness), number("kv", held.damping);
  range("ctrl", held.control_lower, held.control_upper);
  range("force", held.effort_lower, held.effort_upper);
  NativeElement element{.name = held.type};
  element.attributes = std::move(says);
  held.native = {"mjcf", held.type, std::move(element), held.where};
  return held;
}

}  // namespace mjcf
}  // namespace kinemorph
