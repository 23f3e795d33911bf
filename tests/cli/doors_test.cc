// What comes in with a robot stays data: files that name each other, names that other systems, tables
// or formats take for something else, files that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string AttributeText(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '"'  ? "&quot;"
           : c == '\n' ? "&#10;"
                       : std::string(1, c);
  return out;
}

struct Called {
  std::string model = "r", link = "b", joint = "j", visual = "v", collision = "c", sensor = "s";
};

std::string RobotCalled(Called names, const std::string& mesh = "") {
  for (std::string* name :
       {&names.model, &names.link, &names.joint, &names.visual, &names.collision, &names.sensor})
    *name = AttributeText(*name);
  const std::string shape =
      mesh.empty() ? "<box size=\"1 1 1\"/>" : "<mesh filename=\"" + mesh + "\"/>";
  return "<robot name=\"" + names.model + "\"><link name=\"a\"/><link name=\"" + names.link +
         "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" "
         "ixz=\"0\" iyz=\"0\"/></inertial><visual name=\"" +
         names.visual + "\"><geometry>" + shape + "</geometry></visual><collision name=\"" +
         names.collision +
         "\"><geometry><box size=\"1 1 1\"/></geometry></collision></link><joint name=\"" +
         names.joint + "\" type=\"revolute\"><parent link=\"a\"/><child link=\"" + names.link +
         "\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"2\"/>"
         "</joint><gazebo reference=\"a\"><sensor name=\"" +
         names.sensor + "\" type=\"imu\"><update_rate>5</update_rate></sensor></gazebo></robot>\n";
}

class Doors : public testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments, const std::string& before = "") {
    return Shell(before + "timeout 120 " KINEMORPH_COMMAND " " + arguments, folder_.path());
  }
  void Write(const std::string& name, const std::string& text) { WriteFile(folder_ / name, text); }
  std::string Text(const std::string& name) { return FileText(folder_ / name); }
  std::set<std::string> FilesIn(const std::string& folder) {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder))
      if (entry.is_regular_file())
        files.insert(entry.path().lexically_relative(folder_ / folder).string());
    return files;
  }
  TemporaryFolder folder_;
};

TEST_F(Doors, MeshesNameEachOtherToAnyDepthAndInCircles) {
  constexpr int kDeep = 1500;
  for (int i = 0; i < kDeep; ++i)
    Write("in/m" + std::to_string(i) + ".obj",
          "mtllib m" + std::to_string((i + 1) % kDeep) + ".obj\nv " + std::to_string(i) + " 0 0\n");
  Write("in/r.urdf", RobotCalled({}, "m0.obj"));
  // With a stack of which each of them would need a part.
  const CommandResult result =
      Kinemorph("convert in/r.urdf -o out/r.urdf --to urdf+ --copy-assets out/m -q",
                "mkdir out; ulimit -s 512; ");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(FilesIn("out/m").size(), static_cast<std::size_t>(kDeep));
  EXPECT_THAT(Text("out/m/m7.obj"), HasSubstr("mtllib m8.obj"));
}

TEST_F(Doors, CopiesKeepTheOrderAndTheNamesOfWhatTheyName) {
  Write("in/a/m.obj", "mtllib m.mtl\nv 1 0 0\n");
  Write("in/b/m.obj", "mtllib m.mtl other.mtl\nv 2 0 0\n");
  Write("in/a/m.mtl", "newmtl x\nmap_Kd p.png\n");
  Write("in/b/m.mtl", "newmtl y\nmap_Kd p.png\n");
  Write("in/b/other.mtl", "newmtl z\n");
  Write("in/a/p.png", std::string("\x89PNG\r\n\x1a\n") + "1");
  Write("in/b/p.png", std::string("\x89PNG\r\n\x1a\n") + "2");
  Write("in/r.urdf",
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='a/m.obj'/></geometry>"
        "</visual><visual><geometry><mesh filename='b/m.obj'/></geometry></visual></link></robot>");
  fs::create_directories(folder_ / "out");
  ASSERT_EQ(Kinemorph("convert in/r.urdf -o out/r.urdf --to urdf+ --copy-assets out/m").exit_code,
            0);
  EXPECT_EQ(FilesIn("out/m"), (std::set<std::string>{"m.obj", "m_2.obj", "m.mtl", "m_2.mtl",
                                                     "other.mtl", "p.png", "p_2.png"}));
  EXPECT_EQ(Text("out/m/m_2.obj"), "mtllib m_2.mtl other.mtl\nv 2 0 0\n");
  EXPECT_EQ(Text("out/m/m_2.mtl"), "newmtl y\nmap_Kd p_2.png\n");
  EXPECT_EQ(Text("out/m/m.obj"), "mtllib m.mtl\nv 1 0 0\n");
}

