// Where the tests find their files.
#pragma once

#include <string>

namespace kinemorph::test {

/// The root of this source tree.
[[nodiscard]] std::string SourceDir();
/// Real files that nobody here wrote; absent on a user's machine, and a test that needs them then
/// skips and says so.
[[nodiscard]] std::string SharedDir();

}  // namespace kinemorph::test
