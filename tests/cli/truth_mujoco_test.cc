// Which MuJoCo judges: that of Python's wheel, then npm's module, then the installed library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "command.h"
#include "host/program.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kGood =
    "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body></worldbody></mujoco>";
constexpr const char* kCounts = "1 bodies, 1 degrees of freedom, 0 equalities";

class TruthMujoco : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(judge_)) GTEST_SKIP() << "no judge is built";
    WriteFile(folder_ / "in.xml", kGood);
  }

  // Nothing of the machine's is found but what `variables` name.
  std::string Verdict(const std::string& variables, const std::string& file = "in.xml") {
    return Shell("env -i " + variables + " '" + judge_.string() + "' mjcf " + file, folder_.path())
        .out;
  }

  void WriteProgram(const std::string& name, const std::string& text) {
    WriteFile(folder_ / name, text);
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }

  void WritePackage(const std::string& folder) {
    WriteFile(folder_ / folder / "@mujoco/mujoco/package.json",
              R"({"name": "@mujoco/mujoco", "version": "8.8.8"})");
  }

  // A node that writes down what it was given; its prefix is `env`, as that of the wheel.
  void WriteNode(const std::string& answer) {
    WriteProgram(
        "env/bin/node",
        "#!/bin/sh\nfolder='" + folder_.path().string() +
            "'\nprintf '%s\\n' \"$@\" \"[$NODE_OPTIONS]\" \"$(ulimit -d)\" >\"$folder/words\"\n"
            "/bin/cat >\"$folder/input\"\n" +
            answer);
    WritePackage("env/lib/node_modules");
  }

  void WriteWheel(const std::string& text) {
    WriteFile(folder_ / "env/lib/python3.11/site-packages/mujoco/wheel.c", text);
    ASSERT_EQ(Shell("cc -shared -fPIC wheel.c -o libmujoco.so.9.9.9",
                    folder_ / "env/lib/python3.11/site-packages/mujoco")
                  .exit_code,
              0);
  }

  TemporaryFolder folder_;
  const fs::path judge_ = fs::path(KINEMORPH_COMMAND).parent_path() / "kinemorph-judge";
};

constexpr const char* kWheel =
    "#include <stdio.h>\n"
    "void (*mju_user_error)(const char*), (*mju_user_warning)(const char*);\n"
    "const char* mj_versionString(void) { return \"9.9.9\"; }\n"
    "int mj_version(void) { return 9009009; }\n"
    "void* mj_loadXML(const char* f, const void* v, char* e, int n) { return (void*)f; }\n"
    "void mj_deleteModel(void* m) {}\n"
    "void mj_printModel(const void* m, const char* f) { FILE* o = fopen(f, \"w\");\n"
    "  fprintf(o, \"  nv  3\\n  nbody  5\\n\"); fclose(o); }\n";

constexpr const char* kAnswer = "printf '\\0good\\n7 bodies, 6 degrees of freedom, 5 equalities'\n";

// The wheel of the environment that is active judges; not one that lies where the command runs.
TEST_F(TruthMujoco, TheUsersOwnWheelJudges) {
  WriteWheel(kWheel);
  const std::string said =
      "MuJoCo 9.9.9 accepts the file: 4 bodies, 3 degrees of freedom, 0 equalities";
  EXPECT_THAT(Verdict("VIRTUAL_ENV=$PWD/env"), HasSubstr(said));
  WriteFile(folder_ / "env/bin/python3", "");
  EXPECT_THAT(Verdict("PATH=$PWD/env/bin"), HasSubstr(said));
  for (const char* decoy : {"VIRTUAL_ENV=env", "PATH=env/bin"})
    EXPECT_THAT(Verdict(decoy), Not(HasSubstr("9.9.9"))) << decoy;
  // What is no library is passed over.
  WriteFile(folder_ / "env/lib/python3.11/site-packages/mujoco/libmujoco.so.9.9.9", "no library");
  EXPECT_THAT(Verdict("VIRTUAL_ENV=$PWD/env"), Not(HasSubstr("9.9.9")));
}

