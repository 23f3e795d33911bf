// Layers: a stage in parts is the robot that OpenUSD makes of it. What is expected here is what
// OpenUSD 26.11 says of these stages.
#include <chrono>

#include "kinemorph/graph/model/model_dump.h"
#include "read.h"

namespace kinemorph::test::usd {
namespace {

using testing::HasSubstr;
using testing::Not;

using Files = std::map<std::string, std::string>;

/// Reads the first of them, "main.usda".
Read Composed(const Files& files) {
  const MemoryResolver resolver(files);
  ReadOptions options;
  options.file_name = "main.usda";
  options.resolver = &resolver;
  Diagnostics diagnostics;
  Read read;
  read.model = ReadModel(files.at("main.usda"), nullptr, options, diagnostics);
  read.said = Rendered(diagnostics, Severity::kNote);
  EXPECT_NE(read.model.has_value(), diagnostics.has_errors()) << read.said;
  return read;
}

/// A prim that is defined, with its metadata and what stands in it.
std::string Def(const std::string& name, const std::string& metadata,
                const std::string& inside = "") {
  return "def Xform \"" + name + "\" (\n" + metadata + "\n)\n{\n" + inside + "\n}\n";
}
std::string Mass(const std::string& mass) { return "float physics:mass = " + mass + "\n"; }

const std::string kBody = "prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]\n";

/// The mass of the link "a".
double MassOf(const Files& files) {
  const Read read = Composed(files);
  EXPECT_TRUE(read.model) << read.said;
  const auto link = read.model ? read.model->FindLink("a") : std::nullopt;
  EXPECT_TRUE(link) << read.said;
  return link ? read.model->link(*link).inertial->mass : 0;
}

const std::string kArm = RigidBody("a") + RigidBody("b") +
                         "def PhysicsFixedJoint \"w\"\n{\n    rel physics:body1 = </r/a>\n}\n" +
                         JointOf("PhysicsRevoluteJoint",
                                 "float physics:upperLimit = 90\n"
                                 "float physics:lowerLimit = -90\n");

TEST(UsdCompose, EveryFormOfOneRobotIsTheSame) {
  const std::string flat = Robot(kArm);
  const Read alone = ReadStage(flat);
  ASSERT_TRUE(alone.model) << alone.said;
  const std::string whole = Robot(kArm);
  std::string other = whole;  // its root has another name
  for (std::size_t at; (at = other.find("</r/")) != std::string::npos;)
    other.replace(at, 4, "</k/");
  other.replace(other.find("def Xform \"r\""), 13, "def Xform \"k\"");
  const std::vector<Files> forms = {
      {{"main.usda",
        kHead.substr(0, kHead.size() - 2) + "    subLayers = [@p/x.usda@ (offset = 1)]\n)\n"},
       {"p/x.usda", whole}},
      {{"main.usda", kHead + Def("r", "prepend references = @./p/x.usda@")}, {"p/x.usda", whole}},
      {{"main.usda", kHead + Def("r", "payload = @p/x.usda@</r>")}, {"p/x.usda", whole}},
      {{"main.usda", kHead + Def("r", "append references = [@p/y.usda@]")},
       {"p/y.usda", kHead + Def("r", "payload = @../x.usda@</k>")},
       {"x.usda", other}},
      {{"main.usda",
        kHead + Def("r", "references = </k>") + "over" + other.substr(kHead.size() + 3)}},
      {{"main.usda",
        kHead + Def("r", "inherits = </k>") + "class " + other.substr(kHead.size() + 4)}},
      {{"main.usda",
        kHead + Def("r",
                    "variants = { string Physics = \"PhysX\" }\nprepend variantSets = \"Physics\"",
                    "variantSet \"Physics\" = {\n \"None\" {\n def \"x\" {\n}\n }\n \"PhysX\" (\n "
                    "prepend "
                    "payload = @configuration/x.usda@\n ) {\n }\n}\n")},
       {"configuration/x.usda", whole}},
  };
  for (const Files& files : forms) {
    const Read read = Composed(files);
    ASSERT_TRUE(read.model) << files.at("main.usda") << read.said;
    EXPECT_EQ(DumpModel(*read.model), DumpModel(*alone.model)) << files.at("main.usda");
  }
}

TEST(UsdCompose, TheStrongestOpinionCounts) {
  const std::string ref = kHead + "class \"_k\" {\n" + Mass("1") + "}\n" +
                          Def("a", kBody + "inherits = </_k>", Mass("2"));
  const std::string defaults = kHead + Def("a", kBody, Mass("8"));
  // Local, inherits, variants, references, payloads; the class that an outer layer has of that name
  // is stronger than all of the reference.
  EXPECT_EQ(MassOf({{"main.usda", kHead + Def("a", "references = @ref.usda@</a>", Mass("7"))},
                    {"ref.usda", ref}}),
            7);
  EXPECT_EQ(MassOf({{"main.usda", kHead + "class \"_k\" {\n" + Mass("5") + "}\n" +
                                      Def("a", "references = @ref.usda@</a>")},
                    {"ref.usda", ref}}),
            5);
  EXPECT_EQ(
      MassOf({{"main.usda", kHead + Def("a", "references = @ref.usda@</a>")}, {"ref.usda", ref}}),
      2);
  EXPECT_EQ(MassOf({{"main.usda",
                     kHead + Def("a",
                                 "references = @ref.usda@</a>\nvariantSets = \"v\"\nvariants = "
                                 "{ string v = \"x\" }",
                                 "variantSet \"v\" = {\n \"x\" {\n " + Mass("6") + " }\n}\n")},
                    {"ref.usda", ref}}),
            6);
  EXPECT_EQ(MassOf({{"main.usda", kHead + Def("a",
                                              "payload = @d.usda@</a>\nreferences = "
                                              "@ref.usda@</a>")},
                    {"ref.usda", ref},
                    {"d.usda", defaults}}),
            2);
  // A value that is blocked is not written.
  EXPECT_THAT(
      Composed({{"main.usda", kHead + Def("a", "references = @ref.usda@</a>", Mass("None"))},
                {"ref.usda", ref}})
          .said,
      HasSubstr("[usd-mass-missing]"));
}

TEST(UsdCompose, AChoiceIsTheStrongestOverAllArcs) {
  const auto with = [](const std::string& outer) {
    return Files{
        {"main.usda", kHead + Def("a", "references = @ref.usda@</a>\n" + outer)},
        {"ref.usda",
         kHead + Def("a", kBody + "variantSets = [\"v\", \"w\"]\nvariants = { string v = \"x\" }",
                     "variantSet \"v\" = {\n \"x\" (\n variants = { string w = \"on\" }\n) {\n}\n"
                     " \"y\" {\n " +
                         Mass("4") +
                         " }\n}\n"
                         "variantSet \"w\" = {\n \"on\" {\n " +
                         Mass("3") + " }\n}\n")}};
  };
  EXPECT_EQ(MassOf(with("")), 3) << "one variant chooses another";
  EXPECT_EQ(MassOf(with("variants = { string v = \"y\" }")), 4);
}

TEST(UsdCompose, ListsAreEditedFromWeakToStrong) {
  const std::string weak =
      "#usda 1.0\ndef \"r\" (\n prepend apiSchemas = [\"X\", "
      "\"PhysicsRigidBodyAPI\"]\n) {\n rel physics:filteredPairs = [</r/a>, </r/b>]\n}\n";
  const auto strong = [&](const std::string& metadata, const std::string& inside = "") {
    return Composed(
        {{"main.usda", kHead.substr(0, kHead.size() - 2) +
                           "    subLayers = [@weak.usda@]\n)\nover \"r\" (\n" + metadata +
                           "\n) {\n" + inside + RigidBody("a") + RigidBody("b") + "}\n"},
         {"weak.usda", weak}});
  };
  EXPECT_EQ(strong("").model->num_links(), 4u);
  EXPECT_EQ(strong("delete apiSchemas = [\"PhysicsRigidBodyAPI\"]").model->num_links(), 3u);
  EXPECT_EQ(strong("prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]\ndelete apiSchemas = "
                   "[\"PhysicsRigidBodyAPI\"]")
                .model->num_links(),
            4u)
      << "what is deleted goes first";
  EXPECT_EQ(strong("apiSchemas = []").model->num_links(), 3u);
  EXPECT_EQ(strong("").model->contact_exclusions.size(), 2u);
  EXPECT_EQ(
      strong("", "delete rel physics:filteredPairs = </r/a>\n").model->contact_exclusions.size(),
      1u);
  EXPECT_EQ(strong("", "rel physics:filteredPairs = None\n").model->contact_exclusions.size(), 0u);
}

TEST(UsdCompose, PathsAndFilesAreThoseOfTheStage) {
  const std::string part =
      kHead + "def Xform \"p\" {\n" + RigidBody("a") + RigidBody("b") +
      "def PhysicsFixedJoint \"j\" {\n rel physics:body0 = <../a>\n rel physics:body1 = </p/b>\n}\n"
      "def PhysicsFixedJoint \"out\" {\n rel physics:body0 = </else>\n rel physics:body1 = "
      "</p/a>\n}\n"
      "def \"m\" (\n references = @./m.stl@\n) {\n}\n}\n";
  const Read read = Composed({{"main.usda", kHead + Def("r", "references = @lib/part.usda@</p>")},
                              {"lib/part.usda", part},
                              {"lib/m.stl", "x"}});
  ASSERT_TRUE(read.model) << read.said;
  const auto joint = read.model->FindJoint("j");
  ASSERT_TRUE(joint);
  EXPECT_EQ(read.model->link(read.model->predecessor(*joint)).name, "a");
  EXPECT_THAT(read.said,
              HasSubstr("lib/part.usda:29: warning: prim '/p/out': 'physics:body0' names "
                        "'/else', which is not part of"));
  const auto* const mesh = std::get_if<Mesh>(&read.model->link(kWorld).visuals.at(0).shape);
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->uri, "lib/m.stl");
  EXPECT_THAT(read.said, Not(HasSubstr("not-found")));
}

TEST(UsdCompose, AnInstanceIsItsPrototype) {
  const std::string file =
      kHead + "def Xform \"r\" {\n" +
      Def("a", kBody,
          Def("col",
              "instanceable = true\nprepend references = </shapes/arm>\nprepend apiSchemas = "
              "[\"PhysicsCollisionAPI\"]",
              "over \"c\" {\n double size = 9\n}\n")) +
      "}\nover \"shapes\" {\n def \"arm\" {\n def Cube \"c\" (\n prepend apiSchemas = "
      "[\"PhysicsCollisionAPI\"]\n) {\n double size = 1\n}\n}\n}\n";
  const Read read = Composed({{"main.usda", file}});
  ASSERT_TRUE(read.model) << read.said;
  const Link& link = read.model->link(LinkId{1});
  ASSERT_EQ(link.collisions.size(), 1u);
  EXPECT_EQ(std::get<Box>(link.collisions[0].shape).size, Vector3(1, 1, 1))
      << "what is said below an instance does not count";
  EXPECT_NEAR(link.inertial->mass, 1000, 1e-9);
}

TEST(UsdCompose, WhatCannotBeBroughtInNamesTheArc) {
  const auto refused = [](const std::string& main, const Files& more = {}) {
    Files files = more;
    files["main.usda"] = kHead + main;
    const Read read = Composed(files);
    EXPECT_FALSE(read.model) << main;
    EXPECT_THAT(read.said, HasSubstr("usd-arcs]"));
    return read.said;
  };
  const std::string body = RigidBody("a");
  EXPECT_THAT(refused(Def("r", "payload = @x.usd@", body)),
              HasSubstr("main.usda:8: error: prim '/r': 'payload' names 'x.usd', which cannot be "
                        "read: not found [usd-arcs]"));
  EXPECT_THAT(refused(Def("r", "references = @x.usda@")), HasSubstr("not found"))
      << "the robot is what comes to the root";
  EXPECT_THAT(refused(Def("r", "references = </no>", body)), HasSubstr("there is no prim '/no'"));
  EXPECT_THAT(refused(Def("r", "references = @x.usda@</>", body), {{"x.usda", kHead + body}}),
              HasSubstr("there is no prim '/'"));
  EXPECT_THAT(refused(Def("r", "references = @x.usda@", body), {{"x.usda", "#usda 1.0\n"}}),
              HasSubstr("which has no default prim"));
  EXPECT_THAT(refused(Def("r", "references = @x.usd@", body),
                      {{"x.usd", "version https://git-lfs.github.com/spec/v1\n"}}),
              HasSubstr("git lfs pull"));
  EXPECT_THAT(refused(Def("r", "specializes = </k>", body)),
              HasSubstr("'specializes' names '/k', which kinemorph does not compose"));
  EXPECT_THAT(refused("class \"k\" {\n}\n" + Def("r", "references = @p.usda@", body),
                      {{"p.usda", kHead.substr(0, kHead.size() - 2) +
                                      "    subLayers = [@y.usda@]\n)\ndef \"r\" {\n}\n"}}),
              HasSubstr("p.usda:6: error: the layer: 'subLayers' names 'y.usda', which cannot"));
  // Geometry may be missing.
  const Read read =
      Composed({{"main.usda", Robot(RigidBody("a", Def("v", "references = @x.usd@")))}});
  ASSERT_TRUE(read.model) << read.said;
  EXPECT_EQ(std::get<Mesh>(read.model->link(LinkId{1}).visuals.at(0).shape).uri, "x.usd");
}

TEST(UsdCompose, MessagesNameTheLayerAndItsLine) {
  const Read wrong = Composed({{"main.usda", kHead + Def("r", "payload = @x.usda@")},
                               {"x.usda", Robot(Def("a", kBody, Mass("\"x\"")))}});
  EXPECT_THAT(wrong.said, HasSubstr("x.usda:14: error: prim '/r/a': 'physics:mass' is '\"x\"'"));
  const Read told = Composed({{"main.usda", kHead + "def \"r\" (\n payload = @x.usda@\n) {\n}\n"},
                              {"x.usda", Robot(Def("a", kBody, Mass("2")))}});
  ASSERT_TRUE(told.model) << told.said;
  EXPECT_THAT(told.said, HasSubstr("x.usda:9: warning: link 'a': its inertia is not written"));
  EXPECT_EQ(told.model->FileName(told.model->link(LinkId{1}).where), "x.usda");
  const Read broken = Composed(
      {{"main.usda", kHead + Def("r", "payload = @x.usda@")}, {"x.usda", kHead + "def {\n"}});
  EXPECT_THAT(broken.said, HasSubstr("x.usda:7: error: '{' was found where the name of a prim"));
  EXPECT_THAT(
      Composed({{"main.usda", kHead + Def("r", "payload = @x.usda@")}, {"x.usda", "{}"}}).said,
      HasSubstr("x.usda:1: error: 'x.usda': does not begin with"));
}

TEST(UsdCompose, CirclesAndFloodsEnd) {
  const auto refused = [](const std::string& main, const Files& more = {}) {
    Files files = more;
    files["main.usda"] = main;
    const Read read = Composed(files);
    EXPECT_FALSE(read.model);
    return read.said;
  };
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(refused(kHead + Def("r", "references = @main.usda@")),
              HasSubstr("leads in a circle"));
  EXPECT_THAT(refused(kHead + Def("r", "", Def("x", "references = </r>"))),
              HasSubstr("'references' leads in a circle: '/r' is brought into itself"));
  EXPECT_THAT(refused(kHead + Def("r", "payload = </s>") + Def("s", "inherits = </r>")),
              HasSubstr("circle"));
  EXPECT_THAT(refused(kHead.substr(0, kHead.size() - 2) + "    subLayers = [@a.usda@]\n)\n",
                      {{"a.usda", "#usda 1.0\n(\n subLayers = [@main.usda@]\n)\n"}}),
              HasSubstr("of which this layer is a sublayer itself"));
  // Ten times as many at each level; twice as many arcs at each.
  std::string many = kHead, arcs = kHead, deep = kHead;
  for (int level = 0; level < 12; ++level) {
    std::string inside;
    for (int i = 0; i < 10; ++i)
      inside += Def("c" + std::to_string(i),
                    kBody + "references = </p" + std::to_string(level + 1) + ">");
    many += Def("p" + std::to_string(level), "", inside);
  }
  EXPECT_THAT(refused(many + Def("p12", "")), HasSubstr("[usd-too-large]"));
  for (int i = 0; i < 60; ++i) {
    const std::string next = std::to_string(i + 1),
                      both = "references = [</a" + next + ">, </b" + next + ">]";
    arcs += Def("a" + std::to_string(i), both) + Def("b" + std::to_string(i), both);
    deep +=
        Def("d" + std::to_string(2 * i), "references = </d" + std::to_string(2 * i + 1) + "/x>") +
        Def("d" + std::to_string(2 * i + 1),
            "references = </d" + std::to_string(2 * i + 2) + "/x>");
  }
  EXPECT_THAT(refused(arcs + Def("a60", kBody) + Def("b60", kBody)),
              HasSubstr("more than 500 arcs"));
  EXPECT_FALSE(Composed({{"main.usda", deep}}).model);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 20);
}

TEST(UsdCompose, LayersAreCounted) {
  Files files;
  std::string named;
  for (int i = 0; i < 1200; ++i) {
    const std::string name = "l" + std::to_string(i) + ".usda";
    files[name] = "#usda 1.0\n";
    named += (i > 0 ? ", @" : "@") + name + "@";
  }
  files["main.usda"] = "#usda 1.0\n(\n    subLayers = [" + named + "]\n)\n";
  EXPECT_THAT(Composed(files).said,
              HasSubstr("'l999.usda', which cannot be read: the stage has more than 1000 layers"));
}

}  // namespace
}  // namespace kinemorph::test::usd
