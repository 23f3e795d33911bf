// What a batch promises: sources survive, the report is what happened, what is done is known by
// content, nothing hangs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kKinemorph = KINEMORPH_COMMAND;

std::string Robot(const std::string& name, const std::string& more = "") {
  return "<robot name='" + name + "'><link name='base'/><link name='arm'>" + more +
         "</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis "
         "xyz='0 0 1'/></joint></robot>\n";
}

std::string Mesh(const std::string& file) {
  return "<visual><geometry><mesh filename='" + file + "'/></geometry></visual>";
}

// A chain that takes seconds and hundreds of megabytes.
std::string LongChain(int links) {
  std::string text = "<robot name='chain'><link name='l0'/>";
  for (int i = 1; i < links; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name='l" + n + "'/><joint name='j" + n + "' type='continuous'><parent link='l" +
            before + "'/><child link='l" + n + "'/><axis xyz='0 0 1'/></joint>";
  }
  return text + "</robot>";
}

class Batch : public ::testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell("timeout 120 " + kKinemorph + " " + arguments, folder_.path());
  }
  void Write(const std::string& name, const std::string& text) { WriteFile(folder_ / name, text); }
  std::string Text(const std::string& name) { return FileText(folder_ / name); }
  bool Exists(const std::string& name) { return fs::exists(folder_ / name); }

  // Records of a report by source; every line must be one.
  std::map<std::string, json> Records(const std::string& report) {
    std::map<std::string, json> records;
    std::istringstream lines(Text(report));
    for (std::string line; std::getline(lines, line);) {
      const json record = json::parse(line, nullptr, false);
      EXPECT_TRUE(record.is_object()) << line;
      if (record.is_object()) records[record["source"]] = record;
    }
    return records;
  }

  // A report without what a clock and the system say.
  std::string Timeless(const std::string& report) {
    std::string text;
    std::istringstream lines(Text(report));
    for (std::string line; std::getline(lines, line);) {
      auto record = nlohmann::ordered_json::parse(line);
      record.erase("ms");
      record.erase("peak_kb");
      EXPECT_EQ(record["check"].get<std::string>().size(), 16u);
      record.erase("check");  // of the names in the line too
      text += record.dump() + "\n";
    }
    return text;
  }

  // Every file below a folder with its text.
  std::map<std::string, std::string> Tree(const std::string& name) {
    std::map<std::string, std::string> files;
    if (!Exists(name)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / name)) {
      if (entry.is_regular_file())
        files[entry.path().lexically_relative(folder_ / name).string()] = FileText(entry.path());
    }
    return files;
  }

  void WriteRobots(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      Write("src/d" + std::to_string(i % 3) + "/r" + n + ".urdf", Robot("r" + n));
    }
    Write("src/broken.urdf", "<robot");
  }

  TemporaryFolder folder_;
};

TEST_F(Batch, LeavesOutWhatIsExcludedAndItsOutput) {
  Write("src/a.urdf", Robot("a")), Write("src/b.urdf", Robot("b"));
  Write("src/b.sdf", "<sdf version='1.9'><model name='b'><link name='l'/></model></sdf>");
  // Both would be b.xml: only one is asked for.
  const std::string command = "batch src -o dst --to mjcf --report r.jsonl ";
  EXPECT_EQ(Kinemorph(command).exit_code, 2);
  EXPECT_EQ(Kinemorph(command + "--exclude '*.sdf'").out,
            "converted 2, skipped 0, failed 0 of 2\n");
  // What another run leaves out is not gone.
  EXPECT_EQ(Kinemorph(command + "--include a.urdf --prune --resume").exit_code, 0);
  EXPECT_TRUE(Exists("dst/b.xml"));
  EXPECT_EQ(Records("r.jsonl").size(), 2u);
}

TEST_F(Batch, TheManifestOfAPackageIsNoRobot) {
  Write("src/a.urdf", Robot("a"));
  Write("src/package.xml", "<package format='3'><name>a</name></package>");
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf").out, "converted 1, skipped 0, failed 0 of 1\n");
  EXPECT_EQ(Kinemorph("check src --to sdf").exit_code, 0);
}
TEST_F(Batch, StopsAfterSoManyFailures) {
  for (const char* name : {"a", "b", "c", "d"})
    Write("src/" + std::string(name) + ".urdf", "<robot/>");
  const CommandResult result =
      Kinemorph("batch src -o dst --to sdf -j 1 --max-failures 2 --report r.jsonl");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "converted 0, skipped 0, failed 2 of 4; 2 not tried (--max-failures 2)\n");
  EXPECT_EQ(Records("r.jsonl").size(), 2u);
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --max-failures 9").out,
            "converted 0, skipped 0, failed 4 of 4\n");
}

TEST_F(Batch, TellsMessagesInEveryForm) {
  Write("src/a.urdf", "<robot name='a'/>"), Write("src/b.urdf", Robot("b"));
  const CommandResult github = Kinemorph("batch src -o dst --to sdf --diagnostics github");
  EXPECT_THAT(github.err, HasSubstr("::error file=src/a.urdf,line=1,title=no-links::"));
  const json sarif = json::parse(Kinemorph("batch src -o dst --to sdf --diagnostics sarif").err);
  EXPECT_EQ(sarif["runs"][0]["results"][0]["ruleId"], "no-links");
  const CommandResult lines = Kinemorph("batch src -o dst --to sdf --diagnostics json");
  EXPECT_EQ(json::parse(lines.err.substr(0, lines.err.find('\n')))["code"], "no-links");
}

TEST_F(Batch, ConvertNeverWritesOverWhatItReads) {
  Write("a.urdf", Robot("a"));
  const std::string before = Text("a.urdf");
  fs::create_symlink("a.urdf", folder_ / "link.urdf");
  fs::create_hard_link(folder_ / "a.urdf", folder_ / "hard.sdf");
  fs::create_directories(folder_ / "d");
  for (const std::string out : {"a.urdf", "./a.urdf", "d/../a.urdf", "link.urdf", "hard.sdf"}) {
    const CommandResult result = Kinemorph("convert a.urdf -o " + out);
    EXPECT_EQ(result.exit_code, 2) << out;
    EXPECT_THAT(result.err, HasSubstr("'" + out + "' is the input 'a.urdf'"));
    EXPECT_EQ(Text("a.urdf"), before) << out;
  }
  EXPECT_EQ(Kinemorph("convert a.urdf -o b.sdf --loss-report b.json").exit_code, 0);
  fs::copy_file(folder_ / "a.urdf", folder_ / "a.json");
  EXPECT_EQ(Kinemorph("convert a.json -o c.sdf --loss-report a.json").exit_code, 2);
  EXPECT_EQ(Text("a.json"), before);
}

