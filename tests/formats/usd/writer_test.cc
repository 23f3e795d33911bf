// What else stands in a stage: its head, bodies, names, starts, contacts, shapes; the side-car.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stage.h"

namespace kinemorph::test {
namespace {

using namespace usd;
using testing::HasSubstr;
using testing::Not;

TEST(UsdStage, SaysItsUnitsAndItsDefaultPrim) {
  const Result r = Stage(Sdf("revolute", Axis("")), "m.sdf");
  EXPECT_THAT(r.text, testing::StartsWith("#usda 1.0\n(\n    defaultPrim = \"m\"\n"));
  for (const char* said : {"metersPerUnit = 1", "kilogramsPerUnit = 1", "upAxis = \"Z\""})
    EXPECT_THAT(r.text, HasSubstr(said));
  // The root can be moved: its fixed joint stands on the robot's prim, not on the world.
  EXPECT_THAT(r.text,
              HasSubstr("rel physics:body0 = </m>\n            rel physics:body1 = </m/base>"));
  EXPECT_THAT(r.text, HasSubstr("\"PhysicsArticulationRootAPI\", \"NewtonArticulationRootAPI\""));
}

// three.js reads no attribute of a prim whose brace or parenthesis shares a line with more.
TEST(UsdStage, BracesAndParenthesesStandOnLinesOfTheirOwn) {
  const Result r = Stage(Sdf("revolute", Axis("")), "m.sdf");
  EXPECT_THAT(r.text, HasSubstr("    def Xform \"arm\" (\n        prepend apiSchemas = "
                                "[\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\", \"NewtonMassAPI\"]\n"
                                "    )\n    {\n        double3 xformOp:translate = (0, 0, 0)\n"));
}

std::string WithMesh(const std::string& file) {
  return "<robot name='m'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
         "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry><mesh filename='" +
         file +
         "'/></geometry><material name='p'><texture filename='t.png'/></material></visual></link>"
         "</robot>";
}

// As OpenUSD writes them. The name never ends the marks around it.
TEST(UsdStage, NamesOfFilesStayNames) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"a b.usd", "@./a b.usd@"},
      {"a@b.usd", "@@@./a@b.usd@@@"},
      {"a@@@b.usd", "@@@./a\\@@@b.usd@@@"},
      {"a\\@@@b.usd", "@@@./a\\\\@@@b.usd@@@"},
      {"a@@@@@@@b.usd", "@@@./a\\@@@\\@@@@b.usd@@@"},
      {"a.usd@", "@@@./a.usd@@@@"},
      {"a.usd@@", "@@@./a.usd@@@@@"},
      {"a.usd@@@", "@@@./a.usd\\@@@@@@"},
      {"/a\\b.usd", "@/a\\b.usd@"}};
  for (const auto& [name, said] : names) {
    const Result r = Stage(WithMesh(name), "m.urdf");
    EXPECT_THAT(r.text, HasSubstr("prepend references = " + said + "\n"));
    Diagnostics reading;
    const std::optional<Model> read = ReadText(r.text, "m.usda", reading);
    ASSERT_TRUE(read) << Rendered(reading);
    const auto link = read->FindLink("a");
    ASSERT_TRUE(link);
    ASSERT_EQ(read->link(*link).visuals.size(), 1u) << name;
    const auto* mesh = std::get_if<Mesh>(&read->link(*link).visuals[0].shape);
    ASSERT_TRUE(mesh) << name;
    EXPECT_EQ(mesh->uri, name);
  }
}

TEST(UsdStage, NamesOfFilesThatItsTextCannotSayAreRefused) {
  for (const char* name :
       {"a&#10;b.usd", "a&#9;b.usd", "a\x7F.usd", "a\xC2\x85.usd", "a@b\\", "a\\@@"}) {
    Diagnostics reading, converting;
    const std::optional<Model> model = ReadText(WithMesh(name), "m.urdf", reading);
    ASSERT_TRUE(model) << Rendered(reading);
    ConvertOptions options;
    options.target = TargetNamed("usda");
    EXPECT_FALSE(Convert(*model, options, converting)) << name;
    EXPECT_THAT(Rendered(converting), HasSubstr("m.urdf:1: error: file 'a"));
    EXPECT_THAT(Rendered(converting), HasSubstr("[usd-file-name]"));
  }
}

