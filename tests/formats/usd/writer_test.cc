// What stands in a stage: units, frames, starts, drives, who follows whom, contacts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/formats/formats.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kInertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string Link(const std::string& name, const std::string& more = "") {
  return "<link name='" + name + "'>" + kInertial + more + "</link>";
}

// Base on the world, arm on `type`, with what stands in the axis and beside.
std::string Sdf(const std::string& type, const std::string& axis, const std::string& more = "") {
  return "<sdf version='1.9'><model name='m'>" + Link("base") + Link("arm") +
         "<joint name='to_world' type='fixed'><parent>world</parent><child>base</child></joint>"
         "<joint name='j' type='" +
         type + "'><parent>base</parent><child>arm</child>" + axis + "</joint>" + more +
         "</model></sdf>";
}
std::string Axis(const std::string& more, const std::string& xyz = "0 0 1") {
  return "<axis><xyz>" + xyz + "</xyz>" + more + "</axis>";
}

std::string Mjcf(const std::string& bodies, const std::string& sections = "") {
  return "<mujoco model='m'><compiler angle='radian'/><worldbody>" + bodies + "</worldbody>" +
         sections + "</mujoco>";
}
std::string Body(const std::string& name, const std::string& more, const std::string& pose = "") {
  return "<body name='" + name + "' " + pose +
         "><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" + more + "</body>";
}

struct Result {
  std::string text;
  LossReport report;
  std::string messages;
  Bundle bundle;
  [[nodiscard]] bool Loses(Feature feature, const std::string& what = "") const {
    for (const Loss& loss : report.losses)
      if (loss.feature == feature && loss.what.find(what) != std::string::npos) return true;
    return false;
  }
};