TEST_F(Batch, ConvertNeverWritesOverAFileThatTheSourceNeeds) {
  Write("part.xml",
        "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>");
  Write("a.xml", "<mujoco><include file='part.xml'/></mujoco>");
  const CommandResult result = Kinemorph("convert a.xml -o part.xml --to mjcf");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("part.xml"));
  EXPECT_THAT(Text("part.xml"), HasSubstr("<geom size='1'/>"));
}

TEST_F(Batch, PlansBeforeItWrites) {
  Write("src/a.urdf", Robot("a"));
  Write("src/a.sdf", "<sdf version='1.9'><model name='a'><link name='l'/></model></sdf>");
  Write("src/b.urdf", Robot("b"));
  const CommandResult clash = Kinemorph("batch src -o dst --to mjcf");
  EXPECT_EQ(clash.exit_code, 2);
  EXPECT_THAT(clash.err, HasSubstr("'src/a.sdf' and 'src/a.urdf' have one target 'dst/a.xml'"));
  EXPECT_FALSE(Exists("dst")) << "nothing is written";
  for (const std::string dst : {"src", "./src/.", "src/sub", "src/../src"}) {
    const CommandResult result = Kinemorph("batch src -o " + dst + " --to mbs --on-clash suffix");
    EXPECT_EQ(result.exit_code, 2) << dst;
    EXPECT_THAT(result.err, HasSubstr("'" + dst + "'"));
    EXPECT_THAT(result.err, HasSubstr("'src'"));
  }
  EXPECT_EQ(Tree("src").size(), 3u);
  // A target that is a source through a hard link, and a folder of targets that leads back.
  fs::create_directories(folder_ / "dst2");
  fs::create_hard_link(folder_ / "src/b.urdf", folder_ / "dst2/b.mbs");
  EXPECT_THAT(Kinemorph("batch src -o dst2 --to mbs --on-clash suffix").err,
              HasSubstr("is the source 'src/b.urdf'"));
  Write("src/sub/c.urdf", Robot("c"));
  fs::create_directories(folder_ / "dst3");
  fs::create_directory_symlink("../src", folder_ / "dst3/sub");
  EXPECT_THAT(Kinemorph("batch src -o dst3 --to mbs --on-clash suffix").err,
              HasSubstr("lies in the source folder"));
}

TEST_F(Batch, SuffixesResolveEveryClashWhateverTheOrder) {
  Write("src/a.sdf", "<sdf version='1.9'><model name='a'><link name='l'/></model></sdf>");
  Write("src/a.urdf", Robot("a"));
  Write("src/a.urdf.xml", "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>");
  Write("src/b.urdf", Robot("b"));
  const CommandResult result =
      Kinemorph("batch src -o dst --to mjcf --on-clash suffix --report r.jsonl");
  EXPECT_EQ(result.out, "converted 4, skipped 0, failed 0 of 4\n") << result.err;
  std::vector<std::string> names;
  for (const auto& [name, text] : Tree("dst")) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("a.sdf.xml", "a.urdf.xml", "a.urdf.xml.xml", "b.xml"));
  EXPECT_EQ(Records("r.jsonl")["a.urdf"]["out"], "dst/a.urdf.xml");
}

TEST_F(Batch, TheReportSaysWhatHappened) {
  Write("src/good.urdf", Robot("good", Mesh("missing.stl")));
  Write("src/bad.urdf", "<robot");
  Write("src/loop.urdf", FileText(fs::path(kinemorph::test::SourceDir()) /
                                  "fixtures/mechanisms/four_bar/four_bar.urdf"));
  const CommandResult result = Kinemorph("batch src -o dst --to sdf --report r.jsonl --verify");
  EXPECT_EQ(result.exit_code, 1);
  std::map<std::string, json> records = Records("r.jsonl");
  ASSERT_EQ(records.size(), 3u);
  for (auto& [source, record] : records) {
    for (const char* key :
         {"source", "out", "from", "to", "exit_code", "status", "losses", "codes", "verdict", "ms",
          "peak_kb", "sha256", "options", "inputs", "diagnostics"}) {
      EXPECT_TRUE(record.contains(key)) << source << " " << key;
    }
    for (const char* key : {"motion", "interface", "looks"})
      EXPECT_TRUE(record["losses"].contains(key));
  }
  EXPECT_EQ(records["good.urdf"]["status"], "converted");
  EXPECT_EQ(records["good.urdf"]["from"], "urdf");
  EXPECT_EQ(records["good.urdf"]["to"], "sdf");
  EXPECT_EQ(records["good.urdf"]["inputs"][0]["uri"], "missing.stl");
  EXPECT_TRUE(records["good.urdf"]["inputs"][0]["path"].is_null());
  const CommandResult sum =
      Shell("sha256sum src/loop.urdf dst/loop.sdf | cut -c1-64", folder_.path());
  EXPECT_EQ(sum.out, records["loop.urdf"]["sha256"]["source"].get<std::string>() + "\n" +
                         records["loop.urdf"]["sha256"]["out"].get<std::string>() + "\n");
  EXPECT_EQ(records["bad.urdf"]["status"], "failed");
  EXPECT_EQ(records["bad.urdf"]["exit_code"], 1);
  EXPECT_EQ(records["bad.urdf"]["out"], "");
  EXPECT_GT(records["good.urdf"]["peak_kb"], 0);
  for (const auto& [code, count] : records["loop.urdf"]["codes"].items()) {
    EXPECT_THAT(result.err, HasSubstr(std::to_string(count.get<int>()) + " x [" + code + "]"));
  }
}

std::string World(const std::string& second) {
  const auto model = [](const std::string& name, const std::string& inside) {
    return "<model name='" + name + "'><link name='base'><inertial><mass>1</mass><inertia><ixx>1" +
           "</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>" + inside + "</model>";
  };
  return "<sdf version='1.9'><world name='w'>" + model("arm 1", "") + model("hand", second) +
         "</world></sdf>";
}

