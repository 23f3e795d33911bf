// One judgement per reference library.
#pragma once

#include <string>

namespace kinemorph::judge {

inline constexpr int kAccepted = 0, kRefused = 1, kNotJudged = 3;

struct Verdict {
  int code = kNotJudged;
  std::string words;  ///< the library and its version, then what it said
};

[[nodiscard]] Verdict JudgeSdf(const std::string& file);
[[nodiscard]] Verdict JudgeUrdf(const std::string& file);
[[nodiscard]] Verdict JudgeMjcf(const std::string& file);

}  // namespace kinemorph::judge
