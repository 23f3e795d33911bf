// What an element of <actuator> takes from default classes. A class has one default for all kinds of
// actuator: what every kind knows is inherited by all of them, a kind's own parameters by the same
// kind and by `general`, and those of `general` by every kind that can say them. A later kind of the
// way replaces the parameters of an earlier one (MuJoCo 3.16 and newer; measured in 4.0).
#pragma once

#include "read/defaults.h"

namespace kinemorph::mjcf {

/// The attributes in force, own ones first; those that the element's kind does not know are left
/// out. An error where `general` inherits from a kind whose law kinemorph does not know.
[[nodiscard]] AttributeList ActuatorAttributes(const Attributes& attributes);

}  // namespace kinemorph::mjcf
