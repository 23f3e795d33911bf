// What lies beside a conversion stays as it is: decoys around every command that writes, hostile
// reports, links, pipes, signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Arm(const std::string& name, const std::string& more = "") {
  return "<robot name='" + name +
         "'><link name='base'/><link name='arm'><inertial><mass value='1'/><inertia ixx='1' "
         "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>" +
         more +
         "</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis "
         "xyz='0 1 0'/></joint></robot>\n";
}

class Safety : public ::testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell("timeout 60 " + std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  void Write(const std::string& name, const std::string& text) { WriteFile(folder_ / name, text); }
  std::string Text(const std::string& name) { return FileText(folder_ / name); }
  bool Exists(const std::string& name) {
    return fs::symlink_status(folder_ / name).type() != fs::file_type::not_found;
  }
  // Names and contents, links as links.
  std::map<std::string, std::string> Tree(const std::string& name) {
    std::map<std::string, std::string> files;
    if (!Exists(name)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / name)) {
      std::string& text = files[entry.path().lexically_relative(folder_ / name).string()];
      text = entry.is_symlink()        ? "-> " + fs::read_symlink(entry.path()).string()
             : entry.is_regular_file() ? FileText(entry.path())
                                       : "other";
    }
    return files;
  }
  void Robots(const std::string& folder, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      Write(folder + "/r" + n + ".urdf", Arm("r" + n));
    }
  }

  TemporaryFolder folder_;
};

// A line as the program would write it; the hash is no secret.
std::string Record(json record) {
  record["status"] = "converted";
  record["exit_code"] = 0;
  std::string text = "{\"source\":" + record["source"].dump();
  record.erase("source");
  return text + "," + record.dump().substr(1);
}

std::string Sum(const fs::path& path) {
  const std::string out = Shell("sha256sum '" + path.string() + "'", "/").out;
  return out.substr(0, 64);
}

std::string WithCheck(const std::string& record) {
  const std::string bare = record.substr(0, record.size() - 1);
  TemporaryFolder folder;
  WriteFile(folder / "text", "record of kinemorph " + bare);
  return bare + ",\"check\":\"" + Sum(folder / "text").substr(0, 16) + "\"}\n";
}

TEST_F(Safety, APruneOfTwoStagesInOneReportRemovesNothing) {
  Robots("a", 6);
  ASSERT_EQ(Kinemorph("batch a -o b --to sdf --report r.jsonl").exit_code, 0);
  const auto b = Tree("b");
  const CommandResult second = Kinemorph("batch b -o c --to mjcf --report r.jsonl --prune");
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(Tree("b"), b);
  EXPECT_EQ(Tree("c").size(), 6u);
  EXPECT_THAT(second.err, HasSubstr("[prune-outside]"));
  // Also where both stages lie below one folder, and the target is that folder.
  Robots("top/a", 4);
  ASSERT_EQ(Kinemorph("batch top/a -o top/b --to sdf --report t.jsonl").exit_code, 0);
  ASSERT_EQ(Kinemorph("batch top/b -o top --to mjcf --report t.jsonl --prune=force").exit_code, 0);
  EXPECT_EQ(Tree("top/b").size(), 4u);
  EXPECT_EQ(Tree("top/a").size(), 4u);
}

TEST_F(Safety, AChangedTargetDoesNotEmptyTheFormerOne) {
  Robots("src", 5);
  ASSERT_EQ(Kinemorph("batch src -o one --to sdf --report r.jsonl").exit_code, 0);
  const auto one = Tree("one");
  EXPECT_EQ(Kinemorph("batch src -o two --to sdf --report r.jsonl --prune=force").exit_code, 0);
  EXPECT_EQ(Tree("one"), one);
  EXPECT_EQ(Tree("two").size(), 5u);
}

TEST_F(Safety, AnEmptySourceEmptiesNothing) {
  Robots("src", 5);
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl").exit_code, 0);
  const auto dst = Tree("dst");
  const std::string report = Text("r.jsonl");
  fs::rename(folder_ / "src", folder_ / "away");
  fs::create_directories(folder_ / "src");
  CommandResult result = Kinemorph("batch src -o dst --to sdf --report r.jsonl --prune");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--prune=force"));
  EXPECT_EQ(Tree("dst"), dst);
  EXPECT_EQ(Text("r.jsonl"), report);
  // Most of them gone, or most of them failing.
  fs::copy(folder_ / "away/r0.urdf", folder_ / "src/r0.urdf");
  result = Kinemorph("batch src -o dst --to sdf --report r.jsonl --prune");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("4 of 5 sources are gone"));
  EXPECT_EQ(Tree("dst"), dst);
  for (const char* name : {"r1", "r2", "r3", "r4"})
    Write(std::string("src/") + name + ".urdf", "<robot");
  result = Kinemorph("batch src -o dst --to sdf --report r.jsonl --prune");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("would remove 4 of 5 files"));
  EXPECT_EQ(Tree("dst"), dst);
  // What was refused can be done later.
  result = Kinemorph("batch src -o dst --to sdf --report r.jsonl --prune=force");
  EXPECT_THAT(result.err, HasSubstr("4 stale outputs removed"));
  EXPECT_EQ(Tree("dst").size(), 1u);
  for (int i = 1; i < 5; ++i) fs::remove(folder_ / ("src/r" + std::to_string(i) + ".urdf"));
  fs::remove(folder_ / "src/r0.urdf");
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl --prune=force").exit_code, 0);
  EXPECT_EQ(Tree("dst").size(), 0u);
}

TEST_F(Safety, HostileRecordsRemoveNothingThatABatchWouldNotHaveWritten) {
  Robots("src", 6);
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl").exit_code, 0);
  for (const char* name :
       {"victim/gone.sdf", "victim/gone/x.stl", "dst/mine.txt", "dst/other.sdf", "src/gone.txt",
        "gone.sdf", "dst/gone.txt", "dst/.notes", "dst/sources/.notes", "dst/gone/notes", "secret"})
    Write(name, "precious\n");
  const std::string sum = Sum(folder_ / "secret");
  fs::create_directory_symlink("../victim", folder_ / "dst/sub");
  fs::create_symlink("../secret", folder_ / "dst/gone.xml");
  fs::create_directories(folder_ / "dst/gone");
  fs::create_symlink("../../secret", folder_ / "dst/gone/link");
  ASSERT_EQ(mkfifo((folder_ / "dst/gone.urdf").c_str(), 0600), 0);
  const std::string here = fs::canonical(folder_.path()).string();
  std::string lines;
  for (const std::string& out :
       {std::string("victim/gone.sdf"), here + "/victim/gone.sdf", std::string("dst/../gone.sdf"),
        std::string("dst/sub/gone.sdf"), std::string("dst/mine.txt"), std::string("dst/other.sdf"),
        std::string("src/gone.txt"), std::string("src/r0.urdf"), std::string("dst/gone.xml"),
        std::string("dst/gone.urdf"), std::string("dst/gone/link"), std::string("dst/gone"),
        std::string("dst/.notes"), std::string("dst/sources/.notes"), std::string("dst/gone.txt"),
        std::string("dst/gone/notes"), std::string("dst"), std::string("/etc/passwd"),
        std::string("")}) {
    lines += Record({{"source", "gone.urdf"},
                     {"out", out},
                     {"sha256", {{"out", sum}}},
                     {"also", {{{"path", out}, {"sha256", sum}}}}}) +
             "\n";
    for (const char* source :
         {"gone.urdf", "../victim/gone.urdf", "sub/gone.urdf", "", "/", "..", ".", "mine",
          "sources/", "../src/r0.urdf", "r0.urdf/../../gone.urdf"})
      lines += WithCheck(Record({{"source", source},
                                 {"out", out},
                                 {"sha256", {{"out", sum}}},
                                 {"also", {{{"path", out}, {"sha256", sum}}}}}));
    lines += WithCheck(Record({{"source", out}, {"out", 7}, {"also", {{"path", out}}}}));
    lines += WithCheck(Record({{"source", "x" + out}, {"stale", sum}, {"also", out}}));
  }
  // Of one source the last record counts: one that names them all.
  json all = json::array();
  for (const char* name :
       {"victim/gone.sdf", "dst/../gone.sdf", "dst/sub/gone.sdf", "dst/mine.txt", "dst/other.sdf",
        "src/gone.txt", "dst/gone.xml", "dst/gone.urdf", "dst/gone/link", "dst/.notes",
        "dst/sources/.notes", "dst/gone.txt", "dst/gone/notes"})
    all.push_back({{"path", name}, {"sha256", sum}});
  for (const char* source : {"gone.urdf", "../victim/gone.urdf", "", "/", "..", ".", "mine",
                             "gone.x", "sources/", "../src/r0.urdf"})
    lines += WithCheck(Record({{"source", source}, {"out", ""}, {"also", all}}));
  const std::string report = Text("r.jsonl");
  auto before = Tree(".");
  before.erase("r.jsonl");
  const CommandResult result = [&] {
    Write("r.jsonl", report + lines);
    return Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume --prune=force");
  }();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("[report-line-dropped]"));
  auto after = Tree(".");
  after.erase("r.jsonl");
  // The one thing that a batch of gone.urdf into dst may have left.
  EXPECT_EQ(after, before);
  EXPECT_THAT(result.out, HasSubstr("skipped 6"));
}

