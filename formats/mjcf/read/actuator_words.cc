#include "read/actuator_words.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "schema.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// `general` has three lists: gainprm and biasprm, gain g0 + g1 l + g2 l' and bias b0 + b1 l + b2 l'
// with the length l of what is driven, and dynprm of the state before them. The shortcuts say some
// of these numbers by name (MuJoCo, XML reference; measured in 4.0).
using Doubles = std::vector<double>;

bool IsServo(std::string_view kind) {
  return kind == "position" || kind == "intvelocity" || kind == "orientation" || kind == "pid";
}

// The numbers of the gain of a muscle behind its range, which has the first two.
constexpr std::pair<const char*, double> kMuscleNumbers[] = {
    {"force", -1}, {"scale", 200}, {"lmin", 0.5}, {"lmax", 1.6},
    {"vmax", 1.5}, {"fpmax", 1.3}, {"fvmax", 1.2}};

// The constant (N m/A) and the resistance (Ohm) that come of a data sheet.
struct Electrics {
  double K, R;
};

Electrics ElectricsOf(const ActuatorState& motor) {
  const Doubles nominal = Overlaid(motor.own, "nominal", {0, 0, 0}),
                constants = Overlaid(motor.own, "motorconst", {0, 0});
  const double volts = nominal[0], stall = nominal[1], speed = nominal[2];
  const double B = Number(motor.shared, "damping", 0);
  double R = Number(motor.own, "resistance", 0), Ke = constants[1];
  // Without load the damping B takes the torque K (volts - Ke speed) / R.
  if (volts > 0 && Ke <= 0 && speed > 0) {
    Ke = volts / speed;
    const double root = volts * volts - 4 * R * B * speed * speed;
    if (B > 0 && R > 0 && root > 0) Ke = (volts + std::sqrt(root)) / (2 * speed);
    if (B > 0 && R <= 0 && stall > 0 && Ke > volts * B / stall) Ke -= volts * B / stall;
  }
  const double Kt = constants[0], K = Kt > 0 && Ke > 0 ? std::sqrt(Kt * Ke) : std::max(Kt, Ke);
  if (R == 0 && stall > 0) R = K * std::max(volts, 0.0) / stall;
  return {K, R};
}

// Resistance (K/W), capacity (J/K) and their product, the time (s): two of them are enough.
Doubles TwoOfHeat(Doubles heat) {
  if (heat[2] > 0 && heat[0] > 0)
    heat[1] = heat[2] / heat[0];
  else if (heat[2] > 0 && heat[1] > 0)
    heat[0] = heat[2] / heat[1];
  heat[2] = 0;
  return heat;
}

bool Says(const Words& words, std::string_view name, std::string_view value) {
  const auto word = words.find(name);
  return word != words.end() && word->second == value;
}

}  // namespace

std::string_view GainOf(const ActuatorState& state) {
  constexpr std::pair<std::string_view, std::string_view> kGains[] = {{"damper", "affine"},
                                                                      {"muscle", "muscle"},
                                                                      {"orientation", "so3"},
                                                                      {"pid", "pid"},
                                                                      {"dcmotor", "dcmotor"}};
  if (const auto gain = state.own.find("gaintype"); gain != state.own.end()) return gain->second;
  for (const auto& [kind, gain] : kGains)
    if (kind == state.kind) return gain;
  return "fixed";
}

std::vector<double> Overlaid(const Words& words, std::string_view name,
                             std::vector<double> initial) {
  const auto word = words.find(name);
  const auto numbers = word == words.end() ? std::nullopt : xml::ParseNumbers(word->second);
  if (numbers)
    std::copy_n(numbers->begin(), std::min(numbers->size(), initial.size()), initial.begin());
  return initial;
}

double Number(const Words& words, std::string_view name, double otherwise) {
  return Overlaid(words, name, {otherwise})[0];
}

double TorqueOf(const ActuatorState& state) {
  if (state.kind != "dcmotor") return 0;
  const Doubles limits = Overlaid(state.own, "saturation", {0, 0, 0});
  return limits[0] != 0 ? limits[0] : ElectricsOf(state).K * limits[1];
}

