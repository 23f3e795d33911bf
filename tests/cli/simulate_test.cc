// kinemorph simulate as a user runs it: the two legs against reference motions, from every format;
// what it writes; what it refuses.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.h"
#include "load_model.h"

namespace kinemorph::test {
namespace {

using Json = nlohmann::json;

struct Leg {
  const char *name, *foot;
};
constexpr Leg kB = {"km_b", "shank:0.22,0,0"}, kR = {"km_r", "foot:0.1,0,0"};

class SimulateCommand : public testing::Test {
 protected:
  CommandResult Run(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " simulate " + arguments, folder_.path());
  }
  static std::string File(const Leg& leg) {
    return Fixture(std::string("motion/") + leg.name + "/" + leg.name + ".urdf");
  }
  // Rows by column, in order.
  std::map<std::string, std::vector<double>> Table(const std::string& name) {
    std::istringstream lines(FileText(folder_ / name));
    std::string line, cell;
    std::getline(lines, line);
    std::vector<std::string> header;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) header.push_back(cell);
    std::map<std::string, std::vector<double>> table;
    while (std::getline(lines, line)) {
      std::size_t i = 0;
      for (std::istringstream cells(line); std::getline(cells, cell, ','); ++i)
        table[header[i]].push_back(cell == "stance" ? 1 : cell == "flight" ? 0 : std::stod(cell));
    }
    return table;
  }
  // The value of a column in the row at t.
  static double At(const std::map<std::string, std::vector<double>>& table, double t,
                   const std::string& column) {
    const std::vector<double>& times = table.at("t");
    for (std::size_t i = 0; i < times.size(); ++i)
      if (std::abs(times[i] - t) < 1e-9) return table.at(column)[i];
    ADD_FAILURE() << "no row at " << t;
    return 0;
  }
  Json Summary(const std::string& name) { return Json::parse(FileText(folder_ / name)); }
  void ExpectRefused(const std::string& arguments, int exit_code, const std::string& message) {
    const CommandResult result = Run(arguments + " -o refused.csv");
    EXPECT_EQ(result.exit_code, exit_code) << arguments;
    EXPECT_NE(result.err.find(message), std::string::npos) << arguments << "\n" << result.err;
    EXPECT_FALSE(fs::exists(folder_ / "refused.csv")) << arguments;
  }
  TemporaryFolder folder_;
};

constexpr const char* kSwing =
    " --set j_crank=60deg --rate j_crank=20 --set y=0.6 --hold x --hold y --armature j_crank=1e-3 ";
constexpr const char* kHop = " --set j_crank=270deg --set y=45cm --armature j_crank=1e-3 ";

TEST_F(SimulateCommand, NothingThatIsReadIsOverwritten) {
  WriteFile(folder_ / "leg.urdf", FileText(File(kB)));
  WriteFile(folder_ / "table.csv", "t,tau.j_crank\n0,0\n1,0\n");
  WriteFile(folder_ / "control.json",
            R"({"controllers": [{"type": "table", "joint": "j_crank", "file": "table.csv"}]})");
  std::map<std::string, std::string> before;
  for (const char* name : {"leg.urdf", "table.csv", "control.json"})
    before[name] = FileText(folder_ / name);
  for (const std::string option :
       {"-o", "--summary", "--plot", "--strip", "--animate", "--keyframes"}) {
    for (const auto& [name, text] : before) {
      const CommandResult result =
          Run("leg.urdf --time 0.01 --armature j_crank=1e-3 --controller "
              "control.json " +
              option + " " + name);
      EXPECT_EQ(result.exit_code, 2) << option << " " << name << result.err;
      const bool told = result.err.find("which is read") != std::string::npos ||
                        result.err.find("stays as it is") != std::string::npos;
      EXPECT_TRUE(told) << result.err;
      EXPECT_EQ(FileText(folder_ / name), text) << option;
    }
  }
}

