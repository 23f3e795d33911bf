// Drake's elements in SDFormat: each of them read, a damaged one told with its line, and all of them
// written.
#include <gmock/gmock.h>

#include "sdf_text.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string JointText(const std::string& name, const std::string& child, const std::string& more) {
  return "<joint name='" + name + "' type='revolute'><parent>base</parent><child>" + child +
         "</child><axis><xyz>0 1 0</xyz></axis>" + more + "</joint>\n";
}

std::string ForDrake(const std::string& content) {
  return InModel(content, "1.9", " xmlns:drake=\"http://drake.mit.edu\"");
}

// Two arms on a base; `more` starts in line 7.
std::string Arms(const std::string& more, const std::string& of_left = "",
                 const std::string& of_right = "") {
  return ForDrake(LinkText("base") + LinkText("left") + LinkText("right") +
                  JointText("l", "left", of_left) + JointText("r", "right", of_right) + more);
}

std::string Tendon(const std::string& joints, const std::string& values) {
  return "<drake:tendon_constraint name='twin'>" + joints + values + "</drake:tendon_constraint>";
}
std::string Value(const std::string& name, const std::string& value) {
  return "<drake:tendon_constraint_" + name + ">" + value + "</drake:tendon_constraint_" + name +
         ">";
}
const char* const kBoth =
    "<drake:tendon_constraint_joint name='l' a='1'/><drake:tendon_constraint_joint name='r' "
    "a='-2'/>";
std::string Length(const std::string& lower, const std::string& upper) {
  return Value("offset", "0.25") + Value("lower_limit", lower) + Value("upper_limit", upper);
}
std::string Group(const std::string& name, const std::string& member, const std::string& ignored) {
  return "<drake:collision_filter_group name='" + name + "'><drake:member>" + member +
         "</drake:member>" +
         (ignored.empty() ? ""
                          : "<drake:ignored_collision_filter_group>" + ignored +
                                "</drake:ignored_collision_filter_group>") +
         "</drake:collision_filter_group>";
}
std::string Warnings(const std::string& text) {
  return ReadText(text).Messages(Severity::kWarning);
}
std::string ErrorsOf(const std::string& text) { return ReadText(text).Messages(Severity::kError); }

TEST(SdfDrake, AMimicHasAttributes) {
  const Model m = Read(Arms("", "", "<drake:mimic joint='l' multiplier='2' offset='0.5'/>"));
  ASSERT_EQ(m.couplings.size(), 1U);
  EXPECT_EQ(m.couplings[0].terms[1].coefficients[0], -2);
  EXPECT_EQ(m.couplings[0].constant, 0.5);
  EXPECT_EQ(m.dialect, "drake");
  EXPECT_THAT(ErrorsOf(Arms("", "", "<drake:mimic joint='k' multiplier='2' offset='0'/>")),
              HasSubstr("m.sdf:6: error: joint 'r' mimics 'k', which is not a joint here"));
  EXPECT_THAT(ErrorsOf(Arms("", "", "<drake:mimic joint='l' multiplier='two' offset='0'/>")),
              HasSubstr("m.sdf:6: error"));
}

TEST(SdfDrake, ATendonOfOneLengthIsACoupling) {
  for (const char* stiffness : {"", "inf", "1e16"}) {
    const std::string more =
        *stiffness ? Value("stiffness", stiffness) + Value("damping", "0") : "";
    const Model m = Read(Arms(Tendon(kBoth, Length("0.5", "0.5") + more)));
    ASSERT_EQ(m.couplings.size(), 1U) << stiffness;
    EXPECT_EQ(m.couplings[0].name, "twin");
    EXPECT_EQ(m.couplings[0].terms[1].coefficients[0], -2);
    EXPECT_EQ(m.couplings[0].constant, 0.25);
    EXPECT_EQ(m.dialect, "drake");
    EXPECT_TRUE(m.scopes[0].native.empty());
  }
}

TEST(SdfDrake, ATendonWithPlayOrGiveIsKeptAsText) {
  const std::string play = Arms(Tendon(kBoth, Length("0", "1")));
  EXPECT_THAT(Warnings(play), HasSubstr("its length may change between two limits"));
  const std::string gives = Arms(Tendon(kBoth, Length("0", "0") + Value("stiffness", "100")));
  EXPECT_THAT(Warnings(gives), HasSubstr("its stiffness lets it give way"));
  for (const std::string& text : {play, gives}) {
    const ReadResult read = ReadText(text);
    EXPECT_TRUE(read.model->couplings.empty());
    EXPECT_EQ(read.model->scopes[0].native.size(), 1U);
    EXPECT_EQ(read.Messages(Severity::kError), "");
  }
}

TEST(SdfDrake, ADamagedTendonIsAnErrorWithItsLine) {
  EXPECT_THAT(
      ErrorsOf(Arms(Tendon("<drake:tendon_constraint_joint name='rr' a='1'/>", Length("0", "0")))),
      HasSubstr("m.sdf:7: error: 'drake:tendon_constraint': joint 'rr' is not defined"));
  EXPECT_THAT(ErrorsOf(Arms(Tendon(kBoth, Length("0", "0,5")))), HasSubstr("m.sdf:7: error"));
}

TEST(SdfDrake, GroupsAreLinksThatDoNotCollide) {
  const Model m = Read(Arms(Group("one", "left", "two") + Group("two", "right", "")));
  ASSERT_EQ(m.contact_exclusions.size(), 1U);
  EXPECT_EQ(m.link(m.contact_exclusions[0].a).name, "left");
  EXPECT_EQ(m.link(m.contact_exclusions[0].b).name, "right");
  EXPECT_TRUE(m.scopes[0].native.empty());
  EXPECT_EQ(m.dialect, "drake");
}

