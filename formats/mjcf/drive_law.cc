// What the elements of <actuator> are short for (MuJoCo, XML reference, "actuator").
#include <algorithm>
#include <array>

#include "mjcf.h"
#include "xml_reader.h"

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

}  // namespace kinemorph