// Each model of a world to a file of its name; one that fails does not keep the others back.
TEST_F(Batch, AllModelsOfAWorld) {
  const std::string loop =
      "<link name='tip'/><joint name='j' type='ball'><parent>base</parent><child>tip</child>"
      "</joint><joint name='k' type='ball'><parent>base</parent><child>tip</child></joint>";
  Write("src/deep/w.world", World(loop));
  Write("src/one.sdf", "<sdf version='1.9'><model name='m'><link name='base'/></model></sdf>");
  EXPECT_EQ(Kinemorph("batch src -o plain --to urdf").exit_code, 1);  // which of the two?
  const CommandResult run =
      Kinemorph("batch src -o dst --to urdf --all-models --strict=motion --report r.jsonl");
  std::map<std::string, json> records = Records("r.jsonl");
  ASSERT_EQ(records.size(), 3u) << run.err;
  EXPECT_EQ(records["deep/w.world::arm 1"]["status"], "converted");
  EXPECT_TRUE(fs::exists(folder_ / "dst/deep/w/arm_1.urdf"));
  EXPECT_EQ(records["deep/w.world::hand"]["status"], "refused");
  EXPECT_FALSE(fs::exists(folder_ / "dst/deep/w/hand.urdf"));
  EXPECT_TRUE(fs::exists(folder_ / "dst/one.urdf"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(
      Kinemorph("batch src -o dst --to urdf --all-models --strict=motion --report r.jsonl --resume")
          .out,
      HasSubstr("skipped 2, failed 1"));

  const CommandResult convert = Kinemorph("convert src/deep/w.world out --to urdf --all-models");
  EXPECT_EQ(convert.exit_code, 0) << convert.err;
  EXPECT_EQ(convert.out, "written 2 of 2 models\n");
  EXPECT_TRUE(fs::exists(folder_ / "out/arm_1.urdf"));
  EXPECT_TRUE(fs::exists(folder_ / "out/hand.urdf"));
  const CommandResult strict =
      Kinemorph("convert src/deep/w.world some --to urdf --all-models --strict=motion");
  EXPECT_EQ(strict.exit_code, 3) << strict.err;
  EXPECT_EQ(strict.out, "written 1 of 2 models\n");
  EXPECT_THAT(strict.err, HasSubstr("model 'hand' is not written"));
  EXPECT_EQ(Kinemorph("convert src/one.sdf one --to mjcf --all-models").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "one/one.xml"));
  for (const char* wrong : {"convert src/one.sdf out --all-models",
                            "convert src/one.sdf src/one.sdf --to urdf --all-models",
                            "convert src/one.sdf out --to urdf --all-models --model m"})
    EXPECT_EQ(Kinemorph(wrong).exit_code, 2) << wrong;
}

// Which models a world holds is read by a worker too: one that takes too long or too much ends
// alone, and its row says why.
TEST_F(Batch, HostileWorldsEndAloneWhenTheirModelsAreAsked) {
  const auto large = [](int links) {
    std::string text = "<sdf version='1.9'><world name='w'>";
    for (const char* name : {"a", "b"}) {
      text += "<model name='" + std::string(name) + "'><link name='l0'/>";
      for (int i = 1; i < links; ++i) {
        const std::string n = std::to_string(i), before = std::to_string(i - 1);
        text += "<link name='l" + n + "'/><joint name='j" + n + "' type='ball'><parent>l" + before +
                "</parent><child>l" + n + "</child></joint>";
      }
      text += "</model>";
    }
    return text + "</world></sdf>";
  };
  Write("src/big.world", large(60000));
  Write("src/deep/w.world", World(""));
  Write("src/names_pipe.world",
        "<sdf version='1.9'><world name='w'><include><uri>pipe.sdf</uri></include></world></sdf>");
  ASSERT_EQ(::mkfifo((folder_ / "src/pipe.sdf").c_str(), 0600), 0);
  const CommandResult slow =
      Kinemorph("batch src -o dst --to urdf --all-models --timeout 0.15 --report r.jsonl -j 2");
  EXPECT_EQ(slow.exit_code, 1) << slow.err;
  std::map<std::string, json> records = Records("r.jsonl");
  ASSERT_EQ(records.size(), 5u) << slow.err;
  EXPECT_EQ(records["big.world"]["status"], "timeout");
  EXPECT_THAT(records["big.world"]["diagnostics"][0]["message"].get<std::string>(),
              HasSubstr("which models it holds is not known"));
  EXPECT_EQ(records["deep/w.world::hand"]["status"], "converted");
  EXPECT_EQ(records["pipe.sdf"]["status"], "failed");
  EXPECT_EQ(records["names_pipe.world"]["status"], "failed");
  EXPECT_THAT(slow.err, HasSubstr("it is a pipe, not a file"));
  // The batch itself has less memory than the world takes.
  const CommandResult large_one =
      Shell("ulimit -v 400000; timeout 120 " + kKinemorph +
                " batch src -o dst2 --to urdf --all-models --memory 128 --report r2.jsonl -j 2",
            folder_.path());
  EXPECT_EQ(large_one.exit_code, 1) << large_one.err;
  records = Records("r2.jsonl");
  EXPECT_EQ(records["big.world"]["status"], "memory");
  EXPECT_EQ(records["deep/w.world::arm 1"]["status"], "converted");
}

// What a world's model or a xacro file left goes with it, and nothing is said while it is there.
TEST_F(Batch, PruneKnowsTheFilesOfModelsAndOfXacro) {
  Write("src/w.world",
        "<sdf version='1.9'><world name='w'><model name='a b'><link name='l'/></model>"
        "<model name='a_b'><link name='l'/></model><model name='c'><link name='l'/></model>"
        "</world></sdf>");
  const std::string xacro = "<robot name='r' xmlns:xacro='x'><link name='l'/></robot>";
  Write("src/arm.urdf.xacro", xacro), Write("src/leg.xacro", xacro);
  Write("src/a.urdf", Robot("a")), Write("src/b.urdf", Robot("b"));
  const std::string command = "batch src -o dst --to sdf --all-models --report r.jsonl";
  EXPECT_EQ(Kinemorph(command).exit_code, 0);
  EXPECT_EQ(Tree("dst").size(), 7u);
  CommandResult pruned = Kinemorph(command + " --resume --prune");
  EXPECT_THAT(pruned.err, Not(HasSubstr("prune"))) << pruned.err;
  EXPECT_EQ(Tree("dst").size(), 7u);
  Write("src/w.world", World(""));
  fs::remove(folder_ / "src/arm.urdf.xacro");
  fs::remove(folder_ / "src/leg.xacro");
  pruned = Kinemorph(command + " --resume --prune=force");
  EXPECT_THAT(pruned.err, HasSubstr("5 stale outputs removed"));
  for (const char* file : {"a.sdf", "b.sdf", "w/arm_1.sdf", "w/hand.sdf"})
    EXPECT_TRUE(Exists(std::string("dst/") + file)) << file;
  EXPECT_EQ(Tree("dst").size(), 4u);
}

// Names of models that make one file name, and a world beside a world of its name.
TEST_F(Batch, ModelsHaveFilesOfTheirOwn) {
  const auto world = [](const std::string& more) {
    return "<sdf version='1.9'><world name='w'><model name='a b'><link name='l'/></model>" + more +
           "</world></sdf>";
  };
  Write("src/w.world", world("<model name='a_b'><link name='l'/></model>"));
  Write("src/w.sdf", world("<model name='a.b'><link name='l'/></model>"));
  const std::string command = "batch src -o dst --to urdf --all-models";
  EXPECT_EQ(Kinemorph(command).exit_code, 2);
  const CommandResult both = Kinemorph(command + " --on-clash suffix");
  EXPECT_EQ(both.exit_code, 0) << both.err;
  for (const char* file : {"w.world/a_b.urdf", "w/a_b_2.urdf", "w.sdf/a_b.urdf", "w/a.b.urdf"})
    EXPECT_TRUE(Exists(std::string("dst/") + file)) << file;
}

// What other files include is no model, and no failure.
TEST_F(Batch, FragmentsAreSkipped) {
  Write("src/robot.xml", "<mujoco><include file='arm.xml'/><include file='looks.xml'/></mujoco>");
  Write("src/arm.xml",
        "<mujocoinclude><worldbody><body name='arm'><geom size='1'/></body></worldbody>"
        "</mujocoinclude>");
  Write("src/looks.xml", "<mujoco><default><geom density='10'/></default></mujoco>");
  const CommandResult result = Kinemorph("batch src -o dst --to urdf --report r.jsonl");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("converted 1, skipped 2, failed 0 of 3"));
  std::map<std::string, json> records = Records("r.jsonl");
  EXPECT_EQ(records["robot.xml"]["status"], "converted");
  EXPECT_EQ(records["arm.xml"]["status"], "fragment");
  EXPECT_EQ(records["looks.xml"]["status"], "fragment");
  EXPECT_EQ(records["looks.xml"]["out"], "");
}

