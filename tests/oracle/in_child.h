// Work in a process of its own, so that an abort inside a library costs one file only.
#pragma once

#include <functional>
#include <string>

namespace kinemorph::test {

/// What `work` returns; a line that begins with "aborts\t" where it came to no end.
[[nodiscard]] std::string InChild(const std::function<std::string()>& work);

}  // namespace kinemorph::test
