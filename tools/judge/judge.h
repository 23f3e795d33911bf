// One judgement per reference library.
#pragma once

#include <string>
#include <vector>

namespace kinemorph::judge {

inline constexpr int kAccepted = 0, kRefused = 1, kNotJudged = 3;

struct Verdict {
  int code = kNotJudged;
  std::string words;  ///< the library and its version, then what it said
};

[[nodiscard]] Verdict JudgeSdf(const std::string& file);
[[nodiscard]] Verdict JudgeUrdf(const std::string& file);
/// Assets that lie in none of the folders `fence` are left out, as if they were not there; where no
/// folder is named, all are looked at.
[[nodiscard]] Verdict JudgeMjcf(const std::string& file, const std::vector<std::string>& fence);

}  // namespace kinemorph::judge
