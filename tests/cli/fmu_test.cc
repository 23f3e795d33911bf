// FMUs that kinemorph exports, loaded and stepped by an importer of ours (tests/cli/fmu).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using Numbers = std::map<std::string, double>;

class Fmu : public testing::Test {
 protected:
  [[nodiscard]] CommandResult Kinemorph(const std::string& arguments) const {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  // NAME/*.fmu of a model, named.
  [[nodiscard]] std::string Exported(const std::string& model, const std::string& name,
                                     const std::string& more = "") const {
    const CommandResult made = Kinemorph("export " + model + " -o " + name +
                                         " --language fmu -q --binary linux64 " + more);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return name + "/*.fmu";
  }
  [[nodiscard]] CommandResult Master(const std::string& fmu, const std::string& what) const {
    return Shell("python3 -B '" + SourceDir() + "/tests/cli/fmu/master.py' " + fmu + " " + what,
                 folder_.path());
  }
  // What it prints by name; of events the time.
  [[nodiscard]] Numbers Outputs(const std::string& fmu, const std::string& what) const {
    const CommandResult run = Master(fmu, what);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    Numbers numbers;
    std::istringstream lines(run.out);
    for (std::string name, value; lines >> name >> value;) {
      if (name == "event") {
        std::string side;
        lines >> side;
        name = "event " + value + " " + side, lines >> value;
      }
      numbers[name] = std::stod(value);
    }
    return numbers;
  }
  // The last row of a simulation: q and v, with the names that an FMU has.
  [[nodiscard]] Numbers Simulated(const std::string& arguments) const {
    const CommandResult run =
        Kinemorph("simulate " + arguments + " -o motion.csv --summary motion.json -q --rtol 1e-11");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::istringstream rows(FileText(folder_ / "motion.csv"));
    std::string header, row;
    std::getline(rows, header);
    for (std::string line; std::getline(rows, line);) row = line;
    std::istringstream names(header), values(row);
    Numbers numbers;
    for (std::string name, value;
         std::getline(names, name, ',') && std::getline(values, value, ',');) {
      if (name.starts_with("q.") || name.starts_with("v."))
        numbers[name.substr(0, 2) + std::regex_replace(name.substr(2), std::regex("\\W"), "_")] =
            std::stod(value);
    }
    return numbers;
  }
  TemporaryFolder folder_;
};

std::string Mechanism(const std::string& name) {
  return SourceDir() + "/fixtures/mechanisms/" + name + "/" + name + ".urdf";
}

double LargestDifference(const Numbers& expected, const Numbers& found) {
  double largest = 0;
  for (const auto& [name, value] : expected) {
    const auto it = found.find(name);
    EXPECT_NE(it, found.end()) << name;
    if (it != found.end()) largest = std::max(largest, std::abs(value - it->second));
  }
  return largest;
}

// Loops, friction, springs, universal joints. Measured: 3e-9, and 3e-8 of the slider-crank.
TEST_F(Fmu, CoSimulationGoesWhereSimulateGoes) {
  for (const char* name : {"four_bar", "four_bar_general", "slider_crank", "gripper", "elbow",
                           "belt_transmission", "spherical_four_bar", "delta_robot", "lims2_wrist",
                           "torso", "planar_leg_linkage", "double_pendulum"}) {
    const Numbers expected = Simulated(Mechanism(name) + " --time 0.2");
    const std::string fmu = Exported(Mechanism(name), name);
    EXPECT_GE(expected.size(), 4u) << name;
    EXPECT_LE(LargestDifference(expected, Outputs(fmu, "cs 0.2")), 1e-7) << name;
  }
}

// Values to start from leave the loops closed, as --set does: whichever coordinate has one, and in
// both standards and kinds. Out of reach it does not start.
TEST_F(Fmu, StartsWithItsLoopsClosed) {
  struct Start {
    const char *robot, *joint;
    double value;
  };
  for (const Start& each :
       {Start{"four_bar_general", "coupler_joint", 0.5},
        Start{"four_bar_general", "crank_joint", 0.4}, Start{"four_bar", "joint3", 0.8},
        Start{"spherical_four_bar", "output", 0.2}, Start{"slider_crank", "piston_slide", 0.03}}) {
    const std::string value = std::string(each.joint) + "=" + std::to_string(each.value);
    const Numbers expected = Simulated(Mechanism(each.robot) + " --set " + value + " --time 1e-9");
    EXPECT_NEAR(expected.at(std::string("q.") + each.joint), each.value, 1e-9);
    for (const char* fmi : {"2", "3"}) {
      const std::string fmu = Exported(Mechanism(each.robot), std::string(each.robot) + fmi,
                                       std::string("--fmi ") + fmi);
      for (const char* kind : {"cs 0 q.", "me 0 q."})
        EXPECT_LE(LargestDifference(expected, Outputs(fmu, kind + value)), 1e-6)
            << each.robot << " " << value << " " << fmi << kind;
    }
  }
  for (const char* fmi : {"2", "3"}) {
    const std::string fmu = std::string("four_bar_general") + fmi + "/*.fmu";
    for (const char* wrong : {"cs 0 q.rocker_joint=3", "cs 0 q.crank_joint=nan",
                              "cs 0 q.crank_joint=0.5 q.rocker_joint=0.5"}) {
      const CommandResult run = Master(fmu, wrong);
      EXPECT_NE(run.exit_code, 0) << wrong;
      EXPECT_THAT(run.err, HasSubstr("the loops cannot be closed where q is to start")) << wrong;
    }
  }
}

TEST_F(Fmu, ModelExchangeGoesWhereSimulateGoes) {
  for (const char* name : {"elbow", "spherical_four_bar", "torso", "wrist"}) {
    const Numbers expected = Simulated(Mechanism(name) + " --time 0.2");
    EXPECT_LE(LargestDifference(expected, Outputs(Exported(Mechanism(name), name), "me 0.2")), 1e-8)
        << name;
  }
}

TEST_F(Fmu, BothAreThereInFmi3) {
  const Numbers expected = Simulated(Mechanism("torso") + " --time 0.2");
  const std::string fmu = Exported(Mechanism("torso"), "torso", "--fmi 3");
  EXPECT_LE(LargestDifference(expected, Outputs(fmu, "cs 0.2")), 1e-7);
  EXPECT_LE(LargestDifference(expected, Outputs(fmu, "me 0.2")), 1e-8);
  // The same equations: the same numbers as in FMI 2.
  EXPECT_EQ(Outputs(fmu, "cs 0.2"), Outputs(Exported(Mechanism("torso"), "two"), "cs 0.2"));
}

TEST_F(Fmu, AnImporterMayDoWhatTheStandardsSay) {
  for (const char* more : {"--fmi 2", "--fmi 3"}) {
    for (const char* name : {"four_bar", "stewart_platform"}) {
      const std::string fmu = Exported(Mechanism(name), std::string(name) + more[6], more);
      const CommandResult run = Master(fmu, "rules");
      EXPECT_EQ(run.out, "good\n") << name << " " << more << run.err;
    }
  }
}

TEST_F(Fmu, LimitsAreEvents) {
  EXPECT_FALSE(Simulated(Mechanism("four_bar") + " --time 0.5").empty());
  const auto summary = nlohmann::json::parse(FileText(folder_ / "motion.json"));
  for (const char* fmi : {"--fmi 2", "--fmi 3"}) {
    const std::string fmu = Exported(Mechanism("four_bar"), std::string("limits") + fmi[6], fmi);
    const Numbers exchanged = Outputs(fmu, "me 0.5"), stepped = Outputs(fmu, "cs 0.5");
    std::size_t events = 0;
    for (const auto& event : summary["events"]) {
      if (event["kind"] != "joint-limit") continue;
      ++events;
      double nearest = 1;
      for (const char* side : {" 1", " -1"}) {
        const auto it = exchanged.find("event limit." + event["joint"].get<std::string>() + side);
        if (it != exchanged.end())
          nearest = std::min(nearest, event["time"].get<double>() - it->second);
      }
      // simulate tells it at the end of the step in which it happens.
      EXPECT_GE(nearest, -1e-6) << event;
      EXPECT_LE(nearest, 0.011) << event;
    }
    EXPECT_EQ(events, 3u) << summary["events"];
    for (const auto& [name, at] : std::map<std::string, double>{
             {"limit.joint1", 1.2}, {"limit.joint2", 1.5}, {"limit.joint3", 1.2}}) {
      const double q = stepped.at("q." + name.substr(6));
      EXPECT_EQ(stepped.at(name), q >= at ? 1 : q <= -at ? -1 : 0) << name << " " << q;
      EXPECT_EQ(exchanged.at(name), stepped.at(name)) << name;
    }
  }
}

TEST_F(Fmu, MassesAndGravityAreParameters) {
  const std::string text = FileText(Mechanism("four_bar"));
  std::string heavy =
      std::regex_replace(text, std::regex("<mass value=\"0.8\"/>"), "<mass value=\"2\"/>");
  heavy = std::regex_replace(heavy,
                             std::regex("ixx=\"0.0031\" ixy=\"0.0002\" ixz=\"-0.0011\" "
                                        "iyy=\"0.0034\" iyz=\"0.0001\" izz=\"0.0014\""),
                             "ixx=\"0.00775\" ixy=\"0.0005\" ixz=\"-0.00275\" iyy=\"0.0085\" "
                             "iyz=\"0.00025\" izz=\"0.0035\"");
  ASSERT_THAT(heavy, HasSubstr("0.00775"));
  WriteFile(folder_ / "heavy.urdf", heavy);
  const Numbers expected = Simulated("heavy.urdf --time 0.2 --gravity 2,0,-5");
  const std::string fmu = Exported(Mechanism("four_bar"), "light");
  const std::string gravity = " 'gravity[1]=2' 'gravity[3]=-5'";
  EXPECT_LE(LargestDifference(expected, Outputs(fmu, "cs 0.2 mass.link1=2" + gravity)), 1e-7);
  EXPECT_GT(LargestDifference(expected, Outputs(fmu, "cs 0.2" + gravity)), 1e-2);
  const Numbers simulated = Simulated(Mechanism("four_bar") + " --time 0.2");
  EXPECT_GT(LargestDifference(expected, simulated), 1e-2);
  EXPECT_LE(LargestDifference(expected, Outputs(Exported("heavy.urdf", "h"), "cs 0.2" + gravity)),
            1e-7);
}

// In closed form: the coupler of a parallelogram does not turn.
TEST_F(Fmu, PosesOfFramesAreOutputs) {
  const std::string fmu =
      Exported(Mechanism("four_bar"), "out", "--output-frame link2 --output-frame base_link");
  for (const char* kind : {"cs 0.15", "me 0.15"}) {
    const Numbers at = Outputs(fmu, kind);
    const double c = std::cos(at.at("q.joint1")), s = std::sin(at.at("q.joint1"));
    EXPECT_GT(std::abs(s), 0.1);
    EXPECT_NEAR(at.at("frame.link2.p[1]"), 0.12 * c + 0.16 * s, 1e-8);
    EXPECT_NEAR(at.at("frame.link2.p[2]"), 0, 1e-12);
    EXPECT_NEAR(at.at("frame.link2.p[3]"), 0.4 - 0.12 * s + 0.16 * c, 1e-8);
    for (int i = 1; i <= 3; ++i) {
      for (int j = 1; j <= 3; ++j) {
        const std::string entry = ".R[" + std::to_string(i) + "," + std::to_string(j) + "]";
        EXPECT_NEAR(at.at("frame.link2" + entry), i == j ? 1 : 0, 1e-8);
        EXPECT_EQ(at.at("frame.base_link" + entry), i == j ? 1 : 0);
      }
    }
  }
}

const char* const kPendulum = R"(<mujoco model="pendulum"><worldbody>
  <body name="rod" pos="0 0 2"><joint name="hinge" type="hinge" axis="0 1 0"/>
    <inertial pos="0 0 -0.5" mass="1" diaginertia="0.02 0.02 0.02"/>
    <site name="tip" pos="0.1 0 -1" euler="0 90 0"/></body></worldbody></mujoco>)";

