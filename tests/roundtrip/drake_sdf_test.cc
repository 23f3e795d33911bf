// SDFormat for Drake: its own elements for loops, couplings, contacts and rotors, there and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "drake_profile.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/formats/xml_tags.h"
#include "profile_sweep.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Of SDFormat: points stand as text on two links of the model that they stand in, and no joint is
// of a type that Drake errs at.
std::string TrapOfSdf(const std::string& text) {
  if (text.find("<drake:") != std::string::npos &&
      NextTag(text)->Attribute("xmlns:drake") != "http://drake.mit.edu")
    return "no namespace";
  std::map<std::size_t, std::set<std::string>> links_of;
  std::vector<std::size_t> open;
  for (const bool look : {false, true}) {
    std::string_view A;
    int points = 0;
    for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
      const std::string_view name = tag->name;
      if (name == "model") {
        if (tag->closes)
          open.pop_back();
        else
          open.push_back(tag->begin);
      }
      if (tag->closes) {
        if (look && name == "drake:ball_constraint" && points != 2)
          return "a ball without both points";
        continue;
      }
      if (name == "link" && !look) links_of[open.back()].emplace(*tag->Attribute("name"));
      if (!look) continue;
      if (name == "joint")
        for (const char* never : {"gearbox", "revolute2"})
          if (tag->Attribute("type") == never) return never;
      if (name == "mimic") return "a mimic that Drake does not read";
      if (name == "drake:mimic" && !(tag->Attribute("multiplier") && tag->Attribute("offset")))
        return "a mimic without numbers";
      if (name == "drake:ball_constraint") A = {}, points = 0;
      if (name.starts_with("drake:ball_constraint_body_")) {
        const std::string_view body = TextBehind(text, *tag);
        if (links_of[open.back()].count(std::string(body)) == 0) return "no link of the model";
        if (body == A) return "a ball of one body";
        A = body;
      }
      if (name.starts_with("drake:ball_constraint_p_")) ++points;
    }
  }
  return "";
}

constexpr ProfileTarget kDrakeSdf = {"sdf drake", ".sdf", TrapOfSdf};