double EvenForce(const Words& shared) {
  const Doubles ends = Overlaid(shared, "forcerange", {0, 0});
  return ends[0] == -ends[1] ? std::max(ends[1], 0.0) : 0;
}

std::string_view ActuatorWords::Keep(const std::vector<double>& numbers) {
  return texts_.emplace_back(xml::NumbersText(numbers));
}

void ActuatorWords::Overlay(Words& words, std::string_view name, std::string_view value) {
  constexpr std::string_view kLists[] = {"gear",       "damping",    "gainprm", "biasprm",
                                         "dynprm",     "saturation", "cogging", "controller",
                                         "motorconst", "thermal",    "lugre"};
  std::string_view& there = words[name];
  if (!there.empty() && std::find(std::begin(kLists), std::end(kLists), name) != std::end(kLists)) {
    const std::vector<std::string_view> old = xml::SplitWords(there);
    std::string longer(value);
    for (std::size_t i = xml::SplitWords(value).size(); i < old.size(); ++i)
      longer.append(" ").append(old[i]);
    value = texts_.emplace_back(std::move(longer));
  }
  there = value;
}

Words ActuatorWords::InGeneral(const ActuatorState& state) {
  const Words& own = state.own;
  const std::string_view kind = state.kind;
  if (IsRaw(kind)) return own;
  Words raw;
  if (const std::string_view gain = GainOf(state); gain != "fixed") raw["gaintype"] = gain;
  for (const char* name : {"inheritrange", "input"})
    if (const auto word = own.find(name); word != own.end()) raw.insert(*word);
  if (IsServo(kind)) SayServo(own, kind, raw);
  if (kind == "cylinder") SayCylinder(own, raw);
  if (kind == "muscle") SayMuscle(own, raw);
  if (kind == "velocity") {
    const double kv = Number(own, "kv", 1);
    raw["gainprm"] = Keep({kv});
    raw["biasprm"] = Keep({0, 0, 0 - kv});
    raw["biastype"] = "affine";
  }
  if (kind == "damper") raw["gainprm"] = Keep({0, 0, 0 - Number(own, "kv", 0)});
  if (kind == "adhesion") raw["gainprm"] = Keep({Number(own, "gain", 1)});
  return raw;
}

// Gain kp, bias -kp l - kv l'. A positive third number is a damping ratio.
void ActuatorWords::SayServo(const Words& own, std::string_view kind, Words& raw) {
  const double kp = Number(own, "kp", 1), ki = Number(own, "ki", 0),
               slew = Number(own, "slewmax", 0), filter = Number(own, "timeconst", 0);
  const double rate =
      own.contains("dampratio") ? Number(own, "dampratio", 0) : 0 - Number(own, "kv", 0);
  raw["gainprm"] = Keep({kind == "pid" ? ki : kp});
  raw["biasprm"] = Keep({0, 0 - kp, rate});
  raw["biastype"] = kind == "orientation" ? "so3" : "affine";
  if (kind == "pid") raw["dynprm"] = Keep({ki == 0 ? 0 : Number(own, "imax", 0), slew});
  // A time constant of zero is no filter of the control.
  if (own.contains("timeconst")) raw["dynprm"] = own.at("timeconst");
  if (filter != 0) raw["dyntype"] = "filterexact";
  if (kind == "intvelocity") raw["dyntype"] = "integrator";
  if (ki != 0 || slew != 0) raw["dyntype"] = "pid";
}

// Pressure times area, behind a filter of the first order.
void ActuatorWords::SayCylinder(const Words& own, Words& raw) {
  const double diameter = Number(own, "diameter", 0);
  raw["gainprm"] = Keep({own.contains("diameter") ? std::numbers::pi / 4 * diameter * diameter
                                                  : Number(own, "area", 1)});
  raw["biasprm"] = Keep(Overlaid(own, "bias", {0, 0, 0}));
  raw["dynprm"] = Keep({Number(own, "timeconst", 1)});
  raw["biastype"] = "affine", raw["dyntype"] = "filter";
}

