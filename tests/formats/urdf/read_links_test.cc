// Links: inertials as authored, shapes, materials by reference, and what is kept as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "native_xml.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ReadInertial, KeepsFrameAndTensorAsAuthored) {
  const ReadResult read = ReadRobot(
      R"(<link name="base"><inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="4"/>
    <inertia ixx="5" ixy="0.1" ixz="0.2" iyy="6" iyz="0.3" izz="7"/></inertial></link>)");
  EXPECT_THAT(read.messages, IsEmpty());
  const Inertial inertial = *LinkNamed(*read.model, "base").inertial;
  EXPECT_EQ(inertial.mass, 4);
  EXPECT_EQ(inertial.X_LI.p, Vector3(1, 2, 3));
  EXPECT_EQ(inertial.X_LI.R * Vector3::UnitX(), Vector3::UnitY());
  Matrix3 I;
  I << 5, 0.1, 0.2, 0.1, 6, 0.3, 0.2, 0.3, 7;
  EXPECT_EQ(inertial.I_I, I);
}

TEST(ReadInertial, RotatesTheTensorWithBothSides) {
  // A quarter turn about z swaps x and y: peers have forgotten the second factor of R I R^T.
  const Model model =
      *ReadRobot(
           R"(<link name="base"><inertial><origin rpy="0 0 1.5707963267948966"/><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial></link>)")
           .model;
  EXPECT_EQ(LinkNamed(model, "base").inertial->InLink().I_BBcm,
            Matrix3(Vector3(2, 1, 2.5).asDiagonal()));
}

TEST(ReadInertial, AbsentMeansMassless) {
  EXPECT_EQ(LinkNamed(*ReadRobot("<link name=\"base\"/>").model, "base").inertial, std::nullopt);
}

TEST(ReadInertial, MassWithoutTensorIsAPoint) {
  const ReadResult read =
      ReadRobot("<link name=\"base\"><inertial><mass value=\"2\"/></inertial></link>");
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:1: warning: link 'base': its <inertial> has a mass but no "
                          "<inertia>; taken as a point mass [inertia-missing]"));
  EXPECT_EQ(LinkNamed(*read.model, "base").inertial->I_I, Matrix3(Matrix3::Zero()));
}

TEST(ReadInertial, TheLowerHalfMustAgreeWithTheUpper) {
  const std::string upper =
      R"(<link name="base"><inertial><mass value="1"/><inertia ixx="1" ixy="0.1" ixz="0" iyy="1" iyz="0" izz="1")";
  EXPECT_THAT(ReadRobot(upper + R"( iyx="0.1"/></inertial></link>)").messages, IsEmpty());
  EXPECT_THAT(ReadRobot(upper + R"( iyx="0.2"/></inertial></link>)").messages,
              ElementsAre("robot.urdf:1: warning: link 'base': 'iyx' contradicts its mirror "
                          "element; the upper half of the tensor counts "
                          "[inertia-not-symmetric]"));
}

Shape ShapeOf(const std::string& xml, const std::string& attributes = "") {
  return ReadRobot(
             "<link name=\"base\"><collision><geometry>" + xml + "</geometry></collision></link>",
             attributes)
      .model->link(LinkId{1})
      .collisions.at(0)
      .shape;
}

TEST(ReadShape, SizesAreFullSizes) {
  EXPECT_EQ(std::get<Box>(ShapeOf("<box size=\"1 2 3\"/>")).size, Vector3(1, 2, 3));
  EXPECT_EQ(std::get<Sphere>(ShapeOf("<sphere radius=\"0.5\"/>")).radius, 0.5);
  const Cylinder cylinder = std::get<Cylinder>(ShapeOf("<cylinder radius=\"0.1\" length=\"2\"/>"));
  EXPECT_EQ(cylinder.radius, 0.1);
  EXPECT_EQ(cylinder.length, 2);
  const Mesh mesh = std::get<Mesh>(
      ShapeOf("<mesh filename=\"package://robot/a b.stl\" scale=\"0.001 -0.001 0.001\"/>"));
  EXPECT_EQ(mesh.uri, "package://robot/a b.stl");
  EXPECT_EQ(mesh.scale, Vector3(0.001, -0.001, 0.001));
}

