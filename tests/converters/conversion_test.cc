// Conversions as a whole, and the codes and JSON of what they say.

#include "conversion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "convert_text.h"
#include "kinemorph/converters/codes.h"
#include "kinemorph/converters/json.h"
#include "paths.h"
#include "pipeline/asset_names.h"

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
  request.judge = [&](const Target& target, const Bundle& written, Diagnostics&) {
    EXPECT_EQ(target.format->name, "urdf+");
    EXPECT_THAT(written.text, HasSubstr("<loop "));
    return ++asked > 0;
  };
  const ConversionResult result = ConvertText(TextOf(kFourBar), request);
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
      const ConversionResult result = ConvertText(TextOf(entry.path()), request);
      EXPECT_EQ(result.end, ConversionEnd::kDone)
          << request.in << " -> " << to << (result.proof ? result.proof->line : "");
    }
  }
}

// One model out of a world: what the rest of the world holds is not missed, its gravity is kept.
TEST(Conversion, TheModelThatIsAskedForIsProvedAlone) {
  const auto model = [](const std::string& name, const std::string& inside) {
    return "<model name='" + name + "'><link name='base'><inertial><mass>2</mass></inertial>" +
           inside +
           "</link><link name='arm'><pose>0 0 1 0 0 0</pose><inertial><mass>1</mass><inertia>"
           "<ixx>1</ixx><iyy>1</iyy><izz>3</izz></inertia></inertial></link><joint name='hinge' "
           "type='revolute'><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis>"
           "</joint></model>";
  };
  const std::string visual =
      "<visual name='v'><geometry><box><size>1 1 1</size></box></geometry></visual>";
  const std::string world = "<sdf version='1.9'><world name='w'><gravity>0 0 -10</gravity>" +
                            model("hangar", visual) + model("robot", "") + "</world></sdf>";
  for (const char* to : {"urdf", "urdf+", "sdf", "mjcf", "mbs"}) {
    SCOPED_TRACE(to);
    ConversionRequest request;
    request.in = "world.sdf", request.to = to, request.verify = true;
    request.options.model = "robot";
    const ConversionResult result = ConvertText(world, request);
    ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
    EXPECT_EQ(result.files.text.find("hangar"), std::string::npos);
    Diagnostics reading;
    ReadOptions read;
    read.file_name = "world.sdf";
    const auto a = ReadModel(world, nullptr, read, reading);
    read.file_name = "robot";
    std::string version;
    const auto b = ReadModel(result.files.text, FindFormat(to, version), read, reading);
    ASSERT_TRUE(a && b);
    if (to == std::string("mjcf") || to == std::string("mbs")) {
      EXPECT_EQ(b->gravity.value_or(Vector3::Zero()).z(), -10);
    }
    VerifyOptions verify;
    verify.model = "robot";
    EXPECT_EQ(VerifyEquivalent(*a, *b, verify).line, result.proof->line);
    verify.model = "nobody";
    EXPECT_THAT(VerifyEquivalent(*a, *b, verify).line, HasSubstr("'nobody' is not a model of A"));
    EXPECT_EQ(VerifyEquivalent(*a, *b).verdict, Verdict::kDifferent);
  }
}

// A block that hangs on nothing says whom it means; one on a link hangs on that link.
TEST(Conversion, WhomAGazeboBlockMeansIsCompared) {
  const auto robot = [](const std::string& link, const std::string& nobody) {
    return "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent "
           "link='a'/><child link='b'/></joint><gazebo reference='" +
           link + "'><mu1>1</mu1></gazebo><gazebo reference='" + nobody +
           "'><mu2>1</mu2></gazebo></robot>";
  };
  const auto verdict = [](const std::string& a, const std::string& b) {
    Diagnostics reading;
    const auto x = ReadText(a, "a.urdf", reading), y = ReadText(b, "b.urdf", reading);
    return x && y ? VerifyEquivalent(*x, *y).verdict : Verdict::kExcept;
  };
  EXPECT_EQ(verdict(robot("a", "x"), robot("a", "x")), Verdict::kEquivalent);
  EXPECT_EQ(verdict(robot("a", "x"), robot("b", "x")), Verdict::kDifferent);
  EXPECT_EQ(verdict(robot("a", "x"), robot("a", "y")), Verdict::kDifferent);
}