TEST_F(Batch, XacroIsExpandedAndLibrariesOfMacrosAreLeftOut) {
  Write("src/leg.xacro",
        "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:macro name='leg' "
        "params='side'><link name='${side}'/></xacro:macro></robot>");
  Write("src/dog.urdf.xacro",
        "<robot name='dog' xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:include "
        "filename='leg.xacro'/><xacro:leg side='left'/></robot>");
  Write("src/cat.urdf.xacro",
        "<robot name='cat' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<xacro:lge/></robot>");
  const CommandResult result = Kinemorph("batch src -o dst --to sdf --report r.jsonl");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(FileText(folder_ / "dst/dog.sdf"), HasSubstr("<link name=\"left\""));
  std::map<std::string, json> records = Records("r.jsonl");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records["dog.urdf.xacro"]["inputs"][0]["uri"], "leg.xacro");
  EXPECT_EQ(records["cat.urdf.xacro"]["diagnostics"][0]["line"], 2);
  // A macro that changes is a change of the robot.
  EXPECT_THAT(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume").out,
              HasSubstr("skipped 1"));
  Write("src/leg.xacro",
        "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:macro name='leg' "
        "params='side'><link name='${side}_leg'/></xacro:macro></robot>");
  EXPECT_THAT(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume").out,
              HasSubstr("converted 1"));
  EXPECT_THAT(FileText(folder_ / "dst/dog.sdf"), HasSubstr("<link name=\"left_leg\""));
}

TEST_F(Batch, WhatGoesWithAFileStandsInAFolderOfItsOwn) {
  for (const std::string name : {"a", "b"}) {
    Write("src/" + name + "/robot.urdf", Robot(name, Mesh("part.stl")));
    Write("src/" + name + "/part.stl", "solid " + name);
    Write("src/" + name + "/screw.sdf",
          "<sdf version='1.9'><model name='m'><link name='base'/><link name='nut'/><joint "
          "name='fix' type='fixed'><parent>world</parent><child>base</child></joint><joint "
          "name='turn' type='screw'><parent>base</parent><child>nut</child><axis><xyz>0 0 "
          "1</xyz></axis><screw_thread_pitch>0." +
              name + "</screw_thread_pitch></joint></model></sdf>");
  }
  Shell("sed -i 's/0[.]a/0.1/' src/a/screw.sdf; sed -i 's/0[.]b/0.2/' src/b/screw.sdf",
        folder_.path());
  const std::string batch = "batch src -o dst --to mbs --copy-assets meshes --report r.jsonl";
  ASSERT_EQ(Kinemorph(batch + " -j 1").exit_code, 0);
  const auto tree = Tree("dst");
  EXPECT_EQ(tree.at("a/robot/meshes/part.stl"), "solid a");
  EXPECT_EQ(tree.at("b/robot/meshes/part.stl"), "solid b");
  EXPECT_NE(tree.at("a/screw/screw_user_cons_hJ.c"), tree.at("b/screw/screw_user_cons_hJ.c"));
  std::set<std::string> also;
  for (auto& [source, record] : Records("r.jsonl"))
    for (const json& file : record["also"]) also.insert(file["path"]);
  EXPECT_THAT(also, ElementsAre("dst/a/robot/meshes/part.stl", "dst/a/screw/screw_user_cons_hJ.c",
                                "dst/b/robot/meshes/part.stl", "dst/b/screw/screw_user_cons_hJ.c"));
  // What was changed or removed comes back, whatever the number of workers; a copy that no longer
  // goes with a file is stale.
  EXPECT_THAT(Kinemorph(batch + " --resume").out, HasSubstr("skipped 4"));
  Write("dst/a/robot/meshes/part.stl", "other");
  fs::remove(folder_ / "dst/b/screw/screw_user_cons_hJ.c");
  EXPECT_THAT(Kinemorph(batch + " --resume -j 2").out, HasSubstr("skipped 2"));
  EXPECT_EQ(Tree("dst"), tree);
  Write("src/a/robot.urdf", Robot("a"));
  fs::remove(folder_ / "src/b/screw.sdf");
  ASSERT_EQ(Kinemorph(batch + " --resume --prune").exit_code, 0);
  EXPECT_FALSE(Exists("dst/a/robot")) << "nor its folder";
  EXPECT_FALSE(Exists("dst/b/screw.mbs"));
  EXPECT_FALSE(Exists("dst/b/screw"));
  EXPECT_EQ(Tree("dst").size(), 5u);
  // The names of copies, as a package that is DST_DIR.
  ASSERT_EQ(Kinemorph("batch src -o sdf --to sdf --copy-assets meshes --mesh-uri package://robots "
                      "--on-clash suffix")
                .exit_code,
            0);
  EXPECT_THAT(Text("sdf/b/robot.sdf"), HasSubstr("package://robots/b/robot/meshes/part.stl"));
  // A folder that leads back to what is read is not written into.
  fs::create_directories(folder_ / "back/b");
  fs::create_directory_symlink("../../src/b", folder_ / "back/b/robot");
  EXPECT_EQ(Kinemorph("batch src -o back --to sdf --copy-assets meshes").exit_code, 1);
  EXPECT_FALSE(Exists("src/b/meshes"));
  for (const std::string wrong :
       {"--copy-assets ../x", "--copy-assets ..", "--mesh-uri package://x"})
    EXPECT_EQ(Kinemorph("batch src -o wrong --to sdf " + wrong).exit_code, 2) << wrong;
}

