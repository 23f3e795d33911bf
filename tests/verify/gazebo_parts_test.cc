// What stands in <gazebo> beside the tree of URDF, and what plugins hold together, on the way to
// every format: nothing of it is lost, and the result moves as the source does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Link(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' "
         "izz='0.1'/></inertial></link>";
}

std::string Joint(const std::string& name, const std::string& from, const std::string& to,
                  const std::string& xyz) {
  return "<joint name='" + name + "' type='continuous'><origin xyz='" + xyz + "'/><parent link='" +
         from + "'/><child link='" + to + "'/><axis xyz='0 1 0'/></joint>";
}

// Two arms; a bar between them in <gazebo>, and a ball that lies about.
std::string Arms(const std::string& block) {
  return "<robot name='arms'>" + Link("base") + Link("left") + Link("right") +
         Joint("l", "base", "left", "0 0 0.5") + Joint("r", "base", "right", "0.4 0 0.5") +
         "<gazebo>" + block + "</gazebo></robot>";
}

const std::string kBar =
    "<link name='bar'><pose>0.2 0 0.8 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.01"
    "</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial><visual name='v'><geometry><box>"
    "<size>0.4 0.02 0.02</size></box></geometry></visual></link>"
    "<frame name='end' attached_to='bar'><pose>0.2 0 0 0 0 0</pose></frame>"
    "<joint name='bl' type='revolute'><pose>-0.2 0 0 0 0 0</pose><parent>left</parent><child>bar"
    "</child><axis><xyz>0 1 0</xyz></axis></joint>"
    "<joint name='br' type='ball'><pose relative_to='end'/><parent>right</parent><child>bar</child>"
    "</joint>"
    "<link name='ball'><pose>2 0 0 0 0 0</pose><inertial><mass>0.1</mass><inertia><ixx>0.01</ixx>"
    "<iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>";

struct Result {
  std::string text;
  std::vector<std::string> lost;
};

// Converted and proved.
Result Proved(const std::string& text, const std::string& file, const std::string& to) {
  Diagnostics said;
  const std::optional<Model> model = ReadText(text, file, said);
  if (!model) {
    ADD_FAILURE() << Rendered(said);
    return {};
  }
  ConvertOptions options;
  options.target = TargetNamed(to);
  const std::optional<Converted> converted = Convert(*model, options, said);
  if (!converted) {
    ADD_FAILURE() << to << "\n" << Rendered(said);
    return {};
  }
  const std::optional<Model> back =
      ReadText(converted->text, "m" + Extension(std::string(options.target.format->name)), said);
  if (!back) {
    ADD_FAILURE() << Rendered(said);
    return {};
  }
  VerifyOptions verify;
  verify.report = &converted->lowered.report, verify.written = &*back;
  const VerifyResult result = VerifyEquivalent(*model, *back, verify);
  EXPECT_NE(result.verdict, Verdict::kDifferent) << to << ": " << result.line << "\n"
                                                 << converted->text;
  Result out{converted->text, {}};
  for (const Loss& loss : converted->lowered.report.losses) out.lost.push_back(loss.what);
  return out;
}

TEST(GazeboParts, CrossToEveryFormat) {
  for (const char* to : {"urdf", "urdf detachable", "urdf+", "sdf", "mjcf", "usda", "mbs"})
    Proved(Arms(kBar), "arms.urdf", to);
}

TEST(GazeboParts, StayWhereTheyWere) {
  const Result result = Proved(Arms(kBar), "arms.urdf", "urdf");
  EXPECT_THAT(result.lost, testing::IsEmpty());
  const std::size_t block = result.text.find("<gazebo>");
  EXPECT_GT(result.text.find("<link name=\"bar\">"), block);
  EXPECT_GT(result.text.find("<link name=\"ball\">"), block);
  EXPECT_GT(result.text.find("<frame name=\"end\""), block);
  EXPECT_THAT(result.text, Not(HasSubstr("floating")));
  EXPECT_EQ(Proved(result.text, "again.urdf", "urdf").text, result.text);
}