// Neither proved nor refuted: no loop of theirs closes, and URDF+ splits their joints.
TEST(Conversion, WhatClosesNowhereIsNotSaidToDiffer) {
  const fs::path folder = fs::path(SourceDir()) / "fixtures/invalid/found";
  for (const char* name :
       {"roundtrip-loops-that-never-close.urdf", "roundtrip-universals-that-never-close.urdf"}) {
    ConversionRequest request;
    request.in = name;
    request.to = "urdf+";
    request.verify = true;
    const ConversionResult result = ConvertText(TextOf(folder / name), request);
    EXPECT_EQ(result.end, ConversionEnd::kBadInput);
    EXPECT_EQ(result.files.text, "");
    const auto& items = result.diagnostics.items();
    const auto unclosed = std::find_if(items.begin(), items.end(), [](const Diagnostic& item) {
      return item.code == "verify-unclosed";
    });
    ASSERT_NE(unclosed, items.end());
    EXPECT_EQ(unclosed->file, name);
    EXPECT_GT(unclosed->line, 0);
    EXPECT_FALSE(std::any_of(items.begin(), items.end(),
                             [](const auto& i) { return i.code == "verify-failed"; }));
  }
}

// Names of shapes are the text of elements in MBS, where space around them is no part of them.
TEST(Conversion, SpaceAroundTheNameOfAShapeIsToldToMbs) {
  ConversionRequest request;
  request.in = "m.sdf";
  request.to = "mbs";
  request.verify = true;
  const ConversionResult result = ConvertText(
      "<sdf version='1.11'><model name='m'><link name='a'><visual name=' v '><geometry><sphere>"
      "<radius>1</radius></sphere></geometry></visual></link></model></sdf>",
      request);
  EXPECT_EQ(result.end, ConversionEnd::kDone);
  EXPECT_TRUE(std::ranges::any_of(result.report.names, [](const NameChange& change) {
    return change.from == " v " && change.to == "_v_";
  }));
}

TEST(Conversion, AnotherMassIsADifferenceWhereNothingClosesToo) {
  std::string text = TextOf(fs::path(SourceDir()) /
                            "fixtures/invalid/found/roundtrip-loops-that-never-close.urdf");
  const auto read = [&] {
    Diagnostics diagnostics;
    return *ReadModel(text, FindFormat("urdf+"), {}, diagnostics);
  };
  const Model a = read();
  const std::size_t mass = text.find("<mass value=\"") + 13;
  text.insert(mass, "1");
  const VerifyResult result = VerifyEquivalent(a, read());
  EXPECT_EQ(result.verdict, Verdict::kDifferent);
  EXPECT_FALSE(DiffersOnlyOpen(result));
  EXPECT_FALSE(DiffersOnlyOpen(VerifyEquivalent(a, a)));
}

// An MBS file is rewritten; what its reader knows nothing of is lost by name, and that is all that
// its text may lack.
TEST(Conversion, WhatNobodyReadsInAnMbsFileIsLostByName) {
  const std::string whole =
      TextOf(fs::path(SourceDir()) / "fixtures/accounting/hung_on_everything.mbs");
  const auto converted = [&](std::string_view before, const std::string& added) {
    std::string text = whole;
    text.insert(text.find(before), added);
    ConversionRequest request;
    request.in = request.out = "hung.mbs";
    request.verify = true;
    return ConvertText(text, request);
  };
  const std::string parameter =
      "<parameter><name>foo</name><type>scalar</type><value>3</value></parameter>";
  const std::string user = "<user_model><name>mine</name>" + parameter + "</user_model>";
  struct Case {
    std::string_view before;
    std::string added;
    std::size_t losses;
  };
  for (const Case& each :
       {Case{"<mass>1.2</mass>", "<foo>3</foo>", 1}, Case{"<jointname>rod_joint", "calibration", 1},
        Case{"<parameter><name>form_mimic", parameter, 1},
        Case{"<parameter><name>damping", parameter, 1}, Case{"</user_models>", user, 0},
        Case{"<user_model>\n      <name>dial_gear", user, 0}}) {
    SCOPED_TRACE(each.added);
    const ConversionResult result = converted(each.before, each.added);
    EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
    EXPECT_EQ(result.report.losses.size(), each.losses);
    if (each.added == "calibration") {
      EXPECT_EQ(result.report.losses.at(0).weight, Weight::kLooks);
    }
    const auto& items = result.diagnostics.items();
    EXPECT_EQ(std::count_if(items.begin(), items.end(),
                            [](const Diagnostic& item) { return item.code == "not-used"; }),
              std::ssize(result.report.losses));
  }
}

