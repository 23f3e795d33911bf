#pragma once

namespace kinemorph::tools {

/// The kinemorph command: prints, and returns its exit code.
[[nodiscard]] int RunCommandLine(int argc, char** argv);

}  // namespace kinemorph::tools