// A glTF file is nothing without its buffers, and a COLLADA file grey without its pictures.
TEST_F(Doors, CopiesOfMeshesHaveTheirBuffersAndPictures) {
  const std::string png = "\x89PNG\r\n\x1a\n";
  const std::string embedded =
      R"({"uri":"data:application/octet-stream;base64,AAAA","byteLength":3})";
  const std::string extras = R"("extras":{"uri":"secret.png"}})";
  Write("in/m.gltf",
        R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri" : "a%20b.bin"},)" +
            embedded + R"(],"images":[{"uri":"tex\/p.png"}],)" + extras);
  Write("in/a b.bin", "1234");
  Write("in/tex/p.png", png + "1");
  Write("in/secret.png", png + "2");
  Write("in/c.dae",
        "<COLLADA><library_images><image id=\"i\"><init_from>c/p.png</init_from></image>"
        "</library_images><library_effects><init_from>i</init_from></library_effects></COLLADA>");
  Write("in/c/p.png", png + "3");
  Write("in/r.urdf",
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='m.gltf'/></geometry>"
        "</visual><visual><geometry><mesh filename='c.dae'/></geometry></visual></link></robot>");
  fs::create_directories(folder_ / "out");
  const CommandResult result =
      Kinemorph("convert in/r.urdf -o out/r.urdf --to urdf+ --copy-assets out/m");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("asset-not-copied")));
  EXPECT_EQ(FilesIn("out/m"),
            (std::set<std::string>{"m.gltf", "a b.bin", "p.png", "c.dae", "p_2.png"}));
  EXPECT_THAT(Text("out/m/m.gltf"), HasSubstr("\"uri\" : \"a%20b.bin\"},"));
  EXPECT_THAT(Text("out/m/m.gltf"), HasSubstr("\"images\":[{\"uri\":\"p.png\"}]"));
  EXPECT_THAT(Text("out/m/m.gltf"), HasSubstr(embedded));
  EXPECT_THAT(Text("out/m/m.gltf"), HasSubstr(extras));
  EXPECT_THAT(Text("out/m/c.dae"), HasSubstr("<init_from>p_2.png</init_from>"));
  EXPECT_THAT(Text("out/m/c.dae"), HasSubstr("<init_from>i</init_from>"));
}

// What a mesh names is a mesh, a picture or its buffer, in the fence; or it is told.
TEST_F(Doors, BuffersThatAreNoneAreNotCopied) {
  Write("key.bin", "1234");
  Write("in/r/long.bin", std::string(100, 'x'));
  Write("in/r/notes.txt", "1234");
  Write("in/r/r.urdf",
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='m.gltf'/></geometry>"
        "</visual></link></robot>");
  fs::create_directories(folder_ / "out");
  for (const auto& [uri, why] : {std::pair("none.bin", "the file was not found"),
                                 {"long.bin", "the glTF file says that the buffer has"},
                                 {"../../key.bin", "the file was not found"},
                                 {"notes.txt", "must end in .bin"}}) {
    Write("in/r/m.gltf",
          R"({"asset":{},"buffers":[{"uri":")" + std::string(uri) + R"(","byteLength":4}]})");
    fs::remove_all(folder_ / "out/m");
    const CommandResult result =
        Kinemorph("convert in/r/r.urdf -o out/r.urdf --to urdf+ --copy-assets out/m");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("warning: is not copied: ")) << uri;
    EXPECT_THAT(result.err, HasSubstr(why)) << uri;
    EXPECT_EQ(FilesIn("out/m"), (std::set<std::string>{"m.gltf"})) << uri;
  }
}

