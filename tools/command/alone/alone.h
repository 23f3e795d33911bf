// What the command says where it runs no other program.
#pragma once

#include <string>

namespace kinemorph::tools {

/// Throws: this build cannot do `what`, and another one can.
[[noreturn]] void Refuse(const std::string& what);

}  // namespace kinemorph::tools
