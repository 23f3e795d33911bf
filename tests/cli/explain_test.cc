// What `explain` says of each code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::ContainsRegex;

TEST(Explain, AllCodesAsJsonWithMessagesAsTheyAreSaid) {
  const CommandResult result = Shell(std::string(KINEMORPH_COMMAND) + " explain --json", "/");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto all = nlohmann::json::parse(result.out);
  std::set<std::string> codes;
  std::size_t examples = 0;
  for (const auto& entry : all) {
    const auto code = entry["code"].get<std::string>(),
               example = entry["example"].get<std::string>();
    EXPECT_TRUE(codes.insert(code).second) << code;
    EXPECT_NE(entry["meaning"], "") << code;
    if (example.empty()) continue;
    ++examples;
    EXPECT_THAT(example, ContainsRegex("(^|: )(error|warning|note|lost): ")) << code;
  }
  EXPECT_GT(examples, all.size() / 2);
}

// A code that is gone takes its example along.
TEST(Explain, EveryExampleIsOfACode) {
  const CommandResult result = Shell(std::string(KINEMORPH_COMMAND) + " explain", "/");
  std::istringstream lines(FileText(SourceDir() + "/converters/pipeline/examples.inc"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos) continue;
    ++count;
    const std::string code = line.substr(0, bar) + ": ";
    EXPECT_TRUE(result.out.rfind(code, 0) == 0 || result.out.find("\n" + code) != std::string::npos)
        << line;
  }
  EXPECT_GT(count, 200u);
}

}  // namespace
}  // namespace kinemorph::test
