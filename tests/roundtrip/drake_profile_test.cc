// URDF for Drake: its own elements for loops, couplings, contacts and rotors, there and back.
#include "drake_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "kinemorph/converters/conversion.h"
#include "kinemorph/formats/xml_tags.h"
#include "profile_sweep.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The first trap that the text runs into, or nothing.
std::string Trap(const std::string& text) {
  if (text.find("<drake:") != std::string::npos &&
      NextTag(text)->Attribute("xmlns:drake") != "http://drake.mit.edu")
    return "no namespace";
  std::map<std::string_view, int> count;
  std::optional<std::string_view> A;
  bool p_A = false, p_B = false;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    const std::string_view name = tag->name;
    if (name == "drake:ball_constraint") {
      if (tag->closes && (!p_A || !p_B)) return "a ball without both points";
      A.reset(), p_A = p_B = false;
    }
    if (tag->closes) continue;
    for (const char* never : {"loop", "loop_joint", "drake:weld_constraint", "constraint",
                              "coupling", "drake:linear_bushing_rpy", "drake:joint"})
      if (name == never) return "<" + std::string(name) + ">";
    if (name == "drake:ball_constraint_body_A") A = tag->Attribute("name");
    if (name == "drake:ball_constraint_body_B" && A == tag->Attribute("name"))
      return "a ball of one body";
    p_A = p_A || (name == "drake:ball_constraint_p_AP" && tag->Attribute("value"));
    p_B = p_B || (name == "drake:ball_constraint_p_BQ" && tag->Attribute("value"));
    if (name == "gazebo" && !tag->Attribute("reference")) continue;
  }
  return "";
}

constexpr ProfileTarget kDrakeUrdf = {"urdf drake", ".urdf", Trap};

TEST(ReadDrake, ATendonThatCannotStretchIsACoupling) {
  const Model model = Read(Robot(kTendon));
  ASSERT_EQ(model.couplings.size(), 1U);
  const Coupling& c = model.couplings[0];
  EXPECT_EQ(c.name, "twin");
  ASSERT_EQ(c.terms.size(), 2U);
  EXPECT_EQ(c.terms[1].coefficients[0], -2);
  EXPECT_EQ(c.constant, 0.25);
  EXPECT_EQ(model.dialect, "drake");
}

TEST(ReadDrake, ATendonWithPlayOrGiveIsKeptAsText) {
  const std::string start =
      "<drake:tendon_constraint><drake:tendon_constraint_joint name=\"l\" a=\"1\"/>";
  const std::string same =
      "<drake:tendon_constraint_lower_limit value=\"0\"/><drake:tendon_constraint_upper_limit "
      "value=\"0\"/>";
  const auto said = [&](const std::string& inside) {
    std::string words;
    const Model model = Read(Robot(inside + "</drake:tendon_constraint>"), &words);
    EXPECT_EQ(model.couplings.size(), 0U);
    EXPECT_EQ(model.native.size(), 1U);
    return words;
  };
  EXPECT_THAT(said(start + "<drake:tendon_constraint_upper_limit value=\"1\"/>"),
              HasSubstr("its length may change between two limits"));
  EXPECT_THAT(said(start + same + "<drake:tendon_constraint_stiffness value=\"100\"/>"),
              HasSubstr("its stiffness lets it give way"));
  EXPECT_THAT(
      said("<drake:tendon_constraint><drake:tendon_constraint_joint name=\"x\" a=\"1\"/>" + same),
      HasSubstr("joint 'x' is not defined"));
}

TEST(ReadDrake, GroupsAreLinksThatDoNotCollide) {
  const Model model = Read(Robot(kGroups));
  ASSERT_EQ(model.contact_exclusions.size(), 1U);
  EXPECT_EQ(model.link(model.contact_exclusions[0].a).name, "left");
  EXPECT_EQ(model.link(model.contact_exclusions[0].b).name, "right");
  EXPECT_TRUE(model.native.empty());
}

TEST(ReadDrake, GroupsThatNameWhatIsNotThereAreKeptAsText) {
  const Model model = Read(Robot(
      R"(<drake:collision_filter_group name="one"><drake:member link="left"/><drake:ignored_collision_filter_group name="three"/></drake:collision_filter_group>)"));
  EXPECT_TRUE(model.contact_exclusions.empty());
  EXPECT_EQ(model.native.size(), 1U);
}

TEST(ReadDrake, ARotorIsTheArmatureOfItsJoint) {
  const Model model = Read(Robot(kRotor));
  EXPECT_DOUBLE_EQ(model.joint(*model.FindJoint("l")).axes[0].armature.value_or(0), 0.1);
  ASSERT_EQ(model.actuators.size(), 1U);
  EXPECT_EQ(model.actuators[0].native.content.Child("actuator")->Child("drake:rotor_inertia"),
            nullptr);
}

TEST(ReadDrake, ItsAccelerationLimitIsOne) {
  EXPECT_EQ(Read(Robot("")).joint(*Read(Robot("")).FindJoint("l")).axes[0].acceleration, 7);
}

TEST(ReadDrake, ARodIsALossByName) {
  std::string said;
  const Model model = Read(Robot("<drake:distance_constraint/>"), &said);
  EXPECT_THAT(said, HasSubstr("drake:distance_constraint"));
  ConvertOptions options;
  options.target = TargetNamed("mjcf");
  Diagnostics messages;
  const auto converted = Convert(model, options, messages);
  ASSERT_TRUE(converted);
  const auto& losses = converted->lowered.report.losses;
  EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [](const Loss& loss) {
    return loss.feature == Feature::kNativeData && loss.weight == Weight::kMotion &&
           loss.what.find("distance_constraint") != std::string::npos;
  }));
}