TEST(ReadShape, CapsuleOfUrdf11HasTheLengthOfItsCylinder) {
  const Capsule capsule =
      std::get<Capsule>(ShapeOf("<capsule radius=\"0.1\" length=\"2\"/>", " version=\"1.1\""));
  EXPECT_EQ(capsule.radius, 0.1);
  EXPECT_EQ(capsule.length, 2);
}

TEST(ReadShape, AnUnknownShapeIsKeptAsText) {
  const ReadResult read = ReadRobot(
      "<link name=\"base\"><visual><geometry><sphre radius=\"1\"/></geometry></visual></link>");
  EXPECT_THAT(read.messages, ElementsAre("robot.urdf:1: warning: link 'base': shape 'sphre' is not "
                                         "part of URDF; kinemorph keeps the shape as text "
                                         "[shape-unknown]\n    did you mean 'sphere'?"));
  EXPECT_EQ(Xml(std::get<NativeShape>(LinkNamed(*read.model, "base").visuals[0].shape).data),
            "<sphre radius=\"1\"/>");
}

TEST(ReadShape, MissingMeshesAreReportedOnceWhenFilesCanBeLookedUp) {
  const std::string text = Robot(
      R"(<link name="base"><visual><geometry><mesh filename="package://x/a.stl"/></geometry></visual>
<collision><geometry><mesh filename="package://x/a.stl"/></geometry></collision></link>)");
  EXPECT_THAT(ReadText(text).messages, IsEmpty());
  const MemoryResolver empty(std::map<std::string, std::string>{});
  const ReadResult read = ReadText(text, &empty);
  ASSERT_EQ(read.messages.size(), 1u);
  EXPECT_EQ(read.messages[0],
            "robot.urdf:1: warning: package 'x': file 'package://x/a.stl' is not found; its name "
            "is kept as written "
            "[resource-not-found]");
  EXPECT_FALSE(read.errors);
  const MemoryResolver full(std::map<std::string, std::string>{{"package://x/a.stl", ""}});
  EXPECT_THAT(ReadText(text, &full).messages, IsEmpty());
}

const std::string kVisual = "<geometry><sphere radius=\"1\"/></geometry>";

TEST(ReadMaterial, IsLookedUpByName) {
  const ReadResult read = ReadRobot(
      "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material><link name=\"base\"><visual>" +
      kVisual + "<material name=\"red\"/></visual></link>");
  EXPECT_THAT(read.messages, IsEmpty());
  const Material material = *LinkNamed(*read.model, "base").visuals[0].material;
  EXPECT_EQ(material.name, "red");
  EXPECT_EQ(*material.diffuse, Rgba(1, 0, 0, 1));
}

TEST(ReadMaterial, DefinedInAVisualServesOthersToo) {
  const ReadResult read = ReadRobot("<link name=\"base\"><visual>" + kVisual +
                                    "<material name=\"red\"/></visual><visual>" + kVisual +
                                    "<material name=\"red\"><color rgba=\"1 0 0 1\"/><texture "
                                    "filename=\"a.png\"/></material></visual></link>");
  EXPECT_THAT(read.messages, IsEmpty());
  for (const Visual& visual : LinkNamed(*read.model, "base").visuals) {
    EXPECT_EQ(*visual.material->diffuse, Rgba(1, 0, 0, 1));
    EXPECT_EQ(visual.material->texture, "a.png");
  }
}

TEST(ReadMaterial, TheDefinitionOfTheRobotWinsAsInUrdfdom) {
  const ReadResult read =
      ReadRobot("<link name=\"base\"><visual>" + kVisual +
                "\n<material name=\"red\"><color rgba=\"0 1 0 1\"/></material></visual></link>\n"
                "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>");
  EXPECT_EQ(*LinkNamed(*read.model, "base").visuals[0].material->diffuse, Rgba(1, 0, 0, 1));
  EXPECT_THAT(read.messages, ElementsAre("robot.urdf:2: warning: material 'red': has other values "
                                         "here than in line 3; those count, as "
                                         "urdfdom reads it [material-redefined]"));
}