TEST_F(Fmu, FramesOfTheModelAreOutputsToo) {
  WriteFile(folder_ / "pendulum.xml", kPendulum);
  const Numbers at =
      Outputs(Exported("pendulum.xml", "p", "--output-frame tip"), "cs 0.3 q.hinge=0.7");
  const double c = std::cos(at.at("q.hinge")), s = std::sin(at.at("q.hinge"));
  EXPECT_NEAR(at.at("frame.tip.p[1]"), 0.1 * c - s, 1e-12);
  EXPECT_NEAR(at.at("frame.tip.p[3]"), 2 - 0.1 * s - c, 1e-12);
  EXPECT_NEAR(at.at("frame.tip.R[1,1]"), -s, 1e-12);  // x of the site is -z of the rod
  EXPECT_NEAR(at.at("frame.tip.R[3,1]"), -c, 1e-12);
  const CommandResult unknown =
      Kinemorph("export pendulum.xml -o no --language fmu --output-frame tipp");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("there is no link and no frame 'tipp'; did you mean 'tip'?"));
  EXPECT_THAT(unknown.err, HasSubstr("[output-frame-unknown]"));
  EXPECT_FALSE(fs::exists(folder_ / "no"));
}

// What a joint's limit does where it is a spring is in the equations.
TEST_F(Fmu, SoftLimitsAreKept) {
  WriteFile(folder_ / "soft.sdf", R"(<sdf version="1.9"><model name="soft">
    <link name="base"/><joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
    <link name="rod"><pose>0 0 -0.5 0 0 0</pose><inertial><mass>1</mass>
      <inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>
    <joint name="hinge" type="revolute"><pose>0 0 0.5 0 0 0</pose><parent>base</parent>
      <child>rod</child><axis><xyz>0 1 0</xyz><limit><lower>-0.3</lower><upper>0.2</upper>
      <stiffness>80</stiffness><dissipation>1.5</dissipation></limit></axis></joint></model></sdf>)");
  const Numbers expected = Simulated("soft.sdf --time 2 --rate hinge=3");
  EXPECT_LE(LargestDifference(expected, Outputs(Exported("soft.sdf", "s"), "cs 2 v.hinge=3")),
            1e-6);
  const auto summary = nlohmann::json::parse(FileText(folder_ / "motion.json"));
  EXPECT_FALSE(summary["events"].empty());
}

