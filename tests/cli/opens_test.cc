// What is opened: every command, over robots that name files which are not theirs, with a stub in
// front of the C library that writes down each open. SECURITY.md has the table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::Contains;
using testing::IsEmpty;

// Of equal files one is copied.
std::string Stl(const std::string& name) {
  return "solid " + name +
         "\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
         "endfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 0 "
         "1\nendloop\n"
         "endfacet\nendsolid m\n";
}

struct Opening {
  std::string program;
  fs::path path;  // through all links
};

// The robots stand in top/ws/robot; what is not theirs, in secret.
class Opens : public testing::Test {
 protected:
  Opens() : root_(fs::canonical(folder_.path())) {
    for (const char* name : {"mesh.stl", "mesh.obj", "picture.png", "map.png", "part.urdf",
                             "part.sdf", "part.xml", "part.usda", "part.xacro", "values.yaml",
                             "robot.yml", "passwd", "model.config", "package.xml"})
      WriteFile(root_ / "secret" / name, Secret(name));
    WriteFile(root_ / "page.html", "<html><!-- kinemorph: the robot stands here --></html>");
    for (const char* name : {"made/by/out", "tmp"}) fs::create_directories(root_ / name);
    WriteFile(root_ / "top/ws/meshes/near.stl", Stl("near"));
    WriteFile(Robots() / "own.stl", Stl("own"));
    WriteFile(Robots() / "own.obj", "mtllib link.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    // Links in the robot's own folder, and manifests above it.
    for (const char* name : {"mesh.stl", "picture.png", "part.urdf", "part.sdf", "part.xml",
                             "part.usda", "part.xacro", "values.yaml"})
      fs::create_symlink(root_ / "secret" / name, Robots() / ("link_" + std::string(name)));
    fs::create_symlink(root_ / "secret/passwd", Robots() / "link.mtl");
    fs::create_directory_symlink(root_ / "secret", Robots() / "linked");
    for (const char* side : {"robot.yml", "submechanisms.yml", "robot.srdf", "robot.yaml"})
      fs::create_symlink(root_ / "secret/robot.yml", Robots() / side);
    for (const char* manifest : {"package.xml", "model.config"})
      fs::create_symlink(root_ / "secret" / manifest, root_ / "top" / manifest);
    WriteRobots();
  }

  [[nodiscard]] fs::path Robots() const { return root_ / "top/ws/robot"; }

  static std::string Secret(const std::string& name) {
    const std::string end = fs::path(name).extension().string();
    return end == ".stl"     ? Stl("secret")
           : end == ".obj"   ? "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
           : end == ".png"   ? "\x89PNG\r\n\x1a\n"
           : end == ".sdf"   ? "<sdf version='1.9'><model name='s'><link name='l'/></model></sdf>"
           : end == ".usda"  ? "#usda 1.0\ndef Xform \"s\" {}\n"
           : end == ".xacro" ? "<robot><link name='secret'/></robot>"
           : end == ".yaml" || end == ".yml" ? "secret: 1\n"
           : name == "part.xml"              ? "<mujoco/>"
           : name == "package.xml"           ? "<package><name>secret_package</name></package>"
                                             : "root:x:0:0\n";
  }

  // The ways in which a robot may name a file that is not its own.
  [[nodiscard]] std::vector<std::string> Ways(const std::string& name) const {
    const std::string there = (root_ / "secret" / name).string();
    return {"../../../secret/" + name,
            "link_" + name,
            "linked/" + name,
            there,
            "file://" + there,
            "package://secret/" + name,
            "package://robot/linked/" + name,
            "package://secret_package/" + name,
            "model://secret/" + name,
            "package://../../../secret/" + name,
            "package://robot/../../../secret/" + name};
  }

  void WriteRobots() {
    const auto each = [](const std::vector<std::string>& ways, const auto& text) {
      std::string all;
      int number = 0;
      for (const std::string& way : ways) all += text(way, std::to_string(number++));
      return all;
    };
    const std::string inertial =
        "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
        "</inertial>";
    const auto visual = [](const std::string& way, const std::string& number) {
      return "<visual name='v" + number + "'><geometry><mesh filename='" + way +
             "'/></geometry><material name='m" + number + "'><texture filename='" + way +
             "'/></material></visual>";
    };
    std::vector<std::string> meshes = {"own.stl", "own.obj", "../meshes/near.stl"};
    for (const char* name : {"mesh.stl", "picture.png"})
      for (const std::string& way : Ways(name)) meshes.push_back(way);
    const std::string arm = "<link name='a'>" + inertial + each(meshes, visual) +
                            "</link><link name='b'>" + inertial +
                            "</link><joint name='j' type='continuous'><parent link='a'/><child "
                            "link='b'/><axis xyz='0 1 0'/></joint>";
    WriteFile(Robots() / "robot.urdf", "<robot name='r'>" + arm + "</robot>");
    WriteFile(Robots() / "robot.urdf.xacro",
              "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'>" + arm + "</robot>");
    // Of what is read with it, one way in each file: the first that is refused ends the reading.
    int number = 0;
    for (const std::string& way : Ways("part.xacro"))
      WriteFile(Robots() / ("include" + std::to_string(number++) + ".urdf.xacro"),
                "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><xacro:include "
                "filename='" +
                    way + "'/>" + arm + "</robot>");
    for (const std::string& way : Ways("*.xacro"))
      WriteFile(Robots() / ("many" + std::to_string(number++) + ".urdf.xacro"),
                "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><xacro:include "
                "filename='" +
                    way + "'/>" + arm + "</robot>");
    for (const std::string& way : Ways("values.yaml"))
      WriteFile(Robots() / ("yaml" + std::to_string(number++) + ".urdf.xacro"),
                "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><xacro:property "
                "name='p' value=\"${xacro.load_yaml('" +
                    way + "')}\"/>" + arm + "</robot>");
    WriteFile(Robots() / "find.urdf.xacro",
              "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><xacro:include "
              "filename='$(find secret)/part.xacro'/>" +
                  arm + "</robot>");
    const std::string looks = each(meshes, [](const std::string& way, const std::string& n) {
      return "<visual name='v" + n + "'><geometry><mesh><uri>" + way +
             "</uri></mesh></geometry><material><script><uri>" + way +
             "</uri><name>x</name></script><pbr><metal><albedo_map>" + way +
             "</albedo_map></metal></pbr></material></visual><collision name='c" + n +
             "'><geometry><heightmap><uri>" + way + "</uri></heightmap></geometry></collision>";
    });
    WriteFile(Robots() / "robot.sdf", "<sdf version='1.9'><model name='r'><link name='a'>" + looks +
                                          "</link></model></sdf>");
    for (const std::string& way : Ways("part.sdf"))
      WriteFile(Robots() / ("include" + std::to_string(number++) + ".sdf"),
                "<sdf version='1.9'><model name='r'><link name='a'/><include><uri>" + way +
                    "</uri></include><include merge='true'><uri>" + way.substr(0, way.rfind('/')) +
                    "</uri></include></model></sdf>");
    const std::string assets = each(meshes, [](const std::string& way, const std::string& n) {
      return "<mesh name='m" + n + "' file='" + way + "'/><texture name='t" + n +
             "' type='2d' file='" + way + "'/><hfield name='h" + n + "' file='" + way +
             "' size='1 1 1 1'/><skin name='s" + n + "' file='" + way + "'/>";
    });
    WriteFile(Robots() / "robot.xml",
              "<mujoco model='r'><asset>" + assets +
                  "</asset><worldbody><body name='a'><joint/><geom size='1'/><geom type='mesh' "
                  "mesh='m0'/></body></worldbody></mujoco>");
    for (const std::string& way : Ways("part.xml"))
      WriteFile(Robots() / ("include" + std::to_string(number++) + ".xml"),
                "<mujoco model='r'><include file='" + way + "'/><asset><model name='p' file='" +
                    way +
                    "'/></asset><worldbody><body name='a'><attach model='p' body='x' "
                    "prefix='y'/></body></worldbody></mujoco>");
    for (const std::string& way : Ways(""))
      WriteFile(Robots() / ("folder" + std::to_string(number++) + ".xml"),
                "<mujoco model='r'><compiler meshdir='" + way + "' texturedir='" + way +
                    "' assetdir='" + way +
                    "'/><asset><mesh name='m' file='mesh.stl'/></asset><worldbody><body name='a'>"
                    "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    for (const std::string& way : Ways("part.usda"))
      WriteFile(Robots() / ("include" + std::to_string(number++) + ".usda"),
                "#usda 1.0\n(\n  subLayers = [@" + way +
                    "@]\n)\ndef Xform \"r\" (\n  references "
                    "= @" +
                    way + "@\n  payload = @" + way + "@\n)\n{\n  asset inputs:file = @" + way +
                    "@\n}\n");
  }

  // All that is opened while a command runs.
  std::vector<Opening> While(const std::string& arguments) {
    const fs::path log = root_ / "opens.log";
    fs::remove(log);
    static_cast<void>(Shell("export KINEMORPH_PAGE='" + (root_ / "page.html").string() +
                                "' TMPDIR='" + (root_ / "tmp").string() + "' KINEMORPH_OPENS='" +
                                log.string() +
                                "'; unset DISPLAY WAYLAND_DISPLAY; LD_PRELOAD=" KINEMORPH_OPENS_STUB
                                " timeout 100 " KINEMORPH_COMMAND " " +
                                arguments + " 9>>'" + log.string() + "'",
                            root_));
    std::vector<Opening> all;
    std::istringstream lines(FileText(log));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t space = line.find(' ');
      std::error_code error;
      const fs::path named = line.substr(space + 1), real = fs::weakly_canonical(named, error);
      all.push_back({line.substr(0, space), error ? named : real});
    }
    return all;
  }

  static bool Inside(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
  }

  [[nodiscard]] bool MayBeOpened(const Opening& opening) const {
    const fs::path& path = opening.path;
    if (Inside(path, root_)) {
      for (const char* folder : {"top/ws", "made", "tmp"})
        if (Inside(path, root_ / folder)) return true;
      return path == root_ / "page.html" || path == root_;  // in which outputs are made
    }
    if (!opening.program.starts_with("kinemorph")) return true;  // Graphviz has its fonts
    // The user's own MuJoCo, of Python or npm.
    if (opening.program == "kinemorph-judge" &&
        (path.filename() == "lib" || path.filename() == "lib64" ||
         path.string().find("/lib/python3") != std::string::npos ||
         path.string().find("/node_modules/@mujoco/") != std::string::npos))
      return true;
    for (const char* folder : {"/usr", "/lib", "/lib64", "/proc", "/dev/null"})
      if (Inside(path, folder)) return true;
    return path == "/dev" || path == "/etc/ld.so.cache" || path == "/etc/localtime" ||
           Inside(path, fs::path(KINEMORPH_COMMAND).parent_path());
  }

  std::set<std::string> Foreign(const std::vector<Opening>& all) {
    std::set<std::string> foreign;
    for (const Opening& opening : all)
      if (!MayBeOpened(opening)) foreign.insert(opening.program + " " + opening.path.string());
    return foreign;
  }

  TemporaryFolder folder_;
  fs::path root_;
};

std::set<std::string> NamesOfOpened(const std::vector<Opening>& all) {
  std::set<std::string> names;
  for (const Opening& opening : all) names.insert(opening.path.filename().string());
  return names;
}

TEST_F(Opens, TheStubSeesThem) {
  const auto seen =
      NamesOfOpened(While("view top/ws/robot/robot.urdf -o made/by/out/v.html --no-open"));
  for (const char* name : {"robot.urdf", "own.stl", "near.stl", "page.html"})
    EXPECT_THAT(seen, Contains(name));
  const auto drawn = While("graph top/ws/robot/robot.urdf --what cg -o made/by/out/g.svg");
  std::set<std::string> programs;
  for (const Opening& opening : drawn) programs.insert(opening.program);
  if (Shell("dot -V", root_).exit_code == 0) { EXPECT_THAT(programs, Contains("dot")); }
}

TEST_F(Opens, EveryCommandOpensOnlyWhatIsTheRobotsOwn) {
  std::vector<fs::path> robots;
  for (const auto& entry : fs::directory_iterator(Robots()))
    if (const std::string end = entry.path().extension().string();
        !entry.is_symlink() &&
        (end == ".urdf" || end == ".sdf" || end == ".xml" || end == ".usda" || end == ".xacro"))
      robots.push_back(entry.path().lexically_relative(root_));
  std::sort(robots.begin(), robots.end());
  ASSERT_GT(robots.size(), 60U);
  for (const fs::path& robot : robots) {
    const std::string name = "'" + robot.string() + "'";
    // Of those that cannot be read the commands differ no more.
    const bool whole = robot.filename().string().starts_with("robot.");
    std::vector<std::string> commands = {"view " + name + " -o made/by/out/v.html --no-open",
                                         "convert " + name + " -o made/by/out/x.urdf --to urdf+"};
    if (whole) {
      for (const char* command : {"inspect", "lint", "dump", "expand", "check --to mjcf"})
        commands.push_back(command + (" " + name));
      for (const char* end : {"urdf", "sdf", "xml", "mbs", "usda"})
        commands.push_back("convert " + name + " -o made/by/out/r." + end +
                           " --verify --copy-assets made/by/out/meshes --convert-meshes");
      for (const char* way : {"verify", "diff"})
        commands.push_back(std::string(way) + " " + name + " " + name);
      for (const char* out : {"g.html", "g.svg"})
        commands.push_back("graph " + name + " -o made/by/out/" + out);
      for (const char* language : {"c", "ros2", "fmu --binary none"})
        commands.push_back("export " + name + " -o made/by/out/e --language " + language);
      commands.push_back("convert " + name +
                         " -o made/by/out/s.xml --scene --loss-report made/by/out/l.md");
      commands.push_back("simulate " + name + " --time 0.01 -o made/by/out/t.csv");
    }
    for (const std::string& command : commands)
      EXPECT_THAT(Foreign(While(command)), IsEmpty()) << command;
  }
  for (const char* command :
       {"batch top/ws/robot -o made/by/out/b --to sdf --copy-assets meshes --report "
        "made/by/out/r.jsonl "
        "-j 2",
        "batch top/ws/robot -o made/by/out/b2 --to sdf --all-models", "lint top/ws/robot",
        "check top/ws/robot --to mjcf", "formats", "explain base-fixed", "completion bash"})
    EXPECT_THAT(Foreign(While(command)), IsEmpty()) << command;
}

// A folder that is given holds no link out of it, unless that is said to be meant.
TEST_F(Opens, ALinkOutOfAFolderIsNotRead) {
  WriteFile(root_ / "secret/other.urdf", "<robot name='r'><link name='secret_link'/></robot>");
  WriteFile(root_ / "set/a.urdf", "<robot name='r'><link name='a'/></robot>");
  fs::create_symlink("a.urdf", root_ / "set/again.urdf");
  fs::create_symlink("../secret/other.urdf", root_ / "set/out.urdf");
  for (const std::string command :
       {"batch set -o made/by/out/b --to sdf", "batch set -o made/by/out/m --to sdf --all-models",
        "lint set", "check set --to mjcf"}) {
    const auto exits = [&](const std::string& with) {
      return Shell(KINEMORPH_COMMAND " " + command + with, root_).exit_code;
    };
    const CommandResult result = Shell(KINEMORPH_COMMAND " " + command, root_);
    EXPECT_EQ(result.exit_code, 1) << command;
    EXPECT_THAT(result.err, testing::HasSubstr("set/out.urdf' is a link that leaves the folder"));
    EXPECT_THAT(NamesOfOpened(While(command)),
                testing::AllOf(Contains("a.urdf"), testing::Not(Contains("other.urdf"))))
        << command;
    EXPECT_EQ(exits(" --exclude out.urdf"), 0) << command;
    EXPECT_EQ(exits(" --allow-outside"), 0) << command;
  }
  EXPECT_TRUE(fs::exists(root_ / "made/by/out/b/out.sdf"));
}

TEST_F(Opens, NothingOfTheSecretIsInWhatIsWritten) {
  static_cast<void>(While("view top/ws/robot/robot.urdf -o made/by/out/v.html --no-open"));
  EXPECT_EQ(FileText(root_ / "made/by/out/v.html").find("secret_package"), std::string::npos);
  static_cast<void>(While(
      "convert top/ws/robot/robot.urdf -o made/by/out/r.urdf --copy-assets made/by/out/meshes"));
  std::set<std::string> copied;
  for (const auto& entry : fs::recursive_directory_iterator(root_ / "made/by/out"))
    if (entry.is_regular_file() && entry.path().extension() != ".urdf" &&
        entry.path().extension() != ".html")
      copied.insert(entry.path().filename().string());
  EXPECT_EQ(copied, (std::set<std::string>{"own.stl", "own.obj", "near.stl"}));
}

TEST_F(Opens, WhatIsNamedByTheUserIsOpened) {
  const auto seen = NamesOfOpened(While("inspect top/ws/robot/robot.urdf --package secret=secret"));
  EXPECT_THAT(seen, testing::Not(Contains("passwd")));
  const auto found =
      NamesOfOpened(While("convert top/ws/robot/robot.urdf -o made/by/out/p.urdf --to urdf+ "
                          "--copy-assets made/by/out/m "
                          "--package secret=secret"));
  EXPECT_THAT(found, Contains("mesh.stl"));
}

}  // namespace
}  // namespace kinemorph::test