TEST_F(SimulateCommand, ASwingIsTheReference) {
  for (const Leg& leg : {kB, kR}) {
    const CommandResult result =
        Run(File(leg) + kSwing + "-o swing.csv --time 2 --rtol 1e-10 --summary swing.json");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto table = Table("swing.csv");
    const bool two = leg.name == kB.name;
    EXPECT_NEAR(At(table, 0.5, "q.j_crank"), two ? 11.21848880 : 10.99183740, 1e-7);
    EXPECT_NEAR(At(table, 2, "q.j_crank"), two ? 40.87320074 : 39.06233000, 1e-7);
    EXPECT_NEAR(At(table, 2, "v.j_crank"), two ? 22.46932279 : 23.31193907, 1e-6);
    EXPECT_EQ(table.at("t").back(), 2);
    for (const double y : table.at("q.y")) ASSERT_EQ(y, 0.6);
    for (const double phi : table.at("phi")) ASSERT_LT(phi, 1e-14);
    const Json summary = Summary("swing.json");
    EXPECT_LT(summary["energy_drift"].get<double>(), 1e-8);
    EXPECT_TRUE(summary["events"].empty());
  }
}

TEST_F(SimulateCommand, HopsHaveTheirEventsAndForces) {
  WriteFile(folder_ / "hop.json", R"({"controllers": [{"type": "pd", "joint": "j_crank", "kp": 6,
      "kd": 0.1, "target": {"flight": "270deg", "stance": "180deg"}}]})");
  for (const Leg& leg : {kB, kR}) {
    for (const char* method : {"embedding --rtol 1e-10", "spf"}) {
      const CommandResult result =
          Run(File(leg) + kHop + "-o hop.csv --time 2 --friction 0.8 --controller hop.json " +
              "--contact " + leg.foot + " --summary out.json --method " + method);
      ASSERT_EQ(result.exit_code, 0) << result.err;
      EXPECT_NE(result.err.find("[simulate-friction]"), std::string::npos) << result.err;
      const Json summary = Summary("out.json");
      std::vector<double> times;
      for (const Json& event : summary["events"])
        if (event["kind"] != "friction-cone") times.push_back(event["time"]);
      const bool two = leg.name == kB.name;
      ASSERT_EQ(times.size(), two ? 14u : 10u);
      EXPECT_NEAR(times[0], two ? 0.13616178 : 0.17016549, 1e-7);
      EXPECT_NEAR(times.back(), two ? 1.80288535 : 1.82839426, 1e-7);
      EXPECT_NEAR(summary["events"][0]["impulse"][2].get<double>(),
                  two ? 1.4834412965 : 1.1877923814, 1e-7);
      const auto table = Table("hop.csv");
      EXPECT_NEAR(At(table, 2, "q.x"), two ? 2.07889552 : 2.01472887, 1e-6);
      EXPECT_NEAR(At(table, 2, "q.j_crank"), two ? 4.71770936 : 4.69679474, 1e-6);
      const std::string foot = std::string(leg.foot, std::string(leg.foot).find(':'));
      EXPECT_GT(At(table, 1, "force." + foot + ".z"), 0);
      EXPECT_EQ(At(table, 1, "phase"), 1);
      EXPECT_NEAR(At(table, 1, "height." + foot), 0, 1e-9);
      EXPECT_EQ(At(table, 2, "force." + foot + ".z"), 0);
    }
  }
}