TEST_F(Safety, ReportsThatAreNoneStay) {
  Robots("src", 2);
  for (const std::string text : {"my notes\n", "{\"name\":1}\n", "#!/bin/sh\n"}) {
    Write("notes", text);
    for (const char* more : {"", " --resume", " --prune=force"}) {
      const CommandResult result =
          Kinemorph("batch src -o dst --to sdf --report notes" + std::string(more));
      EXPECT_EQ(result.exit_code, 1) << text << more;
      EXPECT_THAT(result.err, HasSubstr("'notes' is not a report"));
      EXPECT_EQ(Text("notes"), text);
    }
  }
}

TEST_F(Safety, ALineThatWasChangedIsDroppedWithAWarning) {
  Robots("src", 3);
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl").exit_code, 0);
  const std::string report = Text("r.jsonl");
  Shell("sed -i 's,\"motion\":,\"motion\":1,;2q' r.jsonl", folder_.path());
  const CommandResult result = Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume");
  EXPECT_THAT(result.err, HasSubstr("2 lines are damaged"));
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --report r.jsonl --resume").err, "");
}

TEST_F(Safety, ResumeRemovesOnlyItsOwn) {
  Robots("src", 2);
  Write("dst/.kinemorph-notes", "mine");
  Write("dst/.kinemorph-ab12CD", "mine");
  Write("dst/.kinemorph-abcdefghij-01234567", "mine");
  Write("dst/r0/.kinemorph-x.urdf", "mine");
  const auto before = Tree("dst");
  ASSERT_EQ(Kinemorph("batch src -o dst --to sdf --resume").exit_code, 0);
  const auto after = Tree("dst");
  for (const auto& [name, text] : before) EXPECT_EQ(after.at(name), text) << name;
}

// --- what is copied ---------------------------------------------------------------------------

std::string Visual(const std::string& file) {
  return "<visual><geometry><mesh filename='" + file + "'/></geometry></visual>";
}

TEST_F(Safety, ALibraryThatIsALinkOutOfTheRobotIsNotCopied) {
  Write("secret", "newmtl secret\nmap_Kd /etc/passwd\n");
  Write("w/p/q/arm.obj", "mtllib arm.mtl\nmtllib passwd.mtl\nmtllib /etc/passwd\nv 0 0 0\n");
  fs::create_symlink("../../../secret", folder_ / "w/p/q/arm.mtl");
  fs::create_symlink("/etc/passwd", folder_ / "w/p/q/passwd.mtl");
  Write("w/p/q/inside.txt", "root:x:0:0\n");
  fs::create_symlink("inside.txt", folder_ / "w/p/q/inside.stl");
  fs::create_symlink("inside.txt", folder_ / "w/p/q/pictures.png");
  Write("w/p/q/tex.obj", "mtllib tex.mtl\nv 0 0 0\n");
  Write("w/p/q/tex.mtl", "newmtl a\nmap_Kd pictures.png\nmap_Ks inside.txt\n");
  Write("w/p/q/robot.urdf", Arm("r", Visual("arm.obj") + Visual("inside.stl") + Visual("tex.obj")));
  const CommandResult convert =
      Kinemorph("convert w/p/q/robot.urdf -o out/r.sdf --copy-assets out/meshes");
  fs::create_directories(folder_ / "out");
  const CommandResult again =
      Kinemorph("convert w/p/q/robot.urdf -o out/r.sdf --copy-assets out/meshes --verbose");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("[asset-not-copied]"));
  ASSERT_EQ(Kinemorph("batch w/p/q -o dst --to sdf --copy-assets meshes").exit_code, 0);
  for (const std::string folder : {"out/meshes", "dst/robot/meshes"}) {
    std::vector<std::string> names;
    for (const auto& [name, text] : Tree(folder)) {
      names.push_back(name);
      EXPECT_THAT(text, Not(HasSubstr("root:x"))) << folder << name;
      EXPECT_THAT(text, Not(HasSubstr("newmtl secret"))) << folder << name;
    }
    EXPECT_THAT(names, ElementsAre("arm.obj", "tex.mtl", "tex.obj")) << folder;
  }
  // A mesh that is not copied is named where it stays.
  EXPECT_THAT(Text("out/r.sdf"), HasSubstr("<uri>../w/p/q/inside.txt</uri>"));
}

TEST_F(Safety, LibrariesAndPicturesOfOneNameStandBesideEachOther) {
  const std::string png = "\x89PNG\r\n\x1a\n";
  for (const std::string n : {"1", "2"}) {
    Write("robot/" + n + "/part.obj", "mtllib part.mtl\nv 0 0 0\n");
    Write("robot/" + n + "/part.mtl",
          "newmtl m" + n + "\nmap_Kd -s 1 1 1 wood.png\r\nbump -bm 2 wood.png\n");
    Write("robot/" + n + "/wood.png", png + n);
  }
  Write("robot/r.urdf", Arm("r", Visual("1/part.obj") + Visual("2/part.obj")));
  Write("meshes/part.mtl", "mine");
  ASSERT_EQ(Kinemorph("convert robot/r.urdf -o r.sdf --copy-assets meshes").exit_code, 0);
  const auto tree = Tree("meshes");
  EXPECT_EQ(tree.at("part.mtl"), "mine");
  std::set<std::string> pictures;
  for (const char* name : {"part.obj", "part_2.obj"}) {
    const std::string obj = tree.at(name);
    const std::string library = obj.substr(7, obj.find('\n') - 7);
    const std::string mtl = tree.at(library);
    const std::size_t at = mtl.find("map_Kd -s 1 1 1 ") + 16;
    const std::string picture = mtl.substr(at, mtl.find('\r') - at);
    EXPECT_THAT(mtl, HasSubstr("bump -bm 2 " + picture + "\n"));
    pictures.insert(tree.at(picture).substr(8) + mtl.substr(7, 2));
  }
  EXPECT_THAT(pictures, ElementsAre("1m1", "2m2"));
  EXPECT_EQ(tree.size(), 7u);
  // The same again makes nothing new.
  ASSERT_EQ(Kinemorph("convert robot/r.urdf -o r.sdf --copy-assets meshes").exit_code, 0);
  EXPECT_EQ(Tree("meshes"), tree);
  // Into the folder of a source: that stays.
  const auto source = Tree("robot");
  ASSERT_EQ(Kinemorph("convert robot/r.urdf -o r.sdf --copy-assets robot/1").exit_code, 0);
  const auto after = Tree("robot");
  for (const auto& [name, text] : source) EXPECT_EQ(after.at(name), text) << name;
}