TEST_F(Fmu, NamesOfTheModelBecomeNoCode) {
  const std::string name =
      "x*/ &quot;; system(&quot;touch hacked&quot;); /* $(touch hacked) `touch hacked` %n &amp; "
      "&lt;b&gt; ../../up";
  WriteFile(
      folder_ / "hostile.urdf",
      "<robot name=\"" + name + "\"><link name=\"world_\"/><link name=\"a" + name +
          "\"><inertial><origin xyz=\"0 0 -1\"/><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
          "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"" +
          name + "\" type=\"revolute\"><parent link=\"world_\"/><child link=\"a" + name +
          "\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" "
          "velocity=\"1\"/></joint></robot>");
  for (const char* fmi : {"2", "3"}) {
    const std::string fmu = Exported("hostile.urdf", std::string("h") + fmi,
                                     "--output-frame world_ --fmi " + std::string(fmi));
    EXPECT_EQ(Master(fmu, "rules").out, "good\n");
    const CommandResult unpacked =
        Shell("python3 -m zipfile -e " + fmu + " un" + fmi + " && find un" + fmi +
                  " -type f | wc -l && python3 -c \"import xml.etree.ElementTree as e; "
                  "print(e.parse('un" +
                  fmi + "/modelDescription.xml').getroot().get('modelName'))\"",
              folder_.path());
    EXPECT_EQ(unpacked.out.substr(0, 2), "7\n") << unpacked.out << unpacked.err;
    EXPECT_THAT(unpacked.out, HasSubstr("x*/ \"; system(\"touch hacked\");"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / (std::string("un") + fmi)), {}), 4);
  }
  EXPECT_EQ(Shell("find . -name 'hacked*'", folder_.path()).out, "");
}

