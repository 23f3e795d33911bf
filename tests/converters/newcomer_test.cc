// The mistakes of a newcomer: units, scales, axes, typos, includes. Each gets one message, which
// names the cause and the remedy, and nothing else is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "lint_words.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;

constexpr const char* kArm =
    R"xml(<robot name="arm">
  <material name="steel"><color rgba="1 1 1 1"/></material>
  <link name="base">
    <visual><geometry><box size="0.1 0.1 0.1"/></geometry><material name="steel"/></visual>
  </link>
  <link name="upper">
    <inertial><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>
  </link>
  <link name="lower">
    <inertial><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.3" rpy="0 0 0"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
  <joint name="elbow" type="revolute">
    <origin xyz="0 0 0.4"/>
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="5" velocity="3"/>
    <mimic joint="shoulder" multiplier="2"/>
  </joint>
  <transmission name="drive"><type>transmission_interface/SimpleTransmission</type><joint name="elbow"/><actuator name="m"/></transmission>
  <gazebo reference="elbow"><provideFeedback>true</provideFeedback></gazebo>
</robot>
)xml";

constexpr const char* kSdf =
    R"xml(<sdf version="1.9">
  <model name="arm">
    <link name="base"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
    <link name="wrist"><pose relative_to="base">0 0 1 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
    <joint name="turn" type="revolute"><parent>base</parent><child>wrist</child><axis><xyz>0 0 1</xyz></axis></joint>
  </model>
</sdf>
)xml";

constexpr const char* kMjcf =
    R"xml(<mujoco model="arm">
  <compiler angle="radian"/>
  <default><default class="thin"><geom size="0.02"/></default></default>
  <worldbody>
    <body name="arm"><joint name="turn" range="-1 1" limited="true"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="turn"/></actuator>
</mujoco>
)xml";

constexpr const char* kFragment =
    R"xml(<mujocoinclude>
  <body name="arm"/>
</mujocoinclude>
)xml";

constexpr const char* kXacro =
    R"xml(<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="leg.xacro"/>
  <xacro:property name="width" value="0.2"/>
  <xacro:arg name="side" default="left"/>
  <link name="base"><visual><geometry><box size="${width} 1 1"/></geometry></visual></link>
  <xacro:finger side="$(arg side)"/>
</robot>
)xml";