TEST_F(Batch, TheVerdictIsThatOfVerify) {
  Write("src/same.urdf",
        "<robot name='same'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
        "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>");
  std::string four_bar = FileText(fs::path(kinemorph::test::SourceDir()) /
                                  "fixtures/mechanisms/four_bar/four_bar.urdf");
  // Another coordinate than the one that is chosen where nobody declares any.
  four_bar.replace(four_bar.find("independent=\"true\""), 18, "independent=\"false\"");
  four_bar.replace(four_bar.rfind("independent=\"false\""), 19, "independent=\"true\"");
  Write("src/four_bar.urdf", four_bar);
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --verify --report r.jsonl").exit_code, 0);
  EXPECT_EQ(Records("r.jsonl")["same.urdf"]["verdict"], "equivalent");
  EXPECT_EQ(Records("r.jsonl")["four_bar.urdf"]["verdict"], "except");
  ASSERT_EQ(Kinemorph("batch src -o dst2 --to sdf --report r2.jsonl").exit_code, 0);
  EXPECT_TRUE(Records("r2.jsonl")["same.urdf"]["verdict"].is_null());
}

TEST_F(Batch, AnOptionThatTheTargetHasNoPlaceForIsWrongUse) {
  Write("src/arm.urdf", "<robot name='arm'><link name='base'/></robot>");
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --root base").exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "dst"));
}

// The fence around what a description names.
TEST_F(Batch, NothingOutsideIsOpenedUnlessItIsAllowed) {
  const std::string part =
      "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>";
  const auto opens = [&](const std::string& file, const std::string& options = "") {
    return Kinemorph("inspect " + file + options).exit_code == 0;
  };
  const auto include = [](const std::string& file) {
    return "<mujoco><include file='" + file + "'/></mujoco>";
  };
  Write("w/secret.xml", part);
  Write("w/p/beside.xml", part);
  Write("w/p/q/r/here.xml", part);
  Write("w/p/q/r/a.xml", include("here.xml"));
  Write("w/p/q/r/b.xml", include("../../beside.xml"));
  Write("w/p/q/r/c.xml", include("../../../secret.xml"));
  Write("w/p/q/above.xml", part);
  Write("w/p/q/r/d.xml", include("../above.xml"));
  fs::create_symlink("../../../secret.xml", folder_ / "w/p/q/r/link.xml");
  Write("w/p/q/r/e.xml", include("link.xml"));
  Write("w/p/q/r/f.xml", include((folder_ / "w/secret.xml").string()));
  EXPECT_TRUE(opens("w/p/q/r/a.xml"));
  EXPECT_TRUE(opens("w/p/q/r/d.xml")) << "the folder above is the model's own";
  for (const std::string file : {"b", "c", "e", "f"}) {
    EXPECT_FALSE(opens("w/p/q/r/" + file + ".xml")) << file;
    EXPECT_TRUE(opens("w/p/q/r/" + file + ".xml", " --allow-outside")) << file;
  }
  EXPECT_THAT(Kinemorph("inspect w/p/q/r/b.xml").err, HasSubstr("--allow-outside"));
  EXPECT_TRUE(opens("w/p/q/r/b.xml", " --package p=w/p"));
  // A mesh that is there and may not be opened is not merely "not found".
  Write("w/p/arm.stl", "solid arm");
  Write("w/p/q/r/mesh.xml",
        "<mujoco><asset><mesh name='arm' file='../../arm.stl'/></asset><worldbody><body name='b'>"
        "<geom type='mesh' mesh='arm' mass='1'/></body></worldbody></mujoco>");
  EXPECT_THAT(
      Kinemorph("convert w/p/q/r/mesh.xml -o w/out.sdf --verbose").err,
      HasSubstr("'../../arm.stl' is not found: the file is outside the folder of the model"));
  // A manifest says what belongs together.
  for (const std::string manifest : {"package.xml", "model.config"}) {
    Write("w/p/" + manifest, "<package><name>p</name></package>");
    EXPECT_TRUE(opens("w/p/q/r/b.xml")) << manifest;
    EXPECT_FALSE(opens("w/p/q/r/c.xml")) << manifest;
    fs::remove(folder_ / "w/p" / manifest);
  }
  // A folder two above that has the name of a package is one where it has a manifest.
  Write("w/other/model.sdf", "<sdf version='1.9'><model name='o'><link name='l'/></model></sdf>");
  Write("w/p/worlds/w.sdf",
        "<sdf version='1.9'><model "
        "name='w'><include><uri>model://other</uri></include></model></sdf>");
  EXPECT_FALSE(opens("w/p/worlds/w.sdf"));
  Write("w/other/model.config", "<model><sdf version='1.9'>model.sdf</sdf></model>");
  EXPECT_TRUE(opens("w/p/worlds/w.sdf"));
  // What a conversion wrote elsewhere is compared with the meshes of its source.
  Write("w/p/q/m.urdf", Robot("m", Mesh("m.stl")));
  Write("w/p/q/m.stl", "solid m");
  ASSERT_EQ(Kinemorph("convert w/p/q/m.urdf -o out/x/y/m.sdf").exit_code, 1) << "no such folder";
  fs::create_directories(folder_ / "out/x/y");
  ASSERT_EQ(Kinemorph("convert w/p/q/m.urdf -o out/x/y/m.sdf").exit_code, 0);
  EXPECT_THAT(Kinemorph("verify w/p/q/m.urdf out/x/y/m.sdf").err,
              Not(HasSubstr("resource-not-found")));
  EXPECT_THAT(Kinemorph("inspect out/x/y/m.sdf").err, HasSubstr("resource-not-found"));
}