Result Stage(const std::string& text, const std::string& file, const std::string& target = "usda",
             const ConvertOptions& wish = {}) {
  Result result;
  Diagnostics reading, converting;
  const std::optional<Model> model = ReadText(text, file, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  if (!model) return result;
  ConvertOptions options = wish;
  options.target = TargetNamed(target);
  options.target.options.side_cars = wish.target.options.side_cars;
  options.target.options.stem = "m";
  const std::optional<Converted> converted = Convert(*model, options, converting);
  EXPECT_TRUE(converted) << Rendered(converting);
  result.messages = Rendered(converting, Severity::kNote);
  if (converted) result.text = converted->text, result.report = converted->lowered.report;
  if (converted) result.bundle.side_files = converted->side_files;
  return result;
}

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

TEST(UsdUnits, AnglesAreDegreesAndWhatIsPerAngleToo) {
  const Result r =
      Stage(Sdf("revolute", Axis("<limit><lower>-1</lower><upper>3.141592653589793</upper><effort>7"
                                 "</effort><velocity>3.141592653589793</velocity></limit><dynamics>"
                                 "<damping>1.8</damping><friction>0.5</friction></dynamics>")),
            "m.sdf");
  for (const char* said :
       {"float physics:lowerLimit = -57.29577951308232", "float physics:upperLimit = 180\n",
        "float newton:velocityLimit = 180\n", "float newton:damping = 0.0314159265358979",
        "float newton:friction = 0.5\n", "float drive:angular:physics:maxForce = 7\n",
        "float drive:angular:physics:stiffness = 0\n", "float drive:angular:physics:damping = 0\n"})
    EXPECT_THAT(r.text, HasSubstr(said));
  const Result p =
      Stage(Sdf("revolute", Axis("<limit><velocity>3.141592653589793</velocity></limit><dynamics>"
                                 "<damping>1.8</damping><friction>0.5</friction></dynamics>")),
            "m.sdf", "usda physx");
  for (const char* said :
       {"\"PhysxJointAPI\", \"PhysxJointAxisAPI:angular\"",
        "float physxJoint:maxJointVelocity = 180\n",
        "float physxJointAxis:angular:viscousFrictionCoefficient = 0.0314159265358979",
        "float physxJointAxis:angular:staticFrictionEffort = 0.5\n"})
    EXPECT_THAT(p.text, HasSubstr(said));
  EXPECT_THAT(p.text, Not(HasSubstr("newton")));
}

TEST(UsdUnits, LengthsStayAndAnOpenSideIsLeftOut) {
  const Result r = Stage(Sdf("prismatic", Axis("<limit><lower>-0.25</lower></limit><dynamics>"
                                               "<damping>1.8</damping><spring_stiffness>12"
                                               "</spring_stiffness><spring_reference>0.1"
                                               "</spring_reference></dynamics>",
                                               "0 1 0")),
                         "m.sdf");
  for (const char* said : {"float physics:lowerLimit = -0.25\n", "float newton:damping = 1.8\n",
                           "physics:axis = \"Y\"", "float drive:linear:physics:stiffness = 12\n",
                           "float drive:linear:physics:targetPosition = 0.1\n"})
    EXPECT_THAT(r.text, HasSubstr(said));
  EXPECT_THAT(r.text, Not(HasSubstr("upperLimit")));
  EXPECT_THAT(r.text, Not(HasSubstr("inf")));
  EXPECT_THAT(r.text, Not(HasSubstr("e+16")));
}

TEST(UsdDrives, OneForACoordinateAndNoneOnALoopJoint) {
  const std::string spring =
      "<dynamics><damping>1</damping><spring_stiffness>12</spring_stiffness></dynamics>"
      "<limit><effort>3</effort></limit>";
  const Result both = Stage(Sdf("revolute", Axis(spring)), "m.sdf");
  EXPECT_TRUE(both.Loses(Feature::kEffortLimit));
  EXPECT_THAT(both.text, Not(HasSubstr("maxForce")));
  const std::string triangle =
      Link("third") + "<joint name='k' type='revolute'><parent>arm</parent><child>third</child>" +
      Axis("") +
      "</joint><joint name='l' type='revolute'><parent>base</parent><child>third</child>" +
      Axis(spring) + "</joint>";
  ConvertOptions cut;
  cut.cut = {"l"};
  const Result loop = Stage(Sdf("revolute", Axis(""), triangle), "m.sdf", "usda", cut);
  EXPECT_TRUE(loop.Loses(Feature::kEffortLimit));
  EXPECT_TRUE(loop.Loses(Feature::kSpring));
  EXPECT_THAT(loop.text, Not(HasSubstr("DriveAPI")));
  EXPECT_THAT(loop.text, HasSubstr("float newton:damping"));
  const Result physx = Stage(Sdf("revolute", Axis(""), triangle), "m.sdf", "usda physx", cut);
  EXPECT_TRUE(physx.Loses(Feature::kDamping)) << "PhysX obeys none outside the articulation";
}

TEST(UsdJoints, AUniversalTurnsInTheOrderOfItsReader) {
  const std::string axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
  const Result newton = Stage(Sdf("universal", axes), "m.sdf");
  EXPECT_THAT(newton.text, HasSubstr("\"PhysicsLimitAPI:rotZ\""));
  EXPECT_THAT(newton.text, HasSubstr("quatf physics:localRot0 = (1, 0, 0, 0)"));
  EXPECT_THAT(newton.text, HasSubstr("float limit:rotZ:physics:low = 1\n"));
  EXPECT_THAT(newton.text, HasSubstr("float limit:rotZ:physics:high = -1\n"));
  EXPECT_THAT(newton.text, Not(HasSubstr("limit:rotX")));
  // PhysX twists about x last: the second axis is its x.
  const Result physx = Stage(Sdf("universal", axes), "m.sdf", "usda physx");
  EXPECT_THAT(physx.text, HasSubstr("quatf physics:localRot0 = (0, 0.7071067811865"));
  // Oblique axes have no place in such a joint.
  const Result oblique =
      Stage(Sdf("revolute2", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0.6 0.8 0</xyz></axis2>"),
            "m.sdf");
  EXPECT_THAT(oblique.text, Not(HasSubstr("def PhysicsJoint")));
  EXPECT_TRUE(oblique.Loses(Feature::kMasslessLink));
}

TEST(UsdJoints, DynamicsThatDifferByCoordinateAreSplit) {
  const auto universal = [](const char* a, const char* b) {
    return Sdf("universal", std::string("<axis><xyz>1 0 0</xyz><dynamics><damping>") + a +
                                "</damping></dynamics></axis><axis2><xyz>0 1 0</xyz><dynamics>"
                                "<damping>" +
                                b + "</damping></dynamics></axis2>");
  };
  EXPECT_THAT(Stage(universal("1.8", "1.8"), "m.sdf").text, HasSubstr("def PhysicsJoint \"j\""));
  EXPECT_THAT(Stage(universal("1.8", "2"), "m.sdf").text, Not(HasSubstr("def PhysicsJoint \"j\"")));
  const Result physx = Stage(universal("1.8", "3.6"), "m.sdf", "usda physx");
  EXPECT_THAT(physx.text,
              HasSubstr("float physxJointAxis:rotY:viscousFrictionCoefficient = 0.03141"));
  EXPECT_THAT(physx.text,
              HasSubstr("float physxJointAxis:rotX:viscousFrictionCoefficient = 0.06283"));
}

const std::string kMimics =
    Mjcf(Body("a", "<joint name='lead' axis='0 0 1'/>" +
                       Body("b", "<joint name='follow' axis='0 0 1'/>" +
                                     Body("c", "<joint name='slide' type='slide' axis='0 0 1'/>"))),
         "<equality><joint joint1='follow' joint2='lead' polycoef='0.5 -2 0 0 0'/></equality>");

TEST(UsdMimics, NewtonAddsAndPhysxSubtracts) {
  const Result newton = Stage(kMimics, "m.xml");
  for (const char* said :
       {"rel newton:mimicJoint = </m/joints/lead>", "float newton:mimicCoef0 = 28.64788975654116",
        "float newton:mimicCoef1 = -2\n"})
    EXPECT_THAT(newton.text, HasSubstr(said));
  // q + gearing * lead + offset = 0.
  const Result physx = Stage(kMimics, "m.xml", "usda physx");
  for (const char* said :
       {"\"PhysxMimicJointAPI:rotZ\"", "float physxMimicJoint:rotZ:gearing = 2\n",
        "float physxMimicJoint:rotZ:offset = -28.64788975654116",
        "rel physxMimicJoint:rotZ:referenceJoint = </m/joints/lead>",
        "physxMimicJoint:rotZ:referenceJointAxis = \"rotZ\""})
    EXPECT_THAT(physx.text, HasSubstr(said));
}

TEST(UsdMimics, BetweenAHingeAndASlideMuJoCoSaysItAndPhysxCannot) {
  std::string text = kMimics;
  text.replace(text.find("joint1='follow'"), 15, "joint1='slide'");
  const Result newton = Stage(text, "m.xml");
  EXPECT_THAT(newton.text, HasSubstr("\"MjcEqualityJointAPI\""));
  EXPECT_THAT(newton.text, HasSubstr("rel mjc:target = </m/joints/lead>"));
  EXPECT_THAT(newton.text, HasSubstr("double mjc:coef0 = 0.5\n"));
  EXPECT_THAT(newton.text, HasSubstr("double mjc:coef1 = -2\n"));
  EXPECT_THAT(newton.text, Not(HasSubstr("NewtonMimicAPI")));
  const Result physx = Stage(text, "m.xml", "usda physx");
  EXPECT_FALSE(physx.report.losses.empty());
  EXPECT_THAT(physx.text, Not(HasSubstr("Mimic")));
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
  ASSERT_GE(r.report.names.size(), 2U);
  EXPECT_EQ(r.report.names.front().from, "left leg");
  EXPECT_EQ(r.report.names.back().to, "my_robot");
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
  EXPECT_THAT(stl.text, HasSubstr("prepend references = @./meshes/part.stl@"));
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
  EXPECT_TRUE(file.beside);
  EXPECT_THAT(file.text, HasSubstr("DRIVEN_JOINTS = [\"")) << file.text;
  EXPECT_THAT(file.text, HasSubstr("START_POSITIONS = {\n    \""));
  EXPECT_THAT(file.text, HasSubstr("LOOP_JOINTS = [\""));
  EXPECT_THAT(file.text, HasSubstr("joint_names_expr=PASSIVE_JOINTS, stiffness=0.0, damping=0.0"));
  EXPECT_FALSE(r.Loses(Feature::kIndependent));
}

}  // namespace
}  // namespace kinemorph::test
