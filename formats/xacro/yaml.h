// The YAML that files beside robots use.
#pragma once

#include <string_view>

#include "value.h"

namespace kinemorph::xacro {

/// What a word without quotes stands for in YAML 1.1: a number, a truth, nothing, or itself.
bool YamlScalar(std::string_view text, Machine& machine, Value& out);

}  // namespace kinemorph::xacro