// Both legs, swinging and coming down on a foot, from every format that they are converted to: the
// same coordinates and rates at every sample.
TEST_F(SimulateCommand, TheMotionIsThatOfTheModelWhateverItsFormat) {
  WriteFile(folder_ / "push.json", R"({"controllers": [{"type": "constant", "joint": "j_crank",
                                       "effort": -6, "phase": "stance"}]})");
  for (const Leg& leg : {kB, kR}) {
    // SDFormat's zero is the assembled posture.
    ASSERT_EQ(Run(File(leg) + " -o zero.csv --time 1e-6").exit_code, 0);
    const double zero = At(Table("zero.csv"), 0, "q.j_crank");
    for (const bool hops : {false, true}) {
      const auto moved = [&](const std::string& file, double offset) {
        std::ostringstream options;
        options.precision(17);
        options << " --rtol 1e-11 -o motion.csv --armature j_crank=1e-3 --set j_crank="
                << (hops ? 270 : 60) * std::acos(-1) / 180 - offset;
        if (hops)
          options << " --set y=0.42 --time 0.18 --controller push.json --contact " << leg.foot;
        else
          options << " --rate j_crank=20 --set y=0.6 --hold x --hold y --time 0.5";
        const CommandResult result = Run(file + options.str());
        EXPECT_EQ(result.exit_code, 0) << file << ": " << result.err;
        return Table("motion.csv");
      };
      const auto direct = moved(File(leg), 0);
      EXPECT_EQ(direct.at("phase").back(), hops ? 1 : 0);
      for (const std::string format : {"urdf", "sdf", "xml", "mbs"}) {
        const std::string out = "leg." + format, what = std::string(leg.name) + " " + format + " ";
        const CommandResult converted =
            Shell(std::string(KINEMORPH_COMMAND) + " convert -q " + File(leg) + " " + out,
                  folder_.path());
        ASSERT_EQ(converted.exit_code, 0) << converted.err;
        const auto other = moved(out, format == "sdf" ? zero : 0);
        ASSERT_EQ(other.at("t").size(), direct.at("t").size()) << what;
        int compared = 0;
        for (const auto& [column, values] : direct) {
          if (!column.starts_with("q.") && !column.starts_with("v.")) continue;
          ASSERT_TRUE(other.contains(column)) << what << column;
          const std::vector<double>& there = other.at(column);
          const bool shifted = format == "sdf" && column.starts_with("q.j_");
          const double offset = shifted ? there[0] - values[0] : 0;
          double worst = 0;
          for (std::size_t row = 0; row < values.size(); ++row)
            worst = std::max(worst, std::abs(there[row] - offset - values[row]));
          EXPECT_LT(worst, 1e-9) << what << column;
          ++compared;
        }
        EXPECT_EQ(compared, leg.name == kB.name ? 14 : 18);
      }
    }
  }
}

TEST_F(SimulateCommand, ATableReplaysAnEarlierRun) {
  WriteFile(folder_ / "push.json",
            R"({"controllers": [{"type": "constant", "joint": "j_crank", "effort": 0.25}]})");
  ASSERT_EQ(Run(File(kB) + kSwing + "-o a.csv --time 0.3 --controller push.json").exit_code, 0);
  WriteFile(folder_ / "again.json",
            R"({"controllers": [{"type": "table", "joint": "j_crank", "file": "a.csv"}]})");
  const CommandResult again =
      Run(File(kB) + kSwing + "-o b.csv --time 0.3 --controller again.json");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(FileText(folder_ / "a.csv"), FileText(folder_ / "b.csv"));
  EXPECT_EQ(At(Table("a.csv"), 0.1, "tau.j_crank"), 0.25);
}

// The crank is taken along a ramp of 1 rad/s from where it stands: without the table's slope as the
// target rate it would trail by kd / kp = 0.02 rad.
TEST_F(SimulateCommand, ATableOfTargetsIsFollowed) {
  const std::string start = " --set j_crank=90deg --set y=0.6 --hold x --hold y --gravity 0,0,0 ";
  ASSERT_EQ(Run(File(kB) + start + "-o at.csv --time 0.01").exit_code, 0);
  const double from = At(Table("at.csv"), 0, "q.j_crank");
  WriteFile(folder_ / "ramp.csv",
            "t,q.j_crank\n0," + std::to_string(from) + "\n1," + std::to_string(from + 1) + "\n");
  WriteFile(folder_ / "follow.json", R"({"controllers": [
    {"type": "pd", "joint": "j_crank", "kp": 500, "kd": 10, "file": "ramp.csv"}]})");
  const CommandResult run = Run(File(kB) + start + "-o b.csv --time 0.6 --controller follow.json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NEAR(At(Table("b.csv"), 0.6, "q.j_crank"), from + 0.6, 4e-3);
  WriteFile(folder_ / "both.json", R"({"controllers": [
    {"type": "pd", "joint": "j_crank", "kp": 500, "target": 0, "file": "ramp.csv"}]})");
  EXPECT_EQ(Run(File(kB) + start + "-o c.csv --time 0.1 --controller both.json").exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.csv"));
}