struct Mistake {
  const char* name;
  const char* text;  // of which
  const char* from;  // becomes
  const char* to;
  const char* place;   // "12: error"
  const char* cause;   // in the message
  const char* remedy;  // in it, or below it
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class Newcomer : public testing::TestWithParam<Mistake> {};

Diagnostics Said(const char* text, const std::string& from, const std::string& to) {
  const std::map<std::string, std::string> files = {
      {"leg.xacro",
       "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:macro name='finger' "
       "params='side'>\n"
       "<link name='${side}_leg'/><joint name='${side}' type='fixed'><parent link='base'/>"
       "<child link='${side}_leg'/></joint></xacro:macro></robot>"}};
  const std::string_view root(text);
  const char* const name = root.starts_with("<sdf")      ? "arm.sdf"
                           : root.starts_with("<mujoco") ? "arm.xml"
                           : text == kXacro              ? "arm.xacro"
                                                         : "arm.urdf";
  return LintText(from.empty() ? text : With(text, from, to), name, files);
}

TEST_P(Newcomer, IsToldOnceWithCauseAndRemedy) {
  const Mistake& mistake = GetParam();
  const Diagnostics said = Said(mistake.text, mistake.from, mistake.to);
  ASSERT_EQ(said.items().size(), 1u) << Rendered(said, Severity::kNote);
  const std::string message = Render(said.items()[0]);
  const std::string place = message.substr(message.find(':') + 1);
  EXPECT_TRUE(place.starts_with(std::string(mistake.place) + ": ")) << message;
  EXPECT_THAT(message, HasSubstr(mistake.cause));
  EXPECT_THAT(message, HasSubstr(mistake.remedy));
}

TEST(NewcomerWithoutMistake, IsToldNothing) {
  for (const char* text : {kArm, kSdf, kMjcf, kXacro})
    EXPECT_EQ(Rendered(Said(text, "", ""), Severity::kNote), "");
}

INSTANTIATE_TEST_SUITE_P(
    Units, Newcomer,
    testing::Values(
        Mistake{"MassInGrams", kArm, "mass value=\"2\"", "mass value=\"20000\"", "10: warning",
                "weighs 20000 kg", "write kg"},
        Mistake{"InertiaInSquareMillimetres", kArm,
                "ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.03\" iyz=\"0\" izz=\"0.04\"",
                "ixx=\"20000\" ixy=\"0\" ixz=\"0\" iyy=\"30000\" iyz=\"0\" izz=\"40000\"",
                "7: warning", "1 kg turn like a body of 212.1 m", "kg mm^2 (multiply by 1e-6)"},
        Mistake{"LengthInMillimetres", kArm, "0 0 0.4", "0 0 400", "19: warning", "400 m apart",
                "lengths are in metres"},
        Mistake{"AngleInDegrees", kArm, "rpy=\"0 0 0\"", "rpy=\"0 90 0\"", "13: warning",
                "an angle of 90 rad", "90 degrees are 1.571"},
        Mistake{"LimitInDegrees", kArm, "lower=\"-1\"", "lower=\"-90\"", "12: note",
                "a limit of -90 rad", "-90 degrees are -1.571"},
        Mistake{"PoseInDegrees", kSdf, "0 0 1 0 0 0", "0 0 1 0 0 180", "4: warning",
                "an angle of 180 rad", "180 degrees are 3.142"},
        Mistake{"RangeInDegrees", kMjcf, "-1 1", "-90 90", "5: note", "a limit of 90 rad",
                "90 degrees are 1.571"},
        Mistake{"NumberWithUnit", kArm, "0 0 0.4", "0 0 0.4m", "20: error", "'0.4m'",
                "units are not read"},
        Mistake{"DecimalComma", kArm, "0 0 0.4", "0 0 0,4", "20: error", "'0,4'",
                "the decimal sign is a dot: 0.4"},
        Mistake{"TwoNumbersRunTogether", kArm, "0 0 0.4", "0 0 -0.125.75", "20: error",
                "'-0.125.75'", "two numbers without a space"},
        Mistake{"TwoNumbersForThree", kArm, "0 0 0.4", "0 0.4", "20: error", "has 2 numbers",
                "expected 3"},
        Mistake{"MassInGramsInSdf", kSdf, "<mass>1</mass>", "<mass>20000</mass>", "3: warning",
                "weighs 20000 kg", "write kg"},
        Mistake{"MassWithUnitInSdf", kSdf, "<mass>1</mass>", "<mass>1 kg</mass>", "3: error",
                "'1 kg'", "units are not read"},
        Mistake{"LengthInMillimetresInSdf", kSdf, "0 0 1 0 0 0", "0 0 1000 0 0 0", "5: warning",
                "1000 m apart", "lengths are in metres"},
        Mistake{"LimitInDegreesInSdf", kSdf, "<xyz>0 0 1</xyz>",
                "<xyz>0 0 1</xyz><limit><lower>-90</lower><upper>90</upper></limit>", "5: note",
                "a limit of 90 rad", "90 degrees are 1.571"},
        Mistake{"ThreeNumbersForSix", kSdf, "0 0 1 0 0 0", "0 0 1", "4: error", "has 3 numbers",
                "expected 6"},
        Mistake{"DecimalCommaInMjcf", kMjcf, "size=\"0.1\"", "size=\"0,1\"", "5: error", "'0,1'",
                "the decimal sign is a dot: 0.1"},
        Mistake{"UnitAfterAnExpression", kXacro, "${width}", "${width}m", "5: error", "'0.2m'",
                "units are not read"}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Bodies, Newcomer,
    testing::Values(
        Mistake{"InertiaOfNoBody", kArm, "izz=\"0.04\"", "izz=\"0.4\"", "7: warning",
                "0.4 > 0.02 + 0.03", "entries in the wrong order"},
        Mistake{"InertiaWithoutMass", kArm, "<mass value=\"2\"/>", "", "10: error", "gives no mass",
                "write <mass"},
        Mistake{"MassWithoutInertia", kArm,
                "<inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.03\" iyz=\"0\" izz=\"0.04\"/>",
                "", "7: warning", "has a mass but no <inertia>", "taken as a point mass"},
        Mistake{"AxisOfNothing", kArm, "xyz=\"0 1 0\"", "xyz=\"0 0 0\"", "16: error",
                "its axis is zero", "write a unit vector"},
        Mistake{"AxisTooLong", kArm, "xyz=\"0 1 0\"", "xyz=\"0 2 0\"", "16: warning",
                "is not a unit vector", "kinemorph normalised it"},
        Mistake{"NoLimits", kArm, "lower=\"-1\" upper=\"1\" ", "", "12: warning",
                "neither lower nor upper", "type=\"continuous\" turns without end"},
        Mistake{"NoLimit", kArm, "<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"2\"/>",
                "", "12: warning", "demands a <limit>", "write type=\"continuous\""},
        Mistake{"LimitsSwapped", kArm, "lower=\"-1\" upper=\"1\"", "lower=\"1\" upper=\"-1\"",
                "17: warning", "its lower limit 1 is above its upper limit -1",
                "read as if they were exchanged"},
        Mistake{"NoEffort", kArm, "effort=\"10\" ", "", "17: warning", "lacks effort",
                "taken as unlimited"},
        Mistake{"ShapeWithoutLength", kArm, "<box size=\"0.1 0.1 0.1\"/>",
                "<cylinder radius=\"0.1\"/>", "4: error", "its <cylinder>", "has no 'length'"},
        Mistake{"TwoChildren", kArm, "<child link=\"upper\"/>",
                "<child link=\"upper\"/><child link=\"lower\"/>", "15: warning", "element 'child'",
                "only the first 'child' there is read"},
        Mistake{"InertiaOfNoBodyInSdf", kSdf, "<ixx>1</ixx>", "<ixx>5</ixx>", "3: warning",
                "5 > 1 + 1", "entries in the wrong order"},
        Mistake{"AxisOfNothingInSdf", kSdf, "<xyz>0 0 1</xyz>", "<xyz>0 0 0</xyz>", "5: error",
                "zero length", "kinemorph uses 0 0 1"},
        Mistake{"NoAxisInSdf", kSdf, "<axis><xyz>0 0 1</xyz></axis>", "", "5: warning",
                "has no <axis>", "kinemorph uses 0 0 1"},
        Mistake{"InertiaOfNoBodyInMjcf", kMjcf, "<geom size=\"0.1\"/>",
                "<geom size=\"0.1\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 5\"/>",
                "5: warning", "5 > 1 + 1", "entries in the wrong order"},
        Mistake{"AxisOfNothingInMjcf", kMjcf, "name=\"turn\" range",
                "name=\"turn\" axis=\"0 0 0\" range", "5: error", "the axis is zero",
                "write a unit vector"},
        Mistake{"LimitsSwappedInMjcf", kMjcf, "-1 1", "1 -1", "5: error",
                "the first number of range", "must be smaller than the second"},
        Mistake{"BoxOfOneNumber", kMjcf, "<geom size=\"0.1\"", "<geom type=\"box\" size=\"0.1\"",
                "5: error", "number 2 of its size", "is missing"}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Typos, Newcomer,
    testing::Values(
        Mistake{"ChildMisspelt", kArm, "child link=\"lower\"", "child link=\"lowr\"", "22: error",
                "child link 'lowr' is not defined", "did you mean 'lower'?"},
        Mistake{"ParentMisspelt", kArm, "parent link=\"upper\"", "parent link=\"uper\"",
                "21: error", "parent link 'uper' is not defined", "did you mean 'upper'?"},
        Mistake{"TypeMisspelt", kArm, "name=\"shoulder\" type=\"revolute\"",
                "name=\"shoulder\" type=\"revolut\"", "12: error", "type 'revolut'",
                "did you mean 'revolute'?"},
        Mistake{"LeaderMisspelt", kArm, "mimic joint=\"shoulder\"", "mimic joint=\"shouldr\"",
                "25: warning", "mimics joint 'shouldr'", "did you mean 'shoulder'?"},
        Mistake{"ElementMisspelt", kArm, "<origin xyz=\"0 0 0.4\"/>", "<orgin xyz=\"0 0 0.4\"/>",
                "20: warning", "element 'orgin'", "did you mean 'origin'?"},
        Mistake{"AttributeMisspelt", kArm, "multiplier=", "multiplyer=", "25: warning",
                "attribute 'multiplyer'", "did you mean 'multiplier'?"},
        Mistake{"MaterialMisspelt", kArm, "/geometry><material name=\"steel\"",
                "/geometry><material name=\"steal\"", "4: warning", "material 'steal'",
                "did you mean 'steel'?"},
        Mistake{"NameTwice", kArm, "link name=\"lower\"", "link name=\"upper\"", "9: error",
                "link 'upper': is defined twice, first in line 6", "another name"},
        Mistake{"ParentIsChild", kArm, "child link=\"lower\"", "child link=\"upper\"", "19: error",
                "joins link 'upper' to itself", "must differ"},
        Mistake{"NoParent", kArm, "<parent link=\"upper\"/>", "", "19: error", "has no <parent",
                "<parent link=\"...\"/>"},
        Mistake{"NotClosed", kArm, "</inertial>", "", "7: error",
                "element 'inertial' is not closed", "by its own end tag"},
        Mistake{"FrameMisspelt", kSdf, "relative_to=\"base\"", "relative_to=\"bse\"", "4: error",
                "relative_to names 'bse'", "did you mean 'base'?"},
        Mistake{"ChildMisspeltInSdf", kSdf, "<child>wrist", "<child>wrst", "5: error",
                "child 'wrst' is not defined", "did you mean 'wrist'?"},
        Mistake{"JointMisspeltInMjcf", kMjcf, "motor joint=\"turn\"", "motor joint=\"tun\"",
                "7: error", "joint 'tun' is not defined", "did you mean 'turn'?"},
        Mistake{"LinkMisspeltWhereItIsMade", kArm, "link name=\"upper\"", "link name=\"uper\"",
                "15: error", "child link 'upper' is not defined", "did you mean 'uper'?"},
        Mistake{"JointTwice", kArm, "name=\"elbow\" type", "name=\"shoulder\" type", "19: error",
                "joint 'shoulder': is defined twice, first in line 12", "another name"},
        Mistake{"TypeMisspeltInSdf", kSdf, "type=\"revolute\"", "type=\"revolut\"", "5: error",
                "'revolut' is not a joint type", "did you mean 'revolute'?"},
        Mistake{"ElementMisspeltInSdf", kSdf, "<axis><xyz>0 0 1</xyz></axis>",
                "<axes><xyz>0 0 1</xyz></axes>", "5: warning", "element 'axes'",
                "did you mean 'axis'?"},
        Mistake{"ParentMisspeltInSdf", kSdf, "<parent>base", "<parent>bse", "5: error",
                "parent 'bse' is not defined", "did you mean 'base'?"},
        Mistake{"NameTwiceInSdf", kSdf, "link name=\"wrist\"", "link name=\"base\"", "4: error",
                "'base' is the name of two links", "may be used once"},
        Mistake{"NotClosedInSdf", kSdf, "</model>", "", "2: error", "element 'model' is not closed",
                "by its own end tag"},
        Mistake{"ElementMisspeltInMjcf", kMjcf, "<geom size=\"0.1\"", "<goem size=\"0.1\"",
                "5: error", "element 'goem'", "did you mean 'geom'?"},
        Mistake{"AttributeMisspeltInMjcf", kMjcf, "geom size=\"0.1\"", "geom siz=\"0.1\"",
                "5: error", "number 1 of its size is missing", "'siz': did you mean 'size'?"},
        Mistake{"ShapeMisspelt", kMjcf, "geom size=\"0.1\"", "geom type=\"shpere\" size=\"0.1\"",
                "5: error", "type 'shpere' is not known", "did you mean 'sphere'?"},
        Mistake{"TypeMisspeltInMjcf", kMjcf, "name=\"turn\" range",
                "name=\"turn\" type=\"hige\" range", "5: error", "type 'hige'",
                "did you mean 'hinge'?"},
        Mistake{"NameTwiceInMjcf", kMjcf, "</worldbody>",
                "<body name=\"arm\"><geom size=\"0.1\"/></body></worldbody>", "6: error",
                "body 'arm'", "is defined twice"},
        Mistake{"AngleMisspelt", kMjcf, "angle=\"radian\"", "angle=\"radians\"", "2: error",
                "angle 'radians'", "neither degree nor radian"},
        Mistake{"ExpressionNotClosed", kXacro, "${width}", "${width", "5: error", "'${width 1 1'",
                "a ${ is not closed"},
        Mistake{"DividedByZero", kXacro, "${width}", "${width/0}", "5: error",
                "expression 'width/0'", "division by zero"},
        Mistake{"ParameterMisspelt", kXacro, "finger side=", "finger sid=", "6: error",
                "macro 'finger': has no parameter 'sid'", "did you mean 'side'?"},
        Mistake{"ParameterMissing", kXacro, "finger side=\"$(arg side)\"", "finger", "6: error",
                "macro 'finger'", "the call gives no value for 'side'"},
        Mistake{"ConditionOfWords", kXacro, "<link name=\"base\">",
                "<xacro:if value=\"yes\"><link name=\"x\"/></xacro:if><link name=\"base\">",
                "5: error", "'yes'", "neither true nor false"},
        Mistake{"PrefixForgotten", kXacro, "xacro:property", "property", "5: error",
                "name 'width' is not defined", "<property> at arm.xacro:3 lacks the prefix xacro:"},
        Mistake{"ClassMisspelt", kMjcf, "geom size=\"0.1\"", "geom class=\"thn\" size=\"0.1\"",
                "5: error", "default class 'thn' is not defined", "did you mean 'thin'?"}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Includes, Newcomer,
    testing::Values(
        Mistake{"MeshOfNoPackage", kArm, "<box size=\"0.1 0.1 0.1\"/>",
                "<mesh filename=\"package://arm/base.stl\"/>", "4: warning",
                "'package://arm/base.stl' is not found", "package"},
        Mistake{"XacroNotExpanded", kArm, "<robot name=\"arm\">",
                "<robot name=\"arm\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><xacro:include "
                "filename=\"x\"/>",
                "1: error", "xacro program", "run: kinemorph expand arm.urdf -o robot.urdf"},
        Mistake{"XacroIncludeMissing", kXacro, "leg.xacro", "lge.xacro", "2: error",
                "'lge.xacro' cannot be opened", "not found"},
        Mistake{"MacroMisspelt", kXacro, "<xacro:finger ", "<xacro:fingr ", "6: error",
                "macro 'fingr': is not defined here", "did you mean 'finger'?"},
        Mistake{"PropertyMisspelt", kXacro, "${width}", "${widht}", "5: error",
                "name 'widht' is not defined", "did you mean 'width'?"},
        Mistake{"ArgumentMissing", kXacro, "name=\"side\" default", "name=\"other\" default",
                "6: error", "argument 'side' has no value", "--xacro-arg side:=VALUE"},
        Mistake{"ModelMissing", kSdf, "<link name=\"base\">",
                "<include><uri>model://gripper</uri></include><link name=\"base\">", "3: error",
                "'model://gripper' cannot be included", "--package NAME=DIR"},
        Mistake{"MjcfIncludeMissing", kMjcf, "<worldbody>",
                "<include file=\"hand.xml\"/><worldbody>", "4: error", "'hand.xml'", "not found"},
        Mistake{"MeshNotBesideTheFile", kSdf, "<link name=\"base\">",
                "<link name=\"base\"><visual "
                "name=\"v\"><geometry><mesh><uri>base.dae</uri></mesh></geometry></visual>",
                "3: warning", "file 'base.dae' is not found", "kept as written"},
        Mistake{"MeshNotDeclared", kMjcf, "geom size=\"0.1\"", "geom type=\"mesh\" mesh=\"upper\"",
                "5: error", "mesh 'upper' is not defined",
                "<asset><mesh name=\"upper\" file=\"...\"/></asset>"},
        Mistake{"PackageOfAnIncludeMissing", kXacro, "leg.xacro", "$(find legs)/leg.xacro",
                "2: error", "package 'legs' is not found", "--package legs=DIR"},
        Mistake{"MjcfFragment", kFragment, "", "", "1: error", "a fragment",
                "convert the file that includes it"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace kinemorph::test