// The passive force (bias) has the numbers of the gain.
void ActuatorWords::SayMuscle(const Words& own, Words& raw) {
  Doubles gain = Overlaid(own, "range", {0.75, 1.05});
  for (const auto& [name, usual] : kMuscleNumbers) gain.push_back(Number(own, name, usual));
  Doubles times = Overlaid(own, "timeconst", {0.01, 0.04});  // s, on and off
  times.push_back(Number(own, "tausmooth", 0));
  raw["gainprm"] = raw["biasprm"] = Keep(gain);
  raw["dynprm"] = Keep(times);
  raw["biastype"] = raw["dyntype"] = "muscle";
}

// What `general` leaves open is usual for the kinds too, but for those that have a type of gain of
// their own.
Words ActuatorWords::FromGeneral(const Words& raw, std::string_view kind) {
  const Doubles gain = Overlaid(raw, "gainprm", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                bias = Overlaid(raw, "biasprm", {0, 0, 0}),
                dynamics = Overlaid(raw, "dynprm", {1, 0, 0});
  Words own;
  for (const char* name : {"inheritrange", "input"})
    if (const auto word = raw.find(name); word != raw.end() && IsOfDefault(kind, name))
      own.insert(*word);
  const auto say = [&](const char* name, const Doubles& numbers, const Doubles& usual = {}) {
    if (numbers != usual) own[name] = Keep(numbers);
  };
  if (IsServo(kind)) say(bias[2] < 0 ? "kv" : "dampratio", {std::abs(bias[2])}, {0});
  if (IsServo(kind) && kind != "pid") say("kp", {gain[0]}, {1});
  // An integrator has no use for the time constant of a filter, but leaves it to others.
  if ((kind == "position" || kind == "intvelocity") && Says(raw, "dyntype", "filterexact"))
    say("timeconst", {dynamics[0]});
  if (kind == "velocity") say("kv", {gain[0]}, {1});
  if (kind == "damper") say("kv", {-gain[2]});
  if (kind == "adhesion") say("gain", {gain[0]}, {1});
  if (kind == "pid") {
    say("kp", {-bias[1]});
    say("ki", {gain[0]});
    say("imax", {dynamics[0]});
    say("slewmax", {dynamics[1]});
  } else if (kind == "cylinder") {
    say("area", {gain[0]}, {1});
    say("bias", bias, {0, 0, 0});
    say("timeconst", {dynamics[0]}, {1});
  } else if (kind == "muscle") {
    say("range", {gain[0], gain[1]});
    for (std::size_t i = 0; i < std::size(kMuscleNumbers); ++i)
      say(kMuscleNumbers[i].first, {gain[i + 2]});
    say("timeconst", {dynamics[0], dynamics[1]});
    say("tausmooth", {dynamics[2]}, {0});
  }
  return own;
}

Words ActuatorWords::Resolved(const ActuatorState& motor) {
  const auto [K, R] = ElectricsOf(motor);
  Words own = motor.own;
  own.erase("nominal");
  own["motorconst"] = Keep({K, 0});
  own["resistance"] = Keep({R});
  // A range of forces that is even and on is taken for a saturation, too.
  const bool on = Says(motor.shared, "forcelimited", "true");
  if (const double torque = on ? EvenForce(motor.shared) : TorqueOf(motor); torque > 0)
    Overlay(own, "saturation", Keep({torque, 0}));
  if (own.contains("inductance")) {
    const Doubles coil = Overlaid(own, "inductance", {0, 0});  // H, s
    own["inductance"] = Keep({0, coil[0] > 0 ? coil[0] / R : coil[1]});
  }
  if (own.contains("thermal"))
    own["thermal"] = Keep(TwoOfHeat(Overlaid(own, "thermal", {0, 0, 0, 0, 0, 0})));
  return own;
}

}  // namespace kinemorph::mjcf
