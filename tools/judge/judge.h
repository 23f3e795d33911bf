// One judgement per reference library.
#pragma once

#include <string>
#include <vector>

#include "host/judge_answers.h"

namespace kinemorph::judge {

/// Says that kMegabytes are not enough and ends the process, with no memory of its own.
[[noreturn]] void EndTooLarge();

/// The most bytes that a library may say.
inline constexpr std::size_t kMostWords = std::size_t{32} << 20;

struct Verdict {
  int code = kNotJudged;
  std::string words;  ///< the library and its version, then what it said
};

/// A file that the process made and has to remove, should it end early; empty: none.
[[nodiscard]] std::string& CopyMade();

[[nodiscard]] Verdict JudgeSdf(const std::string& file);
/// Lets libsdformat read its own description once, for this process and its forks.
void PrepareSdf();
[[nodiscard]] Verdict JudgeUrdf(const std::string& file);
/// Assets that lie in none of the folders `fence` are left out, as if they were not there; where no
/// folder is named, all are looked at.
[[nodiscard]] Verdict JudgeMjcf(const std::string& file, const std::vector<std::string>& fence);

}  // namespace kinemorph::judge
