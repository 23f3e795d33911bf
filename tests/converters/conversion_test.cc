// The library's front door, and the codes and JSON of what it says.
#include "kinemorph/converters/conversion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "kinemorph/converters/codes.h"
#include "kinemorph/converters/json.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

std::string TextOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const fs::path kFourBar = fs::path(SourceDir()) / "fixtures/mechanisms/four_bar/four_bar.sdf";
// No parallelogram, which mimics would say as well.
const fs::path kGeneral =
    fs::path(SourceDir()) / "fixtures/mechanisms/four_bar_general/four_bar_general.sdf";

TEST(Conversion, TextInTextOutWithReportAndProof) {
  ConversionRequest request;
  request.in = "four_bar.sdf";
  request.out = "four_bar.urdf";
  request.verify = true;
  int asked = 0;
  request.judge = [&](const Target& target, const std::string& text, Diagnostics&) {
    EXPECT_EQ(target.format->name, "urdf+");
    EXPECT_THAT(text, HasSubstr("<loop "));
    return ++asked > 0;
  };
  const ConversionResult result = RunConversion(TextOf(kFourBar), request);
  EXPECT_EQ(result.end, ConversionEnd::kDone);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(result.source.format, "sdf");
  EXPECT_EQ(result.source.loops, 1u);
  EXPECT_EQ(result.target.format, "urdf+");
  ASSERT_TRUE(result.proof);
  EXPECT_NE(result.proof->verdict, Verdict::kDifferent);
  EXPECT_THAT(result.files.text, HasSubstr("<loop "));
}

TEST(Conversion, WhatHangsOnEverythingIsProvedInEveryTarget) {
  const std::string folder = SourceDir() + std::string("/fixtures/accounting");
  for (const auto& entry : fs::directory_iterator(folder)) {
    for (const char* to : {"urdf", "urdf+", "sdf", "mjcf", "mbs"}) {
      ConversionRequest request;
      request.in = entry.path().string();
      request.out = "out";
      request.to = to;
      request.verify = true;
      const ConversionResult result = RunConversion(TextOf(entry.path()), request);
      EXPECT_EQ(result.end, ConversionEnd::kDone)
          << request.in << " -> " << to << (result.proof ? result.proof->line : "");
    }
  }
}

TEST(Conversion, NothingComesOutWhereItMustNot) {
  ConversionRequest request;
  request.out = "four_bar.urdf";
  request.to = "urdf";
  request.strict = Weight::kMotion;
  EXPECT_EQ(RunConversion(TextOf(kGeneral), request).end, ConversionEnd::kWouldLose);
  EXPECT_EQ(RunConversion(TextOf(kGeneral), request).files.text, "");
  request.options.drop = {Feature::kLoopRevolute, Feature::kGravity};
  EXPECT_EQ(RunConversion(TextOf(kGeneral), request).end, ConversionEnd::kDone);
  EXPECT_EQ(RunConversion("<robot", request).end, ConversionEnd::kBadInput);
  request.to = "urdff";
  const ConversionResult wrong = RunConversion(TextOf(kFourBar), request);
  EXPECT_EQ(wrong.end, ConversionEnd::kWrongUse);
  EXPECT_THAT(wrong.diagnostics.items().back().message, HasSubstr("did you mean 'urdf'?"));
  request.verify = true;
  request.to = "urdf+";
  request.judge = [](const Target&, const std::string&, Diagnostics&) { return false; };
  EXPECT_EQ(RunConversion(TextOf(kFourBar), request).end, ConversionEnd::kBadInput);
}

TEST(Conversion, FormatsHaveOtherNamesToo) {
  std::string version, why;
  EXPECT_EQ(FormatNamed("mujoco", version, why), FindFormat("mjcf"));
  EXPECT_EQ(FormatNamed("sdformat@1.11", version, why), FindFormat("sdf"));
  EXPECT_EQ(version, "1.11");
  EXPECT_EQ(FormatNamed("robotran", version, why), FindFormat("mbs"));
  EXPECT_EQ(FormatNamed("mjcg", version, why), nullptr);
  EXPECT_THAT(why, HasSubstr("'mjcg' is no format; did you mean 'mjcf'?"));
}