// The order of the bodies numbers the joints that the user's own code means.
TEST(Conversion, AnMbsFileKeepsTheOrderOfItsBodies) {
  std::string text = TextOf(fs::path(SourceDir()) / "fixtures/accounting/hung_on_everything.mbs");
  const std::string anchor = "<pointname>dial_foot</pointname></parent>";
  text.replace(text.find(anchor), anchor.size(), "<pointname>origin</pointname></parent>");
  ConversionRequest request;
  request.in = request.out = "hung.mbs";
  request.verify = true;
  const ConversionResult result = ConvertText(text, request);
  EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  EXPECT_LT(result.files.text.find("<bodyname>rocker<"), result.files.text.find("<bodyname>dial<"));
}

// A form that is said not to hold, or numbers for other joints than those of the equation, make no
// coupling of ours: they are kept as they stand.
TEST(Conversion, NumbersThatDoNotFitTheEquationAreSomebodyElses) {
  const std::string whole =
      TextOf(fs::path(SourceDir()) / "fixtures/accounting/hung_on_everything.mbs");
  for (const auto& [before, after] :
       {std::pair("<name>form_mimic</name><type>scalar</type><value>1.0",
                  "<name>form_mimic</name><type>scalar</type><value>0.0"),
        std::pair("<name>k_dial_joint</name>", "<name>theirs</name>")}) {
    SCOPED_TRACE(after);
    std::string text = whole;
    text.replace(text.find(before), std::string_view(before).size(), after);
    ConversionRequest request;
    request.in = request.out = "hung.mbs";
    request.verify = true;
    const ConversionResult result = ConvertText(text, request);
    EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
    EXPECT_EQ(result.source.couplings, 0u);
    EXPECT_THAT(result.files.text, HasSubstr("form_mimic"));
  }
}

// What floats stands on its lowest shape: a mesh is looked into under the name that it had.
TEST(Conversion, ASceneFindsTheMeshesThatMove) {
  const std::string tetrahedron =
      "v 0 0 -0.75\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const MemoryResolver files(std::map<std::string, std::string>{{"foot.obj", tetrahedron}});
  ConversionRequest request;
  request.in = "foot.urdf", request.out = "foot.xml", request.scene = true;
  request.options.base = BaseChoice::kFloating;
  request.resolver = &files;
  request.asset_name = [](const std::string& path) { return "meshes/its_" + path; };
  const ConversionResult result = ConvertText(
      "<robot name='foot'><link name='foot'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh filename='foot.obj'/>"
      "</geometry></collision></link></robot>",
      request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  EXPECT_THAT(result.files.text, HasSubstr("meshes/its_foot.obj"));
  ASSERT_EQ(result.files.side_files.size(), 1u);
  EXPECT_THAT(result.files.side_files[0].text, HasSubstr("qpos=\"0 0 0.751 1 0 0 0\""));
}

constexpr const char* kDressed = R"(<mujoco model="dressed"><compiler assetdir="assets"/>
<asset><hfield name="h" file="h.bin" size="1 1 0.1 0.1"/><texture name="sky" type="skybox" fileup="t.png" filedown="t.png"/></asset>
<worldbody><geom type="hfield" hfield="h"/><body name="arm"><joint name="a"/><geom size="0.1" mass="1"/></body></worldbody>
<deformable><skin name="s" file="s.skn"/></deformable></mujoco>)";