// Quaternions begin with w; principal axes (0, 0, 0, 0) would mean "not given".
TEST(UsdBodies, SayTheirInertiaInBothForms) {
  const std::string inertial =
      "<inertial><pose>0.1 0.2 0.3 0 0 "
      "0</pose><mass>2</mass><inertia><ixx>3</ixx><iyy>4</iyy><izz>5"
      "</izz><ixy>0.1</ixy><ixz>0.2</ixz><iyz>0.3</iyz></inertia></inertial>";
  const std::string text =
      "<sdf version='1.9'><model name='m'><link name='a'>" + inertial + "</link></model></sdf>";
  const Result r = Stage(text, "m.sdf");
  EXPECT_THAT(r.text, HasSubstr("float physics:mass = 2\n"));
  EXPECT_THAT(r.text, HasSubstr("point3f physics:centerOfMass = (0.1, 0.2, 0.3)\n"));
  EXPECT_THAT(r.text, HasSubstr("double[] newton:inertia = [3, 4, 5, 0.1, 0.2, 0.3]\n"));
  const Result plain = Stage(Sdf("revolute", Axis("")), "m.sdf");
  EXPECT_THAT(plain.text, HasSubstr("quatf physics:principalAxes = (1, 0, 0, 0)\n"));
  const Result physx = Stage(text, "m.sdf", "usda physx");
  EXPECT_THAT(physx.text, Not(HasSubstr("newton:inertia")));
}

// Moments of 0 would mean "compute them from the colliders"; parsers refuse what single precision
// has no number for.
TEST(UsdBodies, HaveMomentsAndNoNumberTooSmall) {
  const Result r = Stage(Mjcf("<body name='p' pos='1e-320 1 0'><inertial pos='1e-45 0 0' mass='2' "
                              "diaginertia='1 1 1'/><joint name='j'/></body>"),
                         "m.xml");
  EXPECT_THAT(r.text, HasSubstr("double3 xformOp:translate = (0, 1, 0)\n"));
  EXPECT_THAT(r.text, HasSubstr("point3f physics:centerOfMass = (0, 0, 0)\n"));
  const Result point = Stage(
      "<sdf version='1.9'><model name='m'><link name='a'><inertial><mass>2"
      "</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia>"
      "</inertial></link></model></sdf>",
      "m.sdf");
  EXPECT_TRUE(point.Loses(Feature::kMasslessLink, "1 link has no inertia ('a')"));
  EXPECT_THAT(point.text, HasSubstr("float physics:mass = 2\n"));
  EXPECT_THAT(point.text, Not(HasSubstr("diagonalInertia = (0, 0, 0)")));
}

// Mass 0 would mean "compute it from the colliders".
TEST(UsdBodies, WithoutMassBecomeFramesOrAreGivenSome) {
  const std::string tip =
      "<link name='tip'><inertial><mass>0</mass></inertial></link><joint name='k' type='";
  const std::string ends = "'><parent>arm</parent><child>tip</child>";
  const Result fixed = Stage(Sdf("revolute", Axis(""), tip + "fixed" + ends + "</joint>"), "m.sdf");
  EXPECT_THAT(fixed.text, HasSubstr("        def Xform \"tip\"\n"));
  EXPECT_THAT(fixed.text, Not(HasSubstr("\"k\"")));
  const Result moving =
      Stage(Sdf("revolute", Axis(""), tip + "revolute" + ends + Axis("") + "</joint>"), "m.sdf");
  EXPECT_TRUE(moving.Loses(Feature::kMasslessLink));
  EXPECT_THAT(moving.text, Not(HasSubstr("physics:mass = 0\n")));
}

TEST(UsdBase, AFreeOneHasNoJoint) {
  const std::string text = Mjcf(Body("a", "<freejoint name='float'/>"));
  const Result r = Stage(text, "m.xml");
  EXPECT_THAT(r.text, Not(HasSubstr("def PhysicsJoint")));
  EXPECT_THAT(r.text, Not(HasSubstr("def PhysicsFixedJoint")));
  ConvertOptions fixed;
  fixed.base = BaseChoice::kFixed;
  EXPECT_THAT(Stage(text, "m.xml", "usda", fixed).text, HasSubstr("def PhysicsFixedJoint"));
}

