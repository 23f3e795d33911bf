// The options of requests are said in one table each: the command line, its help and completion, JSON,
// Python and the types of the npm package have what it has.
#include "kinemorph/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "command.h"
#include "kinemorph/export.h"
#include "kinemorph/gateway.h"
#include "kinemorph/simulate.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using RowList = std::vector<const OptionRow*>;

template <class Request>
RowList RowsOf(unsigned face) {
  RowList rows;
  for (const OptionRow& row : Options<Request>())
    if (row.faces & face) rows.push_back(&row);
  return rows;
}

// By command.
std::map<std::string, RowList> RowsOfCommands() {
  return {{"convert", RowsOf<ConversionRequest>(kOfCommand)},
          {"check", RowsOf<ConversionRequest>(kOfCheck)},
          {"batch", RowsOf<ConversionRequest>(kOfBatch)},
          {"verify", RowsOf<VerifyOptions>(kOfCommand)},
          {"diff", RowsOf<VerifyOptions>(kOfCommand)},
          {"simulate", RowsOf<MotionRequest>(kOfCommand)},
          {"export", RowsOf<ExportRequest>(kOfCommand)},
          {"inspect", RowsOf<InspectOptions>(kOfCommand)}};
}

std::string Printed(const std::string& arguments) {
  return Shell(KINEMORPH_COMMAND " " + arguments, "/").out;
}

bool IsRepeatable(OptionKind kind) {
  return kind == OptionKind::kTexts || kind == OptionKind::kWords ||
         kind == OptionKind::kAssignments;
}

// What a command says of an option, and what the table does.
json SaidBy(const json& option) {
  return {{"choices", option["choices"]},       {"about", option["about"]},
          {"group", option["group"]},           {"default", option["default"]},
          {"repeatable", option["repeatable"]}, {"value_optional", option["value_optional"]}};
}
json SaidOf(const OptionRow& row, bool required) {
  return {{"choices", row.words},
          {"about", row.help},
          {"group", row.group},
          {"default", required ? "" : row.standard},
          {"repeatable", IsRepeatable(row.kind)},
          {"value_optional", row.kind == OptionKind::kFlagOrWord}};
}

TEST(Options, OfTheCommandLineAreThoseOfTheTable) {
  const json all = json::parse(Printed("completion json"));
  const auto rows_of = RowsOfCommands();
  std::size_t compared = 0;
  for (const json& command : all["commands"]) {
    const auto rows = rows_of.find(command["name"].get<std::string>());
    if (rows == rows_of.end()) continue;
    std::map<std::string, json> options;
    for (const json& option : command["options"])
      options[option["names"].back().get<std::string>()] = option;
    for (const OptionRow* row : rows->second) {
      const std::string name = "--" + std::string(row->name);
      ASSERT_TRUE(options.count(name)) << command["name"] << " has no " << name;
      json said = SaidBy(options[name]), wanted = SaidOf(*row, options[name]["required"]);
      // Lists of formats and features are their own.
      if (row->words.empty()) said.erase("choices"), wanted.erase("choices");
      EXPECT_EQ(said, wanted) << command["name"] << " " << name << '\n'
                              << json::diff(wanted, said).dump(1);
      ++compared;
    }
  }
  EXPECT_GT(compared, 90u);
}

TEST(Options, AreCompletedInEveryShell) {
  const std::string bash = Printed("completion bash"), fish = Printed("completion fish");
  for (const auto& [command, rows] : RowsOfCommands())
    for (const OptionRow* row : rows) {
      EXPECT_THAT(bash, HasSubstr("--" + std::string(row->name)));
      EXPECT_THAT(fish, HasSubstr("__fish_seen_subcommand_from " + command + "' -l " +
                                  std::string(row->name)));
    }
}

// A value that the option takes, and one of another kind.
std::pair<json, json> Values(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::kFlag:
      return {true, "yes"};
    case OptionKind::kText:
    case OptionKind::kFile:
      return {"text", 1};
    case OptionKind::kTexts:
      return {json::array({row.value == "FEATURE" ? "damping" : "a"}), json::array({1})};
    case OptionKind::kAssignments:
      return {{{"joint1", 0.5}, {"joint2", "3deg"}}, {{"joint1", true}}};
    case OptionKind::kNumber:
      return {0.5, "much"};
    case OptionKind::kCount:
      return {3, 1.5};
    case OptionKind::kWord:
      return {row.words.back(), "nonesuch"};
    case OptionKind::kWords:
      return {row.words, json::array({"nonesuch"})};
    case OptionKind::kFlagOrWord:
      return {row.words.back(), "nonesuch"};
    case OptionKind::kVector:
      return {{0, 0, -9.81}, {0, 0}};
  }
  return {};
}