// Two files on this system, one on others.
TEST_F(Doors, NoTwoOutputsDifferInTheSizeOfLettersAlone) {
  Write("in/r.urdf", RobotCalled({}));
  Write("in/R.urdf", RobotCalled({"R"}));
  const CommandResult refused = Kinemorph("batch in -o out --to sdf");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("'in/R.urdf' and 'in/r.urdf' have one target 'out/R.sdf' "
                                     "where capital letters are taken for small ones"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  Write("in/r.xml",
        "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>");
  const CommandResult numbered = Kinemorph("batch in -o out --to sdf --on-clash suffix");
  EXPECT_EQ(numbered.exit_code, 0) << numbered.err;
  EXPECT_EQ(FilesIn("out"), (std::set<std::string>{"R.urdf.sdf", "r.urdf_2.sdf", "r.xml.sdf"}));
  Write("w.sdf",
        "<sdf version='1.9'><world name='w'><model name='R'><link name='l'/></model><model "
        "name='r'><link name='l'/></model></world></sdf>");
  const CommandResult models = Kinemorph("convert w.sdf -o models --all-models --to urdf+");
  EXPECT_EQ(models.exit_code, 0) << models.err;
  EXPECT_EQ(FilesIn("models"), (std::set<std::string>{"R.urdf+", "r_2.urdf+"}));
  EXPECT_THAT(models.err, HasSubstr("r_2.urdf")) << "it is told";
  Write("a/m.obj", "v 1 0 0\n");
  Write("a/M.obj", "v 2 0 0\n");
  Write("a/r.urdf",
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='m.obj'/></geometry>"
        "</visual><visual><geometry><mesh filename='M.obj'/></geometry></visual></link></robot>");
  ASSERT_EQ(Kinemorph("convert a/r.urdf -o r.urdf --to urdf+ --copy-assets m").exit_code, 0);
  EXPECT_EQ(FilesIn("m"), (std::set<std::string>{"m.obj", "M_2.obj"}));
}

// A report is a page of Markdown, and what a robot is called is no part of its language.
TEST_F(Doors, AReportInMarkdownHoldsNamesAsNames) {
  const std::string evil = "<img src=x onerror=y>|`a`**b**[c](d)\n# e _f_ &lt; ~g~ $h$ \\i";
  Write("r.urdf", RobotCalled({"r", evil, evil, evil, evil, evil}));
  ASSERT_EQ(Kinemorph("convert r.urdf -o r.xml --loss-report r.md").exit_code, 0);
  const std::string report = Text("r.md");
  EXPECT_THAT(report, HasSubstr("onerror"));
  std::string left = report;  // without what is escaped
  for (std::size_t at; (at = left.find('\\')) != left.npos;) left.replace(at, 2, "");
  for (const char* sign : {"<", "`", "**", "[", "](", "~g", "$", "&"})
    EXPECT_THAT(left, Not(HasSubstr(sign)));
  std::istringstream lines(left);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(line.starts_with("# e")) << line;
    const auto bars = std::count(line.begin(), line.end(), '|');
    EXPECT_TRUE(bars == 0 || bars == 3 || bars == 4 || bars == 7) << line;
  }
  for (const char* linked : {"@somebody", "see https://evil.example", "#1", "www.evil.example",
                             "GH-12", "a@b.example"}) {
    Write("r.urdf", RobotCalled({"r", "b", linked}));
    ASSERT_EQ(Kinemorph("convert r.urdf -o r.xml --loss-report r.md").exit_code, 0);
    std::string outside = Text("r.md");
    EXPECT_THAT(outside, HasSubstr(linked));
    for (std::size_t at; (at = outside.find("<code>")) != outside.npos;)
      outside.erase(at, outside.find("</code>", at) + 7 - at);
    EXPECT_THAT(outside, Not(HasSubstr(linked))) << "outside of code it would be a link";
  }
  Write("r.urdf", RobotCalled({"r", "left_leg", "left_knee_joint"}));
  ASSERT_EQ(Kinemorph("convert r.urdf -o r.xml --loss-report r.md").exit_code, 0);
  EXPECT_THAT(Text("r.md"), HasSubstr("'left_knee_joint'")) << "people read it too";
}