TEST_F(SimulateCommand, ABaseThatFloatsFallsFreely) {
  const CommandResult result =
      Run(Fixture("mechanisms/four_bar/four_bar.urdf") + " --base floating -o fall.csv --time 0.5");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto table = Table("fall.csv");
  const std::string free = "q.base_link_floating.";
  double norm = 0;
  for (int i = 0; i < 4; ++i) norm += std::pow(At(table, 0.5, free + std::to_string(i)), 2);
  EXPECT_NEAR(norm, 1, 1e-14);
  EXPECT_NEAR(At(table, 0.5, free + "6"), -0.5 * 9.81 * 0.25, 0.2);
}

TEST_F(SimulateCommand, WhatCannotBeIsRefused) {
  const std::string leg = File(kB) + " --time 1 ";
  ExpectRefused(leg + "--set jcrank=1", 1, "did you mean 'j_crank'? [simulate-joint]");
  ExpectRefused(leg + "--set j_crank=60mm", 1, "an angle is wanted [simulate-joint]");
  ExpectRefused(leg + "--hold z", 1, "the tree has no joint of this name");
  ExpectRefused(leg + "--rate x=1 --hold x", 1, "[simulate-joint]");
  ExpectRefused(leg + "--armature j_crank=-1", 1, "[armature-wrong]");
  ExpectRefused(leg + "--contact shnk:0,0,0", 1, "did you mean 'shank'? [simulate-link]");
  ExpectRefused(leg + "--contact shank:0.22,0,0", 1, "[simulate-below-ground]");
  ExpectRefused(leg + "--set j_thigh=90deg", 1, "[simulate-set]");
  ExpectRefused(leg + "--rate j_crank=1 --rate j_thigh=50", 1, "[simulate-rate]");
  ExpectRefused(leg + "--controller none.json", 1, "[simulate-controller]");
  ExpectRefused(leg + "--friction 0.5", 2, "needs a foot");
  ExpectRefused(leg + "--method spf --step 0.01 --eps 0.001", 2, "--eps 0.02 or more");
  ExpectRefused(leg + "--step 0.01 --rtol 1e-6", 2, "excludes");
  WriteFile(folder_ / "bad.json", R"({"controllers": [{"type": "pd", "joint": "j_crank",
                                      "target": 1, "kq": 2}]})");
  ExpectRefused(leg + "--controller bad.json", 1, "\"kq\" is not a key of type pd");
  WriteFile(folder_ / "phase.json", R"({"controllers": [{"type": "constant", "joint": "j_crank",
                                        "effort": 1, "phase": "stance"}]})");
  ExpectRefused(leg + "--controller phase.json", 1, "there is no --contact");
  ExpectRefused(Fixture("invalid/debatable") + "/none.urdf --time 1", 1, "");
}

// A coupler too short to reach the rocker.
TEST_F(SimulateCommand, WhatCannotBeAssembledIsRefused) {
  std::string text = FileText(Fixture("mechanisms/four_bar_general/four_bar_general.urdf"));
  const std::size_t loop = text.find("<loop");
  const std::size_t at = text.find("xyz=\"", text.find("<origin", loop)) + 5;
  ASSERT_LT(loop, at);
  text.insert(at, "9");
  WriteFile(folder_ / "open.urdf", text);
  ExpectRefused("open.urdf --time 1", 1, "no posture closes the loops (|phi| ");
}

