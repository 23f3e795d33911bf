// What the command says of itself: help, and the same as data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

CommandResult Run(const std::string& arguments, const std::string& environment = "") {
  return Shell(environment + " " + KINEMORPH_COMMAND + " " + arguments, "/");
}

json Commands() {
  const CommandResult result = Run("completion json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

json OptionOf(const json& command, const std::string& name) {
  for (const json& option : command["options"])
    for (const json& each : option["names"])
      if (each == name) return option;
  return nullptr;
}

json CommandOf(const json& all, const std::string& name) {
  for (const json& command : all["commands"])
    if (command["name"] == name) return command;
  return nullptr;
}

TEST(Help, CommandsAsJsonSayWhatEachOptionTakes) {
  const json all = Commands();
  EXPECT_EQ(all["program"], "kinemorph");
  EXPECT_EQ(all["commands"].size(), 16u);
  const json convert = CommandOf(all, "convert");
  EXPECT_EQ(convert["usage"], "kinemorph convert [OPTIONS] IN OUT");
  EXPECT_EQ(convert["positionals"][0]["name"], "IN");
  EXPECT_EQ(convert["positionals"][0]["required"], true);
  const json base = OptionOf(convert, "--base");
  EXPECT_EQ(base["choices"], json({"fixed", "floating", "auto"}));
  EXPECT_EQ(base["default"], "auto");
  const json package = OptionOf(convert, "--package");
  EXPECT_EQ(package["value"], "NAME=DIR");
  EXPECT_EQ(package["repeatable"], true);
  const json strict = OptionOf(convert, "--strict");
  EXPECT_EQ(strict["value_optional"], true);
  EXPECT_EQ(strict["choices"], json({"any", "interface", "motion"}));
  EXPECT_EQ(OptionOf(convert, "-q")["value"], "");
  EXPECT_EQ(OptionOf(convert, "-o")["required"], true);
  EXPECT_EQ(CommandOf(all, "check")["usage"], "kinemorph check [OPTIONS] IN...");
  EXPECT_EQ(CommandOf(all, "explain")["usage"], "kinemorph explain [OPTIONS] [CODE]");
}

TEST(Help, EveryOptionHasAGroupAndEveryCommandExamples) {
  const json all = Commands();
  const auto groups = all["groups"].get<std::set<std::string>>();
  for (const json& command : all["commands"]) {
    EXPECT_GE(command["examples"].size(), 2u) << command["name"];
    EXPECT_LE(command["examples"].size(), 3u) << command["name"];
    for (const json& option : command["options"]) {
      EXPECT_EQ(groups.count(option["group"]), 1u) << command["name"] << option["names"];
      EXPECT_NE(option["about"], "") << command["name"] << option["names"];
    }
  }
}

}  // namespace
}  // namespace kinemorph::test