TEST_F(Fmu, WithoutACompilerItHoldsSources) {
  fs::create_directories(folder_ / "bin");
  fs::create_directories(folder_ / "tmp");
  const std::string path = "PATH=" + (folder_ / "bin").string() +
                           " TMPDIR=" + (folder_ / "tmp").string() + " " + KINEMORPH_COMMAND +
                           " export " + Mechanism("four_bar") + " --language fmu -o ";
  const CommandResult alone = Shell(path + "alone", folder_.path());
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_THAT(alone.err, HasSubstr("[fmu-sources-alone]"));
  EXPECT_THAT(alone.err, HasSubstr("linux64: no compiler for it is installed"));
  EXPECT_EQ(
      Shell("python3 -m zipfile -l alone/four_bar.fmu | grep -c binaries", folder_.path()).out,
      "0\n");
  const CommandResult asked = Shell(path + "asked --binary linux64", folder_.path());
  EXPECT_EQ(asked.exit_code, 1);
  EXPECT_THAT(asked.err, HasSubstr("[fmu-binary-impossible]"));
  EXPECT_FALSE(fs::exists(folder_ / "asked"));
  const CommandResult none = Shell(path + "none --binary none", folder_.path());
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, testing::Not(HasSubstr("fmu-")));
  // One that is there and fails.
  WriteFile(folder_ / "bin/cc",
            "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
            "echo 'fmu.c:1: error: \033[1mno room\033[0m' >&2; exit 1\n");
  fs::permissions(folder_ / "bin/cc", fs::perms::owner_all);
  const CommandResult failed = Shell(path + "failed", folder_.path());
  EXPECT_EQ(failed.exit_code, 0);
  EXPECT_THAT(failed.err,
              HasSubstr("no binary for linux64: cc says: error: no room [fmu-binary-left-out]"));
  EXPECT_TRUE(fs::exists(folder_ / "failed/four_bar.fmu"));
  // One that is killed amid its work.
  WriteFile(folder_ / "bin/cc",
            "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
            ": >\"$TMPDIR/cc1.res\"; : >started; while :; do :; done\n");
  const CommandResult killed = Shell(path + "killed --timeout 2", folder_.path());
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "started")) << killed.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "something was left";
}

