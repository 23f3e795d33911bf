// One judgement per reference library.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinemorph::judge {

inline constexpr int kAccepted = 0, kRefused = 1, kNotJudged = 3, kTooLarge = 4;

/// Of the process: a number of a file may ask a library for any amount of memory.
inline constexpr std::size_t kMegabytes = 2048;

/// Says that it is not enough and ends the process, with no memory of its own.
[[noreturn]] void EndTooLarge();

struct Verdict {
  int code = kNotJudged;
  std::string words;  ///< the library and its version, then what it said
};

/// A file that the process made and has to remove, should it end early; empty: none.
[[nodiscard]] std::string& CopyMade();

[[nodiscard]] Verdict JudgeSdf(const std::string& file);
[[nodiscard]] Verdict JudgeUrdf(const std::string& file);
/// Assets that lie in none of the folders `fence` are left out, as if they were not there; where no
/// folder is named, all are looked at.
[[nodiscard]] Verdict JudgeMjcf(const std::string& file, const std::vector<std::string>& fence);

}  // namespace kinemorph::judge