// An eps too small for the steps is said, whoever sets them; the usual one is not.
TEST_F(SimulateCommand, ATooSmallEpsIsSaid) {
  const std::string swing = File(kB) + kSwing + "-o a.csv --time 0.2 --method spf ";
  const CommandResult fixed = Run(swing + "--step 0.002 --eps 0.001");
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_NE(fixed.err.find("--eps 0.001 is too small for --step 0.002: it is 0.5 steps"),
            std::string::npos)
      << fixed.err;
  EXPECT_NE(fixed.err.find("[simulate-eps]"), std::string::npos);
  const CommandResult adaptive = Run(swing + "--eps 0.0002 --summary a.json");
  EXPECT_EQ(adaptive.exit_code, 0) << adaptive.err;
  const Json summary = Summary("a.json");
  const std::string figure =
      std::to_string(summary["stiff_steps"].get<long>()) + " of " +
      std::to_string(summary["steps"].get<long>() - summary["refused"].get<long>()) +
      " steps are longer than half of it (";
  EXPECT_NE(adaptive.err.find("note: 'km_b': --eps 0.0002 is what keeps the steps short"),
            std::string::npos)
      << adaptive.err;
  EXPECT_NE(adaptive.err.find(figure), std::string::npos) << figure << adaptive.err;
  for (const char* usual : {"--step 0.002", "--rtol 1e-8", "--rtol 1e-6 --eps 0.01"})
    EXPECT_EQ(Run(swing + usual).err.find("simulate-eps"), std::string::npos) << usual;
}

// The published upper body with its loops in a side-car: without it the arms of a tree fall.
TEST_F(SimulateCommand, ASideCarClosesTheLoopsOfRh5) {
  const std::string robot = Shared(
      "data/urdf_plus/dfki_hybrid_numerical_analytical/model/submechanisms_urdf/"
      "submechanisms_reduced");
  if (!fs::exists(robot + ".urdf")) GTEST_SKIP() << robot << ".urdf is not there";
  const std::string rest = " -o a.csv --time 0.5 --summary a.json";
  const CommandResult closed = Run(robot + ".urdf --with " + robot + ".yml" + rest);
  ASSERT_EQ(closed.exit_code, 0) << closed.err;
  const Json with = Summary("a.json");
  EXPECT_EQ(with["independent"].size(), 13u);
  EXPECT_LT(with["phi"].get<double>(), 1e-6);  // its frames have few digits
  EXPECT_LT(with["energy_drift"].get<double>(), 1e-9);
  EXPECT_GT(std::abs(with["last"]["q.ALElbowAct"].get<double>()), 1e-4);
  ASSERT_EQ(Run(robot + ".urdf --with none" + rest).exit_code, 0);
  EXPECT_EQ(Summary("a.json")["independent"].size(), 23u);
}

