// What programs beside ours make of a URDF that kinemorph writes: joints and masses that they read
// otherwise are told, or avoided.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert_text.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Written {
  std::string text, said;
};
Written Convert(const std::string& text, const std::string& from, ConversionRequest request) {
  request.in = "robot." + from;
  const ConversionResult result = ConvertText(text, request, from == "xml" ? "mjcf" : from);
  EXPECT_EQ(result.end, ConversionEnd::kDone);
  Written written{result.files.text, {}};
  for (const Diagnostic& item : result.diagnostics.items()) written.said += Render(item) + "\n";
  for (const Loss& loss : result.report.losses) written.said += loss.what + "\n";
  return written;
}
ConversionRequest To(const std::string& format) {
  ConversionRequest request;
  request.to = format;
  return request;
}

std::string Walker(const std::string& ground) {
  return "<mujoco model='walker'><worldbody>" + ground +
         "<body name='trunk' pos='0 0 0.4'><freejoint name='root'/>"
         "<geom type='box' size='0.2 0.1 0.05' mass='4'/></body></worldbody></mujoco>";
}
const char* const kFloor = "<geom name='floor' type='plane' size='5 5 0.1'/>";

TEST(FreeBase, AFloatingJointIsToldWhereProgramsReadItOtherwise) {
  const Written out = Convert(Walker(kFloor), "xml", To("urdf"));
  EXPECT_THAT(out.text, HasSubstr("type=\"floating\""));
  EXPECT_THAT(out.said,
              HasSubstr("note: joint 'root': is written as a floating joint: PyBullet and KDL of "
                        "ROS read it as a fixed one, and iDynTree reads a robot without links "
                        "(--root base makes 'trunk' the root without this joint)"));
  // What holds the world is no reason to name a remedy that does not help.
  const Written stage = Convert(Walker("<geom type='box' size='5 5 0.1'/>"), "xml", To("urdf"));
  EXPECT_THAT(stage.said, HasSubstr("[floating-joint]"));
  EXPECT_THAT(stage.said, Not(HasSubstr("--root base")));
  ConversionRequest drake = To("urdf");
  drake.options.target.options.profile = "drake";
  EXPECT_THAT(Convert(Walker(kFloor), "xml", drake).said, Not(HasSubstr("[floating-joint]")));
}

TEST(FreeBase, IsTheRootOnRequestWhateverPlaneItStandsOn) {
  for (const char* ground : {kFloor, ""}) {
    ConversionRequest request = To("urdf");
    request.options.base_as_root = true;
    const Written out = Convert(Walker(ground), "xml", request);
    EXPECT_THAT(out.text, Not(HasSubstr("world"))) << ground;
    EXPECT_THAT(out.text, Not(HasSubstr("floating"))) << ground;
    EXPECT_THAT(out.said, Not(HasSubstr("[floating-joint]"))) << ground;
  }
}

TEST(FreeBase, ItsPlaceIsToldWhereTheFileHasNone) {
  const auto said = [](const std::string& pose, BaseChoice base) {
    ConversionRequest request = To("urdf");
    request.options.base = base;
    return Convert(
               "<sdf version='1.9'><model name='m'><pose>" + pose +
                   "</pose><link name='a'><inertial><mass>1</mass></inertial></link></model></sdf>",
               "sdf", request)
        .said;
  };
  EXPECT_THAT(said("0 0 2 0 0 0", BaseChoice::kAuto),
              HasSubstr("link 'a': the free base starts at 0 0 2 m, which the file does not say"));
  EXPECT_THAT(said("0 0 0 1 0 0", BaseChoice::kAuto),
              HasSubstr("starts at 0 0 0 m, turned, which"));
  EXPECT_THAT(said("0 0 0 0 0 0", BaseChoice::kAuto), Not(HasSubstr("[base-place]")));
  EXPECT_THAT(said("0 0 2 0 0 0", BaseChoice::kFloating), Not(HasSubstr("[base-place]")));
}