TEST(UsdNames, AreIdentifiersAndLinksAndJointsEachHaveTheirOwn) {
  const Result r = Stage(
      "<robot name='my robot'><link name='left leg'>" +
          std::string("<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                      "iyz='0'/></inertial></link><link name='joints'><inertial><mass value='1'/>"
                      "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                      "<joint name='joints' type='continuous'><parent link='left leg'/><child "
                      "link='joints'/></joint></robot>"),
      "m.urdf");
  EXPECT_THAT(r.text, HasSubstr("def Xform \"my_robot\""));
  EXPECT_THAT(r.text, HasSubstr("def Xform \"left_leg\""));
  EXPECT_THAT(r.text, HasSubstr("def Xform \"joints\""));
  EXPECT_THAT(r.text, HasSubstr("def Scope \"joints_2\""));
  EXPECT_THAT(r.text, HasSubstr("def PhysicsRevoluteJoint \"joints\""));
  // What people are shown is the name of the source, which comes back.
  EXPECT_TRUE(r.report.names.empty());
  EXPECT_THAT(r.text, HasSubstr("displayName = \"left leg\""));
  Diagnostics said;
  const std::optional<Model> again = ReadText(r.text, "m.usda", said);
  ASSERT_TRUE(again) << Rendered(said);
  EXPECT_EQ(again->name, "my robot");
  EXPECT_TRUE(again->FindLink("left leg"));
  EXPECT_TRUE(again->FindJoint("joints"));
}

// An identifier keeps its prim, whoever comes first; all that has a name has it again.
TEST(UsdNames, ComeBackWhereverTheyStand) {
  const Result r = Stage(
      Mjcf(Body("left-hip",
                "<joint name='left-hip' axis='0 1 0'/><site name='a site'/>"
                "<geom name='the ball' type='sphere' size='0.1' group='3' material='dark red'/>") +
               Body("left_hip", "<joint name='left_hip' axis='0 1 0'/>"),
           "<asset><material name='dark red' rgba='.5 0 0 1'/></asset>"),
      "m.xml");
  EXPECT_THAT(r.text, HasSubstr("def Xform \"left_hip_2\""));
  Diagnostics said;
  const std::optional<Model> again = ReadText(r.text, "m.usda", said);
  ASSERT_TRUE(again) << Rendered(said);
  for (const char* name : {"left-hip", "left_hip"}) {
    EXPECT_TRUE(again->FindLink(name)) << name;
    EXPECT_TRUE(again->FindJoint(name)) << name;
  }
  ASSERT_EQ(again->frames.size(), 1U);
  EXPECT_EQ(again->frames[0].name, "a site");
  EXPECT_EQ(again->link(*again->FindLink("left-hip")).collisions.at(0).name, "the ball");
}

// Bodies stand where the loop is closed, though the zero of the source is open; joints keep their
// zero.
TEST(UsdStart, IsClosedAndWithinTheLimits) {
  Diagnostics reading;
  const auto model = ReadFile(Fixtures() + "/mechanisms/six_bar/six_bar.urdf", reading);
  ASSERT_TRUE(model);
  const Result r = Stage(ReadAll(Fixtures() + "/mechanisms/six_bar/six_bar.urdf"), "six_bar.urdf");
  for (const Lowering& l : r.report.lowerings) EXPECT_NE(l.pass, "assemble");
  EXPECT_THAT(r.text, HasSubstr("physics:excludeFromArticulation = true"));
  const Result limited =
      Stage(Sdf("prismatic", Axis("<limit><lower>0.25</lower><upper>1</upper></limit>")), "m.sdf");
  EXPECT_THAT(limited.text, HasSubstr("double3 xformOp:translate = (0, 0, 0.25)"));
}

TEST(UsdStart, ALoopThatNothingClosesIsSaid) {
  const Result r = Stage(
      "<robot name='m'><link name='a'/><link name='b'>"
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial></link><link name='c'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' "
      "ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent "
      "link='a'/><child link='b'/><origin xyz='1 0 0'/></joint><joint name='k' type='continuous'>"
      "<parent link='a'/><child link='c'/></joint><loop name='l' type='revolute'><predecessor "
      "link='b'><origin xyz='0 0 3'/></predecessor><successor link='c'/><axis xyz='0 0 1'/></loop>"
      "</robot>",
      "m.urdf");
  EXPECT_THAT(r.messages, HasSubstr("[usd-open-loop]"));
}

const std::string kBall =
    "<collision name='c'><geometry><sphere><radius>1</radius></sphere>"
    "</geometry></collision>";