std::string Post(const std::string& joints) {
  return Arms(
      "<link name='post'><pose>0 0 -1 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>0.01</ixx>"
      "<iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link><joint name='lift' "
      "type='prismatic'><parent>post</parent><child>base</child><axis><xyz>0 0 1</xyz></axis>"
      "</joint>" +
      joints);
}
const std::string kMount =
    "<joint name='mount' type='fixed'><parent>world</parent><child>post</child></joint>";

TEST(GazeboParts, ThatCarryTheRootCrossToEveryFormat) {
  for (const std::string& robot :
       {Post(""), Post(kMount),
        Arms("<joint name='tip' type='fixed'><parent>world</parent><child>"
             "left</child></joint>")})
    for (const char* to : {"urdf", "urdf detachable", "urdf+", "sdf", "mjcf", "usda", "mbs"})
      Proved(robot, "arms.urdf", to);
}

TEST(GazeboParts, ThatCarryTheRootLeaveItWhereItIs) {
  EXPECT_THAT(Proved(Post(""), "arms.urdf", "sdf").text,
              HasSubstr("<link name=\"post\">\n      <pose>0 0 -1 0 0 0</pose>"));
  const std::string in_block = Proved(Post(""), "arms.urdf", "urdf").text;
  EXPECT_GT(in_block.find("<joint name=\"lift\""), in_block.find("<gazebo>"));
  const std::string held = Proved(Post(kMount), "arms.urdf", "urdf").text;
  EXPECT_THAT(held, Not(HasSubstr("<gazebo>"))) << "all of it is a tree";
  EXPECT_THAT(held, HasSubstr("<link name=\"world\""));
}

// URDF has no word for couplings in a block, but for joints of its tree.
TEST(GazeboParts, OfACouplingAreOfTheTree) {
  const std::string arm =
      "<link name='bar'><pose>0.2 0 0.8 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.01"
      "</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>"
      "<joint name='hold' type='fixed'><parent>left</parent><child>plate</child></joint>"
      "<joint name='bl' type='revolute'><parent>plate</parent><child>bar</child><axis><xyz>0 1 0"
      "</xyz><mimic joint='l'><multiplier>2</multiplier></mimic></axis></joint>"
      "<link name='plate'><pose>0 0 0.8 0 0 0</pose></link>";
  const Result result = Proved(Arms(arm), "arms.urdf", "urdf");
  EXPECT_THAT(result.lost, testing::IsEmpty());
  EXPECT_THAT(result.text, HasSubstr("<mimic joint=\"l\" multiplier=\"2\""));
}

// Joints called like links have other names in SDFormat, those of nested models in URDF.
TEST(GazeboNames, InRos2ControlFollowAndInPluginsAreTold) {
  const std::string control =
      "<ros2_control name='x' type='system'><joint name='a'><command_interface name='position'/>"
      "</joint><joint name='b'><param name='mimic'>a</param><param name='multiplier'>-2</param>"
      "</joint></ros2_control>";
  const std::string jaw = Link("palm") + Link("a") + Link("b") + Joint("a", "palm", "a", "0 0 0") +
                          Joint("b", "palm", "b", "0 0 0") + control +
                          "<gazebo><plugin name='p' filename='gz-sim-joint-position-controller-"
                          "system'><joint_name>a</joint_name></plugin></gazebo>";
  const Result renamed = Proved("<robot name='jaw'>" + jaw + "</robot>", "jaw.urdf", "sdf");
  EXPECT_THAT(renamed.text, HasSubstr("<joint name=\"b_joint\">\n            <param name=\"mimic\">"
                                      "a_joint</param>"));
  EXPECT_THAT(renamed.lost, testing::ElementsAre("names joint 'a', which is called 'a_joint' in "
                                                 "the target"));
}