// What SDFormat keeps for itself gets another name, which is told; libsdformat is the judge.
TEST_F(Doors, NamesThatLibsdformatRefusesAreWrittenAsOthers) {
  if (!fs::exists(fs::path(KINEMORPH_COMMAND).parent_path() / "kinemorph-judge"))
    GTEST_SKIP() << "libsdformat is not installed";
  for (const char* name :
       {"__x__", "world", "__model__", "a::b", "::", "::a", "a::", "____", "a\nb", "a\tb", " a "}) {
    for (std::string Called::*which : {&Called::model, &Called::link, &Called::joint,
                                       &Called::visual, &Called::collision, &Called::sensor}) {
      Called names;
      names.*which = name;
      Write("r.urdf", RobotCalled(names));
      const CommandResult result =
          Kinemorph("convert r.urdf -o r.sdf --verify --loss-report r.json");
      EXPECT_EQ(result.exit_code, 0) << name << '\n' << result.err << Text("r.sdf");
      if (which == &Called::visual) {
        EXPECT_THAT(Text("r.json"), HasSubstr("\"kind\": \"visual\"")) << name;
      }
    }
  }
  Called nameless;
  nameless.sensor = "";
  Write("r.urdf", RobotCalled(nameless));
  const CommandResult result = Kinemorph("convert r.urdf -o r.sdf --verify");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(Text("r.sdf"), testing::ContainsRegex("<sensor name=.sensor."));
}

// A number of a few letters asks MuJoCo for gigabytes.
TEST_F(Doors, TheJudgeHasItsShareOfMemory) {
  if (!fs::exists(fs::path(KINEMORPH_COMMAND).parent_path() / "kinemorph-judge"))
    GTEST_SKIP() << "no judge is installed";
  for (const char* large :
       {"<asset><hfield name='h' nrow='100000' ncol='100000' size='1 1 1 1'/></asset>",
        "<asset><texture name='t' type='2d' builtin='flat' width='60000' height='60000'/></asset>",
        "<size nuser_body='400000000'/>"}) {
    Write("in.xml", "<mujoco>" + std::string(large) +
                        "<worldbody><body name='b'><joint name='j'/><geom size='1'/></body>"
                        "</worldbody></mujoco>");
    const CommandResult result = Kinemorph("convert in.xml o.xml --verify");
    if (result.err.find("[verify-not-judged]") != std::string::npos)
      GTEST_SKIP() << "MuJoCo is not installed";
    EXPECT_EQ(result.exit_code, 1) << large << '\n' << result.err;
    EXPECT_THAT(result.err, HasSubstr("[verify-judge-memory]")) << large;
    EXPECT_EQ(FilesIn("."), (std::set<std::string>{"in.xml"})) << "no copy, no log of MuJoCo's";
  }
}

// PyYAML, which Gepetto's loader uses, gives back the names to the letter.
TEST_F(Doors, SideCarsAreYamlWhateverThingsAreCalled) {
  const std::vector<std::string> names = {"a: b",
                                          "- a",
                                          "#x",
                                          "null",
                                          "~",
                                          "yes",
                                          "Off",
                                          "y",
                                          "1",
                                          "1e3",
                                          "0x1",
                                          "1_000",
                                          "12:30:45",
                                          "'",
                                          "\"",
                                          "\\",
                                          "[a]",
                                          "{a}",
                                          "&a",
                                          "*a",
                                          "!a",
                                          "%a",
                                          "@a",
                                          "`a",
                                          "a #b",
                                          "? a",
                                          "|",
                                          ">",
                                          "=",
                                          "<<",
                                          "2020-01-01",
                                          "\xc3\xa9",
                                          "\xf0\x9f\xa4\x96",
                                          "\x7f",
                                          "\xc2\x80",
                                          "\xc2\x85",
                                          "\xe2\x80\xa8",
                                          "\xe2\x80\xa9",
                                          "\xef\xbb\xbf"
                                          "a",
                                          "a\nb",
                                          "a\tb",
                                          " a ",
                                          "---",
                                          "...",
                                          ".inf"};
  if (Shell("/usr/bin/python3 -c 'import yaml'", folder_.path()).exit_code != 0)
    GTEST_SKIP() << "PyYAML is not installed";
  fs::create_directories(folder_ / "out");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string number = std::to_string(i);
    Write("r.urdf", RobotCalled({"r", "b", names[i]}));
    Write("out/" + number + ".name", names[i]);
    const CommandResult result =
        Kinemorph("convert r.urdf --to urdf --sidecar gepetto -o out/" + number + ".urdf");
    EXPECT_EQ(result.exit_code, 0) << names[i] << result.err;
  }
  Write("read.py",
        "import glob, yaml\n"
        "for file in sorted(glob.glob('out/*.name')):\n"
        "    name = open(file, encoding='utf-8', newline='').read()\n"
        "    try:\n"
        "        found = yaml.safe_load(open(file[:-4] + 'yaml', encoding='utf-8', newline=''))\n"
        "        said = found['independent']\n"
        "    except Exception as error:\n"
        "        said = str(error)\n"
        "    if said != [name]: print(repr(name), said)\n");
  const CommandResult read = Shell("/usr/bin/python3 read.py", folder_.path());
  EXPECT_EQ(read.out + read.err, "");
  EXPECT_EQ(Kinemorph("convert r.urdf --to urdf --sidecar gepetto -o 'a\nkey: 1.urdf'").exit_code,
            0);
  EXPECT_EQ(Shell("/usr/bin/python3 -c \"import yaml; print('key' in "
                  "yaml.safe_load(open('a\\nkey: 1.yaml')))\"",
                  folder_.path())
                .out,
            "False\n");
}

