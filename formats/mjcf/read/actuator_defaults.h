// What an element of <actuator> takes from default classes. A class has one default for all kinds of
// actuator: what every kind knows is inherited by all of them, a kind's own parameters by the same
// kind and by `general`, and those of `general` by every kind that has its type of gain. A kind that
// cannot inherit from its class looks for them in the classes around it (MuJoCo 3.16 and newer;
// measured in 4.0).
#pragma once

#include <map>
#include <string>

#include "read/actuator_words.h"
#include "read/defaults.h"

namespace kinemorph::mjcf {

/// An actuator with its defaults folded in.
struct ActuatorInForce {
  std::string kind;  ///< `general` where the written kind cannot say what is in force
  AttributeList attributes;
};

class ActuatorDefaults {
 public:
  /// Own attributes first. A warning where a dcmotor cannot say what is in force, an error where
  /// `general` and `dcmotor` inherit from each other.
  [[nodiscard]] ActuatorInForce Fold(const Attributes& actuator);

 private:
  const ActuatorState& After(const DefaultLayer* layer);
  ActuatorState Start(std::string_view kind, const DefaultLayer* before, ActuatorWords& words);
  ActuatorState Step(std::string_view kind, const Words& said, const DefaultLayer* before,
                     ActuatorWords& words);

  std::map<const DefaultLayer*, ActuatorState> after_;  // each layer of a class
  ActuatorWords words_;                                 // of these states
};

}  // namespace kinemorph::mjcf