TEST_F(Batch, OneWorkerAndTwoWriteTheSameBytes) {
  WriteRobots(20);
  const CommandResult one = Kinemorph("batch src -o dst --to sdf --report one.jsonl -j 1");
  const auto tree = Tree("dst");
  const std::string report = Timeless("one.jsonl");
  fs::remove_all(folder_ / "dst");
  const CommandResult two = Kinemorph("batch src -o dst --to sdf --report two.jsonl -j 2");
  EXPECT_EQ(Tree("dst"), tree);
  EXPECT_EQ(Timeless("two.jsonl"), report);
  EXPECT_EQ(one.err, two.err);
  EXPECT_EQ(tree.size(), 20u);
}

TEST_F(Batch, ResumeGoesByContent) {
  Write("src/part.xml",
        "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>");
  Write("src/a.xml", "<mujoco><include file='part.xml'/></mujoco>");
  Write("src/b.urdf", Robot("b", Mesh("m.stl")));
  const auto resumed = [&](const std::string& more = "") {
    return Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume" + more).out;
  };
  EXPECT_EQ(resumed(), "converted 3, skipped 0, failed 0 of 3\n");
  EXPECT_EQ(resumed(), "converted 0, skipped 3, failed 0 of 3\n");
  const auto tree = Tree("dst");
  // An include with other content, although older.
  Write("src/part.xml",
        "<mujoco><worldbody><body name='b'><geom size='2'/></body></worldbody></mujoco>");
  fs::last_write_time(folder_ / "src/part.xml", fs::file_time_type() + std::chrono::hours(1));
  EXPECT_EQ(resumed(), "converted 2, skipped 1, failed 0 of 3\n");
  // Outputs that were cut, emptied or removed come back.
  Write("dst/b.sdf", tree.at("b.sdf").substr(0, 40));
  EXPECT_EQ(resumed(), "converted 1, skipped 2, failed 0 of 3\n");
  Write("dst/b.sdf", "");
  EXPECT_EQ(resumed(), "converted 1, skipped 2, failed 0 of 3\n");
  fs::remove(folder_ / "dst/b.sdf");
  EXPECT_EQ(resumed(), "converted 1, skipped 2, failed 0 of 3\n");
  EXPECT_EQ(Text("dst/b.sdf"), tree.at("b.sdf"));
  // A mesh that was missing is found: the text that names it changes.
  Write("src/m.stl", "solid m");
  EXPECT_EQ(resumed(), "converted 1, skipped 2, failed 0 of 3\n");
  EXPECT_THAT(Text("dst/b.sdf"), HasSubstr("<uri>../src/m.stl</uri>"));
  Write("src/m.stl", "solid n");
  EXPECT_EQ(Records("r.jsonl")["b.urdf"]["inputs"][0]["sha256"].get<std::string>().size(), 64u);
  // Other options.
  const json before = Records("r.jsonl")["b.urdf"]["options"];
  EXPECT_THAT(resumed(" --base floating"), Not(HasSubstr("skipped 3")));
  EXPECT_NE(Records("r.jsonl")["b.urdf"]["options"], before);
  EXPECT_EQ(resumed(" --base floating -j 1 --timeout 9"),
            "converted 0, skipped 3, failed 0 of 3\n");
  // Without a report, what would come out as it is there is left alone.
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --base floating --resume").out,
            "converted 0, skipped 3, failed 0 of 3\n");
}

TEST_F(Batch, TornAndForeignLinesOfAReportAreRepaired) {
  WriteRobots(6);
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl").exit_code, 1);
  const std::string whole = Timeless("r.jsonl");
  const std::string text = Text("r.jsonl");
  Write("r.jsonl", text.substr(0, text.size() / 2) + "\n" + std::string(9, '\0') + "\nno json\n" +
                       text.substr(0, 50));
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume").exit_code, 1);
  EXPECT_EQ(Timeless("r.jsonl"), whole);
}

TEST_F(Batch, PruneRemovesOnlyWhatTheReportSaysWasWritten) {
  for (const char* name : {"a", "b", "c"}) Write(std::string("src/") + name + ".urdf", Robot(name));
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl").exit_code, 0);
  Write("dst/mine.sdf", "mine");
  fs::remove(folder_ / "src/a.urdf");
  Write("src/b.urdf", "<robot");
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume").exit_code, 1);
  EXPECT_EQ(Tree("dst").size(), 4u) << "nothing is removed unless it is asked for";
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume --prune").exit_code, 1);
  std::vector<std::string> names;
  for (const auto& [name, text] : Tree("dst")) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("c.sdf", "mine.sdf"));
  EXPECT_EQ(Records("r.jsonl").size(), 2u);
  // What somebody changed is kept, and said.
  Write("dst/c.sdf", "changed");
  fs::remove(folder_ / "src/c.urdf");
  EXPECT_THAT(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume --prune").err,
              HasSubstr("[prune-kept]"));
  EXPECT_TRUE(Exists("dst/c.sdf"));
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --prune").exit_code, 2);
}

TEST_F(Batch, ReportsThatCannotBeWrittenAreErrors) {
  WriteRobots(3);
  EXPECT_NE(Kinemorph("batch src -o dst --to sdf --report /dev/full").exit_code, 0);
  EXPECT_NE(Kinemorph("batch src -o dst --to sdf --report no/such/folder/r.jsonl").exit_code, 0);
  EXPECT_NE(Kinemorph("batch src -o dst --to sdf --report src/broken.urdf").exit_code, 0);
  EXPECT_EQ(Text("src/broken.urdf"), "<robot");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_NE(Kinemorph("batch src -o dst --to sdf --report pipe").exit_code, 124)
      << "waits for a reader";
}

TEST_F(Batch, StandardOutputThatIsFullOrClosedIsAnError) {
  Write("a.urdf", Robot("a"));
  Write("src/a.urdf", Robot("a"));
  for (const std::string arguments :
       {"convert a.urdf -o - --to sdf", "check a.urdf --to sdf", "inspect a.urdf",
        "inspect a.urdf --json", "graph a.urdf --what cg", "verify a.urdf a.urdf", "dump a.urdf",
        "formats", "completion bash", "batch src -o dst --to sdf", "--help", "--version"}) {
    for (const std::string stream : {" >/dev/full", " >&-"})
      EXPECT_EQ(Kinemorph(arguments + stream).exit_code, 1) << arguments << stream;
    EXPECT_NE(Shell(kKinemorph + " " + arguments + " | true; exit ${PIPESTATUS:-1}", folder_.path())
                  .exit_code,
              141)
        << arguments;
  }
}