TEST_F(Safety, WhatSomebodyPutIntoTheFolderOfABatchStays) {
  Write("src/r.urdf", Arm("r", Visual("m.stl")));
  Write("src/m.stl", "solid m");
  Write("dst/r/meshes/m.stl", "mine");
  const std::string batch = "batch src -o dst --to sdf --copy-assets meshes --report r.jsonl";
  ASSERT_EQ(Kinemorph(batch).exit_code, 0);
  EXPECT_EQ(Text("dst/r/meshes/m.stl"), "mine");
  EXPECT_EQ(Text("dst/r/meshes/m_2.stl"), "solid m");
  Write("src/m.stl", "solid n");  // ours is replaced, with or without --resume
  ASSERT_EQ(Kinemorph(batch).exit_code, 0);
  EXPECT_EQ(Text("dst/r/meshes/m_2.stl"), "solid n");
  EXPECT_EQ(Tree("dst/r/meshes").size(), 2u);
}

// --- what is written beside ---------------------------------------------------------------------

TEST_F(Safety, SideOutputsReplaceOnlyTheirOwn) {
  Write("arm.urdf", Arm("arm"));
  struct Use {
    std::string command, file;
  };
  const Use uses[] = {
      {"convert arm.urdf -o o.sdf --loss-report FILE", "l.json"},
      {"convert arm.urdf -o o.sdf --loss-report FILE", "l.md"},
      {"check arm.urdf --to mjcf --loss-report FILE", "c.json"},
      {"convert arm.urdf -o o.xml --scene", "o_scene.xml"},
      {"convert arm.urdf -o o.urdf --sidecar hyrodyn", "o.yml"},
      {"export arm.urdf -o . --language c", "README.txt"},
      {"export arm.urdf -o . --language c", "arm.c"},
      {"export arm.urdf -o . --language matlab", "README.txt"},
      {"export arm.urdf -o . --language fmu", "arm.fmu"},
      {"simulate arm.urdf -o t.csv --time 0.02 --summary FILE", "s.json"},
      {"simulate arm.urdf -o t.csv --time 0.02 --strip FILE", "s.svg"},
      {"simulate arm.urdf -o t.csv --time 0.02 --animate FILE", "a.svg"},
      {"simulate arm.urdf -o t.csv --time 0.02 --keyframes FILE", "k.xml"},
  };
  for (const Use& use : uses) {
    std::string command = use.command;
    if (const auto at = command.find("FILE"); at != command.npos) command.replace(at, 4, use.file);
    Write(use.file, "mine");
    const CommandResult refused = Kinemorph(command);
    EXPECT_EQ(refused.exit_code, 2) << command << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(use.file)) << command;
    EXPECT_EQ(Text(use.file), "mine") << command;
    for (const char* empty : {"", "gone"}) {
      if (*empty == 'g')
        fs::remove(folder_ / use.file);
      else
        Write(use.file, "");
      EXPECT_EQ(Kinemorph(command).exit_code, 0) << command;
    }
    const std::string first = Text(use.file);
    EXPECT_NE(first, "") << command;
    // The same command again, and of a robot that was changed.
    EXPECT_EQ(Kinemorph(command).exit_code, 0) << command;
    Write("arm.urdf", Arm("arm", "<visual><geometry><sphere radius='1'/></geometry></visual>"));
    Shell("sed -i \"s/mass value='1'/mass value='2'/\" arm.urdf", folder_.path());
    EXPECT_EQ(Kinemorph(command).exit_code, 0) << command;
    Write("arm.urdf", Arm("arm"));
  }
}

TEST_F(Safety, NoOutputIsAnInput) {
  Write("part.xml",
        "<mujoco><worldbody><body name='b'><joint/><geom size='1'/></body></worldbody></mujoco>");
  Write("a.xml", "<mujoco><include file='part.xml'/></mujoco>");
  Write("c.json", "{}");
  for (const char* name : {"a.dot", "a.svg", "a.json", "README.txt", "a.yml"})
    fs::create_hard_link(folder_ / "a.xml", folder_ / name);
  fs::create_hard_link(folder_ / "part.xml", folder_ / "part.dot");
  fs::create_symlink("part.xml", folder_ / "part.json");
  const auto before = Tree(".");
  for (const char* command :
       {"graph a.xml --what cg -o a.dot", "graph a.xml --what cg -o part.dot",
        "graph a.xml --what lacg -o a.svg", "simulate a.xml --time 0.01 -o part.xml",
        "simulate a.xml --time 0.01 -o a.dot", "simulate a.xml --time 0.01 --summary part.json",
        "simulate a.xml --time 0.01 --summary a.json --controller c.json",
        "simulate a.xml --time 0.01 --strip a.svg", "simulate a.xml --time 0.01 --animate a.svg",
        "convert a.xml -o o.urdf --loss-report part.json",
        "convert a.xml -o o.urdf --loss-report a.json", "convert a.xml -o part.json --to urdf",
        "check a.xml --to urdf --loss-report a.json", "export a.xml -o . --language c",
        "convert a.xml -o a.urdf --sidecar hyrodyn"}) {
    const CommandResult result = Kinemorph(command);
    EXPECT_EQ(result.exit_code, 2) << command << result.err;
    EXPECT_EQ(Tree("."), before) << command;
  }
}

// --- programs -----------------------------------------------------------------------------------

class Programs : public Safety {
 protected:
  void Script(const std::string& name, const std::string& text) {
    Write("bin/" + name, "#!/bin/sh\n" + text);
    fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
  }
  CommandResult With(const std::string& arguments) {
    return Shell(
        "PATH=\"$PWD/bin:$PATH\" timeout 100 " + std::string(KINEMORPH_COMMAND) + " " + arguments,
        folder_.path());
  }
};

TEST_F(Programs, XacroRunsOnlyWhereItMayAndIsSaid) {
  Script("xacro", "echo ran >>ran; printf '%s\\n' \"$1\" >name; cat -- \"$1\" >\"$3\"\n");
  Write("r.urdf.xacro", Arm("r"));
  Write("-r.urdf.xacro", Arm("r"));
  EXPECT_EQ(With("inspect r.urdf.xacro").exit_code, 0);
  EXPECT_FALSE(Exists("ran"));
  const CommandResult run = With("inspect r.urdf.xacro --xacro=program");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the program xacro was run"));
  EXPECT_TRUE(Exists("ran"));
  fs::remove(folder_ / "ran");
  for (const std::string command :
       {"inspect r.urdf.xacro", "dump r.urdf.xacro", "check r.urdf.xacro --to sdf",
        "convert r.urdf.xacro -o o.sdf", "verify r.urdf.xacro r.urdf.xacro",
        "diff r.urdf.xacro r.urdf.xacro", "graph r.urdf.xacro --what cg",
        "export r.urdf.xacro -o e --language c", "simulate r.urdf.xacro --time 0.01"}) {
    With(command + " --xacro=program --no-xacro");
    EXPECT_FALSE(Exists("ran")) << command;
  }
  EXPECT_THAT(With("batch --help").out, HasSubstr("--no-xacro"));
  EXPECT_EQ(With("inspect --xacro=program -- -r.urdf.xacro").exit_code, 0);
  EXPECT_EQ(Text("name"), "./-r.urdf.xacro\n");
}

TEST_F(Programs, AProgramThatClosesItsOutputAndStaysIsEnded) {
  Script("dot", "exec >&- 2>&-\nsleep 1000\n");
  Write("r.urdf", Arm("r"));
  const CommandResult result = With("graph r.urdf --what cg -o g.svg");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("did not end within 60 s"));
}