TEST_F(SimulateCommand, APictureShowsWhatMoved) {
  if (Shell("gnuplot --version", folder_.path()).exit_code != 0)
    GTEST_SKIP() << "gnuplot is not installed";
  const CommandResult result =
      Run(File(kB) + kHop + "-o a.csv --time 0.2 --plot a.svg --contact shank:0.22,0,0");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string picture = FileText(folder_ / "a.svg");
  EXPECT_EQ(picture.rfind("<?xml", 0), 0u);
  for (const char* text : {"closure error", "energy", "j_crank", "touch-down"})
    EXPECT_NE(picture.find(text), std::string::npos) << text;
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// A pendulum of 1 m falls from the side: the figure ends as far from its axis as it began.
TEST_F(SimulateCommand, AFigureMovesInABrowser) {
  WriteFile(folder_ / "arm.urdf", R"(<robot name="arm"><link name="base"/><link name="a&lt;b&amp;c">
<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="tip"/>
<joint name="j" type="revolute"><parent link="base"/><child link="a&lt;b&amp;c"/><axis xyz="0 1 0"/><limit lower="-1" upper="0.1" effort="1" velocity="1"/></joint>
<joint name="t" type="fixed"><parent link="a&lt;b&amp;c"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>)");
  const CommandResult result = Run("arm.urdf -o a.csv --time 0.4 --rate j=4 --animate a.svg");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string picture = FileText(folder_ / "a.svg");
  tinyxml2::XMLDocument svg;
  ASSERT_EQ(svg.Parse(picture.c_str()), tinyxml2::XML_SUCCESS) << picture;
  const tinyxml2::XMLElement* const path = svg.RootElement()->FirstChildElement("path");
  ASSERT_NE(path, nullptr);
  EXPECT_STREQ(path->FirstChildElement("title")->GetText(), "a<b&c");
  const std::string values = path->FirstChildElement("animate")->Attribute("values");
  std::vector<double> lengths, ends;
  std::istringstream frames(values);
  for (std::string frame; std::getline(frames, frame, ';');) {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    ASSERT_EQ(std::sscanf(frame.c_str(), "M%lf %lfL%lf %lf", &x0, &y0, &x1, &y1), 4) << frame;
    lengths.push_back(std::hypot(x1 - x0, y1 - y0)), ends.push_back(y1 - y0);
  }
  ASSERT_EQ(lengths.size(), Table("a.csv").at("t").size());
  for (const double length : lengths) EXPECT_NEAR(length, lengths[0], 0.2);
  const double turned = Table("a.csv").at("q.j").back();
  EXPECT_NEAR(ends.back(), lengths[0] * std::sin(turned), 0.2);
  EXPECT_EQ(Count(picture, "joint-limit j, t = 0.03"), 1u) << picture;
  EXPECT_NE(picture.find("5 times slower"), std::string::npos);
}

// q = -(g/4)(1 - cos 2t): |v| is 2 at 0.210 s, the effort -4 q 0.9 at 0.216 s, q -1 at 0.468 s. The
// joint beside it has limits that nobody filled in.
TEST_F(SimulateCommand, LimitsThatArePassedAreEvents) {
  const std::string link =
      "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link>";
  const std::string joint = "type='prismatic'><parent link='base'/><axis xyz='0 0 1'/>";
  WriteFile(folder_ / "two.urdf",
            "<robot name='two'><link name='base'/><link name='a'>" + link + "<link name='b'>" +
                link + "<joint name='j' " + joint +
                "<child link='a'/><limit lower='-1' upper='1' effort='0.9' velocity='2'/></joint>" +
                "<joint name='k' " + joint +
                "<child link='b'/><limit lower='-9' upper='9' effort='0' velocity='0'/></joint>"
                "</robot>");
  WriteFile(folder_ / "c.json", R"({"controllers": [
    {"type": "pd", "joint": "j", "kp": 4, "kd": 0, "target": 0},
    {"type": "pd", "joint": "k", "kp": 4, "kd": 0, "target": 0}]})");
  const CommandResult result =
      Run("two.urdf -o a.csv --time 0.6 --controller c.json --summary s.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto events = nlohmann::json::parse(FileText(folder_ / "s.json"))["events"];
  ASSERT_EQ(events.size(), 3u) << events;
  const std::vector<std::pair<std::string, double>> expected = {
      {"velocity-limit", 0.210}, {"effort-limit", 0.216}, {"joint-limit", 0.468}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(events[i]["kind"], expected[i].first);
    EXPECT_EQ(events[i]["joint"], "j");
    EXPECT_NEAR(events[i]["time"].get<double>(), expected[i].second, 0.011);
  }
  EXPECT_THAT(
      result.err,
      testing::HasSubstr("joint 'j' (and 2 more with other values) passes its velocity limit"));
}

// A hand that pushes a body down while it flies and pulls it up while it stands.
TEST_F(SimulateCommand, WhatCameBeforeAStopIsWritten) {
  WriteFile(folder_ / "body.urdf", R"(<robot name="r"><link name="base"/><link name="body">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="prismatic"><parent link="base"/><child link="body"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint></robot>)");
  WriteFile(folder_ / "c.json", R"({"controllers": [
    {"type": "constant", "joint": "j", "effort": -1000, "phase": "flight"},
    {"type": "constant", "joint": "j", "effort": 1000, "phase": "stance"}]})");
  const CommandResult result =
      Run("body.urdf -o a.csv --time 1 --set j=0.01 --contact body:0,0,0 --controller c.json "
          "--summary s.json");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, testing::HasSubstr("the table holds what came before"));
  const auto table = Table("a.csv");
  EXPECT_EQ(At(table, 0, "q.j"), 0.01);
  EXPECT_GT(table.at("t").back(), 0);
  EXPECT_LT(table.at("t").back(), 0.1);
  EXPECT_EQ(nlohmann::json::parse(FileText(folder_ / "s.json"))["time"], table.at("t").back());
}