TEST(DrakeProfile, AllOfItComesBack) {
  const Model source =
      Read(Robot(std::string(kTendon) + kGroups + kRotor +
                 R"(<drake:ball_constraint name="tip"><drake:ball_constraint_body_A name="left"/>
<drake:ball_constraint_body_B name="right"/><drake:ball_constraint_p_AP value="0 0 1"/><drake:ball_constraint_p_BQ value="0 0 1"/></drake:ball_constraint>)"));
  const Outcome out = ForProfile(source, kDrakeUrdf);
  ASSERT_TRUE(out.converted) << out.errors;
  const std::string& text = out.converted->text;
  EXPECT_EQ(LossReportText(out.converted->lowered.report).find("not written"), std::string::npos)
      << LossReportText(out.converted->lowered.report);
  for (const char* part :
       {"URDF, profile drake", "<drake:ball_constraint name=\"tip\">", "drake:acceleration=\"7\"",
        "<drake:tendon_constraint_upper_limit value=\"0.25\"/>",
        "<drake:rotor_inertia value=\"0.1\"/>", "<drake:member link=\"right\"/>",
        "<drake:ignored_collision_filter_group name=\"left_contacts\"/>"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(Trap(text), "");
  EXPECT_EQ(out.verdict, "");
}

// The world is no link of a model of Drake.
TEST(DrakeProfile, ALoopOnTheWorldHoldsALinkOnIt) {
  Model source = Read(Robot(""));
  source.AddJoint(kWorld, *source.FindLink("right"), Pin({0, 0, 1}));
  Joint stand;
  stand.name = "stand";
  source.AddJoint(kWorld, *source.FindLink("base"), std::move(stand));
  const Outcome out = ForProfile(source, kDrakeUrdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text,
              HasSubstr("<drake:ball_constraint_body_A name=\"world_geometry\"/>"));
  EXPECT_EQ(out.verdict, "") << out.converted->text;
}

// Drake reads no origin of a floating joint.
TEST(DrakeProfile, AFreeLinkKeepsItsPlace) {
  const Model source = Read(
      "<robot name='f'><link name='world'/><link name='b'><inertial><mass value='1'/><inertia "
      "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j' "
      "type='floating'><parent link='world'/><child link='b'/><origin xyz='1 2 3' rpy='0 0 "
      "1'/></joint></robot>");
  const Outcome out = ForProfile(source, kDrakeUrdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, HasSubstr("<origin xyz=\"1 2 3\" rpy=\"0 0 1\"/>\n      <mass"));
  EXPECT_EQ(out.verdict, "") << out.converted->text;
}

TEST(DrakeProfile, AnOpenLoopIsAssembled) {
  const Outcome out = ForProfile(OpenFourBar(), kDrakeUrdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(LossReportText(out.converted->lowered.report), HasSubstr("assembled"));
  EXPECT_EQ(out.verdict, "");
}

// A ball becomes hinges through links without shapes: its ends are no longer joined.
TEST(DrakeProfile, LinksOfADividedJointDoNotTouch) {
  Model source = Read(Robot(""));
  AddBoxes(source);
  Joint ball = Pin({0, 0, 1});
  ball.role = JointRole::kTree;
  Link third = source.link(*source.FindLink("right"));
  third.name = "third";
  source.AddJoint(*source.FindLink("right"), source.AddLink(std::move(third)), std::move(ball));
  const Outcome out = ForProfile(source, kDrakeUrdf);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, HasSubstr("<drake:member link=\"third\"/>"));
  EXPECT_EQ(out.verdict, "") << out.converted->text;
}

TEST(DrakeProfile, ItsPairsAreWordsOrLossesElsewhere) {
  const Model source = Read(Robot(kGroups));
  for (const char* target : {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"}) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics messages;
    EXPECT_TRUE(Convert(source, options, messages)) << target << "\n" << Rendered(messages);
  }
}

TEST(DrakeProfile, AnArmatureWithoutADriveIsALossByName) {
  Model source = Read(Robot(""));
  source.joint(*source.FindJoint("r")).axes[0].armature = 0.2;
  const Outcome out = ForProfile(source, kDrakeUrdf);
  ASSERT_TRUE(out.converted) << out.errors;
  ASSERT_EQ(out.converted->lowered.report.losses.size(), 1U);
  EXPECT_EQ(out.converted->lowered.report.losses[0].feature, Feature::kArmature);
  EXPECT_EQ(out.verdict, "");
}

// What stands in Drake's words would be lost in plain URDF.
TEST(DrakeProfile, ASourceOfDrakesStaysOneWhereUrdfIsAskedFor) {
  const Model source = Read(Robot(std::string(kTendon) + kGroups));
  ConversionRequest request;
  std::string why;
  request.to = "urdf";
  ASSERT_TRUE(TargetFor(request, source, why)) << why;
  EXPECT_EQ(TargetFor(request, source, why)->options.profile, "drake");
  request.to = "urdf+";
  EXPECT_EQ(TargetFor(request, source, why)->options.profile, "");
  request.to.clear();
  request.out = "robot.urdf";
  EXPECT_EQ(TargetFor(request, source, why)->format->name, "urdf");
}

TEST(Profiles, OneOfAnotherFormatIsWrongUse) {
  ConversionRequest request;
  std::string why;
  request.to = "sdf";
  request.options.target.options.profile = "portable";
  EXPECT_FALSE(TargetFor(request, Model(), why));
  EXPECT_EQ(why, "sdf has no profile 'portable'; with it: mjcf");
}

TEST(DrakeProfile, EveryFixtureIsTheSameThere) { SweepFixtures(kDrakeUrdf); }

TEST(DrakeProfile, EveryLoopedModelOfTheCorpusIsTheSame) { SweepCorpus(kDrakeUrdf); }

}  // namespace
}  // namespace kinemorph::test
