// kinemorph simulate where loops are open, flat, weightless or rounded at the start, and where they
// lose rank on the way: what it does, and what it says to type.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "command.h"
#include "load_model.h"

namespace kinemorph::test {
namespace {

using Json = nlohmann::json;

// A link of a flat drawing, its hinge at x, its centre of mass `centre` from there.
std::string Bar(const std::string& name, double x, double centre, double mass) {
  return "<link name=\"" + name + "\"><pose>" + std::to_string(x) +
         " 0 0 0 0 0</pose><inertial><pose>" + std::to_string(centre) + " 0 0 0 0 0</pose><mass>" +
         std::to_string(mass) +
         "</mass><inertia><ixx>0.001</ixx><iyy>0.005</iyy><izz>0.005</izz></inertia></inertial>"
         "</link>";
}
std::string Hinge(const std::string& name, const std::string& parent, const std::string& child,
                  double damping, const std::string& pose = "0 0 0") {
  return "<joint name=\"" + name + "\" type=\"revolute\"><pose>" + pose + " 0 0 0</pose><parent>" +
         parent + "</parent><child>" + child + "</child><axis><xyz>0 1 0</xyz><dynamics><damping>" +
         std::to_string(damping) + "</damping></dynamics></axis></joint>";
}
std::string Flat(double damping) {
  return "<sdf version=\"1.9\"><model name=\"flat\">" + Bar("ground", 0, 0, 1) +
         "<joint name=\"w\" type=\"fixed\"><parent>world</parent><child>ground</child></joint>" +
         Bar("left", 0, 0.1, 1) + Bar("top", 0.2, 0.3, 2) + Bar("right", 0.6, 0.1, 1) +
         Hinge("a", "ground", "left", damping) + Hinge("b", "left", "top", damping) +
         Hinge("c", "ground", "right", damping) + Hinge("d", "top", "right", 0, "0.2 0 0") +
         "</model></sdf>";
}
// Crank and rod of one length, stretched.
std::string SliderCrank() {
  std::string slide = Hinge("s", "ground", "block", 0);
  slide.replace(slide.find("revolute"), 8, "prismatic");
  slide.replace(slide.find("0 1 0"), 5, "1 0 0");
  return "<sdf version=\"1.9\"><model name=\"isosceles\">" + Bar("ground", 0, 0, 1) +
         "<joint name=\"w\" type=\"fixed\"><parent>world</parent><child>ground</child></joint>" +
         Bar("crank", 0, 0.1, 1) + Bar("rod", 0.3, 0.1, 1) + Bar("block", 0.6, 0, 1) +
         Hinge("a", "ground", "crank", 0) + Hinge("b", "crank", "rod", 0) + slide +
         Hinge("d", "rod", "block", 0) + "</model></sdf>";
}

class SimulateStart : public testing::Test {
 protected:
  CommandResult Run(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " simulate " + arguments, folder_.path());
  }
  static bool Says(const CommandResult& result, const std::string& text) {
    return result.err.find(text) != std::string::npos;
  }
  std::string LastRow(const std::string& name) {
    const std::string text = FileText(folder_ / name);
    return text.substr(text.find_last_of('\n', text.size() - 2) + 1);
  }
  TemporaryFolder folder_;
};

TEST_F(SimulateStart, AChangePointOnTheWayIsAnEventAndANote) {
  const CommandResult result = Run(Fixture("mechanisms/delta_robot/delta_robot.sdf") +
                                   " --time 0.35 -o out.csv --summary out.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(Says(result, "[simulate-change-point]")) << result.err;
  EXPECT_EQ(LastRow("out.csv").substr(0, 5), "0.35,");
  const Json events = Json::parse(FileText(folder_ / "out.json")).at("events");
  int points = 0;
  for (const Json& event : events) {
    if (event.at("kind") != "change-point") continue;
    ++points;
    EXPECT_NEAR(event.at("time").get<double>(), 0.311, 0.003);
    EXPECT_FALSE(event.at("loosest").get<std::string>().empty());
    EXPECT_GT(event.at("smallest").get<double>(), 0);
    EXPECT_GT(event.at("leap").get<double>(), 0);
    EXPECT_LT(event.at("projection").get<double>(), 1e-4);
    EXPECT_FALSE(event.contains("independent"));
  }
  EXPECT_GE(points, 1);
}

TEST_F(SimulateStart, StepsTooLongForAChangePointAreSaid) {
  WriteFile(folder_ / "crank.sdf", SliderCrank());
  const std::string turning = "crank.sdf --set a=30deg --rate a=15 --time 0.5 -o out.csv ";
  const CommandResult coarse = Run(turning + "--step 0.05 --summary out.json");
  ASSERT_EQ(coarse.exit_code, 0) << coarse.err;
  EXPECT_TRUE(Says(coarse, "[simulate-passed]")) << coarse.err;
  const Json events = Json::parse(FileText(folder_ / "out.json")).at("events");
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const Json& event) {
    return event.at("kind") == "change-point" && event.at("leap") == 0;
  }));
  const CommandResult fine = Run(turning + "--step 0.002");
  ASSERT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_TRUE(Says(fine, "[simulate-change-point]")) << fine.err;
  EXPECT_FALSE(Says(fine, "[simulate-passed]")) << fine.err;
}