TEST_F(Programs, AMeshThatIsAPipeIsNotWaitedFor) {
  if (!fs::exists(fs::path(KINEMORPH_COMMAND).parent_path() / "kinemorph-judge"))
    GTEST_SKIP() << "there is no judge";
  Write("r.xml",
        "<mujoco><asset><mesh name='m' file='m.stl'/></asset><worldbody><body name='b'><joint/>"
        "<geom size='1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  ASSERT_EQ(mkfifo((folder_ / "m.stl").c_str(), 0600), 0);
  const CommandResult result =
      Shell("timeout 20 " + std::string(KINEMORPH_COMMAND) + " convert r.xml -o o.xml --verify",
            folder_.path());
  EXPECT_NE(result.exit_code, 124);
  EXPECT_NE(result.exit_code, 137);
  EXPECT_THAT(result.err, Not(HasSubstr("verify-judge-slow")));
}

TEST_F(Programs, AWorkerWritesNowhereElse) {
  Script("assimp", "echo pwned >../pwned; echo pwned >src/pwned; echo 'v 0 0 0' >\"$3\"\n");
  Write("src/m.dae", "<?xml version='1.0'?><COLLADA/>");
  Write("src/r.urdf", Arm("r", Visual("m.dae")));
  constexpr long kCreateRuleset = 444, kAskVersion = 1;
  if (syscall(kCreateRuleset, nullptr, 0, kAskVersion) < 1)
    GTEST_SKIP() << "this kernel has no Landlock";
  const CommandResult result =
      With("batch src -o dst --to mjcf --copy-assets meshes --convert-meshes");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(Exists("dst/r/meshes/m.obj"));
  EXPECT_FALSE(Exists("src/pwned"));
}

// --- limits and signals --------------------------------------------------------------------------

TEST_F(Safety, NumbersOfOptionsAreFiniteAndWithinReason) {
  Write("a.urdf", Arm("a"));
  fs::create_directories(folder_ / "src");
  for (const std::string option :
       {"convert a.urdf -o o.mbs --massless", "batch src -o dst --to sdf --timeout",
        "simulate a.urdf --time", "simulate a.urdf --time 0.1 --step",
        "simulate a.urdf --time 0.1 --rtol", "simulate a.urdf --time 0.1 --eps",
        "simulate a.urdf --time 0.1 --rows", "verify a.urdf a.urdf --tolerance",
        "inspect a.urdf --timeout", "convert a.urdf -o o.sdf --timeout",
        "simulate a.urdf --time 0.1 --friction", "simulate a.urdf --time 0.1 --ground"}) {
    for (const std::string value :
         {"nan", "-nan", "inf", "-inf", "1e300", "1e999", "x", "1x", "''"}) {
      const CommandResult result = Kinemorph(option + " " + value);
      EXPECT_EQ(result.exit_code, 2) << option << " " << value << result.err;
    }
    const bool may_be_zero =
        option.find("--friction") != option.npos || option.find("--ground") != option.npos;
    if (may_be_zero) continue;
    EXPECT_EQ(Kinemorph(option + " 0").exit_code, 2) << option;
  }
  for (const std::string option : {"--memory 0", "--memory -1", "--memory x"})
    EXPECT_EQ(Kinemorph("inspect a.urdf " + option).exit_code, 2) << option;
  EXPECT_THAT(Tree("."), testing::SizeIs(2));
}

// Faults of the input or of the file system: none is a defect of the program.
TEST_F(Safety, NothingThatIsGivenIsADefect) {
  Write("a.urdf", Arm("a"));
  fs::create_symlink("self", folder_ / "self");
  for (const auto& [command, code] :
       std::vector<std::pair<std::string, int>>{{"convert a.urdf ''", 2},
                                                {"convert a.urdf '' --to sdf", 2},
                                                {"convert a.urdf '' --to sdf --verify", 2},
                                                {"convert a.urdf self --to sdf --all-models", 1},
                                                {"convert self self.sdf", 1},
                                                {"convert a.urdf self/o.sdf", 1},
                                                {"check self --to sdf", 1},
                                                {"lint self", 1},
                                                {"batch self out --to sdf", 2},
                                                {"view self -o o.html", 1},
                                                {"export a.urdf -o self --language c", 1},
                                                {"inspect ''", 2},
                                                {"convert a.urdf self --to sdf", 0}}) {
    const CommandResult result = Kinemorph(command);
    EXPECT_EQ(result.exit_code, code) << command << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("internal error"))) << command;
  }
  EXPECT_EQ(Shell("TMPDIR=" + (folder_ / "none").string() + " " + KINEMORPH_COMMAND +
                      " convert a.urdf - --to sdf --verify",
                  folder_.path())
                .exit_code,
            1);
}

TEST_F(Safety, ValuesFarAwayAreRefusedAtOnce) {
  Write("a.urdf", Arm("a"));
  for (const std::string value : {"1e308", "-1e308", "1e9"}) {
    const CommandResult far = Kinemorph("simulate a.urdf --time 0.01 --set j=" + value);
    EXPECT_EQ(far.exit_code, 1) << far.err;
    EXPECT_THAT(far.err, HasSubstr("is too far away: beyond 1e+08"));
  }
  EXPECT_EQ(Kinemorph("simulate a.urdf --time 0.01 --set j=1e7").exit_code, 0);
  EXPECT_NE(Kinemorph("simulate a.urdf --time 0.01 --rate j=1e308").exit_code, 124);
}

std::string Chain(int links) {
  std::string text = "<robot name='chain'><link name='l0'/>";
  for (int i = 1; i < links; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name='l" + n + "'/><joint name='j" + n + "' type='continuous'><parent link='l" +
            before + "'/><child link='l" + n + "'/><axis xyz='0 0 1'/></joint>";
  }
  return text + "</robot>";
}

TEST_F(Safety, SingleCommandsEndAtTheirLimits) {
  Write("big.urdf", Chain(60000));
  Write("arm.urdf", Arm("arm"));
  for (const std::string command :
       {"convert big.urdf -o o.sdf", "inspect big.urdf", "check big.urdf --to sdf",
        "verify big.urdf big.urdf", "dump big.urdf", "graph big.urdf --what cg",
        "export big.urdf -o e --language c"}) {
    const CommandResult slow = Kinemorph(command + " --timeout 0.1");
    EXPECT_EQ(slow.exit_code, 1) << command << slow.err;
    EXPECT_THAT(slow.err, HasSubstr("--timeout")) << command;
    const CommandResult large = Kinemorph(command + " --memory 64");
    EXPECT_EQ(large.exit_code, 1) << command << large.err;
    EXPECT_THAT(large.err, HasSubstr("--memory")) << command;
  }
  const CommandResult motion = Kinemorph(
      "simulate arm.urdf -o t.csv --time 9000 --step 0.001 --max-rows 10000000 --timeout 0.5");
  EXPECT_EQ(motion.exit_code, 1);
  EXPECT_THAT(motion.err, HasSubstr("--timeout"));
  EXPECT_THAT(Tree("."), testing::SizeIs(2)) << "nothing is left, no temporary file either";
}

// Each joint follows the one before it.
std::string Followers(int count) {
  const std::string weight =
      "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial></link>";
  std::string text = "<robot name='f'><link name='l0" + weight;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "<link name='l" + next + weight + "<joint name='j" + n +
            "' type='continuous'><origin xyz='0 0 0.1'/><parent link='l" + n + "'/><child link='l" +
            next + "'/><axis xyz='0 1 0'/>";
    if (i > 0) text += "<mimic joint='j" + std::to_string(i - 1) + "' multiplier='1'/>";
    text += "</joint>";
  }
  return text + "</robot>";
}

TEST_F(Safety, AProofOfManyFollowersNeedsMemoryAsTheyAreMany) {
  Write("f.urdf", Followers(3000));
  ASSERT_EQ(Kinemorph("convert f.urdf -o f.sdf --to sdf@1.11").exit_code, 0);
  const CommandResult proof = Kinemorph("verify f.urdf f.sdf --states 3 --memory 300");
  EXPECT_EQ(proof.exit_code, 0) << proof.err;
  EXPECT_THAT(proof.out, HasSubstr("equivalent"));
}

