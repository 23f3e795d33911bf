// The parameters of an actuator in the words of its kind, and the same in those of `general`.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::mjcf {

using Words = std::map<std::string_view, std::string_view>;  ///< by attribute

/// What default classes, and at last an actuator, amount to.
struct ActuatorState {
  std::string_view kind = "general";  ///< who spoke last
  Words own;                          ///< the parameters, as that kind says them
  Words shared;                       ///< what any kind takes over
  /// `general` has the numbers of a dcmotor, or the other way round: nobody translates them.
  bool unknown = false;
};

/// Says its parameters as `general` does.
[[nodiscard]] inline bool IsRaw(std::string_view kind) {
  return kind == "general" || kind == "plugin";
}
/// By the type of its gain `general` says which kind it is.
[[nodiscard]] std::string_view GainOf(const ActuatorState& state);

/// @{
/// `initial` with the numbers of a word in front; a word that is missing, or no list of numbers,
/// changes nothing.
[[nodiscard]] std::vector<double> Overlaid(const Words& words, std::string_view name,
                                           std::vector<double> initial);
[[nodiscard]] double Number(const Words& words, std::string_view name, double otherwise);
/// @}

/// The greatest torque (N m) that the saturation of a dcmotor lets through; 0: it has none.
[[nodiscard]] double TorqueOf(const ActuatorState& state);
/// The end of a forcerange that is even about zero; 0: it is not.
[[nodiscard]] double EvenForce(const Words& shared);

/// Makes words. They are views of texts that live here, or that they were given.
class ActuatorWords {
 public:
  [[nodiscard]] std::string_view Keep(const std::vector<double>& numbers);
  /// Of some lists a shorter one replaces the first numbers only.
  void Overlay(Words& words, std::string_view name, std::string_view value);
  /// The parameters as `general` says them.
  [[nodiscard]] Words InGeneral(const ActuatorState& state);
  /// As far as `kind` can say what `general` says.
  [[nodiscard]] Words FromGeneral(const Words& raw, std::string_view kind);
  /// What a dcmotor leaves to the next one: numbers that follow from others do not follow from new
  /// ones any more.
  [[nodiscard]] Words Resolved(const ActuatorState& motor);

 private:
  void SayServo(const Words& own, std::string_view kind, Words& raw);
  void SayCylinder(const Words& own, Words& raw);
  void SayMuscle(const Words& own, Words& raw);
  std::deque<std::string> texts_;
};

}  // namespace kinemorph::mjcf