TEST_F(TruthMujoco, NpmsJudgesWhereThereIsNoWheel) {
  WriteNode(kAnswer);
  EXPECT_EQ(Verdict("PATH=$PWD/env/bin NODE_OPTIONS='--require ./in.js'"),
            "MuJoCo 8.8.8 (npm) accepts the file: 7 bodies, 6 degrees of freedom, 5 equalities\n");
  // The script is the judge's own; what comes from the file is data. The limit is in kB.
  const std::string words = FileText(folder_ / "words");
  EXPECT_THAT(words, StartsWith("--no-warnings\n--input-type=module\n--eval\n\nimport fs from"));
  EXPECT_THAT(words,
              testing::EndsWith(
                  "\n--\n" + (folder_ / "env/lib/node_modules/@mujoco/mujoco/mujoco.js").string() +
                  "\n[]\n2097152\n"));
  EXPECT_THAT(FileText(folder_ / "input"),
              StartsWith((folder_ / "in.xml").string() + '\0' + "<mujoco>"));
  EXPECT_EQ(Shell("ls", folder_.path()).out, "env\nin.xml\ninput\nwords\n") << "no copy";

  WriteNode("printf '\\0bad\\nNo such thing\\nline 3'\n");
  EXPECT_EQ(Verdict("PATH=$PWD/env/bin"),
            "MuJoCo 8.8.8 (npm) refuses the file:\n    No such thing\nline 3\n");
  WriteNode("printf '\\0large\\n'\n");
  EXPECT_THAT(Verdict("PATH=$PWD/env/bin"), HasSubstr("needs more memory"));

  fs::remove(folder_ / "words");
  WriteWheel(kWheel);
  EXPECT_THAT(Verdict("VIRTUAL_ENV=$PWD/env PATH=$PWD/env/bin"), StartsWith("MuJoCo 9.9.9 "));
  EXPECT_FALSE(fs::exists(folder_ / "words")) << "node was run";
}

TEST_F(TruthMujoco, NpmsPackageIsFoundWhereNpmPutsIt) {
  WriteNode(kAnswer);
  fs::create_directories(folder_ / "links");
  fs::create_symlink(folder_ / "env/bin/node", folder_ / "links/node");
  EXPECT_THAT(Verdict("PATH=$PWD/links"), StartsWith("MuJoCo 8.8.8 (npm)"));
  fs::rename(folder_ / "env/lib/node_modules", folder_ / "env/elsewhere");
  EXPECT_THAT(Verdict("PATH=$PWD/links"), Not(HasSubstr("8.8.8")));
  EXPECT_THAT(Verdict("PATH=$PWD/links NODE_PATH=$PWD/none:$PWD/env/elsewhere"),
              StartsWith("MuJoCo 8.8.8 (npm)"));
}

// A stranger's folder, in which the command runs, may hold all of these.
TEST_F(TruthMujoco, NothingIsRunByARelativePath) {
  WriteNode(kAnswer);
  WriteProgram("node", FileText(folder_ / "env/bin/node"));
  for (const char* folder : {"lib/node_modules", "node_modules", "bare/node_modules"})
    WritePackage(folder);
  fs::create_directories(folder_ / "bare/bin");
  fs::rename(folder_ / "env/bin/node", folder_ / "bare/bin/node");
  for (const char* decoy :
       {"PATH=env/bin", "PATH=", "PATH=.", "PATH=:$PWD/none", "PATH=bare/bin:bin",
        "PATH=$PWD/bare/bin", "PATH=$PWD/bare/bin NODE_PATH=node_modules:.:"})
    EXPECT_THAT(Verdict(decoy), Not(HasSubstr("8.8.8"))) << decoy;
}