TEST_F(Safety, ATerminalShowsHowFarAMotionIs) {
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "there is no script(1)";
  Write("arm.urdf", Arm("arm"));
  const std::string run = std::string(KINEMORPH_COMMAND) +
                          " simulate arm.urdf -o t.csv --time 900 --step 0.0002 --max-rows 9000000";
  const CommandResult shown =
      Shell("timeout 60 script -qec '" + run + " --timeout 2' /dev/null", folder_.path());
  EXPECT_THAT(shown.out, HasSubstr(" of 900 s"));
  const CommandResult silent = Kinemorph("simulate arm.urdf -o u.csv --time 0.1");
  EXPECT_THAT(silent.err, Not(HasSubstr("t = ")));
}

TEST_F(Safety, RowsAreWrittenAsTheyComeUpToALimit) {
  Write("arm.urdf", Arm("arm"));
  EXPECT_EQ(Kinemorph("simulate arm.urdf --time 10 --rows 0.001 --max-rows 100").exit_code, 2);
  EXPECT_EQ(Kinemorph("simulate arm.urdf --time 1 --step 1e-12").exit_code, 2);
  EXPECT_EQ(Kinemorph("simulate arm.urdf --time 1e9").exit_code, 2);
  const CommandResult rows = Kinemorph("simulate arm.urdf --time 1 --rows 0.01 --max-rows 100");
  EXPECT_EQ(rows.exit_code, 0) << rows.err;
  EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), 102);
  // A long table, which is a temporary file until it is whole.
  const CommandResult many =
      Kinemorph("simulate arm.urdf -o t.csv --time 200 --rows 0.001 --rtol 1e-3 --memory 150");
  EXPECT_EQ(many.exit_code, 0) << many.err;
  EXPECT_GT(fs::file_size(folder_ / "t.csv"), 4'000'000u);
  // What is printed is there before the end.
  const CommandResult killed = Shell("timeout -s INT 2 " + std::string(KINEMORPH_COMMAND) +
                                         " simulate arm.urdf --time 90000 --max-rows 100000000",
                                     folder_.path());
  EXPECT_GT(killed.out.size(), 100'000u);
}

TEST_F(Safety, NumbersThatAreNoneAreNoRows) {
  Write("arm.urdf", Arm("arm"));
  const std::string run = "simulate arm.urdf --time 0.1 --rate j=1e160";  // its energy is infinite
  EXPECT_EQ(Kinemorph(run + " -o t.csv").exit_code, 1);
  EXPECT_FALSE(Exists("t.csv"));
  const CommandResult result = Kinemorph(run);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("not finite"));
  EXPECT_EQ(result.out.find("inf"), result.out.npos);
}

TEST_F(Safety, ColumnsOfOddNamesAreQuoted) {
  std::string robot = Arm("r");
  robot.replace(robot.find("name='j'"), 8, "name='a,\"b'");
  Write("r.urdf", robot);
  const CommandResult result = Kinemorph("simulate r.urdf --time 0.01");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, result.out.find('\n')),
            "t,\"q.a,\"\"b\",\"v.a,\"\"b\",\"tau.a,\"\"b\",phi,energy,phase");
}

TEST_F(Safety, SignalsLeaveNothingBehind) {
  Write("big.urdf", Chain(60000));
  Write("arm.urdf", Arm("arm"));
  fs::create_directories(folder_ / "src");
  for (int i = 0; i < 4; ++i)
    fs::copy(folder_ / "big.urdf", folder_ / ("src/b" + std::to_string(i) + ".urdf"));
  fs::create_directories(folder_ / "tmp");
  const auto before = Tree(".");
  std::mt19937 random(7);
  for (const std::string command :
       {"convert big.urdf -o o.sdf", "convert big.urdf -o o.xml --verify",
        "simulate arm.urdf -o t.csv --time 90000 --max-rows 100000000",
        "batch src -o dst --to sdf -j 2", "batch src -o dst --to mjcf --verify -j 2"}) {
    for (const char* signal : {"INT", "TERM", "HUP"}) {
      const std::string seconds = "0." + std::to_string(random() % 8 + 1);
      const CommandResult result =
          Shell("TMPDIR=$PWD/tmp timeout -s " + std::string(signal) + " " + seconds + " " +
                    std::string(KINEMORPH_COMMAND) + " " + command,
                folder_.path());
      for (const auto& [name, text] : Tree("."))
        EXPECT_TRUE(before.count(name) > 0 ||
                    (name.find(".kinemorph-") == name.npos && name.rfind("tmp/", 0) != 0))
            << command << " " << signal << " " << seconds << ": " << name;
    }
    for (const char* name : {"o.sdf", "o.xml", "t.csv"}) fs::remove(folder_ / name);
    fs::remove_all(folder_ / "dst");
  }
  // A worker that was killed for its time leaves nothing either.
  Shell("TMPDIR=$PWD/tmp " + std::string(KINEMORPH_COMMAND) +
            " batch src -o dst --to mjcf --verify -j 2 --timeout 0.5",
        folder_.path());
  for (const auto& [name, text] : Tree("."))
    EXPECT_TRUE(name.find(".kinemorph-") == name.npos && name.rfind("tmp/", 0) != 0) << name;
}

// A worker that the kernel has not ended yet holds what it made, on a busy machine longer than the
// next batch takes: then it goes with the one after.
TEST_F(Safety, WhatAKilledBatchLeavesGoesWithTheNext) {
  Robots("src", 30);
  fs::create_directories(folder_ / "tmp/kinemorph-mine");
  fs::create_directories(folder_ / "tmp/kinemorph-abcdefghij-01234567");
  const std::string batch = std::string(KINEMORPH_COMMAND) + " batch src -o dst --to mjcf -j 2 ";
  for (int i = 1; i < 13; ++i) {
    std::error_code busy;  // a worker that still writes
    fs::remove_all(folder_ / "dst", busy);
    const std::string milliseconds = std::to_string(1000 + 8 * i).substr(1);
    Shell("TMPDIR=$PWD/tmp timeout -s KILL 0." + milliseconds + " " + batch + "--verify",
          folder_.path());
  }
  std::vector<std::string> left;
  std::size_t written = 0;
  for (int attempt = 0; attempt < 5 && (left.size() != 2 || written != 30); ++attempt) {
    const CommandResult last = Shell("TMPDIR=$PWD/tmp " + batch + "--resume", folder_.path());
    ASSERT_EQ(last.exit_code, 0) << last.err;
    left.clear();
    for (const auto& [name, text] : Tree("tmp")) left.push_back(name);
    written = Tree("dst").size();
  }
  EXPECT_THAT(left, ElementsAre("kinemorph-abcdefghij-01234567", "kinemorph-mine"));
  EXPECT_EQ(written, 30u);
}

// Workers of a batch that was killed may hold what they made a moment longer than the next one takes
// to start.
TEST_F(Safety, WhatAKilledBatchHeldGoesWhenTheNextEnds) {
  Robots("src", 30);
  fs::create_directories(folder_ / "tmp");
  std::vector<std::string> left;
  for (int i = 0; i < 60 && left.empty(); ++i) {
    std::error_code busy;  // a worker that still writes
    fs::remove_all(folder_ / "killed", busy);
    const std::string milliseconds = std::to_string(1010 + 10 * (i % 20)).substr(1);
    Shell("TMPDIR=$PWD/tmp timeout -s KILL 0." + milliseconds + " " + KINEMORPH_COMMAND +
              " batch src -o killed --to mjcf --verify -j 2",
          folder_.path());
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "tmp"))
      left.push_back(entry.path().string());
  }
  ASSERT_FALSE(left.empty()) << "no batch left anything";
  // It is held until the next batch has written something.
  const CommandResult next =
      Shell("flock '" + left[0] + "' sh -c 'until ls dst/*.xml >/dev/null 2>&1; do :; done' & " +
                "sleep 0.2; TMPDIR=$PWD/tmp " + std::string(KINEMORPH_COMMAND) +
                " batch src -o dst --to mjcf --verify -j 2; wait",
            folder_.path());
  EXPECT_EQ(next.exit_code, 0) << next.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
}

