// The tutorials, run as printed on a clean folder: each ```console block of
// tools/docs/TUTORIAL_*.md is a row of commands ("$ ", continued by "> ") and what they print
// ("..." stands for any lines). A block "```console needs PROGRAM" is skipped, and said to be,
// where that program is absent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

struct Step {
  std::string command;
  std::vector<std::string> printed;
  std::size_t line = 0;
  std::string needs;
};

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Step> StepsOf(const fs::path& path) {
  std::vector<Step> steps;
  bool inside = false;
  std::string needs;
  const std::vector<std::string> lines = Lines(FileText(path));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.rfind("```", 0) == 0) {
      inside = !inside && line.rfind("```console", 0) == 0;
      needs = line.rfind("```console needs ", 0) == 0 ? line.substr(17) : "";
    } else if (inside && line.rfind("$ ", 0) == 0) {
      steps.push_back({line.substr(2), {}, i + 1, needs});
    } else if (inside && line.rfind("> ", 0) == 0 && !steps.empty()) {
      steps.back().command += "\n" + line.substr(2);
    } else if (inside && !steps.empty()) {
      steps.back().printed.push_back(line);
    }
  }
  return steps;
}

// Whether `out` is what was printed; "..." matches any number of lines.
bool Matches(const std::vector<std::string>& printed, const std::vector<std::string>& out,
             std::size_t p = 0, std::size_t o = 0) {
  for (; p < printed.size(); ++p, ++o) {
    if (printed[p] == "...") {
      for (std::size_t next = o; next <= out.size(); ++next)
        if (Matches(printed, out, p + 1, next)) return true;
      return false;
    }
    if (o == out.size() || printed[p] != out[o]) return false;
  }
  return o == out.size();
}

class Tutorial : public testing::TestWithParam<const char*> {};

TEST_P(Tutorial, RunsAsPrinted) {
  const fs::path path = fs::path(SourceDir()) / "tools/docs" / GetParam();
  const std::vector<Step> steps = StepsOf(path);
  ASSERT_GT(steps.size(), 3u) << path;
  TemporaryFolder folder;
  const fs::path command = KINEMORPH_COMMAND;
  for (const Step& step : steps) {
    const std::string where = std::string(GetParam()) + ":" + std::to_string(step.line);
    const std::string asked =
        (step.needs.find(' ') == std::string::npos ? "command -v " : "") + step.needs;
    if (!step.needs.empty() && Shell(asked, folder.path()).exit_code != 0) {
      std::cerr << where << ": skipped: " << step.needs << " is not here\n";
      continue;
    }
    const CommandResult result =
        Shell("export PATH='" + command.parent_path().string() + "':\"$PATH\" KINEMORPH='" +
                  SourceDir() + "'\nexec 2>&1\n" + step.command + "\n",
              folder.path());
    EXPECT_EQ(result.exit_code, 0) << where << ": " << step.command << "\n" << result.out;
    EXPECT_TRUE(Matches(step.printed, Lines(result.out))) << where << ": $ " << step.command << "\n"
                                                          << result.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, Tutorial,
                         testing::Values("TUTORIAL_ROS_GAZEBO.md", "TUTORIAL_MUJOCO.md",
                                         "TUTORIAL_ROBOTRAN.md"),
                         [](const auto& each) {
                           std::string name = each.param;
                           name = name.substr(9, name.size() - 12);
                           name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
                           return name;
                         });

// The test can fail.
TEST(TutorialText, MatchesLinesAndGaps) {
  EXPECT_TRUE(Matches({"a", "...", "c"}, {"a", "b", "b", "c"}));
  EXPECT_TRUE(Matches({"a", "..."}, {"a"}));
  EXPECT_FALSE(Matches({"a", "c"}, {"a", "b", "c"}));
  EXPECT_FALSE(Matches({"a"}, {"a", "b"}));
}

}  // namespace
}  // namespace kinemorph::test