TEST(UsdContacts, TheArticulationOrPairs) {
  const auto world = [](const std::string& self) {
    return "<sdf version='1.9'><model name='m'>" + self + Link("a", kBall) + Link("b", kBall) +
           Link("c", kBall) + "<joint name='j' type='revolute'><parent>a</parent><child>b</child>" +
           Axis("") + "</joint><joint name='k' type='revolute'><parent>b</parent><child>c</child>" +
           Axis("") + "</joint></model></sdf>";
  };
  const Result none = Stage(world(""), "m.sdf");
  EXPECT_THAT(none.text, HasSubstr("bool newton:selfCollisionEnabled = false"));
  EXPECT_THAT(none.text, Not(HasSubstr("filteredPairs")));
  const Result all = Stage(world("<self_collide>true</self_collide>"), "m.sdf");
  EXPECT_THAT(all.text, HasSubstr("bool newton:selfCollisionEnabled = true"));
  EXPECT_THAT(all.text, Not(HasSubstr("filteredPairs"))) << "joined bodies need no word";
  const Result masks = Stage(
      Mjcf(Body("a", "<joint name='j'/><geom size='1' mass='0'/>" +
                         Body("b", "<joint name='k'/><geom size='1' mass='0'/>" +
                                       Body("c",
                                            "<joint name='l'/><geom name='g' size='1' mass='0' "
                                            "contype='2' conaffinity='2'/><geom name='h' "
                                            "size='1' mass='0'/>")))),
      "m.xml");
  EXPECT_THAT(masks.text, HasSubstr("rel physics:filteredPairs = </m/c/g>"));
}

TEST(UsdShapes, ScaleIsNeverOnABody) {
  const Result r = Stage(
      "<sdf version='1.9'><model name='m'>" +
          Link("a",
               "<visual name='v'><pose>1 2 3 0 0 0</pose><geometry><box><size>1 2 3</size></box>"
               "</geometry></visual>") +
          "</model></sdf>",
      "m.sdf");
  const std::size_t body = r.text.find("def Xform \"a\""), shape = r.text.find("def Cube \"v\"");
  ASSERT_NE(shape, std::string::npos);
  EXPECT_EQ(r.text.substr(body, shape - body).find("scale"), std::string::npos);
  EXPECT_THAT(r.text.substr(shape), HasSubstr("double size = 1\n"));
  EXPECT_THAT(r.text.substr(shape), HasSubstr("double3 xformOp:scale = (1, 2, 3)"));
}

// Newton wants one root for each tree; a body alone has none.
TEST(UsdStage, EachTreeHasItsArticulation) {
  const auto body = [](const std::string& name, const std::string& more) {
    return Body(name, "<geom type='sphere' size='0.1'/>" + more);
  };
  const std::string hinge = "<joint name='h' axis='0 1 0'/>";
  const auto count = [](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = 0;
         (at = text.find("\"PhysicsArticulationRootAPI\"", at)) != std::string::npos; ++at)
      ++n;
    return n;
  };
  const std::string one = Stage(Mjcf(body("arm", hinge)), "m.xml").text;
  EXPECT_LT(one.find("PhysicsArticulationRootAPI"), one.find("def Xform \"m\"") + 100);
  const std::string two =
      Stage(Mjcf(body("arm", hinge) + body("ball", "<freejoint/>")), "m.xml").text;
  EXPECT_EQ(count(two), 1U) << two;
  EXPECT_GT(two.find("PhysicsArticulationRootAPI"), two.find("def PhysicsRevoluteJoint \"h\""));
  const std::string three =
      Stage(Mjcf(body("arm", hinge) +
                 body("cart", "<freejoint/>" + body("wheel", "<joint name='k' axis='0 1 0'/>"))),
            "m.xml")
          .text;
  EXPECT_EQ(count(three), 2U) << three;
  EXPECT_THAT(three.substr(three.find("def Xform \"cart\""), 150),
              HasSubstr("PhysicsArticulationRootAPI"));
}

// OpenUSD counts bodies that loops tie as one articulation, of which Newton takes those that a joint
// of a tree moves: trees that loops tie are one, and what floats has a joint that holds nothing.
TEST(UsdStage, TreesThatLoopsTieAreOneArticulation) {
  const std::string robot =
      Mjcf(Body("fixed", "") + Body("ball", "<freejoint name='floats'/>", "pos='0 2 0'"),
           "<equality><connect body1='fixed' body2='ball' anchor='0 2 0'/></equality>");
  const Result r = Stage(robot, "m.xml");
  EXPECT_LT(r.text.find("PhysicsArticulationRootAPI"), r.text.find("def Xform \"m\"") + 100);
  const std::size_t at = r.text.find("def PhysicsJoint \"floats\"");
  ASSERT_NE(at, std::string::npos);
  const std::string free = r.text.substr(at, r.text.find("}", at) - at);
  EXPECT_THAT(free, HasSubstr("rel physics:body0 = </m>"));
  EXPECT_THAT(free, HasSubstr("point3f physics:localPos0 = (0, 2, 0)"));
  for (const std::string motion : {"transX", "transY", "transZ", "rotX", "rotY", "rotZ"}) {
    EXPECT_THAT(free, HasSubstr("\"PhysicsLimitAPI:" + motion + "\""));
    EXPECT_THAT(free, HasSubstr("float limit:" + motion + ":physics:high = 1e+10"));
  }
  EXPECT_THAT(Stage(robot, "m.xml", "usda physx").text, Not(HasSubstr("\"floats\"")));
  // Our reader sees a body that nothing holds.
  Diagnostics reading;
  const std::optional<Model> read = ReadText(r.text, "m.usda", reading);
  ASSERT_TRUE(read) << Rendered(reading);
  EXPECT_FALSE(read->FindJoint("floats"));
  EXPECT_EQ(read->num_joints(), 2u);
  EXPECT_THAT(Rendered(reading), Not(HasSubstr("not-used")));
}