TEST_F(SimulateStart, AParallelogramDrawnFlatStaysOneAndThatIsSaid) {
  WriteFile(folder_ / "flat.sdf", Flat(0));
  const CommandResult result = Run("flat.sdf --time 0.3 --rows 0.1 -o out.csv --summary out.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(Says(result, "[simulate-branch]")) << result.err;
  const Json last = Json::parse(FileText(folder_ / "out.json")).at("last");
  EXPECT_GT(std::abs(last.at("q.a").get<double>()), 0.1);  // it falls
  EXPECT_NEAR(last.at("q.a").get<double>() + last.at("q.b").get<double>(), 0, 1e-12);
  EXPECT_NEAR(last.at("q.a").get<double>(), last.at("q.c").get<double>(), 1e-12);
}

// The crossed branch, whichever two coordinates say so, and in which order.
TEST_F(SimulateStart, TwoCoordinatesChooseTheBranch) {
  WriteFile(folder_ / "flat.sdf", Flat(0));
  const std::string a = "--set a=0.5 ", b = "--set b=-0.9443 ", c = "--set c=-0.9443 ";
  for (const std::string& set : {a + b, b + a, a + c, c + a, b + c}) {
    const CommandResult result = Run("flat.sdf --time 0.001 -o out.csv --summary out.json " + set);
    ASSERT_EQ(result.exit_code, 0) << set << result.err;
    const Json last = Json::parse(FileText(folder_ / "out.json")).at("last");
    EXPECT_NEAR(last.at("q.c").get<double>(), -0.9443, 0.01) << set;
  }
}

TEST_F(SimulateStart, WhereBranchesMeetTheyAreNamedWithTheOptionsThatStartOnThem) {
  WriteFile(folder_ / "crank.sdf", SliderCrank());
  const CommandResult result = Run("crank.sdf --time 0.1 --set a=90deg -o out.csv");
  ASSERT_EQ(result.exit_code, 1);
  ASSERT_TRUE(Says(result, "[simulate-singular]")) << result.err;
  const std::regex options(R"(\((--set [^)]*)\))");
  std::vector<std::string> found;
  for (std::sregex_iterator i(result.err.begin(), result.err.end(), options), end; i != end; ++i)
    found.push_back((*i)[1]);
  ASSERT_EQ(found.size(), 2u) << result.err;
  int slides = 0;
  for (const std::string& set : found) {
    const CommandResult again = Run("crank.sdf --time 0.05 -o out.csv --summary out.json " + set);
    ASSERT_EQ(again.exit_code, 0) << set << again.err;
    const Json last = Json::parse(FileText(folder_ / "out.json")).at("last");
    slides += std::abs(last.at("v.s").get<double>()) > 1e-6 ? 1 : 0;
  }
  EXPECT_EQ(slides, 1);
}

// It swings through the flat posture until rounding hides on which branch it is: at rest there, or
// at its end there.
TEST_F(SimulateStart, AMotionThatComesToRestInAChangePointIsWritten) {
  for (const double damping : {0.05, 0.2, 0.3}) {
    WriteFile(folder_ / "flat.sdf", Flat(damping));
    const CommandResult result =
        Run("flat.sdf --time 60 --gravity 9.81,0,0 --set a=30deg --rows 1 -o out.csv --summary "
            "out.json");
    const Json summary = Json::parse(FileText(folder_ / "out.json"));
    const double end = summary.at("time");
    EXPECT_NEAR(std::stod(LastRow("out.csv")), end, 1e-9);
    EXPECT_LT(std::abs(summary.at("last").at("q.a").get<double>()), 1e-5);
    const Json event = summary.at("events").back();
    EXPECT_EQ(event.at("kind"), "change-point");
    EXPECT_EQ(result.exit_code, end < 60 ? 1 : 0) << result.err;
    EXPECT_EQ(Says(result, "[simulate-undecided]"), end < 60) << result.err;
    EXPECT_EQ(event.at("leap") == 0, end < 60);
    EXPECT_GT(end, 2);
  }
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST_F(SimulateStart, LoopsThatAskForMoreThanTheirDigitsAreTakenAsDrawn) {
  const std::string text = FileText(Fixture("mechanisms/four_bar_general/four_bar_general.urdf"));
  const std::string end = "0.04532734488840695 0.21527989178129806 0";
  WriteFile(folder_ / "digits.urdf", Replaced(text, end, end + ".000004"));
  WriteFile(folder_ / "open.urdf", Replaced(text, end, end + ".0004"));
  const CommandResult result = Run("digits.urdf --time 0.2 -o out.csv --summary out.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(Says(result, "[simulate-remainder]")) << result.err;
  const Json summary = Json::parse(FileText(folder_ / "out.json"));
  EXPECT_NEAR(summary.at("phi").get<double>(), 4e-6, 1e-7);
  EXPECT_LT(summary.at("energy_drift").get<double>(), 1e-8);
  const CommandResult open = Run("open.urdf --time 0.2 -o out.csv");
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_TRUE(Says(open, "loop 'coupler_rocker' stays open by 0.0004")) << open.err;
  EXPECT_TRUE(Says(open, "of its joints 'crank_joint', 'coupler_joint',")) << open.err;
  EXPECT_TRUE(Says(open, "[simulate-open]")) << open.err;
}

TEST_F(SimulateStart, WhatClosingMovedIsSaid) {
  const CommandResult result =
      Run(Fixture("mechanisms/six_bar/six_bar.urdf") + " --time 0.01 -o out.csv");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(Says(result, "closing them moved joint 'joint4' by 0.615 rad most")) << result.err;
  EXPECT_TRUE(Says(result, "[simulate-closed]")) << result.err;
}

TEST_F(SimulateStart, FallsAsTheFormatMeansBySilence) {
  const std::string falls = "<model name=\"m\">" + Bar("body", 0, 0, 1) + "</model>";
  WriteFile(folder_ / "world.sdf",
            "<sdf version=\"1.9\"><world name=\"w\">" + falls + "</world></sdf>");
  WriteFile(folder_ / "alone.sdf", "<sdf version=\"1.9\">" + falls + "</sdf>");
  EXPECT_THAT(Run("world.sdf --time 1 --step 1").out, testing::HasSubstr(",-4.9,"));
  EXPECT_THAT(Run("alone.sdf --time 1 --step 1").out, testing::HasSubstr(",-4.90499"));
}

TEST_F(SimulateStart, WhatHasNoInertiaIsNamedWithTheOption) {
  const std::string heavy =
      "<inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" "
      "ixz=\"0\" iyz=\"0\"/></inertial>";
  WriteFile(folder_ / "hollow.urdf",
            "<robot name=\"hollow\"><link name=\"base\"/><link name=\"arm\">" + heavy +
                "</link><link name=\"flag\"/>"
                "<joint name=\"elbow\" type=\"continuous\"><parent link=\"base\"/><child "
                "link=\"arm\"/><axis xyz=\"0 1 0\"/></joint>"
                "<joint name=\"pole\" type=\"continuous\"><parent link=\"arm\"/><child "
                "link=\"flag\"/><axis xyz=\"0 1 0\"/></joint></robot>");
  const CommandResult result = Run("hollow.urdf --time 0.1 -o out.csv");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(Says(result, "[simulate-massless]")) << result.err;
  EXPECT_TRUE(Says(result, "link 'flag'")) << result.err;
  EXPECT_TRUE(Says(result, "--armature pole=1e-4")) << result.err;
  EXPECT_EQ(Run("hollow.urdf --time 0.1 -o out.csv --armature pole=1e-4").exit_code, 0);
}

}  // namespace
}  // namespace kinemorph::test
