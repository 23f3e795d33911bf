// What a process that reads foreign files gives up.
#pragma once

#include <string>
#include <vector>

namespace kinemorph::tools {

/// From now on this process, and what it starts, gains no rights by running a program, and writes
/// only below `folders` and to devices: where the kernel has Landlock; elsewhere only the first
/// holds. Reading is as before: meshes and packages lie anywhere.
void Confine(const std::vector<std::string>& folders);

}  // namespace kinemorph::tools