TEST(FreeBase, AnAuthorsOwnFloatingJointIsToldToo) {
  for (const std::string ground : {"world", "ground"}) {
    const Written out =
        Convert("<robot name='r'><link name='" + ground +
                    "'/><link name='b'><inertial><mass value='1'/>"
                    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
                    "<joint name='j' type='floating'><parent link='" +
                    ground + "'/><child link='b'/></joint></robot>",
                "urdf", To("urdf"));
    EXPECT_THAT(out.text, HasSubstr("type=\"floating\"")) << ground;
    EXPECT_THAT(out.said, HasSubstr("[floating-joint]")) << ground;
    EXPECT_EQ(out.said.find("--root base") == std::string::npos, ground == "ground") << out.said;
  }
}

// crank -- ball -- rod -- cross -- slide: the ball and the cross are chains in a URDF.
const char* const kRod = R"(<sdf version="1.9"><model name="rod">
<joint name="ground" type="fixed"><parent>world</parent><child>base</child></joint>
<link name="base"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
<link name="crank"><inertial><pose>0.1 0 0 0 0 0</pose><mass>0.4</mass><inertia><ixx>1e-3</ixx><iyy>2e-3</iyy><izz>2e-3</izz></inertia></inertial></link>
<link name="rod"><pose>0.2 0 0 0 0 0</pose><inertial><pose>0 0.2 0 0 0 0</pose><mass>0.3</mass><inertia><ixx>4e-3</ixx><iyy>1e-3</iyy><izz>4e-3</izz></inertia></inertial></link>
<link name="slide"><pose>0.2 0.4 0 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>1e-3</ixx><iyy>1e-3</iyy><izz>1e-3</izz></inertia></inertial></link>
<joint name="turn" type="revolute"><parent>base</parent><child>crank</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="ball" type="ball"><parent>crank</parent><child>rod</child></joint>
<joint name="slider" type="prismatic"><parent>base</parent><child>slide</child><axis><xyz>0 1 0</xyz><limit><lower>-0.3</lower><upper>0.3</upper></limit></axis></joint>
<joint name="cross" type="universal"><parent>slide</parent><child>rod</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>
</model></sdf>)";

std::string LinkText(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("<link name=\"" + name + "\"");
  return at == text.npos ? "" : text.substr(at, text.find("<link", at + 1) - at);
}

TEST(MovingLinks, WeighSomethingWhereTheLoopsAreLost) {
  ConversionRequest none = To("urdf"), fit = To("urdf");
  none.options.target.options.loops = LoopChoice::kNone;
  fit.options.mimic = MimicChoice::kFit;
  for (const ConversionRequest& request : {none, fit}) {
    const Written out = Convert(kRod, "sdf", request);
    EXPECT_THAT(LinkText(out.text, "cross_link1"), HasSubstr("<mass value=\"2e-06\"/>"));
    EXPECT_THAT(out.said, HasSubstr("1 link has no inertia ('cross_link1')"));
  }
}

TEST(MovingLinks, OfNoMassAtTheEndsOfATreeAreTold) {
  const Written out = Convert(kRod, "sdf", To("urdf+"));
  EXPECT_THAT(out.said, HasSubstr("note: model 'rod': nothing weighs at and below 'ball_link1', "
                                  "'ball_link2', which move: the mass matrix is singular"));
  EXPECT_THAT(LinkText(out.text, "ball_link2"), Not(HasSubstr("<mass")));

  ConversionRequest given = To("urdf+");
  given.options.massless = 0.001;
  const Written heavy = Convert(kRod, "sdf", given);
  EXPECT_THAT(LinkText(heavy.text, "ball_link2"), HasSubstr("<mass value=\"0.001\"/>"));
  EXPECT_THAT(heavy.said, Not(HasSubstr("[massless-ends]")));
}

TEST(Sensors, OfOneNameOnALinkGetTwoNamesInSdformat) {
  const auto sensor = [](const std::string& type) {
    return "<sensor name='eye' type='" + type + "'><update_rate>30</update_rate></sensor>";
  };
  const Written out = Convert("<robot name='r'><link name='a'/><gazebo reference='a'>" +
                                  sensor("imu") + sensor("altimeter") + "</gazebo></robot>",
                              "urdf", To("sdf"));
  EXPECT_THAT(out.text, HasSubstr("<sensor name=\"eye\" type=\"imu\">"));
  EXPECT_THAT(out.text, HasSubstr("<sensor name=\"eye_2\" type=\"altimeter\">"));
}

}  // namespace
}  // namespace kinemorph::test