TEST(GazeboNames, OfANestedModelFollowItsJoints) {
  const auto link = [](const std::string& name) { return "<link name='" + name + "'/>"; };
  const auto hinge = [](const std::string& name, const std::string& child) {
    return "<joint name='" + name + "' type='revolute'><parent>palm</parent><child>" + child +
           "</child><axis><xyz>0 1 0</xyz></axis></joint>";
  };
  const std::string model =
      "<model name='top'>" + link("base") + "<model name='jaw'>" + link("palm") + link("a") +
      link("b") + hinge("p", "a") + hinge("q", "b") +
      "<ros2_control name='x' type='system'><joint name='q'><param name='mimic'>p</param></joint>"
      "</ros2_control></model><joint name='m' type='fixed'><parent>base</parent><child>jaw::palm"
      "</child></joint></model>";
  for (const std::string& file : {model, "<world name='w'>" + model + "</world>"}) {
    const Result flat = Proved("<sdf version='1.9'>" + file + "</sdf>", "top.sdf", "urdf");
    EXPECT_THAT(flat.text, HasSubstr("<param name=\"mimic\">jaw__p</param>"));
    EXPECT_THAT(flat.text, Not(HasSubstr("<mimic")));
  }
}

// A box as "world", on which an arm of two links with shapes stands: the upper one can hit the box.
TEST(WorldLink, CollidesAsTheWorld) {
  const auto with_shape = [](const std::string& name) {
    std::string link = Link(name);
    return link.insert(link.find("</link>"),
                       "<collision><geometry><sphere radius='0.1'/></geometry></collision>");
  };
  const std::string arm =
      "<robot name='cell'><link name='world'><collision><geometry><box size='1 1 0.1'/></geometry>"
      "</collision></link>" +
      with_shape("a") + with_shape("b") + Joint("j", "world", "a", "0 0 0.5") +
      Joint("k", "a", "b", "0 0 0.5") + "</robot>";
  for (const char* to : {"urdf", "urdf+", "sdf", "mjcf", "usda"}) Proved(arm, "cell.urdf", to);
}

// Two hinges on one line with nothing between them: of their rates the links show the sum alone.
TEST(Mimics, OfHingesOnOneLineCross) {
  const auto hinge = [](const std::string& name, const std::string& from, const std::string& to,
                        const std::string& leader) {
    std::string joint = Joint(name, from, to, name == "p" ? "0.3 0 0" : "0 0 0");
    return leader.empty() ? joint : joint.insert(joint.find("</joint>"), leader);
  };
  const std::string arm = "<robot name='arm'>" + Link("base") + Link("up") + Link("back") +
                          "<link name='mid'/>" + Link("fore") + hinge("j2", "base", "up", "") +
                          hinge("j3", "base", "back", "") +
                          hinge("p", "up", "mid", "<mimic joint='j3' multiplier='-1'/>") +
                          hinge("q", "mid", "fore", "<mimic joint='j2'/>") + "</robot>";
  for (const char* to : {"urdf", "urdf+", "sdf@1.11", "mjcf", "usda"}) Proved(arm, "arm.urdf", to);
  // The factor counts all the same.
  Diagnostics said;
  std::string other = arm;
  other.replace(other.find("multiplier='-1'"), 15, "multiplier='-2'");
  EXPECT_EQ(VerifyEquivalent(*ReadText(arm, "arm.urdf", said), *ReadText(other, "arm.urdf", said))
                .verdict,
            Verdict::kDifferent);
}

// What <gazebo> says of a visual, in whatever order.
TEST(GazeboLooks, Cross) {
  const auto shown = [](const std::string& said) {
    std::string link = Link("base");
    link.insert(link.find("</link>"), "<visual><geometry><sphere radius='2'/></geometry></visual>");
    return "<robot name='r'>" + link + "<gazebo reference='base'><visual>" + said +
           "</visual></gazebo></robot>";
  };
  const std::string uri = "<uri>file://media/materials/scripts/gazebo.material</uri>",
                    name = "<name>Gazebo/DarkGrey</name>";
  for (const std::string& said : {"<material><script>" + uri + name + "</script></material>",
                                  "<material><script>" + name + uri + "</script></material>",
                                  std::string("<transparency>0.25</transparency>"),
                                  std::string("<transparency> 0.25\n</transparency>")})
    for (const char* to : {"urdf", "urdf+", "sdf", "mjcf", "usda"})
      Proved(shown(said), "r.urdf", to);
  EXPECT_THAT(Proved(shown("<transparency>0.25</transparency>"), "r.urdf", "sdf").text,
              HasSubstr("<transparency>0.25</transparency>"));
}

}  // namespace
}  // namespace kinemorph::test
