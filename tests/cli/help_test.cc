// What the command says of itself: help, and the same as data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

CommandResult Kinemorph(const std::string& arguments, const std::string& environment = "") {
  return Shell(environment + " " + KINEMORPH_COMMAND + " " + arguments, "/");
}

json Commands() {
  const CommandResult result = Kinemorph("completion json");
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

TEST(Help, FlagsTakeNoValue) {
  for (const json& command : Commands()["commands"])
    for (const json& option : command["options"]) {
      if (option["value"] != "") continue;
      for (const std::string name : option["names"]) {
        const std::string word = name + (name[1] == '-' ? "=.urdf" : ".urdf");
        const CommandResult result =
            Kinemorph(command["name"].get<std::string>() + " " + word + " x");
        EXPECT_EQ(result.exit_code, 2) << command["name"] << " " << word << result.out;
        EXPECT_THAT(result.err, HasSubstr("'" + word + "': " + name + " takes no value"));
      }
    }
  for (const std::string words : {"--help=x", "-hx", "--version=x", "lint --help=true",
                                  "lint --help={}", "lint --quiet=false x"})
    EXPECT_EQ(Kinemorph(words).exit_code, 2) << words;
  EXPECT_EQ(Kinemorph("lint -qh").exit_code, 0);
}

TEST(Help, CommandsAsJsonSayWhatEachOptionTakes) {
  const json all = Commands();
  EXPECT_EQ(all["program"], "kinemorph");
  EXPECT_EQ(all["commands"].size(), 17u);
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
      EXPECT_EQ(groups.count(option["group"].get<std::string>()), 1u)
          << command["name"] << option["names"];
      EXPECT_NE(option["about"], "") << command["name"] << option["names"];
    }
  }
}

TEST(Help, IsNoWiderThanTheTerminalAndAHundredColumns) {
  for (const auto& [environment, most] :
       {std::pair("COLUMNS=60", 60u), {"COLUMNS=80", 80u}, {"COLUMNS=250", 100u}, {"", 100u}}) {
    for (const json& command : Commands()["commands"]) {
      const std::string name = command["name"];
      std::istringstream lines(Kinemorph("help " + name, environment).out);
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), most) << name << ": " << line;
    }
  }
}

TEST(Help, OptionsStandInGroupsBelowPlainWords) {
  const std::string help = Kinemorph("convert --help").out;
  EXPECT_EQ(help.find("Convert a robot description to another format"), 0u);
  std::size_t at = 0;
  for (const char* title :
       {"\nUsage: kinemorph convert ", "\nArguments:\n", "\nInput:\n", "\nOutput:\n", "\nLosses:\n",
        "\nProof:\n", "\nMeshes:\n", "\nMessages:\n", "\nExamples:\n"}) {
    const std::size_t found = help.find(title, at);
    ASSERT_NE(found, std::string::npos) << title;
    at = found;
  }
}

// Patterns of a foreign tongue, which no text about an option shows.
TEST(Help, IsPlainEnglish) {
  const json all = Commands();
  const auto plain = [](const std::string& text, const std::string& where) {
    for (const char* pattern :
         {"\\bis no\\b", "\\bstands? (in|beside|still)\\b", "\\blowered\\b", "\\bnobody\\b",
          "\\bshall\\b", "\\bhangs?\\b", "^(it|its|what|that)\\b", "[.;] (it|its|what|that) ",
          "\\bwhoever\\b", "in place of", "when absent", "\\brepeatable\\b"}) {
      EXPECT_FALSE(std::regex_search(text, std::regex(pattern, std::regex::icase)))
          << where << ": " << pattern << ": " << text;
    }
  };
  for (const json& command : all["commands"]) {
    const std::string name = command["name"];
    plain(command["about"], name);
    for (const json& option : command["options"])
      plain(option["about"], name + " " + option["names"].dump());
    for (const json& argument : command["positionals"]) plain(argument["about"], name);
    for (const json& example : command["examples"]) plain(example["about"], name);
  }
}

TEST(Help, UnknownWordsGetTheNearest) {
  const struct {
    const char *arguments, *words;
  } uses[] = {{"convrt a b", "did you mean 'convert'?"},
              {"convert a b --vrify",
               "'--vrify' is not an option of convert; did you mean "
               "'--verify'?"},
              {"convert a b --base=floatin", "did you mean 'floating'?"},
              {"convert a b.sdf --strict=motin", "did you mean 'motion'?"},
              {"convert a b --to mjfc", "did you mean 'mjcf'?"},
              {"convert a b.sdf --drop visul", "did you mean 'visual'?"},
              {"verify a b --allow visul", "did you mean 'visual'?"},
              {"completion bsh", "did you mean 'bash'?"},
              {"explain base-fixd", "did you mean 'base-fixed'?"},
              {"convert a b c", "'c' is one argument too many for convert"}};
  for (const auto& use : uses) {
    const CommandResult result = Kinemorph(use.arguments);
    EXPECT_EQ(result.exit_code, 2) << use.arguments;
    EXPECT_THAT(result.err, HasSubstr(use.words));
    EXPECT_THAT(result.err, HasSubstr("--help` lists"));
  }
}

// As a terminal of this width has it.
std::string OnTerminal(std::size_t columns, const std::string& arguments) {
  const std::string command = std::string(KINEMORPH_COMMAND) + " " + arguments;
  return Shell("script -qec 'stty cols " + std::to_string(columns) + "; NO_COLOR=1 " + command +
                   "' /dev/null",
               "/")
      .out;
}

bool HasScript() { return Shell("script --version", "/").exit_code == 0; }

TEST(Terminal, FoldsMessagesAtItsWidth) {
  if (!HasScript()) GTEST_SKIP() << "script is not installed";
  const TemporaryFolder folder;
  const std::string arguments = "convert " + SourceDir() +
                                "/fixtures/mechanisms/four_bar/four_bar.urdf " +
                                (folder / "a.xml").string();
  for (const std::size_t columns : {60u, 80u, 100u, 200u}) {
    const std::string text = OnTerminal(columns, arguments);
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      EXPECT_LE(line.size(), columns) << line;
    }
    EXPECT_GT(count, 5u);
    EXPECT_THAT(text, HasSubstr("--base floating"));
    // Where the totals have no room for that, they count what was left out.
    EXPECT_THAT(text,
                HasSubstr(columns < 80 ? "Not shown: 1 (--verbose)" : "kinemorph explain CODE"));
  }
}

TEST(Terminal, ShowsHowLongAComparisonTakes) {
  if (!HasScript()) GTEST_SKIP() << "script is not installed";
  const std::string robot =
      SourceDir() + "/fixtures/mechanisms/stewart_platform/stewart_platform.urdf";
  const std::string arguments = "verify " + robot + " " + robot + " --states 100000 --timeout 4";
  EXPECT_THAT(OnTerminal(100, arguments), HasSubstr("... 2 s"));
  EXPECT_THAT(Kinemorph(arguments).err, testing::Not(HasSubstr("... 2 s")));
}

}  // namespace
}  // namespace kinemorph::test
