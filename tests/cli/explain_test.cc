// What `explain` says of each code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

CommandResult Explain(const std::string& arguments) {
  return Shell(std::string(KINEMORPH_COMMAND) + " explain " + arguments, "/");
}

nlohmann::json AllCodes() {
  const CommandResult result = Explain("--json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST(Explain, AllCodesAsJsonWithMessagesAsTheyAreSaid) {
  const auto all = AllCodes();
  std::set<std::string> codes;
  std::size_t examples = 0, reasons = 0;
  for (const auto& entry : all) {
    const auto code = entry["code"].get<std::string>(),
               example = entry["example"].get<std::string>();
    EXPECT_TRUE(codes.insert(code).second) << code;
    EXPECT_NE(entry["meaning"], "") << code;
    EXPECT_NE(entry["area"], "") << code;
    if (entry["why"] != "") ++reasons;
    // Whoever may ignore a message must be told what it costs.
    if (entry["ignore"] != "") { EXPECT_NE(entry["why"], "") << code; }
    if (example.empty()) continue;
    ++examples;
    EXPECT_THAT(example, ContainsRegex("(^|: )(error|warning|note|lost): ")) << code;
  }
  EXPECT_GT(examples, all.size() / 2);
  EXPECT_GT(reasons, 140u);
}

// A code that is gone takes its example and its reasons along.
TEST(Explain, EveryExampleAndReasonIsOfACode) {
  const CommandResult result = Explain("--all");
  for (const char* file : {"examples.inc", "reasons.inc"}) {
    std::istringstream lines(FileText(SourceDir() + "/converters/report/" + file));
    std::size_t count = 0;
    std::set<std::string> seen;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t bar = line.find(" | ");
      if (bar == std::string::npos) continue;
      ++count;
      const std::string code = line.substr(0, bar) + ": ";
      EXPECT_TRUE(seen.insert(code).second) << "twice: " << line;
      EXPECT_TRUE(result.out.rfind(code, 0) == 0 ||
                  result.out.find("\n" + code) != std::string::npos)
          << line;
    }
    EXPECT_GT(count, 140u) << file;
  }
}

TEST(Explain, WithoutACodeListsAreasOnOneScreen) {
  const CommandResult result = Explain("");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LE(std::count(result.out.begin(), result.out.end(), '\n'), 30);
  std::set<std::string> areas;
  for (const auto& entry : AllCodes()) areas.insert(entry["area"].get<std::string>());
  EXPECT_GT(areas.size(), 15u);
  for (const std::string& area : areas) {
    EXPECT_THAT(result.out, HasSubstr("\n  " + area + " "));
    EXPECT_EQ(Explain(area).exit_code, 0) << area;
  }
  EXPECT_THAT(Explain("proof").out, HasSubstr("verify-equivalent: "));
  EXPECT_THAT(Explain("proof").out, Not(HasSubstr("lint-")));
}

TEST(Explain, ACodeSaysWhyItMattersAndWhatToType) {
  for (const char* spelling : {"base-fixed", "'[base-fixed]'"}) {
    const CommandResult result = Explain(spelling);
    EXPECT_EQ(result.exit_code, 0);
    for (const char* title : {"what happened:", "why it matters:", "what to type:",
                              "when to ignore:", "example:", "--base floating"})
      EXPECT_THAT(result.out, HasSubstr(title));
  }
}

TEST(Explain, AWordIsSearchedInCodesAndTexts) {
  const CommandResult result = Explain("'Velocity LIMIT'");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("\nloss-velocity-limit: "));
  EXPECT_THAT(result.out, Not(HasSubstr("usd-binary")));
  const CommandResult none = Explain("zero-axes");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("did you mean 'zero-axis'?"));
}

}  // namespace
}  // namespace kinemorph::test