// --- names ---------------------------------------------------------------------------------------

TEST_F(Safety, NamesSteerNoTerminalAndNoLog) {
  const std::string odd =
      "a&#10;::error file=x::pwned&#10;   ::error::b&#27;[2J\xC2\x9B"
      "2J\xE2\x80\xAE"
      "evil\xE2\x81\xA6\xE2\x80\x8F\x7F ##[error]x";
  // XML holds no ESC; a name of an MBS or YAML file could.
  std::string name = odd;
  name.replace(name.find("&#27;"), 5, "");
  std::string robot = Arm("::error::r");
  for (const std::string word : {"'arm'", "'j'"})
    for (std::size_t at = 0; (at = robot.find(word, at)) != robot.npos; at += name.size())
      robot.replace(at, word.size(), "'" + name + word.substr(1));
  Write("::error::x.urdf", robot);
  Write("r.urdf", robot);
  Write("s.urdf", Arm("s"));
  Write("broken.urdf", robot.substr(0, robot.size() - 20));
  fs::create_directories(folder_ / "src");
  fs::copy(folder_ / "::error::x.urdf", folder_ / "src/::error::x.urdf");
  Write("src/::error::y.urdf", "<robot");
  for (const std::string command : {"inspect ::error::x.urdf",
                                    "inspect ::error::x.urdf --json",
                                    "inspect r.urdf --closures",
                                    "dump r.urdf",
                                    "diff r.urdf s.urdf",
                                    "verify r.urdf s.urdf",
                                    "verify r.urdf s.urdf --json",
                                    "verify r.urdf s.urdf --verbose",
                                    "convert ::error::x.urdf -o o.sdf",
                                    "convert ::error::x.urdf -o o.sdf --verbose",
                                    "convert r.urdf -o o.mbs --verbose",
                                    "convert r.urdf -o o.mbs --diagnostics json",
                                    "convert r.urdf -o o.mbs --diagnostics sarif",
                                    "check r.urdf --to mbs --format text --verbose",
                                    "check r.urdf --to mbs",
                                    "check r.urdf --to mbs --format json",
                                    "check r.urdf --to mbs --format md",
                                    "check r.urdf --to mbs -q",
                                    "inspect broken.urdf",
                                    "simulate r.urdf --time 0.01 -o t.csv",
                                    "simulate r.urdf --time 0.01 -o t.csv --hold nobody",
                                    "batch src -o dst --to mbs --report r.jsonl",
                                    "batch src -o ::error::dst --to mbs --prune",
                                    "convert r.urdf -o o.sdf --cut x"}) {
    const CommandResult result = Kinemorph(command);
    for (const std::string& text : {result.out, result.err}) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        const std::size_t start = line.find_first_not_of(" \t");
        EXPECT_FALSE(start != line.npos && line.compare(start, 2, "::") == 0)
            << command << ": " << line;
        EXPECT_EQ(line.find("##["), line.npos) << command << ": " << line;
      }
      for (const char* mark :
           {"\x1b", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8F", "\x7F"})
        EXPECT_EQ(text.find(mark), text.npos) << command << ": " << text;
    }
  }
  EXPECT_THAT(Kinemorph("convert r.urdf -o o.mbs --diagnostics github").err,
              Not(HasSubstr("\xC2\x9B")));
  for (const char* mark : {"\xC2\x9B", "\xE2\x80\xAE"})
    EXPECT_THAT(Text("r.jsonl"), Not(HasSubstr(mark)));
}

TEST_F(Safety, WordsOfTheCommandLineSteerNoTerminalAndNoLog) {
  Write("a.urdf", Arm("a"));
  const std::string odd =
      "$'x\\n::error file=x::pwned\\n  ##[error]\\e[2J\\xC2\\x9B\\xE2\\x80\\xAE\\xFF\\x7F'";
  for (const std::string command : {"",
                                    "help ",
                                    "--",
                                    "--x=",
                                    "inspect a.urdf ",
                                    "inspect a.urdf --",
                                    "inspect a.urdf --verbose=",
                                    "inspect a.urdf --timeout=",
                                    "inspect a.urdf --memory=",
                                    "inspect a.urdf --diagnostics=",
                                    "convert a.urdf -o o.sdf --base=",
                                    "convert a.urdf -o o.sdf --massless=",
                                    "convert a.urdf -o o.sdf --from=",
                                    "convert a.urdf -o o.sdf --drop=",
                                    "convert a.urdf -o o.sdf --package=",
                                    "convert a.urdf -o ",
                                    "check a.urdf --to=",
                                    "explain ",
                                    "completion ",
                                    "formats --markdown=",
                                    "graph a.urdf --what=",
                                    "simulate a.urdf --time=",
                                    "simulate a.urdf --time 0.1 --set=",
                                    "simulate a.urdf --time 0.1 --contact=",
                                    "export a.urdf -o e --language=",
                                    "verify a.urdf a.urdf --states=",
                                    "verify a.urdf a.urdf --allow=",
                                    "diff a.urdf a.urdf --seed=",
                                    "batch . -o d --to=",
                                    "batch . -o d --to sdf --jobs=",
                                    "batch . -o d --to sdf --shard=",
                                    "batch . -o d --to sdf --package=",
                                    "batch . -o d --to sdf --prune="}) {
    const CommandResult result = Shell(
        "bash -c \"timeout 60 '" + std::string(KINEMORPH_COMMAND) + "' " + command + odd + "\"",
        folder_.path());
    EXPECT_LT(result.exit_code, 3) << command;
    if (command == "inspect a.urdf ") {
      EXPECT_THAT(result.err, HasSubstr("'x\n    \\x3a:error file"));
    }
    EXPECT_THAT(result.err, Not(HasSubstr("\n::"))) << command;
    for (const char* mark : {"##[", "\x1b", "\xC2\x9B", "\xE2\x80\xAE", "\xFF", "\x7F"})
      EXPECT_THAT(result.err, Not(HasSubstr(mark))) << command;
  }
}

TEST_F(Safety, ABatchNeedsNamesOfPackages) {
  Robots("src", 1);
  for (const std::string package : {"x", "=x", "x="}) {
    const CommandResult result = Kinemorph("batch src -o dst --to sdf --package " + package);
    EXPECT_EQ(result.exit_code, 2) << package;
    EXPECT_THAT(result.err, HasSubstr("--package: '" + package + "' is not of the form NAME=DIR"));
  }
  EXPECT_FALSE(Exists("dst"));
}

// Nobody named them one by one.
TEST_F(Safety, TargetsOfABatchReplaceOnlyWhatMayBeOfAnEarlierRun) {
  Robots("src", 6);
  Write("secret", "precious\n");
  const std::string notes = "my notes\n", page = "<package><name>r2</name></package>\n";
  Write("dst/r0.sdf", notes);
  Write("dst/r1.sdf", "");
  Write("dst/r2.sdf", page);
  Write("dst/r3.sdf", Arm("old"));
  fs::create_symlink("../nowhere", folder_ / "dst/r4.sdf");
  fs::create_symlink("../secret", folder_ / "dst/r5.sdf");
  for (const std::string more : {"", " --resume", " --report r.jsonl", " --report r.jsonl --resume",
                                 " --report r.jsonl --prune=force"}) {
    const CommandResult result = Kinemorph("batch src -o dst --to sdf" + more);
    EXPECT_EQ(result.exit_code, 1) << more;
    EXPECT_THAT(result.err, HasSubstr("'dst/r0.sdf' is there already")) << more;
    EXPECT_THAT(result.out, HasSubstr("failed 4 of 6")) << more;
    EXPECT_EQ(Text("dst/r0.sdf"), notes) << more;
    EXPECT_EQ(Text("dst/r2.sdf"), page) << more;
    EXPECT_THAT(Text("dst/r1.sdf"), HasSubstr("<sdf")) << more;
    EXPECT_THAT(Text("dst/r3.sdf"), HasSubstr("name=\"r3\"")) << more;
    EXPECT_TRUE(fs::is_symlink(folder_ / "dst/r4.sdf")) << more;
    EXPECT_TRUE(fs::is_symlink(folder_ / "dst/r5.sdf")) << more;
    EXPECT_EQ(Text("secret"), "precious\n") << more;
  }
}