TEST_F(Batch, PipesDevicesAndFoldersAreErrorsAtOnce) {
  Write("a.urdf", Robot("a"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe.urdf").c_str(), 0600), 0);
  EXPECT_THAT(Kinemorph("dump pipe.urdf").err, HasSubstr("it is a pipe, not a file"));
  EXPECT_THAT(Kinemorph("dump /dev/zero").err, HasSubstr("it is a device, not a file"));
  EXPECT_THAT(Kinemorph("dump .").err, HasSubstr("it is a folder, not a file"));
  for (const std::string out : {"pipe.urdf", "/dev/full", "."}) {
    const CommandResult result = Kinemorph("convert a.urdf -o " + out + " --to urdf");
    EXPECT_EQ(result.exit_code, 1) << out;
    EXPECT_THAT(result.err, HasSubstr("not a file")) << out;
  }
  EXPECT_EQ(Kinemorph("convert a.urdf -o /dev/null --to sdf").exit_code, 0);
  // As a mesh and as an include.
  Write("m.urdf", Robot("m", Mesh("pipe.urdf")));
  const CommandResult mesh = Kinemorph("convert m.urdf -o m.sdf --verify");
  EXPECT_NE(mesh.exit_code, 124) << "waits";
  EXPECT_THAT(mesh.err, HasSubstr("pipe.urdf"));
  Write("i.xml", "<mujoco><include file='pipe.urdf'/></mujoco>");
  EXPECT_EQ(Kinemorph("convert i.xml -o i.sdf").exit_code, 1);
}

TEST_F(Batch, OddEntriesFailAloneAndAreNamed) {
  Write("src/a.urdf", Robot("a"));
  ASSERT_EQ(::mkfifo((folder_ / "src/pipe.urdf").c_str(), 0600), 0);
  fs::create_symlink("circle.urdf", folder_ / "src/circle.urdf");
  fs::create_symlink("nowhere.urdf", folder_ / "src/broken.urdf");
  fs::create_directory_symlink(".", folder_ / "src/again");
  const CommandResult result = Kinemorph("batch src -o dst --to sdf");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "converted 1, skipped 0, failed 3 of 4\n") << result.err;
  for (const char* name : {"pipe.urdf", "circle.urdf", "broken.urdf"})
    EXPECT_THAT(result.err, HasSubstr(name));
}

TEST_F(Batch, SlowAndLargeFilesEndAloneAtTheirLimit) {
  Write("src/a.urdf", Robot("a"));
  Write("src/big.urdf", LongChain(60000));
  Write("src/z.urdf", Robot("z"));
  const CommandResult slow =
      Kinemorph("batch src -o dst --to sdf --timeout 0.15 --report r.jsonl -j 1");
  EXPECT_EQ(slow.exit_code, 1);
  EXPECT_EQ(slow.out, "converted 2, skipped 0, failed 1 of 3\n") << slow.err;
  EXPECT_THAT(slow.err, HasSubstr("[batch-timeout]"));
  EXPECT_EQ(Records("r.jsonl")["big.urdf"]["status"], "timeout");
  const CommandResult large =
      Kinemorph("batch src -o dst2 --to sdf --memory 128 --report r2.jsonl -j 2");
  EXPECT_EQ(large.out, "converted 2, skipped 0, failed 1 of 3\n") << large.err;
  EXPECT_EQ(Records("r2.jsonl")["big.urdf"]["status"], "memory");
  for (const auto& [name, text] : Tree("dst"))
    EXPECT_THAT(name, Not(HasSubstr(".kinemorph"))) << "a temporary file is left";
}

TEST_F(Batch, ShardsGoByNameAndAreStable) {
  WriteRobots(30);
  const auto sources_of = [&](int shard, int count) {
    const std::string name = "s" + std::to_string(shard) + ".jsonl";
    Kinemorph("batch src -o dst" + std::to_string(count) + " --to sdf --report " + name +
              " --shard " + std::to_string(shard) + "/" + std::to_string(count));
    std::set<std::string> sources;
    for (const auto& [source, record] : Records(name)) sources.insert(source);
    return sources;
  };
  std::vector<std::set<std::string>> before, after;
  std::size_t total = 0;
  for (int i = 1; i <= 4; ++i) total += before.emplace_back(sources_of(i, 4)).size();
  EXPECT_EQ(total, 31u) << "every file is in one shard";
  for (const auto& each : before) EXPECT_GT(each.size(), 1u);
  ASSERT_EQ(Kinemorph("batch src -o one --to sdf --report one.jsonl").exit_code, 1);
  EXPECT_EQ(Tree("dst4"), Tree("one"));
  Shell("LC_ALL=C sort s1.jsonl s2.jsonl s3.jsonl s4.jsonl | sed 's,\"dst4/,\"one/,' >merged.jsonl",
        folder_.path());
  EXPECT_EQ(Timeless("merged.jsonl"), Timeless("one.jsonl"));
  Write("src/aaa.urdf", Robot("new"));
  std::size_t moved = 0;
  for (int i = 1; i <= 4; ++i) {
    std::set<std::string> now = sources_of(i, 4);
    moved += now.erase("aaa.urdf");
    EXPECT_EQ(now, before[static_cast<std::size_t>(i - 1)]);
  }
  EXPECT_EQ(moved, 1u);
}

// KINEMORPH_KILLS=200 for a long run.
TEST_F(Batch, KilledRunsResumeToTheSameBytes) {
  WriteRobots(60);
  fs::create_directories(folder_ / "tmp");
  const char* const wanted = std::getenv("KINEMORPH_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 12;
  std::mt19937 random(1);
  const std::vector<std::string> signals = {"KILL", "TERM", "INT"};
  for (const std::string more : {"sdf", "mjcf --verify"}) {
    const auto run = [&](const std::string& before, const std::string& report) {
      return Shell("TMPDIR=$PWD/tmp timeout " + before + " " + kKinemorph +
                       " batch src -o dst -j 2 --to " + more + " --report " + report,
                   folder_.path());
    };
    fs::remove_all(folder_ / "dst");
    const auto start = std::chrono::steady_clock::now();
    run("120", "whole.jsonl");
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start);
    const auto tree = Tree("dst");
    ASSERT_GE(tree.size(), 60U);
    const std::string report = Timeless("whole.jsonl");
    for (int i = 0; i < kills / 2; ++i) {
      fs::remove_all(folder_ / "dst");
      fs::remove(folder_ / "r.jsonl");
      const auto ms =
          static_cast<double>(1 + random() % static_cast<unsigned>(whole.count())) / 1000;
      const std::string& signal = signals[random() % signals.size()];
      const std::string when = signal + " at " + std::to_string(ms) + " to " + more;
      run("-s " + signal + " " + std::to_string(ms), "r.jsonl");
      if (signal != "KILL") {
        EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << when;
        for (const auto& [name, text] : Tree("dst"))
          EXPECT_THAT(name, Not(HasSubstr(".kinemorph"))) << when;
      }
      Write("dst/d0/.kinemorph-abcdefghij-a52ef89a", "left by a killed run");
      run("120", "r.jsonl --resume");
      EXPECT_EQ(Tree("dst"), tree) << when;
      EXPECT_EQ(Timeless("r.jsonl"), report) << when;
      EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << when;
    }
  }
}

TEST_F(Batch, AFullDiskIsAnErrorAndResumes) {
  WriteRobots(40);
  Kinemorph("batch src -o dst --to sdf --report whole.jsonl");
  const std::size_t whole = Records("whole.jsonl").size();
  for (const std::string size : {"20k", "64k", "120k"}) {
    fs::create_directories(folder_ / "disk");
    const std::string batch =
        kKinemorph + " batch src -o disk/dst --to sdf --report disk/r.jsonl -j 2 --resume";
    const CommandResult result = Shell("unshare -m sh -c 'mount -t tmpfs -o size=" + size +
                                           " none disk || exit 77; " + batch +
                                           " >first.out 2>first.err; echo $? >first.code; cp -r "
                                           "disk first; mount -o remount,size=4m disk; " +
                                           batch + "; cp -r disk second'",
                                       folder_.path());
    if (result.exit_code == 77 || result.err.find("unshare") != std::string::npos)
      GTEST_SKIP() << "no disk can be mounted: " << result.err;
    EXPECT_NE(Text("first.code"), "0\n");
    Records("first/r.jsonl");  // every line is a record
    EXPECT_EQ(Records("second/r.jsonl").size(), whole) << size << result.out << result.err;
    EXPECT_EQ(Tree("second/dst"), Tree("dst")) << size;
    fs::remove_all(folder_ / "first");
    fs::remove_all(folder_ / "second");
  }
}

TEST_F(Batch, WorkersAndJudgesDieWithTheirParent) {
  Write("src/big.urdf", LongChain(60000));
  Shell("timeout -s KILL 0.3 " + kKinemorph + " batch src -o dst --to sdf -j 1", folder_.path());
  EXPECT_THAT(Shell("sleep 0.3; for p in /proc/[0-9]*; do [ \"$(readlink $p/cwd)\" = \"$PWD\" ] && "
                    "tr '\\0' ' ' <$p/cmdline | grep '[b]atch src'; done; true",
                    folder_.path())
                  .out,
              IsEmpty());
}

// The scripts for clusters.
const fs::path kTools = fs::path(kinemorph::test::SourceDir()) / "tools/dev/slurm";
const fs::path kTests = fs::path(kinemorph::test::SourceDir()) / "tests/cli";

TEST_F(Batch, ASlurmArrayIsOneProcess) {
  WriteRobots(24);
  ASSERT_EQ(Kinemorph("batch src -o one --to sdf --report one.jsonl").exit_code, 1);
  fs::create_directories(folder_ / "cluster");
  const CommandResult result = Shell(
      "export KINEMORPH='" + kKinemorph + "'; timeout 300 '" + (kTests / "slurm/cluster").string() +
          "' cluster sh -c 'job=$(\"" + (kTools / "submit").string() +
          "\" 4 src dst sdf r.jsonl --timeout 50) && while squeue -h -j $job | grep -q .; do sleep "
          "0.3; done'",
      folder_.path());
  if (result.exit_code == 77) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err.substr(0, 3000);
  EXPECT_THAT(Text("r.jsonl.shards/merge.log"), HasSubstr("merge: 25 files, 1 failed"));
  EXPECT_EQ(Tree("dst"), Tree("one"));
  Shell("sed -i 's,\"dst/,\"one/,' r.jsonl", folder_.path());
  EXPECT_EQ(Timeless("r.jsonl"), Timeless("one.jsonl"));
}

// The lines of the documentation, as they stand there.
TEST_F(Batch, ShardsRunUnderXargsAndParallel) {
  WriteRobots(12);
  ASSERT_EQ(Kinemorph("batch src -o one --to sdf --report one.jsonl").exit_code, 1);
  const std::string document =
      FileText(fs::path(kinemorph::test::SourceDir()) / "tools/docs/PIPELINES.md");
  for (const std::string engine : {"xargs", "parallel"}) {
    if (Shell("command -v " + engine, folder_.path()).exit_code != 0) {
      std::cout << engine << " is not installed: its line is not tested\n";
      continue;
    }
    const std::size_t begin = document.find("seq 4 | " + engine);
    ASSERT_NE(begin, document.npos) << engine;
    const std::string line = document.substr(begin, document.find_first_of("`\n", begin) - begin);
    ASSERT_THAT(line, HasSubstr("kinemorph batch")) << engine;
    Shell("mkdir -p reports bin; ln -sf '" + kKinemorph + "' bin/kinemorph; PATH=$PWD/bin:$PATH; " +
              line,
          folder_.path());
    EXPECT_EQ(Tree("out"), Tree("one")) << line;
    Shell("'" + (kTools / "merge").string() +
              "' reports merged.jsonl; sed -i 's,\"out/,\"one/,' merged.jsonl",
          folder_.path());
    EXPECT_EQ(Timeless("merged.jsonl"), Timeless("one.jsonl")) << engine;
    fs::remove_all(folder_ / "dst");
    fs::remove_all(folder_ / "reports");
  }
}

TEST_F(Batch, TheKubernetesJobIsAsItsSchemaWants) {
  if (!fs::exists(kTests / "kubernetes/node_modules"))
    GTEST_SKIP() << "the schemas are not installed: npm ci in tests/cli/kubernetes";
  const CommandResult result = Shell("node '" + (kTests / "kubernetes/check.mjs").string() + "' '" +
                                         (kTools / "kubernetes.yaml").string() + "'",
                                     folder_.path());
  EXPECT_EQ(result.out, "valid\n") << result.err;
  // The shard does what the variables say.
  WriteRobots(8);
  for (const std::string index : {"0", "1"}) {
    Shell("export KINEMORPH='" + kKinemorph +
              "' KINEMORPH_SRC=src KINEMORPH_DST=dst KINEMORPH_TO=sdf KINEMORPH_SHARDS=2 " +
              "KINEMORPH_REPORTS=reports JOB_COMPLETION_INDEX=" + index + "; '" +
              (kTools / "shard").string() + "'",
          folder_.path());
  }
  EXPECT_EQ(Tree("dst").size(), 8u);
}

}  // namespace
}  // namespace kinemorph::test