// Readers of a stage find the links of nested models by their names.
TEST(UsdStage, NamesOfNestedModelsAreShown) {
  const Result r = Stage("<sdf version='1.9'><model name='m'>" + Link("L") + "<model name='n'>" +
                             Link("L") + "</model></model></sdf>",
                         "m.sdf");
  EXPECT_THAT(r.text, HasSubstr("def Xform \"n__L\""));
  EXPECT_THAT(r.text, HasSubstr("displayName = \"n::L\""));
  EXPECT_TRUE(r.report.names.empty());
}

TEST(UsdShapes, AMeshIsReferencedFromTheLayersFolder) {
  const auto mesh = [](const std::string& file) {
    return Stage("<sdf version='1.9'><model name='m'>" +
                     Link("a", "<visual name='v'><geometry><mesh><uri>" + file +
                                   "</uri></mesh></geometry></visual>") +
                     "</model></sdf>",
                 "m.sdf");
  };
  EXPECT_THAT(mesh("meshes/part.usd").text, HasSubstr("prepend references = @./meshes/part.usd@"));
  const Result stl = mesh("meshes/part.stl");
  // A reference to it would be an error of the whole stage.
  EXPECT_THAT(stl.text, HasSubstr("custom asset kinemorph:visual = @./meshes/part.stl@"));
  EXPECT_THAT(stl.text, Not(HasSubstr("references")));
  EXPECT_TRUE(stl.Loses(Feature::kShapeMesh, "is named, but not shown"));
}

TEST(UsdIsaacLab, NamesDrivenAndPassiveJointsAndWhereTheyStart) {
  ConvertOptions options;
  options.target.options.side_cars = {"isaaclab"};
  const std::string path = Fixtures() + "/mechanisms/slider_crank/slider_crank.urdf";
  const Result r = Stage(ReadAll(path), path, "usda", options);
  ASSERT_EQ(r.bundle.side_files.size(), 1U);
  const SideFile& file = r.bundle.side_files[0];
  EXPECT_EQ(file.name, "m_isaaclab.py");
  EXPECT_EQ(file.kind, SideFileKind::kSideCar);
  EXPECT_THAT(file.text, HasSubstr("DRIVEN_JOINTS = [\"")) << file.text;
  EXPECT_THAT(file.text, HasSubstr("START_POSITIONS = {\n    \""));
  EXPECT_THAT(file.text, HasSubstr("LOOP_JOINTS = [\""));
  EXPECT_THAT(file.text, HasSubstr("joint_names_expr=PASSIVE_JOINTS, stiffness=0.0, damping=0.0"));
  EXPECT_FALSE(r.Loses(Feature::kIndependent));
  EXPECT_THAT(file.text, Not(HasSubstr(" pos=")));
}

// A reset puts a free base where the configuration says, at the origin where that is silent.
TEST(UsdIsaacLab, SaysWhereAFreeBaseStarts) {
  ConvertOptions options;
  options.target.options.side_cars = {"isaaclab"};
  const auto said = [&](const std::string& turned) {
    return Stage("<mujoco><worldbody><body name='a' pos='1 0 0.5' " + turned +
                     "><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                     "</body></worldbody></mujoco>",
                 "m.xml", "usda", options)
        .bundle.side_files.at(0)
        .text;
  };
  EXPECT_THAT(said(""), AllOf(HasSubstr("        pos=(1, 0, 0.5),\n"), Not(HasSubstr("rot="))));
  EXPECT_THAT(said("quat='0 1 0 0'"), HasSubstr("        rot=(0, 1, 0, 0),  # w, x, y, z"));
}

}  // namespace
}  // namespace kinemorph::test