// Around every command that writes, at every place where it writes beside its output.
TEST_F(Safety, DecoysOfEveryKindStay) {
  const std::string png = "\x89PNG\r\n\x1a\n";
  Write("in/m.stl", "solid m");
  Write("in/n.obj", "mtllib n.mtl\nv 0 0 0\n");
  Write("in/n.mtl", "newmtl n\nmap_Kd n.png\n");
  Write("in/n.png", png);
  Write("in/arm.urdf", Arm("arm", Visual("m.stl") + Visual("n.obj")));
  Write("in/gear.xml", R"(<mujoco><worldbody><body name="a"><inertial pos="0 0 0" mass="1"
    diaginertia="1 1 1"/><joint name="j" axis="0 0 1"/><body name="b"><inertial pos="0 0 0" mass="1"
    diaginertia="1 1 1"/><joint name="k" axis="0 0 1"/></body></body></worldbody>
    <equality><joint joint1="j" joint2="k" polycoef="0 1 0.5 0 0"/></equality></mujoco>)");
  const std::vector<std::string> places = {"o_scene.xml",
                                           "o.yml",
                                           "l.json",
                                           "l.md",
                                           "s.json",
                                           "s.svg",
                                           "p.svg",
                                           "k.xml",
                                           "mine.jsonl",
                                           "meshes/m.stl",
                                           "meshes/n.obj",
                                           "meshes/n.mtl",
                                           "meshes/n.png",
                                           "e/README.txt",
                                           "e/arm.c",
                                           "e/arm.h",
                                           "e/arm.fmu",
                                           "e/arm_info.m",
                                           "dst/arm.sdf",
                                           "user_cons_hJ.c",
                                           "dst/arm.yml",
                                           "dst/gone.sdf",
                                           "dst/gone.txt",
                                           "dst/arm/meshes/m.stl",
                                           "dst/arm_scene.xml",
                                           "dst/gone/n.md",
                                           "dst/.mine.sdf",
                                           "dst/arm/meshes/n.mtl",
                                           "pipe.json",
                                           "dst/.kinemorph-abcdef",
                                           "dst/gear/user_cons_hJ.c"};
  const std::vector<std::string> commands = {
      "convert in/arm.urdf -o o.xml --scene",
      "convert in/arm.urdf -o o.xml --scene --verify --copy-assets meshes",
      "convert in/arm.urdf -o o.urdf --sidecar hyrodyn",
      "convert in/arm.urdf -o o.urdf --copy-assets meshes --mesh-uri package://x",
      "convert in/arm.urdf -o o.sdf --loss-report l.json",
      "convert in/arm.urdf -o o.sdf --loss-report l.md --copy-assets meshes",
      "convert in/arm.urdf -o o.sdf --verify --copy-assets meshes --convert-meshes",
      "convert in/gear.xml -o o.mbs",
      "check in/arm.urdf --to sdf --loss-report l.json",
      "check in/arm.urdf --to mbs --loss-report l.md",
      "verify in/arm.urdf in/arm.urdf --report l.json",
      "diff in/arm.urdf in/gear.xml --report pipe.json",
      "graph in/arm.urdf --what cg -o o.dot",
      "graph in/gear.xml --what lacg -o o.svg",
      "simulate in/arm.urdf -o o.csv --time 0.02 --summary s.json",
      "simulate in/arm.urdf -o o.csv --time 0.02 --strip s.svg --animate a.svg --keyframes k.xml",
      "simulate in/arm.urdf -o o.csv --time 0.02 --plot p.svg",
      "simulate in/arm.urdf -o o.csv --time 0.02 --controller pipe.json",
      "export in/arm.urdf -o e --language c",
      "export in/arm.urdf -o e --language matlab",
      "export in/arm.urdf -o e --language fmu",
      "batch in -o dst --to mjcf --scene --copy-assets meshes --report r.jsonl --prune=force",
      "batch in -o dst --to mbs --copy-assets meshes --resume",
      "batch in -o dst --to sdf --report r.jsonl --prune=force --resume",
      "batch in -o dst --to sdf --verify --copy-assets meshes",
      "batch in -o dst --to sdf --report mine.jsonl --prune=force",
      "batch in -o dst --to urdf+ --sidecar hyrodyn --report r.jsonl --resume",
      "batch in -o dst --to sdf --copy-assets meshes --report r.jsonl --on-clash suffix",
      "batch in -o dst --to mjcf --shard 1/2 --resume --copy-assets meshes"};
  const std::vector<std::string> folders = {"dst/arm", "dst/gear", "dst/arm/meshes"};
  const auto in = Tree("in");
  const auto plant = [&](const std::string& kind, const fs::path& path) {
    fs::create_directories(path.parent_path());
    if (fs::symlink_status(path).type() != fs::file_type::not_found) return;
    if (kind == "file") WriteFile(path, "precious\n");
    if (kind == "link") fs::create_symlink(folder_ / "secret", path);
    if (kind == "hard link") fs::create_hard_link(folder_ / "secret", path);
    if (kind == "pipe") { ASSERT_EQ(mkfifo(path.c_str(), 0600), 0); }
    if (kind == "folder") WriteFile(path / "mine", "precious\n");
    if (kind == "link to a folder") fs::create_directory_symlink(folder_ / "vault", path);
    if (kind == "link to nothing") fs::create_symlink(folder_ / "nowhere", path);
  };
  Write("secret", "precious\n");
  const std::string sum = Sum(folder_ / "secret");
  json also = json::array();
  for (const std::string& place : places) also.push_back({{"path", place}, {"sha256", sum}});
  std::string report;
  for (const char* source : {"", ".", "gone", "gone.x", "mine", "../secret"})
    report += WithCheck(Record({{"source", source},
                                {"out", "secret"},
                                {"sha256", {{"out", also[0]["sha256"]}}},
                                {"also", also}}));
  int runs = 0;
  for (const std::string kind :
       {"file", "link", "hard link", "pipe", "folder", "link to a folder", "link to nothing"}) {
    for (const std::string& command : commands) {
      Write("secret", "precious\n");
      Write("vault/mine", "precious\n");
      if (kind == "link to a folder")
        for (const std::string& folder : folders) plant(kind, folder_ / folder);
      for (const std::string& place : places)
        if (kind != "link to a folder" || place.rfind("dst/arm/", 0) != 0)
          plant(kind, folder_ / place);
      Write("r.jsonl", report);
      auto before = Tree(".");
      before.erase("r.jsonl");
      const CommandResult result = Kinemorph(command);
      ++runs;
      EXPECT_LT(result.exit_code, 3) << kind << ": " << command << result.err;
      const auto after = Tree(".");
      for (const auto& [name, text] : before)
        EXPECT_TRUE(after.count(name) > 0 && after.at(name) == text)
            << kind << ": " << command << ": " << name;
      for (const auto& [name, text] : after)
        EXPECT_TRUE(before.count(name) > 0 || text.find("precious") == text.npos)
            << kind << ": " << command << ": " << name << " holds what is not of the robot";
      EXPECT_FALSE(Exists("nowhere")) << kind << ": " << command;
      EXPECT_EQ(Tree("in"), in);
      for (const char* made :
           {"o.xml", "o.urdf", "o.sdf", "o.mbs", "o.dot", "o.svg", "o.csv", "secret", "r.jsonl"})
        fs::remove(folder_ / made);
      for (const std::string& place : places) fs::remove_all(folder_ / place);
      for (const char* made : {"dst", "meshes", "e", "vault"}) fs::remove_all(folder_ / made);
    }
  }
  EXPECT_GE(runs, 200);
}