TEST_F(Fmu, HoldsALibraryForWindows) {
  if (std::system("command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "x86_64-w64-mingw32-gcc is not installed";
  for (const auto& [fmi, place, count] : {std::tuple("2", "win64/four_bar.dll", 44),
                                          std::tuple("3", "x86_64-windows/four_bar.dll", 75)}) {
    for (const char* out : {"w", "again"})
      ASSERT_EQ(Kinemorph("export " + Mechanism("four_bar") + " -o " + out + fmi +
                          " --language fmu -q --binary win64 --fmi " + fmi)
                    .exit_code,
                0);
    EXPECT_TRUE(FileText(folder_ / ("w" + std::string(fmi) + "/four_bar.fmu")) ==
                FileText(folder_ / ("again" + std::string(fmi) + "/four_bar.fmu")));
    const CommandResult names = Shell(std::string("python3 -m zipfile -e w") + fmi +
                                          "/four_bar.fmu w && ls w/binaries && "
                                          "x86_64-w64-mingw32-objdump -p w/binaries/" +
                                          place + " | grep -cE ' fmi" + fmi +
                                          "[A-Za-z0-9]+$' && x86_64-w64-mingw32-objdump -p "
                                          "w/binaries/" +
                                          place + " | grep 'DLL Name' | sort && rm -r w",
                                      folder_.path());
    EXPECT_THAT(names.out, HasSubstr("\n" + std::to_string(count) + "\n")) << names.err;
    EXPECT_THAT(names.out, HasSubstr("KERNEL32.dll\n\tDLL Name: msvcrt.dll\n"));
  }
}

TEST_F(Fmu, OptionsOfFmusAreOfNoOtherLanguage) {
  for (const char* more : {"--fmi 2", "--binary none", "--output-frame link1"}) {
    const CommandResult run =
        Kinemorph("export " + Mechanism("four_bar") + " -o out --language c " + more);
    EXPECT_EQ(run.exit_code, 2) << more;
    EXPECT_THAT(run.err, HasSubstr("is of --language fmu alone"));
  }
  for (const char* wrong : {"--fmi 1", "--binary mac"})
    EXPECT_EQ(
        Kinemorph("export " + Mechanism("four_bar") + " -o out --language fmu " + wrong).exit_code,
        2);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace kinemorph::test