template <class Request>
void ExpectJson() {
  for (const OptionRow* row : RowsOf<Request>(kOfTexts)) {
    const auto& [good, bad] = Values(*row);
    const std::string name(row->name);
    std::string why;
    EXPECT_TRUE(FromJson<Request>(json({{name, good}}).dump(), why)) << name << ": " << why;
    EXPECT_FALSE(FromJson<Request>(json({{name, bad}}).dump(), why)) << name;
    EXPECT_THAT(why, testing::StartsWith("'" + name + "' ")) << bad;
    EXPECT_FALSE(FromJson<Request>(json({{name + "x", good}}).dump(), why)) << name;
    EXPECT_THAT(why, HasSubstr("did you mean")) << name;
  }
}

TEST(Options, AreTakenFromJson) {
  ExpectJson<ConversionRequest>();
  ExpectJson<VerifyOptions>();
  ExpectJson<MotionRequest>();
  ExpectJson<ExportRequest>();
  ExpectJson<InspectOptions>();
}

TEST(Options, OfJsonSetWhatTheySay) {
  std::string why;
  const auto asked = FromJson<ConversionRequest>(
      R"({"strict": true, "massless": 0.5, "base": "fixed", "drop": "damping", "sidecar": ["srdf"]})",
      why);
  ASSERT_TRUE(asked) << why;
  EXPECT_EQ(asked->strict, Weight::kLooks);
  EXPECT_EQ(asked->options.massless, 0.5);
  EXPECT_EQ(asked->options.base, BaseChoice::kFixed);
  EXPECT_EQ(asked->options.drop, std::vector{Feature::kDamping});
  EXPECT_EQ(FromJson<ConversionRequest>(R"({"strict": false})", why)->strict, std::nullopt);
  const auto moved = FromJson<MotionRequest>(
      R"({"set": {"a": 0.1, "b": "3deg"}, "rate": ["c=1"], "gravity": [0, 0, -3], "base": "floating",
          "solver": "implicit", "step": 1e-3})",
      why);
  ASSERT_TRUE(moved) << why;
  EXPECT_EQ(moved->set, (std::vector<std::string>{"a=0.1", "b=3deg"}));
  EXPECT_EQ(moved->rate, std::vector<std::string>{"c=1"});
  EXPECT_EQ(*moved->gravity, Vector3(0, 0, -3));
  EXPECT_EQ(moved->base, BaseChoice::kFloating);
  EXPECT_EQ(moved->solver, SolverChoice::kImplicit);
  EXPECT_EQ(FromJson<VerifyOptions>(R"({"seed": 9007199254740993})", why)->seed, 9007199254740993u);
}

// Python and TypeScript are made of OptionsJson: they hold a mark where options are filled in, and know
// every kind of value.
TEST(Options, OfOtherLanguagesAreFilledIn) {
  const fs::path tools = fs::path(SourceDir()) / "tools";
  const std::string python = FileText(tools / "python/keywords.py"),
                    types = FileText(tools / "web/types.mjs"),
                    declared = FileText(tools / "web/package/index.d.ts");
  std::string package;
  for (const auto& file : fs::directory_iterator(tools / "python/kinemorph"))
    package += file.is_regular_file() ? FileText(file.path()) : "";
  const json tables = json::parse(OptionsJson());
  for (const auto& [command, rows] : tables.items()) {
    EXPECT_THAT(package, HasSubstr("# keywords: " + command + "\n"));
    EXPECT_THAT(declared, HasSubstr("  // options of " + command + "\n"));
    for (const json& row : rows) {
      const std::string kind = row["kind"];
      EXPECT_THAT(python, HasSubstr("\"" + kind + "\": (\"")) << row["name"];
      const bool is_word = kind.find(' ') == std::string::npos;
      EXPECT_THAT(types, HasSubstr(is_word ? "  " + kind + ": (" : "  '" + kind + "': (")) << kind;
    }
  }
}

}  // namespace
}  // namespace kinemorph::test
