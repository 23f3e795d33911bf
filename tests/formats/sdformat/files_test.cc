// Worlds, includes, versions.
#include "native_xml.h"
#include "sdf_text.h"

namespace kinemorph::test {
namespace {

std::string InWorld(const std::string& content, const std::string& version = "1.9") {
  return "<sdf version=\"" + version + "\"><world name=\"w\">\n" + content + "</world></sdf>";
}
std::string ModelText(const std::string& name, const std::string& content = LinkText("l")) {
  return "<model name='" + name + "'>" + content + "</model>\n";
}
const std::string kConfig =
    "<model><name>box</name><sdf version='1.4'>old.sdf</sdf><sdf version='1.9'>model.sdf</sdf><sdf "
    "version='2.0'>future.sdf</sdf></model>";

TEST(SdfFiles, AWorldOfSeveralModelsPrefixesNames) {
  const Model m = Read(InWorld("<gravity>0 0 -3.7</gravity>" + ModelText("a") + ModelText("b")));
  EXPECT_EQ(m.name, "w");
  EXPECT_EQ(*m.gravity, Vector3(0, 0, -3.7));
  EXPECT_TRUE(m.FindLink("a::l") && m.FindLink("b::l"));
  ASSERT_EQ(m.scopes.size(), 3u);
  EXPECT_TRUE(m.scopes[0].is_world);
}

TEST(SdfFiles, TheOnlyModelOfAWorldDoesNot) {
  const Model m = Read(InWorld("<light name='sun' type='directional'/>" + ModelText("a")));
  EXPECT_EQ(m.name, "a");
  EXPECT_TRUE(m.FindLink("l"));
  EXPECT_EQ(m.scopes[0].native.at(0).element, "light");
}

TEST(SdfFiles, GravityStoodInPhysicsUpTo15) {
  const Model m = Read(
      InWorld("<physics type='ode'><gravity>0 0 -1</gravity></physics>" + ModelText("a"), "1.5"));
  EXPECT_EQ(*m.gravity, Vector3(0, 0, -1));
}

TEST(SdfFiles, JointsAndFramesOfAWorld) {
  const Model m =
      Read(InWorld(ModelText("a") + ModelText("b", "<pose>1 0 0 0 0 0</pose>" + LinkText("l")) +
                       "<frame name='f' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>"
                       "<joint name='j' type='fixed'><parent>f</parent><child>b::l</child></joint>",
                   "1.10"));
  const JointId j = JointNamed(m, "j");
  EXPECT_EQ(m.link(m.predecessor(j)).name, "a::l");
  EXPECT_EQ(m.joint(j).X_PF.p, Vector3(1, 0, 0));
  EXPECT_EQ(m.num_joints(), 2u);  // j and one floating base for both
}

// A small world of many includes of a large file would become a large model for each of them.
TEST(SdfFiles, WhatIsIncludedAgainAndAgainIsBounded) {
  Files files;
  files["big.sdf"] = "<sdf version='1.9'>" +
                     ModelText("big", LinkText("l") + "<!--" + std::string(1 << 20, ' ') + "-->") +
                     "</sdf>";
  std::string includes;
  for (int i = 0; i < 18; ++i)
    includes += "<include><uri>big.sdf</uri><name>n" + std::to_string(i) + "</name></include>\n";
  EXPECT_EQ(Errors(InWorld(includes), files), "");
  for (int i = 18; i < 21; ++i)
    includes += "<include><uri>big.sdf</uri><name>n" + std::to_string(i) + "</name></include>\n";
  EXPECT_EQ(Errors(InWorld(includes), files),
            "m.sdf:21: error: 'big.sdf' is not included: files that are included more than once "
            "would take more than 300 MB of memory [include-too-large]\n"
            "m.sdf:22: error: 'big.sdf' is not included: files that are included more than once "
            "would take more than 300 MB of memory [include-too-large]\n");
}

// By what is made of it too, not by its length alone.
TEST(SdfFiles, WhatManyElementsIncludeIsBounded) {
  std::string links;
  for (int i = 0; i < 1000; ++i) links += "<link name='" + std::to_string(i) + "'/>";
  Files files;
  files["big.sdf"] = "<sdf version='1.9'>" + ModelText("big", links) + "</sdf>";
  std::string includes;
  for (int i = 0; i < 200; ++i)
    includes += "<include><uri>big.sdf</uri><name>n" + std::to_string(i) + "</name></include>\n";
  EXPECT_NE(Errors(InWorld(includes), files).find("[include-too-large]"), std::string::npos);
}

TEST(SdfFiles, IncludeByModelConfig) {
  const Model m = Read(
      InWorld(
          "<include><uri>model://box</uri><name>first</name><pose>1 0 0 0 0 0</pose></include>\n"
          "<include><uri>model://box</uri><static>true</static></include>\n"),
      {{"model://box/model.config", kConfig},
       {"model://box/model.sdf", InModel("<pose>9 9 9 0 0 0</pose>" + LinkText("l"))}});
  EXPECT_EQ(PoseOf(m, "first::l").p, Vector3(1, 0, 0));
  EXPECT_EQ(PoseOf(m, "m::l").p, Vector3(9, 9, 9));
  EXPECT_TRUE(m.scopes[2].is_static);
  ASSERT_EQ(m.files.size(), 2u) << "a file is read once";
  EXPECT_EQ(m.FileName(m.link(LinkId{1}).where), "model://box/model.sdf");
}

TEST(SdfFiles, AnIncludedFileKeepsItsOwnVersion) {
  // 1.4: axes are in the model frame although the including file is 1.9.
  const std::string old = InModel(
      LinkText("l", "0 0 0 0 0 1.5707963267948966") +
          "<joint name='j' type='revolute'><parent>world</parent><child>l</child><axis><xyz>1 0 "
          "0</xyz></axis></joint>",
      "1.4");
  const Model m = Read(InModel("<include><uri>old.sdf</uri></include>"), {{"old.sdf", old}});
  EXPECT_EQ(std::get<Revolute>(m.joint(JointNamed(m, "m::j")).kind).axis, -Vector3::UnitY());
}

TEST(SdfFiles, MergeIncludeBringsLinksIntoTheModel) {
  const std::string arm =
      InModel(LinkText("hand", "0 0 1 0 0 0") +
              "<joint name='j' type='revolute'><parent>world</parent><child>hand</child><axis><xyz "
              "expressed_in='__model__'>1 0 0</xyz></axis></joint>");
  const Model m =
      Read(InModel(LinkText("base") +
                   "<include merge='true'><uri>arm.sdf</uri><pose relative_to='base'>0 0 0 0 0 "
                   "1.5707963267948966</pose></include>"
                   "<joint name='k' type='fixed'><parent>base</parent><child>hand</child></joint>"),
           {{"arm.sdf", arm}});
  EXPECT_TRUE(m.FindLink("hand"));
  EXPECT_EQ(m.scopes.size(), 1u);
  // __model__ is still the included model: turned with it.
  EXPECT_TRUE(Near(PoseOf(m, "hand").R * std::get<Revolute>(m.joint(JointNamed(m, "j")).kind).axis,
                   Vector3::UnitY()));
}

TEST(SdfFiles, IncludeWithPlacementFrame) {
  const std::string part = InModel(LinkText("l", "1 0 0 0 0 0"));
  const Model m =
      Read(InModel(LinkText("base") + "<include><uri>part.sdf</uri><pose>0 0 5 0 0 "
                                      "0</pose><placement_frame>l</placement_frame></include>"),
           {{"part.sdf", part}});
  EXPECT_EQ(PoseOf(m, "m::l").p, Vector3(0, 0, 5));
}

TEST(SdfFiles, AnIncludedLightIsTakenIn) {
  const Model m = Read(
      InWorld("<include><uri>sun.sdf</uri><name>moon</name><pose>0 0 9 0 0 0</pose></include>" +
              ModelText("a")),
      {{"sun.sdf",
        "<sdf version='1.9'><light name='sun' type='directional'><pose>1 1 1 0 0 "
        "0</pose></light></sdf>"}});
  EXPECT_NE(Xml(m.scopes[0].native.at(0)).find("<light name=\"moon\" type=\"directional\">"),
            std::string::npos);
  EXPECT_NE(Xml(m.scopes[0].native.at(0)).find("<pose>0 0 9 0 0 0</pose>"), std::string::npos);
}

TEST(SdfFiles, IncludesThatCannotBe) {
  EXPECT_EQ(Errors(InModel(LinkText("l") + "<include><uri>model://nowhere</uri></include>\n")),
            "m.sdf:3: error: 'model://nowhere' cannot be included: not found [include-not-found]\n "
            "   give the folder that holds it with "
            "--package NAME=DIR\n");
  EXPECT_EQ(Errors(InModel("<include><uri>a.sdf</uri></include>" + LinkText("l")),
                   {{"a.sdf", InModel(LinkText("l") + "<include><uri>b.sdf</uri></include>\n")},
                    {"b.sdf", InModel(LinkText("l") + "<include><uri>a.sdf</uri></include>\n")}}),
            "b.sdf:3: error: 'a.sdf' includes itself [include-cycle]\n    m.sdf -> a.sdf -> b.sdf "
            "-> a.sdf\n");
  EXPECT_EQ(Errors(InModel("<include><uri>a.urdf</uri></include>" + LinkText("l")),
                   {{"a.urdf", "<robot name='r'/>"}}),
            "m.sdf:2: error: 'a.urdf' is not an SDFormat file: its root element is <robot>; "
            "convert the URDF to SDFormat first "
            "[include-not-sdf]\n");
}

// Every file includes the next one twice: 2^40 models if nobody counts.
TEST(SdfFiles, AnIncludeBombEnds) {
  Files files;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".sdf";
    files["f" + std::to_string(i) + ".sdf"] = InModel(
        LinkText("l") + "<include><uri>" + next + "</uri><name>x</name></include><include><uri>" +
        next + "</uri><name>y</name></include>\n");
  }
  files["f40.sdf"] = InModel(LinkText("l"));
  EXPECT_NE(Errors(InModel("<include><uri>f0.sdf</uri></include>" + LinkText("l")), files)
                .find("[include-too-large]"),
            std::string::npos);
}

TEST(SdfFiles, ARemoteIncludeIsKeptUnresolved) {
  const ReadResult r = ReadText(InModel(
      LinkText("l") + "<include><uri>https://fuel.gazebosim.org/1.0/a/models/b</uri></include>\n"));
  EXPECT_EQ(r.Messages(Severity::kWarning),
            "m.sdf:3: warning: 'https://fuel.gazebosim.org/1.0/a/models/b' is on another machine "
            "and is not fetched; the <include> is kept "
            "unresolved [include-remote]\n    download it, and give the folder that holds 'b' with "
            "--package-path DIR\n");
  EXPECT_EQ(r.model->scopes[0].native.at(0).element, "include");
}

// A folder that holds models by their names, or what Gazebo has downloaded.
TEST(SdfFiles, AModelOfThePublicCollectionIsReadFromAFolder) {
  const std::string config = "<model><sdf version='1.9'>model.sdf</sdf></model>";
  for (const auto& [folder, uri] :
       {std::pair("Oak tree", "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Oak%20tree"),
        {"oak", "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Oak"},
        {"fuel.gazebosim.org/openrobotics/models/oak/2",
         "fuel://fuel.gazebosim.org/1.0/OpenRobotics/models/Oak/2"}}) {
    const std::string at = folder;
    const ReadResult r = ReadText(
        InModel(LinkText("l") + "<include><name>tree</name><uri>" + uri + "</uri></include>\n"),
        {{"model://" + at + "/model.config", config},
         {"model://" + at + "/model.sdf", InModel(LinkText("trunk"))}});
    ASSERT_TRUE(r.model) << uri;
    EXPECT_TRUE(r.model->FindLink("tree::trunk")) << uri;
    EXPECT_THAT(r.Messages(Severity::kNote), testing::HasSubstr("[include-local]"));
  }
  // Without a version the newest that was downloaded, from any folder of what Gazebo keeps.
  for (const std::string kept :
       {"fuel.gazebosim.org/openrobotics/models/oak/", "openrobotics/models/oak/"}) {
    for (const char* uri : {"https://fuel.gazebosim.org/1.0/OpenRobotics/models/Oak",
                            "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Oak/tip"}) {
      std::map<std::string, std::string> files;
      for (const std::string version : {"2", "10", "9"}) {
        files["model://" + kept + version + "/model.config"] = config;
        files["model://" + kept + version + "/model.sdf"] = InModel(LinkText("v" + version));
      }
      const ReadResult r = ReadText(
          InModel(LinkText("l") + "<include><name>tree</name><uri>" + uri + "</uri></include>\n"),
          files);
      ASSERT_TRUE(r.model) << uri;
      EXPECT_TRUE(r.model->FindLink("tree::v10")) << uri;
    }
  }
  const ReadResult other = ReadText(
      InModel(LinkText("l") + "<include><uri>https://example.org/a.sdf</uri></include>\n"));
  EXPECT_EQ(other.Messages(Severity::kWarning).find("download it"), std::string::npos);
}

TEST(SdfFiles, Versions) {
  EXPECT_EQ(Warnings("<sdf version='1.13'><model name='m'>" + LinkText("l") + "</model></sdf>"),
            "m.sdf:1: warning: '1.13' is newer than SDFormat 1.12; read as 1.12 [sdf-version]\n");
  EXPECT_EQ(Warnings("<sdf version='1.3'><model name='m'>" + LinkText("l") + "</model></sdf>"),
            "m.sdf:1: warning: '1.3' is older than SDFormat 1.4; read as 1.4 [sdf-version]\n");
  EXPECT_EQ(Warnings("<sdf><model name='m'>" + LinkText("l") + "</model></sdf>"),
            "m.sdf:1: warning: 'sdf' has no version; read as SDFormat 1.9 [sdf-version]\n");
  EXPECT_EQ(Errors("<sdf version='new'><model name='m'>" + LinkText("l") + "</model></sdf>"),
            "m.sdf:1: error: 'new' is not an SDFormat version; read as 1.9 [sdf-version]\n");
}

TEST(SdfFiles, OnlyTheFirstModelOfAFileIsRead) {
  const ReadResult r = ReadText("<sdf version='1.9'><model name='a'>" + LinkText("l") +
                                "</model>\n<model name='b'>" + LinkText("l") + "</model></sdf>");
  EXPECT_EQ(r.Messages(Severity::kWarning),
            "m.sdf:3: warning: 'b' is a further model of the file; only the first is read, this "
            "one is kept as it is [several-roots]\n");
  EXPECT_EQ(r.model->num_links(), 2u);
  EXPECT_EQ(r.model->native.at(0).element, "model");
}

}  // namespace
}  // namespace kinemorph::test