TEST(SdfDrake, GroupsThatNameWhatIsNotThereAreKeptAsText) {
  const std::string text = Arms(Group("one", "left", "three"));
  EXPECT_THAT(Warnings(text), HasSubstr("m.sdf:7: warning: 'drake:collision_filter_group'"));
  EXPECT_EQ(ReadText(text).model->scopes[0].native.size(), 1U);
}

TEST(SdfDrake, ADamagedGroupIsAnErrorWithItsLine) {
  EXPECT_THAT(ErrorsOf(Arms(Group("", "left", ""))), HasSubstr("m.sdf:7: error"));
  EXPECT_THAT(ErrorsOf(Arms(Group("one", "", ""))),
              HasSubstr("names nothing; write <drake:member>NAME</drake:member>"));
}

TEST(SdfDrake, ARotorIsTheArmatureOfItsJoint) {
  const Model m = Read(Arms(
      "",
      "<drake:rotor_inertia>0.001</drake:rotor_inertia><drake:gear_ratio>10</drake:gear_ratio>"));
  const Joint& l = m.joint(*m.FindJoint("l"));
  EXPECT_DOUBLE_EQ(l.axes[0].armature.value_or(0), 0.1);
  EXPECT_TRUE(l.native.empty());
  EXPECT_THAT(ErrorsOf(Arms("", "<drake:rotor_inertia>big</drake:rotor_inertia>")),
              HasSubstr("m.sdf:5: error"));
}

TEST(SdfDrake, AnAccelerationLimitStandsAmongTheOthers) {
  const std::string text = ForDrake(
      LinkText("base") + LinkText("arm") +
      "<joint name='j' type='revolute'><parent>base</parent><child>arm</child><axis>"
      "<xyz>0 1 0</xyz><limit><drake:acceleration>7</drake:acceleration></limit></axis></joint>");
  EXPECT_EQ(Read(text).joint(JointId{0}).axes[0].acceleration, 7);
}

TEST(SdfDrake, TheNamesOfPointsAreThoseOfTheLoop) {
  const auto point = [](const std::string& name, const std::string& at) {
    return "<drake:ball_constraint name='" + name +
           "'><drake:ball_constraint_body_A>left</drake:ball_constraint_body_A>"
           "<drake:ball_constraint_body_B>right</drake:ball_constraint_body_B>"
           "<drake:ball_constraint_p_AP>" +
           at + "</drake:ball_constraint_p_AP><drake:ball_constraint_p_BQ>" + at +
           "</drake:ball_constraint_p_BQ></drake:ball_constraint>";
  };
  const ReadResult read = ReadText(Arms(point("tip", "0 0 1") + point("tip_axis", "0 1 1")));
  ASSERT_TRUE(read.model->FindJoint("tip"));
  EXPECT_EQ(read.model->joint(*read.model->FindJoint("tip")).role, JointRole::kLoop);
  EXPECT_TRUE(read.model->native.empty());
  EXPECT_THAT(read.Messages(Severity::kWarning), Not(HasSubstr("is not used")));
}

TEST(SdfDrake, ItIsWrittenInItsModel) {
  Model m = Read(Arms(Tendon(kBoth, Length("0.5", "0.5")) + Group("left", "left", "right") +
                          Group("right", "right", ""),
                      "<drake:rotor_inertia>0.1</drake:rotor_inertia>"));
  Joint pin;
  pin.name = "pin";
  pin.kind = Fixed{};
  pin.role = JointRole::kLoop;
  m.AddJoint(*m.FindLink("left"), *m.FindLink("right"), std::move(pin));
  Diagnostics said;
  const std::string text = FindFormat("sdf")->write(m, {"", "drake"}, said).text;
  EXPECT_EQ(said.num_errors(), 0U);
  for (const char* part :
       {"<sdf version=\"1.9\" xmlns:drake=\"http://drake.mit.edu\">",
        "<drake:rotor_inertia>0.1</drake:rotor_inertia>", "<drake:ball_constraint name=\"pin\">",
        "<drake:ball_constraint name=\"pin_x\">", "<drake:ball_constraint name=\"pin_y\">",
        "<drake:ball_constraint_p_AP>1 0 0</drake:ball_constraint_p_AP>",
        "<drake:tendon_constraint name=\"twin\">",
        "<drake:tendon_constraint_joint name=\"l\" a=\"1\"/>",
        "<drake:tendon_constraint_offset>0</drake:tendon_constraint_offset>",
        "<drake:tendon_constraint_lower_limit>0.25</drake:tendon_constraint_lower_limit>",
        "<drake:tendon_constraint_upper_limit>0.25</drake:tendon_constraint_upper_limit>",
        "<drake:tendon_constraint_stiffness>1e+16</drake:tendon_constraint_stiffness>",
        "<drake:tendon_constraint_damping>0</drake:tendon_constraint_damping>",
        "<drake:collision_filter_group name=\"left_contacts\">",
        "<drake:ignored_collision_filter_group>left_contacts</"
        "drake:ignored_collision_filter_group>"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, Not(HasSubstr("<joint name=\"pin\"")));
}

// Drake looks for names in the model alone.
TEST(SdfDrake, ALoopOnTheWorldIsRefused) {
  Model m = Read(Arms(""));
  Joint pin;
  pin.name = "pin";
  pin.kind = Ball{};
  pin.role = JointRole::kLoop;
  m.AddJoint(kWorld, *m.FindLink("right"), std::move(pin));
  Diagnostics said;
  EXPECT_EQ(FindFormat("sdf")->write(m, {"", "drake"}, said).text, "");
  EXPECT_EQ(said.num_errors(), 1U);
}

}  // namespace
}  // namespace kinemorph::test