// Poses as figures, and as states of the MJCF that the model becomes.
TEST_F(SimulateCommand, PosesAreDrawnAndBecomeKeyframes) {
  const CommandResult result = Run(File(kB) + kHop +
                                   "-o a.csv --time 0.1 --strip a.svg --keyframes keys.xml "
                                   "--contact shank:0.22,0,0");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string strip = FileText(folder_ / "a.svg");
  EXPECT_NE(strip.find("</svg>"), std::string::npos);
  EXPECT_NE(strip.find("t = 0.1 s"), std::string::npos);
  const std::string keys = FileText(folder_ / "keys.xml");
  const auto table = Table("a.csv");
  const std::size_t count = Count(keys, "<key ");
  EXPECT_EQ(count, table.at("t").size());
  // MuJoCo's order: x, y, crank, coupler, thigh, shank, rod.
  std::istringstream positions(keys.substr(keys.rfind("qpos=\"") + 6));
  for (const char* joint : {"x", "y", "j_crank", "j_coupler", "j_thigh", "j_shank", "j_rod"}) {
    double value = 0;
    positions >> value;
    EXPECT_EQ(value, table.at(std::string("q.") + joint).back()) << joint;
  }
}

// Two bars in one line between two pins cannot move, and stand where their rank says that they can:
// the motion opens the loop with a warning, and no keyframe can close it there.
TEST_F(SimulateCommand, KeyframesThatCannotCloseTheLoopsAreAnError) {
  const std::string bar =
      "range='-2 2' limited='true'/><inertial pos='.1 0 0' mass='1' "
      "diaginertia='.001 .01 .01'/>";
  WriteFile(folder_ / "hung.xml",
            "<mujoco><compiler angle='radian'/><worldbody><body name='a' pos='0 0 1'>"
            "<joint name='ja' axis='0 1 0' " +
                bar +
                "<body name='b' pos='.2 0 0'>"
                "<joint name='jb' axis='0 1 0' " +
                bar +
                "</body></body></worldbody>"
                "<equality><connect name='pin' body1='b' anchor='.15 0 0'/></equality></mujoco>");
  const CommandResult result = Run("hung.xml -o a.csv --time 0.1 --rows 0.05 --keyframes k.xml");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, testing::HasSubstr("loop 'pin' stays open by 0.008"));
  EXPECT_THAT(result.err, testing::HasSubstr("[simulate-opened]"));
  EXPECT_THAT(result.err,
              testing::ContainsRegex("error: 'k.xml': at t = 0.05 s, in the MJCF, (link|loop) '.*"
                                     ", as the loops of the motion itself are open by 0.*"
                                     "\\[simulate-keyframes\\]"));
  EXPECT_FALSE(fs::exists(folder_ / "k.xml"));
}

// Gravity acts on the base alone: the arm stays where it is set. What is not obeyed is said by
// name.
TEST_F(SimulateCommand, ObeysLinkGravityAndSaysWhatItDoesNotObey) {
  for (const char* file : {"link-gravity.sdf", "link-gravity.xml", "link-gravity.urdf"}) {
    const CommandResult result = Run(Fixture(std::string("features/link-gravity/") + file) +
                                     " -o still.csv --time 1 --set hinge=0.3 --rate hinge=0.1");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NEAR(At(Table("still.csv"), 1, "q.hinge"), 0.4, 1e-9) << file;
    EXPECT_EQ(result.err.find("motion-not-obeyed"), std::string::npos) << result.err;
  }
  std::string text = FileText(Fixture("features/link-gravity/link-gravity.sdf"));
  const std::string gravity = "<gravity>false</gravity>";
  text.replace(text.find(gravity), gravity.size(),
               "<kinematic>true</kinematic><velocity_decay><linear>0.1</linear></velocity_decay>");
  WriteFile(folder_ / "decay.sdf", text);
  const CommandResult result = Run("decay.sdf -o moves.csv --time 0.1 --set hinge=0.3");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("decay.sdf:10: warning: link 'arm': the dynamics here do not obey "
                            "<kinematic>, <velocity_decay> [motion-not-obeyed]"),
            std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace kinemorph::test