// Every place of an output: a device, a pipe, a folder stay what they are, and nobody waits.
TEST_F(Doors, WhatIsNoFileIsNoOutputAndNoInput) {
  Write("r.urdf", RobotCalled({}));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_directories(folder_ / "folder");
  WriteFile(folder_ / "page.html", "<html><!-- kinemorph: the robot stands here --></html>");
  const std::string page = "export KINEMORPH_PAGE=page.html; ";
  for (const std::string place : {"pipe", "/dev/full", "folder", "/dev/zero"}) {
    for (const std::string command :
         {"convert r.urdf --to sdf -o PLACE", "graph r.urdf -o PLACE",
          "simulate r.urdf --time 0.01 -o PLACE", "view r.urdf --no-open -o PLACE",
          "expand r.urdf -o PLACE", "inspect PLACE", "lint PLACE", "dump PLACE",
          "verify PLACE r.urdf", "verify r.urdf PLACE", "diff r.urdf PLACE",
          "view PLACE --no-open -o v.html",
          "simulate r.urdf --time 0.01 -o t.csv --controller PLACE", "inspect r.urdf --with PLACE",
          "export PLACE --language c -o e", "graph PLACE -o g.svg", "check PLACE --to sdf"}) {
      std::string line = command;
      line.replace(line.find("PLACE"), 5, place);
      if (place == "folder" && (line.starts_with("lint") || line.starts_with("check"))) continue;
      const CommandResult result = Kinemorph(line, page);
      EXPECT_TRUE(result.exit_code == 1 || result.exit_code == 2)
          << line << ": " << result.exit_code << result.err;
    }
  }
  struct stat info {};
  EXPECT_TRUE(::stat((folder_ / "pipe").c_str(), &info) == 0 && S_ISFIFO(info.st_mode));
  EXPECT_TRUE(fs::is_empty(folder_ / "folder"));
}

// The policy of the page that shows a graph names its script; what a robot is called is none.
TEST_F(Doors, TheScriptOfAGraphIsTheOnlyOne) {
  if (Shell("dot -V", folder_.path()).exit_code != 0) GTEST_SKIP() << "Graphviz is not installed";
  Write("r.urdf", RobotCalled({"</title><script>alert(1)</script>", "<script>b</script>"}));
  ASSERT_EQ(Kinemorph("graph r.urdf --what cg -o g.html").exit_code, 0);
  const std::string page = Text("g.html");
  const std::size_t script = page.find("<script>"), end = page.find("</script>");
  ASSERT_EQ(page.find("<script>", script + 1), page.npos);
  Write("script", page.substr(script + 8, end - script - 8));
  const CommandResult hash = Shell("openssl dgst -sha256 -binary script | base64", folder_.path());
  if (hash.exit_code != 0 || hash.out.empty()) GTEST_SKIP() << "openssl is not installed";
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-" + hash.out.substr(0, 44) + "'"));
}

}  // namespace
}  // namespace kinemorph::test
