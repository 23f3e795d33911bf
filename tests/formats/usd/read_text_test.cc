// USD's text: what is read of its grammar, and what is refused with its line.
#include <chrono>

#include "read.h"

namespace kinemorph::test::usd {
namespace {

using testing::HasSubstr;

std::string Refused(const std::string& text) {
  const Read read = ReadStage(text);
  EXPECT_FALSE(read.model) << text;
  return read.said;
}

TEST(UsdText, AllOfTheGrammarThatAFlattenedStageHas) {
  const Read read = ReadStage(
      "#usda 1.0\n( \"\"\"a doc\nof lines\"\"\"\n customLayerData = { string creator = 'x';\n "
      "dictionary "
      "d = { int[] i = [1, 2]\n } }\n defaultPrim = \"r\"; metersPerUnit = 1\n upAxis = \"Z\"\n)\n"
      "/* a remark\n of lines */ // another\n"
      "class \"_class_r\" { custom int a = 1 }\n"
      "over \"else\" { def PhysicsFixedJoint \"k\" { } }\n"
      "def Xform \"r\" ( kind = \"component\"\n assetInfo = { asset id = @@@a@b@@@ }\n )\n{\n"
      "  reorder nameChildren = [\"a\"]\n"
      "  custom string s = '''it's \"\"\" so'''\n  string t = \"a \\\"b\\\" \\\\\"; string u = "
      "'c'\n"
      "  uniform token[] list = [\"a\", \"b\",]\n  asset file = @./x y.png@\n"
      "  double x.timeSamples = {\n    0: 1.5,\n    1: None,\n  }\n"
      "  float y = 1 ( doc = \"says\" )\n  matrix4d m = ( (1,0,0,0), (0,1,0,0), (0,0,1,0), "
      "(0,0,0,1) )\n"
      "  prepend rel more = [</r/a>, </r/b>]\n  rel none = None\n  delete rel none = </r/a>\n"
      "  token outputs:o\n  color3f inputs:c.connect = </r/a.outputs:o>\n"
      "  float[] empty = []\n  float low = -inf\n  float high = inf\n  float what = nan\n" +
      RigidBody("a") + "}\n");
  ASSERT_TRUE(read.model) << read.said;
  EXPECT_EQ(read.model->num_links(), 2u);
  EXPECT_THAT(read.said, HasSubstr("more are not used [not-used]"));
}

TEST(UsdText, ErrorsNameTheLine) {
  const std::string body = RigidBody("a");
  EXPECT_THAT(
      Refused(kHead + "def Xform \"r\"\n{\n    float x = (1, 2\n}\n"),
      HasSubstr("m.usda:10: error: '}' was found where ',' or ')' was expected [usd-syntax]"));
  EXPECT_THAT(Refused(kHead + "def Xform \"r\"\n{\n"), HasSubstr("the text ends where"));
  EXPECT_THAT(Refused(kHead + "def Xform r\n{\n}\n"), HasSubstr("m.usda:7"));
  EXPECT_THAT(Refused(kHead + "def Xform \"r\" {\n string s = \"open\n}\n"),
              HasSubstr("m.usda:8: error: '\"open' begins a string that does not end on its line"));
  EXPECT_THAT(Refused(kHead + "def Xform \"r\" { rel a = </r }\n"), HasSubstr("begins a path"));
  EXPECT_THAT(Refused(kHead + "def Xform \"r\" { asset a = @x }\n"), HasSubstr("name of a file"));
  EXPECT_THAT(Refused(kHead + "def Xform \"r\" { float a = $ }\n"),
              HasSubstr("is not a character"));
  EXPECT_THAT(Refused(Robot(body + body)), HasSubstr("two prims of one parent"));
  EXPECT_THAT(Refused("#usda 1.0\n"), HasSubstr("[usd-no-bodies]"));
  EXPECT_THAT(Refused(""), HasSubstr("error"));
  EXPECT_THAT(Refused(Robot("def Xform \"a/b\" { }\n")), HasSubstr("the name of a prim"));
}

TEST(UsdText, NumbersAreNumbers) {
  const auto mass = [](const std::string& value) {
    return ReadStage(
        Robot("def \"a\" (\n apiSchemas = [\"PhysicsRigidBodyAPI\"]\n) {\n float "
              "physics:mass = " +
              value + "\n float3 physics:diagonalInertia = (1, 1, 1)\n}\n"));
  };
  EXPECT_EQ(mass("2.5e-1").model->link(LinkId{1}).inertial->mass, 0.25);
  EXPECT_EQ(mass("+.5").model->link(LinkId{1}).inertial->mass, 0.5);
  for (const char* bad : {"nan", "\"1\"", "1.2.3", "(1, 2)", "heavy", "1e"})
    EXPECT_THAT(mass(bad).said, HasSubstr("error")) << bad;
  EXPECT_THAT(mass("inf").said, HasSubstr("[usd-mass-missing]"));
}

TEST(UsdText, ABackslashMeansAControlCharacterOrANumber) {
  const auto name = [](const std::string& written) {
    const Read read = ReadStage(kHead + "def Xform \"r\" (\n displayName = \"" + written +
                                "\"\n)\n{\n" + RigidBody("a") + "}\n");
    EXPECT_TRUE(read.model) << read.said;
    return read.model ? read.model->name : "";
  };
  EXPECT_EQ(name(R"(\a\b\f\n\r\t\v)"), "\a\b\f\n\r\t\v");
  EXPECT_EQ(name(R"(\x41\x042\x4g)"), "A\0042\4g") << "two digits at most";
  EXPECT_EQ(name(R"(\101\0602\7.)"), "A02\7.") << "three digits at most";
  EXPECT_EQ(name(R"(\\n\"\q\xy\8)"), "\\n\"qxy8") << "others mean themselves";
}

TEST(UsdText, BinaryFormsThatAreNoneNameTheCommandThatMakesTextOfThem) {
  for (const std::string& start : {std::string("PXR-USDC\0\1", 10), std::string("PK\3\4\0", 5)}) {
    Diagnostics said;
    EXPECT_FALSE(ReadText(start + "</robot><robot>", "arm.usd", said));
    EXPECT_THAT(Rendered(said), HasSubstr("[usd-binary]"));
    EXPECT_THAT(Rendered(said), HasSubstr("usdcat --flatten arm.usd -o arm_flat.usda"));
  }
}

TEST(UsdText, HostileTextsEndSoonAndWithAnError) {
  const auto many = [](const std::string& piece, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += piece;
    return text;
  };
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(Refused(kHead + many("def \"a\" {", 100'000)), HasSubstr("100 levels"));
  EXPECT_THAT(Refused(kHead + "def \"a\" { int x = " + many("[", 100'000)), HasSubstr("32 levels"));
  EXPECT_THAT(Refused(kHead + "def \"a\" ( customData = " + many("{ dictionary a = ", 100'000)),
              HasSubstr("32 levels"));
  EXPECT_THAT(Refused(kHead + many("def \"a\" { variantSet \"v\" = { \"x\" { ", 100'000)),
              HasSubstr("100 levels"));
  EXPECT_THAT(Refused(kHead + "def \"a\" ( references = @x@" + many("(", 100'000)),
              HasSubstr("32 levels"));
  EXPECT_THAT(Refused(kHead + many("(", 1000)), HasSubstr("expected"));
  EXPECT_FALSE(ReadStage(kHead + std::string(1'000'000, '"')).model);
  EXPECT_FALSE(ReadStage(kHead + std::string(1000, '\0')).model);
  std::string wide = kHead + "def \"q\" { }\n";
  for (int i = 0; i < 50'000; ++i)
    wide += "def \"p" + std::to_string(i) +
            "\" ( references = </q> ) { rel physics:filteredPairs = </p1> }\n";
  EXPECT_THAT(Refused(wide), HasSubstr("[usd-no-bodies]"));
  EXPECT_FALSE(
      ReadStage(Robot("def \"a\" { float[] x = [" + many("1, ", 1'000'000) + "] }\n")).model);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 20);
}

TEST(UsdText, WhatIsMissingOrDoubledAtAnyPlaceIsNoCrash) {
  const std::string text = TwoBodies(
      JointOf("PhysicsRevoluteJoint", "float physics:lowerLimit = -1\nfloat newton:damping = 2\n",
              "\"NewtonJointAPI\""));
  ASSERT_TRUE(ReadStage(text).model);
  for (std::size_t i = 0; i < text.size(); i += 3) {
    static_cast<void>(ReadStage(text.substr(0, i)));
    static_cast<void>(ReadStage(text.substr(0, i) + text.substr(std::min(i + 5, text.size()))));
    static_cast<void>(ReadStage(text.substr(0, i) + "]" + text.substr(i)));
  }
}

TEST(UsdArcs, GeometryFromElsewhereIsPassedOverAndSaid) {
  const Read read = ReadStage(Robot(RigidBody(
      "a",
      "def \"visuals\" (\n prepend references = @./m.usda@</x>\n) { }\n"
      "def \"one\" (\n payload = @./one.usd@\n) { double3 xformOp:scale = (2, 2, 2)\n uniform "
      "token[] xformOpOrder = [\"xformOp:scale\"] }\n"
      "def Mesh \"points\" { point3f[] points = [(0, 0, 0), (1, 0, 0)] }\n")));
  ASSERT_TRUE(read.model) << read.said;
  const Link& link = read.model->link(LinkId{1});
  ASSERT_EQ(link.visuals.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<NativeShape>(link.visuals[0].shape));
  const Mesh* const mesh = std::get_if<Mesh>(&link.visuals[1].shape);
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->uri, "one.usd");
  EXPECT_EQ(mesh->scale, Vector3(2, 2, 2));
  EXPECT_TRUE(std::holds_alternative<NativeShape>(link.visuals[2].shape));
  EXPECT_THAT(read.said, HasSubstr("'/r/a/visuals': its content is at another place"));
  EXPECT_THAT(read.said, HasSubstr("'/r/a/points': its points and faces make no surface"));
}

TEST(UsdText, ATextIsKnownByItsFirstWords) {
  Diagnostics said;
  const std::optional<Model> model = ReadText(Robot(RigidBody("a")), "stage.urdf", said);
  ASSERT_TRUE(model) << Rendered(said);
  EXPECT_EQ(model->format, "usda");
}

TEST(UsdText, APointerOfGitLfsIsNamedAsSuch) {
  for (const char* file : {"stage.usd", "stage.urdf"}) {
    Diagnostics said;
    EXPECT_FALSE(ReadText("version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 100\n",
                          file, said));
    EXPECT_THAT(Rendered(said), HasSubstr("is a Git LFS pointer")) << file;
  }
}

}  // namespace
}  // namespace kinemorph::test::usd