TEST(ReadMaterial, NamelessOnesStayWithTheirVisual) {
  const ReadResult read =
      ReadRobot("<link name=\"base\"><visual>" + kVisual +
                "<material name=\"\"><color rgba=\"0 1 0 0.5\"/></material></visual></link>");
  EXPECT_EQ(*LinkNamed(*read.model, "base").visuals[0].material->diffuse, Rgba(0, 1, 0, 0.5));
}

TEST(ReadMaterial, UndefinedIsAWarningWithASuggestion) {
  const ReadResult read = ReadRobot(
      "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material><link name=\"base\"><visual>" +
      kVisual + "<material name=\"red\"/></visual><visual>\n" + kVisual +
      "<material name=\"rad\"/></visual></link>");
  EXPECT_THAT(read.messages, ElementsAre("robot.urdf:2: warning: material 'rad': is not defined "
                                         "anywhere; the visual keeps the name and "
                                         "has no colour [material-undefined]\n"
                                         "    did you mean 'red'?"));
}

TEST(ReadLink, ForeignElementsAreKeptAsText) {
  const ReadResult read =
      ReadRobot(R"(<link name="base"><contact><lateral_friction value="1"/></contact></link>
<drake:collision_filter_group name="g"/>)");
  EXPECT_THAT(LinkNamed(*read.model, "base").native.size(), 1u);
  EXPECT_EQ(LinkNamed(*read.model, "base").native[0].element, "contact");
  EXPECT_EQ(read.model->native.at(0).element, "drake:collision_filter_group");
  EXPECT_EQ(read.messages.back(),
            "robot.urdf:2: warning: element 'drake:collision_filter_group': is not part of URDF; "
            "only URDF output keeps this element, as text "
            "[element-unknown]");
}

TEST(ReadLink, MisspeltElementsGetASuggestion) {
  EXPECT_THAT(ReadRobot("<link name=\"base\"><inertail/></link>").messages,
              ElementsAre("robot.urdf:1: warning: element 'inertail' in 'robot[r]/link[base]': is "
                          "not part of URDF; only URDF output keeps this element and others like "
                          "it, as text [element-unknown]\n    did you mean 'inertial'?"));
}

TEST(ReadLink, UnknownAttributesAreReported) {
  EXPECT_THAT(ReadRobot("<link name=\"base\" type=\"box\"/>").messages,
              ElementsAre("robot.urdf:1: warning: attribute 'type' of 'robot[r]/link[base]' is not "
                          "used [not-used]"));
}

TEST(ReadLink, AVisualWithoutShapeIsLeftOut) {
  const ReadResult read = ReadRobot("<link name=\"base\"><visual name=\"v\"/></link>");
  EXPECT_THAT(LinkNamed(*read.model, "base").visuals, IsEmpty());
  EXPECT_THAT(
      read.messages,
      ElementsAre("robot.urdf:1: warning: link 'base': its <visual> has no shape; kinemorph leaves "
                  "it out (other readers refuse this) [geometry-missing]"));
}

TEST(ReadInertial, ADensityInsteadOfAMassIsNoMassAndNoMistake) {
  const ReadResult read =
      ReadRobot("<link name=\"cube\">\n<inertial><density value=\"300\"/></inertial></link>");
  EXPECT_FALSE(read.errors);
  ASSERT_EQ(read.messages.size(), 1u);
  EXPECT_EQ(read.messages[0],
            "robot.urdf:2: warning: link 'cube': its <inertial> gives a density and no mass, which "
            "only SAPIEN reads; kinemorph reads a massless link, and urdfdom a massless link "
            "without shapes [density-not-read]");
  EXPECT_FALSE(LinkNamed(*read.model, "cube").inertial);
}

}  // namespace
}  // namespace kinemorph::test