TEST_F(Safety, TheProgramIsLinkedWithFixedTablesAtFreeAddresses) {
  const CommandResult tool =
      Shell("readelf -hldW '" + std::string(KINEMORPH_COMMAND) + "'", folder_.path());
  if (tool.exit_code != 0) GTEST_SKIP() << "readelf is not installed";
  EXPECT_THAT(tool.out, HasSubstr("DYN"));
  EXPECT_THAT(tool.out, HasSubstr("GNU_RELRO"));
  EXPECT_THAT(tool.out, testing::ContainsRegex("BIND_NOW|NOW"));
  EXPECT_THAT(tool.out, Not(testing::ContainsRegex("GNU_STACK.*RWE")));
  // The library's checks of indices are in the program.
  EXPECT_EQ(
      Shell("grep -c '__n < this->size()' '" + std::string(KINEMORPH_COMMAND) + "'", folder_.path())
          .exit_code,
      0);
}

TEST_F(Safety, NpmRunsNoScriptsOfPackages) {
  const CommandResult calls = Shell(
      "grep -rnIE 'npm (-|ci|install|i )' tools tests .ci --exclude-dir=node_modules "
      "--exclude='*.cc' --exclude='*.md' | grep -v 'command -v npm' | grep -v ignore-scripts",
      SourceDir());
  EXPECT_EQ(calls.out, "");
}

// Whatever two outputs are, the one never takes the place of the other.
TEST_F(Safety, NoTwoOutputsAreOneFile) {
  Write("r.urdf", Arm("r"));
  fs::create_directories(folder_ / "d");
  fs::create_directory_symlink("d", folder_ / "link");
  Write("d/old.md", "");
  fs::create_symlink("old.md", folder_ / "d/alias.md");
  const auto before = Tree("");
  for (const char* command :
       {"convert r.urdf o.srdf --to urdf --sidecar srdf",
        "convert r.urdf o.SRDF --to urdf --sidecar srdf --verify",
        "convert r.urdf o.yml --to urdf --sidecar hyrodyn",
        "convert r.urdf o.yaml --to urdf --sidecar gepetto",
        "convert r.urdf o.md --to sdf --loss-report o.md",
        "convert r.urdf d/o.md --to sdf --loss-report link/o.md",
        "convert r.urdf d/old.md --to sdf --loss-report d/alias.md",
        "convert r.urdf ./O.json --to sdf --loss-report o.json",
        "convert r.urdf x.json --to mjcf --scene --loss-report x_scene.json",
        "simulate r.urdf --time 0.1 -o m.csv --summary m.csv",
        "simulate r.urdf --time 0.1 -o m.csv --plot d/m.svg --strip link/m.svg",
        "simulate r.urdf --time 0.1 --summary -",
        "simulate r.urdf --time 0.1 -o m.csv --animate m.svg --keyframes ./m.svg"}) {
    const CommandResult result = Kinemorph(command);
    EXPECT_EQ(result.exit_code, 2) << command << "\n" << result.err;
    EXPECT_THAT(result.err, AnyOf(HasSubstr("are one file"), HasSubstr("is named for two outputs"),
                                  HasSubstr("would be written over")))
        << command;
    EXPECT_EQ(Tree(""), before) << command;
  }
  EXPECT_EQ(Kinemorph("simulate r.urdf --time 0.1 -o /dev/null --summary /dev/null").exit_code, 0);
}

// What goes with one robot of a run is not the file of another one.
TEST_F(Safety, NoSideOutputIsTheFileOfAnotherRobot) {
  const std::string base =
      "<link name='l'/><joint name='g' type='fixed'><parent>world</parent><child>l</child></joint>";
  Write("w.sdf", "<sdf version='1.9'><world name='w'><model name='a'>" + base +
                     "</model><model name='a_scene'>" + base + "</model></world></sdf>");
  const CommandResult all = Kinemorph("convert w.sdf out --all-models --to mjcf --scene");
  EXPECT_EQ(all.exit_code, 2) << all.err;
  EXPECT_THAT(all.err, HasSubstr("would be the scene of"));
  EXPECT_FALSE(Exists("out"));
  // A part of the one robot, and the other one.
  fs::create_directories(folder_ / "in");
  for (const char* name : {"elbow.urdf", "elbow.yml"})
    fs::copy_file(SourceDir() + "/fixtures/sidecars/" + name, folder_ / "in" / name);
  Write("in/elbow.part1.urdf", Arm("other"));
  const CommandResult batch = Kinemorph("batch in -o out --to urdf --sidecar hyrodyn -j 1");
  EXPECT_EQ(batch.exit_code, 1) << batch.err;
  EXPECT_THAT(batch.err, HasSubstr("goes with 'out/elbow.urdf' and is the output of another"));
  EXPECT_FALSE(Exists("out/elbow.urdf"));
  EXPECT_THAT(Text("out/elbow.part1.urdf"), HasSubstr("other"));
}

// The copy of a mesh gets another name than the output.
TEST_F(Safety, NoCopyIsTheOutput) {
  Write("in/x.stl", "solid x\nendsolid x\n");
  Write("in/r.urdf", Arm("r", "<visual><geometry><mesh filename='x.stl'/></geometry></visual>"));
  fs::create_directories(folder_ / "m");
  for (int i = 0; i < 2; ++i) {
    const CommandResult result = Kinemorph("convert in/r.urdf m/X.stl --to urdf+ --copy-assets m");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Text("m/x_2.stl"), Text("in/x.stl"));
    EXPECT_THAT(Text("m/X.stl"), HasSubstr("filename=\"x_2.stl\""));
    EXPECT_EQ(Tree("m").size(), 2u);
  }
}

TEST_F(Safety, AnEmptyNameIsNoName) {
  Write("r.urdf", Arm("r"));
  const auto before = Tree("");
  for (const char* command : {"convert r.urdf '' --to sdf --all-models",
                              "convert r.urdf '' --to sdf",
                              "convert '' o.sdf",
                              "convert r.urdf o.sdf --loss-report ''",
                              "convert r.urdf o.sdf --copy-assets ''",
                              "convert r.urdf o.sdf --copy-assets m --mesh-uri ''",
                              "convert r.urdf o.sdf --with ''",
                              "convert r.urdf o.urdf --package-out ''",
                              "convert r.urdf o.sdf --package-path ''",
                              "convert r.urdf o.sdf --model ''",
                              "check r.urdf --to sdf --loss-report ''",
                              "check '' --to sdf",
                              "batch '' -o o --to sdf",
                              "batch . -o '' --to sdf",
                              "batch . -o o --to sdf --report ''",
                              "simulate r.urdf --time 0.1 -o ''",
                              "simulate r.urdf --time 0.1 --summary ''",
                              "simulate r.urdf --time 0.1 --controller ''",
                              "verify r.urdf ''",
                              "verify r.urdf r.urdf --report ''",
                              "export r.urdf --language c -o ''",
                              "graph r.urdf --what cg -o ''",
                              "view r.urdf --no-open -o ''",
                              "expand r.urdf -o ''",
                              "lint r.urdf --fix -o ''"}) {
    const CommandResult result = Kinemorph(command);
    EXPECT_EQ(result.exit_code, 2) << command << "\n" << result.err;
    EXPECT_EQ(Tree(""), before) << command;
    EXPECT_THAT(result.err, HasSubstr("is given an empty text")) << command;
  }
}

}  // namespace
}  // namespace kinemorph::test