// Everything that looks like a code in the sources, less what is none.
std::set<std::string> CodesInSources() {
  const std::set<std::string> others = {"effort-lower",      "effort-upper",
                                        "iso-8859-1",        "k-position",
                                        "k-velocity",        "latin-1",
                                        "limit-dissipation", "limit-stiffness",
                                        "loop-joint",        "reference-position",
                                        "soft-lower",        "soft-upper",
                                        "spring-reference",  "spring-stiffness",
                                        "us-ascii",          "utf-8",
                                        "windows-1252",      "world-undeclared",
                                        "kinemorph-judge",   "sarif-2",
                                        "touch-down",        "lift-off",
                                        "friction-cone",     "joint-limit"};
  const std::regex literal("\"([a-z]+(?:-[a-z0-9]+)+)\"");
  std::set<std::string> codes;
  for (const char* root : {"graph/src", "formats", "converters", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / root)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      const std::string text = TextOf(entry.path());
      for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end;
           ++match) {
        Feature feature{};
        const std::string word = (*match)[1];
        if (!FeatureFromName(word, feature) && others.count(word) == 0) codes.insert(word);
      }
    }
  }
  return codes;
}

TEST(Codes, EveryCodeOfTheSourcesIsExplained) {
  const std::set<std::string> codes = CodesInSources();
  EXPECT_GT(codes.size(), 250u);
  for (const std::string& code : codes)
    EXPECT_NE(FindCode(code), nullptr)
        << code << ": add a line to converters/pipeline/codes.inc (or, where it is no code, to "
        << "this test)";
}

TEST(Codes, TheTableIsWhole) {
  std::string before;
  for (const CodeEntry& entry : AllCodes()) {
    EXPECT_LT(before, entry.code);
    before = entry.code;
    EXPECT_GT(entry.meaning.size(), 10u) << entry.code;
    EXPECT_LT(entry.meaning.size(), 260u) << entry.code;
  }
  ASSERT_NE(FindCode("loss-loop-revolute"), nullptr);
  EXPECT_EQ(FindCode("loss-loop-revolution"), nullptr);
}

// A coupling that is left to user code, and renamed because its name is no identifier.
TEST(Conversion, ARenamedCouplingThatTheFileAnnouncesIsProved) {
  ConversionRequest request;
  request.to = "mbs";
  request.verify = true;
  const ConversionResult result = RunConversion(
      R"(<robot name="r"><link name="base"/><link name="a"/><link name="b"/>
         <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>
         <joint name="k" type="continuous"><parent link="base"/><child link="b"/></joint>
         <coupling name="0.01"><predecessor link="a"/><successor link="b"/><ratio value="0.1"/>
         </coupling></robot>)",
      request);
  ASSERT_TRUE(result.proof.has_value());
  EXPECT_NE(result.proof->verdict, Verdict::kDifferent) << result.proof->line;
}

TEST(Codes, WhatBrokenFixturesSayIsExplained) {
  std::size_t messages = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SourceDir()) / "fixtures/invalid")) {
    if (!entry.is_regular_file()) continue;
    ConversionRequest request;
    request.in = entry.path().filename().string();
    request.to = "sdf";
    const ConversionResult result = RunConversion(TextOf(entry.path()), request);
    for (const Diagnostic& message : result.diagnostics.items()) {
      EXPECT_NE(FindCode(message.code), nullptr) << message.code;
      ++messages;
    }
  }
  EXPECT_GT(messages, 30u);
}

TEST(Json, MessagesOfEveryKindSayTheSame) {
  const Diagnostic message = {
      Severity::kWarning, "zero-axis", "a,b.xml", 7, "", "joint 'j': 50% of it: no axis", {"help"}};
  const json line = json::parse(MessageJson(message));
  EXPECT_EQ(line["severity"], "warning");
  EXPECT_EQ(line["notes"][0], "help");
  const json sarif = json::parse(MessagesSarif({message, message}, "1.2"));
  const json& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 1u);
  EXPECT_EQ(run["results"].size(), 2u);
  EXPECT_EQ(run["results"][0]["ruleId"], "zero-axis");
  EXPECT_EQ(run["results"][0]["level"], "warning");
  const json& place = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["region"]["startLine"], 7);
  EXPECT_EQ(MessagesGithub({message}),
            "::warning file=a%2Cb.xml,line=7,title=zero-axis::joint 'j': 50%25 of it: no "
            "axis%0Ahelp\n");
}

}  // namespace
}  // namespace kinemorph::test