TEST(Conversion, FilesAreLocatedUnreadAndMissedWithAReason) {
  struct Unread : MemoryResolver {
    using MemoryResolver::MemoryResolver;
    std::optional<Resource> Open(std::string_view uri, std::string_view,
                                 std::string&) const override {
      ADD_FAILURE() << uri << " is read";
      return std::nullopt;
    }
  };
  const std::map<std::string, std::string> texts = {{"m/a.stl", "solid"}};
  const Unread files(texts);
  ConversionRequest request;
  request.in = "r.urdf", request.resolver = &files;
  AssetNames names(request);
  std::string why;
  EXPECT_EQ(names.Locate("m/a.stl", "", why), "m/a.stl");
  Model empty;
  names.Rename(empty, {});  // from here on by names of the target, of which there are none
  for (const bool open : {true, false}) {
    why.clear();
    EXPECT_FALSE(open ? names.Open("m/a.stl", "", why).has_value()
                      : names.Locate("m/a.stl", "", why).has_value());
    EXPECT_EQ(why, "not found");
  }
}

// What only MuJoCo reads names files too.
TEST(Conversion, FilesOfTexturesHeightFieldsAndSkinsGetTheirNameInTheTarget) {
  const MemoryResolver files(std::map<std::string, std::string>{
      {"assets/h.bin", "h"}, {"assets/t.png", "t"}, {"assets/s.skn", "s"}});
  ConversionRequest request;
  request.in = "dressed.xml", request.out = "o.xml", request.verify = true;
  request.resolver = &files;
  request.asset_name = [](const std::string& path) { return "copies/" + path; };
  const ConversionResult result = ConvertText(kDressed, request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  for (const char* file : {R"(file="copies/assets/h.bin")", R"(fileup="copies/assets/t.png")",
                           R"(filedown="copies/assets/t.png")", R"(file="copies/assets/s.skn")"})
    EXPECT_THAT(result.files.text, HasSubstr(file));
}

TEST(Conversion, ASiteMayBeCalledWorldInMjcf) {
  ConversionRequest request;
  request.in = "hung.xml", request.out = "o.xml";
  const ConversionResult result = ConvertText(
      R"(<mujoco><worldbody><site name="world"/><body name="b"><joint name="j"/><geom size="0.1"/><site name="b"/></body></worldbody>
<tendon><spatial><site site="world"/><site site="b"/></spatial></tendon></mujoco>)",
      request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  EXPECT_THAT(result.files.text, HasSubstr("<site name=\"world\""));
}

// dm_control takes the mark for its own.
TEST(Conversion, NamesOfOtherFormatsLoseTheirSlashesInMjcfAndThisIsTold) {
  ConversionRequest request;
  request.in = "named.urdf", request.out = "o.xml";
  const ConversionResult result = ConvertText(
      "<robot name='named'><link name='a/b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual name='v/w'><geometry><box size='1 1 1'/>"
      "</geometry><material name='paint/red'><color rgba='1 0 0 1'/></material></visual></link>"
      "</robot>",
      request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  EXPECT_THAT(result.files.text, HasSubstr("body name=\"a_b\""));
  EXPECT_THAT(result.files.text, HasSubstr("material=\"paint_red\""));
  EXPECT_THAT(result.files.text, testing::Not(HasSubstr("paint/red")));
  const auto& changes = result.report.names;
  EXPECT_TRUE(std::any_of(changes.begin(), changes.end(), [](const NameChange& change) {
    return change.from == "paint/red" && change.to == "paint_red";
  }));
}

TEST(Conversion, ASceneSaysWhereNothingCanTouchTheFloor) {
  ConversionRequest request;
  request.in = "ghost.urdf", request.out = "ghost.xml", request.scene = true;
  request.options.base = BaseChoice::kFloating;
  const std::string link =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial><visual><geometry><sphere radius='1'/></geometry></visual>";
  const auto said = [&](const std::string& more) {
    const ConversionResult result = ConvertText(
        "<robot name='ghost'><link name='body'>" + link + more + "</link></robot>", request);
    EXPECT_EQ(result.end, ConversionEnd::kDone);
    return Rendered(result.diagnostics, Severity::kNote);
  };
  EXPECT_THAT(said(""), HasSubstr("[scene-no-contact]"));
  EXPECT_THAT(said("<collision><geometry><sphere radius='1'/></geometry></collision>"),
              testing::Not(HasSubstr("[scene-no-contact]")));
}

TEST(Conversion, NothingComesOutWhereItMustNot) {
  ConversionRequest request;
  request.out = "four_bar.urdf";
  request.to = "urdf";
  request.options.target.options.loops = LoopChoice::kNone;
  request.strict = Weight::kMotion;
  EXPECT_EQ(ConvertText(TextOf(kGeneral), request).end, ConversionEnd::kWouldLose);
  EXPECT_EQ(ConvertText(TextOf(kGeneral), request).files.text, "");
  request.options.drop = {Feature::kLoopRevolute, Feature::kGravity};
  EXPECT_EQ(ConvertText(TextOf(kGeneral), request).end, ConversionEnd::kDone);
  EXPECT_EQ(ConvertText("<robot", request).end, ConversionEnd::kBadInput);
  request.to = "urdff";
  const ConversionResult wrong = ConvertText(TextOf(kFourBar), request);
  EXPECT_EQ(wrong.end, ConversionEnd::kWrongUse);
  EXPECT_THAT(wrong.diagnostics.items().back().message, HasSubstr("did you mean 'urdf'?"));
  request.verify = true;
  request.to = "urdf+";
  request.options.target.options.loops.reset();
  request.judge = [](const Target&, const Bundle&, Diagnostics&) { return false; };
  EXPECT_EQ(ConvertText(TextOf(kFourBar), request).end, ConversionEnd::kBadInput);
}

TEST(Conversion, FormatsHaveOtherNamesToo) {
  std::string version, why;
  EXPECT_EQ(FormatNamed("mujoco", version, why), FindFormat("mjcf"));
  EXPECT_EQ(FormatNamed("sdformat@1.11", version, why), FindFormat("sdf"));
  EXPECT_EQ(version, "1.11");
  EXPECT_EQ(FormatNamed("robotran", version, why), FindFormat("mbs"));
  EXPECT_EQ(FormatNamed("mjcg", version, why), nullptr);
  EXPECT_THAT(why, HasSubstr("'mjcg' is not a format; did you mean 'mjcf'?"));
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
  const ConversionResult result = ConvertText(
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
    const ConversionResult result = ConvertText(TextOf(entry.path()), request);
    for (const Diagnostic& message : result.diagnostics.items()) {
      EXPECT_NE(FindCode(message.code), nullptr) << message.code;
      ++messages;
    }
  }
  EXPECT_GT(messages, 30u);
}

// libsdformat refuses the file otherwise.
TEST(Conversion, ColoursOfKeptContentAreWithinZeroAndOne) {
  for (const auto& [colour, kept] : {std::pair("0 0 0 1", true),
                                     {"1 1 1 0", true},
                                     {"1.1 0 0 1", false},
                                     {"0 0 -0.1 1", false}}) {
    ConversionRequest request;
    request.to = "sdf";
    const ConversionResult result = ConvertText(
        "<sdf version='1.9'><model name='r'><link name='base'><inertial><mass>1</mass><inertia>"
        "<ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial><light name='l' type='point'>"
        "<diffuse>" +
            std::string(colour) + "</diffuse></light></link></model></sdf>",
        request);
    ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
    EXPECT_EQ(result.files.text.find("<diffuse>" + std::string(colour)) != std::string::npos, kept)
        << colour;
    EXPECT_EQ(result.report.losses.empty(), kept) << colour;
  }
}

TEST(Json, MessagesOfEveryKindSayTheSame) {
  const Diagnostic message = {
      Severity::kWarning, "zero-axis", "a,b.xml", 7, "", "joint 'j': 50% of it: no axis", {"help"}};
  const json line = json::parse(MessageJson(message));
  EXPECT_EQ(line["severity"], "warning");
  EXPECT_EQ(line["notes"][0], "help");
  EXPECT_FALSE(line.contains("quantities"));
  Diagnostic open = message;
  open.quantities = {{"gap", 0.021234567, {}}, {"least", INFINITY, {}}, {"mass", 3, "kg"}};
  EXPECT_EQ(json::parse(MessageJson(open))["quantities"].dump(),
            R"({"gap":{"value":0.021234567},"mass":{"unit":"kg","value":3.0}})");
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