// A node that crashes, is of another kind or does not end is no word about the file.
TEST_F(TruthMujoco, AnotherJudgesWhereNpmsGivesNoAnswer) {
  WriteFile(folder_ / "in.xml", std::string(kGood) + "<!--" + std::string(300'000, 'x') + " -->");
  const std::string installed = Verdict("PATH=");
  for (const char* way : {"kill -SEGV $$\n", "exit 1\n", "exit 0\n", "echo 7 bodies\n",
                          "printf '\\0good'\n", "printf '\\0better\\n7 bodies'\n",
                          "printf '\\0good\\n7 bodies'; exit 3\n", "exec /bin/sleep 1000\n"}) {
    WriteNode(way);
    // It does not even read what it is given.
    if (std::string(way) == "exit 1\n")
      WriteProgram("env/bin/node", "#!/bin/sh\nexec <&-\n/bin/sleep 0.3\nexit 1\n");
    const std::string said = Verdict("PATH=$PWD/env/bin");
    EXPECT_THAT(said, StartsWith("MuJoCo 8.8.8 (npm) gives no answer; ")) << way;
    EXPECT_THAT(said, testing::EndsWith(installed.starts_with("MuJoCo ")
                                            ? installed
                                            : std::string("there is no other MuJoCo (python3 -m "
                                                          "pip install mujoco)\n")))
        << way;
  }
}

// npm's own package, which the other tests with MuJoCo 3 use too.
class TruthNpm : public TruthMujoco {
 protected:
  void SetUp() override {
    TruthMujoco::SetUp();
    if (IsSkipped()) return;
    const fs::path modules =
        fs::path(kinemorph::test::SourceDir()) / "tests/oracle/mjwasm/node_modules";
    if (!fs::exists(modules / "@mujoco/mujoco"))
      GTEST_SKIP() << "run: npm --prefix tests/oracle/mjwasm ci --ignore-scripts";
    std::string node = Shell("command -v node", folder_.path()).out;
    if (node.empty()) GTEST_SKIP() << "node is not installed";
    node.pop_back();
    // Where no python3 stands beside it.
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(node, folder_ / "bin/node");
    variables_ = "PATH=$PWD/bin NODE_PATH='" + modules.string() + "'";
    WriteFile(folder_ / "meshes/m.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    accepted_ = "MuJoCo 3.14.0 (npm) accepts the file";
  }

  static std::string WithMesh(const std::string& mesh, const std::string& compiler = "") {
    return "<mujoco><compiler " + compiler + "/><asset><mesh name='m' file='" + mesh +
           "'/></asset><worldbody><body><joint/><geom size='1'/><geom type='mesh' mesh='m'/>"
           "</body></worldbody></mujoco>";
  }

  std::string VerdictOf(const std::string& text) {
    WriteFile(folder_ / "robot/in.xml", text);
    return Verdict(variables_, "robot/in.xml");
  }

  std::string variables_, accepted_;
};

TEST_F(TruthNpm, AGoodFileIsAccepted) {
  EXPECT_EQ(VerdictOf(kGood), accepted_ + ": " + kCounts + "\n");
}

TEST_F(TruthNpm, ABadFileIsRefusedWithItsWords) {
  EXPECT_EQ(VerdictOf("<mujoco><worldbody><body name='a'><joint/></body></worldbody></mujoco>"),
            "MuJoCo 3.14.0 (npm) refuses the file:\n    Error: mass and inertia of moving bodies "
            "must be larger than mjMINVAL\nElement name 'a', id 1, line 3\n");
}

TEST_F(TruthNpm, ItTakesTheMeshesThatTheFileNames) {
  const std::string absolute = (folder_ / "meshes").string();
  for (const auto& [mesh, compiler] : {std::pair<std::string, std::string>{"../meshes/m.obj", ""},
                                       {"m.obj", "meshdir='../meshes'"},
                                       {"m.obj", "meshdir='../meshes/'"},
                                       {"m.obj", "meshdir='" + absolute + "'"},
                                       {absolute + "/m.obj", "meshdir='none'"}})
    EXPECT_EQ(VerdictOf(WithMesh(mesh, compiler)), accepted_ + ": " + kCounts + "\n")
        << mesh << ' ' << compiler;
  WriteFile(folder_ / "robot/picture.png", "no picture");
  EXPECT_THAT(VerdictOf("<mujoco><compiler texturedir='.'/><asset><texture name='t' type='2d' "
                        "file='picture.png'/></asset></mujoco>"),
              AllOf(StartsWith("MuJoCo 3.14.0 (npm) refuses"), HasSubstr("picture.png")));
  EXPECT_EQ(VerdictOf(WithMesh("gone.obj")),
            accepted_ + " without its 1 missing mesh: " + kCounts + "\n");
  // Outside of the fence it is as if it were not there.
  WriteFile(folder_ / "robot/in.xml", WithMesh("../meshes/m.obj"));
  EXPECT_EQ(Verdict(variables_, "robot/in.xml $PWD/robot"),
            accepted_ + " without its 1 missing mesh: " + kCounts + "\n");
}

TEST_F(TruthNpm, WordsThatItIsTooOldForAreANote) {
  EXPECT_EQ(VerdictOf("<mujoco><worldbody><body colour='red'><joint/><geom size='1'/></body>"
                      "</worldbody></mujoco>"),
            "MuJoCo 3.14.0 (npm) accepts the mechanics only, as it is too old for the file (XML "
            "Error: Schema violation: "
            "unrecognized attribute: 'colour'): " +
                std::string(kCounts) + "\n");
  EXPECT_EQ(VerdictOf("<mujoco><visual><headlight active='auto'/></visual></mujoco>"),
            accepted_ + " without active: 0 bodies, 0 degrees of freedom, 0 equalities\n");
}

// It is not given what a file includes, and does not know whether that is good.
TEST_F(TruthNpm, AFileOfSeveralIsNotItsOwn) {
  WriteFile(folder_ / "robot/part.xml", kGood);
  EXPECT_THAT(
      VerdictOf("<mujoco><include file='part.xml'/></mujoco>"),
      AllOf(StartsWith("MuJoCo 3.14.0 (npm) gives no answer; "), Not(HasSubstr("refuses"))));
}

// As kinemorph asks: one judge for all files, and with a limit of the addresses.
TEST_F(TruthNpm, ItJudgesWhatIsConverted) {
  for (const char* limit : {"", " --memory 3000"}) {
    const CommandResult result =
        Shell("env -i " + variables_ + " " KINEMORPH_COMMAND " convert in.xml -o out.xml --verify" +
                  limit,
              folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr(accepted_ + ": " + kCounts + " [verify-accepted]")) << limit;
  }
  WriteFile(folder_ / "ask", "cd '" + folder_.path().string() +
                                 "'\nunset VIRTUAL_ENV HOME\nexport " + variables_ + "\nexec '" +
                                 judge_.string() + "' --standing\n");
  tools::StandingProgram standing({"/bin/sh", (folder_ / "ask").string()});
  // MuJoCo 2 has no such option, and would judge the mechanics alone.
  const auto large = [](const std::string& what) {
    return "<mujoco><option actuatorgroupdisable='1'/>" + what + std::string(kGood).substr(8);
  };
  WriteFile(folder_ / "users.xml", large("<size nuser_body='400000000'/>"));
  WriteFile(folder_ / "field.xml", large("<asset><hfield name='h' nrow='100000' ncol='100000' "
                                         "size='1 1 1 1'/></asset>"));
  for (const std::string file : {"in.xml", "users.xml", "field.xml", "in.xml"}) {
    const auto answer = standing.Ask({"mjcf", (folder_ / file).string()}, 60);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->output, file == "in.xml" ? accepted_ + ": " + kCounts + "\n"
                                               : "the library needs more memory than it may have\n")
        << file;
  }
}

}  // namespace
}  // namespace kinemorph::test