TEST(DrakeSdf, AllOfItComesBackInSdf) {
  const Model source =
      Read(Robot(std::string(kTendon) + kGroups + kRotor +
                 R"(<drake:ball_constraint name="tip"><drake:ball_constraint_body_A name="left"/>
<drake:ball_constraint_body_B name="right"/><drake:ball_constraint_p_AP value="0 0 1"/><drake:ball_constraint_p_BQ value="0 0 1"/></drake:ball_constraint>)"));
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  const std::string& text = out.converted->text;
  for (const char* part :
       {"SDFormat profile: drake", "<drake:ball_constraint name=\"tip\">",
        "<drake:ball_constraint_body_A>left</drake:ball_constraint_body_A>",
        "<drake:ball_constraint_p_AP>0 0 1</drake:ball_constraint_p_AP>",
        "<drake:acceleration>7</drake:acceleration>",
        "<drake:tendon_constraint_joint name=\"r\" a=\"-2\"/>",
        "<drake:tendon_constraint_upper_limit>0.25</drake:tendon_constraint_upper_limit>",
        "<drake:tendon_constraint_stiffness>1e+16</drake:tendon_constraint_stiffness>",
        "<drake:tendon_constraint_damping>0</drake:tendon_constraint_damping>",
        "<drake:rotor_inertia>0.1</drake:rotor_inertia>", "<drake:member>right</drake:member>",
        "<drake:ignored_collision_filter_group>left_contacts</"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(TrapOfSdf(text), "");
  EXPECT_EQ(out.verdict, "");
  // And its text stays.
  Diagnostics reading;
  const std::optional<Model> again = ReadText(text, "/tmp/out.sdf", reading);
  ASSERT_TRUE(again);
  EXPECT_EQ(Rendered(reading, Severity::kError), "");
  EXPECT_EQ(again->dialect, "drake");
  const Outcome twice = ForProfile(*again, kDrakeSdf);
  ASSERT_TRUE(twice.converted) << twice.errors;
  EXPECT_EQ(twice.converted->text, text);
}

// An arm in a hand in a model; what reaches over two of them needs one model in Drake.
std::string Nested(const std::string& joint_of_hand, const std::string& rest) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></"
           "inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& child) {
    return "<joint name='" + name + "' type='revolute'><parent>palm</parent><child>" + child +
           "</child><axis><xyz>0 1 0</xyz></axis></joint>";
  };
  return "<sdf version='1.9' xmlns:drake='http://drake.mit.edu'><model name='m'>" + link("base") +
         "<model name='hand'>" + link("palm") + link("left") + link("right") + joint("l", "left") +
         joint("r", "right") + joint_of_hand + "</model>" + rest + "</model></sdf>";
}

TEST(DrakeSdf, NestedModelsStayUnlessSomethingReachesOverThem) {
  const std::string pin =
      "<joint name='pin' type='revolute'><pose>0 0 1 0 0 0</pose><parent>left</parent>"
      "<child>right</child><axis><xyz>0 1 0</xyz></axis></joint>";
  const std::string over =
      "<joint name='pin' type='revolute'><pose>0 0 1 0 0 0</pose><parent>base</parent>"
      "<child>hand::right</child><axis><xyz>0 1 0</xyz></axis><physics><simbody>"
      "<must_be_loop_joint>true</must_be_loop_joint></simbody></physics></joint>"
      "<joint name='hold' type='fixed'><parent>base</parent><child>hand::palm</child></joint>";
  for (const auto& [inside, outside, nested] :
       {std::tuple(pin, std::string(), true), std::tuple(std::string(), over, false)}) {
    Diagnostics reading;
    const std::optional<Model> source = ReadText(Nested(inside, outside), "/tmp/in.sdf", reading);
    ASSERT_TRUE(source);
    const Outcome out = ForProfile(*source, kDrakeSdf);
    ASSERT_TRUE(out.converted) << out.errors;
    const std::string& text = out.converted->text;
    EXPECT_EQ(text.find("<model name=\"hand\">") != std::string::npos, nested) << text;
    EXPECT_THAT(text, HasSubstr("<drake:ball_constraint "));
    EXPECT_EQ(TrapOfSdf(text), "") << text;
    EXPECT_EQ(out.verdict, "") << text;
  }
}

// Drake looks for the links of a point in the model that it stands in, where the world is not.
TEST(DrakeSdf, ALoopOnTheWorldHoldsALinkOnIt) {
  Model source = Read(Robot(""));
  source.AddJoint(kWorld, *source.FindLink("right"), Pin({0, 0, 1}));
  Joint stand;
  stand.name = "stand";
  source.AddJoint(kWorld, *source.FindLink("base"), std::move(stand));
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_EQ(TrapOfSdf(out.converted->text), "") << out.converted->text;
  EXPECT_EQ(out.verdict, "") << out.converted->text;
}

// In a model of Drake no two elements have one name.
TEST(DrakeSdf, GroupsHaveNamesOfTheirOwn) {
  const Outcome out = ForProfile(Read(Robot(kGroups)), kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text,
              HasSubstr("<drake:collision_filter_group name=\"left_contacts\">"));
  EXPECT_THAT(out.converted->text,
              HasSubstr("<drake:ignored_collision_filter_group>left_contacts</"));
}

// Drake turns round joints towards the base only where they are hinges, slides or welds.
TEST(DrakeSdf, ABallTowardsTheBaseIsTurned) {
  const std::string mass =
      "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
  Diagnostics reading;
  const std::optional<Model> source = ReadText(
      "<sdf version='1.9'><model name='m'><link name='base'>" + mass + "</link><link name='rod'>" +
          mass +
          "</link><joint name='w' type='fixed'><parent>world</parent><child>base</child></joint>"
          "<joint name='top' type='ball'><parent>rod</parent><child>base</child></joint></model>"
          "</sdf>",
      "/tmp/in.sdf", reading);
  ASSERT_TRUE(source);
  const Outcome out = ForProfile(*source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, HasSubstr("<child>rod</child>"));
  EXPECT_EQ(out.verdict, "");
}

TEST(DrakeSdf, AnOpenLoopIsAssembled) {
  const Outcome out = ForProfile(OpenFourBar(), kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(LossReportText(out.converted->lowered.report), HasSubstr("assembled"));
  EXPECT_EQ(out.verdict, "");
}

// What a loop holds is no pair that Drake filters, unless the file says so.
TEST(DrakeSdf, LinksOfALoopDoNotTouch) {
  Model source = Read(Robot("<gazebo><self_collide>true</self_collide></gazebo>"));
  AddBoxes(source);
  EXPECT_EQ(ForProfile(source, kDrakeSdf).converted->text.find("filter_group"), std::string::npos);
  source.AddJoint(*source.FindLink("left"), *source.FindLink("right"), Pin({0, 0, 1}));
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, HasSubstr("<drake:member>left</drake:member>"));
  EXPECT_EQ(out.verdict, "") << out.converted->text;
}

// Drake refuses to hold together what stands on the world anyway.
TEST(DrakeSdf, ALoopOfWeldedLinksIsNotWritten) {
  Model source = Read(Robot(""));
  source.joint(*source.FindJoint("l")).kind = Fixed{};
  source.joint(*source.FindJoint("l")).axes.clear();
  source.AddJoint(*source.FindLink("base"), *source.FindLink("left"), Pin({0, 0, 1}));
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_EQ(out.converted->text.find("ball_constraint"), std::string::npos);
  EXPECT_TRUE(out.converted->lowered.report.losses.empty())
      << LossReportText(out.converted->lowered.report);
  EXPECT_EQ(out.verdict, "");
}

// Drake stops at an element that SDFormat does not define where it stands.
TEST(DrakeSdf, WhatSdfDoesNotDefineIsALoss) {
  const auto lost = [](const std::string& ode, const std::string& imu) {
    Diagnostics reading;
    const std::optional<Model> source = ReadText(
        Nested("<joint name='grip' type='revolute'><parent>left</parent><child>tip</child><axis>"
               "<xyz>0 1 0</xyz></axis><physics><ode>" +
                   ode +
                   "</ode></physics></joint>"
                   "<link name='tip'><sensor name='s' type='imu'><imu>" +
                   imu + "</imu></sensor></link>",
               ""),
        "/tmp/in.sdf", reading);
    EXPECT_TRUE(source);
    const Outcome out = ForProfile(*source, kDrakeSdf);
    return LossReportText(out.converted->lowered.report);
  };
  const char* const kDefined = "<enable_orientation>1</enable_orientation>";
  EXPECT_THAT(lost("<provide_feedback>1</provide_feedback>", kDefined),
              HasSubstr("SDFormat does not define"));
  EXPECT_THAT(lost("<erp>0.1</erp>", "<noise/>"), HasSubstr("SDFormat does not define"));
  EXPECT_THAT(lost("<erp>0.1</erp>", kDefined), Not(HasSubstr("SDFormat does not define")));
}

// Drake has a motor on every joint of one coordinate whose effort limit is not 0.
TEST(DrakeSdf, WhatNothingDrivesHasNoEffort) {
  const Outcome out = ForProfile(Read(Robot(kRotor)), kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, HasSubstr("<effort>5</effort>"));
  EXPECT_THAT(out.converted->text, HasSubstr("<effort>0</effort>"));
  EXPECT_THAT(LossReportText(out.converted->lowered.report), HasSubstr("nothing drives the joint"));
  EXPECT_EQ(out.verdict, "");
  // A source that drives nothing leaves that to others.
  EXPECT_EQ(ForProfile(Read(Robot("")), kDrakeSdf).converted->text.find("<effort>0<"),
            std::string::npos);
}

TEST(DrakeSdf, GravityOfALinkAndShapesWithoutExtentAreLosses) {
  Model source = Read(Robot(""));
  Link& left = source.link(*source.FindLink("left"));
  left.gravity = false;
  source.gravity = Vector3(0, 0, -3);
  Collision point;
  point.shape = Sphere{0};
  left.collisions.push_back(point);
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  const std::string report = LossReportText(out.converted->lowered.report);
  EXPECT_THAT(report, HasSubstr("gravity acts on the link"));
  EXPECT_THAT(report, HasSubstr("Drake has 9.81 m/s^2"));
  EXPECT_THAT(report, HasSubstr("the shape without extent is not written"));
}

TEST(DrakeSdf, AnArmatureWithoutAMotorIsALossInSdf) {
  Model source = Read(Robot(""));
  source.joint(*source.FindJoint("l")).axes[0].armature = 0.2;
  source.joint(*source.FindJoint("r")).axes[0].armature = 0.2;
  source.joint(*source.FindJoint("r")).axes[0].effort = 0;
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  ASSERT_EQ(out.converted->lowered.report.losses.size(), 1U)
      << LossReportText(out.converted->lowered.report);
  EXPECT_EQ(out.converted->lowered.report.losses[0].feature, Feature::kArmature);
  EXPECT_EQ(out.converted->lowered.report.losses[0].subject.name, "r");
  EXPECT_EQ(out.verdict, "");
}

TEST(DrakeSdf, ADecelerationLimitIsALossByName) {
  Model source = Read(Robot(""));
  source.joint(*source.FindJoint("l")).axes[0].deceleration = 3;
  const Outcome out = ForProfile(source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  ASSERT_EQ(out.converted->lowered.report.losses.size(), 1U);
  EXPECT_THAT(out.converted->lowered.report.losses[0].what, HasSubstr("deceleration limit 3"));
  EXPECT_THAT(out.converted->text, HasSubstr("<drake:acceleration>7</drake:acceleration>"));
  EXPECT_EQ(out.verdict, "");
}

// Two hinges of one body would be a universal joint, which has no motor.
TEST(DrakeSdf, HingesWithRotorsStayHinges) {
  Diagnostics reading;
  const std::optional<Model> source = ReadText(
      "<mujoco><worldbody><body name='arm'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
      "<joint name='a' axis='1 0 0' armature='0.1'/><joint name='b' axis='0 1 0' "
      "armature='0.2'/></body></worldbody></mujoco>",
      "/tmp/in.xml", reading);
  ASSERT_TRUE(source);
  const Outcome out = ForProfile(*source, kDrakeSdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, HasSubstr("<drake:rotor_inertia>0.1</drake:rotor_inertia>"));
  EXPECT_THAT(out.converted->text, HasSubstr("<drake:rotor_inertia>0.2</drake:rotor_inertia>"));
}

// SDFormat itself says loops as joints; who asks for a version of it gets them.
TEST(DrakeSdf, ASourceOfDrakesStaysOneWhereSdfIsAskedFor) {
  Model source = Read(Robot(kTendon));
  source.format = "sdf";
  ConversionRequest request;
  std::string why;
  request.to = "sdf";
  ASSERT_TRUE(TargetFor(request, source, why)) << why;
  EXPECT_EQ(TargetFor(request, source, why)->options.profile, "drake");
  request.to = "sdf@1.9";
  EXPECT_EQ(TargetFor(request, source, why)->options.profile, "");
}

TEST(DrakeSdf, EveryFixtureIsTheSameThere) { SweepFixtures(kDrakeSdf); }

TEST(DrakeSdf, EveryLoopedModelOfTheCorpusIsTheSame) { SweepCorpus(kDrakeSdf); }

}  // namespace
}  // namespace kinemorph::test
