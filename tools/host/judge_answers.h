// What the program kinemorph-judge answers, for it and for those who ask it.
#pragma once

#include <cstddef>

namespace kinemorph::judge {

/// Exit codes; all others are crashes.
inline constexpr int kAccepted = 0, kRefused = 1, kNotJudged = 3, kTooLarge = 4;

/// Of the process: a number of a file may ask a library for any amount of memory.
inline constexpr std::size_t kMegabytes = 2048;

}  // namespace kinemorph::judge
